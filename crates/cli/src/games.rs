//! `balpan games`: the presets.

use std::fmt::Write;

use balpan_games::presets::PRESETS;

use crate::failure::{Failure, print};
use crate::source::rules;

pub(crate) fn run(name: Option<&str>) -> Result<(), Failure> {
    if let Some(name) = name {
        return print(&rules(name)?.text);
    }
    let width = PRESETS.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut list = String::new();
    for (name, _) in PRESETS {
        let rules = rules(name)?;
        let board = rules.game()?.board();
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{name:width$}  {board}  {}", rules.about);
    }
    print(&list)
}
