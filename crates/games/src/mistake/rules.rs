//! Mistakes in rules files.

use crate::board::{Board, BoardError};

/// A mistake in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesMistake {
    /// Not TOML, or a value of another type than its key has.
    Toml {
        /// What the reader of TOML says.
        message: String,
    },
    /// No key `family`.
    NoFamily,
    /// A family that there is none of.
    OtherFamily {
        /// What was found.
        found: String,
    },
    /// A key that the family does not have.
    OtherKey {
        /// What was found.
        key: String,
        /// Those that it has.
        keys: &'static [&'static str],
    },
    /// A key that has to be there.
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// Neither a board nor a start.
    NeitherBoardNorStart,
    /// A board and a start.
    BoardAndStart,
    /// A board that is none, or too large.
    BoardSize {
        /// What is wrong with it.
        error: BoardError,
        /// The most cells that there may be.
        most: usize,
    },
    /// A board of one tile, where tokens may not share it.
    OneTile,
    /// A set of steps that there is none of.
    OtherSteps {
        /// What was found.
        found: String,
    },
    /// A step to the tile where the token stands.
    NoStep,
    /// A step that leaves every board.
    LongStep {
        /// Rows down.
        down: i64,
        /// Columns right.
        right: i64,
    },
    /// Marks that there are none of.
    OtherMarks {
        /// What was found.
        found: String,
    },
    /// A line of no mark.
    SmallK {
        /// How many in a row.
        k: i64,
    },
    /// A line that is longer than the board.
    LargeK {
        /// How many in a row.
        k: i64,
        /// The board.
        board: Board,
    },
    /// Neither Nim nor an octal code.
    NoCode {
        /// What was found.
        found: String,
    },
}

kinds!(Rules(RulesMistake) {
    Toml => "toml",
    NoFamily => "no_family",
    OtherFamily => "other_family",
    OtherKey => "other_key",
    MissingKey => "missing_key",
    NeitherBoardNorStart => "neither_board_nor_start",
    BoardAndStart => "board_and_start",
    BoardSize => "rules_board_size",
    OneTile => "one_tile",
    OtherSteps => "other_steps",
    NoStep => "no_step",
    LongStep => "long_step",
    OtherMarks => "other_marks",
    SmallK => "small_k",
    LargeK => "large_k",
    NoCode => "no_code",
});
