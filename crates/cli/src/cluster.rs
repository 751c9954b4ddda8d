//! Building by many processes.

mod follow;
mod local;

use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::Arc;
use std::time::Duration;

use balpan::Watch;
use balpan_cluster::{ClusterError, Hosts, MAX_PROCESSES, MAX_WORKERS, Plan, Progress, shard_path};
use balpan_games::Notation;
use balpan_strong::{BuildError, MAX_SHARDS, Phase, Sharding, Subject};
use serde::Serialize;

use crate::args::{BuildArgs, ClusterArgs, ClusterVerb};
use crate::build::failure_of;
use crate::failure::{Failure, Problem, print, print_json, tell};
use crate::input;
use crate::numbers::{counted, grouped, rough, rough_bytes, rough_time};
use crate::progress::{Viewer, watched_by};
use crate::strong::open;

pub(crate) fn run(verb: ClusterVerb) -> Result<(), Failure> {
    match verb {
        ClusterVerb::Local { processes, build } => local::run(processes.into(), build),
    }
}

/// What a process has done. As JSON, the field names are part of the command's contract.
#[derive(Serialize)]
struct Told<'a> {
    game: &'a str,
    size: &'a str,
    folder: String,
    process: usize,
    processes: usize,
    /// The files of its shares, and of all.
    parts: usize,
    partitions: u32,
    positions: u64,
    bytes: u64,
    seconds: f64,
    /// What its workers have sent to others, and how much of it was on the way at a time.
    sent: u64,
    on_the_way: u64,
    /// Bytes on the wire, whatever they are.
    wire: u64,
}

/// Builds the shares of one process.
pub(crate) fn build<G: Notation>(
    game: &G,
    starts: &[G::Position],
    of: Subject,
    folder: PathBuf,
    process: usize,
    args: &BuildArgs,
) -> Result<(), Failure> {
    let ClusterArgs { workers, partitions, wait, patience, follow, .. } = args.cluster;
    let hosts = hosts(&args.cluster)?;
    let secret = secret(&args.cluster, &hosts)?;
    let within = |what: &str, found: usize, range: std::ops::RangeInclusive<usize>| {
        let message = format!("{what} {found}");
        let help = format!("expected a number from {} to {}", range.start(), range.end());
        if range.contains(&found) { Ok(()) } else { Err(Failure::input(message, help)) }
    };
    within("--process", process, 0..=hosts.len() - 1)?;
    within("--workers", workers, 1..=MAX_WORKERS)?;
    within("--partitions", partitions as usize, hosts.len() * workers..=MAX_SHARDS as usize)?;
    if folder.exists() && !folder.is_dir() {
        let help = "expected a folder: each share of the positions is a file in it";
        return Err(Failure::input(format!("{} is a file", folder.display()), help));
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
        abort: end,
    };
    let progress = Arc::new(Progress::default());
    if follow {
        follow::print_each(&progress);
    }
    let mut viewer = Watching { progress: &progress, since: None };
    let (built, time, printed) =
        watched_by(&mut viewer, None, |watch, _| balpan_cluster::build(game, starts, &plan, watch, &progress));
    printed?;
    let (split, wire) = built.map_err(|trouble| failed(&trouble))?;
    let paths: Vec<PathBuf> = own_parts(&plan, split).collect();
    // They may have been there before.
    let positions = paths.iter().map(|path| Ok(open(path)?.header().positions())).sum::<Result<_, Failure>>()?;
    let told = Told {
        game: &plan.subject.game,
        size: &plan.subject.size,
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
    if args.json || follow {
        return print_json(&told);
    }
    print(&format!(
        "{} {}: process {process} of {}, {}, {} of {partitions} parts, {} bytes; {} sent; {}\n{}\n",
        told.game,
        told.size,
        told.processes,
        counted(told.positions, "position", "positions"),
        told.parts,
        grouped(told.bytes),
        rough_bytes(told.sent as f64),
        rough_time(told.seconds),
        told.folder,
    ))
}

/// The files of this process's shares.
fn own_parts(plan: &Plan, split: Sharding) -> impl Iterator<Item = PathBuf> + '_ {
    // All processes have as many workers.
    split.range_of(plan.process, plan.hosts.len()).map(move |share| shard_path(&plan.folder, split, share))
}

/// Bytes of the largest file of addresses, and of the largest secret.
const MAX_HOSTS_BYTES: u64 = 1 << 20;
const MAX_SECRET_BYTES: u64 = 1 << 20;

fn hosts(args: &ClusterArgs) -> Result<Hosts, Failure> {
    let Some(path) = &args.hosts else {
        let processes = args.processes.unwrap_or(1);
        if !(1..=MAX_PROCESSES).contains(&processes) {
            let help = format!("expected a number from 1 to {MAX_PROCESSES}");
            return Err(Failure::input(format!("--processes {processes}"), help));
        }
        return Ok(Hosts::local(processes, balpan_cluster::DEFAULT_FIRST_PORT));
    };
    let help = "expected a file of addresses with ports, one a line, as `10.0.0.1:27101`";
    let wrong = |e: &dyn std::fmt::Display| Failure::input(format!("--hosts {}: {e}", path.display()), help);
    let text = input::read_text(path, MAX_HOSTS_BYTES).map_err(|e| wrong(&e))?;
    Hosts::parse(&text).map_err(|e| wrong(&e))
}

fn secret(args: &ClusterArgs, hosts: &Hosts) -> Result<Vec<u8>, Failure> {
    let help = "expected the path of a file that all processes have a copy of, and strangers cannot read";
    match &args.secret_file {
        Some(path) => {
            let wrong =
                |e: &dyn std::fmt::Display| Failure::input(format!("--secret-file {}: {e}", path.display()), help);
            let secret = input::read(path, MAX_SECRET_BYTES).map_err(|e| wrong(&e))?;
            if secret.len() < 16 { Err(wrong(&"fewer than 16 bytes")) } else { Ok(secret) }
        }
        None if hosts.are_loopback() => Ok(Vec::new()),
        None => Err(Failure::input("--hosts has other machines, and there is no --secret-file", help)),
    }
}

/// What stood in the way, and what helps.
fn failed(trouble: &ClusterError) -> Failure {
    let on = "what is finished is kept, and the same commands go on from it";
    match trouble {
        ClusterError::Build(error @ BuildError::NoMemory { .. }) => {
            Failure::input(error.to_string(), "give more --memory, or fewer --workers")
        }
        ClusterError::Build(error) => failure_of(error, "--output", 0),
        ClusterError::Listen { .. } => {
            Failure::input(trouble.to_string(), "expected an address of this machine, and a free port")
        }
        ClusterError::NotThere { .. } => {
            Failure::input(trouble.to_string(), "begin all processes, or give more --wait")
        }
        ClusterError::Refused { .. } => {
            Failure::input(trouble.to_string(), "give all processes the same command but for --process")
        }
        _ => {
            tell(&Problem::new(format!("{trouble}: {on}."), ""), 1);
            Failure::Told(1)
        }
    }
}

/// Ends the command, from whatever thread.
fn end(trouble: ClusterError) -> ! {
    // Others that find it as well wait here for the first to be done.
    static ONCE: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let _first = ONCE.lock();
    let _ = failed(&trouble).tell();
    exit(match trouble {
        ClusterError::Build(BuildError::Stopped(_)) => 130,
        ClusterError::Build(_)
        | ClusterError::Refused { .. }
        | ClusterError::NotThere { .. }
        | ClusterError::Listen { .. } => 2,
        _ => 1,
    })
}

/// Tells how far a process is.
struct Watching<'a> {
    progress: &'a Progress,
    /// Since when the phase has gone on, and what was done by then.
    since: Option<(Phase, Duration)>,
}

impl Viewer for Watching<'_> {
    fn told(&mut self, _watch: &Watch, elapsed: Duration) -> String {
        let (phase, layer) = self.progress.at();
        let (known, done) = self.progress.positions();
        if self.since.is_none_or(|(of, _)| of != phase) {
            self.since = Some((phase, elapsed));
        }
        let since = self.since.map_or(elapsed, |(_, since)| since);
        let rate = done as f64 / elapsed.saturating_sub(since).as_secs_f64().max(1e-3);
        let sent = rough_bytes(self.progress.traffic().bytes as f64);
        let number = match phase {
            Phase::Forwards => 1,
            Phase::Backwards => 2,
            _ => 3,
        };
        let all = if number == 1 { String::new() } else { format!(" of {}", grouped(known)) };
        let done = if number == 1 { known } else { done };
        format!(
            "{} s, {number} of 3, layer {layer}: {}{all} positions here, {} a second, {sent} sent; Ctrl-C stops",
            elapsed.as_secs(),
            grouped(done),
            rough(rate)
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
