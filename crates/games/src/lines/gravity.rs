//! Static evaluation of Connect Four and its kin.

use balpan::{Bounds, Value};

use super::rows::Rows;
use super::{Lines, Marks, Position, Rules};
use crate::board::{Board, Cells, bit, first};
use crate::instructions::Work;

/// Bitboard masks of a board on which marks fall. Rows are counted from the floor.
#[derive(Clone, Debug)]
pub(super) struct Gravity {
    board: Board,
    all: u64,
    /// The number of rows, at least two: on one row nothing falls.
    rows: u32,
    cols: u32,
    /// One bit in the first column of each row.
    one_a_row: u64,
    top_row: u64,
    /// The number of bits from the top row to the floor.
    to_floor: u32,
    /// The cells in rows 0, 2, 4, … above the floor, and in rows 1, 3, 5, ….
    even_rows: u64,
    odd_rows: u64,
    /// The cells from which up, themselves included, the column has an odd number of cells.
    odd_left: u64,
}

/// Minimum number of free cells, exclusive, for counting the lines left to the opponent in move
/// ordering (measured: 6×7).
const MIN_CELLS_FOR_WINDOW_COUNT: u32 = 22;

/// A position from the point of view of the player to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct MoverView {
    pub(super) own: u64,
    pub(super) others: u64,
    /// The cells that would complete a line of each player, free or not.
    pub(super) own_completing: u64,
    pub(super) others_completing: u64,
    /// The lowest free cell of each column.
    pub(super) open: u64,
}

impl Gravity {
    /// Whether the knowledge of this module holds: marks fall, and k or more of one's own in a row win.
    pub(super) fn applies(rules: Rules, board: Board) -> bool {
        rules.gravity && rules.marks == Marks::Own && rules.overlines && !rules.misere && board.rows() > 1
    }

    pub(super) fn new(board: Board) -> Self {
        let where_height = |wanted: &dyn Fn(usize) -> bool| {
            let height = |cell| board.rows() - 1 - board.row_col(cell).0;
            (0..board.cells()).filter(|&cell| wanted(height(cell))).fold(0, |cells, cell| cells | bit(cell))
        };
        let (rows, cols) = (board.rows() as u32, board.cols() as u32);
        Self {
            board,
            all: board.all(),
            rows,
            cols,
            one_a_row: (0..rows).fold(0, |bits, row| bits | 1 << (row * cols)),
            top_row: (1 << cols) - 1,
            to_floor: (rows - 1) * cols,
            even_rows: where_height(&|height| height % 2 == 0),
            odd_rows: where_height(&|height| height % 2 == 1),
            odd_left: where_height(&|height| (board.rows() - height) % 2 == 1),
        }
    }

    /// The moves after which the opponent cannot complete a line at once. All others lose in two
    /// plies, if the mover cannot complete a line.
    #[inline(always)]
    pub(super) fn safe_moves(&self, view: &MoverView) -> u64 {
        let safe = view.open & !self.down(view.others_completing, 1);
        match view.others_completing & view.open {
            0 => safe,
            threat if threat & (threat - 1) == 0 => safe & threat,
            _ => 0,
        }
    }

    /// Bounds of a position with a safe move, in which the mover cannot complete a line at once.
    #[inline(always)]
    pub(super) fn bounds(&self, rows: &Rows, view: &MoverView, threshold: Value) -> Bounds {
        let free = self.all & !(view.own | view.others);
        let left = free.count_ones();
        // Neither player completes a line within the next two plies.
        let mut upper = if left < 3 { Value::DRAW } else { Value::win(3) };
        let mut lower = if left < 4 { Value::DRAW } else { Value::loss(4) };
        if threshold >= Value::DRAW {
            if !rows.has_window(view.own | free) {
                upper = Value::DRAW;
            }
        } else if !rows.has_window(view.others | free) {
            lower = Value::DRAW;
        }
        let mut bounds = Bounds { lower, upper };
        if bounds.decide(threshold).is_none()
            && let Some(value) = self.follow_up_bound(rows, view, free, threshold)
        {
            bounds.upper = bounds.upper.min(value);
        }
        bounds
    }

    /// Ranks marking `cell`, after which the mover threatens to complete lines at `threats`.
    ///
    /// Good are threats, above all in rows of the player's own parity (by zugzwang the first
    /// player gets the even rows in the end, the second the odd ones), and cells in the middle
    /// that leave the opponent few lines. Bad are cells below one's own threat, which would be
    /// wasted. The weights are measured: 6×6, 7×5, 6×7.
    #[inline(always)]
    pub(super) fn rank(&self, rows: &Rows, view: &MoverView, cell: usize, threats: u64, second: bool) -> i32 {
        let good = if second { self.odd_rows } else { self.even_rows };
        let wasted = self.up(bit(cell), 1) & view.own_completing != 0;
        let free = self.all & !(view.own | view.others);
        let others_windows = if free.count_ones() > MIN_CELLS_FOR_WINDOW_COUNT {
            rows.count_windows(free & !bit(cell) | view.others)
        } else {
            0
        };
        let off_centre = (2 * (cell as u32 % self.cols)).abs_diff(self.cols - 1) as i32;
        100 * threats.count_ones() as i32 + 100 * (threats & good).count_ones() as i32 - 200 * i32::from(wasted)
            + rows.through(cell)
            - 2 * off_centre
            - others_windows as i32
    }

    /// Returns an upper bound of the mover's value if the opponent plays follow-up: answers each
    /// mark in the same column, on top of it. Returns `None` if the bound does not decide whether
    /// the value exceeds `threshold`.
    ///
    /// The opponent then gets every second free cell of each column, whatever the mover does.
    /// If no line lies within what the mover can get, the mover completes none. Follow-up
    /// works if each column has an even number of free cells, or ends early because the opponent
    /// completes a line there. Columns with an odd number are paired: the first mark in one is
    /// answered by the first in the other, and above both the opponent follows up.
    ///
    /// Source: claimeven, and follow-up, in L. V. Allis, "A knowledge-based approach
    /// of Connect-Four" (1988).
    #[inline(always)]
    fn follow_up_bound(&self, rows: &Rows, view: &MoverView, free: u64, threshold: Value) -> Option<Value> {
        let from_odd_row = self.columns(view.open & self.odd_rows);
        let movers = free & (self.even_rows ^ from_odd_row);
        let others = free & !movers;
        let ends = view.others_completing & others;
        let odd = view.open & self.odd_left & !self.at_or_below(ends);
        if odd.count_ones() % 2 == 1 {
            return None;
        }
        // The cells above which nothing is played, as the opponent completes a line there.
        let beyond = self.above(ends);
        let mut following = FollowUp { movers: movers & !beyond, others: others & !beyond, ends };
        if odd != 0 {
            // Above the first cells of paired columns, the players exchange cells.
            let shifted = free & self.columns(odd);
            let changed = shifted & !odd;
            let ends = view.others_completing & movers & changed;
            let beyond = self.above(ends);
            following = FollowUp {
                movers: following.movers & !shifted | others & changed & !beyond,
                others: following.others & !shifted | movers & changed & !beyond,
                ends: following.ends | ends,
            };
        }
        let value = if following.ends == 0 && !rows.has_window(view.others | following.others) {
            Value::DRAW
        } else {
            // The opponent wins at the latest when all cells but those above the end are marked;
            // of several ends, the one with the most cells above comes first.
            let above = Cells(following.ends).map(|cell| self.board.row_col(cell).0).max().unwrap_or(0);
            Value::loss(free.count_ones() - above as u32)
        };
        let within = |firsts: u64| rows.has_window(view.own | following.movers | firsts);
        (value <= threshold && (!within(odd) || !within(0) && has_safe_pairing(odd, within))).then_some(value)
    }

    /// All cells of the columns of `cells`, which has at most one cell a column.
    #[inline(always)]
    const fn columns(&self, cells: u64) -> u64 {
        // The product with one bit a row moves the cells down by each number of rows. No two of
        // them meet, so nothing is carried.
        let floor = cells.wrapping_mul(self.one_a_row) >> self.to_floor;
        (floor & self.top_row).wrapping_mul(self.one_a_row)
    }

    /// `cells` moved up by `rows` rows, fewer than the board has.
    #[inline(always)]
    const fn up(&self, cells: u64, rows: u32) -> u64 {
        cells >> (rows * self.cols)
    }

    /// `cells` moved down by `rows` rows, fewer than the board has.
    #[inline(always)]
    const fn down(&self, cells: u64, rows: u32) -> u64 {
        cells << (rows * self.cols)
    }

    /// The cells above any of `cells`.
    #[inline(always)]
    const fn above(&self, cells: u64) -> u64 {
        if cells == 0 {
            return 0;
        }
        let mut above = self.up(cells, 1);
        let mut rows = 1;
        while rows < self.rows {
            above |= self.up(above, rows);
            rows *= 2;
        }
        above
    }

    /// The cells and all below them.
    #[inline(always)]
    const fn at_or_below(&self, mut cells: u64) -> u64 {
        if cells == 0 {
            return 0;
        }
        let mut rows = 1;
        while rows < self.rows {
            cells |= self.down(cells, rows);
            rows *= 2;
        }
        cells
    }
}

/// Whether a pairing of the cells exists such that a player who gets either cell of each pair
/// gets no window; `within` says whether some of the cells complete one.
#[inline(always)]
fn has_safe_pairing(cells: u64, within: impl Fn(u64) -> bool) -> bool {
    let mut all = [0; 4];
    for (one, cell) in all.iter_mut().zip(Cells(cells)) {
        *one = bit(cell);
    }
    let [a, b, c, d] = all;
    match cells.count_ones() {
        2 => !within(a) && !within(b),
        4 => {
            // Pairing a with b and c with d gives any two cells of different pairs.
            let neither = |one, other| !within(one) && !within(other);
            let (x, y) = (neither(a | b, c | d), neither(a | c, b | d));
            x && y || (x || y) && neither(a | d, b | c)
        }
        _ => false,
    }
}

/// The division of the free cells under follow-up.
#[derive(Clone, Copy, Debug)]
struct FollowUp {
    /// The cells that the mover gets.
    movers: u64,
    /// The cells that the opponent gets.
    others: u64,
    /// The opponent's cells that complete a line.
    ends: u64,
}

// The hints are compiled apart from those of flat boards, whose inlined code would take a larger
// frame and more registers at every call.

/// Computes [`Game::bounds`](balpan::Game::bounds).
pub(super) struct FallingBounds<'a>(
    pub(super) &'a Lines,
    pub(super) &'a Gravity,
    pub(super) &'a Position,
    pub(super) Value,
);

impl Work for FallingBounds<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run(self) -> Bounds {
        let Self(game, gravity, position, threshold) = self;
        let view = game.view(position);
        if view.own_completing & view.open != 0 {
            return Bounds::exact(Value::win(1));
        }
        match gravity.safe_moves(&view) {
            0 => Bounds::exact(Value::loss(2)),
            _ => gravity.bounds(&game.rows, &view, threshold),
        }
    }
}

/// Computes [`Game::candidates`](balpan::Game::candidates).
pub(super) struct FallingCandidates<'a>(pub(super) &'a Lines, pub(super) &'a Gravity, pub(super) &'a Position);

impl Work for FallingCandidates<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self(game, gravity, position) = self;
        let cells = game.legal_cells(position);
        let view = game.view(position);
        match (view.own_completing & cells, gravity.safe_moves(&view)) {
            (0, 0) => cells,
            (0, safe) => safe,
            (urgent, _) => first(urgent),
        }
    }
}

/// Computes [`Game::rank`](balpan::Game::rank).
pub(super) struct FallingRank<'a>(
    pub(super) &'a Lines,
    pub(super) &'a Gravity,
    pub(super) &'a Position,
    pub(super) u8,
    pub(super) &'a Position,
);

impl Work for FallingRank<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self(game, gravity, position, cell, after) = self;
        let view = game.view(position);
        gravity.rank(&game.rows, &view, cell.into(), game.threats_after(after), position.o_to_move)
    }
}
