//! Chooses how to show that no option of a part has its nimber, with the fewest claims.

use balpan::Stopped;
use balpan_check::CheckError;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::untrusted::answers::Refutation;

use crate::know::Know;
use crate::shares::Shares;

/// Why there is no answer.
pub(crate) enum NoNumber {
    Stopped(Stopped),
    CheckError(CheckError),
}

impl From<Stopped> for NoNumber {
    fn from(stopped: Stopped) -> Self {
        Self::Stopped(stopped)
    }
}

impl From<CheckError> for NoNumber {
    fn from(failure: CheckError) -> Self {
        Self::CheckError(failure)
    }
}

/// Chooses answers about the options of one part after the other.
pub(crate) struct Numbers<'f> {
    family: &'f dyn Game,
    /// Options of the part that show that some option has each smaller nimber: by the move.
    smaller: Vec<(u32, u32)>,
    shares: Shares,
}

impl<'f> Numbers<'f> {
    pub(crate) fn new(family: &'f dyn Game) -> Self {
        Self { family, smaller: Vec::new(), shares: Shares::new() }
    }

    /// Begins with a part: chooses options that have the smaller nimbers, as far as what is claimed
    /// does not tell of others that do.
    pub(crate) fn begin(
        &mut self,
        part: &Position,
        nimber: u32,
        sums: &mut NimberClaims<'_>,
        know: &mut dyn Know,
    ) -> Result<(), NoNumber> {
        self.smaller.clear();
        self.shares.begin(*part);
        if nimber == 0 {
            return Ok(());
        }
        let mut is_met = vec![false; nimber as usize];
        let mut open: Vec<(f32, u32, u32, Vec<Position>)> = Vec::new();
        for (option, parts) in sums.options(part)? {
            let (claimed, unknown) = claimed(sums, parts)?;
            if unknown.is_empty() {
                if let Some(is_met) = is_met.get_mut(claimed as usize) {
                    *is_met = true;
                }
                continue;
            }
            open.push((self.cost(&unknown), option.number, claimed, unknown));
        }
        open.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        for less in (0..nimber).filter(|less| !is_met[*less as usize]) {
            let is_free = |number: &u32| self.smaller.iter().all(|(taken, _)| taken != number);
            let fitting = |(_, number, ..): &&(f32, u32, u32, Vec<Position>)| is_free(number);
            let options: Vec<_> = open.iter().filter(fitting).collect();
            let known = |know: &mut dyn Know| {
                options
                    .iter()
                    .find(|(.., claimed, unknown)| is_known(know, unknown, less ^ claimed))
                    .map(|option| option.1)
            };
            let mut found = known(know);
            if found.is_none() {
                know.search_again(part, less)?;
                found = known(know);
            }
            for (_, number, claimed, unknown) in options {
                if found.is_none() && adds_up(know, unknown, less ^ claimed)? {
                    found = Some(*number);
                }
            }
            self.smaller.extend(found.map(|number| (number, less)));
        }
        Ok(())
    }

    /// What claims of parts may cost: large ones lead to many more.
    fn cost(&mut self, parts: &[Position]) -> f32 {
        let family = self.family;
        let usual = |part: &Position| (family.layer(part) as f32 / 2.0).exp2();
        parts.iter().map(|part| self.shares.cost(part, usual(part))).sum()
    }

    /// Ends a certificate, and learns from it for the next.
    pub(crate) fn end(&mut self) {
        self.shares.end();
    }

    /// The parts that an answer leads to.
    pub(crate) fn lead(&mut self, parts: &[Position]) {
        parts.iter().for_each(|part| self.shares.lead(*part));
    }

    /// How an option is shown not to have the nimber, if it has not.
    pub(crate) fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        sums: &mut NimberClaims<'_>,
        know: &mut dyn Know,
    ) -> Result<Option<Refutation>, NoNumber> {
        if let Some((_, less)) = self.smaller.iter().find(|(number, _)| *number == option.number) {
            return Ok(Some(Refutation::Has(*less)));
        }
        // What is claimed already takes no claim more.
        let mut candidates: Vec<(f32, usize, u32, Vec<Position>)> = Vec::new();
        for (n, reply) in replies.iter().enumerate() {
            let parts = sums.parts(&reply.after)?;
            let (claimed, unknown) = claimed(sums, parts)?;
            if unknown.is_empty() {
                if claimed == nimber {
                    return Ok(Some(Refutation::Reply(n)));
                }
                continue;
            }
            candidates.push((self.cost(&unknown), n, nimber ^ claimed, unknown));
        }
        candidates.sort_unstable_by(|one, other| one.0.total_cmp(&other.0).then(one.1.cmp(&other.1)));
        let parts = sums.parts(&option.after)?;
        let (own, unknown) = claimed(sums, parts)?;
        let own_cost = self.cost(&unknown);
        for is_again in [false, true] {
            if is_again {
                know.search_again(&option.after, nimber)?;
            }
            let own_known = unknown.iter().try_fold(own, |sum, part| Some(sum ^ know.known(part)?));
            let own_known = own_known.filter(|own| *own < nimber);
            // What the solver knows takes no search.
            for (cost, n, wanted, unknown) in &candidates {
                if let Some(own) = own_known.filter(|_| own_cost < *cost) {
                    return Ok(Some(Refutation::Has(own)));
                }
                if is_known(know, unknown, *wanted) {
                    return Ok(Some(Refutation::Reply(*n)));
                }
            }
            if let Some(own) = own_known {
                return Ok(Some(Refutation::Has(own)));
            }
        }
        for (_, n, wanted, unknown) in &candidates {
            if adds_up(know, unknown, *wanted)? {
                return Ok(Some(Refutation::Reply(*n)));
            }
        }
        for less in 0..nimber {
            if adds_up(know, &unknown, less ^ own)? {
                return Ok(Some(Refutation::Has(less)));
            }
        }
        Ok(None)
    }
}

/// The sum of the nimbers that are claimed, and the other parts.
fn claimed(sums: &mut NimberClaims<'_>, parts: Vec<Position>) -> Result<(u32, Vec<Position>), CheckError> {
    let (mut sum, mut unknown) = (0, Vec::new());
    for part in parts {
        match sums.nimber(&part)? {
            Some(nimber) => sum ^= nimber,
            None => unknown.push(part),
        }
    }
    Ok((sum, unknown))
}

/// Whether the solver knows that the parts add up to this.
fn is_known(know: &mut dyn Know, parts: &[Position], wanted: u32) -> bool {
    let Some((last, others)) = parts.split_last() else { return wanted == 0 };
    let rest = others.iter().try_fold(wanted, |rest, part| Some(rest ^ know.known(part)?));
    rest.is_some_and(|rest| know.knows(last, rest) == Some(true))
}

/// Whether the parts add up to this.
fn adds_up(know: &mut dyn Know, parts: &[Position], wanted: u32) -> Result<bool, Stopped> {
    let Some((last, others)) = parts.split_last() else { return Ok(wanted == 0) };
    let mut rest = wanted;
    for part in others {
        rest ^= nimber(know, part)?;
    }
    know.has(last, rest)
}

/// The nimber of a part.
pub(crate) fn nimber(know: &mut dyn Know, part: &Position) -> Result<u32, Stopped> {
    if let Some(known) = know.known(part) {
        return Ok(known);
    }
    let mut nimber = 0;
    while !know.has(part, nimber)? {
        nimber += 1;
    }
    Ok(nimber)
}

/// A reply that leaves the nimber 0.
pub(crate) fn to_zero(replies: &[Move], know: &mut dyn Know) -> Result<Option<usize>, Stopped> {
    let known = replies.iter().position(|reply| know.knows(&reply.after, 0) == Some(true));
    if known.is_some() {
        return Ok(known);
    }
    for (n, reply) in replies.iter().enumerate() {
        if know.has(&reply.after, 0)? {
            return Ok(Some(n));
        }
    }
    Ok(None)
}
