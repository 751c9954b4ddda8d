//! The orientation of a player's piece of two cells.

use crate::board::CellSet;

/// A piece of two cells in one orientation on a board: a cell and the one `by` further on.
///
/// A placement is represented by its first cell, a set of placements by the set of first
/// cells. Successive cells form *chains*, no two of which share a placement: for dominoes,
/// the columns or the rows.
#[derive(Clone, Debug)]
pub(super) struct Orientation<W> {
    by: usize,
    /// All placements on the empty board.
    placements: W,
    /// The cells by their place in their chain.
    ranks: Vec<W>,
    /// How often `by` is doubled to exceed the longest run of placements.
    doublings: u32,
}

impl<W: CellSet> Orientation<W> {
    /// Finds the orientation of all these placements; `None` if there is not exactly one.
    pub(super) fn from_placements(placements: impl Iterator<Item = W>) -> Option<Self> {
        let (mut by, mut first) = (None, W::zero());
        for cells in placements {
            let (low, high) = (cells.trailing_zeros(), W::CELLS as u32 - 1 - cells.leading_zeros());
            if cells.count_ones() != 2 || by.is_some_and(|by| by != high - low) {
                return None;
            }
            by = Some(high - low);
            first |= W::bit(low as usize);
        }
        let by = by? as usize;
        // First the cells without a predecessor, then their successors, and so on.
        let mut rank = (first | first << by) & !(first << by);
        let mut ranks = Vec::new();
        while !rank.is_zero() {
            ranks.push(rank);
            rank = (rank & first) << by;
        }
        // A chain has one placement less than it has cells.
        let doublings = (ranks.len() - 1).next_power_of_two().ilog2();
        Some(Self { by, placements: first, ranks, doublings })
    }

    /// Whether both orientations have the same direction.
    pub(super) fn is_parallel_to(&self, other: &Self) -> bool {
        self.by == other.by
    }

    /// Whether the second cell is `by` further on and these are all placements on the empty board.
    pub(super) fn has_layout(&self, by: usize, first: W) -> bool {
        self.by == by && self.placements == first
    }

    /// A cell's place in its chain, and the length of the longest chain.
    pub(super) fn chain_place(&self, cell: usize) -> (usize, usize) {
        let place = self.ranks.iter().position(|rank| !(*rank & W::bit(cell)).is_zero());
        (place.unwrap_or(0), self.ranks.len())
    }

    /// The placements that fit on the free cells.
    #[inline]
    pub(super) fn fits(&self, free: W) -> W {
        free & self.predecessors(free) & self.placements
    }

    /// The predecessors of cells.
    #[inline]
    pub(super) fn predecessors(&self, cells: W) -> W {
        cells >> self.by
    }

    /// The second cells of placements.
    #[inline]
    pub(super) fn second_cells(&self, placements: W) -> W {
        placements << self.by
    }

    /// The cells covered by placements.
    #[inline]
    pub(super) fn cells(&self, placements: W) -> W {
        placements | placements << self.by
    }

    /// The other cells of placements that share a cell with `cells`.
    #[inline]
    pub(super) fn other_cells(&self, cells: W, placements: W) -> W {
        (cells & placements) << self.by | self.predecessors(cells) & placements
    }

    /// A maximum set of disjoint placements, greedy from the start of each run: its first, third,
    /// fifth placement.
    #[inline(always)]
    pub(super) fn pack(&self, placements: W) -> W {
        // Prefix parity by doubling: placements with an odd number of predecessors in their run,
        // themselves included, among ever more of them. `run` has those with that many.
        let (mut packed, mut by) = (placements, self.by);
        let mut run = placements & placements << by;
        for _ in 0..self.doublings {
            packed = packed ^ packed << by & run;
            run = run & run << by;
            by *= 2;
        }
        packed
    }

    /// The maximum number of disjoint placements.
    #[inline]
    pub(super) fn max_disjoint(&self, placements: W) -> i32 {
        self.pack(placements).count_ones() as i32
    }

    /// The whole runs of `placements` that contain one of `seeds`, a subset of them.
    #[inline(always)]
    pub(super) fn runs_through(&self, placements: W, seeds: W) -> W {
        let (mut found, mut run, mut by) = (seeds, placements, self.by);
        for _ in 0..self.doublings {
            found |= found >> by & run;
            run = run & run >> by;
            by *= 2;
        }
        let (mut run, mut by) = (placements, self.by);
        for _ in 0..self.doublings {
            found |= found << by & run;
            run = run & run << by;
            by *= 2;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::board::Cells;

    /// Chains of step `by`, some of them full length.
    fn way(by: usize, cells: usize) -> Orientation<u128> {
        Orientation::from_placements((0..cells - by).map(|cell| u128::bit(cell) | u128::bit(cell + by))).unwrap()
    }

    proptest! {
        #[test]
        fn runs_are_packed_from_their_first_placement((by, cells) in (1..=12_usize).prop_flat_map(|by| (Just(by), by + 1..=128)),
            placements: u128, more: u128, seeds: u128) {
            let way = way(by, cells);
            let placements = (placements | more) & way.placements;
                        // One placement at a time, the first of each chain first.
            let (mut packed, mut runs) = (0, 0);
            for cell in Cells(placements) {
                let before = cell.checked_sub(by).map_or(0, u128::bit);
                if packed & before == 0 {
                    packed |= u128::bit(cell);
                }
                let run: Vec<_> = (0..=cell / by).map(|n| cell - n * by).chain((cell..cells).step_by(by)).collect();
                let (back, ahead) = run.split_at(cell / by + 1);
                let is_in = |cell: &&usize| placements & u128::bit(**cell) != 0;
                let mut run = back.iter().take_while(is_in).chain(ahead.iter().take_while(is_in));
                if run.any(|&cell| seeds & u128::bit(cell) != 0) {
                    runs |= u128::bit(cell);
                }
            }
            prop_assert_eq!(way.pack(placements), packed);
            prop_assert_eq!(way.runs_through(placements, seeds & placements), runs);
        }
    }
}
