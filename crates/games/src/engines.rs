//! Engines with text as input and output, for every family.

use std::fmt;
use std::sync::Arc;
use std::time::Instant;

use balpan::keep::Kept;
use balpan::{Ask, Budget, Engine, Method, NoAnswer, Oracle, Outcome, Solver, Watch};

use crate::answer::{Answer, Number};
use crate::any::Task;
use crate::notation::Notation;
use crate::rules::RulesFile;
use crate::text::TextError;

/// What is asked of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Question {
    /// How far to go; `None` goes as far as is [within reach](balpan::Expert::within_reach).
    pub ask: Option<Ask>,
    /// Whether the nimber is asked for, too; of a misère game the misère value.
    pub number: bool,
}

/// Why there is no answer to a question in text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoTextAnswer {
    /// The text is not a position of the game.
    #[error(transparent)]
    Text(#[from] TextError),
    /// There is no such answer.
    #[error(transparent)]
    NoAnswer(#[from] NoAnswer),
}

/// A function that is called with each state of an answer.
pub type Report<'r> = &'r mut (dyn FnMut(&Answer) + Send);

/// An engine of one game, whatever its family: text in, text out.
pub trait TextEngine: Send {
    /// Answers what is asked of a position, and reports each step. A question that `watch`
    /// stops gets an answer that is not complete.
    ///
    /// # Errors
    /// If the text is not a position of this game, or there is no such answer.
    fn ask(
        &mut self,
        name: &str,
        position: &str,
        question: Question,
        watch: &Watch,
        report: Report<'_>,
    ) -> Result<Answer, NoTextAnswer>;

    /// Whether the text is a position of this game.
    fn reads(&self, position: &str) -> bool;

    /// The bytes of the engine's tables now.
    fn bytes(&self) -> u64;
}

impl<G: Notation> TextEngine for Engine<G> {
    fn ask(
        &mut self,
        name: &str,
        position: &str,
        question: Question,
        watch: &Watch,
        report: Report<'_>,
    ) -> Result<Answer, NoTextAnswer> {
        let begin = Instant::now();
        let game = Arc::clone(self.game());
        let position = game.parse(position)?;
        let as_text = |known: &balpan::Answer<G::Move>| Answer::new(&*game, name, &position, known, begin.elapsed());
        let ask = question.ask_of(&*game, &position);
        let known = Self::ask(self, &position, ask, watch, |known| report(&as_text(known)))?;
        let mut answer = as_text(&known);
        if question.number && answer.complete {
            answer.complete = false;
            report(&answer);
            let search = NumberSearch::of(self, &position, watch)?;
            (answer.number, answer.complete) = (search.number, search.number.is_some());
            answer.nimber_at_least = search.nimber_at_least;
            answer.positions_searched += search.positions;
            answer.seconds = begin.elapsed().as_secs_f64();
            report(&answer);
        }
        Ok(answer)
    }

    fn reads(&self, position: &str) -> bool {
        self.game().parse(position).is_ok()
    }

    fn bytes(&self) -> u64 {
        Solver::bytes(self)
    }
}

impl Question {
    /// How far to go with this position. A question for the nimber alone gets the winner as well,
    /// which follows from it, and no more.
    pub fn ask_of<G: Notation>(&self, game: &G, position: &G::Position) -> Ask {
        let otherwise = || if self.number { Ask::Winner } else { game.within_reach(position) };
        self.ask.unwrap_or_else(otherwise)
    }
}

/// What the position counts for in a sum.
///
/// # Errors
/// If it is not impartial, or `watch` says to stop.
pub fn number<G: Notation>(engine: &mut Engine<G>, position: &G::Position, watch: &Watch) -> Result<Number, NoAnswer> {
    if engine.game().is_impartial_misere() {
        engine.misere_value(position, watch).map(Number::MisereValue)
    } else {
        engine.nimber(position, watch).map(Number::Nimber)
    }
}

/// What came of a search for a [`number`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NumberSearch {
    /// The number, unless `watch` stopped the search.
    pub number: Option<Number>,
    /// What the nimber is at least, if the search for it was stopped and that is more than who wins tells.
    pub nimber_at_least: Option<u32>,
    /// The number of positions searched for it.
    pub positions: u64,
}

impl NumberSearch {
    /// Searches for the [`number`] of a position.
    ///
    /// # Errors
    /// If it is not impartial, or cannot be searched to its end.
    pub fn of<G: Notation>(engine: &mut Engine<G>, position: &G::Position, watch: &Watch) -> Result<Self, NoAnswer> {
        let before = Solver::positions_searched(engine);
        let number = match number(engine, position, watch) {
            Ok(number) => Some(number),
            Err(NoAnswer::Stopped(_)) => None,
            Err(e) => return Err(e),
        };
        let positions = Solver::positions_searched(engine).saturating_sub(before);
        let nimber_at_least = match number {
            None if engine.game().is_impartial() => Some(engine.solver_of_nimbers(position, watch)?.at_least(position)),
            _ => None,
        };
        Ok(Self { number, nimber_at_least: nimber_at_least.filter(|least| *least > 1), positions })
    }
}

/// Results that are kept of the game of one [size](Notation::size): on a board, or from
/// heaps, of another size the keys of positions are others. See [`Engine::keeping`].
#[derive(Clone, Debug)]
pub struct KeptOf {
    /// The game's size.
    pub size: String,
    /// Its results.
    pub kept: Kept,
}

/// Somebody who knows values of the game of one [size](Notation::size).
#[derive(Clone, Debug)]
pub struct KnownOf {
    /// The game's size.
    pub size: String,
    /// Who knows them.
    pub oracle: Arc<dyn Oracle>,
}

impl KnownOf {
    /// The engine, which asks who knows values of its game if somebody does.
    pub fn inform<G: Notation>(known: Option<&Self>, engine: Engine<G>) -> Engine<G> {
        match known {
            Some(Self { size, oracle }) if *size == engine.game().size() => engine.informed_by(Arc::clone(oracle)),
            _ => engine,
        }
    }
}

/// Makes an engine of a game.
#[derive(Clone, Debug)]
pub struct MakeEngine {
    /// What it may spend.
    pub budget: Budget,
    /// By which method it solves.
    pub method: Method,
    /// Who keeps its results, if anybody does.
    pub kept: Option<KeptOf>,
    /// Who knows values, if anybody does.
    pub known: Option<KnownOf>,
}

impl MakeEngine {
    /// Makes engines within the budget, which choose their solvers themselves.
    #[must_use]
    pub const fn within(budget: Budget) -> Self {
        Self { budget, method: Method::Auto, kept: None, known: None }
    }

    /// An engine of the game.
    pub fn engine<G: Notation>(self, game: &G) -> Engine<G> {
        let engine = Engine::new(game.clone(), self.budget).by(self.method);
        let engine = KnownOf::inform(self.known.as_ref(), engine);
        match self.kept {
            Some(KeptOf { size, kept }) if size == game.size() => engine.keeping(kept),
            _ => engine,
        }
    }
}

impl Task for MakeEngine {
    type Output = Box<dyn TextEngine>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        Box::new(self.engine(game))
    }
}

/// The engines of one rules file: one for each board that its positions are on, as far as
/// memory goes. Those asked last are kept.
pub struct Engines {
    rules: RulesFile,
    make: MakeEngine,
    /// The one asked last at the end.
    engines: Vec<Box<dyn TextEngine>>,
}

impl fmt::Debug for Engines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Engines").field("rules", &self.rules).finish_non_exhaustive()
    }
}

/// The most free cells of a placement board whose plies are found at once.
const FEW_CELLS: usize = 25;

/// Engines of one rules file that are kept at a time: each may take a part of the memory.
const MOST_ENGINES: usize = 4;

impl Engines {
    /// Engines that are made as this says.
    #[must_use]
    pub const fn new(rules: RulesFile, make: MakeEngine) -> Self {
        Self { rules, make, engines: Vec::new() }
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &RulesFile {
        &self.rules
    }

    /// Answers as [`TextEngine::ask`], by the engine of the position's board.
    ///
    /// # Errors
    /// If the text is not a position of such a game, or there is no such answer.
    pub fn ask(
        &mut self,
        position: &str,
        question: Question,
        watch: &Watch,
        report: Report<'_>,
    ) -> Result<Answer, NoTextAnswer> {
        let name = self.rules.name.clone();
        self.engine_for(position)?.ask(&name, position, question, watch, report)
    }

    /// Answers as [`ask`](Self::ask) for somebody who looks at many positions of one game, as far as
    /// can be told soon: once a position was too large for plies, which is remembered in
    /// `too_large`, others with many free cells are asked who wins, and no more.
    ///
    /// # Errors
    /// If the text is not a position of such a game, or there is no such answer.
    pub fn ask_in_reach(
        &mut self,
        position: &str,
        too_large: &mut bool,
        watch: &Watch,
    ) -> Result<Answer, NoTextAnswer> {
        let free = position.bytes().filter(|byte| *byte == b'.').count();
        let ask = if *too_large && free > FEW_CELLS { Some(Ask::Winner) } else { None };
        let mut asked = |ask| self.ask(position, Question { ask, number: false }, watch, &mut |_| {});
        let answer = match asked(ask) {
            // Nimbers decide who wins, however long play may last.
            Err(NoTextAnswer::NoAnswer(NoAnswer::TooLong(_))) => asked(Some(Ask::Winner)),
            answer => answer,
        }?;
        let is_won = matches!(answer.outcome, Some(Outcome::Win | Outcome::Loss));
        *too_large |= answer.complete && is_won && answer.remoteness.is_none();
        Ok(answer)
    }

    /// The engine of the game that the text is a position of.
    fn engine_for(&mut self, position: &str) -> Result<&mut Box<dyn TextEngine>, TextError> {
        let engine = match self.engines.iter().rposition(|engine| engine.reads(position)) {
            Some(at) => self.engines.remove(at),
            None => {
                let game = self.rules.game_at(position)?;
                self.make_room();
                let left = self.make.budget.memory.saturating_sub(self.bytes() as usize);
                let budget = Budget { memory: left.max(self.make.budget.memory / 2), ..self.make.budget };
                game.run(MakeEngine { budget, ..self.make.clone() })
            }
        };
        self.engines.push(engine);
        let last = self.engines.len() - 1;
        Ok(&mut self.engines[last])
    }

    /// Drops the engines that were asked longest ago, until there are few that take little.
    fn make_room(&mut self) {
        while self.engines.len() >= MOST_ENGINES || self.bytes() > self.make.budget.memory as u64 / 2 {
            self.engines.remove(0);
        }
    }

    /// The bytes of all tables now.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.engines.iter().map(|engine| engine.bytes()).sum()
    }
}
