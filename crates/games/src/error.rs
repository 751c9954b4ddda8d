//! Errors in text from outside: positions, records of moves, rules files and values.
//!
//! [`InputError::explain`] gives the message for people.

/// Defines an error enum whose variants have stable names, and converts it into an [`InputError`].
macro_rules! input_errors {
    ($(#[$doc:meta])* $family:ident: $error:ident {
        $($(#[$kind_doc:meta])* $kind:ident $({ $($fields:tt)* })? $(($inner:ty))? => $name:literal,)+
    }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq)]
        #[non_exhaustive]
        pub enum $error {
            $($(#[$kind_doc])* $kind $({ $($fields)* })? $(($inner))?,)+
        }

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
pub(crate) use input_errors;

use balpan_cgt::ExpressionErrorKind;

use crate::board::{Board, BoardError};
pub use crate::heaps::HeapsError;
pub use crate::language::LanguageError;
pub use crate::lines::LinesError;
pub use crate::pile::PileError;
pub use crate::placement::PlacementError;
use crate::placement::ShapeError;
pub use crate::row::RowError;
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
    /// In a position or the rules of a row of numbers.
    Row(RowError),
    /// In a position or the rules of one heap with a memory.
    Pile(PileError),
    /// In a file of the rules language, or in a position of its game.
    Language(LanguageError),
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
            Self::Row(error) => error.kind(),
            Self::Pile(error) => error.kind(),
            Self::Language(error) => error.kind(),
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
            RowError::KINDS,
            PileError::KINDS,
            LanguageError::KINDS,
            RecordError::KINDS,
            RulesError::KINDS,
            PiecesError::KINDS,
            ValuesError::KINDS,
        ];
        families.into_iter().flatten().copied()
    }
}

input_errors! {
    /// An error in the rows of a board, or in the words after them.
    Rows: RowsError {
        /// No row before or after a `/`.
        NoRow {
            /// The characters of a cell.
            glyphs: String,
        } => "no_row",
        /// An empty text.
        NoBoard {
            /// The characters of a cell.
            glyphs: String,
        } => "no_board",
        /// A word between two rows.
        BetweenRows {
            /// The word.
            word: String,
        } => "between_rows",
        /// A character that is no cell.
        NoCell {
            /// The character.
            glyph: char,
            /// The characters of a cell.
            glyphs: String,
        } => "no_cell",
        /// A row longer or shorter than the first.
        Uneven {
            /// The number of its cells.
            cells: usize,
            /// The number of cells of the first row.
            first: usize,
        } => "uneven_rows",
        /// A board that is empty or too large.
        Size(BoardError) => "board_size",
        /// A board of another size than the game's.
        OtherBoard {
            /// The board in the text.
            board: Board,
            /// The game's board.
            game: Board,
        } => "other_board",
        /// A board of another size than requested.
        NotRequested {
            /// The board in the text.
            board: Board,
            /// The requested board.
            requested: Board,
        } => "board_not_asked",
        /// A word in the place of the side to move that is no side.
        NoSide {
            /// The word.
            word: String,
            /// The words that may follow the board.
            expected: AfterBoard,
        } => "no_side",
        /// A word that may not follow the board.
        NotAfter {
            /// The word.
            word: String,
            /// The words that may follow the board.
            expected: AfterBoard,
        } => "not_after_board",
        /// A superfluous word after the board.
        TooManyWords {
            /// The word.
            word: String,
            /// The words that may follow the board.
            expected: AfterBoard,
        } => "too_many_words",
    }
}

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

input_errors! {
    /// An error in a record of moves.
    Record: RecordError {
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
        } => "illegal_move",
        /// A move after the end of the game.
        AfterEnd {
            /// The move's text.
            word: String,
            /// The move's number in the game.
            n: u32,
        } => "move_after_end",
        /// Too many moves.
        TooLong {
            /// The maximum number of moves.
            max: usize,
        } => "long_record",
    }
}

input_errors! {
    /// An error in a rules file.
    Rules: RulesError {
        /// Invalid TOML, or a value of the wrong type.
        Toml {
            /// The TOML parser's message.
            message: String,
        } => "toml",
        /// An unknown family.
        OtherFamily {
            /// The family in the file.
            found: String,
        } => "other_family",
        /// A key that the family does not have.
        OtherKey {
            /// The key in the file.
            key: String,
            /// The family's keys.
            keys: &'static [&'static str],
        } => "other_key",
        /// A missing key.
        MissingKey {
            /// The key.
            key: &'static str,
        } => "missing_key",
        /// Neither a board nor a start.
        NeitherBoardNorStart => "neither_board_nor_start",
        /// Both a board and a start.
        BoardAndStart => "board_and_start",
        /// A board that is unreadable, empty or too large.
        BoardSize {
            /// The reason.
            error: BoardError,
            /// The maximum number of cells.
            max: usize,
        } => "rules_board_size",
        /// A board of one tile, where tokens may not share it.
        OneTile => "one_tile",
        /// An unknown set of steps.
        OtherSteps {
            /// The steps in the file.
            found: String,
        } => "other_steps",
        /// A step to the tile where the token stands.
        NoStep => "no_step",
        /// A step that leaves every board.
        LongStep {
            /// Rows down.
            down: i64,
            /// Columns right.
            right: i64,
        } => "long_step",
        /// Unknown marks.
        OtherMarks {
            /// The marks in the file.
            found: String,
        } => "other_marks",
        /// A `k` below 1.
        SmallK {
            /// Marks in a row.
            k: i64,
        } => "small_k",
        /// A line longer than the board.
        LargeK {
            /// Marks in a row.
            k: i64,
            /// The board.
            board: Board,
        } => "large_k",
        /// A code that is neither Nim nor octal nor hexadecimal.
        NoCode {
            /// The code in the file.
            found: String,
        } => "no_code",
        /// An unknown value of `take`.
        NoTake {
            /// The value in the file.
            found: String,
        } => "no_take",
        /// An unknown value of `split`.
        NoSplit {
            /// The value in the file.
            found: String,
        } => "no_split",
        /// Both a code and `take` or `split`.
        CodeAndTake => "code_and_take",
    }
}

input_errors! {
    /// An error in the pieces of a rules file.
    Pieces: PiecesError {
        /// No table of pieces.
        NoPieces => "no_pieces",
        /// Pieces for only one of the players.
        OnePlayerOnly => "one_player_only",
        /// Pieces for both players together, and for one of them.
        BothAndOne => "both_and_one",
        /// An empty table of pieces.
        EmptyTable => "empty_table",
        /// A drawing that is no shape.
        Shape(ShapeError) => "no_shape",
        /// The same piece twice.
        Twin {
            /// The other piece's name.
            name: String,
        } => "same_piece_twice",
        /// A piece larger than the board.
        TooLarge {
            /// The piece's name.
            name: String,
            /// The board.
            board: Board,
        } => "piece_too_large",
        /// Too many pieces.
        TooMany {
            /// The number of pieces.
            pieces: usize,
            /// The maximum number of pieces.
            max: usize,
            /// The maximum number of pieces where any has a supply.
            max_with_supply: usize,
        } => "too_many_pieces",
        /// A supply that is too large or too small.
        Supply {
            /// The supply in the file.
            supply: i64,
            /// The maximum supply.
            max: i64,
        } => "supply",
        /// A supply for something that cannot have one.
        NoSupplyFor {
            /// The piece's name.
            name: String,
            /// The reason.
            why: NoSupply,
        } => "no_supply_for",
    }
}

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

input_errors! {
    /// An error in a value, or in a comparison of two.
    Values: ValuesError {
        /// A syntax error.
        Written {
            /// The error.
            kind: ExpressionErrorKind,
        } => "no_expression",
        /// An unknown game.
        NoGame {
            /// The game's name.
            name: String,
        } => "no_such_game",
        /// A misère game.
        Misere {
            /// The game's name.
            name: String,
        } => "misere_game",
        /// A game whose winner is not simply the player who moves last, or whose moves do not
        /// say which player makes them.
        NoValues {
            /// The game's name.
            name: String,
        } => "no_values",
    }
}

/// An error in a text of a game outside the families, in that game's own words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CustomError {
    /// The mistake: "a row of 2 squares after one of 1".
    pub found: String,
    /// The remedy: "each row is as long as the one above it, or shorter".
    pub expected: String,
}

impl From<CustomError> for InputError {
    fn from(error: CustomError) -> Self {
        Self::Custom(error)
    }
}
