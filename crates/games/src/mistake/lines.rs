//! Mistakes in positions of games of lines.

/// A mistake in a position of a game of lines.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum LinesMistake {
    /// A move after the end.
    AfterEnd {
        /// The column played.
        column: usize,
    },
    /// What is no digit among the columns played.
    NotAColumn {
        /// What was found.
        glyph: char,
        /// How many columns there are.
        columns: usize,
    },
    /// A column that the board does not have.
    NoColumn {
        /// The column played.
        column: usize,
        /// How many there are.
        columns: usize,
    },
    /// A column without a free cell.
    FullColumn {
        /// The column played.
        column: usize,
        /// The cells of each.
        rows: usize,
    },
    /// A mark over a free cell, where marks fall.
    Floating,
    /// Counts of marks after which it is nobody's turn.
    Counts {
        /// Marks of X.
        x: u32,
        /// Marks of O.
        o: u32,
    },
    /// A line of the player who is to move.
    LineOfMover {
        /// `X` or `O`.
        mark: char,
    },
    /// Lines that no one move can have completed.
    TooManyLines {
        /// `X` or `O`.
        mark: char,
    },
}

kinds!(Lines(LinesMistake) {
    AfterEnd => "after_end",
    NotAColumn => "not_a_column",
    NoColumn => "no_column",
    FullColumn => "full_column",
    Floating => "floating",
    Counts => "counts",
    LineOfMover => "line_of_mover",
    TooManyLines => "too_many_lines",
});
