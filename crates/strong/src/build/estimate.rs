//! Estimating the size and the cost of a build from samples.
//!
//! Layer by layer, a sample of positions stands for the whole layer. Their successors are a sample
//! of the moves into lower layers, and how often two of those lead to the same position metric how
//! many positions there are (as recaptured fish tell how many live in a lake: Schnabel, 1938).
//! Positions of a small sample have ancestors in common, and meet more often than by chance: then
//! the estimate is too low.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::time::{Duration, Instant};

use balpan::{Game, Watch};

use crate::build::start_keys;
use crate::build::successors::KeyGame;
use crate::error::BuildError;
use crate::format::codes::Metric;
use crate::format::header::Subject;

/// The sample of the first layer that is expanded, before the cost of a position is known.
const FIRST_SAMPLE_POSITIONS: usize = 1 << 16;

/// The positions after which an estimate stops listing them, where play may repeat.
const MAX_LISTED_POSITIONS: usize = 1 << 22;

/// If a smaller fraction of a layer was expanded, the estimate is a lower bound.
const MIN_SAMPLED_FRACTION: f64 = 1.0 / 500.0;

/// An estimate of a build.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuildEstimate {
    /// The number of positions.
    pub positions: f64,
    /// Whether all of them were counted.
    pub is_exact: bool,
    /// Whether there may be many more: so small a fraction of a layer was expanded that positions
    /// meet again by common descent, or not all were listed of a game in which play may repeat.
    pub is_lower_bound: bool,
    /// The seconds that one thread needs.
    pub seconds: f64,
    /// The bytes of the working files and of the solution.
    pub working_bytes: f64,
    /// The bytes of the solution file.
    pub file_bytes: f64,
}

/// A sample of a layer.
#[derive(Default)]
struct LayerSample {
    /// Keys of successors, unordered, with repetitions.
    keys: Vec<u128>,
    /// The estimated number of moves into the layer.
    moves: f64,
}

/// Estimates the cost of [`build`](crate::build). Takes a few times `time` at most.
///
/// # Errors
/// The errors of `build` on the same game, or [`Stopped`](balpan::Stopped).
pub fn estimate<G: Game>(
    game: &G,
    starts: &[G::Position],
    subject: &Subject,
    time: Duration,
    watch: &Watch,
) -> Result<BuildEstimate, BuildError> {
    estimate_from_keys(game, start_keys(game, starts, subject.scheme())?, subject, time, watch)
}

pub(crate) fn estimate_from_keys(
    game: &dyn KeyGame,
    starts: Vec<(u32, u128)>,
    subject: &Subject,
    time: Duration,
    watch: &Watch,
) -> Result<BuildEstimate, BuildError> {
    let scheme = subject.scheme();
    if game.features().may_repeat {
        return estimate_loops(game, starts, subject, time, watch);
    }
    let mut samples: BTreeMap<u32, LayerSample> = BTreeMap::new();
    for (layer, key) in starts {
        let layer_sample = samples.entry(layer).or_default();
        layer_sample.keys.push(key);
        layer_sample.moves += 1.0;
    }
    let layers = f64::from(samples.last_key_value().map_or(1, |(&layer, _)| layer.max(1)));
    let (mut positions, mut is_exact, mut expanded) = (0.0, true, 0_u64);
    let mut is_lower_bound = false;
    let mut spent = Duration::ZERO;
    while let Some((layer, mut layer_sample)) = samples.pop_last() {
        let count = layer_sample.keys.len() as f64;
        layer_sample.keys.sort_unstable();
        // Ordered pairs of equal keys.
        let equal_pairs: f64 = layer_sample
            .keys
            .chunk_by(|one, other| one == other)
            .map(|same| (same.len() * (same.len() - 1)) as f64)
            .sum();
        layer_sample.keys.dedup();
        let different = layer_sample.keys.len() as f64;
        let is_counted = is_exact && layer_sample.moves <= count;
        let size = if is_counted {
            different
        } else {
            is_exact = false;
            // The keys are taken for a random sample, with repetitions, of the layer.
            let estimate = if equal_pairs > 0.0 { count * (count - 1.0) / equal_pairs } else { count * count };
            estimate.max(different).min(layer_sample.moves.max(different))
        };
        positions += size;
        // The sample is so small that the time suffices for all layers.
        let share = time.mul_f64(1.0 / layers.min(64.0));
        let max_sample = if expanded == 0 {
            FIRST_SAMPLE_POSITIONS as f64
        } else {
            share.as_secs_f64() / (spent.as_secs_f64() / expanded as f64)
        };
        let max_sample = (max_sample as usize).clamp(1 << 8, 1 << 18);
        let step = layer_sample.keys.len().div_ceil(max_sample).max(1);
        let sample: Vec<u128> = layer_sample.keys.iter().copied().step_by(step).collect();
        is_exact &= step == 1;
        is_lower_bound |= (sample.len() as f64) < size * MIN_SAMPLED_FRACTION;
        let weight = size / sample.len().max(1) as f64;
        let start = Instant::now();
        for key in &sample {
            let _ = game.expand(scheme, layer, *key, &mut |_, _, lower, key| {
                let layer_sample = samples.entry(lower).or_default();
                layer_sample.keys.push(key);
                layer_sample.moves += weight;
            })?;
        }
        expanded += sample.len() as u64;
        spent += start.elapsed();
        watch.count(sample.len() as u64).map_err(BuildError::Stopped)?;
    }
    // Moves are generated twice, and sorting and joining take as long again.
    let each = spent.as_secs_f64() / expanded.max(1) as f64;
    let cost_factor = if subject.metric == Metric::Value { 1.0 } else { 1.5 };
    Ok(BuildEstimate {
        positions,
        is_exact,
        is_lower_bound,
        seconds: positions * each * 4.0 * cost_factor,
        working_bytes: positions * 3.5,
        file_bytes: positions * 0.7,
    })
}

/// Estimates a build where play may repeat: lists positions, breadth first, for some time. A sample of a layer would not
/// tell how far moves go on within it, so that what is found then is a lower bound.
fn estimate_loops(
    game: &dyn KeyGame,
    starts: Vec<(u32, u128)>,
    subject: &Subject,
    time: Duration,
    watch: &Watch,
) -> Result<BuildEstimate, BuildError> {
    let mut known: HashSet<(u32, u128)> = starts.iter().copied().collect();
    let (mut waiting, mut expanded, mut moves) = (VecDeque::from(starts), 0_u64, 0_u64);
    let start = Instant::now();
    while let Some((layer, key)) = waiting.pop_front() {
        let _ = game.expand(subject.scheme(), layer, key, &mut |_, _, layer, key| {
            moves += 1;
            if known.insert((layer, key)) {
                waiting.push_back((layer, key));
            }
        })?;
        expanded += 1;
        watch.count(1).map_err(BuildError::Stopped)?;
        if known.len() >= MAX_LISTED_POSITIONS || start.elapsed() >= time {
            break;
        }
    }
    let (positions, each) = (known.len() as f64, start.elapsed().as_secs_f64() / expanded.max(1) as f64);
    let moves = moves as f64 / expanded.max(1) as f64;
    let is_exact = waiting.is_empty();
    Ok(BuildEstimate {
        positions,
        is_exact,
        is_lower_bound: !is_exact,
        seconds: positions * each * 4.0,
        working_bytes: positions * (3.5 + 10.0 * moves),
        file_bytes: positions * 0.7,
    })
}
