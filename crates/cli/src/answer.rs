//! The page about an answer, for people.

use std::fmt::Write;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use balpan::{Outcome, Value, Verdict};
use balpan_games::{Answer, AnyGame, MoveAnswer, NimValue, ReportedBounds, ReportedValue, is_alternating};

use crate::draw::{self, width, wrapped};
use crate::numbers::counted;
use crate::words::answer::{self as words, Player};
use crate::words::lang;

/// The most moves of one verdict that are listed, unless `--ask moves` asks for all.
const MAX_LISTED_MOVES: usize = 16;

/// The scale of the scores of Connect Four, as its solvers print them, on one board: how much sooner than with the last
/// stone the winner wins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScoreScale {
    pub(crate) cells: i32,
}

impl ScoreScale {
    /// Returns half the cells plus one (22 on 6x7), less the number of stones that the winner will have placed; negative
    /// if the player to move loses. The outcome and plies are those of the answer's position or of a move in it. On a board
    /// of an odd number of cells, a win with the winner's last stone still counts 1.
    pub(crate) fn score(self, answer: &Answer, outcome: Outcome, remoteness: Option<u32>) -> Option<i32> {
        if outcome == Outcome::Draw {
            return Some(0);
        }
        let stones = answer.position.bytes().filter(|byte| matches!(byte, b'X' | b'O')).count() as i32;
        let score = (self.cells + 2 - stones - remoteness? as i32) / 2;
        Some(if outcome == Outcome::Win { score } else { -score })
    }
}

/// A page about the start of a game.
#[derive(Clone, Copy)]
pub(crate) struct Page<'a> {
    pub(crate) game: &'a AnyGame,
    pub(crate) name: &'a str,
    /// The scale of the scores to print, with `--score`.
    pub(crate) scale: Option<ScoreScale>,
    /// Whether long lists of moves are printed whole.
    pub(crate) all_moves: bool,
}

impl Page<'_> {
    pub(crate) fn text(&self, answer: &Answer) -> String {
        self.head() + &self.verdict(answer) + "\n" + &self.rest(answer)
    }

    pub(crate) fn head(&self) -> String {
        let [mover, _] = self.players();
        let head = words::head(lang(), self.name, &self.game.size(), &mover);
        format!("{head}\n\n{}\n", draw::start(self.game))
    }

    fn players(&self) -> [Player; 2] {
        words::players(lang(), self.game.players())
    }

    /// Returns the sentence that says who wins, and in how many plies.
    pub(crate) fn verdict(&self, answer: &Answer) -> String {
        match answer.verdict() {
            Some(verdict) => {
                let style = outcome_style(verdict.outcome);
                let over = self.game.is_over();
                let sentence = words::verdict(lang(), verdict, over, answer.repeats, &self.players());
                format!("{style}{sentence}{style:#}")
            }
            None => {
                // Where play ends, the bounds say little.
                let within = if self.game.may_repeat() { answer.within } else { ReportedBounds::default() };
                words::unknown_winner(lang(), within, &self.players())
            }
        }
    }

    /// Returns the part of the page after the verdict: numbers, moves, a line.
    pub(crate) fn rest(&self, answer: &Answer) -> String {
        let lang = lang();
        let mut numbers = Vec::new();
        numbers.extend(answer.nim_value.map(nim_value_sentence));
        numbers.extend(answer.nimber_at_least.map(|least| words::nimber_at_least(lang, least)));
        let score = self.scale.and_then(|scale| scale.score(answer, answer.outcome?, answer.remoteness));
        numbers.extend(score.map(|score| words::score(lang, &format_score(score.into()))));
        let mut text: String = numbers.into_iter().map(|sentence| sentence + "\n").collect();
        if answer.outcome.is_none() || answer.moves.is_empty() {
            return text;
        }
        let [mover, other] = self.players();
        let heading = if answer.complete {
            words::moves(lang, &mover, answer.outcome, answer.moves.len(), self.game.moves().len())
        } else {
            words::known_moves(lang, &mover.plain(lang))
        };
        // Writing to a string cannot fail.
        let _ = writeln!(text, "\n{heading}\n");
        let plies = answer.goal.includes_remoteness();
        let best = answer.verdict().filter(|_| is_final(answer));
        let moves: Vec<_> = answer.moves.iter().map(|mv| (mv.text.clone(), mv.verdict())).collect();
        let open = plies && !answer.complete && self.game.max_score() == 0;
        let worth = |verdict: Option<Verdict>| {
            let score = verdict.and_then(|of| self.scale?.score(answer, of.outcome, of.remoteness));
            let score = score.map_or_else(String::new, |score| format!(" ({})", format_score(score.into())));
            words::worth(lang, verdict, open) + &score
        };
        text.push_str(&moves_by_verdict(
            &moves,
            best,
            &worth,
            if self.all_moves { usize::MAX } else { MAX_LISTED_MOVES },
        ));
        if !answer.line.is_empty() {
            let [first, second] = draw::PLAYERS;
            let [mover, other] = [mover, other].map(|player| player.plain(lang));
            let alternates = is_alternating(&answer.line_turns);
            let heading = if alternates { words::line } else { words::line_of };
            let heading = heading(lang, &format!("{first}{mover}{first:#}"), &format!("{second}{other}{second:#}"));
            let _ = writeln!(text, "\n{heading}\n");
            text.push_str(&draw::line(self.game, &answer.line));
            if alternates {
                text.push_str(&wrapped(&answer.line, 2));
            } else {
                let mut rest = &answer.line[..];
                for moves in answer.line_turns.chunk_by(|one, next| one == next) {
                    let (style, name) = (draw::PLAYERS[moves[0]], [&mover, &other][moves[0]]);
                    let (made, later) = rest.split_at(moves.len());
                    let moves = wrapped(made, width(name) + 2);
                    let _ = write!(text, "  {style}{name}:{style:#} {}", moves.trim_start());
                    rest = later;
                }
            }
            if answer.repeats {
                let _ = writeln!(text, "{}", words::repeats(lang));
            }
        }
        text
    }
}

/// Says what a position's nimber or misère value is.
pub(crate) fn nim_value_sentence(number: NimValue) -> String {
    match number {
        NimValue::Nimber(nimber) => words::nimber(lang(), nimber),
        NimValue::MisereValue(value) => words::misere_value(lang(), value),
    }
}

/// Whether the verdict is known as far as the goal includes it.
pub(crate) fn is_final(answer: &Answer) -> bool {
    answer.complete || !answer.goal.includes_remoteness() || answer.is_value_known()
}

/// Returns phrases for the parts of the goal that were not found, the number if `needs_number`.
pub(crate) fn missing(answer: &Answer, game: &AnyGame, needs_number: bool) -> Vec<String> {
    let lang = lang();
    let Some(outcome) = answer.outcome else {
        return vec![words::missing_winner(lang).to_owned()];
    };
    if answer.complete {
        return Vec::new();
    }
    let (goal, plies, has_scores) = (answer.goal, answer.goal.includes_remoteness(), game.max_score() > 0);
    let (all, moves) = (answer.moves.len(), counted(answer.moves.len() as u64, "move", "moves"));
    let unknown = answer.moves.iter().filter(|mv| mv.outcome.is_none()).count();
    let is_open = |mv: &&MoveAnswer| mv.outcome.is_some() && !mv.is_value_known();
    let open = answer.moves.iter().filter(is_open).count();
    let parts = [
        (!is_final(answer)).then(|| words::missing_plies(lang, has_scores).to_owned()),
        (!goal.includes_all_moves() && answer.best.is_empty()).then(|| words::missing_move(lang).to_owned()),
        (plies && answer.line.is_empty()).then(|| words::missing_line(lang).to_owned()),
        (goal.includes_all_moves() && unknown > 0).then(|| words::missing_values(lang, unknown, all, &moves)),
        (goal.includes_all_moves() && plies && open > 0)
            .then(|| words::missing_plies_of(lang, has_scores, (open, all), &moves)),
        (needs_number && answer.nim_value.is_none() && outcome != Outcome::Draw)
            .then(|| words::missing_number(lang).to_owned()),
    ];
    parts.into_iter().flatten().collect()
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

/// Formats moves in one paragraph for each verdict, the best verdict first and marked. Verdicts may be unknown; `worth` words
/// one. Of more than `limit` moves of one verdict, half as many are listed and the others counted.
pub(crate) fn moves_by_verdict(
    moves: &[(String, Option<Verdict>)],
    best: Option<Verdict>,
    worth: &dyn Fn(Option<Verdict>) -> String,
    limit: usize,
) -> String {
    let mut groups: Vec<(Option<Verdict>, Vec<String>)> = Vec::new();
    for (text, verdict) in moves {
        match groups.iter_mut().find(|(other, _)| other == verdict) {
            Some((_, moves)) => moves.push(text.clone()),
            None => groups.push((*verdict, vec![text.clone()])),
        }
    }
    groups.sort_by_key(|&(verdict, _)| std::cmp::Reverse(verdict.map(preference)));
    let lang = lang();
    let widest = groups.iter().map(|&(verdict, _)| width(&worth(verdict))).max().unwrap_or(0);
    let mut text = String::new();
    for (verdict, mut moves) in groups {
        if moves.len() > limit {
            let more = moves.split_off(limit / 2).len();
            moves.push(words::more_moves(lang, more));
        }
        let style = verdict.map_or(draw::DIM, |verdict| outcome_style(verdict.outcome));
        let mark = if verdict.is_some() && verdict == best { '*' } else { ' ' };
        let worth = worth(verdict);
        let blanks = " ".repeat(widest - width(&worth));
        let _ = write!(text, "{style}{mark} {worth}{blanks}{style:#}");
        text.push_str(&wrapped(&moves, widest + 2)[widest + 2..]);
    }
    text
}

/// Returns a sort key of verdicts by the preference of the player to move; unknown plies come last.
fn preference(verdict: Verdict) -> (Outcome, Option<Value>) {
    (verdict.outcome, ReportedValue::from(verdict).value())
}

/// Prints the cost of a search on standard error, if that is a terminal.
pub(crate) fn print_cost(positions: u64, time: Duration) {
    let rate = positions as f64 / time.as_secs_f64().max(1e-9) / 1e6;
    draw::print_note(&words::cost(lang(), positions, time.as_secs_f64(), rate));
}
