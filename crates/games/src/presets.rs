//! The presets: the games of the library, each as the text of a rules file.

use crate::registry::families;
use crate::rules::RulesFile;
use crate::text::TextError;

/// The name and the text of each preset, in the order of the families.
pub const PRESETS: [(&str, &str); 14] = [
    ("platforms", include_str!("../presets/platforms.toml")),
    ("kings", include_str!("../presets/kings.toml")),
    ("joust", include_str!("../presets/joust.toml")),
    ("blockgame", include_str!("../presets/blockgame.toml")),
    ("cram", include_str!("../presets/cram.toml")),
    ("domineering", include_str!("../presets/domineering.toml")),
    ("pentominoes", include_str!("../presets/pentominoes.toml")),
    ("tictactoe", include_str!("../presets/tictactoe.toml")),
    ("connect4", include_str!("../presets/connect4.toml")),
    ("gomoku", include_str!("../presets/gomoku.toml")),
    ("notakto", include_str!("../presets/notakto.toml")),
    ("nim", include_str!("../presets/nim.toml")),
    ("kayles", include_str!("../presets/kayles.toml")),
    ("dawson", include_str!("../presets/dawson.toml")),
];

/// Returns the preset of a name, if it exists, those of [registered](crate::register) families included.
///
/// # Errors
/// Never: the tests read all presets.
pub fn preset(name: &str) -> Option<Result<RulesFile, TextError>> {
    let registered = families().into_iter().flat_map(|family| family.presets);
    let (name, text) = PRESETS.iter().chain(registered).find(|(preset, _)| *preset == name)?;
    Some(RulesFile::parse(name, text))
}
