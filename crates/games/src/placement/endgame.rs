//! Endgame search on the conflict graph of the remaining placements.
//!
//! Two placements conflict if they share a cell, or the last piece of a kind. A move removes
//! a placement and all that conflict with it: Node Kayles, played fast with bit sets.
//!
//! Source: T. J. Schaefer, "On the complexity of some two-person perfect-information
//! games", Journal of Computer and System Sciences 16 (1978).

use std::cmp::Reverse;

use balpan::Value;

use super::{PiecePlacement, Placement, Position};
use crate::board::{CellSet, Cells};

/// Maximum number of remaining placements of an endgame.
const MAX_PLACEMENTS: usize = 256;

/// Minimum average share of placements that a placement removes: below it, games are too long
/// to be searched in this way.
const MIN_CONFLICT_SHARE: f64 = 0.3;

/// A set of placements, one bit each.
type Set<const N: usize> = [u64; N];

/// The conflict graph; placements with the most conflicts come first.
struct Endgame<const N: usize> {
    /// The placements that each one removes, itself included.
    removes: Vec<Set<N>>,
    /// The placements of the mover and of the opponent.
    own: [Set<N>; 2],
    misere: bool,
    /// The transposition table, direct-mapped.
    table: Vec<EndgameEntry<N>>,
    /// Killer moves by ply: the placements that last left the opponent no move, latest first.
    killers: Vec<[u16; 4]>,
}

/// An entry of the transposition table.
#[derive(Clone, Copy)]
struct EndgameEntry<const N: usize> {
    left: Set<N>,
    mover: usize,
    /// A bound, and whether it is a lower one.
    bound: Value,
    is_lower: bool,
}

impl<W: CellSet> Placement<W> {
    /// Returns a lower bound above `threshold`, or an upper bound that is not; `None` if the position
    /// is no endgame.
    pub(super) fn endgame_bound(&self, position: &Position<W>, threshold: Value) -> Option<Value> {
        let free = self.free(position);
        let sides = [position.right_to_move, !position.right_to_move].map(usize::from);
        let sides = &sides[..if self.rules.pieces.is_partizan() { 2 } else { 1 }];
        let count: usize = sides.iter().map(|&side| self.fits[side].count(free, position.used)).sum();
        if count > MAX_PLACEMENTS {
            return None;
        }
        let mut left = Vec::with_capacity(count);
        for (player, &side) in sides.iter().enumerate() {
            left.extend(self.fits[side].placements(free, position.used).map(|placed| (player, placed)));
        }
        sort(&mut left);
        match count.div_ceil(64) {
            0 | 1 => self.search_endgame::<1>(&left, position.used, free, threshold),
            2 => self.search_endgame::<2>(&left, position.used, free, threshold),
            _ => self.search_endgame::<{ MAX_PLACEMENTS / 64 }>(&left, position.used, free, threshold),
        }
    }

    fn search_endgame<const N: usize>(
        &self,
        left: &[(usize, PiecePlacement<W>)],
        used: u64,
        free: W,
        threshold: Value,
    ) -> Option<Value> {
        let mut own = [[0; N]; 2];
        for (number, &(player, _)) in left.iter().enumerate() {
            insert(&mut own[player], number);
        }
        if !self.rules.pieces.is_partizan() {
            own[1] = own[0];
        }
        let removes = removes(left, used, free)?;
        let empty = EndgameEntry { left: [0; N], mover: own.len(), bound: Value::DRAW, is_lower: false };
        let killers = vec![[0; 4]; left.len() + 1];
        let mut endgame = Endgame { removes, own, misere: self.rules.misere, table: vec![empty; 128 * N], killers };
        Some(endgame.search(union(&own[0], &own[1]), 0, threshold))
    }
}

/// Sorts placements with approximately the most conflicts first: they leave the opponent the
/// least.
fn sort<W: CellSet>(left: &mut [(usize, PiecePlacement<W>)]) {
    let (mut of_cell, mut of_piece) = ([0_u32; 128], [0_u32; 16]);
    for (_, placed) in &*left {
        Cells(placed.cells).for_each(|cell| of_cell[cell] += 1);
        placed.piece().into_iter().for_each(|piece| of_piece[piece] += 1);
    }
    let conflicts = |placed: &PiecePlacement<W>| {
        let of_cells: u32 = Cells(placed.cells).map(|cell| of_cell[cell]).sum();
        of_cells + placed.piece().map_or(0, |piece| of_piece[piece])
    };
    left.sort_by_cached_key(|(_, placed)| Reverse(conflicts(placed)));
}

/// The placements that each one removes; `None` if that is too few, and if a supply lasts for
/// more than one placement but not for all: conflicts are then not pairwise.
fn removes<W: CellSet, const N: usize>(left: &[(usize, PiecePlacement<W>)], used: u64, free: W) -> Option<Vec<Set<N>>> {
    let (mut of_cell, mut of_piece) = ([[0; N]; 128], [[0; N]; 16]);
    for (number, (_, placed)) in left.iter().enumerate() {
        Cells(placed.cells).for_each(|cell| insert(&mut of_cell[cell], number));
        placed.piece().into_iter().for_each(|piece| insert(&mut of_piece[piece], number));
    }
    for (_, placed) in left {
        let (Some(piece), supply) = (placed.piece(), placed.supply(used)) else { continue };
        if supply > 1 {
            let placements: u32 = of_piece[piece].iter().map(|word| word.count_ones()).sum();
            let room = free.count_ones() / placed.cells.count_ones();
            if supply < placements.min(room) {
                return None;
            }
        }
    }
    let removes = |(number, (_, placed)): (usize, &(usize, PiecePlacement<W>))| {
        let is_last = placed.supply(used) == 1;
        let mut removes = placed.piece().filter(|_| is_last).map_or([0; N], |piece| of_piece[piece]);
        insert(&mut removes, number);
        Cells(placed.cells).fold(removes, |removes, cell| union(&removes, &of_cell[cell]))
    };
    let removes: Vec<Set<N>> = left.iter().enumerate().map(removes).collect();
    let taken: u32 = removes.iter().flatten().map(|word| word.count_ones()).sum();
    (f64::from(taken) >= MIN_CONFLICT_SHARE * (left.len() * left.len()) as f64).then_some(removes)
}

fn insert<const N: usize>(set: &mut Set<N>, number: usize) {
    set[number / 64] |= 1 << (number % 64);
}

fn union<const N: usize>(one: &Set<N>, other: &Set<N>) -> Set<N> {
    std::array::from_fn(|word| one[word] | other[word])
}

fn numbers<const N: usize>(set: Set<N>) -> impl Iterator<Item = usize> {
    set.into_iter().enumerate().flat_map(|(word, bits)| Cells(bits).map(move |bit| 64 * word + bit))
}

impl<const N: usize> Endgame<N> {
    /// Returns a lower bound above `threshold`, or an upper bound that is not.
    fn search(&mut self, left: Set<N>, ply: usize, threshold: Value) -> Value {
        let mover = ply % 2;
        if self.misere && !self.has_any(&left, mover) {
            return Value::win(0);
        }
        if !self.misere && self.killers[ply].iter().any(|&number| self.ends_game(&left, number.into(), mover)) {
            return Value::win(1);
        }
        let slot = self.slot(&left, mover);
        let entry = &self.table[slot];
        if entry.left == left && entry.mover == mover && (entry.bound > threshold) == entry.is_lower {
            return entry.bound;
        }
        let bound = self.search_moves(&left, ply, threshold);
        self.table[slot] = EndgameEntry { left, mover, bound, is_lower: bound > threshold };
        bound
    }

    fn search_moves(&mut self, left: &Set<N>, ply: usize, threshold: Value) -> Value {
        let mover = ply % 2;
        let moves = std::array::from_fn(|word| left[word] & self.own[mover][word]);
        if !self.misere {
            if let Some(last) = numbers(moves).find(|&number| self.ends_game(left, number, mover)) {
                let killers = &mut self.killers[ply];
                killers.rotate_right(1);
                killers[0] = last as u16;
                return Value::win(1);
            }
            if threshold < Value::loss(2) {
                return if moves == [0; N] { Value::loss(0) } else { Value::loss(2) };
            }
        }
        if threshold >= Value::win(2) {
            return Value::win(2);
        }
        let mut best = Value::loss(0);
        for number in numbers(moves) {
            best = best.max(self.search(self.after(left, number), ply + 1, threshold.child_threshold()).to_parent());
            if best > threshold {
                break;
            }
        }
        best
    }

    #[inline]
    fn after(&self, left: &Set<N>, number: usize) -> Set<N> {
        let removes = &self.removes[number];
        std::array::from_fn(|word| left[word] & !removes[word])
    }

    #[inline]
    fn has_any(&self, left: &Set<N>, player: usize) -> bool {
        (0..N).any(|word| left[word] & self.own[player][word] != 0)
    }

    /// Whether a placement remains, belongs to the mover and leaves the opponent no move.
    #[inline]
    fn ends_game(&self, left: &Set<N>, number: usize, mover: usize) -> bool {
        let (word, bit) = (number / 64, 1 << (number % 64));
        left[word] & self.own[mover][word] & bit != 0 && !self.has_any(&self.after(left, number), 1 - mover)
    }

    #[inline]
    fn slot(&self, left: &Set<N>, mover: usize) -> usize {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mix = |mixed: u64, word: &u64| (mixed ^ word).wrapping_mul(ODD).rotate_left(29);
        (left.iter().fold(mover as u64, mix).wrapping_mul(ODD) >> 40) as usize & (self.table.len() - 1)
    }
}
