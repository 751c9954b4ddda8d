(** Heaps: a table of the nimbers of all heaps up to some size, checked by the definition. *)
From Coq Require Import List Arith NArith Bool Lia.
From Balpan Require Import Statement Nimbers.
Import ListNotations.

(** * Options *)

Definition rests_after (c : code) (heap taken : nat) : list (list nat) :=
  let rest := heap - taken in
  (if (0 <? rest) && N.testbit (c taken) 1 then [[rest]] else []) ++
  (if N.testbit (c taken) 2 then map (fun one => [one; rest - one]) (seq 1 (rest - 1)) else []).

Definition rests (c : code) (heap : nat) : list (list nat) :=
  (if N.testbit (c heap) 0 then [[]] else []) ++ flat_map (rests_after c heap) (seq 0 (S heap)).

Lemma in_rests c heap rest : In rest (rests c heap) <-> leaves c heap rest.
Proof.
  unfold rests. rewrite in_app_iff, in_flat_map. split.
  - intros [H | (taken & Ht & H)].
    + destruct (N.testbit (c heap) 0) eqn:E; [| destruct H]. destruct H as [<- | []]. now constructor.
    + apply in_seq in Ht. unfold rests_after in H. apply in_app_iff in H. destruct H as [H | H].
      * destruct (0 <? heap - taken) eqn:E; [| destruct H]. destruct (N.testbit (c taken) 1) eqn:F; [| destruct H].
        apply Nat.ltb_lt in E. destruct H as [<- | []]. apply (leaves_one c heap taken); auto; lia.
      * destruct (N.testbit (c taken) 2) eqn:F; [| destruct H]. apply in_map_iff in H.
        destruct H as (one & <- & Ho). apply in_seq in Ho. apply (leaves_two c heap taken); auto; lia.
  - intros [E | taken r E L B | taken one two E L1 L2 B].
    + left. rewrite E. now left.
    + right. exists taken. split; [apply in_seq; lia |]. unfold rests_after. apply in_app_iff. left.
      replace (heap - taken) with r by lia. rewrite B. apply Nat.ltb_lt in L. rewrite L. now left.
    + right. exists taken. split; [apply in_seq; lia |]. unfold rests_after. apply in_app_iff. right.
      rewrite B. apply in_map_iff. exists one. split; [do 2 f_equal; lia | apply in_seq; lia].
Qed.

Fixpoint heap_options (c : code) (p : list nat) : list (list nat) :=
  match p with
  | [] => []
  | heap :: p => map (fun rest => rest ++ p) (rests c heap) ++ map (cons heap) (heap_options c p)
  end.

Lemma in_heap_options c p q : In q (heap_options c p) <->
  exists some heap more rest, p = some ++ heap :: more /\ leaves c heap rest /\ q = some ++ rest ++ more.
Proof.
  revert q. induction p as [| h p IH]; simpl; intros q.
  - split; [intros [] |]. intros ([| ? ?] & ? & ? & ? & E & _); discriminate.
  - rewrite in_app_iff, !in_map_iff. split.
    + intros [(rest & <- & H) | (r & <- & H)].
      * exists [], h, p, rest. apply in_rests in H. auto.
      * apply IH in H. destruct H as (s & x & m & rest & -> & L & ->). exists (h :: s), x, m, rest. auto.
    + intros ([| a s] & x & m & rest & E & L & ->); simpl in E; injection E as -> ->.
      * left. exists rest. split; auto. now apply in_rests.
      * right. exists (s ++ rest ++ m). split; auto. apply IH. exists s, x, m, rest. auto.
Qed.

Lemma in_options_app c a b q : In q (heap_options c (a ++ b)) <->
  (exists a', In a' (heap_options c a) /\ q = a' ++ b) \/ (exists b', In b' (heap_options c b) /\ q = a ++ b').
Proof.
  revert q. induction a as [| h a IH]; simpl; intros q.
  - split; [eauto |]. intros [(? & [] & _) | (b' & H & ->)]; auto.
  - rewrite in_app_iff, !in_map_iff. split.
    + intros [(r & <- & H) | (x & <- & H)].
      * left. exists (r ++ a). rewrite in_app_iff, in_map_iff, app_assoc. eauto.
      * apply IH in H. destruct H as [(a' & H & ->) | (b' & H & ->)].
        -- left. exists (h :: a'). rewrite in_app_iff, !in_map_iff. eauto.
        -- right. eauto.
    + intros [(a' & H & ->) | (b' & H & ->)].
      * rewrite in_app_iff, !in_map_iff in H. destruct H as [(r & <- & H) | (x & <- & H)].
        -- left. exists r. now rewrite app_assoc.
        -- right. exists (x ++ b). split; auto. apply IH. eauto.
      * right. exists (a ++ b'). split; auto. apply IH. eauto.
Qed.

Fixpoint tokens (p : list nat) : nat := match p with [] => 0 | h :: p => (2 * h - 1) + tokens p end.

Lemma tokens_app a b : tokens (a ++ b) = tokens a + tokens b.
Proof. induction a; cbn [tokens app]; lia. Qed.

Section Game.
Variable c : code.
Hypothesis finite : N.testbit (c 0) 0 = false /\ N.testbit (c 0) 1 = false.

Lemma rests_smaller h rest : leaves c h rest -> tokens rest < 2 * h - 1.
Proof.
  destruct finite as [F0 F1]. intros [E | taken r E L B | taken one two E L1 L2 B]; cbn [tokens].
  - destruct h; [congruence | lia].
  - destruct taken; [congruence | lia].
  - lia.
Qed.

Lemma heap_smaller p q : In q (heap_options c p) -> tokens q < tokens p.
Proof.
  intros H. apply in_heap_options in H. destruct H as (s & h & m & rest & -> & L & ->).
  apply rests_smaller in L. rewrite !tokens_app. cbn [tokens]. lia.
Qed.

Definition heaps : finite_game := FiniteGame (list nat) (heap_options c) tokens heap_smaller.

Lemma value_app a b : value heaps (a ++ b) = N.lxor (value heaps a) (value heaps b).
Proof.
  rewrite (sum_value heaps heaps (fun p ps => exists a b, ps = [a; b] /\ p = a ++ b)) with (ps := [a; b]).
  - simpl. now rewrite N.lxor_0_r.
  - intros p ps q (x & y & -> & ->) H. simpl in H. apply in_options_app in H.
    destruct H as [(x' & H & ->) | (y' & H & ->)].
    + exists [], x, [y], x'. simpl. eauto 6.
    + exists [x], y, [], y'. simpl. eauto 6.
  - intros p l1 x l2 y (a' & b' & E & ->) H. destruct l1 as [| ? [| ? l1]]; simpl in E.
    + injection E as -> ->. exists (y ++ b'). split; [| simpl; eauto]. simpl. apply in_options_app. eauto.
    + injection E as -> -> ->. exists (a' ++ y). split; [| simpl; eauto]. simpl. apply in_options_app. eauto.
    + destruct l1; discriminate.
  - eauto.
Qed.

Lemma value_heaps p : value heaps p = xors (map (fun h => value heaps [h]) p).
Proof. induction p as [| h p IH]; [reflexivity |]. change (h :: p) with ([h] ++ p). now rewrite value_app, IH. Qed.

End Game.

(** * The check *)

Definition sum_in (table : list N) (p : list nat) : N := xors (map (fun h => nth h table 0%N) p).

Definition check_table (c : code) (table : list N) : bool :=
  forallb (fun h => N.eqb (nth h table 0%N) (mex (map (sum_in table) (rests c h)))) (seq 0 (length table)).

Definition check_heaps (c : code) (table : list N) (p : list nat) (claim : nimber_claim) : bool :=
  negb (N.testbit (c 0) 0) && negb (N.testbit (c 0) 1) &&
  check_table c table &&
  forallb (fun h => h <? length table) p &&
  match claim with
  | NimberIs n => N.eqb (sum_in table p) n
  | NextPlayerWins => negb (N.eqb (sum_in table p) 0)
  | PreviousPlayerWins => N.eqb (sum_in table p) 0
  end.

Lemma rests_less c h rest x : N.testbit (c 0) 1 = false -> leaves c h rest -> In x rest -> x < h.
Proof.
  intros F1 [E | taken r E L B | taken one two E L1 L2 B] H; simpl in H.
  - destruct H.
  - destruct H as [<- | []]. destruct taken; [congruence | lia].
  - destruct H as [<- | [<- | []]]; lia.
Qed.

Theorem check_heaps_sound c table p claim :
  check_heaps c table p claim = true -> nimber_claim_holds (heap_game c) p claim.
Proof.
  unfold check_heaps. rewrite !andb_true_iff, !negb_true_iff, forallb_forall. intros ((((F0 & F1) & T) & L) & C).
  pose (F := conj F0 F1). unfold check_table in T. rewrite forallb_forall in T.
  assert (V : forall h, h < length table -> value (heaps c F) [h] = nth h table 0%N).
  { induction h as [h IH] using (well_founded_induction lt_wf). intros Hh.
    specialize (T h). rewrite in_seq in T. specialize (T (conj (Nat.le_0_l h) Hh)). apply N.eqb_eq in T.
    rewrite T, value_mex. simpl. rewrite app_nil_r, map_map. f_equal. apply map_ext_in. intros rest Hr.
    rewrite app_nil_r, value_heaps. unfold sum_in. f_equal. apply map_ext_in. intros x Hx.
    apply in_rests in Hr. pose proof (rests_less _ _ _ _ F1 Hr Hx). apply IH; lia. }
  assert (E : value (heaps c F) p = sum_in table p).
  { rewrite value_heaps. unfold sum_in. f_equal. apply map_ext_in. intros h Hh. apply V. apply Nat.ltb_lt. auto. }
  apply (claim_by_value (heaps c F)).
  - intros before after. simpl. rewrite in_heap_options. reflexivity.
  - rewrite E. destruct claim.
    + now apply N.eqb_eq.
    + intros Z. rewrite Z in C. discriminate.
    + now apply N.eqb_eq.
Qed.
