//! How promising a step is.

use super::{Position, Steps, Walkers};
use crate::board::CellSet;

/// What a step's rank counts, but for the ways on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// For each tile that the token is first to reach.
    territory: i32,
    /// For the square of the distance between the tokens.
    distance: i32,
}

impl Weights {
    /// As measured on the boards of the presets and one size larger: whoever leaps
    /// over tiles cuts nobody off by coming near.
    pub(super) const fn of(steps: &Steps) -> Self {
        match steps {
            Steps::Orthogonal | Steps::King | Steps::Queen => Self { territory: 4, distance: 1 },
            Steps::Knight | Steps::Offsets(_) => Self { territory: 2, distance: 0 },
        }
    }
}

impl<W: CellSet> Walkers<W> {
    /// With few tiles left, first towards the other token, whose ways that cuts off:
    /// it ends games. With more, first where most tiles are this token's own.
    /// Between equals Warnsdorff's rule decides: to where there are the fewest ways on.
    #[inline]
    pub(super) fn promise(&self, position: &Position<W>, to: usize) -> i32 {
        let (mover, other) = (usize::from(position.mover), usize::from(position.other));
        let distance = i32::from(self.distances[other][to]);
        let left = position.tiles & !W::bit(mover) & !W::bit(to);
        if position.tiles.count_ones() < self.tuning.territory_tiles {
            return -distance - self.ways.from(to, left).count_ones() as i32;
        }
        let left = left & !W::bit(other);
        let Weights { territory, distance: nearness } = self.weights;
        let ways_on = self.ways.next_to(to) & left;
        territory * self.first_to_reach(to, other, left) - nearness * distance - ways_on.count_ones() as i32
    }

    /// How many tiles of `free` a token on `to` can step on before one on `other`,
    /// which steps first, could; as kings do, if they are queens.
    #[inline]
    fn first_to_reach(&self, to: usize, other: usize, free: W) -> i32 {
        let mut their_front = self.ways.next_to(other) & free;
        let mut theirs = their_front;
        let mut front = self.ways.next_to(to) & free & !theirs;
        let mut own = front;
        while !front.is_zero() {
            their_front = self.ways.next_to_any(their_front) & free & !theirs;
            theirs |= their_front;
            front = self.ways.next_to_any(front) & free & !own & !theirs;
            own |= front;
        }
        own.count_ones() as i32
    }
}
