//! Sums of impartial games.

use std::time::Instant;

use balpan::Budget;
use balpan_games::MakeEngine;
use balpan_games::sum::{MakeSummand, Sum, is_impartial};
use pyo3::prelude::*;
use pythonize::pythonize;

use crate::errors::{error, of_answer};
use crate::game::TextGame;
use crate::waiting::{Patience, watched};

/// The nimber of each position, and of all together; and the moves that win.
#[pyfunction]
#[pyo3(signature = (parts, moves, progress))]
pub(crate) fn sum_of<'py>(
    py: Python<'py>,
    parts: Vec<(PyRef<'py, TextGame>, Option<String>)>,
    moves: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let mut names = Vec::with_capacity(parts.len());
    let mut summands = Vec::with_capacity(parts.len());
    for (game, position) in &parts {
        let (shared, name) = (&game.0, &game.0.rules.name);
        let start = shared.at(py, position.as_deref())?;
        if !is_impartial(&start) {
            let help = "a sum takes placement games with the same pieces for both and no supply, heaps, and lines with \
                        shared marks that always end in a line; none of them misère";
            let message = format!("{name} is not impartial, or not by the normal convention");
            return Err(error(py, "NoAnswerError", &message, help));
        }
        // They are kept while all are asked, and share the memory.
        let Budget { memory, threads } = shared.make.budget;
        let make = MakeEngine::within(Budget { memory: memory / parts.len(), threads });
        summands.push(start.run(MakeSummand(make)));
        names.push(name.clone());
    }
    let begin = Instant::now();
    let sum = watched(py, Patience::new(None, progress)?, |watch| Sum::of(&names, &mut summands, moves, watch))?;
    let sum = sum.map_err(|none| of_answer(py, &none))?.within(begin.elapsed());
    Ok(pythonize(py, &sum)?)
}
