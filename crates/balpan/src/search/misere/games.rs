//! Misère games in simplest form, numbered so that equal games share an id.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::game::tame::Tame;
use crate::search::memory::{block_bytes, map_bytes, table_bytes, vec_bytes};

/// The index of a game in [`Games`].
pub(super) type Id = u32;

/// Impartial games under misère play, up to equality: two games are equal if either can replace the other in every
/// sum. Each is stored as the set of the options of its simplest form, which is unique, so equal games have the same
/// id.
///
/// Few games are equal under misère play, but nearly all games with few moves equal small nim heaps.
///
/// Memory: four bytes per option, some hundred per game, and some twenty per stored sum of two games.
///
/// Source: P. M. Grundy and C. A. B. Smith, "Disjunctive games with the last player losing" (1956), who simplify
/// games; J. H. Conway, "On Numbers and Games" (1976), chapter 12, who proves that no other games are equal.
#[derive(Debug)]
pub(super) struct Games {
    games: Vec<SimplestForm>,
    /// The index of the games by their options.
    ids: HashTable<Id>,
    /// The sums of two games, the smaller id first.
    sums: FxHashMap<(Id, Id), Id>,
    /// The bytes of the options of all games.
    option_bytes: usize,
}

/// A game in simplest form, with the values that its options determine.
#[derive(Debug)]
struct SimplestForm {
    /// The options in ascending order.
    options: Box<[Id]>,
    /// The misère nim value: the size of the nim heap whose sum with the game is lost.
    value: u32,
    /// The tame game that equals it in sums of tame games; `None` if it is wild.
    tame: Option<Tame>,
    /// The maximum number of plies.
    plies: u32,
}

impl Games {
    /// The ended game, which has no options.
    pub(super) const ENDED: Id = 0;

    /// Sorts games by plies.
    pub(super) fn sort_by_plies(&self, games: &mut [Id]) {
        games.sort_unstable_by_key(|&game| (self.plies(game), game));
    }

    pub(super) fn new() -> Self {
        let ended = SimplestForm { options: Box::new([]), value: 1, tame: Some(Tame::ENDED), plies: 0 };
        let mut games = Self { games: vec![ended], ids: HashTable::new(), sums: FxHashMap::default(), option_bytes: 0 };
        games.index(Self::ENDED);
        games
    }

    /// Returns the number of games.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// Returns the bytes of all games and their stored sums.
    pub(super) fn bytes(&self) -> usize {
        let sums = map_bytes(&self.sums);
        vec_bytes(&self.games) + table_bytes::<Id>(self.ids.capacity()) + sums + self.option_bytes
    }

    /// Returns the bytes of a game.
    pub(super) fn game_bytes(&self, game: Id) -> usize {
        size_of::<SimplestForm>() + 2 * size_of::<Id>() + block_bytes(size_of_val(self.options(game)))
    }

    /// Drops the stored sums of games.
    pub(super) fn clear_sums(&mut self) {
        self.sums = FxHashMap::default();
    }

    /// Drops all games but the `retained` ones, which must include their own options. Returns the new id of each
    /// retained game by its old id, `Id::MAX` for the others. The order of ids is preserved.
    pub(super) fn retain(&mut self, retained: &[bool]) -> Vec<Id> {
        self.clear_sums();
        let mut ids = vec![Id::MAX; self.games.len()];
        let games = std::mem::take(&mut self.games);
        self.ids = HashTable::new();
        self.option_bytes = 0;
        for (old, mut game) in games.into_iter().enumerate().filter(|(old, _)| retained[*old]) {
            // Options have smaller ids than the game, so their new ids are already set.
            game.options.iter_mut().for_each(|option| *option = ids[*option as usize]);
            let new = self.games.len() as Id;
            ids[old] = new;
            self.option_bytes += block_bytes(size_of_val(&*game.options));
            self.games.push(game);
            self.index(new);
        }
        self.games.shrink_to_fit();
        ids
    }

    /// Adds the game to the index by options.
    fn index(&mut self, game: Id) {
        let Self { games, ids, .. } = self;
        let hash = |game: &Id| hash(&games[*game as usize].options);
        ids.insert_unique(hash(&game), game, hash);
    }

    /// Returns the misère nim value, which is 0 if the player to move loses.
    pub(super) fn value(&self, game: Id) -> u32 {
        self.games[game as usize].value
    }

    /// Returns the tame game that equals the game in sums of tame games; `None` if the game is wild.
    pub(super) fn tame(&self, game: Id) -> Option<Tame> {
        self.games[game as usize].tame
    }

    /// Returns the maximum number of plies.
    pub(super) fn plies(&self, game: Id) -> u32 {
        self.games[game as usize].plies
    }

    /// Returns the options of the simplest form, in ascending order.
    pub(super) fn options(&self, game: Id) -> &[Id] {
        &self.games[game as usize].options
    }

    /// Returns the simplest form of the game with these options.
    pub(super) fn simplest_form(&mut self, mut options: Vec<Id>) -> Id {
        options.sort_unstable();
        options.dedup();
        if let Some(&game) = self.ids.find(hash(&options), |&game| *self.options(game) == options[..]) {
            return game;
        }
        let value = mex(options.iter().map(|&option| self.value(option)));
        if let Some(simpler) = self.find_simpler(&options, value) {
            return simpler;
        }
        let plies = options.iter().map(|&option| self.plies(option) + 1).max().unwrap_or(0);
        let tame = options.iter().map(|&option| self.tame(option)).collect::<Option<Vec<_>>>();
        let tame = tame.and_then(Tame::from_options);
        let game = self.games.len() as Id;
        let options: Box<[Id]> = options.into();
        self.option_bytes += block_bytes(size_of_val(&*options));
        self.games.push(SimplestForm { options, value, tame, plies });
        self.index(game);
        game
    }

    /// Returns a stored game that equals the game with these options and has fewer of them. Its options are among
    /// these, and each other option is reversible: it has a move to the simpler game. The ended game has one more
    /// condition: the player to move wins the game with these options, too.
    fn find_simpler(&self, options: &[Id], value: u32) -> Option<Id> {
        // The simpler game is an option of every reversible option. The option with the most plies must be reversible,
        // as all options of the simpler game have fewer plies.
        let longest = options.iter().max_by_key(|&&option| self.plies(option))?;
        let has = |options: &[Id], option: Id| options.binary_search(&option).is_ok();
        self.options(*longest).iter().copied().find(|&game| {
            let fewer = self.options(game);
            // Equal games have the same value. For the ended game this is the additional condition.
            self.value(game) == value
                && fewer.iter().all(|&option| has(options, option))
                && options.iter().all(|&option| has(fewer, option) || has(self.options(option), game))
        })
    }

    /// Returns the sum of two games: each move is a move in one of them. This creates up to as many games as there are
    /// pairs of a position of the one and a position of the other.
    pub(super) fn sum(&mut self, left: Id, right: Id) -> Id {
        let pair = (left.min(right), left.max(right));
        if pair.0 == Self::ENDED {
            return pair.1;
        }
        if let Some(&sum) = self.sums.get(&pair) {
            return sum;
        }
        let mut options = Vec::new();
        for (moved, other) in [pair, (pair.1, pair.0)] {
            for option in self.options(moved).to_vec() {
                options.push(self.sum(option, other));
            }
        }
        let sum = self.simplest_form(options);
        self.sums.insert(pair, sum);
        sum
    }

    /// Returns the nim heap of this size.
    pub(super) fn heap(&mut self, size: u32) -> Id {
        let mut smaller = Vec::new();
        for _ in 0..size {
            let heap = self.simplest_form(smaller.clone());
            smaller.push(heap);
        }
        self.simplest_form(smaller)
    }
}

fn hash(options: &[Id]) -> u64 {
    FxBuildHasher.hash_one(options)
}

/// Returns the misère nim value of a game from the values of its options: their mex (minimum excluded value), but 1 if
/// there are no options.
pub(super) fn mex(options: impl Iterator<Item = u32>) -> u32 {
    let mut values: Vec<u32> = options.collect();
    if values.is_empty() {
        return 1;
    }
    values.sort_unstable();
    values.dedup();
    (0..).zip(&values).take_while(|&(n, &value)| n == value).count() as u32
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn sums_of_nim_heaps() {
        let mut games = Games::new();
        let heaps: Vec<Id> = (0..8).map(|size| games.heap(size)).collect();
        assert_eq!(heaps, (0..8).collect::<Vec<_>>());
        // Adding a heap of one to a heap flips the lowest bit of its size.
        for size in 0..8 {
            assert_eq!(games.sum(1, size), size ^ 1);
        }
        // The sum of two heaps of two is lost, and equals no nim heap.
        let twos = games.sum(2, 2);
        assert!(twos > 7 && games.value(twos) == 0);
        // Bouton: if any heap has two or more, the sum is lost if the XOR is 0. Three heaps of one are lost as well.
        for (a, b, c) in [(1, 2, 3), (2, 4, 6), (2, 2, 0), (3, 5, 6), (1, 1, 1)] {
            let sum = games.sum(a, b);
            let sum = games.sum(sum, c);
            assert_eq!(games.value(sum), 0, "{a} {b} {c}");
        }
    }

    proptest! {
        /// Compares the values of sums of up to four random tame games by options and by Nim.
        #[test]
        fn sums_of_tame_games_are_as_sums_of_nim(
            options in vec(vec(any::<usize>(), 0..4), 1..9),
            chosen in vec(any::<usize>(), 1..5),
        ) {
            let mut games = Games::new();
            let mut made = vec![Games::ENDED];
            for options in options {
                let options = options.into_iter().map(|option| made[option % made.len()]).collect();
                made.push(games.simplest_form(options));
            }
            let chosen: Vec<Id> = chosen.into_iter().map(|game| made[game % made.len()]).collect();
            let sum = chosen.iter().fold(Games::ENDED, |sum, &game| games.sum(sum, game));
            let tame: Option<Tame> = chosen.iter().map(|&game| games.tame(game)).sum();
            if let Some(tame) = tame {
                prop_assert_eq!(games.value(sum), tame.misere_value());
            }
        }
    }

    #[test]
    fn reversible_options_are_removed() {
        let mut games = Games::new();
        assert_eq!(games.heap(2), 2);
        // A reversible move to *1; the player to move in the ended game wins, as here.
        assert_eq!(games.simplest_form(vec![1]), 0);
        // {*2} is lost, so it is not the ended game although *2 reverses to 0.
        let two_alone = games.simplest_form(vec![2]);
        assert!(two_alone > 2);
        assert_eq!(games.value(two_alone), 0);
        // {0, *2} = *1: 0 is the option of *1, and *2 is reversible through *1.
        assert_eq!(games.simplest_form(vec![0, 2]), 1);
    }
}
