//! Games that are written in Python.

mod answer;
pub(crate) mod call;
mod interned;
mod notation;
mod rules;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use balpan::reach::{self, Count, ReachError};
use balpan::{Answer, Budget, Engine, EngineError, Game, Method, Solver, Stopped, Watch, laws};
use balpan_games::census::{Census, count_values};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{census_error, error};
use crate::question;
use crate::waiting::RunControl;
use call::{fail, run_rules};
pub(crate) use notation::{is_registered, register};
use rules::{Abilities, PythonRules, with_position};

/// A move, the position after it, and the nimber of that position.
type MoveAndNimber<'py> = (Bound<'py, PyAny>, Bound<'py, PyAny>, u32);

/// The engine of a game that is written in Python.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct OwnEngine {
    rules: Arc<PythonRules>,
    method: Method,
    memory: usize,
    /// `None` before the first search, and after one that was aborted.
    engine: Mutex<Option<Engine<PythonRules>>>,
}

#[pymethods]
impl OwnEngine {
    /// An engine of a game with these abilities.
    #[new]
    fn new(py: Python<'_>, abilities: Abilities, method: &str, memory: usize) -> PyResult<Self> {
        Ok(Self {
            rules: Arc::new(PythonRules::new(abilities, [const { String::new() }; 2])),
            method: question::method(py, method)?,
            memory,
            engine: Mutex::new(None),
        })
    }

    /// Solves a position.
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
        let goal =
            question::goal(py, ask)?.unwrap_or(if nimber { balpan::Goal::Winner } else { balpan::Goal::MoveValues });
        let control = RunControl::new(py, deadline, progress)?;
        let name = game.bind(py).get_type().name()?.to_string();
        let begin = Instant::now();
        let last = Mutex::new(None);
        let (id, result) = self.search(py, game, position, control, |engine, position, watch| {
            let report = |state: &Answer<u32>| {
                *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(state.clone());
            };
            let answer = engine.solve(&position, goal, watch, report)?;
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
                Err(error) => Err(error),
            }
        })?;
        let last = last.into_inner().unwrap_or_else(PoisonError::into_inner);
        let (answer, number) = match (result, last) {
            // The last state before the stop.
            (Err(EngineError::Stopped(_)), Some(answer)) => (Answer { complete: false, ..answer }, None),
            (result, _) => result.map_err(|error| answer::engine_error(py, &self.rules, id, &error))?,
        };
        let dict = answer::to_dict(py, &self.rules, &name, id, &answer, number)?;
        dict.set_item("seconds", begin.elapsed().as_secs_f64())?;
        Ok(dict)
    }

    /// Returns the nimber of a position, its options if `moves` is set, and the number of positions searched.
    fn options<'py>(
        &self,
        py: Python<'py>,
        game: Py<PyAny>,
        position: &Bound<'py, PyAny>,
        moves: bool,
        deadline: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(u32, Vec<MoveAndNimber<'py>>, u64)> {
        let control = RunControl::new(py, deadline, progress)?;
        let (id, found) = self.search(py, game, position, control, |engine, position, watch| {
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
        let (nimber, options, positions) = found.map_err(|error| answer::engine_error(py, rules, id, &error))?;
        let option = |(mv, after, nimber)| (rules.mv(py, mv), rules.position(py, after), nimber);
        Ok((nimber, options.into_iter().map(option).collect(), positions))
    }

    /// Counts the positions that play can reach from one. Also returns a histogram.
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
        let control = RunControl::new(py, deadline, progress)?;
        let (id, counted) = self.run(py, game, position, control, |id, watch| {
            let count = if symmetry { Count::Classes } else { Count::Positions };
            let values = count_values(&**rules, &id, count, memory, watch)?;
            let games = if count_games { reach::count_games(&**rules, &id, memory, watch)? } else { None };
            Ok((values, games))
        })?;
        let counted = counted.unwrap_or(Err(ReachError::Stopped(Stopped::Interrupted)));
        let (values, games) = counted.map_err(|error| match error {
            ReachError::Stopped(stopped) => answer::engine_error(py, rules, id, &stopped.into()),
            error @ ReachError::TooMany(_) => census_error(py, &error),
        })?;
        let census = Census::new(&name, text, symmetry, &values, games);
        Ok((pythonize(py, &census)?, balpan_pictures::census_histogram(lang, &census)))
    }

    /// Calls `check_keys`, then plays at random and checks the laws of a game. Raises an exception with the broken law
    /// and the position that shows it.
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
        let control = RunControl::new(py, deadline, None)?;
        let (_, checked) = self.run(py, game, start, control, |id, _| {
            if let Some(Err(error)) = check_keys.map(|check_keys| Python::attach(|py| check_keys.call0(py))) {
                fail(error);
            }
            rules.begin_laws(id);
            laws::check(&**rules, plays, seed)
        })?;
        match checked {
            Some(checked) => checked.map_err(|law| answer::law_error(py, rules, law)),
            None => {
                let message = "the laws were not all checked in time; of those that were, none is broken";
                Err(error(py, "NoAnswerError", message, "allow more time with deadline=, or take fewer plays"))
            }
        }
    }

    /// Returns the number of positions that are remembered.
    #[getter]
    fn positions(&self) -> usize {
        self.rules.positions()
    }

    /// Visits the held objects: a position may refer to its game, and so form a cycle.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.rules.traverse(&visit)
    }

    fn __clear__(&self) {
        self.rules.clear();
    }
}

impl OwnEngine {
    /// Runs a search of a position with the engine. Returns the position's number and the result.
    fn search<T: Send>(
        &self,
        py: Python<'_>,
        game: Py<PyAny>,
        position: &Bound<'_, PyAny>,
        control: RunControl,
        ask: impl FnOnce(&mut Engine<PythonRules>, u32, &Watch) -> Result<T, EngineError> + Send,
    ) -> PyResult<(u32, Result<T, EngineError>)> {
        let (id, found) = self.run(py, game, position, control, |id, watch| {
            let lock = || self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            let idle = lock().take();
            let mut engine = idle.unwrap_or_else(|| self.new_engine());
            let found = ask(&mut engine, id, watch);
            // An aborted search unwinds past this, so that its engine is not used again.
            *lock() = Some(engine);
            found
        })?;
        Ok((id, found.unwrap_or(Err(EngineError::Stopped(Stopped::Interrupted)))))
    }

    /// Runs work that calls methods of the game. Returns the position's number and the result, which is `None` if the
    /// work was aborted.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        game: Py<PyAny>,
        position: &Bound<'_, PyAny>,
        control: RunControl,
        work: impl FnOnce(u32, &Watch) -> T + Send,
    ) -> PyResult<(u32, Option<T>)> {
        let rules = &self.rules;
        let id = self.begin(game, position)?;
        let done = run_rules(py, control, |watch| work(id, watch));
        rules.finish();
        Ok((id, done?))
    }

    fn new_engine(&self) -> Engine<PythonRules> {
        let budget = Budget { memory: self.memory, threads: 1 };
        Engine::new(Arc::clone(&self.rules), budget).with_method(self.method)
    }

    /// Makes the rules call this game, and returns the number of a position.
    fn begin(&self, game: Py<PyAny>, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        if !self.rules.begin(game) {
            return Err(error(
                position.py(),
                "GameError",
                "a game cannot be asked from within its own methods, nor by two threads at a time",
                "make another instance",
            ));
        }
        self.rules.position_id(position).map_err(|error| {
            self.rules.finish();
            with_position(position.py(), error, position)
        })
    }
}
