#![cfg_attr(fuzzing, no_main)]
//! The judge of tic-tac-toe: however the input is read, the answers are the same.

balpan_fuzz::target!(judge_tictactoe);
