//! Position text: `.` a free cell, `X` and `O` marks (only `X` where they are shared). ` x` or
//! ` o` is the side to move; by default the counts of marks decide. The columns played, as
//! digits from 1, are accepted where marks fall; elsewhere the judge's form is.

use balpan::Game;

use super::{Lines, Marks, Position, Rules, floating, messages};
use crate::board::{Board, Cells, bit};
use crate::error::{AfterBoard, RowsError, input_errors};
use crate::notation::{Notation, PlayerName};
use crate::text::{Grid, TextError, error};
use crate::words::Lang;

const SIDE: AfterBoard = AfterBoard::SideOrCounts(['x', 'o']);

input_errors! {
    /// An error in a position of a game of lines.
    Lines: LinesError {
        /// A column after the end of the game.
        AfterEnd {
            /// The column played.
            column: usize,
        } => "after_end",
        /// A character other than a digit among the columns played.
        NotAColumn {
            /// The character.
            glyph: char,
            /// The number of columns.
            columns: usize,
        } => "not_a_column",
        /// A column that the board does not have.
        NoColumn {
            /// The column played.
            column: usize,
            /// The number of columns.
            columns: usize,
        } => "no_column",
        /// A column without a free cell.
        FullColumn {
            /// The column played.
            column: usize,
            /// The number of rows.
            rows: usize,
        } => "full_column",
        /// A mark above a free cell, where marks fall.
        Floating => "floating",
        /// Counts of marks that no order of play gives.
        Counts {
            /// Marks of X.
            x: u32,
            /// Marks of O.
            o: u32,
        } => "counts",
        /// A line of the player who is to move.
        LineOfMover {
            /// `X` or `O`.
            mark: char,
        } => "line_of_mover",
        /// Lines that no single move can have completed.
        TooManyLines {
            /// `X` or `O`.
            mark: char,
        } => "too_many_lines",
    }
}

impl Lines {
    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Creates the game by `rules` from the position in `text`, on its board; or on `board`, after
    /// the columns played in `text`.
    ///
    /// # Errors
    /// If the text is not a position of such a game.
    pub fn from_text(rules: Rules, board: Board, text: &str) -> Result<Self, TextError> {
        let game = if Self::is_column_text(rules, text) {
            Self::new_unchecked(rules, board)
        } else {
            Self::new_unchecked(rules, parse_usual(rules, text, |text| Ok(grid(text, rules)?.board))?)
        };
        let start = game.parse(text)?;
        Ok(game.with_legal_start(start))
    }

    /// Whether `text` lists the columns played: it begins with a digit and has no rows.
    #[must_use]
    pub fn is_column_text(rules: Rules, text: &str) -> bool {
        let text = text.trim();
        rules.gravity && text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains(['/', '\n'])
    }

    fn parse_columns(&self, text: &str) -> Result<Position, TextError> {
        let mut position = self.position(0, 0, false);
        let start = text.len() - text.trim_start().len();
        for (i, glyph) in text.trim().char_indices() {
            let span = start + i..start + i + glyph.len_utf8();
            let Some(column) = glyph.to_digit(10).map(|digit| digit as usize) else {
                return Err(error(text, span, LinesError::NotAColumn { glyph, columns: self.board.cols() }));
            };
            if position.over {
                return Err(error(text, span, LinesError::AfterEnd { column }));
            }
            if column == 0 || column > self.board.cols() {
                return Err(error(text, span, LinesError::NoColumn { column, columns: self.board.cols() }));
            }
            let Some(cell) =
                Cells(self.open_cells(position.marked())).find(|cell| self.board.row_col(*cell).1 == column - 1)
            else {
                return Err(error(text, span, LinesError::FullColumn { column, rows: self.board.rows() }));
            };
            position = self.play(&position, cell as u8);
        }
        Ok(position)
    }

    fn parse_grid(&self, grid: &Grid) -> Result<Position, TextError> {
        let (x, o) = (grid.set('X'), grid.set('O'));
        if self.rules.gravity
            && let Some(cell) = Cells(floating(self.board, x | o)).last()
        {
            return Err(grid.error_at_cell(cell, LinesError::Floating));
        }
        let o_to_move = match self.rules.marks {
            Marks::Shared => {
                if let Some(word) = grid.words.first() {
                    let mistake = RowsError::NotAfter { word: word.text.into(), expected: AfterBoard::Nothing };
                    return Err(grid.error_at(word.span(), mistake));
                }
                false
            }
            Marks::Own => self.side(grid, x, o)?,
        };
        let position = self.position(x, o, o_to_move);
        self.check_lines(grid, &position)?;
        Ok(position)
    }

    /// Whether O is to move, by the word given or by the counts.
    fn side(&self, grid: &Grid, x: u64, o: u64) -> Result<bool, TextError> {
        let (x, o) = (x.count_ones(), o.count_ones());
        match grid.only_word(SIDE)? {
            Some(word) => match word.text {
                "x" => Ok(false),
                "o" => Ok(true),
                other => Err(grid.error_at(word.span(), RowsError::NoSide { word: other.into(), expected: SIDE })),
            },
            None if x == o => Ok(false),
            None if x == o + 1 => Ok(true),
            None => Err(grid.error(LinesError::Counts { x, o })),
        }
    }

    /// Checks that only the player who has just moved has a line, and that one mark can have
    /// completed all lines.
    fn check_lines(&self, grid: &Grid, position: &Position) -> Result<(), TextError> {
        let (own, others) = match self.rules.marks {
            Marks::Own => position.by_turn(position.marks),
            Marks::Shared => (0, position.x()),
        };
        let [mover, other] = match (self.rules.marks, position.o_to_move) {
            (Marks::Own, true) => ['O', 'X'],
            (Marks::Own, false) => ['X', 'O'],
            (Marks::Shared, _) => ['X', 'X'],
        };
        if self.rows.has_line(own) {
            return Err(grid.error(LinesError::LineOfMover { mark: mover }));
        }
        let last_mark = |&cell: &usize| !self.rows.has_line(others & !bit(cell));
        let removable = if self.rules.gravity { self.topmost(position.marked()) } else { u64::MAX };
        if self.rows.has_line(others) && !Cells(others & removable).any(|cell| last_mark(&cell)) {
            return Err(grid.error(LinesError::TooManyLines { mark: other }));
        }
        Ok(())
    }

    /// The highest marked cell of each column.
    fn topmost(&self, marked: u64) -> u64 {
        marked & !self.board.down(marked)
    }
}

/// Parses a text, in the judge's form or in the usual one.
fn parse_usual<T>(rules: Rules, text: &str, read: impl FnOnce(&str) -> Result<T, TextError>) -> Result<T, TextError> {
    match to_usual(rules, text) {
        Some(usual) => read(&usual).map_err(|e| TextError { text: text.to_owned(), ..e }),
        None => read(text),
    }
}

fn grid(text: &str, rules: Rules) -> Result<Grid<'_>, TextError> {
    let glyphs = match rules.marks {
        Marks::Own => ".XO",
        Marks::Shared => ".X",
    };
    Grid::parse(text, glyphs, Board::MAX_CELLS, |word| matches!(word, "x" | "o"))
}

impl Notation for Lines {
    fn describe(&self, lang: Lang) -> Vec<String> {
        messages::describe(lang, &self.rules)
    }

    fn board(&self) -> Option<Board> {
        Some(self.board())
    }

    fn parse(&self, text: &str) -> Result<Position, TextError> {
        if Self::is_column_text(self.rules, text) {
            return self.parse_columns(text);
        }
        parse_usual(self.rules, text, |text| {
            let grid = grid(text, self.rules)?;
            grid.expect_board(self.board)?;
            self.parse_grid(&grid)
        })
    }

    fn text(&self, position: &Position) -> String {
        let board = self.board.text(|cell| self.glyph(position, cell));
        let (x, o) = (position.x().count_ones(), position.o().count_ones());
        let by_counts = if x == o { Some(false) } else { (x == o + 1).then_some(true) };
        match (self.rules.marks, position.o_to_move) {
            (Marks::Shared, _) => board,
            (Marks::Own, side) if Some(side) == by_counts => board,
            (Marks::Own, false) => board + " x",
            (Marks::Own, true) => board + " o",
        }
    }

    fn move_text(&self, _position: &Position, cell: u8) -> String {
        if self.rules.gravity {
            let (_, col) = self.board.row_col(cell.into());
            return (col + self.first_column()).to_string();
        }
        self.board.cell_text(cell.into())
    }

    fn glyph(&self, position: &Position, cell: usize) -> char {
        match (position.x() & bit(cell) != 0, position.o() & bit(cell) != 0) {
            (true, _) => 'X',
            (_, true) => 'O',
            _ => '.',
        }
    }

    fn winning_cells(&self, position: &Position) -> u128 {
        let (board, k) = (self.board, usize::from(self.rules.k));
        let mut cells = 0;
        for (start, (down, right)) in
            (0..board.cells()).flat_map(|start| [(0, 1), (1, 0), (1, 1), (1, -1)].map(|way| (start, way)))
        {
            let (row, col) = board.row_col(start);
            let cell = |n: usize| {
                let (row, col) = (row + n * down, col.checked_add_signed(right * n as isize)?);
                (row < board.rows() && col < board.cols()).then(|| 1_u128 << board.cell(row, col))
            };
            let line: Option<u128> = (0..k).map(cell).try_fold(0, |line, cell| Some(line | cell?));
            let is_marked = |line: &u128| position.marks.iter().any(|marks| line & !u128::from(*marks) == 0);
            cells |= line.filter(is_marked).unwrap_or(0);
        }
        cells
    }

    fn first_column(&self) -> usize {
        usize::from(self.rules.gravity)
    }

    fn move_cells(&self, _position: &Position, cell: u8) -> u128 {
        1 << cell
    }

    fn players(&self, position: &Position) -> [PlayerName; 2] {
        match (self.rules.marks, position.o_to_move) {
            (Marks::Shared, _) => PlayerName::BY_TURN,
            (Marks::Own, false) => [PlayerName::X, PlayerName::O],
            (Marks::Own, true) => [PlayerName::O, PlayerName::X],
        }
    }
}

/// Converts a text in the judge's form to the usual one, keeping every character in place; `None` if
/// the text is in another form. In the judge's form no mark is a capital letter, and at least two
/// words are rows of two cells or more.
fn to_usual(rules: Rules, text: &str) -> Option<String> {
    let cells = match rules.marks {
        Marks::Own => ".xo",
        Marks::Shared => ".x",
    };
    // A single letter is the side to move.
    let is_cells = |word: &str| word.len() > 1 && word.chars().all(|glyph| cells.contains(glyph));
    let is_between = |c: char| c == '/' || c.is_whitespace();
    let words = text.split(is_between).filter(|word| !word.is_empty());
    let width = words.clone().next()?.len();
    if rules.gravity || text.contains(['X', 'O']) || words.clone().filter(|word| is_cells(word)).nth(1).is_none() {
        return None;
    }
    let mut usual = String::with_capacity(text.len());
    let mut rest = text;
    for word in words {
        let at = word.as_ptr() as usize - rest.as_ptr() as usize;
        let gap = &rest[..at];
        rest = &rest[at + word.len()..];
        // A row with an error in it is as long as the first one.
        let is_row = is_cells(word) || word.len() > 1 && word.len() == width;
        if is_row && !gap.contains('/') {
            usual.push_str(&"\n".repeat(gap.len()));
        } else {
            usual.push_str(gap);
        }
        if is_row {
            let mark = |c: char| if cells.contains(c) { c.to_ascii_uppercase() } else { c };
            usual.extend(word.chars().map(mark));
        } else {
            usual.push_str(word);
        }
    }
    usual.push_str(rest);
    Some(usual)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: Rules = Rules { k: 3, gravity: false, marks: Marks::Own, overlines: true, misere: false };

    #[test]
    fn the_judge_s_form_becomes_the_usual_one() {
        for (text, expected) in [
            ("xx./oo./...", Some("XX./OO./...")),
            ("xx. oo. ...", Some("XX.\nOO.\n...")),
            (" xx.\r\noo.\r\n...\r\n", Some("\nXX.\n\nOO.\n\n...\r\n")),
            ("xx. / oo. / ... o", Some("XX. / OO. / ... o")),
            ("xx. oo. x", Some("XX.\nOO. x")),
            ("xx. oq. ..", Some("XX.\nOq.\n..")),
            ("xx.\u{3000}oo.", Some("XX.\n\n\nOO.")),
            ("xx./oo. hello", Some("XX./OO. hello")),
            ("XX. oo. ...", None),
            ("... x", None),
            ("...x", None),
            ("x/o", None),
            ("", None),
        ] {
            assert_eq!(to_usual(RULES, text).as_deref(), expected, "{text:?}");
        }
        assert_eq!(to_usual(Rules { gravity: true, ..RULES }, "xx. oo."), None);
        let shared = Rules { marks: Marks::Shared, ..RULES };
        assert_eq!(to_usual(shared, "xx. x.. .o.").as_deref(), Some("XX.\nX..\n.o."));
    }
}
