//! Plain solvers of the block game: those with a known misunderstanding (another ending, missing pieces, a
//! memo that confuses boards), and the right ones whose visits are counted.

use rustc_hash::FxHashMap;

use super::{Answer, BlockGame, CELLS, Case, SIDE, around};
use crate::judge::mistake::{count_mistakes, evaluate};
use crate::judge::{Mistake, Recursion};

/// Cases with more free cells would take a plain solver too long.
const MAX_FREE_CELLS: u32 = 16;

/// The most boards in the memo of a counted recursion: some tens of megabytes.
const MAX_MEMO_BOARDS: usize = 1_500_000;

/// Rows and columns of the cells of a piece in one orientation, with its picture.
type Piece = (&'static str, &'static [(usize, usize)]);

const DOMINOES: [Piece; 2] = [("##", &[(0, 0), (0, 1)]), ("#/#", &[(0, 0), (1, 0)])];

const TROMINOES: [Piece; 4] = [
    ("##/#.", &[(0, 0), (0, 1), (1, 0)]),
    ("##/.#", &[(0, 0), (0, 1), (1, 1)]),
    ("#./##", &[(0, 0), (1, 0), (1, 1)]),
    (".#/##", &[(0, 1), (1, 0), (1, 1)]),
];

const PIECES_REMEDY: &str = "a piece may be turned and turned over: the domino lies in two ways, the L-tromino in four";

const ROW_END_REMEDY: &str =
    "a row ends at its fifth cell: the next bit is the first cell of the row below, and not beside it";

const MEMO_REMEDY: &str = "boards of as many free cells are not worth the same: the key of a memo has to contain which cells are \
                      free";

pub(super) fn mistakes() -> Vec<Mistake<BlockGame>> {
    let pieces = [&DOMINOES[..], &TROMINOES].concat();
    let all = by_pieces(&pieces, false);
    let misere = Mistake::new("a misère ending", "who places last wins: who cannot place a piece loses", move |case| {
        answer(
            case,
            |free| free,
            |free, after| {
                let mut next = placed(free, &all).peekable();
                next.peek().is_none() || next.any(|free| !after(free))
            },
        )
    });
    let mut mistakes = vec![misere];
    let mut add = |name: String, pieces: &[Piece]| {
        mistakes.push(with_places(name, PIECES_REMEDY, by_pieces(pieces, false), |free| free));
    };
    for missing in &pieces {
        let others: Vec<_> = pieces.iter().filter(|other| *other != missing).copied().collect();
        add(format!("a missing orientation: `{}`", missing.0), &others);
    }
    for (n, one) in TROMINOES.iter().enumerate() {
        for other in &TROMINOES[n + 1..] {
            let name = format!("L-trominoes without mirror: only `{}` and `{}`", one.0, other.0);
            add(name, &[&DOMINOES[..], &[*one, *other]].concat());
        }
    }
    for one in TROMINOES {
        add(format!("L-trominoes in one rotation: only `{}`", one.0), &[&DOMINOES[..], &[one]].concat());
    }
    add("dominoes only".to_owned(), &DOMINOES);
    let dominoes_wrap = [by_pieces(&DOMINOES, true), by_pieces(&TROMINOES, false)].concat();
    for (name, places) in [
        ("a domino that goes on in the next row", dominoes_wrap),
        ("pieces that go on in the next row", by_pieces(&pieces, true)),
    ] {
        mistakes.push(with_places(name.to_owned(), ROW_END_REMEDY, places, |free| free));
    }
    mistakes.push(with_count_memo("", by_cells(&pieces)));
    mistakes
}

const UNDO_REMEDY: &str =
    "take the piece away again after the recursion: the next placement is tried on the same board";

/// Whether the player to move wins, by a solver whose pieces stay on the board, or only a piece that wins.
fn wins_without_undo(free: &mut u32, places: &[u32], only_wins: bool) -> bool {
    for place in places {
        if place & !*free == 0 {
            *free &= !place;
            if !wins_without_undo(free, places, only_wins) {
                return true;
            }
            *free |= if only_wins { *place } else { 0 };
        }
    }
    false
}

/// The memo mistake with other orders of placements, boards that are not restored, and the mistakes in reading the number of cases.
pub(super) fn more_mistakes() -> Vec<Mistake<BlockGame>> {
    let dominoes_first = [&DOMINOES[..], &TROMINOES].concat();
    let trominoes_first = [&TROMINOES[..], &DOMINOES].concat();
    let mut mistakes = vec![
        with_count_memo(", L-trominoes first at each cell", by_cells(&trominoes_first)),
        with_count_memo(", piece by piece, dominoes first", by_pieces(&dominoes_first, false)),
        with_count_memo(", piece by piece, L-trominoes first", by_pieces(&trominoes_first, false)),
    ];
    for (n, places) in [by_cells(&dominoes_first), by_cells(&trominoes_first), by_pieces(&dominoes_first, false)]
        .into_iter()
        .enumerate()
    {
        for only_wins in [false, true] {
            let name = if only_wins { "a winning piece left on the board" } else { "the pieces left on the board" };
            let order = [", dominoes first at each cell", ", L-trominoes first at each cell", ", piece by piece"][n];
            let places = places.clone();
            mistakes.push(Mistake::new(format!("{name}{order}"), UNDO_REMEDY, move |case: &Case| {
                let wins = || wins_without_undo(&mut { case.free() }, &places, only_wins);
                (case.free().count_ones() <= MAX_FREE_CELLS).then(wins).map(Answer::of_mover)
            }));
        }
    }
    mistakes.extend(count_mistakes());
    mistakes
}

/// A memo whose key is the number of free cells. Which board of a number is solved first depends on the order of the
/// placements.
fn with_count_memo(order: &str, places: Vec<u32>) -> Mistake<BlockGame> {
    let name = format!("a memo by the number of free cells{order}");
    with_places(name, MEMO_REMEDY, places, u32::count_ones)
}

/// A correct solver of the game with only these placements, but for the key of its memo.
fn with_places(name: String, remedy: &'static str, places: Vec<u32>, key: fn(u32) -> u32) -> Mistake<BlockGame> {
    Mistake::new(name, remedy, move |case| {
        answer(case, key, |free, after| placed(free, &places).any(|free| !after(free)))
    })
}

/// Answers a case by a plain solver: `wins` is whether the player to move wins, where `after` says so of the board
/// after a placement.
fn answer(
    case: &Case,
    key: impl Fn(u32) -> u32,
    wins: impl Fn(u32, &mut dyn FnMut(u32) -> bool) -> bool,
) -> Option<Answer> {
    let free = case.free();
    let wins = || evaluate(free, &mut FxHashMap::default(), &|free| Some(key(free)), &wins);
    (free.count_ones() <= MAX_FREE_CELLS).then(wins).map(Answer::of_mover)
}

/// Returns the free cells after each placement that fits.
fn placed(free: u32, places: &[u32]) -> impl Iterator<Item = u32> {
    places.iter().filter(move |&place| place & !free == 0).map(move |place| free & !place)
}

/// Returns the placements of the pieces, piece by piece. With `wraps`, a piece may go on in the next row.
fn by_pieces(pieces: &[Piece], wraps: bool) -> Vec<u32> {
    pieces.iter().flat_map(|piece| (0..CELLS).filter_map(move |cell| place(piece, cell, wraps))).collect()
}

/// Returns the placements of the pieces, ordered by the top left cell of their rectangles.
fn by_cells(pieces: &[Piece]) -> Vec<u32> {
    (0..CELLS).flat_map(|cell| pieces.iter().filter_map(move |piece| place(piece, cell, false))).collect()
}

/// Returns the cells of a piece whose rectangle begins at `cell`, if it fits on the board.
fn place((_, piece): &Piece, cell: usize, wraps: bool) -> Option<u32> {
    let within_row = piece.iter().all(|(_, right)| cell % SIDE + right < SIDE);
    let cells = piece.iter().fold(0_u64, |cells, (down, right)| cells | 1 << (cell + down * SIDE + right));
    (cells >> CELLS == 0 && (within_row || wraps)).then_some(cells as u32)
}

/// The recursions whose visits are counted. Without a memo there are too many visits to count one by one. Those
/// below a board are the same whenever it is reached, so a memo counts them.
pub(super) fn recursions() -> Vec<Recursion<BlockGame>> {
    let mut pieces = [&DOMINOES[..], &TROMINOES].concat();
    let cell_by_cell = by_cells(&pieces);
    pieces.reverse();
    let recursion = |name, places: Vec<u32>| {
        let mut memo = FxHashMap::default();
        Recursion::new(name, move |case: &Case| {
            if memo.len() > MAX_MEMO_BOARDS {
                memo.clear();
            }
            // Cells that no block can cover change nothing.
            let key = |free| Some(free & around(free));
            let (_, visits) = evaluate(case.free(), &mut memo, &key, &|free, after| {
                let mut visited = 1_u64;
                let wins = placed(free, &places).any(|free| {
                    let (wins, more): (bool, u64) = after(free);
                    visited = visited.saturating_add(more);
                    !wins
                });
                (wins, visited)
            });
            visits
        })
    };
    vec![
        recursion("moves until one wins, cell by cell", cell_by_cell),
        recursion("moves until one wins, block by block", by_pieces(&pieces, false)),
    ]
}
