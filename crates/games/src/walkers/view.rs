//! Static evaluation: exact values and bounds from two or three plies of lookahead.

use balpan::{Bounds, Value};

use super::{Position, Walkers};
use crate::board::{CellSet, Cells};

/// The steps of both tokens, computed once per position.
#[derive(Clone, Copy)]
pub(super) struct View<W> {
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
    pub(super) fn view(&self, position: &Position<W>) -> View<W> {
        let (mover, other) = (usize::from(position.mover), usize::from(position.other));
        let without_mover = position.tiles & !W::bit(mover);
        let without_both = without_mover & !W::bit(other);
        let own_steps = self.destinations(position) & without_both;
        View { without_mover, without_both, own_steps, their_steps: self.movegen.destinations(other, without_mover) }
    }

    /// Returns the value of a position with a move if it is decided within two plies, or
    /// forced within three.
    #[inline]
    pub(super) fn static_value(&self, position: &Position<W>, view: &View<W>) -> Option<Value> {
        let View { without_mover, without_both, own_steps, their_steps } = *view;
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
    pub(super) fn safe_steps(&self, view: &View<W>) -> W {
        let can_be_taken = if self.rules.share || self.movegen.is_sliding() { W::zero() } else { view.their_steps };
        let is_safe = |&to: &usize| {
            let on = self.movegen.destinations(to, view.without_both);
            !on.is_zero() && (!at_most_one(on) || (on & can_be_taken).is_zero())
        };
        Cells(view.own_steps).filter(is_safe).fold(W::zero(), |safe, to| safe | W::bit(to))
    }
}
