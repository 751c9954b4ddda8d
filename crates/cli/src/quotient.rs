//! `balpan quotient`: what misère games amount to in sums of each other.

use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use balpan::Watch;
use balpan::quotient::QuotientError;
use balpan_games::AnyGame;
use balpan_games::heaps::Code;
use balpan_games::misere::MisereError;
use balpan_games::quotients::{MAX_HEAP, QuotientInput, QuotientReport};
use serde::Serialize;

use crate::args::QuotientArgs;
use crate::draw::{self, width};
use crate::failure::{Failure, harmless, print, print_json};
use crate::lang::lang;
use crate::progress::{Positions, StopCause, Viewer, deadline, end, positions, stop_cause, watched_by};
use crate::source;
use crate::words::{count, quotient as words};

/// Parts that people are shown.
const MOST_SHOWN: usize = 60;

pub(crate) fn run(args: &QuotientArgs) -> Result<(), Failure> {
    let (name, game) = game(args)?;
    let so_far = SoFar { name: &name, json: args.json, orders: Mutex::default(), begin: Instant::now() };
    let mut viewer = Watching { so_far: &so_far, positions: Positions::default() };
    let (result, time, _) = watched_by(&mut viewer, None, |watch, _| {
        let told = |order| so_far.orders.lock().unwrap_or_else(PoisonError::into_inner).push(order);
        QuotientReport::find(&name, &game, args.most.into(), args.memory, watch, told)
    });
    match result {
        Ok(found) => {
            let found = found.with_elapsed(time);
            if args.json { print_json(&found) } else { print(&page(&found)) }
        }
        Err(MisereError::Stopped(_) | MisereError::Quotient(QuotientError::Stopped(_))) => so_far.tell(positions()),
        Err(MisereError::Quotient(QuotientError::TooLarge(none))) => {
            let none = QuotientError::TooLarge(none);
            Err(Failure::input(
                format!("{name}: {none}{}", so_far.words()),
                "allow more with --most, or take smaller heaps",
            ))
        }
        Err(none) => Err(no_parts(none, &name)),
    }
}

/// What is known of a quotient that is still being found.
struct SoFar<'a> {
    name: &'a str,
    json: bool,
    /// The numbers of elements with the first part, with the first two, and so on.
    orders: Mutex<Vec<usize>>,
    begin: Instant,
}

/// The same, as programs read it.
#[derive(Serialize)]
struct PartOfQuotient<'a> {
    game: &'a str,
    complete: bool,
    orders: &'a [usize],
    seconds: f64,
}

impl SoFar<'_> {
    fn words(&self) -> String {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        orders.last().map_or_else(String::new, |last| format!("; of the first {} parts it has {last}", orders.len()))
    }

    /// Tells what is known where the work was stopped after so many positions.
    fn tell(&self, positions: u64) -> Result<(), Failure> {
        let orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let Some(last) = orders.last() else { return Err(Failure::Stopped(positions)) };
        let elapsed = self.begin.elapsed();
        if self.json {
            let seconds = elapsed.as_secs_f64();
            return print_json(&PartOfQuotient { game: self.name, complete: false, orders: &orders, seconds });
        }
        let lang = lang();
        let time =
            count::time(lang, deadline().filter(|_| stop_cause() == Some(StopCause::Deadline)).unwrap_or(elapsed));
        print(&draw::filled(&words::so_far(lang, self.name, &time, orders.len(), *last)))
    }
}

struct Watching<'a> {
    so_far: &'a SoFar<'a>,
    positions: Positions,
}

impl Viewer for Watching<'_> {
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String {
        self.positions.told(watch, elapsed)
    }

    fn overdue(&mut self, watch: &Watch) -> u8 {
        end(self.so_far.tell(watch.positions()), watch.positions())
    }
}

/// A code or a game of heaps, up to a size; or a misère game.
fn game(args: &QuotientArgs) -> Result<(String, QuotientInput), Failure> {
    let words = &args.position;
    let largest = match &words[..] {
        [] => Ok(12),
        [size] => size.parse().ok().filter(|size| (1..=MAX_HEAP).contains(size)).ok_or(size),
        [_, second, ..] => Err(second),
    };
    let size = |largest: Result<u16, &String>| {
        let help = "expected one size of 1 to 200, the largest heap";
        largest.map_err(|word| Failure::input(format!("`{}` is no size of heaps", harmless(word)), help))
    };
    if let Some(code) = Code::parse(&args.game) {
        let largest = size(largest)?;
        return Ok((format!("{} {largest}", args.game), QuotientInput::Heaps(code, largest)));
    }
    source::refuse_digits(
        &args.game,
        "expected an octal code such as 0.77, a game of heaps such as kayles, or a misère game",
    )?;
    let rules = source::changed(&args.game, args.board.as_deref(), &args.set)?;
    let name = harmless(&rules.name);
    if let AnyGame::Heaps(game) = rules.game()? {
        let largest = size(largest)?;
        return Ok((format!("{name} {largest}"), QuotientInput::Heaps(game.rules().code.clone(), largest)));
    }
    let game = source::game_at(&rules, words)?;
    Ok((
        format!("{name} {}", if words.is_empty() { game.size() } else { words.join(" ") }),
        QuotientInput::Game(Box::new(game)),
    ))
}

/// Why a misère game of this name has no parts.
pub(crate) fn no_parts(error: MisereError, name: &str) -> Failure {
    let help = "both players have to have the same moves, and who cannot move has to win: misere = true";
    match error {
        MisereError::NotMisere(_) => Failure::input(format!("{name} is {error}"), help),
        MisereError::TooLong(error) => Failure::too_long(error),
        MisereError::TooMany(_) | MisereError::TooManyMoves(_) => {
            Failure::input(format!("{name}: {error}"), "take a smaller board, fewer games, or more --memory")
        }
        MisereError::Stopped(stopped) | MisereError::Quotient(QuotientError::Stopped(stopped)) => {
            Failure::stopped(stopped, positions())
        }
        MisereError::Quotient(QuotientError::TooLarge(_)) => {
            Failure::input(format!("{name}: {error}"), "allow more with --most, or take smaller heaps")
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
    if found.orders.len() <= MOST_SHOWN {
        let orders: Vec<_> = found.orders.iter().map(usize::to_string).collect();
        let _ = write!(page, "{}", draw::filled(&format!("{} {}", words::orders(lang), orders.join(" "))));
    }
    let _ = writeln!(page, "\n{}\n", words::pretends(lang));
    let rows: Vec<_> = found.parts.iter().take(MOST_SHOWN).collect();
    let widest = rows.iter().map(|row| width(&row.part)).max().unwrap_or(0).max(width(words::part(lang)));
    let middle =
        rows.iter().map(|row| width(&found.elements[row.element])).max().unwrap_or(0).max(width(words::element(lang)));
    let mut row = |part: &str, element: &str, genus: &str| {
        let [before, between] = [" ".repeat(widest - width(part)), " ".repeat(middle - width(element))];
        let line = format!("  {before}{part}  {element}{between}  {genus}");
        let _ = writeln!(page, "{}", line.trim_end());
    };
    row(words::part(lang), words::element(lang), words::genus(lang));
    for of in rows {
        row(&of.part, &found.elements[of.element], of.genus.as_deref().unwrap_or(""));
    }
    if found.parts.len() > MOST_SHOWN {
        let _ = writeln!(page, "  ..");
    }
    page
}
