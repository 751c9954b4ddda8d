//! Runs of the program under test: many cases a run, several runs at a time; and which
//! case it is that a run fails on.

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};

use super::fault::{Fault, Outcome, answers_of, most_output, outcome};
use super::{NoTrial, Plan};
use crate::judge::{Judge, Reference};
use crate::program::{End, Limits, NoProgram, Program, Run};

/// A program, and all that is needed to try it.
pub(super) struct Trial<'a, J: Judge> {
    pub(super) judge: &'a J,
    program: &'a Program,
    plan: &'a Plan,
    watch: &'a Watch,
    reference: Reference<'a, J>,
    /// Until when cases are tried.
    deadline: Instant,
    /// How many cases go into the next run.
    batch: usize,
    /// The shortest run: what it takes to start the program.
    start: Duration,
    /// The longest that one case took of a run, on the average, without the start.
    slowest: Duration,
    /// How many cases the program was asked about, and in how many runs.
    pub(super) cases: u64,
    pub(super) runs: u64,
    /// So many cases took too long together, and there was no time to find out why.
    pub(super) given_up: usize,
    /// What it took to draw the cases and to answer them.
    pub(super) own_time: Duration,
}

/// A case on which the program is wrong.
#[derive(Debug)]
pub(super) struct Found<J: Judge> {
    /// The cases that come before it in the same run, without which it is answered rightly.
    pub(super) before: Vec<J::Case>,
    pub(super) case: J::Case,
    pub(super) right: J::Answer,
    pub(super) fault: Fault<J::Answer>,
    /// The last that the program wrote to its standard error.
    pub(super) errors: String,
}

/// So long should a run last without its start: short enough to stop soon, long enough for
/// the start not to count.
const GOOD_RUN: Duration = Duration::from_millis(700);
/// No run has more cases.
const MOST_BATCH: usize = 4096;
/// A run of several cases has at least so long, however quick the earlier ones were.
const LEAST_TIME: Duration = Duration::from_millis(500);
/// And so many times as long as they took.
const SLACK: u32 = 20;
/// So many runs look for the earlier cases that matter to a later one.
const RUNS_FOR_BEFORE: usize = 60;

impl<'a, J: Judge> Trial<'a, J> {
    pub(super) fn new(judge: &'a J, program: &'a Program, plan: &'a Plan, watch: &'a Watch) -> Self {
        Self {
            judge,
            program,
            plan,
            watch,
            reference: judge.reference(watch),
            deadline: Instant::now() + plan.time,
            batch: 1,
            start: plan.limit,
            slowest: Duration::ZERO,
            cases: 0,
            runs: 0,
            given_up: 0,
            own_time: Duration::ZERO,
        }
    }

    pub(super) fn has_time(&self) -> bool {
        Instant::now() < self.deadline && !self.watch.is_stopping()
    }

    /// Whether there is time to find out which case it was: some is left for it when that
    /// for trying is up, enough for one that hangs.
    fn has_time_to_blame(&self) -> bool {
        Instant::now() < self.deadline + self.plan.time / 2 + self.plan.limit
    }

    /// Goes on for so long from now.
    pub(super) fn extend(&mut self, time: Duration) {
        self.deadline = Instant::now() + time;
    }

    /// The exact answer.
    pub(super) fn right(&mut self, case: &J::Case) -> Result<J::Answer, Stopped> {
        (self.reference)(case)
    }

    /// Draws the cases of the next runs, which go on side by side: `draw` gives so many.
    pub(super) fn drawn(&mut self, mut draw: impl FnMut(usize) -> Vec<J::Case>) -> Vec<Vec<J::Case>> {
        let begin = Instant::now();
        let batches = (0..self.plan.threads).map(|_| draw(self.batch)).filter(|batch| !batch.is_empty()).collect();
        self.own_time += begin.elapsed();
        batches
    }

    /// The first of `cases`, in their order, on which the program is wrong, if it has time
    /// for them; and whether it had.
    pub(super) fn first_of(&mut self, cases: impl IntoIterator<Item = J::Case>) -> Result<First<J>, NoTrial> {
        let mut cases = cases.into_iter();
        loop {
            let batches = self.drawn(|most| cases.by_ref().take(most).collect());
            if batches.is_empty() {
                return Ok(First { found: None, all: true });
            }
            if !self.has_time() {
                return Ok(First { found: None, all: false });
            }
            match self.first_fault(batches) {
                Ok(None) => {}
                Ok(found) => return Ok(First { found, all: false }),
                Err(NoTrial::Stopped(Stopped)) => return Ok(First { found: None, all: false }),
                Err(other) => return Err(other),
            }
        }
    }

    /// The first case of `batches` on which the program is wrong.
    pub(super) fn first_fault(&mut self, batches: Vec<Vec<J::Case>>) -> Result<Option<Found<J>>, NoTrial> {
        let begin = Instant::now();
        let mut prepared = Vec::with_capacity(batches.len());
        for cases in batches {
            let right: Result<Vec<_>, _> = cases.iter().map(|case| self.right(case)).collect();
            prepared.push(Batch::new(self.judge, cases, right?));
        }
        self.own_time += begin.elapsed();
        let runs = self.side_by_side(&prepared);
        let mut longest = Duration::ZERO;
        for (batch, run) in prepared.into_iter().zip(runs) {
            let run = self.count(&batch, run)?;
            longest = longest.max(run.time);
            let outcome = self.outcome(&batch, &run);
            if let Some(found) = self.blame(&batch, run, outcome)? {
                return Ok(Some(found));
            }
        }
        self.adapt(longest);
        Ok(None)
    }

    /// The answers to `cases`, as far as there are any: a run that fails is made again in
    /// halves.
    pub(super) fn answers(&mut self, cases: &[J::Case]) -> Result<Vec<Option<J::Answer>>, NoTrial> {
        if cases.is_empty() {
            return Ok(Vec::new());
        }
        if cases.len() > self.most_batch() || !self.has_time() {
            let (part, rest) = cases.split_at(cases.len().min(self.most_batch()));
            let mut answers = if self.has_time() { self.answers(part)? } else { vec![None; part.len()] };
            answers.extend(self.answers(rest)?);
            return Ok(answers);
        }
        let batch = Batch::new(self.judge, cases.to_vec(), Vec::new());
        let run = self.run(&batch)?;
        let answers: Vec<_> = answers_of(self.judge, &run).map(|(_, answer)| answer).collect();
        if run.end == End::Exited(0) && answers.len() == cases.len() {
            return Ok(answers);
        }
        if cases.len() == 1 {
            return Ok(vec![None]);
        }
        let (first, second) = cases.split_at(cases.len() / 2);
        let mut answers = self.answers(first)?;
        answers.extend(self.answers(second)?);
        Ok(answers)
    }

    /// How many cases may go into one run.
    pub(super) fn most_batch(&self) -> usize {
        self.plan.batch.unwrap_or(J::MOST_CASES.unwrap_or(MOST_BATCH)).max(1)
    }

    /// Makes the next runs as long as runs should be, if this one is a guide.
    fn adapt(&mut self, longest: Duration) {
        let working = longest.saturating_sub(self.start).as_secs_f64();
        let longer = (GOOD_RUN.as_secs_f64() / working.max(1e-6)).clamp(0.5, 8.0);
        self.batch = ((self.batch as f64 * longer) as usize).clamp(1, self.most_batch());
    }

    fn side_by_side(&self, batches: &[Batch<J>]) -> Vec<Result<Run, NoProgram>> {
        let (program, watch) = (self.program, self.watch);
        let start = |batch: &Batch<J>, limits| program.run(batch.input.as_bytes(), limits, watch);
        if let [batch] = batches {
            return vec![start(batch, self.limits(batch))];
        }
        thread::scope(|scope| {
            let spawn = |batch| {
                let limits = self.limits(batch);
                scope.spawn(move || start(batch, limits))
            };
            let threads: Vec<_> = batches.iter().map(spawn).collect();
            let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
            joined.map(|run| run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    fn run(&mut self, batch: &Batch<J>) -> Result<Run, NoTrial> {
        let run = self.program.run(batch.input.as_bytes(), self.limits(batch), self.watch);
        self.count(batch, run)
    }

    fn limits(&self, batch: &Batch<J>) -> Limits {
        let cases = batch.cases.len();
        Limits { time: self.limit(cases), output: most_output(cases) }
    }

    /// A run of several cases has less time than each of them has alone, if earlier ones
    /// took much less: then it is soon known where a program hangs.
    fn limit(&self, cases: usize) -> Duration {
        if cases == 1 {
            return self.plan.limit;
        }
        self.hoped_for(cases).max(LEAST_TIME).min(self.plan.limit)
    }

    /// What so many cases may take, if they are like those before, with time to spare.
    fn hoped_for(&self, cases: usize) -> Duration {
        let expected = self.slowest.saturating_mul(u32::try_from(cases).unwrap_or(u32::MAX));
        (self.start + expected).saturating_mul(SLACK)
    }

    fn count(&mut self, batch: &Batch<J>, run: Result<Run, NoProgram>) -> Result<Run, NoTrial> {
        let run = run?;
        let cases = batch.cases.len();
        self.runs += 1;
        self.cases += cases as u64;
        if run.end == End::Stopped {
            return Err(NoTrial::Stopped(Stopped));
        }
        // Its stop is seen where there is time to look.
        let _ = self.watch.count(cases as u64);
        if run.end != End::TimeLimit {
            self.start = self.start.min(run.time);
            let working = run.time.saturating_sub(self.start);
            self.slowest = self.slowest.max(working / u32::try_from(cases).unwrap_or(u32::MAX));
        }
        Ok(run)
    }

    fn outcome(&mut self, batch: &Batch<J>, run: &Run) -> Outcome<J::Answer> {
        let begin = Instant::now();
        let outcome = outcome(self.judge, run, &batch.right, self.limit(batch.cases.len()));
        self.own_time += begin.elapsed();
        outcome
    }

    /// Which case of the batch it was.
    fn blame(&mut self, batch: &Batch<J>, run: Run, outcome: Outcome<J::Answer>) -> Result<Option<Found<J>>, NoTrial> {
        let alone = |fault| Found {
            before: Vec::new(),
            case: batch.cases[0].clone(),
            right: batch.right[0],
            fault,
            errors: run.errors.clone(),
        };
        match outcome {
            Outcome::Right => Ok(None),
            Outcome::Wrong(_, answer) if batch.cases.len() == 1 => Ok(Some(alone(Fault::Wrong(answer)))),
            Outcome::Broken(fault) if batch.cases.len() == 1 => Ok(Some(alone(fault))),
            Outcome::Wrong(case, answer) => match self.again(&batch.part(self.judge, case..case + 1))? {
                Some(found) => Ok(Some(found)),
                None => self.after_others(batch.part(self.judge, 0..case + 1), Fault::Wrong(answer)).map(Some),
            },
            Outcome::Broken(fault) => {
                let middle = batch.cases.len() / 2;
                for half in [0..middle, middle..batch.cases.len()] {
                    if let Some(found) = self.again(&batch.part(self.judge, half))? {
                        return Ok(Some(found));
                    }
                }
                let all = batch.part(self.judge, 0..batch.cases.len());
                match fault {
                    Fault::TimeLimit(_) => self.hangs_together(all),
                    fault => self.after_others(all, fault).map(Some),
                }
            }
        }
    }

    /// A batch that took too long, while its halves did not: whether it does so with as
    /// much time as they give hope for.
    fn hangs_together(&mut self, batch: Batch<J>) -> Result<Option<Found<J>>, NoTrial> {
        let limits = Limits { time: self.plan.limit.max(self.hoped_for(batch.cases.len())), ..self.limits(&batch) };
        let run = self.program.run(batch.input.as_bytes(), limits, self.watch);
        let run = self.count(&batch, run)?;
        match outcome(self.judge, &run, &batch.right, limits.time) {
            Outcome::Broken(fault @ Fault::TimeLimit(_)) => Ok(Some(batch.last(fault, run.errors))),
            Outcome::Right => Ok(None),
            other => self.blame(&batch, run, other),
        }
    }

    /// Whether the program is wrong on the case once more.
    pub(super) fn is_wrong_again(&mut self, found: &Found<J>) -> Result<bool, NoTrial> {
        let batch = Batch::new(self.judge, vec![found.case.clone()], vec![found.right]);
        match self.run(&batch) {
            Ok(run) => Ok(!matches!(self.outcome(&batch, &run), Outcome::Right)),
            // There is no time to ask.
            Err(NoTrial::Stopped(Stopped)) => Ok(true),
            Err(other) => Err(other),
        }
    }

    /// Which case of this part it was, if the part fails by itself.
    fn again(&mut self, part: &Batch<J>) -> Result<Option<Found<J>>, NoTrial> {
        if !self.has_time_to_blame() {
            self.given_up = part.cases.len();
            return Err(NoTrial::Stopped(Stopped));
        }
        let run = self.run(part)?;
        let outcome = self.outcome(part, &run);
        self.blame(part, run, outcome)
    }

    /// A batch whose last case is answered wrongly, or which fails in all, while its parts
    /// do not: what the program keeps from one case to another. Leaves out what does not
    /// matter.
    fn after_others(&mut self, batch: Batch<J>, fault: Fault<J::Answer>) -> Result<Found<J>, NoTrial> {
        let Some((mut fault, mut errors)) = self.fails_in_the_end(&batch)? else {
            let answer = if let Fault::Wrong(answer) = fault { Some(answer) } else { None };
            return Ok(batch.last(Fault::Unsteady(answer), String::new()));
        };
        let mut failing = batch;
        let mut many = failing.cases.len() / 2;
        let mut from = 0;
        for _ in 0..RUNS_FOR_BEFORE {
            // The last case always stays.
            if from + 1 >= failing.cases.len() {
                from = 0;
                many /= 2;
            }
            if many == 0 || failing.cases.len() == 1 || !self.has_time() {
                break;
            }
            let without = failing.without(self.judge, from..(from + many).min(failing.cases.len() - 1));
            match self.fails_in_the_end(&without)? {
                Some(still) => (failing, (fault, errors)) = (without, still),
                None => from += many,
            }
        }
        Ok(failing.last(fault, errors))
    }

    /// How a run on these cases fails, if it is not by an answer before the last.
    fn fails_in_the_end(&mut self, batch: &Batch<J>) -> Result<Option<Failure<J>>, NoTrial> {
        let run = self.run(batch)?;
        let fault = match self.outcome(batch, &run) {
            Outcome::Right | Outcome::Broken(Fault::TimeLimit(_)) => None,
            Outcome::Wrong(case, answer) => (case + 1 == batch.cases.len()).then_some(Fault::Wrong(answer)),
            Outcome::Broken(fault) => Some(fault),
        };
        Ok(fault.map(|fault| (fault, run.errors)))
    }
}

/// What a run does wrong, and the last that it wrote to its standard error.
type Failure<J> = (Fault<<J as Judge>::Answer>, String);

/// What came of a row of cases.
pub(super) struct First<J: Judge> {
    pub(super) found: Option<Found<J>>,
    /// Whether all of them were tried, and answered rightly.
    pub(super) all: bool,
}

/// The cases of a run, one at least.
struct Batch<J: Judge> {
    cases: Vec<J::Case>,
    right: Vec<J::Answer>,
    input: String,
}

impl<J: Judge> Batch<J> {
    fn new(judge: &J, cases: Vec<J::Case>, right: Vec<J::Answer>) -> Self {
        Self { input: judge.write(&cases), cases, right }
    }

    /// The last case, after the others.
    fn last(mut self, fault: Fault<J::Answer>, errors: String) -> Found<J> {
        let last = self.cases.len() - 1;
        let case = self.cases.remove(last);
        Found { before: self.cases, case, right: self.right[last], fault, errors }
    }

    fn part(&self, judge: &J, range: Range<usize>) -> Self {
        Self::new(judge, self.cases[range.clone()].to_vec(), self.right[range].to_vec())
    }

    fn without(&self, judge: &J, range: Range<usize>) -> Self {
        let mut rest = self.part(judge, 0..self.cases.len());
        rest.cases.drain(range.clone());
        rest.right.drain(range);
        Self::new(judge, rest.cases, rest.right)
    }
}
