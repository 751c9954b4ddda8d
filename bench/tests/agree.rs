//! The plain solutions and the judges give the same answers.

use balpan::Watch;
use balpan_bench::{cases, plain_blockgame, plain_platforms};
use balpan_games::judge;

#[test]
fn blockgame() {
    let input = cases::blockgame(2_000);
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    judge::blockgame(input.as_bytes(), &mut ours, &Watch::default()).expect("sound input");
    plain_blockgame::judge(input.as_bytes(), &mut plain).expect("output to memory");
    assert!(ours == plain, "the answers differ");
}

#[test]
fn platforms() {
    let input = cases::platforms(200);
    let (mut ours, mut plain) = (Vec::new(), Vec::new());
    judge::platforms(input.as_bytes(), &mut ours, &Watch::default()).expect("sound input");
    plain_platforms::judge(input.as_bytes(), &mut plain).expect("output to memory");
    assert!(ours == plain, "the answers differ");
}
