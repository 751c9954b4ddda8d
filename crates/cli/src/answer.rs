//! An answer, as people read it.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan::{Ask, Outcome, Verdict};
use balpan_games::{Notation, Number, line_texts};

use crate::draw::{self, filled};
use crate::numbers::counted;

/// What is known of a position.
#[derive(Clone, Debug)]
pub(crate) struct Known<Move> {
    pub(crate) answer: balpan::Answer<Move>,
    pub(crate) number: Option<Number>,
    /// The score, if it was asked for.
    pub(crate) score: Option<i64>,
}

impl<Move> From<balpan::Answer<Move>> for Known<Move> {
    fn from(answer: balpan::Answer<Move>) -> Self {
        Self { answer, number: None, score: None }
    }
}

/// A page about a position.
pub(crate) struct Page<'a, G: Notation> {
    pub(crate) game: &'a G,
    pub(crate) name: &'a str,
    pub(crate) position: &'a G::Position,
}

impl<G: Notation> Page<'_, G> {
    /// All of it.
    pub(crate) fn text(&self, known: &Known<G::Move>) -> String {
        self.head() + &self.verdict(known) + "\n" + &self.rest(known)
    }

    /// The game and the board.
    pub(crate) fn head(&self) -> String {
        let Self { game, name, position } = self;
        let [mover, _] = self.players();
        format!("{name} {}, {mover} to move\n\n{}\n", game.size(), draw::position(*game, position))
    }

    /// The player to move, and the other.
    fn players(&self) -> [String; 2] {
        self.game.players(self.position).map(spoken)
    }

    /// Who wins, in how many plies, in a sentence.
    pub(crate) fn verdict(&self, known: &Known<G::Move>) -> String {
        let [mover, other] = self.players();
        match known.answer.verdict() {
            Some(verdict) => {
                let style = style_of(verdict.outcome);
                format!("{style}{}{style:#}", sentence(verdict, known.answer.is_over, &mover, &other))
            }
            None => "Who wins is not known.".to_owned(),
        }
    }

    /// What comes after the verdict: numbers, moves, a line.
    pub(crate) fn rest(&self, known: &Known<G::Move>) -> String {
        let Self { game, position, .. } = self;
        let Known { answer, number, score } = known;
        let mut text = match number {
            Some(Number::Nimber(nimber)) => format!("Its nimber is {nimber}.\n"),
            Some(Number::MisereValue(value)) => format!("Its misère value is {value}.\n"),
            None => String::new(),
        };
        if let Some(score) = score {
            text += &format!("Its score is {}.\n", told_score(*score));
        }
        let [mover, other] = self.players();
        let moves: Vec<_> =
            answer.shown().map(|(mv, bounds)| (game.move_text(position, mv), answer.told(bounds))).collect();
        if answer.outcome().is_none() || moves.is_empty() {
            return text;
        }
        let heading = if answer.complete {
            heading(&mover, moves.len(), answer.moves.len())
        } else {
            format!("The moves of {mover}, as far as they are known:")
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{heading}\n");
        let is_final = !answer.ask.plies() || answer.bounds.value().is_some();
        let best = answer.verdict().filter(|_| is_final);
        text.push_str(&by_verdict(&moves, best, answer.ask.plies() && !answer.complete));
        if !answer.line.is_empty() {
            let [first, second] = draw::PLAYERS;
            let _ = writeln!(
                text,
                "\nA best line, {first}{mover}{first:#} at odd numbers, {second}{other}{second:#} at even ones:\n"
            );
            text.push_str(&draw::line(*game, position, &answer.line));
            text.push_str(&wrapped(&line_texts(*game, position, &answer.line), 2));
        }
        text
    }
}

/// What was asked for and is not known; nothing if all is there.
pub(crate) fn missing<Move: Copy>(known: &Known<Move>, asks_number: bool) -> Vec<String> {
    let answer = &known.answer;
    let Some(outcome) = answer.outcome() else {
        return vec!["who wins".to_owned()];
    };
    let mut missing = Vec::new();
    if answer.is_over || answer.complete {
        return missing;
    }
    let plies = answer.ask.plies();
    if plies && answer.bounds.value().is_none() {
        missing.push("in how many plies".to_owned());
    }
    if !answer.ask.every_move() && answer.best().next().is_none() {
        missing.push("a move that does it".to_owned());
    }
    if plies && answer.line.is_empty() {
        missing.push("a best line".to_owned());
    }
    if answer.ask.every_move() {
        let all = counted(answer.moves.len() as u64, "move", "moves");
        let unknown = answer.moves.iter().filter(|(_, bounds)| bounds.outcome().is_none()).count();
        if unknown > 0 {
            missing.push(format!("what {unknown} of {all} are worth"));
        }
        let open =
            answer.moves.iter().filter(|(_, bounds)| bounds.outcome().is_some() && bounds.value().is_none()).count();
        if plies && open > 0 {
            missing.push(format!("the plies of {open} of {all}"));
        }
    }
    if asks_number && known.number.is_none() && outcome != Outcome::Draw {
        missing.push("the number".to_owned());
    }
    missing
}

/// What was not asked because it may take long, and how to ask for it; nothing if all was.
pub(crate) fn unasked<Move: Copy>(answer: &balpan::Answer<Move>) -> Option<String> {
    if answer.is_over || !answer.complete {
        return None;
    }
    let others = match answer.outcome() {
        Some(Outcome::Draw) => "who wins after the other moves (--ask outcome)",
        Some(Outcome::Loss) => "in how many plies (--ask value), and each move's (--ask moves)",
        Some(Outcome::Win) => {
            "who wins after the other moves (--ask outcome), in how many plies (--ask value), and each move's (--ask \
             moves)"
        }
        None => return None,
    };
    (answer.ask == Ask::Winner).then(|| filled(&format!("Not asked, as it may take long: {others}.")))
}

/// `+18`, `-3`, `0`.
pub(crate) fn told_score(score: i64) -> String {
    if score > 0 { format!("+{score}") } else { score.to_string() }
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

fn words(verdict: Option<Verdict>, open: bool) -> String {
    match verdict {
        Some(Verdict { outcome, remoteness: Some(plies) }) => format!("{outcome} in {plies}"),
        Some(Verdict { outcome, remoteness: None }) if open && outcome != Outcome::Draw => format!("{outcome} in ?"),
        Some(Verdict { outcome, .. }) => outcome.to_string(),
        None => "not known".to_owned(),
    }
}

/// A paragraph for each verdict, the best one first and marked.
pub(crate) fn moves_by_verdict(moves: &[(String, Verdict)], best: Verdict) -> String {
    let moves: Vec<_> = moves.iter().map(|(text, verdict)| (text.clone(), Some(*verdict))).collect();
    by_verdict(&moves, Some(best), false)
}

/// The same where some verdicts are not known, or plies where they are `open`.
fn by_verdict(moves: &[(String, Option<Verdict>)], best: Option<Verdict>, open: bool) -> String {
    let mut groups: Vec<(Option<Verdict>, Vec<String>)> = Vec::new();
    for (text, verdict) in moves {
        match groups.iter_mut().find(|(of, _)| of == verdict) {
            Some((_, moves)) => moves.push(text.clone()),
            None => groups.push((*verdict, vec![text.clone()])),
        }
    }
    groups.sort_by_key(|&(verdict, _)| std::cmp::Reverse(verdict.map(preference)));
    let width = groups.iter().map(|&(verdict, _)| words(verdict, open).len()).max().unwrap_or(0);
    let mut text = String::new();
    for (verdict, moves) in groups {
        let style = verdict.map_or(draw::DIM, |verdict| style_of(verdict.outcome));
        let mark = if verdict.is_some() && verdict == best { '*' } else { ' ' };
        let _ = write!(text, "{style}{mark} {:width$}{style:#}", words(verdict, open));
        text.push_str(&wrapped(&moves, width + 2)[width + 2..]);
    }
    text
}

/// Sorts verdicts as the player to move prefers; plies that are not known come last.
fn preference(verdict: Verdict) -> (Outcome, i64) {
    let plies = verdict.remoteness.map(i64::from);
    let plies = plies.map(|plies| if verdict.outcome == Outcome::Win { -plies } else { plies });
    (verdict.outcome, plies.unwrap_or(i64::MIN))
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
