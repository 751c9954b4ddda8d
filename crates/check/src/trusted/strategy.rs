//! Claims about play that may come back to a position, in which a player may move several times in a row, and which may
//! end by a score.
//!
//! Each claim is about a position and the player to move there. What follows from the moves is claimed in its turn, once for
//! each position: a claim that an end is reached counts the plies that are left, and all others may rest on each other.

use std::collections::{HashMap, VecDeque};

use super::claim::{Guarantee, Header};
use super::game::{Game, LOST, Move, Outcome, Position, WON};
use super::play::search_all;
use crate::Result;
use crate::untrusted::answers::Answers;
use crate::untrusted::explain;
use crate::untrusted::meter::{Held, Meter};

/// A result that a player can force.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An end of at least this outcome, within a number of plies.
    Reach(Outcome),
    /// No end of less than this outcome, which is at most that of a draw.
    Keep(Outcome),
    /// No loss before a number of plies.
    Delay,
}

/// A position in which play has not ended, and whether the claimer is to move there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// The position.
    pub at: Position,
    /// Whether the claimer is to move.
    pub is_claimer: bool,
}

/// A claim: in a position the claimer can force a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NodeClaim {
    /// The position.
    pub node: Node,
    /// The goal.
    pub goal: Goal,
    /// The number of plies; 0 where none are counted.
    pub plies: u32,
}

/// The plies within which an end is reached, where the claim names none.
pub const MAX_PLIES: u32 = (1 << 16) - 1;

/// The plies of the longest search: each takes stack.
const MAX_SEARCH_PLIES: u32 = 1000;

/// Bytes of a claim in a hash map that has room for twice as many and grows, and in a queue and a list.
const CLAIM_BYTES: u64 = 5 * size_of::<(Node, Known)>() as u64;

impl Goal {
    /// The goal of a guarantee, and the plies that are counted.
    #[must_use]
    pub fn new(guarantee: Guarantee) -> (Self, u32) {
        match (guarantee.score(), guarantee.plies().unwrap_or(0).unsigned_abs()) {
            (Some(score @ 1..), _) => (Self::Reach(score), MAX_PLIES),
            (Some(score), _) => (Self::Keep(score), 0),
            (None, plies) if guarantee > Guarantee::WIN => (Self::Reach(WON), plies),
            (None, plies) => (Self::Delay, plies),
        }
    }
}

impl NodeClaim {
    /// Whether there is nothing to show.
    fn is_nothing(&self) -> bool {
        self.goal == Goal::Delay && self.plies == 0
    }

    /// Whether it is false of every position in which play goes on.
    fn is_too_much(&self) -> bool {
        matches!(self.goal, Goal::Reach(_)) && self.plies == 0
    }

    /// The claim that has to hold after a move: that play has ended as claimed, `Ok` and whether it has, or another claim.
    pub fn after(&self, mv: &Move) -> std::result::Result<bool, Self> {
        // The player who makes the move is to move again if the turn is kept.
        let is_claimer = self.node.is_claimer == mv.keeps_turn;
        let next = Self { node: Node { at: mv.after, is_claimer }, plies: self.plies.saturating_sub(1), ..*self };
        let Some(end) = mv.end else { return Err(next) };
        let end = if is_claimer { end } else { -end };
        Ok(match self.goal {
            Goal::Reach(least) => self.plies > 0 && end >= least,
            Goal::Keep(least) => end >= least,
            Goal::Delay => end > LOST || next.plies == 0,
        })
    }
}

/// Checks that a player (`is_mover`: the one to move) can force a result. Returns `claims` plus the number of claims
/// made. `threads` threads run the searches; `None` skips them.
///
/// # Errors
/// The first claim that fails, or an invalid answer.
pub(crate) fn check(
    header: &Header,
    (is_mover, guarantee): (bool, Guarantee),
    answers: &mut dyn Answers,
    (threads, meter): (Option<usize>, &Meter),
    mut claims: u64,
) -> Result<u64> {
    let (game, root) = (&*header.game, &header.position);
    if let Some(end) = game.end(root, meter)? {
        let is_met = guarantee.is_met_by(if is_mover { end } else { -end });
        return if is_met { Ok(claims) } else { Err(explain::has_ended(game, root, is_mover, guarantee)) };
    }
    let (goal, plies) = Goal::new(guarantee);
    let mut open = Claims { game, meter, known: HashMap::new(), queue: VecDeque::new(), held: meter.held() };
    open.claim(&NodeClaim { node: Node { at: *root, is_claimer: is_mover }, goal, plies })?;
    let (mut moves, mut searched) = (Vec::new(), Vec::new());
    while let Some(mut claim) = open.next(goal) {
        claims += 1;
        if claims > header.claims {
            return Err(explain::too_many_claims(header.claims));
        }
        let (plies, is_searched) = answers.node(game, &claim)?;
        if matches!(goal, Goal::Reach(_)) {
            if plies > claim.plies {
                return Err(explain::node_fails(game, &claim, "more plies than that are named"));
            }
            claim.plies = plies;
        }
        open.close(&claim);
        if is_searched {
            searched.push(claim);
            continue;
        }
        moves.clear();
        game.moves(&claim.node.at, meter, &mut moves)?;
        if moves.is_empty() {
            return Err(explain::node_fails(game, &claim, "there is no move"));
        }
        let moves = match claim.node.is_claimer {
            false => &moves[..],
            true => {
                let index = answers.choice(game, &claim, &moves)?;
                moves.get(index..=index).ok_or_else(|| explain::node_fails(game, &claim, "there is no such move"))?
            }
        };
        for mv in moves {
            match claim.after(mv) {
                Ok(true) => {}
                Ok(false) => return Err(explain::move_fails(game, &claim, mv, "ends play")),
                Err(next) if next.is_too_much() => {
                    return Err(explain::move_fails(game, &claim, mv, "is one ply too many"));
                }
                Err(next) => open.claim(&next)?,
            }
        }
    }
    if let Some(threads) = threads {
        let search = |list: &[NodeClaim], meter| search_claims(header, list, meter);
        search_all(&searched, threads, meter, search)?;
    }
    Ok(claims)
}

/// All claims made so far, one for each position and player to move.
struct Claims<'h> {
    game: &'h dyn Game,
    meter: &'h Meter,
    known: HashMap<Node, Known>,
    /// The claims still to be checked, in the order in which they were made.
    queue: VecDeque<Node>,
    held: Held,
}

/// The plies that are claimed of a position, and whether fewer may still be.
#[derive(Clone, Copy, Debug)]
struct Known {
    plies: u32,
    is_open: bool,
}

impl Claims<'_> {
    /// Claims this, unless it is nothing, follows from a move that ends play, or from what is claimed.
    fn claim(&mut self, claim: &NodeClaim) -> Result<()> {
        self.meter.spend(64)?;
        if claim.is_nothing() {
            return Ok(());
        }
        let is_reach = matches!(claim.goal, Goal::Reach(_));
        if let Some(known) = self.known.get_mut(&claim.node) {
            // Fewer plies to an end are more, and fewer without a loss are less.
            let follows = if is_reach { known.plies <= claim.plies } else { known.plies >= claim.plies };
            if !follows && !known.is_open {
                return Err(explain::node_fails(self.game, claim, "something else is claimed of it"));
            }
            known.plies = if follows { known.plies } else { claim.plies };
            return Ok(());
        }
        let mut known = Known { plies: claim.plies, is_open: true };
        if claim.node.is_claimer {
            let mut moves = Vec::new();
            self.game.moves(&claim.node.at, self.meter, &mut moves)?;
            if moves.iter().any(|mv| claim.after(mv) == Ok(true)) {
                known = Known { plies: if is_reach { 1 } else { claim.plies }, is_open: false };
            }
        }
        self.held.grow(CLAIM_BYTES)?;
        self.known.insert(claim.node, known);
        if known.is_open {
            self.queue.push_back(claim.node);
        }
        Ok(())
    }

    /// Takes the next claim to be checked.
    fn next(&mut self, goal: Goal) -> Option<NodeClaim> {
        let node = self.queue.pop_front()?;
        let plies = self.known.get(&node)?.plies;
        Some(NodeClaim { node, goal, plies })
    }

    /// Keeps a claim as it is now.
    fn close(&mut self, claim: &NodeClaim) {
        self.known.insert(claim.node, Known { plies: claim.plies, is_open: false });
    }
}

fn search_claims(header: &Header, claims: &[NodeClaim], meter: Meter) -> Result<()> {
    let mut search = NodeSearch::new(&*header.game, meter);
    claims.iter().try_for_each(|claim| match search.can_force(claim, header.settle)? {
        Some(true) => Ok(()),
        Some(false) => Err(explain::node_fails(search.game, claim, "a search finds that it is not so")),
        None => {
            let why = format!("a search of {} positions is not enough", header.settle);
            Err(explain::node_fails(search.game, claim, &why))
        }
    })
}

/// An exhaustive search of a position: plain minimax, which does not see that play repeats.
#[derive(Debug)]
pub struct NodeSearch<'g> {
    game: &'g dyn Game,
    meter: Meter,
    /// The positions that may still be searched; after a search, those that it left.
    pub left: u64,
}

impl<'g> NodeSearch<'g> {
    /// Creates a search.
    pub fn new(game: &'g dyn Game, meter: Meter) -> Self {
        Self { game, meter, left: 0 }
    }

    /// Returns the meter of the search.
    #[must_use]
    pub const fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Whether a claim is true; `None` if that takes more than `max` positions, or too many plies.
    ///
    /// # Errors
    /// If that takes more than the meter has left.
    pub fn can_force(&mut self, claim: &NodeClaim, max: u64) -> Result<Option<bool>> {
        self.left = max;
        self.search(claim, 0)
    }

    /// One of the claimer's moves has to do, and each of the other player's.
    fn search(&mut self, claim: &NodeClaim, ply: u32) -> Result<Option<bool>> {
        if claim.is_nothing() || claim.is_too_much() {
            return Ok(Some(claim.is_nothing()));
        }
        let Some(left) = self.left.checked_sub(1).filter(|_| ply < MAX_SEARCH_PLIES) else { return Ok(None) };
        self.left = left;
        let is_claimer = claim.node.is_claimer;
        let mut moves = Vec::new();
        self.game.moves(&claim.node.at, &self.meter, &mut moves)?;
        let _held = self.meter.hold(size_of_val(&moves[..]) as u64)?;
        let after = || moves.iter().map(|mv| claim.after(mv));
        if after().any(|after| after == Ok(is_claimer)) {
            return Ok(Some(is_claimer));
        }
        for next in after().filter_map(std::result::Result::err) {
            let found = self.search(&next, ply + 1)?;
            if found != Some(!is_claimer) {
                return Ok(found);
            }
        }
        Ok(Some(!is_claimer))
    }
}
