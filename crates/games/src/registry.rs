//! The families: how their rules files are read, and the list of all.

use std::fmt;
use std::sync::{PoisonError, RwLock};

use crate::answer::Answer;
use crate::any::{AnyGame, Task};
use crate::board::Board;
use crate::rules::{RulesFile, RulesSource};
use crate::text::TextError;
use crate::{heaps, language, lines, pile, placement, row, walkers};

/// A family of games.
#[derive(Clone, Copy)]
pub struct Family {
    /// The name, which is the value of `family` in rules files.
    pub name: &'static str,
    /// The keys of its rules files: `family`, `about`, `board` and `start` among them, if it has those.
    pub keys: &'static [&'static str],
    /// The required keys beside `family`.
    pub required: &'static [&'static str],
    /// Reads a rules file.
    pub read: &'static (dyn Fn(RulesSource<'_>) -> Result<RulesFile, TextError> + Sync),
    /// The name and the rules file of each of its presets, for a [registered](register) family.
    pub presets: &'static [(&'static str, &'static str)],
}

impl fmt::Debug for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Family({})", self.name)
    }
}

/// The rules in a file, from which games on boards are made.
pub trait FamilyRules: fmt::Debug + Send + Sync {
    /// Returns the largest number of cells that a board may have.
    fn max_cells(&self) -> usize {
        Board::MAX_CELLS
    }

    /// Whether games have a board. Other games are known by their start, and `board` has no meaning.
    fn has_board(&self) -> bool {
        true
    }

    /// Returns the game from the family's usual start on `board`.
    ///
    /// # Errors
    /// If the rules do not fit the board.
    fn game_on(&self, board: Board) -> Result<AnyGame, TextError>;

    /// Returns the game from the position in `text`. `board` is the board of texts that show none, such as columns
    /// played.
    ///
    /// # Errors
    /// If the text is not a position of such a game.
    fn game_at(&self, board: Board, text: &str) -> Result<AnyGame, TextError>;

    /// Returns what is in the file to no effect, of the game from its first position.
    fn warnings(&self, _game: &AnyGame) -> Vec<TextError> {
        Vec::new()
    }

    /// Returns the answer about a position that is too large for a search and has a theory; `None` for all others.
    fn large_answer(&self, _text: &str) -> Option<Result<Answer, TextError>> {
        None
    }
}

/// Lists the families with the types of games that tasks are compiled for.
macro_rules! families {
    ($($family:ident: $($game:ty),*;)+) => {
        const FAMILIES: &[&Family] = &[$(&$family::FAMILY),+];

        impl AnyGame {
            /// Runs a task on the game, compiled for its type if that is in the list of families.
            pub fn run<T: Task>(&self, task: T) -> T::Output {
                // Tests within this crate run tasks on erased games: to compile tasks for each type again takes minutes.
                $($(#[cfg(not(test))]
                if let Some(game) = self.downcast_ref::<$game>() {
                    return task.run(game);
                })*)+
                task.run(&self.erased())
            }
        }
    };
}

families! {
    walkers: walkers::Walkers<u64>, walkers::Walkers<u128>;
    placement: placement::Placement<u64>, placement::Placement<u128>;
    lines: lines::Lines;
    heaps: heaps::Heaps;
    // Little is searched of these two: of rows no scores, and of piles no winners.
    row: ;
    pile: ;
    // Tasks on boards of more than 64 cells run on the erased game.
    language: language::BoardGame;
}

static REGISTERED: RwLock<Vec<&'static Family>> = RwLock::new(Vec::new());

/// Adds a family for the rest of the process: its rules files are read and its presets are found from now on. A family
/// of the same name is replaced, unless it is one of the library's own.
pub fn register(family: &'static Family) {
    let mut registered = REGISTERED.write().unwrap_or_else(PoisonError::into_inner);
    registered.retain(|other| other.name != family.name);
    registered.push(family);
}

/// Returns all families, the library's own first.
#[must_use]
pub fn families() -> Vec<&'static Family> {
    let registered = REGISTERED.read().unwrap_or_else(PoisonError::into_inner);
    FAMILIES.iter().chain(&*registered).copied().collect()
}
