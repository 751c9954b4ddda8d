(** What the verified checker proves. Nothing else has to be read to know what an accepted certificate means. *)
From Coq Require Import List NArith ZArith Bool Wellfounded.
Import ListNotations.

(** * Games *)

(** Positions, and which positions a move leads to. *)
Record game := Game { position : Type; move : position -> position -> Prop }.

(** Play always ends. *)
Definition always_ends (G : game) := well_founded (fun after before => move G before after).

(** The least number that does not occur. *)
Definition is_mex (n : N) (occurs : N -> Prop) := ~ occurs n /\ forall m, (m < n)%N -> occurs m.

(** A function that gives each position the least number that no option has. Where play always ends there is but one
    (theorem [nimber_unique]). *)
Definition are_nimbers (G : game) (g : position G -> N) :=
  forall p, is_mex (g p) (fun m => exists q, move G p q /\ g q = m).

Definition nimber (G : game) (p : position G) (n : N) := exists g, are_nimbers G g /\ g p = n.

(** Who cannot move loses. *)
Inductive next_player_wins (G : game) : position G -> Prop :=
| wins_by p q : move G p q -> previous_player_wins G q -> next_player_wins G p
with previous_player_wins (G : game) : position G -> Prop :=
| wins_against p : (forall q, move G p q -> next_player_wins G q) -> previous_player_wins G p.

(** * Heaps *)

(** The digit of an octal code for each number of tokens taken. Bit 0: they may be the whole heap; bit 1: one heap may
    be left; bit 2: two may. *)
Definition code := nat -> N.

Definition nim : code := fun taken => if Nat.eqb taken 0 then 0%N else 3%N.

Definition octal (digits : list N) : code := fun taken => nth taken digits 0%N.

(** What a move in a heap leaves of it. *)
Inductive leaves (c : code) (heap : nat) : list nat -> Prop :=
| leaves_nothing : N.testbit (c heap) 0 = true -> leaves c heap []
| leaves_one taken rest :
    heap = taken + rest -> 0 < rest -> N.testbit (c taken) 1 = true -> leaves c heap [rest]
| leaves_two taken one two :
    heap = taken + one + two -> 0 < one -> 0 < two -> N.testbit (c taken) 2 = true -> leaves c heap [one; two].

(** A position is a list of heaps. A move replaces one by what it leaves. *)
Definition heap_game (c : code) : game :=
  Game (list nat) (fun before after =>
    exists some heap more rest,
      before = some ++ heap :: more /\ leaves c heap rest /\ after = some ++ rest ++ more).

(** * Placement *)

(** A row and a column. *)
Definition cell := (Z * Z)%type.

Definition cell_eq_dec (a b : cell) : {a = b} + {a <> b}.
Proof. decide equality; apply Z.eq_dec. Defined.

Definition shift (by_ a : cell) : cell := (fst by_ + fst a, snd by_ + snd a)%Z.
Definition quarter_turn (a : cell) : cell := (snd a, - fst a)%Z.
Definition mirror (a : cell) : cell := (fst a, - snd a)%Z.

(** Pieces, each a list of cells, and whether they may be turned by quarters, and turned over. *)
Record placement_rules := PlacementRules { pieces : list (list cell); rotate : bool; reflect : bool }.

Definition turned (r : bool) (piece : list cell) : list (list cell) :=
  let turn := map quarter_turn in
  if r then [piece; turn piece; turn (turn piece); turn (turn (turn piece))] else [piece].

(** A piece in all ways in which it may lie. *)
Definition ways (rules : placement_rules) (piece : list cell) : list (list cell) :=
  turned (rotate rules) piece ++ (if reflect rules then turned (rotate rules) (map mirror piece) else []).

Definition shapes (rules : placement_rules) : list (list cell) := flat_map (ways rules) (pieces rules).

(** A position is the list of the free cells. A move puts a piece on free cells. *)
Definition placement_game (rules : placement_rules) : game :=
  Game (list cell) (fun before after =>
    exists shape by_,
      In shape (shapes rules) /\
      let place := map (shift by_) shape in
      incl place before /\
      after = filter (fun a => if in_dec cell_eq_dec a place then false else true) before).

(** * Claims *)

Inductive nimber_claim := NimberIs (n : N) | NextPlayerWins | PreviousPlayerWins.

Definition nimber_claim_holds (G : game) (p : position G) (c : nimber_claim) :=
  always_ends G /\
  match c with
  | NimberIs n => nimber G p n
  | NextPlayerWins => next_player_wins G p
  | PreviousPlayerWins => previous_player_wins G p
  end.

(** * Play with ends *)

(** How play has ended, for the player who would be to move. *)
Inductive outcome := Lost | Drawn | Won.

(** Positions; those that moves lead to; and how play has ended, if it has. *)
Record play := Play { state : Type; moves : state -> list state; ended : state -> option outcome }.

(** What a player can be sure of: to win within some plies, to win, not to lose, not to lose before some plies. *)
Inductive aim := WinWithin (plies : nat) | Win | NotLose | NotLoseBefore (plies : nat).

(** Whether an outcome is as aimed at; the aim is that of the player to move ([true]) or of the other one. *)
Definition meets (to_move : bool) (a : aim) (o : outcome) : bool :=
  match a, o with
  | NotLoseBefore 0, _ => true
  | (WinWithin _ | Win), Won => to_move
  | (WinWithin _ | Win), Lost => negb to_move
  | (NotLose | NotLoseBefore _), Won => to_move
  | (NotLose | NotLoseBefore _), Lost => negb to_move
  | (NotLose | NotLoseBefore _), Drawn => true
  | (WinWithin _ | Win), Drawn => false
  end.

(** What is left to aim at after a ply. Nobody wins within no plies if play goes on. *)
Definition after_a_ply (a : aim) : option aim :=
  match a with
  | WinWithin 0 => None
  | WinWithin (S n) => Some (WinWithin n)
  | Win => Some Win
  | NotLose => Some NotLose
  | NotLoseBefore n => Some (NotLoseBefore (pred n))
  end.

Inductive can_force (G : play) : bool -> aim -> state G -> Prop :=
| needs_nothing to_move p : can_force G to_move (NotLoseBefore 0) p
| has_ended to_move a p o : ended G p = Some o -> meets to_move a o = true -> can_force G to_move a p
| by_a_move a b p q :
    ended G p = None -> after_a_ply a = Some b -> In q (moves G p) -> can_force G false b q -> can_force G true a p
| against_all a b p :
    ended G p = None -> after_a_ply a = Some b -> (forall q, In q (moves G p) -> can_force G true b q) ->
    can_force G false a p.

(** A claim: what the player to move ([true]) and the other one can be sure of. *)
Definition play_claim_holds (G : play) (p : state G) (claim : list (bool * aim)) :=
  always_ends (Game (state G) (fun before after => In after (moves G before))) /\
  forall to_move a, In (to_move, a) claim -> can_force G to_move a p.

(** * Walkers *)

(** Steps, as rows down and columns to the right, and whether both tokens may stand on one tile. *)
Record walker_rules := WalkerRules { steps : list cell; share : bool }.

(** The tiles that are left, the cell of the token to move, and that of the other one. *)
Record walker_state := WalkerState { tiles : list cell; mover : cell; other : cell }.

Definition has_cell (p : list cell) (a : cell) : bool := if in_dec cell_eq_dec a p then true else false.

Definition is_cell (a b : cell) : bool := if cell_eq_dec a b then true else false.

(** A token on a tile steps to another one, and its own vanishes. *)
Definition walker_moves (rules : walker_rules) (p : walker_state) : list walker_state :=
  let can_step to :=
    has_cell (tiles p) to && negb (is_cell to (mover p)) && (share rules || negb (is_cell to (other p))) in
  if has_cell (tiles p) (mover p)
  then
    map (fun to => WalkerState (filter (fun a => negb (is_cell a (mover p))) (tiles p)) (other p) to)
      (filter can_step (map (shift (mover p)) (steps rules)))
  else [].

(** Who cannot step loses. *)
Definition walker_game (rules : walker_rules) : play :=
  Play walker_state (walker_moves rules) (fun p => match walker_moves rules p with [] => Some Lost | _ => None end).

(** * Lines *)

(** How many in a row make a line; whether marks fall to the lowest free cell of their column. *)
Record line_rules := LineRules { in_a_row : nat; gravity : bool }.

Inductive mark := Free | Own | Others.

(** Each cell with its mark: none, of the player to move, or of the other one. *)
Definition line_state := list (cell * mark).

Definition is_mark (m : mark) (c : cell * mark) : bool :=
  match m, snd c with Free, Free | Own, Own | Others, Others => true | _, _ => false end.

Definition cells_marked (m : mark) (p : line_state) : list cell := map fst (filter (is_mark m) p).

Definition directions : list cell := [(0, 1); (1, 0); (1, 1); (1, -1)]%Z.

(** The cells of a line, from the first. *)
Fixpoint line (n : nat) (first direction : cell) : list cell :=
  match n with O => [] | S n => first :: line n (shift direction first) direction end.

(** Whether there is a line of at least so many marks. *)
Definition has_line (n : nat) (marks : list cell) : bool :=
  existsb (fun first => existsb (fun d => forallb (has_cell marks) (line n first d)) directions) marks.

(** The position after a mark, for the other player. *)
Definition mark_cell (p : line_state) (a : cell) : line_state :=
  map (fun c => (fst c,
    if is_cell (fst c) a then Others else match snd c with Free => Free | Own => Others | Others => Own end)) p.

Definition line_moves (rules : line_rules) (p : line_state) : list line_state :=
  let free := cells_marked Free p in
  let is_open a := negb (gravity rules) || negb (has_cell free (shift (1, 0)%Z a)) in
  map (mark_cell p) (filter is_open free).

(** Who has made a line has won; a full board without one is a draw. *)
Definition line_ended (rules : line_rules) (p : line_state) : option outcome :=
  if has_line (in_a_row rules) (cells_marked Others p) then Some Lost
  else match cells_marked Free p with [] => Some Drawn | _ => None end.

Definition line_game (rules : line_rules) : play := Play line_state (line_moves rules) (line_ended rules).
