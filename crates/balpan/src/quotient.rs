//! Misère quotients: what positions of an impartial game amount to in sums of each other when who cannot move wins.
//!
//! Two positions are indistinguishable if no sum with others of the game tells them apart. Up to that, the positions
//! form a commutative monoid, the *misère quotient*: often a small finite one, although by themselves hardly two misère
//! games are equal. Which elements are lost for the player to move is all that it takes to play perfectly.
//!
//! ```
//! use balpan::Watch;
//! use balpan::quotient::{Parts, Quotient};
//!
//! // Nim heaps of up to two tokens, by what they can be made into.
//! let nim = Parts::new(vec![vec![vec![]], vec![vec![], vec![0]]]);
//! let quotient = Quotient::find(&nim, 1_000, &Watch::default())?;
//! assert_eq!(quotient.len(), 6);
//! // Two heaps of two are lost for the player to move, as one heap of one is.
//! assert!(quotient.is_p_position(quotient.pretension(&[1, 1])) && quotient.is_p_position(quotient.pretension(&[0])));
//! # Ok::<(), balpan::quotient::QuotientError>(())
//! ```
//!
//! Source: T. E. Plambeck, "Taming the wild in impartial combinatorial games" (2005); T. E. Plambeck and A. N. Siegel,
//! "Misère quotients for impartial games" (2008). The quotient is learnt as D. Angluin learns an automaton ("Learning
//! regular sets from queries and counterexamples", 1987), and then proved of all sums.

mod genus;
mod learn;
mod proof;

use rustc_hash::FxHashMap;

use crate::memory::Memo;
use crate::watch::{Stopped, Watch};

/// Bytes for what is remembered of sums, where nobody says how many.
pub const DEFAULT_MEMORY: usize = 1 << 30;

/// A sum of parts: their numbers, in ascending order.
pub type Sum = Vec<u32>;

/// Parts that a misère game is played with, each a number, and what each can be made into: a sum of parts of smaller
/// numbers. Who cannot move wins.
#[derive(Clone, Debug)]
pub struct Parts {
    options: Vec<Vec<Sum>>,
}

/// Why there is no quotient.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuotientError {
    /// The watch said so.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// It has more elements than were allowed.
    #[error("the misère quotient has more than {0} elements, and may have no end of them")]
    TooLarge(usize),
}

/// Who wins sums of parts, as far as it was asked.
#[derive(Debug)]
pub struct MisereSearch<'a> {
    parts: &'a Parts,
    /// Who wins sums of the first parts alone.
    known: Option<Quotient>,
    lost: Memo<bool>,
    searched: u64,
    watch: &'a Watch,
}

/// A finite misère quotient. Element 0 is that of the ended game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Quotient {
    /// By element, the shortest sum that it is of.
    elements: Vec<Sum>,
    /// By element and part: the element with the part beside it.
    with: Vec<Vec<usize>>,
    lost: Vec<bool>,
}

impl Parts {
    /// Parts that can be made into these sums, by part.
    ///
    /// # Panics
    /// If a part can be made into one that does not have a smaller number.
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

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.options.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.options.is_empty()
    }

    /// What a part can be made into.
    #[must_use]
    pub fn options(&self, part: u32) -> &[Sum] {
        &self.options[part as usize]
    }

    /// What a sum can be made into, by moves in the part of the largest number first.
    pub fn moves<'s>(&'s self, sum: &'s [u32]) -> impl Iterator<Item = Sum> + 's {
        (0..sum.len()).rev().filter(|at| *at == 0 || sum[at - 1] != sum[*at]).flat_map(move |at| {
            self.options(sum[at]).iter().map(move |option| {
                let mut after = sum.to_vec();
                after.remove(at);
                added(&after, option)
            })
        })
    }
}

/// Both sums as one.
fn added(a: &[u32], b: &[u32]) -> Sum {
    let mut sum = [a, b].concat();
    sum.sort_unstable();
    sum
}

impl<'a> MisereSearch<'a> {
    /// Of sums of these parts. What is remembered takes at most `memory` bytes; less costs time.
    #[must_use]
    pub fn new(parts: &'a Parts, memory: usize, watch: &'a Watch) -> Self {
        Self { parts, known: None, lost: Memo::new(memory), searched: 0, watch }
    }

    /// Whether the player to move loses: everybody plays on until nobody can, and who cannot move wins.
    ///
    /// # Errors
    /// [`Stopped`] if the watch says stop.
    pub fn is_p_position(&mut self, sum: &[u32]) -> Result<bool, Stopped> {
        if let Some(known) = &self.known
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

    /// How many sums were looked at.
    #[must_use]
    pub const fn positions(&self) -> u64 {
        self.searched
    }
}

impl Quotient {
    /// The quotient of all sums of the parts, of at most `most` elements.
    ///
    /// # Errors
    /// [`QuotientError`] if it has more elements, or the watch says stop.
    pub fn find(parts: &Parts, most: usize, watch: &Watch) -> Result<Self, QuotientError> {
        learn::find(parts, most, DEFAULT_MEMORY, watch, |_| {})
    }

    /// The same, remembering of sums what `memory` bytes hold; `told` is told the quotient of sums of the first part, of
    /// the first two, and so on.
    ///
    /// # Errors
    /// [`QuotientError`] if it has more elements, or the watch says stop.
    pub fn find_with_progress(
        parts: &Parts,
        most: usize,
        memory: usize,
        watch: &Watch,
        told: impl FnMut(&Self),
    ) -> Result<Self, QuotientError> {
        learn::find(parts, most, memory, watch, told)
    }

    /// How many elements it has.
    #[must_use]
    pub fn len(&self) -> usize {
        self.elements.len()
    }

    /// Never: the ended game is an element of its own.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.elements.is_empty()
    }

    /// The element that a sum amounts to: the pretending function.
    #[must_use]
    pub fn pretension(&self, sum: &[u32]) -> usize {
        self.times(0, sum)
    }

    /// An element with a sum beside it.
    #[must_use]
    pub fn times(&self, element: usize, sum: &[u32]) -> usize {
        sum.iter().fold(element, |element, part| self.with[element][*part as usize])
    }

    /// The product of two elements: what sums of them amount to.
    #[must_use]
    pub fn product(&self, a: usize, b: usize) -> usize {
        self.times(a, &self.elements[b])
    }

    /// The shortest sum that amounts to an element.
    #[must_use]
    pub fn representative(&self, element: usize) -> &[u32] {
        &self.elements[element]
    }

    /// Whether the player to move loses what amounts to the element.
    #[must_use]
    pub fn is_p_position(&self, element: usize) -> bool {
        self.lost[element]
    }

    /// Whether nothing is there but what sums of nim heaps amount to: the quotient is that of Nim.
    #[must_use]
    pub fn is_tame(&self) -> bool {
        // Those of Nim have 1, 2, 6, 10, 18, .. elements, and each element is its own cube.
        let cube = |x: usize| self.product(self.product(x, x), x) == x;
        let of_nim = |n: usize| n == 1 || n == 2 || n > 4 && (n - 2).is_power_of_two();
        of_nim(self.len()) && (0..self.len()).all(cube) && self.lost.iter().filter(|lost| **lost).count() <= 2
    }

    /// Elements as words: a letter for each part that no smaller ones amount to, and powers of them.
    #[must_use]
    pub fn element_names(&self) -> Vec<String> {
        let mut letters: FxHashMap<u32, usize> = FxHashMap::default();
        let mut used: Vec<u32> = self.elements.iter().flatten().copied().collect();
        used.sort_unstable();
        used.dedup();
        for (n, part) in used.into_iter().enumerate() {
            letters.insert(part, n);
        }
        let word = |sum: &Sum| {
            let powers = sum.chunk_by(u32::eq).map(|same| {
                let letter = letters.get(&same[0]).copied().unwrap_or(0);
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
