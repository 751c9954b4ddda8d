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

/// Whether the maker makes a line, before the breaker does if that is a race, by trying all play.
fn really(windows: &[u64], fight: Fight, makers_turn: bool) -> bool {
    let has_line = |marks: u64| windows.iter().any(|window| window & !marks == 0);
    if has_line(fight.maker) {
        return true;
    }
    if fight.is_race && has_line(fight.breaker) || !has_line(fight.maker | fight.free) {
        return false;
    }
    let mut cells = Cells(fight.free);
    let makes = |cell| really(windows, fight.after(makers_turn, bit(cell)), !makers_turn);
    if makers_turn { cells.any(makes) } else { cells.all(makes) }
}

#[test]
fn proofs_hold_in_their_zones_whoever_has_the_rest() {
    let mut random = balpan::SplitMix(7);
    let mut made = [0; 4];
    for (rows, cols, k) in [(3, 3, 3), (2, 5, 2), (3, 4, 3), (4, 4, 3), (4, 4, 4), (3, 6, 4), (3, 5, 3)] {
        let game = game(rows, cols, k);
        let windows = game.rows.windows();
        for _ in 0..120 {
            let mut breaking = breaking(&game, 0, 1);
            let (mut maker, mut breaker) = (0, 0);
            for cell in 0..rows * cols {
                match random.below(if rows * cols > 12 { 3 } else { 5 }) {
                    0 => maker |= bit(cell),
                    1 => breaker |= bit(cell),
                    _ => {}
                }
            }
            if game.rows.has_line(maker) || game.rows.has_line(breaker) {
                continue;
            }
            let race = breaking.race(maker, breaker);
            for fight in [Fight { breaker: 0, is_race: false, ..race }, race] {
                for makers_turn in [false, true] {
                    let what = format!("{rows}x{cols} {k}: {fight:x?} {makers_turn}");
                    let proof = breaking.proof_within(fight, makers_turn, u64::MAX).unwrap().unwrap();
                    assert_eq!(proof.makes, really(windows, fight, makers_turn), "{what}");
                    assert_eq!(proof.zone & !fight.free, 0, "{what}");
                    let in_zone = left_to_the_loser(fight, proof);
                    assert_eq!(proof.makes, really(windows, in_zone, makers_turn), "{what}, in {:x}", proof.zone);
                    made[usize::from(proof.makes) + 2 * usize::from(fight.is_race)] += 1;
                }
            }
        }
    }
    assert!(made.iter().all(|&times| times > 200), "{made:?}");
}

/// The fight where who does not get his way has all cells outside the zone.
fn left_to_the_loser(fight: Fight, Proof { makes, zone }: Proof) -> Fight {
    let (rest, free) = (fight.free & !zone, zone);
    match (makes, fight.is_race) {
        (false, _) => Fight { maker: fight.maker | rest, free, ..fight },
        (true, true) => Fight { breaker: fight.breaker | rest, free, ..fight },
        (true, false) => Fight { free, ..fight },
    }
}

#[test]
fn threads_and_memory_change_no_answer() {
    // Drawn five in a row; and four in a row, which can be made on 4×8 if the other only prevents it.
    for (rows, cols, k, can_make, makes) in [
        (6, 6, 5, false, false),
        (7, 7, 5, false, false),
        (4, 7, 4, false, false),
        (4, 8, 4, true, false),
        (5, 6, 4, true, true),
        (8, 8, 4, true, true),
    ] {
        let game = game(rows, cols, k);
        for (memory, threads) in [(0, 1), (1 << 24, 1), (1 << 24, 2)] {
            let mut breaking = breaking(&game, memory, threads);
            // With the smallest table, the race on 4×8 takes long.
            if (rows, cols, memory) != (4, 8, 0) {
                assert_eq!(breaking.makes(0, 0, true), Ok(makes), "{rows}x{cols} {k}");
            }
            let fight = Fight { free: game.all, ..Fight::default() };
            let proof = breaking.proof_within(fight, true, u64::MAX).unwrap().unwrap();
            assert_eq!(proof.makes, can_make, "{rows}x{cols} {k}");
        }
    }
}

#[test]
fn a_glance_tells_what_was_settled() {
    let game = game(4, 8, 4);
    let mut breaking = breaking(&game, 1 << 24, 1);
    let start = game.start;
    assert_eq!(breaking.known_bounds(&start), Bounds::ANY);
    assert_eq!(breaking.settle(&start, Value::DRAW), Ok(Some(Value::DRAW)));
    assert_eq!(breaking.known_bounds(&start).upper, Value::DRAW);
    // X to move completes a line; O to move has two of them to prevent.
    let four = game.position(0b111, 0, false);
    assert_eq!(breaking.known_bounds(&four).lower, Value::win(29));
    let two = game.position(0b1110, 0, true);
    assert_eq!(breaking.known_bounds(&two).upper, Value::loss(28));
    assert_eq!(breaking.settle(&two, Value::BELOW_DRAW), Ok(Some(Value::loss(28))));
}

#[test]
fn a_search_stops_when_it_is_told_to() {
    let game = game(8, 8, 5);
    let watch = Watch::with_limit(10_000);
    let mut breaking = Breaking::of(&game, Budget { memory: 1 << 20, threads: 2 }, &watch).unwrap();
    assert_eq!(breaking.makes(0, 0, true), Err(Stopped::Interrupted));
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
