//! Counting the positions that play can reach, and reviewing a game that was played.

use balpan::reach::{Count, ReachError, count_games};
use balpan::{Stopped, TooLong, Watch};
use balpan_games::census::{Census, count_nimbers, count_values};
use balpan_games::{Answer, AnyGame, Notation, Record, Review, Task};
use thiserror::Error;

/// A count of the positions that play can reach from a game's start.
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
    /// The ways to play were to be counted, and play may repeat.
    #[error("there is no number of ways to play: play may go on for ever")]
    EndlessPlay,
    /// The positions were not all counted.
    #[error(transparent)]
    Unfinished(#[from] ReachError),
}

impl CensusQuery<'_> {
    /// Counts the positions.
    ///
    /// # Errors
    /// If nimbers or ways to play are to be counted and the game has none, if there are too many positions, or if the watch
    /// stops the count.
    pub fn count(self, game: &AnyGame) -> Result<Census, CensusError> {
        game.run(CountPositions(self))
    }
}

struct CountPositions<'a>(CensusQuery<'a>);

impl Task for CountPositions<'_> {
    type Output = Result<Census, CensusError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let CensusQuery { name, symmetry, nimbers, games, memory, watch } = self.0;
        let start = game.start();
        if nimbers && !game.is_impartial() && !game.is_impartial_misere() {
            return Err(CensusError::NotImpartial);
        }
        if games && game.may_repeat() {
            return Err(CensusError::EndlessPlay);
        }
        TooLong::check(game, &start).map_err(|e| ReachError::Stopped(Stopped::TooLong(e)))?;
        let count = if symmetry { Count::Classes } else { Count::Positions };
        let values = count_values(game, &start, count, memory, watch)?;
        let nim_values = if nimbers { count_nimbers(game, &start, count, memory, watch)? } else { None };
        let games = if games { count_games(game, &start, memory, watch)? } else { None };
        Ok(Census {
            nim_values,
            repeats: game.may_repeat(),
            ..Census::new(name, game.text(&start), symmetry, &values, games)
        })
    }
}

/// Reviews a game. `solve` answers one position; it returns `None` where it was stopped, and is not asked again. `rules` are
/// those that differ from the preset's.
///
/// # Errors
/// The errors of `solve`.
pub fn review<E>(
    name: &str,
    rules: Vec<String>,
    record: &Record,
    mut solve: impl FnMut(&str) -> Result<Option<Answer>, E>,
) -> Result<Review, E> {
    let mut answers = vec![None; record.positions.len()];
    // From the end: results of later positions speed up earlier ones, which take longer.
    for (ply, position) in record.positions.iter().enumerate().rev() {
        if record.end.is_some() && ply == record.moves.len() {
            continue;
        }
        match solve(position)? {
            Some(answer) => answers[ply] = Some(answer),
            None => break,
        }
    }
    let answers: Vec<_> = answers.iter().map(Option::as_ref).collect();
    Ok(Review::new(name, rules, record, &answers))
}
