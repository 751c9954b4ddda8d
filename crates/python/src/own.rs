//! Games that are written in Python, asked by the same engine.

mod book;
mod rules;
mod told;

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use balpan::reach::{Count, games};
use balpan::{Answer, Budget, Engine, Method, NoAnswer, Watch, laws, with_room};
use balpan_games::census::{Census, count_values};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{error, of_answer, of_census};
use crate::question;
use crate::waiting::{Patience, watched, watched_with};
use rules::{Abilities, Halted, OwnRules};

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
    fn new(abilities: Vec<String>, impartial: bool, misere: bool, method: &str, memory: usize) -> PyResult<Self> {
        let has = |name: &str| abilities.iter().any(|ability| ability == name);
        let abilities = Abilities {
            key: has("key"),
            canonical: has("canonical"),
            bounds: has("bounds"),
            parts: has("parts"),
            normal: impartial && !misere,
            misere: impartial && misere,
        };
        Ok(Self {
            rules: Arc::new(OwnRules::new(abilities)),
            method: question::method(method)?,
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
        let ask = question::ask(ask)?.unwrap_or(if nimber { balpan::Ask::Winner } else { balpan::Ask::Moves });
        let patience = Patience::new(deadline, progress)?;
        let name = game.bind(py).get_type().name()?.to_string();
        let begin = Instant::now();
        let (id, answer, number) = self.ask(py, game, position, patience, |engine, position, watch, known| {
            let answer = engine.ask(&position, ask, watch, |state| known(state))?;
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
                Err(NoAnswer::Stopped(_)) => Ok((Answer { complete: false, ..answer }, None)),
                Err(none) => Err(none),
            }
        })?;
        let told = told::answer(py, &self.rules, &name, id, &answer, number)?;
        told.set_item("seconds", begin.elapsed().as_secs_f64())?;
        Ok(told)
    }

    /// Positions that play can reach from one, counted; and a histogram.
    #[pyo3(signature = (game, position, symmetry, count_games, lang_code, progress))]
    #[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
    fn census<'py>(
        &self,
        py: Python<'py>,
        game: Py<PyAny>,
        position: &Bound<'py, PyAny>,
        symmetry: bool,
        count_games: bool,
        lang_code: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, String)> {
        let lang = question::lang(lang_code)?;
        let name = game.bind(py).get_type().name()?.to_string();
        let text = position.repr()?.to_string();
        let (rules, memory) = (&self.rules, self.memory);
        let id = self.begin(game, position)?;
        let counted = watched(py, Patience::new(None, progress)?, |watch| {
            rules.watched_by(watch);
            caught(|| {
                let count = if symmetry { Count::Classes } else { Count::Positions };
                let values = count_values(&**rules, &id, count, memory, watch)?;
                let played = if count_games { games(&**rules, &id, memory, watch)? } else { None };
                Ok((values, played))
            })
        });
        let counted = self.end(counted)?;
        let (values, played) = match counted {
            Some(counted) => counted.map_err(|unfinished| of_census(py, &unfinished))?,
            None => return Err(of_answer(py, &NoAnswer::Stopped(balpan::Stopped::Interrupted))),
        };
        let census = Census::new(&name, text, symmetry, &values, played);
        Ok((pythonize(py, &census)?, balpan_pictures::histogram(lang, &census)))
    }

    /// Plays at random and checks all that a game promises. What is broken, in words, with the
    /// position that shows it.
    #[pyo3(signature = (game, plays, seed))]
    fn check_laws(&self, py: Python<'_>, game: Py<PyAny>, plays: u32, seed: u64) -> PyResult<()> {
        let start = game.bind(py).call_method0("start")?;
        let rules = &self.rules;
        let id = self.begin(game, &start)?;
        rules.starts_at(id);
        let checked = watched(py, Patience::endless(), |watch| {
            rules.watched_by(watch);
            caught(|| laws::check(&**rules, plays, seed))
        });
        match self.end(checked)? {
            Some(Err(broken)) => Err(told::broken(py, rules, broken)),
            Some(Ok(())) | None => Ok(()),
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

/// A state of an answer, for whoever keeps the last.
type Report<'a> = &'a mut (dyn FnMut(&Answer<u32>) + Send);

impl OwnEngine {
    /// Asks the engine about a position. A search that is stopped says what was known by then.
    fn ask(
        &self,
        py: Python<'_>,
        game: Py<PyAny>,
        position: &Bound<'_, PyAny>,
        patience: Patience,
        question: impl FnOnce(
            &mut Engine<OwnRules>,
            u32,
            &Watch,
            Report<'_>,
        ) -> Result<(Answer<u32>, Option<u32>), NoAnswer>
        + Send,
    ) -> PyResult<(u32, Answer<u32>, Option<u32>)> {
        let id = self.begin(game, position)?;
        let watch = Watch::default();
        let last = Mutex::new(None);
        let work = |watch: &Watch| {
            let mut engine = self.engine.lock().unwrap_or_else(PoisonError::into_inner);
            self.rules.watched_by(watch);
            let mut asked = engine.take().unwrap_or_else(|| self.fresh());
            let answered = caught(|| {
                let mut known = |state: &Answer<u32>| {
                    *last.lock().unwrap_or_else(PoisonError::into_inner) = Some(state.clone());
                };
                question(&mut asked, id, watch, &mut known)
            });
            // What was given up in the middle of a search is not asked again.
            *engine = answered.is_some().then_some(asked);
            answered
        };
        let answered = watched_with(py, &watch, patience, |_, _| Ok(()), work);
        match self.end(answered)? {
            Some(answer) => {
                let (answer, number) = answer.map_err(|none| of_answer(py, &none))?;
                Ok((id, answer, number))
            }
            None => match last.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Some(known) => Ok((id, Answer { complete: false, ..known }, None)),
                None => Err(of_answer(py, &NoAnswer::Stopped(balpan::Stopped::Interrupted))),
            },
        }
    }

    fn fresh(&self) -> Engine<OwnRules> {
        let budget = Budget { memory: self.memory, threads: 1 };
        Engine::new(Arc::clone(&self.rules), budget).by(self.method)
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
        self.rules.number_of(position).inspect_err(|_| self.rules.finish())
    }

    /// What was found, or the exception that a method of the game has raised.
    fn end<T>(&self, found: PyResult<T>) -> PyResult<T> {
        self.rules.finish();
        match self.rules.failure() {
            Some(error) => Err(error),
            None => found,
        }
    }
}

/// What the work comes to, or `None` if it was given up in the middle.
///
/// It is done where there is room for deep play, on a thread that Python knows as long as it goes
/// on: where it came to know it anew for each position, that took ten times as long as all else.
fn caught<T: Send>(work: impl FnOnce() -> T + Send) -> Option<T> {
    let known = || Python::attach(|py| py.detach(|| catch_unwind(AssertUnwindSafe(work))));
    match with_room(None, known) {
        Ok(done) => Some(done),
        Err(panic) if panic.is::<Halted>() => None,
        Err(panic) => resume_unwind(panic),
    }
}
