//! A whole `balpan` with two games of one's own: Euclid's game in as few lines as it takes, and Chomp with a board, keys and
//! nimbers. `cargo run --release --example own_games -- serve` has their pages; `… -- solve euclid`,
//! `… -- play chocolate --board 4x5` and the others work as for the presets.

use std::process::ExitCode;

use balpan::Game;
use balpan_cli::Command;
use balpan_games::{Board, Lang, Notation};

/// Take the smaller of two numbers from the larger one, once or more often. Whoever makes one of them 0 wins.
#[derive(Clone)]
struct Euclid;

impl Game for Euclid {
    /// The larger number, and the smaller one.
    type Position = (u32, u32);
    type Move = u32;

    fn start(&self) -> (u32, u32) {
        (34, 21)
    }

    fn moves(&self, &(large, small): &(u32, u32)) -> impl Iterator<Item = u32> {
        1..=large.checked_div(small).unwrap_or(0)
    }

    fn play(&self, &(large, small): &(u32, u32), times: u32) -> (u32, u32) {
        let left = large - times * small;
        (left.max(small), left.min(small))
    }
}

impl Notation for Euclid {
    fn text(&self, (large, small): &(u32, u32)) -> String {
        format!("{large} {small}")
    }
}

/// Chomp: eat a square, with all squares below it and to its right. The top left one is poisoned.
#[derive(Clone)]
struct Chomp {
    board: Board,
}

impl Game for Chomp {
    /// The squares left in each row, from the top.
    type Position = Vec<usize>;
    /// The row and the column of the square that is eaten.
    type Move = (usize, usize);

    fn start(&self) -> Vec<usize> {
        vec![self.board.cols(); self.board.rows()]
    }

    fn moves(&self, rows: &Vec<usize>) -> impl Iterator<Item = (usize, usize)> {
        rows.iter().enumerate().flat_map(|(row, &left)| (0..left).map(move |col| (row, col))).skip(1)
    }

    fn play(&self, rows: &Vec<usize>, (row, col): (usize, usize)) -> Vec<usize> {
        rows.iter().enumerate().map(|(r, &left)| if r < row { left } else { left.min(col) }).collect()
    }

    /// Whoever cannot move loses, and both have the same moves: positions have nimbers.
    fn is_impartial(&self) -> bool {
        true
    }

    /// Squares that are left. Each move leaves fewer.
    fn layer(&self, rows: &Vec<usize>) -> Option<u32> {
        Some(rows.iter().sum::<usize>() as u32)
    }

    /// One bit a square that is left: strong solutions store positions by their keys.
    fn key_bits(&self) -> u32 {
        self.board.cells() as u32
    }

    fn key(&self, rows: &Vec<usize>) -> u128 {
        let row = |key, (n, &left): (usize, &usize)| key | ((1 << left) - 1) << (n * self.board.cols());
        rows.iter().enumerate().fold(0, row)
    }

    fn position_from_key(&self, key: u128) -> Option<Vec<usize>> {
        let row = |n: usize| (key >> (n * self.board.cols()) & ((1 << self.board.cols()) - 1)).trailing_ones() as usize;
        let rows: Vec<_> = (0..self.board.rows()).map(row).collect();
        (self.key(&rows) == key && rows.is_sorted_by(|above, below| above >= below)).then_some(rows)
    }
}

impl Notation for Chomp {
    fn describe(&self, lang: Lang) -> Vec<String> {
        let sentence = lang.pick(
            "Chomp: eat a square, with all below it and to its right; the top left one is poisoned (D. Gale, 1974)",
            "촘프: 한 칸과 그 아래, 오른쪽을 모두 먹습니다. 왼쪽 위 칸에는 독이 있습니다 (D. Gale, 1974)",
        );
        vec![sentence.to_owned()]
    }

    fn text(&self, rows: &Vec<usize>) -> String {
        let glyph = |cell| self.glyph(rows, cell);
        let row = |row| (0..self.board.cols()).map(|col| glyph(self.board.cell(row, col))).collect();
        (0..self.board.rows()).map(row).collect::<Vec<String>>().join("/")
    }

    fn board(&self) -> Option<Board> {
        Some(self.board)
    }

    fn glyph(&self, rows: &Vec<usize>, cell: usize) -> char {
        let (row, col) = self.board.row_col(cell);
        if col < rows[row] { '.' } else { '#' }
    }

    fn move_text(&self, _: &Vec<usize>, (row, col): (usize, usize)) -> String {
        format!("{row},{col}")
    }

    fn move_cells(&self, _: &Vec<usize>, (row, col): (usize, usize)) -> u128 {
        1 << self.board.cell(row, col)
    }
}

fn main() -> ExitCode {
    Command::new().game("euclid", Euclid).game_on_boards("chocolate", "3x4", |board| Some(Chomp { board })).run()
}
