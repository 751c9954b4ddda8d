//! Limits of every verb: `--memory`, `--deadline`, signals, a small stack.

#[cfg(target_os = "linux")]
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::common::{balpan, command};

/// Time within which a deadline of a second ends a verb, on a busy machine and unoptimised.
const GENEROUS: Duration = Duration::from_secs(10);

/// Creates a folder with a strong solution and a certificate, for the verbs that read them.
fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let (code, _, error) = balpan(folder.path(), &["build", "connect4", "--board", "4x4", "-o", "known.bp"]);
    assert_eq!(code, Some(0), "{error}");
    let (code, _, error) = balpan(folder.path(), &["prove", "platforms", "--settle", "0", "-o", "known.cert"]);
    assert_eq!(code, Some(0), "{error}");
    folder
}

/// Returns a sum of so many games that finding the winning moves takes long.
fn many_games() -> String {
    let games: Vec<_> = (0..10_000).map(|n| format!("{{{}|1}}", n % 8 + 2)).collect();
    games.join("+")
}

/// Returns a slow command line for each verb that can take long, and whether part of the answer is known within a second.
fn long_work() -> Vec<(Vec<String>, bool)> {
    let of = |words: &str, is_known: bool| (words.split(' ').map(str::to_owned).collect(), is_known);
    let mut work = vec![
        of("solve connect4 --board 7x7", true),
        of("solve kayles 60 --set misere=true", true),
        of("solve cram --board 7x7 --set misere=true --nimber", true),
        of("solve domineering --board 7x8 --cgt", false),
        of("value domineering(7x7)", true),
        of("value *99999", true),
        of("period 0.3F --to 20000", true),
        of("quotient 0.07 60 --most 1000", true),
        of("quotient cram --board 4x4 --set misere=true --most 2000", true),
        of("review connect4 4 --board 7x7", true),
        of("census connect4 --board 6x6", false),
        of("census connect4 --board 5x5 --games", false),
        of("census cram --all-boards --board 5x6 --nimber --remoteness", false),
        of("tree cram --board 6x7 --set misere=true", false),
        of("puzzle connect4", true),
        of("build connect4 --board 6x6 -o long.bp", false),
        of("prove connect4 --board 7x7 -o long.cert", false),
        of("solve cram ......./......./......./......./......./....... + nim 3", false),
        of("play connect4 --board 7x7 --as second", false),
    ];
    work.push((vec!["value".to_owned(), many_games()], true));
    work
}

fn as_words(words: &[String]) -> Vec<&str> {
    words.iter().map(String::as_str).collect()
}

/// At a deadline, the exit code is that of an answer.
#[test]
fn every_verb_keeps_its_deadline() {
    let folder = folder();
    for (words, is_known) in long_work() {
        let words = [&as_words(&words)[..], &["--deadline", "1s"]].concat();
        let shown = words.join(" ").chars().take(80).collect::<String>();
        let begin = Instant::now();
        let (code, printed, error) = balpan(folder.path(), &words);
        assert!(begin.elapsed() < GENEROUS, "{shown}: {:?}", begin.elapsed());
        assert_eq!(code, Some(0), "{shown}: {printed}{error}");
        assert!(!error.contains("Interrupted"), "{shown}: {error}");
        assert!(!printed.is_empty(), "{shown}: {error}");
        let says_nothing = printed.contains("nothing of the answer is known yet");
        assert!(!(is_known && says_nothing), "{shown}: {printed}");
    }
}

/// A certificate that is not checked at the deadline counts as not proved.
#[test]
fn a_certificate_that_is_not_checked_in_time_is_not_proved() {
    let folder = folder();
    let (code, _, error) = balpan(folder.path(), &["check", "known.cert", "--deadline", "1m"]);
    assert_eq!(code, Some(0), "{error}");
    let (code, _, _) = balpan(folder.path(), &["strong", "verify", "known.bp", "--deadline", "1m"]);
    assert_eq!(code, Some(0));
}

#[test]
fn an_empty_answer_at_a_deadline_is_json() {
    let folder = tempfile::tempdir().unwrap();
    let words = ["census", "connect4", "--board", "6x6", "--json", "--deadline", "300ms"];
    let (code, printed, error) = balpan(folder.path(), &words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{printed}");
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(json["complete"], false);
    let words = ["quotient", "0.07", "60", "--most", "1000", "--json", "--deadline", "1s"];
    let (code, printed, error) = balpan(folder.path(), &words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{printed}");
    let json: serde_json::Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(json["complete"], false);
    assert!(json["orders"].as_array().is_some_and(|orders| orders.len() > 3), "{json}");
}

#[cfg(unix)]
fn send(child: &Child, signal: &str) {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
}

#[cfg(unix)]
fn every_verb_ends_at(signals: &[&str]) {
    let folder = folder();
    for (at, (words, _)) in long_work().iter().enumerate() {
        let words = as_words(words);
        let shown = words.join(" ").chars().take(80).collect::<String>();
        let child = command(folder.path(), &words).spawn().unwrap();
        thread::sleep(Duration::from_millis(1_200));
        let begin = Instant::now();
        let signal = signals[at % signals.len()];
        send(&child, signal);
        let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
        assert!(begin.elapsed() < GENEROUS, "{shown}: {:?}", begin.elapsed());
        let error = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(130), "{signal} {shown}: {}{error}", String::from_utf8_lossy(&stdout));
        assert!(error.contains("Interrupted"), "{signal} {shown}: {error}");
    }
}

/// The exit code 130 says that a signal ended it, of every verb.
#[cfg(unix)]
#[test]
fn every_verb_reports_a_signal() {
    every_verb_ends_at(&["-INT", "-TERM"]);
}

#[cfg(unix)]
#[test]
#[ignore = "takes long"]
fn every_verb_ends_at_every_signal() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        every_verb_ends_at(&[signal]);
    }
}

/// The system may give the first thread a very small stack.
#[cfg(unix)]
#[test]
fn a_small_stack_is_enough() {
    let folder = folder();
    for words in [
        "games",
        "games connect4",
        "solve tictactoe",
        "solve kayles 12 --set misere=true --nimber",
        "solve cram ..../..../.... + kayles 7",
        "solve domineering --board 4x4 --cgt",
        "solve tictactoe --estimate",
        "value domineering(4x4)",
        "period kayles --to 500",
        "quotient 0.77 8",
        "review connect4 --board 4x4 1234",
        "census tictactoe",
        "tree tictactoe XO./.../...",
        "puzzle tictactoe --plies 3..",
        "build tictactoe -o small.bp",
        "strong info known.bp",
        "strong verify known.bp",
        "prove tictactoe -o small.cert",
        "check known.cert",
        "generate tictactoe --cases 30",
        "judge game:tictactoe",
        "play tictactoe",
        "completions bash",
        "man",
        "solve tictactoe --nonsense",
    ] {
        for kib in [64, 96] {
            for path in ["small.bp", "small.cert"] {
                let _ = std::fs::remove_file(folder.path().join(path));
            }
            let limited = format!("ulimit -s {kib}; exec \"$0\" {}", words.replace('(', "'(").replace(')', ")'"));
            let mut shell = Command::new("sh");
            shell.args(["-c", &limited, env!("CARGO_BIN_EXE_balpan")]).current_dir(folder.path());
            shell.env("LC_ALL", "C").stdin(std::process::Stdio::null());
            let Output { status, stderr, .. } = shell.output().unwrap();
            let error = String::from_utf8_lossy(&stderr);
            let expected = if words.contains("nonsense") || words.starts_with("judge") { 2 } else { 0 };
            assert_eq!(status.code(), Some(expected), "ulimit -s {kib}, {words}: {error}");
        }
    }
}

/// Returns the peak memory of a running process, in KiB.
#[cfg(target_os = "linux")]
fn peak(child: &Child) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}

/// Runs for a while with a memory limit. Returns the peak memory in MiB.
#[cfg(target_os = "linux")]
fn peak_of(folder: &Path, words: &str, mib: u64, time: Duration) -> u64 {
    let memory = format!("{mib}M");
    let words: Vec<_> = words.split(' ').chain(["--memory", &memory]).collect();
    let mut child = command(folder, &words).stdout(std::process::Stdio::null()).spawn().unwrap();
    let (begin, mut most) = (Instant::now(), 0);
    while begin.elapsed() < time && child.try_wait().unwrap().is_none() {
        most = peak(&child).unwrap_or(0).max(most);
        thread::sleep(Duration::from_millis(10));
    }
    let _ = child.kill();
    let Output { stderr, .. } = child.wait_with_output().unwrap();
    let error = String::from_utf8_lossy(&stderr);
    assert!(!error.contains("panicked") && !error.contains("unexpected"), "{words:?}: {error}");
    most >> 10
}

/// The bound is a quarter more than `--memory`, and the command's own memory.
#[cfg(target_os = "linux")]
fn memory_limits_are_kept(work: &[&str], mib: u64, time: Duration) {
    let folder = folder();
    for words in work {
        let _ = std::fs::remove_dir_all(folder.path().join("long.bp.scratch"));
        let peak = peak_of(folder.path(), words, mib, time);
        assert!(peak <= mib / 4 * 5 + 64, "{words}: {peak} MiB where {mib} were allowed");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn misere_sums_keep_their_memory_limit() {
    let work = [
        "solve dawson 200 190 --set misere=true",
        "solve kayles 300 299 298 --set misere=true",
        "solve kayles 60 --set misere=true --nimber",
        "quotient 0.07 60 --most 1000",
        "quotient cram --board 4x4 --set misere=true --most 2000",
    ];
    memory_limits_are_kept(&work, 16, Duration::from_secs(6));
}

/// All solvers and verbs.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "takes long"]
fn every_verb_keeps_its_memory_limit() {
    let work = [
        "solve dawson 200 190 --set misere=true",
        "solve kayles 300 299 298 --set misere=true",
        "solve cram --board 7x7 --set misere=true",
        "solve blockgame --board 7x7 --set misere=true",
        "solve connect4 --board 7x7",
        "solve connect4 --board 8x8 --solver df-pn",
        "solve kings --board 7x7 --ask value",
        "solve domineering --board 7x7 --cgt",
        "solve domineering --board 9x9",
        "solve domineering --board 4x24",
        "solve cram --board 7x8 --nimber",
        "solve cram --board 7x7 --set misere=true --estimate",
        "value domineering(6x6)",
        "value cram(5x7)",
        "period 0.07 --to 5000000",
        "quotient 0.07 60 --most 1000",
        "quotient cram --board 4x4 --set misere=true --most 2000",
        "review connect4 4455123",
        "tree cram --board 6x7 --set misere=true",
        "puzzle cram --board 7x7 --set misere=true",
        "census connect4 --board 6x6",
        "census connect4 --board 5x5 --games",
        "build connect4 --board 5x6 -o long.bp",
        "prove connect4 --board 6x6 -o long.cert",
    ];
    memory_limits_are_kept(&work, 64, Duration::from_secs(40));
}
