//! The options of a part: which of them are open, and which to visit next.

use std::hash::{Hash, Hasher};
use std::ops::Range;

use rustc_hash::FxHasher;

use super::effort::Effort;
use crate::search::proof::Handicap;

/// An option is left for the next best when it seems to take more by one part in this number.
pub(super) const SLACK: u32 = 10;

/// Of what it takes to answer all options but the hardest, one part in this number counts:
/// most of it they have in common.
const IN_COMMON: u32 = 8;

/// An option of which it is open whether it has the nimber that it is asked about.
#[derive(Clone, Copy, Debug)]
pub(super) struct Open {
    /// Its parts of unknown nimbers, the smallest last, among those of all options.
    pub(super) first: u32,
    pub(super) parts: u16,
    pub(super) visits: u16,
    /// What the sum of their nimbers is asked to be.
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

    /// Where its parts are.
    #[inline]
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.parts)
    }
}

/// Finds options that have been met, in a hash table of some hundred: others than those
/// pass for new ones, which costs time alone. Each slot has where an option's parts begin, how
/// many they are, and what is asked of them.
pub(super) struct Twins([(u16, u16, u32); 256]);

impl Default for Twins {
    fn default() -> Self {
        Self([(0, 0, 0); 256])
    }
}

impl Twins {
    /// Whether no option met before has the parts from `begin` on and is asked the same of them; it
    /// is met then.
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

/// Which option to visit next, and what all of them take.
pub(super) struct Choice {
    /// The option that seems to take least to say yes of.
    pub(super) at: usize,
    /// What the next best one seems to take.
    pub(super) second: u32,
    /// What it takes to say yes of one, wherever other threads are.
    pub(super) least: u32,
    /// What it takes to say no of the hardest, and what all others add to that.
    pub(super) hardest: u32,
    pub(super) others: u32,
}

impl Choice {
    /// The first of the options that take least; `None` if there is none.
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
