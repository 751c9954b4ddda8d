//! A game of any of the four families, and generic code that runs on it.

use crate::board::{Board, CellSet};
use crate::heaps::Heaps;
use crate::lines::Lines;
use crate::notation::Notation;
use crate::placement::Placement;
use crate::text::TextError;
use crate::walkers::Walkers;
use crate::{heaps, lines, placement, walkers};

/// A game of one of the four families, made from a rules file.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Tokens that walk.
    Walkers(Walkers),
    /// The same on a board of more than 64 cells.
    WideWalkers(Walkers<u128>),
    /// Polyominoes that are placed.
    Placement(Placement),
    /// The same on a board of more than 64 cells.
    WidePlacement(Placement<u128>),
    /// Marks that make lines.
    Lines(Lines),
    /// Heaps of which tokens are taken.
    Heaps(Heaps),
}

/// The rules of a game, whatever its board.
#[derive(Clone, Copy, Debug)]
pub enum FamilyRules<'g> {
    /// Of tokens that walk.
    Walkers(&'g walkers::Rules),
    /// Of polyominoes that are placed.
    Placement(&'g placement::Rules),
    /// Of marks that make lines.
    Lines(&'g lines::Rules),
    /// Of heaps.
    Heaps(&'g heaps::Rules),
}

/// A generic computation on a game of any family.
pub trait Task {
    /// Its result.
    type Output;

    /// Runs it on a game.
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

    /// The rules.
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

    /// The board, if it is played on one.
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

    /// What comes after the game's name: see [`Notation::size`].
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
    /// The game from the start that its file says.
    Heaps(Heaps),
}

impl AnyRules {
    /// Cells of the largest board.
    pub(crate) const fn most_cells(&self) -> usize {
        match self {
            Self::Walkers(_) | Self::Placement(_) => u128::CELLS,
            Self::Lines(_) | Self::Heaps(_) => Board::MOST_CELLS,
        }
    }

    /// The game from the family's usual start on `board`, if it is played on one.
    pub(crate) fn game_on(&self, board: Board) -> AnyGame {
        match self {
            Self::Walkers(rules) if board.cells() <= Board::MOST_CELLS => {
                AnyGame::Walkers(Walkers::on(rules.clone(), board))
            }
            Self::Walkers(rules) => AnyGame::WideWalkers(Walkers::on(rules.clone(), board)),
            Self::Placement(rules) if board.cells() <= Board::MOST_CELLS => {
                AnyGame::Placement(Placement::on(rules.clone(), board))
            }
            Self::Placement(rules) => AnyGame::WidePlacement(Placement::on(rules.clone(), board)),
            Self::Lines(rules) => AnyGame::Lines(Lines::on(*rules, board)),
            Self::Heaps(game) => AnyGame::Heaps(game.clone()),
        }
    }

    /// The game from the position that `text` shows; `board` is for texts that show
    /// none.
    pub(crate) fn game_at(&self, board: Board, text: &str) -> Result<AnyGame, TextError> {
        match self {
            Self::Walkers(rules) => {
                let wide = Walkers::from_text(rules.clone(), text)?;
                if wide.board().cells() > Board::MOST_CELLS {
                    return Ok(AnyGame::WideWalkers(wide));
                }
                Walkers::from_text(rules.clone(), text).map(AnyGame::Walkers)
            }
            Self::Placement(rules) => {
                let wide = Placement::from_text(rules.clone(), text)?;
                if wide.board().cells() > Board::MOST_CELLS {
                    return Ok(AnyGame::WidePlacement(wide));
                }
                Placement::from_text(rules.clone(), text).map(AnyGame::Placement)
            }
            Self::Lines(rules) => Lines::from_text(*rules, board, text).map(AnyGame::Lines),
            Self::Heaps(game) => Heaps::from_text(game.rules().clone(), text).map(AnyGame::Heaps),
        }
    }
}
