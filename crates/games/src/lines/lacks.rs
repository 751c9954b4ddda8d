//! The cells that a player still lacks of each open window.

use arrayvec::ArrayVec;

use crate::board::Board;

/// Maximum number of windows of a board: one begins at each cell in each of four directions.
pub(super) const MAX_WINDOWS: usize = 4 * Board::MAX_CELLS;

/// All windows of a board.
#[derive(Clone, Debug)]
pub(super) struct Windows(Vec<Window>);

/// A window: k cells in a row.
#[derive(Clone, Debug)]
struct Window {
    cells: u64,
    overlaps: Vec<Overlap>,
}

/// Another window that shares half its cells or more with this one, and so often makes this one
/// redundant.
#[derive(Clone, Copy, Debug)]
struct Overlap {
    /// The cells of the other window only.
    more: u64,
    /// The cells of this window only; none if the other is listed first.
    less: u64,
}

/// For each useful open window, the cells that its owner has not marked yet.
///
/// Sets of two cells are all distinct: two cells lie in only one row, and where windows of a
/// row lack the same two, so do all windows between, of which only the first is kept.
#[derive(Default)]
pub(super) struct MissingSets {
    sets: ArrayVec<u64, MAX_WINDOWS>,
    /// The size of the smallest set, if there is any.
    pub(super) fewest: Option<u32>,
    /// The cells in sets of two: marking one makes a threat at the other.
    pub(super) threatening: u64,
    /// The cells in several sets of two: marking one makes a fork.
    pub(super) forking: u64,
}

impl Windows {
    /// Creates the windows, each of which is listed once except for k = 1.
    pub(super) fn new(windows: &[u64]) -> Self {
        let window = |(number, &cells): (usize, &u64)| {
            let others = windows.iter().enumerate();
            let near = others.filter(|&(other_number, &other)| {
                other_number != number && (other & cells).count_ones() * 2 >= cells.count_ones()
            });
            let near = near.map(|(other_number, &other)| Overlap {
                more: other & !cells,
                less: if other_number < number { 0 } else { cells & !other },
            });
            Window { cells, overlaps: near.collect() }
        };
        Self(windows.iter().enumerate().map(window).collect())
    }

    /// Fills `lacks`, empty before, with what the owner of `own` lacks where the opponent has
    /// marked `others`. The result is an out-parameter because moving it costs about as much
    /// as computing it.
    ///
    /// Windows that cannot be completed before another one are dropped: if the owner has marked
    /// all cells of the other window only, it lacks nothing that this one does not. Of
    /// several windows that lack the same cells, the first is kept.
    #[inline(always)]
    pub(super) fn find_missing(&self, own: u64, others: u64, lacks: &mut MissingSets) {
        let mut fewest = u32::MAX;
        for window in self.0.iter().filter(|window| window.cells & others == 0) {
            let later = |near: &Overlap| near.more & !own == 0 && (near.less == 0 || near.less & !own != 0);
            if window.overlaps.iter().any(later) {
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

impl MissingSets {
    #[inline(always)]
    pub(super) fn sets(&self) -> &[u64] {
        &self.sets
    }

    #[inline(always)]
    pub(super) fn sets_mut(&mut self) -> &mut [u64] {
        &mut self.sets
    }

    /// The cells in sets of two with `cell`, including `cell`.
    #[inline(always)]
    pub(super) fn threats_of(&self, cell: u64) -> u64 {
        let with = self.sets().iter().filter(|set| *set & cell != 0 && set.count_ones() == 2);
        with.fold(0, |cells, set| cells | set)
    }
}
