//! The sums that positions split into, small parts by what they are worth.

use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash};
use std::sync::Arc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::games::{Games, Id};
use crate::game::tame::Tame;
use crate::game::{Game, Impartial};
use crate::search::memory::{block_bytes, table_bytes, vec_bytes};

/// How much is worked out beforehand: it costs time, and makes more sums look the same.
#[derive(Clone, Copy, Debug)]
pub(super) struct Limits {
    /// Parts of no more moves are replaced by games in simplest form.
    pub(super) small: u32,
    /// Games of no more plies together are added up to one.
    pub(super) short: u32,
}

impl Limits {
    /// Found by trial on the block game.
    pub(super) const USUAL: Self = Self { small: 20, short: 8 };
}

/// A sum of games and parts: its largest part, and all else. Equal sums may differ; different
/// ones never look the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sum<P> {
    /// The part of most moves, with their number; `None` if all parts are small.
    pub(super) largest: Option<(u32, P)>,
    pub(super) rest: Rest,
}

impl<P> Sum<P> {
    /// How many moves there are, or a few less.
    pub(super) fn moves(&self) -> u32 {
        self.largest.as_ref().map_or(0, |largest| largest.0) + self.rest.moves
    }
}

/// What a sum consists of besides its largest part, by its number among [`Sums`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Rest {
    pub(super) number: u32,
    /// How many moves it has, equal ones counted once.
    moves: u32,
    pub(super) has_parts: bool,
    /// Without a part beside it: whether the player to move loses, if that is known without a search.
    pub(super) is_lost: Option<bool>,
}

/// What is known of a rest.
#[derive(Debug)]
pub(super) struct Entry {
    rest: Rest,
    /// Games and the numbers of parts, sorted: parts come last.
    pub(super) terms: Box<[Term]>,
    /// The most work that a result about it has taken, as a power of two; 0 if there is no such result.
    work: u8,
    /// Which of all results the last one about it was.
    last: u64,
}

impl Entry {
    /// The bytes that it takes, without its options.
    fn bytes(&self) -> usize {
        block_bytes(size_of::<Self>()) + block_bytes(size_of_val(&*self.terms))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Term {
    Game(Id),
    /// By its place in [`Sums::parts`].
    Part(u32),
}

/// The sums that positions of a game split into.
pub(super) struct Sums<G: Game + ?Sized> {
    /// Games of no more plies together are added up to one.
    short: u32,
    pub(super) games: Games,
    /// Parts that are not small and not the largest of their sum, with their numbers of moves.
    pub(super) parts: Vec<(u32, G::Position)>,
    part_numbers: HashTable<u32>,
    /// By number; `None` where one was forgotten. Each in a block of its own, which is given back then.
    rests: Vec<Option<Box<Entry>>>,
    rest_numbers: HashTable<u32>,
    /// Numbers of rests that were forgotten.
    vacant: Vec<u32>,
    /// Bytes of all entries, with their terms and options.
    rest_bytes: usize,
    /// How many results there were.
    results: u64,
}

/// What is left of a position when small parts have been told from others.
pub(super) struct Split<P> {
    pub(super) games: Vec<Id>,
    pub(super) large: Vec<(u32, P)>,
}

impl<G: Impartial> Sums<G> {
    pub(super) fn new(short: u32) -> Self {
        Self {
            short,
            games: Games::new(),
            parts: Vec::new(),
            part_numbers: HashTable::new(),
            rests: Vec::new(),
            rest_numbers: HashTable::new(),
            vacant: Vec::new(),
            rest_bytes: 0,
            results: 0,
        }
    }

    /// The bytes that games, parts and rests take, without what positions point to.
    pub(super) fn bytes(&self) -> usize {
        let numbers = self.part_numbers.capacity() + self.rest_numbers.capacity();
        self.games.bytes()
            + vec_bytes(&self.parts)
            + table_bytes::<u32>(numbers)
            + vec_bytes(&self.rests)
            + vec_bytes(&self.vacant)
            + self.rest_bytes
    }

    /// What is known of a rest.
    ///
    /// # Panics
    /// If it was forgotten.
    pub(super) fn entry(&self, number: u32) -> &Entry {
        self.rests[number as usize].as_ref().expect("rests are forgotten only while no search has any")
    }

    fn entry_mut(&mut self, number: u32) -> &mut Entry {
        self.rests[number as usize].as_mut().expect("rests are forgotten only while no search has any")
    }

    /// Counts the bytes of what moves in a rest lead to, which stands elsewhere.
    pub(super) fn count_options(&mut self, options: &Arc<[Rest]>) {
        // Beside them stand two counts of references.
        self.rest_bytes += block_bytes(size_of_val(&**options) + 2 * size_of::<usize>());
    }

    /// Notes that a result about a rest has taken so much work.
    pub(super) fn note_work(&mut self, rest: Rest, work: u64) {
        self.results += 1;
        let results = self.results;
        let entry = self.entry_mut(rest.number);
        entry.work = entry.work.max(work.max(1).ilog2() as u8 + 1);
        entry.last = results;
    }

    /// Forgets what has taken the least work to learn, until games, parts and rests take at most `most_bytes`. Nothing
    /// may be in use by a search. Numbers of rests that are not forgotten stay the same; which these are is returned,
    /// by number, with the new ids of games.
    pub(super) fn forget(&mut self, most_bytes: usize) -> (Vec<bool>, Vec<Id>) {
        let kept = Kept::choose(self, most_bytes);
        let ids = self.games.retain(&kept.games);
        let mut part_numbers = vec![u32::MAX; self.parts.len()];
        let parts = std::mem::take(&mut self.parts);
        self.part_numbers = HashTable::new();
        for (old, part) in parts.into_iter().enumerate().filter(|(old, _)| kept.parts[*old]) {
            part_numbers[old] = self.add_part(part);
        }
        self.rest_numbers = HashTable::new();
        (self.vacant, self.rest_bytes) = (Vec::new(), 0);
        for number in 0..self.rests.len() {
            let slot = &mut self.rests[number];
            let Some(entry) = slot.as_mut().filter(|_| kept.rests[number]) else {
                *slot = None;
                self.vacant.push(number as u32);
                continue;
            };
            // New ids and numbers are in the order of the old ones: terms stay sorted.
            for term in &mut entry.terms {
                match term {
                    Term::Game(game) => *game = ids[*game as usize],
                    Term::Part(part) => *part = part_numbers[*part as usize],
                }
            }
            self.rest_bytes += entry.bytes();
            self.enter_rest(number as u32);
        }
        (kept.rests, ids)
    }

    fn enter_rest(&mut self, number: u32) {
        let Self { rests, rest_numbers, .. } = self;
        let hash = |number: &u32| rests[*number as usize].as_ref().map_or(0, |entry| hash(&*entry.terms));
        rest_numbers.insert_unique(hash(&number), number, hash);
    }

    /// The sum of games and large parts.
    pub(super) fn sum(&mut self, game: &G, games: Vec<Id>, mut large: Vec<(u32, G::Position)>) -> Sum<G::Position> {
        sort(game, &mut large);
        let largest = large.pop();
        Sum { largest, rest: self.rest(games, large) }
    }

    /// The sum of a rest, games, and large parts.
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

    /// The rest that has these games and parts.
    pub(super) fn rest(&mut self, mut games: Vec<Id>, parts: Vec<(u32, G::Position)>) -> Rest {
        games.retain(|&game| game != Games::ENDED);
        games.sort_unstable_by_key(|&game| (self.games.plies(game), game));
        let mut terms: Vec<Term> = Vec::with_capacity(games.len() + parts.len());
        for game in games {
            match terms.last() {
                Some(&Term::Game(last)) if self.games.plies(last) + self.games.plies(game) <= self.short => {
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
        if let Some(&known) = self.rest_numbers.find(hash(&terms[..]), is_same) {
            return self.entry(known).rest;
        }
        let moves = terms.iter().map(|&term| match term {
            Term::Game(game) => self.games.options(game).len() as u32,
            Term::Part(part) => self.parts[part as usize].0,
        });
        let has_parts = matches!(terms.last(), Some(Term::Part(_)));
        let moves = moves.sum();
        let number = self.vacant.pop().unwrap_or(self.rests.len() as u32);
        let is_lost = match terms[..] {
            [Term::Game(game)] => Some(self.games.value(game) == 0),
            _ => self.tame(&terms).map(Tame::is_lost),
        };
        let rest = Rest { number, moves, has_parts, is_lost };
        let entry = Box::new(Entry { rest, terms: terms.into(), work: 0, last: 0 });
        self.rest_bytes += entry.bytes();
        match self.rests.get_mut(number as usize) {
            Some(vacant) => *vacant = Some(entry),
            None => self.rests.push(Some(entry)),
        }
        self.enter_rest(number);
        rest
    }

    /// The tame game that a sum equals in sums of tame games, if all of its games are tame and it has no part.
    fn tame(&self, terms: &[Term]) -> Option<Tame> {
        let of_term = |term: &Term| match *term {
            Term::Game(game) => self.games.tame(game),
            Term::Part(_) => None,
        };
        terms.iter().map(of_term).sum()
    }

    fn part_number(&mut self, part: (u32, G::Position)) -> u32 {
        let is_same = |number: &u32| self.parts[*number as usize].1 == part.1;
        match self.part_numbers.find(hash(&part.1), is_same) {
            Some(&known) => known,
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

/// The games, parts and rests that are not forgotten.
struct Kept {
    games: Vec<bool>,
    parts: Vec<bool>,
    rests: Vec<bool>,
}

impl Kept {
    /// The rests about which results took the most work and, in half of `most_bytes`, those about which there were results
    /// last: without these, a search would find the same again and again that it then forgets. With them, the games
    /// and parts that they consist of.
    fn choose<G: Impartial>(sums: &Sums<G>, most_bytes: usize) -> Self {
        let Sums { games, parts, rests, .. } = sums;
        let mut kept =
            Self { games: vec![false; games.len()], parts: vec![false; parts.len()], rests: vec![false; rests.len()] };
        kept.games[Games::ENDED as usize] = true;
        let mut entries: Vec<&Entry> =
            rests.iter().flatten().map(|entry| &**entry).filter(|entry| entry.work > 0).collect();
        entries.sort_unstable_by_key(|entry| Reverse((entry.work, entry.last)));
        let bytes = kept.mark_until(most_bytes / 2, 0, &entries, sums);
        entries.sort_unstable_by_key(|entry| Reverse(entry.last));
        kept.mark_until(most_bytes, bytes, &entries, sums);
        kept
    }

    /// Marks rests, the first ones first, until all that is marked takes `most_bytes`. Returns the bytes that it takes.
    fn mark_until<G: Impartial>(
        &mut self,
        most_bytes: usize,
        mut bytes: usize,
        entries: &[&Entry],
        sums: &Sums<G>,
    ) -> usize {
        for entry in entries {
            if bytes > most_bytes {
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

    /// Marks a game and all that can come of it. Returns the bytes of those that were not marked before.
    fn mark_game(&mut self, games: &Games, game: Id) -> usize {
        let (mut bytes, mut open) = (0, vec![game]);
        while let Some(game) = open.pop() {
            if !std::mem::replace(&mut self.games[game as usize], true) {
                bytes += games.bytes_of(game);
                open.extend_from_slice(games.options(game));
            }
        }
        bytes
    }
}

fn hash<T: Hash + ?Sized>(value: &T) -> u64 {
    FxBuildHasher.hash_one(value)
}

/// Those of most moves last.
fn sort<G: Impartial>(game: &G, parts: &mut [(u32, G::Position)]) {
    if parts.len() > 1 {
        parts.sort_by_cached_key(|(moves, part)| (*moves, game.key(part)));
    }
}
