//! Interned positions and moves of a game written in Python. Each position is stored once with the results of the
//! game's methods, so each method is called once for it.

use std::collections::HashMap;
use std::sync::Arc;

use balpan::{Bounds, Value};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A move and the position after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) mv: u32,
    pub(super) after: u32,
    pub(super) keeps_turn: bool,
}

/// A position with the results of the game's methods, as far as they were called.
pub(super) struct Entry {
    pub(super) position: Py<PyAny>,
    pub(super) moves: Option<Arc<[Edge]>>,
    pub(super) end: Option<Value>,
    pub(super) canonical: Option<u32>,
    pub(super) bounds: Option<Bounds>,
    pub(super) parts: Option<Arc<[u32]>>,
    /// The texts and pictures of a registered game.
    pub(super) drawn: Option<Box<Drawn>>,
}

/// The text and the board of a position, and the texts of its moves.
#[derive(Default)]
pub(super) struct Drawn {
    pub(super) text: Option<Arc<str>>,
    pub(super) glyphs: Option<Arc<[char]>>,
    pub(super) moves: Option<Arc<[String]>>,
}

impl Entry {
    /// Returns what is written and drawn, to be changed.
    pub(super) fn drawn(&mut self) -> &mut Drawn {
        self.drawn.get_or_insert_default()
    }
}

/// The positions and moves by their numbers.
#[derive(Default)]
pub(super) struct Interned {
    pub(super) positions: Vec<Entry>,
    pub(super) moves: Vec<Py<PyAny>>,
    /// The positions by their texts, as far as these were written.
    pub(super) texts: HashMap<Arc<str>, u32>,
}

/// The numbers of positions and moves by Python's equality. Used only with the interpreter attached.
pub(super) struct Numbers {
    positions: Py<PyDict>,
    moves: Py<PyDict>,
}

impl Numbers {
    pub(super) fn new(py: Python<'_>) -> Self {
        Self { positions: PyDict::new(py).unbind(), moves: PyDict::new(py).unbind() }
    }

    /// Returns the number of a key in a dictionary; `add` makes the number of a new key.
    fn number(numbers: &Bound<'_, PyDict>, key: &Bound<'_, PyAny>, add: impl FnOnce() -> u32) -> PyResult<u32> {
        if let Some(number) = numbers.get_item(key)? {
            return number.extract();
        }
        // Another thread may have added the key meanwhile; its number counts then.
        numbers.call_method1("setdefault", (key, add()))?.extract()
    }

    pub(super) fn traverse(&self, visit: &PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.positions)?;
        visit.call(&self.moves)
    }

    pub(super) fn clear(&self, py: Python<'_>) {
        self.positions.bind(py).clear();
        self.moves.bind(py).clear();
    }

    pub(super) fn position(&self, key: &Bound<'_, PyAny>, add: impl FnOnce() -> u32) -> PyResult<u32> {
        Self::number(self.positions.bind(key.py()), key, add)
    }

    pub(super) fn mv(&self, mv: &Bound<'_, PyAny>, add: impl FnOnce() -> u32) -> PyResult<u32> {
        Self::number(self.moves.bind(mv.py()), mv, add)
    }
}

impl Interned {
    /// Adds a new position and returns its number.
    pub(super) fn add_position(&mut self, position: Py<PyAny>) -> u32 {
        let entry = Entry { position, moves: None, end: None, canonical: None, bounds: None, parts: None, drawn: None };
        self.positions.push(entry);
        (self.positions.len() - 1) as u32
    }

    /// Adds a new move and returns its number.
    pub(super) fn add_move(&mut self, mv: Py<PyAny>) -> u32 {
        self.moves.push(mv);
        (self.moves.len() - 1) as u32
    }
}
