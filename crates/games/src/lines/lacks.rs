//! What the owner of some marks still lacks of each window that is open to him.

use arrayvec::ArrayVec;

use crate::board::Board;

/// No board has more windows: one begins at each cell, in each of four directions.
pub(super) const MOST: usize = 4 * Board::MAX_CELLS;

/// All k in a row on a board.
#[derive(Clone, Debug)]
pub(super) struct Windows(Vec<Window>);

/// k cells in a row.
#[derive(Clone, Debug)]
struct Window {
    cells: u64,
    near: Vec<Near>,
}

/// Another window that shares half its cells or more with this one, which therefore
/// is often of no use beside it.
#[derive(Clone, Copy, Debug)]
struct Near {
    /// The cells that the other has and this one has not.
    more: u64,
    /// The cells that this one has and the other has not; none if the other is
    /// listed first.
    less: u64,
}

/// For each window that is open to an owner and of use to him, the cells that he has
/// not marked yet.
///
/// Those of two cells all differ: two cells lie in one row only, and where windows of
/// a row lack the same two, so do all windows between, and only the first is kept.
#[derive(Default)]
pub(super) struct Lacks {
    sets: ArrayVec<u64, MOST>,
    /// The fewest cells in a set, if there is any.
    pub(super) fewest: Option<u32>,
    /// The cells in sets of two: to mark one threatens to mark the other.
    pub(super) threatening: u64,
    /// The cells in several sets of two: to mark one threatens several cells.
    pub(super) forking: u64,
}

impl Windows {
    /// Each window once, but for k = 1.
    pub(super) fn new(windows: &[u64]) -> Self {
        let window = |(number, &cells): (usize, &u64)| {
            let others = windows.iter().enumerate();
            let near = others.filter(|&(other_number, &other)| {
                other_number != number && (other & cells).count_ones() * 2 >= cells.count_ones()
            });
            let near = near.map(|(other_number, &other)| Near {
                more: other & !cells,
                less: if other_number < number { 0 } else { cells & !other },
            });
            Window { cells, near: near.collect() }
        };
        Self(windows.iter().enumerate().map(window).collect())
    }

    /// Adds to `lacks`, empty before, what the owner of `own` lacks where the other player has
    /// marked `others`. It is not returned, as moving it takes about as long as finding it.
    ///
    /// A window is left out that cannot be complete before another is: where the owner
    /// has marked all that the other one has more, that one lacks nothing that this one
    /// does not. Of several that lack the same, the first is kept.
    #[inline(always)]
    pub(super) fn find_lacks(&self, own: u64, others: u64, lacks: &mut Lacks) {
        let mut fewest = u32::MAX;
        for window in self.0.iter().filter(|window| window.cells & others == 0) {
            let later = |near: &Near| near.more & !own == 0 && (near.less == 0 || near.less & !own != 0);
            if window.near.iter().any(later) {
                continue;
            }
            let set = window.cells & !own;
            let count = set.count_ones();
            fewest = fewest.min(count);
            if count == 2 {
                lacks.forking |= lacks.threatening & set;
                lacks.threatening |= set;
            }
            lacks.sets.push(set);
        }
        lacks.fewest = (!lacks.sets.is_empty()).then_some(fewest);
    }
}

impl Lacks {
    #[inline(always)]
    pub(super) fn sets(&self) -> &[u64] {
        &self.sets
    }

    #[inline(always)]
    pub(super) fn sets_mut(&mut self) -> &mut [u64] {
        &mut self.sets
    }

    /// The cells in sets of two with `cell`, it included.
    #[inline(always)]
    pub(super) fn threats_of(&self, cell: u64) -> u64 {
        let with = self.sets().iter().filter(|set| *set & cell != 0 && set.count_ones() == 2);
        with.fold(0, |cells, set| cells | set)
    }
}
