//! Lines: players in turn mark cells, and k in a row wins, or loses (misère).
//!
//! Tic-tac-toe, Connect Four, gomoku on a small board; and Notakto, where both
//! players make the same mark.

mod notation;
mod rows;

use balpan::{Bounds, Game, Outcome, Value};

use crate::board::{Board, Cells, bit};
use crate::symmetry::{Permutation, mirror, turns_and_reflections};
use rows::Rows;

/// Whose marks make a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Each player's own.
    Own,
    /// Everybody's: both players make the same mark.
    Shared,
}

/// The rules of a lines game, whatever the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How many in a row, at least 1.
    pub k: u8,
    /// Whether marks fall to the lowest free cell of their column.
    pub gravity: bool,
    /// Whose marks make a line.
    pub marks: Marks,
    /// Whether more than k in a row count as well.
    pub overlines: bool,
    /// Whether the player who makes a line loses.
    pub misere: bool,
}

/// A lines game: rules, on a board, from a start.
#[derive(Clone, Debug)]
pub struct Lines {
    rules: Rules,
    board: Board,
    start: Position,
    rows: Rows,
    /// The columns where marks fall, otherwise the board: moves are listed lane by
    /// lane.
    lanes: Vec<u64>,
    symmetries: Vec<Permutation>,
}

/// The marks, and whose turn it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The cells marked X; where marks are shared, all that are marked.
    pub x: u64,
    /// The cells marked O.
    pub o: u64,
    /// Whether it is O's turn. Where marks are shared it is left false.
    pub o_to_move: bool,
}

impl Position {
    /// All marked cells.
    #[inline]
    #[must_use]
    pub const fn marked(&self) -> u64 {
        self.x | self.o
    }

    /// The marks of the player to move, and of the other.
    #[inline]
    const fn by_turn(&self) -> (u64, u64) {
        if self.o_to_move { (self.o, self.x) } else { (self.x, self.o) }
    }
}

impl Lines {
    /// The game by `rules` on `board`, from an empty board.
    #[must_use]
    pub fn new(rules: Rules, board: Board) -> Self {
        let column = |col| (0..board.rows()).fold(0, |cells, row| cells | bit(board.cell(row, col)));
        let (lanes, symmetries) = if rules.gravity {
            ((0..board.cols()).map(column).collect(), vec![mirror(board)])
        } else {
            (vec![board.all()], turns_and_reflections(board))
        };
        Self {
            rules,
            board,
            start: Position { x: 0, o: 0, o_to_move: false },
            rows: Rows::new(board, rules.k, rules.overlines),
            lanes,
            symmetries,
        }
    }

    /// The same game from another start, which must be legal on its board.
    #[must_use]
    pub fn starting_at(self, start: Position) -> Self {
        debug_assert!(self.is_legal(&start));
        Self { start, ..self }
    }

    /// Whether the player who has just moved has made a line.
    #[inline]
    fn has_line(&self, position: &Position) -> bool {
        let marks = match self.rules.marks {
            Marks::Own => position.by_turn().1,
            Marks::Shared => position.x,
        };
        self.rows.has_line(marks)
    }

    /// Whether a column's marks all lie below a cell that says how high they reach,
    /// so that one more row is all that a key needs beside X's marks.
    #[inline]
    const fn stacks(&self) -> bool {
        self.rules.gravity && self.board.rows() > 1
    }

    /// The cells that can be marked next, were there no line yet.
    #[inline]
    fn open(&self, marked: u64) -> u64 {
        let free = self.board.all() & !marked;
        if self.rules.gravity { free & !self.board.up(free) } else { free }
    }
}

impl Game for Lines {
    type Position = Position;
    /// The cell that is marked.
    type Move = u8;

    fn start(&self) -> Position {
        self.start
    }

    #[inline]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let cells = if self.has_line(position) { 0 } else { self.open(position.marked()) };
        self.lanes.iter().flat_map(move |lane| Cells(cells & lane)).map(|cell| cell as u8)
    }

    #[inline]
    fn play(&self, position: &Position, cell: u8) -> Position {
        let mark = bit(cell.into());
        match (self.rules.marks, position.o_to_move) {
            (Marks::Shared, _) => Position { x: position.x | mark, ..*position },
            (Marks::Own, false) => Position { x: position.x | mark, o_to_move: true, ..*position },
            (Marks::Own, true) => Position { o: position.o | mark, o_to_move: false, ..*position },
        }
    }

    /// With a line, who made it wins, or loses in misère; with none, it is a draw.
    fn end(&self, position: &Position) -> Outcome {
        match (self.has_line(position), self.rules.misere) {
            (false, _) => Outcome::Draw,
            (true, false) => Outcome::Loss,
            (true, true) => Outcome::Win,
        }
    }

    fn canonical(&self, position: &Position) -> Position {
        let seen =
            |symmetry: &Permutation| Position { x: symmetry.set(position.x), o: symmetry.set(position.o), ..*position };
        self.symmetries.iter().map(seen).fold(*position, Position::min)
    }

    fn key_bits(&self) -> u32 {
        let cells = self.board.cells() as u32;
        match self.rules.marks {
            Marks::Shared => cells,
            Marks::Own if self.stacks() => cells + self.board.cols() as u32 + 1,
            // 3^cells < 2^(1.585 cells)
            Marks::Own => (cells * 1585).div_ceil(1000) + 1,
        }
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        let key = match self.rules.marks {
            Marks::Shared => return position.x.into(),
            Marks::Own if self.stacks() => {
                // X's marks, and in each column the cell above the highest mark.
                let (cells, cols) = (self.board.cells(), self.board.cols());
                let floor = ((1 << cols) - 1) << (cells + cols);
                let marked = u128::from(position.marked()) << cols;
                u128::from(position.x) << cols | (marked | floor) >> cols & !marked
            }
            Marks::Own => base_3(position.x, position.o),
        };
        key << 1 | u128::from(position.o_to_move)
    }

    /// A line that can be made now; two that the other could make next; and
    /// whether either player can still make any.
    fn bounds(&self, position: &Position, _asked: Value) -> Bounds {
        if self.rules.misere || self.rules.marks == Marks::Shared {
            return Bounds::ANY;
        }
        let (own, others) = position.by_turn();
        let open = self.open(position.marked());
        if self.rows.completing(own) & open != 0 {
            return Bounds::exactly(Value::win(1));
        }
        let threats = (self.rows.completing(others) & open).count_ones();
        if threats > 1 {
            return Bounds::exactly(Value::loss(2));
        }
        let free = self.board.all() & !position.marked();
        let plies_left = free.count_ones();
        // Where marks fall, one's own move may open the cell that the other needs, and
        // a player cannot mark whatever cell would keep the other from a line.
        let gravity = self.rules.gravity;
        let hopeless = |marks, own_turn| match gravity {
            true => !self.rows.has_window(marks | free),
            false => self.rows.can_be_kept_from(marks, free, own_turn),
        };
        let upper = if plies_left < 3 || hopeless(own, true) { Value::DRAW } else { Value::win(3) };
        let soonest_loss = if gravity { 2 } else { 4 };
        let safe = plies_left < soonest_loss || hopeless(others, false);
        let lower = if safe { Value::DRAW } else { Value::loss(soonest_loss) };
        Bounds { lower, upper }
    }

    /// First the cells that complete the other's line, then those that leave the
    /// mover the most ways to complete one, then those on the most lines.
    fn rank(&self, position: &Position, cell: u8, _after: &Position) -> i32 {
        let (own, others) = position.by_turn();
        let mark = bit(cell.into());
        let blocks = self.rows.completing(others) & mark != 0;
        let free = self.board.all() & !(position.marked() | mark);
        let threats = (self.rows.completing(own | mark) & free).count_ones();
        i32::from(blocks) * 10_000 + threats as i32 * 100 + self.rows.through(cell.into())
    }

    fn is_legal(&self, position: &Position) -> bool {
        let marked = position.marked();
        let falls = !self.rules.gravity || floating(self.board, marked) == 0;
        let sides = self.rules.marks == Marks::Own || position.o == 0 && !position.o_to_move;
        position.x & position.o == 0 && marked & !self.board.all() == 0 && falls && sides
    }
}

/// The number whose digits in base 3 are 1 at `ones` and 2 at `twos`.
#[inline]
fn base_3(ones: u64, twos: u64) -> u128 {
    /// Eight digits of 0 and 1.
    const DIGITS: [u16; 256] = {
        let mut digits = [0; 256];
        let mut byte = 1;
        while byte < 256 {
            digits[byte] = digits[byte / 2] * 3 + byte as u16 % 2;
            byte += 1;
        }
        digits
    };
    let bytes = ones.to_be_bytes().into_iter().zip(twos.to_be_bytes());
    bytes.fold(0, |number, (ones, twos)| {
        number * 6561 + u128::from(DIGITS[usize::from(ones)] + 2 * DIGITS[usize::from(twos)])
    })
}

/// The marked cells that have a free cell below them.
fn floating(board: Board, marked: u64) -> u64 {
    marked & board.up(board.all() & !marked)
}
