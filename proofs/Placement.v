(** Placement: a board as a set along a line, claims of nimbers of such sets, and their check. *)
From Coq Require Import List Arith NArith ZArith Bool Lia FMapPositive.
From Balpan Require Import Statement Nimbers Sets.
Import ListNotations.
Local Open Scope N_scope.

(** * Claims *)

(** A set with its nimber, and the cells from which each shape fits. The nimber may be unknown: then that of the set is
    the XOR of this number and the nimber of its class. Two of one class cancel. *)
Record entry := Entry { set_of : N; fitting : list N; nimber_of : N; class_of : option positive }.

Definition entries := PositiveMap.t entry.

(** Parts: the numbers of claims, and by how much their sets are shifted. *)
Definition parts := list (positive * N).

(** How an option is shown not to have the nimber: by parts that add up to another, or by a reply, a shape and where it
    is put, after which parts add up to the nimber. *)
Inductive answer := Sum (ps : parts) | Reply (shape : nat) (at_ : N) (ps : parts).

Inductive step :=
| Claim (s n : N) (answers : list answer)  (* A set has a nimber. *)
| Unknown (s : N)                          (* A set, to be used in pairs. *)
| Symmetry (table : list (N * N))          (* A turn or reflection. *)
| Image (id : positive) (shift_ : N) (table : positive).  (* The image of a claim, moved to where it begins with 0. *)

Record state := State { known : entries; next : positive; tables : PositiveMap.t (list (N * N)); next_table : positive }.

Definition begin : state := State (PositiveMap.empty _) 1 (PositiveMap.empty _) 1.

Section Check.
Variable line_shapes : list (list N).

Definition fits_all (s : N) : list N := map (fits s) line_shapes.

Fixpoint join (a b : list N) : list N :=
  match a, b with x :: a, y :: b => N.lor x y :: join a b | _, _ => [] end.

Fixpoint equal (a b : list N) : bool :=
  match a, b with [], [] => true | x :: a, y :: b => N.eqb x y && equal a b | _, _ => false end.

(** Adds a class to those of which there is an odd number so far, or takes it away. *)
Fixpoint toggle (c : positive) (odd : list positive) : list positive :=
  match odd with
  | [] => [c]
  | d :: odd => if Pos.eqb c d then odd else d :: toggle c odd
  end.

Definition toggle_class (c : option positive) (odd : list positive) :=
  match c with None => odd | Some c => toggle c odd end.

(** The sum of the parts' nimbers, if they are apart, what fits in one of them is [wanted], and classes cancel. *)
Fixpoint sum_of (k : entries) (wanted : list N) (ps : parts) (cover : N) (covered : list N) (odd : list positive) (sum : N)
  : option N :=
  match ps with
  | [] => match odd with [] => if equal covered wanted then Some sum else None | _ => None end
  | (id, by_) :: ps =>
    match PositiveMap.find id k with
    | None => None
    | Some e =>
      let s := N.shiftl (set_of e) by_ in
      if N.eqb (N.land s cover) 0
      then
        sum_of k wanted ps (N.lor cover s) (join covered (map (fun f => N.shiftl f by_) (fitting e)))
          (toggle_class (class_of e) odd) (N.lxor sum (nimber_of e))
      else None
    end
  end.

Definition sum_is (k : entries) (s : N) (ps : parts) : option N :=
  sum_of k (fits_all s) ps 0 (map (fun _ => 0) line_shapes) [] 0.

(** The set after a shape is put on it. *)
Definition after (s : N) (shape : nat) (at_ : N) : option N :=
  match nth_error line_shapes shape with
  | None => None
  | Some shape =>
    let y := N.shiftl (mask shape) at_ in
    if N.eqb (N.ldiff y s) 0 then Some (N.ldiff s y) else None
  end.

Definition has_nimber (k : entries) (s : N) (ps : parts) (n : N) : bool :=
  match sum_is k s ps with Some m => N.eqb m n | None => false end.

(** Whether no option has the nimber; the nimbers met. *)
Fixpoint check_options (k : entries) (n : N) (options : list N) (answers : list answer) (met : N) : option N :=
  match options, answers with
  | [], [] => Some met
  | s :: options, Sum ps :: answers =>
    match sum_is k s ps with
    | Some m => if N.eqb m n then None else check_options k n options answers (N.setbit met m)
    | None => None
    end
  | s :: options, Reply shape at_ ps :: answers =>
    match after s shape at_ with
    | Some t => if has_nimber k t ps n then check_options k n options answers met else None
    | None => None
    end
  | _, _ => None
  end.

Fixpoint strip (p : positive) : positive := match p with xO p => strip p | _ => p end.

Definition stripped (s : N) : N := match s with 0 => 0 | Npos p => Npos (strip p) end.

Definition add (st : state) (s n : N) (class : option positive) : state :=
  State (PositiveMap.add (next st) (Entry s (fits_all s) n class) (known st)) (Pos.succ (next st)) (tables st) (next_table st).

Definition check_step (st : state) (do : step) : option state :=
  match do with
  | Claim s n answers =>
    match check_options (known st) n (set_options line_shapes s) answers 0 with
    | Some met => if N.eqb (N.ldiff (N.ones n) met) 0 then Some (add st s n None) else None
    | None => None
    end
  | Unknown s => Some (add st s 0 (Some (next st)))
  | Symmetry table =>
    if is_symmetry line_shapes table
    then Some (State (known st) (next st) (PositiveMap.add (next_table st) table (tables st)) (Pos.succ (next_table st)))
    else None
  | Image id by_ t =>
    match PositiveMap.find id (known st), PositiveMap.find t (tables st) with
    | Some e, Some table =>
      let s := N.shiftl (set_of e) by_ in
      if N.eqb (N.ldiff s (domain table)) 0 then Some (add st (stripped (image table s)) (nimber_of e) (class_of e))
      else None
    | _, _ => None
    end
  end.

Notation val := (value (sets line_shapes)).

(** The nimbers of classes: those that are not known. *)
Section Sound.
Variable w : positive -> N.

Definition of_class (c : option positive) : N := match c with None => 0 | Some c => w c end.

Definition sound (k : entries) := forall id e, PositiveMap.find id k = Some e ->
  val (set_of e) = N.lxor (nimber_of e) (of_class (class_of e)) /\ fitting e = fits_all (set_of e).

Lemma toggle_spec c odd : xors (map w (toggle c odd)) = N.lxor (w c) (xors (map w odd)).
Proof.
  induction odd as [| d odd IH]; simpl; auto. destruct (Pos.eqb c d) eqn:E.
  - apply Pos.eqb_eq in E. subst. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l.
  - simpl. rewrite IH, <- !N.lxor_assoc. f_equal. apply N.lxor_comm.
Qed.

Lemma toggle_class_spec c odd : xors (map w (toggle_class c odd)) = N.lxor (of_class c) (xors (map w odd)).
Proof. destruct c; [apply toggle_spec | reflexivity]. Qed.

(** What fits in one of some sets, by shape. *)
Fixpoint any_fits (ps : list N) (shape : list N) : N := match ps with [] => 0 | p :: ps => N.lor (fits p shape) (any_fits ps shape) end.

Lemma has_any_fits ps shape k : has (any_fits ps shape) k = true <-> exists p, In p ps /\ sub (N.shiftl (mask shape) k) p.
Proof.
  induction ps as [| p ps IH]; cbn [any_fits In].
  - split; [discriminate | intros (? & [] & _)].
  - rewrite has_lor, has_fits, IH. split.
    + intros [H | (q & H & K)]; eauto.
    + intros (q & [<- | H] & K); eauto.
Qed.

Lemma equal_spec a : forall b, equal a b = true -> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b]; simpl; try discriminate; auto.
  rewrite andb_true_iff, N.eqb_eq. intros (-> & H). f_equal. auto.
Qed.

Lemma join_map {A} (f g : A -> N) l : join (map f l) (map g l) = map (fun x => N.lor (f x) (g x)) l.
Proof. induction l; simpl; [auto | now f_equal]. Qed.

Lemma sum_of_spec k wanted : sound k -> forall ps cover before odd sum result,
  (forall p, In p before -> sub p cover) -> all_apart before ->
  N.lxor sum (xors (map w odd)) = xors (map val before) ->
  sum_of k wanted ps cover (map (any_fits before) line_shapes) odd sum = Some result ->
  exists all, all_apart all /\ map (any_fits all) line_shapes = wanted /\ result = xors (map val all).
Proof.
  intros Sk. induction ps as [| (id, by_) ps IH]; cbn [sum_of]; intros cover before odd sum result Hb Ha Hs H.
  - destruct odd; [| discriminate].
    destruct (equal _ wanted) eqn:E; [| discriminate]. injection H as <-. apply equal_spec in E.
    exists before. cbn [map xors] in Hs. rewrite N.lxor_0_r in Hs. auto.
  - destruct (PositiveMap.find id k) as [e |] eqn:E; [| discriminate]. destruct (Sk _ _ E) as (Hv & Hf).
    destruct (N.eqb _ 0) eqn:L; [| discriminate]. apply N.eqb_eq, apart_spec in L.
    set (s := N.shiftl (set_of e) by_) in *.
    assert (J : join (map (any_fits before) line_shapes) (map (fun f => N.shiftl f by_) (fitting e)) =
                map (any_fits (s :: before)) line_shapes).
    { rewrite Hf. unfold fits_all. rewrite map_map, join_map. apply map_ext. intros shape. cbn [any_fits].
      unfold s. now rewrite fits_shift, N.lor_comm. }
    rewrite J in H. apply IH in H; auto.
    + intros p [<- | Hp] i Hi; apply has_lor; [auto |]. left. now apply (Hb p).
    + simpl. split; auto. intros q Hq i Hi Hq'. apply (L i); auto. now apply (Hb q).
    + transitivity (N.lxor (val s) (xors (map val before))); [| reflexivity].
      rewrite toggle_class_spec, <- Hs. unfold s. rewrite shift_value, Hv.
      rewrite !N.lxor_assoc, (N.lxor_comm sum), !N.lxor_assoc. do 2 f_equal. apply N.lxor_comm.
Qed.

Lemma sum_is_spec k s ps n : sound k -> sum_is k s ps = Some n -> val s = n.
Proof.
  intros Sk H. unfold sum_is in H. apply (sum_of_spec k (fits_all s) Sk ps 0 [] [] 0 n) in H; auto.
  - destruct H as (all & A & B & ->). apply parts_value. split; auto. intros y (shape & i & Hs & ->).
    assert (E : any_fits all shape = fits s shape).
    { unfold fits_all in B. clear - B Hs. induction line_shapes as [| a l IH]; [destruct Hs |].
      simpl in B. injection B as E B. destruct Hs as [<- | Hs]; auto. }
    rewrite <- has_fits, <- E. apply has_any_fits.
  - intros p [].
  - exact I.
Qed.

End Sound.

Lemma after_spec s shape at_ t : after s shape at_ = Some t -> In t (set_options line_shapes s).
Proof.
  unfold after. destruct (nth_error line_shapes shape) as [sh |] eqn:E; [| discriminate].
  destruct (N.eqb _ 0) eqn:L; [| discriminate]. apply N.eqb_eq, sub_spec in L. intros H. injection H as <-.
  apply in_set_options. eexists. split; [| split; [exact L | reflexivity]]. exists sh, at_. split; auto.
  eapply nth_error_In. eauto.
Qed.

Lemma has_nimber_spec w k s ps n : sound w k -> has_nimber k s ps n = true -> val s = n.
Proof.
  unfold has_nimber. intros Sk H. destruct (sum_is k s ps) as [m |] eqn:E; [| discriminate]. apply N.eqb_eq in H.
  subst. now apply (sum_is_spec w k s ps).
Qed.

Lemma check_options_spec w k n : sound w k -> forall options answers met result,
  check_options k n options answers met = Some result ->
  (forall s, In s options -> val s <> n) /\
  (forall m, has result m = true -> has met m = true \/ exists s, In s options /\ val s = m).
Proof.
  intros Sk. induction options as [| s options IH]; intros [| a answers] met result H; simpl in H; try discriminate.
  - injection H as <-. split; [intros s [] | auto].
  - destruct a as [ps | shape at_ ps].
    + destruct (sum_is k s ps) as [m |] eqn:E; [| discriminate]. apply (sum_is_spec w) in E; auto.
      destruct (N.eqb m n) eqn:F; [discriminate |]. apply N.eqb_neq in F. apply IH in H. destruct H as (A & B). split.
      * intros t [<- | Ht]; [congruence | auto].
      * intros i Hi. apply B in Hi. destruct Hi as [Hi | (t & Ht & Hv)]; [| right; exists t; simpl; auto].
        apply has_setbit in Hi. destruct Hi as [<- | Hi]; [right; exists s; simpl; auto | auto].
    + destruct (after s shape at_) as [t |] eqn:E; [| discriminate]. apply after_spec in E.
      destruct (has_nimber k t ps n) eqn:F; [| discriminate]. apply (has_nimber_spec w) in F; auto.
      apply IH in H. destruct H as (A & B). split.
      * intros u [<- | Hu]; [| auto]. now apply (value_by_reply (sets line_shapes) s t).
      * intros i Hi. apply B in Hi. destruct Hi as [Hi | (u & Hu & Hv)]; [auto | right; exists u; simpl; auto].
Qed.

Lemma stripped_spec s : exists k, s = N.shiftl (stripped s) k.
Proof.
  destruct s as [| p]; [now exists 0 |]. cbn [stripped]. induction p.
  - now exists 0.
  - destruct IHp as (k & E). exists (N.succ k). cbn [strip]. rewrite N.shiftl_succ_r, <- E. reflexivity.
  - now exists 0.
Qed.

(** Each claim is true, with some nimbers of the classes met so far. *)
Definition sound_state (st : state) :=
  (exists w, sound w (known st) /\
    forall id e c, PositiveMap.find id (known st) = Some e -> class_of e = Some c -> (c < next st)%positive) /\
  forall t table, PositiveMap.find t (tables st) = Some table -> is_symmetry line_shapes table = true.

Lemma add_spec w st s n class : sound w (known st) ->
  (forall id e c, PositiveMap.find id (known st) = Some e -> class_of e = Some c -> (c < next st)%positive) ->
  (forall t table, PositiveMap.find t (tables st) = Some table -> is_symmetry line_shapes table = true) ->
  val s = N.lxor n (of_class w class) -> (forall c, class = Some c -> (c < Pos.succ (next st))%positive) ->
  sound_state (add st s n class).
Proof.
  intros A C B H K. split; [| exact B]. exists w. split; intros id e.
  - intros F. cbn [known add] in F. destruct (Pos.eq_dec id (next st)) as [-> | D].
    + rewrite PositiveMap.gss in F. injection F as <-. auto.
    + rewrite PositiveMap.gso in F by auto. exact (A id e F).
  - intros c F E. cbn [known next add] in *. destruct (Pos.eq_dec id (next st)) as [-> | D].
    + rewrite PositiveMap.gss in F. injection F as <-. auto.
    + rewrite PositiveMap.gso in F by auto. specialize (C id e c F E). lia.
Qed.

Theorem check_step_sound st do st' : sound_state st -> check_step st do = Some st' -> sound_state st'.
Proof.
  intros ((w & Sk & Sc) & St) H. destruct do as [s n answers | s | table | id by_ t]; simpl in H.
  - destruct (check_options _ n _ answers 0) as [met |] eqn:E; [| discriminate].
    destruct (N.eqb _ 0) eqn:F; [| discriminate]. injection H as <-. apply N.eqb_eq, sub_spec in F.
    apply (add_spec w); auto; [| discriminate]. cbn [of_class]. rewrite N.lxor_0_r.
    apply (check_options_spec w) in E; auto. destruct E as (A & B). apply value_is; simpl; auto.
    intros m Hm. destruct (B m) as [Z | (q & Hq & Hv)]; [| discriminate Z | eauto].
    apply F. unfold has. now apply N.ones_spec_low.
  - injection H as <-. apply (add_spec (fun c => if Pos.eqb c (next st) then val s else w c)); auto.
    + intros id e F. destruct (Sk id e F) as (Hv & Hf). split; auto. rewrite Hv. f_equal.
      destruct (class_of e) as [c |] eqn:E; auto. cbn [of_class]. specialize (Sc id e c F E).
      destruct (Pos.eqb c (next st)) eqn:D; auto. apply Pos.eqb_eq in D. lia.
    + cbn [of_class]. now rewrite Pos.eqb_refl, N.lxor_0_l.
    + intros c E. injection E as <-. lia.
  - destruct (is_symmetry line_shapes table) eqn:E; [| discriminate]. injection H as <-. split; [eauto |].
    intros t table' F. cbn [tables] in F. destruct (Pos.eq_dec t (next_table st)) as [-> | D].
    + rewrite PositiveMap.gss in F. now injection F as <-.
    + rewrite PositiveMap.gso in F by auto. eauto.
  - destruct (PositiveMap.find id (known st)) as [e |] eqn:E; [| discriminate].
    destruct (PositiveMap.find t (tables st)) as [table |] eqn:F; [| discriminate].
    destruct (N.eqb _ 0) eqn:L; [| discriminate]. injection H as <-. apply N.eqb_eq, sub_spec in L.
    destruct (Sk _ _ E) as (Hv & _). apply (add_spec w); auto.
    + rewrite <- Hv, <- (shift_value line_shapes (set_of e) by_).
      rewrite <- (image_value line_shapes table _ (St _ _ F) L).
      destruct (stripped_spec (image table (N.shiftl (set_of e) by_))) as (k & K).
      rewrite K at 2. now rewrite shift_value.
    + intros c K. specialize (Sc id e c E K). lia.
Qed.

End Check.

(** * The board *)

Definition same_cell (a b : cell) : bool := Z.eqb (fst a) (fst b) && Z.eqb (snd a) (snd b).

Lemma same_cell_spec a b : same_cell a b = true <-> a = b.
Proof.
  unfold same_cell. rewrite andb_true_iff, !Z.eqb_eq. destruct a, b; simpl. split; [intros (-> & ->) | intros E; injection E]; auto.
Qed.

Definition on (p : list cell) (a : cell) : bool := existsb (same_cell a) p.

Lemma on_spec p a : on p a = true <-> In a p.
Proof.
  unfold on. rewrite existsb_exists. split.
  - intros (b & Hb & E). apply same_cell_spec in E. now subst.
  - intros H. exists a. split; auto. now apply same_cell_spec.
Qed.

(** All places on free cells of the board. *)
Definition board_places (rules : placement_rules) (p : list cell) : list (list cell) :=
  flat_map (fun shape =>
    match shape with
    | [] => []
    | first :: _ =>
      filter (forallb (on p)) (map (fun a => map (shift (fst a - fst first, snd a - snd first)%Z) shape) p)
    end) (shapes rules).

Lemma in_board_places rules p place : (forall shape, In shape (shapes rules) -> shape <> []) ->
  In place (board_places rules p) <-> exists shape by_, In shape (shapes rules) /\ place = map (shift by_) shape /\ incl place p.
Proof.
  intros Full. unfold board_places. rewrite in_flat_map. split.
  - intros (shape & Hs & H). destruct shape as [| first shape]; [destruct H |]. apply filter_In in H.
    destruct H as (H & F). apply in_map_iff in H. destruct H as (a & <- & Ha). eexists _, _.
    split; [exact Hs | split; [reflexivity |]]. intros b Hb. rewrite forallb_forall in F. apply on_spec. auto.
  - intros (shape & by_ & Hs & -> & H). exists shape. split; auto. destruct shape as [| first shape].
    + exfalso. now apply (Full []).
    + apply filter_In. split.
      * apply in_map_iff. exists (shift by_ first). split; [| apply H; simpl; auto].
        replace (fst (shift by_ first) - fst first, snd (shift by_ first) - snd first)%Z with by_; auto.
        destruct by_, first; simpl. f_equal; lia.
      * apply forallb_forall. intros b Hb. apply on_spec. auto.
Qed.

Definition without (place p : list cell) :=
  filter (fun a => if in_dec cell_eq_dec a place then false else true) p.

Lemma in_without place p a : In a (without place p) <-> In a p /\ ~ In a place.
Proof.
  unfold without. rewrite filter_In. destruct (in_dec cell_eq_dec a place); intuition discriminate.
Qed.

Lemma filter_less {A} (f : A -> bool) l x : In x l -> f x = false -> (length (filter f l) < length l)%nat.
Proof.
  assert (Le : forall l, (length (filter f l) <= length l)%nat) by (clear; induction l; simpl; auto; destruct (f a); simpl; lia).
  induction l as [| a l IH]; simpl; [intros [] |]. intros [-> | H] E.
  - rewrite E. specialize (Le l). lia.
  - specialize (IH H E). destruct (f a); simpl; lia.
Qed.

Section Board.
Variable rules : placement_rules.
Hypothesis full : forall shape, In shape (shapes rules) -> shape <> [].

Definition board_options (p : list cell) := map (fun place => without place p) (board_places rules p).

Lemma board_smaller p q : In q (board_options p) -> (length q < length p)%nat.
Proof.
  intros H. apply in_map_iff in H. destruct H as (place & <- & H). apply in_board_places in H; auto.
  destruct H as (shape & by_ & Hs & -> & Hi). specialize (full shape Hs). destruct shape as [| a shape]; [easy |].
  apply (filter_less _ p (shift by_ a)).
  - apply Hi. simpl. auto.
  - destruct (in_dec _ _ _) as [| F]; auto. exfalso. apply F. simpl. auto.
Qed.

Definition boards : finite_game := FiniteGame (list cell) board_options (@length cell) board_smaller.

Lemma boards_same p q : move (placement_game rules) p q <-> In q (board_options p).
Proof.
  unfold board_options. rewrite in_map_iff. simpl. split.
  - intros (shape & by_ & Hs & Hi & ->). exists (map (shift by_) shape). split; auto. apply in_board_places; auto. eauto.
  - intros (place & <- & H). apply in_board_places in H; auto. destruct H as (shape & by_ & Hs & -> & Hi). eauto.
Qed.

(** * The board along a line *)

Variable width : Z.
Variable line_shapes : list (list N).
Variable board : list cell.

Definition number (a : cell) : N := Z.to_N (fst a * width + snd a).

Definition set_of_cells (p : list cell) : N := fold_right (fun a s => N.setbit s (number a)) 0 p.

Lemma has_set_of_cells p i : has (set_of_cells p) i = true <-> exists a, In a p /\ number a = i.
Proof.
  induction p as [| a p IH]; cbn [set_of_cells fold_right In].
  - split; [discriminate | intros (? & [] & _)].
  - fold (set_of_cells p). rewrite has_setbit, IH. split.
    + intros [<- | (b & H & E)]; eauto.
    + intros (b & [<- | H] & E); eauto.
Qed.

(** Whether all cells have numbers of their own. *)
Fixpoint distinct (p : list cell) (seen : N) : bool :=
  match p with [] => true | a :: p => negb (has seen (number a)) && distinct p (N.setbit seen (number a)) end.

Lemma distinct_spec p : forall seen, distinct p seen = true ->
  (forall a, In a p -> has seen (number a) = false) /\
  (forall a b, In a p -> In b p -> number a = number b -> a = b).
Proof.
  induction p as [| x p IH]; simpl; intros seen H.
  - split; intros; contradiction.
  - rewrite andb_true_iff, negb_true_iff in H. destruct H as (Hx & H). apply IH in H. destruct H as (A & B).
    assert (New : forall a, In a p -> has seen (number a) = false /\ number x <> number a).
    { intros a Ha. specialize (A a Ha). split.
      - destruct (has seen (number a)) eqn:F; auto.
        assert (has (N.setbit seen (number x)) (number a) = true) by (apply has_setbit; auto). congruence.
      - intros E. assert (has (N.setbit seen (number x)) (number a) = true) by (apply has_setbit; auto). congruence. }
    split.
    + intros a [<- | Ha]; auto. now apply New.
    + intros a b [<- | Ha] [<- | Hb] E; auto.
      * apply New in Hb. destruct Hb. contradiction.
      * apply New in Ha. destruct Ha. congruence.
Qed.

Definition check_board : bool :=
  let root := set_of_cells board in
  let line := places line_shapes root in
  let plane := map set_of_cells (board_places rules board) in
  distinct board 0 && forallb (fun y => member y line) plane && forallb (fun y => member y plane) line.

(** A position and the set of its cells. *)
Definition on_line (p : list cell) (s : N) :=
  incl p board /\ sub s (set_of_cells board) /\ forall a, In a board -> In a p <-> has s (number a) = true.

Lemma place_sub p s place : on_line p s -> incl place board ->
  (forall a b, In a board -> In b board -> number a = number b -> a = b) ->
  incl place p <-> sub (set_of_cells place) s.
Proof.
  intros (A & B & C) Hp One. split.
  - intros H i Hi. apply has_set_of_cells in Hi. destruct Hi as (a & Ha & <-). apply C; auto.
  - intros H a Ha. apply C; auto. apply H. apply has_set_of_cells. eauto.
Qed.

Lemma on_line_after p s place : on_line p s -> incl place board ->
  (forall a b, In a board -> In b board -> number a = number b -> a = b) ->
  on_line (without place p) (N.ldiff s (set_of_cells place)).
Proof.
  intros (A & B & C) Hp One. repeat split.
  - intros a Ha. apply in_without in Ha. apply A. tauto.
  - intros i Hi. apply has_ldiff in Hi. apply B. tauto.
  - rewrite in_without. intros (Hp' & K). apply has_ldiff. split; [now apply C |].
    destruct (has (set_of_cells place) (number a)) eqn:E; auto. exfalso. apply has_set_of_cells in E.
    destruct E as (b & Hb & E). apply K. replace a with b; auto.
  - intros Hh. apply has_ldiff in Hh. destruct Hh as (Hs & Hn). apply in_without. split; [now apply C |].
    intros Ha. assert (has (set_of_cells place) (number a) = true) by (apply has_set_of_cells; eauto). congruence.
Qed.

Theorem board_value : check_board = true ->
  value boards board = value (sets line_shapes) (set_of_cells board).
Proof.
  unfold check_board. rewrite !andb_true_iff, !forallb_forall. intros ((D & L) & M).
  apply distinct_spec in D. destruct D as (_ & One).
  apply (same_value boards (sets line_shapes) on_line).
  - intros p s q HR Hq. simpl in Hq. apply in_map_iff in Hq. destruct Hq as (place & <- & H).
    apply in_board_places in H; auto. destruct H as (shape & by_ & Hs & E & Hi).
    pose proof HR as (A & _). assert (Hb : incl place board) by (intros a Ha; auto).
    exists (N.ldiff s (set_of_cells place)). split; [| now apply on_line_after].
    simpl. apply in_set_options. exists (set_of_cells place). split; [| split; auto].
    + assert (K : In (set_of_cells place) (map set_of_cells (board_places rules board))).
      { apply in_map. apply in_board_places; auto. exists shape, by_. auto. }
      apply L, member_spec, in_places in K. tauto.
    + now apply (place_sub p).
  - intros p s t HR Ht. simpl in Ht. apply in_set_options in Ht. destruct Ht as (y & Hy & Hs & ->).
    pose proof HR as (_ & B & _).
    assert (K : In y (places line_shapes (set_of_cells board))) by (apply in_places; split; auto; intros i Hi; auto).
    apply M, member_spec, in_map_iff in K. destruct K as (place & <- & K).
    apply in_board_places in K; auto. destruct K as (shape & by_ & Hsh & E & Hi).
    exists (without place p). split; [| now apply on_line_after]. simpl. apply in_map_iff.
    exists place. split; auto. apply in_board_places; auto. exists shape, by_. repeat split; auto.
    apply (place_sub p s); auto.
  - repeat split.
    + now intros a Ha.
    + now intros i Hi.
    + intros Ha. apply has_set_of_cells. eauto.
    + auto.
Qed.

End Board.

(** * The whole check *)

(** How the claim of the position follows: its parts, after a move that wins if there is one. *)
Record last_step := LastStep { winning : option (nat * N); last_parts : parts }.

Definition check_last (line_shapes : list (list N)) (st : state) (s : N) (claim : nimber_claim) (last : last_step) : bool :=
  match claim, winning last with
  | NimberIs n, None => has_nimber line_shapes (known st) s (last_parts last) n
  | PreviousPlayerWins, None => has_nimber line_shapes (known st) s (last_parts last) 0
  | NextPlayerWins, Some (shape, at_) =>
    match after line_shapes s shape at_ with
    | Some t => has_nimber line_shapes (known st) t (last_parts last) 0
    | None => false
    end
  | _, _ => false
  end.

Definition is_full (rules : placement_rules) : bool :=
  forallb (fun shape => match shape with [] => false | _ => true end) (shapes rules).

Definition check_end (rules : placement_rules) (board : list cell) (claim : nimber_claim)
  (width : Z) (line_shapes : list (list N)) (st : state) (last : last_step) : bool :=
  is_full rules && check_board rules width line_shapes board &&
  check_last line_shapes st (set_of_cells width board) claim last.

(** The steps one after the other. *)
Fixpoint check_steps (line_shapes : list (list N)) (st : state) (steps : list step) : option state :=
  match steps with
  | [] => Some st
  | do :: steps => match check_step line_shapes st do with Some st => check_steps line_shapes st steps | None => None end
  end.

Definition check_placement (rules : placement_rules) (board : list cell) (claim : nimber_claim)
  (width : Z) (line_shapes : list (list N)) (steps : list step) (last : last_step) : bool :=
  match check_steps line_shapes begin steps with
  | Some st => check_end rules board claim width line_shapes st last
  | None => false
  end.

Lemma begin_sound line_shapes : sound_state line_shapes begin.
Proof.
  split.
  - exists (fun _ => 0). split; intros id e; intros; cbn [known begin] in *; rewrite PositiveMap.gempty in *; discriminate.
  - intros t table H. cbn [tables begin] in H. rewrite PositiveMap.gempty in H. discriminate.
Qed.

Lemma check_steps_sound line_shapes steps : forall st st',
  sound_state line_shapes st -> check_steps line_shapes st steps = Some st' -> sound_state line_shapes st'.
Proof.
  induction steps as [| do steps IH]; simpl; intros st st' S H.
  - now injection H as <-.
  - destruct (check_step line_shapes st do) as [st'' |] eqn:E; [| discriminate].
    apply (IH st''); auto. eapply check_step_sound; eauto.
Qed.

Lemma check_end_sound rules board claim width line_shapes st last :
  sound_state line_shapes st -> check_end rules board claim width line_shapes st last = true ->
  nimber_claim_holds (placement_game rules) board claim.
Proof.
  intros ((w & S & _) & _) H. unfold check_end in H. rewrite !andb_true_iff in H. destruct H as ((F & B) & L).
  assert (Full : forall shape, In shape (shapes rules) -> shape <> []).
  { unfold is_full in F. rewrite forallb_forall in F. intros [| a shape] Hs; [apply F in Hs; discriminate | discriminate]. }
  apply (claim_by_value (boards rules Full) (move (placement_game rules)) (boards_same rules Full)).
  rewrite (board_value rules Full width line_shapes board B).
  unfold check_last in L. destruct claim as [n | |], (winning last) as [(shape, at_) |]; try discriminate.
  - now apply (has_nimber_spec _ w) in L.
  - destruct (after line_shapes _ shape at_) as [t |] eqn:E; [| discriminate]. apply after_spec in E.
    apply (has_nimber_spec _ w) in L; auto. now apply (value_by_reply (sets line_shapes) _ t).
  - now apply (has_nimber_spec _ w) in L.
Qed.

Theorem check_placement_sound rules board claim width line_shapes steps last :
  check_placement rules board claim width line_shapes steps last = true ->
  nimber_claim_holds (placement_game rules) board claim.
Proof.
  unfold check_placement. destruct (check_steps line_shapes begin steps) as [st |] eqn:E; [| discriminate].
  apply check_end_sound. eapply check_steps_sound; [apply begin_sound | exact E].
Qed.
