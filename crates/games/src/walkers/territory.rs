//! Move ordering.

use super::{Position, Steps, Walkers};
use crate::board::CellSet;

/// The weights of a step's rank, in units of one exit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Weight of a tile that the token reaches first.
    territory: i32,
    /// Weight of the squared distance between the tokens.
    distance: i32,
}

impl Weights {
    /// Returns the weights measured on the boards of the presets and one size larger. Tokens
    /// that leap over tiles cut nothing off by coming near.
    pub(super) const fn for_steps(steps: &Steps) -> Self {
        match steps {
            Steps::Orthogonal | Steps::King | Steps::Queen => Self { territory: 4, distance: 1 },
            Steps::Knight | Steps::Offsets(_) => Self { territory: 2, distance: 0 },
        }
    }
}

impl<W: CellSet> Walkers<W> {
    /// Ranks a step. With few tiles left, steps towards the other token come first: they cut
    /// off its exits and end the game. With more tiles, steps that win the most territory
    /// do. Ties are broken by Warnsdorff's rule: fewest exits first.
    #[inline]
    pub(super) fn step_rank(&self, position: &Position<W>, to: usize) -> i32 {
        let (mover, other) = (usize::from(position.mover), usize::from(position.other));
        let distance = i32::from(self.distances[other][to]);
        let left = position.tiles & !W::bit(mover) & !W::bit(to);
        if position.tiles.count_ones() < self.tuning.min_territory_tiles {
            return -distance - self.movegen.destinations(to, left).count_ones() as i32;
        }
        let left = left & !W::bit(other);
        let Weights { territory, distance: nearness } = self.weights;
        let ways_on = self.movegen.neighbours(to) & left;
        territory * self.first_to_reach(to, other, left) - nearness * distance - ways_on.count_ones() as i32
    }

    /// The territory of a token on `to`: the tiles of `free` that it can step on before a
    /// token on `other`, which moves first, can. Queens are counted as kings.
    #[inline]
    fn first_to_reach(&self, to: usize, other: usize, free: W) -> i32 {
        let mut their_front = self.movegen.neighbours(other) & free;
        let mut theirs = their_front;
        let mut front = self.movegen.neighbours(to) & free & !theirs;
        let mut own = front;
        while !front.is_zero() {
            their_front = self.movegen.neighbours_of(their_front) & free & !theirs;
            theirs |= their_front;
            front = self.movegen.neighbours_of(front) & free & !own & !theirs;
            own |= front;
        }
        own.count_ones() as i32
    }
}
