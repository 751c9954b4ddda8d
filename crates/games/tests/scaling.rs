//! Many workers, simulated: they find the same as one, in no more time, and on larger boards in far less.

use balpan::{Answer, Budget, Engine, Goal, Method, Solver, SplitMix, Watch};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, Notation, Task};

use crate::naive::compare::part_of;

/// What is asked of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Asked {
    Value,
    Winner,
    /// The winner, by proof-number search.
    WinnerByProofs,
    Nimber,
}

/// What simulated workers find, the units of time that they take, and the positions that they search.
#[derive(Debug)]
struct Simulated {
    answer: String,
    makespan: u64,
    positions: u64,
}

fn simulate<G: Notation>(game: &G, position: &G::Position, asked: Asked, workers: usize) -> Simulated {
    // Enough that nothing is forgotten.
    let watch = Watch::simulating();
    let mut engine = Engine::new(game.clone(), Budget { memory: 512 << 20, threads: workers });
    if asked == Asked::WinnerByProofs {
        engine = engine.with_method(Method::DfPn);
    }
    let mut ask = |ask| engine.solve(position, ask, &watch, |_: &Answer<G::Move>| {}).unwrap();
    let answer = match asked {
        Asked::Value => format!("{:?}", ask(Goal::Value).bounds),
        Asked::Winner | Asked::WinnerByProofs => format!("{:?}", ask(Goal::Winner).outcome()),
        Asked::Nimber if game.is_impartial() => engine.nimber(position, &watch).unwrap().to_string(),
        Asked::Nimber => engine.misere_value(position, &watch).unwrap().to_string(),
    };
    Simulated { answer, makespan: watch.makespan(), positions: engine.positions_searched() }
}

/// Asks about random positions of a game, by one worker and by several.
struct RandomPositions {
    asked: Asked,
    count: u32,
    /// The most moves from the start to a position.
    max_moves: usize,
}

impl Task for RandomPositions {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let mut random = SplitMix(49);
        let mut positions = 0;
        while positions < self.count {
            let mut position = game.start();
            for _ in 0..random.below(self.max_moves + 1) {
                let moves: Vec<_> = game.moves(&position).collect();
                if moves.is_empty() || game.is_over(&position) {
                    break;
                }
                position = game.play(&position, moves[random.below(moves.len())]);
            }
            if game.is_over(&position) {
                continue;
            }
            positions += 1;
            let one = simulate(game, &position, self.asked, 1);
            for workers in [2, 3, 8, 16, 64] {
                let many = simulate(game, &position, self.asked, workers);
                let text = game.text(&position);
                assert_eq!(many.answer, one.answer, "{text} by {workers}");
                assert!(
                    many.makespan * 10 <= one.makespan * 11,
                    "{text} by {workers}: {} units, {} by one",
                    many.makespan,
                    one.makespan
                );
            }
        }
    }
}

fn game(name: &str, changes: &[&str]) -> AnyGame {
    let changes: Vec<String> = changes.iter().map(ToString::to_string).collect();
    preset(name).unwrap().unwrap().with_changes(&changes).unwrap().game().unwrap()
}

fn test_random_positions(name: &str, changes: &[&str], asked: Asked, count: u32, max_moves: usize) {
    // Each is searched six times, by up to 64 simulated workers.
    let count = if part_of(100) == 100 { count } else { part_of(count).div_ceil(2) };
    game(name, changes).run(RandomPositions { asked, count, max_moves });
}

#[test]
fn walkers() {
    test_random_positions("platforms", &["board=7x8"], Asked::Value, 100, 10);
    test_random_positions("joust", &["board=5x6"], Asked::Value, 100, 6);
}

#[test]
fn placement() {
    test_random_positions("cram", &["board=4x7"], Asked::Nimber, 70, 4);
    test_random_positions("cram", &["board=4x6", "misere=true"], Asked::Nimber, 70, 3);
    test_random_positions("domineering", &["board=6x7"], Asked::Winner, 70, 4);
}

#[test]
fn lines() {
    test_random_positions("connect4", &["board=5x5"], Asked::Value, 100, 8);
    test_random_positions("tictactoe", &["board=4x6", "k=4"], Asked::Winner, 100, 6);
}

#[test]
fn heaps() {
    test_random_positions("kayles", &["start=14+15", "misere=true"], Asked::Nimber, 200, 2);
}

/// Asks about the start, by one worker and by several.
struct Start {
    asked: Asked,
    /// For a number of workers: the least speed-up, in tenths, and the most positions, in tenths of those of one worker.
    bounds: &'static [(usize, u64, u64)],
}

impl Task for Start {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let one = simulate(game, &game.start(), self.asked, 1);
        for &(workers, min_speed_up, max_positions) in self.bounds {
            let many = simulate(game, &game.start(), self.asked, workers);
            assert_eq!(many.answer, one.answer, "{workers} workers");
            assert!(one.makespan * 10 >= many.makespan * min_speed_up, "{workers} workers: {many:?}, one: {one:?}");
            assert!(many.positions * 10 <= one.positions * max_positions, "{workers} workers: {many:?}, one: {one:?}");
        }
    }
}

/// Without an order of their own for what they have deferred, sixteen workers followed each other: a speed-up of 2.3, and
/// 4.5 times the positions.
#[test]
fn platforms_scale() {
    let bounds = &[(2, 18, 11), (16, 60, 20), (64, 75, 55)];
    game("platforms", &["board=9x10"]).run(Start { asked: Asked::Value, bounds });
}

#[test]
fn larger_boards_scale() {
    game("domineering", &["board=8x8"]).run(Start { asked: Asked::Winner, bounds: &[(16, 80, 17)] });
    game("blockgame", &["board=5x7"]).run(Start { asked: Asked::Nimber, bounds: &[(16, 70, 20)] });
}

#[test]
#[ignore = "takes minutes"]
fn the_largest_boards_scale() {
    game("joust", &["board=6x7"]).run(Start { asked: Asked::Value, bounds: &[(2, 16, 12), (16, 70, 21)] });
    game("connect4", &["board=6x6"]).run(Start { asked: Asked::Winner, bounds: &[(16, 95, 16), (64, 200, 30)] });
    game("tictactoe", &["board=4x8", "k=4"]).run(Start { asked: Asked::Winner, bounds: &[(16, 85, 15)] });
    game("cram", &["board=3x18"]).run(Start { asked: Asked::Nimber, bounds: &[(16, 90, 15), (64, 140, 31)] });
    let by_proofs = &[(2, 18, 12), (16, 90, 16), (64, 180, 30)];
    game("tictactoe", &["board=4x7", "k=4"]).run(Start { asked: Asked::WinnerByProofs, bounds: by_proofs });
    game("blockgame", &["board=5x6", "misere=true"]).run(Start { asked: Asked::Nimber, bounds: &[(16, 80, 18)] });
}
