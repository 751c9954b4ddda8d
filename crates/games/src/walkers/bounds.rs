//! Static evaluation: exact values and bounds of a position without a search.

use balpan::{Bounds, Outcome, Value};

use super::longest_walk::LongestWalk;
use super::{Position, Walkers};
use crate::board::{CellSet, Cells};

/// The steps of both tokens, computed once per position.
#[derive(Clone, Copy)]
pub(super) struct TokenView<W> {
    /// The tiles once the token to move has left its own.
    pub(super) without_mover: W,
    /// The tiles once both tokens have left theirs.
    pub(super) without_both: W,
    /// The steps of the token to move, except onto the other token's tile.
    pub(super) own_steps: W,
    /// The steps that the other token would have if the token to move vanished.
    pub(super) their_steps: W,
}

/// Whether a set has at most one cell.
#[inline]
fn at_most_one<W: CellSet>(set: W) -> bool {
    set.is_zero() || (set & (set - W::one())).is_zero()
}

impl<W: CellSet> Walkers<W> {
    #[inline]
    pub(super) fn view(&self, position: &Position<W>) -> TokenView<W> {
        let (mover, other) = (usize::from(position.mover), usize::from(position.other));
        let without_mover = position.tiles & !W::bit(mover);
        let without_both = without_mover & !W::bit(other);
        let own_steps = self.destinations(position) & without_both;
        TokenView {
            without_mover,
            without_both,
            own_steps,
            their_steps: self.movegen.destinations(other, without_mover),
        }
    }

    /// Returns the value of a position with a move if it is decided within two plies, or
    /// forced within three.
    #[inline]
    pub(super) fn static_value(&self, position: &Position<W>, view: &TokenView<W>) -> Option<Value> {
        let TokenView { without_mover, without_both, own_steps, their_steps } = *view;
        // Every step wins at once if the other token then has no step, or if both tokens
        // stand on the tile that vanishes.
        if their_steps.is_zero() || position.mover == position.other {
            return Some(Value::win(1));
        }
        // The only step is onto the other token, which then leaves: it has a step.
        if own_steps.is_zero() {
            return Some(Value::loss(2));
        }
        if self.movegen.is_sliding() {
            // A queen that steps onto the other one's rays may block her last ones. Other steps
            // block none.
            let other = position.other.into();
            let blocks = |to| self.movegen.destinations(other, without_mover & !W::bit(to)).is_zero();
            if !self.rules.share && Cells(own_steps & their_steps).any(blocks) {
                return Some(Value::win(1));
            }
        } else if at_most_one(their_steps) && !(own_steps & their_steps).is_zero() {
            // The other token's only step is within reach. If tiles are not shared, stepping there wins.
            if !self.rules.share {
                return Some(Value::win(1));
            }
            // If they are shared, the other token must follow onto that tile, and vanishes
            // with it if there is a step. Nothing wins sooner: every step leaves it this one.
            if !self.movegen.destinations(their_steps.trailing_zeros() as usize, without_both).is_zero() {
                return Some(Value::win(3));
            }
        }
        self.safe_steps(view).is_zero().then_some(Value::loss(2))
    }

    /// Returns bounds for positions without a [static value](Self::static_value).
    ///
    /// No step wins at once, and at least one is safe, so the other token does not win with
    /// its next step either. Only queens that do not share tiles can be blocked after a
    /// safe step.
    #[inline]
    pub(super) fn quiet_bounds(&self) -> Bounds {
        let soonest = if self.movegen.is_sliding() && !self.rules.share { 2 } else { 4 };
        Bounds { lower: Value::loss(soonest), upper: Value::win(3) }
    }

    /// The steps after which the token is not stuck as soon as the other one has moved.
    ///
    /// If no step wins at once, all other steps lose in two plies and no step loses sooner:
    /// the other token has a move. A token is stuck if it has no step over the tiles that
    /// neither token has left, or, where tiles are not shared, only one that the other
    /// token can take. (It still can: if this step had taken its last one, the step would
    /// have won.) A token that steps onto the other one vanishes with its tile.
    #[inline]
    pub(super) fn safe_steps(&self, view: &TokenView<W>) -> W {
        let can_be_taken = if self.rules.share || self.movegen.is_sliding() { W::zero() } else { view.their_steps };
        let is_safe = |&to: &usize| {
            let on = self.movegen.destinations(to, view.without_both);
            !on.is_zero() && (!at_most_one(on) || (on & can_be_taken).is_zero())
        };
        Cells(view.own_steps).filter(is_safe).fold(W::zero(), |safe, to| safe | W::bit(to))
    }
}

impl<W: CellSet> Walkers<W> {
    /// Returns bounds if the tokens are separated: no tile is within reach of both.
    ///
    /// Both tokens must have a step. A token can only ever step on tiles that it reaches
    /// over the board without the two tiles under the tokens, which vanish with the first
    /// two steps. If the reaches are disjoint, neither token hinders the other, and each
    /// can make as many steps as its longest walk has. Stepping onto the other token,
    /// where tiles are shared, does not help: it loses in 2 plies. A queen might also slide
    /// over the tile under the other token, so her reach includes that tile.
    #[inline]
    pub(super) fn separation_bounds(
        &self,
        position: &Position<W>,
        view: &TokenView<W>,
        threshold: Value,
    ) -> Option<Bounds> {
        let tokens @ [mover, other] = [position.mover.into(), position.other.into()];
        let reaches = if self.movegen.is_sliding() {
            let reaches = tokens.map(|token| self.movegen.flood_fill(token, position.tiles & !W::bit(token)));
            if !((reaches[0] | W::bit(mover)) & (reaches[1] | W::bit(other))).is_zero() {
                return None;
            }
            reaches
        } else {
            let reach = self.movegen.flood_fill(mover, view.without_both);
            // The usual case: the tokens meet soon.
            if !(reach & view.their_steps).is_zero() {
                return None;
            }
            [reach, self.movegen.flood_fill(other, view.without_both)]
        };
        if !(reaches[0] & reaches[1]).is_zero() {
            return None;
        }
        self.compare_walks(tokens, reaches, threshold)
    }

    /// Compares the longest walks, as far as `threshold` needs.
    ///
    /// With longest walks of `own` and `their` steps, the token to move is stuck after
    /// 2 · `own` plies if `own` ≤ `their`; otherwise the other one is after 2 · `their` + 1.
    /// Bounds on the walks often decide. Returns `None` if the searches take too long.
    #[cold]
    #[inline(never)]
    fn compare_walks(&self, [mover, other]: [usize; 2], reaches: [W; 2], threshold: Value) -> Option<Bounds> {
        let mut walk = LongestWalk::new(&self.movegen);
        let most = self.movegen.max_steps(mover, reaches[0]);
        let value = |own, their| if own > their { Value::win(2 * their + 1) } else { Value::loss(2 * own) };
        let exceeding = steps_to_exceed(threshold);
        if exceeding <= most {
            let own = walk.length(mover, reaches[0], exceeding)?;
            if own >= exceeding {
                // A loss no sooner than that, or a win.
                return Some(Bounds { lower: Value::loss(2 * own), ..Bounds::ANY });
            }
            let their = walk.length(other, reaches[1], own)?;
            return Some(Bounds::exact(value(own, their)));
        }
        // Only a win exceeds the threshold. Usually every win that the other token's reach allows does.
        let latest = self.movegen.max_steps(other, reaches[1]);
        if latest < most && Value::win(2 * latest + 1) > threshold {
            let own = walk.length(mover, reaches[0], latest + 1)?;
            if own > latest {
                return Some(Bounds { lower: Value::win(2 * latest + 1), ..Bounds::ANY });
            }
            let their = walk.length(other, reaches[1], own)?;
            return Some(Bounds::exact(value(own, their)));
        }
        let preventing = steps_to_prevent(threshold);
        let their = walk.length(other, reaches[1], most.min(preventing))?;
        if their >= most {
            return Some(Bounds { upper: Value::loss(2 * most), ..Bounds::ANY });
        }
        if their >= preventing {
            return Some(Bounds { upper: Value::win(2 * their + 1), ..Bounds::ANY });
        }
        let own = walk.length(mover, reaches[0], their + 1)?;
        Some(Bounds::exact(value(own, their)))
    }
}

impl<W: CellSet> Walkers<W> {
    /// Returns bounds if a token holds out for long enough to decide `threshold`. Not for
    /// queens, which can be blocked from afar.
    #[inline]
    pub(super) fn holdout_bounds(&self, view: &TokenView<W>, threshold: Value) -> Option<Bounds> {
        let TokenView { without_both: after, own_steps: own, their_steps: theirs, .. } = *view;
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

/// The number of steps from which the token to move exceeds `threshold`: if it makes that
/// many before it is stuck, its loss comes later. `u32::MAX` if no loss is enough.
pub(super) fn steps_to_exceed(threshold: Value) -> u32 {
    match (threshold.outcome(), threshold.remoteness()) {
        (Outcome::Loss, Some(plies)) => plies / 2 + 1,
        _ => u32::MAX,
    }
}

/// The number of steps from which the other token keeps the one to move at `threshold` or
/// below: a win in 2n + 1 plies comes no sooner than n steps. `u32::MAX` if every win exceeds
/// the threshold.
pub(super) fn steps_to_prevent(threshold: Value) -> u32 {
    match (threshold.outcome(), threshold.remoteness()) {
        (Outcome::Win, Some(plies)) => plies / 2,
        _ => u32::MAX,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_as_many_as_it_takes_and_no_more() {
        for plies in 0..20 {
            let (threshold, n) = (Value::loss(plies), steps_to_exceed(Value::loss(plies)));
            assert!(Value::loss(2 * n) > threshold && Value::loss(2 * n - 2) <= threshold, "{threshold}");
            let (threshold, n) = (Value::win(plies), steps_to_prevent(Value::win(plies)));
            assert!(Value::win(2 * n + 1) <= threshold && (n == 0 || Value::win(2 * n - 1) > threshold), "{threshold}");
        }
        assert_eq!((steps_to_exceed(Value::DRAW), steps_to_prevent(Value::DRAW)), (u32::MAX, u32::MAX));
    }
}
