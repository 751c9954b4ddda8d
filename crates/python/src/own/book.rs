//! Positions and moves of Python by their numbers: each is kept once, with what its methods have
//! said of it, and so is asked once.

use std::sync::Arc;

use balpan::{Bounds, Outcome};
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A move, and the position that it leads to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) mv: u32,
    pub(super) after: u32,
}

/// What has been said of a position.
pub(super) struct Page {
    pub(super) position: Py<PyAny>,
    pub(super) moves: Option<Arc<[Edge]>>,
    pub(super) end: Option<Outcome>,
    pub(super) canonical: Option<u32>,
    pub(super) bounds: Option<Bounds>,
    pub(super) parts: Option<Arc<[u32]>>,
}

/// All positions and moves that were met.
#[derive(Default)]
pub(super) struct Book {
    pub(super) pages: Vec<Page>,
    pub(super) moves: Vec<Py<PyAny>>,
}

/// The numbers, by what Python holds for the same: asked only while the interpreter is held.
pub(super) struct Numbers {
    positions: Py<PyDict>,
    moves: Py<PyDict>,
}

impl Numbers {
    pub(super) fn new(py: Python<'_>) -> Self {
        Self { positions: PyDict::new(py).unbind(), moves: PyDict::new(py).unbind() }
    }

    /// The number of what has this key, of positions or of moves; a new one is asked of `add`.
    fn number(of: &Bound<'_, PyDict>, key: &Bound<'_, PyAny>, add: impl FnOnce() -> u32) -> PyResult<u32> {
        if let Some(number) = of.get_item(key)? {
            return number.extract();
        }
        let number = add();
        of.set_item(key, number)?;
        Ok(number)
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

impl Book {
    /// The number of a position that is new.
    pub(super) fn add_position(&mut self, position: Py<PyAny>) -> u32 {
        let page = Page { position, moves: None, end: None, canonical: None, bounds: None, parts: None };
        self.pages.push(page);
        (self.pages.len() - 1) as u32
    }

    /// The number of a move that is new.
    pub(super) fn add_move(&mut self, mv: Py<PyAny>) -> u32 {
        self.moves.push(mv);
        (self.moves.len() - 1) as u32
    }
}
