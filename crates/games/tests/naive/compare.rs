//! Comparing a game of the crate with the naive implementation at one position, in everything that
//! the crate computes.

use std::collections::HashMap;
use std::fmt::Debug;

use balpan::reach::{self, Count};
use balpan::{
    AlphaBeta, Budget, Engine, Game, Goal, Minimax, Nimbers, Outcome, Solution, Solver, Verdict, Watch, laws, minimax,
    solve_with,
};
use balpan_games::{Notation, RulesFile};
use proptest::prelude::*;
use proptest::test_runner::TestCaseError;

use super::without::{HOOKS, Hook, Without};
use super::{NaiveGame, Value, one_ply_earlier, value};

type Checked = Result<(), TestCaseError>;

/// Returns the part of a test's random cases that is tried: `BALPAN_CASES` in a hundred.
pub(crate) fn part_of(cases: u32) -> u32 {
    (cases * std::env::var("BALPAN_CASES").map_or(20, |percent| percent.parse().unwrap())).div_ceil(100)
}

/// A configuration of [a part of](part_of) this number of cases, or of `PROPTEST_CASES`.
pub(crate) fn cases(cases: u32) -> ProptestConfig {
    let default = ProptestConfig::default();
    let cases = if std::env::var_os("PROPTEST_CASES").is_some() { default.cases } else { part_of(cases) };
    ProptestConfig { cases, failure_persistence: None, ..default }
}

/// Parses a rules file that a test has written.
pub(crate) fn rules(toml: &str) -> Result<RulesFile, TestCaseError> {
    RulesFile::parse("test", toml).map_err(|e| TestCaseError::fail(format!("{e}\n{toml}")))
}

/// Makes all checks of this module at a position whose naive value is `expected`, and at which `game` starts.
pub(crate) fn check_all<G, N>(game: &G, naive: &N, state: &N::State, expected: Value, seed: u64) -> Checked
where
    G: Notation<Position: Debug, Move: Debug>,
    N: NaiveGame,
{
    let position = read(game, &naive.text(state))?;
    prop_assert_eq!(&game.start(), &position);
    check_text(game, naive, state, &position)?;
    check_moves(game, naive, state, &position)?;
    check_solvers(game, naive, state, &position, expected)?;
    check_hooks(game, &position, expected)?;
    check_nimbers(game, naive, state, &position, expected)?;
    check_reach(game, &position, expected)?;
    laws::check_at(game, &position).map_err(fail)?;
    laws::check(game, 1, seed).map_err(fail)
}

fn fail(e: impl ToString) -> TestCaseError {
    TestCaseError::fail(e.to_string())
}

fn read<G: Notation>(game: &G, text: &str) -> Result<G::Position, TestCaseError> {
    game.parse(text).map_err(|e| TestCaseError::fail(format!("`{text}`: {e}")))
}

/// Each implementation parses what the other formats, in any layout.
fn check_text<G, N>(game: &G, naive: &N, state: &N::State, position: &G::Position) -> Checked
where
    G: Notation<Position: Debug>,
    N: NaiveGame,
{
    let text = game.text(position);
    prop_assert_eq!(&read(game, &text)?, position, "`{}`", &text);
    for between_rows in ["\n", " / ", "/\n"] {
        prop_assert_eq!(&read(game, &text.replace('/', between_rows))?, position, "`{}`", &text);
    }
    prop_assert_eq!(&naive.parse(&text), state, "`{}`", &text);
    prop_assert_eq!(&naive.parse(&naive.text(state)), state);
    Ok(())
}

/// The same moves lead to the same positions; play ends in the same way where there are none.
fn check_moves<G, N>(game: &G, naive: &N, state: &N::State, position: &G::Position) -> Checked
where
    G: Notation<Position: Debug>,
    N: NaiveGame,
{
    let mut moves: Vec<_> = game.moves(position).map(|mv| (game.move_text(position, mv), mv)).collect();
    let mut naive_moves: Vec<_> = naive.moves(state).into_iter().map(|mv| (naive.move_text(&mv), mv)).collect();
    moves.sort_by(|a, b| a.0.cmp(&b.0));
    naive_moves.sort_by(|a, b| a.0.cmp(&b.0));
    prop_assert_eq!(
        moves.iter().map(|(text, _)| text).collect::<Vec<_>>(),
        naive_moves.iter().map(|(text, _)| text).collect::<Vec<_>>()
    );
    for ((text, mv), (_, naive_move)) in moves.iter().zip(&naive_moves) {
        let (after, naive_after) = (game.play(position, *mv), naive.play(state, naive_move));
        prop_assert_eq!(&naive.parse(&game.text(&after)), &naive_after, "after {}", text);
        prop_assert_eq!(&read(game, &naive.text(&naive_after))?, &after, "after {}", text);
        prop_assert!(game.is_legal(&after), "after {}", text);
    }
    prop_assert_eq!(naive.ended(state).is_some(), moves.is_empty());
    if let Some(outcome) = naive.ended(state) {
        prop_assert_eq!(sign(game.end(position)), outcome);
    }
    Ok(())
}

/// Every solver gives the naive value: of the position, of every move, and of every position
/// on its line.
fn check_solvers<G, N>(game: &G, naive: &N, state: &N::State, position: &G::Position, expected: Value) -> Checked
where
    G: Notation<Position: Debug, Move: Debug>,
    N: NaiveGame,
{
    let watch = Watch::default();
    prop_assert_eq!(pair(minimax(game, position).unwrap()), expected);
    let solved = |ask, solver: &mut dyn SolverOf<G>| solver.solve(game, position, ask, &watch);
    let solution = solved(Goal::MoveValues, &mut Minimax::new(game, &watch))?;
    check_solution(game, naive, state, position, expected, &solution)?;
    let outcomes = solved(Goal::MoveOutcomes, &mut Minimax::new(game, &watch))?;
    let outcomes_only = |verdict: &Verdict| verdict.outcome;
    prop_assert_eq!(
        outcomes.moves.iter().map(|(_, verdict)| outcomes_only(verdict)).collect::<Vec<_>>(),
        solution.moves.iter().map(|(_, verdict)| outcomes_only(verdict)).collect::<Vec<_>>()
    );
    for table_bytes in [0, 1 << 20] {
        // The table after one question must not spoil the answer to the next.
        let mut solver = AlphaBeta::new(game, table_bytes, &watch);
        prop_assert_eq!(sign(solver.outcome(position).map_err(fail)?), expected.0);
        prop_assert_eq!(&solved(Goal::MoveValues, &mut solver)?, &solution, "after an outcome");
        prop_assert_eq!(&solved(Goal::MoveOutcomes, &mut solver)?, &outcomes, "after a solution");
        let mut solver = AlphaBeta::new(game, table_bytes, &watch);
        prop_assert_eq!(pair(solver.value(position).map_err(fail)?), expected);
        prop_assert_eq!(sign(solver.outcome(position).map_err(fail)?), expected.0);
        let mut solver = AlphaBeta::new(game, table_bytes, &watch);
        prop_assert_eq!(&solved(Goal::MoveOutcomes, &mut solver)?, &outcomes);
        prop_assert_eq!(&solved(Goal::MoveValues, &mut solver)?, &solution);
    }
    check_engine(game, position, &outcomes, &solution)
}

/// One engine gives the same answers in any order, and after it was stopped; they are true at every
/// step.
fn check_engine<G: Notation<Position: Debug, Move: Debug>>(
    game: &G,
    position: &G::Position,
    outcomes: &Solution<G::Move>,
    solution: &Solution<G::Move>,
) -> Checked {
    let watch = Watch::default();
    let orders =
        [[Goal::Winner, Goal::MoveOutcomes, Goal::MoveValues], [Goal::MoveValues, Goal::Value, Goal::MoveOutcomes]];
    for (order, threads) in orders.into_iter().zip([1, 2]) {
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads });
        for ask in order {
            let mut steps = Vec::new();
            let stopped = engine.solve(position, ask, &Watch::with_limit(20), |step| steps.push(step.clone()));
            steps.push(stopped.map_err(fail)?);
            let answer = engine.solve(position, ask, &watch, |step| steps.push(step.clone())).map_err(fail)?;
            prop_assert!(answer.complete);
            for step in &steps {
                prop_assert!(step.bounds.outcome().is_none_or(|outcome| outcome == solution.verdict.outcome));
                for ((mv, bounds), (_, verdict)) in step.moves.iter().zip(&solution.moves) {
                    let value = match (verdict.outcome, verdict.remoteness.unwrap_or(0)) {
                        (Outcome::Win, plies) => balpan::Value::win(plies),
                        (Outcome::Draw, _) => balpan::Value::DRAW,
                        (Outcome::Loss, plies) => balpan::Value::loss(plies),
                    };
                    prop_assert!(bounds.contains(value), "{:?}: {:?}", mv, step);
                }
            }
            let found = Solution::from_answer(&answer).ok_or_else(|| fail("no outcome"))?;
            match ask {
                Goal::MoveValues => prop_assert_eq!(&found, solution),
                Goal::MoveOutcomes => prop_assert_eq!(&found, outcomes),
                Goal::Value => {
                    prop_assert_eq!(&found.line, &solution.line);
                    prop_assert_eq!(found.verdict, solution.verdict);
                    prop_assert!(found.best_moves().eq(solution.best_moves()));
                }
                Goal::Winner => {
                    prop_assert_eq!(found.verdict, outcomes.verdict);
                    prop_assert!(found.moves.iter().all(|mv| outcomes.moves.contains(mv)));
                    prop_assert_eq!(found.moves.is_empty(), outcomes.moves.is_empty());
                }
            }
        }
    }
    Ok(())
}

/// Turning off a hook changes no value, nor does a tiny table or a second thread.
fn check_hooks<G: Notation>(game: &G, position: &G::Position, expected: Value) -> Checked {
    let watch = Watch::default();
    for (n, hook) in HOOKS.into_iter().enumerate() {
        let game = Without(hook, game.clone());
        let mut solver = AlphaBeta::new(&game, 1 << 10, &watch);
        prop_assert_eq!(pair(solver.value(position).map_err(fail)?), expected, "without {:?}", hook);
        // Starting threads takes longer than all else here, so only some of the cases do.
        if expected.1 as usize % HOOKS.len() == n {
            // Nothing here is long enough for threads to start on their own.
            let mut solver = AlphaBeta::new(&game, 1 << 16, &watch).with_threads(2).with_parallel_threshold(0);
            prop_assert_eq!(pair(solver.value(position).map_err(fail)?), expected, "two threads, no {:?}", hook);
        }
    }
    Ok(())
}

/// The solver's nimber of an impartial game is the naive one, with small and large tables, with
/// hooks off, and with threads; the solver also finds the winning moves.
fn check_nimbers<G, N>(game: &G, naive: &N, state: &N::State, position: &G::Position, expected: Value) -> Checked
where
    G: Notation<Position: Debug, Move: Debug>,
    N: NaiveGame,
{
    if !game.is_impartial() {
        return Ok(());
    }
    let mut known = HashMap::new();
    let nimber = naive_nimber(naive, state, &mut known);
    prop_assert_eq!(nimber > 0, expected.0 > 0);
    let watch = Watch::default();
    // Without a table only small games end in time.
    let few = known.len() <= 60;
    if !few && (game.key_bits() == 0 || !game.is_cacheable(position)) {
        return Ok(());
    }
    for table_bytes in [if few { 0 } else { 1 << 14 }, if few { 1 << 10 } else { 1 << 16 }, 1 << 20] {
        let mut solver = Nimbers::new(game, table_bytes, &watch).map_err(fail)?;
        let winning = solver.winning_moves(position).map_err(fail)?;
        prop_assert_eq!(winning.is_empty(), nimber == 0);
        for mv in winning {
            prop_assert_eq!(sign(minimax(game, &game.play(position, mv)).unwrap().outcome()), -1, "{:?}", mv);
        }
        prop_assert_eq!(solver.nimber(position).map_err(fail)?, nimber, "after the moves");
        prop_assert_eq!(Nimbers::new(game, table_bytes, &watch).map_err(fail)?.nimber(position).map_err(fail)?, nimber);
    }
    for (n, hook) in HOOKS.into_iter().enumerate() {
        if !few && matches!(hook, Hook::Key | Hook::Memorable | Hook::All) {
            continue;
        }
        let game = Without(hook, game.clone());
        let of = |mut solver: Nimbers<_>| solver.nimber(position).map_err(fail);
        prop_assert_eq!(
            of(Nimbers::new(&game, if few { 1 << 10 } else { 1 << 16 }, &watch).map_err(fail)?)?,
            nimber,
            "without {:?}",
            hook
        );
        if expected.1 as usize % HOOKS.len() == n {
            let solver = Nimbers::new(&game, 1 << 16, &watch).map_err(fail)?.with_threads(2).with_parallel_threshold(0);
            prop_assert_eq!(of(solver)?, nimber, "two threads, no {:?}", hook);
        }
    }
    Ok(())
}

/// The minimum excludant of the moves' nimbers; `known` has nimbers by positions' text.
fn naive_nimber<N: NaiveGame>(naive: &N, state: &N::State, known: &mut HashMap<String, u32>) -> u32 {
    let text = naive.text(state);
    if let Some(&nimber) = known.get(&text) {
        return nimber;
    }
    let met: Vec<_> = naive.moves(state).iter().map(|mv| naive_nimber(naive, &naive.play(state, mv), known)).collect();
    let nimber = (0..).find(|nimber| !met.contains(nimber)).expect("fewer than there are numbers");
    known.insert(text, nimber);
    nimber
}

/// A solver that a test can pass around without naming its type.
trait SolverOf<G: Game> {
    fn solve(
        &mut self,
        game: &G,
        position: &G::Position,
        ask: Goal,
        watch: &Watch,
    ) -> Result<Solution<G::Move>, TestCaseError>;
}

impl<G: Game, S: Solver<G::Position>> SolverOf<G> for S {
    fn solve(
        &mut self,
        game: &G,
        position: &G::Position,
        ask: Goal,
        watch: &Watch,
    ) -> Result<Solution<G::Move>, TestCaseError> {
        solve_with(game, position, ask, self, watch).map_err(fail)
    }
}

/// The verdicts are the naive ones, and the line is optimal play to the end.
fn check_solution<G, N>(
    game: &G,
    naive: &N,
    state: &N::State,
    position: &G::Position,
    expected: Value,
    solution: &Solution<G::Move>,
) -> Checked
where
    G: Notation,
    N: NaiveGame,
{
    prop_assert_eq!(verdict(solution.verdict), expected);
    let play_text = |state: &N::State, text: &str| {
        let mv = naive.moves(state).into_iter().find(|mv| naive.move_text(mv) == text);
        mv.map(|mv| naive.play(state, &mv)).ok_or_else(|| fail(format!("{text} is not a move at {state:?}")))
    };
    for (mv, found) in &solution.moves {
        let text = game.move_text(position, *mv);
        let after = play_text(state, &text)?;
        prop_assert_eq!(verdict(*found), one_ply_earlier(value(naive, &after)), "the move {}", text);
    }
    let (mut position, mut state, mut expected) = (position.clone(), state.clone(), expected);
    if expected.0 != 0 {
        prop_assert_eq!(solution.line.len(), expected.1 as usize);
    }
    for mv in &solution.line {
        let text = game.move_text(&position, *mv);
        (position, state) = (game.play(&position, *mv), play_text(&state, &text)?);
        let after = value(naive, &state);
        prop_assert_eq!(one_ply_earlier(after), expected, "{} is not best", text);
        expected = after;
    }
    prop_assert!(naive.ended(&state).is_some(), "the line stops at {:?}", state);
    Ok(())
}

/// The tables of all positions agree, with symmetric positions together or apart.
fn check_reach<G: Notation<Position: Debug>>(game: &G, position: &G::Position, expected: Value) -> Checked {
    let watch = Watch::default();
    let values = |count| reach::values(game, position, count, 1 << 20, &watch).map_err(fail);
    let (all, classes) = (values(Count::Positions)?, values(Count::Classes)?);
    prop_assert_eq!(all.get(position).copied().map(pair), Some(expected));
    for (position, value) in &all {
        prop_assert_eq!(classes.get(&game.canonical(position)), Some(value), "{}", game.text(position));
    }
    if !game.is_impartial() && !game.is_impartial_misere() {
        return Ok(());
    }
    let nimbers = reach::nimbers(game, position, Count::Positions, 1 << 20, &watch).map_err(fail)?;
    prop_assert_eq!(nimbers.len(), all.len());
    for (position, &nimber) in &nimbers {
        let after: Vec<_> = game.moves(position).map(|mv| nimbers[&game.play(position, mv)]).collect();
        let expected = match (after.is_empty(), game.is_impartial()) {
            (true, is_normal) => u32::from(!is_normal),
            (false, _) => (0..).find(|n| !after.contains(n)).unwrap(),
        };
        prop_assert_eq!(nimber, expected, "{}", game.text(position));
        prop_assert_eq!(nimber == 0, all[position].outcome() == Outcome::Loss, "{}", game.text(position));
    }
    Ok(())
}

fn sign(outcome: Outcome) -> i32 {
    match outcome {
        Outcome::Win => 1,
        Outcome::Draw => 0,
        Outcome::Loss => -1,
    }
}

fn verdict(Verdict { outcome, remoteness, .. }: Verdict) -> Value {
    (sign(outcome), remoteness.unwrap_or(0))
}

fn pair(value: balpan::Value) -> Value {
    verdict(value.into())
}
