//! What came of trying a program, as programs read it.

use balpan_contest::Judge;
use balpan_contest::program::Program;
use balpan_contest::stress::{Difference, Fault, Report, Suspect};
use serde::Serialize;

use super::Explained;
use super::text::theirs;
use crate::args::StressArgs;

/// The report as programs read it.
#[derive(Serialize)]
pub(super) struct Told {
    judge: &'static str,
    program: String,
    seed: u64,
    right: bool,
    cases: u64,
    cases_in_all: u64,
    runs: u64,
    exhausted_below: Option<usize>,
    largest: usize,
    given_up: usize,
    stopped: bool,
    seconds: f64,
    own_seconds: f64,
    difference: Option<ToldDifference>,
}

#[derive(Serialize)]
struct ToldDifference {
    fault: &'static str,
    input: String,
    before: Option<String>,
    cells: usize,
    board_cells: usize,
    right: String,
    answer: Option<String>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    told: String,
    errors: String,
    smallest: bool,
    smaller_cases: Option<u64>,
    mistakes: Vec<ToldMistake>,
    game: &'static str,
    position: String,
    line: Vec<String>,
}

#[derive(Serialize)]
struct ToldMistake {
    name: String,
    remedy: String,
    explains: usize,
    of: usize,
}

/// The report.
pub(super) fn json<J: Judge>(
    judge: &J,
    args: &StressArgs,
    program: &Program,
    report: &Report<J>,
    explained: Option<Explained>,
) -> Told {
    let difference = report.difference.as_ref().zip(explained);
    Told {
        judge: J::NAME,
        program: program.name(),
        seed: args.seed,
        right: report.difference.is_none(),
        cases: report.tried,
        cases_in_all: report.cases,
        runs: report.runs,
        exhausted_below: report.difference.is_none().then_some(report.exhausted),
        largest: report.largest,
        given_up: report.given_up,
        stopped: report.stopped,
        seconds: report.time.as_secs_f64(),
        own_seconds: report.own_time.as_secs_f64(),
        difference: difference.map(|(difference, explained)| told(judge, difference, explained)),
    }
}

fn told<J: Judge>(judge: &J, difference: &Difference<J>, explained: Explained) -> ToldDifference {
    let fault = &difference.fault;
    let mistake = |suspect: &Suspect<J>| ToldMistake {
        name: suspect.mistake.name.to_string(),
        remedy: suspect.mistake.remedy.to_string(),
        explains: suspect.explains,
        of: suspect.of,
    };
    ToldDifference {
        fault: match fault {
            Fault::Wrong(_) => "wrong",
            Fault::Garbage(_) => "garbage",
            Fault::TooFew { .. } => "too_few",
            Fault::TooMany { .. } => "too_many",
            Fault::OutputLimit => "output_limit",
            Fault::Exited(_) => "exit_code",
            Fault::Killed(_) => "signal",
            Fault::TimeLimit(_) => "time_limit",
            Fault::Unsteady(_) => "unsteady",
        },
        input: judge.write(std::slice::from_ref(&difference.case)),
        before: (!difference.before.is_empty()).then(|| judge.write(&difference.before)),
        cells: difference.size.cells,
        board_cells: difference.size.board,
        right: difference.right.to_string(),
        answer: match fault {
            Fault::Wrong(answer) | Fault::Unsteady(Some(answer)) => Some(answer.to_string()),
            _ => None,
        },
        exit_code: if let Fault::Exited(code) = fault { Some(*code) } else { None },
        signal: if let Fault::Killed(signal) = fault { Some(*signal) } else { None },
        told: theirs(fault),
        errors: difference.errors.clone(),
        smallest: difference.smaller.all && !difference.smaller.disguised,
        smaller_cases: difference.smaller.all.then_some(difference.smaller.cases),
        mistakes: difference.suspects.iter().map(mistake).collect(),
        game: J::GAME,
        position: explained.position,
        line: explained.line,
    }
}
