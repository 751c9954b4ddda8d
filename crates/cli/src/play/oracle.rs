//! What positions are worth: each is solved once, and remembered.

use std::collections::HashMap;
use std::rc::Rc;
use std::time::Duration;

use balpan::{Budget, Verdict};
use balpan_games::{Answer, Engines, KnownOf, MakeEngine, RulesFile};

use crate::failure::{Failure, harmless};
use crate::progress::{Positions, all_cores, watched_by};
use crate::strong;

pub(crate) struct Oracle {
    name: String,
    engines: Engines,
    /// Whether a position was too large for plies: then they are not asked for, which would
    /// take long, until few cells are free.
    too_large: bool,
    /// How long each answer may take.
    limit: Option<Duration>,
    /// By the position's text.
    known: HashMap<String, Rc<Solved>>,
}

/// All that was asked for of a position.
pub(crate) struct Solved {
    pub(crate) verdict: Verdict,
    pub(crate) answer: Answer,
}

impl Oracle {
    /// Answers for games by these rules, with this many bytes for tables, each in the time of `limit`.
    pub(crate) fn new(rules: &RulesFile, memory: usize, known: Option<KnownOf>, limit: Option<Duration>) -> Self {
        let budget = Budget { memory, threads: all_cores() };
        let make = MakeEngine { known, ..MakeEngine::within(budget) };
        let name = harmless(&rules.name);
        Self { name, engines: Engines::new(rules.clone(), make), too_large: false, limit, known: HashMap::new() }
    }

    /// What the game is called.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// The answer of a position, if it has been found before.
    pub(crate) fn known(&self, position: &str) -> Option<&Solved> {
        self.known.get(position).map(Rc::as_ref)
    }

    /// The answer of a position.
    pub(crate) fn ask(&mut self, position: &str) -> Result<Rc<Solved>, Failure> {
        if let Some(known) = self.known.get(position) {
            return Ok(Rc::clone(known));
        }
        let Self { name, engines, too_large, limit, .. } = self;
        let (answer, ..) = watched_by(&mut Positions::default(), *limit, |watch, _| {
            let answer = engines.ask_in_reach(position, too_large, watch);
            let answer = answer.map_err(|e| Failure::no_text_answer(e, name, watch.positions()))?;
            match answer.outcome.filter(|_| answer.complete) {
                Some(outcome) => Ok((outcome, answer)),
                None => Err(Failure::Stopped(watch.positions())),
            }
        });
        strong::tell_damage();
        let (outcome, answer) = answer?;
        let verdict = Verdict { outcome, remoteness: answer.remoteness };
        let known = Rc::new(Solved { verdict, answer });
        self.known.insert(position.to_owned(), Rc::clone(&known));
        Ok(known)
    }
}
