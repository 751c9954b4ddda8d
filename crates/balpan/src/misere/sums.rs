//! The sums that positions split into, small parts by what they are worth.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::games::{Games, Id};
use crate::game::Game;
use crate::impartial::Impartial;
use crate::tame::Tame;

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
}

/// What is known of a rest.
#[derive(Debug)]
pub(super) struct Entry {
    rest: Rest,
    /// Games and the numbers of parts, sorted: parts come last.
    pub(super) terms: Box<[Term]>,
    /// What moves in the rest lead to, once it has been asked for.
    pub(super) options: Option<Arc<[Rest]>>,
    /// Without a part beside it: whether the player to move loses, once that is known.
    pub(super) is_lost: Option<bool>,
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
    part_numbers: FxHashMap<G::Position, u32>,
    pub(super) rests: Vec<Entry>,
    rest_numbers: FxHashMap<Box<[Term]>, u32>,
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
            part_numbers: FxHashMap::default(),
            rests: Vec::new(),
            rest_numbers: FxHashMap::default(),
        }
    }

    /// What a small part is worth, whose moves leave sums of these games.
    pub(super) fn settle(&mut self, options: Vec<Vec<Id>>) -> Id {
        let games = &mut self.games;
        let sum = |option: Vec<Id>| option.into_iter().fold(Games::ENDED, |sum, game| games.sum(sum, game));
        let options = options.into_iter().map(sum).collect();
        self.games.of(options)
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
        for &term in &self.rests[rest.number as usize].terms {
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

    /// What a rest is in sums of tame games, if all of its games are tame and it has no part.
    pub(super) fn tame(&self, entry: &Entry) -> Option<Tame> {
        let of_term = |term: &Term| match *term {
            Term::Game(game) => self.games.tame(game),
            Term::Part(_) => None,
        };
        entry.terms.iter().map(of_term).sum()
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
}

/// Those of most moves last.
fn sort<G: Impartial>(game: &G, parts: &mut [(u32, G::Position)]) {
    if parts.len() > 1 {
        parts.sort_by_cached_key(|(moves, part)| (*moves, game.key(part)));
    }
}
