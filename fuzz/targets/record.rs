#![cfg_attr(fuzzing, no_main)]
//! The moves of a game as it was played, of every preset.

balpan_fuzz::target!(record);
