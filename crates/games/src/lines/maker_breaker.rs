//! The Maker-Breaker game of a board: whether a player can make a line before the opponent does, or at all if the
//! opponent only prevents it.

mod proofs;
mod search;
mod sets;
mod sides;

use std::sync::{Arc, OnceLock};

use balpan::parallel::{Claims, DEFAULT_PARALLEL_THRESHOLD, Interrupt, SharedSearch};
use balpan::{Bounds, Budget, Settler, Stopped, Value, Watch};

use super::{Lines, Position};
use crate::symmetry::Permutation;
use proofs::ProofTable;
use search::Race;

/// A solver for who wins. The maker wants to make a line. The breaker wants to prevent it: by a cell of each line,
/// or, in a race, by a line of their own before.
///
/// An extra mark never harms its owner. Each proof therefore comes with a zone, the cells that it needs (see
/// [`Proof`]). Where a move is refuted within a zone, only moves in that zone can do better, so the next move has to
/// lie in the intersection of all zones. In Hex this is the must-play region: R. Hayward and others, "Solving 7×7 Hex
/// with domination, fill-in, and virtual connections", Theoretical Computer Science 349 (2005). For lines: W.-Y. Hsu
/// and others, "On solving the 7,7,5-game and the 8,8,5-game", Theoretical Computer Science 815 (2020).
///
/// Memory: 40 bytes for each stored proof, within the budget.
#[derive(Debug)]
pub(super) struct MakerBreakerSolver {
    game: Arc<Lines>,
    /// The inverse of each of the board's symmetries.
    inverses: Vec<Permutation>,
    proofs: ProofTable,
    /// Long searches in which the maker makes no line, and whether the maker was to move.
    maker_losses: Vec<(BoardState, bool)>,
    threads: usize,
    /// The positions that workers are searching: one table for all searches.
    claims: OnceLock<Claims>,
    watch: Watch,
    positions: u64,
}

/// A Maker-Breaker position: the free cells, and the marks of both players. All other cells are useless to both. The
/// breaker has no marks where only the maker's lines count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct BoardState {
    free: u64,
    maker: u64,
    breaker: u64,
    /// Whether the breaker also succeeds by a line of their own.
    is_race: bool,
}

impl BoardState {
    /// The position after the maker's mark, or the breaker's.
    #[inline(always)]
    const fn after(self, makers_turn: bool, cell: u64) -> Self {
        let free = self.free & !cell;
        match (makers_turn, self.is_race) {
            (true, _) => Self { maker: self.maker | cell, free, ..self },
            (false, true) => Self { breaker: self.breaker | cell, free, ..self },
            (false, false) => Self { free, ..self },
        }
    }

    /// Whether the maker has nothing here that is missing in `other`; neither is a race.
    const fn is_subset_of(self, other: Self) -> bool {
        self.maker & !other.maker == 0 && self.free & !(other.maker | other.free) == 0
    }
}

/// The result of a position, and the cells that prove it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Proof {
    /// Whether the maker makes a line.
    makes: bool,
    /// Free cells. The result is the same even if all other cells were the loser's.
    zone: u64,
}

/// First limit on the positions of a search, and the minimum of a search whose result is remembered for subpositions.
const FIRST_POSITION_LIMIT: u64 = 1 << 14;

/// Maximum number of positions of a search for known bounds: a probe of the table.
const MAX_PROBE_POSITIONS: u64 = 1 << 4;

impl MakerBreakerSolver {
    /// Creates a solver; `None` for games that it cannot settle: where marks fall or are shared, where longer rows do not
    /// count, or where one mark is a line.
    pub(super) fn new(game: &Arc<Lines>, budget: Budget, watch: &Watch) -> Option<Self> {
        let undoes = |symmetry: &Permutation| {
            let is_inverse =
                |other: &&Permutation| (0..game.board.cells()).all(|cell| other.cell(symmetry.cell(cell)) == cell);
            game.symmetries.iter().find(is_inverse).cloned()
        };
        (game.is_flat() && game.rules.k > 1).then(|| Self {
            game: Arc::clone(game),
            inverses: game.symmetries.iter().filter_map(undoes).collect(),
            proofs: ProofTable::new(budget.memory),
            maker_losses: Vec::new(),
            threads: budget.threads.max(1),
            claims: OnceLock::new(),
            watch: watch.clone(),
            positions: 0,
        })
    }

    /// Whether the owner of `maker` makes a line before the owner of `breaker` does.
    ///
    /// The race and the game in which only the maker's lines count are searched in turn, the latter with four times the
    /// limit: that the maker makes no line is often found sooner there, and holds for all positions with less for the
    /// maker.
    fn makes(&mut self, maker: u64, breaker: u64, makers_turn: bool) -> Result<bool, Stopped> {
        let race = self.race(maker, breaker);
        let state = BoardState { breaker: 0, is_race: false, ..race };
        if self.is_maker_loss(state, makers_turn) {
            return Ok(false);
        }
        let before = self.positions;
        let (mut positions, mut can_make) = (FIRST_POSITION_LIMIT, false);
        loop {
            if !can_make && let Some(proof) = self.proof_within(state, makers_turn, positions.saturating_mul(4))? {
                can_make = proof.makes;
                if !can_make {
                    if self.positions - before >= FIRST_POSITION_LIMIT {
                        self.maker_losses.push((state, makers_turn));
                    }
                    return Ok(false);
                }
            }
            let most = if can_make { u64::MAX } else { positions };
            if let Some(proof) = self.proof_within(race, makers_turn, most)? {
                return Ok(proof.makes);
            }
            positions = positions.saturating_mul(4);
        }
    }

    /// Whether a long search has shown that the maker makes no line here.
    fn is_maker_loss(&self, state: BoardState, makers_turn: bool) -> bool {
        self.maker_losses.iter().any(|&(maker_losses, turn)| state.is_subset_of(maker_losses) && makers_turn <= turn)
    }

    /// The bound that a result proves. The mover is the maker when the question is whether the mover wins, and the
    /// breaker when it is whether the mover loses.
    fn proved_bound(&self, position: &Position, threshold: Value, makes: bool) -> Value {
        let left = (self.game.all & !position.marked()).count_ones();
        match (makes, threshold == Value::DRAW) {
            (false, _) => Value::DRAW,
            // The winner makes the last mark.
            (true, true) => Value::win(left - u32::from(left.is_multiple_of(2))),
            (true, false) => Value::loss(left - left % 2),
        }
    }

    fn race(&self, maker: u64, breaker: u64) -> BoardState {
        BoardState { maker, breaker, free: self.game.all & !(maker | breaker), is_race: true }
    }

    /// Searches for a proof within about `most` positions. The table makes a repeated search faster.
    fn proof_within(&mut self, state: BoardState, makers_turn: bool, most: u64) -> Result<Option<Proof>, Stopped> {
        let Self { game, inverses, proofs, threads, claims, watch, .. } = self;
        let shared = SharedSearch::new(watch, claims, *threads, 0, DEFAULT_PARALLEL_THRESHOLD, most);
        let race = Race { game, inverses, proofs, shared: &shared };
        let proof = shared.run(|worker| race.prove(state, makers_turn, worker));
        self.positions += shared.positions();
        match proof {
            Ok(proof) => Ok(Some(proof)),
            Err(Interrupt::Stopped) => Err(Stopped::Interrupted),
            Err(_) => Ok(None),
        }
    }
}

impl Settler<Position> for MakerBreakerSolver {
    /// Decides whether the mover wins, and whether the mover loses; not in how many plies.
    fn settle(&mut self, position: &Position, threshold: Value) -> Result<Option<Value>, Stopped> {
        let (own, others) = position.by_turn(position.marks);
        let makes = match threshold {
            Value::DRAW => self.makes(own, others, true)?,
            // Strategy stealing (J. Nash): see `Flat::bounds`.
            Value::BELOW_DRAW => own | others != 0 && self.makes(others, own, false)?,
            _ => return Ok(None),
        };
        Ok(Some(self.proved_bound(position, threshold, makes)))
    }

    fn known_bounds(&mut self, position: &Position) -> Bounds {
        let (own, others) = position.by_turn(position.marks);
        let mut bounds = Bounds::ANY;
        for (maker, breaker, makers_turn, threshold) in
            [(own, others, true, Value::DRAW), (others, own, false, Value::BELOW_DRAW)]
        {
            let race = self.race(maker, breaker);
            let makes = if self.is_maker_loss(BoardState { breaker: 0, is_race: false, ..race }, makers_turn) {
                Some(false)
            } else {
                // The next question polls the watch again.
                self.proof_within(race, makers_turn, MAX_PROBE_POSITIONS).ok().flatten().map(|proof| proof.makes)
            };
            if let Some(makes) = makes {
                bounds = bounds.intersect(Bounds::from_test(self.proved_bound(position, threshold, makes), threshold));
            }
        }
        bounds
    }

    fn bytes(&self) -> u64 {
        self.proofs.bytes()
    }

    fn positions_searched(&self) -> u64 {
        self.positions
    }

    fn set_watch(&mut self, watch: &Watch) {
        self.watch = watch.clone();
    }
}

#[cfg(test)]
mod tests;
