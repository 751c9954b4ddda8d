//! Rules files of heap games.

use serde::Deserialize;
use toml::Spanned;

use super::answer::large_answer;
use super::{Code, Heaps, Rules, Split, Take};
use crate::answer::Answer;
use crate::any::AnyGame;
use crate::board::Board;
use crate::error::RulesError;
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource, Text};
use crate::text::{TextError, error};

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "heaps",
    keys: &["family", "about", "code", "take", "split", "start", "misere"],
    required: &["start"],
    read: &read,
    presets: &[],
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct HeapsFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    code: Option<Spanned<toml::Value>>,
    take: Option<Spanned<toml::Value>>,
    split: Option<Text>,
    start: Spanned<toml::Value>,
    #[serde(default)]
    misere: bool,
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let file: HeapsFile = source.read()?;
    let start = source.as_written(&file.start);
    let code = match (&file.code, &file.take, &file.split) {
        (Some(code), None, None) => {
            let code = source.as_written(code);
            let no_code = || source.error(code.span(), RulesError::NoCode { found: code.get_ref().clone() });
            Code::parse(code.get_ref()).ok_or_else(no_code)?
        }
        (Some(_), Some(take), _) => return Err(source.error(take.span(), RulesError::CodeAndTake)),
        (Some(_), None, Some(split)) => return Err(source.error(split.span(), RulesError::CodeAndTake)),
        (None, None, _) => return Err(source.error(0..0, RulesError::MissingKey { key: "take" })),
        (None, Some(take), split) => {
            let take = source.as_written(take);
            let no_take = |span| error(take.get_ref(), span, RulesError::NoTake { found: take.get_ref().clone() });
            let read = Take::parse(take.get_ref()).map_err(|span| source.error_in(&take, no_take(span)))?;
            let no_split =
                |split: &Text| source.error(split.span(), RulesError::NoSplit { found: split.get_ref().clone() });
            let allowed = |found: &Split| read != Take::Wythoff || *found == Split::No;
            let parse = |text: &Text| Split::parse(text.get_ref()).filter(allowed).ok_or_else(|| no_split(text));
            let split = split.as_ref().map(parse).transpose()?.unwrap_or_default();
            Code::from_rule(read, split)
        }
    };
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

    fn large_answer(&self, text: &str) -> Option<Result<Answer, TextError>> {
        large_answer(&self.rules, text)
    }
}
