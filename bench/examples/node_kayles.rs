//! Nimbers of Node Kayles on grids by the definition alone: the least number that no option of a connected part has, and the
//! XOR of the parts. A second way to the results in `docs/results.md`, which shares no code with balpan.
//!
//! `cargo run --release -p balpan-bench --example node_kayles -- ROWS FIRST LAST` prints the nimbers of all boards of `ROWS` rows and
//! `FIRST` to `LAST` columns, at most 128 cells, with the number of different parts.

use std::collections::HashMap;

/// A set of cells, row by row from the top left.
type Cells = u128;

struct NodeKayles {
    rows: usize,
    cols: usize,
    /// Each cell with its neighbours: what a move there takes away.
    closed: Vec<Cells>,
    /// The symmetries of the board, as the image of each cell.
    symmetries: Vec<Vec<usize>>,
    nimbers: HashMap<Cells, u32>,
}

impl NodeKayles {
    fn new(rows: usize, cols: usize) -> Self {
        let places = || (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
        let neighbours = |(row, col): (usize, usize)| {
            places()
                .filter(move |&(r, c)| r.abs_diff(row) + c.abs_diff(col) <= 1)
                .fold(0, |cells, (r, c)| cells | 1 << (r * cols + c))
        };
        let image = |symmetry: usize, (row, col): (usize, usize)| {
            let row = if symmetry & 1 != 0 { rows - 1 - row } else { row };
            let col = if symmetry & 2 != 0 { cols - 1 - col } else { col };
            if symmetry & 4 != 0 { col * cols + row } else { row * cols + col }
        };
        // Only a square board has the diagonals.
        let symmetries = 0..if rows == cols { 8 } else { 4 };
        Self {
            rows,
            cols,
            closed: places().map(neighbours).collect(),
            symmetries: symmetries.map(|symmetry| places().map(|place| image(symmetry, place)).collect()).collect(),
            nimbers: HashMap::new(),
        }
    }

    fn nimber(&mut self, mut free: Cells) -> u32 {
        let mut sum = 0;
        while free != 0 {
            let part = self.part(free);
            sum ^= self.nimber_of_part(part);
            free &= !part;
        }
        sum
    }

    /// Returns the connected part of the first free cell.
    fn part(&self, free: Cells) -> Cells {
        let mut part = free & free.wrapping_neg();
        loop {
            let wider = cells(part).fold(part, |part, cell| part | self.closed[cell] & free);
            if wider == part {
                return part;
            }
            part = wider;
        }
    }

    fn nimber_of_part(&mut self, part: Cells) -> u32 {
        let part = self.canonical(part);
        if let Some(&nimber) = self.nimbers.get(&part) {
            return nimber;
        }
        let options = cells(part).fold(0_u64, |options, cell| options | 1 << self.nimber(part & !self.closed[cell]));
        let nimber = options.trailing_ones();
        self.nimbers.insert(part, nimber);
        nimber
    }

    /// Returns the least image of the part, moved to the top left.
    fn canonical(&self, part: Cells) -> Cells {
        let moved = |symmetry: &Vec<usize>| {
            let image = cells(part).fold(0, |image, cell| image | 1 << symmetry[cell]);
            let top = cells(image).map(|cell| cell / self.cols).min().unwrap_or(self.rows);
            let left = cells(image).map(|cell| cell % self.cols).min().unwrap_or(self.cols);
            image >> (top * self.cols + left)
        };
        self.symmetries.iter().map(moved).min().unwrap_or(part)
    }
}

fn cells(mut set: Cells) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as usize)?;
        set &= set - 1;
        Some(cell)
    })
}

fn main() {
    let numbers: Vec<usize> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let [rows, first, last] = numbers[..] else {
        eprintln!("expected three numbers: ROWS FIRST LAST");
        std::process::exit(2);
    };
    if rows * first == 0 || rows * last > 128 {
        eprintln!("{rows} rows and {first} to {last} columns: a board has 1 to 128 cells");
        std::process::exit(2);
    }
    for cols in first..=last {
        let mut game = NodeKayles::new(rows, cols);
        let nimber = game.nimber(Cells::MAX >> (128 - rows * cols));
        println!("{rows}x{cols}: {nimber}, {} parts", game.nimbers.len());
    }
}
