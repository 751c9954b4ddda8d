//! Printing an answer as it grows.

use std::io::{IsTerminal, stderr, stdout};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use balpan::{JournalSink, Watch};
use balpan_games::{Answer, Lang, Notation};

use super::is_limited_by_default;
use super::json::{AnswerObject, ScoreScale};
use crate::answer::{Page, missing, print_cost, skipped_goals};
use crate::args::SolveArgs;
use crate::checkpoint;
use crate::draw::filled;
use crate::error::{CliError, print, print_json};
use crate::progress::{ProgressView, SearchProgress, StopCause, Waker, exit_code, stop_cause, was_interrupted};
use crate::words::lang;
use crate::words::{answer as words, count};

pub(super) use crate::answer::PartialAnswer;

/// The latest partial answer, shared by the solving thread and the printer.
pub(super) struct Latest<Move>(Mutex<Option<PartialAnswer<Move>>>);

impl<Move> Default for Latest<Move> {
    fn default() -> Self {
        Self(Mutex::new(None))
    }
}

impl<Move: Clone> Latest<Move> {
    pub(super) fn set(&self, found: PartialAnswer<Move>, waker: &Waker) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(found);
        waker.wake();
    }

    fn get(&self) -> Option<PartialAnswer<Move>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// How much of the page is printed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Printed {
    Nothing,
    Head,
    /// The winner, without the plies.
    HalfVerdict,
    Verdict,
}

/// Prints the page about one position: each part once it is final. On a terminal, a preview shows the rest.
pub(super) struct Printer<'a, G: Notation> {
    args: &'a SolveArgs,
    page: Page<'a, G>,
    latest: &'a Latest<G::Move>,
    scale: Option<ScoreScale>,
    rules: Vec<String>,
    /// The checkpoint file's sink, flushed when the command ends.
    keeper: Option<Arc<dyn JournalSink>>,
    printed: Printed,
    /// Whether both outputs are a terminal, so that a preview is shown.
    is_live: bool,
    begin: Instant,
    progress: SearchProgress,
}

impl<'a, G: Notation> Printer<'a, G> {
    pub(super) fn new(
        args: &'a SolveArgs,
        page: Page<'a, G>,
        latest: &'a Latest<G::Move>,
        scale: Option<ScoreScale>,
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
            progress: SearchProgress::default(),
        }
    }

    /// Returns the latest partial answer; before the first, one without bounds.
    fn found(&self) -> PartialAnswer<G::Move> {
        let Page { game, position, .. } = self.page;
        let found = self.latest.get().unwrap_or_else(|| {
            let goal = super::question(self.args).goal_for(game, position);
            balpan::Answer {
                goal,
                bounds: balpan::Bounds::ANY,
                is_over: false,
                moves: game.moves(position).map(|mv| (mv, balpan::Bounds::ANY)).collect(),
                line: Vec::new(),
                complete: false,
                positions: 0,
            }
            .into()
        });
        let score = self.scale.and_then(|scale| scale.score(&self.text_answer(&found, Duration::ZERO)));
        PartialAnswer { score, ..found }
    }

    /// Returns the answer with positions and moves as text.
    fn text_answer(&self, found: &PartialAnswer<G::Move>, time: Duration) -> Answer {
        let Page { game, name, position } = self.page;
        let answer = Answer::new(game, name, position, &found.answer, time);
        Answer { nim_value: found.number, nimber_at_least: found.nimber_at_least, ..answer }
    }

    /// Returns the parts of the page that have become final.
    fn next_parts(&mut self, found: &PartialAnswer<G::Move>) -> String {
        let mut text = String::new();
        if found.answer.outcome().is_none() {
            return text;
        }
        if self.printed == Printed::Nothing {
            text += &self.page.head();
            self.printed = Printed::Head;
        }
        let is_final =
            !found.answer.goal.includes_remoteness() || found.answer.bounds.value().is_some() || found.answer.complete;
        if self.printed < Printed::Verdict && is_final {
            text += &self.rest_of_verdict(found);
            text.push('\n');
            self.printed = Printed::Verdict;
        } else if self.printed == Printed::Head && !self.is_live && lang() == Lang::En {
            // Korean has the plies before the verb.
            text += self.page.verdict(found).trim_end_matches("\u{1b}[0m").trim_end_matches('.');
            self.printed = Printed::HalfVerdict;
        }
        text
    }

    /// Returns the verdict, or the part of it that is not printed yet.
    fn rest_of_verdict(&self, found: &PartialAnswer<G::Move>) -> String {
        let whole = self.page.verdict(found);
        if self.printed < Printed::HalfVerdict {
            return whole;
        }
        let plies = found.answer.verdict().and_then(|verdict| verdict.remoteness);
        // `A wins` is printed already.
        let at = if plies.is_some() { whole.rfind(" in ") } else { whole.rfind('.') };
        whole[at.unwrap_or(whole.len())..].to_owned()
    }

    /// Prints the whole answer as JSON, or the rest of the page. Returns the number of positions searched.
    fn print_rest(&mut self, time: Duration) -> Result<u64, CliError> {
        let found = self.found();
        let positions = found.answer.positions;
        if self.args.json {
            print_json(&AnswerObject::new(self.text_answer(&found, time), &self.rules, self.scale))?;
            return Ok(positions);
        }
        let mut text = self.next_parts(&found);
        if self.printed < Printed::Verdict {
            if self.printed == Printed::Nothing {
                text += &self.page.head();
            }
            text += &self.rest_of_verdict(&found);
            text.push('\n');
        }
        text += &self.page.rest(&found);
        let missing = missing(&found, self.args.nimber);
        if !found.answer.complete && !missing.is_empty() {
            let is_deadline = stop_cause() == Some(StopCause::Deadline);
            let time = count::time(lang(), self.args.deadline.filter(|_| is_deadline).unwrap_or(time));
            text += &format!("\n{}", filled(&words::cut_short(lang(), was_interrupted(), &time, &missing)));
        } else if is_limited_by_default(self.args, found.answer.goal)
            && let Some(skipped) = skipped_goals(&found.answer)
        {
            text += &format!("\n{skipped}");
        }
        print(&text)?;
        Ok(positions)
    }

    /// Prints the rest of the answer and its cost.
    pub(super) fn finish(&mut self, time: Duration) -> Result<(), CliError> {
        let positions = self.print_rest(time)?;
        if !self.args.json {
            print_cost(positions, time);
        }
        Ok(())
    }
}

impl<G: Notation> ProgressView for Printer<'_, G> {
    fn status_line(&mut self, watch: &Watch, elapsed: Duration) -> String {
        self.progress.status_line(watch, elapsed)
    }

    fn final_output(&mut self) -> Option<String> {
        if self.args.json || self.printed == Printed::Verdict {
            return None;
        }
        let found = self.latest.get()?;
        Some(self.next_parts(&found)).filter(|text| !text.is_empty())
    }

    fn preview(&mut self) -> Option<String> {
        let found = self.latest.get().filter(|found| self.is_live && found.answer.outcome().is_some())?;
        let mut text = String::new();
        if self.printed < Printed::Verdict {
            text = format!("{}\n", self.page.verdict(&found));
        }
        text += &self.page.rest(&PartialAnswer { score: None, ..found });
        Some(text)
    }

    fn give_up(&mut self, watch: &Watch) -> u8 {
        let printed = self.print_rest(self.begin.elapsed());
        // The exit code says that the work was cut short; a failed flush adds nothing.
        let _ = checkpoint::flush(self.keeper.as_ref());
        exit_code(printed.map(|_| ()), watch.positions())
    }
}
