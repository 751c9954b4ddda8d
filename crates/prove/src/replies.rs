//! Choosing replies so that a certificate has the fewest claims.

use balpan_check::CheckError;
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::play::EndgameSearch;
use balpan_check::untrusted::answers::{Method, Question};
use balpan_check::untrusted::meter::{Meter, Unmetered};
use balpan_check::untrusted::notation::Degree;
use rustc_hash::FxHashMap;

use crate::costs::ClaimCosts;
use crate::source::ResultSource;

/// The highest layer (tiles or free cells) in which searches are quick.
const MAX_QUICK_LAYER: u32 = 26;

/// The largest number of replies known to keep the guarantee that are compared.
const MAX_CONSIDERED: usize = 6;

/// The largest number of replies compared where the lemma of places orders them.
const MAX_CONSIDERED_BY_PLACES: usize = 2;

/// The positions that a search of a reply may take at first, and if no reply is found.
const FIRST_SEARCH_POSITIONS: u64 = 1 << 12;
const SECOND_SEARCH_POSITIONS: u64 = 1 << 18;

/// The number of searches tried in a layer before it can be given up.
const MIN_TRIES: u32 = 64;

/// Chooses replies.
pub(crate) struct ReplyChooser<'f> {
    family: &'f dyn Game,
    rules: Unmetered<'f>,
    search: EndgameSearch<'f>,
    /// The positions that the checker may search for a claim.
    settle: u64,
    /// The claims made so far that were not reached yet, and how each is shown.
    claims: FxHashMap<Position, (Guarantee, Method)>,
    /// By layer, the number of searches tried, and of those that settled a claim.
    tried: Vec<(u32, u32)>,
    costs: ClaimCosts,
}

/// An estimate of the further claims that a position needs; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guess {
    /// By how many moves the claimer falls short of outlasting the other player.
    Behind(i32),
    /// The number of moves that need an answer.
    Moves(usize),
}

/// A reply that is known to keep the guarantee: its index, and the position after it.
type KnownReply = (Guess, usize, Position);

impl Guess {
    /// Whether no further reply need be compared after the first `considered`.
    fn suffices(self, considered: usize) -> bool {
        match self {
            Self::Behind(moves) => moves <= 0 || considered >= MAX_CONSIDERED_BY_PLACES,
            Self::Moves(_) => false,
        }
    }
}

/// A reply that keeps the guarantee.
struct Candidate {
    /// The estimated number of claims that it needs.
    cost: f32,
    reply: usize,
    after: Position,
    /// How the claim about the position after it is shown.
    way: Method,
}

impl<'f> ReplyChooser<'f> {
    pub(crate) fn new(family: &'f dyn Game, settle: u64) -> Self {
        Self {
            family,
            rules: Unmetered::new(family),
            search: EndgameSearch::new(family, Meter::unlimited()),
            settle,
            claims: FxHashMap::default(),
            tried: vec![(0, 0); 256],
            costs: ClaimCosts::new(),
        }
    }

    /// Chooses how a claim is shown.
    pub(crate) fn method(&mut self, at: &Position, sure: Guarantee) -> Method {
        self.costs.begin(*at);
        match self.claims.remove(at) {
            Some((shown, way)) if shown >= sure => way,
            _ => self.settle_directly(at, sure).map_or(Method::Moves, |(_, way)| way),
        }
    }

    /// Chooses how a claim is shown without answering its moves, if possible, and returns the cost
    /// in positions.
    fn settle_directly(&mut self, at: &Position, sure: Guarantee) -> Option<(u64, Method)> {
        if self.search_settles(at, sure) {
            return Some((self.settle - self.search.left, Method::Search));
        }
        self.find_pairs(at, sure).map(|pairs| (self.settle, Method::Pairs(pairs)))
    }

    /// Finds pairs of cells that block all lines of the other player.
    fn find_pairs(&self, at: &Position, sure: Guarantee) -> Option<Vec<(usize, usize)>> {
        let lines = if sure <= Guarantee::DRAW { self.family.open_lines(at) } else { None };
        pairing(&lines?)
    }

    /// Whether a search settles a claim. Layers in which hardly any search does are skipped.
    fn search_settles(&mut self, at: &Position, sure: Guarantee) -> bool {
        let layer = (self.family.layer(at) as usize).min(self.tried.len() - 1);
        let (tried, settled) = &mut self.tried[layer];
        if *tried > MIN_TRIES && *settled < *tried / 50 {
            return false;
        }
        let is_settled = self.search.can_force(at, sure, self.settle) == Ok(Some(true));
        *tried += 1;
        *settled += u32::from(is_settled);
        is_settled
    }

    /// Chooses the cheapest reply that keeps the guarantee; `None` if there is none.
    pub(crate) fn reply(
        &mut self,
        question: &Question<'_>,
        source: &mut dyn ResultSource,
    ) -> Result<Option<usize>, CheckError> {
        let then = question.guarantee.after_a_ply();
        let mut seen: Vec<(usize, Position)> = Vec::new();
        for (n, reply) in question.replies.iter().enumerate().filter(|(_, reply)| reply.end.is_none()) {
            let after = self.rules.canonical(&reply.after, then);
            // An existing claim costs nothing more.
            if self.claims.get(&after).is_some_and(|(sure, _)| *sure >= then) {
                self.costs.record_lead(after);
                return Ok(Some(n));
            }
            seen.push((n, after));
        }
        // Known results take no search. If no reply is known, the first that a search finds has to
        // do: others may take long.
        let mut best: Option<Candidate> = None;
        let (mut known, mut open) = (Vec::new(), Vec::new());
        if let Some((n, after, pairs)) =
            seen.iter().find_map(|&(n, after)| Some((n, after, self.find_pairs(&after, then)?)))
        {
            // One claim, checked quickly.
            best = Some(Candidate { cost: 1.0, reply: n, after, way: Method::Pairs(pairs) });
        } else {
            (known, open) = self.split_by_knowledge(&seen, then, source);
            if known.is_empty() {
                source.search_move(question.mv.map_or(question.at, |mv| &mv.after), then)?;
                (known, open) = self.split_by_knowledge(&seen, then, source);
            }
        }
        known.sort_unstable();
        let mut considered = 0;
        for (guess, n, after) in known.into_iter().take(MAX_CONSIDERED) {
            self.consider(n, after, then, &mut best);
            considered += 1;
            if guess.suffices(considered) {
                break;
            }
        }
        let mut open: Vec<_> = open.into_iter().map(|(n, after)| (self.guess_open(&after, then), n, after)).collect();
        open.sort_unstable();
        // A reply that takes a long search needs many claims.
        for positions in [FIRST_SEARCH_POSITIONS, SECOND_SEARCH_POSITIONS, u64::MAX] {
            if best.is_some() && positions > FIRST_SEARCH_POSITIONS {
                break;
            }
            for &(guess, n, after) in &open {
                if best.is_some() && (self.family.layer(&after) > MAX_QUICK_LAYER || guess.suffices(considered)) {
                    break;
                }
                if source.can_force_within(&after, then, positions)? == Some(true) {
                    self.consider(n, after, then, &mut best);
                    considered += 1;
                }
            }
        }
        let Some(Candidate { reply, after, way, .. }) = best else { return Ok(None) };
        self.claims.insert(after, (then, way));
        self.costs.record_lead(after);
        Ok(Some(reply))
    }

    /// Splits replies into those known to keep the guarantee and those of unknown result.
    fn split_by_knowledge(
        &self,
        seen: &[(usize, Position)],
        then: Guarantee,
        source: &mut dyn ResultSource,
    ) -> (Vec<KnownReply>, Vec<(usize, Position)>) {
        let (mut known, mut open) = (Vec::new(), Vec::new());
        for &(n, after) in seen {
            match source.known_can_force(&after, then) {
                Some(true) => known.push((self.guess(&after, then), n, after)),
                Some(false) => {}
                None => open.push((n, after)),
            }
        }
        (known, open)
    }

    /// Estimates the further claims that a position needs.
    fn guess(&self, after: &Position, then: Guarantee) -> Guess {
        if let Some(moves) = self.outlasts_by(after, then) {
            return Guess::Behind(-moves);
        }
        Guess::Moves(self.rules.moves(after).len())
    }

    /// The same without counting moves: where many positions have to be searched, their order
    /// matters less than the solver's memory of earlier ones.
    fn guess_open(&self, after: &Position, then: Guarantee) -> Guess {
        self.outlasts_by(after, then).map_or(Guess::Moves(0), |moves| Guess::Behind(-moves))
    }

    fn outlasts_by(&self, after: &Position, then: Guarantee) -> Option<i32> {
        if then.degree() == Some(Degree::Win) { self.rules.outlasts_by(after) } else { None }
    }

    /// Keeps a reply if it costs less than the best so far.
    fn consider(&mut self, reply: usize, after: Position, then: Guarantee, best: &mut Option<Candidate>) {
        let (cost, way) = match self.settle_directly(&after, then) {
            // One claim; ties are broken by the time of the check.
            Some((positions, way)) => (1.0 + positions as f32 / self.settle.max(1) as f32, way),
            None => {
                let usual = 2.0 + self.unanswered_moves(&after, then) as f32;
                (self.costs.cost(&after, usual), Method::Moves)
            }
        };
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            *best = Some(Candidate { cost, reply, after, way });
        }
    }

    /// Ends a certificate, and updates the costs of claims for the next.
    pub(crate) fn end(&mut self) {
        self.costs.end();
        self.claims.clear();
    }

    /// The number of moves without a reply that ends play as required.
    fn unanswered_moves(&self, at: &Position, sure: Guarantee) -> u64 {
        let moves = self.rules.moves(at);
        let then = sure.after_a_ply().after_a_ply();
        let ends = |reply: &Move| reply.end.is_some_and(|end| then.is_met_by(-end));
        let mut open = 0;
        for mv in moves.iter().filter(|mv| mv.end.is_none()) {
            open += u64::from(!self.rules.moves(&mv.after).iter().any(ends));
        }
        open
    }
}

/// The largest number of positions of the search for pairs: it is quick where there are many more
/// cells than lines need.
const MAX_STEPS: u32 = 2000;

/// Finds disjoint pairs of cells such that each line, a set of free cells, has both cells of some
/// pair; `None` if the search fails.
pub(crate) fn pairing(lines: &[u128]) -> Option<Vec<(usize, usize)>> {
    let mut pairs = Vec::new();
    let mut steps = MAX_STEPS;
    block(lines.to_vec(), 0, &mut pairs, &mut steps).then_some(pairs)
}

/// Blocks the lines by pairs of cells that are not `taken`.
fn block(lines: Vec<u128>, taken: u128, pairs: &mut Vec<(usize, usize)>, steps: &mut u32) -> bool {
    // The line with the fewest cells left has the fewest pairs.
    let Some(line) = lines.iter().map(|line| line & !taken).min_by_key(|line| line.count_ones()) else {
        return true;
    };
    let cells: Vec<usize> = (0..128).filter(|cell| line >> cell & 1 == 1).collect();
    let mut ways = Vec::new();
    for (n, &a) in cells.iter().enumerate() {
        for &b in &cells[n + 1..] {
            let pair = 1 << a | 1 << b;
            ways.push((lines.iter().filter(|line| *line & pair == pair).count(), a, b));
        }
    }
    // Pairs that block the most lines come first.
    ways.sort_unstable_by(|one, other| other.cmp(one));
    for (_, a, b) in ways {
        if *steps == 0 {
            return false;
        }
        *steps -= 1;
        let pair = 1 << a | 1 << b;
        let left = lines.iter().copied().filter(|line| line & pair != pair).collect();
        pairs.push((a.min(b), a.max(b)));
        if block(left, taken | pair, pairs, steps) {
            return true;
        }
        pairs.pop();
    }
    false
}
