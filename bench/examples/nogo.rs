//! Nimbers of NoGo in which either player places stones of either colour, without any code of balpan: a second way to the results in
//! `docs/results.md`.
//!
//! `cargo run --release -p balpan-bench --example nogo -- 2 10` prints the nimber of the empty board of 2 rows and 10 columns, by a table of
//! all ways to fill it, each by its options alone. It takes a third of `3^cells` bytes: 1.2 GB for 20 cells, 10 for 22.
//!
//! `cargo run --release -p balpan-bench --example nogo -- 26` prints that of a row of 26 cells, by the parts that it falls into: stones of
//! unlike colours mean nothing to each other, and of stones of one colour side by side one is enough, as only what is at their ends
//! matters. 2 GB.

use std::collections::HashMap;

/// A row of cells: 0 empty, 1 black, 2 white.
type Row = Vec<u8>;

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    match numbers[..] {
        [cells @ 1..=60] => {
            let mut rows = Rows::default();
            println!("1x{cells}: {}, {} parts", rows.nimber(&vec![0; cells]), rows.nimbers.len());
        }
        [rows, cols] if (1..=22).contains(&(rows * cols)) => {
            println!("{rows}x{cols}: {}", Table::new(rows, cols).nimber());
        }
        _ => {
            eprintln!("expected ROWS COLUMNS, at most 22 cells, or the CELLS of a row, at most 60");
            std::process::exit(2);
        }
    }
}

/// The parts of rows, from one unlike stone to the next.
#[derive(Default)]
struct Rows {
    nimbers: HashMap<Box<[u8]>, u8>,
}

impl Rows {
    fn nimber(&mut self, row: &[u8]) -> u8 {
        let mut sum = 0;
        for part in row.chunk_by(|one, other| *one == 0 || *other == 0 || one == other) {
            sum ^= self.nimber_of_part(part);
        }
        sum
    }

    fn nimber_of_part(&mut self, part: &[u8]) -> u8 {
        let mut part: Row = part.to_vec();
        part.dedup_by(|one, other| *one != 0 && one == other);
        let part = canonical(part);
        if let Some(nimber) = self.nimbers.get(&part[..]) {
            return *nimber;
        }
        let mut options = 0_u64;
        let mut after = part.clone();
        for cell in 0..part.len() {
            for color in [1, 2].into_iter().filter(|_| part[cell] == 0) {
                after[cell] = color;
                if is_legal(&after) {
                    options |= 1 << self.nimber(&after);
                }
            }
            after[cell] = part[cell];
        }
        let nimber = options.trailing_ones() as u8;
        self.nimbers.insert(part.into(), nimber);
        nimber
    }
}

/// Whether each group of stones of a row has an empty neighbour.
fn is_legal(row: &[u8]) -> bool {
    let groups = row.chunk_by(|one, other| one == other);
    let mut end = 0;
    groups.into_iter().all(|group| {
        let start = end;
        end += group.len();
        let beside = [start.checked_sub(1).map(|cell| row[cell]), row.get(end).copied()];
        group[0] == 0 || beside.contains(&Some(0))
    })
}

/// Returns the least of a part, the same from right to left, and both with the colours exchanged.
fn canonical(part: Row) -> Row {
    let exchanged = |row: &Row| row.iter().map(|cell| [0, 2, 1][usize::from(*cell)]).collect();
    let reversed: Row = part.iter().rev().copied().collect();
    let others: [Row; 2] = [exchanged(&part), exchanged(&reversed)];
    others.into_iter().chain([reversed]).fold(part, Row::min)
}

/// All ways to fill a board: the number of one has a digit to the base 3 for each cell. The highest digit is not 2, as the colours may be
/// exchanged.
struct Table {
    cols: u32,
    cells: usize,
    /// The cells that are not the first, and not the last, of their rows.
    inner: [u32; 2],
    powers: Vec<u64>,
    /// Four bits each: a nimber, [`LARGE`] or [`ILLEGAL`].
    nimbers: Vec<u8>,
    large: HashMap<u64, u8>,
}

/// The nimber is in the map.
const LARGE: u8 = 14;
const ILLEGAL: u8 = 15;

impl Table {
    fn new(rows: usize, cols: usize) -> Self {
        let cells = rows * cols;
        let powers: Vec<u64> = (0..cells as u32).map(|cell| 3_u64.pow(cell)).collect();
        let inner = [0, cols - 1].map(|col| {
            let is_inner = |cell: &usize| cell % cols != col;
            (0..cells).filter(is_inner).fold(0, |set, cell| set | 1 << cell)
        });
        let nimbers = vec![0; powers[cells - 1] as usize];
        Self { cols: cols as u32, cells, inner, powers, nimbers, large: HashMap::new() }
    }

    /// Each position has a higher number than those that it comes from: they are filled from the last.
    fn nimber(mut self) -> u8 {
        let (all, last) = (u32::MAX >> (32 - self.cells), 1 << (self.cells - 1));
        let mut stones = [last, all & !last];
        for number in (0..2 * self.powers[self.cells - 1]).rev() {
            let empty = all & !(stones[0] | stones[1]);
            let code = if stones.iter().all(|stones| self.touches(*stones, empty)) {
                let nimber = self.least_missing(number, stones, empty);
                if nimber >= LARGE {
                    self.large.insert(number, nimber);
                }
                nimber.min(LARGE)
            } else {
                ILLEGAL
            };
            self.nimbers[(number / 2) as usize] |= code << (number % 2 * 4);
            // The next lower number: white becomes black, black empty, and empty white.
            for bit in (0..self.cells).map(|cell| 1 << cell) {
                let was = stones;
                stones = [stones[0] & !bit | stones[1] & bit, stones[1] & !bit];
                if was != stones {
                    break;
                }
                stones[1] |= bit;
            }
        }
        self.get(0).unwrap_or_default()
    }

    fn next_to(&self, set: u32) -> u32 {
        let [not_first, not_last] = self.inner;
        set << self.cols | set >> self.cols | (set & not_last) << 1 | (set & not_first) >> 1
    }

    /// Whether each group of stones has an empty neighbour.
    fn touches(&self, stones: u32, empty: u32) -> bool {
        let mut touching = stones & self.next_to(empty);
        loop {
            let wider = touching | stones & self.next_to(touching);
            if wider == touching {
                return touching == stones;
            }
            touching = wider;
        }
    }

    fn least_missing(&self, number: u64, stones: [u32; 2], empty: u32) -> u8 {
        let mut options = 0_u64;
        for cell in (0..self.cells).filter(|cell| empty >> cell & 1 == 1) {
            let (power, is_last) = (self.powers[cell], cell + 1 == self.cells);
            let white = if is_last { self.number([stones[1], stones[0]]) + power } else { number + 2 * power };
            for nimber in [number + power, white].into_iter().filter_map(|after| self.get(after)) {
                options |= 1 << nimber;
            }
        }
        options.trailing_ones() as u8
    }

    fn number(&self, stones: [u32; 2]) -> u64 {
        let sum = |set: u32| (0..self.cells).map(|cell| u64::from(set >> cell & 1) * self.powers[cell]).sum::<u64>();
        sum(stones[0]) + 2 * sum(stones[1])
    }

    /// Returns the nimber of a position; `None` if a group has no empty neighbour.
    fn get(&self, number: u64) -> Option<u8> {
        match self.nimbers[(number / 2) as usize] >> (number % 2 * 4) & 15 {
            ILLEGAL => None,
            LARGE => Some(self.large[&number]),
            nimber => Some(nimber),
        }
    }
}
