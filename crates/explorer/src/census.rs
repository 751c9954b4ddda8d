//! All positions that play can reach, counted by outcome and remoteness.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};

use balpan::reach::{Count, values};
use balpan::{Outcome, TooLong, Value, Watch};
use balpan_games::{AnyGame, Notation, RulesFile, Task};
use balpan_strong::Tablebase;

use crate::refusal::Refusal;

/// Positions that are counted at most, and bytes for them: what takes a second or two.
pub(crate) const MOST: u64 = 600_000;
const MEMORY: usize = 128 << 20;

/// Counts that are kept.
const KEPT: usize = 64;

/// How many positions there are, for the player to move in each.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Census {
    pub(crate) wins: u64,
    pub(crate) draws: u64,
    pub(crate) losses: u64,
    /// Wins and losses by their remoteness.
    pub(crate) by_remoteness: BTreeMap<u32, (u64, u64)>,
    /// Where a file has counted: whether positions that a symmetry turns into each other are one.
    pub(crate) of_file: Option<bool>,
}

impl Census {
    /// As a strong solution counts, if there is one of the game from this position.
    pub(crate) fn from_tablebase(
        tablebase: &Tablebase,
        rules: &RulesFile,
        game: &AnyGame,
        position: &str,
    ) -> Option<Self> {
        let (counts, is_folded) = tablebase.counts(rules, game, position)?;
        let mut census = Self { of_file: Some(is_folded), ..Self::default() };
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

    /// Plies of the longest win.
    pub(crate) fn longest_win(&self) -> Option<u32> {
        self.by_remoteness.iter().rev().find(|(_, (wins, _))| *wins > 0).map(|(remoteness, _)| *remoteness)
    }
}

/// The census of a game from its start, unless `watch` ends it; `key` tells it from all others.
pub(crate) fn census(game: &AnyGame, key: String, watch: &Watch) -> Result<Arc<Census>, Refusal> {
    static COUNTED: Mutex<Option<HashMap<String, Arc<Census>>>> = Mutex::new(None);
    let kept = || COUNTED.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(census) = kept().as_ref().and_then(|kept| kept.get(&key)) {
        return Ok(Arc::clone(census));
    }
    let census = Arc::new(game.run(Tally(watch))?);
    let mut kept = kept();
    let kept = kept.get_or_insert_default();
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(key, Arc::clone(&census));
    Ok(census)
}

struct Tally<'a>(&'a Watch);

impl Task for Tally<'_> {
    type Output = Result<Census, Refusal>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let start = game.start();
        TooLong::check(game, &start).map_err(|_| Refusal::too_many_positions())?;
        let found = values(game, &start, Count::Positions, MEMORY, self.0);
        let mut census = Census::default();
        for value in found.map_err(|_| Refusal::too_many_positions())?.into_values() {
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
    fn positions_of_tic_tac_toe_are_as_many_as_is_known() {
        let game = balpan_games::presets::preset("tictactoe").unwrap().unwrap().game().unwrap();
        let counted = census(&game, "tictactoe".to_owned(), &Watch::with_limit(MOST)).unwrap();
        assert_eq!(counted.positions(), 5478);
        assert_eq!(counted.by_remoteness.values().map(|(wins, _)| wins).sum::<u64>(), counted.wins);
        assert_eq!(census(&game, "tictactoe".to_owned(), &Watch::with_limit(0)).unwrap(), counted);
        let large = balpan_games::presets::preset("connect4").unwrap().unwrap().game().unwrap();
        assert!(census(&large, "connect4".to_owned(), &Watch::with_limit(MOST)).is_err());
    }
}
