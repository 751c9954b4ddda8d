//! Games written in Python under a name that is known wherever a preset's is.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use balpan_games::error::CustomError;
use balpan_games::{Board, Explanation, Lang, Notation, TextError, find_position, register_game};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyAny;

use super::call::{call_method, guard, lock};
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
    let checked = || {
        // Pages list the game: its start has to have a picture and moves.
        rules.move_texts(0);
        rules.draw_lines(&0);
        rules.picture(&0);
        rules.edges(0).iter().for_each(|edge| _ = rules.move_cells(&0, edge.mv));
        register_game(name, rules)
    };
    guard(py, checked)?.map_err(|cause| {
        let Explanation { message, help } = cause.explain(Lang::En);
        error(py, "GameError", &message, &help)
    })?;
    lock(&NAMES).push(name.to_owned());
    Ok(())
}

impl PythonRules {
    /// Returns the texts of a position's moves.
    fn move_texts(&self, id: u32) -> Arc<[String]> {
        let edges = self.edges(id);
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let text = |mv: u32| {
                let mv = self.mv(game.py(), mv);
                if !self.has().move_text {
                    return Ok(mv.str()?.to_string().split_whitespace().collect());
                }
                read_text(&game.call_method1("move_text", (position, &mv))?, "move_text")
            };
            let texts = edges.iter().map(|edge| text(edge.mv)).collect::<PyResult<Vec<String>>>()?;
            let mut seen = HashSet::new();
            for (text, edge) in texts.iter().zip(&*edges) {
                let digits = text.trim_start_matches(|c: char| c.is_ascii_digit());
                let is_number = digits.len() < text.len() && digits.starts_with('.');
                let is_word =
                    !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || c.is_control() || c == ';');
                if is_number || !is_word || !seen.insert(text) {
                    let mv = repr(&self.mv(game.py(), edge.mv));
                    let message = format!("the move {mv} has the text {text:?}");
                    let help = "define move_text(position, move): a word without blanks and `;`, which no other move of the \
                                position has, and which does not begin as a move number does (`1.`)";
                    return Err(error_at(game.py(), "GameError", &message, help, None));
                }
            }
            Ok(texts.into())
        };
        self.cached(
            id,
            |entry| entry.drawn.as_ref()?.moves.clone(),
            call,
            |entry, moves| entry.drawn().moves = Some(moves),
        )
    }

    /// Returns the characters of a position's board, and the board if it is the first one.
    fn glyphs(&self, id: u32) -> Arc<[char]> {
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let found = game.call_method1("glyphs", (position,))?;
            let rows =
                found.try_iter().and_then(|rows| rows.map(|row| row?.extract()).collect::<PyResult<Vec<String>>>());
            let rows: Vec<Vec<char>> = rows.unwrap_or_default().iter().map(|row| row.chars().collect()).collect();
            let cols = rows.first().map_or(0, Vec::len);
            let board = Board::new(rows.len(), cols);
            let is_board = rows.iter().all(|row| row.len() == cols && row.iter().all(|c| !c.is_control()));
            match board {
                Ok(board) if is_board && *self.board.get().unwrap_or(&board) == board => {
                    // Another thread has set the same one if this fails.
                    let _ = self.board.set(board);
                    Ok(rows.concat().into())
                }
                _ => {
                    let message = format!("glyphs() returns {}", repr(&found));
                    let help =
                        "expected the rows of a board of at most 64 cells, of as many characters for each position";
                    Err(error_at(game.py(), "GameError", &message, help, None))
                }
            }
        };
        self.cached(
            id,
            |entry| entry.drawn.as_ref()?.glyphs.clone(),
            call,
            |entry, glyphs| entry.drawn().glyphs = Some(glyphs),
        )
    }
}

/// Reads the text that a method returns.
fn read_text(found: &Bound<'_, PyAny>, method: &str) -> PyResult<String> {
    let text = found.extract::<String>();
    text.map_err(|_| error(found.py(), "GameError", &format!("{method}() returns {}", repr(found)), "expected text"))
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
        let [english, korean] = &self.about;
        let text = lang.pick(english, korean);
        if text.is_empty() { Vec::new() } else { vec![text.clone()] }
    }

    fn text(&self, &id: &u32) -> String {
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let text = if self.has().text {
                read_text(&game.call_method1("text", (position,))?, "text")?
            } else {
                position.str()?.to_string()
            };
            let other = self.read().texts.get(&*text).copied().filter(|other| *other != id);
            let other = other.map(|other| repr(&self.position(game.py(), other)));
            let is_line = !text.is_empty() && text.trim() == text && !text.contains(char::is_control);
            if is_line && other.is_none() {
                return Ok(text.into());
            }
            let message = match other {
                Some(other) => format!("text() returns {text:?} for two positions: {other} and {}", repr(position)),
                None => format!("text() returns {text:?}"),
            };
            let help = "a registered game's texts are single lines, without blanks at the ends, another one for each \
                        position; rows may be separated by `/`";
            Err(error_at(game.py(), "GameError", &message, help, None))
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
        let at = self.edges(id).iter().position(|edge| edge.mv == mv);
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
        let call = |game: &Bound<'_, PyAny>, position: &Bound<'_, PyAny>| {
            let picture = game.call_method1("picture", (position,))?;
            if picture.is_none() { Ok(None) } else { read_text(&picture, "picture").map(Some) }
        };
        if self.has().picture { self.call(id, call) } else { None }
    }

    fn move_cells(&self, &id: &u32, mv: u32) -> u128 {
        let Some(board) = self.board().filter(|_| self.has().cells) else { return 0 };
        self.call(id, |game, position| {
            let found = game.call_method1("cells", (position, self.mv(game.py(), mv)))?;
            let mut marked = 0;
            for cell in found.try_iter()? {
                match cell?.extract::<(usize, usize)>() {
                    Ok((row, col)) if row < board.rows() && col < board.cols() => marked |= 1 << board.cell(row, col),
                    _ => {
                        let message = format!("cells() returns {}", repr(&found));
                        let help = format!("expected pairs of a row and a column of a board of {board}");
                        return Err(error_at(game.py(), "GameError", &message, &help, None));
                    }
                }
            }
            Ok(marked)
        })
    }
}
