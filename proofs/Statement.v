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
