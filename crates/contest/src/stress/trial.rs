//! Runs of the program under test, with many cases in a run and several runs at a time.

mod blame;

use std::ops::Range;
use std::thread;
use std::time::{Duration, Instant};

use balpan::{Stopped, Watch};

use super::fault::{Fault, RunResult, check_run, max_output_bytes, parse_answers};
use super::report::Timings;
use super::{StressError, StressOptions, uninterrupted};
use crate::judge::{Judge, Reference};
use crate::program::{End, Limits, Program, ProgramError, Run};

/// Runs of the program under test, with the measurements that plan the next ones.
pub(super) struct Trial<'a, J: Judge> {
    pub(super) judge: &'a J,
    program: &'a Program,
    options: &'a StressOptions,
    watch: &'a Watch,
    reference: Reference<'a, J>,
    /// The end of the present stage.
    deadline: Instant,
    /// The end of the test.
    end: Instant,
    /// The number of cases in the next run.
    batch_size: usize,
    /// The time to start the program: that of the shortest run.
    startup: Duration,
    /// The largest average time of a case in a run, without the startup.
    slowest: Duration,
    /// The total time of runs within the limits, without the startups.
    working: Duration,
    /// The number of cases in all runs.
    pub(super) cases: u64,
    /// The number of runs.
    pub(super) runs: u64,
    /// The number of cases of a run that took too long and could not be investigated for lack of time.
    pub(super) given_up: usize,
    /// The time for drawing cases, answering them exactly, and comparing.
    pub(super) own_time: Duration,
    /// The times of single cases.
    pub(super) timings: Timings,
    /// The largest memory of a run in bytes.
    pub(super) memory: Option<u64>,
}

/// A case on which the program is wrong.
#[derive(Debug)]
pub(super) struct FailingCase<J: Judge> {
    /// Earlier cases of the same run, without which the answer is right.
    pub(super) before: Vec<J::Case>,
    pub(super) case: J::Case,
    pub(super) right: J::Answer,
    pub(super) fault: Fault<J::Answer>,
    /// The end of the program's standard error.
    pub(super) errors: String,
}

/// The intended length of a run without the startup: short enough to stop soon, long enough for the
/// startup not to matter.
const TARGET_RUN: Duration = Duration::from_millis(700);
/// The default for the most cases of a run.
const DEFAULT_MAX_BATCH: usize = 4096;
/// The least time limit of a run of several cases, however quick the earlier ones were.
const MIN_RUN_LIMIT: Duration = Duration::from_millis(500);
/// The time limit of a run of several cases, as a multiple of the time that earlier runs suggest.
const LIMIT_FACTOR: u32 = 20;
/// The most runs for finding out which earlier cases matter to a later one.
const MAX_REDUCTION_RUNS: usize = 60;
/// The limit of a run by the clock, as a multiple of its time limit: the machine may be busy.
const CLOCK_FACTOR: u32 = 3;

impl<'a, J: Judge> Trial<'a, J> {
    pub(super) fn new(
        judge: &'a J,
        program: &'a Program,
        options: &'a StressOptions,
        watch: &'a Watch,
        end: Instant,
    ) -> Self {
        Self {
            judge,
            program,
            options,
            watch,
            reference: judge.reference(watch),
            deadline: end,
            end,
            batch_size: 1,
            startup: options.time_limit,
            slowest: Duration::ZERO,
            working: Duration::ZERO,
            cases: 0,
            runs: 0,
            given_up: 0,
            own_time: Duration::ZERO,
            timings: Timings::default(),
            memory: None,
        }
    }

    pub(super) fn has_time(&self) -> bool {
        Instant::now() < self.deadline && !self.watch.is_stopping()
    }

    /// Returns the time to the end of the present stage.
    pub(super) fn time_left(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Whether there is time to find the case on which a run fails: until the end of the test.
    fn has_time_to_blame(&self) -> bool {
        Instant::now() < self.end && !self.watch.is_stopping()
    }

    /// Sets the end of the present stage, at most the end of the test.
    pub(super) fn set_deadline(&mut self, deadline: Instant) {
        self.deadline = deadline.min(self.end);
    }

    /// Makes the next runs of one case each, which may take the whole time limit.
    pub(super) fn run_single_cases(&mut self) {
        self.batch_size = 1;
    }

    /// Returns the exact answer.
    pub(super) fn right(&mut self, case: &J::Case) -> Result<J::Answer, Stopped> {
        (self.reference)(case)
    }

    /// Draws the cases of the next parallel runs: at most `max` in all, and fewer in a run if they take
    /// long.
    pub(super) fn draw(&mut self, cases: &mut impl Iterator<Item = J::Case>, max: u64) -> Vec<Vec<J::Case>> {
        let begin = Instant::now();
        let mut left = max;
        let mut batches = Vec::new();
        for _ in 0..self.options.threads {
            let mut batch = Vec::new();
            let mut expected = Duration::ZERO;
            while batch.len() < self.batch_size && left > 0 && expected < self.target_run() {
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

    /// Estimates the time of a case without the startup from the timings of single cases.
    fn expected(&self, case: &J::Case) -> Duration {
        self.timings.expected(self.judge.size(case).cells).saturating_sub(self.startup)
    }

    /// Returns the intended length of a run without the startup.
    fn target_run(&self) -> Duration {
        TARGET_RUN.min(self.options.time_limit / 8)
    }

    /// Tries `cases` in order up to the first failing one, or to the deadline.
    pub(super) fn try_all(&mut self, cases: impl IntoIterator<Item = J::Case>) -> Result<SearchResult<J>, StressError> {
        let mut cases = cases.into_iter();
        loop {
            let batches = self.draw(&mut cases, u64::MAX);
            if batches.is_empty() {
                return Ok(SearchResult { failing: None, all_right: true });
            }
            if !self.has_time() {
                return Ok(SearchResult { failing: None, all_right: false });
            }
            match uninterrupted(self.first_failure(batches))? {
                Some(None) => {}
                failing => return Ok(SearchResult { failing: failing.flatten(), all_right: false }),
            }
        }
    }

    /// Runs the batches in parallel and returns the first failing case.
    pub(super) fn first_failure(&mut self, batches: Vec<Vec<J::Case>>) -> Result<Option<FailingCase<J>>, StressError> {
        let begin = Instant::now();
        let mut prepared = Vec::with_capacity(batches.len());
        for cases in batches {
            let right: Result<Vec<_>, _> = cases.iter().map(|case| self.right(case)).collect();
            prepared.push(Batch::new(self.judge, cases, right?));
        }
        self.own_time += begin.elapsed();
        let runs = self.run_parallel(&prepared);
        let mut longest = Duration::ZERO;
        for (batch, (limits, run)) in prepared.into_iter().zip(runs) {
            let run = self.record(&batch, limits, run)?;
            longest = longest.max(run.time);
            let result = self.check(&batch, &run, limits);
            if let Some(failing) = self.blame(batch, run, result)? {
                return Ok(Some(failing));
            }
        }
        self.adapt_batch_size(longest);
        Ok(None)
    }

    /// Tries one case in a run of its own.
    pub(super) fn try_alone(&mut self, case: J::Case) -> Result<Option<FailingCase<J>>, StressError> {
        let right = self.right(&case)?;
        let batch = Batch::new(self.judge, vec![case], vec![right]);
        self.rerun(batch)
    }

    /// Counts the program's answers to `cases`; `None` if it fails.
    pub(super) fn count_answers(&mut self, cases: &[J::Case]) -> Result<Option<usize>, StressError> {
        let (run, _) = self.run(&Batch::new(self.judge, cases.to_vec(), Vec::new()))?;
        Ok((run.end == End::Exited(0)).then(|| parse_answers(self.judge, &run).count()))
    }

    /// Returns the program's answers to `cases`, as far as it gives any. A run that fails is repeated in
    /// halves.
    pub(super) fn answers(&mut self, cases: &[J::Case]) -> Result<Vec<Option<J::Answer>>, StressError> {
        if cases.is_empty() {
            return Ok(Vec::new());
        }
        if cases.len() > self.max_batch() || !self.has_time() {
            let (part, rest) = cases.split_at(cases.len().min(self.max_batch()));
            let mut answers = if self.has_time() { self.answers(part)? } else { vec![None; part.len()] };
            answers.extend(self.answers(rest)?);
            return Ok(answers);
        }
        let batch = Batch::new(self.judge, cases.to_vec(), Vec::new());
        let (run, _) = self.run(&batch)?;
        let answers: Vec<_> = parse_answers(self.judge, &run).map(|(_, answer)| answer).collect();
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

    /// Returns the most cases of one run.
    pub(super) fn max_batch(&self) -> usize {
        self.options.batch.or(self.judge.info().max_cases).unwrap_or(DEFAULT_MAX_BATCH).max(1)
    }

    /// Sets the number of cases of the next runs so that they take the intended time.
    fn adapt_batch_size(&mut self, longest: Duration) {
        let working = longest.saturating_sub(self.startup).as_secs_f64();
        let factor = (self.target_run().as_secs_f64() / working.max(1e-6)).clamp(0.5, 8.0);
        self.batch_size = ((self.batch_size as f64 * factor) as usize).clamp(1, self.max_batch());
    }

    fn run_parallel(&self, batches: &[Batch<J>]) -> Vec<(Limits, Result<Run, ProgramError>)> {
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

    fn run(&mut self, batch: &Batch<J>) -> Result<(Run, Limits), StressError> {
        self.run_with_limits(batch, self.limits(batch))
    }

    fn run_with_limits(&mut self, batch: &Batch<J>, limits: Limits) -> Result<(Run, Limits), StressError> {
        let run = self.program.run(batch.input.as_bytes(), limits, self.watch);
        Ok((self.record(batch, limits, run)?, limits))
    }

    fn limits(&self, batch: &Batch<J>) -> Limits {
        let expected = batch.cases.iter().map(|case| self.expected(case)).sum();
        let cases = batch.cases.len();
        self.limits_with_time(self.time_limit(cases, expected), cases)
    }

    /// Returns limits with this time, and with a clock limit that does not exceed the time left.
    fn limits_with_time(&self, time: Duration, cases: usize) -> Limits {
        let left = self.end.saturating_duration_since(Instant::now());
        let clock = time.saturating_mul(CLOCK_FACTOR).min(left);
        Limits { time, clock, output: max_output_bytes(cases), memory: self.options.memory_limit }
    }

    /// Returns the time limit of a run. If earlier cases were quick, a run of several cases has less time
    /// than one case alone, so a program that hangs is found soon. A case that takes a good part of the
    /// time limit exceeds this, and is then measured alone.
    fn time_limit(&self, cases: usize, expected: Duration) -> Duration {
        if cases == 1 {
            return self.options.time_limit;
        }
        let max = self.startup + (self.options.time_limit / 4).max(MIN_RUN_LIMIT).max(expected * 2);
        self.generous_time(cases).max(MIN_RUN_LIMIT).min(max).min(self.options.time_limit)
    }

    /// Returns a generous time for this number of cases, if they are like the earlier ones.
    fn generous_time(&self, cases: usize) -> Duration {
        let expected = self.slowest.saturating_mul(u32::try_from(cases).unwrap_or(u32::MAX));
        (self.startup + expected).saturating_mul(LIMIT_FACTOR)
    }

    /// Records the measurements of a run. Returns [`Stopped`] if the end of the test or the watch cut it
    /// short, so that it says nothing about the program.
    fn record(&mut self, batch: &Batch<J>, limits: Limits, run: Result<Run, ProgramError>) -> Result<Run, StressError> {
        let run = run?;
        let cases = batch.cases.len();
        self.runs += 1;
        self.cases += cases as u64;
        self.memory = self.memory.max(run.memory);
        let slow = run.end == End::TimeLimit;
        // A slow case is recorded after its second run.
        if let ([case], End::Exited(_)) = (&batch.cases[..], run.end) {
            self.timings.add(self.judge.size(case).cells, run.own_time(), false);
        }
        // The waiting time was measured shortly before the run was cut, so 2% are tolerated.
        let cut_short = slow && run.time >= limits.clock && run.own_time() < limits.time.mul_f64(0.98);
        if cut_short {
            self.given_up = cases;
        }
        if run.end == End::Stopped || cut_short {
            return Err(StressError::Stopped(Stopped::Interrupted));
        }
        // A stop is noticed by `has_time`.
        let _ = self.watch.count(cases as u64);
        if !slow {
            self.startup = self.startup.min(run.own_time());
            let working = run.own_time().saturating_sub(self.startup);
            self.working += working;
            self.slowest = self.slowest.max(working / u32::try_from(cases).unwrap_or(u32::MAX));
        }
        Ok(run)
    }

    fn check(&mut self, batch: &Batch<J>, run: &Run, limits: Limits) -> RunResult<J::Answer> {
        let begin = Instant::now();
        let result = check_run(self.judge, run, &batch.right, limits);
        self.own_time += begin.elapsed();
        result
    }
}

/// The result of [`Trial::try_all`].
pub(super) struct SearchResult<J: Judge> {
    pub(super) failing: Option<FailingCase<J>>,
    /// Whether all cases were tried and answered rightly.
    pub(super) all_right: bool,
}

/// The cases of a run, at least one.
struct Batch<J: Judge> {
    cases: Vec<J::Case>,
    right: Vec<J::Answer>,
    input: String,
}

impl<J: Judge> Batch<J> {
    fn new(judge: &J, cases: Vec<J::Case>, right: Vec<J::Answer>) -> Self {
        Self { input: judge.write(&cases), cases, right }
    }

    /// Returns the last case as failing after the others, if there are any.
    fn fail_last(mut self, fault: Fault<J::Answer>, errors: String) -> FailingCase<J> {
        let last = self.cases.len() - 1;
        let case = self.cases.remove(last);
        FailingCase { before: self.cases, case, right: self.right.swap_remove(last), fault, errors }
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
