//! Moves and pictures of positions, without solving them.

use balpan::Turn;
use balpan_app::words;
use balpan_games::{AnyGame, Lang, Notation, PlayerName, Task, TextError};
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
        struct Look;

        impl PositionTask for Look {
            type Output = PositionView;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> PositionView {
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
            }
        }

        Ok(pythonize(py, &self.run_at(py, position, Look)?)?)
    }

    /// Returns the characters of the board's cells, row by row; `None` if the game has no board.
    fn glyphs(&self, py: Python<'_>, position: Option<&str>) -> PyResult<Option<Vec<String>>> {
        struct Glyphs;

        impl PositionTask for Glyphs {
            type Output = Option<Vec<String>>;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> Self::Output {
                let board = game.board()?;
                let row = |row| (0..board.cols()).map(|col| game.glyph(position, board.cell(row, col))).collect();
                Some((0..board.rows()).map(row).collect())
            }
        }

        self.run_at(py, position, Glyphs)
    }

    /// Returns whether play may come back to a position, and the largest score.
    fn ends(&self, py: Python<'_>) -> PyResult<(bool, u32)> {
        struct Ends;

        impl PositionTask for Ends {
            type Output = (bool, u32);

            fn run<G: Notation>(self, game: &G, _: &G::Position) -> Self::Output {
                (game.may_repeat(), game.max_score())
            }
        }

        self.run_at(py, None, Ends)
    }

    /// Draws the position as SVG, with the cells of the last move marked.
    fn svg(
        &self,
        py: Python<'_>,
        position: Option<&str>,
        last: Option<(String, String)>,
        lang_code: &str,
    ) -> PyResult<String> {
        struct Draw {
            last: Option<(String, String)>,
            lang: Lang,
        }

        impl PositionTask for Draw {
            type Output = String;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> String {
                let marked = self.last.and_then(|(before, mv)| {
                    let before = game.parse(&before).ok()?;
                    let mv = game.moves(&before).find(|made| game.move_text(&before, *made) == mv)?;
                    Some(game.move_cells(&before, mv))
                });
                if let Some(picture) = game.picture(position) {
                    return picture;
                }
                let words = turn_text(self.lang, game, position);
                board::position_svg(game, position, marked.unwrap_or(0), &words)
            }
        }

        self.run_at(py, position, Draw { last, lang: lang(py, lang_code)? })
    }

    /// Draws the position as text.
    fn drawn(&self, py: Python<'_>, position: Option<&str>) -> PyResult<String> {
        struct Draw;

        impl PositionTask for Draw {
            type Output = String;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> String {
                board::draw_position(game, position, &without_colour)
            }
        }

        self.run_at(py, position, Draw)
    }
}

/// Describes whose turn it is, or that the game is over.
fn turn_text<G: Notation>(lang: Lang, game: &G, position: &G::Position) -> String {
    if game.is_over(position) {
        return lang.pick("the end", "끝").to_owned();
    }
    words::to_move(lang, name(lang, game.players(position)[0], 0))
}

/// A computation on a position of a game of any family.
trait PositionTask {
    /// The result.
    type Output;

    /// Runs the computation.
    fn run<G: Notation>(self, game: &G, position: &G::Position) -> Self::Output;
}

/// A task that parses a position, by default the game's start, and runs a computation on it.
struct ParseAndRun<'t, T> {
    text: Option<&'t str>,
    task: T,
}

impl<T: PositionTask> Task for ParseAndRun<'_, T> {
    type Output = Result<T::Output, (TextError, T)>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { text, task } = self;
        match text.map_or_else(|| Ok(game.start()), |text| game.parse(text)) {
            Ok(position) => Ok(task.run(game, &position)),
            Err(error) => Err((error, task)),
        }
    }
}

impl TextGame {
    /// Runs a computation on a position, which may be on another board than the rules'.
    fn run_at<T: PositionTask>(&self, py: Python<'_>, text: Option<&str>, task: T) -> PyResult<T::Output> {
        let task = match guard(py, || self.0.game.run(ParseAndRun { text, task }))? {
            Ok(output) => return Ok(output),
            Err((_, task)) => task,
        };
        let game: AnyGame = self.0.at(py, text)?;
        guard(py, || game.run(ParseAndRun { text, task }))?.map_err(|(error, _)| text_error(py, &error))
    }
}
