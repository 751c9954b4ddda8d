//! What each player still needs in a fight.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::Fight;
use super::sets::{Fork, Sets};
use crate::board::{Cells, bit};
use crate::instructions::Instructions;
use crate::lines::Lines;
use crate::lines::dominated::Domination;
use crate::lines::plan::{self, SWIFT, THOROUGH};

/// A fight by what each player lacks of his lines. The breaker has no sets where his lines do not count.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) fight: Fight,
    pub(super) makers: Sets,
    pub(super) breakers: Sets,
}

impl Sides {
    pub(super) fn of(game: &Lines, fight: Fight) -> Self {
        let windows = game.rows.windows();
        let breakers = if fight.is_race { Sets::of(windows, fight.breaker, fight.free) } else { Sets::default() };
        Self { fight, makers: Sets::of(windows, fight.maker, fight.free), breakers }
    }

    /// Replaces it by the fight after the maker's mark, or the breaker's.
    #[inline(always)]
    pub(super) fn set_after(&mut self, before: &Self, makers_turn: bool, cell: u64) {
        self.fight = before.fight.after(makers_turn, cell);
        if makers_turn {
            self.makers.set_marked(&before.makers, cell);
            self.breakers.set_met(&before.breakers, cell);
        } else {
            self.makers.set_met(&before.makers, cell);
            self.breakers.set_marked(&before.breakers, cell);
        }
    }

    /// The mover's sets, and the other's.
    #[inline(always)]
    pub(super) fn by_turn(&self, makers_turn: bool) -> (&Sets, &Sets) {
        if makers_turn { (&self.makers, &self.breakers) } else { (&self.breakers, &self.makers) }
    }

    /// Leaves out what changes nothing: sets with all cells of another one, and the maker's sets with twins, two cells
    /// that are in the same sets of his and in none of the breaker's. Where the maker marks one, the breaker marks the
    /// other, and meets all sets of both; and a set more or less that he can meet so changes nothing for the rest.
    /// Returns the twins.
    #[inline(always)]
    pub(super) fn reduce(&mut self) -> u64 {
        self.breakers.drop_supersets();
        let breakers = self.breakers.cells();
        let mut paired = 0;
        loop {
            self.makers.drop_supersets();
            let domination = Domination::of(&self.makers, &[]);
            let mut twins = 0;
            for cell in Cells(domination.cells & !breakers) {
                if let Some(twin) = domination.twin(cell)
                    && (twins | breakers) & (bit(cell) | bit(twin)) == 0
                {
                    twins |= bit(cell) | bit(twin);
                }
            }
            if twins == 0 {
                return paired;
            }
            paired |= twins;
            self.makers.retain(|set| set & twins == 0);
        }
    }

    /// The cells in any set.
    #[inline(always)]
    pub(super) fn cells(&self) -> u64 {
        self.makers.cells() | self.breakers.cells()
    }

    /// Leaves out of the fight the cells that are in no set, marks of no more use, and the breaker's lines if there can
    /// be none.
    #[inline(always)]
    pub(super) fn narrow(&mut self, game: &Lines) {
        let free = self.cells();
        let of_use = |own: u64| {
            let open = own | free;
            let windows = game.rows.windows().iter().filter(|&window| window & !open == 0);
            own & windows.fold(0, |cells, window| cells | window)
        };
        let Fight { maker, breaker, .. } = self.fight;
        let is_race = !self.breakers.is_empty();
        self.fight = Fight { free, maker: of_use(maker), breaker: of_use(breaker), is_race };
    }

    /// The zone of a plan by which the breaker meets all sets, moving next if `turn`. The maker's sets are reordered.
    #[inline(always)]
    pub(super) fn plan(&mut self, turn: bool, instructions: Instructions) -> Option<u64> {
        let effort = if self.fight.is_race { SWIFT } else { THOROUGH };
        plan::zone(&mut self.makers, turn, effort, instructions)
    }

    /// A fork by which the other player would get his way if the mover passed.
    #[inline(always)]
    pub(super) fn fork_after_pass(&self, makers_turn: bool) -> Option<Fork> {
        let (_, theirs) = self.by_turn(makers_turn);
        theirs.fork(theirs.seen().forking)
    }

    /// The `cells`, in the order in which the mover tries them: those first that are in the heaviest sets.
    #[inline(always)]
    pub(super) fn by_weight(&self, cells: u64, makers_turn: bool) -> ArrayVec<u64, 64> {
        let (mine, theirs) = self.by_turn(makers_turn);
        let weights = match (makers_turn, self.fight.is_race) {
            (true, true) => [&MAKERS_OWN, &TWELFTHS],
            (true, false) => [&THIRDS, &TWELFTHS],
            (false, true) => [&THIRDS, &TWELFTHS],
            (false, false) => [&THIRDS, &EIGHTHS],
        };
        let mut through = [0_u64; 64];
        for (sets, weights) in [mine, theirs].into_iter().zip(weights) {
            for &set in sets.iter() {
                let weight = weights[set.count_ones() as usize];
                Cells(set & cells).for_each(|cell| through[cell] += weight);
            }
        }
        let mut order: ArrayVec<_, 64> = Cells(cells).map(|cell| (Reverse(through[cell]), cell)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, cell)| bit(cell)).collect()
    }
}

/// What a set counts for by its cells, if it is the other player's: five twelfths for each cell more. (On 4×9, four in a
/// row, a third and a half take more positions.)
const TWELFTHS: [u64; 65] = weights(1, 5, 12);

/// The same for the maker's own sets in a race.
const MAKERS_OWN: [u64; 65] = weights(6, 5, 12);

/// The same for the breaker's own sets, and for the maker's where the breaker has none: a third. (On 4×9, four in a row,
/// a half takes more than twice as many positions.)
const THIRDS: [u64; 65] = weights(3, 1, 3);

/// The same for the maker's sets on the breaker's turn, where the breaker has none: five eighths. (On 8×8, five in a
/// row, a half or three quarters take more positions.)
const EIGHTHS: [u64; 65] = weights(1, 5, 8);

/// `first` for no cell, `times / by` of it for one, and so on.
const fn weights(first: u64, times: u64, by: u64) -> [u64; 65] {
    let mut weights = [first << 40; 65];
    let mut n = 1;
    while n < weights.len() {
        weights[n] = weights[n - 1] / by * times;
        n += 1;
    }
    weights
}
