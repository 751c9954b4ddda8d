//! Errors in text from outside: positions, records of moves, rules files and values.
//!
//! [`InputError::words`] gives the message for people.

/// Names the variants of an error enum, and converts it into an [`InputError`].
macro_rules! kinds {
    ($family:ident($error:ident) { $($kind:ident => $name:literal,)+ }) => {
        impl $error {
            /// The names of all kinds.
            pub const KINDS: &'static [&'static str] = &[$($name),+];

            /// Returns the stable name of the kind, for programs.
            #[must_use]
            pub const fn kind(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => $name,)+
                }
            }
        }

        impl From<$error> for crate::error::InputError {
            fn from(error: $error) -> Self {
                Self::$family(error)
            }
        }
    };
}
pub(crate) use kinds;

use balpan_cgt::ExpressionErrorKind;

use crate::board::{Board, BoardError};
pub use crate::heaps::HeapsError;
pub use crate::lines::LinesError;
pub use crate::placement::PlacementError;
use crate::placement::ShapeError;
pub use crate::walkers::WalkersError;

/// An error in a position, a record of moves, a rules file or a value.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputError {
    /// In the rows of a board of any game.
    Rows(RowsError),
    /// In a position of walkers.
    Walkers(WalkersError),
    /// In a position of a placement game.
    Placement(PlacementError),
    /// In a position of a game of lines.
    Lines(LinesError),
    /// In a position of heaps.
    Heaps(HeapsError),
    /// In a record of moves.
    Record(RecordError),
    /// In a rules file.
    Rules(RulesError),
    /// In the pieces of a rules file.
    Pieces(PiecesError),
    /// In a text of a game outside the families.
    Custom(CustomError),
    /// In a value.
    Values(ValuesError),
}

impl InputError {
    /// Returns the stable name of the kind, for programs.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Rows(error) => error.kind(),
            Self::Walkers(error) => error.kind(),
            Self::Placement(error) => error.kind(),
            Self::Lines(error) => error.kind(),
            Self::Heaps(error) => error.kind(),
            Self::Record(error) => error.kind(),
            Self::Rules(error) => error.kind(),
            Self::Pieces(error) => error.kind(),
            Self::Custom(_) => "own",
            Self::Values(error) => error.kind(),
        }
    }

    /// The names of all kinds of errors in texts of the families.
    pub fn kinds() -> impl Iterator<Item = &'static str> {
        let families = [
            RowsError::KINDS,
            WalkersError::KINDS,
            PlacementError::KINDS,
            LinesError::KINDS,
            HeapsError::KINDS,
            RecordError::KINDS,
            RulesError::KINDS,
            PiecesError::KINDS,
            ValuesError::KINDS,
        ];
        families.into_iter().flatten().copied()
    }
}

/// An error in the rows of a board, or in the words after them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowsError {
    /// No row before or after a `/`.
    NoRow {
        /// The characters of a cell.
        glyphs: &'static str,
    },
    /// An empty text.
    NoBoard {
        /// The characters of a cell.
        glyphs: &'static str,
    },
    /// A word between two rows.
    BetweenRows {
        /// The word.
        word: String,
    },
    /// A character that is no cell.
    NoCell {
        /// The character.
        glyph: char,
        /// The characters of a cell.
        glyphs: &'static str,
    },
    /// A row longer or shorter than the first.
    Uneven {
        /// The number of its cells.
        cells: usize,
        /// The number of cells of the first row.
        first: usize,
    },
    /// A board that is empty or too large.
    Size(BoardError),
    /// A board of another size than the game's.
    OtherBoard {
        /// The board in the text.
        board: Board,
        /// The game's board.
        game: Board,
    },
    /// A board of another size than requested.
    NotRequested {
        /// The board in the text.
        board: Board,
        /// The requested board.
        requested: Board,
    },
    /// A word in the place of the side to move that is no side.
    NoSide {
        /// The word.
        word: String,
        /// The words that may follow the board.
        expected: AfterBoard,
    },
    /// A word that may not follow the board.
    NotAfter {
        /// The word.
        word: String,
        /// The words that may follow the board.
        expected: AfterBoard,
    },
    /// A superfluous word after the board.
    TooManyWords {
        /// The word.
        word: String,
        /// The words that may follow the board.
        expected: AfterBoard,
    },
}

kinds!(Rows(RowsError) {
    NoRow => "no_row",
    NoBoard => "no_board",
    BetweenRows => "between_rows",
    NoCell => "no_cell",
    Uneven => "uneven_rows",
    Size => "board_size",
    OtherBoard => "other_board",
    NotRequested => "board_not_asked",
    NoSide => "no_side",
    NotAfter => "not_after_board",
    TooManyWords => "too_many_words",
});

/// The words that may follow a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AfterBoard {
    /// None.
    Nothing,
    /// The letter of the side to move; by default the first.
    Side([char; 2]),
    /// The letter of the side to move; by default the counts of marks decide.
    SideOrCounts([char; 2]),
    /// The pieces that have been placed.
    UsedPieces,
}

/// An error in a record of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordError {
    /// An illegal move.
    IllegalMove {
        /// The move's text.
        word: String,
        /// The move's number in the game.
        n: u32,
        /// Some of the legal moves.
        legal: Vec<String>,
        /// Whether there are other legal moves.
        and_others: bool,
    },
    /// A move after the end of the game.
    AfterEnd {
        /// The move's text.
        word: String,
        /// The move's number in the game.
        n: u32,
    },
    /// Too many moves.
    TooLong {
        /// The maximum number of moves.
        max: usize,
    },
}

kinds!(Record(RecordError) {
    IllegalMove => "illegal_move",
    AfterEnd => "move_after_end",
    TooLong => "long_record",
});

/// An error in a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesError {
    /// Invalid TOML, or a value of the wrong type.
    Toml {
        /// The TOML parser's message.
        message: String,
    },
    /// No key `family`.
    NoFamily,
    /// An unknown family.
    OtherFamily {
        /// The family in the file.
        found: String,
    },
    /// A key that the family does not have.
    OtherKey {
        /// The key in the file.
        key: String,
        /// The family's keys.
        keys: &'static [&'static str],
    },
    /// A missing key.
    MissingKey {
        /// The key.
        key: &'static str,
    },
    /// Neither a board nor a start.
    NeitherBoardNorStart,
    /// Both a board and a start.
    BoardAndStart,
    /// A board that is unreadable, empty or too large.
    BoardSize {
        /// The reason.
        error: BoardError,
        /// The maximum number of cells.
        max: usize,
    },
    /// A board of one tile, where tokens may not share it.
    OneTile,
    /// An unknown set of steps.
    OtherSteps {
        /// The steps in the file.
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
    /// Unknown marks.
    OtherMarks {
        /// The marks in the file.
        found: String,
    },
    /// A `k` below 1.
    SmallK {
        /// Marks in a row.
        k: i64,
    },
    /// A line longer than the board.
    LargeK {
        /// Marks in a row.
        k: i64,
        /// The board.
        board: Board,
    },
    /// A code that is neither Nim nor octal.
    NoCode {
        /// The code in the file.
        found: String,
    },
}

kinds!(Rules(RulesError) {
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

/// An error in the pieces of a rules file.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PiecesError {
    /// No table of pieces.
    NoPieces,
    /// Pieces for only one of the players.
    OnePlayerOnly,
    /// Pieces for both players together, and for one of them.
    BothAndOne,
    /// An empty table of pieces.
    EmptyTable,
    /// A drawing that is no shape.
    Shape(ShapeError),
    /// The same piece twice.
    Twin {
        /// The other piece's name.
        name: String,
    },
    /// A piece larger than the board.
    TooLarge {
        /// The piece's name.
        name: String,
        /// The board.
        board: Board,
    },
    /// Too many pieces.
    TooMany {
        /// The number of pieces.
        pieces: usize,
        /// The maximum number of pieces.
        max: usize,
        /// The maximum number of pieces where any has a supply.
        max_with_supply: usize,
    },
    /// A supply that is too large or too small.
    Supply {
        /// The supply in the file.
        supply: i64,
        /// The maximum supply.
        max: i64,
    },
    /// A supply for something that cannot have one.
    NoSupplyFor {
        /// The piece's name.
        name: String,
        /// The reason.
        why: NoSupply,
    },
}

kinds!(Pieces(PiecesError) {
    NoPieces => "no_pieces",
    OnePlayerOnly => "one_player_only",
    BothAndOne => "both_and_one",
    EmptyTable => "empty_table",
    Shape => "no_shape",
    Twin => "same_piece_twice",
    TooLarge => "piece_too_large",
    TooMany => "too_many_pieces",
    Supply => "supply",
    NoSupplyFor => "no_supply_for",
});

/// The reason why a piece can have no supply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoSupply {
    /// No piece has this name.
    NoPiece,
    /// The name is not one capital letter.
    NotOneLetter,
    /// Each player has a piece of this name.
    OfBothPlayers,
}

/// An error in a value, or in a comparison of two.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValuesError {
    /// A syntax error.
    Written {
        /// The error.
        kind: ExpressionErrorKind,
    },
    /// An unknown game.
    NoGame {
        /// The game's name.
        name: String,
    },
    /// A misère game.
    Misere {
        /// The game's name.
        name: String,
    },
    /// A game whose winner is not simply the player who moves last, or whose moves do not
    /// say which player makes them.
    NoValues {
        /// The game's name.
        name: String,
    },
}

kinds!(Values(ValuesError) {
    Written => "no_expression",
    NoGame => "no_such_game",
    Misere => "misere_game",
    NoValues => "no_values",
});

/// An error in a text of a game outside the families, in that game's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomError {
    /// What was found: "a row of 2 squares after one of 1".
    pub found: String,
    /// What was expected: "each row is as long as the one above it, or shorter".
    pub expected: String,
}

impl From<CustomError> for InputError {
    fn from(error: CustomError) -> Self {
        Self::Custom(error)
    }
}
