//! Sets of cells that a player needs all of, and their threats.

use std::ops::{Deref, DerefMut};

use arrayvec::ArrayVec;

use crate::board::{Cells, bit};
use crate::lines::lacks::MAX_WINDOWS;

/// The cells that a player lacks of each line that can still be made: marking all cells of a set makes a line.
#[derive(Default)]
pub(super) struct Sets(ArrayVec<u64, MAX_WINDOWS>);

/// The sets of one and two cells.
pub(super) struct SmallSets {
    /// The cells that are sets on their own: threats.
    pub(super) singles: u64,
    /// The cells in several sets of two.
    pub(super) forking: u64,
}

/// A cell in two sets of two, which makes two threats, and the three cells of these sets.
#[derive(Clone, Copy)]
pub(super) struct Fork {
    pub(super) cell: u64,
    pub(super) cells: u64,
}

impl Sets {
    /// The sets of the `windows` that lie within the `own` and the `free` cells.
    pub(super) fn from_windows(windows: &[u64], own: u64, free: u64) -> Self {
        let open = windows.iter().filter(|&window| window & !(own | free) == 0);
        let mut sets = Self(open.map(|window| window & !own).collect());
        sets.drop_supersets();
        sets
    }

    /// Sets this to the `before` ones after a mark of their owner's.
    #[inline(always)]
    pub(super) fn set_after_own_mark(&mut self, before: &Self, cell: u64) {
        self.0.clear();
        self.0.extend(before.iter().map(|set| set & !cell));
    }

    /// Sets this to the `before` ones after a mark of the opponent's.
    #[inline(always)]
    pub(super) fn set_after_opponents_mark(&mut self, before: &Self, cell: u64) {
        self.0.clear();
        self.0.extend(before.iter().copied().filter(|set| set & cell == 0));
    }

    /// The cells in any set.
    #[inline(always)]
    pub(super) fn cells(&self) -> u64 {
        self.iter().fold(0, |cells, set| cells | set)
    }

    #[inline(always)]
    pub(super) fn small_sets(&self) -> SmallSets {
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
        SmallSets { singles, forking }
    }

    /// A fork at one of the cells in several sets of two, unless these sets are equal.
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

    /// Removes supersets of other sets: a line by them is complete no sooner.
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

    /// Removes the sets for which `keep` is false.
    #[inline]
    pub(super) fn retain(&mut self, keep: impl Fn(u64) -> bool) {
        self.0.retain(|set| keep(*set));
    }

    /// Extends `zone` to `times` cells of each set that has as many, except for sets with a cell of `except`.
    #[inline]
    pub(super) fn extend_zone(&self, times: u32, except: u64, mut zone: u64) -> u64 {
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
