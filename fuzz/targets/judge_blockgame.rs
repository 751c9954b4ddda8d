#![cfg_attr(fuzzing, no_main)]
//! The block game's judge, in reads of a few bytes.

balpan_fuzz::target!(judge_blockgame);
