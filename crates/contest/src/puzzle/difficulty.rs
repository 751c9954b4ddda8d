//! The difficulty of a puzzle for people, who compare the moves that look good.

use std::fmt;

use balpan::{Outcome, Solution, Verdict};
use balpan_pictures::puzzle::Level;
use serde::{Serialize, Serializer};

use super::ranking::WrongMove;

/// The reason why a puzzle needs no thought. The names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Label {
    /// The winning move ends the game.
    #[serde(rename = "at once")]
    AtOnce,
    /// Every other move loses within two plies.
    #[serde(rename = "forced")]
    Forced,
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AtOnce => "at once",
            Self::Forced => "forced",
        })
    }
}

/// The difficulty of a puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// The reason why the puzzle needs no thought, if there is one.
    pub label: Option<Label>,
    /// The number of wrong moves that look as good as the winning one: they do not lose within two plies.
    pub alike: u32,
    /// The plies of the deepest refutation among those of these moves that look better than the winning
    /// one ([`WrongMove::natural`]); a draw counts as the win's plies; 0 if there are none.
    pub deepest: u32,
    /// The difficulty in points: 0 for a puzzle with a label; otherwise the winner's moves after the first,
    /// plus one for each doubling of the moves that look good, plus the opponent's moves in the deepest
    /// refutation.
    pub points: u32,
}

impl Difficulty {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[WrongMove<M>]) -> Self {
        let win_plies = solution.verdict.remoteness.unwrap_or(0);
        let is_alike = |wrong: &&WrongMove<M>| !loses_soon(wrong.verdict);
        let alike = wrong.iter().filter(is_alike).count() as u32;
        let depth = |wrong: &WrongMove<M>| wrong.verdict.remoteness.unwrap_or(win_plies);
        let deepest = wrong.iter().filter(is_alike).filter(|wrong| wrong.natural).map(depth).max().unwrap_or(0);
        let label = match (win_plies, alike) {
            (0..=1, _) => Some(Label::AtOnce),
            (_, 0) => Some(Label::Forced),
            _ => None,
        };
        // With the winning move there are two, four or eight moves to choose from: 1, 2 or 3.
        let doublings = (alike + 1).ilog2();
        let points =
            if label.is_some() { 0 } else { win_plies.saturating_sub(1) / 2 + doublings + deepest.div_ceil(2) };
        Self { label, alike, deepest, points }
    }

    /// Returns the level of the points.
    #[must_use]
    pub const fn level(&self) -> Level {
        match self.points {
            0..=3 => Level::Easy,
            4..=7 => Level::Medium,
            8..=12 => Level::Hard,
            _ => Level::VeryHard,
        }
    }
}

/// Whether a move loses within two plies.
fn loses_soon(verdict: Verdict) -> bool {
    verdict.outcome == Outcome::Loss && verdict.remoteness.is_some_and(|plies| plies <= 2)
}

/// Serializes a level as its name.
pub(super) fn serialize_level<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}
