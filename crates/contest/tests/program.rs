//! Programs under test, hostile ones above all, get the right verdict and leave no processes.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use balpan::Watch;
use balpan_contest::{End, Limits, Program, ProgramError};

use crate::running::{LIMITS, shell, within};

/// Input that is larger than the capacity of any pipe.
fn megabytes() -> Vec<u8> {
    b"a line of the input\n".repeat(400_000)
}

/// The limits with another output limit.
fn with_output(output: usize) -> Limits {
    Limits { output, ..LIMITS }
}

#[test]
fn pipes_are_connected() {
    let run = shell("cat", "cat; echo done >&2", b"1\n2\n", LIMITS);
    assert_eq!((run.output.as_slice(), run.errors.as_str(), run.end), (b"1\n2\n".as_slice(), "done\n", End::Exited(0)));

    let input = megabytes();
    let run = shell("much", "cat", &input, with_output(input.len()));
    assert!(run.output == input, "{} bytes came back", run.output.len());
    assert_eq!(run.end, End::Exited(0));

    let run = shell("nothing", "cat", b"", LIMITS);
    assert_eq!((run.output.as_slice(), run.end), (b"".as_slice(), End::Exited(0)));
}

#[test]
fn output_is_limited() {
    let script = "printf 12345";
    let run = shell("exactly", script, b"", with_output(5));
    assert_eq!((run.output.as_slice(), run.end), (b"12345".as_slice(), End::Exited(0)));
    let run = shell("one more", script, b"", with_output(4));
    assert_eq!((run.output.as_slice(), run.end), (b"1234".as_slice(), End::OutputLimit));
    let run = shell("none allowed", script, b"", with_output(0));
    assert_eq!((run.output.as_slice(), run.end), (b"".as_slice(), End::OutputLimit));
    assert_eq!(shell("silent", ":", b"", with_output(0)).end, End::Exited(0));
}

#[test]
fn endless_output_is_cut() {
    for (mark, script) in [
        ("yes", "yes"),
        ("zeros", "cat /dev/zero"),
        ("behind", "yes & exit 0"),
        ("both", "yes >&2 & yes"),
        ("deaf", "trap '' TERM INT HUP PIPE; while :; do echo more; done"),
    ] {
        let run = shell(mark, script, b"", LIMITS);
        assert!(run.output.len() <= LIMITS.output, "{script}");
        if mark != "behind" {
            assert_eq!((run.output.len(), run.end), (LIMITS.output, End::OutputLimit), "{script}");
        }
    }
}

/// Whether the script can be tested: only Linux follows processes into their own sessions.
fn is_for_this_system(script: &str) -> bool {
    cfg!(target_os = "linux") || !script.contains("setsid")
}

#[test]
fn hanging_programs_are_stopped() {
    for (mark, script) in [
        ("sleeps", "echo 1; sleep 1000"),
        ("turns", "echo 1; while :; do :; done"),
        ("waits for children", "echo 1; sleep 1000 & sleep 1000 & wait"),
        ("in pipes", "echo 1; sleep 1000 | cat"),
        ("stopped", "echo 1; kill -STOP $$"),
        ("closes all", "echo 1; exec <&- >&- 2>&-; sleep 1000"),
        ("sessions", "echo 1; setsid sleep 1000 & setsid sleep 1000 </dev/null >/dev/null 2>&1 & wait"),
    ] {
        if !is_for_this_system(script) {
            continue;
        }
        let run = shell(mark, script, &megabytes(), within(1000));
        assert_eq!((run.output.as_slice(), run.end), (b"1\n".as_slice(), End::TimeLimit), "{script}");
    }
}

/// The run ends with the program, and does not wait for children that it left behind.
#[test]
fn children_left_behind_are_killed() {
    for (mark, script) in [
        ("with its output", "sleep 1000 & sleep 1000 & echo 7"),
        ("session", "setsid sleep 1000 & sleep 0.1; echo 7"),
        ("daemon", "(setsid sh -c 'sleep 1000 & sleep 1000' </dev/null >/dev/null 2>&1 &); sleep 0.1; echo 7"),
        (
            "daemon and session",
            "setsid sh -c 'setsid sh -c \"setsid sleep 1000 & sleep 1000\" & sleep 1000' & sleep 0.1; echo 7",
        ),
        ("storm", "i=0; while [ $i -lt 200 ]; do sleep 1000 & i=$((i + 1)); done; sleep 0.1; echo 7"),
        ("storm of sessions", "i=0; while [ $i -lt 50 ]; do setsid sleep 1000 & i=$((i + 1)); done; sleep 0.1; echo 7"),
        ("forks on", "setsid sh -c 'while :; do sleep 0.002 & done' & sleep 0.1; echo 7"),
    ] {
        if !is_for_this_system(script) {
            continue;
        }
        let run = shell(mark, script, b"", LIMITS);
        assert_eq!((run.output.as_slice(), run.end), (b"7\n".as_slice(), End::Exited(0)), "{mark}");
    }
}

/// A descendant that cleared its environment is not found, and keeps the pipes open. The run does not wait for it.
#[test]
#[cfg(target_os = "linux")]
fn unknown_descendants_do_not_hold_up_the_run() {
    let run = shell("stranger", "env -i setsid sleep 5 & sleep 0.1; echo 7", b"", LIMITS);
    assert_eq!((run.output.as_slice(), run.end), (b"7\n".as_slice(), End::Exited(0)));
}

#[test]
fn exit_codes_and_signals_are_reported() {
    for (mark, script, end) in [
        ("139", "exit 139", End::Exited(139)),
        ("segv", "kill -SEGV $$", End::Killed(11)),
        ("kill", "kill -KILL $$", End::Killed(9)),
        ("group", "kill -TERM 0; sleep 1000", End::Killed(15)),
        ("last line", "printf 5; exit 1", End::Exited(1)),
    ] {
        assert_eq!(shell(mark, script, b"", LIMITS).end, end, "{script}");
    }
    let run = shell("no line", "printf 5", b"", LIMITS);
    assert_eq!((run.output.as_slice(), run.end), (b"5".as_slice(), End::Exited(0)));
}

#[test]
fn programs_need_not_read_their_input() {
    for (mark, script) in [
        ("closes", "exec <&-; sleep 0.1; echo 7"),
        ("never reads", "sleep 0.2; echo 7"),
        ("first line only", "read line; echo 7"),
        ("answers first", "echo 7; cat >/dev/null"),
        ("reads late", "sleep 0.2; cat >/dev/null; echo 7"),
        ("reads slowly", "for i in 1 2 3 4 5; do read line; sleep 0.02; done; echo 7"),
    ] {
        let run = shell(mark, script, &megabytes(), LIMITS);
        assert_eq!((run.output.as_slice(), run.end), (b"7\n".as_slice(), End::Exited(0)), "{script}");
    }
}

#[test]
fn output_may_be_binary() {
    let run = shell("binary", r"printf '\377\000\200\n'; printf '\033[2J\377' >&2", b"", LIMITS);
    assert_eq!((run.output.as_slice(), run.end), (b"\xff\0\x80\n".as_slice(), End::Exited(0)));
    assert_eq!(run.errors, "\u{1b}[2J\u{fffd}");
}

#[test]
fn the_last_lines_of_errors_are_kept() {
    let script = "i=0; while [ $i -lt 20 ]; do head -c 300000 /dev/zero | tr '\\0' x; echo; i=$((i + 1)); done >&2;
                  i=0; while [ $i -lt 500 ]; do echo line $i; i=$((i + 1)); done >&2; echo 7";
    let run = shell("errors", script, b"", LIMITS);
    assert_eq!((run.output.as_slice(), run.end), (b"7\n".as_slice(), End::Exited(0)));
    assert!(run.errors.len() < 10_000 && run.errors.starts_with("line ") && run.errors.ends_with("line 499\n"));
}

/// Signals are as in a shell: a broken pipe ends a program, and no signal is blocked.
#[test]
fn signals_have_their_defaults() {
    let run = shell("pipe", "yes | head -n 1", b"", LIMITS);
    assert_eq!((run.output.as_slice(), run.errors.as_str(), run.end), (b"y\n".as_slice(), "", End::Exited(0)));
}

#[test]
fn a_watch_stops_the_run() {
    let watch = Arc::new(Watch::default());
    let program = Program::new(["sh", "-c", "echo 1; sleep 1000"].map(Into::into).to_vec());
    let stop = thread::spawn({
        let watch = Arc::clone(&watch);
        move || {
            thread::sleep(Duration::from_millis(200));
            watch.stop();
        }
    });
    let run = program.run(b"", LIMITS, &watch).unwrap();
    assert_eq!((run.output.as_slice(), run.end), (b"1\n".as_slice(), End::Stopped));
    stop.join().unwrap();
}

#[test]
fn runs_go_on_in_parallel() {
    let program = Program::new(["sh", "-c", "sleep 0.01 & cat; exit 3"].map(Into::into).to_vec());
    thread::scope(|scope| {
        for thread in 0..8 {
            let program = &program;
            scope.spawn(move || {
                for round in 0..20 {
                    let input = format!("{thread} {round}\n").repeat(1000);
                    let run = program.run(input.as_bytes(), LIMITS, &Watch::default()).unwrap();
                    assert_eq!(run.end, End::Exited(3));
                    assert!(run.output == input.as_bytes());
                }
            });
        }
    });
}

#[test]
fn start_errors_have_advice() {
    let folder = tempfile::tempdir().unwrap();
    let script = folder.path().join("script.py");
    fs::write(&script, "print(1)\n").unwrap();
    let start = |word: OsString| Program::new(vec![word]).run(b"", LIMITS, &Watch::default()).unwrap_err();

    let error = start("no-such-program-anywhere".into());
    assert!(error.to_string().starts_with("`no-such-program-anywhere` cannot be started: "), "{error}");
    assert!(error.help().contains("`-- python3 yours.py`"), "{}", error.help());

    let error = start(script.clone().into());
    assert!(error.help().starts_with("it is not executable; make it so: chmod +x "), "{}", error.help());

    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let error = start(script.into());
    assert!(error.help().contains("begin with `#!`"), "{}", error.help());

    let empty = Program::new(Vec::new()).run(b"", LIMITS, &Watch::default());
    assert!(matches!(empty, Err(ProgramError::EmptyCommand)));
}

#[test]
fn programs_are_send_and_sync() {
    const fn is_shared<T: Send + Sync>() {}
    is_shared::<Program>();
    is_shared::<ProgramError>();
}

#[test]
fn a_name_is_the_command_line() {
    let name = |words: &[&str]| Program::new(words.iter().map(Into::into).collect()).name();
    assert_eq!(name(&["python3", "mine.py", "--fast"]), "python3 mine.py --fast");
}
