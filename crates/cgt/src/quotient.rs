//! Misère quotients of impartial games.
//!
//! Two positions are indistinguishable if no sum with other positions of the game has a different outcome for them.
//! Up to indistinguishability, the positions form a commutative monoid, the *misère quotient*. It is often small and
//! finite, although hardly any two misère games are equal in all sums. The elements that are P-positions (the
//! *P-portion*) suffice for perfect play.
//!
//! ```
//! use balpan::Watch;
//! use balpan_cgt::quotient::{Parts, Quotient};
//!
//! // Nim heaps of one and two tokens, by their options.
//! let nim = Parts::new(vec![vec![vec![]], vec![vec![], vec![0]]]);
//! let quotient = Quotient::find(&nim, 1_000, &Watch::default())?;
//! assert_eq!(quotient.order(), 6);
//! // Two heaps of two are a P-position, and so is one heap of one.
//! assert!(quotient.is_p_position(quotient.pretension(&[1, 1])) && quotient.is_p_position(quotient.pretension(&[0])));
//! # Ok::<(), balpan_cgt::quotient::QuotientError>(())
//! ```
//!
//! Source: T. E. Plambeck, "Taming the wild in impartial combinatorial games" (2005); T. E. Plambeck and A. N.
//! Siegel, "Misère quotients for impartial games" (2008). The quotient is found by D. Angluin's algorithm for
//! learning an automaton ("Learning regular sets from queries and counterexamples", 1987), and then proved for all
//! sums.

mod genus;
mod learn;
mod proof;

use balpan::Memo;
use balpan::{Stopped, Watch};

/// Default memory for cached outcomes of sums, in bytes.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// A sum of parts: their numbers, in ascending order.
pub type Sum = Vec<u32>;

/// The parts of a misère game, numbered from 0, and the options of each: sums of parts with smaller numbers. A player
/// who cannot move wins.
#[derive(Clone, Debug)]
pub struct Parts {
    options: Vec<Vec<Sum>>,
}

/// An error in the search for a quotient.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotientError {
    /// The [`Watch`] stopped the search.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The quotient has more elements than this limit.
    #[error("the misère quotient has more than {0} elements, and may have no end of them")]
    TooLarge(usize),
}

/// A search for the outcomes of sums of parts.
#[derive(Debug)]
pub struct MisereSearch<'a> {
    parts: &'a Parts,
    /// The quotient of the sums of the first parts, if it is known.
    quotient: Option<Quotient>,
    lost: Memo<bool>,
    searched: u64,
    watch: &'a Watch,
}

/// A finite misère quotient. Element 0 is the identity, that of the ended game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// By element, its shortest sum.
    elements: Vec<Sum>,
    /// By element and part, their product.
    with: Vec<Vec<usize>>,
    lost: Vec<bool>,
}

impl Parts {
    /// Creates parts from the options of each.
    ///
    /// # Panics
    /// If an option of a part contains a part whose number is not smaller.
    #[must_use]
    pub fn new(mut options: Vec<Vec<Sum>>) -> Self {
        for (part, sums) in options.iter_mut().enumerate() {
            sums.iter_mut().for_each(|sum| sum.sort_unstable());
            sums.sort();
            sums.dedup();
            assert!(sums.iter().flatten().all(|smaller| (*smaller as usize) < part), "an option has a later part");
        }
        Self { options }
    }

    /// Returns the number of parts.
    #[must_use]
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Returns whether there are no parts.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// Returns the options of a part.
    #[must_use]
    pub fn options(&self, part: u32) -> &[Sum] {
        &self.options[part as usize]
    }

    /// Returns the options of a sum; those by moves in the part with the largest number come first.
    pub fn moves<'s>(&'s self, sum: &'s [u32]) -> impl Iterator<Item = Sum> + 's {
        (0..sum.len()).rev().filter(|at| *at == 0 || sum[at - 1] != sum[*at]).flat_map(move |at| {
            self.options(sum[at]).iter().map(move |option| {
                let mut after = sum.to_vec();
                after.remove(at);
                add(&after, option)
            })
        })
    }
}

/// Returns the sum of two sums.
fn add(a: &[u32], b: &[u32]) -> Sum {
    let mut sum = [a, b].concat();
    sum.sort_unstable();
    sum
}

impl<'a> MisereSearch<'a> {
    /// Creates a search that caches outcomes in at max_elements `memory` bytes. Less memory costs time.
    #[must_use]
    pub fn new(parts: &'a Parts, memory: usize, watch: &'a Watch) -> Self {
        Self { parts, quotient: None, lost: Memo::new(memory), searched: 0, watch }
    }

    /// Returns whether a sum is a P-position: the player to move loses under misère play.
    ///
    /// # Errors
    /// [`Stopped`] if the watch stops it.
    pub fn is_p_position(&mut self, sum: &[u32]) -> Result<bool, Stopped> {
        if let Some(known) = &self.quotient
            && sum.last().is_none_or(|part| (*part as usize) < known.with[0].len())
        {
            return Ok(known.is_p_position(known.pretension(sum)));
        }
        if let Some(known) = self.lost.get(sum) {
            return Ok(known);
        }
        self.watch.count(1)?;
        let before = self.searched;
        self.searched += 1;
        let mut is_lost = !sum.is_empty() && self.parts.moves(sum).next().is_some();
        if is_lost {
            for option in self.parts.moves(sum) {
                if self.is_p_position(&option)? {
                    is_lost = false;
                    break;
                }
            }
        }
        self.lost.insert(sum, is_lost, self.searched - before);
        Ok(is_lost)
    }

    /// Returns the number of sums searched.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.searched
    }
}

impl Quotient {
    /// Finds the quotient of all sums of the parts.
    ///
    /// # Errors
    /// [`QuotientError`] if it has more than `max_elements` elements, or the watch stops the search.
    pub fn find(parts: &Parts, max_elements: usize, watch: &Watch) -> Result<Self, QuotientError> {
        learn::find(parts, max_elements, DEFAULT_MEMORY, watch, |_| {})
    }

    /// As [`find`](Self::find), with `memory` bytes for cached outcomes. `on_stage` is called with the quotient of
    /// the sums of the first part, of the first two parts, and so on.
    ///
    /// # Errors
    /// As of [`find`](Self::find).
    pub fn find_with_progress(
        parts: &Parts,
        max_elements: usize,
        memory: usize,
        watch: &Watch,
        on_stage: impl FnMut(&Self),
    ) -> Result<Self, QuotientError> {
        learn::find(parts, max_elements, memory, watch, on_stage)
    }

    /// Returns the number of elements.
    #[must_use]
    pub fn order(&self) -> usize {
        self.elements.len()
    }

    /// Returns the element of a sum: the pretension function.
    #[must_use]
    pub fn pretension(&self, sum: &[u32]) -> usize {
        self.times(0, sum)
    }

    /// Returns the product of an element and a sum.
    #[must_use]
    pub fn times(&self, element: usize, sum: &[u32]) -> usize {
        sum.iter().fold(element, |element, part| self.with[element][*part as usize])
    }

    /// Returns the product of two elements.
    #[must_use]
    pub fn product(&self, a: usize, b: usize) -> usize {
        self.times(a, &self.elements[b])
    }

    /// Returns the shortest sum of an element.
    #[must_use]
    pub fn representative(&self, element: usize) -> &[u32] {
        &self.elements[element]
    }

    /// Returns whether the element is in the P-portion: the player to move loses.
    #[must_use]
    pub fn is_p_position(&self, element: usize) -> bool {
        self.lost[element]
    }

    /// Returns whether the quotient is tame: isomorphic to a quotient of Nim.
    #[must_use]
    pub fn is_tame(&self) -> bool {
        // Quotients of Nim have 1, 2, 6, 10, 18, .. elements, each its own cube.
        let cube = |x: usize| self.product(self.product(x, x), x) == x;
        let of_nim = |n: usize| n == 1 || n == 2 || n > 4 && (n - 2).is_power_of_two();
        of_nim(self.order()) && (0..self.order()).all(cube) && self.lost.iter().filter(|lost| **lost).count() <= 2
    }

    /// Returns the elements as words: powers of letters, one letter for each part in the shortest sums.
    #[must_use]
    pub fn element_names(&self) -> Vec<String> {
        let mut used: Vec<u32> = self.elements.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        let word = |sum: &Sum| {
            let powers = sum.chunk_by(u32::eq).map(|same| {
                let letter = used.binary_search(&same[0]).unwrap_or(0);
                let name = char::from(b'a' + (letter % 26) as u8).to_string();
                let name = if letter < 26 { name } else { format!("{name}{}", letter / 26) };
                if same.len() == 1 { name } else { format!("{name}^{}", same.len()) }
            });
            let word: String = powers.collect();
            if word.is_empty() { "1".to_owned() } else { word }
        };
        self.elements.iter().map(word).collect()
    }
}

pub use genus::{Genus, genus, genus_with_memory};
