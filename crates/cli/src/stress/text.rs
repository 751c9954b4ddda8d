//! The report on a program under test, for people.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use balpan_contest::Judge;
use balpan_contest::stress::{Difference, Fault, Report, StressOptions, Suspect, UndecidedReason};

use super::follow_up::FollowUp;
use super::{Explained, plot};
use crate::draw::{filled, print_note};
use crate::error::harmless;
use crate::numbers::rough_bytes;
use crate::words::lang;
use crate::words::{count, stress as words};

const WRONG: Style = AnsiColor::Red.on_default().bold();
const RIGHT: Style = AnsiColor::Green.on_default().bold();

/// A time below this fraction of the limit is fast.
const FAST_FRACTION: u32 = 10;

/// Misunderstandings listed.
const MAX_SUSPECTS: usize = 3;

/// Lines shown of a long input or of the program's errors; JSON has all.
const MAX_LINES: usize = 24;

/// Formats a report.
pub(super) fn report<J: Judge>(
    judge: &J,
    plan: &StressOptions,
    report: &Report<J>,
    explained: Option<(Explained, FollowUp)>,
) -> String {
    let lang = lang();
    let (Some(difference), Some((explained, follow_up))) = (&report.difference, explained) else {
        return no_difference(judge, plan, report);
    };
    let mut text = String::new();
    let Difference { before, case, right, fault, errors, suspects, .. } = difference;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{WRONG}{}{WRONG:#}\n{}",
        words::headline(lang, fault),
        filled(&describe_case(judge, difference))
    );
    if before.is_empty() || matches!(fault, Fault::Flaky(_)) {
        text.push_str(&indented(&judge.write(std::slice::from_ref(case)), usize::MAX));
    } else {
        let _ = writeln!(text, "{}\n", words::in_one_run(lang));
        let cases: Vec<_> = before.iter().chain([case]).cloned().collect();
        text.push_str(&indented(&judge.write(&cases), MAX_LINES));
    }
    let [right_label, program_label] = words::right_and_yours(lang);
    let _ = writeln!(text, "\n  {right_label}  {RIGHT}{right}{RIGHT:#}");
    let _ = writeln!(text, "  {program_label}  {WRONG}{}{WRONG:#}", words::program_result(lang, fault));
    if !errors.trim().is_empty() {
        let _ = writeln!(text, "\n{}\n", words::errors(lang));
        text.push_str(&indented(&harmless(errors), MAX_LINES));
        if is_too_deep(fault, errors) {
            let _ = write!(text, "\n{}", filled(words::too_deep(lang)));
        }
    }
    if matches!(fault, Fault::TimeLimit(_) | Fault::MemoryLimit(_)) {
        if let Some(memory) = report.memory {
            let _ = writeln!(text, "\n{}", words::peak_memory(lang, memory));
        }
        text.push_str(&growth(judge, plan, report));
    }
    for suspect in best_suspects(suspects) {
        let Suspect { mistake, explains, compared } = suspect;
        let name = format!("{WRONG}{}{WRONG:#}", mistake.name_in(lang));
        let _ = writeln!(text, "\n{}", words::suspect(lang, &name, *explains, *compared));
        text.push_str(&filled(&words::by_the_problem(lang, mistake.remedy_in(lang))));
    }
    let _ = writeln!(text, "\n{}\n\n{}", words::best_play(lang), explained.page.trim_end());
    let _ = write!(text, "\n{}", follow_up.text(lang));
    text
}

/// Whether the program reached Python's recursion limit.
fn is_too_deep<A>(fault: &Fault<A>, errors: &str) -> bool {
    matches!(fault, Fault::Exited(_)) && errors.lines().any(|line| line.starts_with("RecursionError:"))
}

/// Describes the place of the case among all cases on which the program is wrong.
fn describe_case<J: Judge>(judge: &J, difference: &Difference<J>) -> String {
    let lang = lang();
    let Difference { size, before, minimality, fault, .. } = difference;
    let cells = cells(judge, size.cells);
    if matches!(fault, Fault::Flaky(_)) {
        return words::unsteady(lang, &cells);
    }
    if !before.is_empty() {
        return words::together(lang, fault, before.len());
    }
    words::smallest_case(
        lang,
        &cells,
        *minimality,
        judge.info().disguises.as_ref().map(|disguises| disguises.text(lang)),
    )
}

/// Formats a size of cases: `1 tile`, `5 free cells`.
fn cells<J: Judge>(judge: &J, many: usize) -> String {
    count::cells(lang(), many, judge.info().cell_noun.text(lang()))
}

/// Formats the report on a program that gave no wrong answer.
fn no_difference<J: Judge>(judge: &J, plan: &StressOptions, report: &Report<J>) -> String {
    let (lang, info) = (lang(), judge.info());
    let all = match report.exhausted {
        0 | 1 => None,
        exhausted if exhausted > info.max_cells && info.is_complete => Some(words::every_one(lang).to_owned()),
        exhausted => {
            let aside = info.disguises.as_ref().map(|disguises| disguises.text(lang));
            Some(words::every_one_below(lang, &cells(judge, exhausted), aside))
        }
    };
    let mut text = String::new();
    let why = match report.undecided_reason() {
        None => None,
        Some(UndecidedReason::Stopped) => {
            text += words::interrupted(lang);
            None
        }
        Some(UndecidedReason::TooSlow) => Some(words::given_up(lang, report.given_up, plan.time_limit)),
        Some(UndecidedReason::TooFewCases) => {
            Some(words::too_few_cases(lang, report.tried, report.missing, plan.cases.is_some()))
        }
    };
    if let Some(why) = why {
        text += &format!("{WRONG}{}{WRONG:#}\n{}", words::undecided(lang), filled(&why));
    }
    text += &filled(&words::no_difference(lang, RIGHT, report.tried, all.as_deref()));
    if report.largest < info.max_cells || !info.is_complete {
        text += &format!("{}\n", words::none_larger(lang, &cells(judge, report.largest)));
    }
    if !info.is_complete {
        text += &format!("{}\n", words::beyond_reach(lang));
    }
    text + &pace(judge, plan, report)
}

/// Describes the time of the slowest case in proportion to the limit.
fn pace<J: Judge>(judge: &J, plan: &StressOptions, report: &Report<J>) -> String {
    let lang = lang();
    let Some(slowest) = report.slowest() else {
        return String::new();
    };
    if slowest.slowest < plan.time_limit / FAST_FRACTION {
        return words::quick(lang, plan.time_limit) + "\n";
    }
    let slowest = words::slowest(lang, &cells(judge, slowest.cells), slowest.slowest, plan.time_limit);
    filled(&slowest) + &growth(judge, plan, report)
}

/// Plots the time by size; empty if there are fewer than two sizes.
fn growth<J: Judge>(judge: &J, plan: &StressOptions, report: &Report<J>) -> String {
    if report.timings.len() < 2 {
        return String::new();
    }
    let lang = lang();
    let plot = plot::plot(lang, &report.timings, judge.info().cell_noun.text(lang), plan.time_limit);
    format!("\n{}\n\n{plot}", words::growth(lang))
}

/// Returns the misunderstandings that explain the most cases.
fn best_suspects<J: Judge>(suspects: &[Suspect<J>]) -> impl Iterator<Item = &Suspect<J>> {
    let best = suspects.first().map_or(0, |suspect| suspect.compared - suspect.explains);
    suspects.iter().take_while(move |suspect| suspect.compared - suspect.explains == best).take(MAX_SUSPECTS)
}

/// Indents the last `max_lines` lines of a text.
fn indented(text: &str, max_lines: usize) -> String {
    let lines: Vec<_> = text.lines().collect();
    let left_out = lines.len().saturating_sub(max_lines);
    let note = if left_out == 0 { String::new() } else { format!("  .. {}\n", words::lines_more(lang(), left_out)) };
    lines[left_out..].iter().fold(note, |text, line| text + "  " + line + "\n")
}

/// Prints the cost on standard error, if that is a terminal.
pub(super) fn print_cost<J: Judge>(judge: &J, report: &Report<J>) {
    let lang = lang();
    let slowest = report.slowest().map_or_else(String::new, |pace| {
        format!("\n{}", words::slowest_of_all(lang, &cells(judge, pace.cells), pace.slowest))
    });
    let memory = report.memory.map(|bytes| format!("; {}: {}", words::memory(lang), rough_bytes(bytes as f64)));
    let seconds = report.time.as_secs_f64();
    let percent = 100.0 * report.own_time.as_secs_f64() / seconds.max(1e-9);
    let cost = words::cost(lang, report.cases, report.runs, seconds, percent);
    print_note(&format!("{cost}{slowest}{}", memory.unwrap_or_default()));
}
