//! `balpan cluster local`: starting processes on this machine, and following their progress.

use std::ffi::OsString;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use balpan::Watch;
use clap::Parser;
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{ProcessReport, ProgressLine, write_secret};
use crate::args::{Args, BuildArgs, Verb};
use crate::error::{CliError, print_report};
use crate::numbers::{counted, grouped, rough, rough_bytes, rough_time};
use crate::progress::{ProgressView, SearchProgress, run_with_view};

/// How long a process may take to end by itself after another one has failed.
const EXIT_GRACE: Duration = Duration::from_secs(3);

pub(super) fn run(processes: usize, words: Vec<OsString>) -> Result<(), CliError> {
    let args = parse_build_args(&words)?;
    let Some(folder) = args.output.clone() else {
        return Err(CliError::input("no -o", "expected a folder to write to, as -o DIR"));
    };
    let unwritable =
        |e: std::io::Error| CliError::about(folder.display(), e, "expected a folder that can be written to");
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    let files = SharedFiles::write(&folder, processes).map_err(unwritable)?;
    let (sender, lines) = channel();
    let (children, readers) = start_processes(processes, &words, &files, &sender).map_err(unwritable)?;
    let latest = vec![ProgressLine::default(); processes];
    let mut view = ClusterProgress { latest, lines, phase_start: None, finished: Vec::new() };
    let (failed, time, printed) = run_with_view(&mut view, None, |watch, _| wait(children, watch));
    drop(files);
    printed?;
    for reader in readers {
        // A reader that has panicked has nothing more to send.
        let _ = reader.join();
    }
    view.read_lines();
    match failed {
        Some(code) => Err(CliError::Reported(code)),
        None => print_cluster(&view.finished, time, &args, &folder),
    }
}

fn parse_build_args(words: &[OsString]) -> Result<BuildArgs, CliError> {
    let whole = ["balpan".into(), "build".into(), "--process".into(), "0".into()];
    match Args::try_parse_from(whole.into_iter().chain(words.iter().cloned())) {
        Ok(Args { verb: Verb::Build(args), .. }) => Ok(args),
        Ok(_) => Err(CliError::input("nothing to build", "expected a game, as for `build`")),
        Err(e) => Err(CliError::from_clap(&e)),
    }
}

/// The files of addresses and of the secret, in a folder that is removed at the end.
struct SharedFiles {
    hosts: PathBuf,
    secret: PathBuf,
    _folder: TempDir,
}

impl SharedFiles {
    fn write(folder: &Path, processes: usize) -> std::io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(".balpan-").tempdir_in(folder)?;
        let files = Self { hosts: folder.path().join("hosts"), secret: folder.path().join("secret"), _folder: folder };
        // Ports that are free now, and unlikely to be taken before the processes listen.
        let free: Vec<TcpListener> =
            (0..processes).map(|_| TcpListener::bind("127.0.0.1:0")).collect::<Result<_, _>>()?;
        let hosts: Vec<String> =
            free.iter().map(|at| Ok(at.local_addr()?.to_string())).collect::<std::io::Result<_>>()?;
        std::fs::write(&files.hosts, hosts.join("\n"))?;
        let mut secret = [0; 32];
        getrandom::fill(&mut secret).map_err(|e| std::io::Error::other(e.to_string()))?;
        write_secret(&files.secret, &secret)?;
        Ok(files)
    }
}

/// A line that a process prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum ProcessLine {
    Final(ProcessReport),
    Progress(ProgressLine),
}

/// Starts the processes, and threads that read their output.
fn start_processes(
    processes: usize,
    words: &[OsString],
    files: &SharedFiles,
    lines: &Sender<(usize, ProcessLine)>,
) -> std::io::Result<(Vec<Child>, Vec<JoinHandle<()>>)> {
    let program = std::env::current_exe()?;
    let (mut children, mut readers) = (Vec::new(), Vec::new());
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.arg("build").args(words).arg("--process").arg(process.to_string());
        command.arg("--hosts").arg(&files.hosts).arg("--secret-file").arg(&files.secret).arg("--follow");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let (output, lines) = (child.stdout.take(), lines.clone());
        children.push(child);
        readers.push(thread::spawn(move || {
            for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
                if let Ok(line) = serde_json::from_str(&line) {
                    // The receiver is gone if the others have ended.
                    let _ = lines.send((process, line));
                }
            }
        }));
    }
    Ok((children, readers))
}

/// Waits for all processes. If one fails, kills the others after [`EXIT_GRACE`] and returns the exit code of the first
/// that failed.
fn wait(mut children: Vec<Child>, watch: &Watch) -> Option<u8> {
    let mut failed: Option<(u8, Instant)> = None;
    while !children.is_empty() {
        thread::sleep(Duration::from_millis(20));
        let mut ended = Vec::new();
        children.retain_mut(|child| match child.try_wait() {
            Ok(Some(status)) => {
                ended.push(status.code().map_or(1, |code| code as u8));
                false
            }
            _ => true,
        });
        if let Some(&code) = ended.iter().find(|&&code| code != 0) {
            failed.get_or_insert((code, Instant::now()));
        }
        if watch.is_stopping() {
            failed.get_or_insert((130, Instant::now()));
        }
        if failed.is_some_and(|(_, since)| since.elapsed() > EXIT_GRACE) {
            for child in &mut children {
                // Fails if the process has just ended.
                let _ = child.kill();
            }
        }
    }
    failed.map(|(code, _)| code)
}

struct ClusterProgress {
    /// The latest line of each process.
    latest: Vec<ProgressLine>,
    lines: Receiver<(usize, ProcessLine)>,
    /// The current phase, and when it was first seen.
    phase_start: Option<(u8, Duration)>,
    finished: Vec<ProcessReport>,
}

impl ClusterProgress {
    fn read_lines(&mut self) {
        for (process, line) in self.lines.try_iter() {
            match line {
                ProcessLine::Progress(line) => self.latest[process] = line,
                ProcessLine::Final(line) => self.finished.push(line),
            }
        }
    }
}

impl ProgressView for ClusterProgress {
    fn status_line(&mut self, _search: &mut SearchProgress, _watch: &Watch, elapsed: Duration) -> String {
        self.read_lines();
        let latest = &self.latest;
        let sum = |field: fn(&ProgressLine) -> u64| latest.iter().map(field).sum::<u64>();
        let phase = latest.iter().map(|line| line.phase).min().unwrap_or(0);
        let layer = latest.iter().map(|line| line.layer);
        let layer = if phase == 2 { layer.min() } else { layer.max() }.unwrap_or(0);
        if self.phase_start.is_none_or(|(seen, _)| seen != phase) {
            self.phase_start = Some((phase, elapsed));
        }
        let start = self.phase_start.map_or(elapsed, |(_, start)| start);
        let (known, done, sent) = (sum(|line| line.known), sum(|line| line.done), sum(|line| line.sent));
        let rate = done as f64 / elapsed.saturating_sub(start).as_secs_f64().max(1e-3);
        let mean = known as f64 / latest.len() as f64;
        let skew = latest.iter().map(|line| line.known).max().unwrap_or(0) as f64 / mean.max(1.0);
        let share = match phase {
            0 => return format!("{} s, connecting; Ctrl-C stops", elapsed.as_secs()),
            1 => format!("{} positions", grouped(known)),
            _ => {
                let left = known.saturating_sub(done) as f64 / rate.max(1e-9);
                let share = 100.0 * done as f64 / known.max(1) as f64;
                format!("{share:.0}%, {} left", rough_time(left))
            }
        };
        format!(
            "{} s, {phase} of 3, layer {layer}: {share}, {} a second, {} sent, skew {skew:.2}; Ctrl-C stops",
            elapsed.as_secs(),
            rough(rate),
            rough_bytes(sent as f64),
        )
    }
}

/// The finished work of all processes as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct ClusterReport<'a> {
    game: &'a str,
    size: &'a str,
    folder: String,
    processes: usize,
    parts: usize,
    positions: u64,
    bytes: u64,
    seconds: f64,
    sent: u64,
    sent_per_position: f64,
    on_the_way: u64,
    wire: u64,
    skew: f64,
}

fn print_cluster(finished: &[ProcessReport], time: Duration, args: &BuildArgs, folder: &Path) -> Result<(), CliError> {
    let Some(first) = finished.first() else { return Ok(()) };
    let sum = |field: fn(&ProcessReport) -> u64| finished.iter().map(field).sum::<u64>();
    let (positions, sent) = (sum(|line| line.positions), sum(|line| line.sent));
    let mean = positions as f64 / finished.len() as f64;
    let report = ClusterReport {
        game: &first.game,
        size: &first.size,
        folder: folder.display().to_string(),
        processes: finished.len(),
        parts: finished.iter().map(|line| line.parts).sum(),
        positions,
        bytes: sum(|line| line.bytes),
        seconds: time.as_secs_f64(),
        sent,
        sent_per_position: sent as f64 / positions.max(1) as f64,
        on_the_way: finished.iter().map(|line| line.on_the_way).max().unwrap_or(0),
        wire: sum(|line| line.wire),
        skew: finished.iter().map(|line| line.positions).max().unwrap_or(0) as f64 / mean.max(1.0),
    };
    print_report(args.json, &report, |report| {
        let ClusterReport { game, size, parts, bytes, sent_per_position, skew, on_the_way, .. } = report;
        format!(
            "{game} {size}: {} in {parts} parts, {} bytes; {}\n\
             {} sent, {sent_per_position:.2} bytes a position, {} on the way at most; the largest process has {skew:.2} of the mean\n\
             {}\n",
            counted(positions, "position", "positions"),
            grouped(*bytes),
            rough_time(time.as_secs_f64()),
            rough_bytes(sent as f64),
            rough_bytes(*on_the_way as f64),
            folder.display(),
        )
    })
}
