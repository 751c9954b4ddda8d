//! `balpan value`: combinatorial values of expressions and positions, and their comparison.

use std::fmt::Write;
use std::path::Path;

use balpan::checkpoint::Checkpoint;
use balpan::{Budget, Outcome};
use balpan_cgt::CgtError;
use balpan_games::calculator::{
    Calculator, CalculatorError, ParsedExpression, Reply, SumTerm, ValueReport, WinningPlay,
};
use balpan_games::placement::{PlacementValueError, StarterOutcome};
use balpan_games::presets::preset;
use balpan_games::{AnyGame, EngineOptions, Lang, RulesFile};
use balpan_pictures::plots;

use crate::args::{SolveArgs, ValueArgs};
use crate::draw::{self, WIDTH, width};
use crate::error::{CliError, harmless, print_report};
use crate::files;
use crate::load::{PLUS, flush, open_checkpoint, read_rules};
use crate::numbers::grouped;
use crate::progress::run_with_progress;
use crate::words::{lang, value as words};

/// Winning moves, and moves with their winning replies, listed for each player.
const MAX_SHOWN_MOVES: usize = 12;

pub(crate) fn run(args: &ValueArgs) -> Result<(), CliError> {
    let text = args.expression.join(" ");
    let written = ParsedExpression::read(&text, find_rules)?;
    let budget = Budget { memory: args.memory, threads: 1 };
    let kept = args.keep.as_deref().map(|path| open_values(path, written.rules())).transpose()?;
    let (result, time) = run_with_progress(|watch| {
        let mut calculator = Calculator::new(EngineOptions::new(budget), watch);
        if let Some(kept) = &kept {
            calculator.use_checkpoint(&written, kept)?;
        }
        calculator.evaluate(&written)
    });
    let answer = result.map_err(value_error)?.with_elapsed(time);
    flush(kept.as_ref().map(|kept| &kept.sink))?;
    if let Some(path) = &args.svg {
        write_svg(path, &answer)?;
    }
    print_report(args.json, &answer, page)?;
    if !args.json {
        let (forms, positions) = (grouped(answer.forms as u64), grouped(answer.positions));
        draw::print_note(&words::cost(lang(), &forms, &positions, answer.seconds));
    }
    // The answer to a comparison may be "no".
    match &answer.compared {
        Some(compared) if !compared.holds => Err(CliError::Reported(1)),
        _ => Ok(()),
    }
}

/// Evaluates the sum of games of a `balpan solve` command.
pub(crate) fn run_sum(args: &SolveArgs) -> Result<(), CliError> {
    let words: Vec<_> =
        std::iter::once(&*args.game.game).chain(args.game.position.iter().map(|word| &**word)).collect();
    let term = |words: &[&str]| format!("{}({})", words[0], words[1..].join(" "));
    run(&ValueArgs {
        expression: vec![words.split(|word| *word == PLUS).map(term).collect::<Vec<_>>().join(" + ")],
        json: args.json,
        svg: None,
        keep: args.kept.keep.clone(),
        time: args.time,
        memory: args.game.memory,
    })
}

/// `balpan solve --cgt`: the value of a placement position.
pub(crate) fn run_position(args: &SolveArgs, name: &str, game: &AnyGame) -> Result<(), CliError> {
    let (result, time) = run_with_progress(|watch| game.position_value(name, args.game.memory, watch));
    let none = || {
        let message = format!(
            "{name} has no values that add up: those of placement games and of games in the rules language do, where play ends because the player to move cannot"
        );
        CliError::input(message, "leave out --cgt")
    };
    let found = result.ok_or_else(none)?.map_err(position_error)?.with_elapsed(time);
    let lang = lang();
    print_report(args.json, &found, |found| {
        let value = words::position_value(lang, &found.cgt, words::wins(lang, outcome_class(&found.outcomes)));
        format!("{} {}\n\n{}\n{value}\n", found.game, game.size(), draw::start(game))
    })?;
    if !args.json {
        draw::print_note(&words::parts(lang, found.parts, time.as_secs_f64()));
    }
    Ok(())
}

/// Opens or creates the checkpoint file of combinatorial values; `rules` are those of the game on any board.
fn open_values(path: &Path, rules: Option<&str>) -> Result<Checkpoint, CliError> {
    let Some(rules) = rules else {
        let help = "expected positions of one game that has other values than nimbers";
        return Err(CliError::about(format!("--keep {}", path.display()), "which game's values?", help));
    };
    open_checkpoint(path, &format!("values\n{rules}"))
}

/// Returns the outcome class by who wins: `left`, `right`, `first` or `second`.
fn outcome_class(outcomes: &[StarterOutcome]) -> &'static str {
    let wins = |begun: &StarterOutcome| begun.outcome == Outcome::Win.to_string();
    match outcomes {
        [left, right] if wins(left) && !wins(right) => "left",
        [left, right] if !wins(left) && wins(right) => "right",
        [first, ..] if wins(first) => "first",
        _ => "second",
    }
}

fn position_error(error: PlacementValueError) -> CliError {
    match error {
        PlacementValueError::Misere => {
            CliError::input(error.to_string(), "leave out --cgt, or play with --set misere=false")
        }
        PlacementValueError::Cgt(CgtError::Stopped(stopped)) => stopped.into(),
        PlacementValueError::Cgt(CgtError::OutOfMemory(_) | CgtError::TooLarge | CgtError::TooDeep(_)) => {
            CliError::input(error.to_string(), "allow more with --memory, or take a smaller board")
        }
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
        CalculatorError::NoAnswer(error) => CliError::from_engine(error, "the game"),
        CalculatorError::Cgt(unfinished) => CliError::input(unfinished.to_string(), "allow more with --memory"),
    }
}

fn write_svg(path: &Path, answer: &ValueReport) -> Result<(), CliError> {
    let Some(thermograph) = &answer.thermograph else {
        return Err(CliError::input("there is no thermograph: the value is not known", "leave out --svg"));
    };
    let value = answer.value.as_deref().filter(|value| value.chars().count() <= 40);
    let title = value.unwrap_or(&answer.expression);
    files::write_svg("--svg", path, &plots::thermograph(title, thermograph, plots::Style::Own))
}

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
    let facts = &answer.facts;
    let stops = answer.stops.as_ref().map(|[left, right]| words::stops_at(lang, left, right));
    let stop_bounds = answer.stop_bounds.map(|bounds| {
        let [left, right] = bounds.map(|[least, most]| words::about(lang, least, most));
        words::stops_at(lang, &left, &right)
    });
    let incentives = facts.incentives.as_ref().map(|incentives| {
        let of = |player: &str, gains: &[String]| (!gains.is_empty()).then(|| format!("{player} {}", gains.join(", ")));
        let both = [of(words::left(lang), &incentives.left), of(words::right(lang), &incentives.right)];
        both.into_iter().flatten().collect::<Vec<_>>().join("; ")
    });
    // By Siegel's convention, which CGSuite follows, m/2^n has temperature -1/2^n.
    let denominator = facts.mean.as_ref().and_then(|mean| mean.split_once('/'));
    let convention = denominator.map_or_else(|| "-1".to_owned(), |(_, denominator)| format!("-1/{denominator}"));
    let temperature = facts.temperature.clone().map(|of| of.unwrap_or_else(|| words::none(lang, &convention)));
    let rows = [
        (words::value(lang), answer.value.clone()),
        (words::outcome(lang), answer.outcome.map(|outcome| words::wins(lang, outcome).to_owned())),
        (words::stops(lang), stops),
        (words::bounds(lang), answer.bounds.map(|[least, most]| words::between(lang, least, most))),
        (words::stops(lang), stop_bounds),
        (words::mean(lang), facts.mean.clone()),
        (words::temperature(lang), temperature),
        (words::birthday(lang), facts.birthday.map(|birthday| birthday.to_string())),
        (words::weight(lang), facts.atomic_weight.clone()),
        (words::incentives(lang), incentives.filter(|both| !both.is_empty())),
    ];
    let rows: Vec<_> = rows.into_iter().filter_map(|(name, fact)| Some((name, fact?))).collect();
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
    let players = [words::left(lang), words::right(lang)];
    let both = [(&moves.left, &answer.replies.left), (&moves.right, &answer.replies.right)];
    for ((player, style), (wins, replies)) in players.into_iter().zip(draw::PLAYERS).zip(both) {
        let (heading, lines): (_, Vec<_>) = if wins.is_empty() {
            let reply = |reply: &Reply| {
                let component = (answer.components.len() > 1).then(|| format!(" [{}]", reply.component));
                let mv = format!("{}{}", reply.mv, component.unwrap_or_default());
                Some(words::reply(lang, &mv, &describe(reply.reply.as_ref()?)))
            };
            (words::loses(lang, player), replies.iter().filter_map(reply).collect())
        } else {
            (words::begins(lang, player), wins.iter().map(describe).collect())
        };
        let _ = writeln!(page, "\n{style}{heading}{style:#}");
        if wins.is_empty() && replies.is_empty() {
            let _ = writeln!(page, "  {}", words::no_move(lang));
        }
        page.extend(lines.iter().take(MAX_SHOWN_MOVES).map(|line| wrapped("  ", line)));
        if lines.len() > MAX_SHOWN_MOVES {
            let _ = writeln!(page, "  {}", words::more(lang, lines.len() - MAX_SHOWN_MOVES));
        }
    }
}

/// Wraps text into lines of the terminal's width, broken after commas, bars and blanks, with `head` before the first.
fn wrapped(head: &str, text: &str) -> String {
    let margin = width(head).min(WIDTH / 2);
    let (mut out, mut column) = (head.to_owned(), width(head));
    for piece in text.split_inclusive([',', '|', ' ']) {
        // A piece longer than a line is broken anywhere.
        let chars: Vec<char> = piece.chars().collect();
        for piece in chars.chunks(WIDTH - margin) {
            let piece: String = piece.iter().collect();
            if column + width(piece.trim_end()) > WIDTH && column > margin {
                out = format!("{}\n{}", out.trim_end(), " ".repeat(margin));
                column = margin;
            }
            out += &piece;
            column += width(&piece);
        }
    }
    out + "\n"
}
