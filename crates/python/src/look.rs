//! Moves and pictures of positions, without solving them.

use balpan::{Game, Turn};
use balpan_app::words;
use balpan_games::{AnyGame, DynPosition, ErasedGame, Lang, Notation, PlayerName, TextError};
use balpan_pictures::board::{self, without_colour};
use balpan_pictures::words::name;
use pyo3::prelude::*;
use pythonize::pythonize;
use serde::Serialize;

use crate::errors::text_error;
use crate::game::TextGame;
use crate::own::call::guard;
use crate::question::lang;

/// A position with its moves.
#[derive(Serialize)]
struct PositionView {
    position: String,
    to_move: PlayerName,
    /// Each move, the position after it, and whether the player who makes it moves again.
    moves: Vec<(String, String, bool)>,
    /// The outcome for the player to move, if the game is over.
    end: Option<String>,
    /// The score for the player to move, if the game is over and ends by one.
    score: Option<i32>,
}

#[pymethods]
impl TextGame {
    /// Returns a position's text, the player to move, and all moves.
    fn look<'py>(&self, py: Python<'py>, position: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        let view = self.run_at(py, position, |game, position| {
            let after = |mv| {
                let after = game.play(position, mv);
                let is_kept = game.turn(position, mv, &after) == Turn::Kept;
                (game.move_text(position, mv), game.text(&after), is_kept)
            };
            let end = game.is_over(position).then(|| game.end_value(position));
            PositionView {
                position: game.text(position),
                to_move: game.players(position)[0],
                moves: game.moves(position).map(after).collect(),
                end: end.map(|value| value.outcome().to_string()),
                score: end.and_then(|value| value.score()),
            }
        })?;
        Ok(pythonize(py, &view)?)
    }

    /// Returns the characters of the board's cells, row by row; `None` if the game has no board.
    fn glyphs(&self, py: Python<'_>, position: Option<&str>) -> PyResult<Option<Vec<String>>> {
        self.run_at(py, position, |game, position| {
            let board = game.board()?;
            let row = |row| (0..board.cols()).map(|col| game.glyph(position, board.cell(row, col))).collect();
            Some((0..board.rows()).map(row).collect())
        })
    }

    /// Returns whether play may come back to a position, and the largest score.
    fn ends(&self, py: Python<'_>) -> PyResult<(bool, u32)> {
        self.run_at(py, None, |game, _| (game.may_repeat(), game.max_score()))
    }

    /// Draws the position as SVG, with the cells of the last move marked.
    fn svg(
        &self,
        py: Python<'_>,
        position: Option<&str>,
        last: Option<(String, String)>,
        lang_code: &str,
    ) -> PyResult<String> {
        let lang = lang(py, lang_code)?;
        self.run_at(py, position, |game, position| {
            let marked = last.as_ref().and_then(|(before, mv)| {
                let before = game.parse(before).ok()?;
                Some(game.move_cells(&before, game.find_move(&before, mv)?))
            });
            if let Some(picture) = game.picture(position) {
                return picture;
            }
            let words = turn_text(lang, game, position);
            board::position_svg(game, position, marked.unwrap_or(0), &words)
        })
    }

    /// Draws the position as text.
    fn drawn(&self, py: Python<'_>, position: Option<&str>) -> PyResult<String> {
        self.run_at(py, position, |game, position| board::draw_position(game, position, &without_colour))
    }
}

/// Describes whose turn it is, or that the game is over.
fn turn_text(lang: Lang, game: &ErasedGame, position: &DynPosition) -> String {
    if game.is_over(position) {
        return lang.pick("the end", "끝").to_owned();
    }
    words::to_move(lang, name(lang, game.players(position)[0], 0))
}

impl TextGame {
    /// Runs a computation on a position, by default the game's start, which may be on another board than the rules'.
    fn run_at<T: Send>(
        &self,
        py: Python<'_>,
        text: Option<&str>,
        task: impl Fn(&ErasedGame, &DynPosition) -> T + Send + Sync,
    ) -> PyResult<T> {
        let run = |game: &AnyGame| {
            let game = game.erased();
            let position = text.map_or_else(|| Ok(game.start()), |text| game.parse(text))?;
            Ok(task(&game, &position))
        };
        if let Ok(output) = guard(py, || run(&self.0.game))? {
            return Ok(output);
        }
        let game: AnyGame = self.0.at(py, text)?;
        guard(py, || run(&game))?.map_err(|error: TextError| text_error(py, &error))
    }
}
