//! Mistakes in what was played.

/// A mistake in the moves of a game as it was played.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecordMistake {
    /// A move that cannot be made there.
    IllegalMove {
        /// What is written.
        word: String,
        /// Which move of the game it is.
        n: u32,
        /// Moves that can be made.
        /// Moves that can be made.
        legal: Vec<String>,
        /// Whether there are others.
        and_others: bool,
    },
    /// A move where play is over.
    AfterEnd {
        /// What is written.
        word: String,
        /// Which move of the game it is.
        n: u32,
    },
    /// More moves than are read.
    TooLong {
        /// The most that there may be.
        most: usize,
    },
}

kinds!(Record(RecordMistake) {
    IllegalMove => "illegal_move",
    AfterEnd => "move_after_end",
    TooLong => "long_record",
});
