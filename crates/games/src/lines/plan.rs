//! Breaker's strategies in Maker-Breaker games: how one player, the breaker, can mark a cell of every
//! set, whatever the other, the maker, does.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::board::{Cells, bit};
use crate::instructions::{Instructions, Work};

/// Limits of the search for a plan.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Remaining steps.
    steps: u32,
    /// Maximum total weight of the sets, on the maker's turn and on the breaker's: heavier ones have
    /// hardly ever a plan.
    max_weight: [u64; 2],
}

/// Limits for searches that try plans among other bounds. (On 4×8, four in a row, a search of heavier sets
/// found a plan one in 1,300 times, and one in 500.)
const QUICK: Effort = Effort { steps: 30, max_weight: [11 * WHOLE / 8, 18 * WHOLE / 8] };

/// Limits for searches that plans decide. (On 8×8, five in a row, from a position of three marks, they
/// leave a seventeenth of the positions.)
pub(super) const THOROUGH: Effort = Effort { steps: 400, max_weight: [14 * WHOLE / 8, 24 * WHOLE / 8] };

/// Limits for races, where longer searches for plans take more time than they save. (On 4×9, four in a row, 400
/// steps leave 5% fewer positions and take a third more time.)
pub(super) const SWIFT: Effort = Effort { steps: 20, ..THOROUGH };

/// Maximum number of ways to meet a set that are tried.
const MAX_WAYS: usize = 64;

/// The weight of an empty set, which no plan can meet.
const WHOLE: u64 = 1 << 40;

/// The weight of a set by its number of cells, rounded up.
#[inline(always)]
fn weight(cells: u32) -> u64 {
    WHOLE >> cells.min(WHOLE.ilog2())
}

/// Whether a plan is found by which the breaker marks a cell of each of `sets`, whose cells are all
/// free. `turn` says whether the breaker is to move. The sets are reordered.
///
/// A plan may pair cells: the breaker answers a mark on one cell of a pair by marking the
/// other, so every set that contains a pair is met. A. W. Hales and
/// R. I. Jewett, "Regularity and positional games", Transactions of the American
/// Mathematical Society 106 (1963).
///
/// Sets without a pair may be met by marking the max_weight cell each time, if a set of n cells
/// weighs 2^-n and all together weigh less than 1 on the breaker's turn, less than 1/2 on
/// the maker's. P. Erdős and J. L. Selfridge, "On a combinatorial
/// game", Journal of Combinatorial Theory A 14 (1973). Pairs and weights use disjoint
/// cells, so the breaker answers each move within the part of the plan that it touches.
///
/// On the breaker's turn, a plan may mark any one cell first.
#[inline]
pub(super) fn exists(sets: &mut [u64], turn: bool, instructions: Instructions) -> bool {
    PlanSearch { effort: QUICK, shrinks: false, instructions }.find(sets, 0, turn).is_some()
}

/// Searches for a plan as [`exists`] does, with other limits. Returns the cells that the plan uses, few of them:
/// it works even if all other cells were the maker's.
#[inline]
pub(super) fn find_zone(sets: &mut [u64], turn: bool, effort: Effort, instructions: Instructions) -> Option<u64> {
    PlanSearch { effort, shrinks: true, instructions }.find(sets, 0, turn)
}

struct PlanSearch {
    /// The remaining effort.
    effort: Effort,
    /// Whether to minimise the cells that a plan uses.
    shrinks: bool,
    instructions: Instructions,
}

/// The sets to meet by a plan that avoids the `used` cells, and marks a cell first only if `turn`.
struct Completing<'a> {
    search: &'a mut PlanSearch,
    sets: &'a mut [u64],
    used: u64,
    turn: bool,
}

impl Work for Completing<'_> {
    type Output = Option<u64>;

    #[inline(always)]
    fn run(self) -> Option<u64> {
        self.search.complete(self.sets, self.used, self.turn)
    }
}

impl PlanSearch {
    /// Returns the cells by which all sets are met, the `used` ones included. See [`Completing`].
    fn find(&mut self, sets: &mut [u64], used: u64, turn: bool) -> Option<u64> {
        self.instructions.run(Completing { search: self, sets, used, turn })
    }

    /// Implements [`find`](Self::find) for the vector instructions of the machine.
    #[inline(always)]
    fn complete(&mut self, sets: &mut [u64], used: u64, turn: bool) -> Option<u64> {
        let (mut all, mut cells) = (0, used);
        let (mut fewest, mut tightest) = (u32::MAX, 0);
        for set in sets.iter().map(|set| set & !used) {
            let count = set.count_ones();
            all += weight(count);
            cells |= set;
            if count < fewest {
                (fewest, tightest) = (count, set);
            }
        }
        if all << u32::from(!turn) < WHOLE {
            let limit = WHOLE >> u32::from(!turn);
            return Some(if self.shrinks { shrink(sets, used, cells, limit, all) } else { cells });
        }
        if all > self.effort.max_weight[usize::from(turn)] || fewest + u32::from(turn) < 2 || self.effort.steps == 0 {
            return None;
        }
        self.effort.steps -= 1;
        // Some part of the plan also meets the tightest set: try the best first.
        let mut ways = ArrayVec::<_, MAX_WAYS>::new();
        ways_to_meet(tightest, turn).take(MAX_WAYS).for_each(|way| ways.push((Reverse(0), way)));
        rate(&mut ways, tightest, sets, used);
        ways.sort_unstable();
        for &(_, way) in ways.iter() {
            // Move the unmet sets to the front. Swapping all of them is faster than branching, as
            // it is a toss-up which are unmet.
            let mut rest = 0;
            for i in 0..sets.len() {
                let set = sets[i];
                sets.swap(i, rest);
                rest += usize::from(set & way != way);
            }
            let zone = self.find(&mut sets[..rest], used | way, turn && !way.is_power_of_two());
            if zone.is_some() || self.effort.steps == 0 {
                return zone;
            }
        }
        None
    }
}

/// Removes `cells` while the sets, reduced to the rest, weigh less than `limit`; `all` is their weight now.
/// Keeps the `used` cells. No further cell can be removed from the result.
#[inline(always)]
fn shrink(sets: &[u64], used: u64, mut cells: u64, limit: u64, mut all: u64) -> u64 {
    loop {
        // The added weight of the sets without each of the cells.
        let mut through = [0; 64];
        for left in sets.iter().map(|set| set & cells & !used) {
            let weight = weight(left.count_ones());
            Cells(left).for_each(|cell| through[cell] += weight);
        }
        let least = Cells(cells & !used).map(|cell| (through[cell], cell)).min();
        match least.filter(|(more, _)| all + more < limit) {
            Some((more, cell)) => (all, cells) = (all + more, cells & !bit(cell)),
            None => return cells,
        }
    }
}

/// The pairs in `set`, and its single cells if the breaker may mark one first.
#[inline(always)]
fn ways_to_meet(set: u64, singles: bool) -> impl Iterator<Item = u64> {
    let from = move |a| Cells(set & !(bit(a) - 1)).map(move |b| bit(a) | bit(b));
    Cells(set).flat_map(from).filter(move |way| singles || !way.is_power_of_two())
}

/// Rates each way of meeting `tightest` by the weight that it takes off all sets, minus what it
/// spends: sets that it spoils without meeting them, and the turn.
#[inline(always)]
fn rate(ways: &mut [(Reverse<i64>, u64)], tightest: u64, sets: &[u64], used: u64) {
    // The weight of the sets through each cell.
    let mut through = [0; 64];
    for set in sets.iter().filter(|&set| set & tightest != 0) {
        let weight = weight((set & !used).count_ones()) as i64;
        let shared = set & tightest;
        Cells(shared).for_each(|cell| through[cell] += weight);
        if !shared.is_power_of_two() {
            // Met by both cells of a pair, not spoilt twice.
            let met = |way: u64| !way.is_power_of_two() && shared & way == way;
            ways.iter_mut().filter(|(_, way)| met(*way)).for_each(|(Reverse(gain), _)| *gain += 3 * weight);
        }
    }
    for (Reverse(gain), way) in ways {
        let cells: i64 = Cells(*way).map(|cell| through[cell]).sum();
        *gain += if way.is_power_of_two() { cells - WHOLE as i64 / 2 } else { -cells };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn has_plan(sets: &mut [u64], turn: bool) -> bool {
        super::exists(sets, turn, Instructions::found())
    }

    /// Whether the breaker can mark a cell of each set, by exhaustive search.
    fn can_break(sets: &[u64], free: u64, turn: bool) -> bool {
        if sets.contains(&0) {
            return false;
        }
        if free == 0 || sets.is_empty() {
            return true;
        }
        if turn {
            Cells(free).any(|cell| {
                let unmet: Vec<u64> = sets.iter().copied().filter(|set| set & bit(cell) == 0).collect();
                can_break(&unmet, free & !bit(cell), false)
            })
        } else {
            Cells(free).all(|cell| {
                let left: Vec<u64> = sets.iter().map(|set| set & !bit(cell)).collect();
                can_break(&left, free & !bit(cell), true)
            })
        }
    }

    #[test]
    fn a_plan_that_is_found_breaks_all_sets() {
        let mut random = 0x9e37_79b9_7f4a_7c15_u64;
        let mut next = || {
            random = random.wrapping_mul(0xd129_0d3a_ac5c_b6c5).rotate_left(23) ^ 0x5bd1_e995;
            random
        };
        let mut found = [0; 2];
        for cells in 1..=7 {
            let free = (1 << cells) - 1;
            for _ in 0..300 {
                let count = next() % 6;
                let mut sets: Vec<u64> = (0..count).map(|_| (next() | next() >> 20) & free).collect();
                for turn in [false, true] {
                    let really = can_break(&sets, free, turn);
                    let plan = find_zone(&mut sets, turn, THOROUGH, Instructions::found());
                    assert!(really || plan.is_none(), "{sets:x?} {turn}");
                    found[usize::from(plan.is_some())] += 1;
                    if let Some(zone) = plan {
                        let in_zone: Vec<u64> = sets.iter().map(|set| set & zone).collect();
                        assert!(can_break(&in_zone, free & zone, turn), "{sets:x?} {turn} {zone:x}");
                    }
                }
            }
        }
        assert!(found.iter().all(|&times| times > 500), "{found:?}");
    }

    #[test]
    fn pairs_and_weights_meet_what_neither_does_alone() {
        assert!(has_plan(&mut [], false));
        assert!(!has_plan(&mut [0], true));
        assert!(has_plan(&mut [0b1], true));
        assert!(!has_plan(&mut [0b1], false));
        assert!(!has_plan(&mut [0b1, 0b10], true));
        // Three pairs weigh 3/4.
        assert!(has_plan(&mut [0b11, 0b1100, 0b11_0000], false));
        // A pair and a set of three weigh 3/8, a cell and a pair 3/4.
        assert!(has_plan(&mut [0b11, 0b1_1100], false));
        assert!(has_plan(&mut [0b1, 0b110], true));
        // The maximum number of sets, of the maximum size.
        assert!(has_plan(&mut [u64::MAX; super::super::lacks::MAX_WINDOWS], false));
    }
}
