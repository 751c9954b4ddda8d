#![cfg_attr(fuzzing, no_main)]
//! Positions of lines games: falling marks or not, shared or not, overlines
//! counting or not.

balpan_fuzz::target!(lines_position);
