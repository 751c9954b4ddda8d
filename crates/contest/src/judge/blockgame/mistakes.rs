//! Known misunderstandings of the block game: another ending, or missing pieces.

use std::collections::HashMap;

use super::{Answer, BlockGame, Case, SIDE};
use crate::judge::{Mistake, count_mistakes};

/// Cases with more free cells would take a plain solver too long.
const MAX_FREE_CELLS: u32 = 16;

/// A piece in one orientation: rows and columns of its cells.
type Piece = &'static [(usize, usize)];

const DOMINOES: [(&str, Piece); 2] = [("##", &[(0, 0), (0, 1)]), ("#/#", &[(0, 0), (1, 0)])];

const TROMINOES: [(&str, Piece); 4] = [
    ("##/#.", &[(0, 0), (0, 1), (1, 0)]),
    ("##/.#", &[(0, 0), (0, 1), (1, 1)]),
    ("#./##", &[(0, 0), (1, 0), (1, 1)]),
    (".#/##", &[(0, 1), (1, 0), (1, 1)]),
];

const PIECES_REMEDY: &str = "a piece may be turned and turned over: the domino lies in two ways, the L-tromino in four";

pub(super) fn mistakes() -> Vec<Mistake<BlockGame>> {
    let all: Vec<_> = DOMINOES.into_iter().chain(TROMINOES).collect();
    let every_place = places(all.iter().map(|piece| piece.1));
    let misere = Mistake::new("a misère ending", "who places last wins: who cannot place a piece loses", move |case| {
        answer(case, |free| wins_misere(free, &every_place, &mut HashMap::new()))
    });
    let mut mistakes = vec![misere];
    mistakes.extend(all.iter().map(|(name, _)| {
        let others = all.iter().filter(|other| other.0 != *name);
        with_pieces(format!("a missing orientation: `{name}`"), others.map(|piece| piece.1))
    }));
    for (n, one) in TROMINOES.iter().enumerate() {
        mistakes.extend(TROMINOES[n + 1..].iter().map(|other| {
            let name = format!("L-trominoes without mirror: only `{}` and `{}`", one.0, other.0);
            with_pieces(name, DOMINOES.iter().chain([one, other]).map(|piece| piece.1))
        }));
    }
    for one in TROMINOES {
        let name = format!("L-trominoes in one rotation: only `{}`", one.0);
        mistakes.push(with_pieces(name, DOMINOES.iter().chain([&one]).map(|piece| piece.1)));
    }
    mistakes.push(with_pieces("dominoes only".to_owned(), DOMINOES.iter().map(|piece| piece.1)));
    let dominoes = wrapping_places(DOMINOES.iter().map(|piece| piece.1));
    let trominoes = places(TROMINOES.iter().map(|piece| piece.1));
    mistakes.push(at_places("a domino that goes on in the next row", ROW_END_REMEDY, [dominoes, trominoes].concat()));
    let every = wrapping_places(all.iter().map(|piece| piece.1));
    mistakes.push(at_places("pieces that go on in the next row", ROW_END_REMEDY, every));
    mistakes.push(memo_mistake());
    mistakes
}

/// The memo mistake with other orders of placements, and the mistakes in reading the number of cases.
pub(super) fn more_mistakes() -> Vec<Mistake<BlockGame>> {
    memo_variants().into_iter().chain(count_mistakes()).collect()
}

const ROW_END_REMEDY: &str =
    "a row ends at its fifth cell: the next bit is the first cell of the row below, and not beside it";

/// A correct solver of the game with only these pieces.
fn with_pieces(name: String, pieces: impl Iterator<Item = Piece>) -> Mistake<BlockGame> {
    at_places(name, PIECES_REMEDY, places(pieces))
}

/// A correct solver of the game with only these placements.
fn at_places(name: impl Into<String>, remedy: &'static str, places: Vec<u32>) -> Mistake<BlockGame> {
    Mistake::new(name, remedy, move |case| answer(case, |free| wins(free, &places, &mut HashMap::new())))
}

fn answer(case: &Case, wins: impl Fn(u32) -> bool) -> Option<Answer> {
    let free = case.free();
    (free.count_ones() <= MAX_FREE_CELLS).then(|| if wins(free) { Answer::Winning } else { Answer::Losing })
}

/// Whether the player to move wins, if a player who cannot place a piece loses.
fn wins(free: u32, places: &[u32], memo: &mut HashMap<u32, bool>) -> bool {
    if let Some(&wins) = memo.get(&free) {
        return wins;
    }
    let winning = places.iter().any(|place| place & !free == 0 && !wins(free & !place, places, memo));
    memo.insert(free, winning);
    winning
}

/// Whether the player to move wins, if a player who cannot place a piece wins.
fn wins_misere(free: u32, places: &[u32], memo: &mut HashMap<u32, bool>) -> bool {
    if let Some(&wins) = memo.get(&free) {
        return wins;
    }
    let mut fitting = places.iter().filter(|place| *place & !free == 0).peekable();
    let winning = fitting.peek().is_none() || fitting.any(|place| !wins_misere(free & !place, places, memo));
    memo.insert(free, winning);
    winning
}

/// Returns the placements of the pieces, shifted as bits without regard to the ends of rows: a piece
/// may continue in the next row.
fn wrapping_places(pieces: impl Iterator<Item = Piece>) -> Vec<u32> {
    let cells = |piece: Piece| piece.iter().fold(0_u64, |cells, (row, col)| cells | 1 << (row * SIDE + col));
    let board = (1_u64 << (SIDE * SIDE)) - 1;
    let shifted = |piece| (0..SIDE * SIDE).map(move |by| cells(piece) << by).filter(move |place| place & !board == 0);
    pieces.flat_map(shifted).map(|place| place as u32).collect()
}

/// Returns the placements of the pieces, as sets of cells.
fn places(pieces: impl Iterator<Item = Piece>) -> Vec<u32> {
    let mut places = Vec::new();
    for piece in pieces {
        for row in 0..SIDE {
            for col in 0..SIDE {
                if piece.iter().all(|(down, right)| row + down < SIDE && col + right < SIDE) {
                    let cell = |(down, right): &(usize, usize)| (row + down) * SIDE + col + right;
                    places.push(piece.iter().fold(0, |cells, at| cells | 1 << cell(at)));
                }
            }
        }
    }
    places
}

/// A memo whose key is the number of free cells. Which board of a number is solved first depends on the order of the
/// placements.
const MEMO_NAME: &str = "a memo by the number of free cells";
const MEMO_REMEDY: &str = "boards of as many free cells are not worth the same: the key of a memo has to contain which cells are \
                      free";

/// The mistake with placements cell by cell, dominoes first.
fn memo_mistake() -> Mistake<BlockGame> {
    with_count_memo(MEMO_NAME.to_owned(), by_cells(&dominoes_first()))
}

/// The mistake with other orders of placements.
fn memo_variants() -> Vec<Mistake<BlockGame>> {
    let variant = |order: &str, places| with_count_memo(format!("{MEMO_NAME}, {order}"), places);
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

fn with_count_memo(name: String, places: Vec<u32>) -> Mistake<BlockGame> {
    Mistake::new(name, MEMO_REMEDY, move |case| {
        answer(case, |free| wins_by_count(free, &places, &mut [None; SIDE * SIDE + 1]))
    })
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

fn wins_by_count(free: u32, places: &[u32], memo: &mut [Option<bool>; SIDE * SIDE + 1]) -> bool {
    let count = free.count_ones() as usize;
    if let Some(wins) = memo[count] {
        return wins;
    }
    let winning = places.iter().any(|place| place & !free == 0 && !wins_by_count(free & !place, places, memo));
    memo[count] = Some(winning);
    winning
}
