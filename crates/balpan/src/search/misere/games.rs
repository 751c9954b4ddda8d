//! Misère games in simplest form, each known by a number.

use std::hash::BuildHasher;

use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::game::tame::Tame;
use crate::search::memory::{block_bytes, map_bytes, table_bytes, vec_bytes};

/// A game's number among [`Games`].
pub(super) type Id = u32;

/// Impartial games under the misère convention, up to equality: two games are equal
/// if in any sum one can stand for the other. Each is kept as the set of its options
/// in its simplest form, which is unique, so equal games have the same number.
///
/// Few games are equal by the misère convention; but of those of few moves nearly all
/// are small nim heaps.
///
/// Memory: four bytes for each option, some hundred for each game, and some twenty for each pair that was added up.
///
/// Source: P. M. Grundy and C. A. B. Smith, "Disjunctive games with the last player
/// losing" (1956), who simplify games; J. H. Conway, "On Numbers and Games" (1976),
/// chapter 12, who proves that nothing else makes games equal.
#[derive(Debug)]
pub(super) struct Games {
    games: Vec<Game>,
    /// The games by their options.
    ids: HashTable<Id>,
    sums: FxHashMap<(Id, Id), Id>,
    /// Bytes of the options of all games.
    option_bytes: usize,
}

#[derive(Debug)]
struct Game {
    /// In ascending order.
    options: Box<[Id]>,
    /// The least n such that the game and a nim heap of n are lost together.
    value: u32,
    tame: Option<Tame>,
    /// The most plies it can take.
    plies: u32,
}

impl Games {
    /// The ended game, and nothing else.
    pub(super) const ENDED: Id = 0;

    pub(super) fn new() -> Self {
        let ended = Game { options: Box::new([]), value: 1, tame: Some(Tame::ENDED), plies: 0 };
        let mut games = Self { games: vec![ended], ids: HashTable::new(), sums: FxHashMap::default(), option_bytes: 0 };
        games.enter(Self::ENDED);
        games
    }

    /// How many games there are.
    pub(super) fn len(&self) -> usize {
        self.games.len()
    }

    /// The bytes that all games and their sums take.
    pub(super) fn bytes(&self) -> usize {
        let sums = map_bytes(&self.sums);
        vec_bytes(&self.games) + table_bytes::<Id>(self.ids.capacity()) + sums + self.option_bytes
    }

    /// The bytes that a game takes.
    pub(super) fn bytes_of(&self, game: Id) -> usize {
        size_of::<Game>() + 2 * size_of::<Id>() + block_bytes(size_of_val(self.options(game)))
    }

    /// Forgets which sums of games are known.
    pub(super) fn forget_sums(&mut self) {
        self.sums = FxHashMap::default();
    }

    /// Forgets all games but those `kept`, which have their options among them. Returns the new id of each game that is
    /// kept, by its old one. The order of ids stays the same.
    pub(super) fn retain(&mut self, kept: &[bool]) -> Vec<Id> {
        self.forget_sums();
        let mut ids = vec![Id::MAX; self.games.len()];
        let games = std::mem::take(&mut self.games);
        self.ids = HashTable::new();
        self.option_bytes = 0;
        for (old, mut game) in games.into_iter().enumerate().filter(|(old, _)| kept[*old]) {
            // Options have smaller ids, and so have their new ones already.
            game.options.iter_mut().for_each(|option| *option = ids[*option as usize]);
            let new = self.games.len() as Id;
            ids[old] = new;
            self.option_bytes += block_bytes(size_of_val(&*game.options));
            self.games.push(game);
            self.enter(new);
        }
        self.games.shrink_to_fit();
        ids
    }

    /// Has the game found by its options.
    fn enter(&mut self, game: Id) {
        let Self { games, ids, .. } = self;
        let hash = |game: &Id| hash(&games[*game as usize].options);
        ids.insert_unique(hash(&game), game, hash);
    }

    /// Its misère value: 0 if the player to move loses.
    pub(super) fn value(&self, game: Id) -> u32 {
        self.games[game as usize].value
    }

    /// What it is in sums of tame games, if it is one.
    pub(super) fn tame(&self, game: Id) -> Option<Tame> {
        self.games[game as usize].tame
    }

    /// The most plies that it can take.
    pub(super) fn plies(&self, game: Id) -> u32 {
        self.games[game as usize].plies
    }

    /// The options of its simplest form.
    pub(super) fn options(&self, game: Id) -> &[Id] {
        &self.games[game as usize].options
    }

    /// The game that has these options.
    pub(super) fn of(&mut self, mut options: Vec<Id>) -> Id {
        options.sort_unstable();
        options.dedup();
        if let Some(&known) = self.ids.find(hash(&options), |&game| *self.options(game) == options[..]) {
            return known;
        }
        let value = mex(options.iter().map(|&option| self.value(option)));
        if let Some(simpler) = self.simpler(&options, value) {
            return simpler;
        }
        let plies = options.iter().map(|&option| self.plies(option) + 1).max().unwrap_or(0);
        let tame = options.iter().map(|&option| self.tame(option)).collect::<Option<Vec<_>>>();
        let tame = tame.and_then(Tame::from_options);
        let game = self.games.len() as Id;
        let options: Box<[Id]> = options.into();
        self.option_bytes += block_bytes(size_of_val(&*options));
        self.games.push(Game { options, value, tame, plies });
        self.enter(game);
        game
    }

    /// A game that is equal to that of these options and has fewer of them. It has no
    /// option that is not among these, and each of these that it lacks can be
    /// answered by a move to it. The ended game takes one thing more: that the
    /// player to move wins, as at the end.
    fn simpler(&self, options: &[Id], value: u32) -> Option<Id> {
        // The option of most plies has more of them than any option of a simpler game,
        // so it must be one that is answered.
        let longest = options.iter().max_by_key(|&&option| self.plies(option))?;
        let has = |options: &[Id], option: Id| options.binary_search(&option).is_ok();
        self.options(*longest).iter().copied().find(|&game| {
            let kept = self.options(game);
            // Equal games have the same value; this is what the ended game takes, too.
            self.value(game) == value
                && kept.iter().all(|&option| has(options, option))
                && options.iter().all(|&option| has(kept, option) || has(self.options(option), game))
        })
    }

    /// The sum of two games: each move is one in either. It costs as many games as
    /// there are pairs of what can come of the one and of the other.
    pub(super) fn sum(&mut self, one: Id, other: Id) -> Id {
        let pair = (one.min(other), one.max(other));
        if pair.0 == Self::ENDED {
            return pair.1;
        }
        if let Some(&known) = self.sums.get(&pair) {
            return known;
        }
        let mut options = Vec::new();
        for (moved, still) in [pair, (pair.1, pair.0)] {
            for option in self.options(moved).to_vec() {
                options.push(self.sum(option, still));
            }
        }
        let sum = self.of(options);
        self.sums.insert(pair, sum);
        sum
    }

    /// The nim heap of this size.
    pub(super) fn heap(&mut self, size: u32) -> Id {
        let mut smaller = Vec::new();
        for _ in 0..size {
            let heap = self.of(smaller.clone());
            smaller.push(heap);
        }
        self.of(smaller)
    }
}

fn hash(options: &[Id]) -> u64 {
    FxBuildHasher.hash_one(options)
}

/// The misère value of a game by those of its options: the least that none of them
/// has, but 1 for a game that has ended.
pub(super) fn mex(options: impl Iterator<Item = u32>) -> u32 {
    let mut met: Vec<u32> = options.collect();
    if met.is_empty() {
        return 1;
    }
    met.sort_unstable();
    met.dedup();
    (0..).zip(&met).take_while(|&(n, &value)| n == value).count() as u32
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nim_heaps_add_as_they_should() {
        let mut games = Games::new();
        let heaps: Vec<Id> = (0..8).map(|size| games.heap(size)).collect();
        assert_eq!(heaps, (0..8).collect::<Vec<_>>());
        // A heap of one turns each into its neighbour.
        for size in 0..8 {
            assert_eq!(games.sum(1, size), size ^ 1);
        }
        // Two equal heaps of two or more are no heap at all, but lost.
        let twos = games.sum(2, 2);
        assert!(twos > 7 && games.value(twos) == 0);
        // Bouton: heaps of which one has two or more are lost if their XOR is 0.
        for (a, b, c) in [(1, 2, 3), (2, 4, 6), (2, 2, 0), (3, 5, 6), (1, 1, 1)] {
            let sum = games.sum(a, b);
            let sum = games.sum(sum, c);
            assert_eq!(games.value(sum), 0, "{a} {b} {c}");
        }
    }

    proptest! {
        /// Of games by chance, in sums of up to four: who wins by the options, and as of Nim.
        #[test]
        fn sums_of_tame_games_are_as_sums_of_nim(
            options in vec(vec(any::<usize>(), 0..4), 1..9),
            chosen in vec(any::<usize>(), 1..5),
        ) {
            let mut games = Games::new();
            let mut made = vec![Games::ENDED];
            for options in options {
                let options = options.into_iter().map(|option| made[option % made.len()]).collect();
                made.push(games.of(options));
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
    fn games_are_simplified_as_in_the_books() {
        let mut games = Games::new();
        assert_eq!(games.heap(2), 2);
        // A move that can be answered back to the end, where the mover wins.
        assert_eq!(games.of(vec![1]), 0);
        // Not so where the mover loses: *2 alone can be answered by *1 and by 0.
        let two_alone = games.of(vec![2]);
        assert!(two_alone > 2);
        assert_eq!(games.value(two_alone), 0);
        // 0 and *2: by *1's own option and the answer *1.
        assert_eq!(games.of(vec![0, 2]), 1);
    }
}
