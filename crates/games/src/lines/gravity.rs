//! What can be told of a position of Connect Four and its kin without searching.

use balpan::{Bounds, Value};

use super::rows::Rows;
use super::{Marks, Rules};
use crate::board::{Board, Cells, bit};

/// A board on which marks fall, with rows counted from its floor.
#[derive(Clone, Debug)]
pub(super) struct Gravity {
    board: Board,
    /// At least two, or there is nothing that falls.
    rows: u32,
    cols: u32,
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
        Self {
            board,
            rows: board.rows() as u32,
            cols: board.cols() as u32,
            even_rows: where_height(&|height| height % 2 == 0),
            odd_rows: where_height(&|height| height % 2 == 1),
            odd_left: where_height(&|height| (board.rows() - height) % 2 == 1),
        }
    }

    /// The moves after which the other cannot complete a line at once; all others
    /// lose in two plies. Where the mover can complete a line, it is not asked.
    #[inline]
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
    #[inline]
    pub(super) fn bounds(&self, rows: &Rows, view: &View, asked: Value) -> Bounds {
        let free = self.board.all() & !(view.own | view.others);
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
        if bounds.answer(asked).is_none()
            && let Some(value) = self.following(rows, view, free)
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
    #[inline]
    pub(super) fn rank(&self, rows: &Rows, view: &View, cell: usize, threats: u64, second: bool) -> i32 {
        let good = if second { self.odd_rows } else { self.even_rows };
        let wasted = self.up(bit(cell), 1) & view.own_completing != 0;
        let free = self.board.all() & !(view.own | view.others);
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
    /// mover can get, the mover completes none. `None` if that tells nothing.
    ///
    /// The other can follow if each column has an even number of free cells, or ends
    /// early because he completes a line there. Of other columns, with an odd number,
    /// he pairs off two and two: the first mark in one is answered by the first in
    /// the other, and from then on he follows above both.
    ///
    /// Source: claimeven, and follow-up, in L. V. Allis, "A knowledge-based approach
    /// of Connect-Four" (1988).
    #[inline]
    fn following(&self, rows: &Rows, view: &View, free: u64) -> Option<Value> {
        let (movers, others) = self.by_rows(view.open, free);
        // Where the other completes a line when he follows; nothing above is played.
        let ends = view.others_completing & others;
        let beyond = self.up(self.at_or_above(ends), 1);
        let straight = Following { movers: movers & !beyond, others: others & !beyond, ends };
        let odd = view.open & self.odd_left & !self.at_or_below(ends);
        let following = if odd == 0 {
            (!rows.has_window(view.own | straight.movers)).then_some(straight)
        } else {
            self.pairing_off(rows, view, odd, straight)
        }?;
        let Following { others, ends, .. } = following;
        if ends == 0 && !rows.has_window(view.others | others) {
            return Some(Value::DRAW);
        }
        // He wins at the latest when all cells are marked but those above the end; of
        // several ends, the one with most above it would have come first.
        let above = Cells(ends).map(|cell| self.board.row_col(cell).0).max().unwrap_or(0);
        Some(Value::loss(free.count_ones() - above as u32))
    }

    /// As [`following`](Self::following), where the columns with these lowest free
    /// cells have an odd number of them.
    #[inline]
    fn pairing_off(&self, rows: &Rows, view: &View, odd: u64, straight: Following) -> Option<Following> {
        let shifted = self.at_or_above(odd);
        let unshifted = view.own | (straight.movers & !shifted);
        if odd.count_ones() % 2 == 1 || rows.has_window(unshifted) {
            return None;
        }
        // Above the first cells, the two have changed places.
        let changed = shifted & !odd;
        let (movers, others) = self.by_rows(view.open, changed);
        let ends = view.others_completing & movers;
        let beyond = self.up(self.at_or_above(ends), 1);
        let with_firsts = unshifted | (others & !beyond);
        let keeps = |firsts: u64| !rows.has_window(with_firsts | firsts);
        let mut firsts = [0; 4];
        for (first, cell) in firsts.iter_mut().zip(Cells(odd)) {
            *first = bit(cell);
        }
        let [a, b, c, d] = firsts;
        let paired = match odd.count_ones() {
            2 => keeps(a) && keeps(b),
            4 => {
                let pairs = |a, b, c, d| keeps(a | c) && keeps(a | d) && keeps(b | c) && keeps(b | d);
                pairs(a, b, c, d) || pairs(a, c, b, d) || pairs(a, d, b, c)
            }
            _ => false,
        };
        paired.then_some(Following {
            movers: straight.movers,
            others: (straight.others & !shifted) | (movers & !beyond),
            ends: (straight.ends & !shifted) | ends,
        })
    }

    /// Of `free` cells: every second one, from the lowest of each column on, and the
    /// others.
    #[inline]
    fn by_rows(&self, open: u64, free: u64) -> (u64, u64) {
        let from_odd_row = self.at_or_above(open & self.odd_rows);
        let firsts = free & ((self.even_rows & !from_odd_row) | (self.odd_rows & from_odd_row));
        (firsts, free & !firsts)
    }

    /// `cells` moved up by so many rows, fewer than the board has.
    #[inline]
    const fn up(&self, cells: u64, rows: u32) -> u64 {
        cells >> (rows * self.cols)
    }

    /// `cells` moved down by so many rows, fewer than the board has.
    #[inline]
    const fn down(&self, cells: u64, rows: u32) -> u64 {
        cells << (rows * self.cols)
    }

    /// The cells and all above them.
    #[inline]
    const fn at_or_above(&self, mut cells: u64) -> u64 {
        let mut rows = 1;
        while rows < self.rows {
            cells |= self.up(cells, rows);
            rows *= 2;
        }
        cells
    }

    /// The cells and all below them.
    #[inline]
    const fn at_or_below(&self, mut cells: u64) -> u64 {
        let mut rows = 1;
        while rows < self.rows {
            cells |= self.down(cells, rows);
            rows *= 2;
        }
        cells
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
