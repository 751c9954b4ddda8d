#![cfg_attr(fuzzing, no_main)]
//! Strong solutions: files of positions and their values, with keys and without.

balpan_fuzz::target!(strong);
