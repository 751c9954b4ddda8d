//! `.` tile, `#` hole, `A` and `B` the tokens on their tiles, `*` both on one, `!`
//! the token to move whose tile has just vanished. ` b`: B is to move.

use super::{Position, Rules, Walkers};
use crate::board::{Board, bit};
use crate::notation::Notation;
use crate::text::{Grid, TextError};

const GLYPHS: &str = ".#AB*!";
const SIDE: &str = "after the board comes the side to move, `a` or `b`; left out, it is `a`";

impl Walkers {
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

    /// The game by `rules` from the position that `text` shows, on its board.
    ///
    /// # Errors
    /// If the text is no position of such a game.
    pub fn from_text(rules: Rules, text: &str) -> Result<Self, TextError> {
        let grid = grid(text)?;
        let start = position(&grid, rules.share)?;
        Ok(Self::new(rules, grid.board).starting_at(start))
    }
}

fn grid(text: &str) -> Result<Grid<'_>, TextError> {
    Grid::parse(text, GLYPHS, Board::MOST_CELLS, |word| matches!(word, "a" | "b"))
}

fn position(grid: &Grid, share: bool) -> Result<Position, TextError> {
    let side = match grid.only_word(SIDE)? {
        None => None,
        Some(word) => match word.text {
            "a" => Some(false),
            "b" => Some(true),
            other => return Err(grid.error_at(word.span(), &format!("`{other}` is no side"), SIDE)),
        },
    };
    let one = |glyph: char, cells: u64| match cells.count_ones() {
        0 => Ok(None),
        1 => Ok(Some(cells.trailing_zeros() as usize)),
        _ => {
            let second = (cells & (cells - 1)).trailing_zeros() as usize;
            Err(grid.error_at_cell(second, &format!("a second `{glyph}`"), "each player has one token"))
        }
    };
    let both = one('*', grid.set('*'))?;
    let fallen = one('!', grid.set('!'))?;
    if !share && let Some(cell) = both.or(fallen) {
        return Err(grid.error_at_cell(
            cell,
            "a tile that both stand on, or did",
            "in this game a tile is not shared (share = false)",
        ));
    }
    if let (Some(_), Some(cell)) = (both, fallen) {
        return Err(grid.error_at_cell(cell, "a third token", "`*` is both of them already"));
    }
    let a = one('A', grid.set('A') | grid.set('*'))?;
    let b = one('B', grid.set('B') | grid.set('*'))?;
    let ([a, b], b_to_move) = match (a, b, fallen) {
        (Some(a), Some(b), None) => ([a, b], side.unwrap_or(false)),
        (Some(a), None, Some(b)) => ([a, b], true),
        (None, Some(b), Some(a)) => ([a, b], false),
        (Some(_), Some(_), Some(cell)) => {
            return Err(grid.error_at_cell(
                cell,
                "a third token",
                "`!` stands for `A` or `B`, whose tile has vanished",
            ));
        }
        (None, _, _) => return Err(grid.error("no token `A`", "each player has one token: `A` and `B`, or `*`")),
        (_, None, _) => return Err(grid.error("no token `B`", "each player has one token: `A` and `B`, or `*`")),
    };
    if let (Some(cell), Some(side)) = (fallen, side)
        && side != b_to_move
    {
        return Err(grid.error_at_cell(
            cell,
            "a vanished tile under the token that has just moved",
            "the token on `!` is the one to move",
        ));
    }
    let (mover, other) = if b_to_move { (b, a) } else { (a, b) };
    Ok(Position {
        tiles: grid.board.all() & !grid.set('#') & !grid.set('!'),
        mover: mover as u8,
        other: other as u8,
        b_to_move,
    })
}

impl Notation for Walkers {
    fn board(&self) -> Option<Board> {
        Some(self.board())
    }

    fn parse(&self, text: &str) -> Result<Position, TextError> {
        let grid = grid(text)?;
        grid.expect_board(self.board)?;
        position(&grid, self.rules.share)
    }

    fn text(&self, position: &Position) -> String {
        let board = self.board.text(|cell| self.glyph(position, cell));
        if position.b_to_move { board + " b" } else { board }
    }

    fn move_text(&self, _position: &Position, to: u8) -> String {
        self.board.cell_text(to.into())
    }

    fn glyph(&self, position: &Position, cell: usize) -> char {
        let [a, b] = position.tokens().map(|token| usize::from(token) == cell);
        match (position.tiles & bit(cell) != 0, a, b) {
            (true, true, true) => '*',
            (true, true, false) => 'A',
            (true, false, true) => 'B',
            (true, false, false) => '.',
            (false, false, false) => '#',
            (false, _, _) => '!',
        }
    }

    fn marked(&self, _position: &Position, to: u8) -> u128 {
        1 << to
    }

    fn players(&self, position: &Position) -> [&'static str; 2] {
        if position.b_to_move { ["B", "A"] } else { ["A", "B"] }
    }
}
