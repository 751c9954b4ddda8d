//! Puzzles: positions with exactly one winning move, a long way to the win, and other moves
//! that look good.
//!
//! If few positions can be reached from the start, all of them are examined, up to symmetry.
//! Otherwise positions are sampled, the same ones for the same seed and the same memory. The
//! claims about a puzzle are exact either way.

mod chance;
mod claim;
mod difficulty;
mod plies;
mod rank;
mod report;
mod search;
mod thin;
mod walk;

use balpan::{EngineError, Game, Solution, Watch};
use balpan_games::{AnyGame, KnownOf};
use serde::Serialize;

pub use chance::Puzzling;
pub use difficulty::{Difficulty, Label};
pub use plies::{Plies, PliesError};
pub use rank::{Rank, Wrong};
pub use report::{MoveReport, PuzzleReport, Puzzles};
pub use search::find;

/// Which puzzles are asked for, and what may be spent on them.
#[derive(Clone, Debug)]
pub struct PuzzleQuery {
    /// The plies to the win.
    pub plies: Plies,
    /// How many of the best to return; `None` for all, or for [`USUAL`](Self::USUAL)
    /// where positions are taken at random.
    pub most: Option<usize>,
    /// Whether those are wanted, too, that need no thought ([`Label`]) or that are nearly the
    /// same as a better one: one move or one cell away from it, on its line, or with the
    /// same line.
    pub all: bool,
    /// Whether positions are taken at random even where all that play can reach are few:
    /// chance comes to others, too.
    pub by_chance: bool,
    /// What chance begins with.
    pub seed: u64,
    /// Positions that are tried at random; `None` for no end but the watch's.
    pub tries: Option<u64>,
    /// Bytes for the solver's table. With another table, a position that was given up as
    /// too hard may be solved, so that chance goes on otherwise.
    pub memory: usize,
    /// Who knows values of the game, if anybody does: chance then tries more.
    pub known: Option<KnownOf>,
}

impl PuzzleQuery {
    /// A sheet of puzzles.
    pub const USUAL: usize = 12;
}

/// A position with exactly one winning move among two or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle<P, M> {
    /// The position, in its canonical form.
    pub position: P,
    /// Its value, that of every move, and a best line, which begins with the winning move.
    pub solution: Solution<M>,
    /// The winning move.
    pub winning: M,
    /// All other moves, and what speaks for each.
    pub wrong: Vec<Wrong<M>>,
    /// How good a puzzle it is.
    pub rank: Rank,
    /// How hard it is for people.
    pub difficulty: Difficulty,
}

/// A puzzle in a game.
pub type PuzzleIn<G> = Puzzle<<G as Game>::Position, <G as Game>::Move>;

/// Where puzzles were looked for. As JSON, the words are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Examined {
    /// At all positions that play can reach from the start, up to symmetry.
    Everywhere,
    /// At some of these: the search was to go on, and was told to stop.
    Stopped,
    /// At random positions.
    Chance,
}

/// The puzzles that were found, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found<P, M> {
    /// Where they were looked for.
    pub search: Examined,
    /// How many positions were looked at.
    pub tried: u64,
    /// How many puzzles were left out, as [`PuzzleQuery::all`] was not set, where positions were
    /// not taken at random.
    pub left_out: Option<usize>,
    /// The puzzles, of which no two differ only in cells that no move can come to.
    pub puzzles: Vec<Puzzle<P, M>>,
}

/// The puzzles of a game, whatever its family, as text; `name` is what the game is called.
///
/// If `watch` says to stop, what was found until then is the result.
///
/// # Errors
/// If play may last too long for a search.
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::puzzle::{PuzzleQuery, Plies, puzzles};
/// use balpan_games::presets::preset;
///
/// let game = preset("tictactoe").expect("a preset")?.game()?;
/// let asked = PuzzleQuery { plies: Plies::at_least(5), most: None, all: false, by_chance: false, seed: 1, tries: None, memory: 1 << 20, known: None };
/// let found = puzzles(&game, "tictactoe", &asked, &Watch::default())?;
/// assert!(found.exhaustive);
/// assert_eq!(found.puzzles[0].remoteness, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn puzzles(game: &AnyGame, name: &str, asked: &PuzzleQuery, watch: &Watch) -> Result<Puzzles, EngineError> {
    fn report<G: Puzzling>(game: &G, name: &str, asked: &PuzzleQuery, watch: &Watch) -> Result<Puzzles, EngineError> {
        Ok(Puzzles::new(game, name, &find(game, asked, watch)?))
    }

    match game {
        AnyGame::Walkers(game) => report(game, name, asked, watch),
        AnyGame::WideWalkers(game) => report(game, name, asked, watch),
        AnyGame::Placement(game) => report(game, name, asked, watch),
        AnyGame::WidePlacement(game) => report(game, name, asked, watch),
        AnyGame::Lines(game) => report(game, name, asked, watch),
        AnyGame::Heaps(game) => report(game, name, asked, watch),
    }
}
