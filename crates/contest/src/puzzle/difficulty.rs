//! The difficulty of a puzzle for people, who compare the moves that look equally good.

use std::fmt;

use balpan::{Outcome, Solution, Verdict};
use balpan_pictures::puzzle::Level;
use serde::{Serialize, Serializer};

use super::rank::Wrong;

/// A puzzle that needs no thought, and why. As JSON, the words are part of the command's
/// contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub enum Label {
    /// The winning move ends play.
    #[serde(rename = "at once")]
    AtOnce,
    /// Every other move loses within two plies: the winning move stops that.
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

/// How hard a puzzle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difficulty {
    /// Why it needs no thought, if it needs none.
    pub label: Option<Label>,
    /// How many wrong moves look as good as the winning one, for they do not lose within
    /// two plies.
    pub alike: u32,
    /// How many plies the deepest refutation takes, of those among them that look better
    /// at a glance ([`Wrong::natural`]); a draw as many as the win; 0 if there are none.
    pub deepest: u32,
    /// The sum: 0 for a puzzle with a label; else the winner's moves after the first, a
    /// point for each doubling of the moves that look as good, and the refuter's moves in
    /// the deepest refutation.
    pub points: u32,
}

impl Difficulty {
    pub(super) fn new<M>(solution: &Solution<M>, wrong: &[Wrong<M>]) -> Self {
        let way = solution.verdict.remoteness.unwrap_or(0);
        let is_alike = |wrong: &&Wrong<M>| !loses_soon(wrong.verdict);
        let alike = wrong.iter().filter(is_alike).count() as u32;
        let depth = |wrong: &Wrong<M>| wrong.verdict.remoteness.unwrap_or(way);
        let deepest = wrong.iter().filter(is_alike).filter(|wrong| wrong.natural).map(depth).max().unwrap_or(0);
        let label = match (way, alike) {
            (0..=1, _) => Some(Label::AtOnce),
            (_, 0) => Some(Label::Forced),
            _ => None,
        };
        // 1 for one move that looks as good, 2 for three, 3 for seven: with the winning
        // move, two, four and eight to choose from.
        let doublings = (alike + 1).ilog2();
        let points = if label.is_some() { 0 } else { way.saturating_sub(1) / 2 + doublings + deepest.div_ceil(2) };
        Self { label, alike, deepest, points }
    }

    /// The points in a word.
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

/// Whether a move loses at once, or to the reply.
fn loses_soon(verdict: Verdict) -> bool {
    verdict.outcome == Outcome::Loss && verdict.remoteness.is_some_and(|plies| plies <= 2)
}

/// A level as programs read it.
pub(super) fn in_words<S: Serializer>(level: &Level, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(level.name())
}
