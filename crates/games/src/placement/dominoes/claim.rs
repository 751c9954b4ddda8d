//! Moves that a player is guaranteed, whatever the opponent does (Bullock's bounds).

use super::orientation::Orientation;
use crate::board::CellSet;
use crate::instructions::{Instructions, Work};

/// The claim that one player moves last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a, W> {
    /// The orientations of the player's and of the opponent's piece.
    pub(super) own: &'a Orientation<W>,
    pub(super) other: &'a Orientation<W>,
    pub(super) free: W,
    /// The player's lead in moves elsewhere; negative if the opponent leads.
    pub(super) lead: i32,
    /// The maximum number of disjoint placements of the player, and of those the number that the
    /// opponent cannot prevent.
    pub(super) max_moves: i32,
    pub(super) safe_moves: i32,
    /// The maximum number of the opponent's moves.
    pub(super) opponent_max_moves: i32,
    pub(super) instructions: Instructions,
}

/// A packing of disjoint placements of a player, counted by how one move of the opponent can
/// spoil them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Plan {
    /// Placements that it cannot spoil.
    safe: i32,
    /// Pairs of placements of which one makes the other safe, where no move spoils two pairs.
    pairs: i32,
    /// Placements that it can spoil together with another one.
    exposed: i32,
    /// Placements that it can spoil only alone.
    single: i32,
    /// How many of the exposed and of the single placements have a cell that the opponent cannot
    /// use.
    exposed_half: i32,
    single_half: i32,
}

/// The guaranteed yield of a [`Plan`] when the opponent begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Guarantee {
    moves: i32,
    /// Cells usable by the opponent that these moves cover.
    covered: i32,
    /// Pairs of which both placements are made.
    pairs: i32,
}

impl Plan {
    /// The yield of answering each spoiling move with a placement of the same kind: one of two
    /// pairs is used, one of three exposed placements, one of two single ones, and one of the
    /// remainders if the opponent cannot spoil all of them.
    fn guarantee(mut self) -> Guarantee {
        if self.pairs % 2 == 1 {
            self.pairs -= 1;
            self.exposed += 2;
        }
        let (exposed, single) = (self.exposed / 3, self.single / 2);
        // Placements with two cells usable by the opponent are made first.
        let halves =
            (exposed - (self.exposed - self.exposed_half) / 3) + (single - (self.single - self.single_half) / 2);
        let mut sure = Guarantee {
            moves: self.safe + self.pairs + exposed + single,
            covered: 2 * self.pairs + 2 * (exposed + single) - halves,
            pairs: self.pairs / 2,
        };
        if self.exposed % 3 != 0 && self.single % 2 != 0 {
            sure.moves += 1;
            sure.covered += 1;
        }
        sure
    }
}

impl<W: CellSet> Claim<'_, W> {
    /// Whether the player is guaranteed to move last when the opponent begins.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        if self.safe_moves + self.lead >= self.opponent_max_moves {
            return true;
        }
        if !self.is_likely(0) {
            return false;
        }
        let (plan, open_cells) = self.plan();
        self.is_enough(open_cells, plan.guarantee())
    }

    /// Whether the player is guaranteed to move last when beginning.
    #[inline]
    pub(super) fn holds_first(&self) -> bool {
        if self.safe_moves + self.lead > self.opponent_max_moves {
            return true;
        }
        if !self.is_likely(1) {
            return false;
        }
        let (plan, open_cells) = self.plan();
        let Plan { safe, pairs, exposed, single, exposed_half, single_half } = plan;
        let enough = |plan: Plan, moves, covered, pairs| {
            let sure = plan.guarantee();
            let sure =
                Guarantee { moves: sure.moves + moves, covered: sure.covered + covered, pairs: sure.pairs + pairs };
            self.is_enough(open_cells, sure)
        };
        pairs > 0 && enough(Plan { pairs: pairs - 1, ..plan }, 1, 4, 1)
            || exposed > exposed_half && enough(Plan { exposed: exposed - 1, ..plan }, 0, 2, 0)
            || single > single_half && enough(Plan { single: single - 1, ..plan }, 0, 2, 0)
            || exposed_half > 0
                && enough(Plan { exposed: exposed - 1, exposed_half: exposed_half - 1, ..plan }, 0, 1, 0)
            || single_half > 0 && enough(Plan { single: single - 1, single_half: single_half - 1, ..plan }, 0, 1, 0)
            || safe > 0 && enough(Plan { safe: safe - 1, ..plan }, 0, 0, 0)
    }

    /// Whether the opponent, to move, cannot make more moves than guaranteed. Each of the opponent's
    /// moves takes two open cells. A used pair takes a move from either line that it lies in,
    /// as it leaves two fewer of its cells next to a wall.
    #[inline]
    fn is_enough(&self, open_cells: i32, sure: Guarantee) -> bool {
        let moves = sure.moves + self.lead;
        moves >= self.opponent_max_moves - 2 * sure.pairs || 2 * moves + sure.covered + 1 >= open_cells
    }

    /// Whether a plan may succeed. Of placements that are not safe the player gets at most one in
    /// two, and one pair in four; plans that need nearly that many hardly ever succeed. The
    /// limits in sixteenths were found by trial. A claim that is not tried costs a search, never
    /// an answer.
    #[inline]
    fn is_likely(&self, begun: i32) -> bool {
        let spoilable = self.max_moves - self.safe_moves;
        let gained = (7 * spoilable + 8) / 16 + begun;
        let moves = self.safe_moves + gained + self.lead;
        if moves + 2 * (3 * spoilable / 16 + begun) >= self.opponent_max_moves {
            return true;
        }
        let enough = 2 * moves + 2 * gained + 1;
        // The opponent has at least two open cells for each move.
        enough >= 2 * self.opponent_max_moves
            && enough >= self.other.cells(self.other.fits(self.free)).count_ones() as i32
    }

    /// Returns the plan, and the number of cells that the opponent can use.
    fn plan(&self) -> (Plan, i32) {
        self.instructions.run(Planning(self))
    }
}

/// Computes [`Claim::plan`].
struct Planning<'a, W>(&'a Claim<'a, W>);

impl<W: CellSet> Work for Planning<'_, W> {
    type Output = (Plan, i32);

    #[inline(always)]
    fn run(self) -> (Plan, i32) {
        let claim = self.0;
        let (own, other) = (claim.own, claim.other);
        let (places, others) = (own.fits(claim.free), other.fits(claim.free));
        let useful = other.cells(others);
        let closed = claim.free & !useful;
        // A pair is two placements side by side, with a wall beyond one of them.
        let first_walled = own.fits(claim.free & !other.second_cells(others));
        let second_walled = own.fits(claim.free & !others);
        let squares = places & other.predecessors(places) & others & own.predecessors(others);
        let mut candidates = squares & (first_walled | other.predecessors(second_walled));
        let (mut pairs, mut paired) = (0, W::zero());
        while !candidates.is_zero() {
            let cells = other.cells(own.cells(candidates & !(candidates - W::one())));
            paired |= cells;
            pairs += 1;
            let near = cells | other.other_cells(cells, others);
            let near = near | own.predecessors(near);
            candidates &= !(near | other.predecessors(near));
        }
        // Of an odd run of closed cells the safe placements leave one, which can be combined with
        // an open cell beside it.
        let open = useful & !paired;
        let mut left = open;
        if !closed.is_zero() {
            let runs = own.fits(closed);
            let last = closed & !own.cells(own.pack(runs));
            let down = last & places & own.predecessors(open);
            let rest = last & !down;
            let first = (rest | own.runs_through(runs, own.predecessors(rest) & runs)) & !own.second_cells(runs);
            left |= down | first & own.second_cells(places & open);
        }
        let packed = own.pack(own.fits(left));
        let near = other.other_cells(own.cells(packed) | paired, others);
        let exposed = packed & (near | own.predecessors(near));
        let half = packed & (closed | own.predecessors(closed));
        let plan = Plan {
            safe: claim.safe_moves,
            pairs,
            exposed: exposed.count_ones() as i32,
            single: (packed & !exposed).count_ones() as i32,
            exposed_half: (exposed & half).count_ones() as i32,
            single_half: (half & !exposed).count_ones() as i32,
        };
        (plan, useful.count_ones() as i32)
    }
}
