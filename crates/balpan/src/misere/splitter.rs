//! One thread's way to the sums that all threads share.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::games::{Games, Id};
use super::shared::Shared;
use super::sums::{Rest, Split, Sum, Term};
use crate::game::Game;
use crate::impartial::Impartial;
use crate::length::DepthLimit;
use crate::memory::map_bytes;
use crate::tame::Tame;
use crate::team::Interrupt;
use crate::value::Outcome;
use crate::watch::BrokenPromise;

/// Sums searched for a result of which it is noted how much work it was.
const WORTH_NOTING: u64 = 32;

/// Splits positions into sums that all threads share. It remembers what it has asked for, and works
/// with nothing locked, or threads would wait for each other at every move.
pub(super) struct Splitter<'a, G: Game> {
    game: &'a G,
    shared: &'a Shared<G>,
    /// What small parts are worth.
    small: FxHashMap<G::Position, Id>,
    /// Rests without parts that get one or two games more, with what they are then.
    with_games: FxHashMap<(u32, [Id; 2]), Rest>,
    /// What moves in rests lead to.
    options: FxHashMap<u32, Arc<[Rest]>>,
    /// Rests without a part beside them: whether the player to move loses.
    lost: FxHashMap<u32, bool>,
    /// Parts that have just been made.
    made: Vec<G::Position>,
    limit: DepthLimit,
    /// How many small parts are being worked out, each after a move in the one before.
    plies: u32,
    /// What was found wrong with the game. Sums that were made since then mean nothing.
    pub(super) fault: Option<Interrupt>,
}

impl<'a, G: Impartial> Splitter<'a, G> {
    pub(super) fn new(game: &'a G, shared: &'a Shared<G>) -> Self {
        Self {
            game,
            shared,
            small: FxHashMap::default(),
            with_games: FxHashMap::default(),
            options: FxHashMap::default(),
            lost: FxHashMap::default(),
            made: Vec::new(),
            limit: DepthLimit::new(None),
            plies: 0,
            fault: None,
        }
    }

    /// The sum of a position and a nim heap.
    pub(super) fn new_sum(&mut self, position: &G::Position, heap: u32) -> Sum<G::Position> {
        let Split { mut games, large } = self.split(position);
        let mut sums = self.shared.sums();
        games.push(sums.games.heap(heap));
        sums.sum(self.game, games, large)
    }

    /// The sums that a move in the rest leads to.
    pub(super) fn options_in_rest(&mut self, sum: &Sum<G::Position>) -> Vec<Sum<G::Position>> {
        let number = sum.rest.number;
        if !self.options.contains_key(&number) {
            let options = self.options_of_rest(sum.rest);
            self.options.insert(number, options);
        }
        self.options[&number].iter().map(|&rest| Sum { largest: sum.largest.clone(), rest }).collect()
    }

    /// The sum that a move in the largest part leads to.
    pub(super) fn play(&mut self, sum: &Sum<G::Position>, part: &G::Position, mv: G::Move) -> Sum<G::Position> {
        let Split { games, large } = self.split(&self.game.play(part, mv));
        match (&games[..], &large[..]) {
            // It stays one part, nearly always.
            ([], [_]) if !sum.rest.has_parts => Sum { largest: large.into_iter().next(), rest: sum.rest },
            ([_] | [_, _], [] | [_]) if !sum.rest.has_parts => {
                let rest = self.with_games(sum.rest, &games);
                Sum { largest: large.into_iter().next(), rest }
            }
            _ => self.shared.sums().sum_with(self.game, sum.rest, games, large),
        }
    }

    /// A number by which to sort sums: first those that have fewer moves, equal ones
    /// side by side.
    pub(super) fn order(&self, sum: &Sum<G::Position>) -> (u32, u32, Option<u128>) {
        (sum.moves(), sum.rest.number, sum.largest.as_ref().map(|(_, part)| self.game.key(part)))
    }

    /// Whether the player to move loses a sum that has no large part, if that is known without a search.
    pub(super) fn known_lost(&mut self, rest: Rest) -> Option<bool> {
        if let Some(&known) = self.lost.get(&rest.number) {
            return Some(known);
        }
        let known = {
            let sums = self.shared.sums();
            let entry = sums.entry(rest.number);
            entry.is_lost.or_else(|| match entry.terms[..] {
                [Term::Game(game)] => Some(sums.games.value(game) == 0),
                _ => sums.tame(entry).map(Tame::is_lost),
            })
        };
        if let Some(known) = known {
            self.lost.insert(rest.number, known);
        }
        known
    }

    /// Tells other threads, too, whether the player to move loses a sum that has no large part, which took `work` sums
    /// to find.
    pub(super) fn tell_lost(&mut self, rest: Rest, is_lost: bool, work: u64) {
        let mut sums = self.shared.sums();
        sums.entry_mut(rest.number).is_lost = Some(is_lost);
        sums.note_work(rest, work);
        self.lost.insert(rest.number, is_lost);
    }

    /// Notes that a result about a sum took `work` sums to find: what it consists of is then remembered for long.
    pub(super) fn note_work(&self, sum: &Sum<G::Position>, work: u64) {
        // Others wait for a lock, and what took little is soon found again.
        if work >= WORTH_NOTING {
            self.shared.sums().note_work(sum.rest, work);
        }
    }

    /// Forgets what the shared sums have as well, if it takes more than `most_bytes`.
    pub(super) fn limit(&mut self, most_bytes: usize) {
        let Self { small, with_games, options, lost, .. } = self;
        if map_bytes(small) + map_bytes(with_games) + map_bytes(options) + map_bytes(lost) > most_bytes {
            (*small, *with_games, *options, *lost) = Default::default();
        }
    }

    /// A rest without parts and one or two games.
    fn with_games(&mut self, rest: Rest, games: &[Id]) -> Rest {
        let mut key = [Games::ENDED; 2];
        key[..games.len()].copy_from_slice(games);
        key.sort_unstable();
        let (game, shared) = (self.game, self.shared);
        let add = || shared.sums().sum_with(game, rest, games.to_vec(), Vec::new()).rest;
        *self.with_games.entry((rest.number, key)).or_insert_with(add)
    }

    /// What a move in the rest leaves of it. Parts stay smaller than the largest one
    /// beside them.
    pub(super) fn options_of_rest(&mut self, rest: Rest) -> Arc<[Rest]> {
        let (known, terms) = {
            let sums = self.shared.sums();
            let entry = sums.entry(rest.number);
            (entry.options.clone(), entry.terms.clone())
        };
        if let Some(known) = known {
            return known;
        }
        let mut left = Vec::new();
        for (at, &term) in terms.iter().enumerate() {
            if at > 0 && terms[at - 1] == term {
                continue;
            }
            match term {
                Term::Game(game) => {
                    let options = self.shared.sums().games.options(game).to_vec();
                    left.extend(options.iter().map(|&game| (at, Split { games: vec![game], large: Vec::new() })));
                }
                Term::Part(part) => {
                    let part = self.shared.sums().parts[part as usize].1.clone();
                    let plays: Vec<_> = self.game.moves(&part).map(|mv| self.game.play(&part, mv)).collect();
                    left.extend(plays.iter().map(|after| (at, self.split(after))));
                }
            }
        }
        let mut sums = self.shared.sums();
        let mut options = Vec::with_capacity(left.len());
        for (at, Split { mut games, mut large }) in left {
            for (_, &other) in terms.iter().enumerate().filter(|&(place, _)| place != at) {
                match other {
                    Term::Game(game) => games.push(game),
                    Term::Part(part) => large.push(sums.parts[part as usize].clone()),
                }
            }
            options.push(sums.rest(games, large));
        }
        options.sort_unstable();
        options.dedup();
        let options: Arc<[Rest]> = options.into();
        sums.set_options(rest, &options);
        options
    }

    fn split(&mut self, position: &G::Position) -> Split<G::Position> {
        let mut made = std::mem::take(&mut self.made);
        self.game.split(position, &mut made);
        let mut split = Split { games: Vec::new(), large: Vec::new() };
        for part in made.drain(..) {
            match self.small(&part) {
                Ok(Games::ENDED) => {}
                Ok(game) => split.games.push(game),
                Err(moves) => split.large.push((moves, part)),
            }
        }
        self.made = made;
        split
    }

    /// What a part is worth, or how many moves it has, if those are many.
    fn small(&mut self, part: &G::Position) -> Result<Id, u32> {
        if let Some(&known) = self.small.get(part) {
            return Ok(known);
        }
        let moves = self.game.mobility(part) as u32;
        if moves > self.shared.limits.small {
            return Err(moves);
        }
        let game = match self.shared.small(part) {
            Some(known) => known,
            None => {
                self.plies += 1;
                let options = self.options_of_small(part);
                self.plies -= 1;
                let options = options?;
                if self.fault.is_some() {
                    return Ok(Games::ENDED);
                }
                let game = self.shared.sums().settle(options);
                self.shared.tell_small(part.clone(), game);
                game
            }
        };
        self.small.insert(part.clone(), game);
        Ok(game)
    }

    /// What moves in a small part leave of it, each as games to be added up.
    fn options_of_small(&mut self, part: &G::Position) -> Result<Vec<Vec<Id>>, u32> {
        if let Err(too_deep) = self.limit.check(self.plies) {
            self.fault = Some(too_deep.into());
        }
        let plays: Vec<_> = self.game.moves(part).map(|mv| self.game.play(part, mv)).collect();
        if plays.is_empty() && self.game.end(part) != Outcome::Win {
            self.fault = Some(BrokenPromise::MisereEnd.into());
        }
        let mut options = Vec::with_capacity(plays.len());
        for after in plays {
            if self.fault.is_some() {
                break;
            }
            let mut parts = Vec::new();
            self.game.split(&after, &mut parts);
            // A move leaves fewer, so what is left of a small part is small.
            options.push(parts.iter().map(|part| self.small(part)).collect::<Result<_, _>>()?);
        }
        Ok(options)
    }
}
