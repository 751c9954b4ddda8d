//! The search for a proof.

use std::cmp::Reverse;

use balpan::parallel::{Interrupt, Searcher, SharedSearch, Worker, deferred_rank};

use super::proofs::{self, ProofTable};
use super::sides::Sides;
use super::{BoardState, Proof};
use crate::board::{Cells, first};
use crate::instructions::Work;
use crate::lines::Lines;
use crate::lines::dominated::Domination;
use crate::symmetry::Permutation;

/// Number of positions between two reports of a worker.
const BATCH: u64 = 1 << 10;

/// Number of positions between two checks whether other workers have proved an ancestor.
const ANCESTOR_CHECK_INTERVAL: u64 = 1 << 8;

/// Minimum number of refuted moves before workers defer busy ones. The second move often succeeds where the first does
/// not, and work beside it would be wasted (measured: four in a row on 4×9 and 4×10).
const MIN_REFUTED_TO_DEFER: usize = 2;

/// The game and the tables that the search for one proof uses.
#[derive(Clone, Copy)]
pub(super) struct Race<'a> {
    pub(super) game: &'a Lines,
    pub(super) inverses: &'a [Permutation],
    pub(super) proofs: &'a ProofTable,
    pub(super) shared: &'a SharedSearch<'a>,
}

impl Race<'_> {
    /// Proves a position, as one worker.
    pub(super) fn prove(&self, state: BoardState, makers_turn: bool, worker: Worker<'_>) -> Result<Proof, Interrupt> {
        let searcher = Searcher::new(self.shared, worker, BATCH);
        let mut search = ProofSearch { race: *self, searcher, path: Vec::new(), answered: None };
        let proof = search.visit(&mut Sides::new(self.game, state), makers_turn, false);
        search.searcher.report();
        proof.map_err(|unproved| match unproved {
            Unproved::Interrupted(interrupt) => interrupt,
            Unproved::Busy | Unproved::Answered => Interrupt::Answered,
        })
    }
}

/// One worker's search.
struct ProofSearch<'a> {
    race: Race<'a>,
    searcher: Searcher<'a>,
    /// The ancestors of the current position, in canonical form.
    path: Vec<(BoardState, bool)>,
    /// The first ancestor that another worker has proved, as an index of `path`, and its proof.
    answered: Option<(usize, Proof)>,
}

/// The reason why there is no proof.
enum Unproved {
    /// The search was interrupted.
    Interrupted(Interrupt),
    /// Another worker is searching the position.
    Busy,
    /// Another worker has proved an ancestor.
    Answered,
}

impl From<Interrupt> for Unproved {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

/// A position to search; its sets are changed.
struct Visit<'s, 'a> {
    search: &'s mut ProofSearch<'a>,
    sides: &'s mut Sides,
    makers_turn: bool,
    may_defer: bool,
}

impl Work for Visit<'_, '_> {
    type Output = Result<Proof, Unproved>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.search.search_sides(self.sides, self.makers_turn, self.may_defer)
    }
}

impl ProofSearch<'_> {
    /// Proves a position. If `may_defer`, returns [`Unproved::Busy`] where another worker is searching it.
    fn visit(&mut self, sides: &mut Sides, makers_turn: bool, may_defer: bool) -> Result<Proof, Unproved> {
        self.race.game.instructions.run(Visit { search: self, sides, makers_turn, may_defer })
    }

    /// Proves the position after a mark.
    fn visit_after(&mut self, sides: &Sides, makers_turn: bool, cell: u64, may_defer: bool) -> Result<Proof, Unproved> {
        let mut after = Sides::default();
        after.set_after(sides, makers_turn, cell);
        self.visit(&mut after, !makers_turn, may_defer)
    }

    /// Implements [`visit`](Self::visit) for the vector instructions of the machine.
    #[inline(always)]
    fn search_sides(&mut self, sides: &mut Sides, makers_turn: bool, may_defer: bool) -> Result<Proof, Unproved> {
        self.searcher.count()?;
        if self.searcher.positions().is_multiple_of(ANCESTOR_CHECK_INTERVAL) {
            self.check_ancestors()?;
        }
        if let Some(seen) = self.static_proof(sides, makers_turn, may_defer) {
            return seen;
        }
        let game = self.race.game;
        if let Some(zone) = sides.plan(!makers_turn, game.instructions) {
            return Ok(Proof { makes: false, zone });
        }
        let paired = sides.reduce();
        sides.narrow(game);
        if sides.makers.is_empty() {
            return Ok(Proof { makes: false, zone: paired });
        }
        let (least, symmetry) = self.canonical(sides.state);
        let found = match self.race.proofs.probe(least, makers_turn) {
            Some(found) => found,
            None => self.search_canonical(least, symmetry, sides, makers_turn, may_defer)?,
        };
        let found = Proof { zone: symmetry.map_or(found.zone, |n| self.race.inverses[n].set(found.zone)), ..found };
        Ok(if found.makes { found } else { Proof { zone: found.zone | paired, ..found } })
    }

    /// Proves the canonical form `least`, the image of this position under a symmetry.
    #[inline(always)]
    fn search_canonical(
        &mut self,
        least: BoardState,
        symmetry: Option<usize>,
        sides: &mut Sides,
        makers_turn: bool,
        may_defer: bool,
    ) -> Result<Proof, Unproved> {
        let race = self.race;
        let before = self.searcher.positions();
        let claimed = race.shared.claims().filter(|_| may_defer);
        let claimed = claimed.map(|claims| (claims, proofs::hash(least, makers_turn)));
        if claimed.is_some_and(|(claims, hash)| !claims.claim(hash)) {
            return Err(Unproved::Busy);
        }
        let depth = self.path.len();
        self.path.push((least, makers_turn));
        let proof = self.visit_moves(sides, makers_turn);
        self.path.truncate(depth);
        if let Some((claims, hash)) = claimed {
            claims.release(hash);
        }
        match (proof, self.answered) {
            (Err(Unproved::Answered), Some((at, proof))) if at == depth => Ok(proof),
            (proof, _) => {
                let proof = proof?;
                let zone = symmetry.map_or(proof.zone, |n| race.game.symmetries[n].set(proof.zone));
                let proof = Proof { zone, ..proof };
                race.proofs.store(least, makers_turn, proof, self.searcher.positions() - before);
                Ok(proof)
            }
        }
    }

    /// Abandons the current search if another worker has proved an ancestor.
    fn check_ancestors(&mut self) -> Result<(), Unproved> {
        if self.race.shared.claims().is_none() {
            return Ok(());
        }
        let proof = |&(state, makers_turn): &(BoardState, bool)| self.race.proofs.probe(state, makers_turn);
        let proofs = self.path.iter().map(proof);
        self.answered = proofs.enumerate().find_map(|(at, proof)| Some((at, proof?)));
        if self.answered.is_some() { Err(Unproved::Answered) } else { Ok(()) }
    }

    /// Returns the proof of a position that is decided at once, or by one forced mark; `None` if there is none.
    ///
    /// The winner leaves all cells outside the zone to the loser. The zone therefore contains enough cells of the loser's
    /// sets that the loser does not make a line before.
    #[inline(always)]
    fn static_proof(&mut self, sides: &Sides, makers_turn: bool, may_defer: bool) -> Option<Result<Proof, Unproved>> {
        if sides.makers.is_empty() {
            return Some(Ok(Proof { makes: false, zone: 0 }));
        }
        let (mine, theirs) = sides.by_turn(makers_turn);
        let proof = |movers: bool, zone| Some(Ok(Proof { makes: movers == makers_turn, zone }));
        let seen = mine.small_sets();
        if seen.singles != 0 {
            return proof(true, theirs.extend_zone(1, 0, first(seen.singles)));
        }
        let threats = theirs.small_sets().singles;
        if threats != 0 {
            let forced = first(threats);
            let second = first(threats & !forced);
            if second != 0 {
                return proof(false, mine.extend_zone(2, 0, forced | second));
            }
            let found = self.visit_after(sides, makers_turn, forced, may_defer);
            return Some(found.map(|found| {
                let zone = found.zone | forced;
                let movers = found.makes == makers_turn;
                Proof { zone: if movers { zone } else { mine.extend_zone(2, forced, zone) }, ..found }
            }));
        }
        let fork = mine.fork(seen.forking)?;
        proof(true, theirs.extend_zone(2, fork.cell, fork.cells))
    }

    #[inline(always)]
    fn visit_moves(&mut self, sides: &mut Sides, makers_turn: bool) -> Result<Proof, Unproved> {
        let domination = Domination::new(&sides.makers, &sides.breakers);
        // The cells where the next move has to be, and the cells of the refutations so far.
        let (mut left, mut zone) = (domination.cells, 0);
        for pass in self.refuted_passes(sides, makers_turn).into_iter().flatten() {
            left &= pass;
            zone |= pass;
        }
        let kept = domination.undominated();
        let mut waiting = left & kept;
        let mut moves = sides.by_weight(waiting, makers_turn);
        let mut refuted = 0;
        for may_defer in [self.race.shared.claims().is_some(), false] {
            if !may_defer && waiting & left != 0 && self.race.shared.claims().is_some() {
                moves.sort_by_key(|&cell| Reverse(deferred_rank(self.searcher.worker(), cell)));
            }
            for &cell in &moves {
                if waiting & left & cell == 0 {
                    continue;
                }
                let proof =
                    match self.visit_after(sides, makers_turn, cell, may_defer && refuted >= MIN_REFUTED_TO_DEFER) {
                        Err(Unproved::Busy) => continue,
                        proof => proof?,
                    };
                if proof.makes == makers_turn {
                    return Ok(Proof { zone: proof.zone | cell, ..proof });
                }
                waiting &= !cell;
                refuted += 1;
                left &= proof.zone;
                zone |= proof.zone;
            }
        }
        // The refutation of a cell's dominator refutes the cell too, with the two exchanged. (Not so where the breaker has
        // no sets: if the dominator is the breaker's already, all sets with the cell are met.)
        if makers_turn || sides.state.is_race {
            let dominators = Cells(left & !kept).map(|cell| domination.dominator(cell, kept));
            zone |= dominators.fold(0, |cells, cell| cells | cell);
        }
        Ok(Proof { makes: !makers_turn, zone })
    }

    /// The zones by which the opponent would succeed at once if the mover passed (null moves).
    #[inline(always)]
    fn refuted_passes(&self, sides: &mut Sides, makers_turn: bool) -> [Option<u64>; 2] {
        let instructions = self.race.game.instructions;
        let plan = makers_turn.then(|| sides.plan(true, instructions)).flatten();
        let (mine, _) = sides.by_turn(makers_turn);
        let fork = sides.fork_after_pass(makers_turn);
        [plan, fork.map(|fork| mine.extend_zone(2, fork.cell, fork.cells))]
    }

    /// The canonical form of a position: its least image, and the symmetry that maps to it.
    #[inline]
    fn canonical(&self, state: BoardState) -> (BoardState, Option<usize>) {
        let mut least = (state, None);
        for (number, symmetry) in self.race.game.symmetries.iter().enumerate() {
            let free = symmetry.set(state.free);
            if free <= least.0.free {
                let (maker, breaker) = (symmetry.set(state.maker), symmetry.set(state.breaker));
                let seen = BoardState { free, maker, breaker, ..state };
                if seen < least.0 {
                    least = (seen, Some(number));
                }
            }
        }
        least
    }
}
