//! The plain solutions and the judges give the same answers.

use balpan::Watch;
use balpan_bench::{cases, plain_blockgame, plain_platforms};
use balpan_contest::{BlockGame, Platforms, answer_all};

#[test]
fn blockgame() {
    let input = cases::blockgame(2_000);
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    answer_all(&BlockGame, input.as_bytes(), &mut ours, &Watch::default()).expect("sound input");
    plain_blockgame::judge(input.as_bytes(), &mut plain).expect("output to memory");
    assert!(ours == plain, "the answers differ");
}

#[test]
fn platforms() {
    let input = cases::platforms(200);
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    answer_all(&Platforms, input.as_bytes(), &mut ours, &Watch::default()).expect("sound input");
    plain_platforms::judge(input.as_bytes(), &mut plain).expect("output to memory");
    assert!(ours == plain, "the answers differ");
}
