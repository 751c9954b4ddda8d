//! Finds the case on which a run of several cases fails.

use balpan::Stopped;

use super::super::fault::{Fault, RunResult, check_run};
use super::super::{StressError, uninterrupted};
use super::{Batch, FailingCase, MAX_REDUCTION_RUNS, Trial};
use crate::judge::Judge;
use crate::program::Run;

impl<J: Judge> Trial<'_, J> {
    /// Finds the failing case of a batch by further runs. `None` if they do not fail.
    pub(super) fn blame(
        &mut self,
        batch: Batch<J>,
        run: Run,
        result: RunResult<J::Answer>,
    ) -> Result<Option<FailingCase<J>>, StressError> {
        match result {
            RunResult::Right => Ok(None),
            RunResult::Wrong(_, answer) if batch.cases.len() == 1 => {
                Ok(Some(batch.fail_last(Fault::Wrong(answer), run.errors)))
            }
            RunResult::Failed(Fault::TimeLimit(_)) if batch.cases.len() == 1 => self.rerun_slow(batch),
            RunResult::Failed(fault) if batch.cases.len() == 1 => Ok(Some(batch.fail_last(fault, run.errors))),
            RunResult::Wrong(case, answer) => match self.rerun(batch.part(self.judge, case..case + 1))? {
                Some(failing) => Ok(Some(failing)),
                None => {
                    let part = batch.part(self.judge, 0..case + 1);
                    self.reduce_earlier_cases(part, Fault::Wrong(answer), run.errors).map(Some)
                }
            },
            RunResult::Failed(fault) => {
                let (working, took) = (self.working, run.own_time());
                if matches!(fault, Fault::TimeLimit(_)) {
                    self.batch_size = self.batch_size.min(batch.cases.len().div_ceil(4));
                }
                let middle = batch.cases.len() / 2;
                for half in [0..middle, middle..batch.cases.len()] {
                    if let Some(failing) = self.rerun(batch.part(self.judge, half))? {
                        return Ok(Some(failing));
                    }
                }
                match fault {
                    // The halves took as long as the whole: none of the cases hangs.
                    Fault::TimeLimit(_) if self.working - working >= took => Ok(None),
                    Fault::TimeLimit(_) => {
                        self.working = working;
                        self.rerun_with_more_time(batch)
                    }
                    fault => self.reduce_earlier_cases(batch, fault, run.errors).map(Some),
                }
            }
        }
    }

    /// Runs a case that took too long once more, alone.
    fn rerun_slow(&mut self, batch: Batch<J>) -> Result<Option<FailingCase<J>>, StressError> {
        let (run, limits) = self.run(&batch)?;
        match self.check(&batch, &run, limits) {
            RunResult::Right => Ok(None),
            RunResult::Wrong(_, answer) => Ok(Some(batch.fail_last(Fault::Wrong(answer), run.errors))),
            RunResult::Failed(fault) => {
                if let Fault::TimeLimit(limit) = fault {
                    self.timings.add(self.judge.size(&batch.cases[0]).cells, limit, true);
                }
                Ok(Some(batch.fail_last(fault, run.errors)))
            }
        }
    }

    /// Runs a batch that took too long, while its halves did not, with as much time as they suggest.
    fn rerun_with_more_time(&mut self, batch: Batch<J>) -> Result<Option<FailingCase<J>>, StressError> {
        let cases = batch.cases.len();
        let limits = self.limits_with_time(self.options.time_limit.max(self.generous_time(cases)), cases);
        let (run, limits) = self.run_with_limits(&batch, limits)?;
        match check_run(self.judge, &run, &batch.right, limits) {
            RunResult::Failed(fault @ Fault::TimeLimit(_)) => Ok(Some(batch.fail_last(fault, run.errors))),
            RunResult::Right => Ok(None),
            other => self.blame(batch, run, other),
        }
    }

    /// Whether the program fails on the case once more; `true` if there is no time for a run.
    pub(in super::super) fn fails_again(&mut self, failing: &FailingCase<J>) -> Result<bool, StressError> {
        let batch = Batch::new(self.judge, vec![failing.case.clone()], vec![failing.right.clone()]);
        let run = uninterrupted(self.run(&batch))?;
        Ok(run.is_none_or(|(run, limits)| !matches!(self.check(&batch, &run, limits), RunResult::Right)))
    }

    /// Runs a part of a batch and finds the failing case, if the part fails.
    pub(super) fn rerun(&mut self, part: Batch<J>) -> Result<Option<FailingCase<J>>, StressError> {
        if !self.has_time_to_blame() {
            self.given_up = part.cases.len();
            return Err(StressError::Stopped(Stopped::Interrupted));
        }
        let (run, limits) = self.run(&part)?;
        let result = self.check(&part, &run, limits);
        self.blame(part, run, result)
    }

    /// Reduces a batch that fails, or whose last answer is wrong, while its parts do not fail: the program
    /// keeps state from case to case. Leaves out earlier cases that do not matter, in ever smaller groups.
    fn reduce_earlier_cases(
        &mut self,
        batch: Batch<J>,
        fault: Fault<J::Answer>,
        errors: String,
    ) -> Result<FailingCase<J>, StressError> {
        let Some((mut fault, mut errors)) = self.fault_at_end(&batch)? else {
            return Ok(batch.fail_last(Fault::Flaky(Box::new(fault)), errors));
        };
        let mut failing = batch;
        let mut count = failing.cases.len() / 2;
        let mut from = 0;
        for _ in 0..MAX_REDUCTION_RUNS {
            // The last case stays.
            if from + 1 >= failing.cases.len() {
                from = 0;
                count /= 2;
            }
            if count == 0 || failing.cases.len() == 1 || !self.has_time_to_blame() {
                break;
            }
            let without = failing.without(self.judge, from..(from + count).min(failing.cases.len() - 1));
            match uninterrupted(self.fault_at_end(&without))? {
                Some(Some(still)) => (failing, (fault, errors)) = (without, still),
                Some(None) => from += count,
                None => break,
            }
        }
        Ok(failing.fail_last(fault, errors))
    }

    /// Runs the cases and returns the fault with the end of standard error, unless an answer before the
    /// last is wrong.
    fn fault_at_end(&mut self, batch: &Batch<J>) -> Result<Option<FaultAndErrors<J>>, StressError> {
        let (run, limits) = self.run(batch)?;
        let fault = match self.check(batch, &run, limits) {
            RunResult::Right | RunResult::Failed(Fault::TimeLimit(_)) => None,
            RunResult::Wrong(case, answer) => (case + 1 == batch.cases.len()).then_some(Fault::Wrong(answer)),
            RunResult::Failed(fault) => Some(fault),
        };
        Ok(fault.map(|fault| (fault, run.errors)))
    }
}

/// A fault, with the end of standard error.
type FaultAndErrors<J> = (Fault<<J as Judge>::Answer>, String);
