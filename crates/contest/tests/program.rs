//! Programs under test, hostile ones above all: the right verdict, and nothing of them
//! is left.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::time::Duration;

use balpan::Watch;
use balpan_contest::{End, Limits, Program, Run};

const LIMITS: Limits = Limits { time: Duration::from_secs(10), output: 1 << 20 };

/// Runs lines of the shell.
fn shell(script: &str, input: &[u8], limits: Limits) -> Run {
    let words = ["sh", "-c", script].map(Into::into).to_vec();
    Program::new(words).run(input, limits, &Watch::default()).unwrap()
}

fn within(milliseconds: u64) -> Limits {
    Limits { time: Duration::from_millis(milliseconds), ..LIMITS }
}

#[test]
fn answers() {
    let run = shell("cat; echo done >&2", b"1\n2\n", LIMITS);
    assert_eq!((run.output.as_slice(), run.errors.as_str(), run.end), (b"1\n2\n".as_slice(), "done\n", End::Exited(0)));
}

#[test]
fn output_without_end() {
    for script in ["yes", "cat /dev/zero"] {
        let run = shell(script, b"", LIMITS);
        assert_eq!((run.output.len(), run.end), (LIMITS.output, End::OutputLimit), "{script}");
    }
}

#[test]
fn sleeps() {
    assert_eq!(shell("sleep 1000", b"", within(200)).end, End::TimeLimit);
    assert_eq!(shell("sleep 1000 & sleep 1000 & wait", b"", within(200)).end, End::TimeLimit);
}
