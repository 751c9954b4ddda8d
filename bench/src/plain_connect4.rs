//! The outcome of Connect Four by plain alpha-beta with a memo of all positions: cells in an array, columns from
//! the middle outwards, wins found one ply ahead.

use std::collections::HashMap;

const K: usize = 4;

/// A position, with bounds on the outcomes of the positions searched so far.
#[derive(Debug)]
pub struct PlainConnect4 {
    rows: usize,
    cols: usize,
    /// 0: free, 1: the first player, 2: the second player; from the bottom row up.
    cells: Vec<u8>,
    heights: Vec<usize>,
    placed: usize,
    /// Lower and upper bounds on the outcome for the player to move.
    bounds: HashMap<Vec<u8>, (i8, i8)>,
}

impl PlainConnect4 {
    /// Creates an empty board.
    #[must_use]
    pub fn new(rows: usize, cols: usize) -> Self {
        let (cells, heights) = (vec![0; rows * cols], vec![0; cols]);
        Self { rows, cols, cells, heights, placed: 0, bounds: HashMap::new() }
    }

    /// Returns 1 if the first player wins, -1 if the second player wins, 0 for a draw.
    pub fn outcome(&mut self) -> i8 {
        self.search(-1, 1)
    }

    /// Whether a stone of `player` in the column would make four in a row.
    fn wins(&self, col: usize, player: u8) -> bool {
        let row = self.heights[col];
        [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(up, right): (isize, isize)| {
            let run = |sign: isize| {
                let next = |&(row, col): &(usize, usize)| {
                    let row = row.checked_add_signed(sign * up).filter(|&row| row < self.rows)?;
                    let col = col.checked_add_signed(sign * right).filter(|&col| col < self.cols)?;
                    (self.cells[row * self.cols + col] == player).then_some((row, col))
                };
                std::iter::successors(next(&(row, col)), next).count()
            };
            1 + run(1) + run(-1) >= K
        })
    }

    /// Returns the lesser of the cells and their mirror image.
    fn key(&self) -> Vec<u8> {
        let mirrored: Vec<u8> = self.cells.chunks(self.cols).flat_map(|row| row.iter().rev().copied()).collect();
        if mirrored < self.cells { mirrored } else { self.cells.clone() }
    }

    fn search(&mut self, mut alpha: i8, mut beta: i8) -> i8 {
        if self.placed == self.cells.len() {
            return 0;
        }
        let player = 1 + (self.placed % 2) as u8;
        if (0..self.cols).any(|col| self.heights[col] < self.rows && self.wins(col, player)) {
            return 1;
        }
        let key = self.key();
        let (mut lower, mut upper) = self.bounds.get(&key).copied().unwrap_or((-1, 1));
        (alpha, beta) = (alpha.max(lower), beta.min(upper));
        if alpha >= beta {
            return if lower >= beta { lower } else { upper };
        }
        let (original_alpha, mut best) = (alpha, -1);
        let middle = self.cols / 2;
        for n in 0..2 * self.cols {
            let col = if n % 2 == 0 { Some(middle + n / 2) } else { middle.checked_sub(n.div_ceil(2)) };
            let Some(col) = col.filter(|&col| col < self.cols && self.heights[col] < self.rows) else { continue };
            let cell = self.heights[col] * self.cols + col;
            self.cells[cell] = player;
            self.heights[col] += 1;
            self.placed += 1;
            best = best.max(-self.search(-beta, -alpha));
            self.placed -= 1;
            self.heights[col] -= 1;
            self.cells[cell] = 0;
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        if best <= original_alpha {
            upper = best;
        } else if best >= beta {
            lower = best;
        } else {
            (lower, upper) = (best, best);
        }
        self.bounds.insert(key, (lower, upper));
        best
    }
}
