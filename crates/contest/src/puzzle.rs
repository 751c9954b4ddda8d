//! Puzzles: positions with exactly one winning move, a long way to the win, and tempting other moves.
//!
//! If few positions can be reached from the start, all of them are examined, up to symmetry. Otherwise
//! positions are sampled; the seed and the memory determine the sample. The claims about a puzzle are
//! exact either way.

mod checker;
mod ply_range;
mod ranking;
mod report;
mod search;

use balpan::{EngineError, Game, Solution, Watch};
use balpan_games::{AnyGame, FamilyGame, SizedOracle, Task};
use serde::Serialize;

pub use ply_range::{PlyRange, PlyRangeError};
pub use ranking::{Difficulty, Label, Rank, WrongMove};
pub use report::{MoveReport, PuzzleReport, Puzzles};
pub use search::find_puzzles;

/// A search for puzzles: its conditions and its budget.
#[derive(Clone, Debug)]
pub struct PuzzleQuery {
    /// The range of plies to the win.
    pub plies: PlyRange,
    /// The number of best puzzles to return; `None` for all, or for
    /// [`DEFAULT_LIMIT`](Self::DEFAULT_LIMIT) if positions are sampled.
    pub limit: Option<usize>,
    /// Whether to return puzzles that need no thought ([`Label`]) or that are nearly the same as a
    /// better one: one move or one cell away from it, on its line, or with the same line.
    pub all: bool,
    /// Whether to sample even if few positions can be reached. Sampled positions need not be reachable.
    pub sample: bool,
    /// The seed of the sample.
    pub seed: u64,
    /// The number of positions to sample; `None` to sample until the watch stops.
    pub tries: Option<u64>,
    /// Memory of the solver's table in bytes. With a larger table, a position that was too hard may be
    /// solved, and the sample differs from there on.
    pub memory: usize,
    /// A source of exact values, if there is one: more positions can then be sampled.
    pub oracle: Option<SizedOracle>,
}

impl PuzzleQuery {
    /// The default limit of a sample: one sheet of puzzles.
    pub const DEFAULT_LIMIT: usize = 12;
}

/// A position with exactly one winning move among two or more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle<P, M> {
    /// The position, in its canonical form.
    pub position: P,
    /// The values of the position and of every move, and a best line, which begins with the winning move.
    pub solution: Solution<M>,
    /// The winning move.
    pub winning: M,
    /// All other moves, with the signs that make them tempting.
    pub wrong: Vec<WrongMove<M>>,
    /// The quality of the puzzle.
    pub rank: Rank,
    /// The difficulty for people.
    pub difficulty: Difficulty,
}

/// A puzzle of a game.
pub type PuzzleIn<G> = Puzzle<<G as Game>::Position, <G as Game>::Move>;

/// The positions in which puzzles were looked for. The names in JSON are part of the command's contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchScope {
    /// All positions that play can reach from the start, up to symmetry.
    Everywhere,
    /// Some of these, because the watch stopped the search.
    Stopped,
    /// Random positions.
    Chance,
}

/// The puzzles of a search, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PuzzleSet<P, M> {
    /// The positions in which they were looked for.
    pub search: SearchScope,
    /// The number of positions examined.
    pub tried: u64,
    /// The number of puzzles that only [`PuzzleQuery::all`] would return; `None` for a sample.
    pub left_out: Option<usize>,
    /// The puzzles. No two differ only in cells that no move can reach.
    pub puzzles: Vec<Puzzle<P, M>>,
}

/// Finds the puzzles of a game of any family, as text. `name` is the game's name in the report.
///
/// If `watch` stops the search, the result has the puzzles found up to there.
///
/// # Errors
/// If play may last too long for a search.
///
/// ```
/// use balpan::Watch;
/// use balpan_contest::puzzle::{PuzzleQuery, PlyRange, puzzles};
/// use balpan_games::presets::preset;
///
/// let game = preset("tictactoe").expect("a preset")?.game()?;
/// let query = PuzzleQuery { plies: PlyRange::at_least(5), limit: None, all: false, sample: false, seed: 1, tries: None, memory: 1 << 20, oracle: None };
/// let found = puzzles(&game, "tictactoe", &query, &Watch::default())?;
/// assert!(found.exhaustive);
/// assert_eq!(found.puzzles[0].remoteness, 5);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn puzzles(game: &AnyGame, name: &str, query: &PuzzleQuery, watch: &Watch) -> Result<Puzzles, EngineError> {
    game.run(FindPuzzles { game, name, query, watch })
}

struct FindPuzzles<'q> {
    game: &'q AnyGame,
    name: &'q str,
    query: &'q PuzzleQuery,
    watch: &'q Watch,
}

impl Task for FindPuzzles<'_> {
    type Output = Result<Puzzles, EngineError>;

    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        Ok(Puzzles::new(game, self.name, &search::search(self.game, game, self.query, self.watch)?))
    }
}
