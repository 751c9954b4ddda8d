//! Positions as sums of parts, small parts by what they are worth.

use std::ops::Deref;

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

/// A sum of games and parts: its largest part, and the number of the [`Rest`]. Equal
/// sums may differ; different ones never look the same.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Sum<P> {
    /// The part of most moves, with their number; `None` if all parts are small.
    pub(super) largest: Option<(u32, P)>,
    pub(super) rest: u32,
}

/// What a sum consists of besides its largest part.
#[derive(Debug)]
struct Rest {
    /// Games and the numbers of parts, sorted.
    terms: Box<[Term]>,
    /// What moves in the rest lead to, once it has been asked for.
    options: Option<Box<[u32]>>,
    /// Without a part beside it: whether the player to move loses, once that is known.
    is_lost: Option<bool>,
    /// How many moves it has, equal ones counted once.
    moves: u32,
}

impl Rest {
    /// Parts come last.
    fn has_parts(&self) -> bool {
        matches!(self.terms.last(), Some(Term::Part(_)))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Term {
    Game(Id),
    /// By its place in [`Sums::parts`].
    Part(u32),
}

/// Splits positions of a game into sums.
pub(super) struct Sums<P: Deref<Target: Game>> {
    game: P,
    limits: Limits,
    games: Games,
    small: FxHashMap<<P::Target as Game>::Position, Id>,
    /// Parts that are not small and not the largest of their sum.
    parts: Vec<(u32, <P::Target as Game>::Position)>,
    part_numbers: FxHashMap<<P::Target as Game>::Position, u32>,
    rests: Vec<Rest>,
    rest_numbers: FxHashMap<Box<[Term]>, u32>,
}

/// What is left of a position when small parts have been told from others.
struct Split<P> {
    games: Vec<Id>,
    large: Vec<(u32, P)>,
}

impl<G: Impartial, P: Deref<Target = G>> Sums<P> {
    pub(super) fn new(game: P, limits: Limits) -> Self {
        Self {
            game,
            limits,
            games: Games::new(),
            small: FxHashMap::default(),
            parts: Vec::new(),
            part_numbers: FxHashMap::default(),
            rests: Vec::new(),
            rest_numbers: FxHashMap::default(),
        }
    }

    /// The sum of a position and a nim heap.
    pub(super) fn new_sum(&mut self, position: &G::Position, heap: u32) -> Sum<G::Position> {
        let Split { mut games, large } = self.split(position);
        games.push(self.games.heap(heap));
        self.sum(games, large)
    }

    /// How many moves there are, or a few less.
    pub(super) fn moves(&self, sum: &Sum<G::Position>) -> u32 {
        sum.largest.as_ref().map_or(0, |largest| largest.0) + self.rests[sum.rest as usize].moves
    }

    /// The sums that a move in the rest leads to.
    pub(super) fn options_in_rest(&mut self, sum: &Sum<G::Position>) -> Vec<Sum<G::Position>> {
        let rests = self.options_of_rest(sum.rest);
        rests.iter().map(|&rest| Sum { largest: sum.largest.clone(), rest }).collect()
    }

    /// The sum that a move in the largest part leads to.
    pub(super) fn play(&mut self, sum: &Sum<G::Position>, part: &G::Position, mv: G::Move) -> Sum<G::Position> {
        let Split { games, large } = self.split(&self.game.play(part, mv));
        match (&games[..], &large[..]) {
            // It stays one part, nearly always.
            ([], [_]) if !self.rests[sum.rest as usize].has_parts() => {
                Sum { largest: large.into_iter().next(), rest: sum.rest }
            }
            _ => self.sum_with(&self.rests[sum.rest as usize].terms.clone(), games, large),
        }
    }

    /// A number by which to sort sums: first those that have fewer moves, equal ones
    /// side by side.
    pub(super) fn order(&self, sum: &Sum<G::Position>) -> (u32, u32, Option<u128>) {
        (self.moves(sum), sum.rest, sum.largest.as_ref().map(|(_, part)| self.game.key(part)))
    }

    /// Whether the player to move loses a sum that has no large part.
    pub(super) fn is_lost(&mut self, rest: u32) -> bool {
        if let Some(known) = self.rests[rest as usize].is_lost {
            return known;
        }
        let is_lost = match self.rests[rest as usize].terms[..] {
            [] => false,
            [Term::Game(game)] => self.games.value(game) == 0,
            _ => !self.options_of_rest(rest).iter().any(|&option| self.is_lost(option)),
        };
        self.rests[rest as usize].is_lost = Some(is_lost);
        is_lost
    }

    fn each_play(&self, position: &G::Position) -> Vec<G::Position> {
        self.game.moves(position).map(|mv| self.game.play(position, mv)).collect()
    }

    fn split(&mut self, position: &G::Position) -> Split<G::Position> {
        let mut parts = Vec::new();
        self.game.split(position, &mut parts);
        let mut split = Split { games: Vec::new(), large: Vec::new() };
        for part in parts {
            match self.small(&part) {
                Ok(Games::ENDED) => {}
                Ok(game) => split.games.push(game),
                Err(moves) => split.large.push((moves, part)),
            }
        }
        split
    }

    /// What a part is worth, or how many moves it has, if those are many.
    fn small(&mut self, part: &G::Position) -> Result<Id, u32> {
        if let Some(&known) = self.small.get(part) {
            return Ok(known);
        }
        let moves = self.game.mobility(part) as u32;
        if moves > self.limits.small {
            return Err(moves);
        }
        let mut options = Vec::with_capacity(moves as usize);
        for after in self.each_play(part) {
            let mut parts = Vec::new();
            self.game.split(&after, &mut parts);
            let mut sum = Games::ENDED;
            for part in parts {
                // A move leaves fewer, so what is left of a small part is small.
                let game = self.small(&part)?;
                sum = self.games.sum(sum, game);
            }
            options.push(sum);
        }
        let game = self.games.of(options);
        self.small.insert(part.clone(), game);
        Ok(game)
    }

    fn sum(&mut self, games: Vec<Id>, large: Vec<(u32, G::Position)>) -> Sum<G::Position> {
        self.sum_with(&[], games, large)
    }

    /// The sum of a rest's terms, games, and large parts.
    fn sum_with(&mut self, terms: &[Term], games: Vec<Id>, mut large: Vec<(u32, G::Position)>) -> Sum<G::Position> {
        let mut all = games;
        for &term in terms {
            match term {
                Term::Game(game) => all.push(game),
                Term::Part(part) => large.push(self.parts[part as usize].clone()),
            }
        }
        self.sort(&mut large);
        let largest = large.pop();
        let rest = self.rest(all, large);
        Sum { largest, rest }
    }

    /// Those of most moves last.
    fn sort(&self, parts: &mut [(u32, G::Position)]) {
        if parts.len() > 1 {
            parts.sort_by_cached_key(|(moves, part)| (*moves, self.game.key(part)));
        }
    }

    /// The number of the rest that has these games and parts.
    fn rest(&mut self, mut games: Vec<Id>, parts: Vec<(u32, G::Position)>) -> u32 {
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
            return known;
        }
        let moves = terms.iter().map(|&term| match term {
            Term::Game(game) => self.games.options(game).len() as u32,
            Term::Part(part) => self.parts[part as usize].0,
        });
        let moves = moves.sum();
        let number = self.rests.len() as u32;
        let terms: Box<[Term]> = terms.into();
        self.rest_numbers.insert(terms.clone(), number);
        self.rests.push(Rest { terms, options: None, is_lost: None, moves });
        number
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
    fn options_of_rest(&mut self, rest: u32) -> Box<[u32]> {
        if let Some(known) = &self.rests[rest as usize].options {
            return known.clone();
        }
        let terms = self.rests[rest as usize].terms.clone();
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
                    let plays = self.each_play(&self.parts[part as usize].1);
                    plays.iter().map(|after| self.split(after)).collect()
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
        let options: Box<[u32]> = options.into();
        self.rests[rest as usize].options = Some(options.clone());
        options
    }
}
