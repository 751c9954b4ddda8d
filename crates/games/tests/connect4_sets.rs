//! Connect Four on 6×7 against the exact scores of 1,000 positions.

use balpan::{AlphaBeta, Outcome, Solver, Watch};
use balpan_games::Notation;
use balpan_games::lines::Lines;
use balpan_games::presets::preset;

/// The scale of the sets: 0 for a draw, otherwise how many of the winner's 21 stones are
/// left, the last one included.
fn score(value: balpan::Value, placed: u32) -> i32 {
    let Some(plies) = value.remoteness() else { return 0 };
    let left = 22 - (placed + plies).div_ceil(2) as i32;
    if value.outcome() == Outcome::Win { left } else { -left }
}

/// Checks the first `count` positions of a set.
fn check(set: &str, count: usize) {
    let rules = preset("connect4").expect("a preset").expect("sound rules");
    let game = rules.game().expect("a game").downcast::<Lines>().unwrap();
    let watch = Watch::default();
    let mut solver = AlphaBeta::new(&game, 64 << 20, &watch);
    for line in set.lines().take(count) {
        let (played, expected) = line.split_once(' ').expect("two words");
        let position = game.parse(played).expect("a position");
        let value = solver.value(&position).expect("nobody stops it");
        assert_eq!(score(value, played.len() as u32).to_string(), expected.trim(), "{played}");
    }
    assert_eq!(set.lines().count(), 1000);
}

#[test]
fn the_end_of_the_game() {
    check(include_str!("data/connect4/Test_L3_R1"), 1000);
}

#[test]
fn the_middle_of_the_game() {
    check(include_str!("data/connect4/Test_L2_R1"), 1000);
    check(include_str!("data/connect4/Test_L2_R2"), 1000);
}

/// The hardest positions: as many as take seconds.
#[test]
fn the_beginning_of_the_game() {
    check(include_str!("data/connect4/Test_L1_R1"), 1000);
    check(include_str!("data/connect4/Test_L1_R2"), 40);
    check(include_str!("data/connect4/Test_L1_R3"), 3);
}
