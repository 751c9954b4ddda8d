//! Rules files of games of lines.

use serde::Deserialize;
use toml::Spanned;

use super::{Lines, Marks, Rules};
use crate::any::AnyGame;
use crate::board::Board;
use crate::error::RulesError;
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource, Text, yes};
use crate::text::TextError;

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "lines",
    keys: &["family", "about", "board", "start", "k", "gravity", "marks", "overlines", "misere"],
    required: &["k"],
    read: &read,
    presets: &[],
};

/// Values of `marks`.
pub(crate) const MARKS: [&str; 2] = ["own", "shared"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct LinesFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    board: Option<Text>,
    start: Option<Text>,
    k: Spanned<i64>,
    #[serde(default)]
    gravity: bool,
    marks: Option<Text>,
    #[serde(default = "yes")]
    overlines: bool,
    #[serde(default)]
    misere: bool,
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let file: LinesFile = source.read()?;
    let marks = match file.marks.as_ref().map(|marks| (marks.get_ref().as_str(), marks.span())) {
        None | Some(("own", _)) => Marks::Own,
        Some(("shared", _)) => Marks::Shared,
        Some((other, span)) => {
            return Err(source.error(span, RulesError::OtherMarks { found: other.into() }));
        }
    };
    let k = *file.k.get_ref();
    if k < 1 {
        return Err(source.error(file.k.span(), RulesError::SmallK { k }));
    }
    let most = Board::MAX_CELLS as i64;
    let rules =
        Rules { k: k.min(most) as u8, gravity: file.gravity, marks, overlines: file.overlines, misere: file.misere };
    let rules_file = source.rules_file(file.about, rules, file.board.as_ref(), file.start.as_ref())?;
    let board = rules_file.board();
    if k > board.rows().max(board.cols()) as i64 {
        return Err(source.error(file.k.span(), RulesError::LargeK { k, board }));
    }
    Ok(rules_file)
}

impl FamilyRules for Rules {
    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        Ok(Lines::new_unchecked(*self, board).into())
    }

    fn game_at(&self, board: Board, text: &str) -> Result<AnyGame, TextError> {
        Lines::from_text(*self, board, text).map(AnyGame::from)
    }
}
