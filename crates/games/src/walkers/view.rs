//! What can be told of a position by looking a ply or two ahead.

use balpan::{Bounds, Value};

use super::{Position, Walkers};
use crate::board::{CellSet, Cells};

/// The ways of both tokens, as all that is known of a position needs them.
#[derive(Clone, Copy)]
pub(super) struct View<W> {
    /// The tiles when the token to move has left its own.
    pub(super) left: W,
    /// And when the other one has left, too.
    pub(super) after: W,
    /// Where the token to move can go, but for the other one's tile.
    pub(super) own: W,
    /// Where the other one could go if the token to move vanished.
    pub(super) theirs: W,
}

/// Whether a set has one cell, or none.
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

    /// The value of a position that has a move, if it shows within two plies or is
    /// forced within three.
    #[inline]
    pub(super) fn at_a_glance(&self, position: &Position<W>, view: &View<W>) -> Option<Value> {
        let View { left, after, own, theirs } = *view;
        // Any step wins at once if it leaves the other token no way on, or takes the
        // tile away on which both stand.
        if theirs.is_zero() || position.mover == position.other {
            return Some(Value::win(1));
        }
        // The only step is onto the other token, which has a way on: it leaves.
        if own.is_zero() {
            return Some(Value::loss(2));
        }
        if self.ways.slide() {
            // A queen that steps where the other one could go may block its last ways;
            // elsewhere it blocks none.
            let other = position.other.into();
            let blocks = |to| self.ways.from(other, left & !W::bit(to)).is_zero();
            if !self.rules.share && Cells(own & theirs).any(blocks) {
                return Some(Value::win(1));
            }
        } else if at_most_one(theirs) && !(own & theirs).is_zero() {
            // The other token's last way on is in reach. Not shared, the step there wins.
            if !self.rules.share {
                return Some(Value::win(1));
            }
            // Shared, the other one must follow onto that tile, and vanishes with it if
            // there is a way on. Nothing wins sooner: any step leaves it this way.
            if !self.ways.from(theirs.trailing_zeros() as usize, after).is_zero() {
                return Some(Value::win(3));
            }
        }
        self.safe(view).is_zero().then_some(Value::loss(2))
    }

    /// Bounds for where [`at_a_glance`](Self::at_a_glance) has no value: then no step
    /// wins at once, and one is safe, so that the other token does not win with its
    /// next step, either. Only queens that do not share tiles can be blocked where it
    /// was safe.
    #[inline]
    pub(super) fn not_at_a_glance(&self) -> Bounds {
        let soonest = if self.ways.slide() && !self.rules.share { 2 } else { 4 };
        Bounds { lower: Value::loss(soonest), upper: Value::win(3) }
    }

    /// The steps after which the token is not stuck as soon as the other one has made
    /// its next step. All others lose in two plies, as no step does sooner, if none
    /// wins at once: then the other one has a step to make.
    ///
    /// To be stuck is to have no way on over the tiles that the two have not left; or,
    /// where tiles are not shared, only one, if the other one can step there. (It still
    /// can: where this step took away its last way, the step has won.) And who steps
    /// onto the other token vanishes with its tile.
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
