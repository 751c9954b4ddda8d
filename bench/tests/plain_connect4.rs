//! The plain search of Connect Four and balpan's give the same outcomes.

use balpan::{AlphaBeta, Game, Outcome, Solver, Watch};
use balpan_bench::plain_connect4::PlainConnect4;
use balpan_games::lines::Lines;
use balpan_games::presets::preset;

#[test]
fn small_boards() {
    for (rows, cols) in [(4, 1), (4, 4), (4, 5), (5, 4), (4, 6), (6, 4), (5, 5), (7, 4)] {
        let rules = preset("connect4").expect("a preset").expect("sound rules");
        let game = rules.with_board(&format!("{rows}x{cols}")).expect("a board").game().expect("a game");
        let game = game.downcast::<Lines>().expect("a game of lines");
        let watch = Watch::default();
        let ours = AlphaBeta::new(&game, 64 << 20, &watch).outcome(&game.start()).expect("nobody stops it");
        let plain = match PlainConnect4::new(rows, cols).outcome() {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        assert_eq!(plain, ours, "{rows}x{cols}");
    }
}
