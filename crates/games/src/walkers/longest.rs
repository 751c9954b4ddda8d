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
