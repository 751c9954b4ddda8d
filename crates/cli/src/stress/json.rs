//! The report on a program under test, as JSON.

use balpan_contest::Judge;
use balpan_contest::program::Program;
use balpan_contest::stress::{Difference, Fault, Report, SizeTiming, StressOptions, Suspect, UndecidedReason, Verdict};
use balpan_games::Lang;
use serde::Serialize;

use super::Explanation;
use super::follow_up::FollowUp;
use crate::judge::GameReference;
use crate::words::stress::program_result;

/// The report as JSON.
#[derive(Serialize)]
pub(super) struct ReportObject {
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
    paces: Vec<PaceObject>,
    difference: Option<DifferenceObject>,
}

/// The slowest case of a size, among cases that had a run of their own.
#[derive(Serialize)]
struct PaceObject {
    cells: usize,
    cases: u64,
    seconds: f64,
    stopped: bool,
}

#[derive(Serialize)]
struct DifferenceObject {
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
    mistakes: Vec<MistakeObject>,
    game: String,
    position: String,
    line: Vec<String>,
    commands: Vec<String>,
    page: Option<String>,
}

#[derive(Serialize)]
struct MistakeObject {
    name: String,
    remedy: String,
    explains: usize,
    of: usize,
}

/// Converts a report to its JSON object.
pub(super) fn report_object<J: Judge>(
    judge: &J,
    game: &GameReference,
    plan: &StressOptions,
    program: &Program,
    report: &Report<J>,
    explanation: Option<Explanation>,
) -> ReportObject {
    let difference = report.difference.as_ref().zip(explanation);
    ReportObject {
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
        difference: difference.map(|(difference, explanation)| difference_object(judge, game, difference, explanation)),
    }
}

impl From<SizeTiming> for PaceObject {
    fn from(SizeTiming { cells, cases, slowest, stopped }: SizeTiming) -> Self {
        Self { cells, cases, seconds: slowest.as_secs_f64(), stopped }
    }
}

fn difference_object<J: Judge>(
    judge: &J,
    game: &GameReference,
    difference: &Difference<J>,
    explanation: Explanation,
) -> DifferenceObject {
    let fault = &difference.fault;
    let follow_up = FollowUp::new(game, &explanation.position);
    let mistake = |suspect: &Suspect<J>| MistakeObject {
        name: suspect.mistake.name.to_string(),
        remedy: suspect.mistake.remedy.to_string(),
        explains: suspect.explains,
        of: suspect.compared,
    };
    DifferenceObject {
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
        told: program_result(Lang::En, fault),
        errors: difference.errors.clone(),
        smallest: difference.minimality.all_tried && !difference.minimality.is_disguised,
        smaller_cases: difference.minimality.all_tried.then_some(difference.minimality.smaller_cases),
        mistakes: difference.suspects.iter().map(mistake).collect(),
        game: judge.info().game.to_string(),
        position: explanation.position,
        line: explanation.line,
        commands: follow_up.commands,
        page: follow_up.page,
    }
}
