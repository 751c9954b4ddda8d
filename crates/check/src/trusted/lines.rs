//! Lines: players in turn mark a free cell, or in a game with gravity the lowest free cell of a column. Making `k` in
//! a row wins, or in misère play loses; a full board without a line is a draw.
//!
//! A position: X's marks, or all where they are shared; and O's, with bit 127 set if O is to move.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use super::board::{Board, Turn, each};
use super::game::{Game, LOST, Move, Outcome, Position, WON, flag};
use crate::Result;
use crate::untrusted::meter::Meter;

#[derive(Debug)]
pub(crate) struct Lines {
    pub(crate) board: Board,
    pub(crate) rules: Rules,
    /// The cells of each line.
    lines: Vec<u128>,
    /// The same lines, those of one direction together.
    directions: Vec<Direction>,
    symmetries: Vec<Turn>,
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

/// The lines of one direction.
#[derive(Debug)]
struct Direction {
    /// The number of cells from each cell of a line to the next.
    step: usize,
    /// The first cells of the lines.
    starts: u128,
    /// The first cells of the lines with a cell just before them, and of those with one just after them.
    before: u128,
    after: u128,
}

pub(crate) const O_TO_MOVE: u128 = 1 << 127;

impl Lines {
    /// The last bit is the turn.
    pub(crate) const MAX_CELLS: usize = 127;

    pub(crate) fn new(board: Board, rules: Rules) -> Self {
        assert!(board.is_valid() && board.cells() <= Self::MAX_CELLS, "cells have bits");
        let (k, mut lines, mut directions) = (rules.k as i32, Vec::new(), Vec::new());
        assert!(k > 0, "lines have cells");
        for (down, right) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
            let step = (down * board.cols as i32 + right) as usize;
            let has_nth = |n: i32| {
                let cells = (0..board.cells()).filter(|&from| board.step(from, (down * n, right * n), false).is_some());
                cells.fold(0, |set, cell| set | 1 << cell)
            };
            let starts: u128 = has_nth(k - 1);
            if starts != 0 {
                let from_first: u128 = (0..rules.k).fold(0, |line, n| line | 1 << (n * step));
                lines.extend(each(starts).map(|start| from_first << start));
                directions.push(Direction { step, starts, before: starts & has_nth(-1), after: starts & has_nth(k) });
            }
        }
        let top = board.all() & !(board.all() << board.cols);
        // With gravity, only the reflection that keeps each row: it keeps the first one, and the columns.
        let symmetries = Turn::symmetries(board, |turn| !rules.gravity || turn.image(top) == top);
        Self { board, rules, lines, directions, symmetries }
    }

    /// The cells that complete lines of a player with these marks, and whether one is complete.
    fn completing(&self, marks: u128) -> (u128, bool) {
        // A constant `k` is faster.
        match self.rules.k {
            4 if self.board.cells() <= 64 => self.completing_in_word(marks, 4, |set| set as u64),
            k if self.board.cells() <= 64 => self.completing_in_word(marks, k, |set| set as u64),
            k => self.completing_in_word(marks, k, |set| set),
        }
    }

    /// The same, with sets in words of a type with a bit for each cell.
    #[inline(always)]
    fn completing_in_word<W>(&self, marks: u128, k: usize, word: impl Fn(u128) -> W) -> (u128, bool)
    where
        W: Copy + Default + Into<u128> + BitAnd<Output = W> + BitOr<Output = W> + Not<Output = W>,
        W: Shl<usize, Output = W> + Shr<usize, Output = W>,
    {
        let (mut missing, mut complete) = (W::default(), W::default());
        for direction in &self.directions {
            let &Direction { step, starts, .. } = direction;
            let starts = if self.rules.overlines { starts } else { starts & !too_long(marks, k, direction) };
            // The lines, by their first cells, that have marks on all cells so far, or on all but one.
            let (mut all, mut but_one) = (word(starts), W::default());
            for n in 0..k {
                let marked = word(marks) >> (n * step);
                but_one = but_one & marked | all & !marked;
                all = all & marked;
            }
            missing = (0..k).fold(missing, |missing, n| missing | but_one << (n * step));
            complete = complete | all;
        }
        ((missing & !word(marks)).into(), complete.into() != 0)
    }

    /// Whether a player with these marks has a line.
    pub(crate) fn has_line(&self, marks: u128) -> bool {
        self.completing(marks).1
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

/// The first cells of lines that have a mark just before or after them.
#[inline(never)]
fn too_long(marks: u128, k: usize, &Direction { step, before, after, .. }: &Direction) -> u128 {
    before & marks.unbounded_shl(step as u32) | after & marks.unbounded_shr((k * step) as u32)
}

impl Game for Lines {
    fn end(&self, at: &Position, meter: &Meter) -> Result<Option<Outcome>> {
        meter.spend(self.lines.len() as u64)?;
        let (_, others) = self.marks(at);
        if self.has_line(others) {
            return Ok(Some(if self.rules.misere { WON } else { LOST }));
        }
        Ok(((at.0 | at.1) & self.board.all() == self.board.all()).then_some(0))
    }

    fn moves(&self, at: &Position, meter: &Meter, moves: &mut Vec<Move>) -> Result<()> {
        meter.spend(64 + self.lines.len() as u64)?;
        let (own, _) = self.marks(at);
        let free = self.board.all() & !(at.0 | at.1);
        let mut open = if self.rules.gravity { free & !(free >> self.board.cols) } else { free };
        let completing = self.completing(own).0;
        let (turn, x_mask) = match (self.rules.shared, at.1 & O_TO_MOVE != 0) {
            (true, _) => (0, u128::MAX),
            (false, o_to_move) => (O_TO_MOVE, if o_to_move { 0 } else { u128::MAX }),
        };
        let by_line = Some(if self.rules.misere { WON } else { LOST });
        let is_last = free & free.wrapping_sub(1) == 0;
        while open != 0 {
            let mark = open & open.wrapping_neg();
            open ^= mark;
            let after = Position::new(at.0 | mark & x_mask, (at.1 | mark & !x_mask) ^ turn);
            let end = if completing & mark != 0 { by_line } else { is_last.then_some(0) };
            moves.push(Move { number: mark.trailing_zeros(), after, end, keeps_turn: false });
        }
        Ok(())
    }

    /// The free cells.
    fn layer(&self, at: &Position) -> u32 {
        (self.board.all() & !(at.0 | at.1)).count_ones()
    }

    fn sides(&self) -> Option<([&'static str; 2], u128)> {
        (!self.rules.shared).then_some((["X", "O"], O_TO_MOVE))
    }

    fn write(&self, at: &Position) -> String {
        let glyph = |cell| match (at.0 >> cell & 1, at.1 >> cell & 1) {
            (0, 0) => '.',
            (1, 0) => 'X',
            (0, _) => 'O',
            _ => '?',
        };
        self.board.write(glyph) + &self.turn(at)
    }

    fn rules(&self) -> Vec<String> {
        let Rules { k, gravity, shared, overlines, misere } = self.rules;
        let marks = if shared { "shared" } else { "own" };
        let flags = [flag("gravity", gravity), flag("overlines", overlines), flag("misere", misere)];
        [vec![format!("k: {k}"), format!("marks: {marks}")], flags.to_vec()].concat()
    }

    fn symmetries(&self) -> &[Turn] {
        &self.symmetries
    }

    fn image(&self, at: &Position, symmetry: &Turn) -> Position {
        Position::new(symmetry.image(at.0), symmetry.image(at.1 & !O_TO_MOVE) | at.1 & O_TO_MOVE)
    }

    /// Each line has a mark of the other player.
    fn mover_cannot_win(&self, at: &Position, meter: &Meter) -> Result<bool> {
        let (_, others) = self.marks(at);
        if self.rules.shared || self.rules.misere {
            return Ok(false);
        }
        let open = self.lines.iter().position(|line| line & others == 0);
        meter.spend(open.unwrap_or(self.lines.len()) as u64)?;
        Ok(open.is_none())
    }

    fn open_lines(&self, at: &Position) -> Option<Vec<u128>> {
        if self.rules.shared || self.rules.misere || self.rules.gravity {
            return None;
        }
        let (own, others) = self.marks(at);
        let mut left: Vec<u128> =
            self.lines.iter().filter(|line| *line & others == 0).map(|line| line & !own).collect();
        left.sort_unstable();
        left.dedup();
        Some(left)
    }
}
