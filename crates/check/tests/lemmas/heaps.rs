//! Games of heaps: moves, ends, and nimbers that add up.

use std::collections::HashMap;
use std::time::Instant;

use crate::checker::{Checker, Words};
use crate::game::{Game, check_game, report};

/// A game of heaps.
struct Heaps {
    /// The digits of the octal code by the number of tokens taken; `None` for Nim.
    code: Option<Vec<u8>>,
    is_misere: bool,
    /// All positions of some tokens at most, each later than those that its moves lead to.
    positions: Vec<Words>,
    indices: HashMap<Words, usize>,
}

/// Returns heaps, at most 16, as a position: a byte each, the largest highest.
fn words(mut heaps: Vec<u8>) -> Words {
    heaps.sort_unstable();
    (heaps.iter().rev().enumerate().map(|(n, heap)| u128::from(*heap) << (120 - 8 * n)).sum(), 0)
}

fn heaps(at: Words) -> Vec<u8> {
    at.0.to_be_bytes().into_iter().filter(|heap| *heap > 0).collect()
}

/// Adds to `found` all ways to split `tokens` into heaps of at most `largest`, after the `heaps` given.
fn split(tokens: u8, largest: u8, heaps: &mut Vec<u8>, found: &mut Vec<Vec<u8>>) {
    if tokens == 0 {
        found.push(heaps.clone());
    }
    for heap in 1..=largest.min(tokens) {
        heaps.push(heap);
        split(tokens - heap, heap, heaps, found);
        heaps.pop();
    }
}

impl Heaps {
    fn new(code: &str, is_misere: bool, max_tokens: u8) -> Self {
        let mut all = Vec::new();
        for tokens in 0..=max_tokens {
            let from = all.len();
            split(tokens, tokens, &mut Vec::new(), &mut all);
            // A move takes tokens, or makes more heaps of the same.
            all[from..].sort_by_key(|heaps| std::cmp::Reverse(heaps.len()));
        }
        let positions: Vec<Words> = all.into_iter().map(words).collect();
        let indices = positions.iter().enumerate().map(|(n, at)| (*at, n)).collect();
        let digits = code.bytes().filter(u8::is_ascii_digit).map(|digit| digit - b'0');
        let code = (code != "nim").then(|| digits.collect());
        Self { code, is_misere, positions, indices }
    }

    /// Returns the nimber of each position by its index, of whole positions instead of sums.
    fn nimbers(&self) -> Vec<u32> {
        let mut nimbers = vec![0; self.size()];
        for (index, at) in self.positions.iter().enumerate() {
            let mut options = 0_u64;
            self.for_each_move(*at, &mut |after| options |= 1 << nimbers[self.indices[&after]]);
            nimbers[index] = options.trailing_ones();
        }
        nimbers
    }
}

impl Game for Heaps {
    fn for_each_position(&self, visit: &mut dyn FnMut(Words)) {
        self.positions.iter().for_each(|at| visit(*at));
    }

    fn end(&self, at: Words) -> Option<i32> {
        let mut has_move = false;
        self.for_each_move(at, &mut |_| has_move = true);
        (!has_move).then_some(if self.is_misere { 1 } else { -1 })
    }

    fn for_each_move(&self, at: Words, visit: &mut dyn FnMut(Words)) {
        let all = heaps(at);
        for (n, heap) in all.iter().enumerate() {
            for taken in 0..=*heap {
                let digit = match &self.code {
                    Some(code) => code.get(usize::from(taken)).copied().unwrap_or(0),
                    None => u8::from(taken > 0) * 3,
                };
                let mut others = all.clone();
                others.remove(n);
                let with = |more: &[u8]| words([&others, more].concat());
                // The digit's bits allow no heap to be left, one, or two.
                match heap - taken {
                    0 if digit & 1 != 0 => visit(with(&[])),
                    rest if rest > 0 => {
                        if digit & 2 != 0 {
                            visit(with(&[rest]));
                        }
                        if digit & 4 != 0 {
                            (1..rest).for_each(|one| visit(with(&[one, rest - one])));
                        }
                    }
                    _ => {}
                }
            }
        }
    }

    fn size(&self) -> usize {
        self.positions.len()
    }

    fn index(&self, at: Words) -> Option<usize> {
        self.indices.get(&at).copied()
    }
}

const CODES: [&str; 9] = ["nim", "0.77", "0.07", "0.137", "4.7", "4.0077", "0.6", "0.4", "4.3"];

fn check_heaps(max_tokens: u8) {
    let (start, mut count) = (Instant::now(), 0);
    for code in CODES {
        for (is_misere, misere) in [(false, "no"), (true, "yes")] {
            let checker = Checker::new(&format!("family: heaps; code: {code}; misere: {misere}"), "1");
            let game = Heaps::new(code, is_misere, max_tokens);
            count += check_game(&checker, &game);
            let nimbers = game.nimbers();
            for (index, at) in game.positions.iter().enumerate() {
                if is_misere {
                    assert!(checker.parts(*at).is_none(), "{code}");
                    continue;
                }
                let mut nimber = 0;
                checker.for_each_odd_part(*at, |part| nimber ^= nimbers[game.indices[&part]]);
                assert_eq!(nimber, nimbers[index], "{code} {}", checker.write(*at));
            }
        }
    }
    report("heaps", &format!("{count} positions"), start);
}

#[test]
fn heaps_moves_and_nimbers() {
    check_heaps(12);
}

#[test]
#[ignore = "long"]
fn heaps_moves_and_nimbers_long() {
    check_heaps(16);
}
