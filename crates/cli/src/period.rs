//! `balpan period`: nimbers of heaps, and the period that they are proved to have.

use std::fmt::Write;

use balpan_games::AnyGame;
use balpan_games::heaps::period::{ArithmeticGrowth, HexadecimalCode};
use balpan_games::heaps::{MAX_THREE_WAY_HEAP, PeriodReport, game_digits};
use balpan_pictures::plots;

use crate::args::PeriodArgs;
use crate::draw;
use crate::failure::{Failure, harmless, print, print_json};
use crate::files;
use crate::lang::lang;
use crate::numbers::grouped;
use crate::progress::{positions, watched};
use crate::source;
use crate::words::period as words;

/// Nimbers that are shown, where there are more.
const SHOWN: usize = 160;

/// Exceptions that are shown.
const MOST_EXCEPTIONS: usize = 40;

pub(crate) fn run(args: &PeriodArgs) -> Result<(), Failure> {
    let (code, digits) = digits(&args.code)?;
    let most = usize::try_from(args.to).unwrap_or(usize::MAX);
    // Three heaps left of one are looked at in all ways.
    if digits.most_left() > 2 && most > MAX_THREE_WAY_HEAP {
        let help = "take --to 20000 at most";
        return Err(Failure::input("a code by which three heaps may be left takes too long so far", help));
    }
    let (answer, time) = watched(|watch| PeriodReport::find_partial(&code, &digits, most, watch));
    let answer = answer.with_elapsed(time);
    if answer.nimbers.len() < 2 {
        return Err(Failure::Stopped(positions()));
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

/// A code, or that of a game of heaps.
fn digits(text: &str) -> Result<(String, HexadecimalCode), Failure> {
    if let Some(digits) = HexadecimalCode::parse(text) {
        return Ok((text.to_owned(), digits));
    }
    let help = "expected an octal or hexadecimal code such as 0.77 or 0.3F, or a game of heaps such as kayles";
    source::refuse_digits(text, help)?;
    let game = source::rules(text)?.game()?;
    match game_digits(text, &game) {
        Some(found) => Ok(found),
        None if matches!(game, AnyGame::Heaps(_)) => Err(Failure::input(
            format!("{} has no octal code", harmless(text)),
            "the nimber of a heap of nim is its size",
        )),
        None => Err(Failure::input(format!("{} is no game of heaps", harmless(text)), help)),
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
        let mut heaps: Vec<_> = exceptions.iter().take(MOST_EXCEPTIONS).map(ToString::to_string).collect();
        if exceptions.len() > MOST_EXCEPTIONS {
            heaps.push(format!(".. ({})", grouped(exceptions.len() as u64)));
        }
        page.push_str(&draw::filled(&words::exceptions(lang, &heaps.join(", "))));
    }
    if let Some((nimber, heap)) = answer.largest() {
        page.push_str(&draw::filled(&words::largest(lang, nimber, heap)));
    }
    // As many in a line as come again, if that many fit.
    let widest = nimbers.iter().take(SHOWN).max().map_or(1, |most| most.to_string().len());
    let fit = (draw::WIDTH - 8) / (widest + 1);
    let length = answer.period.filter(|length| *length <= fit).unwrap_or(fit / 10 * 10);
    page.push('\n');
    for (number, row) in nimbers[..nimbers.len().min(SHOWN)].chunks(length.max(1)).enumerate() {
        let at = number * length;
        let numbers: Vec<_> = row.iter().map(|nimber| format!("{nimber:>widest$}")).collect();
        let _ = writeln!(page, "{at:>6}  {}", numbers.join(" "));
    }
    if nimbers.len() > SHOWN {
        let _ = writeln!(page, "    ..\n\n{}", words::more(lang));
    }
    if !answer.complete {
        let to = grouped(answer.to as u64);
        let _ = write!(page, "\n{}", draw::filled(&words::cut_short(lang, &to)));
    }
    page
}
