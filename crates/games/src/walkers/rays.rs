//! Sliding moves of queens.

use super::movegen::DIRECTIONS;
use crate::board::{Board, CellSet};

/// The cells of each ray from each cell.
#[derive(Clone, Debug)]
pub(super) enum Rays<W> {
    /// Rays up to the edge: those in the four directions towards lower cell numbers, and in
    /// the four towards higher ones.
    Edged(Vec<[[W; 4]; 2]>),
    /// Rays of a torus, in order, up to the starting cell.
    Endless(Vec<Vec<Vec<u8>>>),
}

impl<W: CellSet> Rays<W> {
    pub(super) fn new(board: Board, torus: bool) -> Self {
        let cells = 0..board.cells();
        if torus {
            return Self::Endless(cells.map(|from| DIRECTIONS.map(|by| ray(board, from, by, true)).to_vec()).collect());
        }
        let masks = |from, lower: bool| {
            let mut by = DIRECTIONS.into_iter().filter(|&direction| (direction < (0, 0)) == lower);
            std::array::from_fn(|_| {
                let ray = by.next().map_or(Vec::new(), |by| ray(board, from, by, false));
                ray.into_iter().fold(W::zero(), |set, cell| set | W::bit(cell.into()))
            })
        };
        Self::Edged(cells.map(|from| [masks(from, true), masks(from, false)]).collect())
    }

    /// The cells that a queen on `from` can reach, if she may stand on `free` only.
    #[inline]
    pub(super) fn destinations(&self, from: usize, free: W) -> W {
        let mut to = W::zero();
        match self {
            Self::Edged(rays) => {
                let [lower, higher] = &rays[from];
                for ray in lower {
                    // The highest blocker is the nearest.
                    let blockers = *ray & !free;
                    let beyond =
                        if blockers.is_zero() { blockers } else { W::max_value() >> blockers.leading_zeros() as usize };
                    to |= *ray & !beyond;
                }
                for ray in higher {
                    let blockers = *ray & !free;
                    let nearer = if blockers.is_zero() { !blockers } else { blockers - W::one() };
                    to |= *ray & nearer & !blockers;
                }
            }
            Self::Endless(rays) => {
                for ray in &rays[from] {
                    for &cell in ray {
                        if (free & W::bit(cell.into())).is_zero() {
                            break;
                        }
                        to |= W::bit(cell.into());
                    }
                }
            }
        }
        to
    }
}

/// The cells from `from` on in one direction, up to the edge, or on a torus back to
/// `from`.
fn ray(board: Board, from: usize, direction: (i8, i8), torus: bool) -> Vec<u8> {
    let next = |&cell: &usize| board.offset(cell, direction, torus).filter(|&cell| cell != from);
    std::iter::successors(next(&from), next).map(|cell| cell as u8).collect()
}
