//! Stress tests of a caller's function, and test data.

use std::sync::Arc;
use std::time::{Duration, Instant};

use balpan::{Budget, Game, Goal, Watch};
use balpan_app::{Explanation, StressReport};
use balpan_contest::custom::AnswerKind;
use balpan_contest::stress::{Difference, Fault, StressOptions, stress};
use balpan_contest::{CustomGame, DataOptions, End, Judge, JudgeTask, Limits, Program, Run, data_json};
use balpan_games::{AnyGame, EngineOptions, Query};
use balpan_pictures::board;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use pythonize::pythonize;

use crate::errors::{argument_error, error};
use crate::game::TextGame;
use crate::own::call::guard;
use crate::waiting::{RunControl, duration, run_interruptible, run_with_tick};

/// Runs a task with the judge of a contest problem; or with the judge of a game, whose kind of answers is the
/// string of `own`.
fn with_judge<T: JudgeTask>(
    py: Python<'_>,
    name: &str,
    own: Option<(PyRef<'_, TextGame>, String)>,
    task: T,
) -> PyResult<T::Output> {
    if let Some((game, answer)) = own {
        let kind = match answer.as_str() {
            "outcome" => AnswerKind::Outcome,
            "value" => AnswerKind::Value,
            "nimber" => AnswerKind::Nimber,
            _ => {
                let message = format!("answer={answer:?}");
                return Err(argument_error(py, &message, "expected 'outcome', 'value' or 'nimber'"));
            }
        };
        let rules = game.0.rules.clone();
        let smaller = !rules.has_fixed_board();
        let judge =
            run_interruptible(py, RunControl::unlimited(), |watch| CustomGame::new(rules, kind, smaller, watch))?;
        let help = "take a smaller board, or answer=\"outcome\"; only impartial games have nimbers";
        let judge = judge.map_err(|e| error(py, "NoAnswerError", &e.to_string(), help))?;
        return guard(py, || task.run(&judge));
    }
    balpan_contest::with_judge(name, task).ok_or_else(|| {
        let help = "the judges are platforms, blockgame and tictactoe; any game of balpan.game() or balpan.rules() has one, too";
        error(py, "RulesError", &format!("there is no judge {name:?}"), help)
    })
}

/// Compares a function with the judge's answers.
///
/// `runner.run(input, seconds)` answers an input in the judge's format within `seconds` seconds. It returns its output,
/// an error message, and how it ended (`right`, `raised` or `time`). Meanwhile `runner.tick(stopping)` is called from
/// another thread.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
pub(crate) fn compare<'py>(
    py: Python<'py>,
    name: &str,
    own: Option<(PyRef<'py, TextGame>, String)>,
    runner: Py<PyAny>,
    seed: u64,
    cases: Option<u64>,
    time: f64,
    limit: Option<f64>,
) -> PyResult<Bound<'py, PyAny>> {
    let time = duration(py, "time", time)?;
    let limit = limit.map(|limit| duration(py, "limit", limit)).transpose()?;
    let report = with_judge(py, name, own, CompareTask { py, runner, seed, cases, time, limit })??;
    Ok(pythonize(py, &report)?)
}

struct CompareTask<'py> {
    py: Python<'py>,
    runner: Py<PyAny>,
    seed: u64,
    cases: Option<u64>,
    time: Duration,
    limit: Option<Duration>,
}

impl JudgeTask for CompareTask<'_> {
    type Output = PyResult<StressReport>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let Self { py, runner, seed, cases, time, limit } = self;
        let runner = Arc::new(runner);
        let plan = StressOptions {
            seed,
            cases,
            time,
            time_limit: limit.unwrap_or(judge.info().time_limit),
            memory_limit: None,
            batch: None,
            // The interpreter runs one at a time.
            threads: 1,
        };
        let program = {
            let runner = Arc::clone(&runner);
            Program::from_function("a function", move |input, limits, watch| run(&runner, input, limits, watch))
        };
        let tick = |py: Python<'_>, stopping: bool| runner.call_method1(py, "tick", (stopping,)).map(drop);
        let report = run_with_tick(py, &Watch::default(), RunControl::unlimited(), tick, |watch| {
            stress(judge, &program, &plan, watch)
        })?;
        let report = report.map_err(|e| error(py, "NoAnswerError", &e.to_string(), "allow more time"))?;
        let explain = |difference: &Difference<J>| {
            let (position, line) = match judge.game(&difference.case) {
                Some(game) => run_interruptible(py, RunControl::unlimited(), |watch| best_line(&game, watch))?,
                None => Default::default(),
            };
            let result =
                if let Fault::Garbage(word) = difference.fault.symptom() { word.clone() } else { String::new() };
            Ok::<_, PyErr>(Explanation { position, line, result, ..Explanation::default() })
        };
        let explanation = report.difference.as_ref().map(explain).transpose()?;
        Ok(StressReport::new(judge, program.name(), &plan, &report, explanation))
    }
}

/// Runs the caller's function on an input.
fn run(runner: &Py<PyAny>, input: &[u8], limits: Limits, watch: &Watch) -> Run {
    let begin = Instant::now();
    let result = Python::attach(|py| -> PyResult<(Vec<u8>, String, String)> {
        let seconds = limits.time.as_secs_f64();
        runner.call_method1(py, "run", (PyBytes::new(py, input), seconds))?.extract(py)
    });
    let (mut output, errors, status) =
        result.unwrap_or_else(|error| (Vec::new(), error.to_string(), "raised".to_owned()));
    let too_long = output.len() > limits.output;
    output.truncate(limits.output);
    let end = match &*status {
        _ if watch.is_stopping() => End::Stopped,
        "right" if too_long => End::OutputLimit,
        "right" => End::Exited(0),
        "time" => End::TimeLimit,
        _ => End::Exited(1),
    };
    Run { output, errors, end, time: begin.elapsed(), waited: Duration::ZERO, memory: None }
}

/// Returns the start of a game and a best line from it.
fn best_line(game: &AnyGame, watch: &Watch) -> (String, Vec<String>) {
    let start = game.start_text();
    let mut engine = EngineOptions::new(Budget { memory: 64 << 20, threads: 1 }).text_engine(game);
    // The case was answered before, so it is not hard.
    let query = Query { goal: Some(Goal::Value), nim_value: false };
    let answer = engine.ask("", &start, query, watch, &mut |_| {});
    (start, answer.map_or_else(|_| Vec::new(), |answer| answer.line))
}

/// Generates test data, with the fields of the command's `--json`.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "they are what the command's options are")]
pub(crate) fn generate<'py>(
    py: Python<'py>,
    name: &str,
    own: Option<(PyRef<'py, TextGame>, String)>,
    cases: usize,
    seed: u64,
    cover: bool,
    hard: usize,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let control = RunControl::new(py, None, progress)?;
    with_judge(py, name, own, GenerateTask { py, cases, seed, cover, hard, control })?
}

struct GenerateTask<'py> {
    py: Python<'py>,
    cases: usize,
    seed: u64,
    cover: bool,
    hard: usize,
    control: RunControl,
}

impl<'py> JudgeTask for GenerateTask<'py> {
    type Output = PyResult<Bound<'py, PyAny>>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        let Self { py, cases, seed, cover, hard, control } = self;
        let refused = |option: &str, help| {
            Err(error(py, "NoAnswerError", &format!("{option} is not for {}", judge.info().name), help))
        };
        if hard > 0 && judge.recursions().is_empty() {
            return refused("hard", "platforms, blockgame and tictactoe have the plain solutions that it needs");
        }
        if cover && judge.package_parts().is_none() {
            return refused("cover", "it is for contest problems and problem files whose input is words");
        }
        let generated = run_interruptible(py, control, |watch| {
            balpan_app::generate(judge, Vec::new(), &DataOptions { cases, seed, cover }, hard, watch)
        })?;
        let (data, hard) = generated.map_err(|e| error(py, "NoAnswerError", &e.to_string(), "ask for more cases"))?;
        Ok(pythonize(py, &data_json(judge, seed, &data, 0, &hard))?)
    }
}

/// Draws a judge's case as SVG.
#[pyfunction]
pub(crate) fn judge_svg(
    py: Python<'_>,
    name: &str,
    own: Option<(PyRef<'_, TextGame>, String)>,
    input: String,
) -> PyResult<String> {
    struct Draw(String);

    impl JudgeTask for Draw {
        type Output = Option<AnyGame>;

        fn run<J: Judge>(self, judge: &J) -> Self::Output {
            let case = judge.read(self.0.as_bytes()).next()?.ok()?;
            judge.game(&case)
        }
    }

    let game = with_judge(py, name, own, Draw(input))?;
    let svg = |game: AnyGame| {
        let game = game.erased();
        board::position_svg(&game, &game.start(), 0, "")
    };
    guard(py, || game.map_or_else(String::new, svg))
}
