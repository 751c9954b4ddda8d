//! Walkers by plain alpha-beta on a 64-bit board: no table, no symmetry, moves by
//! Warnsdorff's rule. What a reasonable author writes who wants an answer today.

/// To the tiles above, to the left, to the right and below.
pub const ORTHOGONAL: [(i8, i8); 4] = [(-1, 0), (0, -1), (0, 1), (1, 0)];

/// To all tiles around.
pub const KING: [(i8, i8); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

/// A chess knight's.
pub const KNIGHT: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// Scores a win at once. A win at ply `n` scores `SOONEST - n`, a loss its negative.
const SOONEST: i32 = 100;

/// The most leaps from one cell.
const MOST_LEAPS: usize = 8;

/// Rules on a board, and how many nodes have been searched.
#[derive(Debug)]
pub struct PlainWalkers {
    /// Where each cell's leaps lead to.
    leaps: Vec<u64>,
    cells: usize,
    share: bool,
    /// Nodes searched so far.
    pub nodes: u64,
}

impl PlainWalkers {
    /// Tokens that leap by `leaps`, rows down and columns to the right, and may
    /// `share` a tile or not.
    ///
    /// # Panics
    /// If there are more than 64 cells or more than eight leaps.
    #[must_use]
    pub fn new(rows: usize, cols: usize, leaps: &[(i8, i8)], share: bool) -> Self {
        assert!(rows * cols <= 64 && leaps.len() <= MOST_LEAPS, "a board of 64 cells, and eight leaps, at most");
        let leap = |from: usize, (down, right): (i8, i8)| {
            let row = (from / cols).checked_add_signed(down.into()).filter(|&row| row < rows)?;
            let col = (from % cols).checked_add_signed(right.into()).filter(|&col| col < cols)?;
            Some(1_u64 << (row * cols + col))
        };
        let from_each = |from| leaps.iter().filter_map(|&by| leap(from, by)).fold(0, |to, cell| to | cell);
        Self { leaps: (0..rows * cols).map(from_each).collect(), cells: rows * cols, share, nodes: 0 }
    }

    /// Whether A wins, and in how many plies, on a full board from the top left corner
    /// against the bottom right one.
    pub fn from_corners(&mut self) -> (bool, u32) {
        self.solve(u64::MAX >> (64 - self.cells), 0, self.cells - 1)
    }

    /// Whether the player on `mover` wins, and in how many plies.
    pub fn solve(&mut self, tiles: u64, mover: usize, other: usize) -> (bool, u32) {
        let score = self.search(tiles, mover, other, 0, -SOONEST, SOONEST);
        (score > 0, score.abs().abs_diff(SOONEST))
    }

    /// Fail-soft alpha-beta, `ply` plies from the root.
    fn search(&mut self, tiles: u64, mover: usize, other: usize, ply: i32, mut alpha: i32, beta: i32) -> i32 {
        self.nodes += 1;
        let lost = ply - SOONEST;
        let left = tiles & !(1 << mover);
        let free = if self.share { left } else { left & !(1 << other) };
        let mut to = self.leaps[mover] & free;
        if tiles >> mover & 1 == 0 || to == 0 {
            return lost;
        }
        // Any step wins if it leaves the other token no tile or no way on; where tiles
        // are not shared, so does one that takes the last way on.
        let ways_on = self.leaps[other] & left;
        let last_way = !self.share && ways_on & ways_on.wrapping_sub(1) == 0 && ways_on & to != 0;
        if mover == other || ways_on == 0 || last_way {
            return SOONEST - (ply + 1);
        }
        // Sorted by insertion as they come.
        let mut moves = [(0, 0); MOST_LEAPS];
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
