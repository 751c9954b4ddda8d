//! A game with one of its hooks turned off.

use balpan::{Bounds, Game, Outcome, Tame, Value};

/// The hints of a game beyond its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hook {
    Canonical,
    Key,
    Memorable,
    /// And candidates, which may rely on bounds.
    Bounds,
    Settle,
    Candidates,
    Rank,
    /// And the known nimbers of parts.
    Split,
    PartMoves,
    Mobility,
    All,
}

pub(crate) const HOOKS: [Hook; 11] = [
    Hook::Canonical,
    Hook::Key,
    Hook::Memorable,
    Hook::Bounds,
    Hook::Settle,
    Hook::Candidates,
    Hook::Rank,
    Hook::Split,
    Hook::PartMoves,
    Hook::Mobility,
    Hook::All,
];

/// A game without one of its hooks.
pub(crate) struct Without<G>(pub(crate) Hook, pub(crate) G);

impl<G> Without<G> {
    fn has(&self, hook: Hook) -> bool {
        self.0 != hook && self.0 != Hook::All
    }
}

impl<G: Game> Game for Without<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.1.start()
    }

    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.1.moves(position)
    }

    fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.1.play(position, mv)
    }

    fn end(&self, position: &G::Position) -> Outcome {
        self.1.end(position)
    }

    fn is_over(&self, position: &G::Position) -> bool {
        self.1.is_over(position)
    }

    fn canonical(&self, position: &G::Position) -> G::Position {
        if self.has(Hook::Canonical) { self.1.canonical(position) } else { position.clone() }
    }

    fn key_bits(&self) -> u32 {
        // The families' keys distinguish all positions of different values, canonical or not.
        if self.has(Hook::Key) { self.1.key_bits() } else { 0 }
    }

    fn key(&self, position: &G::Position) -> u128 {
        self.1.key(position)
    }

    fn is_cacheable(&self, position: &G::Position) -> bool {
        self.has(Hook::Memorable) && self.1.is_cacheable(position)
    }

    fn looks_ahead(&self) -> bool {
        self.1.looks_ahead()
    }

    fn bounds(&self, position: &G::Position, threshold: Value) -> Bounds {
        if self.has(Hook::Bounds) { self.1.bounds(position, threshold) } else { Bounds::ANY }
    }

    fn settle(&self, position: &G::Position, threshold: Value) -> Option<Value> {
        if self.has(Hook::Settle) { self.1.settle(position, threshold) } else { None }
    }

    fn candidates(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        let all = !self.has(Hook::Candidates) || !self.has(Hook::Bounds);
        let (moves, candidates) = (self.1.moves(position), self.1.candidates(position));
        moves.filter(move |_| all).chain(candidates.filter(move |_| !all))
    }

    fn rank(&self, position: &G::Position, mv: G::Move, after: &G::Position) -> i32 {
        if self.has(Hook::Rank) { self.1.rank(position, mv, after) } else { 0 }
    }

    fn is_impartial(&self) -> bool {
        self.1.is_impartial()
    }

    fn split(&self, position: &G::Position, parts: &mut Vec<G::Position>) {
        if self.has(Hook::Split) {
            self.1.split(position, parts);
        } else {
            parts.push(self.canonical(position));
        }
    }

    fn part_moves(&self, part: &G::Position) -> impl Iterator<Item = G::Move> {
        let own = self.has(Hook::PartMoves);
        let (moves, part_moves) = (self.1.moves(part), self.1.part_moves(part));
        moves.filter(move |_| !own).chain(part_moves.filter(move |_| own))
    }

    fn mobility(&self, position: &G::Position) -> usize {
        if self.has(Hook::Mobility) { self.1.mobility(position) } else { self.1.moves(position).count() }
    }

    fn nimber(&self, part: &G::Position) -> Option<u32> {
        if self.has(Hook::Split) { self.1.nimber(part) } else { None }
    }

    fn tame(&self, part: &G::Position) -> Option<Tame> {
        if self.has(Hook::Split) { self.1.tame(part) } else { None }
    }
}
