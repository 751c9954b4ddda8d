//! The backward pass of a build (retrograde analysis): codes, layer by layer from the lowest.
//!
//! A thread takes as many positions of a layer as fit in memory, lists the keys of their
//! successors, each with the place that its code goes to, sorts the list, and joins it with the
//! lower layers. Layers are read in order only; blocks that no move leads to are skipped.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use balpan::Impartial;

use crate::codes::Scale;
use crate::error::BuildError;
use crate::forwards::{BuildContext, run_on_threads};
use crate::layer::{LayerReader, ReadBuffers};
use crate::successors::Successors;
use crate::wanted::{MAX_PLACE_BITS, SolveBatch};
use crate::word::Word;

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
    pub(crate) fn solve<G: Impartial, W: Word, L: LayerReader<W>>(
        &self,
        context: &BuildContext<'_, G>,
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
struct BatchSolver<'a, G: Impartial, W, L> {
    successors: Successors<'a, G>,
    lower: &'a Lower<L>,
    batch: SolveBatch<W>,
    place_bits: u32,
    /// Blocks of the layer, with their numbers of positions.
    blocks: Vec<(usize, usize)>,
    keys: Vec<W>,
    buffers: ReadBuffers,
}

impl<'a, G: Impartial, W: Word, L: LayerReader<W>> BatchSolver<'a, G, W, L> {
    fn new(context: &BuildContext<'a, G>, lower: &'a Lower<L>, scale: Scale) -> Self {
        let key_bits = context.game.key_bits();
        Self {
            successors: Successors::new(context.game, context.scheme),
            lower,
            batch: SolveBatch::new(
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
        self.batch.add(&mut self.successors, number, &self.keys, W::from_key, |key| key.as_())?;
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

const fn missing() -> BuildError {
    BuildError::Law("a move leads to a position that was not found before")
}

/// Joins sorted requests with a layer: calls `found` with each word and the code of its key. The
/// words are in ascending order, each a key with `bits_below` bits below it.
///
/// # Errors
/// If a key is not in the layer, or a block cannot be read or is damaged.
pub fn join<W: Word, L: LayerReader<W>>(
    layer: &L,
    words: &[W],
    bits_below: u32,
    buffers: &mut ReadBuffers,
    mut found: impl FnMut(W, u16),
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
