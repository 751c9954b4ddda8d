//! Nimbers of NoGo in which either player places stones of either colour, by the definition alone: the least number that no option of a
//! part has, and the XOR of the parts. A second way to the results in `docs/results.md`, which shares no code with balpan.
//!
//! `cargo run --release -p balpan-bench --example nogo -- ROWS FIRST LAST` prints the nimbers of all boards of `ROWS` rows and `FIRST` to
//! `LAST` columns, at most 64 cells, with the number of different parts.

use std::collections::HashMap;

/// A set of cells, row by row from the top left.
type Cells = u64;

/// The stones of each colour, and the empty cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Part {
    stones: [Cells; 2],
    empty: Cells,
}

struct NoGo {
    rows: usize,
    cols: usize,
    /// The neighbours of each cell.
    next_to: Vec<Cells>,
    /// The symmetries of the board, as the image of each cell.
    symmetries: Vec<Vec<usize>>,
    nimbers: HashMap<Part, u32>,
}

impl NoGo {
    fn new(rows: usize, cols: usize) -> Self {
        let places = || (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)));
        let neighbours = |(row, col): (usize, usize)| {
            places()
                .filter(move |&(r, c)| r.abs_diff(row) + c.abs_diff(col) == 1)
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
            next_to: places().map(neighbours).collect(),
            symmetries: symmetries.map(|symmetry| places().map(|place| image(symmetry, place)).collect()).collect(),
            nimbers: HashMap::new(),
        }
    }

    /// Returns the cells of `over` that steps over its cells lead to from `from`.
    fn flood(&self, from: Cells, over: Cells) -> Cells {
        let wider = cells(from).fold(from, |wider, cell| wider | self.next_to[cell] & over);
        if wider == from { from } else { self.flood(wider, over) }
    }

    /// Whether each group of stones has an empty neighbour.
    fn is_legal(&self, part: &Part) -> bool {
        let touching = cells(part.empty).fold(0, |all, cell| all | self.next_to[cell]);
        part.stones.iter().all(|stones| self.flood(touching & stones, *stones) == *stones)
    }

    /// Stones of unlike colours mean nothing to each other: without such neighbours the board falls apart.
    fn nimber(&mut self, mut left: Part) -> u32 {
        let mut sum = 0;
        while left.empty != 0 {
            let [black, white] = left.stones.map(|stones| stones | left.empty);
            let mut all = left.empty & left.empty.wrapping_neg();
            loop {
                let wider = self.flood(all & black, black) | self.flood(all & white, white) | all;
                if wider == all {
                    break;
                }
                all = wider;
            }
            sum ^=
                self.nimber_of_part(Part { stones: left.stones.map(|stones| stones & all), empty: left.empty & all });
            left = Part { stones: left.stones.map(|stones| stones & !all), empty: left.empty & !all };
        }
        sum
    }

    fn nimber_of_part(&mut self, part: Part) -> u32 {
        let part = self.canonical(if self.rows == 1 { contracted(part) } else { part });
        if let Some(&nimber) = self.nimbers.get(&part) {
            return nimber;
        }
        let mut options = 0_u64;
        for cell in cells(part.empty) {
            for color in 0..2 {
                let mut after = Part { empty: part.empty & !(1 << cell), ..part };
                after.stones[color] |= 1 << cell;
                if self.is_legal(&after) {
                    options |= 1 << self.nimber(after);
                }
            }
        }
        let nimber = options.trailing_ones();
        self.nimbers.insert(part, nimber);
        nimber
    }

    /// Returns the least image of the part, moved to the top left, with either colour first.
    fn canonical(&self, part: Part) -> Part {
        let images = self.symmetries.iter().flat_map(|symmetry| {
            let image = |set: Cells| cells(set).fold(0, |image, cell| image | 1 << symmetry[cell]);
            let ([black, white], empty) = (part.stones.map(image), image(part.empty));
            let all = black | white | empty;
            let top = cells(all).map(|cell| cell / self.cols).min().unwrap_or(0);
            let left = cells(all).map(|cell| cell % self.cols).min().unwrap_or(0);
            let by = top * self.cols + left;
            let [black, white, empty] = [black, white, empty].map(|set| set >> by);
            [[black, white], [white, black]].map(|stones| Part { stones, empty })
        });
        images.min().unwrap_or(part)
    }
}

/// Returns the part of a row with one stone for each group: neither colour can ever be placed between two of its stones, and only what is
/// beside them matters to them.
fn contracted(part: Part) -> Part {
    let [black, white] = part.stones;
    let doubled = black & black >> 1 | white & white >> 1;
    let kept: Vec<usize> = cells((black | white | part.empty) & !doubled).collect();
    let moved = |set: Cells| (0..).zip(&kept).fold(0, |moved, (to, &from)| moved | (set >> from & 1) << to);
    Part { stones: part.stones.map(moved), empty: moved(part.empty) }
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
    if rows * first == 0 || rows * last > 64 {
        eprintln!("{rows} rows and {first} to {last} columns: a board has 1 to 64 cells");
        std::process::exit(2);
    }
    for cols in first..=last {
        let mut game = NoGo::new(rows, cols);
        let nimber = game.nimber(Part { stones: [0; 2], empty: Cells::MAX >> (64 - rows * cols) });
        println!("{rows}x{cols}: {nimber}, {} parts", game.nimbers.len());
    }
}
