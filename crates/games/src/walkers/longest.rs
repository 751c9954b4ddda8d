//! The longest walk of a token that nobody hinders.

use super::ways::Ways;
use crate::board::{Cells, bit};

/// A search for longest walks that gives up after so many steps tried: to find one
/// can take a time exponential in the tiles.
pub(super) struct LongestWalk<'a> {
    pub(super) ways: &'a Ways,
    pub(super) effort: u32,
}

impl LongestWalk<'_> {
    /// The steps of the longest walk from `from` over `reach`, all that can be reached
    /// from there; if they are `enough` or more, perhaps fewer of them, but `enough`.
    /// `None` if it gives up.
    pub(super) fn steps(&mut self, from: usize, reach: u64, enough: u32) -> Option<u32> {
        self.within(from, reach, self.ways.most_steps(from, reach).min(enough))
    }

    /// As [`steps`](Self::steps), where more than `most` cannot be or do not matter.
    /// Steps with few ways on are tried first (Warnsdorff's rule), for what is left
    /// aside is often lost.
    fn within(&mut self, from: usize, reach: u64, most: u32) -> Option<u32> {
        self.effort = self.effort.checked_sub(1)?;
        if most == 0 {
            return Some(0);
        }
        const DEAD_END: u16 = 64;
        let mut next = [0; 64];
        let mut count = 0;
        for to in Cells(self.ways.from(from, reach)) {
            let on = self.ways.from(to, reach & !bit(to)).count_ones() as u16;
            next[count] = (if on == 0 { DEAD_END } else { on }) << 6 | to as u16;
            count += 1;
        }
        let next = &mut next[..count];
        next.sort_unstable();
        let mut best = 0;
        for &mut next in next {
            if next >> 6 == DEAD_END {
                return Some(best.max(1));
            }
            let to = usize::from(next % 64);
            let reach = self.ways.flood(to, reach & !bit(to));
            let bound = self.ways.most_steps(to, reach);
            if 1 + bound > best {
                best = best.max(1 + self.within(to, reach, bound.min(most - 1))?);
                if best >= most {
                    break;
                }
            }
        }
        Some(best)
    }
}

impl Ways {
    /// No walk from `from` over `reach` (all that can be reached, without `from`) has
    /// more steps: a dead end can only be its last tile, and where every step changes
    /// colour, tiles of the two colours alternate.
    #[inline]
    pub(super) fn most_steps(&self, from: usize, reach: u64) -> u32 {
        let dead_ends = self.dead_ends(reach | bit(from)) & reach;
        let inner = reach & !dead_ends;
        let Some(dark) = self.dark() else {
            return inner.count_ones() + u32::from(dead_ends != 0);
        };
        let same = if dark & bit(from) == 0 { !dark } else { dark };
        let (odd, even) = ((inner & !same).count_ones(), (inner & same).count_ones());
        // Steps lead to the other colour and back in turn.
        let in_turn = |odd: u32, even: u32| if odd > even { 2 * even + 1 } else { 2 * odd };
        let to_odd_end = in_turn(odd + u32::from(dead_ends & !same != 0), even);
        let to_even_end = in_turn(odd, even + u32::from(dead_ends & same != 0));
        to_odd_end.max(to_even_end)
    }
}
