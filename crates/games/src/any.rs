//! A game of any of the four families, and generic code that runs on it.

use crate::board::{Board, CellSet};
use crate::heaps::Heaps;
use crate::lines::Lines;
use crate::notation::Notation;
use crate::placement::Placement;
use crate::text::TextError;
use crate::walkers::Walkers;
use crate::{heaps, lines, placement, walkers};

/// A game of one of the four families, as a rules file describes it.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Tokens that walk.
    Walkers(Walkers),
    /// Walkers on a board of more than 64 cells.
    WideWalkers(Walkers<u128>),
    /// Polyominoes placed on free cells.
    Placement(Placement),
    /// Placement on a board of more than 64 cells.
    WidePlacement(Placement<u128>),
    /// Marks that make lines.
    Lines(Lines),
    /// Tokens taken from heaps.
    Heaps(Heaps),
}

/// The rules of a game, without its board.
#[derive(Clone, Copy, Debug)]
pub enum FamilyRules<'g> {
    /// Rules of walkers.
    Walkers(&'g walkers::Rules),
    /// Rules of placement games.
    Placement(&'g placement::Rules),
    /// Rules of games of lines.
    Lines(&'g lines::Rules),
    /// Rules of heap games.
    Heaps(&'g heaps::Rules),
}

/// A generic computation on a game of any family, for [`AnyGame::run`].
pub trait Task {
    /// The result.
    type Output;

    /// Runs the computation on a game.
    fn run<G: Notation>(self, game: &G) -> Self::Output;
}

impl AnyGame {
    /// Runs a task on the game.
    pub fn run<T: Task>(&self, task: T) -> T::Output {
        match self {
            Self::Walkers(game) => task.run(game),
            Self::WideWalkers(game) => task.run(game),
            Self::Placement(game) => task.run(game),
            Self::WidePlacement(game) => task.run(game),
            Self::Lines(game) => task.run(game),
            Self::Heaps(game) => task.run(game),
        }
    }

    /// Returns the game's rules.
    #[must_use]
    pub const fn rules(&self) -> FamilyRules<'_> {
        match self {
            Self::Walkers(game) => FamilyRules::Walkers(game.rules()),
            Self::WideWalkers(game) => FamilyRules::Walkers(game.rules()),
            Self::Placement(game) => FamilyRules::Placement(game.rules()),
            Self::WidePlacement(game) => FamilyRules::Placement(game.rules()),
            Self::Lines(game) => FamilyRules::Lines(game.rules()),
            Self::Heaps(game) => FamilyRules::Heaps(game.rules()),
        }
    }

    /// Returns the board; `None` for games that have none.
    #[must_use]
    pub fn board(&self) -> Option<Board> {
        match self {
            Self::Walkers(game) => Some(game.board()),
            Self::WideWalkers(game) => Some(game.board()),
            Self::Placement(game) => Some(game.board()),
            Self::WidePlacement(game) => Some(game.board()),
            Self::Lines(game) => Some(game.board()),
            Self::Heaps(_) => None,
        }
    }

    /// Returns the board's size or the start, as [`Notation::size`].
    #[must_use]
    pub fn size(&self) -> String {
        struct Size;

        impl Task for Size {
            type Output = String;

            fn run<G: Notation>(self, game: &G) -> String {
                game.size()
            }
        }

        self.run(Size)
    }
}

/// The rules of any family.
#[derive(Clone, Debug)]
pub(crate) enum AnyRules {
    Walkers(walkers::Rules),
    Placement(placement::Rules),
    Lines(lines::Rules),
    /// The game from the start that its file names.
    Heaps(Heaps),
}

impl AnyRules {
    /// The largest number of cells that a board may have.
    pub(crate) const fn most_cells(&self) -> usize {
        match self {
            Self::Walkers(_) | Self::Placement(_) => u128::CELLS,
            Self::Lines(_) | Self::Heaps(_) => Board::MAX_CELLS,
        }
    }

    /// Returns the game from the family's usual start on `board`. Heap games have no board and ignore it.
    pub(crate) fn game_on(&self, board: Board) -> AnyGame {
        match self {
            Self::Walkers(rules) if board.cells() <= Board::MAX_CELLS => {
                AnyGame::Walkers(Walkers::new_unchecked(rules.clone(), board))
            }
            Self::Walkers(rules) => AnyGame::WideWalkers(Walkers::new_unchecked(rules.clone(), board)),
            Self::Placement(rules) if board.cells() <= Board::MAX_CELLS => {
                AnyGame::Placement(Placement::new_unchecked(rules.clone(), board))
            }
            Self::Placement(rules) => AnyGame::WidePlacement(Placement::new_unchecked(rules.clone(), board)),
            Self::Lines(rules) => AnyGame::Lines(Lines::new_unchecked(*rules, board)),
            Self::Heaps(game) => AnyGame::Heaps(game.clone()),
        }
    }

    /// Returns the game from the position in `text`. `board` is the board of texts that show none, such as
    /// columns played.
    pub(crate) fn game_at(&self, board: Board, text: &str) -> Result<AnyGame, TextError> {
        match self {
            Self::Walkers(rules) => {
                let wide = Walkers::from_text(rules.clone(), text)?;
                if wide.board().cells() > Board::MAX_CELLS {
                    return Ok(AnyGame::WideWalkers(wide));
                }
                Walkers::from_text(rules.clone(), text).map(AnyGame::Walkers)
            }
            Self::Placement(rules) => {
                let wide = Placement::from_text(rules.clone(), text)?;
                if wide.board().cells() > Board::MAX_CELLS {
                    return Ok(AnyGame::WidePlacement(wide));
                }
                Placement::from_text(rules.clone(), text).map(AnyGame::Placement)
            }
            Self::Lines(rules) => Lines::from_text(*rules, board, text).map(AnyGame::Lines),
            Self::Heaps(game) => Heaps::from_text(game.rules().clone(), text).map(AnyGame::Heaps),
        }
    }
}
