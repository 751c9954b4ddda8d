//! Runs of the program under test, with many cases in a run and several runs at a time.

mod blame;

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};

use super::fault::{Fault, Outcome, answers_of, most_output, outcome};
use super::pace::Paces;
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
    /// Until when cases are tried, at this stage; and until when everything has to be over.
    deadline: Instant,
    end: Instant,
    /// How many cases go into the next run.
    batch: usize,
    /// The shortest run: what it takes to start the program.
    start: Duration,
    /// The longest that one case took of a run, on the average, without the start.
    slowest: Duration,
    /// What runs took, without the start, that found out which case of a slow run it was.
    explained: Duration,
    /// How many cases the program was asked about, and in how many runs.
    pub(super) cases: u64,
    pub(super) runs: u64,
    /// The number of cases that took too long, together or alone, when there was no time to find out more.
    pub(super) given_up: usize,
    /// What it took to draw the cases and to answer them.
    pub(super) own_time: Duration,
    /// What single cases took.
    pub(super) paces: Paces,
    /// The most memory that a run was seen to hold.
    pub(super) memory: Option<u64>,
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
/// And at least this many times as long as they took.
const SLACK: u32 = 20;
/// The most runs spent on finding the earlier cases that matter to a later one.
const RUNS_FOR_BEFORE: usize = 60;
/// Where a machine is busy, a run may take this many times as long by the clock.
const PATIENCE: u32 = 3;

impl<'a, J: Judge> Trial<'a, J> {
    pub(super) fn new(judge: &'a J, program: &'a Program, plan: &'a Plan, watch: &'a Watch, end: Instant) -> Self {
        Self {
            judge,
            program,
            plan,
            watch,
            reference: judge.reference(watch),
            deadline: end,
            end,
            batch: 1,
            start: plan.limit,
            slowest: Duration::ZERO,
            explained: Duration::ZERO,
            cases: 0,
            runs: 0,
            given_up: 0,
            own_time: Duration::ZERO,
            paces: Paces::default(),
            memory: None,
        }
    }

    pub(super) fn has_time(&self) -> bool {
        Instant::now() < self.deadline && !self.watch.is_stopping()
    }

    /// Whether there is time to find out which case it was: until everything has to be over.
    fn has_time_to_blame(&self) -> bool {
        Instant::now() < self.end && !self.watch.is_stopping()
    }

    /// Tries cases until then, but no longer than there is time at all.
    pub(super) fn until(&mut self, deadline: Instant) {
        self.deadline = deadline.min(self.end);
    }

    /// A run for each case from now on, as each may take as long as it is allowed to.
    pub(super) fn one_by_one(&mut self) {
        self.batch = 1;
    }

    /// The exact answer.
    pub(super) fn right(&mut self, case: &J::Case) -> Result<J::Answer, Stopped> {
        (self.reference)(case)
    }

    /// Draws the cases of the next runs, which go on side by side: at most `most` in all, and of
    /// those that take long, a few a run.
    pub(super) fn drawn(&mut self, cases: &mut impl Iterator<Item = J::Case>, most: u64) -> Vec<Vec<J::Case>> {
        let begin = Instant::now();
        let mut left = most;
        let mut batches = Vec::new();
        for _ in 0..self.plan.threads {
            let mut batch = Vec::new();
            let mut expected = Duration::ZERO;
            while batch.len() < self.batch && left > 0 && expected < self.good_run() {
                let Some(case) = cases.next() else { break };
                expected += self.expected(&case);
                batch.push(case);
                left -= 1;
            }
            if !batch.is_empty() {
                batches.push(batch);
            }
        }
        self.own_time += begin.elapsed();
        batches
    }

    /// What a case may take without the start, by what was measured alone.
    fn expected(&self, case: &J::Case) -> Duration {
        self.paces.expected(self.judge.size(case).cells).saturating_sub(self.start)
    }

    /// How long a run should last without its start.
    fn good_run(&self) -> Duration {
        GOOD_RUN.min(self.plan.limit / 8)
    }

    /// The first of `cases`, in their order, on which the program is wrong, if it has time
    /// for them; and whether it had.
    pub(super) fn first_of(&mut self, cases: impl IntoIterator<Item = J::Case>) -> Result<First<J>, NoTrial> {
        let mut cases = cases.into_iter();
        loop {
            let batches = self.drawn(&mut cases, u64::MAX);
            if batches.is_empty() {
                return Ok(First { found: None, all: true });
            }
            if !self.has_time() {
                return Ok(First { found: None, all: false });
            }
            match self.first_fault(batches) {
                Ok(None) => {}
                Ok(found) => return Ok(First { found, all: false }),
                Err(NoTrial::Stopped(Stopped::Interrupted)) => return Ok(First { found: None, all: false }),
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
        for (batch, (limits, run)) in prepared.into_iter().zip(runs) {
            let run = self.count(&batch, limits, run)?;
            longest = longest.max(run.time);
            let outcome = self.outcome(&batch, &run, limits);
            if let Some(found) = self.blame(&batch, run, outcome)? {
                return Ok(Some(found));
            }
        }
        self.adapt(longest);
        Ok(None)
    }

    /// Asks about one case, with nothing beside it: whether the program is wrong, or too slow.
    pub(super) fn alone(&mut self, case: J::Case) -> Result<Option<Found<J>>, NoTrial> {
        let right = self.right(&case)?;
        let batch = Batch::new(self.judge, vec![case], vec![right]);
        self.again(&batch)
    }

    /// How many answers there are to this many cases, if the program ends well.
    pub(super) fn many_answers(&mut self, cases: &[J::Case]) -> Result<Option<usize>, NoTrial> {
        let (run, _) = self.run(&Batch::new(self.judge, cases.to_vec(), Vec::new()))?;
        Ok((run.end == End::Exited(0)).then(|| answers_of(self.judge, &run).count()))
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
        let (run, _) = self.run(&batch)?;
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
        self.plan.batch.or(self.judge.about().most_cases).unwrap_or(MOST_BATCH).max(1)
    }

    /// Makes the next runs as long as runs should be, if this one is a guide.
    fn adapt(&mut self, longest: Duration) {
        let working = longest.saturating_sub(self.start).as_secs_f64();
        let longer = (self.good_run().as_secs_f64() / working.max(1e-6)).clamp(0.5, 8.0);
        self.batch = ((self.batch as f64 * longer) as usize).clamp(1, self.most_batch());
    }

    fn side_by_side(&self, batches: &[Batch<J>]) -> Vec<(Limits, Result<Run, NoProgram>)> {
        let (program, watch) = (self.program, self.watch);
        let start = |batch: &Batch<J>, limits| (limits, program.run(batch.input.as_bytes(), limits, watch));
        if let [batch] = batches {
            return vec![start(batch, self.limits(batch))];
        }
        thread::scope(|scope| {
            let spawn = |(batch, limits)| scope.spawn(move || start(batch, limits));
            let threads: Vec<_> = batches.iter().map(|batch| (batch, self.limits(batch))).map(spawn).collect();
            let joined = threads.into_iter().map(thread::ScopedJoinHandle::join);
            joined.map(|run| run.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).collect()
        })
    }

    fn run(&mut self, batch: &Batch<J>) -> Result<(Run, Limits), NoTrial> {
        self.run_within(batch, self.limits(batch))
    }

    fn run_within(&mut self, batch: &Batch<J>, limits: Limits) -> Result<(Run, Limits), NoTrial> {
        let run = self.program.run(batch.input.as_bytes(), limits, self.watch);
        Ok((self.count(batch, limits, run)?, limits))
    }

    fn limits(&self, batch: &Batch<J>) -> Limits {
        let expected = batch.cases.iter().map(|case| self.expected(case)).sum();
        let cases = batch.cases.len();
        self.limits_of(self.limit(cases, expected), cases)
    }

    /// This much processor time, and no more time by the clock than is left.
    fn limits_of(&self, time: Duration, cases: usize) -> Limits {
        let left = self.end.saturating_duration_since(Instant::now());
        let clock = time.saturating_mul(PATIENCE).min(left);
        Limits { time, clock, output: most_output(cases), memory: self.plan.memory }
    }

    /// A run of several cases has less time than each of them has alone, if earlier ones
    /// took much less: then it is soon known where a program hangs. A case that takes a good
    /// part of the limit is met alone, so that it is known how long it takes.
    fn limit(&self, cases: usize, expected: Duration) -> Duration {
        if cases == 1 {
            return self.plan.limit;
        }
        let most = self.start + (self.plan.limit / 4).max(LEAST_TIME).max(expected * 2);
        self.hoped_for(cases).max(LEAST_TIME).min(most).min(self.plan.limit)
    }

    /// What `cases` cases may take, if they are like those before, with time to spare.
    fn hoped_for(&self, cases: usize) -> Duration {
        let expected = self.slowest.saturating_mul(u32::try_from(cases).unwrap_or(u32::MAX));
        (self.start + expected).saturating_mul(SLACK)
    }

    /// Takes a run into account. [`Stopped`] if it was cut short by the end of all time, or by
    /// somebody: then nothing is known of it.
    fn count(&mut self, batch: &Batch<J>, limits: Limits, run: Result<Run, NoProgram>) -> Result<Run, NoTrial> {
        let run = run?;
        let cases = batch.cases.len();
        self.runs += 1;
        self.cases += cases as u64;
        self.memory = self.memory.max(run.memory);
        let slow = run.end == End::TimeLimit;
        // That one is slow is known when it is so again.
        if let ([case], End::Exited(_)) = (&batch.cases[..], run.end) {
            self.paces.add(self.judge.size(case).cells, run.own_time(), false);
        }
        // Its own time is not quite what it was when the run was cut.
        let cut_short = slow && run.time >= limits.clock && run.own_time() < limits.time.mul_f64(0.98);
        if cut_short {
            self.given_up = cases;
        }
        if run.end == End::Stopped || cut_short {
            return Err(NoTrial::Stopped(Stopped::Interrupted));
        }
        // Its stop is seen where there is time to look.
        let _ = self.watch.count(cases as u64);
        if !slow {
            self.start = self.start.min(run.own_time());
            let working = run.own_time().saturating_sub(self.start);
            self.explained += working;
            self.slowest = self.slowest.max(working / u32::try_from(cases).unwrap_or(u32::MAX));
        }
        Ok(run)
    }

    fn outcome(&mut self, batch: &Batch<J>, run: &Run, limits: Limits) -> Outcome<J::Answer> {
        let begin = Instant::now();
        let outcome = outcome(self.judge, run, &batch.right, limits);
        self.own_time += begin.elapsed();
        outcome
    }
}

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

    /// The first case, alone.
    fn first(&self, fault: Fault<J::Answer>, errors: String) -> Found<J> {
        Found { before: Vec::new(), case: self.cases[0].clone(), right: self.right[0], fault, errors }
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
