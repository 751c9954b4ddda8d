//! `balpan value`: combinatorial values of expressions and positions, and their comparison.

use std::fmt::Write;
use std::path::Path;

use balpan::Budget;
use balpan_games::calculator::{Calculator, CalculatorError, ParsedExpression, SumTerm, ValueReport, WinningPlay};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, EngineOptions, Lang, RulesFile};
use balpan_pictures::plots;

use crate::args::{SolveArgs, ValueArgs};
use crate::checkpoint;
use crate::draw::{self, WIDTH, width};
use crate::error::{CliError, harmless, print, print_json};
use crate::files;
use crate::load::{self, read_rules};
use crate::numbers::grouped;
use crate::progress::{SearchProgress, run_with_view};
use crate::words::lang;
use crate::words::value as words;

/// Winning moves, and moves with their winning replies, listed for each player.
const MAX_SHOWN_MOVES: usize = 12;

/// Evaluates the sum of games of a `balpan solve` command.
pub(crate) fn run_sum(args: &SolveArgs, games: &[(String, AnyGame)]) -> Result<(), CliError> {
    let words = std::iter::once(&args.game.game).chain(&args.game.position);
    let mut terms: Vec<(String, Vec<&str>)> = Vec::new();
    let mut is_name = true;
    for word in words {
        if word == load::PLUS {
            is_name = true;
        } else if is_name {
            terms.push((word.clone(), Vec::new()));
            is_name = false;
        } else if let Some((_, position)) = terms.last_mut() {
            position.push(word);
        }
    }
    debug_assert_eq!(terms.len(), games.len());
    let terms: Vec<_> = terms.iter().map(|(name, position)| format!("{name}({})", position.join(" "))).collect();
    let args = ValueArgs {
        expression: vec![terms.join(" + ")],
        json: args.json,
        svg: None,
        keep: args.keep.clone(),
        deadline: args.deadline,
        memory: args.game.memory,
        lang: args.lang,
    };
    run(&args)
}

pub(crate) fn run(args: &ValueArgs) -> Result<(), CliError> {
    let text = args.expression.join(" ");
    let written = ParsedExpression::read(&text, find_rules)?;
    let budget = Budget { memory: args.memory, threads: 1 };
    let kept = args.keep.as_deref().map(|path| checkpoint::open_values(path, written.rules())).transpose()?;
    let (result, time, printed) = run_with_view(&mut SearchProgress::default(), None, |watch, _| {
        let mut calculator = Calculator::new(EngineOptions::new(budget), watch);
        if let Some(kept) = &kept {
            calculator.use_checkpoint(&written, kept)?;
        }
        calculator.evaluate(&written)
    });
    printed?;
    let answer = result.map_err(value_error)?.with_elapsed(time);
    checkpoint::flush(kept.as_ref().map(|kept| &kept.sink))?;
    if let Some(path) = &args.svg {
        write_svg(path, &answer)?;
    }
    if args.json {
        print_json(&answer)?;
    } else {
        print(&page(&answer))?;
        let (forms, positions) = (grouped(answer.forms as u64), grouped(answer.positions));
        draw::print_note(&words::cost(lang(), &forms, &positions, answer.seconds));
    }
    // The answer to a comparison may be "no".
    match &answer.compared {
        Some(compared) if !compared.holds => Err(CliError::Reported(1)),
        _ => Ok(()),
    }
}

/// Reads the rules of a preset or of a file; `None` if there is neither.
fn find_rules(name: &str) -> Result<Option<RulesFile>, CliError> {
    if preset(name).is_none() && !Path::new(name).exists() {
        return Ok(None);
    }
    read_rules(name).map(Some)
}

fn value_error(error: CalculatorError) -> CliError {
    match error {
        CalculatorError::Text(error) => error.into(),
        CalculatorError::NoAnswer(error) => CliError::from_engine(error, "the game", 0),
        CalculatorError::Cgt(unfinished) => CliError::input(unfinished.to_string(), "allow more with --memory"),
    }
}

fn write_svg(path: &Path, answer: &ValueReport) -> Result<(), CliError> {
    let Some(thermograph) = &answer.thermograph else {
        return Err(CliError::input("there is no thermograph: the value is not known", "leave out --svg"));
    };
    let value = answer.value.as_deref().filter(|value| value.chars().count() <= 40);
    let title = value.unwrap_or(&answer.expression);
    files::write_svg("--svg", path, &plots::thermograph(title, thermograph))
}

/// Formats an answer for people.
fn page(answer: &ValueReport) -> String {
    let lang = lang();
    let mut page = draw::filled(&harmless(&answer.expression));
    page.push('\n');
    if let Some(compared) = &answer.compared {
        page.push_str(&draw::filled(&words::compared(lang, compared.holds, compared.is)));
        let _ = writeln!(page, "\n{}\n", words::difference(lang));
    }
    facts(&mut page, lang, answer);
    names(&mut page, lang, answer);
    games(&mut page, lang, &answer.components);
    moves(&mut page, lang, answer);
    if let Some(thermograph) =
        answer.thermograph.as_ref().filter(|of| of.mast.temperature > Some(balpan_cgt::Dyadic::ZERO))
    {
        let _ = write!(page, "\n{}", plots::thermograph_text(thermograph));
    }
    if let Some(why) = &answer.unfinished {
        let _ = write!(page, "\n{}", draw::filled(&words::unfinished(lang, why)));
    }
    page
}

fn facts(page: &mut String, lang: Lang, answer: &ValueReport) {
    let mut rows: Vec<(&str, String)> = Vec::new();
    let facts = &answer.facts;
    rows.extend(answer.value.clone().map(|value| (words::value(lang), value)));
    rows.extend(answer.outcome.map(|outcome| (words::outcome(lang), words::wins(lang, outcome).to_owned())));
    if let Some([left, right]) = &answer.stops {
        rows.push((words::stops(lang), words::stops_at(lang, left, right)));
    }
    rows.extend(answer.bounds.map(|[least, most]| (words::bounds(lang), words::between(lang, least, most))));
    if let Some([left, right]) = answer.stop_bounds {
        let [left, right] = [left, right].map(|[least, most]| words::about(lang, least, most));
        rows.push((words::stops(lang), words::stops_at(lang, &left, &right)));
    }
    rows.extend(facts.mean.clone().map(|mean| (words::mean(lang), mean)));
    let temperature = facts.temperature.clone().map(|of| of.unwrap_or_else(|| words::none(lang).to_owned()));
    rows.extend(temperature.map(|of| (words::temperature(lang), of)));
    rows.extend(facts.birthday.map(|birthday| (words::birthday(lang), birthday.to_string())));
    rows.extend(facts.atomic_weight.clone().map(|weight| (words::weight(lang), weight)));
    if let Some(incentives) = &facts.incentives {
        let of = |player: &str, gains: &[String]| (!gains.is_empty()).then(|| format!("{player} {}", gains.join(", ")));
        let both = [of(words::left(lang), &incentives.left), of(words::right(lang), &incentives.right)];
        let both: Vec<_> = both.into_iter().flatten().collect();
        if !both.is_empty() {
            rows.push((words::incentives(lang), both.join("; ")));
        }
    }
    let widest = rows.iter().map(|(name, _)| width(name)).max().unwrap_or(0);
    for (name, fact) in rows {
        let blanks = " ".repeat(widest - width(name));
        page.push_str(&wrapped(&format!("{name}{blanks}  "), &fact));
    }
}

fn names(page: &mut String, lang: Lang, answer: &ValueReport) {
    if answer.names.is_empty() {
        return;
    }
    page.push('\n');
    for named in &answer.names {
        page.push_str(&wrapped(&format!("  {} = ", named.name), &named.value));
    }
    let is_cut = answer.names.iter().map(|named| &named.value).chain(&answer.value).any(|text| text.contains('…'));
    if is_cut {
        let _ = writeln!(page, "\n{}", words::cut(lang));
    }
}

fn games(page: &mut String, lang: Lang, components: &[SumTerm]) {
    if components.len() < 2 {
        return;
    }
    let _ = writeln!(page, "\n{}\n", words::games(lang));
    let named = |of: &SumTerm| match of.times {
        1 => of.game.clone(),
        -1 => format!("-({})", of.game),
        times => format!("{times}·({})", of.game),
    };
    let widest = components.iter().map(|of| width(&named(of))).max().unwrap_or(0).min(WIDTH / 2);
    for (number, component) in (1..).zip(components) {
        let name = named(component);
        let blanks = " ".repeat(widest.saturating_sub(width(&name)));
        let temperature = component.temperature.as_ref();
        let temperature = temperature.map_or_else(String::new, |of| format!("  ({} {of})", words::temperature(lang)));
        let value = component.value.as_deref().unwrap_or("?");
        page.push_str(&wrapped(&format!("{number:>3}  {name}{blanks}  "), &format!("{value}{temperature}")));
    }
}

fn moves(page: &mut String, lang: Lang, answer: &ValueReport) {
    let Some(moves) = &answer.moves else { return };
    let game = |component: usize| answer.components.get(component - 1).map_or("", |of| &*of.game);
    let describe =
        |play: &WinningPlay| words::leaves(lang, game(play.component), &play.mv, &play.value, play.position.is_some());
    for (n, (player, wins, replies)) in [
        (words::left(lang), &moves.left, &answer.replies.left),
        (words::right(lang), &moves.right, &answer.replies.right),
    ]
    .into_iter()
    .enumerate()
    {
        let style = draw::PLAYERS[n];
        if wins.is_empty() {
            let _ = writeln!(page, "\n{style}{}{style:#}", words::loses(lang, player));
            if replies.is_empty() {
                let _ = writeln!(page, "  {}", words::no_move(lang));
            }
            for reply in replies.iter().take(MAX_SHOWN_MOVES) {
                let Some(answered) = &reply.reply else { continue };
                let mv = if answer.components.len() > 1 {
                    format!("{} [{}]", reply.mv, reply.component)
                } else {
                    reply.mv.clone()
                };
                page.push_str(&wrapped("  ", &words::reply(lang, &mv, &describe(answered))));
            }
            if replies.len() > MAX_SHOWN_MOVES {
                let _ = writeln!(page, "  {}", words::more(lang, replies.len() - MAX_SHOWN_MOVES));
            }
        } else {
            let _ = writeln!(page, "\n{style}{}{style:#}", words::begins(lang, player));
            for play in wins.iter().take(MAX_SHOWN_MOVES) {
                page.push_str(&wrapped("  ", &describe(play)));
            }
            if wins.len() > MAX_SHOWN_MOVES {
                let _ = writeln!(page, "  {}", words::more(lang, wins.len() - MAX_SHOWN_MOVES));
            }
        }
    }
}

/// Wraps text into lines of the terminal's width, broken after commas, bars and blanks, with `head` before the first.
fn wrapped(head: &str, text: &str) -> String {
    let margin = width(head).min(WIDTH / 2);
    let mut out = head.to_owned();
    let mut column = width(head);
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find([',', '|', ' ']).map_or(rest.len(), |at| at + 1);
        let (mut piece, after) = rest.split_at(end);
        rest = after;
        if column + width(piece.trim_end()) > WIDTH && column > margin {
            let trimmed = out.trim_end().len();
            out.truncate(trimmed);
            out.push('\n');
            out.push_str(&" ".repeat(margin));
            column = margin;
        }
        // A piece longer than a line is broken anywhere.
        while width(piece) > WIDTH - margin {
            let at = piece.char_indices().nth(WIDTH - margin).map_or(piece.len(), |(at, _)| at);
            out.push_str(&piece[..at]);
            out.push('\n');
            out.push_str(&" ".repeat(margin));
            piece = &piece[at..];
            column = margin;
        }
        out.push_str(piece);
        column += width(piece);
    }
    out.push('\n');
    out
}
