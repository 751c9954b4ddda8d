(* mutations N FILE...: changes small elaborated certificates at random, N times in all. Each changed one has to be
   refused, or its claim has to be true. What is true is found by plain search, without nimbers of parts. *)

open Certificate

let int_of_n n = match n with Checker.N0 -> 0 | Npos p -> int_of_positive p
let rec int_of_nat n = match n with Checker.O -> 0 | S n -> 1 + int_of_nat n

exception Too_large

(* The least number that no option has. *)
let nimber options start =
  let known = Hashtbl.create 1000 in
  let rec search at =
    match Hashtbl.find_opt known at with
    | Some n -> n
    | None ->
      if Hashtbl.length known > 50_000 then raise Too_large;
      let met = List.map search (options at) in
      let rec least n = if List.mem n met then least (n + 1) else n in
      let n = least 0 in
      Hashtbl.add known at n; n
  in
  search start

let range n = List.init (max n 0) Fun.id

let heap_options digit heaps =
  let without h = let rec go l = match l with [] -> [] | x :: l -> if x = h then l else x :: go l in go heaps in
  let of_heap h =
    let of_taken t =
      let d = digit t and rest = h - t in
      (if d land 1 > 0 && rest = 0 then [ [] ] else [])
      @ (if d land 2 > 0 && rest > 0 then [ [ rest ] ] else [])
      @ if d land 4 > 0 then List.map (fun a -> [ a + 1; rest - a - 1 ]) (range (rest - 1)) else []
    in
    List.map (fun rest -> List.sort compare (rest @ without h)) (List.concat_map of_taken (range (h + 1)))
  in
  List.concat_map of_heap (List.sort_uniq compare heaps)

let placement_options pieces rotate reflect cells =
  let turn = List.map (fun (r, c) -> (c, -r)) and mirror = List.map (fun (r, c) -> (r, -c)) in
  let turns p = if rotate then [ p; turn p; turn (turn p); turn (turn (turn p)) ] else [ p ] in
  let ways p = turns p @ if reflect then turns (mirror p) else [] in
  let options_of shape =
    let r0, c0 = List.hd shape in
    let at (r, c) =
      let place = List.map (fun (a, b) -> (a - r0 + r, b - c0 + c)) shape in
      if List.for_all (fun cell -> List.mem cell cells) place
      then [ List.filter (fun cell -> not (List.mem cell place)) cells ] else []
    in
    List.concat_map at cells
  in
  List.concat_map options_of (List.concat_map ways pieces)

(* Play: 1 if the player to move wins, -1 if that player loses, 0; and after how many plies, as the winner hastens and the
   loser delays. *)
let value ended options start =
  let known = Hashtbl.create 1000 in
  let better (v, n) (w, m) = if v <> w then v > w else if v > 0 then n < m else n > m in
  let rec search at =
    match Hashtbl.find_opt known at with
    | Some value -> value
    | None ->
      if Hashtbl.length known > 50_000 then raise Too_large;
      let value =
        match ended at with
        | Some v -> (v, 0)
        | None ->
          let values = List.map (fun next -> let v, n = search next in (-v, n + 1)) (options at) in
          List.fold_left (fun best value -> if better value best then value else best) (List.hd values) (List.tl values)
      in
      Hashtbl.add known at value; value
  in
  search start

let walker_options steps share (tiles, (r, c), other) =
  if not (List.mem (r, c) tiles) then []
  else
    let targets = List.map (fun (down, right) -> (r + down, c + right)) steps in
    let is_open cell = List.mem cell tiles && cell <> (r, c) && (share || cell <> other) in
    List.map (fun cell -> (List.filter (fun tile -> tile <> (r, c)) tiles, other, cell)) (List.filter is_open targets)

let has_line k marks =
  let from cell (dr, dc) = List.for_all (fun n -> List.mem (fst cell + (n * dr), snd cell + (n * dc)) marks) (range k) in
  List.exists (fun cell -> List.exists (from cell) [ (0, 1); (1, 0); (1, 1); (1, -1) ]) marks

let is_met (to_move, aim) (value, plies) =
  let value = if to_move then value else -value in
  match aim with
  | Checker.Win -> value > 0
  | NotLose -> value >= 0
  | WinWithin n -> value > 0 && plies <= int_of_nat n
  | NotLoseBefore n -> value >= 0 || plies >= int_of_nat n

let is_true checked =
  let cell (r, c) = (int_of_cell r, int_of_cell c) in
  let cells = List.map cell in
  let nimber_is n claim =
    match claim with Checker.NimberIs m -> n = int_of_n m | NextPlayerWins -> n <> 0 | PreviousPlayerWins -> n = 0
  in
  match checked.verdict.problem with
  | Heap_game (code, heaps, claim) ->
    let digit t = int_of_n (code (natural t)) in
    nimber_is (nimber (heap_options digit) (List.sort compare (List.filter (fun h -> h > 0) (List.map int_of_nat heaps)))) claim
  | Placement_game (rules, board, claim) ->
    let options = placement_options (List.map cells rules.pieces) rules.rotate rules.reflect in
    nimber_is (nimber options (List.sort_uniq compare (cells board))) claim
  | Walker_game (rules, start, claim) ->
    let options = walker_options (cells rules.steps) rules.share in
    let ended at = if options at = [] then Some (-1) else None in
    let value = value ended options (cells start.tiles, cell start.mover, cell start.other) in
    List.for_all (fun half -> is_met half value) claim
  | Line_game (rules, start, claim) ->
    let k = int_of_nat rules.in_a_row in
    let marked mark = List.filter_map (fun (c, m) -> if m = mark then Some (cell c) else None) start in
    let ended (free, _, others) = if has_line k others then Some (-1) else if free = [] then Some 0 else None in
    let options (free, own, others) =
      let lowest (r, c) = (not rules.gravity) || not (List.mem (r + 1, c) free) in
      List.map (fun a -> (List.filter (( <> ) a) free, others, List.sort compare (a :: own))) (List.filter lowest free)
    in
    let value = value ended options (marked Checker.Free, List.sort compare (marked Own), List.sort compare (marked Others)) in
    List.for_all (fun half -> is_met half value) claim

let read name =
  let file = open_in_bin name in
  let rec go lines = match input_line file with line -> go (line :: lines) | exception End_of_file -> close_in file; List.rev lines in
  Array.of_list (go [])

(* One change: of a character, of a number by a little, of two words of a line, of a line. *)
let mutate lines =
  let lines = Array.copy lines in
  let count = Array.length lines in
  (* Often the claim or the position, or one of the last lines: there a checker that accepts too much shows. *)
  let is_head line = strip_prefix "claim:" line <> None || strip_prefix "position:" line <> None in
  let heads = List.filter (fun i -> is_head lines.(i)) (range count) in
  let n =
    match Random.int 4 with
    | 0 when heads <> [] -> List.nth heads (Random.int (List.length heads))
    | 1 -> count - 1 - Random.int (min 3 count)
    | _ -> Random.int count
  in
  let word_changed change =
    let words = Array.of_list (String.split_on_char ' ' lines.(n)) in
    change words (Random.int (Array.length words));
    lines.(n) <- String.concat " " (Array.to_list words);
    lines
  in
  let length = String.length lines.(n) in
  match Random.int 9 with
  | 0 when length > 0 ->
    let any = "0123456789abcdef.,:@>-? #/ceiuskplayer" in
    let c = any.[Random.int (String.length any)] in
    lines.(n) <- String.mapi (let at = Random.int length in fun i old -> if i = at then c else old) lines.(n);
    lines
  | 1 | 2 when length > 0 ->
    (* A digit, by one: most likely to stay well formed. *)
    let digits = List.filter (fun i -> lines.(n).[i] >= '0' && lines.(n).[i] <= '9') (range length) in
    if digits <> [] then begin
      let at = List.nth digits (Random.int (List.length digits)) in
      let by = if Random.bool () then 1 else 9 in
      let next c = Char.chr (48 + ((Char.code c - 48 + by) mod 10)) in
      lines.(n) <- String.mapi (fun i c -> if i = at then next c else c) lines.(n)
    end;
    lines
  | 3 ->
    word_changed (fun words i ->
        let j = Random.int (Array.length words) in
        let word = words.(i) in
        words.(i) <- words.(j); words.(j) <- word)
  | 4 ->
    word_changed (fun words i ->
        let other = String.split_on_char ' ' lines.(Random.int (Array.length lines)) in
        words.(i) <- List.nth other (Random.int (List.length other)))
  | 5 -> lines.(n) <- lines.(Random.int (Array.length lines)); lines
  | 6 -> word_changed (fun words i -> words.(i) <- "-")
  | 7 ->
    (* A part less. *)
    word_changed (fun words i ->
        match String.rindex_opt words.(i) ',' with Some at -> words.(i) <- String.sub words.(i) 0 at | None -> ())
  | _ -> Array.of_list (List.filteri (fun i _ -> i <> n) (Array.to_list lines))

let check lines =
  let next = ref 0 in
  let next_line () =
    if !next >= Array.length lines then raise End_of_file;
    incr next; lines.(!next - 1)
  in
  match check next_line with
  | checked -> if checked.verdict.proved then Some checked else None
  | exception (Bad _ | End_of_file) -> None

let () =
  Random.init 2012;
  let count = int_of_string Sys.argv.(1) in
  let files = Array.map read (Array.sub Sys.argv 2 (Array.length Sys.argv - 2)) in
  Array.iter (fun lines -> match check lines with
    | Some checked when is_true checked -> ()
    | _ -> prerr_endline "a certificate is refused, or false, as it is"; exit 1) files;
  let same = ref 0 and accepted = ref 0 and skipped = ref 0 in
  for n = 1 to count do
    let original = files.(n mod Array.length files) in
    let rec changes lines left = if left = 0 then lines else changes (mutate lines) (left - 1) in
    let lines = changes original (1 + (n mod 4)) in
    if lines = original then incr same
    else
      match check lines with
      | None -> ()
      | Some checked -> (
        incr accepted;
        match is_true checked with
        | true -> ()
        | exception Too_large -> incr skipped
        | false ->
          prerr_endline "a false claim is accepted:";
          Array.iter prerr_endline lines;
          exit 1)
  done;
  Printf.printf "%d changed certificates: %d accepted, all true (%d too large to be searched), the others refused\n" (count - !same) !accepted !skipped;
  if !skipped * 10 > count then exit 1
