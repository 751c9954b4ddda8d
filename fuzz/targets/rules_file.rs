#![cfg_attr(fuzzing, no_main)]
//! Rules files, and changes to them: after a line `---`, each line is a size for
//! `--board` or a `key=value` for `--set`.

balpan_fuzz::target!(rules_file);
