//! Which replies a certificate makes: those that leave it the fewest claims.

use balpan::Stopped;
use balpan_check::answers::{Question, Way};
use balpan_check::family::{Family, Move, Position, canonical};
use balpan_check::play::Search;
use balpan_check::sure::Sure;
use rustc_hash::FxHashMap;

use crate::know::Know;
use crate::pairs::pairing;
use crate::shares::Shares;

/// The layer, tiles or free cells, up to which questions take little.
const QUICK_LAYER: u32 = 26;

/// Replies that are known to make sure, of which one is chosen.
const MOST_CONSIDERED: usize = 6;

/// So many searches are tried in a layer before it is given up.
const FEW_TRIES: u32 = 64;

/// Chooses replies.
pub(crate) struct Plays<'f> {
    family: &'f dyn Family,
    search: Search<'f>,
    /// A list to use again.
    moves: Vec<Move>,
    /// Positions that the checker may search for a claim.
    settle: u64,
    /// What is to be sure of positions, and how that is shown, as far as it was asked.
    listed: FxHashMap<Position, (Sure, Way)>,
    /// By layer, searches that were tried, and how many settled a claim.
    tried: Vec<(u32, u32)>,
    shares: Shares,
}

/// A reply that makes sure.
struct Candidate {
    /// About the number of claims that it leads to.
    cost: f32,
    reply: usize,
    after: Position,
    /// How the position after it is shown.
    way: Way,
}

impl<'f> Plays<'f> {
    pub(crate) fn new(family: &'f dyn Family, settle: u64) -> Self {
        Self {
            family,
            search: Search::new(family),
            moves: Vec::new(),
            settle,
            listed: FxHashMap::default(),
            tried: vec![(0, 0); 256],
            shares: Shares::new(),
        }
    }

    /// How a claim is shown.
    pub(crate) fn way(&mut self, at: &Position, sure: Sure) -> Way {
        self.shares.begin(*at);
        match self.listed.remove(at) {
            Some((shown, way)) if shown >= sure => way,
            _ => self.settled(at, sure).map_or(Way::Moves, |(_, way)| way),
        }
    }

    /// How a claim is shown without its moves being answered, and what that costs.
    fn settled(&mut self, at: &Position, sure: Sure) -> Option<(u64, Way)> {
        if self.searched(at, sure) {
            return Some((self.settle - self.search.left(), Way::Search));
        }
        let lines = if sure.is_at_most_a_draw() { self.family.lines_left(at) } else { None };
        lines.and_then(|lines| pairing(&lines)).map(|pairs| (self.settle, Way::Pairs(pairs)))
    }

    /// Whether a search settles a claim. Layers where hardly any does are not searched.
    fn searched(&mut self, at: &Position, sure: Sure) -> bool {
        let layer = (self.family.layer(at) as usize).min(self.tried.len() - 1);
        let (tried, settled) = &mut self.tried[layer];
        if *tried > FEW_TRIES && *settled < *tried / 50 {
            return false;
        }
        let is_settled = self.search.is_sure(at, sure, self.settle) == Some(true);
        *tried += 1;
        *settled += u32::from(is_settled);
        is_settled
    }

    /// The best of the replies that make sure; `None` if there is none.
    pub(crate) fn reply(&mut self, question: &Question<'_>, know: &mut dyn Know) -> Result<Option<usize>, Stopped> {
        let then = question.sure.after_a_ply();
        let mut seen: Vec<(usize, Position)> = Vec::new();
        for (n, reply) in question.replies.iter().enumerate().filter(|(_, reply)| reply.end.is_none()) {
            let after = canonical(self.family, &reply.after);
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
        for (n, after) in seen {
            match know.knows_sure(&after, then) {
                Some(true) => {
                    self.family.moves(&after, &mut self.moves);
                    known.push((self.moves.len(), n, after));
                }
                Some(false) => {}
                None => open.push((n, after)),
            }
        }
        // Those that leave the fewest moves are the likeliest to be short.
        known.sort_unstable();
        for (_, n, after) in known.into_iter().take(MOST_CONSIDERED) {
            self.consider(n, after, then, &mut best);
        }
        for (n, after) in open {
            if best.is_some() && self.family.layer(&after) > QUICK_LAYER {
                break;
            }
            if know.is_sure(&after, then)? {
                self.consider(n, after, then, &mut best);
            }
        }
        let Some(Candidate { reply, after, way, .. }) = best else { return Ok(None) };
        self.listed.insert(after, (then, way));
        self.shares.lead(after);
        Ok(Some(reply))
    }

    /// Takes a reply that makes sure, if it costs less than the best so far.
    fn consider(&mut self, reply: usize, after: Position, then: Sure, best: &mut Option<Candidate>) {
        let (cost, way) = match self.settled(&after, then) {
            // One claim; of several the one that is checked soonest.
            Some((positions, way)) => (1.0 + positions as f32 / self.settle.max(1) as f32, way),
            None => {
                let usual = 2.0 + self.open_moves(&after, then) as f32;
                (self.shares.cost(&after, usual), Way::Moves)
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
    fn open_moves(&self, at: &Position, sure: Sure) -> u64 {
        let (mut moves, mut replies) = (Vec::new(), Vec::new());
        self.family.moves(at, &mut moves);
        let then = sure.after_a_ply().after_a_ply();
        let ends = |reply: &Move| reply.end.is_some_and(|end| then.is_met_by(-end));
        let mut open = 0;
        for mv in moves.iter().filter(|mv| mv.end.is_none()) {
            self.family.moves(&mv.after, &mut replies);
            open += u64::from(!replies.iter().any(ends));
        }
        open
    }
}
