//! A game by a rules file, with its engines: the same for all who hold it.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Duration;

use balpan::{Budget, Stopped, Watch};
use balpan_games::presets::{PRESETS, preset};
use balpan_games::{Answer, AnyGame, Engines, MakeEngine, NoTextAnswer, Question, RulesFile, nearest};
use balpan_strong::{Table, TableError, Tablebase, map_file};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{error, of_change, of_text, of_text_answer};
use crate::many::Many;
use crate::question::{method, question};
use crate::steps::Steps;
use crate::waiting::{Patience, watched};

/// The names of the presets, each with what it is about.
#[pyfunction]
pub(crate) fn presets() -> Vec<(&'static str, String)> {
    let about = |name| preset(name).and_then(Result::ok).map_or_else(String::new, |rules| rules.about);
    PRESETS.iter().map(|(name, _)| (*name, about(name))).collect()
}

/// A game by a rules file.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct TextGame(pub(crate) Arc<Shared>);

/// What its answers need.
pub(crate) struct Shared {
    pub(crate) rules: RulesFile,
    /// The game from the rules' own start.
    pub(crate) game: AnyGame,
    /// The rules that its name does not tell.
    pub(crate) untold: Vec<String>,
    pub(crate) make: MakeEngine,
    engines: Mutex<Engines>,
    /// Engines of one thread each, for many positions at a time, that nobody uses.
    spare: Mutex<Vec<Engines>>,
}

impl Shared {
    /// Answers what is asked of a position, and reports each step.
    pub(crate) fn ask(
        &self,
        position: &str,
        question: Question,
        watch: &Watch,
        report: &mut (dyn FnMut(&Answer) + Send),
    ) -> Result<Answer, NoTextAnswer> {
        let mut engines = self.engines(watch).map_err(balpan::EngineError::from)?;
        let answer = engines.ask(position, question, watch, report)?;
        Ok(self.told(answer))
    }

    /// The answer, with the rules that the game's name does not tell.
    pub(crate) fn told(&self, answer: Answer) -> Answer {
        Answer { rules: self.untold.clone(), ..answer }
    }

    /// The engines, as soon as nobody else asks them.
    pub(crate) fn engines(&self, watch: &Watch) -> Result<MutexGuard<'_, Engines>, Stopped> {
        loop {
            match self.engines.try_lock() {
                Ok(engines) => return Ok(engines),
                // What was asked when it broke is not there, and nothing else is wrong.
                Err(TryLockError::Poisoned(engines)) => return Ok(engines.into_inner()),
                Err(TryLockError::WouldBlock) if watch.is_stopping() => return Err(Stopped::Interrupted),
                Err(TryLockError::WouldBlock) => thread::sleep(Duration::from_millis(1)),
            }
        }
    }

    /// Engines of one thread, for one of several workers.
    pub(crate) fn spare(&self, of: usize) -> Engines {
        let spare = self.spare.lock().unwrap_or_else(PoisonError::into_inner).pop();
        spare.unwrap_or_else(|| {
            let budget = Budget { memory: self.make.budget.memory / of.max(1), threads: 1 };
            Engines::new(self.rules.clone(), MakeEngine { budget, ..self.make.clone() })
        })
    }

    /// Takes them back, for whoever asks next.
    pub(crate) fn give_back(&self, engines: Engines) {
        self.spare.lock().unwrap_or_else(PoisonError::into_inner).push(engines);
    }

    /// The game that a text is a position of, or the rules' own if there is no text.
    pub(crate) fn at(&self, py: Python<'_>, position: Option<&str>) -> PyResult<AnyGame> {
        match position {
            None => Ok(self.game.clone()),
            Some(text) => self.rules.game_at(text).map_err(|mistake| of_text(py, &mistake)),
        }
    }
}

#[pymethods]
impl TextGame {
    /// The preset of this name, or the rules in a text; changed.
    #[new]
    #[pyo3(signature = (name, text, changes, memory, threads, method_name, strong))]
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
            Some(text) => RulesFile::parse(name, text).map_err(|mistake| of_text(py, &mistake))?,
            None => preset_of(py, name)?,
        };
        let rules = match &changes[..] {
            [] => rules,
            changes => rules.changed(changes).map_err(|mistake| of_change(py, &mistake))?,
        };
        let told = |mistake| of_text(py, &mistake);
        let told_as = if text.is_some() { "" } else { name };
        let (game, untold) = (rules.game().map_err(told)?, rules.untold(told_as).map_err(told)?);
        let threads = threads.map_or_else(all_cores, |threads| threads.max(1));
        let mut make = MakeEngine::within(Budget { memory, threads });
        make.method = method(py, method_name)?;
        make.known = tablebase(py, &strong, &rules, &game)?.find(&rules, &game);
        let engines = Mutex::new(Engines::new(rules.clone(), make.clone()));
        Ok(Self(Arc::new(Shared { rules, game, untold, make, engines, spare: Mutex::default() })))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.rules.name
    }

    #[getter]
    fn about(&self) -> &str {
        &self.0.rules.about
    }

    /// The rules file's text.
    #[getter]
    fn rules(&self) -> &str {
        &self.0.rules.text
    }

    /// The rules that the name does not tell.
    #[getter]
    fn untold(&self) -> Vec<String> {
        self.0.untold.clone()
    }

    /// The board's size, or the heaps at the start.
    #[getter]
    fn size(&self) -> String {
        self.0.game.size()
    }

    /// What is known of a position, as the command's `--json` has it.
    #[pyo3(signature = (position, ask, nimber, deadline, progress))]
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
        let patience = Patience::new(py, deadline, progress)?;
        let answer = watched(py, patience, |watch| shared.ask(position, question, watch, &mut |_| {}))?;
        Ok(pythonize(py, &answer.map_err(|none| of_text_answer(py, &none))?)?)
    }

    /// The answer as it grows.
    #[pyo3(signature = (position, ask, nimber, deadline))]
    fn steps(
        &self,
        py: Python<'_>,
        position: String,
        ask: Option<&str>,
        nimber: bool,
        deadline: Option<f64>,
    ) -> PyResult<Steps> {
        Steps::start(py, Arc::clone(&self.0), position, question(py, ask, nimber)?, deadline)
    }

    /// The answers of many positions, in their order.
    #[pyo3(signature = (positions, ask, nimber, deadline, threads))]
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

/// As many threads as there are processors.
pub(crate) fn all_cores() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// A preset, or that there is none of this name.
pub(crate) fn preset_of(py: Python<'_>, name: &str) -> PyResult<RulesFile> {
    let names = || PRESETS.iter().map(|(name, _)| *name);
    match preset(name) {
        Some(rules) => rules.map_err(|mistake| of_text(py, &mistake)),
        None => {
            let meant = nearest(name, names()).map_or_else(String::new, |meant| format!("did you mean {meant:?}? "));
            let help = format!(
                "{meant}the games are {}; rules of your own are read by balpan.rules()",
                names().collect::<Vec<_>>().join(", ")
            );
            Err(error(py, "RulesError", &format!("there is no game {name:?}"), &help))
        }
    }
}

/// The books, and the strong solutions at these paths, which have to be of the game.
fn tablebase(py: Python<'_>, paths: &[String], rules: &RulesFile, game: &AnyGame) -> PyResult<Tablebase> {
    let mut tablebase = Tablebase::with_books();
    for path in paths {
        let table = opened(py, path, Table::open)?;
        let of = table.header().subject.clone();
        let text = |mistake| of_text(py, &mistake);
        let told = RulesFile::parse(&of.game, &of.rules).and_then(|rules| rules.told(&of.size)).map_err(text)?;
        let asked = rules.told(&game.size()).map_err(text)?;
        if told != asked {
            let lines = |text: &str| text.lines().collect::<Vec<_>>().join(", ");
            let message = format!("{path}: the file is of other rules: {}", lines(&told));
            return Err(error(py, "StrongError", &message, &format!("expected a file of {}", lines(&asked))));
        }
        tablebase.add(path.as_str(), table).map_err(text)?;
    }
    Ok(tablebase)
}

/// A strong solution in a file.
pub(crate) fn opened<T>(
    py: Python<'_>,
    path: &str,
    open: impl FnOnce(memmap2::Mmap) -> Result<T, TableError>,
) -> PyResult<T> {
    let refused = |e: TableError| {
        error(py, "StrongError", &format!("{path}: {e}"), "expected a file that `balpan build` has written")
    };
    map_file(path.as_ref(), open)?.map_err(refused)
}
