//! The cost of a claim: the number of claims that it needs.

use balpan::SplitMix;
use balpan_check::trusted::game::Position;
use rustc_hash::FxHashMap;

/// The costs of the claims of earlier certificates, and a record of the current one.
///
/// The cost of a claim is 1 for itself, and for each claim that it leads to, that claim's cost
/// divided equally among all claims that lead to it: so the costs at the root add up to the number
/// of claims.
pub(crate) struct ClaimCosts {
    /// The costs of claims of earlier certificates.
    costs: FxHashMap<Position, f32>,
    /// The claims of the current certificate, and which leads to which.
    claims: Vec<Position>,
    leads: Vec<(u32, Position)>,
    random: SplitMix,
    /// Whether the current certificate tries some claims without a known cost: every second one
    /// does.
    tries: bool,
}

impl ClaimCosts {
    pub(crate) fn new() -> Self {
        Self { costs: FxHashMap::default(), claims: Vec::new(), leads: Vec::new(), random: SplitMix(1), tries: false }
    }

    /// Begins the next claim.
    pub(crate) fn begin(&mut self, at: Position) {
        self.claims.push(at);
    }

    /// Records that the current claim leads to another one.
    pub(crate) fn record_lead(&mut self, to: Position) {
        if let Some(from) = self.claims.len().checked_sub(1) {
            self.leads.push((from as u32, to));
        }
    }

    /// The expected cost of a claim. If it was never made, that is `usual` at first, later a high
    /// cost, except for a random one in some, which costs 0 and is tried.
    pub(crate) fn cost(&mut self, at: &Position, usual: f32) -> f32 {
        if self.costs.is_empty() {
            return usual;
        }
        if let Some(cost) = self.costs.get(at) {
            return *cost;
        }
        if self.tries && self.random.below(TRIED_ONE_IN) == 0 { 0.0 } else { UNTRIED_COST + usual }
    }

    /// Ends the certificate, and averages its costs into the known ones.
    pub(crate) fn end(&mut self) {
        let index: FxHashMap<Position, u32> = self.claims.iter().zip(0..).map(|(at, n)| (*at, n)).collect();
        let mut met = vec![0_u32; self.claims.len()];
        for to in self.leads.iter().filter_map(|(_, to)| index.get(to)) {
            met[*to as usize] += 1;
        }
        let mut costs = vec![1.0_f32; self.claims.len()];
        // Claims lead to later ones only, and their leads are in order.
        for (from, to) in self.leads.iter().rev() {
            if let Some(&to) = index.get(to) {
                costs[*from as usize] += costs[to as usize] / met[to as usize] as f32;
            }
        }
        for (at, share) in self.claims.iter().zip(&costs) {
            let cost = self.costs.entry(*at).or_insert(*share);
            *cost = (*cost + share) / 2.0;
        }
        self.tries = !self.tries;
        self.claims.clear();
        self.leads.clear();
    }
}

/// One in this number of claims without a known cost is tried.
const TRIED_ONE_IN: usize = 16;

/// The extra cost of claims without a known cost: more than any known one.
const UNTRIED_COST: f32 = 1e9;
