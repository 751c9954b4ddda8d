//! All positions of a small game, and what each player can force there, by fixpoints.

use std::collections::HashMap;

use balpan_check::trusted::claim::{Claim, Header};
use balpan_check::trusted::game::{Game, Move, Position};
use balpan_check::trusted::strategy::{Goal, Node, NodeClaim};
use balpan_check::untrusted::meter::Unmetered;

/// The positions that play reaches from one, and their moves.
pub(crate) struct Graph {
    pub(crate) positions: Vec<Position>,
    pub(crate) numbers: HashMap<Position, usize>,
    /// For each position, its moves: the position after each, or how play has ended for the player who made it; and whether
    /// that player is to move again.
    moves: Vec<Vec<(Option<usize>, i32, bool)>>,
    /// The plies to goals that were asked for, by the outcome that is to be reached.
    reached: HashMap<i32, Vec<[u32; 2]>>,
}

/// No number of plies is enough.
pub(crate) const NEVER: u32 = u32::MAX;

impl Graph {
    /// Finds the positions from `start`, in which play goes on; `None` if there are more than `max`.
    pub(crate) fn new(game: &dyn Game, start: &Position, max: usize) -> Option<Self> {
        let rules = Unmetered::new(game);
        let (mut positions, mut numbers) = (vec![*start], HashMap::from([(*start, 0)]));
        let mut moves = Vec::new();
        while moves.len() < positions.len() {
            let at = positions[moves.len()];
            let made = |mv: &Move| {
                let end = mv.end.map(|end| if mv.keeps_turn { end } else { -end });
                let next = (end.is_none()).then(|| {
                    *numbers.entry(mv.after).or_insert_with(|| {
                        positions.push(mv.after);
                        positions.len() - 1
                    })
                });
                (next, end.unwrap_or(0), mv.keeps_turn)
            };
            moves.push(rules.moves(&at).iter().map(made).collect());
            if positions.len() > max {
                return None;
            }
        }
        Some(Self { positions, numbers, moves, reached: HashMap::new() })
    }

    /// Whether play can come back to a position.
    pub(crate) fn repeats(&self) -> bool {
        let mut left: Vec<usize> = vec![0; self.moves.len()];
        let nexts = |n: usize| self.moves[n].iter().filter_map(|mv| mv.0);
        (0..left.len()).flat_map(nexts).for_each(|next| left[next] += 1);
        let mut ready: Vec<usize> = (0..left.len()).filter(|n| left[*n] == 0).collect();
        let mut count = 0;
        while let Some(n) = ready.pop() {
            count += 1;
            for next in nexts(n) {
                left[next] -= 1;
                if left[next] == 0 {
                    ready.push(next);
                }
            }
        }
        count < left.len()
    }

    /// The plies within which the claimer can force an end of at least an outcome, where the other player and where the
    /// claimer is to move.
    pub(crate) fn reach(&mut self, least: i32) -> &Vec<[u32; 2]> {
        let moves = &self.moves;
        self.reached.entry(least).or_insert_with(|| {
            let mut plies = vec![[NEVER; 2]; moves.len()];
            loop {
                let mut next = plies.clone();
                for (n, moves) in moves.iter().enumerate() {
                    for is_claimer in [false, true] {
                        let of_move = |&(after, end, keeps): &(Option<usize>, i32, bool)| match after {
                            Some(after) => plies[after][usize::from(is_claimer == keeps)].saturating_add(1),
                            None if (if is_claimer { end } else { -end }) >= least => 1,
                            None => NEVER,
                        };
                        let all = moves.iter().map(of_move);
                        next[n][usize::from(is_claimer)] =
                            if is_claimer { all.min() } else { all.max() }.expect("a move");
                    }
                }
                if next == plies {
                    return plies;
                }
                plies = next;
            }
        })
    }

    /// Whether the claimer can keep from an end of less than an outcome for ever: the largest set of positions in which each
    /// move of the other player, and one of the claimer's, leads to the set or to such an end.
    pub(crate) fn keep(&self, least: i32) -> Vec<[bool; 2]> {
        let mut set = vec![[true; 2]; self.moves.len()];
        loop {
            let mut next = set.clone();
            for (n, moves) in self.moves.iter().enumerate() {
                for is_claimer in [false, true] {
                    let mut all = moves.iter().map(|&(after, end, keeps)| match after {
                        Some(after) => set[after][usize::from(is_claimer == keeps)],
                        None => (if is_claimer { end } else { -end }) >= least,
                    });
                    next[n][usize::from(is_claimer)] = if is_claimer { all.any(|one| one) } else { all.all(|one| one) };
                }
            }
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// Whether a claim is true.
    pub(crate) fn is_true(&mut self, claim: &NodeClaim) -> bool {
        let Node { at, is_claimer } = claim.node;
        let (n, role) = (self.numbers[&at], usize::from(is_claimer));
        match claim.goal {
            Goal::Reach(least) => self.reach(least)[n][role] <= claim.plies,
            // What the one player can keep, the other cannot break.
            Goal::Keep(least) => self.reach(1 - least)[n][1 - role] == NEVER,
            Goal::Delay => self.reach(balpan_check::trusted::game::WON)[n][1 - role] >= claim.plies,
        }
    }
}

/// Whether the claim of a head is true; `None` if there are more than `max` positions.
pub(crate) fn is_true(header: &Header, max: usize) -> Option<bool> {
    let (game, at) = (&*header.game, header.position);
    let halves = match &header.claim {
        Claim::Play(halves) => halves,
        Claim::Nimber(claimed) => return Some(nimber_within(game, &at, max)? == *claimed),
        Claim::WinsByNimber(is_mover) => return Some((nimber_within(game, &at, max)? > 0) == *is_mover),
    };
    let end = Unmetered::new(game).end(&at);
    let mut graph = if end.is_none() { Some(Graph::new(game, &at, max)?) } else { None };
    Some(halves.iter().all(|&(is_claimer, guarantee)| match (&mut graph, end) {
        (Some(graph), _) => {
            let (goal, plies) = Goal::new(guarantee);
            graph.is_true(&NodeClaim { node: Node { at, is_claimer }, goal, plies })
        }
        (None, end) => guarantee.is_met_by(end.map_or(0, |end| if is_claimer { end } else { -end })),
    }))
}

/// The least number that no move leads to; `None` if there are more than `max` positions, or play comes back to one.
pub(crate) fn nimber_within(game: &dyn Game, at: &Position, max: usize) -> Option<u32> {
    nimber(game, at, max, &mut HashMap::new())
}

fn nimber(game: &dyn Game, at: &Position, max: usize, known: &mut HashMap<Position, Option<u32>>) -> Option<u32> {
    if let Some(nimber) = known.get(at) {
        return *nimber;
    }
    known.insert(*at, None);
    let mut options = Vec::new();
    for mv in Unmetered::new(game).moves(at) {
        options.push(nimber(game, &mv.after, max, known)?);
    }
    let nimber = (0..).find(|nimber| !options.contains(nimber))?;
    known.insert(*at, Some(nimber));
    (known.len() <= max).then_some(nimber)
}
