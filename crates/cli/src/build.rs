//! `balpan build`: every position of a game, solved and written to a file.

use std::path::{Path, PathBuf};
use std::time::Duration;

use balpan::{Budget, Engine, Solver, Watch};
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{BuildError, BuildEstimate, Header, Metric, Phase, Plan, Progress, Subject};
use serde::Serialize;

use crate::args::BuildArgs;
use crate::cluster;
use crate::failure::{Failure, print, print_json};
use crate::input;
use crate::numbers::{counted, grouped, rough, rough_bytes, rough_time};
use crate::progress::{Viewer, all_cores, watched_by};
use crate::source;
use crate::strong::names;

/// How long an estimate looks at positions.
const LOOK: Duration = Duration::from_secs(3);

/// How long the positions are looked at before a build, to see whether the disk has room.
const GLANCE: Duration = Duration::from_millis(20);

/// Bytes of the largest file of starts.
const MAX_STARTS_BYTES: u64 = 1 << 24;

pub(crate) fn run(args: &BuildArgs) -> Result<(), Failure> {
    let rules = source::changed_rules(&args.game)?;
    let lines = args.starts.as_deref().map(starts).transpose()?;
    let first = lines.as_ref().and_then(|lines| lines.first());
    let game = source::game_at(&rules, first.map_or(&args.game.position[..], std::slice::from_ref))?;
    game.run(Building { args, rules: &rules, lines })
}

/// The positions of a file, one per line.
fn starts(path: &Path) -> Result<Vec<String>, Failure> {
    let unreadable = |e: std::io::Error| {
        let help = "expected the path of a file of positions, one a line";
        Failure::input(format!("--starts {}: {e}", path.display()), help)
    };
    let text = input::read_text(path, MAX_STARTS_BYTES).map_err(unreadable)?;
    let lines: Vec<String> = text.lines().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect();
    if lines.is_empty() {
        return Err(Failure::input(format!("--starts {}: no position", path.display()), "expected one a line"));
    }
    Ok(lines)
}

struct Building<'a> {
    args: &'a BuildArgs,
    rules: &'a RulesFile,
    lines: Option<Vec<String>>,
}

impl Task for Building<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { args, rules, lines } = self;
        let starts = match &lines {
            None => vec![game.start()],
            Some(lines) => lines.iter().map(|line| game.parse(line)).collect::<Result<_, _>>()?,
        };
        let of = Subject {
            game: rules.name.clone(),
            rules: rules.text.clone(),
            size: game.size(),
            starts: starts.iter().map(|start| game.text(start)).collect(),
            metric: if args.nimber { Metric::Nimber } else { Metric::Value },
            // Parts are folded by how the game is split.
            folded: args.nimber || !args.unfolded,
            plies: args.plies,
        };
        if args.estimate {
            return estimate(game, &starts, &of, args);
        }
        let Some(output) = args.output.clone() else { return Ok(()) };
        if let Some(process) = args.cluster.process {
            return cluster::build(game, &starts, of, output, process, args);
        }
        if output.exists() {
            let scratch = args.scratch.clone().unwrap_or_else(|| with_suffix(&output, ".scratch"));
            return already_there(&output, &scratch, &of, args.json);
        }
        let scratch = args.scratch.clone().unwrap_or_else(|| with_suffix(&output, ".scratch"));
        let threads = args.threads.map_or_else(all_cores, usize::from);
        let plan = Plan { subject: of, output, scratch, memory: args.game.memory, threads };
        if !args.book {
            check_disk(game, &starts, &plan)?;
        }
        let progress = Progress::default();
        let mut viewer = Watching { progress: &progress, since: None };
        let (header, time, printed) = watched_by(&mut viewer, None, |watch, _| {
            if !args.book {
                return balpan_strong::build(game, &starts, &plan, watch, &progress);
            }
            let budget = Budget { memory: plan.memory, threads };
            let mut engine = Engine::new(game.clone(), budget);
            engine.set_watch(watch);
            balpan_strong::book(game, &starts, &plan, watch, &progress, |position| engine.value(position))
        });
        printed?;
        let header = header.map_err(|e| failure(&e, &plan))?;
        tell(&header, &plan.output, Some(time), args.json)
    }
}

/// Refuses a build that the disk has no room for, by far: what is begun already is not looked at.
fn check_disk<G: Notation>(game: &G, starts: &[G::Position], plan: &Plan) -> Result<(), Failure> {
    if plan.scratch.exists() {
        return Ok(());
    }
    let existing = plan.scratch.ancestors().skip(1).find(|folder| folder.is_dir());
    let Some(free) = balpan_strong::free_bytes(existing.unwrap_or(Path::new("."))) else { return Ok(()) };
    let found = balpan_strong::estimate(game, starts, &plan.subject, GLANCE, &Watch::default());
    let found = found.map_err(|e| failure(&e, plan))?;
    // An estimate may be wrong by half.
    if found.working_bytes / 2.0 <= free as f64 {
        return Ok(());
    }
    let message = format!(
        "about {} positions: {} of disk while they are solved, and {} are free",
        rough(found.positions),
        rough_bytes(found.working_bytes),
        rough_bytes(free as f64)
    );
    Err(Failure::input(message, "take a smaller board, or give a --scratch on a larger disk"))
}

/// The path with something after its name.
pub(crate) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    name.into()
}

/// Whether the file that is there is what is asked for.
pub(crate) fn already_there(output: &Path, scratch: &Path, of: &Subject, json: bool) -> Result<(), Failure> {
    let table = crate::strong::open(output)?;
    if table.header().subject != *of {
        let help = "give another -o, or move the file away: it is left as it is";
        return Err(Failure::input(format!("{} exists and has another solution", output.display()), help));
    }
    // Those of others, or in use, are let alone.
    let _ = balpan_strong::remove_working_files(scratch, of);
    tell(table.header(), output, None, json)
}

/// What is told of a file that is built. As JSON, the field names are part of the command's
/// contract.
#[derive(Serialize)]
struct Told<'a> {
    game: &'a str,
    size: &'a str,
    file: String,
    positions: u64,
    bytes: u64,
    bits_per_position: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

pub(crate) fn tell(header: &Header, output: &Path, time: Option<Duration>, json: bool) -> Result<(), Failure> {
    let bytes = std::fs::metadata(output).map_or(0, |data| data.len());
    let positions = header.positions();
    let told = Told {
        game: &header.subject.game,
        size: &header.subject.size,
        file: output.display().to_string(),
        positions,
        bytes,
        bits_per_position: bytes as f64 * 8.0 / positions.max(1) as f64,
        seconds: time.map(|time| time.as_secs_f64()),
    };
    if json {
        return print_json(&told);
    }
    let (one, many) = names(header.subject.metric);
    let done = time.map_or_else(|| "built before".to_owned(), |time| rough_time(time.as_secs_f64()));
    let Told { game, size, file, .. } = &told;
    let bits = told.bits_per_position;
    let bytes = grouped(bytes);
    let positions = counted(positions, one, many);
    print(&format!("{game} {size}: {positions}, {bytes} bytes, {bits:.2} bits each; {done}\n{file}\n"))
}

/// What a build will take, as programs read it.
#[derive(Serialize)]
struct Forecast {
    positions: f64,
    exact: bool,
    /// Whether there may be many more, and all else is too small as well.
    at_least: bool,
    seconds: f64,
    working_bytes: f64,
    file_bytes: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    free_bytes: Option<u64>,
}

fn estimate<G: Notation>(game: &G, starts: &[G::Position], of: &Subject, args: &BuildArgs) -> Result<(), Failure> {
    let threads = args.threads.map_or_else(all_cores, usize::from);
    let progress = Progress::default();
    let mut viewer = Watching { progress: &progress, since: None };
    let (found, ..) = watched_by(&mut viewer, None, |watch, _| balpan_strong::estimate(game, starts, of, LOOK, watch));
    let BuildEstimate { positions, is_exact, is_lower_bound, seconds, working_bytes, file_bytes, .. } =
        found.map_err(|e| failure_of(&e, "", 0))?;
    let seconds = seconds / threads as f64;
    let folder = args.output.as_deref().and_then(Path::parent).filter(|folder| !folder.as_os_str().is_empty());
    let free_bytes = balpan_strong::free_bytes(folder.unwrap_or(Path::new(".")));
    if args.json {
        return print_json(&Forecast {
            positions,
            exact: is_exact,
            at_least: is_lower_bound,
            seconds,
            working_bytes,
            file_bytes,
            free_bytes,
        });
    }
    let exactly = match (is_exact, is_lower_bound) {
        (true, _) => "exactly ",
        (false, true) => "at least ",
        (false, false) => "about ",
    };

    let positions = if is_exact { grouped(positions as u64) } else { rough(positions) };
    let free = free_bytes.map_or_else(String::new, |free| format!(" ({} are free)", rough_bytes(free as f64)));
    if is_lower_bound {
        let (game, size) = (&of.game, &of.size);
        let more = "It may be many more, but too small a share of them was sampled to estimate time and disk space.";
        return print(&format!("{game} {size}: {exactly}{positions} positions.\n{more}\n"));
    }
    print(&format!(
        "{} {}: {exactly}{positions} positions, {} on {}.\nDisk: {} while it is built{free}, {} for the file.\n",
        of.game,
        of.size,
        rough_time(seconds),
        counted(threads as u64, "thread", "threads"),
        rough_bytes(working_bytes),
        rough_bytes(file_bytes),
    ))
}

/// Tells how far a build is.
struct Watching<'a> {
    progress: &'a Progress,
    /// Since when the phase has gone on, and what was done by then.
    since: Option<(Phase, Duration, u64)>,
}

impl Viewer for Watching<'_> {
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String {
        let (phase, layer) = self.progress.at();
        let (known, in_phase) = self.progress.positions();
        let done = match phase {
            Phase::Solving => in_phase,
            _ => watch.positions(),
        };
        let (_, since, before) = *self.since.get_or_insert((phase, elapsed, done));
        if self.since.is_some_and(|(of, ..)| of != phase) {
            self.since = Some((phase, elapsed, done));
        }
        let rate = (done.saturating_sub(before)) as f64 / (elapsed.saturating_sub(since)).as_secs_f64().max(1e-3);
        let done = in_phase.max(done.saturating_sub(before));
        let left = |all: u64| {
            let seconds = all.saturating_sub(done) as f64 / rate.max(1e-9);
            if rate > 0.0 { format!(", {} left", rough_time(seconds)) } else { String::new() }
        };
        let seconds = elapsed.as_secs();
        match phase {
            Phase::Forwards => {
                format!(
                    "{seconds} s, 1 of 3, layer {layer}: {} positions, {} a second; Ctrl-C stops",
                    grouped(known),
                    rough(rate)
                )
            }
            Phase::Backwards | Phase::Writing => {
                let number = if phase == Phase::Backwards { 2 } else { 3 };
                let share = 100.0 * done.min(known) as f64 / known.max(1) as f64;
                format!(
                    "{seconds} s, {number} of 3, layer {layer}: {share:.0}%, {} a second{}; Ctrl-C stops",
                    rough(rate),
                    left(known)
                )
            }
            Phase::Solving => {
                format!("{seconds} s, {} of {} positions{}; Ctrl-C stops", grouped(done), grouped(known), left(known))
            }
        }
    }
}

pub(crate) fn failure(error: &BuildError, plan: &Plan) -> Failure {
    failure_of(error, &plan.scratch.display().to_string(), 0)
}

/// What stood in the way, and what helps.
pub(crate) fn failure_of(error: &BuildError, scratch: &str, positions: u64) -> Failure {
    let help = match error {
        BuildError::Stopped(_) => return Failure::Stopped(positions),
        BuildError::NoKeys => "take a smaller board, or smaller heaps".to_owned(),
        BuildError::NoLayers | BuildError::Law(_) | BuildError::TooLong(_) => {
            "take a smaller board, or smaller heaps".to_owned()
        }
        BuildError::NotImpartial => "leave out --nimber".to_owned(),
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
    Failure::input(error.to_string(), help)
}
