//! The sums that positions split into, with small parts in simplest form.

use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::games::{Games, Id};
use crate::game::Game;
use crate::game::tame::Tame;
use crate::search::memory::{block_bytes, table_bytes, vec_bytes};

/// How much is simplified before the search: this costs time, and identifies more sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Parts with at most this many moves are replaced by their simplest forms.
    pub(super) max_small_moves: u32,
    /// Games with at most this many plies together are replaced by their sum.
    pub(super) max_sum_plies: u32,
}

impl Limits {
    /// The limits that were fastest for the block game.
    pub(super) const DEFAULT: Self = Self { max_small_moves: 20, max_sum_plies: 8 };
}

/// A sum of games and parts: its largest part, and the rest. Equal sums may have different representations; different
/// sums never have the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sum<P> {
    /// The part with the most moves, and their number; `None` if all parts are small.
    pub(super) largest: Option<(u32, P)>,
    pub(super) rest: Rest,
}

impl<P> Sum<P> {
    /// Returns the number of moves, or slightly fewer.
    pub(super) fn moves(&self) -> u32 {
        self.largest.as_ref().map_or(0, |largest| largest.0) + self.rest.moves
    }
}

/// All terms of a sum except the largest part, by their number in [`Sums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Rest {
    pub(super) number: u32,
    /// The number of moves in all terms; each game counts the options of its simplest form.
    moves: u32,
    pub(super) has_parts: bool,
    /// Whether the player to move loses the rest by itself, if that follows without a search.
    pub(super) is_lost: Option<bool>,
}

/// The stored data of a rest.
#[derive(Debug)]
pub(super) struct RestEntry {
    rest: Rest,
    /// The terms in ascending order: games first, then parts.
    pub(super) terms: Box<[Term]>,
    /// The bit length of the largest number of sums that a result about the rest took; 0 if there is no such result.
    work: u8,
    /// The sequence number of the latest result about the rest.
    last_result: u64,
}

impl RestEntry {
    /// Returns the bytes of the entry, without the rest's options.
    fn bytes(&self) -> usize {
        block_bytes(size_of::<Self>()) + block_bytes(size_of_val(&*self.terms))
    }
}

/// A term of a rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Term {
    Game(Id),
    /// An index in [`Sums::parts`].
    Part(u32),
}

/// The sums that the positions of a game split into.
pub(super) struct Sums<G: Game> {
    /// Games with at most this many plies together are replaced by their sum.
    max_sum_plies: u32,
    pub(super) games: Games,
    /// Parts that are neither small nor the largest of their sum, with their numbers of moves.
    pub(super) parts: Vec<(u32, G::Position)>,
    /// The index of `parts`.
    part_numbers: HashTable<u32>,
    /// The rests by number; `None` if evicted. Each has its own allocation, which eviction frees.
    rests: Vec<Option<Box<RestEntry>>>,
    /// The index of the rests by their terms.
    rest_numbers: HashTable<u32>,
    /// The numbers of evicted rests.
    free_numbers: Vec<u32>,
    /// The bytes of all entries, with their terms and options.
    rest_bytes: usize,
    /// The number of results so far.
    results: u64,
}

/// The parts of a position: the simplest forms of the small ones, and the large ones with their numbers of moves.
pub(super) struct Split<P> {
    pub(super) games: Vec<Id>,
    pub(super) large: Vec<(u32, P)>,
}

impl<G: Game> Sums<G> {
    pub(super) fn new(max_sum_plies: u32) -> Self {
        Self {
            max_sum_plies,
            games: Games::new(),
            parts: Vec::new(),
            part_numbers: HashTable::new(),
            rests: Vec::new(),
            rest_numbers: HashTable::new(),
            free_numbers: Vec::new(),
            rest_bytes: 0,
            results: 0,
        }
    }

    /// Returns the bytes of games, parts and rests, without what positions own.
    pub(super) fn bytes(&self) -> usize {
        let numbers = self.part_numbers.capacity() + self.rest_numbers.capacity();
        self.games.bytes()
            + vec_bytes(&self.parts)
            + table_bytes::<u32>(numbers)
            + vec_bytes(&self.rests)
            + vec_bytes(&self.free_numbers)
            + self.rest_bytes
    }

    /// Returns the stored data of a rest.
    ///
    /// # Panics
    /// If the rest was evicted.
    pub(super) fn entry(&self, number: u32) -> &RestEntry {
        self.rests[number as usize].as_ref().expect("rests are evicted only while no search uses them")
    }

    fn entry_mut(&mut self, number: u32) -> &mut RestEntry {
        self.rests[number as usize].as_mut().expect("rests are evicted only while no search uses them")
    }

    /// Counts the bytes of a rest's options, which [`SumCache`](super::cache::SumCache) stores.
    pub(super) fn count_options(&mut self, options: &Arc<[Rest]>) {
        // The allocation also has two reference counts.
        self.rest_bytes += block_bytes(size_of_val(&**options) + 2 * size_of::<usize>());
    }

    /// Records that a result about a rest took `work` sums.
    pub(super) fn note_work(&mut self, rest: Rest, work: u64) {
        self.results += 1;
        let results = self.results;
        let entry = self.entry_mut(rest.number);
        entry.work = entry.work.max(work.max(1).ilog2() as u8 + 1);
        entry.last_result = results;
    }

    /// Evicts the results that took the least work, until games, parts and rests take at most `max_bytes`. No search
    /// may use the sums meanwhile. Returns by number which rests are retained (their numbers do not change), and the
    /// new ids of games.
    pub(super) fn evict(&mut self, max_bytes: usize) -> (Vec<bool>, Vec<Id>) {
        let retained = Retained::select(self, max_bytes);
        let ids = self.games.retain(&retained.games);
        let mut part_numbers = vec![u32::MAX; self.parts.len()];
        let parts = std::mem::take(&mut self.parts);
        self.part_numbers = HashTable::new();
        for (old, part) in parts.into_iter().enumerate().filter(|(old, _)| retained.parts[*old]) {
            part_numbers[old] = self.add_part(part);
        }
        self.rest_numbers = HashTable::new();
        (self.free_numbers, self.rest_bytes) = (Vec::new(), 0);
        for number in 0..self.rests.len() {
            let slot = &mut self.rests[number];
            let Some(entry) = slot.as_mut().filter(|_| retained.rests[number]) else {
                *slot = None;
                self.free_numbers.push(number as u32);
                continue;
            };
            // New ids and numbers are in the order of the old ones, so terms stay sorted.
            for term in &mut entry.terms {
                match term {
                    Term::Game(game) => *game = ids[*game as usize],
                    Term::Part(part) => *part = part_numbers[*part as usize],
                }
            }
            self.rest_bytes += entry.bytes();
            self.index_rest(number as u32);
        }
        (retained.rests, ids)
    }

    /// Adds a rest to the index by terms.
    fn index_rest(&mut self, number: u32) {
        let Self { rests, rest_numbers, .. } = self;
        let hash = |number: &u32| rests[*number as usize].as_ref().map_or(0, |entry| hash(&*entry.terms));
        rest_numbers.insert_unique(hash(&number), number, hash);
    }

    /// Returns the sum of games and large parts.
    pub(super) fn sum(&mut self, game: &G, games: Vec<Id>, mut large: Vec<(u32, G::Position)>) -> Sum<G::Position> {
        sort_parts(game, &mut large);
        let largest = large.pop();
        Sum { largest, rest: self.rest(games, large) }
    }

    /// Returns the sum of a rest, games, and large parts.
    pub(super) fn sum_with(
        &mut self,
        game: &G,
        rest: Rest,
        mut games: Vec<Id>,
        mut large: Vec<(u32, G::Position)>,
    ) -> Sum<G::Position> {
        for &term in &self.entry(rest.number).terms {
            match term {
                Term::Game(game) => games.push(game),
                Term::Part(part) => large.push(self.parts[part as usize].clone()),
            }
        }
        self.sum(game, games, large)
    }

    /// Returns the rest that consists of these games and parts. Adds it if it is new.
    pub(super) fn rest(&mut self, mut games: Vec<Id>, parts: Vec<(u32, G::Position)>) -> Rest {
        games.retain(|&game| game != Games::ENDED);
        self.games.sort_by_plies(&mut games);
        let mut terms: Vec<Term> = Vec::with_capacity(games.len() + parts.len());
        for game in games {
            match terms.last() {
                Some(&Term::Game(last)) if self.games.plies(last) + self.games.plies(game) <= self.max_sum_plies => {
                    terms.pop();
                    let sum = self.games.sum(last, game);
                    if sum != Games::ENDED {
                        terms.push(Term::Game(sum));
                    }
                }
                _ => terms.push(Term::Game(game)),
            }
        }
        for part in parts {
            terms.push(Term::Part(self.part_number(part)));
        }
        terms.sort_unstable();
        let is_same = |number: &u32| *self.entry(*number).terms == terms[..];
        if let Some(&number) = self.rest_numbers.find(hash(&terms[..]), is_same) {
            return self.entry(number).rest;
        }
        let moves = terms.iter().map(|&term| match term {
            Term::Game(game) => self.games.options(game).len() as u32,
            Term::Part(part) => self.parts[part as usize].0,
        });
        let has_parts = matches!(terms.last(), Some(Term::Part(_)));
        let moves = moves.sum();
        let number = self.free_numbers.pop().unwrap_or(self.rests.len() as u32);
        let is_lost = match terms[..] {
            [Term::Game(game)] => Some(self.games.value(game) == 0),
            _ => self.tame(&terms).map(Tame::is_lost),
        };
        let rest = Rest { number, moves, has_parts, is_lost };
        let entry = Box::new(RestEntry { rest, terms: terms.into(), work: 0, last_result: 0 });
        self.rest_bytes += entry.bytes();
        match self.rests.get_mut(number as usize) {
            Some(slot) => *slot = Some(entry),
            None => self.rests.push(Some(entry)),
        }
        self.index_rest(number);
        rest
    }

    /// Returns the tame game that equals the terms in sums of tame games; `None` if one of them is a part or not tame.
    fn tame(&self, terms: &[Term]) -> Option<Tame> {
        let term_tame = |term: &Term| match *term {
            Term::Game(game) => self.games.tame(game),
            Term::Part(_) => None,
        };
        terms.iter().map(term_tame).sum()
    }

    /// Returns the number of a part. Adds the part if it is new.
    fn part_number(&mut self, part: (u32, G::Position)) -> u32 {
        let is_same = |number: &u32| self.parts[*number as usize].1 == part.1;
        match self.part_numbers.find(hash(&part.1), is_same) {
            Some(&number) => number,
            None => self.add_part(part),
        }
    }

    fn add_part(&mut self, part: (u32, G::Position)) -> u32 {
        let number = self.parts.len() as u32;
        self.parts.push(part);
        let Self { parts, part_numbers, .. } = self;
        let hash = |number: &u32| hash(&parts[*number as usize].1);
        part_numbers.insert_unique(hash(&number), number, hash);
        number
    }
}

/// The games, parts and rests that eviction retains, by number.
struct Retained {
    games: Vec<bool>,
    parts: Vec<bool>,
    rests: Vec<bool>,
}

impl Retained {
    /// Selects the rests whose results took the most work, up to half of `max_bytes`, then those with the latest
    /// results, up to `max_bytes`, with the games and parts that they consist of. Without the latest results, a search
    /// would repeatedly evict what it is about to need.
    fn select<G: Game>(sums: &Sums<G>, max_bytes: usize) -> Self {
        let Sums { games, parts, rests, .. } = sums;
        let mut retained =
            Self { games: vec![false; games.len()], parts: vec![false; parts.len()], rests: vec![false; rests.len()] };
        retained.games[Games::ENDED as usize] = true;
        let mut entries: Vec<&RestEntry> =
            rests.iter().flatten().map(|entry| &**entry).filter(|entry| entry.work > 0).collect();
        sort_by_work(&mut entries);
        let bytes = retained.mark_until(max_bytes / 2, 0, &entries, sums);
        sort_by_result(&mut entries);
        retained.mark_until(max_bytes, bytes, &entries, sums);
        retained
    }

    /// Marks rests in the order of `entries`, until all that is marked takes more than `max_bytes`. `bytes` is what
    /// earlier marks take. Returns the new total.
    fn mark_until<G: Game>(
        &mut self,
        max_bytes: usize,
        mut bytes: usize,
        entries: &[&RestEntry],
        sums: &Sums<G>,
    ) -> usize {
        for entry in entries {
            if bytes > max_bytes {
                break;
            }
            if std::mem::replace(&mut self.rests[entry.rest.number as usize], true) {
                continue;
            }
            bytes += 2 * size_of::<u32>() + entry.bytes();
            for &term in &entry.terms {
                match term {
                    Term::Game(game) => bytes += self.mark_game(&sums.games, game),
                    Term::Part(part) if !self.parts[part as usize] => {
                        self.parts[part as usize] = true;
                        bytes += size_of::<(u32, G::Position)>() + 2 * size_of::<u32>();
                    }
                    Term::Part(_) => {}
                }
            }
        }
        bytes
    }

    /// Marks a game and all its followers. Returns the bytes of those newly marked.
    fn mark_game(&mut self, games: &Games, game: Id) -> usize {
        let (mut bytes, mut pending) = (0, vec![game]);
        while let Some(game) = pending.pop() {
            if !std::mem::replace(&mut self.games[game as usize], true) {
                bytes += games.game_bytes(game);
                pending.extend_from_slice(games.options(game));
            }
        }
        bytes
    }
}

// These are compiled once, their callers for each game.
fn sort_by_work(entries: &mut [&RestEntry]) {
    entries.sort_unstable_by_key(|entry| Reverse((entry.work, entry.last_result)));
}

fn sort_by_result(entries: &mut [&RestEntry]) {
    entries.sort_unstable_by_key(|entry| Reverse(entry.last_result));
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Sorts parts by their numbers of moves, then by key.
fn sort_parts<G: Game>(game: &G, parts: &mut [(u32, G::Position)]) {
    if parts.len() > 1 {
        parts.sort_by_cached_key(|(moves, part)| (*moves, game.key(part)));
    }
}
