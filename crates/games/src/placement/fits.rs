//! Where pieces still fit, found for all places of a piece at once.

use super::Placed;
use crate::board::{CellSet, Cells};

/// A player's placements by what is placed and how it lies.
///
/// A way to lie is a set of cells from its first one on; anchored at a cell, it is that
/// set moved along. It fits where the free cells, moved back by each of its cells, all
/// have a bit: a few operations on words in place of one for each placement.
#[derive(Clone, Debug)]
pub(super) struct Fits<W> {
    ways: Vec<Way<W>>,
    /// The cells of all ways but their first ones, end to end.
    cells: Vec<u8>,
    /// The numbers of the placements, way by way, from the first anchor on.
    numbers: Vec<u16>,
}

#[derive(Clone, Copy, Debug)]
struct Way<W> {
    /// Anchored at cell 0.
    placed: Placed<W>,
    /// Where it can be anchored on the free board.
    anchors: W,
    /// Where its cells begin, and those of the next way.
    cells: [u32; 2],
    /// Where its numbers begin.
    numbers: u32,
}

impl<W: CellSet> Fits<W> {
    /// `placements` by their place in this list.
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

    /// The ways that are left, with all anchors at which they fit: one at least.
    #[inline]
    fn left(&self, free: W, used: u64) -> impl Iterator<Item = (&Way<W>, W)> {
        self.ways.iter().filter(move |way| way.placed.is_supplied(used)).filter_map(move |way| {
            let [begin, end] = way.cells;
            let cells = &self.cells[begin as usize..end as usize];
            let fits = cells.iter().fold(way.anchors & free, |fits, &cell| fits & free >> usize::from(cell));
            (!fits.is_zero()).then_some((way, fits))
        })
    }

    /// Whether any placement is left.
    pub(super) fn any(&self, free: W, used: u64) -> bool {
        self.left(free, used).next().is_some()
    }

    /// How many placements are left.
    pub(super) fn count(&self, free: W, used: u64) -> usize {
        self.left(free, used).map(|(_, fits)| fits.count_ones() as usize).sum()
    }

    /// The numbers of the placements that are left.
    pub(super) fn numbers(&self, free: W, used: u64) -> impl Iterator<Item = u16> {
        self.left(free, used).flat_map(move |(way, fits)| {
            let number =
                |anchor| way.numbers as usize + (way.anchors & (W::bit(anchor) - W::one())).count_ones() as usize;
            Cells(fits).map(move |anchor| self.numbers[number(anchor)])
        })
    }

    /// The placements that are left.
    pub(super) fn placements(&self, free: W, used: u64) -> impl Iterator<Item = Placed<W>> {
        self.left(free, used).flat_map(|(way, fits)| {
            Cells(fits).map(move |anchor| Placed { cells: way.placed.cells << anchor, ..way.placed })
        })
    }
}
