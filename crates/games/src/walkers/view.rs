//! What can be told of a position by looking a ply or two ahead.

use balpan::{Bounds, Value};

use super::{Position, Walkers};
use crate::board::{Cells, bit};

/// The ways of both tokens, as all that is known of a position needs them.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// The tiles when the token to move has left its own.
    pub(super) left: u64,
    /// And when the other one has left, too.
    pub(super) after: u64,
    /// Where the token to move can go, but for the other one's tile.
    pub(super) own: u64,
    /// Where the other one could go if the token to move vanished.
    pub(super) theirs: u64,
}

/// Whether a set has one cell, or none.
#[inline]
const fn at_most_one(set: u64) -> bool {
    set & set.wrapping_sub(1) == 0
}

impl Walkers {
    #[inline]
    pub(super) fn view(&self, position: &Position) -> View {
        let (mover, other) = (usize::from(position.mover), usize::from(position.other));
        let left = position.tiles & !bit(mover);
        let after = left & !bit(other);
        let own = self.destinations(position) & after;
        View { left, after, own, theirs: self.ways.from(other, left) }
    }

    /// The value of a position that has a move, if it shows within two plies or is
    /// forced within three.
    #[inline]
    pub(super) fn at_a_glance(&self, position: &Position, view: &View) -> Option<Value> {
        let View { left, after, own, theirs } = *view;
        // Any step wins at once if it leaves the other token no way on, or takes the
        // tile away on which both stand.
        if theirs == 0 || position.mover == position.other {
            return Some(Value::win(1));
        }
        // The only step is onto the other token, which has a way on: it leaves.
        if own == 0 {
            return Some(Value::loss(2));
        }
        if self.ways.slide() {
            // A queen that steps where the other one could go may block its last ways;
            // elsewhere it blocks none.
            let other = position.other.into();
            let blocks = |to| self.ways.from(other, left & !bit(to)) == 0;
            if !self.rules.share && Cells(own & theirs).any(blocks) {
                return Some(Value::win(1));
            }
        } else if at_most_one(theirs) && own & theirs != 0 {
            // The other token's last way on is in reach. Not shared, the step there wins.
            if !self.rules.share {
                return Some(Value::win(1));
            }
            // Shared, the other one must follow onto that tile, and vanishes with it if
            // there is a way on. Nothing wins sooner: any step leaves it this way.
            if self.ways.from(theirs.trailing_zeros() as usize, after) != 0 {
                return Some(Value::win(3));
            }
        }
        (self.safe(view) == 0).then_some(Value::loss(2))
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
    pub(super) fn safe(&self, view: &View) -> u64 {
        let can_be_taken = if self.rules.share || self.ways.slide() { 0 } else { view.theirs };
        let is_safe = |&to: &usize| {
            let on = self.ways.from(to, view.after);
            on != 0 && !(at_most_one(on) && on & can_be_taken != 0)
        };
        Cells(view.own).filter(is_safe).fold(0, |safe, to| safe | bit(to))
    }
}
