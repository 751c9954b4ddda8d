//! Prints an answer as it grows.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use balpan::{JournalSink, Watch};
use balpan_games::{Answer, Lang, Notation};

use super::score::Scale;
use super::{Object, is_cut_short};
use crate::answer::{Page, missing, tell_cost, unasked};
use crate::args::SolveArgs;
use crate::draw::filled;
use crate::failure::{Failure, print, print_json};
use crate::keeping;
use crate::lang::lang;
use crate::progress::{Positions, StopCause, Viewer, Waker, end, stop_cause, was_interrupted};
use crate::words::{answer as words, count};

pub(super) use crate::answer::AnswerSoFar;

/// What is known by now, between who finds it and who prints it.
pub(super) struct Latest<Move>(Mutex<Option<AnswerSoFar<Move>>>);

impl<Move> Default for Latest<Move> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<Move: Clone> Latest<Move> {
    pub(super) fn set(&self, known: AnswerSoFar<Move>, waker: &Waker) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(known);
        waker.wake();
    }

    fn get(&self) -> Option<AnswerSoFar<Move>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How much of the page is printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Printed {
    Nothing,
    Head,
    /// Who wins, and not in how many plies.
    HalfVerdict,
    Verdict,
}

/// Prints the page about one position from its beginning, each part as soon as it is known
/// for good, and shows what is known of the rest on a terminal.
pub(super) struct Printer<'a, G: Notation> {
    args: &'a SolveArgs,
    page: Page<'a, G>,
    latest: &'a Latest<G::Move>,
    scale: Option<Scale>,
    rules: Vec<String>,
    /// Who keeps what took long, to be told when the command ends.
    keeper: Option<Arc<dyn JournalSink>>,
    printed: Printed,
    /// Whether both outputs are a terminal: what is known is shown as it grows.
    is_live: bool,
    begin: Instant,
    positions: Positions,
}

impl<'a, G: Notation> Printer<'a, G> {
    pub(super) fn new(
        args: &'a SolveArgs,
        page: Page<'a, G>,
        latest: &'a Latest<G::Move>,
        scale: Option<Scale>,
        rules: Vec<String>,
        keeper: Option<Arc<dyn JournalSink>>,
    ) -> Self {
        Self {
            args,
            page,
            latest,
            scale,
            rules,
            keeper,
            printed: Printed::Nothing,
            is_live: !args.json && stdout().is_terminal() && stderr().is_terminal(),
            begin: Instant::now(),
            positions: Positions::default(),
        }
    }

    /// What is known by now, at the least that nothing is.
    fn known(&self) -> AnswerSoFar<G::Move> {
        let Page { game, position, .. } = self.page;
        let known = self.latest.get().unwrap_or_else(|| {
            let ask = super::question(self.args).ask_of(game, position);
            balpan::Answer {
                goal: ask,
                bounds: balpan::Bounds::ANY,
                is_over: false,
                moves: game.moves(position).map(|mv| (mv, balpan::Bounds::ANY)).collect(),
                line: Vec::new(),
                complete: false,
                positions: 0,
            }
            .into()
        });
        let score = self.scale.and_then(|scale| scale.score(&self.object(&known, Duration::ZERO)));
        AnswerSoFar { score, ..known }
    }

    /// The answer as text.
    fn object(&self, known: &AnswerSoFar<G::Move>, time: Duration) -> Answer {
        let Page { game, name, position } = self.page;
        let answer = Answer::new(game, name, position, &known.answer, time);
        Answer { number: known.number, nimber_at_least: known.nimber_at_least, ..answer }
    }

    /// What can be printed for good.
    fn next(&mut self, known: &AnswerSoFar<G::Move>) -> String {
        let mut text = String::new();
        if known.answer.outcome().is_none() {
            return text;
        }
        if self.printed == Printed::Nothing {
            text += &self.page.head();
            self.printed = Printed::Head;
        }
        let is_final =
            !known.answer.goal.includes_remoteness() || known.answer.bounds.value().is_some() || known.answer.complete;
        if self.printed < Printed::Verdict && is_final {
            text += &self.verdict(known);
            text.push('\n');
            self.printed = Printed::Verdict;
        } else if self.printed == Printed::Head && !self.is_live && lang() == Lang::En {
            // Korean has the plies before the verb.
            text += self.page.verdict(known).trim_end_matches("\u{1b}[0m").trim_end_matches('.');
            self.printed = Printed::HalfVerdict;
        }
        text
    }

    /// The verdict, or what is left of it.
    fn verdict(&self, known: &AnswerSoFar<G::Move>) -> String {
        let whole = self.page.verdict(known);
        if self.printed < Printed::HalfVerdict {
            return whole;
        }
        let plies = known.answer.verdict().and_then(|verdict| verdict.remoteness);
        // What has been printed is `A wins`.
        let at = if plies.is_some() { whole.rfind(" in ") } else { whole.rfind('.') };
        whole[at.unwrap_or(whole.len())..].to_owned()
    }

    /// The whole answer, or what is not printed yet.
    fn last(&mut self, time: Duration) -> Result<u64, Failure> {
        let known = self.known();
        let positions = known.answer.positions;
        if self.args.json {
            print_json(&Object::new(self.object(&known, time), &self.rules, self.scale))?;
            return Ok(positions);
        }
        let mut text = self.next(&known);
        if self.printed < Printed::Verdict {
            if self.printed == Printed::Nothing {
                text += &self.page.head();
            }
            text += &self.verdict(&known);
            text.push('\n');
        }
        text += &self.page.rest(&known);
        let missing = missing(&known, self.args.nimber);
        if !known.answer.complete && !missing.is_empty() {
            let is_deadline = stop_cause() == Some(StopCause::Deadline);
            let time = count::time(lang(), self.args.deadline.filter(|_| is_deadline).unwrap_or(time));
            text += &format!("\n{}", filled(&words::cut_short(lang(), was_interrupted(), &time, &missing)));
        } else if is_cut_short(self.args, known.answer.goal)
            && let Some(unasked) = unasked(&known.answer)
        {
            text += &format!("\n{unasked}");
        }
        print(&text)?;
        Ok(positions)
    }

    /// Prints what is left, and returns how many positions were searched.
    pub(super) fn close(&mut self, time: Duration) -> Result<u64, Failure> {
        let positions = self.last(time)?;
        if !self.args.json {
            tell_cost(positions, time);
        }
        Ok(positions)
    }
}

impl<G: Notation> Viewer for Printer<'_, G> {
    fn told(&mut self, watch: &Watch, elapsed: Duration) -> String {
        self.positions.told(watch, elapsed)
    }

    fn ready(&mut self) -> Option<String> {
        if self.args.json || self.printed == Printed::Verdict {
            return None;
        }
        let known = self.latest.get()?;
        Some(self.next(&known)).filter(|text| !text.is_empty())
    }

    fn shown(&mut self) -> Option<String> {
        let known = self.latest.get().filter(|known| self.is_live && known.answer.outcome().is_some())?;
        let mut text = String::new();
        if self.printed < Printed::Verdict {
            text = format!("{}\n", self.page.verdict(&known));
        }
        text += &self.page.rest(&AnswerSoFar { score: None, ..known });
        Some(text)
    }

    fn overdue(&mut self, watch: &Watch) -> u8 {
        // Whatever can be printed is the last thing that is done.
        let printed = self.last(self.begin.elapsed());
        // Who ends in a hurry has kept what could be kept.
        let _ = keeping::close(self.keeper.as_ref());
        end(printed.map(|_| ()), watch.positions())
    }
}
