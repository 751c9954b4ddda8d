//! Nimbers against plain mex on random impartial games and their sums.

use balpan::{AlphaBeta, Game, Nimbers, Outcome, Solver, Watch, laws};
use proptest::collection::vec;
use proptest::prelude::*;

/// A random game of sums of nodes, each a number; a move replaces a node by nodes with a smaller sum.
#[derive(Clone, Debug)]
struct Made {
    seed: u64,
    start: Vec<u8>,
    most_moves: u64,
    /// The number of nodes of each part, fewer at the end; `None` if sums are not split.
    split: Option<usize>,
    /// The node below which nimbers are known.
    known: u8,
    keys: bool,
    /// The number of 16 positions that are cacheable.
    memorable: u64,
}

impl Made {
    /// Returns a random number, the same for the same numbers.
    fn random(&self, node: u8, purpose: u64) -> u64 {
        let mut z = self.seed ^ (u64::from(node) << 40) ^ purpose;
        for _ in 0..2 {
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (z >> 31);
        }
        z
    }

    /// Returns the nodes that replace a node after a move; 0 is none.
    fn option(&self, node: u8, number: u8) -> [u8; 2] {
        let random = self.random(node, 100 + u64::from(number));
        let sum = (random % u64::from(node)) as u8;
        let first = ((random >> 32) % (u64::from(sum) + 1)) as u8;
        [first, sum - first]
    }

    fn options(&self, node: u8) -> std::ops::Range<u8> {
        0..(self.random(node, 1) % (self.most_moves + 1)) as u8
    }

    fn nimbers(&self) -> Vec<u32> {
        let mut nimbers = vec![0_u32];
        for node in 1..=self.start.iter().copied().max().unwrap_or(0) {
            let of = |number| self.option(node, number).iter().fold(0, |sum, part| sum ^ nimbers[usize::from(*part)]);
            let met: Vec<u32> = self.options(node).map(of).collect();
            nimbers.push((0..).find(|nimber| !met.contains(nimber)).unwrap());
        }
        nimbers
    }
}

fn sorted(mut nodes: Vec<u8>) -> Vec<u8> {
    nodes.retain(|node| *node > 0);
    nodes.sort_unstable();
    nodes
}

impl Game for Made {
    type Position = Vec<u8>;
    type Move = (u8, u8);

    fn start(&self) -> Vec<u8> {
        sorted(self.start.clone())
    }

    fn moves(&self, position: &Vec<u8>) -> impl Iterator<Item = (u8, u8)> {
        let nodes = position.chunk_by(u8::eq).map(|same| same[0]);
        nodes.flat_map(|node| self.options(node).map(move |number| (node, number)))
    }

    fn play(&self, position: &Vec<u8>, (node, number): (u8, u8)) -> Vec<u8> {
        let mut after = position.clone();
        after.remove(after.iter().position(|other| *other == node).unwrap());
        after.extend(self.option(node, number));
        sorted(after)
    }

    fn key_bits(&self) -> u32 {
        if self.keys { self.start.iter().map(|node| u32::from(*node)).sum::<u32>() + 1 } else { 0 }
    }

    /// Returns the outline of the nodes as bars side by side, as in a Young diagram.
    fn key(&self, position: &Vec<u8>) -> u128 {
        let next = position.iter().rev().skip(1).chain([&0]);
        position.iter().rev().zip(next).fold(0, |key, (node, next)| (key << 1 | 1) << (node - next))
    }

    fn is_cacheable(&self, position: &Vec<u8>) -> bool {
        self.random(position.first().copied().unwrap_or(0), 2) % 16 < self.memorable
    }

    fn is_impartial(&self) -> bool {
        true
    }

    fn split(&self, position: &Vec<u8>, parts: &mut Vec<Vec<u8>>) {
        match self.split {
            None => parts.push(position.clone()),
            Some(together) => parts.extend(position.chunks(together).map(<[u8]>::to_vec)),
        }
    }

    fn nimber(&self, part: &Vec<u8>) -> Option<u32> {
        let nimbers = part.iter().all(|node| *node < self.known).then(|| self.nimbers())?;
        Some(part.iter().fold(0, |sum, node| sum ^ nimbers[usize::from(*node)]))
    }
}

/// Small sums, as one position or split, with or without keys.
fn small() -> impl Strategy<Value = Made> {
    let split = prop_oneof![Just(None), Just(Some(1)), Just(Some(2))];
    (any::<u64>(), vec(1..=4_u8, 1..=3), 1..=4_u64, split, 0..=4_u8, any::<bool>(), 0..=16_u64).prop_map(
        |(seed, start, most_moves, split, known, keys, memorable)| Made {
            seed,
            start,
            most_moves,
            split,
            known,
            keys,
            memorable,
        },
    )
}

/// Nodes of many moves to few sums, none of which is cacheable.
fn forgotten() -> impl Strategy<Value = Made> {
    (any::<u64>(), vec(1..=4_u8, 1..=2), 15..=60_u64, any::<bool>()).prop_map(|(seed, start, most_moves, keys)| Made {
        seed,
        start,
        most_moves,
        split: Some(1),
        known: 0,
        keys,
        memorable: 0,
    })
}

/// Nodes of many moves, which are searched by proof numbers.
fn large() -> impl Strategy<Value = Made> {
    (any::<u64>(), vec(1..=33_u8, 1..=3), 1..=40_u64, 0..=20_u8).prop_map(|(seed, start, most_moves, known)| Made {
        seed,
        start,
        most_moves,
        split: Some(1),
        known,
        keys: true,
        memorable: 16,
    })
}

fn check(game: &Made, tables: &[usize]) -> Result<(), TestCaseError> {
    let start = game.start();
    let watch = Watch::default();
    let nimbers = game.nimbers();
    let of = |position: &[u8]| position.iter().fold(0, |sum, node| sum ^ nimbers[usize::from(*node)]);
    let expected = of(&start);
    for &table in tables {
        for (threads, alone_for) in [(1, 0), (2, 0), (2, 1 << 12)] {
            let solver =
                || Nimbers::new(game, table, &watch).unwrap().with_threads(threads).with_parallel_threshold(alone_for);
            prop_assert_eq!(solver().nimber(&start).unwrap(), expected);
            let mut solver = solver();
            let winning = solver.winning_moves(&start).unwrap();
            prop_assert_eq!(winning.is_empty(), expected == 0);
            for mv in winning {
                prop_assert!(game.moves(&start).any(|other| other == mv));
                prop_assert_eq!(of(&game.play(&start, mv)), 0);
            }
            // The table entries of one test must not spoil the next.
            for mv in game.moves(&start) {
                let after = game.play(&start, mv);
                prop_assert_eq!(solver.nimber(&after).unwrap(), of(&after));
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn small_sums(game in small()) {
        check(&game, &[0, 1 << 10, 1 << 20])?;
        prop_assert_eq!(laws::check(&game, 2, game.seed), Ok(()));
        let outcome = AlphaBeta::new(&game, 1 << 16, &Watch::default()).outcome(&game.start()).unwrap();
        prop_assert_eq!(outcome == Outcome::Loss, Nimbers::new(&game, 0, &Watch::default()).unwrap().nimber(&game.start()) == Ok(0));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn nodes_of_many_moves(game in large()) {
        check(&game, &[1 << 10, 1 << 20])?;
    }

    #[test]
    fn uncacheable_sums(game in forgotten()) {
        check(&game, &[0, 1 << 10])?;
    }
}
