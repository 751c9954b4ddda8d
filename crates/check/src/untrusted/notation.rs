//! Parsing of positions and formatting of moves. Proved positions are formatted by
//! [`Game::write`](crate::trusted::game::Game::write).

use crate::trusted::board::{Board, each};
use crate::trusted::claim::Guarantee;
use crate::trusted::game::Position;
use crate::trusted::heaps::{self, Heaps, MAX_HEAPS};
use crate::trusted::lines::{Lines, O_TO_MOVE};
use crate::trusted::placement::{ELSEWHERE, MAX_COUNTED, Placement, RIGHT_TO_MOVE, with_lead};
use crate::trusted::walkers::{self, Walkers};

type Result<T> = std::result::Result<T, String>;

/// The notation of a game's positions and moves.
pub trait Notation {
    /// Reads a position.
    ///
    /// # Errors
    /// A description of the error in the text.
    fn read(&self, text: &str) -> Result<Position>;

    /// Formats a move by its number.
    fn write_move(&self, number: u32) -> String;

    /// Checks that all positions that can follow fit in two words.
    ///
    /// # Errors
    /// A description of the limit that positions exceed.
    fn check_room(&self, _at: &Position) -> Result<()> {
        Ok(())
    }

    /// The game, if it is one of placement.
    #[allow(private_interfaces)]
    fn placement(&self) -> Option<&Placement> {
        None
    }
}

/// Reads rows with `/` between them: returns the board, and the character of each cell.
pub(crate) fn read_rows(text: &str) -> Result<(Board, Vec<char>)> {
    let cols = text.split('/').next().map_or(0, |row| row.chars().count());
    if let Some(row) = text.split('/').find(|row| row.chars().count() != cols) {
        return Err(format!("the row `{row}` is not as long as the first, of {cols}"));
    }
    let board = Board { rows: text.split('/').count(), cols };
    if cols == 0 || board.cells() > 128 {
        return Err(format!("a board of {} by {cols} cells: there are 1 to 128 cells", board.rows));
    }
    Ok((board, text.chars().filter(|glyph| *glyph != '/').collect()))
}

/// Reads a position on a board: each cell one of `expected`, and the words after the rows.
fn read_board<'t>(on: Board, text: &'t str, expected: &str) -> Result<(Vec<char>, Vec<&'t str>)> {
    let mut words = text.split_whitespace();
    let (board, cells) = read_rows(words.next().ok_or("there is no position")?)?;
    if board != on {
        return Err(format!("a board of {} by {}: expected {} by {}", board.rows, board.cols, on.rows, on.cols));
    }
    match cells.iter().find(|glyph| !expected.contains(**glyph)) {
        Some(glyph) => Err(format!("`{glyph}` in the position: expected one of `{expected}`")),
        None => Ok((cells, words.collect())),
    }
}

/// The set of the cells with one of these characters.
fn cells_of(glyphs: &[char], accepted: &[char]) -> u128 {
    (0..glyphs.len()).filter(|cell| accepted.contains(&glyphs[*cell])).fold(0, |set, cell| set | 1 << cell)
}

fn write_cell(board: Board, cell: usize) -> String {
    format!("{},{}", cell / board.cols, cell % board.cols)
}

impl Notation for Walkers {
    fn read(&self, text: &str) -> Result<Position> {
        let (glyphs, words) = read_board(self.board, text, ".#AB*!")?;
        let b_to_move = match words[..] {
            [] | ["a"] => false,
            ["b"] => true,
            _ => return Err(format!("`{}` after the board: expected `a` or `b`", words.join(" "))),
        };
        // The token to move stands on `!` if its tile has just vanished.
        let fallen = if b_to_move { ['A', '!'] } else { ['!', 'B'] };
        let one = |player: usize| {
            let own = ['A', 'B'][player];
            let cells = cells_of(&glyphs, &[own, '*', fallen[player]]);
            match cells.count_ones() {
                1 => Ok(cells.trailing_zeros() as usize),
                found => Err(format!("{found} tokens of {own}: expected one")),
            }
        };
        let (a, b) = (one(0)?, one(1)?);
        if !self.rules.share && (a == b || glyphs.contains(&'!')) {
            return Err("both tokens are, or were, on one tile, which these rules forbid".into());
        }
        let tiles = cells_of(&glyphs, &['.', 'A', 'B', '*']);
        let (mover, other) = if b_to_move { (b, a) } else { (a, b) };
        Ok(walkers::position(tiles, mover, other, b_to_move))
    }

    fn write_move(&self, to: u32) -> String {
        write_cell(self.board, to as usize)
    }
}

impl Notation for Placement {
    fn placement(&self) -> Option<&Placement> {
        Some(self)
    }

    fn read(&self, text: &str) -> Result<Position> {
        let (text, used) = text.split_once(" used ").unwrap_or((text, ""));
        let (text, ahead) = text.split_once(" lead ").map_or((text, None), |(text, lead)| (text, Some(lead)));
        let (glyphs, words) = read_board(self.board, text, ".#")?;
        let right_to_move = match (&words[..], self.partizan) {
            ([], false) | (["l"], true) => 0,
            (["r"], true) => RIGHT_TO_MOVE,
            _ => return Err("the turn, `l` or `r`, is expected where each player has pieces, and only there".into()),
        };
        let mut counts = 0;
        for (piece, count) in used.split_whitespace().enumerate() {
            let piece_used = self.rules.pieces.get(piece).filter(|_| piece < MAX_COUNTED);
            let supply = piece_used.ok_or("too many counts")?.supply.unwrap_or(0);
            let count = count.parse::<u32>().ok().filter(|count| *count <= supply);
            counts |= u128::from(count.ok_or("more pieces used than there are")?) << (4 * piece);
        }
        let at = Position::new(cells_of(&glyphs, &['#']), counts | right_to_move);
        match ahead.map(|lead| lead.trim().parse()) {
            None => Ok(at),
            Some(Ok(lead)) if self.has_lead && (-128..=128).contains(&lead) => Ok(with_lead(at, lead)),
            Some(_) => Err("no such lead: expected a number where each player has dominoes that lie one way".into()),
        }
    }

    fn write_move(&self, number: u32) -> String {
        if number == ELSEWHERE {
            return "elsewhere".into();
        }
        let cells = self.places.get(number as usize).map_or(0, |place| place.cells);
        each(cells).map(|cell| write_cell(self.board, cell)).collect::<Vec<_>>().join("+")
    }
}

impl Notation for Lines {
    fn read(&self, text: &str) -> Result<Position> {
        let (glyphs, words) = read_board(self.board, text, if self.rules.shared { ".X" } else { ".XO" })?;
        let (x, o) = (cells_of(&glyphs, &['X']), cells_of(&glyphs, &['O']));
        let o_to_move = match (&words[..], self.rules.shared) {
            ([], true) | (["x"], false) => false,
            (["o"], false) => true,
            _ => return Err("the turn, `x` or `o`, is expected where each player has marks, and only there".into()),
        };
        let floating = (x | o) & (self.board.all() & !(x | o)) >> self.board.cols;
        if self.rules.gravity && floating != 0 {
            return Err(format!("the mark at {} floats", write_cell(self.board, floating.trailing_zeros() as usize)));
        }
        let at = Position::new(x, o | if o_to_move { O_TO_MOVE } else { 0 });
        let (own, _) = self.marks(&at);
        if !self.rules.shared && self.has_line(own) {
            return Err("the player to move has a line".into());
        }
        Ok(at)
    }

    fn write_move(&self, cell: u32) -> String {
        let cell = cell as usize;
        if self.rules.gravity { (cell % self.board.cols + 1).to_string() } else { write_cell(self.board, cell) }
    }
}

impl Heaps {
    /// Whether a move can split a heap into two.
    fn splits(&self) -> bool {
        self.code.iter().flatten().any(|digit| digit & 4 != 0)
    }
}

impl Notation for Heaps {
    fn read(&self, text: &str) -> Result<Position> {
        let size = |word: &str| word.parse::<u8>().map_err(|_| format!("the heap `{word}`: expected 0 to 255"));
        let all = text.split_whitespace().map(size).collect::<Result<Vec<u8>>>()?;
        heaps::position(all.into_iter()).ok_or_else(|| format!("more than {MAX_HEAPS} heaps"))
    }

    fn write_move(&self, number: u32) -> String {
        let [_, heap, more, less] = number.to_be_bytes();
        if less > 0 { format!("{heap}>{more}+{less}") } else { format!("{heap}>{more}") }
    }

    fn check_room(&self, at: &Position) -> Result<()> {
        // Where heaps split, there can be as many as tokens.
        let max_heaps: usize = heaps::heaps(at).map(|heap| if self.splits() { usize::from(heap) } else { 1 }).sum();
        if max_heaps > MAX_HEAPS {
            return Err(format!("there can be {max_heaps} heaps: expected at most {MAX_HEAPS}"));
        }
        Ok(())
    }
}

/// The kinds of guarantees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Degree {
    /// To win within this number of plies.
    WinWithin(u32),
    /// To win.
    Win,
    /// Not to lose.
    Draw,
    /// Not to lose before this number of plies are played.
    NoLossBefore(u32),
}

impl Guarantee {
    /// Returns the kind of a guarantee; `None` if it is trivial or impossible, or another score than 0 and 1.
    #[must_use]
    pub fn degree(self) -> Option<Degree> {
        match self.plies() {
            None => match self.score()? {
                0 => Some(Degree::Draw),
                1 => Some(Degree::Win),
                _ => None,
            },
            Some(plies) if self > Self::WIN => u32::try_from(plies).ok().map(Degree::WinWithin),
            Some(plies) => u32::try_from(plies).ok().map(Degree::NoLossBefore),
        }
    }
}
