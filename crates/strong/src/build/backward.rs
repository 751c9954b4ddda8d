//! The backward pass of a build (retrograde analysis): codes, layer by layer from the lowest.
//!
//! A thread takes as many positions of a layer as fit in memory, lists the keys of their
//! successors, each with the place that its code goes to, sorts the list, and joins it with the
//! lower layers. Layers are read in order only; blocks that no move leads to are skipped.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use balpan::Turn;

use crate::build::forward::{BuildContext, run_on_threads};
use crate::build::keyfile::MAX_BLOCK_KEYS;
use crate::build::layer::{LayerReader, ReadBuffers};
use crate::build::sort::{SpillBuffer, Word, sort};
use crate::build::successors::{KeyGame, Scheme, end_code};
use crate::error::BuildError;
use crate::format::codes::{Metric, Scale};

/// The solved layers.
pub(crate) type Lower<L> = BTreeMap<u32, L>;

/// Whether 64 bits hold a key of `key_bits` bits and a place.
pub(crate) const fn fit_in_64_bits(key_bits: u32) -> bool {
    key_bits + MAX_PLACE_BITS <= <u64 as Word>::BITS
}

/// A layer to solve.
pub(crate) struct LayerTask<F, D> {
    pub(crate) number: u32,
    /// The number of its blocks.
    pub(crate) blocks: usize,
    /// Appends the keys of a block to a list.
    pub(crate) keys: F,
    /// Takes the codes of a block.
    pub(crate) done: D,
    pub(crate) scale: Scale,
}

impl<F, D> LayerTask<F, D> {
    /// Finds the codes of the layer's positions from those of lower layers.
    pub(crate) fn solve<W: Word, L: LayerReader<W>>(
        &self,
        context: &BuildContext<'_>,
        lower: &Lower<L>,
    ) -> Result<(), BuildError>
    where
        F: Fn(usize, &mut ReadBuffers, &mut Vec<W>) -> Result<(), BuildError> + Sync,
        D: Fn(usize, &[u16], &mut ReadBuffers) -> Result<(), BuildError> + Sync,
    {
        let next = AtomicUsize::new(0);
        run_on_threads(context.resources.threads, || {
            let mut solver = BatchSolver::new(context, lower, self.scale);
            loop {
                let block = next.fetch_add(1, Relaxed);
                if block >= self.blocks {
                    break;
                }
                solver.keys.clear();
                (self.keys)(block, &mut solver.buffers, &mut solver.keys)?;
                context.resources.watch.count(solver.keys.len() as u64)?;
                solver.add(self.number, block)?;
                if solver.batch.is_full() {
                    solver.finish(&self.done)?;
                }
            }
            solver.finish(&self.done)
        })?;
        Ok(())
    }
}

/// A batch of positions that one thread solves together.
struct BatchSolver<'a, W, L> {
    context: BuildContext<'a>,
    lower: &'a Lower<L>,
    batch: SolveBatch<W>,
    place_bits: u32,
    /// Blocks of the layer, with their numbers of positions.
    blocks: Vec<(usize, usize)>,
    keys: Vec<W>,
    buffers: ReadBuffers,
}

impl<'a, W: Word, L: LayerReader<W>> BatchSolver<'a, W, L> {
    fn new(context: &BuildContext<'a>, lower: &'a Lower<L>, scale: Scale) -> Self {
        let key_bits = context.game.bits();
        Self {
            context: *context,
            lower,
            batch: SolveBatch::new(
                context.game,
                context.scheme.metric,
                scale,
                key_bits,
                context.resources.memory / context.resources.threads,
            ),
            place_bits: SolveBatch::<W>::place_bits(key_bits),
            blocks: Vec::new(),
            keys: Vec::new(),
            buffers: ReadBuffers::default(),
        }
    }

    /// Adds the positions of a block, whose keys were read into `keys`.
    fn add(&mut self, number: u32, block: usize) -> Result<(), BuildError> {
        self.batch.add(self.context.game, self.context.scheme, number, &self.keys, W::from_key, |key| key.as_())?;
        self.blocks.push((block, self.keys.len()));
        Ok(())
    }

    /// Answers all requests, and passes the codes of each block to `done`.
    fn finish(
        &mut self,
        done: &impl Fn(usize, &[u16], &mut ReadBuffers) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let Self { lower, batch, place_bits, buffers, .. } = self;
        let places = (W::one() << *place_bits as usize) - W::one();
        batch.drain_requests(|number, words, found| {
            let layer = lower.get(&number).ok_or_else(missing)?;
            join(layer, words, *place_bits, buffers, |word, code| found.accumulate((word & places).as_(), code))
        })?;
        let codes = batch.take_codes();
        let mut codes: &[u16] = &codes;
        for (block, count) in self.blocks.drain(..) {
            let (of_block, rest) = codes.split_at(count);
            done(block, of_block, &mut self.buffers)?;
            codes = rest;
        }
        Ok(())
    }
}

pub(crate) const fn missing() -> BuildError {
    BuildError::Law("a move leads to a position that was not found before")
}

/// Joins sorted requests with a layer: calls `found` with each word and the code of its key. The
/// words are in ascending order, each a key with `bits_below` bits below it.
pub fn join<W: Word, C: Copy, L: LayerReader<W, C>>(
    layer: &L,
    words: &[W],
    bits_below: u32,
    buffers: &mut ReadBuffers,
    mut found: impl FnMut(W, C),
) -> Result<(), BuildError> {
    let (mut keys, mut codes) = (Vec::new(), Vec::new());
    let (mut words, mut block) = (words.iter(), 0);
    let mut word = words.next().copied();
    while let Some(first) = word {
        block = layer.block_of(block, first >> bits_below as usize);
        keys.clear();
        codes.clear();
        layer.read(block, buffers, &mut keys, &mut codes)?;
        let last = keys.last().copied().unwrap_or_else(W::zero);
        let mut known = keys.iter().zip(codes.iter());
        let (mut key, mut code) = known.next().map(|(&key, &code)| (key, code)).ok_or_else(missing)?;
        while let Some(this) = word {
            let wanted_key = this >> bits_below as usize;
            if wanted_key > last {
                break;
            }
            while key < wanted_key {
                (key, code) = known.next().map(|(&key, &code)| (key, code)).ok_or_else(missing)?;
            }
            if key != wanted_key {
                return Err(missing());
            }
            found(this, code);
            word = words.next().copied();
        }
        // No key lies between the last of this block and the first of the next.
        if word.is_some_and(|word| layer.block_of(block, word >> bits_below as usize) == block) {
            return Err(missing());
        }
    }
    Ok(())
}

/// The largest number of bits below a key that number a place in a batch.
pub(crate) const MAX_PLACE_BITS: u32 = 24;

/// Positions of one layer that are solved together. Each successor is a request: a word with the
/// successor's key and, in the bits below it, the place that its code goes to.
#[derive(Debug)]
pub struct SolveBatch<W> {
    key_bits: u32,
    place_bits: u32,
    requests: SpillBuffer<W>,
    codes: BatchCodes,
    /// For nimbers, the number of moves of each position.
    counts: Vec<u32>,
    /// The most places that one call of [`add`](Self::add) has needed.
    max_block_places: usize,
}

/// The codes of a batch while its requests are answered.
#[derive(Debug)]
pub struct BatchCodes {
    metric: Metric,
    scale: Scale,
    /// The lowest bits of a place that do not number it: 1 if moves may keep the turn, of which this bit says whether
    /// a move does; otherwise 0.
    turn_bits: u32,
    /// For values, a place for each position: the best code so far. For nimbers, a place for each
    /// move: the sum so far.
    places: Vec<u16>,
}

impl BatchCodes {
    /// Adds the code of a successor that was requested for this place.
    #[inline]
    pub fn accumulate(&mut self, place: usize, code: u16) {
        let at = &mut self.places[place >> self.turn_bits];
        let turn = if place & self.turn_bits as usize == 0 { Turn::Passes } else { Turn::Kept };
        match self.metric {
            Metric::Value => *at = (*at).max(self.scale.back(turn, code)),
            Metric::Nimber => *at ^= code,
        }
    }
}

impl<W: Word> SolveBatch<W> {
    /// Creates an empty batch of keys of `key_bits` bits, within `memory` bytes.
    pub fn new(game: &dyn KeyGame, metric: Metric, scale: Scale, key_bits: u32, memory: usize) -> Self {
        let turn_bits = Self::turn_bits(game, metric);
        Self {
            key_bits,
            place_bits: Self::place_bits(key_bits),
            requests: SpillBuffer::new(memory / 8 * 7),
            codes: BatchCodes { metric, scale, turn_bits, places: Vec::new() },
            counts: Vec::new(),
            max_block_places: MAX_BLOCK_KEYS,
        }
    }

    /// The number of bits below a key of `key_bits` bits.
    pub fn place_bits(key_bits: u32) -> u32 {
        (W::BITS - key_bits).min(MAX_PLACE_BITS)
    }

    /// The bits of a place that say whether the move to it keeps the turn.
    pub fn turn_bits(game: &dyn KeyGame, metric: Metric) -> u32 {
        (metric == Metric::Value && game.features().keeps_turns).into()
    }

    /// The key of a request.
    #[inline]
    pub fn key(word: W, place_bits: u32) -> W {
        word >> place_bits as usize
    }

    /// Whether the requests must be answered before more positions are added.
    pub fn is_full(&self) -> bool {
        let position_bits = self.place_bits - self.codes.turn_bits;
        self.requests.is_full() || Self::is_nearly_full(self.codes.places.len(), self.max_block_places, position_bits)
    }

    /// Whether too few places are left for another block. A block of nimbers may need more places
    /// than the largest before it, but hardly twice as many.
    pub const fn is_nearly_full(places: usize, max_block_places: usize, position_bits: u32) -> bool {
        places + 2 * max_block_places > 1 << position_bits
    }

    /// Adds positions of a layer and requests their successors. `word` makes the word of a key,
    /// without a place; `key` is its inverse.
    pub fn add(
        &mut self,
        game: &dyn KeyGame,
        scheme: Scheme,
        number: u32,
        keys: &[W],
        word: impl Fn(u128) -> W,
        key: impl Fn(W) -> u128,
    ) -> Result<(), BuildError> {
        let Self {
            requests,
            codes: BatchCodes { metric, scale, turn_bits, places },
            counts,
            place_bits,
            max_block_places,
            ..
        } = self;
        let before = places.len();
        for &of in keys {
            let (place, metric) = (places.len(), *metric);
            let moves = game.expand(scheme, number, key(of), &mut |mv, turn, lower, key| {
                let place = match metric {
                    Metric::Nimber => place + mv,
                    Metric::Value => place << *turn_bits | usize::from(turn == Turn::Kept),
                };
                requests.push(lower, word(key) << *place_bits as usize | W::from_key(place as u128));
            })?;
            match (metric, moves) {
                (Metric::Value, Ok(_)) => places.push(0),
                (Metric::Value, Err(end)) => places.push(end_code(*scale, end)?),
                (Metric::Nimber, moves) => {
                    let moves = moves.unwrap_or(0);
                    places.resize(places.len() + moves, 0);
                    counts.push(moves as u32);
                }
            }
        }
        *max_block_places = (places.len() - before).max(*max_block_places);
        if places.len() > 1 << (*place_bits - *turn_bits) {
            return Err(BuildError::Law("a position has too many moves"));
        }
        Ok(())
    }

    /// Passes the requests to `take`, layer by layer from the highest, each layer's in ascending
    /// order, with the codes to fill in.
    pub fn drain_requests(
        &mut self,
        mut take: impl FnMut(u32, &[W], &mut BatchCodes) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let Self { requests, codes, place_bits, key_bits, .. } = self;
        requests.drain(|number, requests, spare| {
            sort(requests, spare, *place_bits..*place_bits + *key_bits);
            take(number, requests, codes)
        })
    }

    /// Returns the codes of all positions in the order in which they were added, once every request
    /// is answered.
    pub fn take_codes(&mut self) -> Vec<u16> {
        let places = std::mem::take(&mut self.codes.places);
        match self.codes.metric {
            Metric::Value => places,
            Metric::Nimber => minimal_excluded(&places, &std::mem::take(&mut self.counts)),
        }
    }
}

/// The nimber of each position: the least that no move leads to (mex).
fn minimal_excluded(codes: &[u16], counts: &[u32]) -> Vec<u16> {
    let (mut rest, mut reached) = (codes, Vec::new());
    let of = |&count: &u32| {
        let (own, others) = rest.split_at(count as usize);
        rest = others;
        // A number above that of the moves cannot be the least.
        reached.clear();
        reached.resize(own.len() + 1, false);
        for &nimber in own {
            if let Some(reached) = reached.get_mut(usize::from(nimber)) {
                *reached = true;
            }
        }
        reached.iter().position(|&reached| !reached).unwrap_or(own.len()) as u16
    };
    counts.iter().map(of).collect()
}
