//! Games that are written in Python, asked by the same engine.

mod book;
mod rules;
mod told;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use balpan::reach::{self, Count, ReachError};
use balpan::{Answer, Budget, Engine, EngineError, Game, Method, Solver, Stopped, Watch, laws, with_stack_for};
use balpan_games::census::{Census, count_values};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{error, of_census};
use crate::question;
use crate::waiting::{Patience, watched_with};
use rules::{Abilities, Halted, OwnRules, with_position};

/// How long a method of a game may go on after its search was told to stop, before an exception ends it; and again,
/// if it caught that.
const INTERRUPT_GRACE: Duration = Duration::from_millis(200);

/// A move, what it leads to, and the nimber of that.
type MoveAndNimber<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, u32);

/// The engine of a game that is written in Python.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct OwnEngine {
    rules: Arc<OwnRules>,
    method: Method,
    memory: usize,
    /// `None` where it was given up in the middle of a search.
    engine: Mutex<Option<Engine<OwnRules>>>,
}

#[pymethods]
impl OwnEngine {
    /// For a game that can do what `abilities` names.
    #[new]
    #[pyo3(signature = (abilities, impartial, misere, method, memory))]
    fn new(
        py: Python<'_>,
        abilities: Vec<String>,
        impartial: bool,
        misere: bool,
        method: &str,
        memory: usize,
    ) -> PyResult<Self> {
        let has = |name: &str| abilities.iter().any(|ability| ability == name);
        let abilities = Abilities {
            key: has("key"),
            canonical: has("canonical"),
            bounds: has("bounds"),
            parts: has("parts"),
            end: has("end"),
            impartial,
            misere,
        };
        Ok(Self {
            rules: Arc::new(OwnRules::new(abilities)),
            method: question::method(py, method)?,
            memory,
            engine: Mutex::new(None),
        })
    }

    /// What is known of a position.
    #[pyo3(signature = (game, position, ask, nimber, deadline, progress))]
    #[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
    fn solve<'py>(
        &self,
        py: Python<'py>,
        game: Py<PyAny>,
        position: &Bound<'py, PyAny>,
        ask: Option<&str>,
        nimber: bool,
        deadline: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let ask =
            question::ask(py, ask)?.unwrap_or(if nimber { balpan::Goal::Winner } else { balpan::Goal::MoveValues });
        let patience = Patience::new(py, deadline, progress)?;
        let name = game.bind(py).get_type().name()?.to_string();
        let begin = Instant::now();
        let last = Mutex::new(None);
        let (id, answered) = self.search(py, game, position, patience, |engine, position, watch| {
            let known = |state: &Answer<u32>| {
                *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(state.clone());
            };
            let answer = engine.solve(&position, ask, watch, known)?;
            if !nimber || !answer.complete {
                return Ok((answer, None));
            }
            let number = if engine.game().has().misere {
                engine.misere_value(&position, watch)
            } else {
                engine.nimber(&position, watch)
            };
            match number {
                Ok(number) => Ok((answer, Some(number))),
                Err(EngineError::Stopped(_)) => Ok((Answer { complete: false, ..answer }, None)),
                Err(none) => Err(none),
            }
        })?;
        let last = last.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (answer, number) = match (answered, last) {
            // What was known when it was stopped.
            (Err(EngineError::Stopped(_)), Some(known)) => (Answer { complete: false, ..known }, None),
            (answered, _) => answered.map_err(|none| told::no_answer(py, &self.rules, id, &none))?,
        };
        let told = told::answer(py, &self.rules, &name, id, &answer, number)?;
        told.set_item("seconds", begin.elapsed().as_secs_f64())?;
        Ok(told)
    }

    /// The nimber of a position; if they are wanted, all moves; and the number of positions searched.
    #[pyo3(signature = (game, position, moves, deadline, progress))]
    fn options<'py>(
        &self,
        py: Python<'py>,
        game: Py<PyAny>,
        position: &Bound<'py, PyAny>,
        moves: bool,
        deadline: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(u32, Vec<MoveAndNimber<'py>>, u64)> {
        let patience = Patience::new(py, deadline, progress)?;
        let (id, found) = self.search(py, game, position, patience, |engine, position, watch| {
            let before = engine.positions_searched();
            let nimber = engine.nimber(&position, watch)?;
            let rules = Arc::clone(engine.game());
            let mut options = Vec::new();
            for mv in rules.moves(&position).filter(|_| moves) {
                let after = rules.play(&position, mv);
                options.push((mv, after, engine.nimber(&after, watch)?));
            }
            Ok((nimber, options, engine.positions_searched() - before))
        })?;
        let rules = &self.rules;
        let (nimber, options, positions) = found.map_err(|none| told::no_answer(py, rules, id, &none))?;
        let option = |(mv, after, nimber)| (rules.mv(py, mv), rules.position(py, after), nimber);
        Ok((nimber, options.into_iter().map(option).collect(), positions))
    }

    /// Positions that play can reach from one, counted; and a histogram.
    #[pyo3(signature = (game, position, symmetry, count_games, deadline, lang_code, progress))]
    #[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
    fn census<'py>(
        &self,
        py: Python<'py>,
        game: Py<PyAny>,
        position: &Bound<'py, PyAny>,
        symmetry: bool,
        count_games: bool,
        deadline: Option<f64>,
        lang_code: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, String)> {
        let lang = question::lang(py, lang_code)?;
        let name = game.bind(py).get_type().name()?.to_string();
        let text = position.repr()?.to_string();
        let (rules, memory) = (&self.rules, self.memory);
        let patience = Patience::new(py, deadline, progress)?;
        let (id, counted) = self.run(py, game, position, patience, |id, watch| {
            let count = if symmetry { Count::Classes } else { Count::Positions };
            let values = count_values(&**rules, &id, count, memory, watch)?;
            let played = if count_games { reach::count_games(&**rules, &id, memory, watch)? } else { None };
            Ok((values, played))
        })?;
        let counted = counted.unwrap_or(Err(ReachError::Stopped(Stopped::Interrupted)));
        let (values, played) = counted.map_err(|unfinished| match unfinished {
            ReachError::Stopped(stopped) => told::no_answer(py, rules, id, &stopped.into()),
            unfinished @ ReachError::TooMany(_) => of_census(py, &unfinished),
        })?;
        let census = Census::new(&name, text, symmetry, &values, played);
        Ok((pythonize(py, &census)?, balpan_pictures::census_histogram(lang, &census)))
    }

    /// Plays at random and checks all that a game promises, after `check_keys`, which checks what it promises of keys.
    /// What is broken, in words, with the position that shows it.
    #[pyo3(signature = (game, start, plays, seed, check_keys, deadline))]
    #[expect(clippy::too_many_arguments, reason = "they are what the function's arguments are")]
    fn check_laws(
        &self,
        py: Python<'_>,
        game: Py<PyAny>,
        start: &Bound<'_, PyAny>,
        plays: u32,
        seed: u64,
        check_keys: Option<Py<PyAny>>,
        deadline: Option<f64>,
    ) -> PyResult<()> {
        let rules = &self.rules;
        let patience = Patience::new(py, deadline, None)?;
        let (_, checked) = self.run(py, game, start, patience, |id, _| {
            if let Some(Err(error)) = check_keys.map(|check_keys| Python::attach(|py| check_keys.call0(py))) {
                rules.fail(error);
            }
            rules.begin_laws(id);
            laws::check(&**rules, plays, seed)
        })?;
        match checked {
            Some(checked) => checked.map_err(|broken| told::broken(py, rules, broken)),
            None => {
                let message = "the laws were not all checked in time; of those that were, none is broken";
                Err(error(py, "NoAnswerError", message, "allow more time with deadline=, or take fewer plays"))
            }
        }
    }

    /// How many positions are remembered.
    #[getter]
    fn positions(&self) -> usize {
        self.rules.positions()
    }

    /// A position may know its game, and so go round in a circle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.rules.traverse(&visit)
    }

    fn __clear__(&self) {
        self.rules.forget();
    }
}

impl OwnEngine {
    /// Runs a search of a position by the engine. Returns the position's number, and what was found.
    fn search<T: Send>(
        &self,
        py: Python<'_>,
        game: Py<PyAny>,
        position: &Bound<'_, PyAny>,
        patience: Patience,
        question: impl FnOnce(&mut Engine<OwnRules>, u32, &Watch) -> Result<T, EngineError> + Send,
    ) -> PyResult<(u32, Result<T, EngineError>)> {
        let (id, found) = self.run(py, game, position, patience, |id, watch| {
            let lock = || self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            let kept = lock().take();
            let mut engine = kept.unwrap_or_else(|| self.fresh());
            let found = question(&mut engine, id, watch);
            // One that is stopped in the middle of a search does not come here, and is not asked again.
            *lock() = Some(engine);
            found
        })?;
        Ok((id, found.unwrap_or(Err(EngineError::Stopped(Stopped::Interrupted)))))
    }

    /// Does work about a position, which asks the game. Returns the position's number, and what the work comes to;
    /// `None` if it was stopped in the middle.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        game: Py<PyAny>,
        position: &Bound<'_, PyAny>,
        patience: Patience,
        work: impl FnOnce(u32, &Watch) -> T + Send,
    ) -> PyResult<(u32, Option<T>)> {
        let rules = &self.rules;
        let id = self.begin(game, position)?;
        let watch = Watch::default();
        let mut interrupt_at = None;
        let tick = |py: Python<'_>, _| {
            if !watch.is_stopping() {
                return Ok(());
            }
            let now = Instant::now();
            if now < *interrupt_at.get_or_insert(now + INTERRUPT_GRACE) {
                return Ok(());
            }
            interrupt_at = Some(now + INTERRUPT_GRACE);
            rules.interrupt(py)
        };
        let done = watched_with(py, &watch, patience, tick, |watch| {
            rules.watched_by(watch);
            caught(rules, || work(id, watch))
        });
        rules.finish();
        // The exception that a method of the game has raised.
        if let Some(error) = rules.failure() {
            return Err(error);
        }
        Ok((id, done??))
    }

    fn fresh(&self) -> Engine<OwnRules> {
        let budget = Budget { memory: self.memory, threads: 1 };
        Engine::new(Arc::clone(&self.rules), budget).with_method(self.method)
    }

    /// The number of a position, from now on asked about by the rules of this game.
    fn begin(&self, game: Py<PyAny>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        if !self.rules.begin(game) {
            return Err(error(
                position.py(),
                "GameError",
                "a game cannot be asked from within its own methods, nor by two threads at a time",
                "make another instance",
            ));
        }
        self.rules.number_of(position).map_err(|error| {
            self.rules.finish();
            with_position(position.py(), error, position)
        })
    }
}

/// What the work comes to, or `None` if it was given up in the middle.
///
/// It is done where there is room for deep play, on a thread that Python knows as long as it goes
/// on: where it came to know it anew for each position, that took ten times as long as all else.
fn caught<T: Send>(rules: &OwnRules, work: impl FnOnce() -> T + Send) -> PyResult<Option<T>> {
    let known = || {
        Python::attach(|py| {
            rules.begin_thread(py)?;
            let done = py.detach(|| {
                let done = catch_unwind(AssertUnwindSafe(work));
                // Without the interpreter, which whoever interrupts the thread holds.
                rules.end_thread();
                done
            });
            Ok::<_, PyErr>(done)
        })
    };
    match with_stack_for(None, known)? {
        Ok(done) => Ok(Some(done)),
        Err(panic) if panic.is::<Halted>() => Ok(None),
        Err(panic) => resume_unwind(panic),
    }
}
