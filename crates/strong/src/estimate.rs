//! How many positions there are, and what a build will take, from a look at some.
//!
//! Layer by layer, a sample of positions stands for all of a layer. Where its moves lead is a
//! sample of the moves into the layers below, and how often two of those lead to the same
//! position tells how many positions they are spread over (as marked fish that are caught again
//! tell how many there are in a lake: Schnabel, 1938). Positions of a small sample have their
//! forebears in common, and meet more often than by chance: then the number is too small.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use balpan::{Impartial, Watch};

use crate::build::check_starts;
use crate::codes::Tells;
use crate::error::BuildError;
use crate::format::Subject;
use crate::successors::{Successors, Ways};

/// The positions that stand for a layer.
const SAMPLE: usize = 1 << 16;

/// From a smaller share of a layer than this, no more is told than how many there are at least.
const LEAST_SHARE: f64 = 1.0 / 500.0;

/// What a build will take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildEstimate {
    /// The positions.
    pub positions: f64,
    /// Whether they were counted, all of them.
    pub is_exact: bool,
    /// Whether there may be many more: so small a share of a layer was looked at that positions
    /// which are met again are so by their common descent.
    pub is_least: bool,
    /// Seconds of one thread.
    pub seconds: f64,
    /// Bytes on the disk while it is built, and of the file.
    pub working_bytes: f64,
    /// Bytes of the file.
    pub file_bytes: f64,
}

/// A layer, as far as it is known.
#[derive(Default)]
struct Pool {
    /// Keys that were met, in no order, again and again.
    met: Vec<u128>,
    /// Moves into the layer, estimated.
    moves: f64,
}

/// Estimates what [`build`](crate::build) will take. It ends within a few times `time`.
///
/// # Errors
/// As `build` on the same game, or [`Stopped`](balpan::Stopped).
pub fn estimate<G: Impartial>(
    game: &G,
    starts: &[G::Position],
    of: &Subject,
    time: Duration,
    watch: &Watch,
) -> Result<BuildEstimate, BuildError> {
    let ways = Ways { tells: of.tells, folded: of.folded };
    let mut pools: BTreeMap<u32, Pool> = BTreeMap::new();
    for (layer, key) in check_starts(game, starts, ways)? {
        let pool = pools.entry(layer).or_default();
        pool.met.push(key);
        pool.moves += 1.0;
    }
    let layers = f64::from(pools.last_key_value().map_or(1, |(&layer, _)| layer.max(1)));
    let mut successors = Successors::new(game, ways);
    let (mut positions, mut is_exact, mut expanded) = (0.0, true, 0_u64);
    let mut is_least = false;
    let mut spent = Duration::ZERO;
    while let Some((layer, mut pool)) = pools.pop_last() {
        let met = pool.met.len() as f64;
        pool.met.sort_unstable();
        // How often two of those met are the same.
        let again: f64 =
            pool.met.chunk_by(|one, other| one == other).map(|same| (same.len() * (same.len() - 1)) as f64).sum();
        pool.met.dedup();
        let different = pool.met.len() as f64;
        let whole = is_exact && pool.moves <= met;
        let size = if whole {
            different
        } else {
            is_exact = false;
            // The moves that were met are drawn from all of the layer.
            let drawn = if again > 0.0 { met * (met - 1.0) / again } else { met * met };
            drawn.max(different).min(pool.moves.max(different))
        };
        positions += size;
        // So few stand for all of them that the time suffices for all layers.
        let share = time.mul_f64(1.0 / layers.min(64.0));
        let most =
            if expanded == 0 { SAMPLE as f64 } else { share.as_secs_f64() / (spent.as_secs_f64() / expanded as f64) };
        let most = (most as usize).clamp(1 << 8, 1 << 18);
        let step = pool.met.len().div_ceil(most).max(1);
        let sample: Vec<u128> = pool.met.iter().copied().step_by(step).collect();
        is_exact &= step == 1;
        is_least |= (sample.len() as f64) < size * LEAST_SHARE;
        let weight = size / sample.len().max(1) as f64;
        let looked = Instant::now();
        for key in &sample {
            let _ = successors.of(layer, *key, |_, lower, key| {
                let pool = pools.entry(lower).or_default();
                pool.met.push(key);
                pool.moves += weight;
            })?;
        }
        expanded += sample.len() as u64;
        spent += looked.elapsed();
        watch.count(sample.len() as u64).map_err(BuildError::Stopped)?;
    }
    // Twice the moves, and as much again to sort and join.
    let each = spent.as_secs_f64() / expanded.max(1) as f64;
    let of_tells = if of.tells == Tells::Value { 1.0 } else { 1.5 };
    Ok(BuildEstimate {
        positions,
        is_exact,
        is_least,
        seconds: positions * each * 4.0 * of_tells,
        working_bytes: positions * 3.5,
        file_bytes: positions * 0.7,
    })
}
