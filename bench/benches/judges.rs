//! The judges against plain solutions, each over whole inputs in memory.

use balpan::Watch;
use balpan_bench::{cases, plain_blockgame, plain_platforms};
use balpan_games::judge;
use criterion::{Criterion, criterion_group, criterion_main};

fn answers(judge: &dyn Fn(&mut Vec<u8>)) -> Vec<u8> {
    let mut output = Vec::new();
    judge(&mut output);
    output
}

fn blockgame(criterion: &mut Criterion) {
    let input = cases::blockgame(10_000);
    let watch = Watch::default();
    let ours = |output: &mut Vec<u8>| judge::blockgame(input.as_bytes(), output, &watch).expect("sound input");
    let plain = |output: &mut Vec<u8>| plain_blockgame::judge(input.as_bytes(), output).expect("sound input");
    assert!(answers(&ours) == answers(&plain), "the answers differ");
    let mut group = criterion.benchmark_group("blockgame, 10,000 random boards");
    group.sample_size(20);
    group.bench_function("balpan", |bencher| bencher.iter(|| answers(&ours)));
    group.bench_function("plain memo", |bencher| bencher.iter(|| answers(&plain)));
    group.finish();
}

fn platforms(criterion: &mut Criterion) {
    let input = cases::platforms(1000);
    let watch = Watch::default();
    let ours = |output: &mut Vec<u8>| judge::platforms(input.as_bytes(), output, &watch).expect("sound input");
    let plain = |output: &mut Vec<u8>| plain_platforms::judge(input.as_bytes(), output).expect("sound input");
    assert!(answers(&ours) == answers(&plain), "the answers differ");
    let mut group = criterion.benchmark_group("platforms, 1,000 full 5x5 boards");
    group.sample_size(10);
    group.bench_function("balpan", |bencher| bencher.iter(|| answers(&ours)));
    group.bench_function("plain recursion", |bencher| bencher.iter(|| answers(&plain)));
    group.finish();
}

criterion_group!(benches, blockgame, platforms);
criterion_main!(benches);
