(** The theorems with what they assume, and the checker as OCaml. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Balpan Require Import Statement Nimbers Heaps Placement.

Print Assumptions nimber_unique.
Print Assumptions check_heaps_sound.
Print Assumptions check_placement_sound.
Print Assumptions check_steps_sound.
Print Assumptions check_end_sound.

Extraction Language OCaml.
Extraction "checker.ml" nim octal check_heaps begin check_step check_end.
