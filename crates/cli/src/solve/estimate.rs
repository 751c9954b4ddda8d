//! `balpan solve --estimate`: estimating the cost of a solve.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use balpan::{Budget, Engine, EngineError, Estimate, Goal, Stopped, Watch, estimate};
use balpan_games::{EngineOptions, FamilyGame, NimberResult, Notation, Task};
use serde::Serialize;

use super::{CheckNumber, make_engine, question};
use crate::args::SolveArgs;
use crate::error::{CliError, print, print_json};
use crate::load::LoadedGame;
use crate::progress::{ProgressView, SearchProgress, exit_code, run_with_view, was_interrupted, with_time_limit};
use crate::words::estimate as words;
use crate::words::lang;

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
    let make = make_engine(args, &loaded)?;
    loaded.game.run(EstimateTask { args, name: &loaded.name, make })
}

struct EstimateTask<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    make: EngineOptions,
}

/// The cost of the trial solve.
#[derive(Clone, Copy)]
struct Trial {
    positions: u64,
    time: Duration,
    is_done: bool,
}

impl Task for EstimateTask<'_> {
    type Output = Result<(), CliError>;

    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        let Self { args, name, make } = self;
        CheckNumber { args, name }.run(game)?;
        let start = game.start();
        let goal = question(args).goal_for(game, &start);
        let threads = make.budget.threads;
        let results = Results::default();
        let title = format!("{name} {}", game.size());
        let printer = EstimatePrinter { args, name, position: game.text(&start), title, threads, results: &results };
        let mut view = EstimateProgress { printer: &printer, search: SearchProgress::default() };
        let (result, ..) = run_with_view(&mut view, Some(TIME_LIMIT), |watch, _| -> Result<(), EngineError> {
            let trial = run_trial(&make, game, &start, args, goal, watch, &results)?;
            results.lock().trial = Some(trial);
            if trial.is_done || watch.is_stopping() {
                return Ok(());
            }
            let estimate = estimate(game, &start, SEED, watch, |position, limited| {
                let budget = Budget { memory: SAMPLE_BYTES, threads: 1 };
                let make = EngineOptions { budget, ..make.clone() };
                let engine = &mut make.build(game);
                let (positions, is_done) = solve(engine, position, args, goal, limited).ok()?;
                is_done.then_some(positions)
            });
            results.lock().estimate = estimate.ok();
            Ok(())
        });
        result.map_err(|e| CliError::from_engine(e, name, 0))?;
        if was_interrupted() {
            return Err(CliError::from_stopped(Stopped::Interrupted, results.trial().positions));
        }
        printer.print()
    }
}

/// Solves a position. Returns the number of positions searched, and whether the solve was completed.
fn solve<G: Notation>(
    engine: &mut Engine<G>,
    position: &G::Position,
    args: &SolveArgs,
    goal: Goal,
    watch: &Watch,
) -> Result<(u64, bool), EngineError> {
    let answer = engine.solve(position, goal, watch, |_| {})?;
    let mut is_done = answer.complete;
    if args.nimber && is_done {
        is_done = NimberResult::search(engine, position, watch)?.nim_value.is_some();
    }
    Ok((balpan::Solver::positions_searched(engine), is_done))
}

/// Solves for [`TRIAL_TIME`].
fn run_trial<G: Notation>(
    make: &EngineOptions,
    game: &G,
    position: &G::Position,
    args: &SolveArgs,
    goal: Goal,
    watch: &Watch,
    results: &Results,
) -> Result<Trial, EngineError> {
    let part = watch.child(u64::MAX);
    results.lock().watch = part.clone();
    let begin = Instant::now();
    let mut engine = make.clone().build(game);
    let (positions, is_done) =
        with_time_limit(Some(TRIAL_TIME), &part, || solve(&mut engine, position, args, goal, &part))?;
    Ok(Trial { positions, time: begin.elapsed(), is_done })
}

/// The results so far, shared with the view.
#[derive(Default)]
struct Results(Mutex<PartialResults>);

struct PartialResults {
    begin: Instant,
    /// The watch of the trial.
    watch: Watch,
    trial: Option<Trial>,
    estimate: Option<Estimate>,
}

impl Default for PartialResults {
    fn default() -> Self {
        Self { begin: Instant::now(), watch: Watch::default(), trial: None, estimate: None }
    }
}

impl Results {
    fn lock(&self) -> MutexGuard<'_, PartialResults> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the trial; while it runs, its cost so far.
    fn trial(&self) -> Trial {
        let results = self.lock();
        let so_far = || Trial { positions: results.watch.positions(), time: results.begin.elapsed(), is_done: false };
        results.trial.unwrap_or_else(so_far)
    }
}

/// Prints the results so far.
struct EstimatePrinter<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    position: String,
    title: String,
    threads: usize,
    results: &'a Results,
}

impl EstimatePrinter<'_> {
    fn print(&self) -> Result<(), CliError> {
        let estimate = self.results.lock().estimate;
        let report = EstimateReport::new(self.name, &self.position, estimate, self.results.trial());
        if self.args.json {
            return print_json(&report);
        }
        print(&format!("{}: {}\n", self.title, report.sentence(self.threads)))
    }
}

struct EstimateProgress<'a, 'b> {
    printer: &'a EstimatePrinter<'b>,
    search: SearchProgress,
}

impl ProgressView for EstimateProgress<'_, '_> {
    fn status_line(&mut self, _watch: &Watch, elapsed: Duration) -> String {
        let watch = self.printer.results.lock().watch.clone();
        self.search.status_line(&watch, elapsed)
    }

    fn give_up(&mut self, _watch: &Watch) -> u8 {
        let positions = self.printer.results.trial().positions;
        if was_interrupted() {
            CliError::Stopped(positions).report()
        } else {
            exit_code(self.printer.print(), positions)
        }
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
    fn new(game: &'a str, position: &'a str, estimate: Option<Estimate>, trial: Trial) -> Self {
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
        let lang = lang();
        let (Some(positions), Some(high), Some(seconds)) = (self.positions, self.positions_high, self.seconds) else {
            return words::more_than(lang, self.positions_low, TRIAL_TIME.as_secs_f64(), threads);
        };
        if self.exact {
            return words::exactly(lang, positions as u64, seconds, threads);
        }
        words::about(lang, [positions, self.positions_low, high], seconds, threads)
    }
}
