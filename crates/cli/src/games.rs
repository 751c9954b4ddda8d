//! `balpan games`: the list of presets, and their rules files.

use std::fmt::Write;

use balpan_games::presets::PRESETS;

use crate::error::{CliError, print};
use crate::load::read_rules;

pub(crate) fn run(name: Option<&str>) -> Result<(), CliError> {
    if let Some(name) = name {
        return print(&read_rules(name)?.text);
    }
    let mut rows = Vec::new();
    for (name, _) in PRESETS {
        let rules = read_rules(name)?;
        rows.push((name, rules.game()?.size(), rules.about));
    }
    let width = rows.iter().map(|(name, ..)| name.len()).max().unwrap_or(0);
    let size_width = rows.iter().map(|(_, size, _)| size.len()).max().unwrap_or(0);
    let mut list = String::new();
    for (name, size, about) in rows {
        // Writing to a string cannot fail.
        let _ = writeln!(list, "{name:width$}  {size:size_width$}  {about}");
    }
    print(&list)
}
