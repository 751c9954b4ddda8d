//! Reports about a game: censuses, trees, reviews, puzzles, values in sums.

use std::time::{Duration, Instant};

use balpan::{EngineError, Stopped};
use balpan_app::{CensusError, CensusQuery, review};
use balpan_contest::puzzle::{PlyRange, PuzzleQuery, puzzles};
use balpan_games::Record;
use balpan_pictures::review::summary;
use balpan_pictures::tree::{self, GameTree, ViewOptions, build_tree};
use balpan_pictures::{census_histogram, review_graph};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{census_error, engine_error, error, text_answer_error, text_error};
use crate::game::TextGame;
use crate::own::call::guard;
use crate::question::lang;
use crate::waiting::{RunControl, run_interruptible};

/// The most positions of a tree: what a browser can still show.
const MAX_TREE_POSITIONS: usize = 10_000;

/// The pictures of a sheet and of its answers.
type SheetAndAnswers = (String, String);

#[pymethods]
impl TextGame {
    /// Counts the positions that play can reach from one. Also returns a histogram.
    fn census<'py>(
        &self,
        py: Python<'py>,
        position: Option<&str>,
        symmetry: bool,
        count_games: bool,
        lang_code: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, String)> {
        let game = self.0.at(py, position)?;
        let lang = lang(py, lang_code)?;
        let (name, memory) = (&self.0.rules.name, self.0.make.budget.memory);
        let counted = run_interruptible(py, RunControl::new(py, None, progress)?, |watch| {
            let census = CensusQuery { name, symmetry, nimbers: false, games: count_games, memory, watch }.count(&game);
            if watch.is_stopping() { Err(CensusError::Unfinished(Stopped::Interrupted.into())) } else { census }
        })?;
        let census = counted.map_err(|uncounted| match uncounted {
            CensusError::Unfinished(error) => census_error(py, &error),
            CensusError::EndlessPlay => error(py, "NoAnswerError", &uncounted.to_string(), "leave the games out"),
            CensusError::NotImpartial => engine_error(py, &EngineError::NotImpartial),
        })?;
        Ok((pythonize(py, &census)?, census_histogram(lang, &census)))
    }

    /// Builds the game tree below a position.
    fn tree(
        &self,
        py: Python<'_>,
        position: Option<&str>,
        depth: Option<usize>,
        alpha_beta: bool,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<TreeSheet> {
        let game = self.0.at(py, position)?;
        let make = &self.0.make;
        let options = tree::TreeOptions {
            depth,
            alpha_beta,
            max_positions: MAX_TREE_POSITIONS,
            memory: make.budget.memory,
            threads: make.budget.threads,
            oracle: make.oracle.clone(),
        };
        let name = &self.0.rules.name;
        let tree = run_interruptible(py, RunControl::new(py, None, progress)?, |watch| {
            build_tree(&game, name, options, watch)
        })?;
        let help = "ask for a smaller depth, or give a position further on";
        Ok(TreeSheet(tree.map_err(|e| error(py, "NoAnswerError", &e.to_string(), help))?))
    }

    /// Reviews a played game. Returns the report, a picture, and descriptions of the turning points.
    fn review<'py>(
        &self,
        py: Python<'py>,
        moves: &str,
        position: Option<&str>,
        lang_code: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, String, Vec<String>)> {
        let lang = lang(py, lang_code)?;
        let game = self.0.at(py, position)?;
        self.0.refuse_within_rules(py)?;
        let record = guard(py, || Record::read(&game, moves))?.map_err(|error| text_error(py, &error))?;
        let shared = &self.0;
        let review = run_interruptible(py, RunControl::new(py, None, progress)?, |watch| {
            let mut engines = shared.engines(watch).map_err(EngineError::from)?;
            let mut too_large = false;
            review(&shared.rules.name, shared.non_default_rules.clone(), &record, |position| {
                engines.answer_soon(position, &mut too_large, watch).map(Some)
            })
        })?;
        let review = review.map_err(|error| text_answer_error(py, &error))?;
        Ok((pythonize(py, &review)?, review_graph(lang, &review), summary(lang, &review)))
    }

    /// Finds positions with exactly one winning move. Also returns sheets to print, each with its answers.
    #[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
    fn puzzles<'py>(
        &self,
        py: Python<'py>,
        position: Option<&str>,
        plies: (u32, Option<u32>),
        count: Option<usize>,
        all: bool,
        by_chance: bool,
        seed: u64,
        tries: Option<u64>,
        time: Option<f64>,
        lang_code: &str,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<SheetAndAnswers>)> {
        let (game, lang) = (self.0.at(py, position)?, lang(py, lang_code)?);
        let (min, max) = plies;
        let make = &self.0.make;
        let query = PuzzleQuery {
            plies: PlyRange { min, max },
            limit: count,
            all,
            sample: by_chance,
            seed,
            tries,
            memory: make.budget.memory,
            oracle: make.oracle.clone(),
        };
        let name = &self.0.rules.name;
        let control = RunControl::new(py, time, progress)?;
        let found = run_interruptible(py, control, |watch| puzzles(&game, name, &query, watch))?;
        let mut found = found.map_err(|error| engine_error(py, &error))?;
        found.rules.clone_from(&self.0.non_default_rules);
        let sheets = guard(py, || balpan_pictures::puzzle::sheets(&game, &found.to_sheets(&game, lang)))?;
        let sheets = sheets.into_iter().map(|sheet| (sheet.puzzles, sheet.answers)).collect();
        Ok((pythonize(py, &found)?, sheets))
    }

    /// Returns the canonical value of a placement position.
    fn cgt<'py>(
        &self,
        py: Python<'py>,
        position: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (game, name, memory) = (self.0.at(py, position)?, &self.0.rules.name, self.0.make.budget.memory);
        let begin = Instant::now();
        let control = RunControl::new(py, None, progress)?;
        let found = run_interruptible(py, control, |watch| game.position_value(name, memory, watch))?;
        let Some(found) = found else {
            let message = format!(
                "{name} has no values that add up: a game has them where play ends because the player to move cannot"
            );
            let help = "ask of a placement game such as domineering, or of one in the rules language such as clobber";
            return Err(error(py, "NoAnswerError", &message, help));
        };
        let help = "only games by the normal convention have values; large ones take more memory";
        let found = found.map_err(|e| error(py, "NoAnswerError", &e.to_string(), help))?;
        let time: Duration = begin.elapsed();
        Ok(pythonize(py, &found.with_elapsed(time))?)
    }
}

/// A game tree that can be drawn.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct TreeSheet(GameTree);

#[pymethods]
impl TreeSheet {
    /// Returns the tree with the fields of the command's `--json`.
    fn told<'py>(&self, py: Python<'py>, lang_code: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.json(&view_options(py, lang_code)?))?)
    }

    fn svg(&self, py: Python<'_>, lang_code: &str) -> PyResult<String> {
        Ok(self.0.svg(&view_options(py, lang_code)?))
    }

    fn text(&self, py: Python<'_>, lang_code: &str) -> PyResult<String> {
        Ok(self.0.text(&view_options(py, lang_code)?))
    }

    fn dot(&self, py: Python<'_>, lang_code: &str) -> PyResult<String> {
        Ok(self.0.dot(&view_options(py, lang_code)?))
    }
}

fn view_options(py: Python<'_>, lang_code: &str) -> PyResult<ViewOptions> {
    Ok(ViewOptions { lang: lang(py, lang_code)?, ..ViewOptions::default() })
}
