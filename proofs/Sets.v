(** Sets of cells as binary numbers, and the game of taking places out of such a set. *)
From Coq Require Import List Arith NArith Bool Lia.
From Balpan Require Import Statement Nimbers.
Import ListNotations.
Local Open Scope N_scope.

(** * Sets *)

Definition has (s i : N) : bool := N.testbit s i.

(** All of [a] is in [b]; no cell is in both. *)
Definition sub (a b : N) := forall i, has a i = true -> has b i = true.
Definition apart (a b : N) := forall i, has a i = true -> has b i = true -> False.

Lemma sub_spec a b : N.ldiff a b = 0 <-> sub a b.
Proof.
  split.
  - intros E i Ha. apply (f_equal (fun z => N.testbit z i)) in E. rewrite N.ldiff_spec, N.bits_0 in E.
    unfold has in *. rewrite Ha in E. now destruct (N.testbit b i).
  - intros H. apply N.bits_inj. intros i. rewrite N.ldiff_spec, N.bits_0. specialize (H i). unfold has in H.
    destruct (N.testbit a i); auto. now rewrite H.
Qed.

Lemma apart_spec a b : N.land a b = 0 <-> apart a b.
Proof.
  split.
  - intros E i Ha Hb. apply (f_equal (fun z => N.testbit z i)) in E. rewrite N.land_spec, N.bits_0 in E.
    unfold has in *. now rewrite Ha, Hb in E.
  - intros H. apply N.bits_inj. intros i. rewrite N.land_spec, N.bits_0. specialize (H i). unfold has in H.
    destruct (N.testbit a i), (N.testbit b i); auto. now destruct H.
Qed.

Lemma has_ldiff a b i : has (N.ldiff a b) i = true <-> has a i = true /\ has b i = false.
Proof. unfold has. rewrite N.ldiff_spec, andb_true_iff, negb_true_iff. reflexivity. Qed.

Lemma has_lor a b i : has (N.lor a b) i = true <-> has a i = true \/ has b i = true.
Proof. unfold has. now rewrite N.lor_spec, orb_true_iff. Qed.

Lemma has_setbit a b i : has (N.setbit a b) i = true <-> b = i \/ has a i = true.
Proof. unfold has. apply N.setbit_iff. Qed.

Lemma has_shiftl a k i : has (N.shiftl a k) i = true <-> exists j, i = j + k /\ has a j = true.
Proof.
  unfold has. split.
  - intros H. destruct (N.lt_ge_cases i k) as [L | L]; [now rewrite N.shiftl_spec_low in H |].
    exists (i - k). rewrite N.shiftl_spec_high' in H by lia. split; auto. lia.
  - intros (j & -> & H). rewrite N.shiftl_spec_high' by lia. now replace (j + k - k) with j by lia.
Qed.

Lemma has_shiftr a k i : has (N.shiftr a k) i = has a (i + k).
Proof. apply N.shiftr_spec'. Qed.

Lemma nonempty a : a <> 0 -> exists i, has a i = true.
Proof. intros H. exists (N.log2 a). now apply N.bit_log2. Qed.

Lemma same_set a b : sub a b -> sub b a -> a = b.
Proof.
  intros H K. apply N.bits_inj. intros i. specialize (H i). specialize (K i). unfold has in *.
  destruct (N.testbit a i), (N.testbit b i); auto. now rewrite H.
Qed.

(** The cells of a set, from the lowest. *)
Fixpoint pos_cells (p : positive) (k : N) : list N :=
  match p with
  | xH => [k]
  | xO p => pos_cells p (N.succ k)
  | xI p => k :: pos_cells p (N.succ k)
  end.

Definition cells (s : N) : list N := match s with 0 => [] | Npos p => pos_cells p 0 end.

Lemma has_double p j : has (Npos p~0) (N.succ j) = has (Npos p) j.
Proof. apply (N.testbit_even_succ (Npos p) j). lia. Qed.

Lemma has_succ_double p j : has (Npos p~1) (N.succ j) = has (Npos p) j.
Proof. apply (N.testbit_odd_succ (Npos p) j). lia. Qed.

Lemma in_pos_cells p : forall k i, In i (pos_cells p k) <-> exists j, i = j + k /\ has (Npos p) j = true.
Proof.
  induction p; cbn [pos_cells In]; intros k i.
  - rewrite IHp. split.
    + intros [<- | (j & -> & H)]; [exists 0; auto |]. exists (N.succ j). split; [lia |]. now rewrite has_succ_double.
    + intros (j & -> & H). destruct (N.eq_dec j 0) as [-> | Hj]; [now left |]. right. exists (N.pred j). split; [lia |].
      now rewrite <- (N.succ_pred j Hj), has_succ_double in H.
  - rewrite IHp. split.
    + intros (j & -> & H). exists (N.succ j). split; [lia |]. now rewrite has_double.
    + intros (j & -> & H). destruct (N.eq_dec j 0) as [-> | Hj]; [discriminate |]. exists (N.pred j). split; [lia |].
      now rewrite <- (N.succ_pred j Hj), has_double in H.
  - split.
    + intros [<- | []]. exists 0. auto.
    + intros (j & -> & H). left. destruct j; [lia |]. unfold has in H. simpl in H. discriminate.
Qed.

Lemma in_cells s i : In i (cells s) <-> has s i = true.
Proof.
  destruct s as [| p]; simpl.
  - split; [intros [] | discriminate].
  - rewrite in_pos_cells. split; [intros (j & -> & H); now rewrite N.add_0_r | exists i; now rewrite N.add_0_r].
Qed.

(** * Shapes along a line, at all distances from its beginning *)

(** A shape: its lowest cell is 0, and these are the others. *)
Definition mask (shape : list N) : N := fold_right (fun i s => N.setbit s i) 1 shape.

Lemma has_mask shape i : has (mask shape) i = true <-> i = 0 \/ In i shape.
Proof.
  induction shape as [| j shape IH]; simpl.
  - split; [| intros [-> | []]; reflexivity]. destruct i; auto. discriminate.
  - rewrite has_setbit, IH. intuition.
Qed.

(** The cells from which the shape fits in a set. *)
Definition fits (s : N) (shape : list N) : N := fold_left (fun at_ i => N.land at_ (N.shiftr s i)) shape s.

Lemma has_fits_from s shape : forall at_ k, has (fold_left (fun at_ i => N.land at_ (N.shiftr s i)) shape at_) k = true <->
  has at_ k = true /\ forall i, In i shape -> has s (i + k) = true.
Proof.
  induction shape as [| j shape IH]; simpl; intros at_ k.
  - intuition.
  - rewrite IH. unfold has at 1. rewrite N.land_spec, andb_true_iff, N.shiftr_spec', (N.add_comm k). unfold has. intuition.
    + subst. auto.
Qed.

Lemma has_fits s shape k : has (fits s shape) k = true <-> sub (N.shiftl (mask shape) k) s.
Proof.
  unfold fits. rewrite has_fits_from. split.
  - intros (H0 & H) i Hi. apply has_shiftl in Hi. destruct Hi as (j & -> & Hj). apply has_mask in Hj.
    destruct Hj as [-> | Hj]; auto.
  - intros H. split.
    + apply (H k). apply has_shiftl. exists 0. split; auto. apply has_mask. auto.
    + intros i Hi. apply H, has_shiftl. exists i. split; auto. apply has_mask. auto.
Qed.

Lemma fits_shift s shape k : fits (N.shiftl s k) shape = N.shiftl (fits s shape) k.
Proof.
  apply same_set; intros i H.
  - apply has_fits in H. assert (L : has (N.shiftl s k) i = true).
    { apply H, has_shiftl. exists 0. split; auto. apply has_mask. auto. }
    apply has_shiftl in L. destruct L as (j & -> & Hj). apply has_shiftl. exists j. split; auto. apply has_fits.
    intros x Hx. apply has_shiftl in Hx. destruct Hx as (y & -> & Hy).
    assert (L : has (N.shiftl s k) (y + (j + k)) = true) by (apply H, has_shiftl; eauto).
    apply has_shiftl in L. destruct L as (z & E & Hz). now replace (y + j) with z by lia.
  - apply has_shiftl in H. destruct H as (j & -> & H). apply has_fits. apply has_fits in H.
    intros x Hx. apply has_shiftl in Hx. destruct Hx as (y & -> & Hy). apply has_shiftl. exists (y + j). split; [lia |].
    apply H, has_shiftl. eauto.
Qed.

Section Game.
Variable line_shapes : list (list N).

Definition is_place (y : N) := exists shape k, In shape line_shapes /\ y = N.shiftl (mask shape) k.

Lemma place_has y : is_place y -> exists i, has y i = true.
Proof. intros (shape & k & _ & ->). exists k. apply has_shiftl. exists 0. split; auto. apply has_mask. auto. Qed.

(** The places in a set. *)
Definition places (s : N) : list N :=
  flat_map (fun shape => map (N.shiftl (mask shape)) (cells (fits s shape))) line_shapes.

Lemma in_places s y : In y (places s) <-> is_place y /\ sub y s.
Proof.
  unfold places. rewrite in_flat_map. split.
  - intros (shape & Hs & H). apply in_map_iff in H. destruct H as (k & <- & H). apply in_cells, has_fits in H.
    split; auto. exists shape, k. auto.
  - intros ((shape & k & Hs & ->) & H). exists shape. split; auto. apply in_map. now apply in_cells, has_fits.
Qed.

Definition set_options (s : N) : list N := map (N.ldiff s) (places s).

Lemma in_set_options s t : In t (set_options s) <-> exists y, is_place y /\ sub y s /\ t = N.ldiff s y.
Proof.
  unfold set_options. rewrite in_map_iff. split.
  - intros (y & <- & H). apply in_places in H. exists y. tauto.
  - intros (y & Hy & Hs & ->). exists y. split; auto. now apply in_places.
Qed.

Lemma set_smaller s t : In t (set_options s) -> (N.to_nat t < N.to_nat s)%nat.
Proof.
  intros H. apply in_set_options in H. destruct H as (y & Hy & Hs & ->).
  pose proof Hs as Z. apply sub_spec in Z. apply N.sub_nocarry_ldiff in Z. rewrite <- Z.
  assert (y <> 0). { intros ->. destruct (place_has _ Hy) as (i & Hi). unfold has in Hi. now rewrite N.bits_0 in Hi. }
  assert (y <= s).
  { apply N.ldiff_le. now apply sub_spec. }
  lia.
Qed.

Definition sets : finite_game := FiniteGame N set_options N.to_nat set_smaller.

(** * Parts *)

Fixpoint all_apart (ps : list N) : Prop :=
  match ps with [] => True | p :: ps => (forall q, In q ps -> apart p q) /\ all_apart ps end.

(** Parts that are apart, such that each place is in one of them. *)
Definition parts_of (s : N) (ps : list N) :=
  all_apart ps /\ forall y, is_place y -> (sub y s <-> exists p, In p ps /\ sub y p).

Lemma apart_sym a b : apart a b -> apart b a.
Proof. unfold apart. eauto. Qed.

Lemma apart_sub a b c : sub a b -> apart b c -> apart a c.
Proof. unfold apart, sub. eauto. Qed.

Lemma sub_ldiff s y z : sub z (N.ldiff s y) <-> sub z s /\ apart z y.
Proof.
  unfold sub, apart. split.
  - intros H. split; intros i Hz; [| intros Hy]; specialize (H i Hz); apply has_ldiff in H; [tauto |].
    destruct H as [_ H]. congruence.
  - intros (H & K) i Hz. apply has_ldiff. split; auto. specialize (K i Hz). destruct (has y i); auto. now destruct K.
Qed.

Lemma all_apart_mid l1 x l2 : all_apart (l1 ++ x :: l2) <->
  all_apart (l1 ++ l2) /\ forall p, In p (l1 ++ l2) -> apart x p.
Proof.
  induction l1 as [| a l1 IH]; simpl; [tauto |]. rewrite IH. split.
  - intros (A & B & C). split; [split; auto |].
    + intros q Hq. apply A. apply in_app_iff in Hq. apply in_app_iff. simpl. tauto.
    + intros p [<- | Hp]; auto. apply apart_sym, A, in_app_iff. simpl. auto.
  - intros ((A & B) & C). repeat split; auto. intros q Hq. apply in_app_iff in Hq. simpl in Hq.
    destruct Hq as [Hq | [<- | Hq]]; [apply A, in_app_iff; auto | apply apart_sym; auto | apply A, in_app_iff; auto].
Qed.

Lemma in_mid {A} (l1 : list A) x l2 p : In p (l1 ++ x :: l2) <-> p = x \/ In p (l1 ++ l2).
Proof. rewrite !in_app_iff. simpl. intuition. Qed.

Lemma parts_after s l1 x l2 y : parts_of s (l1 ++ x :: l2) -> is_place y -> sub y x ->
  parts_of (N.ldiff s y) (l1 ++ N.ldiff x y :: l2).
Proof.
  intros (A & B) Hy Hx. apply all_apart_mid in A. destruct A as (A1 & A2).
  assert (Sx : sub (N.ldiff x y) x) by (intros i H; apply has_ldiff in H; tauto).
  split.
  - apply all_apart_mid. split; auto. intros p Hp. eapply apart_sub; [exact Sx | auto].
  - intros z Hz. rewrite sub_ldiff, B by auto. split.
    + intros ((p & Hp & Hzp) & Hzy). apply in_mid in Hp. destruct Hp as [-> | Hp].
      * exists (N.ldiff x y). split; [apply in_mid; auto | now apply sub_ldiff].
      * exists p. split; [apply in_mid; auto | auto].
    + intros (p & Hp & Hzp). apply in_mid in Hp. destruct Hp as [-> | Hp].
      * apply sub_ldiff in Hzp. split; [| tauto]. exists x. split; [apply in_mid; auto | tauto].
      * split; [exists p; split; [apply in_mid; auto | auto] |].
        intros i Hi Hi'. apply (A2 p Hp i); auto.
Qed.

Theorem parts_value s ps : parts_of s ps -> value sets s = xors (map (value sets) ps).
Proof.
  apply (sum_value sets sets parts_of).
  - intros p qs q Hp Hq. simpl in Hq. apply in_set_options in Hq. destruct Hq as (y & Hy & Hs & ->).
    pose proof Hp as (A & B). apply (B y Hy) in Hs. destruct Hs as (x & Hx & Hyx).
    apply in_split in Hx. destruct Hx as (l1 & l2 & ->). exists l1, x, l2, (N.ldiff x y). split; auto. split.
    + simpl. apply in_set_options. eauto.
    + now apply parts_after.
  - intros p l1 x l2 z Hp Hz. simpl in Hz. apply in_set_options in Hz. destruct Hz as (y & Hy & Hx & ->).
    exists (N.ldiff p y). split; [| now apply parts_after]. simpl. apply in_set_options. exists y.
    split; auto. split; auto. apply Hp; auto. exists x. split; auto. apply in_mid. auto.
Qed.

(** * Other places *)

Theorem shift_value s k : value sets (N.shiftl s k) = value sets s.
Proof.
  symmetry. apply (same_value sets sets (fun s t => t = N.shiftl s k)); auto.
  - intros p x q -> Hq. simpl in *. apply in_set_options in Hq. destruct Hq as (y & Hy & Hs & ->).
    exists (N.shiftl (N.ldiff p y) k). split; auto. apply in_set_options. exists (N.shiftl y k). repeat split.
    + destruct Hy as (shape & j & Hs' & ->). exists shape, (j + k). split; auto. now rewrite N.shiftl_shiftl.
    + intros i Hi. apply has_shiftl in Hi. destruct Hi as (j & -> & Hj). apply has_shiftl. eauto.
    + apply N.shiftl_ldiff.
  - intros p x z -> Hz. simpl in *. apply in_set_options in Hz. destruct Hz as (y & Hy & Hs & ->).
    destruct Hy as (shape & j & Hs' & ->).
    assert (L : has (N.shiftl p k) j = true).
    { apply Hs, has_shiftl. exists 0. split; auto. apply has_mask. auto. }
    apply has_shiftl in L. destruct L as (i & -> & _). rewrite <- N.shiftl_shiftl, <- N.shiftl_ldiff.
    exists (N.ldiff p (N.shiftl (mask shape) i)). split; auto. apply in_set_options.
    exists (N.shiftl (mask shape) i). repeat split; [exists shape, i; auto |].
    apply has_fits. apply has_fits in Hs. rewrite fits_shift in Hs. apply has_shiftl in Hs.
    destruct Hs as (i' & E & H). now replace i with i' by lia.
Qed.

(** A table of cells and their images. *)
Definition image (table : list (N * N)) (s : N) : N :=
  fold_right (fun ab t => if has s (fst ab) then N.setbit t (snd ab) else t) 0 table.

Definition back (table : list (N * N)) : list (N * N) := map (fun ab => (snd ab, fst ab)) table.

Definition domain (table : list (N * N)) : N := fold_right (fun ab t => N.setbit t (fst ab)) 0 table.

Lemma has_image table s i : has (image table s) i = true <-> exists a, In (a, i) table /\ has s a = true.
Proof.
  induction table as [| (a, b) table IH]; simpl.
  - split; [discriminate | intros (? & [] & _)].
  - destruct (has s a) eqn:E.
    + rewrite has_setbit, IH. split.
      * intros [<- | (c & H & K)]; eauto.
      * intros (c & [F | H] & K); [injection F as -> ->; auto | eauto].
    + rewrite IH. split.
      * intros (c & H & K); eauto.
      * intros (c & [F | H] & K); [injection F as -> ->; congruence | eauto].
Qed.

Lemma has_domain table i : has (domain table) i = true <-> exists b, In (i, b) table.
Proof.
  induction table as [| (a, b) table IH]; simpl.
  - split; [discriminate | intros (? & [])].
  - rewrite has_setbit, IH. split.
    + intros [<- | (c & H)]; eauto.
    + intros (c & [F | H]); [injection F as -> ->; auto | eauto].
Qed.

Lemma in_back table a b : In (a, b) (back table) <-> In (b, a) table.
Proof.
  unfold back. rewrite in_map_iff. split.
  - intros ((c, d) & E & H). simpl in E. injection E as <- <-. auto.
  - intros H. exists (b, a). auto.
Qed.

(** No two cells have one image, and no cell has two. *)
Fixpoint one_to_one (table : list (N * N)) (from to : N) : bool :=
  match table with
  | [] => true
  | (a, b) :: table =>
    negb (has from a) && negb (has to b) && one_to_one table (N.setbit from a) (N.setbit to b)
  end.

Lemma one_to_one_spec table : forall from to, one_to_one table from to = true ->
  (forall a b, In (a, b) table -> has from a = false /\ has to b = false) /\
  (forall a b c d, In (a, b) table -> In (c, d) table -> a = c <-> b = d).
Proof.
  induction table as [| (a, b) table IH]; simpl; intros from to H.
  - split; intros; contradiction.
  - rewrite !andb_true_iff, !negb_true_iff in H. destruct H as ((Ha & Hb) & H). apply IH in H. destruct H as (H & K).
    assert (New : forall c d, In (c, d) table -> has from c = false /\ has to d = false /\ a <> c /\ b <> d).
    { intros c d Hc. destruct (H c d Hc) as (H1 & H2).
      assert (forall s x y, has (N.setbit s x) y = false -> has s y = false /\ x <> y) as Z.
      { intros s x y E. split.
        - destruct (has s y) eqn:F; auto. assert (has (N.setbit s x) y = true) by (apply has_setbit; auto). congruence.
        - intros ->. assert (has (N.setbit s y) y = true) by (apply has_setbit; auto). congruence. }
      apply Z in H1, H2. tauto. }
    split.
    + intros c d [E | Hc]; [injection E as <- <-; auto |]. apply New in Hc. tauto.
    + intros c d e f [E | Hc] [F | He]; try (injection E as <- <-); try (injection F as <- <-).
      * tauto.
      * apply New in He. tauto.
      * apply New in Hc. intuition congruence.
      * now apply (K c d e f).
Qed.

(** Whether a table takes the places among its cells to the places among their images, and back. *)
Definition keeps_places (table : list (N * N)) : bool :=
  let targets := places (domain (back table)) in
  forallb (fun y => member (image table y) targets) (places (domain table)).

Definition is_symmetry (table : list (N * N)) : bool :=
  one_to_one table 0 0 && keeps_places table && keeps_places (back table).

Lemma keeps_places_spec table : keeps_places table = true ->
  forall y, is_place y -> sub y (domain table) -> is_place (image table y).
Proof.
  unfold keeps_places. rewrite forallb_forall. intros H y Hy Hs.
  specialize (H y (proj2 (in_places _ _) (conj Hy Hs))). apply member_spec, in_places in H. tauto.
Qed.

(** What corresponds by the table. *)
Definition image_of (table : list (N * N)) (s t : N) :=
  sub s (domain table) /\ sub t (domain (back table)) /\ forall a b, In (a, b) table -> has s a = has t b.

Lemma image_of_back table s t : image_of table s t -> image_of (back table) t s.
Proof.
  intros (A & B & C). split; auto. split.
  - intros i Hi. apply A in Hi. apply has_domain in Hi. destruct Hi as (b & Hb). apply has_domain. exists b.
    now rewrite !in_back.
  - intros a b H. rewrite in_back in H. symmetry. auto.
Qed.

Lemma one_to_one_back table : 
  (forall a b c d, In (a, b) table -> In (c, d) table -> a = c <-> b = d) ->
  (forall a b c d, In (a, b) (back table) -> In (c, d) (back table) -> a = c <-> b = d).
Proof. intros H a b c d Ha Hc. rewrite in_back in Ha, Hc. symmetry. now apply H. Qed.

Lemma image_is table s : (forall a b c d, In (a, b) table -> In (c, d) table -> a = c <-> b = d) ->
  sub s (domain table) -> image_of table s (image table s).
Proof.
  intros One Hs. repeat split; auto.
  - intros i Hi. apply has_image in Hi. destruct Hi as (a & Ha & _). apply has_domain. exists a. now apply in_back.
  - intros a b H. destruct (has s a) eqn:E.
    + symmetry. apply has_image. eauto.
    + destruct (has (image table s) b) eqn:F; auto. apply has_image in F. destruct F as (c & Hc & K).
      assert (c = a) by (now apply (One c b a b)). congruence.
Qed.

Lemma image_step table s t y :
  (forall a b c d, In (a, b) table -> In (c, d) table -> a = c <-> b = d) ->
  keeps_places table = true -> image_of table s t -> is_place y -> sub y s ->
  is_place (image table y) /\ sub (image table y) t /\ image_of table (N.ldiff s y) (N.ldiff t (image table y)).
Proof.
  intros One Keep (A & B & C) Hy Hs. assert (D : sub y (domain table)) by (intros i Hi; auto).
  destruct (image_is table y One D) as (I1 & I2 & I3). split; [now apply keeps_places_spec |]. split.
  - intros i Hi. apply has_image in Hi. destruct Hi as (a & Ha & K). rewrite <- (C a i Ha). auto.
  - repeat split.
    + intros i Hi. apply has_ldiff in Hi. apply A. tauto.
    + intros i Hi. apply has_ldiff in Hi. apply B. tauto.
    + intros a b H. unfold has. rewrite !N.ldiff_spec. f_equal; [now apply C | f_equal; now apply I3].
Qed.

Theorem image_value table s : is_symmetry table = true -> sub s (domain table) ->
  value sets (image table s) = value sets s.
Proof.
  unfold is_symmetry. rewrite !andb_true_iff. intros ((O & K) & B) Hs. apply one_to_one_spec in O. destruct O as (_ & O).
  symmetry. apply (same_value sets sets (image_of table)); [| | now apply image_is].
  - intros p x q HR Hq. simpl in *. apply in_set_options in Hq. destruct Hq as (y & Hy & Hp & ->).
    destruct (image_step table p x y O K HR Hy Hp) as (H1 & H2 & H3).
    eexists. split; [| exact H3]. apply in_set_options. eauto.
  - intros p x z HR Hz. simpl in *. apply in_set_options in Hz. destruct Hz as (y & Hy & Hp & ->).
    apply image_of_back in HR.
    destruct (image_step (back table) x p y (one_to_one_back _ O) B HR Hy Hp) as (H1 & H2 & H3).
    apply image_of_back in H3. exists (N.ldiff p (image (back table) y)). split.
    + apply in_set_options. eauto.
    + assert (E : back (back table) = table).
      { unfold back. rewrite map_map. simpl. rewrite <- (map_id table) at 2. apply map_ext. now intros []. }
      now rewrite E in H3.
Qed.

End Game.
