//! The report on a program under test, for people: text, and the time by size of the case as a plot and an SVG picture.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan_app::Explanation;
use balpan_contest::Judge;
use balpan_contest::stress::{
    Difference, Fault, Minimality, Report, SizeTiming, StressOptions, Suspect, UndecidedReason,
};
use balpan_games::Lang;

use crate::draw::{escape_xml, filled, print_note, width};
use crate::error::harmless;
use crate::numbers::{grouped, rough_bytes};
use crate::words::{common, lang, stress as words};

const WRONG: Style = AnsiColor::Red.on_default().bold();
const RIGHT: Style = AnsiColor::Green.on_default().bold();

/// A time below this fraction of the limit is fast.
const FAST_FRACTION: u32 = 10;

const MAX_SUSPECTS: usize = 3;

/// Lines shown of a long input or of the program's errors; JSON has all.
const MAX_LINES: usize = 24;

pub(super) fn text<J: Judge>(
    judge: &J,
    plan: &StressOptions,
    report: &Report<J>,
    explained: Option<&(Explanation, String)>,
) -> String {
    let lang = lang();
    let (Some(difference), Some((explanation, page))) = (&report.difference, explained) else {
        return no_difference(judge, plan, report);
    };
    let mut text = String::new();
    let Difference { before, case, right, fault, errors, suspects, .. } = difference;
    // Writing to a string cannot fail.
    let _ = writeln!(
        text,
        "{WRONG}{}{WRONG:#}\n{}",
        words::headline(lang, fault.name()),
        filled(&describe_case(judge, difference))
    );
    if before.is_empty() || matches!(fault, Fault::Flaky(_)) {
        text.push_str(&indented(&judge.write(std::slice::from_ref(case)), usize::MAX));
    } else {
        let _ = writeln!(text, "{}\n", words::in_one_run(lang));
        let cases: Vec<_> = before.iter().chain([case]).cloned().collect();
        text.push_str(&indented(&judge.write(&cases), MAX_LINES));
    }
    let _ = writeln!(text, "\n  {}  {RIGHT}{right}{RIGHT:#}", words::right(lang));
    let _ = writeln!(text, "  {}  {WRONG}{}{WRONG:#}", words::yours(lang), words::program_result(lang, fault));
    if !errors.trim().is_empty() {
        let _ = writeln!(text, "\n{}\n", words::errors(lang));
        text.push_str(&indented(&harmless(errors), MAX_LINES));
        if is_too_deep(fault, errors) {
            // No play has more moves than there are cells.
            let is_endless = difference.size.cells < PYTHON_CALLS / 2;
            let cells = cells(judge, difference.size.cells);
            let advice = if is_endless { words::endless(lang, &cells) } else { words::too_deep(lang).to_owned() };
            let _ = write!(text, "\n{}", filled(&advice));
        }
    }
    if matches!(fault, Fault::TimeLimit(_) | Fault::MemoryLimit(_)) {
        if let Some(memory) = report.memory {
            let _ = writeln!(text, "\n{}", words::peak_memory(lang, &rough_bytes(memory as f64)));
        }
        text.push_str(&growth(judge, plan, report));
        // A memo helps a program that is slow, and not one that stores too much.
        let is_slow = matches!(fault, Fault::TimeLimit(_));
        let work = is_slow.then(|| balpan_contest::judge::plain_work(judge, case)).flatten();
        if let Some(work) = work.filter(|work| work.calls / 10 > work.positions) {
            let advice = words::remember(lang, &grouped(work.calls), &grouped(work.positions));
            let _ = write!(text, "\n{}", filled(&advice));
        }
    }
    for suspect in best_suspects(suspects) {
        let Suspect { mistake, explains, compared } = suspect;
        let name = format!("{WRONG}{}{WRONG:#}", mistake.name_in(lang));
        let sentence = if explains == compared {
            words::suspect(lang, &name, *compared)
        } else {
            words::near_suspect(lang, &name, *explains, *compared)
        };
        let _ = writeln!(text, "\n{sentence}");
        text.push_str(&filled(&words::by_the_problem(lang, mistake.remedy_in(lang))));
    }
    if !page.is_empty() {
        let _ = writeln!(text, "\n{}\n\n{}", words::best_play(lang), page.trim_end());
    }
    let page = explanation.page.iter().map(|page| words::look_at_page(lang, page));
    let lines = explanation.commands.iter().cloned().chain(page).map(|line| format!("  {line}\n"));
    let lines: String = lines.collect();
    if !lines.is_empty() {
        let _ = write!(text, "\n{}{lines}", words::to_look_at_it(lang));
    }
    text
}

/// The calls within each other that Python allows.
const PYTHON_CALLS: usize = 1_000;

/// Whether the program reached its language's limit of calls within each other.
fn is_too_deep<A>(fault: &Fault<A>, errors: &str) -> bool {
    let limits = ["RecursionError:", "RangeError: Maximum call stack", "java.lang.StackOverflowError"];
    matches!(fault, Fault::Exited(_)) && errors.lines().any(|line| limits.iter().any(|limit| line.contains(limit)))
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
        let others = common::other_cases(lang, before.len() as u64);
        return match fault {
            Fault::TooFew { .. } => words::together_too_few(lang).to_owned(),
            Fault::Wrong(_) => words::together_wrong(lang, &others),
            _ => words::together(lang, &others),
        };
    }
    let Minimality { all_tried, is_disguised, smaller_cases } = *minimality;
    let aside = &judge.info().disguises;
    let aside = aside.as_ref().map_or_else(String::new, |disguises| words::aside(lang, disguises.text(lang)));
    match smaller_cases {
        _ if !all_tried => words::smallest_in_time(lang, &cells),
        _ if is_disguised => words::smallest_disguised(lang, &cells, &aside),
        0 => words::none_smaller(lang, &cells),
        1 => words::one_smaller(lang, &cells, &aside),
        cases => words::smallest(lang, &cells, &grouped(cases), &aside),
    }
}

/// Formats a size of cases: `1 tile`, `5 free cells`.
fn cells<J: Judge>(judge: &J, many: usize) -> String {
    common::cells(lang(), many, judge.info().cell_noun.text(lang()))
}

/// Formats the report on a program that gave no wrong answer.
fn no_difference<J: Judge>(judge: &J, plan: &StressOptions, report: &Report<J>) -> String {
    let (lang, info) = (lang(), judge.info());
    let all = match (report.exhausted, &info.disguises) {
        (0 | 1, _) => String::new(),
        (exhausted, _) if exhausted > info.max_cells && info.is_complete => words::every_one(lang).to_owned(),
        (exhausted, None) => words::every_one_below(lang, &cells(judge, exhausted)),
        (exhausted, Some(aside)) => words::every_one_below_but(lang, &cells(judge, exhausted), aside.text(lang)),
    };
    let why = match (report.undecided_reason(), report.given_up) {
        (None | Some(UndecidedReason::Stopped), _) => None,
        (Some(UndecidedReason::TooSlow), 1) => Some(words::case_given_up(lang, &common::time(lang, plan.time_limit))),
        (Some(UndecidedReason::TooSlow), cases) => Some(words::run_given_up(lang, &common::cases(lang, cases as u64))),
        (Some(UndecidedReason::TooFewCases), _) => {
            let [all, tried] = [report.tried + report.missing, report.tried].map(grouped);
            let is_requested = plan.cases.is_some();
            let sentence = if is_requested { words::too_few_requested } else { words::too_few_needed };
            Some(sentence(lang, &all, &tried))
        }
    };
    let mut text = match why {
        Some(why) => format!("{WRONG}{}{WRONG:#}\n{}", words::undecided(lang), filled(&why)),
        None if report.undecided_reason().is_some() => words::interrupted(lang).to_owned(),
        None => String::new(),
    };
    text += &filled(&words::no_difference(lang, RIGHT, &common::cases(lang, report.tried), &all));
    if report.largest < info.max_cells || !info.is_complete {
        text += &format!("{}\n", words::none_larger(lang, &cells(judge, report.largest)));
    }
    if !info.is_complete && report.undecided_reason().is_none() {
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
        return words::quick(lang, &common::time(lang, plan.time_limit)) + "\n";
    }
    let [took, limit] = [slowest.slowest, plan.time_limit].map(|time| common::time(lang, time));
    filled(&words::slowest(lang, &cells(judge, slowest.cells), &took, &limit)) + &growth(judge, plan, report)
}

/// Plots the time by size; empty if there are fewer than two sizes.
fn growth<J: Judge>(judge: &J, plan: &StressOptions, report: &Report<J>) -> String {
    if report.timings.len() < 2 {
        return String::new();
    }
    let lang = lang();
    let plot = plot(lang, &report.timings, judge.info().cell_noun.text(lang), plan.time_limit);
    format!("\n{}\n\n{plot}", words::growth(lang))
}

/// Returns the misunderstandings that explain the most cases, one of each kind.
fn best_suspects<J: Judge>(suspects: &[Suspect<J>]) -> impl Iterator<Item = &Suspect<J>> {
    let best = suspects.first().map_or(0, |suspect| suspect.compared - suspect.explains);
    let best = suspects.iter().take_while(move |suspect| suspect.compared - suspect.explains == best);
    let is_first = |(n, suspect): &(usize, &Suspect<J>)| {
        suspects[..*n].iter().all(|other| other.mistake.kind() != suspect.mistake.kind())
    };
    best.enumerate().filter(is_first).map(|(_, suspect)| suspect).take(MAX_SUSPECTS)
}

/// Indents the last `max_lines` lines of a text.
fn indented(text: &str, max_lines: usize) -> String {
    let lines: Vec<_> = text.lines().collect();
    let left_out = lines.len().saturating_sub(max_lines);
    let note =
        if left_out == 0 { String::new() } else { format!("  .. {}\n", common::more_lines(lang(), left_out as u64)) };
    lines[left_out..].iter().fold(note, |text, line| text + "  " + line + "\n")
}

/// Prints the cost on standard error, if that is a terminal.
pub(super) fn print_cost<J: Judge>(judge: &J, report: &Report<J>) {
    let lang = lang();
    let slowest = report.slowest().map_or_else(String::new, |pace| {
        format!("\n{}", words::slowest_of_all(lang, &cells(judge, pace.cells), &common::time(lang, pace.slowest)))
    });
    let memory = report.memory.map(|bytes| format!("; {}: {}", words::memory(lang), rough_bytes(bytes as f64)));
    let seconds = report.time.as_secs_f64();
    let percent = 100.0 * report.own_time.as_secs_f64() / seconds.max(1e-9);
    let [cases, runs] = [common::cases(lang, report.cases), common::runs(lang, report.runs)];
    let cost = words::cost(lang, &cases, &runs, seconds, percent);
    print_note(&format!("{cost}{slowest}{}", memory.unwrap_or_default()));
}

/// Length of the longest bar.
const MAX_COLUMNS: u32 = 40;

/// Longest time of a bar of one column. Below it, a program merely starts.
const MIN_TIME: Duration = Duration::from_millis(1);

/// Draws a bar for each size, on a logarithmic scale: time that grows by a constant factor per cell makes a straight line.
fn plot(lang: Lang, paces: &[SizeTiming], cells: &str, limit: Duration) -> String {
    let longest = paces.iter().map(|pace| pace.slowest).max().unwrap_or(limit).max(limit);
    let times: Vec<_> = paces.iter().map(|pace| format_time(lang, pace)).collect();
    let widest = times.iter().map(|time| width(time)).max().unwrap_or(0);
    let mut plot = format!("  {cells}\n");
    for (pace, time) in paces.iter().zip(times) {
        let bar = "#".repeat(columns(pace.slowest, longest));
        // Writing to a string cannot fail.
        let _ = writeln!(plot, "  {:>4}  {}{time}  {bar}", pace.cells, " ".repeat(widest - width(&time)));
    }
    let _ = writeln!(plot, "        {}  {}", " ".repeat(widest), words::each_column(lang, &factor(longest)));
    plot
}

/// Formats the time of the slowest case: `1.2 s`, or `> 1.2 s` if the program was stopped.
fn format_time(lang: Lang, pace: &SizeTiming) -> String {
    format!("{}{}", if pace.stopped { "> " } else { "" }, common::time(lang, pace.slowest))
}

/// Returns the length of the bar of `time`, where `longest` has [`MAX_COLUMNS`].
fn columns(time: Duration, longest: Duration) -> usize {
    let share = doublings(time) / doublings(longest);
    ((share * f64::from(MAX_COLUMNS)).round() as usize).max(1)
}

/// Returns the binary logarithm of `time` / [`MIN_TIME`], at least 0.
fn doublings(time: Duration) -> f64 {
    (time.as_secs_f64() / MIN_TIME.as_secs_f64()).max(1.0).log2()
}

/// Formats the factor between the times of neighbouring columns, to two places.
fn factor(longest: Duration) -> String {
    format!("{:.2}", 2_f64.powf(doublings(longest) / f64::from(MAX_COLUMNS)))
}

// Where bars begin, the width of a plot column, and the heights of a row and of a bar, in pixels.
const LEFT: usize = 60;
const TOP: usize = 64;
const COLUMN: usize = 12;
const ROW: usize = 20;
const BAR: usize = 14;

/// Draws a bar for each size, with the lengths of the text plot, and a line at the time limit. `title` names the program,
/// `of` the unit of sizes.
pub(super) fn svg(lang: Lang, title: &str, paces: &[SizeTiming], of: &str, limit: Duration) -> String {
    let longest = paces.iter().map(|pace| pace.slowest).max().unwrap_or(limit).max(limit);
    let end = LEFT + COLUMN * columns(limit, longest);
    let (width, bottom) = (LEFT + COLUMN * columns(longest, longest) + 110, TOP + ROW * paces.len());
    let height = bottom + 34;
    let [title, of, about] = [title, of, words::growth(lang).trim_end_matches(':')].map(escape_xml);
    // Writing to a string cannot fail.
    let mut svg = String::new();
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" lang=\"{}\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <title>{title}</title>\n<rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n\
         <text x=\"12\" y=\"20\" font-size=\"14\">{title}</text>\n\
         <text x=\"12\" y=\"38\" fill=\"#555555\">{about}</text>\n\
         <text x=\"{}\" y=\"{}\" text-anchor=\"end\">{of}</text>",
        lang.code(),
        LEFT - 6,
        TOP - 8,
    );
    for (n, pace) in paces.iter().enumerate() {
        let (y, cells, length) = (TOP + ROW * n, pace.cells, COLUMN * columns(pace.slowest, longest));
        let colour = if pace.stopped { "#b3382c" } else { "#1f5fbf" };
        let (middle, beside) = (y + BAR - 3, LEFT + length + 6);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{middle}\" text-anchor=\"end\">{cells}</text>\
             <rect x=\"{LEFT}\" y=\"{y}\" width=\"{length}\" height=\"{BAR}\" fill=\"{colour}\"/>\
             <text x=\"{beside}\" y=\"{middle}\">{}</text>",
            LEFT - 6,
            escape_xml(&format_time(lang, pace)),
        );
    }
    let _ = writeln!(
        svg,
        "<line x1=\"{end}\" y1=\"{}\" x2=\"{end}\" y2=\"{bottom}\" stroke=\"#b3382c\" stroke-dasharray=\"4 3\"/>\
         <text x=\"{end}\" y=\"{}\" text-anchor=\"middle\" fill=\"#b3382c\">--limit {}</text>",
        TOP - 4,
        bottom + 16,
        escape_xml(&common::time(lang, limit)),
    );
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponential_growth_is_a_straight_line() {
        let pace = |cells, ms, stopped| SizeTiming { cells, cases: 1, slowest: Duration::from_millis(ms), stopped };
        let paces = [pace(1, 1, false), pace(9, 4, false), pace(17, 16, false), pace(25, 64, true)];
        let plot = plot(Lang::En, &paces, "tiles", Duration::from_millis(64));
        let bars: Vec<_> = plot.lines().map(|line| line.matches('#').count()).collect();
        assert_eq!(bars, [0, 1, 13, 27, 40, 1], "{plot}");
        assert!(plot.contains("  25  > 64 ms"), "{plot}");
    }

    #[test]
    fn a_bar_for_each_size() {
        let pace = |cells, ms, stopped| SizeTiming { cells, cases: 1, slowest: Duration::from_millis(ms), stopped };
        let paces = [pace(1, 1, false), pace(9, 40, false), pace(25, 64, true)];
        let svg = svg(Lang::Ko, "a<b", &paces, "빈칸", Duration::from_millis(64));
        assert_eq!(svg.matches("<rect x=").count(), 3, "{svg}");
        assert_eq!(svg.matches(&format!("width=\"{}\"", 40 * COLUMN)).count(), 1, "{svg}");
        assert!(svg.contains("a&lt;b") && svg.contains("&gt; 64 ms") && svg.contains("lang=\"ko\""), "{svg}");
    }
}
