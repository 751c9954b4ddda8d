//! Choosing how to show that no option of a part has its nimber, with the fewest claims.

use balpan_check::CheckError;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::nimber::NimberClaims;
use balpan_check::untrusted::answers::Refutation;

use crate::costs::ClaimCosts;
use crate::source::ResultSource;

/// Chooses the answers about the options of parts.
pub(crate) struct RefutationChooser<'f> {
    family: &'f dyn Game,
    /// Options of the current part that are shown to have the smaller nimbers: the move's number
    /// and the nimber.
    smaller: Vec<(u32, u32)>,
    costs: ClaimCosts,
}

impl<'f> RefutationChooser<'f> {
    pub(crate) fn new(family: &'f dyn Game) -> Self {
        Self { family, smaller: Vec::new(), costs: ClaimCosts::new() }
    }

    /// Begins a part: chooses an option for each smaller nimber that no option is claimed to have
    /// yet.
    pub(crate) fn begin(
        &mut self,
        part: &Position,
        nimber: u32,
        sums: &mut NimberClaims<'_>,
        source: &mut dyn ResultSource,
    ) -> Result<(), CheckError> {
        self.smaller.clear();
        self.costs.begin(*part);
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
            let known = |source: &mut dyn ResultSource| {
                options
                    .iter()
                    .find(|(.., claimed, unknown)| sum_is_known(source, unknown, less ^ claimed))
                    .map(|option| option.1)
            };
            let mut found = known(source);
            if found.is_none() {
                source.search_again(part, less)?;
                found = known(source);
            }
            for (_, number, claimed, unknown) in options {
                if found.is_none() && sum_is(source, unknown, less ^ claimed)? {
                    found = Some(*number);
                }
            }
            self.smaller.extend(found.map(|number| (number, less)));
        }
        Ok(())
    }

    /// The expected cost of claims about parts: large parts need many further claims.
    fn cost(&mut self, parts: &[Position]) -> f32 {
        let family = self.family;
        let usual = |part: &Position| (family.layer(part) as f32 / 2.0).exp2();
        parts.iter().map(|part| self.costs.cost(part, usual(part))).sum()
    }

    /// Ends a certificate, and updates the costs of claims for the next.
    pub(crate) fn end(&mut self) {
        self.costs.end();
    }

    /// Records the parts that an answer makes claims about.
    pub(crate) fn record_leads(&mut self, parts: &[Position]) {
        parts.iter().for_each(|part| self.costs.record_lead(*part));
    }

    /// Chooses how an option is shown not to have the nimber; `None` if it has the nimber.
    pub(crate) fn refutation(
        &mut self,
        nimber: u32,
        option: &Move,
        replies: &[Move],
        sums: &mut NimberClaims<'_>,
        source: &mut dyn ResultSource,
    ) -> Result<Option<Refutation>, CheckError> {
        if let Some((_, less)) = self.smaller.iter().find(|(number, _)| *number == option.number) {
            return Ok(Some(Refutation::Has(*less)));
        }
        // An existing claim costs nothing more.
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
                source.search_again(&option.after, nimber)?;
            }
            let own_known = unknown.iter().try_fold(own, |sum, part| Some(sum ^ source.known_nimber(part)?));
            let own_known = own_known.filter(|own| *own < nimber);
            // Known nimbers take no search.
            for (cost, n, sum, unknown) in &candidates {
                if let Some(own) = own_known.filter(|_| own_cost < *cost) {
                    return Ok(Some(Refutation::Has(own)));
                }
                if sum_is_known(source, unknown, *sum) {
                    return Ok(Some(Refutation::Reply(*n)));
                }
            }
            if let Some(own) = own_known {
                return Ok(Some(Refutation::Has(own)));
            }
        }
        for (_, n, sum, unknown) in &candidates {
            if sum_is(source, unknown, *sum)? {
                return Ok(Some(Refutation::Reply(*n)));
            }
        }
        for less in 0..nimber {
            if sum_is(source, &unknown, less ^ own)? {
                return Ok(Some(Refutation::Has(less)));
            }
        }
        Ok(None)
    }
}

/// Returns the sum of the claimed nimbers, and the parts without a claim.
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

/// Whether the parts are known, without a search, to add up to this nimber.
fn sum_is_known(source: &mut dyn ResultSource, parts: &[Position], sum: u32) -> bool {
    let Some((last, others)) = parts.split_last() else { return sum == 0 };
    let rest = others.iter().try_fold(sum, |rest, part| Some(rest ^ source.known_nimber(part)?));
    rest.is_some_and(|rest| source.known_has_nimber(last, rest) == Some(true))
}

/// Whether the parts add up to this nimber.
fn sum_is(source: &mut dyn ResultSource, parts: &[Position], sum: u32) -> Result<bool, CheckError> {
    let Some((last, others)) = parts.split_last() else { return Ok(sum == 0) };
    let mut rest = sum;
    for part in others {
        rest ^= nimber(source, part)?;
    }
    source.has_nimber(last, rest)
}

/// The nimber of a part.
pub(crate) fn nimber(source: &mut dyn ResultSource, part: &Position) -> Result<u32, CheckError> {
    if let Some(known) = source.known_nimber(part) {
        return Ok(known);
    }
    let mut nimber = 0;
    while !source.has_nimber(part, nimber)? {
        nimber += 1;
    }
    Ok(nimber)
}

/// Finds a reply that leaves the nimber 0.
pub(crate) fn reply_to_zero(replies: &[Move], source: &mut dyn ResultSource) -> Result<Option<usize>, CheckError> {
    let known = replies.iter().position(|reply| source.known_has_nimber(&reply.after, 0) == Some(true));
    if known.is_some() {
        return Ok(known);
    }
    for (n, reply) in replies.iter().enumerate() {
        if source.has_nimber(&reply.after, 0)? {
            return Ok(Some(n));
        }
    }
    Ok(None)
}
