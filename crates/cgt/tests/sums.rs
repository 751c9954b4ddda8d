//! Sums of parts have the winners that plain search finds, and no bound contradicts one.

use std::sync::Arc;

use balpan::{AlphaBeta, Game, Outcome, Solver, SplitMix, Watch, laws};
use balpan_cgt::{Partizan, PartizanSolver, Player, SumGame};
use proptest::prelude::*;

#[expect(dead_code, reason = "the example's own `main`")]
#[path = "../examples/clobber_row.rs"]
mod clobber_row;
use clobber_row::Row;

/// Games given by their options, of which a position holds up to four; 0 is the game without moves.
#[derive(Clone)]
struct Trees(Arc<Vec<[Vec<u16>; 2]>>);

type Bunch = [u16; 4];

impl Trees {
    /// Returns all games born by day 2, each as it is written: 0, the 3 others of day 1, and those whose options are among these.
    fn by_day_2() -> Self {
        let subsets = |n: u16, of: &[u16]| -> Vec<u16> {
            of.iter().enumerate().filter(|(bit, _)| n >> bit & 1 == 1).map(|(_, game)| *game).collect()
        };
        let mut games: Vec<[Vec<u16>; 2]> = vec![[vec![], vec![]]];
        for day in [vec![0], vec![0, 1, 2, 3]] {
            let all = 1_u16 << day.len();
            for left in 0..all {
                for right in 0..all {
                    let options = [subsets(left, &day), subsets(right, &day)];
                    if !games.contains(&options) {
                        games.push(options);
                    }
                }
            }
        }
        Self(Arc::new(games))
    }

    /// Adds games whose options are drawn from those there are.
    fn with_random(self, count: usize, seed: u64) -> Self {
        let mut random = SplitMix(seed);
        let mut games = (*self.0).clone();
        for _ in 0..count {
            let mut options = || (0..random.below(4)).map(|_| random.below(games.len()) as u16).collect::<Vec<_>>();
            let pair = [options(), options()];
            games.push(pair);
        }
        Self(Arc::new(games))
    }

    fn plies(&self, game: u16) -> u32 {
        self.0[usize::from(game)].iter().flatten().map(|option| self.plies(*option) + 1).max().unwrap_or(0)
    }
}

impl Partizan for Trees {
    type Position = Bunch;

    fn options(&self, bunch: &Bunch, player: Player) -> impl Iterator<Item = Bunch> {
        (0..bunch.len()).flat_map(move |at| {
            self.0[usize::from(bunch[at])][player.index()].iter().map(move |option| {
                let mut after = *bunch;
                after[at] = *option;
                after
            })
        })
    }

    fn split(&self, bunch: &Bunch, parts: &mut Vec<Bunch>) {
        parts.extend(bunch.iter().filter(|game| **game != 0).map(|game| [*game, 0, 0, 0]));
    }

    fn max_plies(&self, bunch: &Bunch) -> Option<u32> {
        Some(bunch.iter().map(|game| self.plies(*game)).sum())
    }
}

/// Checks the winner of a position, for both players moving first, and the bounds of the sum.
fn check<G>(game: &G, position: &G::Position)
where
    G: Partizan<Position: Copy + Ord + std::fmt::Debug + Send + Sync + 'static> + Clone + Send + Sync + 'static,
{
    for player in Player::BOTH {
        let wins = PartizanSolver::<G>::wins_by_search(game, position, player);
        let sums = SumGame::new(game.clone(), position, player, 1 << 20);
        let outcome = if wins { Outcome::Win } else { Outcome::Loss };
        let bounds = sums.bounds(&sums.start(), balpan::Value::DRAW);
        assert!(bounds.outcome().is_none_or(|known| known == outcome), "{position:?}, {player:?} first: {bounds:?}");
        let start = sums.start();
        let found = AlphaBeta::new(&sums, 1 << 16, &Watch::default()).outcome(&start).unwrap();
        assert_eq!(found, outcome, "{position:?}, {player:?} first");
    }
}

/// All sums of two games born by day 2, which are all values that bounds know: numbers, infinitesimals and switches.
#[test]
fn bounds_hold_for_all_pairs_of_games_by_day_2() {
    let game = Trees::by_day_2();
    let count = game.0.len() as u16;
    assert_eq!(count, 256);
    for one in 0..count {
        for other in one..count {
            check(&game, &[one, other, 0, 0]);
        }
    }
}

/// All rows of at most nine cells.
#[test]
fn rows_of_clobber_have_the_winners_of_plain_search() {
    for length in 1..=9_u32 {
        for cells in 0..3_u32.pow(length) {
            let mut pieces = [0; 2];
            for cell in 0..length {
                match cells / 3_u32.pow(cell) % 3 {
                    0 => {}
                    kind => pieces[kind as usize - 1] |= 1 << cell,
                }
            }
            // Rows in any place have the same winner.
            if cells % 3 != 0 {
                check(&Row, &pieces);
            }
        }
    }
}

#[test]
fn sums_keep_the_laws_of_games() {
    for pieces in [[0b0101_0101, 0b1010_1010], [0b1100_0110, 0b0011_1001], [0b0001_1111, 0]] {
        let sums = SumGame::new(Row, &pieces, Player::Left, 1 << 20);
        laws::check(&sums, 200, 1).unwrap();
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// Sums of up to four games, most of day 3 or 4.
    #[test]
    fn sums_of_four_games_have_the_winners_of_plain_search(seed: u64, games in prop::array::uniform4(0..300_usize)) {
        let game = Trees::by_day_2().with_random(60, seed);
        let bunch = games.map(|n| (n + 16) as u16);
        prop_assume!(game.max_plies(&bunch) <= Some(14));
        check(&game, &bunch);
    }
}
