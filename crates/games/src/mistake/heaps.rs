//! Mistakes in positions of heaps.

/// A mistake in a position of heaps.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HeapsMistake {
    /// A word that is no size.
    NoHeap {
        /// The word.
        word: String,
    },
    /// A heap of too many tokens.
    TooLarge {
        /// Its size, which may have any number of digits.
        size: String,
        /// The most that the code allows.
        largest: u16,
    },
    /// Too many heaps.
    TooMany {
        /// The most that there may be.
        most: usize,
    },
    /// Nothing before or after a `+`.
    BesidePlus,
    /// Nothing at all.
    NoHeaps,
    /// Heaps that do not come of the game's start.
    OutOfPlay {
        /// The game's start.
        start: String,
    },
}

kinds!(Heaps(HeapsMistake) {
    NoHeap => "no_heap",
    TooLarge => "heap_too_large",
    TooMany => "too_many_heaps",
    BesidePlus => "no_heap_beside_plus",
    NoHeaps => "no_heaps",
    OutOfPlay => "out_of_play",
});
