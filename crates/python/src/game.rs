//! A game of a rules file, with its engines.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use balpan::{Budget, Stopped, Watch};
use balpan_games::presets::{all as all_presets, preset};
use balpan_games::{Answer, AnyGame, EngineCache, EngineOptions, Query, QueryError, RulesFile, nearest};
use balpan_strong::{Table, TableError, Tablebase, map_file};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{change_error, error, text_answer_error, text_error};
use crate::many::Many;
use crate::own::call::{guard, is_within_rules, run_rules, stopped_error};
use crate::own::is_registered;
use crate::question::{method, question};
use crate::steps::Steps;
use crate::waiting::RunControl;

/// Returns the names and descriptions of the presets.
#[pyfunction]
pub(crate) fn presets() -> Vec<(&'static str, String)> {
    let about = |name| preset(name).and_then(Result::ok).map_or_else(String::new, |rules| rules.about);
    all_presets().into_iter().map(|(name, _)| (name, about(name))).collect()
}

/// A game of a rules file.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct TextGame(pub(crate) Arc<Shared>);

/// The state of a game that its Python objects share.
pub(crate) struct Shared {
    pub(crate) rules: RulesFile,
    /// The game from the rules' own start.
    pub(crate) game: AnyGame,
    /// The rules that differ from the preset's; for a rules file, all of them.
    pub(crate) non_default_rules: Vec<String>,
    pub(crate) make: EngineOptions,
    engines: Mutex<EngineCache>,
    /// Idle engines of one thread each, for many positions at a time.
    idle: Mutex<Vec<EngineCache>>,
}

impl Shared {
    /// Answers a question about a position, and reports each state of the answer.
    pub(crate) fn ask(
        &self,
        position: &str,
        question: Query,
        watch: &Watch,
        report: &mut (dyn FnMut(&Answer) + Send),
    ) -> Result<Answer, QueryError> {
        let mut engines = self.engines(watch).map_err(balpan::EngineError::from)?;
        let answer = engines.ask(position, question, watch, report)?;
        Ok(self.with_rules(answer))
    }

    /// Adds the non-default rules to an answer.
    pub(crate) fn with_rules(&self, answer: Answer) -> Answer {
        Answer { rules: self.non_default_rules.clone(), ..answer }
    }

    /// Waits until the engines are free, or the watch stops.
    pub(crate) fn engines(&self, watch: &Watch) -> Result<MutexGuard<'_, EngineCache>, Stopped> {
        loop {
            match self.engines.try_lock() {
                Ok(engines) => return Ok(engines),
                // A search that was aborted: its engine is not used again.
                Err(TryLockError::Poisoned(engines)) => {
                    let mut engines = engines.into_inner();
                    *engines = EngineCache::new(self.rules.clone(), self.make.clone());
                    self.engines.clear_poison();
                    return Ok(engines);
                }
                Err(TryLockError::WouldBlock) if watch.is_stopping() => return Err(Stopped::Interrupted),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Returns engines of one thread, for one of this number of workers.
    pub(crate) fn take_idle(&self, workers: usize) -> EngineCache {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        idle.unwrap_or_else(|| self.new_engines(workers))
    }

    /// Creates engines of one thread, for one of this number of workers.
    pub(crate) fn new_engines(&self, workers: usize) -> EngineCache {
        let budget = Budget { memory: self.make.budget.memory / workers.max(1), threads: 1 };
        EngineCache::new(self.rules.clone(), EngineOptions { budget, ..self.make.clone() })
    }

    /// Takes back engines for the next worker.
    pub(crate) fn give_back(&self, engines: EngineCache) {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(engines);
    }

    /// Returns the game on the board of a position; the rules' own game without a position.
    pub(crate) fn at(&self, py: Python<'_>, position: Option<&str>) -> PyResult<AnyGame> {
        match position {
            None => Ok(self.game.clone()),
            Some(text) => guard(py, || self.rules.game_at(text))?.map_err(|error| text_error(py, &error)),
        }
    }

    /// Whether the game is written in Python. Its methods run one at a time, and may not ask its engines.
    pub(crate) fn is_own(&self) -> bool {
        is_registered(self.game.family())
    }

    /// Refuses a question from within a game's methods, if this one is written in Python: its engine may be in use.
    pub(crate) fn refuse_within_rules(&self, py: Python<'_>) -> PyResult<()> {
        let message = "a registered game cannot be asked from within a game's methods";
        let is_refused = self.is_own() && is_within_rules();
        if is_refused { Err(error(py, "GameError", message, "ask outside of its methods")) } else { Ok(()) }
    }
}

#[pymethods]
impl TextGame {
    /// The preset of this name, or the rules of a text, with changes.
    #[new]
    #[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
    fn new(
        py: Python<'_>,
        name: &str,
        text: Option<&str>,
        changes: Vec<String>,
        memory: usize,
        threads: Option<usize>,
        method_name: &str,
        strong: Vec<String>,
    ) -> PyResult<Self> {
        let rules = match text {
            Some(text) => RulesFile::parse(name, text).map_err(|error| text_error(py, &error))?,
            None => find_preset(py, name)?,
        };
        let rules = match &changes[..] {
            [] => rules,
            changes => rules.with_changes(changes).map_err(|error| change_error(py, &error))?,
        };
        let text_error = |error| text_error(py, &error);
        let preset_name = if text.is_some() { "" } else { name };
        let game = guard(py, || rules.game())?.map_err(text_error)?;
        let non_default_rules = guard(py, || rules.non_default_rules(preset_name))?.map_err(text_error)?;
        // Threads would wait for each other's methods.
        let threads = if is_registered(game.family()) { Some(1) } else { threads };
        let threads = threads.map_or_else(all_cores, |threads| threads.max(1));
        let mut make = EngineOptions::new(Budget { memory, threads });
        make.method = method(py, method_name)?;
        make.oracle = tablebase(py, &strong, &rules, &game)?.find(&rules, &game);
        let engines = Mutex::new(EngineCache::new(rules.clone(), make.clone()));
        Ok(Self(Arc::new(Shared { rules, game, non_default_rules, make, engines, idle: Mutex::default() })))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.rules.name
    }

    #[getter]
    fn about(&self) -> &str {
        &self.0.rules.about
    }

    /// Returns the text of the rules file.
    #[getter]
    fn rules(&self) -> &str {
        &self.0.rules.text
    }

    /// Returns the rules that differ from the preset's.
    #[getter]
    fn non_default_rules(&self) -> Vec<String> {
        self.0.non_default_rules.clone()
    }

    /// Returns the board's size, or the heaps at the start.
    #[getter]
    fn size(&self, py: Python<'_>) -> PyResult<String> {
        guard(py, || self.0.game.size())
    }

    /// Solves a position. The answer has the fields of the command's `--json`.
    fn solve<'py>(
        &self,
        py: Python<'py>,
        position: &str,
        ask: Option<&str>,
        nimber: bool,
        deadline: Option<f64>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (shared, question) = (&self.0, question(py, ask, nimber)?);
        shared.refuse_within_rules(py)?;
        let control = RunControl::new(py, deadline, progress)?;
        let mut last = None;
        let mut report = |answer: &Answer| last = Some(shared.with_rules(answer.clone()));
        let answer = run_rules(py, control, |watch| shared.ask(position, question, watch, &mut report))?;
        let answer = match answer {
            Some(answer) => answer.map_err(|error| text_answer_error(py, &error))?,
            // The last state before the search was aborted.
            None => Answer { complete: false, ..last.ok_or_else(|| stopped_error(py))? },
        };
        Ok(pythonize(py, &answer)?)
    }

    /// Returns an iterator over the states of an answer.
    fn steps(
        &self,
        py: Python<'_>,
        position: String,
        ask: Option<&str>,
        nimber: bool,
        deadline: Option<f64>,
    ) -> PyResult<Steps> {
        self.0.refuse_within_rules(py)?;
        Steps::start(py, Arc::clone(&self.0), position, question(py, ask, nimber)?, deadline)
    }

    /// Returns an iterator over the answers to many positions, in their order.
    fn solve_many(
        &self,
        positions: &Bound<'_, PyAny>,
        ask: Option<&str>,
        nimber: bool,
        deadline: Option<f64>,
        threads: Option<usize>,
    ) -> PyResult<Many> {
        let threads = threads.unwrap_or(self.0.make.budget.threads).max(1);
        let question = question(positions.py(), ask, nimber)?;
        Many::start(Arc::clone(&self.0), positions, question, deadline, threads)
    }
}

/// Returns the number of processors.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the preset of this name.
pub(crate) fn find_preset(py: Python<'_>, name: &str) -> PyResult<RulesFile> {
    let names = || all_presets().into_iter().map(|(name, _)| name);
    match preset(name) {
        Some(rules) => rules.map_err(|error| text_error(py, &error)),
        None => {
            let hint = nearest(name, names()).map_or_else(String::new, |similar| format!("did you mean {similar:?}? "));
            let help = format!(
                "{hint}the games are {}; rules of your own are read by balpan.rules()",
                names().collect::<Vec<_>>().join(", ")
            );
            Err(error(py, "RulesError", &format!("there is no game {name:?}"), &help))
        }
    }
}

/// Returns the built-in books and the strong solutions at these paths, which have to be of the game.
fn tablebase(py: Python<'_>, paths: &[String], rules: &RulesFile, game: &AnyGame) -> PyResult<Tablebase> {
    let mut tablebase = Tablebase::with_books();
    for path in paths {
        let table = open_file(py, path, Table::open)?;
        let text_error = |error| text_error(py, &error);
        let found = table.header().subject.identity().map_err(text_error)?;
        let expected = rules.identity(&game.size()).map_err(text_error)?;
        if found != expected {
            let lines = |text: &str| text.lines().collect::<Vec<_>>().join(", ");
            let message = format!("{path}: the file is of other rules: {}", lines(&found));
            return Err(error(py, "StrongError", &message, &format!("expected a file of {}", lines(&expected))));
        }
        tablebase.add(path.as_str(), table).map_err(text_error)?;
    }
    Ok(tablebase)
}

/// Maps and opens a file of a strong solution.
pub(crate) fn open_file<T>(
    py: Python<'_>,
    path: &str,
    open: impl FnOnce(memmap2::Mmap) -> Result<T, TableError>,
) -> PyResult<T> {
    let refused = |e: TableError| {
        error(py, "StrongError", &format!("{path}: {e}"), "expected a file that `balpan build` has written")
    };
    map_file(path.as_ref(), open)?.map_err(refused)
}
