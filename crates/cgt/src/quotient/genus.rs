//! Genus symbols.

use std::fmt;

use super::{DEFAULT_MEMORY, Parts, add};
use balpan::Memo;
use balpan::{Stopped, Watch};

/// The genus of a position: its nimber, and its misère values alone and in sums with one, two, .. nim heaps of two,
/// up to where the last two alternate for ever.
///
/// Source: J. H. Conway, "On numbers and games" (1976), chapter 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus {
    /// The nimber under normal play.
    pub nimber: u32,
    /// The misère values. The last two repeat for ever.
    pub misere: Vec<u32>,
}

/// The usual symbol: `4^146`.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}^", self.nimber)?;
        self.misere.iter().try_for_each(|value| write!(f, "{value}"))
    }
}

/// A search for nimbers and misère values of sums. The parts include nim heaps of one and two.
struct GenusSearch<'a> {
    parts: &'a Parts,
    /// Nimbers, and misère values.
    cached: [Memo<u32>; 2],
    searched: u64,
    watch: &'a Watch,
}

/// Returns the genus of a sum of parts.
///
/// # Errors
/// [`Stopped`] if the watch stops it.
pub fn genus(parts: &Parts, sum: &[u32], watch: &Watch) -> Result<Genus, Stopped> {
    genus_with_memory(parts, sum, DEFAULT_MEMORY, watch)
}

/// As [`genus`], with `memory` bytes for cached values.
///
/// # Errors
/// [`Stopped`] if the watch stops it.
pub fn genus_with_memory(parts: &Parts, sum: &[u32], memory: usize, watch: &Watch) -> Result<Genus, Stopped> {
    let one = parts.len() as u32;
    let mut options = parts.options.clone();
    options.push(vec![Vec::new()]);
    options.push(vec![Vec::new(), vec![one]]);
    let with_heaps = Parts::new(options);
    let cached = [Memo::new(memory / 2), Memo::new(memory / 2)];
    let mut values = GenusSearch { parts: &with_heaps, cached, searched: 0, watch };
    let nimber = values.value(sum, false)?;
    let (mut misere, mut beside) = (Vec::new(), sum.to_vec());
    loop {
        misere.push(values.value(&beside, true)?);
        beside = add(&beside, &[one + 1]);
        // The values repeat once two heaps of two in a row have each changed the value by XOR with 2, as in Nim.
        if let [.., x, y, z] = misere[..]
            && y == x ^ 2
            && z == y ^ 2
        {
            // Drop repetitions from the end.
            while let [.., x, _, z] = misere[..]
                && x == z
                && misere.len() > 2
            {
                misere.pop();
            }
            return Ok(Genus { nimber, misere });
        }
    }
}

impl GenusSearch<'_> {
    fn value(&mut self, sum: &[u32], is_misere: bool) -> Result<u32, Stopped> {
        if let Some(value) = self.cached[usize::from(is_misere)].get(sum) {
            return Ok(value);
        }
        self.watch.count(1)?;
        let before = self.searched;
        self.searched += 1;
        let parts = self.parts;
        let mut of_options = Vec::new();
        for option in parts.moves(sum) {
            of_options.push(self.value(&option, is_misere)?);
        }
        // An ended misère game is an N-position, like a heap of one.
        let value = match of_options.is_empty() {
            true => u32::from(is_misere),
            false => (0..).find(|value| !of_options.contains(value)).unwrap_or(0),
        };
        self.cached[usize::from(is_misere)].insert(sum, value, self.searched - before);
        Ok(value)
    }
}
