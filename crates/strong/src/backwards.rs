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
use crate::forwards::{Tools, all_work};
use crate::layer::{Blocks, ReadRoom};
use crate::successors::Successors;
use crate::wanted::{MOST_PLACE_BITS, Wanted};
use crate::word::Word;

/// The solved layers.
pub(crate) type Lower<L> = BTreeMap<u32, L>;

/// Whether 64 bits hold a key of `key_bits` bits and a place.
pub(crate) const fn fit_in_64_bits(key_bits: u32) -> bool {
    key_bits + MOST_PLACE_BITS <= <u64 as Word>::BITS
}

/// A layer to solve.
pub(crate) struct Valued<F, D> {
    pub(crate) number: u32,
    /// The number of its blocks.
    pub(crate) blocks: usize,
    /// Appends the keys of a block to a list.
    pub(crate) keys: F,
    /// Takes the codes of a block.
    pub(crate) done: D,
    pub(crate) scale: Scale,
}

impl<F, D> Valued<F, D> {
    /// Finds the codes of the layer's positions from those of lower layers.
    pub(crate) fn value<G: Impartial, W: Word, L: Blocks<W>>(
        &self,
        tools: &Tools<'_, G>,
        lower: &Lower<L>,
    ) -> Result<(), BuildError>
    where
        F: Fn(usize, &mut ReadRoom, &mut Vec<W>) -> Result<(), BuildError> + Sync,
        D: Fn(usize, &[u16], &mut ReadRoom) -> Result<(), BuildError> + Sync,
    {
        let next = AtomicUsize::new(0);
        all_work(tools.means.threads, || {
            let mut batch = Batch::new(tools, lower, self.scale);
            loop {
                let block = next.fetch_add(1, Relaxed);
                if block >= self.blocks {
                    break;
                }
                batch.keys.clear();
                (self.keys)(block, &mut batch.room, &mut batch.keys)?;
                tools.means.watch.count(batch.keys.len() as u64)?;
                batch.add(self.number, block)?;
                if batch.wanted.is_full() {
                    batch.finish(&self.done)?;
                }
            }
            batch.finish(&self.done)
        })?;
        Ok(())
    }
}

/// A batch of positions that one thread solves together.
struct Batch<'a, G: Impartial, W, L> {
    successors: Successors<'a, G>,
    lower: &'a Lower<L>,
    wanted: Wanted<W>,
    place_bits: u32,
    /// Blocks of the layer, with their numbers of positions.
    blocks: Vec<(usize, usize)>,
    keys: Vec<W>,
    room: ReadRoom,
}

impl<'a, G: Impartial, W: Word, L: Blocks<W>> Batch<'a, G, W, L> {
    fn new(tools: &Tools<'a, G>, lower: &'a Lower<L>, scale: Scale) -> Self {
        let key_bits = tools.game.key_bits();
        Self {
            successors: Successors::new(tools.game, tools.ways),
            lower,
            wanted: Wanted::new(tools.ways.tells, scale, key_bits, tools.means.memory / tools.means.threads),
            place_bits: Wanted::<W>::place_bits(key_bits),
            blocks: Vec::new(),
            keys: Vec::new(),
            room: ReadRoom::default(),
        }
    }

    /// Adds the positions of a block, whose keys were read into `keys`.
    fn add(&mut self, number: u32, block: usize) -> Result<(), BuildError> {
        self.wanted.add(&mut self.successors, number, &self.keys, W::of, |key| key.as_())?;
        self.blocks.push((block, self.keys.len()));
        Ok(())
    }

    /// Answers all requests, and passes the codes of each block to `done`.
    fn finish(
        &mut self,
        done: &impl Fn(usize, &[u16], &mut ReadRoom) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let Self { lower, wanted, place_bits, room, .. } = self;
        let places = (W::one() << *place_bits as usize) - W::one();
        wanted.drain(|number, words, found| {
            let layer = lower.get(&number).ok_or_else(missing)?;
            join(layer, words, *place_bits, room, |word, code| found.settle((word & places).as_(), code))
        })?;
        let codes = wanted.take_codes();
        let mut codes: &[u16] = &codes;
        for (block, count) in self.blocks.drain(..) {
            let (of_block, rest) = codes.split_at(count);
            done(block, of_block, &mut self.room)?;
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
pub fn join<W: Word, L: Blocks<W>>(
    layer: &L,
    words: &[W],
    bits_below: u32,
    room: &mut ReadRoom,
    mut found: impl FnMut(W, u16),
) -> Result<(), BuildError> {
    let (mut keys, mut codes) = (Vec::new(), Vec::new());
    let (mut words, mut block) = (words.iter(), 0);
    let mut word = words.next().copied();
    while let Some(first) = word {
        block = layer.block_of(block, first >> bits_below as usize);
        keys.clear();
        codes.clear();
        layer.read(block, room, &mut keys, &mut codes)?;
        let last = keys.last().copied().unwrap_or_else(W::zero);
        let mut known = keys.iter().zip(codes.iter());
        let (mut key, mut code) = known.next().map(|(&key, &code)| (key, code)).ok_or_else(missing)?;
        while let Some(this) = word {
            let asked = this >> bits_below as usize;
            if asked > last {
                break;
            }
            while key < asked {
                (key, code) = known.next().map(|(&key, &code)| (key, code)).ok_or_else(missing)?;
            }
            if key != asked {
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
