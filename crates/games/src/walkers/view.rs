//! Static evaluation: exact values and bounds from two or three plies of lookahead.

use balpan::{Bounds, Value};

use super::{Position, Walkers};
use crate::board::{CellSet, Cells};

/// The steps of both tokens, computed once per position.
#[derive(Clone, Copy)]
pub(super) struct View<W> {
    /// The tiles once the token to move has left its own.
    pub(super) left: W,
    /// The tiles once both tokens have left theirs.
    pub(super) after: W,
    /// The steps of the token to move, except onto the other token's tile.
    pub(super) own: W,
    /// The steps that the other token would have if the token to move vanished.
    pub(super) theirs: W,
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
        let left = position.tiles & !W::bit(mover);
        let after = left & !W::bit(other);
        let own = self.destinations(position) & after;
        View { left, after, own, theirs: self.ways.from(other, left) }
    }

    /// Returns the value of a position with a move if it is decided within two plies, or
    /// forced within three.
    #[inline]
    pub(super) fn at_a_glance(&self, position: &Position<W>, view: &View<W>) -> Option<Value> {
        let View { left, after, own, theirs } = *view;
        // Every step wins at once if the other token then has no step, or if both tokens
        // stand on the tile that vanishes.
        if theirs.is_zero() || position.mover == position.other {
            return Some(Value::win(1));
        }
        // The only step is onto the other token, which then leaves: it has a step.
        if own.is_zero() {
            return Some(Value::loss(2));
        }
        if self.ways.slide() {
            // A queen that steps onto the other one's rays may block her last ones. Other steps
            // block none.
            let other = position.other.into();
            let blocks = |to| self.ways.from(other, left & !W::bit(to)).is_zero();
            if !self.rules.share && Cells(own & theirs).any(blocks) {
                return Some(Value::win(1));
            }
        } else if at_most_one(theirs) && !(own & theirs).is_zero() {
            // The other token's only step is within reach. If tiles are not shared, stepping there wins.
            if !self.rules.share {
                return Some(Value::win(1));
            }
            // If they are shared, the other token must follow onto that tile, and vanishes
            // with it if there is a step. Nothing wins sooner: every step leaves it this one.
            if !self.ways.from(theirs.trailing_zeros() as usize, after).is_zero() {
                return Some(Value::win(3));
            }
        }
        self.safe(view).is_zero().then_some(Value::loss(2))
    }

    /// Returns bounds for positions without a [static value](Self::at_a_glance).
    ///
    /// No step wins at once, and at least one is safe, so the other token does not win with
    /// its next step either. Only queens that do not share tiles can be blocked after a
    /// safe step.
    #[inline]
    pub(super) fn not_at_a_glance(&self) -> Bounds {
        let soonest = if self.ways.slide() && !self.rules.share { 2 } else { 4 };
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
    pub(super) fn safe(&self, view: &View<W>) -> W {
        let can_be_taken = if self.rules.share || self.ways.slide() { W::zero() } else { view.theirs };
        let is_safe = |&to: &usize| {
            let on = self.ways.from(to, view.after);
            !on.is_zero() && (!at_most_one(on) || (on & can_be_taken).is_zero())
        };
        Cells(view.own).filter(is_safe).fold(W::zero(), |safe, to| safe | W::bit(to))
    }
}
