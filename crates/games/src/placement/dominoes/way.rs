//! How one player lays a piece of two cells.

use crate::board::CellSet;

/// A piece of two cells that lies one way only, on a board: a cell and the one
/// `by` further on.
///
/// A placement is known by its first cell, a set of placements by the set of
/// those. Cells that follow each other form *chains*, of which no two have a
/// placement in common: for dominoes, the columns or the rows.
#[derive(Clone, Debug)]
pub(super) struct Way<W> {
    by: usize,
    /// Where it lies on the free board.
    first: W,
    /// Cells by their place in their chain.
    ranks: Vec<W>,
}

impl<W: CellSet> Way<W> {
    /// The way in which all these placements lie, if there is one way.
    pub(super) fn of(placements: impl Iterator<Item = W>) -> Option<Self> {
        let (mut by, mut first) = (None, W::zero());
        for cells in placements {
            let (low, high) = (cells.trailing_zeros(), W::CELLS as u32 - 1 - cells.leading_zeros());
            if cells.count_ones() != 2 || by.is_some_and(|by| by != high - low) {
                return None;
            }
            by = Some(high - low);
            first |= W::bit(low as usize);
        }
        let by = by? as usize;
        // Who has no place before them come first, then whoever follows them.
        let mut rank = (first | first << by) & !(first << by);
        let mut ranks = Vec::new();
        while !rank.is_zero() {
            ranks.push(rank);
            rank = (rank & first) << by;
        }
        Some(Self { by, first, ranks })
    }

    /// Whether the other way is along the same lines.
    pub(super) fn is_along(&self, other: &Self) -> bool {
        self.by == other.by
    }

    /// A cell's place in its chain, and how long the longest chain is.
    pub(super) fn place(&self, cell: usize) -> (usize, usize) {
        let place = self.ranks.iter().position(|rank| !(*rank & W::bit(cell)).is_zero());
        (place.unwrap_or(0), self.ranks.len())
    }

    /// The placements on free cells.
    #[inline]
    pub(super) fn fits(&self, free: W) -> W {
        free & self.next(free) & self.first
    }

    /// Cells by the cell one further on: which cells come just before these.
    #[inline]
    pub(super) fn next(&self, cells: W) -> W {
        cells >> self.by
    }

    /// The second cells of placements.
    #[inline]
    pub(super) fn second(&self, placements: W) -> W {
        placements << self.by
    }

    /// The cells of placements.
    #[inline]
    pub(super) fn cells(&self, placements: W) -> W {
        placements | placements << self.by
    }

    /// The cells that `placements` have in common with some of `cells` and that are
    /// not those themselves.
    #[inline]
    pub(super) fn across(&self, cells: W, placements: W) -> W {
        (cells & placements) << self.by | self.next(cells) & placements
    }

    /// As many of the placements as can lie side by side, the first of each chain
    /// among them.
    #[inline]
    pub(super) fn pack(&self, placements: W) -> W {
        let mut packed = W::zero();
        for &rank in &self.ranks {
            packed |= placements & rank & !(packed << self.by);
        }
        packed
    }

    /// How many of the placements can lie side by side.
    #[inline]
    pub(super) fn most(&self, placements: W) -> i32 {
        self.pack(placements).count_ones() as i32
    }

    /// The cells that come before some of `cells` in a run of placements, and those
    /// cells.
    #[inline]
    pub(super) fn before(&self, mut cells: W, mut placements: W) -> W {
        let mut by = self.by;
        for _ in 0..self.ranks.len().ilog2() + 1 {
            if by >= W::CELLS {
                break;
            }
            cells |= cells >> by & placements;
            placements = placements & placements >> by;
            by *= 2;
        }
        cells
    }

    /// The cells that come after some of `cells` in a run of placements, and those
    /// cells.
    #[inline]
    pub(super) fn after(&self, mut cells: W, mut placements: W) -> W {
        let mut by = self.by;
        for _ in 0..self.ranks.len().ilog2() + 1 {
            if by >= W::CELLS {
                break;
            }
            cells |= (cells & placements) << by;
            placements = placements & placements >> by;
            by *= 2;
        }
        cells
    }
}
