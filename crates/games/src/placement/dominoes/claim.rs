//! Moves that a player is sure of, whatever the other does.

use super::way::Way;
use crate::board::CellSet;
use crate::instructions::{Instructions, Work};

/// Where one player claims to move last.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claim<'a, W> {
    /// The player's own way, and the other's.
    pub(super) own: &'a Way<W>,
    pub(super) other: &'a Way<W>,
    pub(super) free: W,
    /// Moves elsewhere that only this player has, or, if negative, only the other.
    pub(super) lead: i32,
    /// How many places of the player's own can lie side by side; how many of those
    /// that the other one cannot spoil.
    pub(super) most: i32,
    pub(super) safe: i32,
    /// How many moves the other player can make at the most.
    pub(super) others_most: i32,
    pub(super) instructions: Instructions,
}

/// Disjoint places for a player's own pieces, by what the other can do about them
/// with one piece.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Plan {
    /// Nothing.
    safe: i32,
    /// Pairs of places, of which a piece on one makes the other safe, and of which the
    /// other player can spoil no two at once.
    pairs: i32,
    /// Spoil it together with another one.
    exposed: i32,
    /// Spoil it alone.
    single: i32,
    /// How many of the exposed, and of the single, have a cell of no use to the other
    /// player.
    exposed_half: i32,
    single_half: i32,
}

/// What a player gets out of a [`Plan`] at the least when the other one begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Yield {
    moves: i32,
    /// Cells of use to the other player that they cover.
    covered: i32,
    /// Pairs of which both places are used.
    pairs: i32,
}

impl Plan {
    /// Answers each piece that spoils something with one of its own on what is of the
    /// same kind: pairs two by two, exposed places three by three, single ones two by
    /// two, and of what is left one if the other player cannot spoil all.
    fn yields(mut self) -> Yield {
        if self.pairs % 2 == 1 {
            self.pairs -= 1;
            self.exposed += 2;
        }
        let (exposed, single) = (self.exposed / 3, self.single / 2);
        // Places of which both cells are of use to the other are taken first.
        let halves =
            (exposed - (self.exposed - self.exposed_half) / 3) + (single - (self.single - self.single_half) / 2);
        let mut sure = Yield {
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
    /// Whether the player surely moves last when the other one begins.
    #[inline]
    pub(super) fn holds(&self) -> bool {
        if self.safe + self.lead >= self.others_most {
            return true;
        }
        if !self.is_likely(0) {
            return false;
        }
        let (plan, open_cells) = self.plan();
        self.is_enough(open_cells, plan.yields())
    }

    /// Whether the player surely moves last when beginning.
    #[inline]
    pub(super) fn holds_first(&self) -> bool {
        if self.safe + self.lead > self.others_most {
            return true;
        }
        if !self.is_likely(1) {
            return false;
        }
        let (plan, open_cells) = self.plan();
        let Plan { safe, pairs, exposed, single, exposed_half, single_half } = plan;
        let enough = |plan: Plan, moves, covered, pairs| {
            let sure = plan.yields();
            let sure = Yield { moves: sure.moves + moves, covered: sure.covered + covered, pairs: sure.pairs + pairs };
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

    /// Whether the other player, who is to move, cannot make more moves than these.
    /// Each takes two open cells; and a pair that is used takes a move from either
    /// line that it lies in, as it leaves two cells less of them next to a wall.
    #[inline]
    fn is_enough(&self, open_cells: i32, sure: Yield) -> bool {
        let moves = sure.moves + self.lead;
        moves >= self.others_most - 2 * sure.pairs || 2 * moves + sure.covered + 1 >= open_cells
    }

    /// Whether a plan is worth working out. Of what is not safe the player gets at most one
    /// place in two and one pair in four, and plans that need nearly that many hardly ever
    /// hold: these must do with fewer, in sixteenths found by trial. A claim that is left
    /// out costs a search, never an answer.
    #[inline]
    fn is_likely(&self, begun: i32) -> bool {
        let spoilable = self.most - self.safe;
        let gained = (7 * spoilable + 8) / 16 + begun;
        let moves = self.safe + gained + self.lead;
        if moves + 2 * (3 * spoilable / 16 + begun) >= self.others_most {
            return true;
        }
        let enough = 2 * moves + 2 * gained + 1;
        // The other player has two open cells for each move at the least.
        enough >= 2 * self.others_most && enough >= self.other.cells(self.other.fits(self.free)).count_ones() as i32
    }

    /// What the player can count on, and how many cells are of use to the other one.
    fn plan(&self) -> (Plan, i32) {
        self.instructions.run(Planning(self))
    }

    /// As [`plan`](Self::plan), compiled for the machine.
    #[inline(always)]
    fn planned(&self) -> (Plan, i32) {
        let (own, other) = (self.own, self.other);
        let (places, others) = (own.fits(self.free), other.fits(self.free));
        let useful = other.cells(others);
        let closed = self.free & !useful;
        // A pair is two places side by side, beyond one of which is a wall.
        let first_walled = own.fits(self.free & !other.second(others));
        let second_walled = own.fits(self.free & !others);
        let squares = places & other.next(places) & others & own.next(others);
        let mut candidates = squares & (first_walled | other.next(second_walled));
        let (mut pairs, mut paired) = (0, W::zero());
        while !candidates.is_zero() {
            let cells = other.cells(own.cells(candidates & !(candidates - W::one())));
            paired |= cells;
            pairs += 1;
            let near = cells | other.across(cells, others);
            let near = near | own.next(near);
            candidates &= !(near | other.next(near));
        }
        // Of an odd run of closed cells, the safe places leave one, which can go
        // together with an open cell beside it.
        let open = useful & !paired;
        let mut left = open;
        if !closed.is_zero() {
            let runs = own.fits(closed);
            let last = closed & !own.cells(own.pack(runs));
            let down = last & places & own.next(open);
            let rest = last & !down;
            let first = (rest | own.runs(runs, own.next(rest) & runs)) & !own.second(runs);
            left |= down | first & own.second(places & open);
        }
        let packed = own.pack(own.fits(left));
        let near = other.across(own.cells(packed) | paired, others);
        let exposed = packed & (near | own.next(near));
        let half = packed & (closed | own.next(closed));
        let plan = Plan {
            safe: self.safe,
            pairs,
            exposed: exposed.count_ones() as i32,
            single: (packed & !exposed).count_ones() as i32,
            exposed_half: (exposed & half).count_ones() as i32,
            single_half: (half & !exposed).count_ones() as i32,
        };
        (plan, useful.count_ones() as i32)
    }
}

/// See [`Claim::plan`].
struct Planning<'a, W>(&'a Claim<'a, W>);

impl<W: CellSet> Work for Planning<'_, W> {
    type Output = (Plan, i32);

    #[inline(always)]
    fn run(self) -> (Plan, i32) {
        self.0.planned()
    }
}
