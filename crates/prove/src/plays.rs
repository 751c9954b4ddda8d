//! Chooses the replies of a certificate so that it has the fewest claims.

use balpan::Stopped;
use balpan_check::trusted::claim::Guarantee;
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::play::EndgameSearch;
use balpan_check::untrusted::answers::{Method, Question};
use balpan_check::untrusted::meter::{Meter, Unmetered};
use balpan_check::untrusted::notation::Degree;
use rustc_hash::FxHashMap;

use crate::know::Know;
use crate::pairs::pairing;
use crate::shares::Shares;

/// The layer, tiles or free cells, up to which questions take little.
const QUICK_LAYER: u32 = 26;

/// Replies that are known to make sure, of which one is chosen.
const MOST_CONSIDERED: usize = 6;

/// The same where the lemma of places is a guide.
const FEW_CONSIDERED: usize = 2;

/// Positions that are searched for a reply at first, and if that is not enough for any.
const FEW_POSITIONS: u64 = 1 << 12;
const MORE_POSITIONS: u64 = 1 << 18;

/// The number of searches tried in a layer before it is given up.
const FEW_TRIES: u32 = 64;

/// Chooses replies.
pub(crate) struct Plays<'f> {
    family: &'f dyn Game,
    rules: Unmetered<'f>,
    search: EndgameSearch<'f>,
    /// Positions that the checker may search for a claim.
    settle: u64,
    /// What is to be sure of positions, and how that is shown, as far as it was asked.
    listed: FxHashMap<Position, (Guarantee, Method)>,
    /// By layer, searches that were tried, and how many settled a claim.
    tried: Vec<(u32, u32)>,
    shares: Shares,
}

/// How short the way on from a position is likely to be: the less, the shorter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Guess {
    /// By how many moves the claimer does not outlast the other player for sure.
    Behind(i32),
    /// The number of moves that have to be answered.
    Moves(usize),
}

/// A reply that is known to make sure: its number, and what it leads to.
type KnownReply = (Guess, usize, Position);

impl Guess {
    /// Whether no others need to be considered after the first `considered`.
    fn is_enough(self, considered: usize) -> bool {
        match self {
            Self::Behind(moves) => moves <= 0 || considered >= FEW_CONSIDERED,
            Self::Moves(_) => false,
        }
    }
}

/// A reply that makes sure.
struct Candidate {
    /// About the number of claims that it leads to.
    cost: f32,
    reply: usize,
    after: Position,
    /// How the position after it is shown.
    way: Method,
}

impl<'f> Plays<'f> {
    pub(crate) fn new(family: &'f dyn Game, settle: u64) -> Self {
        Self {
            family,
            rules: Unmetered::new(family),
            search: EndgameSearch::new(family, Meter::unlimited()),
            settle,
            listed: FxHashMap::default(),
            tried: vec![(0, 0); 256],
            shares: Shares::new(),
        }
    }

    /// How a claim is shown.
    pub(crate) fn method(&mut self, at: &Position, sure: Guarantee) -> Method {
        self.shares.begin(*at);
        match self.listed.remove(at) {
            Some((shown, way)) if shown >= sure => way,
            _ => self.settled(at, sure).map_or(Method::Moves, |(_, way)| way),
        }
    }

    /// How a claim is shown without its moves being answered, and what that costs.
    fn settled(&mut self, at: &Position, sure: Guarantee) -> Option<(u64, Method)> {
        if self.searched(at, sure) {
            return Some((self.settle - self.search.left, Method::Search));
        }
        self.paired(at, sure).map(|pairs| (self.settle, Method::Pairs(pairs)))
    }

    /// Pairs of cells that leave the other player no line, if there are any.
    fn paired(&self, at: &Position, sure: Guarantee) -> Option<Vec<(usize, usize)>> {
        let lines = if sure <= Guarantee::DRAW { self.family.lines_left(at) } else { None };
        pairing(&lines?)
    }

    /// Whether a search settles a claim. Layers where hardly any does are not searched.
    fn searched(&mut self, at: &Position, sure: Guarantee) -> bool {
        let layer = (self.family.layer(at) as usize).min(self.tried.len() - 1);
        let (tried, settled) = &mut self.tried[layer];
        if *tried > FEW_TRIES && *settled < *tried / 50 {
            return false;
        }
        let is_settled = self.search.is_sure(at, sure, self.settle) == Ok(Some(true));
        *tried += 1;
        *settled += u32::from(is_settled);
        is_settled
    }

    /// The best of the replies that make sure; `None` if there is none.
    pub(crate) fn reply(&mut self, question: &Question<'_>, know: &mut dyn Know) -> Result<Option<usize>, Stopped> {
        let then = question.guarantee.after_a_ply();
        let mut seen: Vec<(usize, Position)> = Vec::new();
        for (n, reply) in question.replies.iter().enumerate().filter(|(_, reply)| reply.end.is_none()) {
            let after = self.rules.canonical(&reply.after, then);
            // What is listed takes no claim more.
            if self.listed.get(&after).is_some_and(|(sure, _)| *sure >= then) {
                self.shares.lead(after);
                return Ok(Some(n));
            }
            seen.push((n, after));
        }
        // What the solver knows takes no search. If it knows of no reply, the first that it finds
        // has to do: others may take long.
        let mut best: Option<Candidate> = None;
        let (mut known, mut open) = (Vec::new(), Vec::new());
        if let Some((n, after, pairs)) =
            seen.iter().find_map(|&(n, after)| Some((n, after, self.paired(&after, then)?)))
        {
            // One claim, and soon checked.
            best = Some(Candidate { cost: 1.0, reply: n, after, way: Method::Pairs(pairs) });
        } else {
            (known, open) = self.sorted(&seen, then, know);
            if known.is_empty() {
                know.find(question.mv.map_or(question.at, |mv| &mv.after), then)?;
                (known, open) = self.sorted(&seen, then, know);
            }
        }
        known.sort_unstable();
        let mut considered = 0;
        for (guess, n, after) in known.into_iter().take(MOST_CONSIDERED) {
            self.consider(n, after, then, &mut best);
            considered += 1;
            if guess.is_enough(considered) {
                break;
            }
        }
        let mut open: Vec<_> = open.into_iter().map(|(n, after)| (self.guess_open(&after, then), n, after)).collect();
        open.sort_unstable();
        // A reply that takes long to be sure of is a long way to go.
        for positions in [FEW_POSITIONS, MORE_POSITIONS, u64::MAX] {
            if best.is_some() && positions > FEW_POSITIONS {
                break;
            }
            for &(guess, n, after) in &open {
                if best.is_some() && (self.family.layer(&after) > QUICK_LAYER || guess.is_enough(considered)) {
                    break;
                }
                if know.is_sure_within(&after, then, positions)? == Some(true) {
                    self.consider(n, after, then, &mut best);
                    considered += 1;
                }
            }
        }
        let Some(Candidate { reply, after, way, .. }) = best else { return Ok(None) };
        self.listed.insert(after, (then, way));
        self.shares.lead(after);
        Ok(Some(reply))
    }

    /// The replies that the solver knows to make sure, and those of which it does not know.
    fn sorted(
        &self,
        seen: &[(usize, Position)],
        then: Guarantee,
        know: &mut dyn Know,
    ) -> (Vec<KnownReply>, Vec<(usize, Position)>) {
        let (mut known, mut open) = (Vec::new(), Vec::new());
        for &(n, after) in seen {
            match know.knows_sure(&after, then) {
                Some(true) => known.push((self.guess(&after, then), n, after)),
                Some(false) => {}
                None => open.push((n, after)),
            }
        }
        (known, open)
    }

    /// How short the way on from a position is likely to be.
    fn guess(&self, after: &Position, then: Guarantee) -> Guess {
        if let Some(moves) = self.outlasts_by(after, then) {
            return Guess::Behind(-moves);
        }
        Guess::Moves(self.rules.moves(after).len())
    }

    /// The same without the number of moves: where many positions have to be searched for an answer, their
    /// order matters less than the solver's memory of those before.
    fn guess_open(&self, after: &Position, then: Guarantee) -> Guess {
        self.outlasts_by(after, then).map_or(Guess::Moves(0), |moves| Guess::Behind(-moves))
    }

    fn outlasts_by(&self, after: &Position, then: Guarantee) -> Option<i32> {
        if then.degree() == Some(Degree::Win) { self.rules.outlasts_by(after) } else { None }
    }

    /// Takes a reply that makes sure, if it costs less than the best so far.
    fn consider(&mut self, reply: usize, after: Position, then: Guarantee, best: &mut Option<Candidate>) {
        let (cost, way) = match self.settled(&after, then) {
            // One claim; of several the one that is checked soonest.
            Some((positions, way)) => (1.0 + positions as f32 / self.settle.max(1) as f32, way),
            None => {
                let usual = 2.0 + self.open_moves(&after, then) as f32;
                (self.shares.cost(&after, usual), Method::Moves)
            }
        };
        if best.as_ref().is_none_or(|best| cost < best.cost) {
            *best = Some(Candidate { cost, reply, after, way });
        }
    }

    /// Ends a certificate, and learns from it for the next.
    pub(crate) fn end(&mut self) {
        self.shares.end();
        self.listed.clear();
    }

    /// The number of moves that have no reply which ends play.
    fn open_moves(&self, at: &Position, sure: Guarantee) -> u64 {
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
