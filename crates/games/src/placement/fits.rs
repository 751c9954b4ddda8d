//! Move generation: all anchors of an oriented piece at once.

use super::Placed;
use crate::board::{CellSet, Cells};

/// A player's placements by piece and orientation.
///
/// An orientation is a set of cells from its anchor, the first cell, on. It fits at the anchors
/// where the free cells, shifted back by each of its offsets, all have a bit: a few operations
/// on words instead of one for each placement.
#[derive(Clone, Debug)]
pub(super) struct Fits<W> {
    ways: Vec<Way<W>>,
    /// The offsets of all orientations without the anchors, concatenated.
    cells: Vec<u8>,
    /// The indices of the placements, orientation by orientation, in order of anchors.
    numbers: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Way<W> {
    /// The placement anchored at cell 0.
    placed: Placed<W>,
    /// The anchors on the empty board.
    anchors: W,
    /// The range of its offsets.
    cells: [u32; 2],
    /// The start of its indices.
    numbers: u32,
}

impl<W: CellSet> Fits<W> {
    /// Creates the index of `placements`, whose order numbers them.
    pub(super) fn new(placements: &[Placed<W>]) -> Self {
        let mut this = Self { ways: Vec::new(), cells: Vec::new(), numbers: Vec::new() };
        let anchor = |placed: &Placed<W>| placed.cells.trailing_zeros() as usize;
        let anchored_at_0 = |placed: &Placed<W>| Placed { cells: placed.cells >> anchor(placed), ..*placed };
        let mut sorted: Vec<_> = placements.iter().zip(0..).collect();
        sorted.sort_unstable_by_key(|(placed, _)| (placed.used, anchored_at_0(placed), anchor(placed)));
        for (placed, number) in sorted {
            let lying = anchored_at_0(placed);
            if this.ways.last().is_none_or(|way| way.placed != lying) {
                let begin = this.cells.len() as u32;
                this.cells.extend(Cells(lying.cells).skip(1).map(|cell| cell as u8));
                let (cells, numbers) = ([begin, this.cells.len() as u32], this.numbers.len() as u32);
                this.ways.push(Way { placed: lying, anchors: W::zero(), cells, numbers });
            }
            if let Some(way) = this.ways.last_mut() {
                way.anchors |= W::bit(anchor(placed));
            }
            this.numbers.push(number);
        }
        this
    }

    /// The orientations that fit somewhere, with all their anchors.
    #[inline]
    fn left(&self, free: W, used: u64) -> impl Iterator<Item = (&Way<W>, W)> {
        self.ways.iter().filter(move |way| way.placed.is_supplied(used)).filter_map(move |way| {
            let [begin, end] = way.cells;
            let cells = &self.cells[begin as usize..end as usize];
            let fits = cells.iter().fold(way.anchors & free, |fits, &cell| fits & free >> usize::from(cell));
            (!fits.is_zero()).then_some((way, fits))
        })
    }

    /// Whether any placement fits.
    pub(super) fn any(&self, free: W, used: u64) -> bool {
        self.left(free, used).next().is_some()
    }

    /// The number of placements that fit.
    pub(super) fn count(&self, free: W, used: u64) -> usize {
        self.left(free, used).map(|(_, fits)| fits.count_ones() as usize).sum()
    }

    /// The indices of the placements that fit.
    pub(super) fn numbers(&self, free: W, used: u64) -> impl Iterator<Item = u16> {
        self.left(free, used).flat_map(move |(way, fits)| {
            let number =
                |anchor| way.numbers as usize + (way.anchors & (W::bit(anchor) - W::one())).count_ones() as usize;
            Cells(fits).map(move |anchor| self.numbers[number(anchor)])
        })
    }

    /// The placements that fit.
    pub(super) fn placements(&self, free: W, used: u64) -> impl Iterator<Item = Placed<W>> {
        self.left(free, used).flat_map(|(way, fits)| {
            Cells(fits).map(move |anchor| Placed { cells: way.placed.cells << anchor, ..way.placed })
        })
    }
}
