//! Positions as sums of parts, small parts by what they are worth.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::games::{Games, Id};
use crate::game::Game;
use crate::impartial::Impartial;

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
    has_parts: bool,
}

/// What is known of a rest.
#[derive(Debug)]
struct Entry {
    rest: Rest,
    /// Games and the numbers of parts, sorted: parts come last.
    terms: Box<[Term]>,
    /// What moves in the rest lead to, once it has been asked for.
    options: Option<Box<[Rest]>>,
    /// Without a part beside it: whether the player to move loses, once that is known.
    is_lost: Option<bool>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Term {
    Game(Id),
    /// By its place in [`Sums::parts`].
    Part(u32),
}

/// The sums that positions of a game split into, and what small parts are worth.
pub(super) struct Sums<G: Game + ?Sized> {
    limits: Limits,
    games: Games,
    small: FxHashMap<G::Position, Id>,
    /// Parts that are not small and not the largest of their sum.
    parts: Vec<(u32, G::Position)>,
    part_numbers: FxHashMap<G::Position, u32>,
    rests: Vec<Entry>,
    rest_numbers: FxHashMap<Box<[Term]>, u32>,
}

/// One thread's way to the sums that all threads share. It remembers what small parts are worth,
/// or threads would wait for each other at every move.
pub(super) struct Splitter<'a, G: Game> {
    game: &'a G,
    shared: &'a Mutex<Sums<G>>,
    limits: Limits,
    small: FxHashMap<G::Position, Id>,
    /// Parts that have just been made.
    made: Vec<G::Position>,
}

/// What is left of a position when small parts have been told from others.
struct Split<P> {
    games: Vec<Id>,
    large: Vec<(u32, P)>,
}

impl<'a, G: Impartial> Splitter<'a, G> {
    pub(super) fn new(game: &'a G, shared: &'a Mutex<Sums<G>>) -> Self {
        let limits = lock(shared).limits;
        Self { game, shared, limits, small: FxHashMap::default(), made: Vec::new() }
    }

    /// The sum of a position and a nim heap.
    pub(super) fn new_sum(&mut self, position: &G::Position, heap: u32) -> Sum<G::Position> {
        let Split { mut games, large } = self.split(position);
        let mut sums = lock(self.shared);
        games.push(sums.games.heap(heap));
        sums.sum(self.game, games, large)
    }

    /// The sums that a move in the rest leads to.
    pub(super) fn options_in_rest(&mut self, sum: &Sum<G::Position>) -> Vec<Sum<G::Position>> {
        let rests = lock(self.shared).options_of_rest(self.game, sum.rest);
        rests.iter().map(|&rest| Sum { largest: sum.largest.clone(), rest }).collect()
    }

    /// The sum that a move in the largest part leads to.
    pub(super) fn play(&mut self, sum: &Sum<G::Position>, part: &G::Position, mv: G::Move) -> Sum<G::Position> {
        let Split { games, large } = self.split(&self.game.play(part, mv));
        match (&games[..], &large[..]) {
            // It stays one part, nearly always.
            ([], [_]) if !sum.rest.has_parts => Sum { largest: large.into_iter().next(), rest: sum.rest },
            _ => lock(self.shared).sum_with(self.game, sum.rest, games, large),
        }
    }

    /// A number by which to sort sums: first those that have fewer moves, equal ones
    /// side by side.
    pub(super) fn order(&self, sum: &Sum<G::Position>) -> (u32, u32, Option<u128>) {
        (sum.moves(), sum.rest.number, sum.largest.as_ref().map(|(_, part)| self.game.key(part)))
    }

    /// Whether the player to move loses a sum that has no large part.
    pub(super) fn is_lost(&mut self, rest: Rest) -> bool {
        lock(self.shared).is_lost(self.game, rest)
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

    /// As [`Sums::small`], which is asked once for each part.
    fn small(&mut self, part: &G::Position) -> Result<Id, u32> {
        if let Some(&known) = self.small.get(part) {
            return Ok(known);
        }
        let moves = self.game.mobility(part) as u32;
        if moves > self.limits.small {
            return Err(moves);
        }
        let game = lock(self.shared).small(self.game, part)?;
        self.small.insert(part.clone(), game);
        Ok(game)
    }
}

/// A thread that panics leaves what was made before: nothing is changed once it is made.
fn lock<G: Game>(shared: &Mutex<Sums<G>>) -> MutexGuard<'_, Sums<G>> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<G: Impartial> Sums<G> {
    pub(super) fn new(limits: Limits) -> Self {
        Self {
            limits,
            games: Games::new(),
            small: FxHashMap::default(),
            parts: Vec::new(),
            part_numbers: FxHashMap::default(),
            rests: Vec::new(),
            rest_numbers: FxHashMap::default(),
        }
    }

    /// Whether the player to move loses a sum that has no large part.
    fn is_lost(&mut self, game: &G, rest: Rest) -> bool {
        let at = rest.number as usize;
        if let Some(known) = self.rests[at].is_lost {
            return known;
        }
        let is_lost = match self.rests[at].terms[..] {
            [] => false,
            [Term::Game(game)] => self.games.value(game) == 0,
            _ => !self.options_of_rest(game, rest).iter().any(|&option| self.is_lost(game, option)),
        };
        self.rests[at].is_lost = Some(is_lost);
        is_lost
    }

    fn split(&mut self, game: &G, position: &G::Position) -> Split<G::Position> {
        let mut parts = Vec::new();
        game.split(position, &mut parts);
        let mut split = Split { games: Vec::new(), large: Vec::new() };
        for part in parts {
            match self.small(game, &part) {
                Ok(Games::ENDED) => {}
                Ok(game) => split.games.push(game),
                Err(moves) => split.large.push((moves, part)),
            }
        }
        split
    }

    /// What a part is worth, or how many moves it has, if those are many.
    fn small(&mut self, game: &G, part: &G::Position) -> Result<Id, u32> {
        if let Some(&known) = self.small.get(part) {
            return Ok(known);
        }
        let moves = game.mobility(part) as u32;
        if moves > self.limits.small {
            return Err(moves);
        }
        let mut options = Vec::with_capacity(moves as usize);
        for after in each_play(game, part) {
            let mut parts = Vec::new();
            game.split(&after, &mut parts);
            let mut sum = Games::ENDED;
            for part in parts {
                // A move leaves fewer, so what is left of a small part is small.
                let left = self.small(game, &part)?;
                sum = self.games.sum(sum, left);
            }
            options.push(sum);
        }
        let game = self.games.of(options);
        self.small.insert(part.clone(), game);
        Ok(game)
    }

    fn sum(&mut self, game: &G, games: Vec<Id>, mut large: Vec<(u32, G::Position)>) -> Sum<G::Position> {
        sort(game, &mut large);
        let largest = large.pop();
        Sum { largest, rest: self.rest(games, large) }
    }

    /// The sum of a rest, games, and large parts.
    fn sum_with(
        &mut self,
        game: &G,
        rest: Rest,
        mut games: Vec<Id>,
        mut large: Vec<(u32, G::Position)>,
    ) -> Sum<G::Position> {
        for &term in &self.rests[rest.number as usize].terms {
            match term {
                Term::Game(game) => games.push(game),
                Term::Part(part) => large.push(self.parts[part as usize].clone()),
            }
        }
        self.sum(game, games, large)
    }

    /// The rest that has these games and parts.
    fn rest(&mut self, mut games: Vec<Id>, parts: Vec<(u32, G::Position)>) -> Rest {
        games.retain(|&game| game != Games::ENDED);
        games.sort_unstable_by_key(|&game| (self.games.plies(game), game));
        let mut terms: Vec<Term> = Vec::with_capacity(games.len() + parts.len());
        for game in games {
            match terms.last() {
                Some(&Term::Game(last)) if self.games.plies(last) + self.games.plies(game) <= self.limits.short => {
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
        if let Some(&known) = self.rest_numbers.get(&terms[..]) {
            return self.rests[known as usize].rest;
        }
        let moves = terms.iter().map(|&term| match term {
            Term::Game(game) => self.games.options(game).len() as u32,
            Term::Part(part) => self.parts[part as usize].0,
        });
        let has_parts = matches!(terms.last(), Some(Term::Part(_)));
        let rest = Rest { number: self.rests.len() as u32, moves: moves.sum(), has_parts };
        let terms: Box<[Term]> = terms.into();
        self.rest_numbers.insert(terms.clone(), rest.number);
        self.rests.push(Entry { rest, terms, options: None, is_lost: None });
        rest
    }

    fn part_number(&mut self, part: (u32, G::Position)) -> u32 {
        if let Some(&known) = self.part_numbers.get(&part.1) {
            return known;
        }
        let number = self.parts.len() as u32;
        self.part_numbers.insert(part.1.clone(), number);
        self.parts.push(part);
        number
    }

    /// What a move in the rest leaves of it. Parts stay smaller than the largest one
    /// beside them.
    fn options_of_rest(&mut self, game: &G, rest: Rest) -> Box<[Rest]> {
        let number = rest.number as usize;
        if let Some(known) = &self.rests[number].options {
            return known.clone();
        }
        let terms = self.rests[number].terms.clone();
        let mut options = Vec::new();
        for (at, &term) in terms.iter().enumerate() {
            if at > 0 && terms[at - 1] == term {
                continue;
            }
            let afters: Vec<Split<G::Position>> = match term {
                Term::Game(game) => {
                    let games = self.games.options(game).iter();
                    games.map(|&option| Split { games: vec![option], large: Vec::new() }).collect()
                }
                Term::Part(part) => {
                    let plays = each_play(game, &self.parts[part as usize].1);
                    plays.iter().map(|after| self.split(game, after)).collect()
                }
            };
            for Split { mut games, mut large } in afters {
                for (_, &other) in terms.iter().enumerate().filter(|&(place, _)| place != at) {
                    match other {
                        Term::Game(game) => games.push(game),
                        Term::Part(part) => large.push(self.parts[part as usize].clone()),
                    }
                }
                options.push(self.rest(games, large));
            }
        }
        options.sort_unstable();
        options.dedup();
        let options: Box<[Rest]> = options.into();
        self.rests[number].options = Some(options.clone());
        options
    }
}

/// What each move leaves.
fn each_play<G: Game>(game: &G, position: &G::Position) -> Vec<G::Position> {
    game.moves(position).map(|mv| game.play(position, mv)).collect()
}

/// Those of most moves last.
fn sort<G: Impartial>(game: &G, parts: &mut [(u32, G::Position)]) {
    if parts.len() > 1 {
        parts.sort_by_cached_key(|(moves, part)| (*moves, game.key(part)));
    }
}
