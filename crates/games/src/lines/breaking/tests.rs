use super::*;
use crate::board::{Board, Cells, bit};
use crate::lines::{Marks, Rules};

fn game(rows: usize, cols: usize, k: u8) -> Arc<Lines> {
    let rules = Rules { k, gravity: false, marks: Marks::Own, overlines: true, misere: false };
    Arc::new(Lines::new(rules, Board::new(rows, cols).unwrap()).unwrap())
}

fn breaking(game: &Arc<Lines>, memory: usize, threads: usize) -> Breaking {
    Breaking::of(game, Budget { memory, threads }, &Watch::default()).unwrap()
}

/// Whether the maker makes a line, by trying all play.
fn really(windows: &[u64], maker: u64, free: u64, makers_turn: bool) -> bool {
    if windows.iter().any(|window| window & !maker == 0) {
        return true;
    }
    if !windows.iter().any(|window| window & !(maker | free) == 0) {
        return false;
    }
    let after = |cell| if makers_turn { maker | bit(cell) } else { maker };
    let mut cells = Cells(free);
    let made = |cell| really(windows, after(cell), free & !bit(cell), !makers_turn);
    if makers_turn { cells.any(made) } else { cells.all(made) }
}

#[test]
fn proofs_hold_in_their_zones_whoever_has_the_rest() {
    let mut random = balpan::SplitMix(7);
    let mut made = [0; 2];
    for (rows, cols, k) in [(3, 3, 3), (2, 5, 2), (3, 4, 3), (4, 4, 3), (4, 4, 4), (3, 6, 4)] {
        let game = game(rows, cols, k);
        let windows = game.rows.windows();
        for _ in 0..60 {
            let mut breaking = breaking(&game, 0, 1);
            let (mut maker, mut breaker) = (0, 0);
            for cell in 0..rows * cols {
                match random.below(if rows * cols > 12 { 3 } else { 5 }) {
                    0 => maker |= bit(cell),
                    1 => breaker |= bit(cell),
                    _ => {}
                }
            }
            if game.rows.has_line(maker) {
                continue;
            }
            let free = game.all & !(maker | breaker);
            for makers_turn in [false, true] {
                let what = format!("{rows}x{cols} {k}: {maker:x} {breaker:x} {makers_turn}");
                let Proof { makes, zone } = breaking.proof(Fight { maker, free }, makers_turn).unwrap();
                assert_eq!(makes, really(windows, maker, free, makers_turn), "{what}");
                assert_eq!(zone & !free, 0, "{what}");
                let makers = if makes { maker } else { maker | free & !zone };
                assert_eq!(makes, really(windows, makers, zone, makers_turn), "{what}, in {zone:x}");
                made[usize::from(makes)] += 1;
            }
        }
    }
    assert!(made.iter().all(|&times| times > 100), "{made:?}");
}

#[test]
fn threads_and_memory_change_no_answer() {
    // Drawn five in a row, and the boards on which the maker makes four first.
    for (rows, cols, k, makes) in
        [(6, 6, 5, false), (7, 7, 5, false), (4, 7, 4, false), (4, 8, 4, true), (5, 6, 4, true)]
    {
        let game = game(rows, cols, k);
        for (memory, threads) in [(0, 1), (1 << 24, 1), (1 << 24, 2)] {
            let mut breaking = breaking(&game, memory, threads);
            assert_eq!(breaking.makes(0, 0, true), Ok(makes), "{rows}x{cols} {k}");
        }
    }
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let game = game(8, 8, 5);
    let watch = Watch::limited(10_000);
    let mut breaking = Breaking::of(&game, Budget { memory: 1 << 20, threads: 2 }, &watch).unwrap();
    assert_eq!(breaking.makes(0, 0, true), Err(Stopped));
    assert!(breaking.positions < 100_000);
}

#[test]
fn what_a_long_search_has_shown_is_used_of_less() {
    let game = game(7, 7, 5);
    let mut breaking = breaking(&game, 1 << 20, 1);
    assert_eq!(breaking.makes(0, 0, true), Ok(false));
    let positions = breaking.positions;
    assert!(positions >= LONG);
    for (breaker, makers_turn) in [(bit(3), true), (0, false)] {
        assert_eq!(breaking.makes(0, breaker, makers_turn), Ok(false));
    }
    assert_eq!(breaking.positions, positions);
    assert_eq!(breaking.makes(0b1111, 0, true), Ok(true));
}
