//! Positions looked at: moves, what they lead to, pictures. Nothing is solved.

use balpan_games::{AnyGame, Lang, Notation, Task, TextError};
use balpan_pictures::board::{self, without_colour};
use balpan_pictures::words::players::name;
use pyo3::prelude::*;
use pythonize::pythonize;
use serde::Serialize;

use crate::errors::of_text;
use crate::game::TextGame;
use crate::question::lang;

/// A position, as it is seen.
#[derive(Serialize)]
struct Seen {
    position: String,
    to_move: &'static str,
    /// Each move, and the position that it leads to.
    moves: Vec<(String, String)>,
    /// How play has ended for the player to move, if it has.
    end: Option<String>,
}

#[pymethods]
impl TextGame {
    /// A position: its text as the game writes it, whose turn it is, and every move.
    #[pyo3(signature = (position))]
    fn look<'py>(&self, py: Python<'py>, position: Option<&str>) -> PyResult<Bound<'py, PyAny>> {
        struct Look;

        impl OnPosition for Look {
            type Output = Seen;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> Seen {
                let after = |mv| (game.move_text(position, mv), game.text(&game.play(position, mv)));
                let over = game.is_over(position);
                Seen {
                    position: game.text(position),
                    to_move: game.players(position)[0],
                    moves: game.moves(position).map(after).collect(),
                    end: over.then(|| game.end(position).to_string()),
                }
            }
        }

        Ok(pythonize(py, &self.on(py, position, Look)?)?)
    }

    /// The position as a picture, with the cells marked that the last move to it marked.
    #[pyo3(signature = (position, last, lang_code))]
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

        impl OnPosition for Draw {
            type Output = String;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> String {
                let marked = self.last.and_then(|(before, mv)| {
                    let before = game.parse(&before).ok()?;
                    let mv = game.moves(&before).find(|made| game.move_text(&before, *made) == mv)?;
                    Some(game.marked(&before, mv))
                });
                let words = turn(self.lang, game, position);
                board::position_svg(game, position, marked.unwrap_or(0), &words)
            }
        }

        self.on(py, position, Draw { last, lang: lang(py, lang_code)? })
    }

    /// The position as lines of text.
    #[pyo3(signature = (position))]
    fn drawn(&self, py: Python<'_>, position: Option<&str>) -> PyResult<String> {
        struct Draw;

        impl OnPosition for Draw {
            type Output = String;

            fn run<G: Notation>(self, game: &G, position: &G::Position) -> String {
                board::draw_position(game, position, &without_colour)
            }
        }

        self.on(py, position, Draw)
    }
}

/// Whose turn it is, or that there is none.
fn turn<G: Notation>(lang: Lang, game: &G, position: &G::Position) -> String {
    if game.is_over(position) {
        return lang.pick("the end", "끝").to_owned();
    }
    let mover = name(lang, game.players(position)[0], 0);
    lang.pick(format!("{} to move", mover.plain), format!("{} 차례", mover.plain))
}

/// Something to do with a position of a game, whatever its family.
trait OnPosition {
    /// What comes of it.
    type Output;

    /// Does it.
    fn run<G: Notation>(self, game: &G, position: &G::Position) -> Self::Output;
}

/// Does it with the position of this text; with the game's start, if there is none.
struct At<'t, T> {
    text: Option<&'t str>,
    task: T,
}

impl<T: OnPosition> Task for At<'_, T> {
    type Output = Result<T::Output, (TextError, T)>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { text, task } = self;
        match text.map_or_else(|| Ok(game.start()), |text| game.parse(text)) {
            Ok(position) => Ok(task.run(game, &position)),
            Err(mistake) => Err((mistake, task)),
        }
    }
}

impl TextGame {
    /// Does something with a position: one on another board than the rules' is of a game of its own.
    fn on<T: OnPosition>(&self, py: Python<'_>, text: Option<&str>, task: T) -> PyResult<T::Output> {
        let task = match self.0.game.run(At { text, task }) {
            Ok(done) => return Ok(done),
            Err((_, task)) => task,
        };
        let game: AnyGame = self.0.at(py, text)?;
        game.run(At { text, task }).map_err(|(mistake, _)| of_text(py, &mistake))
    }
}
