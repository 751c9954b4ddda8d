//! Backwards: what positions are worth, layer by layer from the lowest.
//!
//! A thread takes as many of a layer's positions as there is room for, lists the keys that
//! they lead to, each with the place that its code is wanted at, sorts that list, and walks
//! through the lower layers beside it. No layer is read but in order, and a part of it that
//! nothing leads to is not read at all.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use balpan::{Impartial, Value};

use crate::codes::{Scale, Tells};
use crate::error::BuildError;
use crate::forwards::{Tools, all_work};
use crate::keyfile::BLOCK;
use crate::layer::{Blocks, ReadRoom};
use crate::room::Room;
use crate::sort::sort;
use crate::successors::Successors;
use crate::word::Word;

/// Layers whose codes are known.
pub(crate) type Lower<L> = BTreeMap<u32, L>;

/// The most bits below a key for the place of what is wanted.
const MOST_PLACE_BITS: u32 = 24;

/// Whether keys of so many bits have room for all places beside them in 64 bits.
pub(crate) const fn fit_in_64_bits(key_bits: u32) -> bool {
    key_bits + MOST_PLACE_BITS <= <u64 as Word>::BITS
}

/// A layer whose positions are given their codes.
pub(crate) struct Valued<F, D> {
    pub(crate) number: u32,
    /// The number of its blocks.
    pub(crate) blocks: usize,
    /// Adds the keys of a block to a list.
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
        all_work(tools.threads, || {
            let mut batch = Batch::new(tools, lower, self.scale);
            loop {
                let block = next.fetch_add(1, Relaxed);
                if block >= self.blocks {
                    break;
                }
                batch.keys.clear();
                (self.keys)(block, &mut batch.room, &mut batch.keys)?;
                tools.watch.count(batch.keys.len() as u64)?;
                batch.add(self.number, block)?;
                if batch.is_full() {
                    batch.finish(&self.done)?;
                }
            }
            batch.finish(&self.done)
        })?;
        Ok(())
    }
}

/// Positions of a layer that are given their codes together.
struct Batch<'a, G: Impartial, W, L> {
    ways_tell: Tells,
    successors: Successors<'a, G>,
    lower: &'a Lower<L>,
    scale: Scale,
    key_bits: u32,
    /// The bits below the key for the place of what is wanted.
    place_bits: u32,
    /// Keys with places.
    wanted: Room<W>,
    /// Blocks of the layer, and how many positions each has.
    blocks: Vec<(usize, usize)>,
    /// A place each. Of values: each position's best so far. Of nimbers: each move's sum so far.
    found: Vec<u16>,
    /// Of nimbers, the number of moves of each position.
    counts: Vec<u32>,
    keys: Vec<W>,
    codes: Vec<u16>,
    room: ReadRoom,
}

impl<'a, G: Impartial, W: Word, L: Blocks<W>> Batch<'a, G, W, L> {
    fn new(tools: &Tools<'a, G>, lower: &'a Lower<L>, scale: Scale) -> Self {
        let key_bits = tools.game.key_bits();
        Self {
            ways_tell: tools.ways.tells,
            successors: Successors::new(tools.game, tools.ways),
            lower,
            scale,
            key_bits,
            place_bits: (W::BITS - key_bits).min(MOST_PLACE_BITS),
            wanted: Room::new(tools.memory / tools.threads / 8 * 7),
            blocks: Vec::new(),
            found: Vec::new(),
            counts: Vec::new(),
            keys: Vec::new(),
            codes: Vec::new(),
            room: ReadRoom::default(),
        }
    }

    /// Whether what has been added is to be written before more is.
    fn is_full(&self) -> bool {
        self.wanted.is_full() || self.found.len() + BLOCK > 1 << self.place_bits
    }

    /// Adds the positions of a block, the keys of which have been read.
    fn add(&mut self, number: u32, block: usize) -> Result<(), BuildError> {
        let Self { wanted, found, counts, place_bits, .. } = self;
        for &key in &self.keys {
            let (place, tells) = (found.len(), self.ways_tell);
            let moves = self.successors.of(number, key.as_(), |mv, lower, key| {
                let place = if tells == Tells::Nimber { place + mv } else { place };
                wanted.push(lower, W::of(key) << *place_bits as usize | W::of(place as u128));
            })?;
            match (tells, moves) {
                (Tells::Value, Ok(_)) => found.push(0),
                (Tells::Value, Err(end)) => {
                    let code = self.scale.code(Value::ended(end));
                    found.push(code.ok_or(BuildError::Law("an end has no value"))?);
                }
                (Tells::Nimber, moves) => {
                    let moves = moves.unwrap_or(0);
                    found.resize(found.len() + moves, 0);
                    counts.push(moves as u32);
                }
            }
        }
        if self.found.len() > 1 << self.place_bits {
            return Err(BuildError::Law("a position has too many moves"));
        }
        self.blocks.push((block, self.keys.len()));
        Ok(())
    }

    /// Looks up what is wanted, and hands over the codes of all that were added.
    fn finish(
        &mut self,
        done: &impl Fn(usize, &[u16], &mut ReadRoom) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        self.look_up()?;
        let mut codes: &[u16] = &self.found;
        let nimbers;
        if self.ways_tell == Tells::Nimber {
            nimbers = nimbers_of(&self.found, &self.counts);
            codes = &nimbers;
        }
        for (block, count) in self.blocks.drain(..) {
            let (of_block, rest) = codes.split_at(count);
            done(block, of_block, &mut self.room)?;
            codes = rest;
        }
        self.found.clear();
        self.counts.clear();
        Ok(())
    }

    fn look_up(&mut self) -> Result<(), BuildError> {
        let Self { wanted, lower, place_bits, key_bits, keys, codes, room, found, ways_tell, scale, .. } = self;
        let places = (W::one() << *place_bits as usize) - W::one();
        wanted.drain(|number, words, spare| {
            sort(words, spare, *place_bits..*place_bits + *key_bits);
            let missing = || BuildError::Law("a move leads to a position that was not found before");
            let layer = lower.get(&number).ok_or_else(missing)?;
            let (mut words, mut block) = (words.iter(), 0);
            let mut word = words.next().copied();
            while let Some(first) = word {
                block = layer.block_of(block, first >> *place_bits as usize);
                keys.clear();
                codes.clear();
                layer.read(block, room, keys, codes)?;
                let last = keys.last().copied().unwrap_or_else(W::zero);
                let mut known = keys.iter().zip(codes.iter());
                let (mut key, mut code) = known.next().map(|(&key, &code)| (key, code)).ok_or_else(missing)?;
                while let Some(this) = word {
                    let asked = this >> *place_bits as usize;
                    if asked > last {
                        break;
                    }
                    while key < asked {
                        (key, code) = known.next().map(|(&key, &code)| (key, code)).ok_or_else(missing)?;
                    }
                    if key != asked {
                        return Err(missing());
                    }
                    let place: usize = (this & places).as_();
                    let place = &mut found[place];
                    match ways_tell {
                        Tells::Value => *place = (*place).max(scale.back(code)),
                        Tells::Nimber => *place ^= code,
                    }
                    word = words.next().copied();
                }
                // Between the last key of this block and the first of the next there is none.
                if word.is_some_and(|word| layer.block_of(block, word >> *place_bits as usize) == block) {
                    return Err(missing());
                }
            }
            Ok(())
        })
    }
}

/// The nimber of each position: the least that none of its moves leads to.
fn nimbers_of(found: &[u16], counts: &[u32]) -> Vec<u16> {
    let (mut rest, mut reached) = (found, Vec::new());
    let of = |&count: &u32| {
        let (own, others) = rest.split_at(count as usize);
        rest = others;
        // More than there are moves cannot be the least.
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
