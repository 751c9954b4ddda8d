//! Upper bounds of longest walks from the biconnected components (blocks) of the reach.

use super::ways::Ways;
use crate::board::{CellSet, Cells};

impl<W: CellSet> Ways<W> {
    /// Returns an upper bound of the steps of any walk from `from` over `reach`; `None` unless
    /// every step is reversible.
    ///
    /// A walk that leaves a block through a cut vertex does not come back. It therefore goes
    /// from block to block away from `from`. Within a block it alternates between the two
    /// colours if the graph of steps is bipartite. Time: linear in the tiles (Hopcroft and
    /// Tarjan, 1973, find the blocks).
    pub(super) fn most_steps_by_blocks(&self, from: usize, reach: W) -> Option<u32> {
        if !self.there_and_back() {
            return None;
        }
        let mut search = Blocks {
            ways: self,
            fresh: reach & !W::bit(from),
            cells: reach | W::bit(from),
            order: [0; u128::CELLS],
            below: [0; u128::CELLS],
            found: 0,
            open: [0; u128::CELLS],
            opened: 0,
        };
        search.descend(from);
        Some(search.below[from].into())
    }
}

/// A depth-first search for the biconnected components.
struct Blocks<'a, W> {
    ways: &'a Ways<W>,
    cells: W,
    /// The cells that are not discovered yet.
    fresh: W,
    /// The discovery number of each cell.
    order: [u8; u128::CELLS],
    /// An upper bound of the steps from each cell, away from the root.
    below: [u8; u128::CELLS],
    found: u8,
    /// The stack of cells whose block is not complete, in order of discovery.
    open: [u8; u128::CELLS],
    opened: usize,
}

impl<W: CellSet> Blocks<'_, W> {
    /// Discovers everything that is first reached through `cell`. Returns the lowest discovery
    /// number next to any of it (its low point).
    fn descend(&mut self, cell: usize) -> u8 {
        self.found += 1;
        let own = self.found;
        self.order[cell] = own;
        let mut earliest = own;
        for next in Cells(self.ways.next_to(cell) & self.cells) {
            if (self.fresh & W::bit(next)).is_zero() {
                earliest = earliest.min(self.order[next]);
                continue;
            }
            self.fresh &= !W::bit(next);
            let first = self.opened;
            self.open[first] = next as u8;
            self.opened += 1;
            let reached = self.descend(next);
            earliest = earliest.min(reached);
            if reached >= own {
                self.below[cell] = self.below[cell].max(self.steps_in_block(cell, first));
                self.opened = first;
            }
        }
        earliest
    }

    /// Bounds the steps from `cell` into the block that it forms with the open cells from
    /// `first` on, and onward from there.
    fn steps_in_block(&self, cell: usize, first: usize) -> u8 {
        let block = &self.open[first..self.opened];
        let below = |cell: u8| self.below[usize::from(cell)];
        let size = block.len() as u8;
        let Some(dark) = self.ways.dark() else {
            return size + block.iter().map(|&cell| below(cell)).max().unwrap_or(0);
        };
        let is_dark = |cell: usize| !(dark & W::bit(cell)).is_zero();
        let own = is_dark(cell);
        let (mut same, mut onward) = (0, [0, 0]);
        for &to in block {
            let is_same = is_dark(to.into()) == own;
            same += u8::from(is_same);
            let most = &mut onward[usize::from(is_same)];
            *most = below(to).max(*most);
        }
        let other = size - same;
        // Walks that end on the other colour, and on the same one.
        let odd = 2 * other.min(same + 1) - 1 + onward[0];
        if same == 0 { odd } else { odd.max(2 * same.min(other) + onward[1]) }
    }
}
