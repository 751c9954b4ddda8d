//! Parts of placement games: their nimbers add up to the position's.

use std::time::Instant;

use crate::board::Board;
use crate::game::report;
use crate::placement::{SHARED, load, words};

/// Returns the nimber of each set of filled cells.
fn nimbers(cells: usize, placements: &[u32]) -> Vec<u8> {
    let mut nimbers = vec![0; 1 << cells];
    for filled in (0..nimbers.len()).rev() {
        let moves = placements.iter().filter(|place| **place as usize & filled == 0);
        let options = moves.fold(0_u64, |options, place| options | 1 << nimbers[filled | *place as usize]);
        nimbers[filled] = options.trailing_ones() as u8;
    }
    nimbers
}

fn check_parts(boards: impl Iterator<Item = Board>, rules: &str) {
    let (start, mut count, mut sums) = (Instant::now(), 0, 0);
    for board in boards {
        let (checker, game) = load(board, &format!("{rules}; misere: no"), 0);
        let mut placements = game.placements(0);
        placements.sort_unstable();
        placements.dedup();
        let nimbers = nimbers(game.cells, &placements);
        for filled in 0..1_u32 << game.cells {
            let at = words(filled, false, 0);
            let (mut nimber, mut parts) = (0, 0);
            checker.for_each_odd_part(at, |part| {
                nimber ^= nimbers[part.0 as usize];
                parts += 1;
            });
            assert_eq!(nimber, nimbers[filled as usize], "{rules} {}", checker.write(at));
            count += 1;
            sums += u64::from(parts > 1);
            if board.cells() <= 12 {
                let mut free = 0;
                for part in checker.parts(at).unwrap() {
                    let cells = !part.0 & ((1 << game.cells) - 1);
                    assert!(cells & (free | at.0) == 0, "a part is not apart: {rules} {}", checker.write(at));
                    free |= cells;
                    let image = checker.canonical_part(part);
                    assert_eq!(nimbers[image.0 as usize], nimbers[part.0 as usize], "{rules} {}", checker.write(part));
                    assert_eq!(checker.layer(image), checker.layer(part), "{rules} {}", checker.write(part));
                }
            }
        }
    }
    report("parts", &format!("{count} positions, {sums} with several parts, {rules}"), start);
}

#[test]
fn parts() {
    SHARED.iter().for_each(|rules| check_parts(Board::all(1..=12), rules));
}

/// By the misère convention, with supplies, or with pieces of each player's own, nimbers do not add up.
#[test]
fn no_parts_where_nimbers_say_nothing() {
    let board = Board { rows: 2, cols: 3 };
    for rules in [
        "piece: ##; rotate: yes; reflect: no; misere: yes",
        "piece: ## x 2; piece: #; rotate: yes; reflect: no; misere: no",
        "left: ##; right: #/#; rotate: no; reflect: no; misere: no",
    ] {
        assert!(load(board, rules, 0).0.parts(words(0, false, 0)).is_none(), "{rules}");
    }
}

#[test]
#[ignore = "long"]
fn parts_of_dominoes_long() {
    check_parts(Board::all(13..=24), SHARED[0]);
}

#[test]
#[ignore = "long"]
fn parts_of_other_pieces_long() {
    SHARED[1..].iter().for_each(|rules| check_parts(Board::all(13..=20), rules));
}
