//! Builds by many processes write the same bytes as one, whatever is killed, stopped, full or foreign.

#![cfg(unix)]

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

use balpan::SplitMix;
use tempfile::TempDir;

#[path = "common/relay.rs"]
mod relay;

use crate::common::{SmallDisk, balpan, command, json, printed, refused};

const GAME: [&str; 4] = ["connect4", "--board", "4x4", "--unfolded"];

/// Creates a folder with `whole`, built by one process.
fn with_whole() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    printed(folder.path(), &[&["build"], &GAME[..], &["-o", "whole"]].concat());
    folder
}

/// Writes a file of hosts at ports that are free.
fn hosts(folder: &Path, count: usize) {
    let free: Vec<_> = (0..count).map(|_| TcpListener::bind("127.0.0.1:0").unwrap()).collect();
    let text: String = free.iter().map(|at| format!("{}\n", at.local_addr().unwrap())).collect();
    fs::write(folder.join("hosts"), text).unwrap();
}

/// Starts a process that writes to a folder of its own.
fn begin(folder: &Path, process: usize, more: &[&str]) -> Child {
    let (number, output) = (process.to_string(), format!("by-{process}"));
    let mut words = [&["build"], &GAME[..], &["--process", &number, "-o", &output], more].concat();
    if !more.contains(&"--hosts") {
        words.extend(["--hosts", "hosts"]);
    }
    command(folder, &words).spawn().unwrap()
}

/// Waits for a process. Returns its exit code and its output.
fn ended(child: Child) -> (Option<i32>, String) {
    let Output { status, stderr, .. } = child.wait_with_output().unwrap();
    let said = String::from_utf8(stderr).unwrap();
    assert!(!said.contains("panicked"), "{said}");
    (status.code(), in_a_row(&said))
}

/// Joins text that was wrapped into lines.
fn in_a_row(said: &str) -> String {
    said.split_whitespace().filter(|&word| word != "│").collect::<Vec<_>>().join(" ")
}

/// Builds with this number of processes, and compares the result with `whole`.
fn finish(folder: &Path, count: usize, more: &[&str]) {
    let children: Vec<_> = (0..count).map(|process| begin(folder, process, more)).collect();
    for child in children {
        assert_eq!(ended(child).0, Some(0));
    }
    let folders: Vec<String> = (0..count).map(|process| format!("by-{process}")).collect();
    let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
    printed(folder, &[&["strong", "merge"], &folders[..], &["-o", "merged"]].concat());
    assert!(fs::read(folder.join("merged")).unwrap() == fs::read(folder.join("whole")).unwrap());
    assert!(!folder.join("merged.scratch").exists());
    for part in folders {
        let left = fs::read_dir(folder.join(part)).unwrap().filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            !name.to_str().unwrap().starts_with("part-")
        });
        assert_eq!(left.count(), 0, "working files are left");
        fs::remove_dir_all(folder.join(part)).unwrap();
    }
    fs::remove_file(folder.join("merged")).unwrap();
}

#[test]
fn processes_are_begun_and_followed_and_write_the_same() {
    let folder = with_whole();
    let folder = folder.path();
    for (processes, workers) in [("1", "2"), ("2", "1"), ("3", "1")] {
        let build = [&["cluster", "local", processes], &GAME[..], &["-o", "parts", "--workers", workers]].concat();
        let told = json(folder, &build);
        assert_eq!(told["positions"], 161_029);
        assert_eq!(told["parts"], 256);
        assert!(told["sent"].as_u64() > Some(0) && (told["wire"].as_u64() > Some(0)) == (processes != "1"), "{told}");
        assert!(told["skew"].as_f64() < Some(1.2), "{told}");
        assert_eq!(fs::read_dir(folder.join("parts")).unwrap().count(), 256);
        printed(folder, &["strong", "merge", "parts", "-o", "merged"]);
        assert!(fs::read(folder.join("merged")).unwrap() == fs::read(folder.join("whole")).unwrap());
        // Existing files are not built again.
        assert_eq!(json(folder, &build)["sent"], 0);
        fs::remove_dir_all(folder.join("parts")).unwrap();
        fs::remove_file(folder.join("merged")).unwrap();
    }
}

#[test]
fn a_slow_network_changes_nothing() {
    let folder = with_whole();
    let folder = folder.path();
    hosts(folder, 3);
    let hosts = fs::read_to_string(folder.join("hosts")).unwrap();
    let hosts: Vec<&str> = hosts.lines().collect();
    // 100 Mbit/s.
    let slow = relay::Slow { delay: Duration::from_millis(20), rate: 12.5e6 };
    let children: Vec<_> = (0..3)
        .map(|process| {
            let seen = hosts.iter().enumerate().map(|(other, at)| match other == process {
                true => (*at).to_owned(),
                false => relay::relay(at.parse().unwrap(), slow).to_string(),
            });
            let name = format!("hosts-{process}");
            fs::write(folder.join(&name), seen.collect::<Vec<_>>().join("\n")).unwrap();
            begin(folder, process, &["--hosts", &name])
        })
        .collect();
    for child in children {
        let (code, said) = ended(child);
        assert_eq!(code, Some(0), "{said}");
    }
    printed(folder, &["strong", "merge", "by-0", "by-1", "by-2", "-o", "merged"]);
    assert!(fs::read(folder.join("merged")).unwrap() == fs::read(folder.join("whole")).unwrap());
}

/// Kills one of two processes at random times, and resumes both.
fn killed(times: u32) {
    let folder = with_whole();
    let folder = folder.path();
    hosts(folder, 2);
    let begin_time = Instant::now();
    finish(folder, 2, &[]);
    let took = begin_time.elapsed();
    let mut random = SplitMix(11);
    for time in 0..times {
        // The other process waits for one that has not connected yet.
        let wait = ["--wait", "5"];
        let mut children = [begin(folder, 0, &wait), begin(folder, 1, &wait)];
        sleep(took.mul_f64(random.next_u64() as f64 / u64::MAX as f64));
        let victim = random.below(2);
        children[victim].kill().unwrap();
        let killed = Instant::now();
        let [first, second] = children;
        let (victim, survivor) = if victim == 0 { (first, second) } else { (second, first) };
        let was_done = victim.wait_with_output().unwrap().status.success();
        let (code, said) = ended(survivor);
        assert!(killed.elapsed() < Duration::from_secs(15), "it went on for {:?}", killed.elapsed());
        let why = match code {
            Some(0) => "",
            Some(1) => "has ended",
            _ => "was not there",
        };
        assert!(said.contains(why), "time {time}: {code:?} {said}");
        assert!(!was_done || code == Some(0), "{said}");
        finish(folder, 2, &[]);
    }
}

#[test]
fn a_killed_process_ends_the_others_and_all_resume() {
    killed(3);
}

#[test]
#[ignore = "takes a minute"]
fn twenty_are_killed() {
    killed(20);
}

#[test]
fn a_suspended_process_is_lost_and_notices() {
    let folder = with_whole();
    let folder = folder.path();
    hosts(folder, 2);
    let children = [begin(folder, 0, &["--patience", "2"]), begin(folder, 1, &["--patience", "2"])];
    // A working file shows that the processes are connected.
    let begin_time = Instant::now();
    while !folder.join("by-1/worker-1/state.json").exists() {
        assert!(begin_time.elapsed() < Duration::from_secs(60), "they do not begin");
        sleep(Duration::from_millis(5));
    }
    let number = children[1].id().to_string();
    let signal =
        |name: &str| assert!(std::process::Command::new("kill").args([name, &number]).status().unwrap().success());
    signal("-STOP");
    let [survivor, stopped] = children;
    let (code, said) = ended(survivor);
    assert!(code == Some(1) && said.contains("process 1 has not been heard of"), "{code:?} {said}");
    signal("-CONT");
    let (code, said) = ended(stopped);
    assert!(code == Some(1) && said.contains("process 0 has ended"), "{code:?} {said}");
    finish(folder, 2, &[]);
}

#[test]
fn strangers_and_other_builds_are_refused() {
    let folder = with_whole();
    let folder = folder.path();
    hosts(folder, 2);
    fs::write(folder.join("secret"), "0123456789abcdef").unwrap();
    fs::write(folder.join("other"), "0123456789abcdeF").unwrap();
    let with = |secret| ["--secret-file", secret];
    let first = begin(folder, 0, &with("secret"));
    let at = fs::read_to_string(folder.join("hosts")).unwrap().lines().next().unwrap().to_owned();
    let stranger = |noise: &[u8]| {
        let mut stream = (0..100)
            .find_map(|_| {
                sleep(Duration::from_millis(20));
                TcpStream::connect(&at).ok()
            })
            .unwrap();
        stream.write_all(noise).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let mut answer = Vec::new();
        // The process may close the connection before reading all of the noise.
        let _ = stream.read_to_end(&mut answer);
        answer
    };
    assert_eq!(stranger(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"), b"");
    assert_eq!(stranger(&[0; 1000]), b"");
    let (code, said) = ended(begin(folder, 1, &with("other")));
    assert!(code == Some(2) && said.contains("does not know the secret"), "{code:?} {said}");
    let words = ["build", "connect4", "--board", "4x4", "--hosts", "hosts", "--process", "1", "-o", "x"];
    let (code, _, said) = balpan(folder, &[&words[..], &with("secret")].concat());
    assert!(code == Some(2) && in_a_row(&said).contains("something else"), "{code:?} {said}");
    let second = begin(folder, 1, &with("secret"));
    let (code, said) = ended(first);
    assert_eq!(code, Some(0), "{said}");
    for why in ["greeting is not that of a process of a build", "does not know the secret", "something else"] {
        assert!(said.contains(why), "{said}");
    }
    assert_eq!(ended(second).0, Some(0));
}

#[test]
fn a_full_disk_ends_all_and_the_build_resumes() {
    let Some(disk) = SmallDisk::new("200k") else { return };
    let folder = with_whole();
    let folder = folder.path();
    hosts(folder, 2);
    std::os::unix::fs::symlink(disk.0.path(), folder.join("by-1")).unwrap();
    let children = [begin(folder, 0, &[]), begin(folder, 1, &[])];
    let [(first, says), (second, said)] = children.map(ended);
    assert!(second == Some(2) && said.contains("full") && said.contains("make room"), "{second:?} {said}");
    assert!(first == Some(1) && says.contains("process 1 has ended"), "{first:?} {says}");
    assert!(disk.mount("remount,size=20m"));
    let children = [begin(folder, 0, &[]), begin(folder, 1, &[])];
    assert_eq!(children.map(|child| ended(child).0), [Some(0); 2]);
    printed(folder, &["strong", "merge", "by-0", "by-1", "-o", "merged"]);
    assert!(fs::read(folder.join("merged")).unwrap() == fs::read(folder.join("whole")).unwrap());
}

#[test]
fn a_lost_disk_is_named() {
    let folder = with_whole();
    let folder = folder.path();
    hosts(folder, 2);
    for _ in 0..20 {
        // The other process waits for one that has not connected yet.
        let wait = ["--wait", "5"];
        let mut children = [begin(folder, 0, &wait), begin(folder, 1, &wait)];
        // Parts are written when all layers are solved, and the layers are kept.
        let has_parts = || {
            fs::read_dir(folder.join("by-1"))
                .is_ok_and(|files| files.flatten().any(|file| file.file_name().to_string_lossy().starts_with("part-")))
        };
        while !has_parts() && children.iter_mut().any(|child| child.try_wait().unwrap().is_none()) {
            sleep(Duration::from_millis(1));
        }
        children.iter_mut().for_each(|child| child.kill().unwrap());
        children.into_iter().for_each(|child| drop(child.wait_with_output()));
        let _ = fs::remove_dir_all(folder.join("by-1"));
        let children = [begin(folder, 0, &[]), begin(folder, 1, &[])];
        let [(code, said), (other, _)] = children.map(ended);
        assert_eq!((code, other), (Some(0), Some(0)), "{said}");
        let is_named = said.contains("the working files of worker 1 are lost");
        for part in ["by-0", "by-1"] {
            fs::remove_dir_all(folder.join(part)).unwrap();
        }
        if is_named {
            assert!(said.contains("layers 16 to "), "{said}");
            return;
        }
    }
    panic!("none was killed when anything was finished");
}

#[test]
fn invalid_options_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("far"), "10.0.0.1:1\n10.0.0.2:1\n").unwrap();
    fs::write(folder.join("bad"), "127.0.0.1:1\nnowhere\n").unwrap();
    fs::write(folder.join("short"), "secret").unwrap();
    fs::write(folder.join("file"), "").unwrap();
    let refused = |folder: &Path, words: &[&str]| in_a_row(&refused(folder, words));
    let build = |more: &[&str]| refused(folder, &[&["build", "tictactoe", "-o", "t", "--process", "0"], more].concat());
    assert!(build(&["--hosts", "far"]).contains("--secret-file"));
    assert!(build(&["--hosts", "bad"]).contains("line 2"));
    assert!(build(&["--hosts", "none"]).contains("none"));
    assert!(build(&["--secret-file", "short"]).contains("16 bytes"));
    assert!(build(&["--processes", "0"]).contains("--processes 0"));
    assert!(build(&["--workers", "300"]).contains("--workers 300"));
    assert!(build(&["--workers", "4", "--partitions", "3"]).contains("--partitions 3"));
    assert!(build(&["--memory", "1M"]).contains("MiB of memory"));
    let words = ["build", "tictactoe", "-o", "file", "--process", "0"];
    assert!(refused(folder, &words).contains("file is a file"));
    assert!(refused(folder, &["strong", "merge", ".", "-o", "m"]).contains("no file of a share"));
    assert!(refused(folder, &["cluster", "local", "2", "tictactoe"]).contains("--output"));
    printed(folder, &["cluster", "local", "2", "tictactoe", "-o", "t", "--partitions", "4"]);
    assert!(refused(folder, &["strong", "merge", "t/part-0.strong", "-o", "m"]).contains("3 are missing"));
    let twice = ["strong", "merge", "t", "t/part-0.strong", "-o", "m"];
    assert!(refused(folder, &twice).contains("the same share"));
    printed(folder, &["build", "tictactoe", "-o", "whole"]);
    assert!(refused(folder, &["strong", "merge", "t", "whole", "-o", "m"]).contains("not a part of a split solution"));
    let other = ["build", "tictactoe", "--set", "misere=true", "-o", "t", "--process", "0", "--partitions", "4"];
    assert!(refused(folder, &other).contains("exists and has another solution"));
    assert!(refused(folder, &["strong", "verify", "t/part-0.strong"]).contains("is a part of a solution"));
    assert!(!folder.join("m").exists() && !folder.join("m.scratch").exists());
}
