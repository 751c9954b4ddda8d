//! Solving positions of one game, each once.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use balpan::{Budget, Verdict};
use balpan_games::{Answer, EngineCache, EngineOptions, RulesFile, SizedOracle};

use crate::error::{CliError, harmless};
use crate::progress::{SearchProgress, available_threads, run_with_view};
use crate::strong;

/// Solves positions of one game and keeps their answers.
pub(crate) struct PositionSolver {
    name: String,
    engines: EngineCache,
    /// Whether a position was too large to find plies. They are then left out until few cells are free.
    too_large: bool,
    /// Time limit of one answer.
    time_limit: Option<Duration>,
    /// Complete answers by the position's text.
    answers: HashMap<String, Rc<Solved>>,
}

/// A complete answer.
pub(crate) struct Solved {
    pub(crate) verdict: Verdict,
    pub(crate) answer: Answer,
}

impl PositionSolver {
    /// Creates a solver with `memory` bytes for tables.
    pub(crate) fn new(
        rules: &RulesFile,
        memory: usize,
        oracle: Option<SizedOracle>,
        time_limit: Option<Duration>,
    ) -> Self {
        let budget = Budget { memory, threads: available_threads() };
        let make = EngineOptions { oracle, ..EngineOptions::new(budget) };
        let engines = EngineCache::new(rules.clone(), make);
        Self { name: harmless(&rules.name), engines, too_large: false, time_limit, answers: HashMap::new() }
    }

    /// Returns the game's name.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// Returns the answer of a position that was solved before.
    pub(crate) fn cached(&self, position: &str) -> Option<&Solved> {
        self.answers.get(position).map(Rc::as_ref)
    }

    /// Solves a position.
    ///
    /// # Errors
    /// [`CliError::Stopped`] if the time ends or a signal comes first, and the errors of the engine.
    pub(crate) fn solve(&mut self, position: &str) -> Result<Rc<Solved>, CliError> {
        if let Some(solved) = self.answers.get(position) {
            return Ok(Rc::clone(solved));
        }
        let Self { name, engines, too_large, time_limit, .. } = self;
        let (answer, ..) = run_with_view(&mut SearchProgress::default(), *time_limit, |watch, _| {
            let answer = engines.answer_soon(position, too_large, watch);
            let answer = answer.map_err(|e| CliError::from_text_engine(e, name, watch.positions()))?;
            match answer.outcome.filter(|_| answer.complete) {
                Some(outcome) => Ok((outcome, answer)),
                None => Err(CliError::Stopped(watch.positions())),
            }
        });
        strong::report_damage();
        let (outcome, answer) = answer?;
        let verdict = Verdict { outcome, remoteness: answer.remoteness, score: None };
        let solved = Rc::new(Solved { verdict, answer });
        self.answers.insert(position.to_owned(), Rc::clone(&solved));
        Ok(solved)
    }
}
