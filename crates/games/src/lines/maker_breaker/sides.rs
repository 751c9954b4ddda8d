//! The sets that each player still needs.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use super::BoardState;
use super::sets::{Fork, Sets};
use crate::board::{Cells, bit};
use crate::instructions::Instructions;
use crate::lines::Lines;
use crate::lines::dominated::Domination;
use crate::lines::plan::{self, SWIFT, THOROUGH};

/// A position as the cells that each player lacks of their lines. The breaker has no sets where their lines do not count.
#[derive(Default)]
pub(super) struct Sides {
    pub(super) state: BoardState,
    pub(super) makers: Sets,
    pub(super) breakers: Sets,
}

impl Sides {
    pub(super) fn new(game: &Lines, state: BoardState) -> Self {
        let windows = game.rows.windows();
        let breakers =
            if state.is_race { Sets::from_windows(windows, state.breaker, state.free) } else { Sets::default() };
        Self { state, makers: Sets::from_windows(windows, state.maker, state.free), breakers }
    }

    /// Sets this to the position after the maker's mark, or the breaker's.
    #[inline(always)]
    pub(super) fn set_after(&mut self, before: &Self, makers_turn: bool, cell: u64) {
        self.state = before.state.after(makers_turn, cell);
        if makers_turn {
            self.makers.set_after_own_mark(&before.makers, cell);
            self.breakers.set_after_opponents_mark(&before.breakers, cell);
        } else {
            self.makers.set_after_opponents_mark(&before.makers, cell);
            self.breakers.set_after_own_mark(&before.breakers, cell);
        }
    }

    /// The sets of the mover and of the opponent.
    #[inline(always)]
    pub(super) fn by_turn(&self, makers_turn: bool) -> (&Sets, &Sets) {
        if makers_turn { (&self.makers, &self.breakers) } else { (&self.breakers, &self.makers) }
    }

    /// Removes redundant sets: supersets of other sets, and the maker's sets with twins. Twins are two cells that are in
    /// the same sets of the maker's and in none of the breaker's: where the maker marks one, the breaker marks the other
    /// and meets all these sets, which changes nothing for the rest. Returns the twins.
    #[inline(always)]
    pub(super) fn reduce(&mut self) -> u64 {
        self.breakers.drop_supersets();
        let breakers = self.breakers.cells();
        let mut paired = 0;
        loop {
            self.makers.drop_supersets();
            let domination = Domination::new(&self.makers, &[]);
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

    /// Drops free cells that are in no set, useless marks, and the race if the breaker can make no line.
    #[inline(always)]
    pub(super) fn narrow(&mut self, game: &Lines) {
        let free = self.cells();
        let of_use = |own: u64| {
            let open = own | free;
            let windows = game.rows.windows().iter().filter(|&window| window & !open == 0);
            own & windows.fold(0, |cells, window| cells | window)
        };
        let BoardState { maker, breaker, .. } = self.state;
        let is_race = !self.breakers.is_empty();
        self.state = BoardState { free, maker: of_use(maker), breaker: of_use(breaker), is_race };
    }

    /// The zone of a plan by which the breaker meets all sets, moving next if `turn`. Reorders the maker's sets.
    #[inline(always)]
    pub(super) fn plan(&mut self, turn: bool, instructions: Instructions) -> Option<u64> {
        let effort = if self.state.is_race { SWIFT } else { THOROUGH };
        plan::find_zone(&mut self.makers, turn, effort, instructions)
    }

    /// A fork by which the opponent would succeed if the mover passed.
    #[inline(always)]
    pub(super) fn fork_after_pass(&self, makers_turn: bool) -> Option<Fork> {
        let (_, theirs) = self.by_turn(makers_turn);
        theirs.fork(theirs.small_sets().forking)
    }

    /// Move ordering: the `cells`, those in the max_weight sets first.
    #[inline(always)]
    pub(super) fn by_weight(&self, cells: u64, makers_turn: bool) -> ArrayVec<u64, 64> {
        let (mine, theirs) = self.by_turn(makers_turn);
        let weights = match (makers_turn, self.state.is_race) {
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

/// Weights of the opponent's sets by size: five twelfths for each further cell. (On 4×9, four in a row, a third and a
/// half take more positions.)
const TWELFTHS: [u64; 65] = weights(1, 5, 12);

/// Weights of the maker's own sets in a race.
const MAKERS_OWN: [u64; 65] = weights(6, 5, 12);

/// Weights of the breaker's own sets, and of the maker's where the breaker has none: a third. (On 4×9, four in a row, a
/// half takes more than twice as many positions.)
const THIRDS: [u64; 65] = weights(3, 1, 3);

/// Weights of the maker's sets on the breaker's turn, where the breaker has none: five eighths. (On 8×8, five in a
/// row, a half or three quarters take more positions.)
const EIGHTHS: [u64; 65] = weights(1, 5, 8);

/// The weights `first` for no cell, `times / by` of it for one, and so on.
const fn weights(first: u64, times: u64, by: u64) -> [u64; 65] {
    let mut weights = [first << 40; 65];
    let mut n = 1;
    while n < weights.len() {
        weights[n] = weights[n - 1] / by * times;
        n += 1;
    }
    weights
}
