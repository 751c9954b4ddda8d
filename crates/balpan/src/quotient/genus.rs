//! Genus symbols: a nimber, and misère values beside heaps of two.

use std::fmt;

use super::{DEFAULT_MEMORY, Parts, added};
use crate::memory::Memo;
use crate::watch::{Stopped, Watch};

/// A position's nimber, and its misère values alone and beside one, two, .. nim heaps of two, until they go on by
/// turns for ever.
///
/// Source: J. H. Conway, "On numbers and games" (1976), chapter 12.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genus {
    /// By the normal convention.
    pub nimber: u32,
    /// By the misère convention; the last two come again and again.
    pub misere: Vec<u32>,
}

/// `4^146`.
impl fmt::Display for Genus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}^", self.nimber)?;
        self.misere.iter().try_for_each(|value| write!(f, "{value}"))
    }
}

/// GenusSearch of sums, and the parts with nim heaps of one and two added to them.
struct GenusSearch<'a> {
    parts: &'a Parts,
    misere: Memo<u32>,
    nimbers: Memo<u32>,
    searched: u64,
    watch: &'a Watch,
}

/// The genus of a sum of parts.
///
/// # Errors
/// [`Stopped`] if the watch says stop.
pub fn genus(parts: &Parts, sum: &[u32], watch: &Watch) -> Result<Genus, Stopped> {
    genus_with_memory(parts, sum, DEFAULT_MEMORY, watch)
}

/// The same, remembering of sums what `memory` bytes hold.
///
/// # Errors
/// [`Stopped`] if the watch says stop.
pub fn genus_with_memory(parts: &Parts, sum: &[u32], memory: usize, watch: &Watch) -> Result<Genus, Stopped> {
    let one = parts.len() as u32;
    let mut options = parts.options.clone();
    options.push(vec![Vec::new()]);
    options.push(vec![Vec::new(), vec![one]]);
    let with_heaps = Parts::new(options);
    let [misere, nimbers] = [Memo::new(memory / 2), Memo::new(memory / 2)];
    let mut values = GenusSearch { parts: &with_heaps, misere, nimbers, searched: 0, watch };
    let nimber = values.value(sum, false)?;
    let (mut misere, mut beside) = (Vec::new(), sum.to_vec());
    loop {
        misere.push(values.value(&beside, true)?);
        beside = added(&beside, &[one + 1]);
        // It goes on so when two steps have done what adding two does to nimbers.
        if let [.., x, y, z] = misere[..]
            && y == x ^ 2
            && z == y ^ 2
        {
            // The shortest way to tell it.
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
        let known = if is_misere { &self.misere } else { &self.nimbers };
        if let Some(value) = known.get(sum) {
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
        // An ended misère game is won: it is as a heap of one.
        let value = match of_options.is_empty() {
            true => u32::from(is_misere),
            false => (0..).find(|value| !of_options.contains(value)).unwrap_or(0),
        };
        let known = if is_misere { &mut self.misere } else { &mut self.nimbers };
        known.insert(sum, value, self.searched - before);
        Ok(value)
    }
}
