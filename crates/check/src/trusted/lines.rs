//! Lines: players in turn mark a free cell, or in a game with gravity the lowest free cell of a
//! column. Who makes `k` in a row wins, in misère loses; a full board without a line is a draw.
//!
//! A position: X's marks, or all where they are shared; and O's, with bit 127 set if O is to move.

use super::board::{Board, each, image};
use super::game::{Game, Move, Outcome, Position, yes};
use crate::Result;
use crate::untrusted::meter::Meter;

#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) board: Board,
    pub(crate) rules: Rules,
    /// The cells of each line, and those just before and after.
    lines: Vec<(u128, u128)>,
    symmetries: Vec<Vec<u8>>,
    directions: Vec<Direction>,
}

/// The parameters of a game of lines.
#[derive(Debug)]
pub(crate) struct Rules {
    pub(crate) k: usize,
    pub(crate) gravity: bool,
    pub(crate) shared: bool,
    /// Whether more than `k` in a row count as well.
    pub(crate) overlines: bool,
    pub(crate) misere: bool,
}

/// The lines of one direction, on a board of at most 64 cells.
#[derive(Debug)]
struct Direction {
    /// The number of cells from each cell of a line to the next.
    step: usize,
    /// For each cell of a line, from the first: the cells that are it in some line.
    nth: Vec<u64>,
}

pub(crate) const O_TO_MOVE: u128 = 1 << 127;

impl Lines {
    /// The last bit says whose turn it is.
    pub(crate) const MAX_CELLS: usize = 127;

    pub(crate) fn new(board: Board, rules: Rules) -> Self {
        assert!(
            board.is_valid() && board.cells() <= Self::MAX_CELLS && rules.k > 0,
            "cells have bits, and lines cells"
        );
        let set_of = |cells: Vec<usize>| cells.into_iter().fold(0, |set, cell| set | 1 << cell);
        let (mut lines, mut directions) = (Vec::new(), Vec::new());
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let step = (down * board.cols as i32 + right) as usize;
            let mut direction = Direction { step, nth: vec![0; rules.k] };
            for begin in 0..board.cells() {
                let nth = |n: i32| board.step(begin, (down * n, right * n), false);
                let cells: Vec<usize> = (0..rules.k as i32).map_while(nth).collect();
                if cells.len() == rules.k {
                    let around = [nth(-1), nth(rules.k as i32)].into_iter().flatten().collect();
                    cells
                        .iter()
                        .zip(&mut direction.nth)
                        .for_each(|(cell, nth)| *nth |= 1_u64.wrapping_shl(*cell as u32));
                    lines.push((set_of(cells), set_of(around)));
                }
            }
            if direction.nth[0] != 0 {
                directions.push(direction);
            }
        }
        let mut symmetries = board.symmetries();
        if rules.gravity {
            // The reflection that keeps each row.
            symmetries.retain(|to| (0..board.cells()).all(|cell| to[cell] as usize / board.cols == cell / board.cols));
        }
        Self { board, rules, lines, directions, symmetries }
    }

    /// The cells that complete a line of a player with these marks, marked already or not.
    fn completing(&self, marks: u128) -> u128 {
        match self.rules.k {
            _ if !self.rules.overlines || self.board.cells() > 64 => self.find_completing(marks),
            3 => self.completing_in_word::<3>(marks as u64),
            4 => self.completing_in_word::<4>(marks as u64),
            5 => self.completing_in_word::<5>(marks as u64),
            _ => self.find_completing(marks),
        }
    }

    /// The same for all lines at once, on a board of at most 64 cells where more than `K` in a row count.
    fn completing_in_word<const K: usize>(&self, marks: u64) -> u128 {
        let mut found = 0;
        for Direction { step, nth } in &self.directions {
            // The cells with so many marks in a row before them, and after them.
            let (mut before, mut after) = ([u64::MAX; K], [u64::MAX; K]);
            for n in 1..K {
                before[n] = before[n - 1] & marks << (n * step);
                after[n] = after[n - 1] & marks >> (n * step);
            }
            found |= (0..K).fold(0, |found, n| found | before[n] & after[K - 1 - n] & nth[n]);
        }
        found.into()
    }

    /// The same for any lines, one by one.
    fn find_completing(&self, marks: u128) -> u128 {
        let mut found = 0;
        for (line, around) in &self.lines {
            let missing = line & !marks;
            // At most one cell.
            if missing & missing.wrapping_sub(1) == 0 && (self.rules.overlines || marks & around == 0) {
                found |= if missing == 0 { *line } else { missing };
            }
        }
        found
    }

    /// Whether a player with these marks has a line.
    pub(crate) fn has_line(&self, marks: u128) -> bool {
        self.completing(marks) & marks != 0
    }

    /// The marks of the player to move, and of the other.
    pub(crate) fn marks(&self, at: &Position) -> (u128, u128) {
        match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
            (true, _) => (at.0, at.0),
            (false, false) => (at.0, at.1),
            (false, true) => (at.1 & !O_TO_MOVE, at.0),
        }
    }
}

impl Game for Lines {
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>> {
        meter.spend(self.lines.len() as u64)?;
        let (_, others) = self.marks(at);
        if self.has_line(others) {
            return Ok(Some(if self.rules.misere { 1 } else { -1 }));
        }
        Ok(((at.0 | at.1) & self.board.all() == self.board.all()).then_some(0))
    }

    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()> {
        let (own, _) = self.marks(at);
        let free = self.board.all() & !(at.0 | at.1);
        let open = if self.rules.gravity { free & !(free >> self.board.cols) } else { free };
        meter.spend(64 + self.lines.len() as u64)?;
        let lines = self.completing(own);
        moves.clear();
        for cell in each(open) {
            let mark = 1 << cell;
            let after = match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
                (true, _) => Position(at.0 | mark, 0),
                (false, false) => Position(at.0 | mark, at.1 | O_TO_MOVE),
                (false, true) => Position(at.0, (at.1 | mark) & !O_TO_MOVE),
            };
            let end = if lines & mark != 0 {
                Some(if self.rules.misere { 1 } else { -1 })
            } else {
                (free == mark).then_some(0)
            };
            moves.push(Move { number: cell as u32, after, end });
        }
        Ok(())
    }

    /// The free cells.
    fn layer(&self, at: &Position) -> u32 {
        (self.board.all() & !(at.0 | at.1)).count_ones()
    }

    fn players(&self, at: &Position) -> [&'static str; 2] {
        match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
            (true, _) => ["the player to move", "the other player"],
            (false, false) => ["X", "O"],
            (false, true) => ["O", "X"],
        }
    }

    fn write(&self, at: &Position) -> String {
        let glyph = |cell| match (at.0 >> cell & 1, at.1 >> cell & 1) {
            (0, 0) => '.',
            (1, 0) => 'X',
            (0, _) => 'O',
            _ => '?',
        };
        let turn = match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
            (true, _) => "",
            (false, false) => " x",
            (false, true) => " o",
        };
        self.board.write(glyph) + turn
    }

    fn rules(&self) -> Vec<String> {
        let Rules { k, gravity, shared, overlines, misere } = self.rules;
        let marks = if shared { "shared" } else { "own" };
        let flags = [("gravity", gravity), ("overlines", overlines), ("misere", misere)];
        let flags = flags.map(|(key, is_so)| format!("{key}: {}", yes(is_so)));
        [vec![format!("k: {k}"), format!("marks: {marks}")], flags.to_vec()].concat()
    }

    fn symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    fn image(&self, at: &Position, symmetry: &[u8]) -> Position {
        Position(image(at.0, symmetry), image(at.1 & !O_TO_MOVE, symmetry) | at.1 & O_TO_MOVE)
    }

    /// Each line has a mark of the other player.
    fn mover_cannot_win(&self, at: &Position, meter: &Meter) -> Result<bool> {
        let (_, others) = self.marks(at);
        if self.rules.shared || self.rules.misere {
            return Ok(false);
        }
        let open = self.lines.iter().position(|(line, _)| line & others == 0);
        meter.spend(open.unwrap_or(self.lines.len()) as u64)?;
        Ok(open.is_none())
    }

    fn lines_left(&self, at: &Position) -> Option<Vec<u128>> {
        if self.rules.shared || self.rules.misere || self.rules.gravity {
            return None;
        }
        let (own, others) = self.marks(at);
        let mut left: Vec<u128> = self
            .lines
            .iter()
            .map(|(line, _)| line)
            .filter(|line| *line & others == 0)
            .map(|line| line & !own)
            .collect();
        left.sort_unstable();
        left.dedup();
        Some(left)
    }
}
