//! Plans by which one player, the breaker, gets a cell of every set, whatever the
//! other does.

use std::cmp::Reverse;

use arrayvec::ArrayVec;

use crate::board::{Cells, bit};
use crate::instructions::{Instructions, Work};

/// How far the search for a plan goes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Steps that it may take.
    steps: u32,
    /// The weight of the heaviest sets that it is tried on, where it is not the breaker's turn, and
    /// where it is: those that weigh more have hardly ever a plan.
    heaviest: [u64; 2],
}

/// For searches in which plans are one thing among others. (On 4×8, four in a row, a search of heavier sets
/// found a plan one in 1,300 times, and one in 500.)
const QUICK: Effort = Effort { steps: 30, heaviest: [11 * WHOLE / 8, 18 * WHOLE / 8] };

/// For searches that plans decide. (On 8×8, five in a row, from a position of three marks, it
/// leaves a seventeenth of the positions.)
pub(super) const THOROUGH: Effort = Effort { steps: 400, heaviest: [14 * WHOLE / 8, 24 * WHOLE / 8] };

/// For races: a plan that takes longer to find takes more time than it saves. (On 4×9, four in a row, 400 steps leave
/// 5% fewer positions and take a third more time.)
pub(super) const SWIFT: Effort = Effort { steps: 20, ..THOROUGH };

/// Ways to meet a set that are looked at.
const MOST_WAYS: usize = 64;

/// The weight of a set with no cells left, which nothing can meet.
const WHOLE: u64 = 1 << 40;

/// The weight of a set by the number of cells left, or a little more.
#[inline(always)]
fn weight(cells: u32) -> u64 {
    WHOLE >> cells.min(WHOLE.ilog2())
}

/// Whether a plan is found for the breaker to get a cell of each of `sets`, none of
/// whose cells is marked yet; he is to move if `turn`. The sets are reordered.
///
/// A plan may pair cells: where the other marks one of a pair, the breaker marks the
/// other one, so that every set with a pair in it is met. A. W. Hales and
/// R. I. Jewett, "Regularity and positional games", Transactions of the American
/// Mathematical Society 106 (1963).
///
/// It may meet the sets without a pair by marking the heaviest cell each time, if a
/// set with n cells weighs 2^-n, and all together less than 1 on the breaker's turn,
/// less than 1/2 on the other's. P. Erdős and J. L. Selfridge, "On a combinatorial
/// game", Journal of Combinatorial Theory A 14 (1973). Pairs and weights use cells
/// apart, so the breaker answers each move by the part of the plan that it touches.
///
/// And on his turn, he may mark any one cell first.
#[inline]
pub(super) fn is_found(sets: &mut [u64], turn: bool, instructions: Instructions) -> bool {
    Search { effort: QUICK, shrinks: false, instructions }.completes(sets, 0, turn).is_some()
}

/// As [`is_found`], with another effort: the cells that the plan uses, few of them. It would work even if all others
/// were the other player's.
#[inline]
pub(super) fn zone(sets: &mut [u64], turn: bool, effort: Effort, instructions: Instructions) -> Option<u64> {
    Search { effort, shrinks: true, instructions }.completes(sets, 0, turn)
}

struct Search {
    /// What is left of it.
    effort: Effort,
    /// Whether it matters how many cells a plan uses.
    shrinks: bool,
    instructions: Instructions,
}

/// Sets that are to be met, by a plan that leaves the `used` cells alone, and marks a cell
/// first only if `turn`.
struct Completing<'a> {
    search: &'a mut Search,
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

impl Search {
    /// The cells by which all sets are met, the `used` ones included. See [`Completing`].
    fn completes(&mut self, sets: &mut [u64], used: u64, turn: bool) -> Option<u64> {
        self.instructions.run(Completing { search: self, sets, used, turn })
    }

    /// As [`completes`](Self::completes), compiled for the machine.
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
            return Some(if self.shrinks { shrunk(sets, used, cells, limit, all) } else { cells });
        }
        if all > self.effort.heaviest[usize::from(turn)] || fewest + u32::from(turn) < 2 || self.effort.steps == 0 {
            return None;
        }
        self.effort.steps -= 1;
        // Some part of the plan meets the tightest set, too: best first.
        let mut ways = ArrayVec::<_, MOST_WAYS>::new();
        ways_to_meet(tightest, turn).take(MOST_WAYS).for_each(|way| ways.push((Reverse(0), way)));
        rate(&mut ways, tightest, sets, used);
        ways.sort_unstable();
        for &(_, way) in ways.iter() {
            // The sets still to be met, to the front; swapping all of them, as it is a
            // toss-up which, is faster.
            let mut rest = 0;
            for i in 0..sets.len() {
                let set = sets[i];
                sets.swap(i, rest);
                rest += usize::from(set & way != way);
            }
            let zone = self.completes(&mut sets[..rest], used | way, turn && !way.is_power_of_two());
            if zone.is_some() || self.effort.steps == 0 {
                return zone;
            }
        }
        None
    }
}

/// Some of the `cells`, with which alone the sets still weigh less than `limit`; with all of them they weigh `all`. The
/// `used` ones are kept, and of the others no more can be left out.
#[inline(always)]
fn shrunk(sets: &[u64], used: u64, mut cells: u64, limit: u64, mut all: u64) -> u64 {
    loop {
        // What the sets would weigh more without each of the cells.
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

/// Gives each way of meeting `tightest` the weight that it takes off all sets, less
/// what it spends: sets that it spoils without meeting them, and the turn.
#[inline(always)]
fn rate(ways: &mut [(Reverse<i64>, u64)], tightest: u64, sets: &[u64], used: u64) {
    // Of the sets that each cell is in.
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

    fn is_found(sets: &mut [u64], turn: bool) -> bool {
        super::is_found(sets, turn, Instructions::found())
    }

    /// Whether the breaker really gets a cell of each set, by trying all play.
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
                    let plan = zone(&mut sets, turn, THOROUGH, Instructions::found());
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
        assert!(is_found(&mut [], false));
        assert!(!is_found(&mut [0], true));
        assert!(is_found(&mut [0b1], true));
        assert!(!is_found(&mut [0b1], false));
        assert!(!is_found(&mut [0b1, 0b10], true));
        // Three pairs weigh 3/4.
        assert!(is_found(&mut [0b11, 0b1100, 0b11_0000], false));
        // A pair and a set of three weigh 3/8, a cell and a pair 3/4.
        assert!(is_found(&mut [0b11, 0b1_1100], false));
        assert!(is_found(&mut [0b1, 0b110], true));
        // As many sets as can be, as large as can be.
        assert!(is_found(&mut [u64::MAX; super::super::lacks::MOST], false));
    }
}
