//! Lines: players in turn mark cells. A player who makes k in a row wins, or loses in misère
//! play; a full board without a line is a draw.

use super::{Cell, NaiveGame, board_text, cell_text, rows_and_words};

#[derive(Clone, Copy, Debug)]
pub(crate) struct Lines {
    pub(crate) k: usize,
    pub(crate) gravity: bool,
    /// Both players mark X.
    pub(crate) shared: bool,
    /// Longer rows count as well.
    pub(crate) overlines: bool,
    pub(crate) misere: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// `.`, `X` or `O`.
    pub(crate) cells: Vec<Vec<char>>,
    /// `X` or `O`; where marks are shared, `X` always.
    pub(crate) mover: char,
}

impl State {
    fn glyph(&self, row: i32, col: i32) -> Option<char> {
        let row = self.cells.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(col).ok()?).copied()
    }

    fn all_cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let (rows, cols) = (self.cells.len(), self.cells[0].len());
        (0..rows).flat_map(move |row| (0..cols).map(move |col| (row, col)))
    }

    fn count(&self, mark: char) -> usize {
        self.cells.iter().flatten().filter(|glyph| **glyph == mark).count()
    }
}

impl Lines {
    /// Whether there is a row of `k` of `mark`: walks every run from its first mark to its last.
    pub(crate) fn has_line(&self, state: &State, mark: char) -> bool {
        for (row, col) in state.all_cells() {
            for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                let marked = |i: i32| state.glyph(row as i32 + i * down, col as i32 + i * right) == Some(mark);
                if !marked(0) || marked(-1) {
                    continue;
                }
                let run = (0..).take_while(|i| marked(*i)).count();
                if run == self.k || (self.overlines && run > self.k) {
                    return true;
                }
            }
        }
        false
    }

    fn marks_of_other(&self, state: &State) -> char {
        if self.shared || state.mover == 'O' { 'X' } else { 'O' }
    }

    /// Whether a mark has a free cell under it.
    fn floats(&self, state: &State) -> bool {
        let unsupported =
            |(row, col): Cell| state.cells[row][col] != '.' && state.glyph(row as i32 + 1, col as i32) == Some('.');
        self.gravity && state.all_cells().any(unsupported)
    }

    /// Whether play can lead to the state as far as lines tell: the player to move has none, and
    /// the opponent had none before the last mark.
    pub(crate) fn can_arise(&self, state: &State) -> bool {
        let other = self.marks_of_other(state);
        if self.floats(state) || (!self.shared && self.has_line(state, state.mover)) {
            return false;
        }
        let without = |(row, col): Cell| {
            let mut before = state.clone();
            before.cells[row][col] = '.';
            !self.floats(&before) && !self.has_line(&before, other)
        };
        !self.has_line(state, other) || state.all_cells().any(|(r, c)| state.cells[r][c] == other && without((r, c)))
    }
}

impl NaiveGame for Lines {
    type State = State;
    type Move = Cell;

    fn parse(&self, text: &str) -> State {
        let (cells, words) = rows_and_words(text);
        let mut state = State { cells, mover: 'X' };
        let o_by_counts = state.count('X') == state.count('O') + 1;
        if !self.shared && (words == ["o"] || (words.is_empty() && o_by_counts)) {
            state.mover = 'O';
        }
        state
    }

    fn text(&self, state: &State) -> String {
        let board = board_text(&state.cells);
        match (self.shared, state.mover) {
            (true, _) => board,
            (false, 'X') => board + " x",
            (false, _) => board + " o",
        }
    }

    fn moves(&self, state: &State) -> Vec<Cell> {
        if self.ended(state).is_some() {
            return Vec::new();
        }
        // Where marks fall, the cell below must be off the board or marked.
        let falls_to = |(row, col): Cell| state.glyph(row as i32 + 1, col as i32) != Some('.');
        let open = |cell: &Cell| state.cells[cell.0][cell.1] == '.' && (!self.gravity || falls_to(*cell));
        state.all_cells().filter(open).collect()
    }

    fn move_text(&self, cell: &Cell) -> String {
        if self.gravity { (cell.1 + 1).to_string() } else { cell_text(*cell) }
    }

    fn play(&self, state: &State, (row, col): &Cell) -> State {
        let mut after = state.clone();
        after.cells[*row][*col] = state.mover;
        if !self.shared {
            after.mover = if state.mover == 'X' { 'O' } else { 'X' };
        }
        after
    }

    fn ended(&self, state: &State) -> Option<i32> {
        if self.has_line(state, self.marks_of_other(state)) {
            return Some(if self.misere { 1 } else { -1 });
        }
        (state.count('.') == 0).then_some(0)
    }
}
