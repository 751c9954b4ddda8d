//! The plain search of walkers and balpan's give the same values.

use balpan::{AlphaBeta, Outcome, Solver, Watch};
use balpan_bench::plain_walkers::{KING, KNIGHT, ORTHOGONAL, PlainWalkers};
use balpan_games::Board;
use balpan_games::walkers::{Position, Rules, Steps, Walkers};

#[test]
fn all_pairs_of_starts_on_small_boards() {
    let steps = [(Steps::Orthogonal, &ORTHOGONAL[..]), (Steps::King, &KING), (Steps::Knight, &KNIGHT)];
    for (steps, leaps) in steps {
        for share in [true, false] {
            for (rows, cols) in [(1, 1), (1, 4), (2, 3), (3, 3), (3, 4), (4, 4)] {
                let board = Board::new(rows, cols).expect("a board");
                let game =
                    Walkers::new(Rules { steps: steps.clone(), share, torus: false }, board).expect("a small board");
                let mut plain = PlainWalkers::new(rows, cols, leaps, share);
                let watch = Watch::default();
                let mut solver = AlphaBeta::new(&game, 1 << 20, &watch);
                for mover in 0..board.cells() {
                    for other in (0..board.cells()).filter(|&other| share || other != mover) {
                        let (tiles, b_to_move) = (board.all(), false);
                        let start = Position { tiles, mover: mover as u8, other: other as u8, b_to_move };
                        let value = solver.value(&start).expect("nobody stops it");
                        let (wins, plies) = plain.solve(start.tiles, mover, other);
                        let ours = (value.outcome() == Outcome::Win, value.remoteness());
                        assert_eq!((wins, Some(plies)), ours, "{steps:?} {share} {rows}x{cols} {mover} {other}");
                    }
                }
            }
        }
    }
}

/// The node counts of published ratios: a change would make another baseline.
#[test]
fn from_corner_to_corner() {
    let mut platforms = PlainWalkers::new(7, 7, &ORTHOGONAL, true);
    assert_eq!((platforms.solve_from_corners(), platforms.nodes), ((true, 45), 26_504_079));
    let mut kings = PlainWalkers::new(5, 5, &KING, false);
    assert_eq!(kings.solve_from_corners(), (true, 23));
    let mut joust = PlainWalkers::new(6, 6, &KNIGHT, false);
    assert_eq!((joust.solve_from_corners(), joust.nodes), ((false, 34), 31_210_438));
}
