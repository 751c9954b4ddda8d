//! Rules files of heap games.

use serde::Deserialize;
use toml::Spanned;

use super::{Code, Heaps, Rules};
use crate::any::AnyGame;
use crate::board::Board;
use crate::error::RulesError;
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource};
use crate::text::TextError;

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "heaps",
    keys: &["family", "about", "code", "start", "misere"],
    required: &["code", "start"],
    read: &read,
    presets: &[],
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeapsFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    code: Spanned<toml::Value>,
    start: Spanned<toml::Value>,
    #[serde(default)]
    misere: bool,
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let file: HeapsFile = source.read()?;
    let (code, start) = (source.as_written(&file.code), source.as_written(&file.start));
    let no_code = || source.error(code.span(), RulesError::NoCode { found: code.get_ref().clone() });
    let code = Code::parse(code.get_ref()).ok_or_else(no_code)?;
    let rules = Rules { code, misere: file.misere };
    let game = Heaps::from_text(rules, start.get_ref()).map_err(|inner| source.error_in(&start, inner))?;
    source.rules_file(file.about, game, None, Some(&start))
}

/// The game from the start that its file names.
impl FamilyRules for Heaps {
    fn has_board(&self) -> bool {
        false
    }

    fn game_on(&self, _board: Board) -> Result<AnyGame, TextError> {
        Ok(self.clone().into())
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        Self::from_text(self.rules.clone(), text).map(AnyGame::from)
    }
}
