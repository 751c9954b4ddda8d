//! Bounds for tokens that can hold out for some steps, whatever the other token does.

use balpan::{Bounds, Value};

use super::Walkers;
use super::question::{steps_to_exceed, steps_to_prevent};
use super::view::View;
use crate::board::CellSet;

impl<W: CellSet> Walkers<W> {
    /// Returns bounds if a token holds out for long enough to decide `threshold`. Not for
    /// queens, which can be blocked from afar.
    #[inline]
    pub(super) fn holdout_bounds(&self, view: &View<W>, threshold: Value) -> Option<Bounds> {
        let View { without_both: after, own_steps: own, their_steps: theirs, .. } = *view;
        let steps = steps_to_prevent(threshold);
        if steps <= self.tuning.max_holdout_steps && self.can_hold_out(theirs, W::zero(), own, after, steps) {
            return Some(Bounds { upper: Value::win(2 * steps + 1), ..Bounds::ANY });
        }
        // The token to move makes the first step: the other one could not yet hinder it.
        let steps = steps_to_exceed(threshold);
        if (2..=self.tuning.max_holdout_steps).contains(&steps)
            && self.can_hold_out(self.movegen.neighbours_of(own) & after, own, theirs, after, steps - 1)
        {
            return Some(Bounds { lower: Value::loss(2 * steps), ..Bounds::ANY });
        }
        None
    }

    /// Whether a token can make `steps` steps over `free` whatever the other token does,
    /// which moves before each of them. The first step goes to a cell of `next`. Steps
    /// avoid `seen`, and all cells that the other token, now next to `taken`, can have
    /// visited before.
    ///
    /// Each step reaches only tiles that no earlier step could reach. The last tile can
    /// therefore be traced back to a walk over distinct tiles, each of which was free when
    /// it was stepped on. If the other token steps onto the same tile, it vanishes under
    /// that token with the next step.
    #[inline]
    fn can_hold_out(&self, mut next: W, mut seen: W, mut taken: W, free: W, steps: u32) -> bool {
        let mut front = taken;
        for left in (0..steps).rev() {
            next &= !taken & !seen;
            if next.is_zero() {
                return false;
            }
            if left > 0 {
                seen |= next;
                front = self.movegen.neighbours_of(front) & free & !taken;
                taken |= front;
                next = self.movegen.neighbours_of(next) & free;
            }
        }
        true
    }
}
