//! What came of trying a program, as programs read it.

use balpan_contest::Judge;
use balpan_contest::program::Program;
use balpan_contest::stress::{Difference, Fault, Report, SizeTiming, StressOptions, Suspect, UndecidedReason, Verdict};
use balpan_games::Lang;
use serde::Serialize;

use super::Explained;
use super::next::Next;
use crate::contest::Shown;
use crate::words::stress::theirs;

/// The report as programs read it.
#[derive(Serialize)]
pub(super) struct Told {
    judge: String,
    program: String,
    seed: u64,
    right: bool,
    verdict: &'static str,
    undecided: Option<&'static str>,
    cases: u64,
    cases_missing: u64,
    cases_in_all: u64,
    runs: u64,
    exhausted_below: Option<usize>,
    largest: usize,
    given_up: usize,
    stopped: bool,
    seconds: f64,
    own_seconds: f64,
    limit_seconds: f64,
    memory_limit_bytes: Option<u64>,
    memory_bytes: Option<u64>,
    slowest_seconds: Option<f64>,
    paces: Vec<ToldPace>,
    difference: Option<ToldDifference>,
}

/// The slowest case of a size, of those that were asked about alone.
#[derive(Serialize)]
struct ToldPace {
    cells: usize,
    cases: u64,
    seconds: f64,
    stopped: bool,
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
    game: String,
    position: String,
    line: Vec<String>,
    commands: Vec<String>,
    page: Option<String>,
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
    shown: &Shown,
    plan: &StressOptions,
    program: &Program,
    report: &Report<J>,
    explained: Option<Explained>,
) -> Told {
    let difference = report.difference.as_ref().zip(explained);
    Told {
        judge: judge.info().name.to_string(),
        program: program.name(),
        seed: plan.seed,
        right: report.verdict() == Verdict::Right,
        verdict: report.verdict().word(),
        undecided: report.undecided_reason().map(UndecidedReason::word),
        cases: report.tried,
        cases_missing: report.missing,
        cases_in_all: report.cases,
        runs: report.runs,
        exhausted_below: report.difference.is_none().then_some(report.exhausted),
        largest: report.largest,
        given_up: report.given_up,
        stopped: report.stopped,
        seconds: report.time.as_secs_f64(),
        own_seconds: report.own_time.as_secs_f64(),
        limit_seconds: plan.time_limit.as_secs_f64(),
        memory_limit_bytes: plan.memory_limit,
        memory_bytes: report.memory,
        slowest_seconds: report.slowest().map(|pace| pace.slowest.as_secs_f64()),
        paces: report.timings.iter().map(|&pace| pace.into()).collect(),
        difference: difference.map(|(difference, explained)| told(judge, shown, difference, explained)),
    }
}

impl From<SizeTiming> for ToldPace {
    fn from(SizeTiming { cells, cases, slowest, stopped }: SizeTiming) -> Self {
        Self { cells, cases, seconds: slowest.as_secs_f64(), stopped }
    }
}

fn told<J: Judge>(judge: &J, shown: &Shown, difference: &Difference<J>, explained: Explained) -> ToldDifference {
    let fault = &difference.fault;
    let next = Next::of(shown, &explained.position);
    let mistake = |suspect: &Suspect<J>| ToldMistake {
        name: suspect.mistake.name.to_string(),
        remedy: suspect.mistake.remedy.to_string(),
        explains: suspect.explains,
        of: suspect.compared,
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
            Fault::MemoryLimit(_) => "memory_limit",
            Fault::Flaky(_) => "unsteady",
        },
        input: judge.write(std::slice::from_ref(&difference.case)),
        before: (!difference.before.is_empty()).then(|| judge.write(&difference.before)),
        cells: difference.size.cells,
        board_cells: difference.size.board,
        right: difference.right.to_string(),
        answer: if let Fault::Wrong(answer) = fault.symptom() { Some(answer.to_string()) } else { None },
        exit_code: if let Fault::Exited(code) = fault.symptom() { Some(*code) } else { None },
        signal: if let Fault::Killed(signal) = fault.symptom() { Some(*signal) } else { None },
        told: theirs(Lang::En, fault),
        errors: difference.errors.clone(),
        smallest: difference.minimality.all_tried && !difference.minimality.is_disguised,
        smaller_cases: difference.minimality.all_tried.then_some(difference.minimality.smaller_cases),
        mistakes: difference.suspects.iter().map(mistake).collect(),
        game: judge.info().game.to_string(),
        position: explained.position,
        line: explained.line,
        commands: next.commands,
        page: next.page,
    }
}
