//! Bounds of longest walks by blocks: parts that no single tile cuts in two.

use super::ways::Ways;
use crate::board::{CellSet, Cells};

impl<W: CellSet> Ways<W> {
    /// No walk from `from` over `reach` has more steps. `None` unless every step can be taken
    /// back.
    ///
    /// A walk that leaves a block by the tile that cuts it off does not come back. So it goes
    /// from block to block away from `from`, and in each of them alternates between the two
    /// colours, if every step changes colour. Time linear in the tiles (Hopcroft and Tarjan,
    /// 1973, find the blocks).
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

/// A depth-first search for the blocks.
struct Blocks<'a, W> {
    ways: &'a Ways<W>,
    cells: W,
    /// The cells that are not found yet.
    fresh: W,
    /// When each cell was found.
    order: [u8; u128::CELLS],
    /// The most steps from each cell away from the first one.
    below: [u8; u128::CELLS],
    found: u8,
    /// The cells whose block is not complete, in the order in which they were found.
    open: [u8; u128::CELLS],
    opened: usize,
}

impl<W: CellSet> Blocks<'_, W> {
    /// Finds all that is reached first by way of `cell`. Returns the earliest cell next to any of
    /// it, as a number of `order`.
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

    /// The most steps from `cell` into the block that it makes with the open cells from the
    /// `first` on, and on from there.
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
        // Ends on the other colour, and on the same one.
        let odd = 2 * other.min(same + 1) - 1 + onward[0];
        if same == 0 { odd } else { odd.max(2 * same.min(other) + onward[1]) }
    }
}
