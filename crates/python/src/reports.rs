//! Reports about a game: censuses, trees, games looked back at, puzzles, values in sums.

use std::time::{Duration, Instant};

use balpan::reach::{self, Count};
use balpan::{EngineError, Stopped, TooLong, Watch};
use balpan_contest::puzzle::{PlyRange, PuzzleQuery, puzzles};
use balpan_games::census::{Census, count_values};
use balpan_games::placement::{Placement, PlacementValueError, PositionValueReport};
use balpan_games::{Answer, AnyGame, CellSet, Notation, Record, Review, Task};
use balpan_pictures::tree::{self, GameTree, ViewOptions, build_tree};
use balpan_pictures::words::review::{no_turning_point, result, turning_point};
use balpan_pictures::{census_histogram, review_graph};
use pyo3::prelude::*;
use pyo3::types::PyAny;
use pythonize::pythonize;

use crate::errors::{error, of_answer, of_census, of_text, of_text_answer};
use crate::game::TextGame;
use crate::question::lang;
use crate::waiting::{Patience, watched};

/// Positions of the largest tree that is drawn: what a browser still shows.
const MOST_IN_TREE: usize = 10_000;

/// Two pictures.
type SheetAndAnswers = (String, String);

#[pymethods]
impl TextGame {
    /// All positions that play can reach from one, counted; and a histogram.
    #[pyo3(signature = (position, symmetry, count_games, lang_code, progress))]
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
        let counted = watched(py, Patience::new(py, None, progress)?, |watch| {
            game.run(Counting { name, symmetry, count_games, memory, watch })
        })?;
        let census = counted.map_err(|unfinished| of_census(py, &unfinished))?;
        Ok((pythonize(py, &census)?, census_histogram(lang, &census)))
    }

    /// The tree of play below a position.
    #[pyo3(signature = (position, depth, alpha_beta, progress))]
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
            max_positions: MOST_IN_TREE,
            memory: make.budget.memory,
            threads: make.budget.threads,
            oracle: make.known.clone(),
        };
        let name = &self.0.rules.name;
        let tree = watched(py, Patience::new(py, None, progress)?, |watch| build_tree(&game, name, options, watch))?;
        let help = "ask for a smaller depth, or give a position further on";
        Ok(TreeSheet(tree.map_err(|none| error(py, "NoAnswerError", &none.to_string(), help))?))
    }

    /// A game that was played, with what each move gave away: the report, a picture, and the
    /// turning points in words.
    #[pyo3(signature = (moves, position, lang_code, progress))]
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
        let record = Record::read(&game, moves).map_err(|mistake| of_text(py, &mistake))?;
        let shared = &self.0;
        let known = watched(py, Patience::new(py, None, progress)?, |watch| {
            let mut engines = shared.engines(watch).map_err(EngineError::from)?;
            let mut too_large = false;
            let mut answers: Vec<Option<Answer>> = Vec::new();
            // From the end: what later positions teach serves those before them.
            for (ply, position) in record.positions.iter().enumerate().rev() {
                let is_end = record.end.is_some() && ply == record.moves.len();
                let mut ask = || engines.ask_in_reach(position, &mut too_large, watch);
                answers.push(if is_end { None } else { Some(ask()?) });
            }
            answers.reverse();
            Ok(answers)
        })?;
        let known = known.map_err(|none| of_text_answer(py, &none))?;
        let known: Vec<_> = known.iter().map(Option::as_ref).collect();
        let review = Review::new(&shared.rules.name, shared.untold.clone(), &record, &known);
        let mut words = vec![result(lang, &review)];
        words.extend(review.turning_points().filter_map(|n| turning_point(lang, &review, n)));
        if words.len() == 1 {
            words.push(no_turning_point(lang, &review).to_owned());
        }
        Ok((pythonize(py, &review)?, review_graph(lang, &review), words))
    }

    /// Positions with exactly one winning move; and sheets of them to print, each with its answers.
    #[pyo3(signature = (position, plies, count, all, by_chance, seed, tries, time, lang_code, progress))]
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
            oracle: make.known.clone(),
        };
        let name = &self.0.rules.name;
        let patience = Patience::new(py, time, progress)?;
        let found = watched(py, patience, |watch| puzzles(&game, name, &query, watch))?;
        let mut found = found.map_err(|none| of_answer(py, &none))?;
        found.rules.clone_from(&self.0.untold);
        let sheets = balpan_pictures::puzzle::sheets(&game, &found.to_sheets(&game, lang));
        let sheets = sheets.into_iter().map(|sheet| (sheet.puzzles, sheet.answers)).collect();
        Ok((pythonize(py, &found)?, sheets))
    }

    /// What a placement position is worth in sums with others.
    #[pyo3(signature = (position, progress))]
    fn cgt<'py>(
        &self,
        py: Python<'py>,
        position: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        fn of<W: CellSet>(
            name: &str,
            game: &Placement<W>,
            memory: usize,
            watch: &Watch,
        ) -> Result<PositionValueReport, PlacementValueError> {
            PositionValueReport::find(name, game, &balpan::Game::start(game), memory, watch)
        }

        let (game, name, memory) = (self.0.at(py, position)?, &self.0.rules.name, self.0.make.budget.memory);
        let begin = Instant::now();
        let found = watched(py, Patience::new(py, None, progress)?, |watch| match &game {
            AnyGame::Placement(game) => Some(of(name, game, memory, watch)),
            AnyGame::WidePlacement(game) => Some(of(name, game, memory, watch)),
            AnyGame::Walkers(_) | AnyGame::WideWalkers(_) | AnyGame::Lines(_) | AnyGame::Heaps(_) => None,
        })?;
        let Some(found) = found else {
            let message = format!("{name} is not a placement game: only those have values that add up");
            return Err(error(py, "NoAnswerError", &message, "ask of a placement game, such as domineering"));
        };
        let help = "only placement games by the normal convention have values; large ones take more memory";
        let found = found.map_err(|none| error(py, "NoAnswerError", &none.to_string(), help))?;
        let time: Duration = begin.elapsed();
        Ok(pythonize(py, &found.with_elapsed(time))?)
    }
}

struct Counting<'a> {
    name: &'a str,
    symmetry: bool,
    count_games: bool,
    memory: usize,
    watch: &'a Watch,
}

impl Task for Counting<'_> {
    type Output = Result<Census, balpan::reach::ReachError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { name, symmetry, count_games, memory, watch } = self;
        let start = game.start();
        TooLong::check(game, &start).map_err(Stopped::TooLong)?;
        let count = if symmetry { Count::Classes } else { Count::Positions };
        let values = count_values(game, &start, count, memory, watch)?;
        let played = if count_games { reach::count_games(game, &start, memory, watch)? } else { None };
        if watch.is_stopping() {
            return Err(Stopped::Interrupted.into());
        }
        Ok(Census::new(name, game.text(&start), symmetry, &values, played))
    }
}

/// A tree of play, to be drawn.
#[pyclass(frozen, module = "balpan._balpan")]
pub(crate) struct TreeSheet(GameTree);

#[pymethods]
impl TreeSheet {
    /// As the command's `--json` has it.
    #[pyo3(signature = (lang_code))]
    fn told<'py>(&self, py: Python<'py>, lang_code: &str) -> PyResult<Bound<'py, PyAny>> {
        Ok(pythonize(py, &self.0.json(&look(py, lang_code)?))?)
    }

    #[pyo3(signature = (lang_code))]
    fn svg(&self, py: Python<'_>, lang_code: &str) -> PyResult<String> {
        Ok(self.0.svg(&look(py, lang_code)?))
    }

    #[pyo3(signature = (lang_code))]
    fn text(&self, py: Python<'_>, lang_code: &str) -> PyResult<String> {
        Ok(self.0.text(&look(py, lang_code)?))
    }

    #[pyo3(signature = (lang_code))]
    fn dot(&self, py: Python<'_>, lang_code: &str) -> PyResult<String> {
        Ok(self.0.dot(&look(py, lang_code)?))
    }
}

fn look(py: Python<'_>, lang_code: &str) -> PyResult<ViewOptions> {
    Ok(ViewOptions { lang: lang(py, lang_code)?, ..ViewOptions::default() })
}
