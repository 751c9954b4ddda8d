//! Cells that it is never worse to mark than some others.

use crate::board::{Cells, bit};

/// Of the cells in what either player lacks, those that no other dominates: y
/// dominates x if it is in every set that x is in, whoever lacks it. (Of two that
/// dominate each other, the first is left.)
///
/// Then marking y is as good as marking x. Let x and y change places in all play that
/// follows: the mover's sets with x also had y, and lack as much as before; sets with
/// y alone now lack a cell less. The other's sets with x or y, but for those with y
/// alone, are met either way; those with y alone are met now, and were not before.
#[inline(always)]
pub(super) fn undominated(own: &[u64], others: &[u64]) -> u64 {
    // What the sets with a cell have in common.
    let mut common = [u64::MAX; 64];
    let mut cells = 0;
    for &set in own.iter().chain(others) {
        cells |= set;
        for cell in Cells(set) {
            common[cell] &= set;
        }
    }
    let dominated = |x: usize| Cells(common[x] & !bit(x)).any(|y| common[y] & bit(x) == 0 || y < x);
    Cells(cells).filter(|&x| !dominated(x)).fold(0, |kept, x| kept | bit(x))
}

#[cfg(test)]
mod tests {
    use super::*;

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
