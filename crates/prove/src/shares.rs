//! The cost of a claim: the number of further claims that it needs.

use balpan::SplitMix;
use balpan_check::trusted::game::Position;
use rustc_hash::FxHashMap;

/// What each claim of the last certificate cost, and how this one goes.
///
/// A claim's share is itself, and of each claim that it leads to an equal part with all others
/// that lead there: so the shares at the top add up to the number of claims.
pub(crate) struct Shares {
    /// What claims of certificates before this one cost.
    costs: FxHashMap<Position, f32>,
    /// The claims of this one, and which leads to which.
    claims: Vec<Position>,
    leads: Vec<(u32, Position)>,
    random: SplitMix,
    /// Whether this certificate tries claims that were never made: every other one does.
    tries: bool,
}

impl Shares {
    pub(crate) fn new() -> Self {
        Self { costs: FxHashMap::default(), claims: Vec::new(), leads: Vec::new(), random: SplitMix(1), tries: false }
    }

    /// Begins with the next claim.
    pub(crate) fn begin(&mut self, at: Position) {
        self.claims.push(at);
    }

    /// The claim that was begun leads to another one.
    pub(crate) fn lead(&mut self, to: Position) {
        if let Some(from) = self.claims.len().checked_sub(1) {
            self.leads.push((from as u32, to));
        }
    }

    /// What a claim will cost, where it was made before. Of others, which cost about as much as
    /// `usual`, one in some is tried.
    pub(crate) fn cost(&mut self, at: &Position, usual: f32) -> f32 {
        if self.costs.is_empty() {
            return usual;
        }
        if let Some(cost) = self.costs.get(at) {
            return *cost;
        }
        if self.tries && self.random.below(ONE_IN) == 0 { 0.0 } else { UNTRIED + usual }
    }

    /// Ends the certificate, and learns from it.
    pub(crate) fn end(&mut self) {
        let index: FxHashMap<Position, u32> = self.claims.iter().zip(0..).map(|(at, n)| (*at, n)).collect();
        let mut met = vec![0_u32; self.claims.len()];
        for to in self.leads.iter().filter_map(|(_, to)| index.get(to)) {
            met[*to as usize] += 1;
        }
        let mut shares = vec![1.0_f32; self.claims.len()];
        // Claims lead to later ones only, and their leads are in order.
        for (from, to) in self.leads.iter().rev() {
            if let Some(&to) = index.get(to) {
                shares[*from as usize] += shares[to as usize] / met[to as usize] as f32;
            }
        }
        for (at, share) in self.claims.iter().zip(&shares) {
            let cost = self.costs.entry(*at).or_insert(*share);
            *cost = (*cost + share) / 2.0;
        }
        self.tries = !self.tries;
        self.claims.clear();
        self.leads.clear();
    }
}

/// One in this number of claims that were never made is tried.
const ONE_IN: usize = 16;

/// What others seem to cost: more than all that were made.
const UNTRIED: f32 = 1e9;
