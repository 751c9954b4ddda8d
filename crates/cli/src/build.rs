//! `balpan build`: writing the values of all positions of a game to a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use balpan::{Budget, Game, TableError, Watch};
use balpan_games::{DynPosition, Notation};
use balpan_strong::{AnyKeyGame, BuildError, BuildEstimate, Header, Metric, Phase, Plan, Progress, Subject};
use serde::Serialize;

use crate::args::BuildArgs;
#[cfg(feature = "cluster")]
use crate::cluster;
use crate::error::{CliError, harmless, print_report};
use crate::files;
use crate::load::LoadedGame;
use crate::numbers::{counted, grouped, rough, rough_bytes, rough_time};
use crate::progress::{run_with_status, thread_count};
use crate::strong::entries;

/// Sampling time of `--estimate`.
const ESTIMATE_TIME: Duration = Duration::from_secs(3);

/// Sampling time of the check of the disk space before a build.
const DISK_CHECK_TIME: Duration = Duration::from_millis(20);

const MAX_STARTS_BYTES: u64 = 1 << 24;

pub(crate) fn run(args: &BuildArgs) -> Result<(), CliError> {
    #[cfg(not(feature = "cluster"))]
    if args.cluster.process.is_some() {
        return Err(CliError::from_missing_feature("balpan build --process", "cluster"));
    }
    let LoadedGame { rules, game, .. } = LoadedGame::load(&args.game)?;
    let starts = args.starts.as_deref().map(read_starts).transpose()?;
    let game = match starts.as_ref().and_then(|starts| starts.first()) {
        Some(start) => rules.game_at(start)?,
        None => game,
    };
    let erased = game.erased();
    let starts = match &starts {
        None => vec![erased.start()],
        Some(starts) => starts.iter().map(|start| erased.parse(start)).collect::<Result<_, _>>()?,
    };
    let of = Subject {
        game: rules.name.clone(),
        rules: rules.text.clone(),
        size: game.size(),
        starts: starts.iter().map(|start| erased.text(start)).collect(),
        metric: if args.nimber { Metric::Nimber } else { Metric::Value },
        // Splitting the game into parts already folds them.
        folded: args.nimber || !args.unfolded,
        plies: args.plies,
    };
    let key_game = AnyKeyGame::new(&game);
    if args.estimate {
        return estimate(&key_game, &starts, &of, args);
    }
    let Some(output) = args.output.clone() else { return Ok(()) };
    #[cfg(feature = "cluster")]
    if let Some(process) = args.cluster.process {
        return cluster::build(&key_game, &starts, of, output, process, args);
    }
    let scratch = args.scratch.clone().unwrap_or_else(|| with_suffix(&output, ".scratch"));
    if output.exists() {
        return report_existing(&output, &scratch, &of, args.json);
    }
    let threads = thread_count(args.threads);
    let plan = Plan { subject: of, output, scratch, memory: args.game.memory, threads };
    if !args.book {
        check_disk(&key_game, &starts, &plan)?;
    }
    let progress = Progress::default();
    let (header, time) = run_with_status(status(&progress), |watch| {
        if !args.book {
            return key_game.build(&starts, &plan, watch, &progress);
        }
        if game.may_repeat() {
            return Err(BuildError::Loops);
        }
        let mut solver = match game.solver(Budget { memory: plan.memory, threads }, None, watch) {
            Ok(solver) => solver,
            Err(TableError::Stopped(stopped)) => return Err(stopped.into()),
            // Games in which play always ends have an engine.
            Err(_) => return Err(BuildError::Loops),
        };
        key_game.book(&starts, &plan, watch, &progress, |position| solver.value(position))
    });
    let header = header.map_err(|e| build_error(&e, &plan.scratch))?;
    print_built(&header, &plan.output, Some(time), args.json)
}

fn read_starts(path: &Path) -> Result<Vec<String>, CliError> {
    let option = format!("--starts {}", path.display());
    let help = "expected the path of a file of positions, one a line";
    let text = files::read_text(path, MAX_STARTS_BYTES).map_err(|e| CliError::about(&option, e, help))?;
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return Err(CliError::about(option, "no position", "expected one a line"));
    }
    Ok(lines)
}

/// Refuses a build that is far too large for the disk. A build that was begun before is not checked.
fn check_disk(game: &AnyKeyGame, starts: &[DynPosition], plan: &Plan) -> Result<(), CliError> {
    if plan.scratch.exists() {
        return Ok(());
    }
    let existing = plan.scratch.ancestors().skip(1).find(|folder| folder.is_dir());
    let Some(free) = balpan_strong::free_bytes(existing.unwrap_or(Path::new("."))) else { return Ok(()) };
    let estimate = game.estimate(starts, &plan.subject, DISK_CHECK_TIME, &Watch::default());
    let estimate = estimate.map_err(|e| build_error(&e, &plan.scratch))?;
    // The estimate may be wrong by half.
    if estimate.working_bytes / 2.0 <= free as f64 {
        return Ok(());
    }
    let message = format!(
        "about {} positions: {} of disk while they are solved, and {} are free",
        rough(estimate.positions),
        rough_bytes(estimate.working_bytes),
        rough_bytes(free as f64)
    );
    Err(CliError::input(message, "take a smaller board, or give a --scratch on a larger disk"))
}

/// Appends a suffix to the file name of a path.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Reports an existing file that has the solution already.
pub(crate) fn report_existing(output: &Path, scratch: &Path, of: &Subject, json: bool) -> Result<(), CliError> {
    let table = crate::strong::open(output)?;
    if table.header().subject != *of {
        let help = "give another -o, or move the file away: it is left as it is";
        return Err(CliError::input(format!("{} exists and has another solution", output.display()), help));
    }
    // Working files of other builds, or in use, stay.
    let _ = balpan_strong::remove_working_files(scratch, of);
    print_built(table.header(), output, None, json)
}

/// A finished build as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct BuildReport {
    game: String,
    size: String,
    file: String,
    positions: u64,
    bytes: u64,
    bits_per_position: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

/// Prints the report of a build that took `time`; `None` for a file that was there before.
pub(crate) fn print_built(header: &Header, output: &Path, time: Option<Duration>, json: bool) -> Result<(), CliError> {
    let bytes = std::fs::metadata(output).map_or(0, |data| data.len());
    let positions = header.positions();
    let report = BuildReport {
        game: harmless(&header.subject.game),
        size: harmless(&header.subject.size),
        file: output.display().to_string(),
        positions,
        bytes,
        bits_per_position: bytes as f64 * 8.0 / positions.max(1) as f64,
        seconds: time.map(|time| time.as_secs_f64()),
    };
    print_report(json, &report, |BuildReport { game, size, file, bits_per_position: bits, seconds, .. }| {
        let positions = entries(header.subject.metric, positions);
        let done = seconds.map_or_else(|| "built before".to_owned(), rough_time);
        format!("{game} {size}: {positions}, {} bytes, {bits:.2} bits each; {done}\n{file}\n", grouped(bytes))
    })
}

#[derive(Serialize)]
struct BuildForecast {
    positions: f64,
    exact: bool,
    /// Whether `positions` and the figures that follow from it are only lower bounds.
    at_least: bool,
    seconds: f64,
    working_bytes: f64,
    file_bytes: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    free_bytes: Option<u64>,
}

fn estimate(game: &AnyKeyGame, starts: &[DynPosition], of: &Subject, args: &BuildArgs) -> Result<(), CliError> {
    let threads = thread_count(args.threads);
    let (estimate, _) =
        run_with_status(status(&Progress::default()), |watch| game.estimate(starts, of, ESTIMATE_TIME, watch));
    let BuildEstimate { positions, is_exact, is_lower_bound, seconds, working_bytes, file_bytes, .. } =
        estimate.map_err(|e| build_error(&e, Path::new("")))?;
    let folder = args.output.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    let forecast = BuildForecast {
        positions,
        exact: is_exact,
        at_least: is_lower_bound,
        seconds: seconds / threads as f64,
        working_bytes,
        file_bytes,
        free_bytes: balpan_strong::free_bytes(folder.unwrap_or(Path::new("."))),
    };
    print_report(args.json, &forecast, |forecast| format!("{} {}: {}", of.game, of.size, forecast.page(threads)))
}

impl BuildForecast {
    fn page(&self, threads: usize) -> String {
        let Self { positions, exact, at_least, .. } = *self;
        if at_least {
            let more =
                "It may be many more, but too small a share of them was sampled to estimate time and disk space.";
            return format!("at least {} positions.\n{more}\n", rough(positions));
        }
        let (accuracy, positions) =
            if exact { ("exactly", grouped(positions as u64)) } else { ("about", rough(positions)) };
        let free = self.free_bytes.map_or_else(String::new, |free| format!(" ({} are free)", rough_bytes(free as f64)));
        format!(
            "{accuracy} {positions} positions, {} on {}.\nDisk: {} while it is built{free}, {} for the file.\n",
            rough_time(self.seconds),
            counted(threads as u64, "thread", "threads"),
            rough_bytes(self.working_bytes),
            rough_bytes(self.file_bytes),
        )
    }
}

fn status(progress: &Progress) -> impl FnMut(&Watch, Duration) -> String {
    // The current phase, when it was first seen, and the positions done before.
    let mut phase_start = None;
    move |watch, elapsed| {
        let (phase, layer) = progress.at();
        let (known, in_phase) = progress.positions();
        let done = if phase == Phase::Solving { in_phase } else { watch.positions() };
        let (seen, start, before) = *phase_start.get_or_insert((phase, elapsed, done));
        if seen != phase {
            phase_start = Some((phase, elapsed, done));
        }
        let rate = (done.saturating_sub(before)) as f64 / (elapsed.saturating_sub(start)).as_secs_f64().max(1e-3);
        let done = in_phase.max(done.saturating_sub(before));
        let left = known.saturating_sub(done) as f64 / rate.max(1e-9);
        let left = if rate > 0.0 { format!(", {} left", rough_time(left)) } else { String::new() };
        let (known_text, rate) = (grouped(known), rough(rate));
        let work = match phase {
            Phase::Forward => format!("1 of 3, layer {layer}: {known_text} positions, {rate} a second"),
            Phase::Backward | Phase::Writing => {
                let number = if phase == Phase::Backward { 2 } else { 3 };
                let share = 100.0 * done.min(known) as f64 / known.max(1) as f64;
                format!("{number} of 3, layer {layer}: {share:.0}%, {rate} a second{left}")
            }
            Phase::Solving => format!("{} of {known_text} positions{left}", grouped(done)),
        };
        format!("{} s, {work}; Ctrl-C stops", elapsed.as_secs())
    }
}

/// Converts the error of a build with working files in `scratch`.
pub(crate) fn build_error(error: &BuildError, scratch: &Path) -> CliError {
    let scratch = scratch.display();
    let help = match error {
        BuildError::Stopped(_) => return CliError::Stopped,
        BuildError::NoKeys => "take a smaller board, or smaller heaps; a game of your own needs `key_bits`, `key` and \
                               `position_from_key`"
            .to_owned(),
        BuildError::NoLayers | BuildError::Law(_) | BuildError::TooLong(_) => {
            "take a smaller board, or smaller heaps".to_owned()
        }
        BuildError::NotImpartial => "leave out --nimber".to_owned(),
        BuildError::LoopsWithScores | BuildError::LargeScores(_) => {
            "`balpan solve` finds the values of single positions".to_owned()
        }
        BuildError::Loops => "leave out --book, --nimber and --process".to_owned(),
        BuildError::NoMemory { .. } => "give more --memory, or fewer --threads".to_owned(),
        BuildError::Full { .. } => {
            format!(
                "make room, or give a --scratch on another disk; what is finished is kept in {scratch}, and the same command goes on from it"
            )
        }
        BuildError::Damaged { .. } => format!("remove the folder {scratch} to begin anew"),
        BuildError::Other { .. } => "give another --scratch, or remove the folder".to_owned(),
        BuildError::InUse { .. } => "wait for that build to end, or give another --scratch".to_owned(),
        BuildError::OtherOutput { .. } => "give another -o, or move the file away: it is left as it is".to_owned(),
        BuildError::OutputInUse { .. } => "wait for that build to end, or give another -o".to_owned(),
        _ => "expected a place where files can be written".to_owned(),
    };
    CliError::input(error.to_string(), help)
}
