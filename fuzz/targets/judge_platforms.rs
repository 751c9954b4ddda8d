#![cfg_attr(fuzzing, no_main)]
//! The judge of disappearing platforms, on small boards: however the input is
//! read, the answers are the same.

balpan_fuzz::target!(judge_platforms);
