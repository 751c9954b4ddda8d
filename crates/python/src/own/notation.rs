//! Games written in Python under a name that is known wherever a preset's is.

use std::sync::{Arc, Mutex};

use balpan_games::error::CustomError;
use balpan_games::{Board, Explanation, Lang, Notation, TextError, find_position, register_game};
use pyo3::call::PyCallArgs;
use pyo3::conversion::FromPyObjectOwned;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::call::{call_method, guard, lock};
use super::interned::Entry;
use super::rules::{Abilities, PythonRules};
use crate::errors::{error, error_at};
use crate::many::repr;

/// The names of the registered games.
static NAMES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Whether the family of this name is a game that is written in Python.
pub(crate) fn is_registered(family: &str) -> bool {
    lock(&NAMES).iter().any(|name| name == family)
}

/// Makes a game known by a name.
#[pyfunction]
pub(crate) fn register(
    py: Python<'_>,
    name: &str,
    game: Py<PyAny>,
    start: &Bound<'_, PyAny>,
    abilities: Abilities,
    about: [String; 2],
) -> PyResult<()> {
    let rules = PythonRules::new(abilities, about);
    rules.begin(game);
    // The start is the first position.
    rules.position_id(start)?;
    let add = || {
        // Pages list the game: its start has to have a picture and moves.
        rules.move_texts(0);
        rules.draw_lines(&0);
        rules.picture(&0);
        rules.edges_from(0).iter().for_each(|edge| _ = rules.move_cells(&0, edge.mv));
        register_game(name, rules)
    };
    guard(py, add)?.map_err(|cause| {
        let Explanation { message, help } = cause.explain(Lang::En);
        error(py, "GameError", &message, &help)
    })?;
    lock(&NAMES).push(name.to_owned());
    Ok(())
}

/// Calls a function of `balpan._notation`, which checks what a game's method returns.
fn checked<'py, T: FromPyObjectOwned<'py>>(
    py: Python<'py>,
    function: &str,
    arguments: impl PyCallArgs<'py>,
) -> PyResult<T> {
    py.import("balpan._notation")?.getattr(function)?.call1(arguments)?.extract().map_err(Into::into)
}

impl PythonRules {
    /// Returns the texts of a position's moves.
    fn move_texts(&self, id: u32) -> Arc<[String]> {
        let edges = self.edges_from(id);
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let moves: Vec<_> = edges.iter().map(|edge| self.mv(game.py(), edge.mv)).collect();
            Ok(checked::<Vec<String>>(game.py(), "move_texts", (game, position, moves))?.into())
        };
        self.cached(
            id,
            |entry| entry.drawn.as_ref()?.moves.clone(),
            call,
            |entry, moves| entry.drawn().moves = Some(moves),
        )
    }

    /// Returns the characters of a position's board, whose size is kept if it is the first one.
    fn glyphs(&self, id: u32) -> Arc<[char]> {
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let size = self.board.get().map(|board| (board.rows(), board.cols()));
            let (size, cells): ((usize, usize), String) = checked(game.py(), "rows_of", (game, position, size))?;
            if let Ok(board) = Board::new(size.0, size.1) {
                // Another thread has set it if this fails.
                let _ = self.board.set(board);
            }
            Ok(cells.chars().collect())
        };
        let write = |entry: &mut Entry, glyphs| entry.drawn().glyphs = Some(glyphs);
        self.cached(id, |entry| entry.drawn.as_ref()?.glyphs.clone(), call, write)
    }
}

impl Notation for PythonRules {
    fn board(&self) -> Option<Board> {
        // A picture takes the place of the board.
        if !self.has().glyphs || self.has().picture {
            return None;
        }
        self.glyphs(0);
        self.board.get().copied()
    }

    fn describe(&self, lang: Lang) -> Vec<String> {
        let text = lang.pick(&self.about[0], &self.about[1]);
        if text.is_empty() { Vec::new() } else { vec![text.clone()] }
    }

    fn text(&self, &id: &u32) -> String {
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let text: String = checked(game.py(), "text_of", (game, position))?;
            let other = self.read().texts.get(&*text).copied().filter(|other| *other != id);
            let Some(other) = other else { return Ok(text.into()) };
            let other = repr(&self.position(game.py(), other));
            let message = format!("text() returns {text:?} for two positions: {other} and {}", repr(position));
            Err(error_at(game.py(), "GameError", &message, "another text for each position", None))
        };
        let known = self.read().positions[id as usize].drawn.as_ref().and_then(|drawn| drawn.text.clone());
        if let Some(text) = known {
            return text.to_string();
        }
        let text: Arc<str> = self.call(id, call);
        let mut interned = self.write();
        interned.texts.insert(Arc::clone(&text), id);
        interned.positions[id as usize].drawn().text = Some(Arc::clone(&text));
        text.to_string()
    }

    fn parse(&self, text: &str) -> Result<u32, TextError> {
        let text = text.trim();
        if let Some(id) = self.read().texts.get(text) {
            return Ok(*id);
        }
        if !self.has().parse {
            return find_position(self, text);
        }
        let parsed = call_method(|py| {
            let parsed = self.game(py)?.call_method1("parse", (text,)).and_then(|position| self.position_id(&position));
            match parsed {
                Ok(id) => Ok(Ok(id)),
                Err(error) if error.is_instance_of::<PyValueError>(py) => Ok(Err(error.value(py).to_string())),
                Err(error) => Err(error),
            }
        });
        let id = parsed.map_err(|message| {
            let expected = format!("a position such as {}", self.text(&0));
            let found = format!("a text of no position ({message})");
            TextError::in_position(text, 0..text.len(), CustomError { found, expected })
        })?;
        // Checks that the position can be written.
        self.text(&id);
        Ok(id)
    }

    fn move_text(&self, &id: &u32, mv: u32) -> String {
        let at = self.edges_from(id).iter().position(|edge| edge.mv == mv);
        at.map_or_else(String::new, |at| self.move_texts(id)[at].clone())
    }

    fn glyph(&self, &id: &u32, cell: usize) -> char {
        self.glyphs(id)[cell]
    }

    fn draw_lines(&self, id: &u32) -> Vec<String> {
        if !self.has().glyphs {
            return vec![self.text(id)];
        }
        let glyphs = self.glyphs(*id);
        let cols = self.board.get().map_or(1, |board| board.cols());
        glyphs.chunks(cols).map(|row| row.iter().collect()).collect()
    }

    fn picture(&self, &id: &u32) -> Option<String> {
        let call =
            |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| checked(game.py(), "picture_of", (game, position));
        if self.has().picture { self.call(id, call) } else { None }
    }

    fn move_cells(&self, &id: &u32, mv: u32) -> u128 {
        let Some(board) = self.board().filter(|_| self.has().cells) else { return 0 };
        let size = (board.rows(), board.cols());
        let cells: Vec<usize> = self
            .call(id, |game, position| checked(game.py(), "cells_of", (game, position, self.mv(game.py(), mv), size)));
        cells.into_iter().fold(0, |marked, cell| marked | 1 << cell)
    }
}
