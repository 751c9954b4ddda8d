//! Position text: `.` a tile, `#` a hole, `A` and `B` the tokens on their tiles, `*` both
//! on one tile, `!` the token to move on a tile that has just vanished. ` b` means that B is
//! to move. The judge's JSON form is accepted too.

mod json;

use super::{Position, Rules, Walkers, messages};
use crate::board::{Board, CellSet, Cells};
use crate::error::{AfterBoard, RowsError, input_errors};
use crate::notation::{Notation, PlayerName};
use crate::text::{Grid, TextError, error};
use crate::words::Lang;

const GLYPHS: &str = ".#AB*!";
const SIDE: AfterBoard = AfterBoard::Side(['a', 'b']);

input_errors! {
    /// An error in a position of walkers.
    Walkers: WalkersError {
        /// A token twice.
        SecondToken {
            /// The token's character.
            glyph: char,
        } => "second_token",
        /// Both tokens on one tile, where they may not share it.
        SharedTile => "shared_tile",
        /// A third token.
        ThirdToken {
            /// The character beside which it is superfluous: `*` or `!`.
            beside: char,
        } => "third_token",
        /// A missing token.
        NoToken {
            /// `A` or `B`.
            token: char,
        } => "no_token",
        /// A vanished tile under the token that is not to move.
        WrongVanished => "wrong_vanished",
        /// JSON that is invalid or of another form.
        Json {
            /// The JSON parser's message.
            message: String,
        } => "json",
        /// In JSON, a cell that is neither a tile nor a hole.
        NoTile {
            /// The text found.
            found: String,
        } => "no_tile",
        /// In JSON, a row or column that is no number.
        NoNumber {
            /// The text found.
            found: String,
        } => "no_number",
        /// In JSON, a token where there is no tile.
        OffTiles {
            /// `A` or `B`.
            token: char,
            /// Its row and column.
            at: [usize; 2],
            /// The board.
            board: Board,
        } => "off_tiles",
    }
}

impl<W: CellSet> Walkers<W> {
    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The board.
    #[must_use]
    pub const fn board(&self) -> Board {
        self.board
    }

    /// Creates the game by `rules` from the position in `text`, on its board.
    ///
    /// # Errors
    /// If the text is not a position of such a game.
    pub fn from_text(rules: Rules, text: &str) -> Result<Self, TextError> {
        let (board, start) = read(text, rules.share, None)?;
        Ok(Self::new_unchecked(rules, board).with_legal_start(start))
    }
}

/// Reads a position and its board, which must be `expected` if that is given.
fn read<W: CellSet>(text: &str, share: bool, threshold: Option<Board>) -> Result<(Board, Position<W>), TextError> {
    if json::is_json(text) {
        let (board, position) = json::position(text, share)?;
        return match threshold {
            Some(game) if game != board => {
                Err(error(text, 0..text.trim_end().len(), RowsError::OtherBoard { board, game }))
            }
            _ => Ok((board, position)),
        };
    }
    let grid = Grid::parse(text, GLYPHS, W::CELLS, |word| matches!(word, "a" | "b"))?;
    threshold.map_or(Ok(()), |board| grid.expect_board(board))?;
    Ok((grid.board, position(&grid, share)?))
}

fn position<W: CellSet>(grid: &Grid, share: bool) -> Result<Position<W>, TextError> {
    let side = match grid.only_word(SIDE)? {
        None => None,
        Some(word) => match word.text {
            "a" => Some(false),
            "b" => Some(true),
            other => return Err(grid.error_at(word.span(), RowsError::NoSide { word: other.into(), expected: SIDE })),
        },
    };
    let one = |glyph: char, cells: W| {
        let mut cells = Cells(cells);
        match (cells.next(), cells.next()) {
            (first, None) => Ok(first),
            (_, Some(second)) => Err(grid.error_at_cell(second, WalkersError::SecondToken { glyph })),
        }
    };
    let both = one('*', grid.set('*'))?;
    let fallen = one('!', grid.set('!'))?;
    if !share && let Some(cell) = both.or(fallen) {
        return Err(grid.error_at_cell(cell, WalkersError::SharedTile));
    }
    if let (Some(_), Some(cell)) = (both, fallen) {
        return Err(grid.error_at_cell(cell, WalkersError::ThirdToken { beside: '*' }));
    }
    let a = one('A', grid.set::<W>('A') | grid.set('*'))?;
    let b = one('B', grid.set::<W>('B') | grid.set('*'))?;
    let ([a, b], b_to_move) = match (a, b, fallen) {
        (Some(a), Some(b), None) => ([a, b], side.unwrap_or(false)),
        (Some(a), None, Some(b)) => ([a, b], true),
        (None, Some(b), Some(a)) => ([a, b], false),
        (Some(_), Some(_), Some(cell)) => {
            return Err(grid.error_at_cell(cell, WalkersError::ThirdToken { beside: '!' }));
        }
        (None, _, _) => return Err(grid.error(WalkersError::NoToken { token: 'A' })),
        (_, None, _) => return Err(grid.error(WalkersError::NoToken { token: 'B' })),
    };
    if let (Some(cell), Some(side)) = (fallen, side)
        && side != b_to_move
    {
        return Err(grid.error_at_cell(cell, WalkersError::WrongVanished));
    }
    let (mover, other) = if b_to_move { (b, a) } else { (a, b) };
    Ok(Position {
        tiles: grid.board.full::<W>() & !grid.set::<W>('#') & !grid.set::<W>('!'),
        mover: mover as u8,
        other: other as u8,
        b_to_move,
    })
}

impl<W: CellSet> Notation for Walkers<W> {
    fn describe(&self, lang: Lang) -> Vec<String> {
        messages::describe(lang, &self.rules)
    }

    fn board(&self) -> Option<Board> {
        Some(self.board())
    }

    fn parse(&self, text: &str) -> Result<Position<W>, TextError> {
        read(text, self.rules.share, Some(self.board)).map(|(_, position)| position)
    }

    fn text(&self, position: &Position<W>) -> String {
        let board = self.board.text(|cell| self.glyph(position, cell));
        if position.b_to_move { board + " b" } else { board }
    }

    fn move_text(&self, _position: &Position<W>, to: u8) -> String {
        self.board.cell_text(to.into())
    }

    fn glyph(&self, position: &Position<W>, cell: usize) -> char {
        let [a, b] = position.tokens().map(|token| usize::from(token) == cell);
        match (!(position.tiles & W::bit(cell)).is_zero(), a, b) {
            (true, true, true) => '*',
            (true, true, false) => 'A',
            (true, false, true) => 'B',
            (true, false, false) => '.',
            (false, false, false) => '#',
            (false, _, _) => '!',
        }
    }

    fn move_cells(&self, _position: &Position<W>, to: u8) -> u128 {
        1 << to
    }

    fn players(&self, position: &Position<W>) -> [PlayerName; 2] {
        if position.b_to_move { [PlayerName::B, PlayerName::A] } else { [PlayerName::A, PlayerName::B] }
    }
}
