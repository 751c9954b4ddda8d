//! Games that break their promises: every solver ends with an answer or with an error.

use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::thread;
use std::time::Duration;

use balpan::laws::{BrokenLaw, check};
use balpan::reach::{Count, ReachError, count_games, nimbers, values};
use balpan::tree::{self, TreeError};
use balpan::{
    AlphaBeta, Bounds, BrokenPromise, Budget, DfPn, Engine, EngineError, Game, Goal, MAX_PLIES, Method, Minimax,
    Misere, Nimbers, Outcome, Solver, SplitMix, Stopped, Tame, TooLong, Value, Watch, estimate, minimax,
};
use proptest::prelude::*;

/// A heap from which one or two are taken. Whoever cannot move wins, but the game claims to be impartial.
struct WonHeap;

impl Game for WonHeap {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        3
    }

    fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> {
        1..=heap.min(2)
    }

    fn play(&self, heap: &u32, taken: u32) -> u32 {
        heap - taken
    }

    fn end(&self, _heap: &u32) -> Outcome {
        Outcome::Win
    }

    fn is_impartial(&self) -> bool {
        true
    }
}

#[test]
fn an_impartial_game_that_ends_in_a_win_is_refused() {
    let watch = Watch::with_limit(1_000_000);
    let engine = |method| Engine::new(WonHeap, Budget::default()).with_method(method);
    for goal in [Goal::Winner, Goal::MoveOutcomes, Goal::Value, Goal::MoveValues] {
        for method in [Method::Auto, Method::Nimber] {
            let answer = engine(method).solve(&3, goal, &watch, |_| {});
            assert_eq!(answer, Err(EngineError::Broken(BrokenPromise::ImpartialEnd)), "{goal:?}");
        }
        let answer = engine(Method::AlphaBeta).solve(&3, goal, &watch, |_| {});
        assert_eq!(answer.expect("alpha-beta asks for no nimbers").outcome(), Some(Outcome::Win), "{goal:?}");
    }
    assert_eq!(engine(Method::Auto).nimber(&3, &watch), Err(EngineError::Broken(BrokenPromise::ImpartialEnd)));
}

/// A countdown of plies from at most 200,000, or an endless one.
#[derive(Clone, Copy)]
struct Countdown {
    plies: u32,
    repeats: bool,
    is_misere: bool,
}

impl Game for Countdown {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.plies
    }

    fn moves(&self, &left: &u32) -> impl Iterator<Item = u32> {
        0..u32::from(self.repeats || left > 0)
    }

    fn play(&self, &left: &u32, _mv: u32) -> u32 {
        if left == 0 { 2 } else { left - 1 }
    }

    fn end(&self, _left: &u32) -> Outcome {
        if self.is_misere { Outcome::Win } else { Outcome::Loss }
    }

    fn is_impartial(&self) -> bool {
        !self.is_misere
    }

    fn is_impartial_misere(&self) -> bool {
        self.is_misere
    }
}

/// Returns the result of every solver and every walk over positions.
fn results(game: Countdown, threads: usize) -> Vec<(&'static str, Result<Outcome, Stopped>)> {
    let (watch, start) = (Watch::default(), game.start());
    let normal = Countdown { is_misere: false, ..game };
    let is_lost = |lost: Result<bool, Stopped>| lost.map(|lost| if lost { Outcome::Loss } else { Outcome::Win });
    let reached = |result: Result<Outcome, ReachError>| match result {
        Err(ReachError::Stopped(stopped)) => Err(stopped),
        result => Ok(result.expect("there is memory")),
    };
    let of_nimber = |nimber: u32| if nimber == 0 { Outcome::Loss } else { Outcome::Win };
    let mut results = vec![
        ("minimax", minimax(&game, &start).map(Value::outcome)),
        ("Minimax", Minimax::new(&game, &watch).outcome(&start)),
        (
            "AlphaBeta",
            AlphaBeta::new(&game, 1 << 20, &watch).with_threads(threads).with_parallel_threshold(1).outcome(&start),
        ),
        ("DfPn", DfPn::new(&game, 1 << 20, &watch).with_threads(threads).with_parallel_threshold(1).outcome(&start)),
        ("reach", reached(values(&game, &start, Count::Positions, 1 << 30, &watch).map(|of| of[&start].outcome()))),
        (
            "reach by nimbers",
            reached(nimbers(&game, &start, Count::Classes, 1 << 30, &watch).map(|of| of_nimber(of[&start]))),
        ),
        (
            "estimate",
            estimate(&game, &start, 1, &watch, |_, _| None).map(|_| minimax(&game, &start).unwrap().outcome()),
        ),
        (
            "reach for games",
            reached(
                count_games(&game, &start, 1 << 30, &watch)
                    .map(|of| if of.expect("there is one").wins > 0 { Outcome::Win } else { Outcome::Loss }),
            ),
        ),
    ];
    if game.is_misere {
        let mut solver = Misere::new(&game, 1 << 20, &watch).unwrap().with_threads(threads).with_parallel_threshold(1);
        results.push(("Misere", is_lost(solver.is_lost(&start, 0))));
    } else {
        let mut solver =
            Nimbers::new(&normal, 1 << 20, &watch).unwrap().with_threads(threads).with_parallel_threshold(1);
        results.push(("Nimbers", is_lost(solver.is_lost(&start))));
    }
    for method in [Method::Auto, Method::Minimax, Method::AlphaBeta, Method::DfPn] {
        for goal in [Goal::Winner, Goal::MoveValues] {
            let budget = Budget { threads, ..Budget::default() };
            let answer = Engine::new(game, budget).with_method(method).solve(&start, goal, &watch, |_| {});
            let answer = match answer {
                Ok(answer) => Ok(answer.outcome().expect("nobody stops it")),
                Err(EngineError::TooLong(too_long)) => Err(Stopped::TooLong(too_long)),
                Err(none) => panic!("{none}"),
            };
            results.push(("Engine", answer));
        }
        results.push(("Engine as a solver", Engine::new(game, Budget::default()).with_method(method).outcome(&start)));
    }
    results
}

#[test]
fn every_solver_reports_play_that_repeats() {
    for is_misere in [false, true] {
        for threads in [1, 3] {
            let game = Countdown { plies: 5, repeats: true, is_misere };
            for (name, result) in results(game, threads) {
                // 5 4 3 2 1 0 2: the position after three plies repeats.
                let moves = [0; 6].as_slice().into();
                assert_eq!(result, Err(Stopped::TooLong(TooLong { plies: 6, moves, repeats: Some(3) })), "{name}");
            }
            let found = check(&game, 10, 1);
            assert_eq!(found, Err(BrokenLaw::Repeats { position: 2, before: 3, plies: 6 }));
        }
    }
    let message = minimax(&Countdown { plies: 1, repeats: true, is_misere: false }, &1).unwrap_err().to_string();
    assert_eq!(
        message,
        "play repeats: the position after 0 plies comes again after 3 (moves 0 0 0, numbered from 0 as `moves` returns them); \
         a search goes at most 10000 plies deep"
    );
}

#[test]
fn every_solver_searches_play_to_its_end_or_refuses_it() {
    for is_misere in [false, true] {
        for threads in [1, 3] {
            let game = |plies| Countdown { plies, repeats: false, is_misere };
            for (name, result) in results(game(9_000), threads) {
                assert_eq!(result, Ok(if is_misere { Outcome::Win } else { Outcome::Loss }), "{name}");
            }
            // Alpha-beta follows forced moves for some more plies.
            for plies in [MAX_PLIES + 20, 24_000, 200_000] {
                for (name, result) in results(game(plies), threads) {
                    let moves = vec![0; MAX_PLIES as usize + 1].into();
                    let too_long = TooLong { plies: MAX_PLIES + 1, moves, repeats: None };
                    assert_eq!(result, Err(Stopped::TooLong(too_long)), "{name}");
                }
            }
            assert_eq!(check(&game(9_000), 100, 1), Ok(()));
            let position = 12_000 - MAX_PLIES - 1;
            assert_eq!(
                check(&game(12_000), 100, 1),
                Err(BrokenLaw::Endless { position, plies: MAX_PLIES as usize + 1 })
            );
        }
    }
}

#[test]
fn trees_are_as_deep_as_searches_go() {
    let watch = Watch::default();
    for (plies, is_grown) in [(9_000, true), (200_000, false)] {
        let game = Countdown { plies, repeats: false, is_misere: false };
        let grown = tree::grow(&game, &plies, usize::MAX, 1_000_000, &mut Minimax::new(&game, &watch));
        assert_eq!(grown.as_ref().map(|tree| tree::search(tree).value()).ok(), is_grown.then(|| Value::loss(9_000)));
        assert!(is_grown || matches!(grown, Err(TreeError::Stopped(Stopped::TooLong(_)))));
    }
}

/// A game of 9,000 plies with positions of 4 KiB.
struct Large;

impl Game for Large {
    type Position = [u32; 1024];
    type Move = u32;

    fn start(&self) -> Self::Position {
        let mut position = [0; 1024];
        position[0] = 9_000;
        position
    }

    fn moves(&self, position: &Self::Position) -> impl Iterator<Item = u32> {
        1..=position[0].min(1)
    }

    fn play(&self, position: &Self::Position, taken: u32) -> Self::Position {
        let mut position = *position;
        position[0] -= taken;
        position
    }
}

#[test]
fn large_positions_fit_the_stack() {
    let (game, watch) = (Large, Watch::default());
    let start = game.start();
    assert_eq!(minimax(&game, &start), Ok(Value::loss(9_000)));
    assert_eq!(DfPn::new(&game, 1 << 20, &watch).outcome(&start), Ok(Outcome::Loss));
    assert_eq!(AlphaBeta::new(&game, 1 << 20, &watch).with_threads(2).value(&start), Ok(Value::loss(9_000)));
}

/// The promise that a game breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Lie {
    Impartial,
    ImpartialMisere,
    End,
    Repeats,
    LayerTooLow,
    LayerRises,
    Key,
    LongKey,
    PositionOf,
    Bounds,
    Settle,
    NoCandidates,
    OtherCandidates,
    Canonical,
    Split,
    Nimber,
    Tame,
    Mobility,
    Moves,
}

const LIES: [Lie; 19] = [
    Lie::Impartial,
    Lie::ImpartialMisere,
    Lie::End,
    Lie::Repeats,
    Lie::LayerTooLow,
    Lie::LayerRises,
    Lie::Key,
    Lie::LongKey,
    Lie::PositionOf,
    Lie::Bounds,
    Lie::Settle,
    Lie::NoCandidates,
    Lie::OtherCandidates,
    Lie::Canonical,
    Lie::Split,
    Lie::Nimber,
    Lie::Tame,
    Lie::Mobility,
    Lie::Moves,
];

/// A random graph, with one promise broken at some positions. Moves lead to higher numbers.
#[derive(Debug)]
struct Liar {
    lie: Lie,
    seed: u64,
    /// The number of calls, for lies that change with each call.
    calls: AtomicU32,
}

/// The number of positions.
const POSITIONS: u32 = 60;

impl Liar {
    /// Returns a random number below `below`, the same for the same position.
    fn random(&self, position: u32, what: u64, below: usize) -> u32 {
        SplitMix(self.seed ^ u64::from(position) << 32 ^ what << 16).below(below) as u32
    }

    fn lies(&self, lie: Lie, position: u32) -> bool {
        self.lie == lie && self.random(position, 1, 3) == 0
    }

    fn is_misere(&self) -> bool {
        matches!(self.lie, Lie::ImpartialMisere | Lie::Tame) || self.lie == Lie::Split && self.seed.is_multiple_of(2)
    }

    fn value(&self, position: u32, what: u64) -> Value {
        let plies = self.random(position, what, 9) + 1;
        [Value::win(plies), Value::DRAW, Value::loss(plies)][self.random(position, what + 1, 3) as usize]
    }
}

impl Game for Liar {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn moves(&self, &position: &u32) -> impl Iterator<Item = u32> {
        let mut moves: Vec<u32> = (1..=self.random(position, 2, 4)).collect();
        if self.lie == Lie::Moves {
            let kept = SplitMix(self.calls.fetch_add(1, Relaxed).into()).below(moves.len() + 1);
            moves.truncate(kept);
        }
        moves.retain(|mv| position + mv < POSITIONS);
        moves.into_iter()
    }

    fn play(&self, &position: &u32, mv: u32) -> u32 {
        if self.lies(Lie::Repeats, position) { position / 2 } else { position + mv }
    }

    fn end(&self, &position: &u32) -> Outcome {
        let changing = if self.lie == Lie::End { self.calls.fetch_add(1, Relaxed) } else { 0 };
        let usual = if self.is_misere() { Outcome::Win } else { Outcome::Loss };
        match self.lie {
            Lie::Split | Lie::Nimber | Lie::Tame | Lie::Mobility => usual,
            _ => [usual, Outcome::Draw, Outcome::Win][self.random(position + changing, 3, 3) as usize],
        }
    }

    fn canonical(&self, &position: &u32) -> u32 {
        if self.lies(Lie::Canonical, position) { self.random(position, 4, POSITIONS as usize) } else { position }
    }

    fn key_bits(&self) -> u32 {
        if self.lie == Lie::LongKey { 3 } else { 8 }
    }

    fn key(&self, &position: &u32) -> u128 {
        if self.lie == Lie::Key { (position / 4).into() } else { position.into() }
    }

    fn position_from_key(&self, key: u128) -> Option<u32> {
        let position = key as u32;
        Some(if self.lies(Lie::PositionOf, position) { position / 2 } else { position })
    }

    fn layer(&self, &position: &u32) -> Option<u32> {
        match self.lie {
            Lie::LayerTooLow => Some((POSITIONS - position) / 16),
            Lie::LayerRises => Some(position),
            Lie::Repeats if self.seed.is_multiple_of(2) => Some(POSITIONS - position),
            Lie::Repeats | Lie::Canonical => None,
            _ => Some(POSITIONS - position),
        }
    }

    fn bounds(&self, &position: &u32, _threshold: Value) -> Bounds {
        if self.lies(Lie::Bounds, position) {
            Bounds { lower: self.value(position, 5), upper: self.value(position, 7) }
        } else {
            Bounds::ANY
        }
    }

    fn settle(&self, &position: &u32, _threshold: Value) -> Option<Value> {
        self.lies(Lie::Settle, position).then(|| self.value(position, 9))
    }

    fn candidates(&self, position: &u32) -> impl Iterator<Item = u32> {
        let mut moves: Vec<u32> = self.moves(position).collect();
        if self.lies(Lie::NoCandidates, *position) {
            moves.clear();
        } else if self.lies(Lie::OtherCandidates, *position) {
            moves = vec![1; 70];
        }
        moves.into_iter()
    }

    fn is_impartial(&self) -> bool {
        matches!(self.lie, Lie::Impartial | Lie::Split | Lie::Nimber | Lie::Mobility) && !self.is_misere()
    }

    fn is_impartial_misere(&self) -> bool {
        self.is_misere()
    }

    fn split(&self, position: &u32, parts: &mut Vec<u32>) {
        parts.push(*position);
        if self.lies(Lie::Split, *position) {
            parts.extend([position / 2, self.random(*position, 11, POSITIONS as usize)]);
        }
    }

    fn mobility(&self, position: &u32) -> usize {
        if self.lies(Lie::Mobility, *position) {
            [0, 1, 40, usize::MAX][self.random(*position, 12, 4) as usize]
        } else {
            self.moves(position).count()
        }
    }

    fn nimber(&self, position: &u32) -> Option<u32> {
        self.lies(Lie::Nimber, *position).then(|| [1, 5, 200, u32::MAX][self.random(*position, 13, 4) as usize])
    }

    fn tame(&self, position: &u32) -> Option<Tame> {
        self.lies(Lie::Tame, *position)
            .then(|| Tame::heap([1, 5, 200, u32::MAX][self.random(*position, 14, 4) as usize]))
    }
}

/// The longest time that calls about a small game may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// Runs `work` on another thread, and fails if it does not end.
fn within_patience<T: Send + 'static>(what: impl Debug, work: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = channel();
    thread::spawn(move || sender.send(work()));
    receiver.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{what:?} does not end, or panics"))
}

/// Calls everything with a game. Returns the outcomes that were found.
fn ask_everything(lie: Lie, seed: u64) -> Vec<Outcome> {
    let game = Arc::new(Liar { lie, seed, calls: AtomicU32::new(0) });
    let watch = Watch::with_limit(1_000_000);
    let mut outcomes = Vec::new();
    for method in [Method::Auto, Method::Minimax, Method::AlphaBeta, Method::DfPn, Method::Nimber] {
        for threads in [1, 2] {
            let budget = Budget { memory: 1 << 20, threads };
            let mut engine: Engine<Liar> = Engine::new(Arc::clone(&game), budget).with_method(method);
            for goal in [Goal::Winner, Goal::MoveOutcomes, Goal::Value, Goal::MoveValues] {
                let answer = engine.solve(&0, goal, &watch, |_| {});
                outcomes.extend(answer.ok().and_then(|answer| answer.outcome()));
            }
            for position in [1, 7] {
                let _ = (engine.value(&position), engine.outcome(&position), engine.outcome_bounds(&position));
            }
            let _ = (engine.nimber(&0, &watch), engine.misere_value(&0, &watch));
        }
    }
    let _ = (values(&*game, &0, Count::Classes, 1 << 20, &watch), count_games(&*game, &0, 1 << 20, &watch));
    let _ = estimate(&*game, &0, seed, &watch, |_, _| None);
    let _ = check(&*game, 5, seed);
    outcomes
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    /// With any broken promise, there is an answer or an error in short time.
    #[test]
    fn nothing_hangs_or_panics(lie in prop::sample::select(&LIES[..]), seed in any::<u64>()) {
        within_patience((lie, seed), move || ask_everything(lie, seed));
    }

    /// A broken promise that solvers check causes no wrong answer.
    #[test]
    fn what_is_checked_is_not_answered_wrongly(
        lie in prop::sample::select(&[Lie::Impartial, Lie::ImpartialMisere, Lie::Repeats, Lie::LayerTooLow][..]),
        seed in any::<u64>(),
    ) {
        let expected = minimax(&Liar { lie, seed, calls: AtomicU32::new(0) }, &0).map(Value::outcome);
        for outcome in within_patience((lie, seed), move || ask_everything(lie, seed)) {
            // If a search does not meet the repetition, its answer may be right.
            prop_assert!(expected.is_err() || expected == Ok(outcome), "{:?} for {:?}", outcome, expected);
        }
    }
}
