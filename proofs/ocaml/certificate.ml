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

let rec int_of_positive p = match p with XH -> 1 | XO p -> 2 * int_of_positive p | XI p -> (2 * int_of_positive p) + 1

let int_of_cell z = match z with Z0 -> 0 | Zpos p -> int_of_positive p | Zneg p -> -int_of_positive p

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

(* All cells, by rows. *)
let cells_in_order text =
  let row r line = List.init (String.length line) (fun c -> (integer r, integer c)) in
  List.concat (List.mapi row (rows text))

(* The cells with a character, of those that are expected. *)
let cells_with wanted expected text =
  let cell row column c =
    if not (String.contains expected c) then bad "`%c` in `%s`: expected one of `%s`" c text expected;
    if c = wanted then [ (integer row, integer column) ] else []
  in
  List.concat (List.mapi (fun row line -> List.concat (List.mapi (cell row) (List.of_seq (String.to_seq line)))) (rows text))

(* The rest of a text after its beginning. *)
let strip_prefix start text =
  let from = String.length start in
  if String.length text >= from && String.sub text 0 from = start
  then Some (String.sub text from (String.length text - from)) else None

let nimber_claim words =
  match words, strip_prefix "the nimber is " words with
  | "the player to move wins", _ -> NextPlayerWins
  | "the other player wins", _ -> PreviousPlayerWins
  | _, Some n -> NimberIs (number (int n))
  | _ -> bad "`claim: %s`: expected such as `the nimber is 1`" words

(* A claim about play, by the names of the player to move and of the other one. *)
let play_claim (mover, other) words =
  if words = "it is a draw" then [ (true, NotLose); (false, NotLose) ]
  else
    let to_move, does =
      match strip_prefix (mover ^ " ") words, strip_prefix (other ^ " ") words with
      | Some does, _ -> (true, does)
      | None, Some does -> (false, does)
      | None, None -> bad "`claim: %s`: expected such as `%s wins`" words mover
    in
    let plies n = match int n with n when n < 65536 -> n | n -> bad "`claim: %s`: %d plies: expected fewer than 65,536" words n in
    let start, plies =
      match List.rev (String.split_on_char ' ' does) with
      | "plies" :: n :: start -> (String.concat " " (List.rev start), natural (plies n))
      | _ -> (does, O)
    in
    let counted = start <> does in
    match start with
    | "wins" when counted -> bad "`claim: %s`: expected such as `%s wins`" words mover
    | "wins" -> [ (to_move, Win) ]
    | "draws or wins" when not counted -> [ (to_move, NotLose) ]
    | "wins within" when counted -> [ (to_move, WinWithin plies) ]
    | "does not lose before" when counted -> [ (to_move, NotLoseBefore plies) ]
    | "wins in exactly" when counted -> [ (to_move, WinWithin plies); (not to_move, NotLoseBefore plies) ]
    | _ -> bad "`claim: %s`: expected such as `%s wins`" words mover

let no_more head =
  match head.lines with [] -> () | (key, _) :: _ -> bad "the line `%s:` says nothing to such a game" key

(* The body: lines, the last of which is the end. *)

let first_line = "balpan elaborated 1"

(* The game and the position that the checker was asked about. *)
type problem =
  | Heap_game of (nat -> n) * nat list * nimber_claim
  | Placement_game of placement_rules * cell list * nimber_claim
  | Walker_game of walker_rules * walker_state * (bool * aim) list
  | Line_game of line_rules * line_state * (bool * aim) list

(* Whether the claim is proved; otherwise what does not hold. *)
type verdict = { proved : bool; problem : problem; rules_in_words : string list; claims : int; why : string }

let check_heap_game next_line head position claim_words =
  let the_claim = nimber_claim claim_words in
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
  { proved; problem = Heap_game (code, heaps, the_claim); rules_in_words; claims = List.length table; why = "the table of heaps" }

let check_placement_game next_line head position claim_words =
  let the_claim = nimber_claim claim_words in
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
    { proved; problem = Placement_game (rules, board, the_claim); rules_in_words; claims; why }
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

(* Play *)

let aim text =
  let plies () = natural (min (int (String.sub text 1 (String.length text - 1))) 65535) in
  match text with
  | "w" -> Win
  | "d" -> NotLose
  | _ when text <> "" && text.[0] = 'w' -> WinWithin (plies ())
  | _ when text <> "" && text.[0] = 'l' -> NotLoseBefore (plies ())
  | _ -> bad "`%s`: expected an aim: w, d, w5 or l5" text

let most_plies = natural 127

(* A reply such as 2.17, the number of a move and of a claim; either may be left out; 2? where a search of at most 127
   plies shows the claim; - where nothing is needed. *)
let play_reply text =
  let chosen text = if text = "" then O else natural (min (int text) 1000) in
  if text = "-" then { chosen = O; rests_on = None; searched = O }
  else
    match split_once '.' text, split_once '?' text with
    | Some (n, claim), _ -> { chosen = chosen n; rests_on = Some (id claim); searched = O }
    | None, Some (n, "") -> { chosen = chosen n; rests_on = None; searched = most_plies }
    | None, _ -> { chosen = chosen text; rests_on = None; searched = O }

(* Checks claims, each about a position as [read] reads it, up to the end. *)
let check_play next_line game read add finish =
  let rec go state claims =
    let line = try next_line () with End_of_file -> bad "no line `e` ends the claims" in
    match words line with
    | "e" :: replies ->
      let proved = finish state (List.map play_reply replies) in
      (proved, claims, "the end")
    | "f" :: position :: the_aim :: replies -> (
      match add state (read position) (aim the_aim) (List.map play_reply replies) with
      | Some state -> go state (claims + 1)
      | None -> (false, claims, Printf.sprintf "claim %d" (claims + 1)))
    | _ -> bad "claim %d: expected f or e and what belongs to it" (claims + 1)
  in
  go (no_claims game) 0

(* The text of a board, and whether the second player is to move. *)
let board_and_turn by (first, second) text =
  match String.split_on_char by text with
  | [ board; turn ] when turn = first -> (board, false)
  | [ board; turn ] when turn = second -> (board, true)
  | _ -> bad "`%s`: expected a board and `%s` or `%s`" text first second

let walker_position by text =
  let board, b_to_move = board_and_turn by ("a", "b") text in
  let cells wanted = List.concat_map (fun c -> cells_with c ".#AB*!" board) wanted in
  let token own fallen =
    match cells ([ own; '*' ] @ if fallen then [ '!' ] else []) with
    | [ cell ] -> cell
    | _ -> bad "`%s`: expected one token of %c" text own
  in
  let a = token 'A' (not b_to_move) and b = token 'B' b_to_move in
  let is_tile cell = not (List.mem cell (cells [ '#'; '!' ])) in
  let tiles = List.filter is_tile (cells_in_order board) in
  ({ tiles; mover = (if b_to_move then b else a); other = (if b_to_move then a else b) }, b_to_move)

(* Rows down and columns right, from the top and from the left. *)
let walker_steps text =
  let square wanted =
    let all = List.concat_map (fun down -> List.map (fun right -> (down, right)) [ -2; -1; 0; 1; 2 ]) [ -2; -1; 0; 1; 2 ] in
    List.filter (fun (down, right) -> wanted (abs down) (abs right)) all
  in
  let signed word =
    match strip_prefix "-" word with Some word -> -int word | None -> int word
  in
  let steps =
    match text with
    | "orthogonal" -> square (fun a b -> a + b = 1)
    | "king" -> square (fun a b -> max a b = 1)
    | "knight" -> square (fun a b -> a * b = 2)
    | _ -> List.map (fun word -> let a, b = pair ',' word in (signed a, signed b)) (words text)
  in
  List.map (fun (down, right) -> (integer down, integer right)) (List.sort_uniq compare steps)

let check_walker_game next_line head position claim_words =
  let steps_text = one head "steps" in
  let share = yes head "share" in
  if yes head "torus" then bad "boards whose edges are joined are not covered";
  no_more head;
  let rules = { steps = walker_steps steps_text; share } in
  let start, b_to_move = walker_position ' ' position in
  let the_claim = play_claim (if b_to_move then ("B", "A") else ("A", "B")) claim_words in
  let add state p a replies = add_walker_claim rules state p a replies in
  let finish state replies = check_walkers_end rules state start the_claim replies in
  let proved, claims, why = check_play next_line (walker_game rules) (fun text -> fst (walker_position '_' text)) add finish in
  let rules_in_words = [ "steps: " ^ steps_text; ("share: " ^ if share then "yes" else "no"); "torus: no" ] in
  { proved; problem = Walker_game (rules, start, the_claim); rules_in_words; claims; why }

let line_position by text =
  let board, o_to_move = board_and_turn by ("x", "o") text in
  let mark c =
    match c with '.' -> Free | 'X' -> if o_to_move then Others else Own | 'O' -> if o_to_move then Own else Others
    | _ -> bad "`%c` in `%s`: expected one of `.XO`" c text
  in
  let marks = List.map mark (List.filter (fun c -> c <> '/') (List.of_seq (String.to_seq board))) in
  (List.combine (cells_in_order board) marks, o_to_move)

let check_line_game next_line head position claim_words =
  let k = match int (one head "k") with n when n >= 1 && n <= 128 -> n | n -> bad "`k: %d`: expected 1 to 128" n in
  let gravity = yes head "gravity" in
  if one head "marks" <> "own" then bad "shared marks are not covered";
  if yes head "misere" then bad "misere games are not covered";
  let overlines = yes head "overlines" in
  let start, o_to_move = line_position ' ' position in
  (* Where no line can be longer, they need not count. *)
  let longest = List.fold_left (fun n (row, column) -> max n (max (int_of_cell row) (int_of_cell column) + 1)) 0 (List.map fst start) in
  if (not overlines) && longest > k then bad "lines that must not be longer are not covered";
  no_more head;
  let rules = { in_a_row = natural k; gravity } in
  let the_claim = play_claim (if o_to_move then ("O", "X") else ("X", "O")) claim_words in
  let add state p a replies = add_line_claim rules state p a replies in
  let finish state replies = check_lines_end rules state start the_claim replies in
  let proved, claims, why = check_play next_line (line_game rules) (fun text -> fst (line_position '_' text)) add finish in
  let flag key is_so = key ^ ": " ^ if is_so then "yes" else "no" in
  let rules_in_words = [ Printf.sprintf "k: %d" k; "marks: own"; flag "gravity" gravity; flag "overlines" overlines; "misere: no" ] in
  { proved; problem = Line_game (rules, start, the_claim); rules_in_words; claims; why }

type checked = { game : string; position : string; claim_in_words : string; verdict : verdict }

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
  let verdict =
    match family with
    | "heaps" -> check_heap_game next_line head position claim_in_words
    | "placement" -> check_placement_game next_line head position claim_in_words
    | "walkers" -> check_walker_game next_line head position claim_in_words
    | "lines" -> check_line_game next_line head position claim_in_words
    | other -> bad "`family: %s`: expected heaps, placement, walkers or lines" other
  in
  (if verdict.proved then
     match next_line () with
     | line -> bad "`%s` after the end" line
     | exception End_of_file -> ());
  { game; position; claim_in_words; verdict }
