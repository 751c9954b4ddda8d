//! `balpan solve --estimate`: what it would cost.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use balpan::{Budget, Engine, EngineError, Estimate, Goal, Stopped, Watch, estimate};
use balpan_games::{MakeEngine, Notation, NumberSearch, Task};
use serde::Serialize;

use crate::args::SolveArgs;
use crate::failure::{Failure, print, print_json};
use crate::lang::lang;
use crate::progress::{Positions, Viewer, end, was_interrupted, watched_by, within};
use crate::solve::{CheckNumber, make_engine, question};
use crate::source;
use crate::words::estimate as words;

/// Any: the same words tell the same number.
const SEED: u64 = 1;

/// How long the solve itself is tried; what is done by then needs no estimate.
const TRIAL: Duration = Duration::from_secs(2);

/// How long all may take.
const IN_ALL: Duration = Duration::from_secs(4);

/// Bytes for the tables of a sample: more than enough for what it may search.
const SAMPLE_BYTES: usize = 16 << 20;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    let make = make_engine(args, &game)?;
    game.run(Forecast { args, name: &name, make })
}

struct Forecast<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    make: MakeEngine,
}

/// How far the solve came.
#[derive(Clone, Copy)]
struct Trial {
    positions: u64,
    time: Duration,
    is_done: bool,
}

impl Task for Forecast<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, name, make } = self;
        CheckNumber { args, name }.run(game)?;
        let start = game.start();
        let ask = question(args).ask_of(game, &start);
        let threads = make.budget.threads;
        let had = Had::default();
        let title = format!("{name} {}", game.size());
        let teller = Teller { args, name, position: game.text(&start), title, threads, had: &had };
        let mut viewer = Waiting { teller: &teller, positions: Positions::default() };
        let (result, ..) = watched_by(&mut viewer, Some(IN_ALL), |watch, _| -> Result<(), EngineError> {
            let trial = trial(&make, game, &start, args, ask, watch, &had)?;
            had.set(trial, None);
            if trial.is_done || watch.is_stopping() {
                return Ok(());
            }
            let told = estimate(game, &start, SEED, watch, |position, limited| {
                let budget = Budget { memory: SAMPLE_BYTES, threads: 1 };
                let make = MakeEngine { budget, ..make.clone() };
                let engine = &mut make.engine(game);
                let (positions, is_done) = solve(engine, position, args, ask, limited).ok()?;
                is_done.then_some(positions)
            });
            had.set(trial, told.ok());
            Ok(())
        });
        result.map_err(|e| Failure::no_answer(e, name, 0))?;
        if was_interrupted() {
            return Err(Failure::stopped(Stopped::Interrupted, had.trial().positions));
        }
        teller.tell()
    }
}

/// Solves a position as it is asked, and tells how many positions that took, and whether it
/// came to its end.
fn solve<G: Notation>(
    engine: &mut Engine<G>,
    position: &G::Position,
    args: &SolveArgs,
    ask: Goal,
    watch: &Watch,
) -> Result<(u64, bool), EngineError> {
    let answer = engine.solve(position, ask, watch, |_| {})?;
    let mut is_done = answer.complete;
    if args.nimber && is_done {
        is_done = NumberSearch::of(engine, position, watch)?.number.is_some();
    }
    Ok((balpan::Solver::positions_searched(engine), is_done))
}

/// Begins the solve, and stops when it has had its time.
fn trial<G: Notation>(
    make: &MakeEngine,
    game: &G,
    position: &G::Position,
    args: &SolveArgs,
    ask: Goal,
    watch: &Watch,
    had: &Had,
) -> Result<Trial, EngineError> {
    let part = watch.child(u64::MAX);
    had.begin(&part);
    let begin = Instant::now();
    let mut engine = make.clone().engine(game);
    let (positions, is_done) = within(Some(TRIAL), &part, || solve(&mut engine, position, args, ask, &part))?;
    Ok(Trial { positions, time: begin.elapsed(), is_done })
}

/// What is had by now.
struct Had(Mutex<(Watch, Instant, Option<Trial>, Option<Estimate>)>);

impl Default for Had {
    fn default() -> Self {
        Self(Mutex::new((Watch::default(), Instant::now(), None, None)))
    }
}

impl Had {
    fn begin(&self, watch: &Watch) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0 = watch.clone();
    }

    fn set(&self, trial: Trial, estimate: Option<Estimate>) {
        let mut had = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (had.2, had.3) = (Some(trial), estimate);
    }

    /// The trial, or as much of it as is seen from outside.
    fn trial(&self) -> Trial {
        let had = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        had.2.unwrap_or_else(|| Trial { positions: had.0.positions(), time: had.1.elapsed(), is_done: false })
    }

    fn estimate(&self) -> Option<Estimate> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).3
    }
}

/// Tells what is had.
struct Teller<'a> {
    args: &'a SolveArgs,
    name: &'a str,
    position: String,
    title: String,
    threads: usize,
    had: &'a Had,
}

impl Teller<'_> {
    fn tell(&self) -> Result<(), Failure> {
        let json = Json::new(self.name, &self.position, self.had.estimate(), self.had.trial());
        if self.args.json {
            return print_json(&json);
        }
        print(&format!("{}: {}\n", self.title, json.sentence(self.threads)))
    }
}

struct Waiting<'a, 'b> {
    teller: &'a Teller<'b>,
    positions: Positions,
}

impl Viewer for Waiting<'_, '_> {
    fn told(&mut self, _watch: &Watch, elapsed: Duration) -> String {
        let watch = self.teller.had.0.lock().unwrap_or_else(PoisonError::into_inner).0.clone();
        self.positions.told(&watch, elapsed)
    }

    fn overdue(&mut self, _watch: &Watch) -> u8 {
        let positions = self.teller.had.trial().positions;
        if was_interrupted() { Failure::Stopped(positions).tell() } else { end(self.teller.tell(), positions) }
    }
}

/// The estimate as programs read it; the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: &'a str,
    exact: bool,
    /// Null where nothing can be said but `positions_low`.
    positions: Option<f64>,
    positions_low: f64,
    positions_high: Option<f64>,
    seconds: Option<f64>,
    positions_per_second: f64,
}

impl<'a> Json<'a> {
    fn new(game: &'a str, position: &'a str, estimate: Option<Estimate>, trial: Trial) -> Self {
        let searched = trial.positions as f64;
        let time = trial.time.as_secs_f64().max(1e-9);
        let rate = searched / time;
        let estimate = if trial.is_done {
            Some(Estimate { positions: searched, low: searched, high: searched, is_exact: true })
        } else {
            // It is more than what was not enough.
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
            return words::more_than(lang, self.positions_low, TRIAL.as_secs_f64(), threads);
        };
        if self.exact {
            return words::exactly(lang, positions as u64, seconds, threads);
        }
        words::about(lang, [positions, self.positions_low, high], seconds, threads)
    }
}
