//! The search for a proof.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;

use balpan::Watch;

use super::proofs::Proofs;
use super::unmet::Unmet;
use super::{Breaking, Fight, Proof};
use crate::board::Cells;
use crate::lines::Lines;
use crate::lines::plan::{self, THOROUGH};
use crate::symmetry::Permutation;

/// A thread reports its positions, and heeds the others and the watch, each time it has searched this many.
const BATCH: u64 = 1 << 10;

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
    over: AtomicBool,
}

impl<'a> Round<'a> {
    pub(super) fn new(breaking: &'a Breaking, threads: usize, most: u64) -> Self {
        Self {
            game: &breaking.game,
            inverses: &breaking.inverses,
            proofs: &breaking.proofs,
            watch: &breaking.watch,
            threads,
            positions: 0.into(),
            most,
            over: false.into(),
        }
    }

    /// The first proof that a thread finds; `None` if the watch says stop, or it takes too many positions.
    pub(super) fn race(&self, fight: Fight, makers_turn: bool) -> Option<Proof> {
        let search = |number| {
            let mut search = Search { round: self, number, positions: 0 };
            let proof = search.visit(fight, makers_turn);
            self.positions.fetch_add(search.positions % BATCH, Relaxed);
            self.over.store(true, Relaxed);
            proof
        };
        if self.threads == 1 {
            return search(0);
        }
        thread::scope(|scope| {
            let others: Vec<_> = (1..self.threads).map(|number| scope.spawn(move || search(number))).collect();
            let own = search(0);
            others.into_iter().fold(own, |found, other| match other.join() {
                Ok(others) => found.or(others),
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    pub(super) fn positions(&self) -> u64 {
        self.positions.load(Relaxed)
    }

    /// Counts a batch of positions; `None` if the search is to end.
    fn report(&self) -> Option<()> {
        let positions = self.positions.fetch_add(BATCH, Relaxed) + BATCH;
        let ends = self.watch.count(BATCH).is_err() || positions >= self.most || self.over.load(Relaxed);
        (!ends).then_some(())
    }
}

/// One thread's search.
struct Search<'a> {
    round: &'a Round<'a>,
    number: usize,
    positions: u64,
}

impl Search<'_> {
    /// Who gets his way; `None` if the search is to end.
    fn visit(&mut self, fight: Fight, makers_turn: bool) -> Option<Proof> {
        self.positions += 1;
        if self.positions.is_multiple_of(BATCH) {
            self.round.report()?;
        }
        let game = self.round.game;
        let mut unmet = Unmet::of(game, fight);
        if let Some(proof) = if makers_turn { completed(&unmet) } else { self.forced(fight, &unmet)? } {
            return Some(proof);
        }
        unmet.reduce(game);
        let paired = unmet.paired;
        if let Some(zone) = plan::zone(unmet.lacks.sets_mut(), !makers_turn, THOROUGH, game.instructions) {
            return Some(Proof { makes: false, zone: zone | paired });
        }
        let fight = unmet.fight(game, fight);
        let (least, symmetry) = self.canonical(fight);
        let found = match self.round.proofs.get(least, makers_turn) {
            Some(Proof { makes, zone }) => {
                Proof { makes, zone: symmetry.map_or(zone, |n| self.round.inverses[n].set(zone)) }
            }
            None => {
                let before = self.positions;
                let proof = self.visit_moves(fight, makers_turn, &mut unmet)?;
                let zone = symmetry.map_or(proof.zone, |n| game.symmetries[n].set(proof.zone));
                self.round.proofs.put(least, makers_turn, Proof { zone, ..proof }, self.positions - before);
                proof
            }
        };
        Some(if found.makes { found } else { Proof { zone: found.zone | paired, ..found } })
    }

    /// Where the maker can complete a line next: it has to be broken, and if there are two, cannot be.
    fn forced(&mut self, fight: Fight, unmet: &Unmet) -> Option<Option<Proof>> {
        let singles = unmet.lacks.sets().iter().filter(|set| set.is_power_of_two()).fold(0, |cells, set| cells | set);
        let first = singles & singles.wrapping_neg();
        let second = (singles & !first) & (singles & !first).wrapping_neg();
        if singles == 0 {
            return Some(None);
        }
        if second != 0 {
            return Some(Some(Proof { makes: true, zone: first | second }));
        }
        let proof = self.visit(fight.broken(first), true)?;
        Some(Some(Proof { zone: proof.zone | first, ..proof }))
    }

    fn visit_moves(&mut self, fight: Fight, makers_turn: bool, unmet: &mut Unmet) -> Option<Proof> {
        // Where the next move has to be, as others are refuted; and the cells of those refutations.
        let (mut left, mut zone) = (unmet.cells, 0);
        if let Some(pass) = refuted_pass(unmet, makers_turn, self.round.game) {
            left &= pass;
            zone |= pass;
        }
        let kept = unmet.undominated();
        let moves: Vec<_> = unmet.by_weight(left & kept, makers_turn).collect();
        // Threads begin at different moves, and each finds what the others have refuted remembered.
        let first = if makers_turn { moves.len() * self.number / self.round.threads } else { 0 };
        let mut tried = 0;
        for &cell in moves[first..].iter().chain(&moves[..first]) {
            if left & cell == 0 {
                continue;
            }
            let after = if makers_turn { fight.made(cell) } else { fight.broken(cell) };
            let proof = self.visit(after, !makers_turn)?;
            if proof.makes == makers_turn {
                return Some(Proof { zone: proof.zone | cell, ..proof });
            }
            tried |= cell;
            left &= proof.zone;
            zone |= proof.zone;
        }
        // The breaker refutes a cell as he refutes one that is in all its sets, with the two exchanged.
        if makers_turn {
            let dominators = Cells(left & !tried).map(|cell| unmet.dominator(cell, kept));
            zone |= dominators.fold(0, |cells, cell| cells | cell);
        }
        Some(Proof { makes: !makers_turn, zone })
    }

    /// The least of the fights that symmetries turn this one into, and the number of the one that does.
    #[inline]
    fn canonical(&self, fight: Fight) -> (Fight, Option<usize>) {
        let mut least = (fight, None);
        for (number, symmetry) in self.round.game.symmetries.iter().enumerate() {
            let free = symmetry.set(fight.free);
            if free <= least.0.free {
                let seen = Fight { free, maker: symmetry.set(fight.maker) };
                if seen < least.0 {
                    least = (seen, Some(number));
                }
            }
        }
        least
    }
}

/// What the maker, who is to move, sees at once: there is no window left, one that lacks one cell, or two that lack
/// two with one in common.
#[inline]
fn completed(unmet: &Unmet) -> Option<Proof> {
    let sets = unmet.lacks.sets();
    match unmet.lacks.fewest {
        None => Some(Proof { makes: false, zone: 0 }),
        Some(1) => sets.iter().find(|set| set.is_power_of_two()).map(|&zone| Proof { makes: true, zone }),
        _ => fork(unmet).map(|zone| Proof { makes: true, zone }),
    }
}

/// The cells of two sets of two that have one in common, if there are any.
#[inline]
fn fork(unmet: &Unmet) -> Option<u64> {
    let forking = unmet.lacks.forking;
    let fork = forking & forking.wrapping_neg();
    let sets = unmet.lacks.sets().iter().filter(|set| set.count_ones() == 2 && *set & fork != 0);
    (fork != 0).then(|| sets.take(2).fold(0, |cells, set| cells | set))
}

/// The zone by which the other player would get his way if the mover passed, as far as it is seen at once.
#[inline]
fn refuted_pass(unmet: &mut Unmet, makers_turn: bool, game: &Lines) -> Option<u64> {
    if makers_turn { plan::zone(unmet.lacks.sets_mut(), true, THOROUGH, game.instructions) } else { fork(unmet) }
}
