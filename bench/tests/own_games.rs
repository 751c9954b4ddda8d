//! What an engine asks of a game of one's own, beside memoised minimax.

use std::sync::Arc;

use balpan::Goal;
use balpan_bench::own_games::{
    Clobber, Hex, Konane, Methods, NoGo, OwnGame, PawnGame, Solved, minimax, solve_and_count,
};

/// Checks a game with the three required methods, and with others: the answer is that of minimax, and moves are
/// generated once for each position, and played, canonicalised and looked up once for each child.
fn check(name: &str, game: impl OwnGame, goals: &[Goal]) {
    let game = Arc::new(game);
    for &goal in goals {
        let plain = minimax(&game, goal, true);
        let keys = Methods { keys: true, layer: true, ..Methods::default() };
        let mut rules = None;
        for methods in [Methods::default(), keys, Methods { canonical: true, ..keys }] {
            let Solved { verdict, positions, calls: [moves, play, is_over, canonical] } =
                solve_and_count(&game, methods, goal);
            let name = format!("{name}, {goal:?}, {methods:?}");
            assert_eq!(verdict, plain.verdict, "{name}");
            if plain.positions < 10_000 {
                continue;
            }
            // The root and the line take some calls more, and the table of keys, which begins small, restarts as it grows.
            let some = 1000;
            let at_most = |calls: u64| calls + calls / 50 + some;
            assert!(moves <= at_most(positions), "{name}: {moves} calls of moves for {positions} positions");
            // Only where play has ended.
            assert!(is_over <= positions, "{name}: {is_over} calls of is_over for {positions} positions");
            assert!(canonical <= at_most(play), "{name}: {canonical} calls of canonical for {play} children");
            assert!(moves <= at_most(plain.calls[0]), "{name}: {moves} calls of moves, minimax {}", plain.calls[0]);
            assert!(play <= at_most(plain.calls[1]), "{name}: {play} calls of play, minimax {}", plain.calls[1]);
            let rules = *rules.get_or_insert(positions);
            assert!(positions <= at_most(rules), "{name}: {positions} positions, by the rules alone {rules}");
        }
    }
}

#[test]
fn an_engine_asks_no_more_than_minimax() {
    let both = [Goal::Winner, Goal::Value];
    check("Hex", Hex::default(), &[Goal::Winner]);
    check("Clobber", Clobber::default(), &both);
    check("NoGo", NoGo::default(), &both);
    check("Konane", Konane::default(), &both);
    check("Hexapawn", PawnGame::HEXAPAWN, &both);
}
