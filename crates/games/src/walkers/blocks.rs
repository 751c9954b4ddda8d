//! Upper bounds of longest walks from the biconnected components (blocks) of the reach.

use super::movegen::MoveGenerator;
use crate::board::{CellSet, Cells};

impl<W: CellSet> MoveGenerator<W> {
    /// Returns an upper bound of the steps of any walk from `from` over `reach`; `None` unless
    /// every step is reversible.
    ///
    /// A walk that leaves a block through a cut vertex does not come back. It therefore goes
    /// from block to block away from `from`. Within a block it alternates between the two
    /// colours if the graph of steps is bipartite. Time: linear in the tiles (Hopcroft and
    /// Tarjan, 1973, find the blocks).
    pub(super) fn max_steps_by_blocks(&self, from: usize, reach: W) -> Option<u32> {
        if !self.is_reversible() {
            return None;
        }
        let mut search = Blocks {
            movegen: self,
            undiscovered: reach & !W::bit(from),
            cells: reach | W::bit(from),
            discovery: [0; u128::CELLS],
            depth_bound: [0; u128::CELLS],
            discovered: 0,
            stack: [0; u128::CELLS],
            stack_len: 0,
        };
        search.descend(from);
        Some(search.depth_bound[from].into())
    }
}

/// A depth-first search for the biconnected components.
struct Blocks<'a, W> {
    movegen: &'a MoveGenerator<W>,
    cells: W,
    /// The cells that are not discovered yet.
    undiscovered: W,
    /// The discovery number of each cell.
    discovery: [u8; u128::CELLS],
    /// An upper bound of the steps from each cell, away from the root.
    depth_bound: [u8; u128::CELLS],
    discovered: u8,
    /// The stack of cells whose block is not complete, in order of discovery.
    stack: [u8; u128::CELLS],
    stack_len: usize,
}

impl<W: CellSet> Blocks<'_, W> {
    /// Discovers everything that is first reached through `cell`. Returns the lowest discovery
    /// number next to any of it (its low point).
    fn descend(&mut self, cell: usize) -> u8 {
        self.discovered += 1;
        let own = self.discovered;
        self.discovery[cell] = own;
        let mut earliest = own;
        for next in Cells(self.movegen.neighbours(cell) & self.cells) {
            if (self.undiscovered & W::bit(next)).is_zero() {
                earliest = earliest.min(self.discovery[next]);
                continue;
            }
            self.undiscovered &= !W::bit(next);
            let first = self.stack_len;
            self.stack[first] = next as u8;
            self.stack_len += 1;
            let reached = self.descend(next);
            earliest = earliest.min(reached);
            if reached >= own {
                self.depth_bound[cell] = self.depth_bound[cell].max(self.steps_in_block(cell, first));
                self.stack_len = first;
            }
        }
        earliest
    }

    /// Bounds the steps from `cell` into the block that it forms with the cells on the stack from
    /// `first` on, and onward from there.
    fn steps_in_block(&self, cell: usize, first: usize) -> u8 {
        let block = &self.stack[first..self.stack_len];
        let depth_bound = |cell: u8| self.depth_bound[usize::from(cell)];
        let size = block.len() as u8;
        let Some(dark) = self.movegen.dark() else {
            return size + block.iter().map(|&cell| depth_bound(cell)).max().unwrap_or(0);
        };
        let is_dark = |cell: usize| !(dark & W::bit(cell)).is_zero();
        let own = is_dark(cell);
        let (mut same, mut onward) = (0, [0, 0]);
        for &to in block {
            let is_same = is_dark(to.into()) == own;
            same += u8::from(is_same);
            let most = &mut onward[usize::from(is_same)];
            *most = depth_bound(to).max(*most);
        }
        let other = size - same;
        // Walks that end on the other colour, and on the same one.
        let odd = 2 * other.min(same + 1) - 1 + onward[0];
        if same == 0 { odd } else { odd.max(2 * same.min(other) + onward[1]) }
    }
}
