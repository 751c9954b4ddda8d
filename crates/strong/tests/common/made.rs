//! Games made up by chance, with scores, moves that keep the turn, and play that may repeat.

use balpan::{Game, Outcome, SplitMix};

/// A random graph in layers: a position is a layer and a place in it. `KEEPS` is whether some moves keep the turn.
#[derive(Clone, Debug)]
pub(crate) struct Made<const KEEPS: bool> {
    pub(crate) seed: u64,
    pub(crate) layers: u32,
    pub(crate) width: u32,
    pub(crate) max_moves: usize,
    pub(crate) max_score: u32,
    pub(crate) may_repeat: bool,
    /// Whether the game has no layers.
    pub(crate) is_flat: bool,
    /// Whether the places `2 n` and `2 n + 1` of a layer are equal by symmetry.
    pub(crate) twins: bool,
    /// The number of 16 positions that are ends.
    pub(crate) ends: usize,
    pub(crate) key_bits: u32,
}

/// A game of few positions, for others to be made from.
pub(crate) const MADE: Made<true> = Made {
    seed: 5,
    layers: 2,
    width: 10,
    max_moves: 3,
    max_score: 0,
    may_repeat: true,
    is_flat: false,
    twins: false,
    ends: 1,
    key_bits: 41,
};

impl<const KEEPS: bool> Made<KEEPS> {
    fn random(&self, (layer, place): (u32, u32), purpose: u64) -> SplitMix {
        let place = if self.twins { place / 2 } else { place };
        let mut random = SplitMix(self.seed ^ u64::from(layer) << 48 ^ u64::from(place) << 24 ^ purpose << 8);
        random.below(9);
        random
    }
}

impl<const KEEPS: bool> Game for Made<KEEPS> {
    type Position = (u32, u32);
    type Move = usize;

    fn start(&self) -> (u32, u32) {
        (self.layers, 0)
    }

    fn moves(&self, &position: &(u32, u32)) -> impl Iterator<Item = usize> {
        let mut random = self.random(position, 1);
        let is_end = position.0 == 0 && !self.may_repeat || random.below(16) < self.ends;
        0..if is_end { 0 } else { 1 + random.below(self.max_moves) }
    }

    fn play(&self, &position: &(u32, u32), mv: usize) -> (u32, u32) {
        let mut random = self.random(position, 100 + mv as u64);
        let layer = position.0;
        let lower = layer.saturating_sub(1 + random.below(3) as u32 / 2);
        let stays = self.may_repeat && (layer == 0 || random.below(3) > 0);
        (if stays { layer } else { lower }, random.below(self.width as usize) as u32)
    }

    fn end(&self, &position: &(u32, u32)) -> Outcome {
        [Outcome::Loss, Outcome::Loss, Outcome::Draw, Outcome::Win][self.random(position, 2).below(4)]
    }

    fn score(&self, &position: &(u32, u32)) -> Option<i32> {
        let mut random = self.random(position, 3);
        let has_score = self.max_score > 0 && random.below(4) > 0;
        has_score.then(|| random.below(2 * self.max_score as usize + 1) as i32 - self.max_score as i32)
    }

    fn max_score(&self) -> u32 {
        self.max_score
    }

    const TURNS_ALTERNATE: bool = !KEEPS;

    fn keeps_turn(&self, &position: &(u32, u32), mv: usize, _after: &(u32, u32)) -> bool {
        KEEPS && self.random(position, 200 + mv as u64).below(3) == 0
    }

    fn may_repeat(&self) -> bool {
        self.may_repeat
    }

    fn canonical(&self, &(layer, place): &(u32, u32)) -> (u32, u32) {
        (layer, if self.twins { place / 2 * 2 } else { place })
    }

    fn key_bits(&self) -> u32 {
        self.key_bits
    }

    fn key(&self, &(layer, place): &(u32, u32)) -> u128 {
        u128::from(layer) << (self.key_bits - 4) | u128::from(place)
    }

    fn position_from_key(&self, key: u128) -> Option<(u32, u32)> {
        let (layer, place) = (key >> (self.key_bits - 4), key & ((1 << (self.key_bits - 4)) - 1));
        let is_there = layer <= self.layers.into() && place < self.width.into();
        is_there.then_some((layer as u32, place as u32))
    }

    fn layer(&self, &(layer, _): &(u32, u32)) -> Option<u32> {
        (!self.is_flat).then_some(layer)
    }
}
