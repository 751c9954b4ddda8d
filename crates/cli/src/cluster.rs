//! `balpan cluster`, and `balpan build --process`: building by many processes.

mod local;

use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use balpan::Watch;
use balpan_cluster::{ClusterError, Hosts, MAX_PROCESSES, MAX_WORKERS, Plan, Progress, shard_path};
use balpan_games::DynPosition;
use balpan_strong::{AnyKeyGame, BuildError, MAX_SHARDS, Phase, Sharding, Subject};
use serde::{Deserialize, Serialize};

use crate::args::{BuildArgs, ClusterArgs, ClusterVerb};
use crate::build::build_error;
use crate::error::{CliError, Diagnostic, print_json, print_report, report};
use crate::files;
use crate::numbers::{counted, grouped, rough, rough_bytes, rough_time};
use crate::progress::run_with_status;
use crate::strong::open;

pub(crate) fn run(verb: ClusterVerb) -> Result<(), CliError> {
    match verb {
        ClusterVerb::Local { processes, build } => local::run(processes.into(), build),
    }
}

/// The finished work of a process as JSON. The field names are part of the command's contract.
#[derive(Serialize, Deserialize)]
struct ProcessReport {
    game: String,
    size: String,
    folder: String,
    process: usize,
    processes: usize,
    /// Files of the process's shares.
    parts: usize,
    /// Files of all shares.
    partitions: u32,
    positions: u64,
    bytes: u64,
    seconds: f64,
    /// Bytes that its workers have sent to others.
    sent: u64,
    /// The most bytes in flight at a time.
    on_the_way: u64,
    /// Bytes on the wire, overhead included.
    wire: u64,
}

/// Builds the shares of one process.
pub(crate) fn build(
    game: &AnyKeyGame,
    starts: &[DynPosition],
    of: Subject,
    folder: PathBuf,
    process: usize,
    args: &BuildArgs,
) -> Result<(), CliError> {
    let ClusterArgs { workers, partitions, wait, patience, follow, .. } = args.cluster;
    let hosts = hosts(&args.cluster)?;
    let secret = secret(&args.cluster, &hosts)?;
    let check_range = |option: &str, number: usize, range: std::ops::RangeInclusive<usize>| {
        let message = format!("{option} {number}");
        let help = format!("expected a number from {} to {}", range.start(), range.end());
        if range.contains(&number) { Ok(()) } else { Err(CliError::input(message, help)) }
    };
    check_range("--process", process, 0..=hosts.len() - 1)?;
    check_range("--workers", workers, 1..=MAX_WORKERS)?;
    check_range("--partitions", partitions as usize, hosts.len() * workers..=MAX_SHARDS as usize)?;
    if folder.exists() && !folder.is_dir() {
        let help = "expected a folder: each share of the positions is a file in it";
        return Err(CliError::input(format!("{} is a file", folder.display()), help));
    }
    let plan = Plan {
        subject: of,
        folder,
        shards: partitions,
        memory: args.game.memory,
        workers,
        hosts,
        process,
        secret,
        connect_timeout: wait,
        silence_timeout: patience,
        notify: Arc::new(|text| {
            anstream::eprintln!("{text}");
        }),
        abort: exit_with,
    };
    let progress = Arc::new(Progress::default());
    if follow {
        print_progress(&progress);
    }
    let (built, time) = run_with_status(status(&progress), |watch| {
        let starts = game.start_keys(starts, plan.subject.scheme())?;
        balpan_cluster::build(game.keys(), &starts, &plan, watch, &progress)
    });
    let (split, wire) = built.map_err(|trouble| cluster_error(&trouble))?;
    let paths: Vec<PathBuf> = own_parts(&plan, split).collect();
    // Counted from the files, some of which may be from earlier runs.
    let positions = paths.iter().map(|path| Ok(open(path)?.header().positions())).sum::<Result<_, CliError>>()?;
    let report = ProcessReport {
        game: plan.subject.game.clone(),
        size: plan.subject.size.clone(),
        folder: plan.folder.display().to_string(),
        process,
        processes: plan.hosts.len(),
        parts: paths.len(),
        partitions,
        positions,
        bytes: paths.iter().filter_map(|path| std::fs::metadata(path).ok()).map(|data| data.len()).sum(),
        seconds: time.as_secs_f64(),
        sent: progress.traffic().bytes,
        on_the_way: progress.traffic().peak,
        wire,
    };
    print_report(args.json || follow, &report, |report| {
        format!(
            "{} {}: process {process} of {}, {}, {} of {partitions} parts, {} bytes; {} sent; {}\n{}\n",
            report.game,
            report.size,
            report.processes,
            counted(report.positions, "position", "positions"),
            report.parts,
            grouped(report.bytes),
            rough_bytes(report.sent as f64),
            rough_time(report.seconds),
            report.folder,
        )
    })
}

/// Returns the files of this process's shares.
fn own_parts(plan: &Plan, split: Sharding) -> impl Iterator<Item = PathBuf> + '_ {
    // All processes have the same number of workers.
    split.range_of(plan.process, plan.hosts.len()).map(move |share| shard_path(&plan.folder, split, share))
}

const MAX_HOSTS_BYTES: u64 = 1 << 20;
const MAX_SECRET_BYTES: u64 = 1 << 20;
const MIN_SECRET_BYTES: usize = 16;

fn hosts(args: &ClusterArgs) -> Result<Hosts, CliError> {
    let Some(path) = &args.hosts else {
        let processes = args.processes.unwrap_or(1);
        if !(1..=MAX_PROCESSES).contains(&processes) {
            let help = format!("expected a number from 1 to {MAX_PROCESSES}");
            return Err(CliError::input(format!("--processes {processes}"), help));
        }
        return Ok(Hosts::local(processes, balpan_cluster::DEFAULT_FIRST_PORT));
    };
    let help = "expected a file of addresses with ports, one a line, as `10.0.0.1:27101`";
    let wrong = |e: &dyn Display| CliError::about(format!("--hosts {}", path.display()), e, help);
    let text = files::read_text(path, MAX_HOSTS_BYTES).map_err(|e| wrong(&e))?;
    Hosts::parse(&text).map_err(|e| wrong(&e))
}

fn secret(args: &ClusterArgs, hosts: &Hosts) -> Result<Vec<u8>, CliError> {
    let help = "expected the path of a file that all processes have a copy of, and strangers cannot read";
    match &args.secret_file {
        Some(path) => {
            let wrong = |e: &dyn Display| CliError::about(format!("--secret-file {}", path.display()), e, help);
            let secret = files::read(path, MAX_SECRET_BYTES).map_err(|e| wrong(&e))?;
            if secret.len() < MIN_SECRET_BYTES { Err(wrong(&"fewer than 16 bytes")) } else { Ok(secret) }
        }
        None if hosts.are_loopback() => Ok(Vec::new()),
        None => Err(CliError::input("--hosts has other machines, and there is no --secret-file", help)),
    }
}

fn cluster_error(trouble: &ClusterError) -> CliError {
    let on = "what is finished is kept, and the same commands go on from it";
    let input = |help| CliError::input(trouble.to_string(), help);
    match trouble {
        ClusterError::Build(error @ BuildError::NoMemory { .. }) => {
            CliError::input(error.to_string(), "give more --memory, or fewer --workers")
        }
        ClusterError::Build(error) => build_error(error, Path::new("--output")),
        ClusterError::Listen { .. } => input("expected an address of this machine, and a free port"),
        ClusterError::NotThere { .. } => input("begin all processes, or give more --wait"),
        ClusterError::Refused { .. } => input("give all processes the same command but for --process"),
        _ => {
            report(&Diagnostic::new(format!("{trouble}: {on}."), ""), 1);
            CliError::Reported(1)
        }
    }
}

/// Reports the trouble and ends the process, from any thread.
fn exit_with(trouble: ClusterError) -> ! {
    // Only the first thread reports; others wait here until the process ends.
    static ONCE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _first = ONCE.lock();
    let _ = cluster_error(&trouble).report();
    exit(match trouble {
        ClusterError::Build(BuildError::Stopped(_)) => 130,
        ClusterError::Build(_)
        | ClusterError::Refused { .. }
        | ClusterError::NotThere { .. }
        | ClusterError::Listen { .. } => 2,
        _ => 1,
    })
}

fn status(progress: &Progress) -> impl FnMut(&Watch, Duration) -> String {
    // The current phase, and when it was first seen.
    let mut phase_start = (0, Duration::ZERO);
    move |_, elapsed| {
        let ProgressLine { phase, layer, known, done, sent, .. } = ProgressLine::new(progress);
        if phase_start.0 != phase {
            phase_start = (phase, elapsed);
        }
        let rate = done as f64 / elapsed.saturating_sub(phase_start.1).as_secs_f64().max(1e-3);
        let (all, done) = match phase {
            1 => (String::new(), known),
            _ => (format!(" of {}", grouped(known)), done),
        };
        format!(
            "{} s, {phase} of 3, layer {layer}: {}{all} positions here, {} a second, {} sent; Ctrl-C stops",
            elapsed.as_secs(),
            grouped(done),
            rough(rate),
            rough_bytes(sent as f64),
        )
    }
}

/// Writes a new file that only its owner can read.
fn write_secret(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    std::io::Write::write_all(&mut options.open(path)?, bytes)
}

const PRINT_INTERVAL: Duration = Duration::from_millis(250);

/// The progress of a process.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct ProgressLine {
    /// 1 forwards, 2 backwards, 3 writing.
    phase: u8,
    layer: u32,
    known: u64,
    done: u64,
    sent: u64,
    on_the_way: u64,
}

impl ProgressLine {
    fn new(progress: &Progress) -> Self {
        let (phase, layer) = progress.build.at();
        let (known, done) = progress.build.positions();
        let sent = progress.traffic();
        let phase = match phase {
            Phase::Forward => 1,
            Phase::Backward => 2,
            _ => 3,
        };
        Self { phase, layer, known, done, sent: sent.bytes, on_the_way: sent.peak }
    }
}

/// Starts a thread that prints the progress until the process ends.
fn print_progress(progress: &Arc<Progress>) {
    let progress = Arc::clone(progress);
    thread::spawn(move || {
        loop {
            // Without the process that follows it, this one ends, too.
            if print_json(&ProgressLine::new(&progress)).is_err() {
                std::process::exit(1);
            }
            thread::sleep(PRINT_INTERVAL);
        }
    });
}
