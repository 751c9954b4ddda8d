//! What came of trying a program, as people read it.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};

use anstyle::{AnsiColor, Style};
use balpan_contest::Judge;
use balpan_contest::stress::{Difference, Fault, Plan, Report, Smaller, Suspect, Verdict};

use super::next::Next;
use super::{Explained, plot};
use crate::draw::{DIM, filled};
use crate::failure::harmless;
use crate::numbers::{counted, grouped, rough_bytes, told_time};

const WRONG: Style = AnsiColor::Red.on_default().bold();
const RIGHT: Style = AnsiColor::Green.on_default().bold();

/// The report.
pub(super) fn text<J: Judge>(judge: &J, plan: &Plan, report: &Report<J>, explained: Option<Explained>) -> String {
    let (Some(difference), Some(explained)) = (&report.difference, explained) else {
        return passed::<J>(plan, report);
    };
    let mut text = String::new();
    let Difference { before, case, right, fault, errors, suspects, .. } = difference;
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{WRONG}{}.{WRONG:#}\n{}", headline(fault), filled(&which(difference)));
    if before.is_empty() || matches!(fault, Fault::Unsteady(_)) {
        text.push_str(&indented(&judge.write(std::slice::from_ref(case)), usize::MAX));
    } else {
        text.push_str("These cases, in one run, end with the one that goes wrong:\n\n");
        let cases: Vec<_> = before.iter().chain([case]).cloned().collect();
        text.push_str(&indented(&judge.write(&cases), MOST_LINES));
    }
    let _ = writeln!(text, "\n  right  {RIGHT}{right}{RIGHT:#}");
    let _ = writeln!(text, "  yours  {WRONG}{}{WRONG:#}", theirs(fault));
    if !errors.trim().is_empty() {
        text.push_str("\nThe last that your program wrote to its standard error:\n\n");
        text.push_str(&indented(&harmless(errors), MOST_LINES));
    }
    if matches!(fault, Fault::TimeLimit(_) | Fault::MemoryLimit(_)) {
        if let Some(memory) = report.memory {
            let _ = writeln!(text, "\nThe most memory that it was seen to hold: {}.", rough_bytes(memory as f64));
        }
        text.push_str(&growth::<J>(plan, report));
    }
    for suspect in worth_telling(suspects) {
        let Suspect { mistake, explains, of } = suspect;
        let name = format!("{WRONG}{}{WRONG:#}", mistake.name);
        let _ = if explains == of {
            writeln!(text, "\nWhat it may be: {name}.\nIt agrees with your program on {of} of {of} more cases.")
        } else {
            writeln!(text, "\nWhat comes near: {name}.\nIt agrees with your program on {explains} of {of} more cases.")
        };
        text.push_str(&filled(&format!("By the problem, {}.", mistake.remedy)));
    }
    let _ = writeln!(text, "\nBest play there:\n\n{}", explained.page.trim_end());
    let _ = write!(text, "\n{}", Next::of(J::GAME, &explained.position).text());
    text
}

/// What happened, in a line.
fn headline<A>(fault: &Fault<A>) -> &'static str {
    match fault {
        Fault::Wrong(_) => "Wrong answer",
        Fault::Garbage(_) => "No answer",
        Fault::TooFew { .. } => "Too few answers",
        Fault::TooMany { .. } => "Too many answers",
        Fault::OutputLimit => "Too much output",
        Fault::Exited(_) | Fault::Killed(_) => "Crashed",
        Fault::TimeLimit(_) => "Too slow",
        Fault::MemoryLimit(_) => "Too much memory",
        Fault::Unsteady(_) => "Different answers to the same input",
    }
}

/// What the program did, in words.
pub(super) fn theirs<A: std::fmt::Display>(fault: &Fault<A>) -> String {
    match fault {
        Fault::Wrong(answer) => answer.to_string(),
        Fault::Garbage(word) => format!("`{}`, which is no answer", harmless(word)),
        Fault::TooFew { answers, cases } => {
            format!("{} to {}", counted(*answers as u64, "answer", "answers"), counted(*cases as u64, "case", "cases"))
        }
        Fault::TooMany { answers, cases } => {
            format!("{} to {}", counted(*answers as u64, "answer", "answers"), counted(*cases as u64, "case", "cases"))
        }
        Fault::OutputLimit => "far more output than the answers take; it was stopped".to_owned(),
        Fault::Exited(code) => format!("ended with exit code {code}"),
        Fault::Killed(signal) => format!("killed by signal {signal}{}", signal_name(*signal)),
        Fault::TimeLimit(limit) => format!("no end after {} s; it was stopped", limit.as_secs_f64()),
        Fault::MemoryLimit(limit) => {
            format!("more than the {} that it may hold; it was stopped", rough_bytes(*limit as f64))
        }
        Fault::Unsteady(Some(answer)) => format!("{answer} once, and the right answer another time"),
        Fault::Unsteady(None) => "failed once, and not another time".to_owned(),
    }
}

fn signal_name(signal: i32) -> &'static str {
    match signal {
        4 => ": an illegal instruction",
        6 => ": it gave up (abort)",
        8 => ": a division by zero, or the like",
        9 => ": from outside, often for want of memory",
        11 => ": a memory fault (segmentation fault), often too deep a recursion or an index out of bounds",
        _ => "",
    }
}

/// Which case it is among all on which the program may be wrong.
fn which<J: Judge>(difference: &Difference<J>) -> String {
    let Difference { size, before, smaller, fault, .. } = difference;
    let cells = cells::<J>(size.cells);
    if matches!(fault, Fault::Unsteady(_)) {
        return format!("A case of {cells}; asked again, your program did something else.");
    }
    if !before.is_empty() {
        return together(fault, before.len());
    }
    let aside = J::DISGUISES.map_or_else(String::new, |disguises| format!(", {disguises} left aside"));
    match smaller {
        Smaller { all: false, .. } => {
            format!("The smallest case that was found, of {cells}; there was no time to try all smaller ones.")
        }
        Smaller { disguised: true, .. } => {
            format!(
                "The smallest case that was found, of {cells}: your program is right about all smaller ones{aside}."
            )
        }
        Smaller { cases: 0, .. } => format!("No case is smaller: {cells}."),
        Smaller { cases: 1, .. } => {
            format!("The smallest case, of {cells}: your program is right about the only one that is smaller{aside}.")
        }
        Smaller { cases, .. } => {
            let cases = grouped(*cases);
            format!("The smallest case, of {cells}: your program is right about all {cases} that are smaller{aside}.")
        }
    }
}

/// What is wrong with several cases of one run, each of which is answered rightly alone.
fn together<A>(fault: &Fault<A>, others: usize) -> String {
    let others = counted(others as u64, "other", "others");
    match fault {
        Fault::TooFew { .. } => {
            "Alone, each of these cases is answered rightly; in one input they are not all answered. \
                                 Does your program read its input to the end?"
                .to_owned()
        }
        Fault::Wrong(_) => format!(
            "Alone, this case is answered rightly; after {others} in the same run it is not: something is kept from one \
             case to the next."
        ),
        _ => format!("Alone, this case is answered rightly; after {others} in the same run it is not."),
    }
}

/// `1 tile`, `5 free cells`.
fn cells<J: Judge>(many: usize) -> String {
    counted(many as u64, J::CELLS.trim_end_matches('s'), J::CELLS)
}

/// What a program is told that was never wrong.
fn passed<J: Judge>(plan: &Plan, report: &Report<J>) -> String {
    let stopped = if report.stopped { "Interrupted. " } else { "" };
    let cases = counted(report.tried, "case", "cases");
    let all = match report.exhausted {
        0 | 1 => String::new(),
        exhausted if exhausted > J::MOST_CELLS => ", every one that there is among them".to_owned(),
        exhausted => format!(", every one of fewer than {} among them", cells::<J>(exhausted)),
    };
    let mut text = String::new();
    if report.verdict() == Verdict::Undecided && !report.stopped {
        text += &undecided(plan, report);
    }
    text += &format!("{stopped}{RIGHT}No difference{RIGHT:#} in {cases}{all}.\n");
    if report.largest < J::MOST_CELLS {
        text += &format!("None had more than {}.\n", cells::<J>(report.largest));
    }
    text + &pace::<J>(plan, report)
}

/// What could not be decided.
fn undecided<J: Judge>(plan: &Plan, report: &Report<J>) -> String {
    let limit = told_time(plan.limit);
    let told = match report.given_up {
        0 => "No case could be tried".to_owned(),
        1 => format!("A case took too long to be sure that it keeps to the limit of {limit}"),
        many => format!("A run of {} took too long", counted(many as u64, "case", "cases")),
    };
    let told = format!("{told}, and there was no time to find out more: allow more with --time.");
    format!("{WRONG}Undecided.{WRONG:#}\n{}", filled(&told))
}

/// How far the slowest case is from the limit.
fn pace<J: Judge>(plan: &Plan, report: &Report<J>) -> String {
    let Some(slowest) = report.slowest() else {
        return String::new();
    };
    if slowest.slowest < plan.limit / SMALL_PART {
        return format!("None took a tenth of the {} that a case may take.\n", told_time(plan.limit));
    }
    let words = format!(
        "The slowest, of {}, took {} of the {} that a case may take.",
        cells::<J>(slowest.cells),
        told_time(slowest.slowest),
        told_time(plan.limit),
    );
    filled(&words) + &growth::<J>(plan, report)
}

/// What takes less of the limit is quick.
const SMALL_PART: u32 = 10;

/// How the time grows with the size.
fn growth<J: Judge>(plan: &Plan, report: &Report<J>) -> String {
    if report.paces.len() < 2 {
        return String::new();
    }
    format!(
        "\nThe slowest cases of each size, asked about alone:\n\n{}",
        plot::plot(&report.paces, J::CELLS, plan.limit)
    )
}

/// Misunderstandings that explain the most, if there are several.
fn worth_telling<J: Judge>(suspects: &[Suspect<J>]) -> impl Iterator<Item = &Suspect<J>> {
    let best = suspects.first().map_or(0, |suspect| suspect.of - suspect.explains);
    suspects.iter().take_while(move |suspect| suspect.of - suspect.explains == best).take(MOST_SUSPECTS)
}

/// More would not help.
const MOST_SUSPECTS: usize = 3;

/// More lines of a long input, or of what the program wrote, would not help; JSON has all.
const MOST_LINES: usize = 24;

/// The lines of a text, the last of them where they are too many.
fn indented(text: &str, most: usize) -> String {
    let lines: Vec<_> = text.lines().collect();
    let left_out = lines.len().saturating_sub(most);
    let note = if left_out == 0 {
        String::new()
    } else {
        format!("  .. {}\n", counted(left_out as u64, "line more", "lines more"))
    };
    lines[left_out..].iter().fold(note, |text, line| text + "  " + line + "\n")
}

/// What it cost, on standard error where somebody sees it.
pub(super) fn tell_cost<J: Judge>(report: &Report<J>) {
    if stderr().is_terminal() {
        let slowest = report.slowest().map_or_else(String::new, |pace| {
            format!("\nthe slowest case, of {}: {}", cells::<J>(pace.cells), told_time(pace.slowest))
        });
        let memory = report.memory.map(|bytes| format!("; memory: {}", rough_bytes(bytes as f64))).unwrap_or_default();
        anstream::eprintln!(
            "\n{DIM}{} in {} of your program, {:.1} s; the exact answers took {:.1}% of that{slowest}{memory}{DIM:#}",
            counted(report.cases, "case", "cases"),
            counted(report.runs, "run", "runs"),
            report.time.as_secs_f64(),
            100.0 * report.own_time.as_secs_f64() / report.time.as_secs_f64().max(1e-9),
        );
    }
}
