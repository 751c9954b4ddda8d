#![cfg_attr(fuzzing, no_main)]
//! Positions of walkers games: shared tiles or not, edges joined or not.

balpan_fuzz::target!(walkers_position);
