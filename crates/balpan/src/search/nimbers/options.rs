//! The open options of a part, and the selection of the next one.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::FxHasher;

use super::effort::Effort;
use crate::search::proof::Handicap;

/// An option is left for the second best one when its number is higher by one part in this number.
pub(super) const SLACK: u32 = 10;

/// The divisor of the numbers of all options but the hardest: options have most of their work in common.
const IN_COMMON: u32 = 8;

/// An option whose test is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// The first of its parts of unknown nimbers, the smallest last, among those of all options.
    pub(super) first: u32,
    pub(super) parts: u16,
    pub(super) visits: u16,
    /// The nimber that the sum of these parts is tested for.
    pub(super) asked: u32,
    pub(super) effort: Effort,
    pub(super) handicap: Handicap,
}

impl Open {
    pub(super) fn new(first: usize, parts: usize, asked: u32) -> Self {
        Self {
            first: first as u32,
            parts: parts as u16,
            visits: 0,
            asked,
            effort: Effort::ANY,
            handicap: Handicap::default(),
        }
    }

    /// Returns the range of its parts.
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.parts)
    }
}

/// A lossy hash table of a few hundred options that finds duplicates. A duplicate that it misses costs only time. Each slot
/// holds the first part of an option, the number of its parts, and the tested nimber.
pub(super) struct Twins([(u16, u16, u32); 256]);

impl Default for Twins {
    fn default() -> Self {
        Self([(0, 0, 0); 256])
    }
}

impl Twins {
    /// Returns whether no earlier option has the parts from `begin` on and the same test, and inserts the option.
    #[inline]
    pub(super) fn is_new(&mut self, parts: &[impl Hash + PartialEq], begin: usize, asked: u32) -> bool {
        let (own, Ok(count), Ok(begin)) = (&parts[begin..], u16::try_from(parts.len() - begin), u16::try_from(begin))
        else {
            return true;
        };
        let mut hasher = FxHasher::default();
        own.hash(&mut hasher);
        let hash = (hasher.finish() >> 20) as usize;
        for probe in 0..8 {
            let slot = &mut self.0[hash.wrapping_add(probe) % 256];
            let (other, others) = (usize::from(slot.0), usize::from(slot.1));
            if others == 0 {
                *slot = (begin, count, asked);
                return true;
            }
            if slot.2 == asked && parts[other..other + others] == *own {
                return false;
            }
        }
        true
    }
}

/// The option to search next, and the proof numbers of the part.
pub(super) struct Choice {
    /// The option with the least number for a yes.
    pub(super) at: usize,
    /// The number of the second best one.
    pub(super) second: u32,
    /// The least number for a yes, without virtual losses.
    pub(super) least: u32,
    /// The number for a no of the hardest option, and the share of all others.
    pub(super) hardest: u32,
    pub(super) others: u32,
}

impl Choice {
    /// Selects the first of the options with the least number; `None` if there is none.
    #[inline]
    pub(super) fn among(options: &[Open]) -> Option<Self> {
        let (mut at, mut first, mut second, mut least) = (0, u32::MAX, u32::MAX, u32::MAX);
        let (mut hardest, mut sum) = (0, 0_u32);
        for (n, Open { effort, handicap, .. }) in options.iter().enumerate() {
            least = least.min(effort.yes);
            let yes = handicap.applied_to(effort.yes.into()).min(u32::MAX.into()) as u32;
            if yes < first {
                (at, first, second) = (n, yes, first);
            } else {
                second = second.min(yes);
            }
            hardest = hardest.max(effort.no);
            sum = sum.saturating_add(effort.no);
        }
        let others = (options.len() as u32).saturating_sub(1) + (sum - hardest) / IN_COMMON;
        (!options.is_empty()).then_some(Self { at, second, least, hardest, others })
    }
}
