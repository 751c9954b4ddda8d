//! Block game by plain top-down memoization in an array: a byte for each board, 2^25 on 5×5.

use std::io::{self, BufRead, Write};

const SIDE: usize = 5;

/// The outcomes of the boards visited so far.
#[derive(Debug)]
pub struct Memo {
    /// 0: not visited; 1: lost; 2: won.
    outcomes: Vec<u8>,
    placements: Vec<u32>,
}

impl Default for Memo {
    fn default() -> Self {
        Self::new(SIDE, SIDE)
    }
}

impl Memo {
    /// Creates an empty memo for boards of this size, at most 31 cells.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        let mut placements = Vec::new();
        let cell = |row: usize, col: usize| 1_u32 << (row * cols + col);
        for row in 0..rows {
            for col in 0..cols {
                if col + 1 < cols {
                    placements.push(cell(row, col) | cell(row, col + 1));
                }
                if row + 1 < rows {
                    placements.push(cell(row, col) | cell(row + 1, col));
                }
                if row + 1 < rows && col + 1 < cols {
                    let square = cell(row, col) | cell(row, col + 1) | cell(row + 1, col) | cell(row + 1, col + 1);
                    for corner in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                        placements.push(square & !cell(row + corner.0, col + corner.1));
                    }
                }
            }
        }
        Self { outcomes: vec![0; 1 << (rows * cols)], placements }
    }

    /// Counts the boards that are lost for the player to move.
    pub fn lost(&mut self) -> u64 {
        (0..self.outcomes.len() as u32).map(|filled| u64::from(!self.wins(filled))).sum()
    }

    /// Whether the player to move wins with these cells filled.
    pub fn wins(&mut self, filled: u32) -> bool {
        match self.outcomes[filled as usize] {
            0 => {}
            outcome => return outcome == 2,
        }
        let mut wins = false;
        for n in 0..self.placements.len() {
            let placed = self.placements[n];
            if filled & placed == 0 && !self.wins(filled | placed) {
                wins = true;
                break;
            }
        }
        self.outcomes[filled as usize] = 1 + u8::from(wins);
        wins
    }
}

/// Reads the judge's input and writes its output.
///
/// # Errors
/// If reading or writing fails.
///
/// # Panics
/// If the input is not in the judge's format.
pub fn judge(input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut memo = Memo::default();
    let text = io::read_to_string(input)?;
    let mut words = text.split_whitespace();
    let cases: usize = words.next().and_then(|word| word.parse().ok()).expect("a count");
    for _ in 0..cases {
        let mut filled = 0;
        for row in 0..SIDE {
            for (col, cell) in words.next().expect("a row").bytes().enumerate() {
                filled |= u32::from(cell == b'#') << (row * SIDE + col);
            }
        }
        writeln!(output, "{}", if memo.wins(filled) { "WINNING" } else { "LOSING" })?;
    }
    output.flush()
}
