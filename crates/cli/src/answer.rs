//! The page about an answer, for people.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan::{Goal, Outcome, Verdict};
use balpan_games::{NimValue, Notation, format_line};

use crate::draw::{self, filled, width};
use crate::words::answer::{self as words, Player};
use crate::words::lang;

/// An answer, possibly incomplete, with the numbers that the command adds.
#[derive(Clone, Debug)]
pub(crate) struct PartialAnswer<Move> {
    pub(crate) answer: balpan::Answer<Move>,
    pub(crate) number: Option<NimValue>,
    /// A lower bound of the nimber, if its search was stopped.
    pub(crate) nimber_at_least: Option<u32>,
    /// The score, with `--score`.
    pub(crate) score: Option<i64>,
}

impl<Move> From<balpan::Answer<Move>> for PartialAnswer<Move> {
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
    /// Returns the whole page.
    pub(crate) fn text(&self, found: &PartialAnswer<G::Move>) -> String {
        self.head() + &self.verdict(found) + "\n" + &self.rest(found)
    }

    /// Returns the game and the board.
    pub(crate) fn head(&self) -> String {
        let Self { game, name, position } = self;
        let [mover, _] = self.players();
        format!("{}\n\n{}\n", words::head(lang(), name, &game.size(), &mover), draw::position(*game, position))
    }

    /// Returns the player to move and the opponent.
    fn players(&self) -> [Player; 2] {
        words::players(lang(), self.game.players(self.position))
    }

    /// Returns the sentence that says who wins, and in how many plies.
    pub(crate) fn verdict(&self, found: &PartialAnswer<G::Move>) -> String {
        match found.answer.verdict() {
            Some(verdict) => {
                let style = outcome_style(verdict.outcome);
                format!("{style}{}{style:#}", words::verdict(lang(), verdict, found.answer.is_over, &self.players()))
            }
            None => words::unknown_winner(lang()).to_owned(),
        }
    }

    /// Returns the part of the page after the verdict: numbers, moves, a line.
    pub(crate) fn rest(&self, found: &PartialAnswer<G::Move>) -> String {
        let Self { game, position, .. } = self;
        let PartialAnswer { answer, number, nimber_at_least, score } = found;
        let lang = lang();
        let mut text = match number {
            Some(NimValue::Nimber(nimber)) => words::nimber(lang, *nimber) + "\n",
            Some(NimValue::MisereValue(value)) => words::misere_value(lang, *value) + "\n",
            None => String::new(),
        };
        if let Some(least) = nimber_at_least {
            text += &(words::nimber_at_least(lang, *least) + "\n");
        }
        if let Some(score) = score {
            text += &(words::score(lang, &format_score(*score)) + "\n");
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
        text.push_str(&group_by_verdict(&moves, best, answer.goal.includes_remoteness() && !answer.complete));
        if !answer.line.is_empty() {
            let [first, second] = draw::PLAYERS;
            let [mover, other] = [mover, other].map(|player| player.plain(lang));
            let heading = words::line(lang, &format!("{first}{mover}{first:#}"), &format!("{second}{other}{second:#}"));
            let _ = writeln!(text, "\n{heading}\n");
            text.push_str(&draw::line(*game, position, &answer.line));
            text.push_str(&wrapped(&format_line(*game, position, &answer.line), 2));
        }
        text
    }
}

/// Returns phrases for the parts of the goal that were not found.
pub(crate) fn missing<Move: Copy>(found: &PartialAnswer<Move>, needs_number: bool) -> Vec<String> {
    let (answer, lang) = (&found.answer, lang());
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
    if needs_number && found.number.is_none() && outcome != Outcome::Draw {
        missing.push(words::missing_number(lang).to_owned());
    }
    missing
}

/// Returns a note on the goals that were skipped because they may take long, with their flags; `None` if none was.
pub(crate) fn skipped_goals<Move: Copy>(answer: &balpan::Answer<Move>) -> Option<String> {
    if answer.is_over || !answer.complete {
        return None;
    }
    let outcome = answer.outcome()?;
    (answer.goal == Goal::Winner).then(|| filled(&words::skipped_goals(lang(), outcome)))
}

/// Formats a score with its sign: `+18`, `-3`, `0`.
pub(crate) fn format_score(score: i64) -> String {
    if score > 0 { format!("+{score}") } else { score.to_string() }
}

fn outcome_style(outcome: Outcome) -> Style {
    let colour = match outcome {
        Outcome::Win => AnsiColor::Green,
        Outcome::Draw => AnsiColor::Yellow,
        Outcome::Loss => AnsiColor::Red,
    };
    colour.on_default().bold()
}

/// Formats moves in one paragraph for each verdict, the best verdict first and marked.
pub(crate) fn moves_by_verdict(moves: &[(String, Verdict)], best: Verdict) -> String {
    let moves: Vec<_> = moves.iter().map(|(text, verdict)| (text.clone(), Some(*verdict))).collect();
    group_by_verdict(&moves, Some(best), false)
}

/// As [`moves_by_verdict`], of moves whose verdicts may be unknown. `open` says that missing plies are still searched.
fn group_by_verdict(moves: &[(String, Option<Verdict>)], best: Option<Verdict>, open: bool) -> String {
    let mut groups: Vec<(Option<Verdict>, Vec<String>)> = Vec::new();
    for (text, verdict) in moves {
        match groups.iter_mut().find(|(other, _)| other == verdict) {
            Some((_, moves)) => moves.push(text.clone()),
            None => groups.push((*verdict, vec![text.clone()])),
        }
    }
    groups.sort_by_key(|&(verdict, _)| std::cmp::Reverse(verdict.map(preference)));
    let lang = lang();
    let widest = groups.iter().map(|&(verdict, _)| width(&words::worth(lang, verdict, open))).max().unwrap_or(0);
    let mut text = String::new();
    for (verdict, moves) in groups {
        let style = verdict.map_or(draw::DIM, |verdict| outcome_style(verdict.outcome));
        let mark = if verdict.is_some() && verdict == best { '*' } else { ' ' };
        let worth = words::worth(lang, verdict, open);
        let blanks = " ".repeat(widest - width(&worth));
        let _ = write!(text, "{style}{mark} {worth}{blanks}{style:#}");
        text.push_str(&wrapped(&moves, widest + 2)[widest + 2..]);
    }
    text
}

/// Returns a sort key of verdicts by the preference of the player to move; unknown plies come last.
fn preference(verdict: Verdict) -> (Outcome, i64) {
    let plies = verdict.remoteness.map(i64::from);
    let plies = plies.map(|plies| if verdict.outcome == Outcome::Win { -plies } else { plies });
    (verdict.outcome, plies.unwrap_or(i64::MIN))
}

/// Wraps words into lines of the terminal's width, indented by `indent`, with two blanks between words.
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

/// Prints the cost of a search on standard error, if that is a terminal.
pub(crate) fn print_cost(positions: u64, time: Duration) {
    let rate = positions as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    draw::print_note(&words::cost(lang(), positions, time.as_secs_f64(), rate));
}
