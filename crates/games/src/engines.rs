//! EngineCache with text as input and output, for every family.

use std::fmt;
use std::sync::Arc;

use balpan::checkpoint::Checkpoint;
use balpan::clock::Instant;
use balpan::{Budget, Engine, EngineError, Goal, Method, Oracle, Outcome, Solver, Watch};

use crate::answer::{Answer, NimValue};
use crate::any::{AnyGame, Task};
use crate::notation::Notation;
use crate::rules::RulesFile;
use crate::text::TextError;

/// A query about a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Query {
    /// The depth of the answer; `None` chooses the goal that is [within reach](balpan::Game::default_goal).
    pub goal: Option<Goal>,
    /// Whether to find the nimber, or the misère value of a misère game, as well.
    pub nim_value: bool,
}

/// The reason why a query has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// The text is not a position of the game.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The engine cannot answer the query.
    #[error(transparent)]
    NoAnswer(#[from] EngineError),
}

/// A callback that receives each state of a growing answer.
pub type AnswerSink<'r> = &'r mut (dyn FnMut(&Answer) + Send);

/// An engine of one game of any family, with text as input and output.
pub trait TextEngine: Send {
    /// Answers a query about a position, and reports each step. `name` is the game's. When `watch` stops the
    /// search, the answer is incomplete.
    ///
    /// # Errors
    /// If the text is not a position of this game, or the engine cannot answer the query.
    fn ask(
        &mut self,
        name: &str,
        position: &str,
        question: Query,
        watch: &Watch,
        report: AnswerSink<'_>,
    ) -> Result<Answer, QueryError>;

    /// Finds the [`nim_value`] of a position.
    ///
    /// # Errors
    /// If the text is not a position of this game, which has to be impartial, or `watch` stops the search.
    fn nim_value(&mut self, position: &str, watch: &Watch) -> Result<NimValue, QueryError>;

    /// Whether the text is a position of this game.
    fn reads(&self, position: &str) -> bool;

    /// Returns the current size of the engine's tables in bytes.
    fn bytes(&self) -> u64;
}

impl<G: Notation> TextEngine for Engine<G> {
    fn ask(
        &mut self,
        name: &str,
        position: &str,
        question: Query,
        watch: &Watch,
        report: AnswerSink<'_>,
    ) -> Result<Answer, QueryError> {
        let begin = Instant::now();
        let game = Arc::clone(self.game());
        let position = game.parse(position)?;
        let as_text = |known: &balpan::Answer<G::Move>| Answer::new(&*game, name, &position, known, begin.elapsed());
        let ask = question.goal_for(&*game, &position);
        let known = Self::solve(self, &position, ask, watch, |known| report(&as_text(known)))?;
        let mut answer = as_text(&known);
        if question.nim_value && answer.complete {
            answer.complete = false;
            report(&answer);
            let search = NimberResult::search(self, &position, watch)?;
            (answer.nim_value, answer.complete) = (search.nim_value, search.nim_value.is_some());
            answer.nimber_at_least = search.nimber_at_least;
            answer.positions_searched += search.positions;
            answer.seconds = begin.elapsed().as_secs_f64();
            report(&answer);
        }
        Ok(answer)
    }

    fn nim_value(&mut self, position: &str, watch: &Watch) -> Result<NimValue, QueryError> {
        let position = self.game().parse(position)?;
        Ok(nim_value(self, &position, watch)?)
    }

    fn reads(&self, position: &str) -> bool {
        self.game().parse(position).is_ok()
    }

    fn bytes(&self) -> u64 {
        Solver::bytes(self)
    }
}

impl Query {
    /// Returns the goal for a position. A query for the nimber alone gets the winner, which follows from the
    /// nimber.
    pub fn goal_for<G: Notation>(&self, game: &G, position: &G::Position) -> Goal {
        let otherwise = || if self.nim_value { Goal::Winner } else { game.default_goal(position) };
        self.goal.unwrap_or_else(otherwise)
    }
}

/// Finds the nimber or the misère value of a position.
///
/// # Errors
/// If the game is not impartial, or `watch` stops the search.
pub fn nim_value<G: Notation>(
    engine: &mut Engine<G>,
    position: &G::Position,
    watch: &Watch,
) -> Result<NimValue, EngineError> {
    if engine.game().is_impartial_misere() {
        engine.misere_value(position, watch).map(|value| NimValue::MisereValue(value.into()))
    } else {
        engine.nimber(position, watch).map(|nimber| NimValue::Nimber(nimber.into()))
    }
}

/// The result of a search for a nimber or misère value, possibly cut short.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NimberResult {
    /// The number; `None` if `watch` stopped the search.
    pub nim_value: Option<NimValue>,
    /// A lower bound on the nimber, if its search was stopped and the bound says more than the outcome does.
    pub nimber_at_least: Option<u32>,
    /// The number of positions searched.
    pub positions: u64,
}

impl NimberResult {
    /// Searches for the [`nim_value`] of a position.
    ///
    /// # Errors
    /// If the game is not impartial, or the position cannot be searched to the end of play.
    pub fn search<G: Notation>(
        engine: &mut Engine<G>,
        position: &G::Position,
        watch: &Watch,
    ) -> Result<Self, EngineError> {
        let before = Solver::positions_searched(engine);
        let nim_value = match nim_value(engine, position, watch) {
            Ok(number) => Some(number),
            Err(EngineError::Stopped(_)) => None,
            Err(e) => return Err(e),
        };
        let positions = Solver::positions_searched(engine).saturating_sub(before);
        let nimber_at_least = match nim_value {
            None if engine.game().is_impartial() => Some(engine.nimber_solver(position, watch)?.at_least(position)),
            _ => None,
        };
        Ok(Self { nim_value, nimber_at_least: nimber_at_least.filter(|least| *least > 1), positions })
    }
}

/// The checkpoint of a game of one [size](Notation::size), as keys of positions differ between sizes, or of all sizes if its keys are
/// those of parts. See [`Engine::with_checkpoint`].
#[derive(Clone, Debug)]
pub struct SizedCheckpoint {
    /// The game's size.
    pub size: String,
    /// The checkpoint.
    pub checkpoint: Checkpoint,
}

/// A source of exact values for a game of one [size](Notation::size).
#[derive(Clone, Debug)]
pub struct SizedOracle {
    /// The game's size.
    pub size: String,
    /// The source of exact values.
    pub oracle: Arc<dyn Oracle>,
}

impl SizedOracle {
    /// Attaches the oracle to an engine whose game has its size; returns other engines unchanged.
    pub fn attach<G: Notation>(known: Option<&Self>, engine: Engine<G>) -> Engine<G> {
        match known {
            Some(Self { size, oracle }) if *size == engine.game().size() => engine.with_oracle(Arc::clone(oracle)),
            _ => engine,
        }
    }
}

/// Options of the engines that it builds.
#[derive(Clone, Debug)]
pub struct EngineOptions {
    /// The memory and threads of an engine.
    pub budget: Budget,
    /// The solving method.
    pub method: Method,
    /// The checkpoint that results are stored in and read from.
    pub checkpoint: Option<SizedCheckpoint>,
    /// The source of exact values.
    pub oracle: Option<SizedOracle>,
}

impl EngineOptions {
    /// Options for engines within `budget` that select their solvers, without a checkpoint or an oracle.
    #[must_use]
    pub const fn new(budget: Budget) -> Self {
        Self { budget, method: Method::Auto, checkpoint: None, oracle: None }
    }

    /// Builds an engine of the game.
    pub fn build<G: Notation>(self, game: &G) -> Engine<G> {
        let engine = Engine::new(game.clone(), self.budget).with_method(self.method);
        let engine = SizedOracle::attach(self.oracle.as_ref(), engine);
        match self.checkpoint {
            Some(SizedCheckpoint { size, checkpoint }) if checkpoint.is_of_parts || size == game.size() => {
                engine.with_checkpoint(checkpoint)
            }
            _ => engine,
        }
    }
}

impl EngineOptions {
    /// Builds an engine of a game of any family. It is compiled here, once for each family.
    #[must_use]
    pub fn text_engine(self, game: &AnyGame) -> Box<dyn TextEngine> {
        game.run(MakeTextEngine(self))
    }
}

struct MakeTextEngine(EngineOptions);

impl Task for MakeTextEngine {
    type Output = Box<dyn TextEngine>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(self.0.build(game))
    }
}

/// The engines of one rules file, one for each board of the positions queried, within the budget's memory.
/// The least recently used engines are dropped.
pub struct EngineCache {
    rules: RulesFile,
    make: EngineOptions,
    /// In order of their last use.
    engines: Vec<Box<dyn TextEngine>>,
}

impl fmt::Debug for EngineCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("EngineCache").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// Free cells up to which a placement board is solved with plies after a larger one was not.
const MAX_FREE_CELLS_FOR_PLIES: usize = 25;

/// EngineCache of one rules file in memory at the same time; each has a part of the budget.
const MAX_ENGINES: usize = 4;

impl EngineCache {
    /// Creates an empty cache; `make` holds the options of its engines.
    #[must_use]
    pub const fn new(rules: RulesFile, make: EngineOptions) -> Self {
        Self { rules, make, engines: Vec::new() }
    }

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> &RulesFile {
        &self.rules
    }

    /// Answers a query with the engine of the position's board, as [`TextEngine::ask`].
    ///
    /// # Errors
    /// If the text is not a position of the game, or the engine cannot answer the query.
    pub fn ask(
        &mut self,
        position: &str,
        question: Query,
        watch: &Watch,
        report: AnswerSink<'_>,
    ) -> Result<Answer, QueryError> {
        if let Some(answer) = self.rules.large_answer(position, question) {
            let answer = answer?;
            report(&answer);
            return Ok(answer);
        }
        let name = self.rules.name.clone();
        self.engine_for(position)?.ask(&name, position, question, watch, report)
    }

    /// Answers as [`ask`](Self::ask) with the goal that is soon reached, for callers that query many positions
    /// of one game. Once a position is too large for plies, which sets `too_large`, later queries about
    /// positions with many free cells find the winner only.
    ///
    /// # Errors
    /// If the text is not a position of the game, or the engine cannot answer the query.
    pub fn answer_soon(&mut self, position: &str, too_large: &mut bool, watch: &Watch) -> Result<Answer, QueryError> {
        let free = position.bytes().filter(|byte| *byte == b'.').count();
        let ask = (*too_large && free > MAX_FREE_CELLS_FOR_PLIES).then_some(Goal::Winner);
        let mut query = |ask| self.ask(position, Query { goal: ask, nim_value: false }, watch, &mut |_| {});
        let answer = match query(ask) {
            // Nimbers decide the winner, however long play may last.
            Err(QueryError::NoAnswer(EngineError::TooLong(_))) => query(Some(Goal::Winner)),
            answer => answer,
        }?;
        let is_won = matches!(answer.outcome, Some(Outcome::Win | Outcome::Loss));
        *too_large |= answer.complete && is_won && !answer.is_value_known();
        Ok(answer)
    }

    /// Returns the engine of the position's game, which becomes the most recently used.
    fn engine_for(&mut self, position: &str) -> Result<&mut Box<dyn TextEngine>, TextError> {
        let engine = match self.engines.iter().rposition(|engine| engine.reads(position)) {
            Some(at) => self.engines.remove(at),
            None => {
                let game = self.rules.game_at(position)?;
                self.make_room();
                let left = self.make.budget.memory.saturating_sub(self.bytes() as usize);
                let budget = Budget { memory: left.max(self.make.budget.memory / 2), ..self.make.budget };
                EngineOptions { budget, ..self.make.clone() }.text_engine(&game)
            }
        };
        self.engines.push(engine);
        let last = self.engines.len() - 1;
        Ok(&mut self.engines[last])
    }

    /// Drops the least recently used engines until there is room for one more in number and in half the memory.
    fn make_room(&mut self) {
        while self.engines.len() >= MAX_ENGINES || self.bytes() > self.make.budget.memory as u64 / 2 {
            self.engines.remove(0);
        }
    }

    /// Returns the current size of all tables in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.engines.iter().map(|engine| engine.bytes()).sum()
    }
}
