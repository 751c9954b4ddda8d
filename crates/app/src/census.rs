//! Counting the positions that play can reach.

use balpan::reach::{Count, ReachError, count_games};
use balpan::{Stopped, TooLong, Watch};
use balpan_games::census::{Census, count_nimbers, count_values};
use balpan_games::{Notation, Task};
use thiserror::Error;

/// A count of the positions that play can reach from a game's start. A [`Task`] of the game, whose result is a [`Census`].
#[derive(Clone, Copy, Debug)]
pub struct CensusQuery<'a> {
    /// The game's name.
    pub name: &'a str,
    /// Whether positions that are equal up to symmetry count once.
    pub symmetry: bool,
    /// Whether positions are counted by nimber or misère value, too: those of impartial games.
    pub nimbers: bool,
    /// Whether the ways to play are counted, too. There is no number beyond 2^128.
    pub games: bool,
    /// The memory in bytes.
    pub memory: usize,
    /// Stops the count.
    pub watch: &'a Watch,
}

/// Why there is no census.
#[derive(Debug, Error)]
pub enum CensusError {
    /// Nimbers were asked for, and the game is not impartial.
    #[error("only impartial games have nimbers")]
    NotImpartial,
    /// The positions were not all counted.
    #[error(transparent)]
    Unfinished(#[from] ReachError),
}

impl Task for CensusQuery<'_> {
    type Output = Result<Census, CensusError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { name, symmetry, nimbers, games, memory, watch } = self;
        let start = game.start();
        if nimbers && !game.is_impartial() && !game.is_impartial_misere() {
            return Err(CensusError::NotImpartial);
        }
        TooLong::check(game, &start).map_err(|e| ReachError::Stopped(Stopped::TooLong(e)))?;
        let count = if symmetry { Count::Classes } else { Count::Positions };
        let values = count_values(game, &start, count, memory, watch)?;
        let nim_values = if nimbers { count_nimbers(game, &start, count, memory, watch)? } else { None };
        let games = if games { count_games(game, &start, memory, watch)? } else { None };
        Ok(Census { nim_values, ..Census::new(name, game.text(&start), symmetry, &values, games) })
    }
}
