(** The theory of Sprague and Grundy, for games with lists of options. *)
From Coq Require Import List Arith NArith Bool Lia Wellfounded.
From Balpan Require Import Statement.
Import ListNotations.
Local Open Scope N_scope.

(** * The least number that is not in a list *)

Definition member (n : N) (l : list N) := existsb (N.eqb n) l.

Lemma member_spec n l : member n l = true <-> In n l.
Proof.
  unfold member. rewrite existsb_exists. split.
  - intros (x & Hx & E). apply N.eqb_eq in E. now subst.
  - intros H. exists n. now rewrite N.eqb_refl.
Qed.

Fixpoint mex_from (fuel : nat) (n : N) (l : list N) : N :=
  match fuel with
  | O => n
  | S fuel => if member n l then mex_from fuel (N.succ n) l else n
  end.

Definition mex (l : list N) := mex_from (S (length l)) 0 l.

Fixpoint upto (n : nat) : list N := match n with O => [] | S n => N.of_nat n :: upto n end.

Lemma in_upto n m : In m (upto n) <-> m < N.of_nat n.
Proof. induction n; simpl; [lia |]. rewrite IHn. lia. Qed.

Lemma nodup_upto n : NoDup (upto n).
Proof.
  induction n; simpl; constructor; auto. rewrite in_upto. lia.
Qed.

Lemma length_upto n : length (upto n) = n.
Proof. induction n; simpl; auto. Qed.

Lemma mex_from_spec fuel : forall n l,
  (forall m, m < n -> In m l) -> (length l < fuel + N.to_nat n)%nat ->
  (forall m, m < mex_from fuel n l -> In m l) /\ ~ In (mex_from fuel n l) l.
Proof.
  induction fuel; intros n l Hl Hf; simpl.
  - exfalso.
    assert (H : incl (upto (N.to_nat n)) l) by (intros m Hm; apply in_upto in Hm; apply Hl; lia).
    apply (NoDup_incl_length (nodup_upto _)) in H. rewrite length_upto in H. lia.
  - destruct (member n l) eqn:E.
    + apply member_spec in E. apply IHfuel; [| lia].
      intros m Hm. destruct (N.eq_dec m n); [now subst | apply Hl; lia].
    + split; auto. intros H. apply member_spec in H. congruence.
Qed.

Lemma mex_spec l : (forall m, m < mex l -> In m l) /\ ~ In (mex l) l.
Proof. apply mex_from_spec; [lia | simpl; lia]. Qed.

(** * Values *)

Record finite_game := FiniteGame {
  place_of : Type;
  options : place_of -> list place_of;
  size : place_of -> nat;
  smaller : forall p q, In q (options p) -> (size q < size p)%nat
}.

Section Values.
Variable G : finite_game.
Notation P := (place_of G).

Fixpoint value_within (n : nat) (p : P) : N :=
  match n with O => 0 | S n => mex (map (value_within n) (options G p)) end.

Lemma value_within_enough : forall n m p, (size G p < n)%nat -> (size G p < m)%nat ->
  value_within n p = value_within m p.
Proof.
  induction n; intros m p Hn Hm; [lia |]. destruct m; [lia |]. simpl. f_equal. apply map_ext_in.
  intros q Hq. apply smaller in Hq. apply IHn; lia.
Qed.

Definition value (p : P) : N := value_within (S (size G p)) p.

Lemma value_mex p : value p = mex (map value (options G p)).
Proof.
  unfold value at 1. simpl. f_equal. apply map_ext_in. intros q Hq. apply smaller in Hq.
  apply value_within_enough; lia.
Qed.

Lemma value_other p q : In q (options G p) -> value q <> value p.
Proof.
  intros Hq E. destruct (mex_spec (map value (options G p))) as [_ H]. rewrite <- value_mex in H.
  apply H. rewrite <- E. now apply in_map.
Qed.

Lemma value_less p m : m < value p -> exists q, In q (options G p) /\ value q = m.
Proof.
  intros Hm. destruct (mex_spec (map value (options G p))) as [H _]. rewrite <- value_mex in H.
  apply H, in_map_iff in Hm. destruct Hm as (q & E & Hq). eauto.
Qed.

(** The value is whatever no option has, if options have all less. *)
Lemma value_is p n :
  (forall q, In q (options G p) -> value q <> n) ->
  (forall m, m < n -> exists q, In q (options G p) /\ value q = m) -> value p = n.
Proof.
  intros Hn Hm. destruct (N.lt_trichotomy (value p) n) as [H | [H | H]]; auto; exfalso.
  - destruct (Hm _ H) as (q & Hq & E). now apply (value_other p q).
  - destruct (value_less _ _ H) as (q & Hq & E). now apply (Hn q).
Qed.

(** An option of an option has the value. *)
Lemma value_by_reply q r n : In r (options G q) -> value r = n -> value q <> n.
Proof. intros Hr E F. apply (value_other q r); congruence. Qed.

End Values.

(** * The games of the statement *)

Section Link.
Variable G : finite_game.
Variable move : place_of G -> place_of G -> Prop.
Hypothesis same : forall p q, move p q <-> In q (options G p).
Notation game := (Game (place_of G) move).

Lemma ends_by_size : always_ends game.
Proof.
  unfold always_ends; simpl. intros p.
  induction p as [p IH] using (well_founded_induction (wf_inverse_image _ _ _ (size G) Wf_nat.lt_wf)).
  constructor. intros q Hq. apply IH. now apply smaller, same.
Qed.

Lemma nimber_value p : nimber game p (value G p).
Proof.
  exists (value G). split; auto. intros q. split.
  - intros (r & Hr & E). simpl in Hr. apply same in Hr. now apply (value_other G q r).
  - intros m Hm. apply value_less in Hm. destruct Hm as (r & Hr & E). exists r. simpl. now rewrite same.
Qed.

Lemma wins_by_value : forall n p, (size G p < n)%nat ->
  (value G p = 0 -> previous_player_wins game p) /\ (value G p <> 0 -> next_player_wins game p).
Proof.
  induction n; intros p Hp; [lia |]. split.
  - intros E. constructor. simpl. intros q Hq. apply same in Hq. apply IHn.
    + apply smaller in Hq. lia.
    + rewrite <- E. now apply value_other.
  - intros E. destruct (value_less G p 0) as (q & Hq & F); [lia |].
    apply (wins_by game p q); [now apply same |]. apply IHn; auto. apply smaller in Hq. lia.
Qed.

Lemma claim_by_value p (c : nimber_claim) :
  match c with NimberIs n => value G p = n | NextPlayerWins => value G p <> 0 | PreviousPlayerWins => value G p = 0 end ->
  nimber_claim_holds game p c.
Proof.
  intros H. split; [apply ends_by_size |]. destruct c.
  - rewrite <- H. apply nimber_value.
  - now apply (wins_by_value (S (size G p)) p (Nat.lt_succ_diag_r _)).
  - now apply (wins_by_value (S (size G p)) p (Nat.lt_succ_diag_r _)).
Qed.

End Link.

Theorem nimber_unique (G : game) : always_ends G -> forall p n m, nimber G p n -> nimber G p m -> n = m.
Proof.
  intros W p n m (g & Hg & <-) (h & Hh & <-). induction p as [p IH] using (well_founded_induction W).
  assert (A : forall g h : position G -> N, are_nimbers G g -> are_nimbers G h ->
    (forall q, move G p q -> g q = h q) -> ~ g p < h p).
  { clear. intros g h Hg Hh IH H. destruct (Hh p) as [_ L]. destruct (L _ H) as (q & Hq & E).
    destruct (Hg p) as [F _]. apply F. exists q. split; auto. rewrite <- E. now apply IH. }
  assert (~ g p < h p) by (apply A; auto).
  assert (~ h p < g p) by (apply A; auto; intros; symmetry; auto). lia.
Qed.

(** * Sums *)

Fixpoint xors (l : list N) : N := match l with [] => 0 | n :: l => N.lxor n (xors l) end.

(** A number that agrees above some bit, and has 0 there where the other has 1, is less. *)
Lemma less_by_bit x y h :
  (forall i, h < i -> N.testbit x i = N.testbit y i) -> N.testbit x h = false -> N.testbit y h = true -> x < y.
Proof.
  intros Hi Hx Hy.
  assert (D : forall z, N.shiftr z h = 2 * N.shiftr z (N.succ h) + N.b2n (N.testbit z h)).
  { intros z. rewrite (N.div2_odd (N.shiftr z h)) at 1. rewrite <- N.bit0_odd, N.shiftr_spec by lia.
    rewrite N.add_0_l, N.div2_spec, N.shiftr_shiftr. rewrite N.add_1_r. reflexivity. }
  assert (E : N.shiftr x (N.succ h) = N.shiftr y (N.succ h)).
  { apply N.bits_inj. intros i. rewrite !N.shiftr_spec by lia. apply Hi. lia. }
  assert (L : N.shiftr x h < N.shiftr y h) by (rewrite (D x), (D y), E, Hx, Hy; simpl; lia).
  destruct (N.lt_ge_cases x y) as [| Hge]; auto. exfalso.
  rewrite !N.shiftr_div_pow2 in L. apply (N.div_le_mono y x (2 ^ h)) in Hge; [lia |]. apply N.pow_nonzero. lia.
Qed.

Lemma xor_less a b c : c < N.lxor a b -> N.lxor c b < a \/ N.lxor c a < b.
Proof.
  intros H. set (d := N.lxor c (N.lxor a b)).
  assert (Hd : d <> 0) by (intros E; apply N.lxor_eq in E; lia).
  set (h := N.log2 d). assert (Hh : N.testbit d h = true) by now apply N.bit_log2.
  assert (Above : forall i, h < i -> N.testbit d i = false) by (intros; now apply N.bits_above_log2).
  assert (Same : forall i, h < i -> N.testbit c i = N.testbit (N.lxor a b) i).
  { intros i Hi. specialize (Above i Hi). unfold d in Above. rewrite N.lxor_spec in Above.
    now apply xorb_eq in Above. }
  assert (Hc : N.testbit c h = false).
  { destruct (N.testbit c h) eqn:E; auto. exfalso.
    assert (F : N.testbit (N.lxor a b) h = false).
    { unfold d in Hh. rewrite N.lxor_spec, E in Hh. now destruct (N.testbit (N.lxor a b) h). }
    assert (N.lxor a b < c); [| lia]. apply (less_by_bit _ _ h); auto. intros. symmetry. auto. }
  assert (Hab : N.testbit (N.lxor a b) h = true) by (unfold d in Hh; rewrite N.lxor_spec, Hc in Hh; now rewrite xorb_false_l in Hh).
  rewrite N.lxor_spec in Hab.
  assert (Less : forall x y, N.testbit x h = true -> y = N.lxor d x -> y < x).
  { intros x y Hx ->. apply (less_by_bit _ _ h); auto.
    - intros i Hi. rewrite N.lxor_spec, (Above i Hi). apply xorb_false_l.
    - rewrite N.lxor_spec, Hh, Hx. reflexivity. }
  destruct (N.testbit a h) eqn:Ea.
  - left. apply Less; auto. unfold d. rewrite (N.lxor_comm a b), !N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. reflexivity.
  - right. apply Less; [now rewrite xorb_false_l in Hab |].
    unfold d. rewrite !N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r. reflexivity.
Qed.

Lemma xors_app l m : xors (l ++ m) = N.lxor (xors l) (xors m).
Proof. induction l; simpl; [reflexivity |]. now rewrite IHl, N.lxor_assoc. Qed.

(** Nim: a sum is made less by making one heap less. *)
Lemma xors_less l : forall c, c < xors l ->
  exists l1 x l2 y, l = l1 ++ x :: l2 /\ y < x /\ xors (l1 ++ y :: l2) = c.
Proof.
  induction l as [| a l IH]; simpl; intros c H; [lia |].
  destruct (xor_less _ _ _ H) as [L | L].
  - exists [], a, l, (N.lxor c (xors l)). repeat split; auto. simpl.
    now rewrite N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r.
  - destruct (IH _ L) as (l1 & x & l2 & y & -> & Hy & E). exists (a :: l1), x, l2, y. repeat split; auto.
    simpl. rewrite E. rewrite N.lxor_comm, N.lxor_assoc, N.lxor_nilpotent. apply N.lxor_0_r.
Qed.

Lemma xors_change l1 x l2 y : x <> y -> xors (l1 ++ x :: l2) <> xors (l1 ++ y :: l2).
Proof.
  intros H E. apply H. rewrite !xors_app in E. simpl in E.
  apply (f_equal (N.lxor (xors l1))) in E. rewrite <- !(N.lxor_assoc (xors l1) (xors l1)), !N.lxor_nilpotent, !N.lxor_0_l in E.
  apply (f_equal (fun z => N.lxor z (xors l2))) in E.
  now rewrite !N.lxor_assoc, !N.lxor_nilpotent, !N.lxor_0_r in E.
Qed.

Lemma map_split {A B} (f : A -> B) l : forall b1 b b2, map f l = b1 ++ b :: b2 ->
  exists l1 a l2, l = l1 ++ a :: l2 /\ map f l1 = b1 /\ f a = b /\ map f l2 = b2.
Proof.
  induction l as [| a l IH]; intros [| c b1] b b2 E; simpl in E; try discriminate; injection E as <- E.
  - exists [], a, l. auto.
  - destruct (IH _ _ _ E) as (l1 & a' & l2 & -> & <- & <- & <-). exists (a :: l1), a', l2. auto.
Qed.

(** A position of one game that is a sum of positions of another. *)
Section Sums.
Variables G H : finite_game.
Variable is_sum : place_of G -> list (place_of H) -> Prop.
Hypothesis down : forall p ps q, is_sum p ps -> In q (options G p) ->
  exists l1 x l2 y, ps = l1 ++ x :: l2 /\ In y (options H x) /\ is_sum q (l1 ++ y :: l2).
Hypothesis up : forall p l1 x l2 y, is_sum p (l1 ++ x :: l2) -> In y (options H x) ->
  exists q, In q (options G p) /\ is_sum q (l1 ++ y :: l2).

Lemma sum_value_within : forall n p ps, (size G p < n)%nat -> is_sum p ps -> value G p = xors (map (value H) ps).
Proof.
  induction n; intros p ps Hn Hs; [lia |]. apply value_is.
  - intros q Hq. destruct (down _ _ _ Hs Hq) as (l1 & x & l2 & y & -> & Hy & Hs').
    rewrite (IHn q _ ltac:(apply smaller in Hq; lia) Hs'), !map_app. simpl. apply xors_change. now apply value_other.
  - intros m Hm. apply xors_less in Hm. destruct Hm as (v1 & v & v2 & w & E & Hw & F).
    apply map_split in E. destruct E as (l1 & x & l2 & -> & <- & <- & <-).
    apply value_less in Hw. destruct Hw as (y & Hy & <-). destruct (up _ _ _ _ _ Hs Hy) as (q & Hq & Hs').
    exists q. split; auto. rewrite (IHn q _ ltac:(apply smaller in Hq; lia) Hs'), map_app. exact F.
Qed.

Theorem sum_value p ps : is_sum p ps -> value G p = xors (map (value H) ps).
Proof. apply (sum_value_within (S (size G p))). lia. Qed.
End Sums.

(** Positions with corresponding moves have the same value. *)
Theorem same_value (G H : finite_game) (R : place_of G -> place_of H -> Prop) :
  (forall p x q, R p x -> In q (options G p) -> exists y, In y (options H x) /\ R q y) ->
  (forall p x y, R p x -> In y (options H x) -> exists q, In q (options G p) /\ R q y) ->
  forall p x, R p x -> value G p = value H x.
Proof.
  intros Down Up p x HR.
  rewrite (sum_value G H (fun p ps => exists x, ps = [x] /\ R p x)) with (ps := [x]).
  - simpl. apply N.lxor_0_r.
  - intros q ps r (y & -> & Hy) Hr. destruct (Down _ _ _ Hy Hr) as (z & Hz & HR').
    exists [], y, [], z. simpl. eauto.
  - intros q l1 y l2 z (y' & E & Hy) Hz.
    destruct l1 as [| ? l1]; [| destruct l1; discriminate]. injection E as -> ->.
    destruct (Up _ _ _ Hy Hz) as (r & Hr & HR'). exists r. simpl. eauto.
  - eauto.
Qed.
