//! Connect Four on 6×7: six sets of 1,000 positions with published scores.

use balpan::{Outcome, Value};

/// Name and lines, from the end of the game to its beginning.
pub const SETS: [(&str, &str); 6] = [
    ("L3_R1", include_str!("../../../crates/games/tests/data/connect4/Test_L3_R1")),
    ("L2_R1", include_str!("../../../crates/games/tests/data/connect4/Test_L2_R1")),
    ("L2_R2", include_str!("../../../crates/games/tests/data/connect4/Test_L2_R2")),
    ("L1_R1", include_str!("../../../crates/games/tests/data/connect4/Test_L1_R1")),
    ("L1_R2", include_str!("../../../crates/games/tests/data/connect4/Test_L1_R2")),
    ("L1_R3", include_str!("../../../crates/games/tests/data/connect4/Test_L1_R3")),
];

/// Columns played, and the exact score.
pub type Case = (&'static str, i32);

/// A set's positions.
///
/// # Panics
/// If the set is not as it was published.
#[must_use]
pub fn cases(set: &'static str) -> Vec<Case> {
    let case = |line: &'static str| {
        let (played, score) = line.split_once(' ').expect("two words");
        (played, score.trim().parse().expect("a score"))
    };
    set.lines().map(case).collect()
}

/// A value on the sets' scale: 0 for a draw, else how many of the winner's 21 stones
/// are left, the last one included.
#[must_use]
pub fn score(value: Value, placed: usize) -> i32 {
    let Some(plies) = value.remoteness() else { return 0 };
    let left = 22 - (placed as u32 + plies).div_ceil(2) as i32;
    if value.outcome() == Outcome::Win { left } else { -left }
}
