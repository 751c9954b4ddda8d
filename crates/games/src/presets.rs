//! The presets: the games of the library, each as the text of a rules file.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use crate::registry::families;
use crate::rules::RulesFile;
use crate::text::TextError;

/// The name and the text of each preset, in the order of the families.
pub const PRESETS: [(&str, &str); 52] = [
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
    ("fibonacci", include_str!("../presets/fibonacci.toml")),
    ("hexapawn", include_str!("../presets/hexapawn.toml")),
    ("breakthrough", include_str!("../presets/breakthrough.toml")),
    ("hex", include_str!("../presets/hex.toml")),
    ("y", include_str!("../presets/y.toml")),
    ("havannah", include_str!("../presets/havannah.toml")),
    ("clobber", include_str!("../presets/clobber.toml")),
    ("cannibal", include_str!("../presets/cannibal.toml")),
    ("konane", include_str!("../presets/konane.toml")),
    ("nogo", include_str!("../presets/nogo.toml")),
    ("amazons", include_str!("../presets/amazons.toml")),
    ("col", include_str!("../presets/col.toml")),
    ("snort", include_str!("../presets/snort.toml")),
    ("nodekayles", include_str!("../presets/nodekayles.toml")),
    ("toads", include_str!("../presets/toads.toml")),
    ("chomp", include_str!("../presets/chomp.toml")),
    ("othello", include_str!("../presets/othello.toml")),
    ("dots", include_str!("../presets/dots.toml")),
    ("kalah", include_str!("../presets/kalah.toml")),
    ("morris3", include_str!("../presets/morris3.toml")),
    ("morris6", include_str!("../presets/morris6.toml")),
    ("achi", include_str!("../presets/achi.toml")),
    ("teeko", include_str!("../presets/teeko.toml")),
    ("quixo", include_str!("../presets/quixo.toml")),
    ("ponghauki", include_str!("../presets/ponghauki.toml")),
    ("mutorere", include_str!("../presets/mutorere.toml")),
    ("shisima", include_str!("../presets/shisima.toml")),
    ("foxgeese", include_str!("../presets/foxgeese.toml")),
    ("harehounds", include_str!("../presets/harehounds.toml")),
    ("checkers", include_str!("../presets/checkers.toml")),
    ("dobutsu", include_str!("../presets/dobutsu.toml")),
    ("catmouse", include_str!("../presets/catmouse.toml")),
    ("wild", include_str!("../presets/wild.toml")),
    ("numerical", include_str!("../presets/numerical.toml")),
    ("orderchaos", include_str!("../presets/orderchaos.toml")),
    ("treblecross", include_str!("../presets/treblecross.toml")),
    ("vanish", include_str!("../presets/vanish.toml")),
    ("slimetrail", include_str!("../presets/slimetrail.toml")),
];

/// The presets added to those of the library.
static ADDED: Mutex<Vec<(&str, &str)>> = Mutex::new(Vec::new());

/// Adds the text of a rules file to the presets, as long as the process lasts. If the name is taken, the earlier preset stays.
///
/// # Errors
/// If the text is no rules file.
pub fn add(name: &str, text: &str) -> Result<(), TextError> {
    RulesFile::parse(name, text)?;
    let added = (&*String::from(name).leak(), &*String::from(text).leak());
    ADDED.lock().unwrap_or_else(PoisonError::into_inner).push(added);
    Ok(())
}

/// Returns the name and the text of each preset: those of the library, those of [registered](crate::register) families, and those
/// that were [added](add).
#[must_use]
pub fn all() -> Vec<(&'static str, &'static str)> {
    let registered = families().into_iter().flat_map(|family| family.presets);
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    PRESETS.iter().chain(registered).chain(added.iter()).copied().collect()
}

/// Returns the preset of a name, if it exists, those of registered families included.
///
/// # Errors
/// Never: the tests read all presets.
pub fn preset(name: &str) -> Option<Result<RulesFile, TextError>> {
    static READ: Mutex<BTreeMap<&str, RulesFile>> = Mutex::new(BTreeMap::new());
    let (name, text) = all().into_iter().find(|(preset, _)| *preset == name)?;
    // A family that is registered again may have other rules under the same name.
    if !PRESETS.iter().any(|(preset, _)| *preset == name) {
        return Some(RulesFile::parse(name, text));
    }
    let read = READ.lock().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
    Some(read.map_or_else(
        || {
            let rules = RulesFile::parse(name, text)?;
            READ.lock().unwrap_or_else(PoisonError::into_inner).insert(name, rules.clone());
            Ok(rules)
        },
        Ok,
    ))
}
