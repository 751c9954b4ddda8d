//! `balpan solve --estimate`: estimating the cost of a solve.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use balpan::{Budget, Estimate, Game, Watch};
use balpan_games::{EngineOptions, Lang, Query, QueryError, TextEngine};
use serde::Serialize;

use super::{check_number, engine_options, question};
use crate::args::SolveArgs;
use crate::error::{CliError, print_report};
use crate::load::LoadedGame;
use crate::progress::{
    ProgressView, SearchProgress, exit_code, lock, run_with_view, set_positions_searched, was_interrupted,
    with_time_limit,
};
use crate::words::{answer as words, common, lang};

/// Seed of the samples: fixed, so that the same command makes the same estimate.
const SEED: u64 = 1;

/// Time of the trial solve. A solve that ends within it needs no estimate.
const TRIAL_TIME: Duration = Duration::from_secs(2);

/// Time limit of the trial and the samples.
const TIME_LIMIT: Duration = Duration::from_secs(4);

/// Table memory of a sample, more than its search can fill.
const SAMPLE_BYTES: usize = 16 << 20;

pub(super) fn run(args: &SolveArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let make = engine_options(args, &loaded)?;
    check_number(args, &loaded.name, &loaded.game)?;
    let LoadedGame { name, game, .. } = &loaded;
    let rules = game.erased();
    // Samples have the goal of the whole.
    let query = Query { goal: Some(question(args).goal_for(&rules, &rules.start())), nim_value: args.nimber };
    let solve = |engine: &mut dyn TextEngine, position: &str, watch: &Watch| -> Result<Trial, QueryError> {
        let begin = Instant::now();
        let answer = engine.ask(name, position, query, watch, &mut |_| {})?;
        Ok(Trial { positions: answer.positions_searched, time: begin.elapsed(), is_done: answer.complete })
    };
    let mut view = EstimateView {
        args,
        name,
        position: game.start_text(),
        title: format!("{name} {}", game.size()),
        threads: make.budget.threads,
        results: &Mutex::default(),
    };
    let results = view.results;
    let (result, ..) = run_with_view(&mut view, Some(TIME_LIMIT), |watch, _| -> Result<(), QueryError> {
        let part = watch.child(u64::MAX);
        lock(results).watch = part.clone();
        let mut engine = make.clone().text_engine(game);
        let trial = with_time_limit(Some(TRIAL_TIME), &part, || solve(&mut *engine, &game.start_text(), &part))?;
        lock(results).trial = Some(trial);
        if trial.is_done || watch.is_stopping() {
            return Ok(());
        }
        let mut cost = |position: &str, limited: &Watch| {
            let budget = Budget { memory: SAMPLE_BYTES, threads: 1 };
            let mut engine = EngineOptions { budget, ..make.clone() }.text_engine(game);
            let sample = solve(&mut *engine, position, limited).ok()?;
            sample.is_done.then_some(sample.positions)
        };
        lock(results).estimate = game.estimate(SEED, watch, &mut cost).ok();
        Ok(())
    });
    set_positions_searched(lock(results).trial().positions);
    result.map_err(|e| CliError::from_query(e, name))?;
    if was_interrupted() { Err(CliError::Stopped) } else { view.print() }
}

#[derive(Clone, Copy)]
struct Trial {
    positions: u64,
    time: Duration,
    is_done: bool,
}

struct PartialResults {
    begin: Instant,
    watch: Watch,
    trial: Option<Trial>,
    estimate: Option<Estimate>,
}

impl Default for PartialResults {
    fn default() -> Self {
        Self { begin: Instant::now(), watch: Watch::default(), trial: None, estimate: None }
    }
}

impl PartialResults {
    /// Returns the trial; while it runs, its cost so far.
    fn trial(&self) -> Trial {
        let so_far = || Trial { positions: self.watch.positions(), time: self.begin.elapsed(), is_done: false };
        self.trial.unwrap_or_else(so_far)
    }
}

/// Shows the progress, and prints the results so far.
struct EstimateView<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    position: String,
    title: String,
    threads: usize,
    results: &'a Mutex<PartialResults>,
}

impl EstimateView<'_> {
    fn print(&self) -> Result<(), CliError> {
        let report = EstimateReport::new(self.name, &self.position, &lock(self.results));
        print_report(self.args.json, &report, |report| format!("{}: {}\n", self.title, report.sentence(self.threads)))
    }
}

impl ProgressView for EstimateView<'_> {
    fn status_line(&mut self, search: &mut SearchProgress, _watch: &Watch, elapsed: Duration) -> String {
        search.status_line("", 0, &lock(self.results).watch, elapsed)
    }

    fn give_up(&mut self) -> u8 {
        set_positions_searched(lock(self.results).trial().positions);
        exit_code(if was_interrupted() { Err(CliError::Stopped) } else { self.print() })
    }
}

/// The estimate as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct EstimateReport<'a> {
    game: &'a str,
    position: &'a str,
    exact: bool,
    /// Null if only `positions_low` is known.
    positions: Option<f64>,
    positions_low: f64,
    positions_high: Option<f64>,
    seconds: Option<f64>,
    positions_per_second: f64,
}

impl<'a> EstimateReport<'a> {
    fn new(game: &'a str, position: &'a str, results: &PartialResults) -> Self {
        let (trial, estimate) = (results.trial(), results.estimate);
        let searched = trial.positions as f64;
        let time = trial.time.as_secs_f64().max(1e-9);
        let rate = searched / time;
        let estimate = if trial.is_done {
            Some(Estimate { positions: searched, low: searched, high: searched, is_exact: true })
        } else {
            // The trial was not enough: its positions are a lower bound.
            estimate.filter(|_| searched > 0.0).map(|Estimate { positions, low, high, .. }| Estimate {
                positions: positions.max(searched),
                low: low.max(searched),
                high: high.max(searched),
                is_exact: false,
            })
        };
        Self {
            game,
            position,
            exact: trial.is_done,
            positions: estimate.map(|estimate| estimate.positions),
            positions_low: estimate.map_or(searched, |estimate| estimate.low),
            positions_high: estimate.map(|estimate| estimate.high),
            seconds: match estimate {
                Some(_) if trial.is_done => Some(time),
                Some(estimate) => Some((estimate.positions / rate).max(time)),
                None => None,
            },
            positions_per_second: rate,
        }
    }

    fn sentence(&self, threads: usize) -> String {
        let (lang, threads) = (lang(), words::threads(lang(), threads));
        let time = |seconds| words::estimated_time(lang, seconds);
        let (Some(positions), Some(high), Some(seconds)) = (self.positions, self.positions_high, self.seconds) else {
            let low = words::rough_number(lang, self.positions_low);
            return words::more_than(lang, &low, &time(TRIAL_TIME.as_secs_f64()), &threads);
        };
        if self.exact {
            return words::exactly(lang, &common::positions(lang, positions as u64), &time(seconds), &threads);
        }
        let [positions, low, high] =
            [positions, self.positions_low, high].map(|number| words::rough_number(lang, number));
        let some = if lang == Lang::Ko || time(seconds).starts_with("less") { "" } else { "some " };
        words::about(lang, &positions, &low, &high, &format!("{some}{}", time(seconds)), &threads)
    }
}
