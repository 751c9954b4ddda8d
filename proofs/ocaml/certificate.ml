(* Reads elaborated certificates, and has the verified checker check them.

   Trusted here: that the rules, the position and the claim of the head are passed on and printed as they are read, and
   that the steps are checked one after the other, as [check_steps] says. *)

open Checker

exception Bad of string

let bad fmt = Printf.ksprintf (fun what -> raise (Bad what)) fmt

(* Numbers *)

let rec positive n = if n = 1 then XH else if n land 1 = 1 then XI (positive (n lsr 1)) else XO (positive (n lsr 1))

let number n = if n = 0 then N0 else Npos (positive n)

let small_numbers = Array.init 256 number

let number n = if n < 256 then small_numbers.(n) else number n

let integer n = if n = 0 then Z0 else if n > 0 then Zpos (positive n) else Zneg (positive (-n))

let rec natural n = if n = 0 then O else S (natural (n - 1))

let is_digits text = text <> "" && String.length text <= 9 && String.for_all (fun c -> c >= '0' && c <= '9') text

let int text = if is_digits text then int_of_string text else bad "`%s`: expected a number" text

let id text = match int text with 0 -> bad "0: expected the number of a claim, from 1" | n -> positive n

(* A set in hexadecimal digits. *)
let set text =
  let digit c =
    match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | _ -> bad "`%s`: expected hexadecimal digits" text
  in
  let bit acc b = match acc with N0 -> if b = 0 then N0 else Npos XH | Npos p -> Npos (if b = 0 then XO p else XI p) in
  let add acc c =
    let d = digit c in
    bit (bit (bit (bit acc (d lsr 3)) (d lsr 2 land 1)) (d lsr 1 land 1)) (d land 1)
  in
  if text = "" then bad "expected a set" else String.fold_left add N0 text

(* Words *)

let words text = List.filter (fun word -> word <> "") (String.split_on_char ' ' text)

let split_once by text =
  match String.index_opt text by with
  | None -> None
  | Some i -> Some (String.sub text 0 i, String.sub text (i + 1) (String.length text - i - 1))

let pair by text = match split_once by text with Some pair -> pair | None -> bad "`%s`: expected two numbers with `%c` between" text by

let parts text =
  let part word = let a, b = pair '.' word in (id a, number (int b)) in
  if text = "-" then [] else List.map part (String.split_on_char ',' text)

(* A move such as 2@17, and the parts after it. *)
let reply text =
  match split_once ':' text with
  | None -> None
  | Some (place, rest) -> let shape, at = pair '@' place in Some (int shape, number (int at), parts rest)

let answer text =
  match reply text with
  | None -> Sum (parts text)
  | Some (shape, at, parts) -> Reply (natural (min shape 1000), at, parts)

(* The head *)

type head = { mutable lines : (string * string) list }

let take head key =
  let found, others = List.partition (fun (k, _) -> k = key) head.lines in
  head.lines <- others;
  List.map snd found

let one head key =
  match take head key with
  | [ value ] -> value
  | [] -> bad "no line `%s:`" key
  | _ -> bad "more than one line `%s:`" key

let yes head key =
  match one head key with "yes" -> true | "no" -> false | other -> bad "`%s: %s`: expected yes or no" key other

let rows text =
  let rows = String.split_on_char '/' text in
  let length = String.length (List.hd rows) in
  if length = 0 || List.exists (fun row -> String.length row <> length) rows then bad "`%s`: expected rows of one length" text;
  rows

(* The cells with a character, of those that are expected. *)
let cells_with wanted expected text =
  let cell row column c =
    if not (String.contains expected c) then bad "`%c` in `%s`: expected one of `%s`" c text expected;
    if c = wanted then [ (integer row, integer column) ] else []
  in
  List.concat (List.mapi (fun row line -> List.concat (List.mapi (cell row) (List.of_seq (String.to_seq line)))) (rows text))

let claim words =
  match words with
  | "the player to move wins" -> NextPlayerWins
  | "the other player wins" -> PreviousPlayerWins
  | _ ->
    let start = "the nimber is " in
    let from = String.length start in
    if String.length words > from && String.sub words 0 from = start
    then NimberIs (number (int (String.sub words from (String.length words - from))))
    else bad "`claim: %s`: expected such as `the nimber is 1`" words

let no_more head =
  match head.lines with [] -> () | (key, _) :: _ -> bad "the line `%s:` says nothing to such a game" key

(* The body: lines, the last of which is the end. *)

let first_line = "balpan elaborated 1"

(* The game and the position that the checker was asked about. *)
type problem = Heap_game of (nat -> n) * nat list | Placement_game of placement_rules * cell list

(* Whether the claim is proved; otherwise what does not hold. *)
type verdict = { proved : bool; problem : problem; rules_in_words : string list; claims : int; why : string }

let check_heap_game next_line head position the_claim =
  let text = one head "code" in
  let code =
    if text = "nim" then nim
    else
      let digit c = if c >= '0' && c <= '7' then number (Char.code c - 48) else bad "`code: %s`: expected octal digits" text in
      match split_once '.' text with
      | Some (("0" | "4") as first, others) -> octal (List.map digit (List.of_seq (String.to_seq (first ^ others))))
      | _ -> bad "`code: %s`: expected nim or such as 0.77" text
  in
  if yes head "misere" then bad "misere games have no nimbers here";
  no_more head;
  let heap word = match int word with n when n <= 1000 -> natural n | n -> bad "a heap of %d tokens: expected at most 1000" n in
  let heaps = if position = "0" then [] else List.map heap (words position) in
  let table =
    match words (next_line ()) with
    | "t" :: values -> List.map (fun value -> number (int value)) values
    | _ -> bad "expected a line `t` and the nimbers of heaps"
  in
  let proved = check_heaps code table heaps the_claim in
  let rules_in_words = [ "code: " ^ text; "misere: no" ] in
  { proved; problem = Heap_game (code, heaps); rules_in_words; claims = List.length table; why = "the table of heaps" }

let check_placement_game next_line head position the_claim =
  let pieces = take head "piece" in
  if pieces = [] then bad "no line `piece:`";
  let rotate = yes head "rotate" in
  let reflect = yes head "reflect" in
  if yes head "misere" then bad "misere games have no nimbers here";
  let rules = { pieces = List.map (cells_with '#' "#.") pieces; rotate; reflect } in
  let board = cells_with '.' ".#" position in
  let width = integer (int (one head "width")) in
  let offset word = match int word with n when n <= 1000 -> number n | n -> bad "a shape of %d cells" n in
  let shapes = List.map (fun line -> List.map offset (words line)) (take head "shape") in
  no_more head;
  let flag key is_so = key ^ ": " ^ if is_so then "yes" else "no" in
  let verdict claims why proved =
    let flags = [ flag "rotate" rotate; flag "reflect" reflect; "misere: no" ] in
    let rules_in_words = List.map (fun piece -> "piece: " ^ piece) pieces @ flags in
    { proved; problem = Placement_game (rules, board); rules_in_words; claims; why }
  in
  let rec go state claims line_number =
    let line = try next_line () with End_of_file -> bad "no line `e` ends the steps" in
    let words = words line in
    match words with
    | "e" :: [ last ] ->
      let last =
        match reply last with
        | None -> { winning = None; last_parts = parts last }
        | Some (shape, at, last_parts) -> { winning = Some (natural (min shape 1000), at); last_parts }
      in
      verdict claims "the end, or the shapes" (check_end rules board the_claim width shapes state last)
    | _ -> (
      let step, more =
        match words with
        | "c" :: s :: n :: answers -> (Claim (set s, number (int n), List.map answer answers), 1)
        | [ "u"; s ] -> (Unknown (set s), 0)
        | [ "i"; a; by; table ] -> (Image (id a, number (int by), id table), 0)
        | "s" :: pairs -> (Symmetry (List.map (fun word -> let a, b = pair '>' word in (number (int a), number (int b))) pairs), 0)
        | _ -> bad "step %d: expected c, u, i, s or e and what belongs to it" line_number
      in
      match check_step shapes state step with
      | Some state -> go state (claims + more) (line_number + 1)
      | None -> verdict claims (Printf.sprintf "step %d" line_number) false)
  in
  go begin0 0 1

type checked = { game : string; position : string; claim_in_words : string; claim : nimber_claim; verdict : verdict }

(* Checks a certificate, the lines of which a function returns one after the other. *)
let check next_line =
  (match next_line () with
   | line when line = first_line -> ()
   | _ | (exception End_of_file) -> bad "the first line is not `%s`" first_line);
  let rec read lines =
    match next_line () with
    | "" -> List.rev lines
    | line -> (
      match split_once ':' line with
      | Some (key, value) -> read ((key, String.trim value) :: lines)
      | None -> bad "`%s`: expected a key and `:`" line)
    | exception End_of_file -> bad "no empty line ends the head"
  in
  let head = { lines = read [] } in
  let game = one head "game" in
  let family = one head "family" in
  let position = one head "position" in
  let claim_in_words = one head "claim" in
  let claim = claim claim_in_words in
  let verdict =
    match family with
    | "heaps" -> check_heap_game next_line head position claim
    | "placement" -> check_placement_game next_line head position claim
    | other -> bad "`family: %s`: expected heaps or placement" other
  in
  (if verdict.proved then
     match next_line () with
     | line -> bad "`%s` after the end" line
     | exception End_of_file -> ());
  { game; position; claim_in_words; claim; verdict }
