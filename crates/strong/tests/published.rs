//! Published counts.

use std::collections::BTreeSet;

use balpan::Game;
use balpan_games::heaps::Heaps;
use balpan_games::lines::Lines;
use balpan_games::presets::preset;
use balpan_strong::{Metric, Table};

use crate::common::{build_preset, codes, rules};

/// The number of reachable positions of Connect Four on a board of rows by columns.
fn positions(board: &str) -> u64 {
    let bytes = build_preset(&rules("connect4", board, &[]), |subject| subject.folded = false);
    Table::open(bytes).unwrap().header().positions()
}

/// J. Tromp, "John's Connect Four Playground", <https://tromp.github.io/c4/c4.html>: numbers of
/// legal positions by width and height.
#[test]
fn connect_four_has_the_positions_of_tromps_table() {
    assert_eq!(positions("4x4"), 161_029);
    assert_eq!(positions("4x5"), 3_945_711);
}

/// Source: the same table.
#[test]
#[ignore = "takes long"]
fn connect_four_has_the_positions_of_tromps_table_on_a_tall_board() {
    assert_eq!(positions("6x4"), 15_835_683);
}

/// E. R. Berlekamp, J. H. Conway and R. K. Guy, "Winning Ways", chapter 4, table 6: the nimbers
/// of Kayles, which have period 12 from 71 on.
#[test]
fn kayles_has_the_published_nimbers_to_200() {
    const FIRST: [u16; 13] = [0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4];
    const PERIOD: [u16; 12] = [4, 1, 2, 8, 1, 4, 7, 2, 1, 8, 2, 7];
    let rules = preset("kayles").unwrap().unwrap().with_change("start=200").unwrap();
    let game = rules.game().unwrap().downcast::<Heaps>().unwrap();
    let table = Table::open(build_preset(&rules, |subject| subject.metric = Metric::Nimber)).unwrap();
    let mut found = vec![0; 201];
    for ((_, key), code) in codes(&table).unwrap() {
        let position = game.position_from_key(key).unwrap();
        let [heap] = position.heaps() else { panic!("{position:?} is not a part") };
        found[usize::from(*heap)] = code;
    }
    assert_eq!(table.header().positions(), 200);
    assert_eq!(found[..FIRST.len()], FIRST);
    assert!((71..=200).all(|heap| found[heap] == PERIOD[heap % 12]), "{found:?}");
}

/// OEIS A212693: positions of Connect Four on 7 columns and 6 rows after each number of plies.
#[test]
fn connect_four_has_the_published_positions_by_plies() {
    const EXPECTED: [usize; 9] = [1, 7, 49, 238, 1120, 4263, 16_422, 54_859, 184_275];
    let game = rules("connect4", "6x7", &[]).game().unwrap().downcast::<Lines>().unwrap();
    let (start, mut counts) = (game.start(), Vec::new());
    let mut keys = BTreeSet::from([game.key(&start)]);
    for _ in EXPECTED {
        counts.push(keys.len());
        let mut next = BTreeSet::new();
        for key in keys {
            let position = game.position_from_key(key).unwrap();
            next.extend(game.moves(&position).map(|mv| game.key(&game.play(&position, mv))));
        }
        keys = next;
    }
    assert_eq!(counts, EXPECTED);
}
