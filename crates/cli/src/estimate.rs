//! `balpan solve --estimate`: what it would cost.

use std::time::{Duration, Instant};

use balpan::{AlphaBeta, Ask, Estimate, Game, Solver, Stopped, Watch, estimate, solve};
use balpan_games::{Notation, Task, check_length};
use serde::Serialize;

use crate::args::SolveArgs;
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, rough, rough_time};
use crate::progress::watched;
use crate::source;

pub(crate) fn run(args: &SolveArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    game.run(Forecast { args, name: &name })
}

struct Forecast<'a> {
    args: &'a SolveArgs,
    name: &'a str,
}

/// Any: the same words tell the same number.
const SEED: u64 = 1;

/// How long the solve is tried, to see how fast it is.
const TRIAL: Duration = Duration::from_millis(200);

impl Task for Forecast<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, name } = self;
        check_length(game).map_err(|e| Failure::no_answer(e, name, 0))?;
        let position = game.start();
        let ask = if args.outcome { Ask::Outcome } else { Ask::Value };
        let ((result, searched), _) = watched(|watch| {
            let result = estimate(game, &position, ask, SEED, watch).and_then(|estimate| {
                try_for(TRIAL, game, &position, ask, args.game.memory, watch).map(|trial| (estimate, trial))
            });
            (result, watch.positions())
        });
        let (estimate, trial) = result.map_err(|stopped| Failure::stopped(stopped, searched))?;
        let json = Json::new(name, game.text(&position), estimate, &trial);
        if args.json {
            return print_json(&json);
        }
        print(&format!("{name} {}: {}\n", game.size(), json.sentence()))
    }
}

/// How far a solve came.
struct Trial {
    positions: u64,
    time: Duration,
    is_done: bool,
}

/// Begins the solve, and stops when it has had its time.
fn try_for<G: Game>(
    time: Duration,
    game: &G,
    position: &G::Position,
    ask: Ask,
    memory: usize,
    outer: &Watch,
) -> Result<Trial, Stopped> {
    let watch = Watch::default();
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| {
            let mut solver = AlphaBeta::new(game, memory, &watch);
            let is_done = solve(game, position, ask, &mut solver, &watch).is_ok();
            Trial { positions: solver.positions_searched(), time: begin.elapsed(), is_done }
        });
        while !worker.is_finished() && begin.elapsed() < time && !outer.is_stopping() {
            std::thread::sleep(Duration::from_millis(1));
        }
        watch.stop();
        let trial = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        outer.count(trial.positions)?;
        Ok(trial)
    })
}

/// The estimate as programs read it; the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Json<'a> {
    game: &'a str,
    position: String,
    exact: bool,
    positions: f64,
    positions_low: f64,
    positions_high: f64,
    seconds: f64,
    positions_per_second: f64,
}

impl<'a> Json<'a> {
    fn new(game: &'a str, position: String, estimate: Estimate, trial: &Trial) -> Self {
        let exact = |positions| Estimate { positions, low: positions, high: positions, is_exact: true };
        let estimate = if trial.is_done { exact(trial.positions as f64) } else { estimate };
        let seconds = trial.time.as_secs_f64().max(1e-9);
        let rate = trial.positions as f64 / seconds;
        Self {
            game,
            position,
            exact: estimate.is_exact,
            positions: estimate.positions,
            positions_low: estimate.low,
            positions_high: estimate.high,
            // No positions at all only if the game is over.
            seconds: if trial.is_done { seconds } else { estimate.positions / rate.max(1.0) },
            positions_per_second: rate,
        }
    }

    fn sentence(&self) -> String {
        let time = rough_time(self.seconds);
        if self.exact {
            let positions = counted(self.positions as u64, "position", "positions");
            return format!("exactly {positions}, {time} on one thread of this machine.");
        }
        let some = if time.starts_with("less") { "" } else { "some " };
        let [positions, low, high] = [self.positions, self.positions_low, self.positions_high].map(rough);
        format!("about {positions} positions ({low} to {high}), {some}{time} on one thread of this machine.")
    }
}
