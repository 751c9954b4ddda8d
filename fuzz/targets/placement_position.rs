#![cfg_attr(fuzzing, no_main)]
//! Positions of placement games: the same pieces or each their own, running out
//! or not.

balpan_fuzz::target!(placement_position);
