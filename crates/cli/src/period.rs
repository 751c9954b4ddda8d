//! `balpan period`: the nimbers of heaps, and their proved period.

use std::fmt::Write;

use balpan_games::heaps::period::{ArithmeticGrowth, HexadecimalCode};
use balpan_games::heaps::{MAX_THREE_WAY_HEAP, PeriodReport, game_digits};
use balpan_pictures::plots;

use crate::args::PeriodArgs;
use crate::draw;
use crate::error::{CliError, harmless, print, print_json};
use crate::files;
use crate::load::{read_rules, refuse_malformed_code};
use crate::numbers::grouped;
use crate::progress::{positions_searched, run_with_progress};
use crate::words::lang;
use crate::words::period as words;

/// Nimbers printed for people.
const MAX_SHOWN_NIMBERS: usize = 160;

/// Exceptions to the period printed for people.
const MAX_SHOWN_EXCEPTIONS: usize = 40;

pub(crate) fn run(args: &PeriodArgs) -> Result<(), CliError> {
    let (code, digits) = read_code(&args.code)?;
    let max_heap = usize::try_from(args.to).unwrap_or(usize::MAX);
    // All splits of a heap into three are enumerated.
    if digits.max_heaps_left() > 2 && max_heap > MAX_THREE_WAY_HEAP {
        let help = "take --to 20000 at most";
        return Err(CliError::input("a code by which three heaps may be left takes too long so far", help));
    }
    let (answer, time) = run_with_progress(|watch| PeriodReport::find_partial(&code, &digits, max_heap, watch));
    let answer = answer.with_elapsed(time);
    if answer.nimbers.len() < 2 {
        return Err(CliError::Stopped(positions_searched()));
    }
    if let Some(path) = &args.svg {
        let svg = plots::nimbers(&code, &answer.nimbers, |heap| answer.is_exception(heap));
        files::write_svg("--svg", path, &svg)?;
    }
    if args.json {
        return print_json(&answer);
    }
    if args.csv {
        let mut lines = "heap,nimber\n".to_owned();
        for (heap, nimber) in answer.nimbers.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{heap},{nimber}");
        }
        return print(&lines);
    }
    print(&page(&answer))
}

/// Reads a code, or finds that of a game of heaps. Returns its name and its digits.
fn read_code(text: &str) -> Result<(String, HexadecimalCode), CliError> {
    if let Some(digits) = HexadecimalCode::parse(text) {
        return Ok((text.to_owned(), digits));
    }
    let help = "expected an octal or hexadecimal code such as 0.77 or 0.3F, or a game of heaps such as kayles";
    refuse_malformed_code(text, help)?;
    let game = read_rules(text)?.game()?;
    match game_digits(text, &game) {
        Some(found) => Ok(found),
        None if game.heap_code().is_some() => Err(CliError::input(
            format!("{} has no octal code", harmless(text)),
            "the nimber of a heap of nim is its size",
        )),
        None => Err(CliError::input(format!("{} is no game of heaps", harmless(text)), help)),
    }
}

fn page(answer: &PeriodReport) -> String {
    let lang = lang();
    let PeriodReport { nimbers, .. } = answer;
    let mut page = words::head(lang, &answer.code, &grouped(nimbers.len().saturating_sub(1) as u64)) + "\n\n";
    match (answer.period, answer.preperiod, &answer.growth) {
        (Some(length), Some(from), _) => {
            let (length, from) = (grouped(length as u64), grouped(from as u64));
            page.push_str(&draw::filled(&words::proved(lang, &length, &from)));
        }
        (_, _, Some(ArithmeticGrowth { length, from, by })) => {
            page.push_str(&draw::filled(&words::grows(lang, *length, *from, *by)));
        }
        _ => page.push_str(&draw::filled(words::open(lang))),
    }
    if let Some(exceptions) = answer.exceptions.as_ref().filter(|heaps| !heaps.is_empty()) {
        let mut heaps: Vec<_> = exceptions.iter().take(MAX_SHOWN_EXCEPTIONS).map(ToString::to_string).collect();
        if exceptions.len() > MAX_SHOWN_EXCEPTIONS {
            heaps.push(format!(".. ({})", grouped(exceptions.len() as u64)));
        }
        page.push_str(&draw::filled(&words::exceptions(lang, &heaps.join(", "))));
    }
    if let Some((nimber, heap)) = answer.largest() {
        page.push_str(&draw::filled(&words::largest(lang, nimber, heap)));
    }
    // A row is one period, if that fits.
    let widest = nimbers.iter().take(MAX_SHOWN_NIMBERS).max().map_or(1, |most| most.to_string().len());
    let fit = (draw::WIDTH - 8) / (widest + 1);
    let length = answer.period.filter(|length| *length <= fit).unwrap_or(fit / 10 * 10);
    page.push('\n');
    for (number, row) in nimbers[..nimbers.len().min(MAX_SHOWN_NIMBERS)].chunks(length.max(1)).enumerate() {
        let at = number * length;
        let numbers: Vec<_> = row.iter().map(|nimber| format!("{nimber:>widest$}")).collect();
        let _ = writeln!(page, "{at:>6}  {}", numbers.join(" "));
    }
    if nimbers.len() > MAX_SHOWN_NIMBERS {
        let _ = writeln!(page, "    ..\n\n{}", words::more(lang));
    }
    if !answer.complete {
        let to = grouped(answer.to as u64);
        let _ = write!(page, "\n{}", draw::filled(&words::cut_short(lang, &to)));
    }
    page
}
