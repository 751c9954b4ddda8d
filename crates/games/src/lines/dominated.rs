//! Dominated moves: cells that are never better to mark than some others.

use crate::board::{Cells, bit, first};

/// The dominance relation between cells: y dominates x if every set that contains x also contains
/// y, whichever player lacks the set.
///
/// Marking y is then as good as marking x. Exchange x and y in all play that follows: the
/// mover's sets with x also have y and lack as much as before; sets with y alone now lack one
/// cell less. The opponent's sets with x and y are blocked either way; those with y alone
/// are blocked now and were not before.
pub(super) struct Domination {
    /// The cells in any set.
    pub(super) cells: u64,
    /// For each of these cells, the intersection of the sets that contain it.
    common: [u64; 64],
}

impl Domination {
    /// Creates the relation from the cells that each player lacks.
    #[inline(always)]
    pub(super) fn new(own: &[u64], others: &[u64]) -> Self {
        let mut domination = Self { cells: 0, common: [u64::MAX; 64] };
        for &set in own.iter().chain(others) {
            domination.cells |= set;
            for cell in Cells(set) {
                domination.common[cell] &= set;
            }
        }
        domination
    }

    /// The cells that no other dominates; of cells that dominate each other, the first.
    #[inline(always)]
    pub(super) fn undominated(&self) -> u64 {
        let dominates = |y: usize, x: usize| self.common[y] & bit(x) == 0 || y < x;
        let is_dominated = |x: usize| Cells(self.common[x] & !bit(x)).any(|y| dominates(y, x));
        Cells(self.cells).filter(|&x| !is_dominated(x)).fold(0, |undominated, x| undominated | bit(x))
    }

    /// The first of the `undominated` cells that is in all sets of `cell`; may be `cell` itself.
    #[inline(always)]
    pub(super) fn dominator(&self, cell: usize, undominated: u64) -> u64 {
        first(self.common[cell] & undominated)
    }

    /// A cell that is in the same sets as this one, after it.
    #[inline(always)]
    pub(super) fn twin(&self, cell: usize) -> Option<usize> {
        let later = self.common[cell] & (u64::MAX << cell << 1);
        Cells(later).find(|&other| self.common[other] & bit(cell) != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn undominated(own: &[u64], others: &[u64]) -> u64 {
        Domination::new(own, others).undominated()
    }

    #[test]
    fn a_cell_in_all_sets_of_another_dominates_it() {
        assert_eq!(undominated(&[], &[]), 0);
        assert_eq!(undominated(&[0b111], &[]), 0b1);
        assert_eq!(undominated(&[0b011], &[0b110]), 0b10);
        assert_eq!(undominated(&[0b011, 0b100], &[0b010]), 0b110);
        // Neither is in all sets of the other.
        assert_eq!(undominated(&[0b011, 0b101], &[0b110]), 0b111);
    }
}
