(** Claims about play, each by an answer to every move, and their check. *)
From Coq Require Import List Arith NArith ZArith Bool Lia FMapPositive Wellfounded.
From Balpan Require Import Statement.
Import ListNotations.

(** The number of a reply, from 0; that of the claim about the position after it; or in how many plies a search shows
    that claim. *)
Record reply := { chosen : nat; rests_on : option positive; searched : nat }.

Section Check.
Variable G : play.
Variable same : state G -> state G -> bool.
Hypothesis same_spec : forall p q, same p q = true -> p = q.

(** A claim: the player who is not to move can force this. *)
Definition claims := PositiveMap.t (state G * aim).

Definition same_aim (a b : aim) : bool :=
  match a, b with
  | WinWithin n, WinWithin m | NotLoseBefore n, NotLoseBefore m => n =? m
  | Win, Win | NotLose, NotLose => true
  | _, _ => false
  end.

Lemma same_aim_spec a b : same_aim a b = true -> a = b.
Proof. destruct a, b; simpl; try discriminate; auto; intros H; apply Nat.eqb_eq in H; now subst. Qed.

Definition is_claimed (k : claims) (a : aim) (p : state G) (id : option positive) : bool :=
  match id with
  | None => false
  | Some id =>
    match PositiveMap.find id k with Some (q, b) => same_aim a b && same q p | None => false end
  end.

(** Whether play ends as aimed at, or nothing is needed. *)
Definition settled (to_move : bool) (a : aim) (p : state G) : bool :=
  match a with
  | NotLoseBefore 0 => true
  | _ => match ended G p with Some o => meets to_move a o | None => false end
  end.

(** Every move of the other player, and some move of the claimer. *)
Fixpoint search (plies : nat) (to_move : bool) (a : aim) (p : state G) : bool :=
  settled to_move a p ||
  match plies, ended G p, after_a_ply a with
  | S plies, None, Some b =>
    let next := moves G p in
    if to_move
    then existsb (settled false b) next || existsb (search plies false b) next
    else forallb (search plies true b) next
  | _, _, _ => false
  end.

(** The other player is to move. *)
Definition holds_against (k : claims) (a : aim) (p : state G) (r : reply) : bool :=
  settled false a p || is_claimed k a p (rests_on r) || search (searched r) false a p.

(** The claimer is to move, and the reply does it. *)
Definition holds_by (k : claims) (a : aim) (p : state G) (r : reply) : bool :=
  settled true a p ||
  match ended G p, after_a_ply a, nth_error (moves G p) (chosen r) with
  | None, Some b, Some q => holds_against k b q r
  | _, _, _ => false
  end.

Fixpoint all_answered (k : claims) (a : aim) (options : list (state G)) (replies : list reply) : bool :=
  match options, replies with
  | [], [] => true
  | p :: options, r :: replies => holds_by k a p r && all_answered k a options replies
  | _, _ => false
  end.

Definition check_claim (k : claims) (p : state G) (a : aim) (replies : list reply) : bool :=
  match ended G p, after_a_ply a with
  | None, Some b => all_answered k b (moves G p) replies
  | _, _ => false
  end.

Record claims_so_far := ClaimsSoFar { made : claims; next_claim : positive }.

Definition no_claims : claims_so_far := ClaimsSoFar (PositiveMap.empty _) 1.

Definition add_claim (st : claims_so_far) (p : state G) (a : aim) (replies : list reply) : option claims_so_far :=
  if check_claim (made st) p a replies
  then Some (ClaimsSoFar (PositiveMap.add (next_claim st) (p, a) (made st)) (Pos.succ (next_claim st)))
  else None.

(** The end: for each half of the claim the move, or the number of a claim. *)
Fixpoint check_halves (k : claims) (p : state G) (claim : list (bool * aim)) (replies : list reply) : bool :=
  match claim, replies with
  | [], [] => true
  | (to_move, a) :: claim, r :: replies =>
    (if to_move then holds_by k a p r else holds_against k a p r) && check_halves k p claim replies
  | _, _ => false
  end.

Definition sound (k : claims) := forall id p a, PositiveMap.find id k = Some (p, a) -> can_force G false a p.

Lemma settled_spec to_move a p : settled to_move a p = true -> can_force G to_move a p.
Proof.
  unfold settled. intros H.
  assert (E : a = NotLoseBefore 0 \/ match ended G p with Some o => meets to_move a o | None => false end = true).
  { destruct a as [| | | []]; auto. }
  destruct E as [-> | E]; [constructor |]. destruct (ended G p) as [o |] eqn:F; [| discriminate].
  now apply (has_ended G to_move a p o).
Qed.

Lemma search_spec plies : forall to_move a p, search plies to_move a p = true -> can_force G to_move a p.
Proof.
  induction plies as [| plies IH]; intros to_move a p H.
  - apply settled_spec. simpl in H. now rewrite orb_false_r in H.
  - simpl in H. apply orb_true_iff in H. destruct H as [H | H]; [now apply settled_spec |].
    destruct (ended G p) eqn:E; [discriminate |]. destruct (after_a_ply a) as [b |] eqn:F; [| discriminate].
    destruct to_move.
    + apply orb_true_iff in H. destruct H as [H | H]; apply existsb_exists in H; destruct H as (q & Hq & H);
        apply (by_a_move G a b p q); auto. now apply settled_spec.
    + rewrite forallb_forall in H. apply (against_all G a b p); auto.
Qed.

Lemma holds_against_spec k a p r : sound k -> holds_against k a p r = true -> can_force G false a p.
Proof.
  unfold holds_against. intros S H. rewrite !orb_true_iff in H.
  destruct H as [[H | H] | H]; [now apply settled_spec | | eapply search_spec; eauto].
  unfold is_claimed in H. destruct (rests_on r) as [id |]; [| discriminate].
  destruct (PositiveMap.find id k) as [(q, b) |] eqn:E; [| discriminate]. apply andb_true_iff in H. destruct H as (A & B).
  apply same_aim_spec in A. apply same_spec in B. subst. eapply S. eauto.
Qed.

Lemma holds_by_spec k a p r : sound k -> holds_by k a p r = true -> can_force G true a p.
Proof.
  unfold holds_by. intros S H. apply orb_true_iff in H. destruct H as [H | H]; [now apply settled_spec |].
  destruct (ended G p) eqn:E; [discriminate |]. destruct (after_a_ply a) as [b |] eqn:F; [| discriminate].
  destruct (nth_error (moves G p) (chosen r)) as [q |] eqn:Q; [| discriminate].
  apply (by_a_move G a b p q); auto.
  - eapply nth_error_In. eauto.
  - eapply holds_against_spec; eauto.
Qed.

Lemma all_answered_spec k a : sound k -> forall options replies, all_answered k a options replies = true ->
  forall p, In p options -> can_force G true a p.
Proof.
  intros S. induction options as [| q options IH]; intros [| r replies] H p Hp; simpl in H; try discriminate; [destruct Hp |].
  apply andb_true_iff in H. destruct H as (A & B). destruct Hp as [<- | Hp]; [eapply holds_by_spec; eauto | eauto].
Qed.

Theorem add_claim_sound st p a replies st' : sound (made st) -> add_claim st p a replies = Some st' -> sound (made st').
Proof.
  unfold add_claim, check_claim. intros S H. destruct (ended G p) eqn:E; [discriminate |].
  destruct (after_a_ply a) as [b |] eqn:F; [| discriminate].
  destruct (all_answered _ _ _ _) eqn:A; [| discriminate]. injection H as <-.
  intros id q c Hf. cbn [made] in Hf. destruct (Pos.eq_dec id (next_claim st)) as [-> | D].
  - rewrite PositiveMap.gss in Hf. injection Hf as <- <-. apply (against_all G a b p); auto.
    eapply all_answered_spec; eauto.
  - rewrite PositiveMap.gso in Hf by auto. eapply S. eauto.
Qed.

Theorem check_halves_sound k p : sound k -> forall claim replies, check_halves k p claim replies = true ->
  forall to_move a, In (to_move, a) claim -> can_force G to_move a p.
Proof.
  intros S. induction claim as [| (m, b) claim IH]; intros [| r replies] H to_move a Hin; simpl in H; try discriminate;
    [destruct Hin |].
  apply andb_true_iff in H. destruct H as (A & B). destruct Hin as [E | Hin]; [| eauto]. injection E as -> ->.
  destruct to_move; [eapply holds_by_spec; eauto | eapply holds_against_spec; eauto].
Qed.

(** All claims one after the other. *)
Fixpoint add_claims (st : claims_so_far) (all : list (state G * aim * list reply)) : option claims_so_far :=
  match all with
  | [] => Some st
  | (p, a, replies) :: all => match add_claim st p a replies with Some st => add_claims st all | None => None end
  end.

Lemma no_claims_sound : sound (made no_claims).
Proof. intros id p a H. cbn [made no_claims] in H. rewrite PositiveMap.gempty in H. discriminate. Qed.

Lemma add_claims_sound all : forall st st', sound (made st) -> add_claims st all = Some st' -> sound (made st').
Proof.
  induction all as [| ((p, a), replies) all IH]; simpl; intros st st' S H; [now injection H as <- |].
  destruct (add_claim st p a replies) as [st'' |] eqn:E; [| discriminate]. apply (IH st''); auto.
  eapply add_claim_sound; eauto.
Qed.

End Check.

(** * Equality of positions *)

Definition same_cell (a b : cell) : bool := Z.eqb (fst a) (fst b) && Z.eqb (snd a) (snd b).

Lemma same_cell_spec a b : same_cell a b = true -> a = b.
Proof. unfold same_cell. rewrite andb_true_iff, !Z.eqb_eq. destruct a, b; simpl. intros (-> & ->). auto. Qed.

Fixpoint same_cells (a b : list cell) : bool :=
  match a, b with [], [] => true | x :: a, y :: b => same_cell x y && same_cells a b | _, _ => false end.

Lemma same_cells_spec a : forall b, same_cells a b = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b]; simpl; try discriminate; auto. rewrite andb_true_iff.
  intros (E & F). apply same_cell_spec in E. apply IH in F. now subst.
Qed.

(** * Walkers *)

Definition same_walkers (p q : walker_state) : bool :=
  same_cell (mover p) (mover q) && same_cell (other p) (other q) && same_cells (tiles p) (tiles q).

Lemma same_walkers_spec p q : same_walkers p q = true -> p = q.
Proof.
  unfold same_walkers. rewrite !andb_true_iff. intros ((A & B) & C). apply same_cell_spec in A, B. apply same_cells_spec in C.
  destruct p, q; simpl in *. now subst.
Qed.

Lemma filter_less {A} (f : A -> bool) l x : In x l -> f x = false -> length (filter f l) < length l.
Proof.
  assert (Le : forall l, length (filter f l) <= length l) by (clear; induction l; simpl; auto; destruct (f a); simpl; lia).
  induction l as [| a l IH]; simpl; [intros [] |]. intros [-> | H] E.
  - rewrite E. specialize (Le l). lia.
  - specialize (IH H E). destruct (f a); simpl; lia.
Qed.

Lemma is_cell_refl a : is_cell a a = true.
Proof. unfold is_cell. now destruct (cell_eq_dec a a). Qed.

Lemma has_cell_spec p a : has_cell p a = true <-> In a p.
Proof. unfold has_cell. destruct (in_dec cell_eq_dec a p); split; intros; auto; discriminate. Qed.

Lemma ends_by {A} (moves : A -> list A) (size : A -> nat) :
  (forall p q, In q (moves p) -> size q < size p) -> always_ends (Game A (fun before after => In after (moves before))).
Proof.
  intros H p. simpl in *. induction p as [p IH] using (well_founded_induction (wf_inverse_image _ _ _ size lt_wf)).
  constructor. auto.
Qed.

Lemma walkers_end rules : always_ends (Game walker_state (fun before after => In after (walker_moves rules before))).
Proof.
  apply ends_by with (size := fun p => length (tiles p)). intros p q H. unfold walker_moves in H.
  destruct (has_cell (tiles p) (mover p)) eqn:E; [| destruct H]. apply has_cell_spec in E.
  apply in_map_iff in H. destruct H as (to & <- & _). simpl. apply (filter_less _ _ (mover p)); auto.
  now rewrite is_cell_refl.
Qed.

Definition add_walker_claim (rules : walker_rules) (st : claims_so_far (walker_game rules)) (p : walker_state) (a : aim)
  (replies : list reply) := add_claim (walker_game rules) same_walkers st p a replies.

Definition check_walkers_end (rules : walker_rules) (st : claims_so_far (walker_game rules)) (p : walker_state)
  (claim : list (bool * aim)) (replies : list reply) : bool :=
  check_halves (walker_game rules) same_walkers (made _ st) p claim replies.

Theorem check_walkers_sound rules all st p claim replies :
  add_claims (walker_game rules) same_walkers (no_claims _) all = Some st ->
  check_walkers_end rules st p claim replies = true ->
  play_claim_holds (walker_game rules) p claim.
Proof.
  intros A B. split; [apply walkers_end |].
  apply (check_halves_sound (walker_game rules) same_walkers same_walkers_spec (made _ st)) with (replies := replies); auto.
  eapply add_claims_sound; [exact same_walkers_spec | apply no_claims_sound | exact A].
Qed.

(** * Lines *)

Fixpoint same_lines (p q : line_state) : bool :=
  match p, q with
  | [], [] => true
  | a :: p, b :: q => same_cell (fst a) (fst b) && is_mark (snd a) b && same_lines p q
  | _, _ => false
  end.

Lemma same_lines_spec p : forall q, same_lines p q = true -> p = q.
Proof.
  induction p as [| (a, m) p IH]; intros [| (b, n) q]; simpl; try discriminate; auto.
  rewrite !andb_true_iff. intros ((A & B) & C). apply same_cell_spec in A. apply IH in C. subst.
  unfold is_mark in B. simpl in B. now destruct m, n.
Qed.

Fixpoint count_free (p : line_state) : nat :=
  match p with [] => 0 | c :: p => (if is_mark Free c then 1 else 0) + count_free p end.

Lemma count_free_mark p a : count_free (mark_cell p a) <= count_free p.
Proof.
  induction p as [| (b, m) p IH]; simpl; auto. destruct (is_cell b a), m; unfold is_mark; simpl; lia.
Qed.

Lemma count_free_less p a : In a (cells_marked Free p) -> count_free (mark_cell p a) < count_free p.
Proof.
  induction p as [| (b, m) p IH]; [intros [] |]. unfold cells_marked. cbn [filter].
  destruct m; cbn [is_mark snd map].
  - intros [E | H].
    + cbn [fst] in E. subst. cbn. rewrite is_cell_refl. pose proof (count_free_mark p a). cbn. unfold mark_cell in H. lia.
    + specialize (IH H). cbn. destruct (is_cell b a); cbn; unfold mark_cell in IH; lia.
  - intros H. specialize (IH H). cbn. destruct (is_cell b a); cbn; exact IH.
  - intros H. specialize (IH H). cbn. destruct (is_cell b a); cbn; exact IH.
Qed.

Lemma lines_end rules : always_ends (Game line_state (fun before after => In after (line_moves rules before))).
Proof.
  apply ends_by with (size := count_free). intros p q H. unfold line_moves in H.
  apply in_map_iff in H. destruct H as (a & <- & H). apply filter_In in H. destruct H as (H & _).
  now apply count_free_less.
Qed.

Definition add_line_claim (rules : line_rules) (st : claims_so_far (line_game rules)) (p : line_state) (a : aim)
  (replies : list reply) := add_claim (line_game rules) same_lines st p a replies.

Definition check_lines_end (rules : line_rules) (st : claims_so_far (line_game rules)) (p : line_state)
  (claim : list (bool * aim)) (replies : list reply) : bool :=
  check_halves (line_game rules) same_lines (made _ st) p claim replies.

Theorem check_lines_sound rules all st p claim replies :
  add_claims (line_game rules) same_lines (no_claims _) all = Some st ->
  check_lines_end rules st p claim replies = true ->
  play_claim_holds (line_game rules) p claim.
Proof.
  intros A B. split; [apply lines_end |].
  apply (check_halves_sound (line_game rules) same_lines same_lines_spec (made _ st)) with (replies := replies); auto.
  eapply add_claims_sound; [exact same_lines_spec | apply no_claims_sound | exact A].
Qed.
