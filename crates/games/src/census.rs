//! Numbers of positions by value: the output of `census --json`.

use std::collections::BTreeMap;

use balpan::reach::{Count, GameCounts, ReachError, nimbers, values};
use balpan::{Game, Outcome, Value, Watch};
use serde::Serialize;

use crate::answer::{NimValue, is_false};

/// Numbers of positions. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Census {
    /// The name of the game.
    pub game: String,
    /// The position where play begins.
    pub position: String,
    /// Whether positions that are equal up to symmetry count once.
    pub symmetry: bool,
    /// The number of positions.
    pub positions: u64,
    /// The numbers by outcome.
    pub outcomes: OutcomeCounts,
    /// The numbers of won and lost positions by remoteness, in ascending order.
    pub remoteness: Vec<RemotenessCount>,
    /// Whether play may repeat, so that draws are play without end, too. Left out if not.
    #[serde(skip_serializing_if = "is_false")]
    pub repeats: bool,
    /// The numbers by score, in ascending order, in a game with scores; a draw is a score of 0.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub scores: Vec<ScoreCount>,
    /// The numbers by nimber or misère value, if requested.
    #[serde(flatten)]
    pub nim_values: Option<NimValueCounts>,
    /// The number of different games (ways to play), if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub games: Option<GamesReport>,
}

/// Numbers of positions by outcome for the player to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct OutcomeCounts {
    /// Won.
    pub win: u64,
    /// Drawn.
    pub draw: u64,
    /// Lost.
    pub loss: u64,
}

impl OutcomeCounts {
    /// Adds positions of an outcome.
    pub const fn add(&mut self, outcome: Outcome, count: u64) {
        match outcome {
            Outcome::Win => self.win += count,
            Outcome::Draw => self.draw += count,
            Outcome::Loss => self.loss += count,
        }
    }
}

/// The numbers of positions of one remoteness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct RemotenessCount {
    /// Plies to the end.
    pub remoteness: u32,
    /// Won for the player to move.
    pub win: u64,
    /// Lost.
    pub loss: u64,
}

/// The number of positions of one score.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct ScoreCount {
    /// The score of the player to move.
    pub score: i32,
    /// The number of positions.
    pub positions: u64,
}

/// Numbers of positions of an impartial game, in ascending order of nimber or misère value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum NimValueCounts {
    /// By nimber, for normal play.
    Nimber(Vec<NimValueCount>),
    /// By misère value, for misère play.
    MisereValue(Vec<NimValueCount>),
}

/// The number of positions of one nimber, or of one misère value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct NimValueCount {
    /// The nimber, or the misère value.
    #[serde(flatten)]
    pub value: NimValue,
    /// The number of positions.
    pub positions: u64,
}

/// The number of different games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct GamesReport {
    /// All games.
    pub total: u128,
    /// Won by the player who begins.
    pub win: u128,
    /// Drawn.
    pub draw: u128,
    /// Lost.
    pub loss: u128,
}

impl From<GameCounts> for GamesReport {
    fn from(games: GameCounts) -> Self {
        Self { total: games.total(), win: games.wins, draw: games.draws, loss: games.losses }
    }
}

/// Counts the positions that play can reach from `start`, by value.
///
/// # Errors
/// The errors of [`values`].
pub fn count_values<G: Game>(
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

/// Counts the positions that play can reach from `start`, by nimber or misère value; `None` if the game is
/// not impartial.
///
/// # Errors
/// The errors of [`nimbers`].
pub fn count_nimbers<G: Game>(
    game: &G,
    start: &G::Position,
    count: Count,
    memory: usize,
    watch: &Watch,
) -> Result<Option<NimValueCounts>, ReachError> {
    if !game.is_impartial() && !game.is_impartial_misere() {
        return Ok(None);
    }
    let mut counts = BTreeMap::<u32, u64>::new();
    for number in nimbers(game, start, count, memory, watch)?.into_values() {
        *counts.entry(number).or_default() += 1;
    }
    let rows = |nim_value: fn(u64) -> NimValue| {
        counts.iter().map(|(&of, &positions)| NimValueCount { value: nim_value(of.into()), positions }).collect()
    };
    Ok(Some(if game.is_impartial() {
        NimValueCounts::Nimber(rows(NimValue::Nimber))
    } else {
        NimValueCounts::MisereValue(rows(NimValue::MisereValue))
    }))
}

impl Census {
    /// Creates a census of the game `game` from `position`, given the numbers of positions by value.
    #[must_use]
    pub fn new(
        game: &str,
        position: String,
        symmetry: bool,
        values: &BTreeMap<Value, u64>,
        games: Option<GameCounts>,
    ) -> Self {
        let mut outcomes = OutcomeCounts::default();
        let mut rows = BTreeMap::new();
        for (value, &count) in values {
            outcomes.add(value.outcome(), count);
            if let Some(remoteness) = value.remoteness() {
                let row = rows.entry(remoteness).or_insert(RemotenessCount { remoteness, win: 0, loss: 0 });
                *(if value.outcome() == Outcome::Win { &mut row.win } else { &mut row.loss }) += count;
            }
        }
        let of_score = |(value, &positions): (&Value, &u64)| Some(ScoreCount { score: value.score()?, positions });
        let scores: Vec<_> = values.iter().filter_map(of_score).collect();
        Self {
            game: game.to_owned(),
            position,
            symmetry,
            positions: values.values().sum(),
            outcomes,
            remoteness: rows.into_values().collect(),
            repeats: false,
            scores: if scores.iter().any(|count| count.score != 0) { scores } else { Vec::new() },
            nim_values: None,
            games: games.map(GamesReport::from),
        }
    }
}
