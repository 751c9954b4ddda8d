//! `balpan quotient`: misère quotients.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use balpan::Watch;
use balpan_cgt::quotient::QuotientError;
use balpan_games::heaps::Code;
use balpan_games::misere::MisereError;
use balpan_games::quotients::{MAX_HEAP, QuotientInput, QuotientReport};
use serde::Serialize;

use crate::args::QuotientArgs;
use crate::draw::{self, width};
use crate::error::{CliError, harmless, print, print_json};
use crate::load::{self, refuse_malformed_code};
use crate::progress::{
    ProgressView, SearchProgress, StopCause, deadline, exit_code, positions_searched, run_with_view, stop_cause,
};
use crate::words::lang;
use crate::words::{count, quotient as words};

/// Parts printed for people.
const MAX_SHOWN_PARTS: usize = 60;

pub(crate) fn run(args: &QuotientArgs) -> Result<(), CliError> {
    let (name, game) = read_game(args)?;
    let partial = PartialQuotient { name: &name, json: args.json, orders: Mutex::default(), begin: Instant::now() };
    let mut view = QuotientProgress { partial: &partial, search: SearchProgress::default() };
    let (result, time, _) = run_with_view(&mut view, None, |watch, _| {
        let on_part = |order| partial.orders.lock().unwrap_or_else(PoisonError::into_inner).push(order);
        QuotientReport::find(&name, &game, args.most.into(), args.memory, watch, on_part)
    });
    match result {
        Ok(found) => {
            let found = found.with_elapsed(time);
            if args.json { print_json(&found) } else { print(&page(&found)) }
        }
        Err(MisereError::Stopped(_) | MisereError::Quotient(QuotientError::Stopped(_))) => {
            partial.print(positions_searched())
        }
        Err(MisereError::Quotient(error @ QuotientError::TooLarge(_))) => Err(CliError::input(
            format!("{name}: {error}{}", partial.order_so_far()),
            "allow more with --most, or take smaller heaps",
        )),
        Err(error) => Err(parts_error(error, &name)),
    }
}

/// A quotient that is being computed, part by part.
struct PartialQuotient<'a> {
    name: &'a str,
    json: bool,
    /// The order of the quotient of the first part, of the first two, and so on.
    orders: Mutex<Vec<usize>>,
    begin: Instant,
}

/// An incomplete quotient as JSON.
#[derive(Serialize)]
struct PartialQuotientReport<'a> {
    game: &'a str,
    complete: bool,
    orders: &'a [usize],
    seconds: f64,
}

impl PartialQuotient<'_> {
    fn order_so_far(&self) -> String {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        orders.last().map_or_else(String::new, |last| format!("; of the first {} parts it has {last}", orders.len()))
    }

    /// Prints the order so far of work that was stopped after `positions` positions.
    fn print(&self, positions: u64) -> Result<(), CliError> {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(last) = orders.last() else { return Err(CliError::Stopped(positions)) };
        let elapsed = self.begin.elapsed();
        if self.json {
            let seconds = elapsed.as_secs_f64();
            return print_json(&PartialQuotientReport { game: self.name, complete: false, orders: &orders, seconds });
        }
        let lang = lang();
        let time =
            count::time(lang, deadline().filter(|_| stop_cause() == Some(StopCause::Deadline)).unwrap_or(elapsed));
        print(&draw::filled(&words::so_far(lang, self.name, &time, orders.len(), *last)))
    }
}

struct QuotientProgress<'a> {
    partial: &'a PartialQuotient<'a>,
    search: SearchProgress,
}

impl ProgressView for QuotientProgress<'_> {
    fn status_line(&mut self, watch: &Watch, elapsed: Duration) -> String {
        self.search.status_line(watch, elapsed)
    }

    fn give_up(&mut self, watch: &Watch) -> u8 {
        exit_code(self.partial.print(watch.positions()), watch.positions())
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
    if let Some(code) = Code::parse(&args.game) {
        let largest = size(largest)?;
        return Ok((format!("{} {largest}", args.game), QuotientInput::Heaps(code, largest)));
    }
    refuse_malformed_code(
        &args.game,
        "expected an octal code such as 0.77, a game of heaps such as kayles, or a misère game",
    )?;
    let rules = load::read_changed_rules(&args.game, args.board.as_deref(), &args.set)?;
    let name = harmless(&rules.name);
    if let Some(code) = rules.game()?.heap_code() {
        let largest = size(largest)?;
        return Ok((format!("{name} {largest}"), QuotientInput::Heaps(code.clone(), largest)));
    }
    let game = load::game_at(&rules, words)?;
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
        MisereError::TooLong(error) => CliError::from_too_long(error),
        MisereError::TooMany(_) | MisereError::TooManyMoves(_) => {
            CliError::input(format!("{name}: {error}"), "take a smaller board, fewer games, or more --memory")
        }
        MisereError::Stopped(stopped) | MisereError::Quotient(QuotientError::Stopped(stopped)) => {
            CliError::from_stopped(stopped, positions_searched())
        }
        MisereError::Quotient(QuotientError::TooLarge(_)) => {
            CliError::input(format!("{name}: {error}"), "allow more with --most, or take smaller heaps")
        }
    }
}

fn page(found: &QuotientReport) -> String {
    let lang = lang();
    let mut page = draw::filled(&words::head(lang, &found.game, found.order, found.lost.len()));
    if found.tame {
        page.push_str(&draw::filled(words::tame(lang)));
    }
    let lost: Vec<_> = found.lost.iter().map(|element| &*found.elements[*element]).collect();
    let _ = write!(page, "\n{}", draw::filled(&format!("{}: {}", words::lost(lang), lost.join(", "))));
    let letters: Vec<_> = found.letters.iter().map(|(letter, part)| format!("{letter} = {part}")).collect();
    let _ = write!(page, "{}", draw::filled(&format!("{} {}", words::letter(lang), letters.join(", "))));
    if found.orders.len() <= MAX_SHOWN_PARTS {
        let orders: Vec<_> = found.orders.iter().map(usize::to_string).collect();
        let _ = write!(page, "{}", draw::filled(&format!("{} {}", words::orders(lang), orders.join(" "))));
    }
    let _ = writeln!(page, "\n{}\n", words::elements_of_parts(lang));
    let rows: Vec<_> = found.parts.iter().take(MAX_SHOWN_PARTS).collect();
    let widest = rows.iter().map(|row| width(&row.part)).max().unwrap_or(0).max(width(words::part(lang)));
    let middle =
        rows.iter().map(|row| width(&found.elements[row.element])).max().unwrap_or(0).max(width(words::element(lang)));
    let mut row = |part: &str, element: &str, genus: &str| {
        let [before, between] = [" ".repeat(widest - width(part)), " ".repeat(middle - width(element))];
        let line = format!("  {before}{part}  {element}{between}  {genus}");
        let _ = writeln!(page, "{}", line.trim_end());
    };
    row(words::part(lang), words::element(lang), words::genus(lang));
    for part in rows {
        row(&part.part, &found.elements[part.element], part.genus.as_deref().unwrap_or(""));
    }
    if found.parts.len() > MAX_SHOWN_PARTS {
        let _ = writeln!(page, "  ..");
    }
    page
}
