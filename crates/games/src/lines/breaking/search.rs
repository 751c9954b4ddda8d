//! The search for a proof.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use balpan::Watch;
use balpan::parallel::{self, Claims, Worker, deferred_rank};

use super::proofs::{self, Proofs};
use super::sides::Sides;
use super::{ALONE, Breaking, Fight, Proof};
use crate::board::{Cells, first};
use crate::instructions::Work;
use crate::lines::Lines;
use crate::lines::dominated::Domination;
use crate::symmetry::Permutation;

/// The positions of a batch, if the round is as long.
const BATCH: u64 = 1 << 10;

/// A worker looks whether others have ended the search, each time it has searched this many positions.
const LOOK: u64 = 1 << 4;

/// A thread looks whether others have proved what led to its fight, each time it has searched this many.
const HEED: u64 = 1 << 8;

/// Threads part where this many moves are refuted. The second move often succeeds where the first does not, and
/// what is searched beside it would be in vain (measured: four in a row on 4×9 and 4×10).
const PART_FROM: usize = 2;

/// What threads that search for one proof share.
pub(super) struct Round<'a> {
    game: &'a Lines,
    inverses: &'a [Permutation],
    proofs: &'a Proofs,
    watch: &'a Watch,
    threads: usize,
    positions: AtomicU64,
    /// After this many positions, or a few more, it ends without a proof.
    most: u64,
    /// A thread reports its positions, and heeds the others and the watch, each time it has searched this many.
    batch: u64,
    over: AtomicBool,
    /// What they are searching, if there are several.
    claims: Option<&'a Claims>,
}

impl<'a> Round<'a> {
    pub(super) fn new(breaking: &'a Breaking, most: u64) -> Self {
        Self {
            game: &breaking.game,
            inverses: &breaking.inverses,
            proofs: &breaking.proofs,
            watch: &breaking.watch,
            threads: breaking.threads,
            positions: 0.into(),
            most,
            batch: BATCH.min(most),
            over: false.into(),
            claims: (breaking.threads > 1).then(|| breaking.claims.get_or_init(|| Claims::new(breaking.threads))),
        }
    }

    /// The first proof that a thread finds; `None` if the watch says stop, or it takes too many positions.
    pub(super) fn prove(&self, fight: Fight, makers_turn: bool) -> Option<Proof> {
        let search = |worker: Worker<'_>| {
            let mut search = Search { round: self, worker, positions: 0, path: Vec::new(), answered: None };
            let proof = search.visit(&mut Sides::of(self.game, fight), makers_turn, false).ok();
            self.positions.fetch_add(search.positions % self.batch, Relaxed);
            self.over.store(true, Relaxed);
            proof
        };
        let proofs = parallel::run(self.watch, self.threads, 0, search);
        proofs.into_iter().flatten().next()
    }

    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// Counts a batch of positions.
    fn report(&self) -> Result<(), Unproved> {
        let positions = self.positions.fetch_add(self.batch, Relaxed) + self.batch;
        let ends = self.watch.count(self.batch).is_err() || positions >= self.most || self.over.load(Relaxed);
        if ends { Err(Unproved::Over) } else { Ok(()) }
    }
}

/// One thread's search.
struct Search<'a> {
    round: &'a Round<'a>,
    worker: Worker<'a>,
    positions: u64,
    /// The fights that led here, the least of those that symmetries turn each into.
    path: Vec<(Fight, bool)>,
    /// The first of them of which another thread has found a proof, by its place in `path`, and the proof.
    answered: Option<(usize, Proof)>,
}

/// Why there is no proof.
enum Unproved {
    /// The search is to end.
    Over,
    /// Another thread is searching for it.
    Busy,
    /// Another thread has found a proof of a fight that led here.
    Answered,
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
        self.round.game.instructions.run(Visit { search: self, sides, makers_turn, may_put_off })
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
        self.positions += 1;
        self.worker.spend(1);
        if self.positions.is_multiple_of(self.round.batch) {
            self.round.report()?;
        } else if self.positions.is_multiple_of(LOOK) && self.round.over.load(Relaxed) {
            return Err(Unproved::Over);
        }
        if self.positions == ALONE && self.round.threads > 1 {
            self.worker.start_helpers(self.round.threads - 1);
        }
        if self.positions.is_multiple_of(HEED) {
            self.heed()?;
        }
        if let Some(seen) = self.seen(sides, makers_turn, may_put_off) {
            return seen;
        }
        let game = self.round.game;
        if let Some(zone) = sides.plan(!makers_turn, game.instructions) {
            return Ok(Proof { makes: false, zone });
        }
        let paired = sides.reduce();
        sides.narrow(game);
        if sides.makers.is_empty() {
            return Ok(Proof { makes: false, zone: paired });
        }
        let (least, symmetry) = self.canonical(sides.fight);
        let found = match self.round.proofs.get(least, makers_turn) {
            Some(found) => found,
            None => self.visit_for(least, symmetry, sides, makers_turn, may_put_off)?,
        };
        let found = Proof { zone: symmetry.map_or(found.zone, |n| self.round.inverses[n].set(found.zone)), ..found };
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
        let round = self.round;
        let before = self.positions;
        let claimed = round.claims.filter(|_| may_put_off);
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
                let zone = symmetry.map_or(proof.zone, |n| round.game.symmetries[n].set(proof.zone));
                let proof = Proof { zone, ..proof };
                round.proofs.put(least, makers_turn, proof, self.positions - before);
                Ok(proof)
            }
        }
    }

    /// Leaves what is searched here if another thread has found a proof of a fight that led to it.
    fn heed(&mut self) -> Result<(), Unproved> {
        if self.round.claims.is_none() {
            return Ok(());
        }
        let proof = |&(fight, makers_turn): &(Fight, bool)| self.round.proofs.get(fight, makers_turn);
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
        for may_put_off in [self.round.claims.is_some(), false] {
            if !may_put_off && waiting & left != 0 && self.round.claims.is_some() {
                moves.sort_by_key(|&cell| Reverse(deferred_rank(self.worker, cell)));
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
        let instructions = self.round.game.instructions;
        let plan = makers_turn.then(|| sides.plan(true, instructions)).flatten();
        let (mine, _) = sides.by_turn(makers_turn);
        let fork = sides.fork_after_pass(makers_turn);
        [plan, fork.map(|fork| mine.guarded(2, fork.cell, fork.cells))]
    }

    /// The least of the fights that symmetries turn this one into, and the number of the one that does.
    #[inline]
    fn canonical(&self, fight: Fight) -> (Fight, Option<usize>) {
        let mut least = (fight, None);
        for (number, symmetry) in self.round.game.symmetries.iter().enumerate() {
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
