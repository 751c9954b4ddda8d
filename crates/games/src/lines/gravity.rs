//! What can be told of a position of Connect Four and its kin without searching.

use balpan::{Bounds, Value};

use super::rows::Rows;
use super::{Marks, Rules};
use crate::board::{Board, Cells, bit};

/// A board on which marks fall, with rows counted from its floor.
#[derive(Clone, Debug)]
pub(super) struct Gravity {
    board: Board,
    all: u64,
    /// At least two, or there is nothing that falls.
    rows: u32,
    cols: u32,
    /// Bit 0 and as many bits on as there are rows, each a row after the last.
    one_a_row: u64,
    top_row: u64,
    /// The bits from the top row to the floor.
    to_floor: u32,
    /// The cells in rows 0, 2, 4, … and in rows 1, 3, 5, … above the floor.
    even_rows: u64,
    odd_rows: u64,
    /// The cells from which up, themselves included, an odd number of cells is left.
    odd_left: u64,
}

/// With more free cells than this, it pays to count what lines a move leaves the other
/// (measured: 6×7).
const COUNT_WINDOWS_FROM: u32 = 22;

/// A position as the player to move sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct View {
    pub(super) own: u64,
    pub(super) others: u64,
    /// The cells that would complete a line of each, free or not.
    pub(super) own_completing: u64,
    pub(super) others_completing: u64,
    /// The lowest free cell of each column.
    pub(super) open: u64,
}

impl Gravity {
    /// Whether what is known here holds: marks fall, and k of one's own in a row or
    /// more win.
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

    /// The moves after which the other cannot complete a line at once; all others
    /// lose in two plies. Where the mover can complete a line, it is not asked.
    #[inline(always)]
    pub(super) fn safe_moves(&self, view: &View) -> u64 {
        let safe = view.open & !self.down(view.others_completing, 1);
        match view.others_completing & view.open {
            0 => safe,
            threat if threat & (threat - 1) == 0 => safe & threat,
            _ => 0,
        }
    }

    /// Bounds of a position in which no line can be completed at once and there is a
    /// safe move.
    #[inline(always)]
    pub(super) fn bounds(&self, rows: &Rows, view: &View, asked: Value) -> Bounds {
        let free = self.all & !(view.own | view.others);
        let left = free.count_ones();
        // The mover completes no line at once, and after a safe move nor does the other.
        let mut upper = if left < 3 { Value::DRAW } else { Value::win(3) };
        let mut lower = if left < 4 { Value::DRAW } else { Value::loss(4) };
        if asked >= Value::DRAW {
            if !rows.has_window(view.own | free) {
                upper = Value::DRAW;
            }
        } else if !rows.has_window(view.others | free) {
            lower = Value::DRAW;
        }
        let mut bounds = Bounds { lower, upper };
        if bounds.decide(asked).is_none()
            && let Some(value) = self.following(rows, view, free, asked)
        {
            bounds.upper = bounds.upper.min(value);
        }
        bounds
    }

    /// How promising it is to mark `cell`, after which the mover threatens to complete
    /// lines at `threats`: many threats, above all in rows of the player's own kind (who
    /// begins gets the even rows in the end, the other the odd ones); not below a threat
    /// of one's own, which would be used up; in the middle, where it leaves the other few
    /// lines. The weights are measured: 6×6, 7×5, 6×7.
    #[inline(always)]
    pub(super) fn rank(&self, rows: &Rows, view: &View, cell: usize, threats: u64, second: bool) -> i32 {
        let good = if second { self.odd_rows } else { self.even_rows };
        let wasted = self.up(bit(cell), 1) & view.own_completing != 0;
        let free = self.all & !(view.own | view.others);
        let others_windows = if free.count_ones() > COUNT_WINDOWS_FROM {
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

    /// What the mover gets at most if the other follows: answers each mark by one in
    /// the same column, on top of it. The other then gets every second free cell of
    /// each column, whatever the mover does, and if no line lies within all that the
    /// mover can get, the mover completes none. `None` if that does not answer the question
    /// whether the value is better than `asked`.
    ///
    /// The other can follow if each column has an even number of free cells, or ends
    /// early because he completes a line there. Of other columns, with an odd number,
    /// he pairs off two and two: the first mark in one is answered by the first in
    /// the other, and from then on he follows above both.
    ///
    /// Source: claimeven, and follow-up, in L. V. Allis, "A knowledge-based approach
    /// of Connect-Four" (1988).
    #[inline(always)]
    fn following(&self, rows: &Rows, view: &View, free: u64, asked: Value) -> Option<Value> {
        let from_odd_row = self.columns(view.open & self.odd_rows);
        let movers = free & (self.even_rows ^ from_odd_row);
        let others = free & !movers;
        let ends = view.others_completing & others;
        let odd = view.open & self.odd_left & !self.at_or_below(ends);
        if odd.count_ones() % 2 == 1 {
            return None;
        }
        // Where the other completes a line when he follows; nothing above is played.
        let beyond = self.above(ends);
        let mut following = Following { movers: movers & !beyond, others: others & !beyond, ends };
        if odd != 0 {
            // Above the first cells, the two change places.
            let shifted = free & self.columns(odd);
            let changed = shifted & !odd;
            let ends = view.others_completing & movers & changed;
            let beyond = self.above(ends);
            following = Following {
                movers: following.movers & !shifted | others & changed & !beyond,
                others: following.others & !shifted | movers & changed & !beyond,
                ends: following.ends | ends,
            };
        }
        let value = if following.ends == 0 && !rows.has_window(view.others | following.others) {
            Value::DRAW
        } else {
            // He wins at the latest when all cells are marked but those above the end; of
            // several ends, the one with most above it would have come first.
            let above = Cells(following.ends).map(|cell| self.board.row_col(cell).0).max().unwrap_or(0);
            Value::loss(free.count_ones() - above as u32)
        };
        let within = |firsts: u64| rows.has_window(view.own | following.movers | firsts);
        (value <= asked && (!within(odd) || !within(0) && can_pair_off(odd, within))).then_some(value)
    }

    /// All cells of the columns of these cells, at most one of each column.
    #[inline(always)]
    const fn columns(&self, cells: u64) -> u64 {
        // A product with one bit a row moves the cells down by each number of rows, and as
        // no two of them meet, nothing is carried.
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

    /// The cells above any of these.
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

/// Whether these cells can be put into pairs so that a player who gets one cell of each
/// pair, whichever it is, does not get a window, where `within` says of some of them whether
/// there is one.
#[inline(always)]
fn can_pair_off(cells: u64, within: impl Fn(u64) -> bool) -> bool {
    let mut all = [0; 4];
    for (one, cell) in all.iter_mut().zip(Cells(cells)) {
        *one = bit(cell);
    }
    let [a, b, c, d] = all;
    match cells.count_ones() {
        2 => !within(a) && !within(b),
        4 => {
            // Who pairs a with b and c with d gets any other two of different pairs.
            let neither = |one, other| !within(one) && !within(other);
            let (x, y) = (neither(a | b, c | d), neither(a | c, b | d));
            x && y || (x || y) && neither(a | d, b | c)
        }
        _ => false,
    }
}

/// Who gets what when one player follows the other.
#[derive(Clone, Copy, Debug)]
struct Following {
    /// What the mover gets.
    movers: u64,
    /// What the other gets.
    others: u64,
    /// Those of the latter that complete a line.
    ends: u64,
}
