//! Batches of positions that are solved together, with the keys whose codes they need.

use balpan::{Impartial, Value};

use crate::codes::{Scale, Tells};
use crate::error::BuildError;
use crate::keyfile::BLOCK;
use crate::room::Room;
use crate::sort::sort;
use crate::successors::Successors;
use crate::word::Word;

/// The most bits below a key for the place of what is wanted.
pub(crate) const MOST_PLACE_BITS: u32 = 24;

/// Positions of a layer that are given their codes together: those of their moves are collected as
/// words, each a key with the place that its code is wanted at in the bits below it.
#[derive(Debug)]
pub struct Wanted<W> {
    key_bits: u32,
    place_bits: u32,
    words: Room<W>,
    found: Found,
    /// Of nimbers, the number of moves of each position.
    counts: Vec<u32>,
    /// The most places that positions which were added together have needed.
    largest: usize,
}

/// What is known so far of positions that are given their codes together.
#[derive(Debug)]
pub struct Found {
    tells: Tells,
    scale: Scale,
    /// A place each. Of values: each position's best so far. Of nimbers: each move's sum so far.
    places: Vec<u16>,
}

impl Found {
    /// Takes the code of a position that a move leads to, which is wanted at this place.
    #[inline]
    pub fn settle(&mut self, place: usize, code: u16) {
        let at = &mut self.places[place];
        match self.tells {
            Tells::Value => *at = (*at).max(self.scale.back(code)),
            Tells::Nimber => *at ^= code,
        }
    }
}

impl<W: Word> Wanted<W> {
    /// No positions yet, for keys of `key_bits` bits, within some bytes.
    pub fn new(tells: Tells, scale: Scale, key_bits: u32, memory: usize) -> Self {
        Self {
            key_bits,
            place_bits: Self::place_bits(key_bits),
            words: Room::new(memory / 8 * 7),
            found: Found { tells, scale, places: Vec::new() },
            counts: Vec::new(),
            largest: BLOCK,
        }
    }

    /// The bits of a word below a key of `key_bits` bits.
    pub fn place_bits(key_bits: u32) -> u32 {
        (W::BITS - key_bits).min(MOST_PLACE_BITS)
    }

    /// The key of a word.
    #[inline]
    pub fn key(word: W, place_bits: u32) -> W {
        word >> place_bits as usize
    }

    /// Whether the codes are to be found before more positions are added.
    pub fn is_full(&self) -> bool {
        self.words.is_full() || Self::has_few_places(self.found.places.len(), self.largest, self.place_bits)
    }

    /// Whether the places left are too few for a block. Of nimbers, no block is known to need
    /// no more places than the largest before it, but hardly one needs twice as many.
    pub const fn has_few_places(places: usize, largest: usize, place_bits: u32) -> bool {
        places + 2 * largest > 1 << place_bits
    }

    /// Adds positions of a layer. `word` makes the word of a key, without a place.
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
        let Self { words, found: Found { tells, scale, places }, counts, place_bits, largest, .. } = self;
        let before = places.len();
        for &of in keys {
            let (place, tells) = (places.len(), *tells);
            let moves = successors.of(number, key(of), |mv, lower, key| {
                let place = if tells == Tells::Nimber { place + mv } else { place };
                words.push(lower, word(key) << *place_bits as usize | W::of(place as u128));
            })?;
            match (tells, moves) {
                (Tells::Value, Ok(_)) => places.push(0),
                (Tells::Value, Err(end)) => {
                    let code = scale.code(Value::terminal(end));
                    places.push(code.ok_or(BuildError::Law("an end has no value"))?);
                }
                (Tells::Nimber, moves) => {
                    let moves = moves.unwrap_or(0);
                    places.resize(places.len() + moves, 0);
                    counts.push(moves as u32);
                }
            }
        }
        *largest = (places.len() - before).max(*largest);
        if places.len() > 1 << *place_bits {
            return Err(BuildError::Law("a position has too many moves"));
        }
        Ok(())
    }

    /// Takes out the words, layer by layer from the highest, each layer's in ascending order, with
    /// what is to be told of the codes.
    ///
    /// # Errors
    /// Those of `take`.
    pub fn drain(
        &mut self,
        mut take: impl FnMut(u32, &[W], &mut Found) -> Result<(), BuildError>,
    ) -> Result<(), BuildError> {
        let Self { words, found, place_bits, key_bits, .. } = self;
        words.drain(|number, words, spare| {
            sort(words, spare, *place_bits..*place_bits + *key_bits);
            take(number, words, found)
        })
    }

    /// Takes out the codes of all positions that were added, in that order, when all that was
    /// wanted has been settled.
    pub fn take_codes(&mut self) -> Vec<u16> {
        let places = std::mem::take(&mut self.found.places);
        match self.found.tells {
            Tells::Value => places,
            Tells::Nimber => nimbers_of(&places, &std::mem::take(&mut self.counts)),
        }
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
