//! A game of Python's as the solvers see it: positions and moves are numbers.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use balpan::{Bounds, Expert, Game, Hints, Impartial, Keyed, Outcome, Value, Watch};
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::book::{Book, Edge, Numbers, Page};
use crate::errors::error_at;
use crate::many::shown;

/// What a game can tell beside its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    pub(super) key: bool,
    pub(super) canonical: bool,
    pub(super) bounds: bool,
    pub(super) parts: bool,
    /// It says how play ends. Otherwise whoever cannot move loses, in misère games wins.
    pub(super) end: bool,
    pub(super) impartial: bool,
    pub(super) misere: bool,
}

impl Abilities {
    /// How play ends, for the player to move, where the game does not say it.
    const fn default_end(self) -> Outcome {
        if self.misere { Outcome::Win } else { Outcome::Loss }
    }
}

/// A search is given up in its middle: nothing that it would have found is known.
pub(super) struct Halted;

/// A search of positions whose moves are known looks so often whether it was told to stop.
const POLL_CALLS: u32 = 256;

thread_local! {
    /// Calls since the last time.
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// A game that is written in Python.
pub(super) struct OwnRules {
    has: Abilities,
    /// Who is asked: only while a question is.
    game: Mutex<Option<Py<PyAny>>>,
    book: RwLock<Book>,
    numbers: OnceLock<Numbers>,
    start: Mutex<u32>,
    watch: Mutex<Watch>,
    /// What a method has raised.
    failed: Mutex<Option<PyErr>>,
    /// The thread that searches, by Python's number for it, while it may be interrupted.
    thread: Mutex<Option<u64>>,
    /// Whether that thread was interrupted: what its methods raise then is no error of theirs.
    is_interrupted: AtomicBool,
    /// Whether the caller checks the ends of an impartial game itself, and words what is wrong.
    checks_laws: AtomicBool,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl OwnRules {
    pub(super) fn new(has: Abilities) -> Self {
        Self {
            has,
            game: Mutex::default(),
            book: RwLock::default(),
            numbers: OnceLock::new(),
            start: Mutex::new(0),
            watch: Mutex::default(),
            failed: Mutex::default(),
            thread: Mutex::default(),
            is_interrupted: AtomicBool::new(false),
            checks_laws: AtomicBool::new(false),
        }
    }

    pub(super) const fn has(&self) -> Abilities {
        self.has
    }

    /// How many positions were met.
    pub(super) fn positions(&self) -> usize {
        self.read().pages.len()
    }

    /// Shows Python's collector of garbage what is held: nothing while somebody asks.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let (Ok(book), Some(numbers)) = (self.book.try_read(), self.numbers.get()) {
            book.pages.iter().try_for_each(|page| visit.call(&page.position))?;
            book.moves.iter().try_for_each(|mv| visit.call(mv))?;
            numbers.traverse(visit)?;
        }
        Ok(())
    }

    /// Lets go of all that is held: nobody can ask any more.
    pub(super) fn forget(&self) {
        let Some(numbers) = self.numbers.get() else { return };
        let book = std::mem::take(&mut *self.write());
        Python::attach(|py| numbers.clear(py));
        drop(book);
    }

    /// Questions are put to this game from now on; `false` if one is being asked.
    pub(super) fn begin(&self, game: Py<PyAny>) -> bool {
        let mut asked = lock(&self.game);
        let is_free = asked.is_none();
        if is_free {
            *asked = Some(game);
            self.is_interrupted.store(false, Relaxed);
        }
        is_free
    }

    /// And to none any more.
    pub(super) fn finish(&self) {
        let asked = lock(&self.game).take();
        // It may be the last who holds it, and then runs code of Python's.
        drop(asked);
    }

    /// Searches are given up when this watch says so.
    pub(super) fn watched_by(&self, watch: &Watch) {
        *lock(&self.watch) = watch.clone();
    }

    /// Laws are checked from this position on: where [`start`](Game::start) is.
    pub(super) fn begin_laws(&self, start: u32) {
        *lock(&self.start) = start;
        self.checks_laws.store(true, Relaxed);
    }

    /// Notes the thread that searches, so that [`interrupt`](Self::interrupt) finds it.
    pub(super) fn begin_thread(&self, py: Python<'_>) -> PyResult<()> {
        *lock(&self.thread) = Some(py.import("threading")?.call_method0("get_ident")?.extract()?);
        Ok(())
    }

    /// The thread is not interrupted any more.
    pub(super) fn end_thread(&self) {
        *lock(&self.thread) = None;
    }

    /// Raises an exception in a method of the game that is running, if one is.
    pub(super) fn interrupt(&self, py: Python<'_>) -> PyResult<()> {
        let interrupt = py.import("balpan._interrupt")?.getattr("interrupt")?;
        // The lock is held while it is raised, so that it hits no other work of that thread.
        let thread = lock(&self.thread);
        if let Some(thread) = *thread {
            self.is_interrupted.store(true, Relaxed);
            interrupt.call1((thread,))?;
        }
        Ok(())
    }

    /// What a method has raised, if one has.
    pub(super) fn failure(&self) -> Option<PyErr> {
        lock(&self.failed).take()
    }

    pub(super) fn position<'py>(&self, py: Python<'py>, id: u32) -> Bound<'py, PyAny> {
        self.read().pages[id as usize].position.bind(py).clone()
    }

    /// The moves of these numbers, one after the other, each with what it leads to; `None` if there are none such, or
    /// not all of these positions were asked about.
    pub(super) fn follow(&self, from: u32, numbers: &[u32]) -> Option<Vec<Edge>> {
        let book = self.read();
        let mut at = from;
        let follow = |&number: &u32| {
            let edge = *book.pages[at as usize].moves.as_ref()?.get(number as usize)?;
            at = edge.after;
            Some(edge)
        };
        numbers.iter().map(follow).collect()
    }

    /// The moves of a position, if it was asked about.
    pub(super) fn edges_known(&self, id: u32) -> Arc<[Edge]> {
        self.read().pages[id as usize].moves.clone().unwrap_or_default()
    }

    pub(super) fn mv<'py>(&self, py: Python<'py>, mv: u32) -> Bound<'py, PyAny> {
        self.read().moves[mv as usize].bind(py).clone()
    }

    fn read(&self) -> RwLockReadGuard<'_, Book> {
        self.book.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, Book> {
        self.book.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn numbers(&self, py: Python<'_>) -> &Numbers {
        self.numbers.get_or_init(|| Numbers::new(py))
    }

    fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = lock(&self.game).as_ref().map(|game| game.bind(py).clone());
        game.ok_or_else(|| error_at(py, "GameError", "nobody asks the game", "ask it through balpan", None))
    }

    /// The number of a position. The lock is never held while Python's code runs.
    pub(super) fn number_of(&self, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = position.py();
        let key = if self.has.key { self.game(py)?.call_method1("key", (position,))? } else { position.clone() };
        let number = self.numbers(py).position(&key, || self.write().add_position(position.clone().unbind()));
        number.map_err(|error| unhashable(if self.has.key { "key" } else { "position" }, &key, error))
    }

    /// Gives the search up if it was told to stop.
    fn check_interrupt(&self) {
        if lock(&self.watch).is_stopping() {
            resume_unwind(Box::new(Halted));
        }
    }

    /// The numbers of what a method of the game returns, each by `number`.
    fn collect<T>(
        &self,
        game: &Bound<'_, PyAny>,
        method: &str,
        position: &Bound<'_, PyAny>,
        mut number: impl FnMut(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<Arc<[T]>> {
        let returned = game.call_method1(method, (position,))?;
        let items = returned.try_iter().map_err(|error| {
            let message = format!("{method}() returns {}", shown(&returned));
            retyped(game.py(), error, &message, &format!("expected an iterable of {method}, such as a list"))
        })?;
        let mut numbers = Vec::new();
        for item in items {
            // A generator may never end.
            self.check_interrupt();
            numbers.push(number(&item?)?);
        }
        Ok(numbers.into())
    }

    /// Asks the game about a position. An exception, or that there is no more time, gives the
    /// search up: what would be answered in its place would be taken for true.
    fn ask<T>(&self, id: u32, ask: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<T>) -> T {
        self.check_interrupt();
        let asked = Python::attach(|py| {
            let position = self.position(py, id);
            let answer = self.game(py).and_then(|game| ask(&game, &position));
            answer.map_err(|error| with_position(py, error, &position))
        });
        match asked {
            Ok(answer) => answer,
            Err(error) => self.fail(error),
        }
    }

    /// Gives the search up with the exception of a method.
    pub(super) fn fail(&self, error: PyErr) -> ! {
        if !self.is_interrupted.load(Relaxed) {
            lock(&self.failed).get_or_insert(error);
        }
        resume_unwind(Box::new(Halted))
    }

    /// What a page says, or what the game says, which is then written there.
    fn page<T: Clone>(
        &self,
        id: u32,
        read: impl FnOnce(&Page) -> Option<T>,
        ask: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<T>,
        write: impl FnOnce(&mut Page, T),
    ) -> T {
        if let Some(said) = read(&self.read().pages[id as usize]) {
            return said;
        }
        let said = self.ask(id, ask);
        write(&mut self.write().pages[id as usize], said.clone());
        said
    }

    /// The moves of a position, each with what it leads to.
    pub(super) fn edges(&self, id: u32) -> Arc<[Edge]> {
        let calls = CALLS.get() + 1;
        CALLS.set(calls % POLL_CALLS);
        if calls == POLL_CALLS {
            self.check_interrupt();
        }
        let ask = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let py = game.py();
            self.collect(game, "moves", position, |mv| {
                let number = self.numbers(py).mv(mv, || self.write().add_move(mv.clone().unbind()));
                let number = number.map_err(|error| unhashable("move", mv, error))?;
                let after = self.number_of(&game.call_method1("play", (position, mv))?)?;
                Ok(Edge { mv: number, after })
            })
        };
        let edges = self.page(id, |page| page.moves.clone(), ask, |page, moves| page.moves = Some(moves));
        if edges.is_empty() {
            self.check_end(id);
        }
        edges
    }

    /// How play has ended in a position that has no moves.
    fn end_of(&self, id: u32) -> Outcome {
        if !self.has.end {
            return self.has.default_end();
        }
        let ask =
            |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| outcome(&game.call_method1("end", (position,))?);
        self.page(id, |page| page.end, ask, |page, end| page.end = Some(end))
    }

    /// Refuses an impartial game with an end that is not as nimbers have it: nothing that they say of it is true.
    fn check_end(&self, id: u32) {
        if !self.has.impartial || !self.has.end || self.checks_laws.load(Relaxed) {
            return;
        }
        let (end, promised) = (self.end_of(id), self.has.default_end());
        if end != promised {
            let does = if promised == Outcome::Win { "wins" } else { "loses" };
            let error = Python::attach(|py| {
                let position = self.position(py, id);
                let message = format!(
                    "`impartial` says that whoever cannot move {does}, but end() returns '{end}' at the position {}",
                    shown(&position)
                );
                error_at(py, "GameError", &message, IMPARTIAL_HELP, Some(&position))
            });
            self.fail(error);
        }
    }
}

/// What an impartial game has to be.
pub(super) const IMPARTIAL_HELP: &str = "where play ends, the player to move of an impartial game loses, or with `misere = True` wins; leave `impartial` \
     out where who wins depends on anything else, such as a score";

/// The error of the game in place of a `TypeError` that Python has raised for what a method returns; any other
/// exception as it is.
fn retyped(py: Python<'_>, raised: PyErr, message: &str, help: &str) -> PyErr {
    if !raised.is_instance_of::<PyTypeError>(py) {
        return raised;
    }
    let error = error_at(py, "GameError", message, help, None);
    error.set_cause(py, Some(raised));
    error
}

/// The error of a position, a move or a key that cannot be hashed.
fn unhashable(what: &str, found: &Bound<'_, PyAny>, raised: PyErr) -> PyErr {
    let py = found.py();
    let message = format!("the {what} {} cannot be remembered: {}", shown(found), raised.value(py));
    retyped(
        py,
        raised,
        &message,
        "positions, moves and keys have to be hashable: a tuple for a list, a frozenset for a set",
    )
}

/// The exception, with the position at which it was raised: as a note, and as an attribute.
pub(super) fn with_position(py: Python<'_>, error: PyErr, position: &Bound<'_, PyAny>) -> PyErr {
    let value = error.value(py).clone();
    let note = format!("at the position {}", shown(position));
    // Where an exception takes neither, it is raised as it is.
    if value.call_method1("add_note", (&note,)).is_err() {
        let _ = value.setattr("__notes__", vec![note]);
    }
    if value.getattr("position").map_or(true, |found| found.is_none()) {
        let _ = value.setattr("position", position);
    }
    error
}

/// How play ends, from Python's word for it.
fn outcome(word: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    word_outcome(word).ok_or_else(|| {
        let message = format!("end() returns {}", shown(word));
        error_at(word.py(), "GameError", &message, "expected 'win', 'draw' or 'loss', for the player to move", None)
    })
}

fn word_outcome(word: &Bound<'_, PyAny>) -> Option<Outcome> {
    match word.extract::<String>().ok()?.as_str() {
        "win" => Some(Outcome::Win),
        "draw" => Some(Outcome::Draw),
        "loss" => Some(Outcome::Loss),
        _ => None,
    }
}

/// The longest play that bounds may speak of, in plies.
const MAX_BOUND_PLIES: u32 = 1 << 20;

/// Bounds, from a pair of values; or none.
fn bounds(pair: &Bound<'_, PyAny>) -> PyResult<Bounds> {
    if pair.is_none() {
        return Ok(Bounds::ANY);
    }
    let read = || {
        let (lower, upper): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().ok()?;
        let bounds = Bounds { lower: bound(&lower)?.lower, upper: bound(&upper)?.upper };
        (bounds.lower <= bounds.upper).then_some(bounds)
    };
    read().ok_or_else(|| {
        let help = "expected None, or two values, the second no worse than the first, each None or as balpan.win(3), \
                    balpan.loss(2) or balpan.DRAW";
        error_at(pair.py(), "GameError", &format!("bounds() returns {}", shown(pair)), help, None)
    })
}

/// All values that one of Python's may stand for: of a win or a loss in a number of plies that is not known, all of
/// these; of `None`, any.
fn bound(value: &Bound<'_, PyAny>) -> Option<Bounds> {
    if value.is_none() {
        return Some(Bounds::ANY);
    }
    let plies = value.getattr("remoteness").ok()?.extract::<Option<u32>>().ok()?;
    if plies.is_some_and(|plies| plies >= MAX_BOUND_PLIES) {
        return None;
    }
    let (nearest, farthest) = plies.map_or((0, MAX_BOUND_PLIES), |plies| (plies, plies));
    Some(match word_outcome(&value.getattr("outcome").ok()?)? {
        Outcome::Draw => Bounds { lower: Value::DRAW, upper: Value::DRAW },
        Outcome::Win => Bounds { lower: Value::win(farthest), upper: Value::win(nearest) },
        Outcome::Loss => Bounds { lower: Value::loss(nearest), upper: Value::loss(farthest) },
    })
}

impl Game for OwnRules {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        *lock(&self.start)
    }

    fn moves(&self, &id: &u32) -> impl Iterator<Item = u32> {
        let edges = self.edges(id);
        (0..edges.len()).map(move |n| edges[n].mv)
    }

    fn play(&self, &id: &u32, mv: u32) -> u32 {
        self.edges(id).iter().find(|edge| edge.mv == mv).map_or(id, |edge| edge.after)
    }

    fn is_over(&self, &id: &u32) -> bool {
        self.edges(id).is_empty()
    }

    fn end(&self, &id: &u32) -> Outcome {
        if !self.has.end {
            return self.has.default_end();
        }
        if let Some(end) = self.read().pages[id as usize].end {
            return end;
        }
        // `end()` is for positions without moves; `laws::check` asks of others, too.
        if self.edges(id).is_empty() { self.end_of(id) } else { self.has.default_end() }
    }
}

impl Keyed for OwnRules {
    fn canonical(&self, &id: &u32) -> u32 {
        if !self.has.canonical {
            return id;
        }
        let ask = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            self.number_of(&game.call_method1("canonical", (position,))?)
        };
        self.page(id, |page| page.canonical, ask, |page, canonical| page.canonical = Some(canonical))
    }

    fn key_bits(&self) -> u32 {
        u32::BITS
    }

    fn key(&self, &id: &u32) -> u128 {
        id.into()
    }
}

impl Hints for OwnRules {
    fn bounds(&self, &id: &u32, _asked: Value) -> Bounds {
        if !self.has.bounds {
            return Bounds::ANY;
        }
        let ask =
            |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| bounds(&game.call_method1("bounds", (position,))?);
        self.page(id, |page| page.bounds, ask, |page, bounds| page.bounds = Some(bounds))
    }
}

impl Impartial for OwnRules {
    fn is_impartial(&self) -> bool {
        self.has.impartial && !self.has.misere
    }

    fn is_impartial_misere(&self) -> bool {
        self.has.impartial && self.has.misere
    }

    fn split(&self, &id: &u32, parts: &mut Vec<u32>) {
        if !self.has.parts {
            parts.push(self.canonical(&id));
            return;
        }
        let ask = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            self.collect(game, "parts", position, |part| self.number_of(part))
        };
        let split = self.page(id, |page| page.parts.clone(), ask, |page, parts| page.parts = Some(parts));
        if split.is_empty() && self.has.end {
            // Nobody else would ask how play ends there.
            self.edges(id);
        }
        parts.extend(split.iter().map(|part| self.canonical(part)));
    }
}

impl Expert for OwnRules {}
