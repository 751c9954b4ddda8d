//! A game of Python's as the solvers see it: positions and moves are numbers.

use std::cell::Cell;
use std::panic::resume_unwind;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use balpan::{Bounds, Expert, Game, Hints, Impartial, Keyed, Outcome, Value, Watch};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::book::{Book, Edge, Numbers, Page};
use crate::errors::error;

/// What a game can tell beside its moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct Abilities {
    pub(super) key: bool,
    pub(super) canonical: bool,
    pub(super) bounds: bool,
    pub(super) parts: bool,
    /// Impartial, and who cannot move loses.
    pub(super) normal: bool,
    /// Impartial, and who cannot move wins.
    pub(super) misere: bool,
}

/// A search is given up in its middle: nothing that it would have found is known.
pub(super) struct Halted;

/// Bytes of the stack that a search may use; each thread that searches has more.
const STACK: usize = 48 << 20;

thread_local! {
    /// Where the stack of a thread that searches begins.
    static STACK_BEGINS: Cell<Option<usize>> = const { Cell::new(None) };
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

    /// Where [`start`](Game::start) is.
    pub(super) fn starts_at(&self, position: u32) {
        *lock(&self.start) = position;
    }

    /// What a method has raised, if one has.
    pub(super) fn failure(&self) -> Option<PyErr> {
        lock(&self.failed).take()
    }

    pub(super) fn position<'py>(&self, py: Python<'py>, id: u32) -> Bound<'py, PyAny> {
        self.read().pages[id as usize].position.bind(py).clone()
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
        game.ok_or_else(|| PyValueError::new_err("nobody asks the game"))
    }

    /// The number of a position. The lock is never held while Python's code runs.
    pub(super) fn number_of(&self, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = position.py();
        let key = if self.has.key { self.game(py)?.call_method1("key", (position,))? } else { position.clone() };
        self.numbers(py).position(&key, || self.write().add_position(position.clone().unbind()))
    }

    /// Asks the game about a position. An exception, or that there is no more time, gives the
    /// search up: what would be answered in its place would be taken for true.
    fn ask<T>(&self, id: u32, ask: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<T>) -> T {
        if lock(&self.watch).is_stopping() {
            resume_unwind(Box::new(Halted));
        }
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

    fn fail(&self, error: PyErr) -> ! {
        lock(&self.failed).get_or_insert(error);
        resume_unwind(Box::new(Halted))
    }

    /// Gives the search up before it has used its stack up, as play that never ends would have it.
    fn check_stack(&self, id: u32) {
        let here = 0_u8;
        let here = std::ptr::from_ref(&here) as usize;
        let begins = STACK_BEGINS.get().unwrap_or_else(|| {
            STACK_BEGINS.set(Some(here));
            here
        });
        if begins.abs_diff(here) > STACK {
            let error = Python::attach(|py| {
                let help = "a game has to end, whatever is played: has a move no effect, or is there a way back?";
                with_position(py, error(py, "GameError", "play goes on for too long", help), &self.position(py, id))
            });
            self.fail(error);
        }
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
        self.check_stack(id);
        let ask = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let py = game.py();
            let mut edges = Vec::new();
            for mv in game.call_method1("moves", (position,))?.try_iter()? {
                let mv = mv?;
                let after = game.call_method1("play", (position, &mv))?;
                let after = self.number_of(&after)?;
                let mv = self.numbers(py).mv(&mv, || self.write().add_move(mv.clone().unbind()))?;
                edges.push(Edge { mv, after });
            }
            Ok(edges.into())
        };
        self.page(id, |page| page.moves.clone(), ask, |page, moves| page.moves = Some(moves))
    }
}

/// The exception, with the position at which it was raised: as a note, and as an attribute.
fn with_position(py: Python<'_>, error: PyErr, position: &Bound<'_, PyAny>) -> PyErr {
    let value = error.value(py).clone();
    let shown = position.repr().map_or_else(|_| "a position that has no repr".to_owned(), |shown| shown.to_string());
    let note = format!("at the position {shown}");
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
    match word.extract::<String>().as_deref() {
        Ok("win") => Ok(Outcome::Win),
        Ok("draw") => Ok(Outcome::Draw),
        Ok("loss") => Ok(Outcome::Loss),
        _ => Err(PyValueError::new_err(format!("{}: expected 'win', 'draw' or 'loss'", word.repr()?))),
    }
}

/// Bounds, from a pair of values; or none.
fn bounds(pair: &Bound<'_, PyAny>) -> PyResult<Bounds> {
    if pair.is_none() {
        return Ok(Bounds::ANY);
    }
    let (lower, upper): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
        pair.extract().map_err(|_| PyTypeError::new_err("bounds: expected a pair of values, or None"))?;
    let of = |value: &Bound<'_, PyAny>, otherwise| {
        if value.is_none() {
            return Ok(otherwise);
        }
        let plies = value.getattr("remoteness")?.extract::<Option<u32>>()?;
        match (outcome(&value.getattr("outcome")?)?, plies) {
            (Outcome::Draw, _) => Ok(Value::DRAW),
            (_, Some(plies)) if plies >= 1 << 20 => Err(PyValueError::new_err("bounds: too many plies")),
            (Outcome::Win, plies) => Ok(Value::win(plies.unwrap_or(balpan::MOST_PLIES))),
            (Outcome::Loss, plies) => Ok(Value::loss(plies.unwrap_or(balpan::MOST_PLIES))),
        }
    };
    Ok(Bounds { lower: of(&lower, Bounds::ANY.lower)?, upper: of(&upper, Bounds::ANY.upper)? })
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
        let ask =
            |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| outcome(&game.call_method1("end", (position,))?);
        self.page(id, |page| page.end, ask, |page, end| page.end = Some(end))
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
        self.has.normal
    }

    fn is_impartial_misere(&self) -> bool {
        self.has.misere
    }

    fn split(&self, &id: &u32, parts: &mut Vec<u32>) {
        if !self.has.parts {
            parts.push(self.canonical(&id));
            return;
        }
        let ask = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let mut parts = Vec::new();
            for part in game.call_method1("parts", (position,))?.try_iter()? {
                parts.push(self.number_of(&part?)?);
            }
            Ok(parts.into())
        };
        let split = self.page(id, |page| page.parts.clone(), ask, |page, parts| page.parts = Some(parts));
        parts.extend(split.iter().map(|part| self.canonical(part)));
    }
}

impl Expert for OwnRules {}
