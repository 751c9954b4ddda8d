//! The sets of which the breaker still needs a cell each, with what is seen of them at once.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::Fight;
use crate::board::{Cells, bit};
use crate::lines::Lines;
use crate::lines::lacks::Lacks;

/// What the maker lacks of each window that he can still complete, but for sets that the breaker meets by pairs
/// of cells that are [twins](Self::reduce).
pub(super) struct Unmet {
    pub(super) lacks: Lacks,
    /// The cells of such pairs.
    pub(super) paired: u64,
    /// The cells in any set.
    pub(super) cells: u64,
    /// For each of these cells, what the sets with it have in common.
    common: [u64; 64],
}

impl Unmet {
    #[inline]
    pub(super) fn of(game: &Lines, fight: Fight) -> Self {
        let mut lacks = Lacks::default();
        game.flat.windows().find_lacks(fight.maker, !(fight.maker | fight.free), &mut lacks);
        Self { lacks, paired: 0, cells: 0, common: [u64::MAX; 64] }
    }

    /// Leaves out the sets with twins: two cells each of which is in all sets of the other. Where the maker marks one,
    /// the breaker marks the other, and meets all sets of both; and a set more or less that he can meet so changes
    /// nothing for the rest.
    #[inline]
    pub(super) fn reduce(&mut self, game: &Lines) {
        self.lacks.drop_supersets(u32::from(game.rules.k - 1) / 2);
        loop {
            self.relate();
            let mut twins = 0;
            for cell in Cells(self.cells & !twins) {
                let mutual = |&other: &usize| self.common[other] & bit(cell) != 0;
                if let Some(twin) = Cells(self.common[cell] & !bit(cell)).find(mutual)
                    && twin > cell
                {
                    twins |= bit(cell);
                    self.paired |= bit(cell) | bit(twin);
                }
            }
            if twins == 0 {
                return;
            }
            self.lacks.retain(|set| set & twins == 0);
        }
    }

    fn relate(&mut self) {
        self.cells = 0;
        self.common = [u64::MAX; 64];
        for &set in self.lacks.sets() {
            self.cells |= set;
            for cell in Cells(set) {
                self.common[cell] &= set;
            }
        }
    }

    /// The cells that are in no other one's sets, all of them; of twins, the first.
    #[inline]
    pub(super) fn undominated(&self) -> u64 {
        let dominates = |cell: usize, other: usize| self.common[other] & bit(cell) == 0 || other < cell;
        let is_dominated = |&cell: &usize| Cells(self.common[cell] & !bit(cell)).any(|other| dominates(cell, other));
        Cells(self.cells).filter(is_dominated).fold(self.cells, |kept, cell| kept & !bit(cell))
    }

    /// Of the `kept` cells, the first that is in all sets of `cell`.
    #[inline]
    pub(super) fn dominator(&self, cell: usize, kept: u64) -> u64 {
        let dominators = self.common[cell] & kept;
        dominators & dominators.wrapping_neg()
    }

    /// The fight for these sets alone: the cells in none of them, and marks of no more use, are the breaker's.
    #[inline]
    pub(super) fn fight(&self, game: &Lines, fight: Fight) -> Fight {
        let open = fight.maker | self.cells;
        let of_use =
            game.rows.windows().iter().filter(|&window| window & !open == 0).fold(0, |cells, window| cells | window);
        Fight { maker: fight.maker & of_use, free: self.cells }
    }

    /// The `cells`, in the order in which a player tries them: those first that are in the heaviest sets.
    #[inline]
    pub(super) fn by_weight(&self, cells: u64, makers_turn: bool) -> impl Iterator<Item = u64> + use<> {
        let weights = if makers_turn { &MAKERS } else { &BREAKERS };
        let mut through = [0_u64; 64];
        for &set in self.lacks.sets() {
            let weight = weights[set.count_ones() as usize];
            Cells(set & cells).for_each(|cell| through[cell] += weight);
        }
        let mut order: ArrayVec<_, 64> = Cells(cells).map(|cell| (Reverse(through[cell]), cell)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, cell)| bit(cell))
    }
}

/// What a set counts for, by its cells, where the maker is to move: a third for each cell more. (On 4×9, four in a row, a half
/// takes more than twice as many positions.)
const MAKERS: [u64; 65] = weights(1, 3);

/// The same where the breaker is: five eighths. (On 8×8, five in a row, a half or three quarters take more positions.)
const BREAKERS: [u64; 65] = weights(5, 8);

/// 1, `times / by`, and so on.
const fn weights(times: u64, by: u64) -> [u64; 65] {
    let mut weights = [1 << 40; 65];
    let mut n = 1;
    while n < weights.len() {
        weights[n] = weights[n - 1] / by * times;
        n += 1;
    }
    weights
}
