//! `balpan cluster local`: processes on this machine, begun and followed.

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

use super::follow::Far;
use super::write_secret;
use crate::args::{Args, BuildArgs, Verb};
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, grouped, rough, rough_bytes, rough_time};
use crate::progress::{Viewer, watched_by};

/// So long has a process to end by itself after another one has failed.
const GRACE: Duration = Duration::from_secs(3);

pub(super) fn run(processes: usize, words: Vec<OsString>) -> Result<(), Failure> {
    let args = parsed(&words)?;
    let Some(folder) = args.output.clone() else {
        return Err(Failure::input("no -o", "expected a folder to write to, as -o DIR"));
    };
    let unwritable = |e: std::io::Error| {
        Failure::input(format!("{}: {e}", folder.display()), "expected a folder that can be written to")
    };
    std::fs::create_dir_all(&folder).map_err(unwritable)?;
    let files = Files::write(&folder, processes).map_err(unwritable)?;
    let (sender, told) = channel();
    let (children, readers) = begin(processes, &words, &files, &sender).map_err(unwritable)?;
    let mut viewer = Watching { far: vec![Far::default(); processes], told, since: None, ended: Vec::new() };
    let (ended, time, printed) = watched_by(&mut viewer, None, |watch, _| wait(children, watch));
    drop(files);
    printed?;
    for reader in readers {
        // What it has read is told by now, or there is nothing to read.
        let _ = reader.join();
    }
    viewer.listen();
    match ended? {
        Some(code) => Err(Failure::Told(code)),
        None => tell(&viewer.ended, time, &args, &folder),
    }
}

/// What is built: the words that `build` is given.
fn parsed(words: &[OsString]) -> Result<BuildArgs, Failure> {
    let whole = ["balpan".into(), "build".into(), "--process".into(), "0".into()];
    match Args::try_parse_from(whole.into_iter().chain(words.iter().cloned())) {
        Ok(Args { verb: Verb::Build(args) }) => Ok(args),
        Ok(_) => Err(Failure::input("nothing to build", "expected a game, as for `build`")),
        Err(e) => Err(Failure::words(&e)),
    }
}

/// The files that tell processes where the others are, and what strangers do not know, in a folder that is removed in the end.
struct Files {
    hosts: PathBuf,
    secret: PathBuf,
    _folder: TempDir,
}

impl Files {
    fn write(folder: &Path, processes: usize) -> std::io::Result<Self> {
        let folder = tempfile::Builder::new().prefix(".balpan-").tempdir_in(folder)?;
        let files = Self { hosts: folder.path().join("hosts"), secret: folder.path().join("secret"), _folder: folder };
        // Ports that are free now, and will hardly be taken within the next moment.
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

/// What a process has done in the end: see [`super::Told`].
#[derive(Clone, Deserialize)]
struct Ended {
    game: String,
    size: String,
    parts: usize,
    positions: u64,
    bytes: u64,
    sent: u64,
    on_the_way: u64,
    wire: u64,
}

/// What a process prints.
#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Ended(Ended),
    Far(Far),
}

/// Begins the processes, and threads that read what they print.
fn begin(
    processes: usize,
    words: &[OsString],
    files: &Files,
    told: &Sender<(usize, Line)>,
) -> std::io::Result<(Vec<Child>, Vec<JoinHandle<()>>)> {
    let program = std::env::current_exe()?;
    let (mut children, mut readers) = (Vec::new(), Vec::new());
    for process in 0..processes {
        let mut command = Command::new(&program);
        command.arg("build").args(words).arg("--process").arg(process.to_string());
        command.arg("--hosts").arg(&files.hosts).arg("--secret-file").arg(&files.secret).arg("--follow");
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn()?;
        let (output, told) = (child.stdout.take(), told.clone());
        children.push(child);
        readers.push(thread::spawn(move || {
            for line in output.into_iter().flat_map(|output| BufReader::new(output).lines()).map_while(Result::ok) {
                if let Ok(line) = serde_json::from_str(&line) {
                    // Nobody listens any more if the others have ended.
                    let _ = told.send((process, line));
                }
            }
        }));
    }
    Ok((children, readers))
}

/// Waits for all processes. Returns the exit code of the first that has failed, if one has: the
/// others are ended then.
fn wait(mut children: Vec<Child>, watch: &Watch) -> Result<Option<u8>, Failure> {
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
        if failed.is_some_and(|(_, since)| since.elapsed() > GRACE) {
            for child in &mut children {
                // It has ended by itself if it cannot be.
                let _ = child.kill();
            }
        }
    }
    Ok(failed.map(|(code, _)| code))
}

/// Tells how far all are.
struct Watching {
    far: Vec<Far>,
    told: Receiver<(usize, Line)>,
    since: Option<(u8, Duration)>,
    ended: Vec<Ended>,
}

impl Watching {
    fn listen(&mut self) {
        for (process, line) in self.told.try_iter() {
            match line {
                Line::Far(far) => self.far[process] = far,
                Line::Ended(ended) => self.ended.push(ended),
            }
        }
    }
}

impl Viewer for Watching {
    fn told(&mut self, _watch: &Watch, elapsed: Duration) -> String {
        self.listen();
        let sum = |of: fn(&Far) -> u64| self.far.iter().map(of).sum::<u64>();
        let phase = self.far.iter().map(|far| far.phase).min().unwrap_or(0);
        let layer = self.far.iter().map(|far| far.layer);
        let layer = if phase == 2 { layer.min() } else { layer.max() }.unwrap_or(0);
        if self.since.is_none_or(|(of, _)| of != phase) {
            self.since = Some((phase, elapsed));
        }
        let since = self.since.map_or(elapsed, |(_, since)| since);
        let (known, done, sent) = (sum(|far| far.known), sum(|far| far.done), sum(|far| far.sent));
        let rate = done as f64 / elapsed.saturating_sub(since).as_secs_f64().max(1e-3);
        let mean = known as f64 / self.far.len() as f64;
        let skew = self.far.iter().map(|far| far.known).max().unwrap_or(0) as f64 / mean.max(1.0);
        let far = match phase {
            0 => return format!("{} s, connecting; Ctrl-C stops", elapsed.as_secs()),
            1 => format!("{} positions", grouped(known)),
            _ => {
                let left = known.saturating_sub(done) as f64 / rate.max(1e-9);
                let share = 100.0 * done as f64 / known.max(1) as f64;
                format!("{share:.0}%, {} left", rough_time(left))
            }
        };
        format!(
            "{} s, {phase} of 3, layer {layer}: {far}, {} a second, {} sent, skew {skew:.2}; Ctrl-C stops",
            elapsed.as_secs(),
            rough(rate),
            rough_bytes(sent as f64),
        )
    }
}

/// What all processes have done together. As JSON, the field names are part of the command's contract.
#[derive(Serialize)]
struct Together<'a> {
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

fn tell(ended: &[Ended], time: Duration, args: &BuildArgs, folder: &Path) -> Result<(), Failure> {
    let Some(first) = ended.first() else { return Ok(()) };
    let sum = |of: fn(&Ended) -> u64| ended.iter().map(of).sum::<u64>();
    let (positions, sent) = (sum(|one| one.positions), sum(|one| one.sent));
    let mean = positions as f64 / ended.len() as f64;
    let together = Together {
        game: &first.game,
        size: &first.size,
        folder: folder.display().to_string(),
        processes: ended.len(),
        parts: ended.iter().map(|one| one.parts).sum(),
        positions,
        bytes: sum(|one| one.bytes),
        seconds: time.as_secs_f64(),
        sent,
        sent_per_position: sent as f64 / positions.max(1) as f64,
        on_the_way: ended.iter().map(|one| one.on_the_way).max().unwrap_or(0),
        wire: sum(|one| one.wire),
        skew: ended.iter().map(|one| one.positions).max().unwrap_or(0) as f64 / mean.max(1.0),
    };
    if args.json {
        return print_json(&together);
    }
    let Together { game, size, parts, bytes, sent_per_position, skew, on_the_way, .. } = together;
    print(&format!(
        "{game} {size}: {} in {parts} parts, {} bytes; {}\n\
         {} sent, {sent_per_position:.2} bytes a position, {} on the way at most; the largest process has {skew:.2} of the mean\n\
         {}\n",
        counted(positions, "position", "positions"),
        grouped(bytes),
        rough_time(time.as_secs_f64()),
        rough_bytes(sent as f64),
        rough_bytes(on_the_way as f64),
        folder.display(),
    ))
}
