//! Games of one's own: memoised minimax, an engine with the three required methods, and with further ones.

use std::sync::Arc;

use balpan::Goal;
use balpan_bench::own_games::{Clobber, Hex, Konane, Methods, NoGo, OwnGame, PawnGame, minimax, solve};
use criterion::{Criterion, criterion_group, criterion_main};

fn compare(criterion: &mut Criterion, name: &str, game: impl OwnGame, goals: &[Goal]) {
    let game = Arc::new(game);
    let rules = Methods::default();
    let keys = Methods { keys: true, ..rules };
    let layer = Methods { layer: true, ..keys };
    let variants = [
        ("the rules", rules),
        ("symmetry", Methods { canonical: true, ..rules }),
        ("keys", keys),
        ("keys, layer", layer),
        ("keys, layer, symmetry", Methods { canonical: true, ..layer }),
    ];
    for &goal in goals {
        let mut group = criterion.benchmark_group(format!("{name}, {goal:?}"));
        group.sample_size(10);
        group.bench_function("memoised minimax", |bencher| bencher.iter(|| minimax(&game, goal, false)));
        for (methods_name, methods) in variants {
            group.bench_function(methods_name, |bencher| bencher.iter(|| solve(&game, methods, goal)));
        }
        group.finish();
    }
}

fn own_games(criterion: &mut Criterion) {
    let both = [Goal::Winner, Goal::Value];
    compare(criterion, "Hex 4x4", Hex::default(), &[Goal::Winner]);
    compare(criterion, "Clobber 4x4", Clobber::default(), &both);
    compare(criterion, "NoGo 3x4", NoGo::default(), &both);
    compare(criterion, "Konane 4x4", Konane::default(), &both);
    compare(criterion, "Breakthrough 5x4", PawnGame::BREAKTHROUGH, &[Goal::Winner]);
    compare(criterion, "Hexapawn 5x5", PawnGame::HEXAPAWN, &both);
}

criterion_group!(benches, own_games);
criterion_main!(benches);
