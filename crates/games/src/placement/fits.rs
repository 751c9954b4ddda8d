//! Move generation: all anchors of an oriented piece at once.

use super::Placed;
use crate::board::{CellSet, Cells};

/// A player's placements by piece and orientation.
///
/// An orientation is a set of cells from its anchor, the first cell, on. It fits at the anchors
/// where the free cells, shifted back by each of its offsets, all have a bit: a few operations
/// on words instead of one for each placement.
#[derive(Clone, Debug)]
pub(super) struct PlacementIndex<W> {
    pieces: Vec<OrientedPiece<W>>,
    /// The offsets of all orientations without the anchors, concatenated.
    offsets: Vec<u8>,
    /// The indices of the placements, orientation by orientation, in order of anchors.
    numbers: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct OrientedPiece<W> {
    /// The placement anchored at cell 0.
    placed: Placed<W>,
    /// The anchors on the empty board.
    anchors: W,
    /// The range of its offsets.
    cells: [u32; 2],
    /// The start of its indices.
    numbers: u32,
}

impl<W: CellSet> PlacementIndex<W> {
    /// Creates the index of `placements`, whose order numbers them.
    pub(super) fn new(placements: &[Placed<W>]) -> Self {
        let mut this = Self { pieces: Vec::new(), offsets: Vec::new(), numbers: Vec::new() };
        let anchor = |placed: &Placed<W>| placed.cells.trailing_zeros() as usize;
        let anchored_at_0 = |placed: &Placed<W>| Placed { cells: placed.cells >> anchor(placed), ..*placed };
        let mut sorted: Vec<_> = placements.iter().zip(0..).collect();
        sorted.sort_unstable_by_key(|(placed, _)| (placed.used, anchored_at_0(placed), anchor(placed)));
        for (placed, number) in sorted {
            let lying = anchored_at_0(placed);
            if this.pieces.last().is_none_or(|piece| piece.placed != lying) {
                let begin = this.offsets.len() as u32;
                this.offsets.extend(Cells(lying.cells).skip(1).map(|cell| cell as u8));
                let (cells, numbers) = ([begin, this.offsets.len() as u32], this.numbers.len() as u32);
                this.pieces.push(OrientedPiece { placed: lying, anchors: W::zero(), cells, numbers });
            }
            if let Some(piece) = this.pieces.last_mut() {
                piece.anchors |= W::bit(anchor(placed));
            }
            this.numbers.push(number);
        }
        this
    }

    /// The orientations that fit somewhere, with all their anchors.
    #[inline]
    fn fitting(&self, free: W, used: u64) -> impl Iterator<Item = (&OrientedPiece<W>, W)> {
        self.pieces.iter().filter(move |piece| piece.placed.is_supplied(used)).filter_map(move |piece| {
            let [begin, end] = piece.cells;
            let cells = &self.offsets[begin as usize..end as usize];
            let fits = cells.iter().fold(piece.anchors & free, |fits, &cell| fits & free >> usize::from(cell));
            (!fits.is_zero()).then_some((piece, fits))
        })
    }

    /// Whether any placement fits.
    pub(super) fn any(&self, free: W, used: u64) -> bool {
        self.fitting(free, used).next().is_some()
    }

    /// The number of placements that fit.
    pub(super) fn count(&self, free: W, used: u64) -> usize {
        self.fitting(free, used).map(|(_, fits)| fits.count_ones() as usize).sum()
    }

    /// The indices of the placements that fit.
    pub(super) fn numbers(&self, free: W, used: u64) -> impl Iterator<Item = u16> {
        self.fitting(free, used).flat_map(move |(piece, fits)| {
            let number =
                |anchor| piece.numbers as usize + (piece.anchors & (W::bit(anchor) - W::one())).count_ones() as usize;
            Cells(fits).map(move |anchor| self.numbers[number(anchor)])
        })
    }

    /// The placements that fit.
    pub(super) fn placements(&self, free: W, used: u64) -> impl Iterator<Item = Placed<W>> {
        self.fitting(free, used).flat_map(|(piece, fits)| {
            Cells(fits).map(move |anchor| Placed { cells: piece.placed.cells << anchor, ..piece.placed })
        })
    }
}
