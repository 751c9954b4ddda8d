//! The puzzles: positions with exactly one winning move, from a file written with `balpan puzzle`.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::link::Link;

/// Each line has the plies to the win, the level, and the position's address.
const FILE: &str = include_str!("../puzzles.txt");

const SECONDS_PER_DAY: u64 = 86_400;

/// A puzzle.
#[derive(Debug)]
pub(crate) struct Puzzle {
    /// Plies to the win.
    pub(crate) plies: u32,
    pub(crate) level: Level,
    /// The game and the position.
    pub(crate) link: Link,
}

/// How hard it is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Level {
    Easy,
    Medium,
    Hard,
    VeryHard,
}

impl Level {
    fn from_word(word: &str) -> Option<Self> {
        match word {
            "easy" => Some(Self::Easy),
            "medium" => Some(Self::Medium),
            "hard" => Some(Self::Hard),
            "very-hard" => Some(Self::VeryHard),
            _ => None,
        }
    }
}

/// Returns all puzzles by number.
pub(crate) fn puzzles() -> &'static [Puzzle] {
    static PUZZLES: LazyLock<Vec<Puzzle>> = LazyLock::new(|| FILE.lines().filter_map(parse).collect());
    &PUZZLES
}

/// Parses a line; `None` for comments and blank lines.
fn parse(line: &str) -> Option<Puzzle> {
    let (plies, rest) = line.split_once(' ')?;
    let (level, address) = rest.split_once(" /play/")?;
    let (game, query) = address.split_once('?')?;
    let link = Link::parse(game, query, &[]).ok()?;
    Some(Puzzle { plies: plies.parse().ok()?, level: Level::from_word(level)?, link })
}

/// Returns the number, from 0, of the puzzle of the day, which changes at midnight UTC.
pub(crate) fn today() -> usize {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    (since.as_secs() / SECONDS_PER_DAY) as usize % puzzles().len().max(1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::{Budget, Outcome, Watch};
    use balpan_games::presets::preset;
    use balpan_games::{EngineCache, EngineOptions, Query};

    use super::*;

    #[test]
    fn every_puzzle_has_one_winning_move_and_the_stated_plies() {
        let lines = FILE.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        assert_eq!(lines.count(), puzzles().len());
        assert!(puzzles().len() >= 60);
        for Puzzle { plies, link, .. } in puzzles() {
            let rules = preset(&link.game).unwrap().unwrap();
            let mut engines = EngineCache::new(rules, EngineOptions::new(Budget { memory: 1 << 26, threads: 1 }));
            let at = link.at.as_deref().unwrap();
            let question = Query { goal: Some(balpan::Goal::MoveValues), nim_value: false };
            let answer = engines.ask(at, question, &Watch::default(), &mut |_| {}).unwrap();
            assert_eq!((answer.outcome, answer.remoteness), (Some(Outcome::Win), Some(*plies)), "{at}");
            let winning = answer.moves.iter().filter(|mv| mv.outcome == Some(Outcome::Win)).count();
            assert_eq!(winning, 1, "{} {at}", link.game);
        }
    }
}
