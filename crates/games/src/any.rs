//! A game of any of the three families, and code that runs on whichever it is.

use crate::board::Board;
use crate::lines::Lines;
use crate::notation::Notation;
use crate::placement::Placement;
use crate::rules::Rules;
use crate::text::TextError;
use crate::walkers::Walkers;

/// A game of one of the three families, made from a rules file.
#[derive(Clone, Debug)]
pub enum AnyGame {
    /// Tokens that walk.
    Walkers(Walkers),
    /// Polyominoes that are placed.
    Placement(Placement),
    /// Marks that make lines.
    Lines(Lines),
}

/// Something to do with a game, whatever its family.
pub trait Task {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G>(self, game: &G) -> Self::Output
    where
        G: Notation<Position: Send + Sync, Move: Send> + Sync;
}

impl AnyGame {
    /// Runs a task on the game.
    pub fn run<T: Task>(&self, task: T) -> T::Output {
        match self {
            Self::Walkers(game) => task.run(game),
            Self::Placement(game) => task.run(game),
            Self::Lines(game) => task.run(game),
        }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        match self {
            Self::Walkers(game) => game.board(),
            Self::Placement(game) => game.board(),
            Self::Lines(game) => game.board(),
        }
    }

    pub(crate) fn on(rules: &Rules, board: Board) -> Self {
        match rules {
            Rules::Walkers(rules) => Self::Walkers(Walkers::new(rules.clone(), board)),
            Rules::Placement(rules) => Self::Placement(Placement::new(rules.clone(), board)),
            Rules::Lines(rules) => Self::Lines(Lines::new(*rules, board)),
        }
    }

    /// From the position that `text` shows; `board` is for texts that show none.
    pub(crate) fn from_text(rules: &Rules, board: Board, text: &str) -> Result<Self, TextError> {
        match rules {
            Rules::Walkers(rules) => Walkers::from_text(rules.clone(), text).map(Self::Walkers),
            Rules::Placement(rules) => Placement::from_text(rules.clone(), text).map(Self::Placement),
            Rules::Lines(rules) => Lines::from_text(*rules, board, text).map(Self::Lines),
        }
    }
}
