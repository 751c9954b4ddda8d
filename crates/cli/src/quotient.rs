//! `balpan quotient`: what misère games amount to in sums of each other.

use std::fmt::Write;

use balpan::quotient::NoQuotient;
use balpan_games::AnyGame;
use balpan_games::heaps::Code;
use balpan_games::misere::NoParts;
use balpan_games::quotients::{LARGEST_HEAP, QuotientAnswer, QuotientOf};

use crate::args::QuotientArgs;
use crate::draw::{self, width};
use crate::failure::{Failure, harmless, print, print_json};
use crate::lang::lang;
use crate::progress::{Positions, watched_by};
use crate::source;
use crate::words::quotient as words;

/// Parts that people are shown.
const MOST_SHOWN: usize = 60;

pub(crate) fn run(args: &QuotientArgs) -> Result<(), Failure> {
    let (name, game) = game(args)?;
    let mut orders = Vec::new();
    let mut viewer = Positions::default();
    let (result, time, _) = watched_by(&mut viewer, args.deadline, |watch, _| {
        let found = QuotientAnswer::find(&name, &game, args.most.into(), watch, &mut orders);
        found.map_err(|none| (none, watch.positions()))
    });
    let found = result.map_err(|(none, positions)| match none {
        NoParts::NoQuotient(none) => no_quotient(none, &name, &orders, positions),
        none => no_parts(none, &name),
    })?;
    let found = found.within(time);
    if args.json { print_json(&found) } else { print(&page(&found)) }
}

/// A code or a game of heaps, up to a size; or a misère game.
fn game(args: &QuotientArgs) -> Result<(String, QuotientOf), Failure> {
    let words = &args.position;
    let largest = match &words[..] {
        [] => Ok(12),
        [size] => size.parse().ok().filter(|size| (1..=LARGEST_HEAP).contains(size)).ok_or(size),
        [_, second, ..] => Err(second),
    };
    let size = |largest: Result<u16, &String>| {
        let help = "expected one size of 1 to 200, the largest heap";
        largest.map_err(|word| Failure::input(format!("`{}` is no size of heaps", harmless(word)), help))
    };
    if let Some(code) = Code::parse(&args.game) {
        let largest = size(largest)?;
        return Ok((format!("{} {largest}", args.game), QuotientOf::Heaps(code, largest)));
    }
    source::refuse_digits(
        &args.game,
        "expected an octal code such as 0.77, a game of heaps such as kayles, or a misère game",
    )?;
    let rules = source::changed(&args.game, args.board.as_deref(), &args.set)?;
    let name = harmless(&rules.name);
    if let AnyGame::Heaps(game) = rules.game()? {
        let largest = size(largest)?;
        return Ok((format!("{name} {largest}"), QuotientOf::Heaps(game.rules().code.clone(), largest)));
    }
    let game = source::game_at(&rules, words)?;
    Ok((
        format!("{name} {}", if words.is_empty() { game.size() } else { words.join(" ") }),
        QuotientOf::Game(Box::new(game)),
    ))
}

/// Why a misère game of this name has no parts.
pub(crate) fn no_parts(error: NoParts, name: &str) -> Failure {
    let help = "both players have to have the same moves, and who cannot move has to win: misere = true";
    match error {
        NoParts::NotMisere(_) => Failure::input(format!("{name} is {error}"), help),
        NoParts::TooLong(error) => Failure::too_long(error),
        NoParts::TooMany(_) | NoParts::TooManyMoves(_) => {
            Failure::input(format!("{name}: {error}"), "take a smaller board, or fewer games")
        }
        NoParts::Stopped(stopped) => Failure::stopped(stopped, 0),
        NoParts::NoQuotient(none) => no_quotient(none, name, &[], 0),
    }
}

fn no_quotient(none: NoQuotient, name: &str, orders: &[usize], positions: u64) -> Failure {
    let so_far = match orders {
        [] => String::new(),
        orders => {
            let last = orders.last().copied().unwrap_or(0);
            format!("; of the first {} parts it has {last}", orders.len())
        }
    };
    match none {
        NoQuotient::Stopped(stopped) if orders.is_empty() => Failure::stopped(stopped, positions),
        NoQuotient::Stopped(_) => Failure::input(
            format!("{name}: there was no time for the whole misère quotient{so_far}"),
            "allow more time, or take smaller heaps",
        ),
        NoQuotient::TooLarge(_) => {
            Failure::input(format!("{name}: {none}{so_far}"), "allow more with --most, or take smaller heaps")
        }
    }
}

fn page(found: &QuotientAnswer) -> String {
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
