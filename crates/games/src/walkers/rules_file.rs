//! Rules files of walkers.

use serde::Deserialize;
use toml::Spanned;

use super::{Rules, Steps, Walkers};
use crate::any::AnyGame;
use crate::board::{Board, CellSet};
use crate::error::RulesError;
use crate::registry::{Family, FamilyRules};
use crate::rules::{RulesFile, RulesSource, Text, yes};
use crate::text::TextError;

/// The family.
pub(crate) const FAMILY: Family = Family {
    name: "walkers",
    keys: &["family", "about", "board", "start", "steps", "share", "torus"],
    required: &["steps"],
    read: &read,
    presets: &[],
};

/// Named values of `steps`.
pub(crate) const STEPS: [&str; 4] = ["orthogonal", "king", "knight", "queen"];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WalkersFile {
    #[serde(rename = "family")]
    _family: String,
    about: Option<String>,
    board: Option<Text>,
    start: Option<Text>,
    steps: Spanned<StepsFile>,
    #[serde(default = "yes")]
    share: bool,
    #[serde(default)]
    torus: bool,
}

#[derive(Deserialize)]
#[serde(
    untagged,
    expecting = "expected \"orthogonal\", \"king\", \"knight\", \"queen\" or a list such as [[1, 2], [2, 1]]"
)]
enum StepsFile {
    Named(String),
    Offsets(Vec<(i64, i64)>),
}

/// Reads a rules file.
fn read(source: RulesSource<'_>) -> Result<RulesFile, TextError> {
    let file: WalkersFile = source.read()?;
    let rules = Rules { steps: read_steps(source, &file.steps)?, share: file.share, torus: file.torus };
    let rules_file = source.rules_file(file.about, rules, file.board.as_ref(), file.start.as_ref())?;
    if rules_file.board().cells() == 1 && !file.share && file.start.is_none() {
        let span = file.board.map_or(0..0, |board| board.span());
        return Err(source.error(span, RulesError::OneTile));
    }
    Ok(rules_file)
}

fn read_steps(source: RulesSource<'_>, steps: &Spanned<StepsFile>) -> Result<Steps, TextError> {
    match steps.get_ref() {
        StepsFile::Named(name) => match name.as_str() {
            "orthogonal" => Ok(Steps::Orthogonal),
            "king" => Ok(Steps::King),
            "knight" => Ok(Steps::Knight),
            "queen" => Ok(Steps::Queen),
            other => Err(source.error(steps.span(), RulesError::OtherSteps { found: other.into() })),
        },
        StepsFile::Offsets(offsets) => {
            let small = |n: i64| i8::try_from(n).ok().filter(|n| usize::from(n.unsigned_abs()) < Board::MAX_CELLS);
            let step = |&(down, right): &(i64, i64)| match (small(down), small(right)) {
                (Some(0), Some(0)) => Err(source.error(steps.span(), RulesError::NoStep)),
                (Some(down), Some(right)) => Ok((down, right)),
                _ => Err(source.error(steps.span(), RulesError::LongStep { down, right })),
            };
            offsets.iter().map(step).collect::<Result<_, _>>().map(Steps::Offsets)
        }
    }
}

impl FamilyRules for Rules {
    fn max_cells(&self) -> usize {
        u128::CELLS
    }

    fn game_on(&self, board: Board) -> Result<AnyGame, TextError> {
        Ok(if board.cells() <= Board::MAX_CELLS {
            Walkers::<u64>::new_unchecked(self.clone(), board).into()
        } else {
            Walkers::<u128>::new_unchecked(self.clone(), board).into()
        })
    }

    fn game_at(&self, _board: Board, text: &str) -> Result<AnyGame, TextError> {
        let wide = Walkers::<u128>::from_text(self.clone(), text)?;
        if wide.board().cells() > Board::MAX_CELLS {
            return Ok(wide.into());
        }
        Walkers::<u64>::from_text(self.clone(), text).map(AnyGame::from)
    }
}
