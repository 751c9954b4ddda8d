#![cfg_attr(fuzzing, no_main)]
//! Certificates: whatever the bytes, the checker says what is wrong, or what is proved.

balpan_fuzz::target!(certificate);
