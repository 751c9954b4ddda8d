//! Tokens that hold out for some steps, whatever the other does.

use balpan::{Bounds, Value};

use super::Walkers;
use super::question::{steps_to_exceed, steps_to_prevent};
use super::view::View;
use crate::board::CellSet;

impl<W: CellSet> Walkers<W> {
    /// What is known if a token holds out for as long as it takes to answer what is
    /// asked; not for queens, which can be blocked from afar.
    #[inline]
    pub(super) fn held(&self, view: &View<W>, asked: Value) -> Option<Bounds> {
        let View { after, own, theirs, .. } = *view;
        let steps = steps_to_prevent(asked);
        if steps <= self.tuning.hold_steps && self.holds(theirs, W::zero(), own, after, steps) {
            return Some(Bounds { upper: Value::win(2 * steps + 1), ..Bounds::ANY });
        }
        // The first step is one of its own: the other one could not yet hinder it.
        let steps = steps_to_exceed(asked);
        if (2..=self.tuning.hold_steps).contains(&steps)
            && self.holds(self.ways.next_to_any(own) & after, own, theirs, after, steps - 1)
        {
            return Some(Bounds { lower: Value::loss(2 * steps), ..Bounds::ANY });
        }
        None
    }

    /// Whether a token can surely make `steps` steps over `free`, the other one
    /// moving before each: the first onto one of `next`, ever on from `seen`, and none
    /// onto what the other one, now next to `taken`, may have been on by then.
    ///
    /// Steps go on to tiles that no earlier step could lead to, so the last one reached
    /// can be traced back to a walk over tiles that differ, each of which was there and
    /// free when it was stepped on. If the other token comes onto the same tile, it
    /// vanishes under it with the next step.
    #[inline]
    fn holds(&self, mut next: W, mut seen: W, mut taken: W, free: W, steps: u32) -> bool {
        let mut front = taken;
        for left in (0..steps).rev() {
            next &= !taken & !seen;
            if next.is_zero() {
                return false;
            }
            if left > 0 {
                seen |= next;
                front = self.ways.next_to_any(front) & free & !taken;
                taken |= front;
                next = self.ways.next_to_any(next) & free;
            }
        }
        true
    }
}
