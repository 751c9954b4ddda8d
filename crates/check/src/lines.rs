//! Lines: players in turn mark a free cell, or in a game with gravity the lowest free cell of a
//! column. Who makes `k` in a row wins, in misère loses; a full board without a line is a draw.
//!
//! A position: X's marks, or all where they are shared; and O's, with bit 127 set if O is to move.

use crate::family::{Board, Family, Move, Outcome, Position, cells_of, each, image, only};

#[derive(Debug)]
pub(crate) struct Lines {
    board: Board,
    rules: Rules,
    /// All lines.
    lines: Vec<u128>,
    /// The lines that each cell lies in: the cells, and those just before and after.
    through: Vec<Vec<(u128, u128)>>,
    symmetries: Vec<Vec<u8>>,
}

/// What a game of lines is played by.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) k: usize,
    pub(crate) gravity: bool,
    pub(crate) shared: bool,
    /// Whether more than `k` in a row count as well.
    pub(crate) overlines: bool,
    pub(crate) misere: bool,
}

const O_TO_MOVE: u128 = 1 << 127;

impl Lines {
    /// The last bit says whose turn it is.
    pub(crate) const MOST_CELLS: usize = 127;

    pub(crate) fn new(board: Board, rules: Rules) -> Self {
        let (mut lines, mut through) = (Vec::new(), vec![Vec::new(); board.cells()]);
        for begin in 0..board.cells() {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let nth = |n: i32| board.step(begin, (down * n, right * n), false);
                let cells: Vec<_> = (0..rules.k as i32).map_while(nth).collect();
                if cells.len() < rules.k {
                    continue;
                }
                let line = cells.iter().fold(0, |set, cell| set | 1 << cell);
                let around = [nth(-1), nth(rules.k as i32)].into_iter().flatten().fold(0, |set, cell| set | 1 << cell);
                lines.push(line);
                cells.iter().for_each(|cell| through[*cell].push((line, around)));
            }
        }
        let mut symmetries = board.symmetries();
        if rules.gravity {
            // The reflection that keeps each row.
            symmetries.retain(|to| (0..board.cells()).all(|cell| to[cell] as usize / board.cols == cell / board.cols));
        }
        Self { board, rules, lines, through, symmetries }
    }

    /// Whether a set of marks has a line through the cell.
    fn has_line(&self, marks: u128, cell: usize) -> bool {
        let is_line =
            |&(line, around): &(u128, u128)| marks & line == line && (self.rules.overlines || marks & around == 0);
        self.through[cell].iter().any(is_line)
    }

    /// The marks of the player to move, and of the other.
    fn marks(&self, at: &Position) -> (u128, u128) {
        match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
            (true, _) => (at.0, at.0),
            (false, false) => (at.0, at.1),
            (false, true) => (at.1 & !O_TO_MOVE, at.0),
        }
    }
}

impl Family for Lines {
    fn end(&self, at: &Position) -> Option<Outcome> {
        let (_, others) = self.marks(at);
        if each(others).any(|cell| self.has_line(others, cell)) {
            return Some(if self.rules.misere { 1 } else { -1 });
        }
        ((at.0 | at.1) & self.board.all() == self.board.all()).then_some(0)
    }

    fn moves(&self, at: &Position, moves: &mut Vec<Move>) {
        let (own, _) = self.marks(at);
        let marked = (at.0 | at.1) & !O_TO_MOVE;
        let free = self.board.all() & !marked;
        let open = if self.rules.gravity { free & !(free >> self.board.cols) } else { free };
        moves.clear();
        for cell in each(open) {
            let mark = 1 << cell;
            let after = match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
                (true, _) => Position(at.0 | mark, 0),
                (false, false) => Position(at.0 | mark, at.1 | O_TO_MOVE),
                (false, true) => Position(at.0, (at.1 | mark) & !O_TO_MOVE),
            };
            let end = if self.has_line(own | mark, cell) {
                Some(if self.rules.misere { 1 } else { -1 })
            } else {
                (free == mark).then_some(0)
            };
            moves.push(Move { number: cell as u32, after, end });
        }
    }

    /// The free cells.
    fn layer(&self, at: &Position) -> u32 {
        (self.board.all() & !(at.0 | at.1)).count_ones()
    }

    fn image(&self, at: &Position, symmetry: &[u8]) -> Position {
        Position(image(at.0, symmetry), image(at.1 & !O_TO_MOVE, symmetry) | at.1 & O_TO_MOVE)
    }

    fn symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    fn players(&self, at: &Position) -> [&'static str; 2] {
        match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
            (true, _) => ["the player to move", "the other player"],
            (false, false) => ["X", "O"],
            (false, true) => ["O", "X"],
        }
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        let (_, glyphs, turn) = Board::read(text)?;
        only(&glyphs, if self.rules.shared { ".X" } else { ".XO" })?;
        let (x, o) = (cells_of(&glyphs, &['X']), cells_of(&glyphs, &['O']));
        let o_to_move = match (turn, self.rules.shared) {
            (None, true) | (Some("x"), false) => false,
            (Some("o"), false) => true,
            _ => return Err("the turn, `x` or `o`, is expected where each player has marks, and only there".into()),
        };
        let free = self.board.all() & !(x | o);
        let floats = |cell: &usize| free >> (cell + self.board.cols) & 1 == 1;
        if self.rules.gravity
            && let Some(cell) = each(x | o).filter(|cell| cell + self.board.cols < self.board.cells()).find(floats)
        {
            return Err(format!("the mark at {} floats", self.write_move(cell as u32)));
        }
        let at = Position(x, o | if o_to_move { O_TO_MOVE } else { 0 });
        let (own, _) = self.marks(&at);
        if !self.rules.shared && each(own).any(|cell| self.has_line(own, cell)) {
            return Err("the player to move has a line".into());
        }
        Ok(at)
    }

    fn write(&self, at: &Position) -> String {
        let glyph = |cell| match (at.0 >> cell & 1, at.1 >> cell & 1) {
            (1, _) => 'X',
            (_, 1) => 'O',
            _ => '.',
        };
        let turn = if self.rules.shared {
            ""
        } else if at.1 & O_TO_MOVE != 0 {
            " o"
        } else {
            " x"
        };
        self.board.write(glyph) + turn
    }

    fn write_move(&self, cell: u32) -> String {
        let (row, col) = (cell as usize / self.board.cols, cell as usize % self.board.cols);
        if self.rules.gravity { (col + 1).to_string() } else { format!("{row},{col}") }
    }

    fn parts(&self, _: &Position) -> Option<Vec<Position>> {
        None
    }

    /// Each line has a mark of the other player. (Where more than `k` do not count, a line has to
    /// have exactly the cells of one of these all the same.)
    fn mover_cannot_win(&self, at: &Position) -> bool {
        let (_, others) = self.marks(at);
        !self.rules.shared && !self.rules.misere && self.lines.iter().all(|line| line & others != 0)
    }

    fn lines_left(&self, at: &Position) -> Option<Vec<u128>> {
        if self.rules.shared || self.rules.misere || self.rules.gravity {
            return None;
        }
        let (own, others) = self.marks(at);
        let mut left: Vec<u128> =
            self.lines.iter().filter(|line| **line & others == 0).map(|line| line & !own).collect();
        left.sort_unstable();
        left.dedup();
        Some(left)
    }
}
