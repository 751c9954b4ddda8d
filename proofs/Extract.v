(** The theorems with what they assume, and the checker as OCaml. *)
From Coq Require Import Extraction ExtrOcamlBasic.
From Balpan Require Import Statement Nimbers Heaps Placement PlayClaims.

Print Assumptions nimber_unique.
Print Assumptions check_heaps_sound.
Print Assumptions check_placement_sound.
Print Assumptions check_steps_sound.
Print Assumptions check_end_sound.
Print Assumptions check_walkers_sound.
Print Assumptions check_lines_sound.

Extraction Language OCaml.
Extraction "checker.ml" nim octal check_heaps begin check_step check_end
  no_claims walker_game add_walker_claim check_walkers_end line_game add_line_claim check_lines_end.
