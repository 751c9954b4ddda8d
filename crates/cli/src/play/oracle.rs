//! What positions are worth: each is solved once, and remembered.

use std::collections::HashMap;
use std::rc::Rc;

use balpan::{Ask, Outcome};
use balpan_games::{Answer, Method, NoAnswer, Question, RulesFile, Solvable, Task};

use crate::failure::{Failure, harmless};
use crate::progress::{all_cores, watched};

/// Plies of a placement board of so many free cells are found at once.
const FEW_CELLS: usize = 25;

pub(super) struct Oracle<'a> {
    rules: &'a RulesFile,
    name: String,
    question: Question,
    /// Whether a position was too large for plies: then they are not asked for, which would
    /// take long, until few cells are free.
    too_large: bool,
    /// By the position's text.
    known: HashMap<String, Rc<Answer>>,
}

impl<'a> Oracle<'a> {
    /// Answers for games by these rules, with so many bytes for tables.
    pub(super) fn new(rules: &'a RulesFile, memory: usize) -> Self {
        let question = Question { ask: None, number: false, method: Method::Auto, memory, threads: all_cores() };
        Self { rules, name: harmless(&rules.name), question, too_large: false, known: HashMap::new() }
    }

    /// What the game is called.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// The answer of a position, if it has been found before.
    pub(super) fn known(&self, position: &str) -> Option<&Answer> {
        self.known.get(position).map(Rc::as_ref)
    }

    /// The answer of a position.
    pub(super) fn ask(&mut self, position: &str) -> Result<Rc<Answer>, Failure> {
        if let Some(answer) = self.known.get(position) {
            return Ok(Rc::clone(answer));
        }
        let game = self.rules.game_at(position)?;
        let free = position.bytes().filter(|byte| *byte == b'.').count();
        let ask = if self.too_large && free > FEW_CELLS { Some(Ask::Winner) } else { None };
        let question = Question { ask, ..self.question };
        let answer = Rc::new(game.run(Solve { question, name: &self.name })?);
        self.too_large |= answer.outcome != Outcome::Draw && answer.remoteness.is_none();
        self.known.insert(position.to_owned(), Rc::clone(&answer));
        Ok(answer)
    }
}

struct Solve<'a> {
    question: Question,
    name: &'a str,
}

impl Task for Solve<'_> {
    type Output = Result<Answer, Failure>;

    fn run<G: Solvable>(self, game: &G) -> Self::Output {
        let Self { question, name } = self;
        let (found, time) = watched(|watch| {
            let solved = match game.solved(&question, watch) {
                // Nimbers tell who wins, however long play may last.
                Err(NoAnswer::TooLong { .. }) if game.is_impartial() => {
                    game.solved(&Question { ask: Some(Ask::Winner), ..question }, watch)
                }
                solved => solved,
            };
            solved.map_err(|e| Failure::no_answer(e, name, watch.positions()))
        });
        Ok(Answer::new(game, name, &game.start(), &found?, time))
    }
}
