//! `balpan period` and `balpan quotient`: nimbers of heaps with their period, and misère quotients.

use std::fmt::Write;
use std::sync::Mutex;
use std::time::Instant;

use balpan_cgt::quotient::QuotientError;
use balpan_games::heaps::period::{ArithmeticGrowth, HexadecimalCode};
use balpan_games::heaps::{Code, MAX_THREE_WAY_HEAP, PeriodReport, game_digits};
use balpan_games::misere::MisereError;
use balpan_games::quotients::{MAX_HEAP, QuotientInput, QuotientReport};
use balpan_pictures::plots;
use serde_json::json;

use crate::args::{PeriodArgs, QuotientArgs};
use crate::draw::{self, width};
use crate::error::{CliError, harmless, print, print_report};
use crate::files;
use crate::load::{game_at, read_changed_rules, read_rules, refuse_malformed_code};
use crate::numbers::grouped;
use crate::progress::{ProgressView, exit_code, lock, run_with_progress, run_with_view, time_limit_or};
use crate::words::{lang, period, quotient};

const MAX_SHOWN_NIMBERS: usize = 160;

const MAX_SHOWN_EXCEPTIONS: usize = 40;

/// `balpan period`: the nimbers of heaps, and their proved period.
pub(crate) fn run_period(args: &PeriodArgs) -> Result<(), CliError> {
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
        return Err(CliError::Stopped);
    }
    if let Some(path) = &args.svg {
        let svg = plots::nimbers(&code, &answer.nimbers, |heap| answer.is_exception(heap), plots::Style::Own);
        files::write_svg("--svg", path, &svg)?;
    }
    if args.csv {
        let mut lines = "heap,nimber\n".to_owned();
        for (heap, nimber) in answer.nimbers.iter().enumerate() {
            // Writing to a string cannot fail.
            let _ = writeln!(lines, "{heap},{nimber}");
        }
        return print(&lines);
    }
    print_report(args.json, &answer, period_page)
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
            format!("{} has no octal or hexadecimal code of at most 256 digits", harmless(text)),
            "`balpan solve` finds the nimber of a heap: that of nim is its size",
        )),
        None => Err(CliError::input(format!("{} is no game of heaps", harmless(text)), help)),
    }
}

fn period_page(answer: &PeriodReport) -> String {
    let lang = lang();
    let PeriodReport { nimbers, .. } = answer;
    let mut page = period::head(lang, &answer.code, &grouped(nimbers.len().saturating_sub(1) as u64)) + "\n\n";
    match (answer.period, answer.preperiod, &answer.growth) {
        (Some(length), Some(from), _) => {
            let (length, from) = (grouped(length as u64), grouped(from as u64));
            page.push_str(&draw::filled(&period::proved(lang, &length, &from)));
        }
        (_, _, Some(ArithmeticGrowth { length, from, by })) => {
            page.push_str(&draw::filled(&period::grows(lang, *length, *from, *by)));
        }
        _ => page.push_str(&draw::filled(period::open(lang))),
    }
    if let Some(exceptions) = answer.exceptions.as_ref().filter(|heaps| !heaps.is_empty()) {
        let mut heaps: Vec<_> = exceptions.iter().take(MAX_SHOWN_EXCEPTIONS).map(ToString::to_string).collect();
        if exceptions.len() > MAX_SHOWN_EXCEPTIONS {
            heaps.push(format!(".. ({})", grouped(exceptions.len() as u64)));
        }
        page.push_str(&draw::filled(&period::exceptions(lang, &heaps.join(", "))));
    }
    if let Some((nimber, heap)) = answer.largest() {
        page.push_str(&draw::filled(&period::largest(lang, nimber, heap)));
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
        let _ = writeln!(page, "    ..\n\n{}", period::more(lang));
    }
    if !answer.complete {
        let to = grouped(answer.to as u64);
        let _ = write!(page, "\n{}", draw::filled(&period::cut_short(lang, &to)));
    }
    page
}

const MAX_SHOWN_PARTS: usize = 60;

/// `balpan quotient`: misère quotients.
pub(crate) fn run_quotient(args: &QuotientArgs) -> Result<(), CliError> {
    let (name, game) = read_game(args)?;
    let orders = Mutex::default();
    let mut partial = PartialQuotient { name: &name, json: args.json, orders: &orders, begin: Instant::now() };
    let (result, time, _) = run_with_view(&mut partial, None, |watch, _| {
        let on_part = |order| lock(&orders).push(order);
        QuotientReport::find(&name, &game, args.most.into(), args.memory, watch, on_part)
    });
    match result {
        Ok(found) => print_report(args.json, &found.with_elapsed(time), quotient_page),
        Err(MisereError::Stopped(_) | MisereError::Quotient(QuotientError::Stopped(_))) => partial.print(),
        Err(MisereError::Quotient(error @ QuotientError::TooLarge(_))) => {
            let orders = partial.orders();
            let so_far = |last| format!("; of the first {} parts it has {last}", orders.len());
            let so_far = orders.last().map_or_else(String::new, so_far);
            Err(CliError::about(&name, format!("{error}{so_far}"), "allow more with --most, or take smaller heaps"))
        }
        Err(error) => Err(parts_error(error, &name)),
    }
}

/// A quotient that is being computed, part by part.
struct PartialQuotient<'a> {
    name: &'a str,
    json: bool,
    /// The order of the quotient of the first part, of the first two, and so on.
    orders: &'a Mutex<Vec<usize>>,
    begin: Instant,
}

impl PartialQuotient<'_> {
    fn orders(&self) -> Vec<usize> {
        lock(self.orders).clone()
    }

    /// Prints the order so far of work that was stopped.
    fn print(&self) -> Result<(), CliError> {
        let orders = self.orders();
        let last = *orders.last().ok_or(CliError::Stopped)?;
        let elapsed = self.begin.elapsed();
        let report = json!({"game": self.name, "complete": false, "orders": orders, "seconds": elapsed.as_secs_f64()});
        print_report(self.json, &report, |_| {
            draw::filled(&quotient::so_far(lang(), self.name, &time_limit_or(elapsed), orders.len(), last))
        })
    }
}

impl ProgressView for PartialQuotient<'_> {
    fn give_up(&mut self) -> u8 {
        exit_code(self.print())
    }
}

/// Reads a heap code or a game of heaps with the largest heap, or a misère game. Returns its name, too.
fn read_game(args: &QuotientArgs) -> Result<(String, QuotientInput), CliError> {
    let words = &args.position;
    let largest = match &words[..] {
        [] => Ok(12),
        [size] => size.parse().ok().filter(|size| (1..=MAX_HEAP).contains(size)).ok_or(size),
        [_, second, ..] => Err(second),
    };
    let size = |largest: Result<u16, &String>| {
        let help = "expected one size of 1 to 200, the largest heap";
        largest.map_err(|word| CliError::input(format!("`{}` is no size of heaps", harmless(word)), help))
    };
    if let Some(code) = Code::parse(&args.game).filter(|_| args.changes.set.is_empty()) {
        let largest = size(largest)?;
        return Ok((format!("{} {largest}", args.game), QuotientInput::Heaps(code, largest)));
    }
    refuse_malformed_code(
        &args.game,
        "expected an octal code such as 0.77, a game of heaps such as kayles, or a misère game",
    )?;
    // Of a game that can be played by either convention, the misère one is meant.
    let (board, set) = (args.changes.board.as_deref(), &args.changes.set);
    let misere = [&set[..], &["misere=true".to_owned()]].concat();
    let is_set = set.iter().any(|change| change.trim_start().starts_with("misere"));
    let rules = if is_set { None } else { read_changed_rules(&args.game, board, &misere).ok() };
    let rules = rules.map_or_else(|| read_changed_rules(&args.game, board, set), Ok)?;
    let name = harmless(&rules.name);
    if let Some(code) = rules.game()?.heap_code() {
        let largest = size(largest)?;
        return Ok((format!("{name} {largest}"), QuotientInput::Heaps(code.clone(), largest)));
    }
    let game = game_at(&rules, words)?;
    Ok((
        format!("{name} {}", if words.is_empty() { game.size() } else { words.join(" ") }),
        QuotientInput::Game(Box::new(game)),
    ))
}

/// Converts the error of splitting the misère game of this name into parts.
pub(crate) fn parts_error(error: MisereError, name: &str) -> CliError {
    let help = "both players have to have the same moves, and who cannot move has to win: misere = true";
    match error {
        MisereError::NotMisere(_) => CliError::input(format!("{name} is {error}"), help),
        MisereError::TooLong(error) => error.into(),
        MisereError::TooMany(_) | MisereError::TooManyMoves(_) => {
            CliError::input(format!("{name}: {error}"), "take a smaller board, fewer games, or more --memory")
        }
        MisereError::Stopped(stopped) | MisereError::Quotient(QuotientError::Stopped(stopped)) => stopped.into(),
        MisereError::Quotient(QuotientError::TooLarge(_)) => {
            CliError::input(format!("{name}: {error}"), "allow more with --most, or take smaller heaps")
        }
    }
}

fn quotient_page(found: &QuotientReport) -> String {
    let lang = lang();
    let mut page = draw::filled(&quotient::head(lang, &found.game, found.order, found.lost.len()));
    if found.tame {
        page.push_str(&draw::filled(quotient::tame(lang)));
    }
    let lost: Vec<_> = found.lost.iter().map(|element| &*found.elements[*element]).collect();
    let _ = write!(page, "\n{}", draw::filled(&format!("{}: {}", quotient::lost(lang), lost.join(", "))));
    let letters: Vec<_> = found.letters.iter().map(|(letter, part)| format!("{letter} = {part}")).collect();
    let _ = write!(page, "{}", draw::filled(&format!("{} {}", quotient::letter(lang), letters.join(", "))));
    if found.orders.len() <= MAX_SHOWN_PARTS {
        let orders: Vec<_> = found.orders.iter().map(usize::to_string).collect();
        let _ = write!(page, "{}", draw::filled(&format!("{} {}", quotient::orders(lang), orders.join(" "))));
    }
    let _ = writeln!(page, "\n{}\n", quotient::elements_of_parts(lang));
    let rows: Vec<_> = found.parts.iter().take(MAX_SHOWN_PARTS).collect();
    let widest = rows.iter().map(|row| width(&row.part)).max().unwrap_or(0).max(width(quotient::part(lang)));
    let middle = rows
        .iter()
        .map(|row| width(&found.elements[row.element]))
        .max()
        .unwrap_or(0)
        .max(width(quotient::element(lang)));
    let mut row = |part: &str, element: &str, genus: &str| {
        let [before, between] = [" ".repeat(widest - width(part)), " ".repeat(middle - width(element))];
        let line = format!("  {before}{part}  {element}{between}  {genus}");
        let _ = writeln!(page, "{}", line.trim_end());
    };
    row(quotient::part(lang), quotient::element(lang), quotient::genus(lang));
    for part in rows {
        row(&part.part, &found.elements[part.element], part.genus.as_deref().unwrap_or(""));
    }
    if found.parts.len() > MAX_SHOWN_PARTS {
        let _ = writeln!(page, "  ..");
    }
    let with_genus = found.parts.iter().filter(|part| part.genus.is_some()).count();
    if with_genus < found.parts.len() {
        let _ = write!(page, "\n{}", draw::filled(&quotient::genus_of_first(lang, with_genus)));
    }
    page
}
