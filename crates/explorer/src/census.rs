//! Counts of all positions that play can reach, by outcome and remoteness.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use balpan::reach::{Count, values};
use balpan::{Outcome, TooLong, Value, Watch};
use balpan_games::{AnyGame, Notation, RulesFile, Task};
use balpan_strong::Tablebase;

use crate::refusal::RequestError;

/// The largest count, and the bytes of its table: both take a second or two.
pub(crate) const MAX_POSITIONS: u64 = 600_000;
const MEMORY_BYTES: usize = 128 << 20;

/// Cached counts.
const MAX_CACHED: usize = 64;

/// The number of positions by their outcome for the player to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Wins and losses by their remoteness.
    pub(crate) by_remoteness: BTreeMap<u32, (u64, u64)>,
    /// For the count of a strong solution, whether it counts symmetric positions as one.
    pub(crate) is_folded: Option<bool>,
}

impl Census {
    /// Reads the count of a strong solution, if the tablebase has one of the game from this position.
    pub(crate) fn from_tablebase(
        tablebase: &Tablebase,
        rules: &RulesFile,
        game: &AnyGame,
        position: &str,
    ) -> Option<Self> {
        let (counts, is_folded) = tablebase.counts(rules, game, position)?;
        let mut census = Self { is_folded: Some(is_folded), ..Self::default() };
        counts.into_iter().for_each(|(value, count)| census.add(value, count));
        Some(census)
    }

    fn add(&mut self, value: Value, count: u64) {
        match value.outcome() {
            Outcome::Win => self.wins += count,
            Outcome::Draw => self.draws += count,
            Outcome::Loss => self.losses += count,
        }
        if let Some(remoteness) = value.remoteness() {
            let (wins, losses) = self.by_remoteness.entry(remoteness).or_default();
            *(if value.outcome() == Outcome::Win { wins } else { losses }) += count;
        }
    }

    pub(crate) fn positions(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The plies of the longest win.
    pub(crate) fn longest_win(&self) -> Option<u32> {
        self.by_remoteness.iter().rev().find(|(_, (wins, _))| *wins > 0).map(|(remoteness, _)| *remoteness)
    }
}

/// Counts the positions of a game from its start. `key` identifies the game in the cache.
///
/// # Errors
/// If there are too many positions, or `watch` stops the count.
pub(crate) fn census(game: &AnyGame, key: String, watch: &Watch) -> Result<Arc<Census>, RequestError> {
    static CACHE: Mutex<Option<HashMap<String, Arc<Census>>>> = Mutex::new(None);
    let cache = || CACHE.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(census) = cache().as_ref().and_then(|cache| cache.get(&key)) {
        return Ok(Arc::clone(census));
    }
    let census = Arc::new(game.run(Tally(watch))?);
    let mut cache = cache();
    let cache = cache.get_or_insert_default();
    if cache.len() >= MAX_CACHED {
        cache.clear();
    }
    cache.insert(key, Arc::clone(&census));
    Ok(census)
}

struct Tally<'a>(&'a Watch);

impl Task for Tally<'_> {
    type Output = Result<Census, RequestError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let start = game.start();
        TooLong::check(game, &start).map_err(|_| RequestError::too_many_positions())?;
        let found = values(game, &start, Count::Positions, MEMORY_BYTES, self.0);
        let mut census = Census::default();
        for value in found.map_err(|_| RequestError::too_many_positions())?.into_values() {
            census.add(value, 1);
        }
        Ok(census)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn tic_tac_toe_has_5478_positions() {
        let game = balpan_games::presets::preset("tictactoe").unwrap().unwrap().game().unwrap();
        let counted = census(&game, "tictactoe".to_owned(), &Watch::with_limit(MAX_POSITIONS)).unwrap();
        assert_eq!(counted.positions(), 5478);
        assert_eq!(counted.by_remoteness.values().map(|(wins, _)| wins).sum::<u64>(), counted.wins);
        assert_eq!(census(&game, "tictactoe".to_owned(), &Watch::with_limit(0)).unwrap(), counted);
        let large = balpan_games::presets::preset("connect4").unwrap().unwrap().game().unwrap();
        assert!(census(&large, "connect4".to_owned(), &Watch::with_limit(MAX_POSITIONS)).is_err());
    }
}
