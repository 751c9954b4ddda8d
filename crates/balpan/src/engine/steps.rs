//! The steps by which an answer grows, with any solver.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::engine::{Answer, Goal};
use crate::game::{Game, repeats};
use crate::search::length::{self, MAX_PLIES, TooDeep};
use crate::search::solver::Solver;
use crate::search::watch::{Stopped, Watch};
use crate::value::{Bounds, Outcome, Turn, Value};

/// Computes an answer step by step.
pub(crate) struct AnswerBuilder<'a, G: Game> {
    game: &'a G,
    position: &'a G::Position,
    /// A trait object, so that the steps are compiled once for each game.
    solver: &'a mut dyn Solver<G::Position>,
    watch: &'a Watch,
    report: &'a mut (dyn FnMut(&Answer<G::Move>) + Send),
    /// The number of positions that the solver had searched before.
    before: u64,
    /// The position after each move, whose turn it is there, and the index of the first move that is equal by symmetry.
    after: Vec<G::Position>,
    turns: Vec<Turn>,
    first: Vec<usize>,
    /// For each first move, the indices of all moves that are equal by symmetry.
    same: Vec<Vec<usize>>,
    /// The number of positions searched at the last report.
    last_report: u64,
    pub(crate) answer: Answer<G::Move>,
}

impl<'a, G: Game> AnswerBuilder<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        position: &'a G::Position,
        goal: Goal,
        solver: &'a mut dyn Solver<G::Position>,
        watch: &'a Watch,
        report: &'a mut (dyn FnMut(&Answer<G::Move>) + Send),
    ) -> Self {
        let moves: Vec<_> = game.moves(position).collect();
        let after: Vec<_> = moves.iter().map(|mv| game.play(position, *mv)).collect();
        let turns: Vec<_> = moves.iter().zip(&after).map(|(mv, after)| game.turn(position, *mv, after)).collect();
        let bounds = after.iter().zip(&turns).map(|(after, turn)| turn.bounds_to_parent(static_bounds(game, after)));
        let moves: Vec<_> = moves.into_iter().zip(bounds).collect();
        let mut seen = FxHashMap::default();
        let canonical = after.iter().zip(&turns).map(|(after, turn)| (game.canonical(after), *turn));
        let first: Vec<_> = canonical.enumerate().map(|(n, after)| *seen.entry(after).or_insert(n)).collect();
        let mut same = vec![Vec::new(); first.len()];
        first.iter().enumerate().for_each(|(n, first)| same[*first].push(n));
        let is_over = moves.is_empty();
        let bounds = static_bounds(game, position);
        let answer = Answer { goal, bounds, is_over, moves, line: Vec::new(), complete: false, positions: 0 };
        let before = solver.positions_searched();
        Self { game, position, solver, watch, report, before, after, turns, first, same, last_report: 0, answer }
    }

    /// Runs all steps up to the goal, and reports after each.
    pub(crate) fn run(&mut self) -> Result<(), Stopped> {
        let result = self.run_steps();
        self.answer.complete = result.is_ok();
        self.report_answer();
        match result {
            // The search may have begun after a move: find play from the position itself.
            Err(Stopped::TooLong(_)) => {
                Err(length::explain(self.game, self.position, self.game.max_plies(self.position)))
            }
            result => result,
        }
    }

    fn run_steps(&mut self) -> Result<(), Stopped> {
        if self.answer.is_over {
            return Ok(());
        }
        let moves = self.after.len();
        self.watch.begin_root_moves(if self.answer.goal.includes_all_moves() { moves } else { 1 });
        if repeats(self.game) {
            self.deepen()?;
        }
        match self.answer.goal {
            Goal::Winner => self.winner(),
            Goal::MoveOutcomes => {
                self.winner()?;
                self.report_answer();
                self.other_outcomes()
            }
            Goal::Value => self.value(),
            Goal::MoveValues => {
                self.value()?;
                self.report_answer();
                self.other_outcomes()?;
                self.report_answer();
                self.other_values()
            }
        }
    }

    /// Narrows the bounds by tests who wins within ever more plies, until the outcome is known. A table answers the first
    /// ones with the value; a search may never come to a draw.
    fn deepen(&mut self) -> Result<(), Stopped> {
        for plies in 1..=MAX_PLIES {
            for threshold in [Value::win(plies + 1), Value::loss(plies)] {
                if self.answer.bounds.decide(threshold).is_none() {
                    let answer = self.solver.test(self.position, threshold)?;
                    self.answer.bounds = self.answer.bounds.intersect(Bounds::from_test(answer, threshold));
                }
            }
            if self.answer.outcome().is_some() {
                return Ok(());
            }
            self.learn_from_solver();
            self.report_move();
        }
        Err(Stopped::Interrupted)
    }

    fn report_answer(&mut self) {
        self.answer.positions = self.solver.positions_searched() - self.before;
        self.last_report = self.answer.positions;
        (self.report)(&self.answer);
    }

    /// Reports the answer after a move, if some work has been done since the last report: there may be thousands of moves.
    fn report_move(&mut self) {
        if self.solver.positions_searched() - self.before - self.last_report >= REPORT_INTERVAL_POSITIONS {
            self.report_answer();
        }
    }

    /// Narrows the bounds of a move, and of those that are equal by symmetry.
    fn learn(&mut self, mv: usize, bounds: Bounds) {
        for &n in &self.same[self.first[mv]] {
            let known = &mut self.answer.moves[n].1;
            *known = known.intersect(bounds);
        }
    }

    /// Narrows the bounds of the moves by the position's own.
    fn learn_from_value(&mut self) {
        let upper = self.answer.bounds.upper;
        for (_, known) in &mut self.answer.moves {
            known.upper = known.upper.min(upper);
        }
        // If every other move is worse, the remaining one is best.
        let lower = self.answer.bounds.lower;
        let candidates: Vec<_> = (0..self.after.len()).filter(|&n| self.answer.moves[n].1.upper >= lower).collect();
        if let Some(&mv) = candidates.first()
            && candidates.iter().all(|&n| self.first[n] == self.first[mv])
        {
            self.learn(mv, Bounds { lower, ..Bounds::ANY });
        }
    }

    fn learn_from_solver(&mut self) {
        for mv in 0..self.after.len() {
            if self.first[mv] == mv {
                let known = self.known_move_bounds(mv);
                self.learn(mv, known);
            }
        }
    }

    /// Returns the bounds on a move's value that need no search.
    fn known_move_bounds(&mut self, mv: usize) -> Bounds {
        self.turns[mv].bounds_to_parent(known_bounds(self.game, self.solver, &self.after[mv]))
    }

    /// Tests whether a move is better than `threshold`.
    fn test_move(&mut self, mv: usize, threshold: Value) -> Result<bool, Stopped> {
        let known = self.known_move_bounds(mv).intersect(self.answer.moves[mv].1);
        if let Some(answer) = known.decide(threshold) {
            self.learn(mv, known);
            return Ok(answer > threshold);
        }
        let turn = self.turns[mv];
        let answer = turn.to_parent(self.solver.test(&self.after[mv], turn.child_threshold(threshold))?);
        self.learn(mv, Bounds::from_test(answer, threshold));
        Ok(answer > threshold)
    }

    /// Finds the outcome, and moves that reach it: those in the solver's tables, or else the first one.
    fn winner(&mut self) -> Result<(), Stopped> {
        let outcome = self.solver.outcome(self.position)?;
        self.answer.bounds = self.bounds_from_outcome(outcome);
        self.find_best_move(outcome)
    }

    fn bounds_from_outcome(&self, outcome: Outcome) -> Bounds {
        outcome_bounds(self.game, self.position, outcome).intersect(self.answer.bounds)
    }

    fn find_best_move(&mut self, outcome: Outcome) -> Result<(), Stopped> {
        if outcome == Outcome::Loss {
            self.learn_from_value();
            return Ok(());
        }
        self.learn_from_solver();
        let threshold = match outcome {
            // Whether another move wins later may be a search without end.
            Outcome::Win if repeats(self.game) => self.answer.bounds.lower.just_below(),
            Outcome::Win => Value::DRAW,
            _ => Value::BELOW_DRAW,
        };
        let mut found = self.answer.best_moves().next().is_some();
        for mv in 0..self.after.len() {
            if found {
                break;
            }
            found = self.test_move(mv, threshold)?;
        }
        self.learn_from_value();
        Ok(())
    }

    /// Finds the value, all best moves, and a line.
    fn value(&mut self) -> Result<(), Stopped> {
        self.answer.bounds = self.answer.bounds.intersect(self.solver.outcome_bounds(self.position)?);
        self.learn_from_solver();
        self.learn_from_value();
        self.report_answer();
        let value = self.solver.value_within(self.position, self.answer.bounds)?;
        self.answer.bounds = Bounds::exact(value);
        self.learn_from_value();
        self.report_answer();
        self.best_moves(value)?;
        self.learn_from_value();
        self.report_answer();
        self.line(value)
    }

    /// Tests whether each move reaches the position's value. If outcomes of all moves follow, a move is tested for its
    /// outcome first: a worse outcome answers both.
    fn best_moves(&mut self, value: Value) -> Result<(), Stopped> {
        for mv in 0..self.after.len() {
            if self.first[mv] != mv {
                continue;
            }
            let is_win = value > Value::DRAW;
            if !(self.answer.goal.includes_all_moves() && is_win && !self.test_move(mv, Value::DRAW)?) {
                self.test_move(mv, value.just_below())?;
            }
        }
        Ok(())
    }

    /// Finds a line: from a position of known value, the first best move each time, to the end.
    fn line(&mut self, value: Value) -> Result<(), Stopped> {
        let Some(mv) = self.answer.moves.iter().position(|(_, bounds)| bounds.lower >= value) else {
            return Ok(());
        };
        let mut line = vec![self.answer.moves[mv].0];
        let (mut position, mut value) = (self.after[mv].clone(), self.turns[mv].to_child(value));
        let mut seen = FxHashSet::default();
        // A draw by play without end is shown until a position comes again.
        while !(self.game.is_over(&position) || repeats(self.game) && !seen.insert(position.clone())) {
            if line.len() > MAX_PLIES as usize {
                return Err(TooDeep.stopped());
            }
            let moves: Vec<_> = self.game.moves(&position).collect();
            let mut next = None;
            let mut worse = Vec::new();
            for (n, &mv) in moves.iter().enumerate() {
                let after = self.game.play(&position, mv);
                let turn = self.game.turn(&position, mv, &after);
                // If every other move is worse, the last one is best.
                if n + 1 < moves.len() {
                    let canonical = (self.game.canonical(&after), turn);
                    if worse.contains(&canonical) {
                        continue;
                    }
                    let threshold = value.just_below();
                    let known = turn.bounds_to_parent(known_bounds(self.game, self.solver, &after));
                    let answer = match known.decide(threshold) {
                        Some(answer) => answer,
                        None => turn.to_parent(self.solver.test(&after, turn.child_threshold(threshold))?),
                    };
                    if answer <= threshold {
                        worse.push(canonical);
                        continue;
                    }
                }
                next = Some((mv, turn, after));
                break;
            }
            let Some((mv, turn, after)) = next else {
                break;
            };
            line.push(mv);
            (position, value) = (after, turn.to_child(value));
        }
        self.answer.line = line;
        Ok(())
    }

    /// Finds the outcomes of the moves whose bounds do not decide them.
    fn other_outcomes(&mut self) -> Result<(), Stopped> {
        for mv in 0..self.after.len() {
            if self.first[mv] == mv && self.answer.moves[mv].1.outcome().is_none() {
                for threshold in [Value::DRAW, Value::BELOW_DRAW] {
                    if self.answer.moves[mv].1.decide(threshold).is_none() {
                        self.test_move(mv, threshold)?;
                    }
                }
                self.report_move();
            }
            if !self.answer.goal.includes_remoteness() {
                self.watch.finish_root_move();
            }
        }
        Ok(())
    }

    /// Finds the values of the moves whose bounds do not decide them.
    fn other_values(&mut self) -> Result<(), Stopped> {
        for mv in 0..self.after.len() {
            let known = self.answer.moves[mv].1;
            if self.first[mv] == mv && known.value().is_none() {
                let turn = self.turns[mv];
                let value = self.solver.value_within(&self.after[mv], turn.bounds_to_child(known))?;
                let value = turn.to_parent(value);
                self.learn(mv, Bounds::exact(value));
                self.report_move();
            }
            self.watch.finish_root_move();
        }
        Ok(())
    }
}

/// The number of positions after which a single move is reported.
const REPORT_INTERVAL_POSITIONS: u64 = 1 << 12;

/// Returns the bounds on a position's value that need no solver.
fn static_bounds<G: Game>(game: &G, position: &G::Position) -> Bounds {
    if game.is_over(position) { Bounds::exact(game.end_value(position)) } else { Bounds::ANY }
}

/// Returns the bounds on the value of a position that has a move and this outcome.
pub(super) fn outcome_bounds<G: Game>(game: &G, position: &G::Position, outcome: Outcome) -> Bounds {
    let (plies, has_scores) = (game.max_plies(position).unwrap_or(MAX_PLIES).min(MAX_PLIES), game.max_score() > 0);
    match outcome {
        Outcome::Win if has_scores => Bounds { lower: Value::from_score(1), ..Bounds::ANY },
        Outcome::Loss if has_scores => Bounds { upper: Value::from_score(-1), ..Bounds::ANY },
        outcome => Bounds::from_outcome(outcome, plies),
    }
}

/// Returns the bounds on a position's value that need no search.
fn known_bounds<G: Game>(game: &G, solver: &mut dyn Solver<G::Position>, position: &G::Position) -> Bounds {
    if game.is_over(position) { static_bounds(game, position) } else { solver.known_bounds(position) }
}
