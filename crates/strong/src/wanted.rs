//! Batches of positions that are solved together, with the successors whose codes they need.

use balpan::{Impartial, Value};

use crate::codes::{Metric, Scale};
use crate::error::BuildError;
use crate::keyfile::MAX_BLOCK_KEYS;
use crate::room::SpillBuffer;
use crate::sort::sort;
use crate::successors::Successors;
use crate::word::Word;

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
    /// For values, a place for each position: the best code so far. For nimbers, a place for each
    /// move: the sum so far.
    places: Vec<u16>,
}

impl BatchCodes {
    /// Adds the code of a successor that was requested for this place.
    #[inline]
    pub fn accumulate(&mut self, place: usize, code: u16) {
        let at = &mut self.places[place];
        match self.metric {
            Metric::Value => *at = (*at).max(self.scale.back(code)),
            Metric::Nimber => *at ^= code,
        }
    }
}

impl<W: Word> SolveBatch<W> {
    /// Creates an empty batch of keys of `key_bits` bits, within `memory` bytes.
    pub fn new(metric: Metric, scale: Scale, key_bits: u32, memory: usize) -> Self {
        Self {
            key_bits,
            place_bits: Self::place_bits(key_bits),
            requests: SpillBuffer::new(memory / 8 * 7),
            codes: BatchCodes { metric, scale, places: Vec::new() },
            counts: Vec::new(),
            max_block_places: MAX_BLOCK_KEYS,
        }
    }

    /// The number of bits below a key of `key_bits` bits.
    pub fn place_bits(key_bits: u32) -> u32 {
        (W::BITS - key_bits).min(MAX_PLACE_BITS)
    }

    /// The key of a request.
    #[inline]
    pub fn key(word: W, place_bits: u32) -> W {
        word >> place_bits as usize
    }

    /// Whether the requests must be answered before more positions are added.
    pub fn is_full(&self) -> bool {
        self.requests.is_full() || Self::is_nearly_full(self.codes.places.len(), self.max_block_places, self.place_bits)
    }

    /// Whether too few places are left for another block. A block of nimbers may need more places
    /// than the largest before it, but hardly twice as many.
    pub const fn is_nearly_full(places: usize, max_block_places: usize, place_bits: u32) -> bool {
        places + 2 * max_block_places > 1 << place_bits
    }

    /// Adds positions of a layer and requests their successors. `word` makes the word of a key,
    /// without a place; `key` is its inverse.
    ///
    /// # Errors
    /// If the game breaks a law.
    pub fn add<G: Impartial>(
        &mut self,
        successors: &mut Successors<'_, G>,
        number: u32,
        keys: &[W],
        word: impl Fn(u128) -> W,
        key: impl Fn(W) -> u128,
    ) -> Result<(), BuildError> {
        let Self {
            requests, codes: BatchCodes { metric, scale, places }, counts, place_bits, max_block_places, ..
        } = self;
        let before = places.len();
        for &of in keys {
            let (place, metric) = (places.len(), *metric);
            let moves = successors.expand(number, key(of), |mv, lower, key| {
                let place = if metric == Metric::Nimber { place + mv } else { place };
                requests.push(lower, word(key) << *place_bits as usize | W::from_key(place as u128));
            })?;
            match (metric, moves) {
                (Metric::Value, Ok(_)) => places.push(0),
                (Metric::Value, Err(end)) => {
                    let code = scale.code(Value::terminal(end));
                    places.push(code.ok_or(BuildError::Law("an end has no value"))?);
                }
                (Metric::Nimber, moves) => {
                    let moves = moves.unwrap_or(0);
                    places.resize(places.len() + moves, 0);
                    counts.push(moves as u32);
                }
            }
        }
        *max_block_places = (places.len() - before).max(*max_block_places);
        if places.len() > 1 << *place_bits {
            return Err(BuildError::Law("a position has too many moves"));
        }
        Ok(())
    }

    /// Passes the requests to `take`, layer by layer from the highest, each layer's in ascending
    /// order, with the codes to fill in.
    ///
    /// # Errors
    /// Those of `take`.
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
