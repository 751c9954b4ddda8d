//! An answer, as people read it.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan::{Outcome, Verdict};
use balpan_games::{Notation, Number, Solved, line_texts};

use crate::draw;
use crate::numbers::counted;

/// The answer as people read it.
pub(crate) fn page<G: Notation>(game: &G, name: &str, position: &G::Position, solved: &Solved<G::Move>) -> String {
    let solution = &solved.solution;
    let [mover, other] = game.players(position).map(spoken);
    let mut page = format!("{name} {}, {mover} to move\n\n", game.size());
    page.push_str(&draw::position(game, position));
    let verdict = style_of(solution.verdict.outcome);
    let over = game.moves(position).next().is_none();
    // Writing to a string cannot fail.
    let _ = writeln!(page, "\n{verdict}{}{verdict:#}", sentence(solution.verdict, over, &mover, &other));
    match solved.number {
        Some(Number::Nimber(nimber)) => page += &format!("Its nimber is {nimber}.\n"),
        Some(Number::MisereValue(value)) => page += &format!("Its misère value is {value}.\n"),
        None => {}
    }
    if solution.moves.is_empty() {
        return page;
    }
    let moves: Vec<_> = solution.moves.iter().map(|&(mv, verdict)| (game.move_text(position, mv), verdict)).collect();
    let _ = writeln!(page, "\n{}\n", heading(&mover, moves.len(), game.moves(position).count()));
    page.push_str(&moves_by_verdict(&moves, solution.verdict));
    if !solution.line.is_empty() {
        let [first, second] = draw::PLAYERS;
        let _ = writeln!(
            page,
            "\nA best line, {first}{mover}{first:#} at odd numbers, {second}{other}{second:#} at even ones:\n"
        );
        page.push_str(&draw::line(game, position, &solution.line));
        page.push_str(&wrapped(&line_texts(game, position, &solution.line), 2));
    }
    page
}

/// What stands above the moves that are known, so many of all that there are.
pub(crate) fn heading(mover: &str, known: usize, all: usize) -> String {
    match known {
        known if known == all => format!("The moves of {mover}, best first:"),
        1 => "A move that does it; others were not asked:".to_owned(),
        _ => "Moves that do it; others were not asked:".to_owned(),
    }
}

/// A player's name in a sentence: `A`, `Left`, `the first player`.
pub(crate) fn spoken(player: &str) -> String {
    if player.contains(' ') { format!("the {player}") } else { player.to_owned() }
}

/// Who wins, in how many plies.
fn sentence(verdict: Verdict, over: bool, mover: &str, other: &str) -> String {
    let Verdict { outcome, remoteness } = verdict;
    let sentence = match outcome {
        Outcome::Draw if over => return "The game is over: a draw.".to_owned(),
        Outcome::Draw => return "A draw: neither player can force a win.".to_owned(),
        Outcome::Win => format!("{mover} wins"),
        Outcome::Loss => format!("{other} wins"),
    };
    match remoteness {
        _ if over => format!("The game is over: {sentence}."),
        Some(plies) => {
            format!("{}{} in {}.", sentence[..1].to_uppercase(), &sentence[1..], counted(plies, "ply", "plies"))
        }
        None => format!("{}{}.", sentence[..1].to_uppercase(), &sentence[1..]),
    }
}

fn style_of(outcome: Outcome) -> Style {
    let colour = match outcome {
        Outcome::Win => AnsiColor::Green,
        Outcome::Draw => AnsiColor::Yellow,
        Outcome::Loss => AnsiColor::Red,
    };
    colour.on_default().bold()
}

fn words(verdict: Verdict) -> String {
    match verdict.remoteness {
        Some(plies) => format!("{} in {plies}", verdict.outcome),
        None => verdict.outcome.to_string(),
    }
}

/// A paragraph for each verdict, the best one first and marked.
pub(crate) fn moves_by_verdict(moves: &[(String, Verdict)], best: Verdict) -> String {
    let mut groups: Vec<(Verdict, Vec<String>)> = Vec::new();
    for (text, verdict) in moves {
        match groups.iter_mut().find(|(of, _)| of == verdict) {
            Some((_, moves)) => moves.push(text.clone()),
            None => groups.push((*verdict, vec![text.clone()])),
        }
    }
    groups.sort_by_key(|&(verdict, _)| std::cmp::Reverse(preference(verdict)));
    let width = groups.iter().map(|&(verdict, _)| words(verdict).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (verdict, moves) in groups {
        let style = style_of(verdict.outcome);
        let mark = if verdict == best { '*' } else { ' ' };
        let _ = write!(text, "{style}{mark} {:width$}{style:#}", words(verdict));
        text.push_str(&wrapped(&moves, width + 2)[width + 2..]);
    }
    text
}

/// Sorts verdicts as the player to move prefers.
fn preference(verdict: Verdict) -> (Outcome, i64) {
    let plies = i64::from(verdict.remoteness.unwrap_or(0));
    (verdict.outcome, if verdict.outcome == Outcome::Win { -plies } else { plies })
}

/// Words in lines as wide as the terminal, each indented by `indent`, two blanks between.
pub(crate) fn wrapped(words: &[String], indent: usize) -> String {
    let mut text = " ".repeat(indent);
    let mut column = indent;
    for word in words {
        if column > indent && column + 2 + word.len() > draw::WIDTH {
            text.push('\n');
            text.push_str(&" ".repeat(indent));
            column = indent;
        }
        text.push_str("  ");
        text.push_str(word);
        column += 2 + word.len();
    }
    text.push('\n');
    text
}

/// What it cost, on standard error where somebody sees it.
pub(crate) fn tell_cost(positions: u64, time: Duration) {
    use std::io::IsTerminal;
    if !std::io::stderr().is_terminal() {
        return;
    }
    let rate = positions as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    let dim = draw::DIM;
    anstream::eprintln!(
        "\n{dim}{} searched in {:.2} s, {rate:.1} million/s{dim:#}",
        counted(positions, "position", "positions"),
        time.as_secs_f64(),
    );
}
