//! The search for a proof.

use std::cmp::Reverse;

use balpan::parallel::{Interrupt, Searcher, SharedSearch, Worker, deferred_rank};

use super::proofs::{self, Proofs};
use super::sides::Sides;
use super::{Fight, Proof};
use crate::board::{Cells, first};
use crate::instructions::Work;
use crate::lines::Lines;
use crate::lines::dominated::Domination;
use crate::symmetry::Permutation;

/// The number of positions after which a worker reports them.
const BATCH: u64 = 1 << 10;

/// A thread looks whether others have proved what led to its fight, each time it has searched this many.
const HEED: u64 = 1 << 8;

/// Threads part where this many moves are refuted. The second move often succeeds where the first does not, and
/// what is searched beside it would be in vain (measured: four in a row on 4×9 and 4×10).
const PART_FROM: usize = 2;

/// What the search for one proof uses.
#[derive(Clone, Copy)]
pub(super) struct Race<'a> {
    pub(super) game: &'a Lines,
    pub(super) inverses: &'a [Permutation],
    pub(super) proofs: &'a Proofs,
    pub(super) shared: &'a SharedSearch<'a>,
}

impl Race<'_> {
    /// One worker's proof of who gets his way.
    pub(super) fn prove(&self, fight: Fight, makers_turn: bool, worker: Worker<'_>) -> Result<Proof, Interrupt> {
        let searcher = Searcher::new(self.shared, worker, BATCH);
        let mut search = Search { race: *self, searcher, path: Vec::new(), answered: None };
        let proof = search.visit(&mut Sides::of(self.game, fight), makers_turn, false);
        search.searcher.report();
        proof.map_err(|unproved| match unproved {
            Unproved::Interrupted(interrupt) => interrupt,
            Unproved::Busy | Unproved::Answered => Interrupt::Answered,
        })
    }
}

/// One worker's search.
struct Search<'a> {
    race: Race<'a>,
    searcher: Searcher<'a>,
    /// The fights that led here, the least of those that symmetries turn each into.
    path: Vec<(Fight, bool)>,
    /// The first of them of which another worker has found a proof, by its place in `path`, and the proof.
    answered: Option<(usize, Proof)>,
}

/// The reason why there is no proof.
enum Unproved {
    /// The search is to end.
    Interrupted(Interrupt),
    /// Another worker is searching for it.
    Busy,
    /// Another worker has found a proof of a fight that led here.
    Answered,
}

impl From<Interrupt> for Unproved {
    fn from(interrupt: Interrupt) -> Self {
        Self::Interrupted(interrupt)
    }
}

/// A fight to be visited; what is left of it is changed.
struct Visit<'s, 'a> {
    search: &'s mut Search<'a>,
    sides: &'s mut Sides,
    makers_turn: bool,
    may_put_off: bool,
}

impl Work for Visit<'_, '_> {
    type Output = Result<Proof, Unproved>;

    #[inline(always)]
    fn run(self) -> Self::Output {
        self.search.visit_sides(self.sides, self.makers_turn, self.may_put_off)
    }
}

impl Search<'_> {
    /// Who gets his way. If it may be put off, another thread that searches for the same is left to it.
    fn visit(&mut self, sides: &mut Sides, makers_turn: bool, may_put_off: bool) -> Result<Proof, Unproved> {
        self.race.game.instructions.run(Visit { search: self, sides, makers_turn, may_put_off })
    }

    /// As [`visit`](Self::visit), after a mark.
    fn visit_after(
        &mut self,
        sides: &Sides,
        makers_turn: bool,
        cell: u64,
        may_put_off: bool,
    ) -> Result<Proof, Unproved> {
        let mut after = Sides::default();
        after.set_after(sides, makers_turn, cell);
        self.visit(&mut after, !makers_turn, may_put_off)
    }

    /// As [`visit`](Self::visit), compiled for the machine.
    #[inline(always)]
    fn visit_sides(&mut self, sides: &mut Sides, makers_turn: bool, may_put_off: bool) -> Result<Proof, Unproved> {
        self.searcher.count()?;
        if self.searcher.positions().is_multiple_of(HEED) {
            self.heed()?;
        }
        if let Some(seen) = self.seen(sides, makers_turn, may_put_off) {
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
        let (least, symmetry) = self.canonical(sides.fight);
        let found = match self.race.proofs.get(least, makers_turn) {
            Some(found) => found,
            None => self.visit_for(least, symmetry, sides, makers_turn, may_put_off)?,
        };
        let found = Proof { zone: symmetry.map_or(found.zone, |n| self.race.inverses[n].set(found.zone)), ..found };
        Ok(if found.makes { found } else { Proof { zone: found.zone | paired, ..found } })
    }

    /// A proof of the `least` fight, which a symmetry turns this one into.
    #[inline(always)]
    fn visit_for(
        &mut self,
        least: Fight,
        symmetry: Option<usize>,
        sides: &mut Sides,
        makers_turn: bool,
        may_put_off: bool,
    ) -> Result<Proof, Unproved> {
        let race = self.race;
        let before = self.searcher.positions();
        let claimed = race.shared.claims().filter(|_| may_put_off);
        let claimed = claimed.map(|claims| (claims, proofs::name(least, makers_turn)));
        if claimed.is_some_and(|(claims, name)| !claims.claim(name)) {
            return Err(Unproved::Busy);
        }
        let led_here = self.path.len();
        self.path.push((least, makers_turn));
        let proof = self.visit_moves(sides, makers_turn);
        self.path.truncate(led_here);
        if let Some((claims, name)) = claimed {
            claims.release(name);
        }
        match (proof, self.answered) {
            (Err(Unproved::Answered), Some((at, proof))) if at == led_here => Ok(proof),
            (proof, _) => {
                let proof = proof?;
                let zone = symmetry.map_or(proof.zone, |n| race.game.symmetries[n].set(proof.zone));
                let proof = Proof { zone, ..proof };
                race.proofs.put(least, makers_turn, proof, self.searcher.positions() - before);
                Ok(proof)
            }
        }
    }

    /// Leaves what is searched here if another thread has found a proof of a fight that led to it.
    fn heed(&mut self) -> Result<(), Unproved> {
        if self.race.shared.claims().is_none() {
            return Ok(());
        }
        let proof = |&(fight, makers_turn): &(Fight, bool)| self.race.proofs.get(fight, makers_turn);
        let proofs = self.path.iter().map(proof);
        self.answered = proofs.enumerate().find_map(|(at, proof)| Some((at, proof?)));
        if self.answered.is_some() { Err(Unproved::Answered) } else { Ok(()) }
    }

    /// What is seen at once, or by the one mark that is forced; `None` if nothing is.
    ///
    /// Who gets his way leaves the other all cells outside his zone. So the zone has enough cells of the other's sets
    /// that he does not make a line before.
    #[inline(always)]
    fn seen(&mut self, sides: &Sides, makers_turn: bool, may_put_off: bool) -> Option<Result<Proof, Unproved>> {
        if sides.makers.is_empty() {
            return Some(Ok(Proof { makes: false, zone: 0 }));
        }
        let (mine, theirs) = sides.by_turn(makers_turn);
        let proof = |movers: bool, zone| Some(Ok(Proof { makes: movers == makers_turn, zone }));
        let seen = mine.seen();
        if seen.singles != 0 {
            return proof(true, theirs.guarded(1, 0, first(seen.singles)));
        }
        let threats = theirs.seen().singles;
        if threats != 0 {
            let forced = first(threats);
            let second = first(threats & !forced);
            if second != 0 {
                return proof(false, mine.guarded(2, 0, forced | second));
            }
            let found = self.visit_after(sides, makers_turn, forced, may_put_off);
            return Some(found.map(|found| {
                let zone = found.zone | forced;
                let movers = found.makes == makers_turn;
                Proof { zone: if movers { zone } else { mine.guarded(2, forced, zone) }, ..found }
            }));
        }
        let fork = mine.fork(seen.forking)?;
        proof(true, theirs.guarded(2, fork.cell, fork.cells))
    }

    #[inline(always)]
    fn visit_moves(&mut self, sides: &mut Sides, makers_turn: bool) -> Result<Proof, Unproved> {
        let domination = Domination::of(&sides.makers, &sides.breakers);
        // Where the next move has to be, as others are refuted; and the cells of those refutations.
        let (mut left, mut zone) = (domination.cells, 0);
        for pass in self.refuted_passes(sides, makers_turn).into_iter().flatten() {
            left &= pass;
            zone |= pass;
        }
        let kept = domination.undominated();
        let mut waiting = left & kept;
        let mut moves = sides.by_weight(waiting, makers_turn);
        let mut refuted = 0;
        for may_put_off in [self.race.shared.claims().is_some(), false] {
            if !may_put_off && waiting & left != 0 && self.race.shared.claims().is_some() {
                moves.sort_by_key(|&cell| Reverse(deferred_rank(self.searcher.worker(), cell)));
            }
            for &cell in &moves {
                if waiting & left & cell == 0 {
                    continue;
                }
                let proof = match self.visit_after(sides, makers_turn, cell, may_put_off && refuted >= PART_FROM) {
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
        // A cell is refuted as one that is in all its sets is, with the two exchanged. (Not so where the breaker has no
        // sets: if that one is his already, all sets with this one are met.)
        if makers_turn || sides.fight.is_race {
            let dominators = Cells(left & !kept).map(|cell| domination.dominator(cell, kept));
            zone |= dominators.fold(0, |cells, cell| cells | cell);
        }
        Ok(Proof { makes: !makers_turn, zone })
    }

    /// The zones by which the other player would get his way if the mover passed, as far as they are seen at once.
    #[inline(always)]
    fn refuted_passes(&self, sides: &mut Sides, makers_turn: bool) -> [Option<u64>; 2] {
        let instructions = self.race.game.instructions;
        let plan = makers_turn.then(|| sides.plan(true, instructions)).flatten();
        let (mine, _) = sides.by_turn(makers_turn);
        let fork = sides.fork_after_pass(makers_turn);
        [plan, fork.map(|fork| mine.guarded(2, fork.cell, fork.cells))]
    }

    /// The least of the fights that symmetries turn this one into, and the number of the one that does.
    #[inline]
    fn canonical(&self, fight: Fight) -> (Fight, Option<usize>) {
        let mut least = (fight, None);
        for (number, symmetry) in self.race.game.symmetries.iter().enumerate() {
            let free = symmetry.set(fight.free);
            if free <= least.0.free {
                let (maker, breaker) = (symmetry.set(fight.maker), symmetry.set(fight.breaker));
                let seen = Fight { free, maker, breaker, ..fight };
                if seen < least.0 {
                    least = (seen, Some(number));
                }
            }
        }
        least
    }
}
