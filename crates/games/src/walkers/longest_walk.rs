//! The longest walk of a token that is not hindered.

use super::movegen::MoveGenerator;
use crate::board::{CellSet, Cells};

/// Steps that a search for longest walks tries before it gives up, so that the search of
/// positions stays interruptible. With block bounds, few searches need 500 (measured).
const MAX_STEPS_TRIED: u32 = 1 << 12;

/// Number of steps tried after which walks are bounded by blocks, which takes ten times as
/// long as another step (measured).
const MIN_STEPS_FOR_BLOCK_BOUND: u32 = 1 << 8;

/// A search for longest walks within a limited number of steps tried: the problem takes
/// exponential time in the tiles.
pub(super) struct LongestWalk<'a, W> {
    movegen: &'a MoveGenerator<W>,
    tried: u32,
}

impl<'a, W: CellSet> LongestWalk<'a, W> {
    pub(super) const fn new(movegen: &'a MoveGenerator<W>) -> Self {
        Self { movegen, tried: 0 }
    }

    /// Returns the steps of the longest walk from `from` over `reach`, the set of all tiles
    /// reachable from there. If the walk has `enough` steps or more, returns some number
    /// from `enough` up to it. Returns `None` if the search gives up.
    pub(super) fn length(&mut self, from: usize, reach: W, enough: u32) -> Option<u32> {
        self.search(from, reach, self.movegen.max_steps(from, reach).min(enough))
    }

    /// Searches for a walk of `most` steps, an upper bound or all that matters. Steps with
    /// the fewest exits come first (Warnsdorff's rule): a tile left behind is often lost.
    fn search(&mut self, from: usize, reach: W, most: u32) -> Option<u32> {
        self.tried += 1;
        if self.tried > MAX_STEPS_TRIED {
            return None;
        }
        if most == 0 {
            return Some(0);
        }
        const DEAD_END: u16 = 128;
        let mut next = [0; u128::CELLS];
        let mut count = 0;
        for to in Cells(self.movegen.destinations(from, reach)) {
            let on = self.movegen.destinations(to, reach & !W::bit(to)).count_ones() as u16;
            next[count] = (if on == 0 { DEAD_END } else { on }) << 7 | to as u16;
            count += 1;
        }
        let next = &mut next[..count];
        next.sort_unstable();
        let mut best = 0;
        for &mut next in next {
            if next >> 7 == DEAD_END {
                return Some(best.max(1));
            }
            let to = usize::from(next % 128);
            let reach = self.movegen.flood_fill(to, reach & !W::bit(to));
            let mut bound = self.movegen.max_steps(to, reach);
            if 1 + bound > best && self.tried > MIN_STEPS_FOR_BLOCK_BOUND {
                bound = self.movegen.max_steps_by_blocks(to, reach).map_or(bound, |most| most.min(bound));
            }
            if 1 + bound > best {
                best = best.max(1 + self.search(to, reach, bound.min(most - 1))?);
                if best >= most {
                    break;
                }
            }
        }
        Some(best)
    }
}

impl<W: CellSet> MoveGenerator<W> {
    /// Returns an upper bound of the steps of any walk from `from` over `reach`, the set of all
    /// tiles reachable from there without `from`. A dead end can only be the last tile. If
    /// the graph of steps is bipartite, tiles of the two colours alternate.
    #[inline]
    pub(super) fn max_steps(&self, from: usize, reach: W) -> u32 {
        let dead_ends = self.dead_ends(reach | W::bit(from)) & reach;
        let inner = reach & !dead_ends;
        let Some(dark) = self.dark() else {
            return inner.count_ones() + u32::from(!dead_ends.is_zero());
        };
        let same = if (dark & W::bit(from)).is_zero() { !dark } else { dark };
        let (odd, even) = ((inner & !same).count_ones(), (inner & same).count_ones());
        // Steps alternate between the other colour and the same one.
        let in_turn = |odd: u32, even: u32| if odd > even { 2 * even + 1 } else { 2 * odd };
        let to_odd_end = in_turn(odd + u32::from(!(dead_ends & !same).is_zero()), even);
        let to_even_end = in_turn(odd, even + u32::from(!(dead_ends & same).is_zero()));
        to_odd_end.max(to_even_end)
    }
}

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
