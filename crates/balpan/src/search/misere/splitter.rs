//! The access of one worker to the sums that all workers share.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::cache::SumCache;
use super::games::{Games, Id};
use super::sums::{Rest, Split, Sum, Term};
use crate::game::Game;
use crate::search::length::DepthLimit;
use crate::search::memory::{Memo, map_bytes};
use crate::search::parallel::Interrupt;
use crate::search::watch::BrokenPromise;
use crate::value::Outcome;

/// The minimum number of sums of a result whose work is recorded: cheaper results are soon found again.
pub(super) const MIN_NOTED_WORK: u64 = 32;

/// The number of results that a worker records before it locks the shared sums to add them.
const MAX_NOTES: usize = 256;

/// Splits positions into the sums that all workers share. It has its own copies of what it has looked up, and computes
/// without a lock, as otherwise threads would wait for each other at every move.
pub(super) struct Splitter<'a, G: Game> {
    game: &'a G,
    cache: &'a SumCache<G>,
    /// The simplest forms of small parts.
    small: FxHashMap<G::Position, Id>,
    /// The sums of a rest without parts and one or two games.
    with_games: FxHashMap<(u32, [Id; 2]), Rest>,
    /// The options of rests, by number.
    options: FxHashMap<u32, Arc<[Rest]>>,
    /// Whether the player to move loses a rest by itself, without a largest part, by number.
    lost: FxHashMap<u32, bool>,
    /// The simplest forms of games, by their options.
    simplest: Memo<Id>,
    /// The sums of two games, the smaller id first.
    sums_of_two: Memo<Id>,
    /// A buffer for the parts of a position.
    part_buffer: Vec<G::Position>,
    /// Results not yet added to the shared sums, with the number of sums that each took.
    notes: Vec<(Rest, u64)>,
    limit: DepthLimit,
    /// The depth of the recursion into small parts, one per ply.
    plies: u32,
    /// A broken promise of the game, or a recursion that went too deep. Sums made since are meaningless.
    pub(super) fault: Option<Interrupt>,
}

impl<'a, G: Game> Splitter<'a, G> {
    pub(super) fn new(game: &'a G, cache: &'a SumCache<G>, threads: usize) -> Self {
        // Both memos take a quarter of the worker's share, and `trim` bounds its other copies by the rest.
        let memo_bytes = cache.bytes_per_thread(threads) / 8;
        Self {
            game,
            cache,
            small: FxHashMap::default(),
            with_games: FxHashMap::default(),
            options: FxHashMap::default(),
            lost: FxHashMap::default(),
            simplest: Memo::new(memo_bytes),
            sums_of_two: Memo::new(memo_bytes),
            part_buffer: Vec::new(),
            notes: Vec::new(),
            limit: DepthLimit::new(None),
            plies: 0,
            fault: None,
        }
    }

    /// Returns the sum of a position and a nim heap.
    pub(super) fn new_sum(&mut self, position: &G::Position, heap: u32) -> Sum<G::Position> {
        let Split { mut games, large } = self.split(position);
        let mut sums = self.cache.sums();
        games.push(sums.games.heap(heap));
        sums.sum(self.game, games, large)
    }

    /// Returns the options of a sum by moves in its rest.
    pub(super) fn options_in_rest(&mut self, sum: &Sum<G::Position>) -> Vec<Sum<G::Position>> {
        let number = sum.rest.number;
        if !self.options.contains_key(&number) {
            let options = self.options_of_rest(sum.rest);
            self.options.insert(number, options);
        }
        self.options[&number].iter().map(|&rest| Sum { largest: sum.largest.clone(), rest }).collect()
    }

    /// Returns the option of a sum by a move in its largest part.
    pub(super) fn play(&mut self, sum: &Sum<G::Position>, part: &G::Position, mv: G::Move) -> Sum<G::Position> {
        let Split { games, large } = self.split(&self.game.play(part, mv));
        match (&games[..], &large[..]) {
            // The common case: the part does not split.
            ([], [_]) if !sum.rest.has_parts => Sum { largest: large.into_iter().next(), rest: sum.rest },
            ([_] | [_, _], [] | [_]) if !sum.rest.has_parts => {
                let rest = self.with_games(sum.rest, &games);
                Sum { largest: large.into_iter().next(), rest }
            }
            _ => self.cache.sums().sum_with(self.game, sum.rest, games, large),
        }
    }

    /// Returns a key that sorts sums with fewer moves first, and equal ones side by side.
    pub(super) fn sort_key(&self, sum: &Sum<G::Position>) -> (u32, u32, Option<u128>) {
        (sum.moves(), sum.rest.number, sum.largest.as_ref().map(|(_, part)| self.game.key(part)))
    }

    /// Returns whether the player to move loses a sum without a large part, if that is known without a search.
    pub(super) fn known_lost(&mut self, rest: Rest) -> Option<bool> {
        if let Some(is_lost) = rest.is_lost.or_else(|| self.lost.get(&rest.number).copied()) {
            return Some(is_lost);
        }
        let is_lost = self.cache.lost.get(&rest.number)?;
        self.lost.insert(rest.number, is_lost);
        Some(is_lost)
    }

    /// Stores for all workers whether the player to move loses a sum without a large part, a result that took `work`
    /// sums.
    pub(super) fn set_lost(&mut self, rest: Rest, is_lost: bool, work: u64) {
        self.lost.insert(rest.number, is_lost);
        self.cache.lost.insert(rest.number, is_lost);
        self.note_work(rest, work);
    }

    /// Records that a result about a sum with this rest took `work` sums. The more work, the longer the rest and its
    /// terms are retained.
    pub(super) fn note_work(&mut self, rest: Rest, work: u64) {
        self.notes.push((rest, work));
        if self.notes.len() == MAX_NOTES {
            self.share_notes();
        }
    }

    /// Adds the recorded results to the shared sums.
    pub(super) fn share_notes(&mut self) {
        let mut sums = self.cache.sums();
        for (rest, work) in self.notes.drain(..) {
            sums.note_work(rest, work);
        }
    }

    /// Drops the worker's own copies if they, with the memos, may take more than `max_bytes`.
    pub(super) fn trim(&mut self, max_bytes: usize) {
        let Self { small, with_games, options, lost, .. } = self;
        if map_bytes(small) + map_bytes(with_games) + map_bytes(options) + map_bytes(lost) > max_bytes / 4 * 3 {
            (*small, *with_games, *options, *lost) = Default::default();
        }
    }

    /// Returns the sum of a rest without parts and one or two games.
    fn with_games(&mut self, rest: Rest, games: &[Id]) -> Rest {
        let mut key = [Games::ENDED; 2];
        key[..games.len()].copy_from_slice(games);
        key.sort_unstable();
        let (game, cache, key) = (self.game, self.cache, (rest.number, key));
        let add = || {
            let sum = cache.sums().sum_with(game, rest, games.to_vec(), Vec::new()).rest;
            cache.with_games.insert(key, sum);
            sum
        };
        *self.with_games.entry(key).or_insert_with(|| cache.with_games.get(&key).unwrap_or_else(add))
    }

    /// Returns the options of a rest. Their parts are no larger than the largest part beside the rest.
    pub(super) fn options_of_rest(&mut self, rest: Rest) -> Arc<[Rest]> {
        if let Some(options) = self.cache.options.get(&rest.number) {
            return options;
        }
        let mut left = Vec::new();
        let mut parts = Vec::new();
        let terms = {
            let sums = self.cache.sums();
            let terms = sums.entry(rest.number).terms.clone();
            for (at, &term) in terms.iter().enumerate().filter(|&(at, term)| at == 0 || terms[at - 1] != *term) {
                match term {
                    Term::Game(game) => left.extend(
                        sums.games
                            .options(game)
                            .iter()
                            .map(|&game| (at, Split { games: vec![game], large: Vec::new() })),
                    ),
                    Term::Part(part) => parts.push((at, sums.parts[part as usize].1.clone())),
                }
            }
            terms
        };
        for (at, part) in parts {
            let game = self.game;
            left.extend(game.moves(&part).map(|mv| (at, self.split(&game.play(&part, mv)))));
        }
        let mut sums = self.cache.sums();
        let mut options = Vec::with_capacity(left.len());
        for (at, Split { mut games, mut large }) in left {
            for (_, &other) in terms.iter().enumerate().filter(|&(other, _)| other != at) {
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
        if self.cache.options.insert(rest.number, Arc::clone(&options)) {
            sums.count_options(&options);
        }
        options
    }

    /// Splits a position into the simplest forms of its small parts, and its large parts.
    fn split(&mut self, position: &G::Position) -> Split<G::Position> {
        let mut parts = std::mem::take(&mut self.part_buffer);
        self.game.split(position, &mut parts);
        let mut split = Split { games: Vec::new(), large: Vec::new() };
        for part in parts.drain(..) {
            match self.small_game(&part) {
                Ok(Games::ENDED) => {}
                Ok(game) => split.games.push(game),
                Err(moves) => split.large.push((moves, part)),
            }
        }
        self.part_buffer = parts;
        split
    }

    /// Returns the simplest form of a small part, or the number of moves of a large one.
    fn small_game(&mut self, part: &G::Position) -> Result<Id, u32> {
        if let Some(&game) = self.small.get(part) {
            return Ok(game);
        }
        let moves = self.game.mobility(part) as u32;
        if moves > self.cache.limits.max_small_moves {
            return Err(moves);
        }
        let game = match self.cache.small.get(part) {
            Some(game) => game,
            None => {
                self.plies += 1;
                let options = self.options_of_small(part);
                self.plies -= 1;
                let options = options?;
                if self.fault.is_some() {
                    return Ok(Games::ENDED);
                }
                let game = self.simplest_form(options);
                self.cache.small.insert(part.clone(), game);
                game
            }
        };
        self.small.insert(part.clone(), game);
        Ok(game)
    }

    /// Returns the simplest form of the game whose options are these sums of games.
    fn simplest_form(&mut self, options: Vec<Vec<Id>>) -> Id {
        let mut options: Vec<Id> = options.into_iter().map(|games| self.sum_of_games(games)).collect();
        options.sort_unstable();
        options.dedup();
        let cache = self.cache;
        find_or_insert(&mut self.simplest, &options, || cache.sums().games.simplest_form(options.clone()))
    }

    /// Returns the sum of games, by sums of two.
    fn sum_of_games(&mut self, games: Vec<Id>) -> Id {
        let (cache, memo) = (self.cache, &mut self.sums_of_two);
        games.into_iter().fold(Games::ENDED, |sum, game| match sum.min(game) {
            Games::ENDED => sum.max(game),
            least => {
                let pair = [least, sum.max(game)];
                find_or_insert(memo, &pair, || cache.sums().games.sum(sum, game))
            }
        })
    }

    /// Returns the options of a small part, each as games to be added up.
    fn options_of_small(&mut self, part: &G::Position) -> Result<Vec<Vec<Id>>, u32> {
        if let Err(too_deep) = self.limit.check(self.plies) {
            self.fault = Some(too_deep.into());
        }
        let plays: Vec<_> = self.game.moves(part).map(|mv| self.game.play(part, mv)).collect();
        if plays.is_empty() && self.game.end_value(part).outcome() != Outcome::Win {
            self.fault = Some(BrokenPromise::MisereEnd.into());
        }
        let mut options = Vec::with_capacity(plays.len());
        for after in plays {
            if self.fault.is_some() {
                break;
            }
            let mut parts = Vec::new();
            self.game.split(&after, &mut parts);
            // A move leaves fewer moves, so the parts of an option are small, too.
            options.push(parts.iter().map(|part| self.small_game(part)).collect::<Result<_, _>>()?);
        }
        Ok(options)
    }
}

/// Returns the stored result of `key`, or the one that `make` returns, and stores that.
fn find_or_insert(memo: &mut Memo<Id>, key: &[Id], make: impl FnOnce() -> Id) -> Id {
    memo.get(key).unwrap_or_else(|| {
        let id = make();
        memo.insert(key, id, 1);
        id
    })
}
