//! Counts that others have published.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod common;

use std::collections::BTreeSet;

use balpan::{Game, Keyed};
use balpan_games::AnyGame;
use balpan_strong::Table;

use common::{file_of, rules};

/// The positions of Connect Four that play can reach, on a board of so many rows and columns.
fn positions(board: &str) -> u64 {
    let bytes = file_of(&rules("connect4", board, &[]), |of| of.folded = false);
    Table::open(bytes).unwrap().header().positions()
}

/// J. Tromp, "John's Connect Four Playground", <https://tromp.github.io/c4/c4.html>: numbers of
/// legal positions by width and height.
#[test]
fn connect_four_has_the_positions_of_tromps_table() {
    assert_eq!(positions("4x4"), 161_029);
    assert_eq!(positions("4x5"), 3_945_711);
}

/// From the same table.
#[test]
#[ignore = "takes long"]
fn connect_four_has_the_positions_of_tromps_table_on_a_tall_board() {
    assert_eq!(positions("6x4"), 15_835_683);
}

/// OEIS A212693: positions of Connect Four on 7 columns and 6 rows after so many plies.
#[test]
fn connect_four_has_the_published_positions_by_plies() {
    const EXPECTED: [usize; 9] = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
    let AnyGame::Lines(game) = rules("connect4", "6x7", &[]).game().unwrap() else { unreachable!() };
    let (start, mut counts) = (game.start(), Vec::new());
    let mut keys = BTreeSet::from([game.key(&start)]);
    for _ in EXPECTED {
        counts.push(keys.len());
        let mut next = BTreeSet::new();
        for key in keys {
            let position = game.position_of(key).unwrap();
            next.extend(game.moves(&position).map(|mv| game.key(&game.play(&position, mv))));
        }
        keys = next;
    }
    assert_eq!(counts, EXPECTED);
}
