//! Parsing text, and errors that point at the mistake.

use std::error::Error;
use std::ops::Range;

use crate::board::{Board, CellSet};
use crate::error::{AfterBoard, InputError, RowsError};

/// An error in a text: the mistake and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The kind of the text.
    pub kind: TextKind,
    /// The text.
    pub text: String,
    /// The bytes that are wrong; may be empty, for example at the end of the text.
    pub span: Range<usize>,
    /// The mistake; [`explain`](Self::explain) describes it.
    pub cause: InputError,
}

impl TextError {
    /// Creates an error about some bytes of a position's text.
    #[must_use]
    pub fn in_position(text: &str, span: Range<usize>, cause: impl Into<InputError>) -> Self {
        Self { kind: TextKind::Position, text: text.into(), span, cause: cause.into() }
    }
}

impl Error for TextError {}

/// The kind of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A position.
    Position,
    /// The record of a game.
    Record,
    /// A value, or a comparison of two.
    Expression,
    /// The rules file of this name.
    Rules(String),
}

/// The parts of a position's text: a rectangle of cells, then words.
#[derive(Debug)]
pub(crate) struct Grid<'t> {
    text: &'t str,
    pub(crate) board: Board,
    /// The character of each cell, with its byte offset in the text.
    pub(crate) cells: Vec<(char, usize)>,
    /// The words after the board.
    pub(crate) words: Vec<Word<'t>>,
}

/// A word of a text, with its byte offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Word<'t> {
    pub(crate) text: &'t str,
    pub(crate) at: usize,
}

impl Word<'_> {
    pub(crate) fn span(&self) -> Range<usize> {
        self.at..self.at + self.text.len()
    }
}

/// Returns the words of a text that starts at byte `at` of a larger one.
fn words(text: &str, at: usize) -> impl Iterator<Item = Word<'_>> {
    let start = text.as_ptr() as usize;
    text.split_whitespace().map(move |word| Word { text: word, at: at + (word.as_ptr() as usize - start) })
}

impl<'t> Grid<'t> {
    /// Reads rows of the characters in `glyphs`, separated by `/` or line breaks, with at most `most_cells`
    /// cells, then words. A line that satisfies `is_word` is a word after the board.
    pub(crate) fn parse(
        text: &'t str,
        glyphs: &str,
        most_cells: usize,
        is_word: impl Fn(&str) -> bool,
    ) -> Result<Self, TextError> {
        let mut rows: Vec<Word> = Vec::new();
        let mut after: Vec<Word> = Vec::new();
        let no_row = |at| error(text, at..at + 1, RowsError::NoRow { glyphs: glyphs.into() });
        // The `/` that still needs a row after it.
        let mut open_slash = None;
        let mut at = 0;
        for piece in text.split_inclusive(['/', '\n']) {
            let slash = piece.ends_with('/').then_some(at + piece.len() - 1);
            let mut found = words(piece.trim_end_matches('/'), at);
            match found.next() {
                // A line break before a `/` adds nothing to it.
                None if slash.is_some() && (rows.is_empty() || open_slash.is_some()) => {
                    return Err(no_row(at + piece.len() - 1));
                }
                None => {}
                Some(word) if !rows.is_empty() && open_slash.is_none() && is_word(word.text) => after.push(word),
                Some(_) if !after.is_empty() => {
                    let mistake = RowsError::BetweenRows { word: after[0].text.into() };
                    return Err(error(text, after[0].span(), mistake));
                }
                Some(word) => {
                    rows.push(word);
                    open_slash = None;
                }
            }
            after.extend(found);
            open_slash = slash.or(open_slash);
            at += piece.len();
        }
        if let Some(at) = open_slash {
            return Err(no_row(at));
        }
        let Some(first) = rows.first() else {
            return Err(error(text, 0..text.len(), RowsError::NoBoard { glyphs: glyphs.into() }));
        };
        let mut cells = Vec::new();
        for row in &rows {
            for (i, glyph) in row.text.char_indices() {
                let at = row.at + i;
                if !glyphs.contains(glyph) {
                    let span = at..at + glyph.len_utf8();
                    return Err(error(text, span, RowsError::NoCell { glyph, glyphs: glyphs.into() }));
                }
                // One cell more than allowed is enough for the board's size to be refused.
                if cells.len() <= most_cells {
                    cells.push((glyph, at));
                }
            }
            if row.text.len() != first.text.len() {
                let mistake = RowsError::Uneven { cells: row.text.len(), first: first.text.len() };
                return Err(error(text, row.span(), mistake));
            }
        }
        let board = Board::with_max_cells(most_cells, rows.len(), first.text.len())
            .map_err(|e| error(text, 0..text.len(), RowsError::Size(e)))?;
        Ok(Self { text, board, cells, words: after })
    }

    /// Returns the cells that hold `glyph`, in a bit set that has room for the board.
    pub(crate) fn set<W: CellSet>(&self, glyph: char) -> W {
        let held = self.cells.iter().enumerate().filter(|(_, (cell, _))| *cell == glyph);
        held.fold(W::zero(), |set, (cell, _)| set | W::bit(cell))
    }

    /// Returns the word after the board, if there is one. A second word is an error.
    pub(crate) fn only_word(&self, expected: AfterBoard) -> Result<Option<Word<'t>>, TextError> {
        match self.words[..] {
            [_, second, ..] => {
                Err(self.error_at(second.span(), RowsError::TooManyWords { word: second.text.into(), expected }))
            }
            _ => Ok(self.words.first().copied()),
        }
    }

    pub(crate) fn error_at(&self, span: Range<usize>, cause: impl Into<InputError>) -> TextError {
        error(self.text, span, cause)
    }

    /// Creates an error about one cell.
    pub(crate) fn error_at_cell(&self, cell: usize, cause: impl Into<InputError>) -> TextError {
        let (glyph, at) = self.cells[cell];
        self.error_at(at..at + glyph.len_utf8(), cause)
    }

    /// Creates an error about the whole text.
    pub(crate) fn error(&self, cause: impl Into<InputError>) -> TextError {
        self.error_at(0..self.text.trim_end().len(), cause)
    }

    /// Returns an error unless the board is `board`.
    pub(crate) fn expect_board(&self, board: Board) -> Result<(), TextError> {
        if self.board == board {
            return Ok(());
        }
        Err(self.error(RowsError::OtherBoard { board: self.board, game: board }))
    }
}

/// Creates an error in a position's text.
pub(crate) fn error(text: &str, span: Range<usize>, cause: impl Into<InputError>) -> TextError {
    TextError::in_position(text, span, cause)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(Board, Vec<&str>), TextError> {
        let grid = Grid::parse(text, ".#", 64, |word| word == "l")?;
        Ok((grid.board, grid.words.iter().map(|word| word.text).collect()))
    }

    #[test]
    fn rows_are_separated_by_slashes_or_line_breaks_or_both() {
        let board = Board::new(2, 3).unwrap();
        for text in ["../.#./...", "..", ""] {
            assert_ne!(parse(text).map(|(board, _)| board), Ok(board), "{text}");
        }
        for text in [".../.#.", "...\n.#.", " ... / .#. ", "...\n/.#.", ".../\n.#.", "\r\n...\r\n\r\n.#.\r\n"] {
            assert_eq!(parse(text), Ok((board, vec![])), "{text:?}");
            assert_eq!(parse(&format!("{text} l")), Ok((board, vec!["l"])), "{text:?}");
            assert_eq!(parse(&format!("{text}\nl")), Ok((board, vec!["l"])), "{text:?}");
        }
    }

    #[test]
    fn errors_point_at_the_mistake() {
        let span = |text| parse(text).unwrap_err().span;
        assert_eq!(span(".../"), 3..4);
        assert_eq!(span(".../ l"), 5..6);
        assert_eq!(span(".../\n/..."), 5..6);
        assert_eq!(span("/..."), 0..1);
        assert_eq!(span("...//..."), 4..5);
        assert_eq!(span("... l/..."), 4..5);
        assert_eq!(span(".../..é"), 6..8);
        assert_eq!(span(".../.."), 4..6);
        assert_eq!(span(&".........\n".repeat(8)), 0..80);
    }
}
