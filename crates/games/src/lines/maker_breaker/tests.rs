use super::*;
use crate::board::{Board, Cells, bit};
use crate::lines::{Marks, Rules};

fn game(rows: usize, cols: usize, k: u8) -> Arc<Lines> {
    let rules = Rules { k, gravity: false, marks: Marks::Own, overlines: true, misere: false };
    Arc::new(Lines::new(rules, Board::new(rows, cols).unwrap()).unwrap())
}

fn solver(game: &Arc<Lines>, memory: usize, threads: usize) -> MakerBreakerSolver {
    MakerBreakerSolver::new(game, Budget { memory, threads }, &Watch::default()).unwrap()
}

/// Whether the maker makes a line, in a race before the breaker does, by exhaustive search.
fn really(windows: &[u64], state: BoardState, makers_turn: bool) -> bool {
    let has_line = |marks: u64| windows.iter().any(|window| window & !marks == 0);
    if has_line(state.maker) {
        return true;
    }
    if state.is_race && has_line(state.breaker) || !has_line(state.maker | state.free) {
        return false;
    }
    let mut cells = Cells(state.free);
    let makes = |cell| really(windows, state.after(makers_turn, bit(cell)), !makers_turn);
    if makers_turn { cells.any(makes) } else { cells.all(makes) }
}

#[test]
fn proofs_hold_in_their_zones() {
    let mut random = balpan::SplitMix(7);
    let mut made = [0; 4];
    for (rows, cols, k) in [(3, 3, 3), (2, 5, 2), (3, 4, 3), (4, 4, 3), (4, 4, 4), (3, 6, 4), (3, 5, 3)] {
        let game = game(rows, cols, k);
        let windows = game.rows.windows();
        for _ in 0..120 {
            let mut solver = solver(&game, 0, 1);
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
            let race = solver.race(maker, breaker);
            for state in [BoardState { breaker: 0, is_race: false, ..race }, race] {
                for makers_turn in [false, true] {
                    let what = format!("{rows}x{cols} {k}: {state:x?} {makers_turn}");
                    let proof = solver.proof_within(state, makers_turn, u64::MAX).unwrap().unwrap();
                    assert_eq!(proof.makes, really(windows, state, makers_turn), "{what}");
                    assert_eq!(proof.zone & !state.free, 0, "{what}");
                    let in_zone = left_to_the_loser(state, proof);
                    assert_eq!(proof.makes, really(windows, in_zone, makers_turn), "{what}, in {:x}", proof.zone);
                    made[usize::from(proof.makes) + 2 * usize::from(state.is_race)] += 1;
                }
            }
        }
    }
    assert!(made.iter().all(|&times| times > 200), "{made:?}");
}

/// The position in which the loser has all cells outside the zone.
fn left_to_the_loser(state: BoardState, Proof { makes, zone }: Proof) -> BoardState {
    let (rest, free) = (state.free & !zone, zone);
    match (makes, state.is_race) {
        (false, _) => BoardState { maker: state.maker | rest, free, ..state },
        (true, true) => BoardState { breaker: state.breaker | rest, free, ..state },
        (true, false) => BoardState { free, ..state },
    }
}

#[test]
fn threads_and_memory_change_no_result() {
    // Drawn five in a row; and four in a row, which can be made on 4×8 if the opponent only prevents it.
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
            let mut solver = solver(&game, memory, threads);
            // With the smallest table, the race on 4×8 takes long.
            if (rows, cols, memory) != (4, 8, 0) {
                assert_eq!(solver.makes(0, 0, true), Ok(makes), "{rows}x{cols} {k}");
            }
            let state = BoardState { free: game.all, ..BoardState::default() };
            let proof = solver.proof_within(state, true, u64::MAX).unwrap().unwrap();
            assert_eq!(proof.makes, can_make, "{rows}x{cols} {k}");
        }
    }
}

#[test]
fn known_bounds_give_what_was_settled() {
    let game = game(4, 8, 4);
    let mut solver = solver(&game, 1 << 24, 1);
    let start = game.start;
    assert_eq!(solver.known_bounds(&start), Bounds::ANY);
    assert_eq!(solver.settle(&start, Value::DRAW), Ok(Some(Value::DRAW)));
    assert_eq!(solver.known_bounds(&start).upper, Value::DRAW);
    // X to move completes a line; O to move has two of them to prevent.
    let four = game.position(0b111, 0, false);
    assert_eq!(solver.known_bounds(&four).lower, Value::win(29));
    let two = game.position(0b1110, 0, true);
    assert_eq!(solver.known_bounds(&two).upper, Value::loss(28));
    assert_eq!(solver.settle(&two, Value::BELOW_DRAW), Ok(Some(Value::loss(28))));
}

#[test]
fn a_search_stops_at_its_limit() {
    let game = game(8, 8, 5);
    let watch = Watch::with_limit(10_000);
    let mut solver = MakerBreakerSolver::new(&game, Budget { memory: 1 << 20, threads: 2 }, &watch).unwrap();
    assert_eq!(solver.makes(0, 0, true), Err(Stopped::Interrupted));
    assert!(solver.positions < 100_000);
}

#[test]
fn results_of_long_searches_hold_for_subpositions() {
    let game = game(7, 7, 5);
    let mut solver = solver(&game, 1 << 20, 1);
    assert_eq!(solver.makes(0, 0, true), Ok(false));
    let positions = solver.positions;
    assert!(positions >= FIRST_POSITION_LIMIT);
    for (breaker, makers_turn) in [(bit(3), true), (0, false)] {
        assert_eq!(solver.makes(0, breaker, makers_turn), Ok(false));
    }
    assert_eq!(solver.positions, positions);
    assert_eq!(solver.makes(0b1111, 0, true), Ok(true));
}
