//! Walkers by plain alpha-beta on a 64-bit board: no table, no symmetry, moves ordered by Warnsdorff's rule. A
//! reasonable solution for an answer today.

/// Leaps to the tiles above, to the left, to the right and below.
pub const ORTHOGONAL: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// Leaps to all adjacent tiles.
pub const KING: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// The leaps of a chess knight.
pub const KNIGHT: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// The score of an immediate win. A win at ply `n` scores `WIN - n`, a loss its negative.
const WIN: i32 = 100;

/// The maximum number of leaps from one cell.
const MAX_LEAPS: usize = 8;

/// A game on a board, and the number of nodes searched.
#[derive(Debug)]
pub struct PlainWalkers {
    /// The cells that each cell's leaps lead to.
    leaps: Vec<u64>,
    cells: usize,
    share: bool,
    /// Nodes searched so far.
    pub nodes: u64,
}

impl PlainWalkers {
    /// Creates the game of tokens that leap by `leaps`, as rows down and columns to the right, and may share a
    /// tile if `share`.
    ///
    /// # Panics
    /// If there are more than 64 cells or more than eight leaps.
    #[must_use]
    pub fn new(rows: usize, cols: usize, leaps: &[(i8, i8)], share: bool) -> Self {
        assert!(rows * cols <= 64 && leaps.len() <= MAX_LEAPS, "at most 64 cells and eight leaps");
        let leap = |from: usize, (down, right): (i8, i8)| {
            let row = (from / cols).checked_add_signed(down.into()).filter(|&row| row < rows)?;
            let col = (from % cols).checked_add_signed(right.into()).filter(|&col| col < cols)?;
            Some(1_u64 << (row * cols + col))
        };
        let from_each = |from| leaps.iter().filter_map(|&by| leap(from, by)).fold(0, |to, cell| to | cell);
        Self { leaps: (0..rows * cols).map(from_each).collect(), cells: rows * cols, share, nodes: 0 }
    }

    /// Returns whether A wins, and the plies to the end, on a full board with A at the top left and B at the
    /// bottom right corner.
    pub fn solve_from_corners(&mut self) -> (bool, u32) {
        self.solve(u64::MAX >> (64 - self.cells), 0, self.cells - 1)
    }

    /// Returns whether the player on `mover` wins, and the plies to the end.
    pub fn solve(&mut self, tiles: u64, mover: usize, other: usize) -> (bool, u32) {
        let score = self.search(tiles, mover, other, 0, -WIN, WIN);
        (score > 0, score.abs().abs_diff(WIN))
    }

    /// Searches a node `ply` plies from the root by fail-soft alpha-beta.
    fn search(&mut self, tiles: u64, mover: usize, other: usize, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let lost = ply - WIN;
        let left = tiles & !(1 << mover);
        let free = if self.share { left } else { left & !(1 << other) };
        let mut to = self.leaps[mover] & free;
        if tiles >> mover & 1 == 0 || to == 0 {
            return lost;
        }
        // Any step wins if it leaves the other token no tile or no move; without sharing, so does a step onto the
        // other token's only exit.
        let replies = self.leaps[other] & left;
        let takes_last = !self.share && replies & replies.wrapping_sub(1) == 0 && replies & to != 0;
        if mover == other || replies == 0 || takes_last {
            return WIN - (ply + 1);
        }
        // Insertion sort by the number of onward moves.
        let mut moves = [(0, 0); MAX_LEAPS];
        let mut count = 0;
        while to != 0 {
            let cell = to.trailing_zeros() as usize;
            to &= to - 1;
            let ways = (self.leaps[cell] & free).count_ones();
            let mut at = count;
            while at > 0 && moves[at - 1].0 > ways {
                moves[at] = moves[at - 1];
                at -= 1;
            }
            moves[at] = (ways, cell);
            count += 1;
        }
        let mut best = lost;
        for &(_, cell) in &moves[..count] {
            best = best.max(-self.search(left, other, cell, ply + 1, -beta, -alpha));
            if best >= beta {
                break;
            }
            alpha = alpha.max(best);
        }
        best
    }
}
