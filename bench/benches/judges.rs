//! The judges against plain solutions, over whole inputs in memory.

use balpan::Watch;
use balpan_bench::{cases, plain_blockgame, plain_platforms};
use balpan_contest::{BlockGame, Platforms, answer_all};
use criterion::{Criterion, criterion_group, criterion_main};

/// Times both programs after a check that their answers are equal.
fn compare(
    criterion: &mut Criterion,
    name: &str,
    plain_name: &str,
    ours: impl Fn(&mut Vec<u8>),
    plain: impl Fn(&mut Vec<u8>),
) {
    let answers = |judge: &dyn Fn(&mut Vec<u8>)| {
        let mut output = Vec::new();
        judge(&mut output);
        output
    };
    assert!(answers(&ours) == answers(&plain), "the answers differ");
    let mut group = criterion.benchmark_group(name);
    group.sample_size(20);
    group.bench_function("balpan", |bencher| bencher.iter(|| answers(&ours)));
    group.bench_function(plain_name, |bencher| bencher.iter(|| answers(&plain)));
    group.finish();
}

fn blockgame(criterion: &mut Criterion) {
    let input = cases::blockgame(10_000);
    let watch = Watch::default();
    compare(
        criterion,
        "blockgame, 10,000 random boards",
        "plain memo",
        |output: &mut Vec<u8>| answer_all(&BlockGame, input.as_bytes(), output, &watch).expect("sound input"),
        |output: &mut Vec<u8>| plain_blockgame::judge(input.as_bytes(), output).expect("sound input"),
    );
}

fn platforms(criterion: &mut Criterion) {
    let input = cases::platforms(1000);
    let watch = Watch::default();
    compare(
        criterion,
        "platforms, 1,000 full 5x5 boards",
        "plain recursion",
        |output: &mut Vec<u8>| answer_all(&Platforms, input.as_bytes(), output, &watch).expect("sound input"),
        |output: &mut Vec<u8>| plain_platforms::judge(input.as_bytes(), output).expect("sound input"),
    );
}

criterion_group!(benches, blockgame, platforms);
criterion_main!(benches);
