//! Test data for a judge, and the report on a program under test.

use balpan::Watch;
use balpan_contest::referee::PlayedMove;
use balpan_contest::stress::{Difference, Fault, Report, SizeTiming, StressOptions, Suspect, UndecidedReason, Verdict};
use balpan_contest::{
    DataOptions, FixedCases, GenerateError, HardCase, Judge, TestData, find_hard_cases, generate_with,
};
use balpan_games::{PlayerName, Review};
use serde::Serialize;

/// The report on a program under test. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, Serialize)]
pub struct StressReport {
    judge: String,
    program: String,
    seed: u64,
    right: bool,
    verdict: Verdict,
    undecided: Option<UndecidedReason>,
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
    #[serde(rename = "paces")]
    timings: Vec<SizeTiming>,
    difference: Option<DifferenceReport>,
}

/// A case on which the program is wrong.
#[derive(Clone, Debug, Serialize)]
struct DifferenceReport {
    fault: &'static str,
    input: String,
    before: Option<String>,
    cells: usize,
    board_cells: usize,
    right: String,
    answer: Option<String>,
    exit_code: Option<i32>,
    signal: Option<i32>,
    #[serde(rename = "told")]
    result: String,
    errors: String,
    smallest: bool,
    smaller_cases: Option<u64>,
    mistakes: Vec<MistakeReport>,
    game: String,
    position: String,
    line: Vec<String>,
    commands: Vec<String>,
    page: Option<String>,
}

/// A misunderstanding that explains some of the answers.
#[derive(Clone, Debug, Serialize)]
struct MistakeReport {
    name: String,
    remedy: String,
    explains: usize,
    of: usize,
}

/// The report on a game between programs. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, Serialize)]
pub struct RefereeReport {
    /// The game.
    pub game: String,
    /// The rules that differ from the preset's.
    pub rules: Vec<String>,
    /// The first position.
    pub position: String,
    /// The players, the one who begins first.
    pub players: [PlayerName; 2],
    /// Their programs; `None` is the perfect player.
    pub programs: [Option<String>; 2],
    /// The winner.
    pub winner: Option<PlayerName>,
    /// How the game ended: `rules`, `repetition`, `move_limit`, `fault` or `stopped`.
    pub ended: &'static str,
    /// The fault of a program.
    pub fault: Option<FaultReport>,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// The verdicts on the moves, unless there was no time.
    pub review: Option<Review>,
}

/// The fault of a program in a game.
#[derive(Clone, Debug, Serialize)]
pub struct FaultReport {
    /// The player, who loses.
    pub player: PlayerName,
    /// The program.
    pub program: String,
    /// The kind: see [`PlayFault::kind`](balpan_contest::referee::PlayFault::kind).
    pub fault: &'static str,
    /// The line that is no legal move.
    pub line: Option<String>,
    /// The position in which it was to move.
    pub position: String,
    /// The legal moves.
    pub legal: Vec<String>,
    /// The fault in words.
    #[serde(rename = "told")]
    pub result: String,
    /// The last lines of its standard error.
    pub errors: String,
}

/// The addition of a door to a case on which a program is wrong.
#[derive(Clone, Debug, Default)]
pub struct Explanation {
    /// The position of the case.
    pub position: String,
    /// A line of best play from it.
    pub line: Vec<String>,
    /// The program's result in words.
    pub result: String,
    /// Commands that show the position.
    pub commands: Vec<String>,
    /// The path of the explorer's page that shows the position.
    pub page: Option<String>,
}

impl StressReport {
    /// Creates the report on the program of this name.
    pub fn new<J: Judge>(
        judge: &J,
        program: String,
        options: &StressOptions,
        report: &Report<J>,
        explanation: Option<Explanation>,
    ) -> Self {
        let difference = report.difference.as_ref().zip(explanation);
        Self {
            judge: judge.info().name.to_string(),
            program,
            seed: options.seed,
            right: report.verdict() == Verdict::Right,
            verdict: report.verdict(),
            undecided: report.undecided_reason(),
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
            limit_seconds: options.time_limit.as_secs_f64(),
            memory_limit_bytes: options.memory_limit,
            memory_bytes: report.memory,
            slowest_seconds: report.slowest().map(|timing| timing.slowest.as_secs_f64()),
            timings: report.timings.clone(),
            difference: difference
                .map(|(difference, explanation)| DifferenceReport::new(judge, difference, explanation)),
        }
    }
}

impl DifferenceReport {
    fn new<J: Judge>(judge: &J, difference: &Difference<J>, explanation: Explanation) -> Self {
        let fault = &difference.fault;
        let mistake = |suspect: &Suspect<J>| MistakeReport {
            name: suspect.mistake.name.to_string(),
            remedy: suspect.mistake.remedy.to_string(),
            explains: suspect.explains,
            of: suspect.compared,
        };
        let Explanation { position, line, result, commands, page } = explanation;
        Self {
            fault: fault.name(),
            input: judge.write(std::slice::from_ref(&difference.case)),
            before: (!difference.before.is_empty()).then(|| judge.write(&difference.before)),
            cells: difference.size.cells,
            board_cells: difference.size.board,
            right: difference.right.to_string(),
            answer: if let Fault::Wrong(answer) = fault.symptom() { Some(answer.to_string()) } else { None },
            exit_code: if let Fault::Exited(code) = fault.symptom() { Some(*code) } else { None },
            signal: if let Fault::Killed(signal) = fault.symptom() { Some(*signal) } else { None },
            result,
            errors: difference.errors.clone(),
            smallest: difference.minimality.all_tried && !difference.minimality.is_disguised,
            smaller_cases: difference.minimality.all_tried.then_some(difference.minimality.smaller_cases),
            mistakes: difference.suspects.iter().map(mistake).collect(),
            game: judge.info().game.to_string(),
            position,
            line,
            commands,
            page,
        }
    }
}

/// Generates test data: the cases `first`, those of the options, and at the end up to `hard` cases that are hard for plain
/// recursion, which are also returned.
///
/// # Errors
/// If there is not enough data of this kind, or `watch` stops the work.
pub fn generate<J: Judge>(
    judge: &J,
    first: Vec<J::Case>,
    options: &DataOptions,
    hard: usize,
    watch: &Watch,
) -> Result<(TestData<J>, Vec<HardCase<J>>), GenerateError> {
    let hard = if hard == 0 { Vec::new() } else { find_hard_cases(judge, hard, options.seed, &first, watch)? };
    let fixed = FixedCases { first, last: hard.iter().map(|hard| hard.case.clone()).collect() };
    let mut data = generate_with(judge, &fixed, options, watch)?;
    for (case, hard) in (data.cases.len() - hard.len()..).zip(&hard) {
        data.coverage.extend(hard.coverage(case));
    }
    Ok((data, hard))
}
