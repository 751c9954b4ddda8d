//! Sharding: how the positions of a solution are distributed over many files.

use std::collections::BTreeMap;
use std::ops::Range;

use balpan::{Impartial, SplitMix};
use serde::{Deserialize, Serialize};

use crate::error::BuildError;
use crate::successors::{Scheme, Successors};

/// The largest number of shards.
pub const MAX_SHARDS: u32 = 1 << 12;

/// A partition of all positions into shards: by a hash of the high bits of their keys, so that
/// positions with close keys are together, and most moves stay within a shard.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sharding {
    /// The number of shards.
    #[serde(rename = "shares")]
    pub shards: u32,
    /// The number of low bits of a key that the hash ignores.
    pub shift: u32,
}

/// The shard that a file holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Its number, from 0.
    pub number: u32,
    /// The partition that it is one of.
    #[serde(flatten)]
    pub sharding: Sharding,
}

/// The random plays from which [`Sharding::new`] samples positions.
const PLAYS: usize = 4096;

impl Sharding {
    /// Partitions the positions that follow from the `starts`. The hash ignores as many low bits as
    /// keep every layer of the sample evenly distributed. The result depends on the game, the
    /// starts and the number of shards only.
    ///
    /// If two positions of a layer have the same high bits with probability `p`, the sizes of `n`
    /// shards vary by about the square root of `n p` of their mean: at most a tenth is allowed.
    ///
    /// # Errors
    /// If the game has no keys or layers.
    pub fn new<G: Impartial>(
        game: &G,
        starts: &[(u32, u128)],
        scheme: Scheme,
        shards: u32,
    ) -> Result<Self, BuildError> {
        let mut layers: BTreeMap<u32, Vec<u128>> = BTreeMap::new();
        let mut successors = Successors::new(game, scheme);
        let mut random = SplitMix(u64::from(shards));
        let mut after = Vec::new();
        for _ in 0..if shards == 1 { 0 } else { PLAYS } {
            let mut at = starts.get(random.below(starts.len().max(1))).copied();
            while let Some((layer, key)) = at {
                layers.entry(layer).or_default().push(key);
                after.clear();
                let _ = successors.expand(layer, key, |_, layer, key| after.push((layer, key)))?;
                at = if after.is_empty() { None } else { Some(after[random.below(after.len())]) };
            }
        }
        let mut shift = game.key_bits();
        for keys in layers.values_mut() {
            keys.sort_unstable();
            keys.dedup();
            // Small layers need not be even.
            if keys.len() >= PLAYS / 4 {
                while shift > 0 && is_uneven(keys, shift, shards) {
                    shift -= 1;
                }
            }
        }
        Ok(Self { shards, shift: if shift == game.key_bits() { 0 } else { shift } })
    }

    /// Returns the shard that a key belongs to.
    #[inline]
    #[must_use]
    pub fn shard_of(self, key: u128) -> u32 {
        let high = key >> self.shift;
        let mixed = SplitMix(high as u64 ^ SplitMix((high >> 64) as u64).next_u64()).next_u64();
        ((u128::from(mixed) * u128::from(self.shards)) >> 64) as u32
    }

    /// Returns the shards of worker `one` of `all`: consecutive ones.
    #[must_use]
    pub fn range_of(self, one: usize, all: usize) -> Range<u32> {
        let first = |one: usize| (one as u64 * u64::from(self.shards)).div_ceil(all as u64) as u32;
        first(one)..first(one + 1)
    }

    /// The number of bits of a shard's number.
    #[must_use]
    pub const fn bits(self) -> u32 {
        u32::BITS - (self.shards - 1).leading_zeros()
    }
}

/// Whether the sizes of shards would vary by more than a tenth if these sorted keys were
/// distributed by what is above their `shift` low bits.
fn is_uneven(keys: &[u128], shift: u32, shards: u32) -> bool {
    let n = keys.len() as f64;
    let groups = keys.chunk_by(|one, other| one >> shift == other >> shift);
    let together: f64 = groups.map(|group| (group.len() * (group.len() - 1)) as f64).sum();
    together / (n * (n - 1.0)) * f64::from(shards) > 0.01
}
