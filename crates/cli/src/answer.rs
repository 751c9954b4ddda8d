//! An answer, as people read it.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan::{Goal, Outcome, Verdict};
use balpan_games::{Notation, Number, line_texts};

use crate::draw::{self, filled, width};
use crate::lang::lang;
use crate::words::answer::{self as words, Player};

/// What is known of a position.
#[derive(Clone, Debug)]
pub(crate) struct AnswerSoFar<Move> {
    pub(crate) answer: balpan::Answer<Move>,
    pub(crate) number: Option<Number>,
    /// What the nimber is at least, if the search for it was stopped.
    pub(crate) nimber_at_least: Option<u32>,
    /// The score, if it was asked for.
    pub(crate) score: Option<i64>,
}

impl<Move> From<balpan::Answer<Move>> for AnswerSoFar<Move> {
    fn from(answer: balpan::Answer<Move>) -> Self {
        Self { answer, number: None, nimber_at_least: None, score: None }
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
    pub(crate) fn text(&self, known: &AnswerSoFar<G::Move>) -> String {
        self.head() + &self.verdict(known) + "\n" + &self.rest(known)
    }

    /// The game and the board.
    pub(crate) fn head(&self) -> String {
        let Self { game, name, position } = self;
        let [mover, _] = self.players();
        format!("{}\n\n{}\n", words::head(lang(), name, &game.size(), &mover), draw::position(*game, position))
    }

    /// The player to move, and the other.
    fn players(&self) -> [Player; 2] {
        words::players(lang(), self.game.players(self.position))
    }

    /// Who wins, in how many plies, in a sentence.
    pub(crate) fn verdict(&self, known: &AnswerSoFar<G::Move>) -> String {
        match known.answer.verdict() {
            Some(verdict) => {
                let style = style_of(verdict.outcome);
                format!("{style}{}{style:#}", words::verdict(lang(), verdict, known.answer.is_over, &self.players()))
            }
            None => words::not_known(lang()).to_owned(),
        }
    }

    /// What comes after the verdict: numbers, moves, a line.
    pub(crate) fn rest(&self, known: &AnswerSoFar<G::Move>) -> String {
        let Self { game, position, .. } = self;
        let AnswerSoFar { answer, number, nimber_at_least, score } = known;
        let lang = lang();
        let mut text = match number {
            Some(Number::Nimber(nimber)) => words::nimber(lang, *nimber) + "\n",
            Some(Number::MisereValue(value)) => words::misere_value(lang, *value) + "\n",
            None => String::new(),
        };
        if let Some(least) = nimber_at_least {
            text += &(words::nimber_at_least(lang, *least) + "\n");
        }
        if let Some(score) = score {
            text += &(words::score(lang, &told_score(*score)) + "\n");
        }
        let [mover, other] = self.players();
        let moves: Vec<_> = answer
            .moves_to_show()
            .map(|(mv, bounds)| (game.move_text(position, mv), answer.verdict_for(bounds)))
            .collect();
        if answer.outcome().is_none() || moves.is_empty() {
            return text;
        }
        let heading = if answer.complete {
            words::moves(lang, &mover, moves.len(), answer.moves.len())
        } else {
            words::moves_so_far(lang, &mover)
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{heading}\n");
        let is_final = !answer.goal.includes_remoteness() || answer.bounds.value().is_some();
        let best = answer.verdict().filter(|_| is_final);
        text.push_str(&by_verdict(&moves, best, answer.goal.includes_remoteness() && !answer.complete));
        if !answer.line.is_empty() {
            let [first, second] = draw::PLAYERS;
            let [mover, other] = [mover, other].map(|player| player.plain(lang));
            let heading = words::line(lang, &format!("{first}{mover}{first:#}"), &format!("{second}{other}{second:#}"));
            let _ = writeln!(text, "\n{heading}\n");
            text.push_str(&draw::line(*game, position, &answer.line));
            text.push_str(&wrapped(&line_texts(*game, position, &answer.line), 2));
        }
        text
    }
}

/// What was asked for and is not known; nothing if all is there.
pub(crate) fn missing<Move: Copy>(known: &AnswerSoFar<Move>, asks_number: bool) -> Vec<String> {
    let (answer, lang) = (&known.answer, lang());
    let Some(outcome) = answer.outcome() else {
        return vec![words::missing_winner(lang).to_owned()];
    };
    let mut missing = Vec::new();
    if answer.is_over || answer.complete {
        return missing;
    }
    let plies = answer.goal.includes_remoteness();
    if plies && answer.bounds.value().is_none() {
        missing.push(words::missing_plies(lang).to_owned());
    }
    if !answer.goal.includes_all_moves() && answer.best_moves().next().is_none() {
        missing.push(words::missing_move(lang).to_owned());
    }
    if plies && answer.line.is_empty() {
        missing.push(words::missing_line(lang).to_owned());
    }
    if answer.goal.includes_all_moves() {
        let all = answer.moves.len();
        let unknown = answer.moves.iter().filter(|(_, bounds)| bounds.outcome().is_none()).count();
        if unknown > 0 {
            missing.push(words::missing_moves(lang, unknown, all, false));
        }
        let open =
            answer.moves.iter().filter(|(_, bounds)| bounds.outcome().is_some() && bounds.value().is_none()).count();
        if plies && open > 0 {
            missing.push(words::missing_moves(lang, open, all, true));
        }
    }
    if asks_number && known.number.is_none() && outcome != Outcome::Draw {
        missing.push(words::missing_number(lang).to_owned());
    }
    missing
}

/// What was not asked because it may take long, and how to ask for it; nothing if all was.
pub(crate) fn unasked<Move: Copy>(answer: &balpan::Answer<Move>) -> Option<String> {
    if answer.is_over || !answer.complete {
        return None;
    }
    let outcome = answer.outcome()?;
    (answer.goal == Goal::Winner).then(|| filled(&words::not_asked(lang(), outcome)))
}

/// `+18`, `-3`, `0`.
pub(crate) fn told_score(score: i64) -> String {
    if score > 0 { format!("+{score}") } else { score.to_string() }
}

fn style_of(outcome: Outcome) -> Style {
    let colour = match outcome {
        Outcome::Win => AnsiColor::Green,
        Outcome::Draw => AnsiColor::Yellow,
        Outcome::Loss => AnsiColor::Red,
    };
    colour.on_default().bold()
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
    let lang = lang();
    let widest = groups.iter().map(|&(verdict, _)| width(&words::worth(lang, verdict, open))).max().unwrap_or(0);
    let mut text = String::new();
    for (verdict, moves) in groups {
        let style = verdict.map_or(draw::DIM, |verdict| style_of(verdict.outcome));
        let mark = if verdict.is_some() && verdict == best { '*' } else { ' ' };
        let worth = words::worth(lang, verdict, open);
        let blanks = " ".repeat(widest - width(&worth));
        let _ = write!(text, "{style}{mark} {worth}{blanks}{style:#}");
        text.push_str(&wrapped(&moves, widest + 2)[widest + 2..]);
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
    anstream::eprintln!("\n{dim}{}{dim:#}", words::cost(lang(), positions, time.as_secs_f64(), rate),);
}
