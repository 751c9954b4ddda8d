//! Dobutsu shogi: a lion, a giraffe, an elephant and a chick each on 3×4 cells. Captured pieces change sides and are dropped.
//! Whoever captures the lion wins, and so does a lion on the last row that cannot be captured there.
//!
//! ```sh
//! cargo run --release --example dobutsu            # positions by ply, and for how long nobody wins, in 10 million positions
//! cargo run --release --example dobutsu -- all 16  # the value of every position, within 16 GiB, by all processors
//! ```
//!
//! The capture of the lion is a ply, and the position after it an end. Published: of 246,803,167 positions the first one is won by
//! the second player in 78 plies (T. Tanaka, "An analysis of a board game 'Doubutsu Shogi'", 2009).

use std::collections::HashSet;

use balpan::{Budget, Engine, Game, Goal, Retrograde, Solver, Watch};

/// The rules. A position is twelve cells of four bits, then six numbers of captured pieces of two bits, as the player to move
/// sees it: cell 0 is the left one of the own first row. The own hand is before the other one.
pub(crate) struct Dobutsu;

/// A piece: its kind, plus [`OTHER`] if it is the other player's. A free cell is 0.
pub(crate) const LION: u64 = 1;
pub(crate) const HEN: u64 = 2;
/// The chick, the giraffe and the elephant, which can be in a hand, have the kinds from here on.
pub(crate) const CHICK: u64 = 3;
pub(crate) const GIRAFFE: u64 = 4;
pub(crate) const ELEPHANT: u64 = 5;
pub(crate) const OTHER: u64 = 8;

pub(crate) const CELLS: u8 = 12;
const COLUMNS: i8 = 3;
const HANDS: u32 = 48;

/// The cells to which a piece of each kind goes from each cell.
const REACH: [[u16; CELLS as usize]; 6] = {
    // The steps to the rows behind, beside and ahead, one bit for each column: left, the same, right.
    const STEPS: [[u8; 3]; 6] = [[0; 3], [7, 5, 7], [2, 5, 7], [0, 0, 2], [2, 5, 2], [5, 0, 5]];
    let mut reach = [[0; CELLS as usize]; 6];
    let mut n = 0;
    while n < 6 * CELLS as usize * 9 {
        let (kind, cell, row, column) = (n / 108, (n / 9 % 12) as i8, (n / 3 % 3) as i8, (n % 3) as i8);
        let (to_row, to_column) = (cell / COLUMNS + row - 1, cell % COLUMNS + column - 1);
        let is_inside = 0 <= to_row && to_row < 4 && 0 <= to_column && to_column < COLUMNS;
        if is_inside && STEPS[kind][row as usize] >> column & 1 != 0 {
            reach[kind][cell as usize] |= 1 << (to_row * COLUMNS + to_column);
        }
        n += 1;
    }
    reach
};

/// Returns the piece on a cell.
const fn piece(position: u64, cell: u8) -> u64 {
    position >> (4 * cell) & 15
}

/// Returns the number of pieces of a kind in the own hand, or in the other one from `CHICK + 3` on.
const fn in_hand(position: u64, kind: u64) -> u64 {
    position >> (HANDS + 2 * (kind - CHICK) as u32) & 3
}

/// Returns the position with its cells in another order.
fn rearranged(position: u64, source: impl Fn(u8) -> u8) -> u64 {
    (0..CELLS).fold(position >> HANDS << HANDS, |seen, cell| seen | piece(position, source(cell)) << (4 * cell))
}

/// Returns the position as the other player sees it.
fn turned(position: u64) -> u64 {
    let cells = rearranged(position, |cell| CELLS - 1 - cell) & ((1 << HANDS) - 1);
    let pieces = (cells | cells >> 1 | cells >> 2) & 0x1111_1111_1111;
    let hands = position >> HANDS;
    cells ^ pieces << 3 | (hands >> 6 | (hands & 63) << 6) << HANDS
}

/// Returns whether the player to move has lost: the lion is captured, or the other lion is safe on the first row.
fn is_lost(position: u64) -> bool {
    let lion = |piece_sought| (0..CELLS).find(|cell| piece(position, *cell) == piece_sought);
    if lion(LION).is_none() {
        return true;
    }
    let can_capture = |target: u8| (0..CELLS).any(|cell| is_own(position, cell) && reaches(position, cell, target));
    lion(LION | OTHER).is_some_and(|lion| lion < COLUMNS as u8 && !can_capture(lion))
}

fn is_own(position: u64, cell: u8) -> bool {
    (1..OTHER).contains(&piece(position, cell))
}

fn reaches(position: u64, cell: u8, target: u8) -> bool {
    REACH[(piece(position, cell) & 7) as usize][cell as usize] >> target & 1 != 0
}

impl Game for Dobutsu {
    type Position = u64;
    /// From a cell to a cell; from `CELLS` plus a kind on, a piece is dropped.
    type Move = (u8, u8);

    fn start(&self) -> u64 {
        let own = ELEPHANT | LION << 4 | GIRAFFE << 8 | CHICK << 16;
        own | turned(own)
    }

    fn moves(&self, &position: &u64) -> impl Iterator<Item = (u8, u8)> {
        let sources = if is_lost(position) { 0 } else { CELLS + ELEPHANT as u8 + 1 };
        let targets = move |source| (0..CELLS).map(move |cell| (source, cell));
        (0..sources).flat_map(targets).filter(move |&(source, cell)| match source {
            0..CELLS => is_own(position, source) && !is_own(position, cell) && reaches(position, source, cell),
            source => {
                let kind = u64::from(source - CELLS);
                kind >= CHICK && in_hand(position, kind) > 0 && piece(position, cell) == 0
            }
        })
    }

    fn play(&self, &position: &u64, (source, cell): (u8, u8)) -> u64 {
        let captured = piece(position, cell) & 7;
        let mut after = position & !(15 << (4 * cell));
        let placed = if source < CELLS {
            let moved = piece(position, source);
            after &= !(15 << (4 * source));
            if moved == CHICK && cell >= CELLS - COLUMNS as u8 { HEN } else { moved }
        } else {
            let kind = u64::from(source - CELLS);
            after -= 1 << (HANDS + 2 * (kind - CHICK) as u32);
            kind
        };
        if captured > LION {
            after += 1 << (HANDS + 2 * (captured.max(CHICK) - CHICK) as u32);
        }
        turned(after | placed << (4 * cell))
    }

    fn may_repeat(&self) -> bool {
        true
    }

    /// The left and the right are alike.
    fn canonical(&self, &position: &u64) -> u64 {
        position.min(rearranged(position, |cell| cell / 3 * 3 + 2 - cell % 3))
    }

    fn key_bits(&self) -> u32 {
        HANDS + 12
    }

    fn key(&self, &position: &u64) -> u128 {
        position.into()
    }

    fn position_from_key(&self, key: u128) -> Option<u64> {
        u64::try_from(key).ok()
    }

    /// Captures first.
    fn rank(&self, &position: &u64, (_, cell): (u8, u8), _after: &u64) -> i32 {
        i32::from(piece(position, cell) != 0) + 10 * i32::from(piece(position, cell) == LION | OTHER)
    }
}

/// Returns how many positions play comes to after each number of plies up to `plies` and not before: all, or one of two mirror
/// images.
pub(crate) fn count_positions(start: u64, plies: usize, is_folded: bool) -> Vec<usize> {
    let form = |position| if is_folded { Dobutsu.canonical(&position) } else { position };
    let mut seen = HashSet::from([form(start)]);
    let mut last = vec![form(start)];
    let mut counts = vec![1];
    for _ in 0..plies {
        let after = |position: &u64| Dobutsu.moves(position).map(|mv| Dobutsu.play(position, mv)).collect::<Vec<_>>();
        last = last.iter().flat_map(after).map(form).filter(|position| seen.insert(*position)).collect();
        counts.push(last.len());
    }
    counts
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let start = Dobutsu.start();
    let words: Vec<String> = std::env::args().skip(1).collect();
    if let [word, gibibytes] = &words[..]
        && word == "all"
    {
        let threads = std::thread::available_parallelism()?.get();
        let budget = Budget { memory: gibibytes.parse::<usize>()? << 30, threads };
        let table = Retrograde::new(&Dobutsu, &start, budget, &Watch::default())?;
        println!(
            "{} positions up to the mirror image; the first one: {:?}",
            table.positions_searched(),
            table.get(&start)
        );
        return Ok(());
    }
    println!("positions by ply: {:?}", count_positions(start, 6, false));
    println!("up to the mirror image: {:?}", count_positions(start, 6, true));
    // The positions do not fit in this memory, so that the engine searches for a win within ever more plies.
    let mut engine = Engine::new(Dobutsu, Budget { memory: 64 << 20, threads: 1 });
    let answer = engine.solve(&start, Goal::Winner, &Watch::with_limit(10_000_000), |_| {})?;
    println!("the value is between {} and {}", answer.bounds.lower, answer.bounds.upper);
    Ok(())
}
