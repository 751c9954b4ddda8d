//! Numbers of positions by value: what `census --json` prints.

use std::collections::BTreeMap;

use balpan::reach::{Count, Games, ReachError, values};
use balpan::{Keyed, Outcome, Value, Watch};
use serde::Serialize;

/// Numbers of positions. As JSON, the field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The name of the game.
    pub game: String,
    /// The position that play begins in.
    pub position: String,
    /// Whether positions that a symmetry turns into each other count once.
    pub symmetry: bool,
    /// The number of positions.
    pub positions: u64,
    /// The numbers by outcome.
    pub outcomes: Outcomes,
    /// The numbers of won and lost positions by remoteness, the least first.
    pub remoteness: Vec<OfRemoteness>,
    /// The number of different games, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<GamesPlayed>,
}

/// Numbers by outcome for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outcomes {
    /// Won.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
}

/// The numbers of positions of one remoteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct OfRemoteness {
    /// Plies to the end.
    pub remoteness: u32,
    /// Won for the player to move.
    pub win: u64,
    /// Lost.
    pub loss: u64,
}

/// The number of different games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GamesPlayed {
    /// In all.
    pub total: u128,
    /// Won by the player who begins.
    pub win: u128,
    /// Drawn.
    pub draw: u128,
    /// Lost.
    pub loss: u128,
}

impl From<Games> for GamesPlayed {
    fn from(games: Games) -> Self {
        Self { total: games.total(), win: games.wins, draw: games.draws, loss: games.losses }
    }
}

/// The number of positions of each value that play can reach from `start`.
///
/// # Errors
/// As [`values`].
pub fn count_values<G: Keyed>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
) -> Result<BTreeMap<Value, u64>, ReachError> {
    let mut counts = BTreeMap::new();
    for value in values(game, start, count, memory, watch)?.into_values() {
        *counts.entry(value).or_default() += 1;
    }
    Ok(counts)
}

impl Census {
    /// The number of positions of each value, in the game of this name from this position.
    #[must_use]
    pub fn new(
        game: &str,
        position: String,
        symmetry: bool,
        values: &BTreeMap<Value, u64>,
        games: Option<Games>,
    ) -> Self {
        let mut outcomes = Outcomes::default();
        let mut rows = BTreeMap::new();
        for (value, &count) in values {
            match value.outcome() {
                Outcome::Win => outcomes.win += count,
                Outcome::Draw => outcomes.draw += count,
                Outcome::Loss => outcomes.loss += count,
            }
            if let Some(remoteness) = value.remoteness() {
                let row = rows.entry(remoteness).or_insert(OfRemoteness { remoteness, win: 0, loss: 0 });
                *(if value.outcome() == Outcome::Win { &mut row.win } else { &mut row.loss }) += count;
            }
        }
        Self {
            game: game.to_owned(),
            position,
            symmetry,
            positions: values.values().sum(),
            outcomes,
            remoteness: rows.into_values().collect(),
            games: games.map(GamesPlayed::from),
        }
    }
}
