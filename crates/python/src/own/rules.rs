//! A game written in Python as a [`Game`] whose positions and moves are numbers.

use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use balpan::{Bounds, Game, Outcome, Value};
use balpan_games::Board;
use pyo3::exceptions::PyTypeError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::call::{call_method, check_interrupt, fail, lock};
use super::interned::{Edge, Entry, Interned, Numbers};
use crate::errors::error_at;
use crate::many::repr;

/// The optional methods and properties of a game, from a dictionary with these keys.
#[derive(Clone, Copy, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Abilities {
    pub(super) key: bool,
    pub(super) canonical: bool,
    pub(super) bounds: bool,
    pub(super) parts: bool,
    /// Whether `end()` gives the outcome or the score. Otherwise a player who cannot move loses, or wins in a misère game.
    pub(super) end: bool,
    pub(super) impartial: bool,
    pub(super) misere: bool,
    /// Whether `keeps_turn()` says whose turn it is.
    pub(super) keeps_turn: bool,
    /// Whether play may repeat.
    pub(super) may_repeat: bool,
    /// The largest score that `end()` may return.
    pub(super) max_score: u32,
    /// The methods that a registered game's notation calls.
    pub(super) parse: bool,
    pub(super) glyphs: bool,
    pub(super) cells: bool,
    pub(super) picture: bool,
}

impl Abilities {
    /// Returns the outcome for a player who cannot move, without `end()`.
    const fn default_end(self) -> Outcome {
        if self.misere { Outcome::Win } else { Outcome::Loss }
    }
}

/// The number of calls between two checks for a stop, while no method of the game is called.
const POLL_CALLS: u32 = 256;

thread_local! {
    /// Calls since the last check.
    static CALLS: Cell<u32> = const { Cell::new(0) };
}

/// A game that is written in Python.
#[derive(Clone)]
pub(crate) struct PythonRules(Arc<RulesState>);

/// The state that the copies of a game share.
pub(crate) struct RulesState {
    has: Abilities,
    /// The game object, during a search; of a registered game, always.
    game: Mutex<Option<Py<PyAny>>>,
    interned: RwLock<Interned>,
    numbers: OnceLock<Numbers>,
    start: Mutex<u32>,
    /// Whether the caller checks the ends of an impartial game itself.
    checks_laws: AtomicBool,
    /// The description of a registered game, in English and Korean.
    pub(super) about: [String; 2],
    /// The board of a registered game, once one is drawn.
    pub(super) board: OnceLock<Board>,
}

impl Deref for PythonRules {
    type Target = RulesState;

    fn deref(&self) -> &RulesState {
        &self.0
    }
}

impl PythonRules {
    pub(super) fn new(has: Abilities, about: [String; 2]) -> Self {
        Self(Arc::new(RulesState {
            has,
            game: Mutex::default(),
            interned: RwLock::default(),
            numbers: OnceLock::new(),
            start: Mutex::new(0),
            checks_laws: AtomicBool::new(false),
            about,
            board: OnceLock::new(),
        }))
    }
}

impl RulesState {
    pub(super) const fn has(&self) -> Abilities {
        self.has
    }

    /// Returns the number of interned positions.
    pub(super) fn positions(&self) -> usize {
        self.read().positions.len()
    }

    /// Visits the held objects for Python's garbage collector; none during a search.
    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        if let (Ok(interned), Some(numbers)) = (self.interned.try_read(), self.numbers.get()) {
            interned.positions.iter().try_for_each(|entry| visit.call(&entry.position))?;
            interned.moves.iter().try_for_each(|mv| visit.call(mv))?;
            numbers.traverse(visit)?;
        }
        Ok(())
    }

    /// Drops all held objects, for the garbage collector.
    pub(super) fn clear(&self) {
        let Some(numbers) = self.numbers.get() else { return };
        let interned = std::mem::take(&mut *self.write());
        Python::attach(|py| numbers.clear(py));
        drop(interned);
    }

    /// Sets the game object for a search. Returns `false` if a search is running.
    pub(super) fn begin(&self, game: Py<PyAny>) -> bool {
        let mut current = lock(&self.game);
        let is_free = current.is_none();
        if is_free {
            *current = Some(game);
        }
        is_free
    }

    /// Drops the game object after a search.
    pub(super) fn finish(&self) {
        let game = lock(&self.game).take();
        // Dropped without the lock: the last reference may run Python code.
        drop(game);
    }

    /// Prepares a check of the laws from this position, which becomes the [`start`](Game::start).
    pub(super) fn begin_laws(&self, start: u32) {
        *lock(&self.start) = start;
        self.checks_laws.store(true, Relaxed);
    }

    pub(super) fn position<'py>(&self, py: Python<'py>, id: u32) -> Bound<'py, PyAny> {
        self.read().positions[id as usize].position.bind(py).clone()
    }

    /// Plays the moves of these indices one after the other. `None` if there is no such move, or if the moves of a
    /// position are not known.
    pub(super) fn follow(&self, from: u32, indices: &[u32]) -> Option<Vec<Edge>> {
        let interned = self.read();
        let mut at = from;
        let follow = |&index: &u32| {
            let edge = *interned.positions[at as usize].moves.as_ref()?.get(index as usize)?;
            at = edge.after;
            Some(edge)
        };
        indices.iter().map(follow).collect()
    }

    /// Returns the moves of a position if they are known, without calling the game.
    pub(super) fn known_edges(&self, id: u32) -> Arc<[Edge]> {
        self.read().positions[id as usize].moves.clone().unwrap_or_default()
    }

    pub(super) fn mv<'py>(&self, py: Python<'py>, mv: u32) -> Bound<'py, PyAny> {
        self.read().moves[mv as usize].bind(py).clone()
    }

    pub(super) fn read(&self) -> RwLockReadGuard<'_, Interned> {
        self.interned.read().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn write(&self) -> RwLockWriteGuard<'_, Interned> {
        self.interned.write().unwrap_or_else(PoisonError::into_inner)
    }

    fn numbers(&self, py: Python<'_>) -> &Numbers {
        self.numbers.get_or_init(|| Numbers::new(py))
    }

    pub(super) fn game<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let game = lock(&self.game).as_ref().map(|game| game.bind(py).clone());
        game.ok_or_else(|| error_at(py, "GameError", "nobody asks the game", "ask it through balpan", None))
    }

    /// Interns a position. The lock is never held while Python code runs.
    pub(super) fn position_id(&self, position: &Bound<'_, PyAny>) -> PyResult<u32> {
        let py = position.py();
        let key = if self.has.key { self.game(py)?.call_method1("key", (position,))? } else { position.clone() };
        let number = self.numbers(py).position(&key, || self.write().add_position(position.clone().unbind()));
        number.map_err(|error| unhashable_error(if self.has.key { "key" } else { "position" }, &key, error))
    }

    /// Calls a method of the game and interns the items that it returns with `intern`.
    fn collect<T>(
        &self,
        game: &Bound<'_, PyAny>,
        method: &str,
        position: &Bound<'_, PyAny>,
        mut intern: impl FnMut(&Bound<'_, PyAny>) -> PyResult<T>,
    ) -> PyResult<Arc<[T]>> {
        let returned = game.call_method1(method, (position,))?;
        let items = returned.try_iter().map_err(|error| {
            let message = format!("{method}() returns {}", repr(&returned));
            replace_type_error(game.py(), error, &message, &format!("expected an iterable of {method}, such as a list"))
        })?;
        let mut numbers = Vec::new();
        for item in items {
            // A generator may never end.
            check_interrupt();
            numbers.push(intern(&item?)?);
        }
        Ok(numbers.into())
    }

    /// Calls the game about a position.
    pub(super) fn call<T>(&self, id: u32, call: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<T>) -> T {
        call_method(|py| {
            let position = self.position(py, id);
            let answer = self.game(py).and_then(|game| call(&game, &position));
            answer.map_err(|error| with_position(py, error, &position))
        })
    }

    /// Returns a stored result, or calls the game and stores the result.
    pub(super) fn cached<T: Clone>(
        &self,
        id: u32,
        read: impl FnOnce(&Entry) -> Option<T>,
        call: impl FnOnce(&Bound<'_, PyAny>, &Bound<'_, PyAny>) -> PyResult<T>,
        write: impl FnOnce(&mut Entry, T),
    ) -> T {
        if let Some(result) = read(&self.read().positions[id as usize]) {
            return result;
        }
        let result = self.call(id, call);
        write(&mut self.write().positions[id as usize], result.clone());
        result
    }

    /// Returns the moves of a position with the positions after them.
    pub(super) fn edges_from(&self, id: u32) -> Arc<[Edge]> {
        let calls = CALLS.get() + 1;
        CALLS.set(calls % POLL_CALLS);
        if calls == POLL_CALLS {
            check_interrupt();
        }
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let py = game.py();
            self.collect(game, "moves", position, |mv| {
                let number = self.numbers(py).mv(mv, || self.write().add_move(mv.clone().unbind()));
                let number = number.map_err(|error| unhashable_error("move", mv, error))?;
                let after = game.call_method1("play", (position, mv))?;
                let keeps_turn =
                    self.has.keeps_turn && game.call_method1("keeps_turn", (position, mv, &after))?.is_truthy()?;
                Ok(Edge { mv: number, after: self.position_id(&after)?, keeps_turn })
            })
        };
        let edges = self.cached(id, |entry| entry.moves.clone(), call, |entry, moves| entry.moves = Some(moves));
        if edges.is_empty() {
            self.check_end(id);
        }
        edges
    }

    /// Returns the value of a position without moves.
    fn terminal_value(&self, id: u32) -> Value {
        if !self.has.end {
            return Value::terminal(self.has.default_end());
        }
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            parse_end(&game.call_method1("end", (position,))?, self.has.max_score)
        };
        self.cached(id, |entry| entry.end, call, |entry, end| entry.end = Some(end))
    }

    /// Aborts the search of an impartial game whose end has another outcome than the theory of nimbers requires.
    fn check_end(&self, id: u32) {
        if !self.has.impartial || !self.has.end || self.checks_laws.load(Relaxed) {
            return;
        }
        let (end, required) = (self.terminal_value(id).outcome(), self.has.default_end());
        if end != required {
            let does = if required == Outcome::Win { "wins" } else { "loses" };
            let error = Python::attach(|py| {
                let position = self.position(py, id);
                let message = format!(
                    "`impartial` says that whoever cannot move {does}, but end() returns '{end}' at the position {}",
                    repr(&position)
                );
                error_at(py, "GameError", &message, IMPARTIAL_HELP, Some(&position))
            });
            fail(error);
        }
    }
}

/// Advice about the ends of impartial games.
pub(super) const IMPARTIAL_HELP: &str = "where play ends, the player to move of an impartial game loses, or with `misere = True` wins; leave `impartial` \
     out where who wins depends on anything else, such as a score";

/// Replaces a `TypeError` about the result of a method by a `GameError`. Returns other exceptions unchanged.
fn replace_type_error(py: Python<'_>, raised: PyErr, message: &str, help: &str) -> PyErr {
    if !raised.is_instance_of::<PyTypeError>(py) {
        return raised;
    }
    let error = error_at(py, "GameError", message, help, None);
    error.set_cause(py, Some(raised));
    error
}

/// Returns the error for a position, a move or a key that cannot be hashed.
fn unhashable_error(what: &str, found: &Bound<'_, PyAny>, raised: PyErr) -> PyErr {
    let py = found.py();
    let message = format!("the {what} {} cannot be remembered: {}", repr(found), raised.value(py));
    replace_type_error(
        py,
        raised,
        &message,
        "positions, moves and keys have to be hashable: a tuple for a list, a frozenset for a set",
    )
}

/// Adds the position at which it was raised to an exception, as a note and as an attribute.
pub(super) fn with_position(py: Python<'_>, error: PyErr, position: &Bound<'_, PyAny>) -> PyErr {
    let value = error.value(py).clone();
    let note = format!("at the position {}", repr(position));
    // An exception that takes neither is left as it is.
    if value.call_method1("add_note", (&note,)).is_err() {
        let _ = value.setattr("__notes__", vec![note]);
    }
    if value.getattr("position").map_or(true, |found| found.is_none()) {
        let _ = value.setattr("position", position);
    }
    error
}

/// Parses the outcome or the score that `end()` returns.
fn parse_end(end: &Bound<'_, PyAny>, max_score: u32) -> PyResult<Value> {
    if let Some(outcome) = parse_outcome(end) {
        return Ok(Value::terminal(outcome));
    }
    if let Ok(score) = end.extract::<i64>()
        && score.unsigned_abs() <= max_score.into()
    {
        return Ok(Value::from_score(score as i32));
    }
    let message = format!("end() returns {}", repr(end));
    let help = match max_score {
        0 => "expected 'win', 'draw' or 'loss', for the player to move; for whole numbers as scores, set `max_score`"
            .into(),
        _ => {
            format!("expected 'win', 'draw', 'loss' or a whole number up to `max_score` = {max_score}, or its negative")
        }
    };
    Err(error_at(end.py(), "GameError", &message, &help, None))
}

fn parse_outcome(word: &Bound<'_, PyAny>) -> Option<Outcome> {
    match word.extract::<String>().ok()?.as_str() {
        "win" => Some(Outcome::Win),
        "draw" => Some(Outcome::Draw),
        "loss" => Some(Outcome::Loss),
        _ => None,
    }
}

/// A bound above the plies of any value in bounds.
const MAX_BOUND_PLIES: u32 = 1 << 20;

/// Parses the result of `bounds()`: `None`, or a pair of values.
fn parse_bounds(pair: &Bound<'_, PyAny>, has_scores: bool) -> PyResult<Bounds> {
    if pair.is_none() {
        return Ok(Bounds::ANY);
    }
    let parse = || {
        let (lower, upper): (Bound<'_, PyAny>, Bound<'_, PyAny>) = pair.extract().ok()?;
        let (lower, upper) = (parse_value(&lower, has_scores)?.lower, parse_value(&upper, has_scores)?.upper);
        let bounds = Bounds { lower, upper };
        (bounds.lower <= bounds.upper).then_some(bounds)
    };
    parse().ok_or_else(|| {
        let help = "expected None, or two values, the second no worse than the first, each None or as balpan.win(3), \
                    balpan.loss(2), balpan.score(5) or balpan.DRAW";
        error_at(pair.py(), "GameError", &format!("bounds() returns {}", repr(pair)), help, None)
    })
}

/// Parses a value to the range that it stands for. A win or a loss without plies or score stands for all such values, and
/// `None` for all values.
fn parse_value(value: &Bound<'_, PyAny>, has_scores: bool) -> Option<Bounds> {
    if value.is_none() {
        return Some(Bounds::ANY);
    }
    let plies = value.getattr("remoteness").ok()?.extract::<Option<u32>>().ok()?;
    if plies.is_some_and(|plies| plies >= MAX_BOUND_PLIES) {
        return None;
    }
    let score = value.getattr("score").ok().and_then(|score| score.extract::<Option<i32>>().ok()).flatten();
    if let Some(score) = score.filter(|score| score.unsigned_abs() <= Value::MAX_SCORE as u32) {
        return Some(Bounds::exact(Value::from_score(score)));
    }
    let is_any_score = has_scores && plies.is_none();
    let (nearest, farthest) = plies.map_or((0, MAX_BOUND_PLIES), |plies| (plies, plies));
    Some(match parse_outcome(&value.getattr("outcome").ok()?)? {
        Outcome::Draw => Bounds { lower: Value::DRAW, upper: Value::DRAW },
        Outcome::Win if is_any_score => Bounds { lower: Value::from_score(1), upper: Value::win(nearest) },
        Outcome::Loss if is_any_score => Bounds { lower: Value::loss(nearest), upper: Value::from_score(-1) },
        Outcome::Win => Bounds { lower: Value::win(farthest), upper: Value::win(nearest) },
        Outcome::Loss => Bounds { lower: Value::loss(nearest), upper: Value::loss(farthest) },
    })
}

impl Game for PythonRules {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        *lock(&self.start)
    }

    fn moves(&self, &id: &u32) -> impl Iterator<Item = u32> {
        let edges = self.edges_from(id);
        (0..edges.len()).map(move |n| edges[n].mv)
    }

    fn play(&self, &id: &u32, mv: u32) -> u32 {
        self.edges_from(id).iter().find(|edge| edge.mv == mv).map_or(id, |edge| edge.after)
    }

    fn is_over(&self, &id: &u32) -> bool {
        self.edges_from(id).is_empty()
    }

    fn end(&self, id: &u32) -> Outcome {
        self.end_value(id).outcome()
    }

    fn score(&self, id: &u32) -> Option<i32> {
        if self.has.max_score > 0 { self.end_value(id).score() } else { None }
    }

    fn max_score(&self) -> u32 {
        self.has.max_score
    }

    fn end_value(&self, &id: &u32) -> Value {
        if !self.has.end {
            return Value::terminal(self.has.default_end());
        }
        if let Some(end) = self.read().positions[id as usize].end {
            return end;
        }
        // `end()` must be called only for positions without moves, but `laws::check` asks about others, too.
        if self.edges_from(id).is_empty() { self.terminal_value(id) } else { Value::terminal(self.has.default_end()) }
    }

    fn may_repeat(&self) -> bool {
        self.has.may_repeat
    }

    const TURNS_ALTERNATE: bool = false;

    fn keeps_turn(&self, &id: &u32, mv: u32, _after: &u32) -> bool {
        self.has.keeps_turn && self.edges_from(id).iter().any(|edge| edge.mv == mv && edge.keeps_turn)
    }

    fn canonical(&self, &id: &u32) -> u32 {
        if !self.has.canonical {
            return id;
        }
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            self.position_id(&game.call_method1("canonical", (position,))?)
        };
        self.cached(id, |entry| entry.canonical, call, |entry, canonical| entry.canonical = Some(canonical))
    }

    fn key_bits(&self) -> u32 {
        u32::BITS
    }

    fn key(&self, &id: &u32) -> u128 {
        id.into()
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    fn bounds(&self, &id: &u32, _asked: Value) -> Bounds {
        if !self.has.bounds {
            return Bounds::ANY;
        }
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            parse_bounds(&game.call_method1("bounds", (position,))?, self.has.max_score > 0)
        };
        self.cached(id, |entry| entry.bounds, call, |entry, bounds| entry.bounds = Some(bounds))
    }

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
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            self.collect(game, "parts", position, |part| self.position_id(part))
        };
        let split = self.cached(id, |entry| entry.parts.clone(), call, |entry, parts| entry.parts = Some(parts));
        if split.is_empty() && self.has.end {
            // Checks the end of the position, which nothing else would do.
            self.edges_from(id);
        }
        parts.extend(split.iter().map(|part| self.canonical(part)));
    }
}
