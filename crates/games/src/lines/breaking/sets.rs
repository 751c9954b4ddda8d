//! Sets of cells of which somebody needs all, and what is seen of them at once.

use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use crate::board::{Cells, bit};
use crate::lines::lacks::MOST;

/// What a player lacks of each line that he can still make: who marks all cells of a set first has made one.
#[derive(Default)]
pub(super) struct Sets(ArrayVec<u64, MOST>);

/// What is seen of sets at once.
pub(super) struct Seen {
    /// The cells that are sets by themselves.
    pub(super) singles: u64,
    /// The cells in several sets of two.
    pub(super) forking: u64,
}

/// A cell that threatens two others, as it is in a set of two with each, and the three of them.
#[derive(Clone, Copy)]
pub(super) struct Fork {
    pub(super) cell: u64,
    pub(super) cells: u64,
}

impl Sets {
    /// What the owner of `own` lacks of the `windows` that lie in his own cells and the `free` ones.
    pub(super) fn of(windows: &[u64], own: u64, free: u64) -> Self {
        let open = windows.iter().filter(|&window| window & !(own | free) == 0);
        let mut sets = Self(open.map(|window| window & !own).collect());
        sets.drop_supersets();
        sets
    }

    /// Replaces them by what is left of the `before` ones after their owner's mark.
    #[inline(always)]
    pub(super) fn set_marked(&mut self, before: &Self, cell: u64) {
        self.0.clear();
        self.0.extend(before.iter().map(|set| set & !cell));
    }

    /// Replaces them by what is left of the `before` ones after the other player's mark.
    #[inline(always)]
    pub(super) fn set_met(&mut self, before: &Self, cell: u64) {
        self.0.clear();
        self.0.extend(before.iter().copied().filter(|set| set & cell == 0));
    }

    /// The cells in any set.
    #[inline(always)]
    pub(super) fn cells(&self) -> u64 {
        self.iter().fold(0, |cells, set| cells | set)
    }

    #[inline(always)]
    pub(super) fn seen(&self) -> Seen {
        let (mut singles, mut twos, mut forking) = (0, 0, 0);
        for &set in self.iter() {
            match set.count_ones() {
                1 => singles |= set,
                2 => {
                    forking |= twos & set;
                    twos |= set;
                }
                _ => {}
            }
        }
        Seen { singles, forking }
    }

    /// A fork at one of the cells in several sets of two, unless the sets are the same.
    #[inline]
    pub(super) fn fork(&self, forking: u64) -> Option<Fork> {
        Cells(forking).find_map(|cell| {
            let cell = bit(cell);
            let mut twos = self.iter().copied().filter(|set| set.count_ones() == 2 && set & cell != 0);
            let first = twos.next()?;
            let second = twos.find(|&second| second != first)?;
            Some(Fork { cell, cells: first | second })
        })
    }

    /// Leaves out the sets that have all cells of another one. (Who makes a line by them has made one before.)
    #[inline]
    pub(super) fn drop_supersets(&mut self) {
        self.0.sort_unstable_by_key(|set| set.count_ones());
        let mut kept = 0;
        for at in 0..self.len() {
            let set = self[at];
            if !self[..kept].iter().any(|&other| other & !set == 0) {
                self[kept] = set;
                kept += 1;
            }
        }
        self.0.truncate(kept);
    }

    /// Leaves out the sets of which `keep` is not true.
    #[inline]
    pub(super) fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        self.0.retain(|set| keep(*set));
    }

    /// The `zone`, with cells added so that it has `times` cells of each set that has as many, but for the sets with
    /// `except`.
    #[inline]
    pub(super) fn guarded(&self, times: u32, except: u64, mut zone: u64) -> u64 {
        let lacks = |set: u64, zone: u64| set & except == 0 && (set & zone).count_ones() < times;
        let mut through = [0_u32; 64];
        for &set in self.iter().filter(|&&set| lacks(set, zone)) {
            Cells(set).for_each(|cell| through[cell] += 1);
        }
        for &set in self.iter() {
            while lacks(set, zone)
                && let Some(most) = Cells(set & !zone).max_by_key(|&cell| through[cell])
            {
                zone |= bit(most);
            }
        }
        zone
    }
}

impl Deref for Sets {
    type Target = [u64];

    #[inline(always)]
    fn deref(&self) -> &[u64] {
        &self.0
    }
}

impl DerefMut for Sets {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u64] {
        &mut self.0
    }
}
