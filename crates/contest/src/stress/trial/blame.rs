//! Which case it is that a run fails on.

use balpan::Stopped;

use super::super::NoTrial;
use super::super::fault::{Fault, Outcome, outcome};
use super::{Batch, Found, RUNS_FOR_BEFORE, Trial};
use crate::judge::Judge;
use crate::program::Run;

impl<J: Judge> Trial<'_, J> {
    /// Which case of the batch it was.
    pub(super) fn blame(
        &mut self,
        batch: &Batch<J>,
        run: Run,
        outcome: Outcome<J::Answer>,
    ) -> Result<Option<Found<J>>, NoTrial> {
        match outcome {
            Outcome::Right => Ok(None),
            Outcome::Wrong(_, answer) if batch.cases.len() == 1 => {
                Ok(Some(batch.first(Fault::Wrong(answer), run.errors)))
            }
            Outcome::Broken(Fault::TimeLimit(_)) if batch.cases.len() == 1 => self.is_slow_again(batch),
            Outcome::Broken(fault) if batch.cases.len() == 1 => Ok(Some(batch.first(fault, run.errors))),
            Outcome::Wrong(case, answer) => match self.again(&batch.part(self.judge, case..case + 1))? {
                Some(found) => Ok(Some(found)),
                None => {
                    let part = batch.part(self.judge, 0..case + 1);
                    self.after_others(part, Fault::Wrong(answer), run.errors).map(Some)
                }
            },
            Outcome::Broken(fault) => {
                let (explained, took) = (self.explained, run.own_time());
                if matches!(fault, Fault::TimeLimit(_)) {
                    self.batch = self.batch.min(batch.cases.len().div_ceil(4));
                }
                let middle = batch.cases.len() / 2;
                for half in [0..middle, middle..batch.cases.len()] {
                    if let Some(found) = self.again(&batch.part(self.judge, half))? {
                        return Ok(Some(found));
                    }
                }
                let all = batch.part(self.judge, 0..batch.cases.len());
                match fault {
                    // Both together would take as long.
                    Fault::TimeLimit(_) if self.explained - explained >= took => Ok(None),
                    Fault::TimeLimit(_) => {
                        self.explained = explained;
                        self.hangs_together(all)
                    }
                    fault => self.after_others(all, fault, run.errors).map(Some),
                }
            }
        }
    }

    /// A case that took too long, maybe beside others: whether it does so once more, alone.
    fn is_slow_again(&mut self, batch: &Batch<J>) -> Result<Option<Found<J>>, NoTrial> {
        let (run, limits) = self.run(batch)?;
        match self.outcome(batch, &run, limits) {
            Outcome::Right => Ok(None),
            Outcome::Wrong(_, answer) => Ok(Some(batch.first(Fault::Wrong(answer), run.errors))),
            Outcome::Broken(fault) => {
                if let Fault::TimeLimit(limit) = fault {
                    self.paces.add(self.judge.size(&batch.cases[0]).cells, limit, true);
                }
                Ok(Some(batch.first(fault, run.errors)))
            }
        }
    }

    /// A batch that took too long, while its halves did not: whether it does so with as
    /// much time as they give hope for.
    fn hangs_together(&mut self, batch: Batch<J>) -> Result<Option<Found<J>>, NoTrial> {
        let cases = batch.cases.len();
        let limits = self.limits_of(self.plan.limit.max(self.hoped_for(cases)), cases);
        let (run, limits) = self.run_within(&batch, limits)?;
        match outcome(self.judge, &run, &batch.right, limits) {
            Outcome::Broken(fault @ Fault::TimeLimit(_)) => Ok(Some(batch.last(fault, run.errors))),
            Outcome::Right => Ok(None),
            other => self.blame(&batch, run, other),
        }
    }

    /// Whether the program is wrong on the case once more.
    pub(in super::super) fn is_wrong_again(&mut self, found: &Found<J>) -> Result<bool, NoTrial> {
        let batch = Batch::new(self.judge, vec![found.case.clone()], vec![found.right]);
        match self.run(&batch) {
            Ok((run, limits)) => Ok(!matches!(self.outcome(&batch, &run, limits), Outcome::Right)),
            // There is no time to ask.
            Err(NoTrial::Stopped(Stopped::Interrupted)) => Ok(true),
            Err(other) => Err(other),
        }
    }

    /// Which case of this part it was, if the part fails by itself.
    pub(super) fn again(&mut self, part: &Batch<J>) -> Result<Option<Found<J>>, NoTrial> {
        if !self.has_time_to_blame() {
            self.given_up = part.cases.len();
            return Err(NoTrial::Stopped(Stopped::Interrupted));
        }
        let (run, limits) = self.run(part)?;
        let outcome = self.outcome(part, &run, limits);
        self.blame(part, run, outcome)
    }

    /// A batch whose last case is answered wrongly, or which fails in all, while its parts
    /// do not: what the program keeps from one case to another. Leaves out what does not
    /// matter.
    fn after_others(&mut self, batch: Batch<J>, fault: Fault<J::Answer>, errors: String) -> Result<Found<J>, NoTrial> {
        let Some((mut fault, mut errors)) = self.fails_in_the_end(&batch)? else {
            return Ok(batch.last(Fault::Unsteady(Box::new(fault)), errors));
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
            if many == 0 || failing.cases.len() == 1 || !self.has_time_to_blame() {
                break;
            }
            let without = failing.without(self.judge, from..(from + many).min(failing.cases.len() - 1));
            match self.fails_in_the_end(&without) {
                Ok(Some(still)) => (failing, (fault, errors)) = (without, still),
                Ok(None) => from += many,
                Err(NoTrial::Stopped(Stopped::Interrupted)) => break,
                Err(other) => return Err(other),
            }
        }
        Ok(failing.last(fault, errors))
    }

    /// How a run on these cases fails, if it is not by an answer before the last.
    fn fails_in_the_end(&mut self, batch: &Batch<J>) -> Result<Option<Failure<J>>, NoTrial> {
        let (run, limits) = self.run(batch)?;
        let fault = match self.outcome(batch, &run, limits) {
            Outcome::Right | Outcome::Broken(Fault::TimeLimit(_)) => None,
            Outcome::Wrong(case, answer) => (case + 1 == batch.cases.len()).then_some(Fault::Wrong(answer)),
            Outcome::Broken(fault) => Some(fault),
        };
        Ok(fault.map(|fault| (fault, run.errors)))
    }
}

/// What a run does wrong, and the last that it wrote to its standard error.
type Failure<J> = (Fault<<J as Judge>::Answer>, String);
