//! A function of this process as the program under test.

use std::time::Duration;

use balpan::Watch;
use balpan_contest::stress::{Fault, StressOptions, Verdict, stress};
use balpan_contest::{End, Limits, Platforms, Program, Run, answer_all};

const OPTIONS: StressOptions = StressOptions {
    seed: 1,
    cases: Some(300),
    time: Duration::from_secs(60),
    time_limit: Duration::from_secs(10),
    memory_limit: None,
    batch: None,
    threads: 1,
};

fn run(output: Vec<u8>, end: End) -> Run {
    let time = Duration::ZERO;
    Run { output, errors: String::new(), end, time, waited: time, memory: None }
}

#[test]
fn a_right_function_is_right() {
    let right = |input: &[u8], _: Limits, watch: &Watch| {
        let mut output = Vec::new();
        answer_all(&Platforms, input, &mut output, watch).unwrap();
        run(output, End::Exited(0))
    };
    let program = Program::from_function("right", right);
    assert_eq!(program.name(), "right");
    let report = stress(&Platforms, &program, &OPTIONS, &Watch::default()).unwrap();
    assert_eq!((report.verdict(), report.tried), (Verdict::Right, 300));
}

#[test]
fn a_wrong_function_gets_its_smallest_case() {
    let one = |input: &[u8], _: Limits, _: &Watch| {
        let lines = input.iter().filter(|byte| **byte == b'\n').count();
        run("1\n".repeat(lines).into_bytes(), End::Exited(0))
    };
    let report = stress(&Platforms, &Program::from_function("one", one), &OPTIONS, &Watch::default()).unwrap();
    let difference = report.difference.unwrap();
    assert!(matches!(difference.fault, Fault::Wrong(answer) if answer.0 == 1));
    assert_eq!((difference.size.cells, difference.right.0), (1, 0));
}
