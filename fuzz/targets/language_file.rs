#![cfg_attr(fuzzing, no_main)]
//! Files in the rules language: those that are read are played at random, and keep the laws of games.

balpan_fuzz::target!(language_file);
