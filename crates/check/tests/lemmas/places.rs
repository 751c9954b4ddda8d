//! The lemma of places, and the reduction of cells that one player alone can use.

use std::collections::HashMap;
use std::time::Instant;

use crate::board::Board;
use crate::checker::{Checker, Claim, Words};
use crate::game::report;
use crate::placement::{Placement, lead, load, words};

/// Rules with pieces of each player's own.
pub(crate) const PARTIZAN: [&str; 27] = [
    "left: #/#; right: ##; rotate: no; reflect: no",
    "left: ##; right: #/#; rotate: no; reflect: no",
    "left: ##; right: #.#; rotate: no; reflect: no",
    "left: #.#; right: #/#/.; rotate: no; reflect: no",
    "left: #/./#; right: ../##; rotate: no; reflect: no",
    "left: #; right: ##; rotate: yes; reflect: no",
    "left: ##; right: #; rotate: yes; reflect: no",
    "left: #; right: #; rotate: no; reflect: no",
    "left: ##; right: #.#; rotate: yes; reflect: no",
    "left: ##; right: ##; rotate: yes; reflect: no",
    "left: ###; right: ##; rotate: yes; reflect: no",
    "left: ##; right: ###; rotate: yes; reflect: no",
    "left: ##/#.; right: ##; rotate: yes; reflect: no",
    "left: ##; right: ##/#.; rotate: no; reflect: yes",
    "left: ####; right: #/#; rotate: no; reflect: no",
    "left: #./.#; right: ##; rotate: no; reflect: no",
    "left: #./.#; right: ##; rotate: no; reflect: yes",
    "left: ##; right: #./.#; rotate: yes; reflect: no",
    "left: ##; left: #/#/#; right: #/#; right: ###; rotate: no; reflect: no",
    "left: ##; left: #; right: #.#; right: ###; rotate: no; reflect: no",
    "left: ##; left: .#/#.; right: #/#; rotate: no; reflect: no",
    "left: #..#; right: ##; rotate: no; reflect: no",
    "left: #.#; right: #..#; rotate: yes; reflect: no",
    "left: #.#/.#.; right: ##; rotate: yes; reflect: no",
    "left: ##; right: #.#/.#.; rotate: no; reflect: yes",
    "piece: ##; left: #/#; rotate: no; reflect: no",
    "piece: #.#; right: ##/#.; left: ##; rotate: yes; reflect: no",
];

/// Adds `misere: no` to rules and reads them.
fn load_normal(board: Board, rules: &str) -> (Checker, Placement) {
    load(board, &format!("{rules}; misere: no"), 0)
}

/// For each set of filled cells, how far either player is ahead, measured by spare moves: `k` are those that Left has
/// and Right has not, or, if negative, those that Right has.
struct Thresholds {
    /// The least `k` with which Left wins moving first.
    first: Vec<i8>,
    /// The least `k` with which Left wins moving second.
    second: Vec<i8>,
}

impl Thresholds {
    /// Computes thresholds from the full board down to the empty one.
    ///
    /// Let `a` be the largest `first` after a move of Right's, and `b` the least `second` after a move of Left's. Left
    /// moving first wins with `k` if `k >= b`, or by a spare move if `k > 0` and `k - 1 >= second`. Left moving second
    /// wins if `k >= a` and, where Right has a spare move, `k < 0`, also `k + 1 >= first`. The least such numbers are:
    /// if `b <= 0`, `first = b`; otherwise `second >= 0`, so that `second = max(a, 0)` and `first = min(b, second + 1)`.
    /// If `a > 0`, `second = a`; otherwise `second = min(0, max(a, first - 1))`.
    fn new(cells: usize, left: &[u32], right: &[u32]) -> Self {
        let size = 1_usize << cells;
        let (mut first, mut second) = (vec![0_i8; size], vec![0_i8; size]);
        for filled in (0..size).rev() {
            let after = |place: &&u32| **place as usize & filled == 0;
            let b = left.iter().filter(after).map(|place| second[filled | *place as usize]).min().unwrap_or(i8::MAX);
            let a = right.iter().filter(after).map(|place| first[filled | *place as usize]).max().unwrap_or(i8::MIN);
            first[filled] = if b <= 0 { b } else { b.min(a.max(0) + 1) };
            second[filled] = if a > 0 { a } else { a.max(first[filled] - 1).min(0) };
        }
        Self { first, second }
    }

    fn of(game: &Placement) -> Self {
        Self::new(game.cells, &game.placements(0), &game.placements(1))
    }

    /// Returns the spare moves that the player to move may have more, at most, if the other player is to win all the
    /// same; negative if the other player needs some.
    fn margin(&self, at: Words, right_to_move: bool) -> i32 {
        let filled = at.0 as usize;
        if right_to_move {
            lead(at) - i32::from(self.second[filled])
        } else {
            i32::from(self.first[filled]) - 1 - lead(at)
        }
    }
}

/// Plain minimax with the spare moves of both players.
struct Minimax {
    placements: [Vec<u32>; 2],
    known: HashMap<(u32, [u8; 2], usize), bool>,
}

impl Minimax {
    fn mover_wins(&mut self, filled: u32, spare: [u8; 2], mover: usize) -> bool {
        if let Some(&known) = self.known.get(&(filled, spare, mover)) {
            return known;
        }
        let mut wins = false;
        if spare[mover] > 0 {
            let mut spare = spare;
            spare[mover] -= 1;
            wins = !self.mover_wins(filled, spare, 1 - mover);
        }
        for place in self.placements[mover].clone() {
            wins = wins || place & filled == 0 && !self.mover_wins(filled | place, spare, 1 - mover);
        }
        self.known.insert((filled, spare, mover), wins);
        wins
    }
}

#[test]
fn thresholds_agree_with_minimax() {
    let (start, mut count) = (Instant::now(), 0);
    for rules in PARTIZAN {
        for board in Board::all(1..=8) {
            let (_, game) = load_normal(board, rules);
            let thresholds = Thresholds::of(&game);
            let mut minimax =
                Minimax { placements: [0, 1].map(|player| game.placements(player)), known: HashMap::new() };
            for filled in 0..1 << board.cells() {
                for k in -9_i8..=9 {
                    // Spare moves of both players cancel.
                    for both in [0, 1] {
                        let spare = [both + k.max(0) as u8, both + (-k).max(0) as u8];
                        let left_wins = [minimax.mover_wins(filled, spare, 0), !minimax.mover_wins(filled, spare, 1)];
                        let expected =
                            [thresholds.first[filled as usize] <= k, thresholds.second[filled as usize] <= k];
                        assert_eq!(left_wins, expected, "{board:?} {filled:b} {k} {rules}");
                        count += 1;
                    }
                }
            }
        }
    }
    report("thresholds", &format!("{count} positions and spare moves"), start);
}

/// What the lemma of places says of many positions.
#[derive(Default)]
struct Tally {
    positions: u64,
    /// Positions that the lemma says the player who is not to move wins.
    wins: u64,
    /// Positions of which the lemma says more than is true.
    wrong: u64,
    /// Of these, positions that the player to move wins, and the lemma says the other one does.
    wrong_winner: u64,
    examples: Vec<String>,
}

impl Tally {
    fn add(&mut self, checker: &Checker, thresholds: &Thresholds, at: Words, right_to_move: bool) {
        let found = checker.outlasts_by(at).unwrap();
        self.positions += 1;
        self.wins += u64::from(found >= 0);
        let margin = thresholds.margin(at, right_to_move);
        if found > margin {
            let is_wrong_winner = found >= 0 && margin < 0;
            if if is_wrong_winner { self.wrong_winner < 2 } else { self.wrong < 2 } {
                self.examples.push(format!("{}: at least {found}, is {margin}", checker.write(at)));
            }
            self.wrong += 1;
            self.wrong_winner += u64::from(is_wrong_winner);
        }
    }
}

fn check_places(rules: &str, boards: impl Iterator<Item = Board>, leads: &[i32]) {
    let (start, mut positions, mut wins, mut wrong) = (Instant::now(), 0, 0, Vec::new());
    for board in boards {
        let (checker, game) = load_normal(board, rules);
        let thresholds = Thresholds::of(&game);
        let leads = if checker.has_lead() { leads } else { &[0] };
        let mut tally = Tally::default();
        for filled in 0..1 << board.cells() {
            for lead in leads {
                for right_to_move in [false, true] {
                    tally.add(&checker, &thresholds, words(filled, right_to_move, *lead), right_to_move);
                }
            }
        }
        positions += tally.positions;
        wins += tally.wins;
        if tally.wrong > 0 {
            let Tally { wrong: too_much, wrong_winner, examples, .. } = tally;
            let Board { rows, cols } = board;
            wrong.push(format!(
                "{rows}x{cols}: {too_much} positions, {wrong_winner} with the wrong winner {examples:#?}"
            ));
        }
    }
    report("places", &format!("{positions} positions, {wins} won by the lemma, {rules}"), start);
    assert!(wrong.is_empty(), "the lemma of places is wrong for {rules}\n{}", wrong.join("\n"));
}

#[test]
fn places() {
    for rules in PARTIZAN {
        check_places(rules, Board::all(1..=12), &[0]);
        check_places(rules, Board::all(1..=9), &[-3, -1, 1, 2]);
    }
}

#[test]
#[ignore = "long"]
fn places_of_dominoes_long() {
    check_places(PARTIZAN[0], Board::all(13..=24), &[0]);
}

#[test]
#[ignore = "long"]
fn places_of_turned_dominoes_long() {
    check_places(PARTIZAN[1], Board::all(13..=21), &[0]);
    check_places(PARTIZAN[0], Board::all(13..=16), &[-2, -1, 1, 3]);
}

#[test]
#[ignore = "long"]
fn places_of_small_pieces_long() {
    PARTIZAN[2..10].iter().for_each(|rules| check_places(rules, Board::all(13..=20), &[0]));
}

#[test]
#[ignore = "long"]
fn places_of_other_pieces_long() {
    PARTIZAN[10..].iter().for_each(|rules| check_places(rules, Board::all(13..=20), &[0]));
}

fn check_reduction(max_cells: usize) {
    let (start, mut count, mut reduced) = (Instant::now(), 0, 0);
    for rules in PARTIZAN {
        for board in Board::all(1..=max_cells) {
            let (checker, game) = load_normal(board, rules);
            let leads: &[i32] = if checker.has_lead() { &[0, 2, -1] } else { &[0] };
            if leads.len() == 1 && board.cells() > 12 {
                continue;
            }
            let thresholds = Thresholds::of(&game);
            for filled in 0..1 << board.cells() {
                for (lead, right_to_move) in leads.iter().flat_map(|lead| [(*lead, false), (*lead, true)]) {
                    let at = words(filled, right_to_move, lead);
                    let image = checker.reduced(at);
                    let margins = |at| [false, true].map(|right_to_move| thresholds.margin(at, right_to_move));
                    for image in [image, checker.canonical(at, Claim::Win)] {
                        assert_eq!(margins(image), margins(at), "{} {}", checker.write(at), checker.write(image));
                        assert_eq!(image.1 >> 127, at.1 >> 127, "{}", checker.write(at));
                        assert!(checker.layer(image) <= checker.layer(at), "{}", checker.write(at));
                    }
                    count += 1;
                    reduced += u64::from(image != at);
                }
            }
        }
    }
    report("reduction", &format!("{count} positions, {reduced} reduced"), start);
}

#[test]
fn reduction() {
    check_reduction(12);
}

#[test]
#[ignore = "long"]
fn reduction_long() {
    check_reduction(16);
}
