//! A memo whose key is the number of free cells. Which board of a number is solved first depends on
//! the order of the placements.

use super::super::{BlockGame, SIDE};
use super::{DOMINOES, Piece, TROMINOES, answer, places};
use crate::judge::Mistake;

const NAME: &str = "a memo by the number of free cells";
const REMEDY: &str = "boards of as many free cells are not worth the same: the key of a memo has to contain which cells are \
                      free";

/// The mistake with placements cell by cell, dominoes first.
pub(super) fn mistake() -> Mistake<BlockGame> {
    with_places(NAME.to_owned(), by_cells(&dominoes_first()))
}

/// The mistake with other orders of placements.
pub(super) fn more_mistakes() -> Vec<Mistake<BlockGame>> {
    let variant = |order: &str, places| with_places(format!("{NAME}, {order}"), places);
    vec![
        variant("L-trominoes first at each cell", by_cells(&trominoes_first())),
        variant("piece by piece, dominoes first", places(dominoes_first().into_iter())),
        variant("piece by piece, L-trominoes first", places(trominoes_first().into_iter())),
    ]
}

fn dominoes_first() -> Vec<Piece> {
    DOMINOES.iter().chain(&TROMINOES).map(|piece| piece.1).collect()
}

fn trominoes_first() -> Vec<Piece> {
    TROMINOES.iter().chain(&DOMINOES).map(|piece| piece.1).collect()
}

fn with_places(name: String, places: Vec<u32>) -> Mistake<BlockGame> {
    Mistake::new(name, REMEDY, move |case| answer(case, |free| wins(free, &places, &mut [None; SIDE * SIDE + 1])))
}

/// Returns all placements, ordered by the top left cell of their rectangles.
fn by_cells(pieces: &[Piece]) -> Vec<u32> {
    let at = |piece: &Piece| places(std::iter::once(*piece));
    let mut by_piece: Vec<_> = pieces.iter().map(|piece| at(piece).into_iter().peekable()).collect();
    let corners: Vec<Vec<usize>> = pieces.iter().map(|piece| corners(piece)).collect();
    let mut all = Vec::new();
    for cell in 0..SIDE * SIDE {
        for (places, corners) in by_piece.iter_mut().zip(&corners) {
            if corners.contains(&cell) {
                all.extend(places.next());
            }
        }
    }
    all
}

/// Returns the cells at which the top left of the piece's rectangle may lie.
fn corners(piece: Piece) -> Vec<usize> {
    let rows = piece.iter().map(|at| at.0).max().unwrap_or(0);
    let cols = piece.iter().map(|at| at.1).max().unwrap_or(0);
    (0..SIDE - rows).flat_map(|row| (0..SIDE - cols).map(move |col| row * SIDE + col)).collect()
}

fn wins(free: u32, places: &[u32], memo: &mut [Option<bool>; SIDE * SIDE + 1]) -> bool {
    let count = free.count_ones() as usize;
    if let Some(wins) = memo[count] {
        return wins;
    }
    let winning = places.iter().any(|place| place & !free == 0 && !wins(free & !place, places, memo));
    memo[count] = Some(winning);
    winning
}
