//! A whole `balpan` with games of one's own: Euclid's game in as few lines as it takes, Chomp with a board, keys and nimbers, coins
//! with a score, and a pursuit on a graph in which play may repeat, with a picture. `cargo run --release --example own_games -- serve` has their pages; `… -- solve euclid`,
//! `… -- play chocolate --board 4x5` and the others work as for the presets.

use std::fmt::Write;
use std::process::ExitCode;

use balpan::{Game, Outcome};
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

/// Coins in a row, of which the players in turn take one from either end.
#[derive(Clone)]
struct Coins;

const COINS: [i32; 8] = [3, 9, 1, 2, 7, 5, 8, 2];

/// The coins from the first to before the last are left, and the player to move has got so much more than the other one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Row {
    first: usize,
    last: usize,
    lead: i32,
}

impl Game for Coins {
    type Position = Row;
    /// Whether the coin is the last one.
    type Move = bool;

    fn start(&self) -> Row {
        Row { first: 0, last: COINS.len(), lead: 0 }
    }

    fn moves(&self, row: &Row) -> impl Iterator<Item = bool> {
        [false, true].into_iter().take(2.min(row.last - row.first))
    }

    fn play(&self, &Row { first, last, lead }: &Row, is_last: bool) -> Row {
        let (coin, first, last) =
            if is_last { (COINS[last - 1], first, last - 1) } else { (COINS[first], first + 1, last) };
        Row { first, last, lead: -(lead + coin) }
    }

    fn score(&self, row: &Row) -> Option<i32> {
        Some(row.lead)
    }

    fn max_score(&self) -> u32 {
        COINS.iter().sum::<i32>() as u32
    }

    fn layer(&self, row: &Row) -> Option<u32> {
        Some((row.last - row.first) as u32)
    }
}

impl Notation for Coins {
    fn text(&self, row: &Row) -> String {
        let coins = COINS[row.first..row.last].iter().map(i32::to_string).collect::<Vec<_>>().join(" ");
        format!("{}-{}: {coins} lead {}", row.first, row.last, row.lead).replace(":  ", ": ")
    }

    fn move_text(&self, _: &Row, is_last: bool) -> String {
        if is_last { "last" } else { "first" }.to_owned()
    }
}

/// A thief wants to reach the exit, a guard wants to catch the thief, and may not enter the exit. Both move along lines.
#[derive(Clone)]
struct Pursuit;

/// The places: where each is drawn, and where lines lead to. The first is the exit.
const PLACES: [((i32, i32), &[usize]); 7] = [
    ((40, 30), &[1, 2]),
    ((100, 20), &[0, 3]),
    ((40, 90), &[0, 4]),
    ((150, 50), &[1, 4, 5]),
    ((90, 110), &[2, 3, 6]),
    ((190, 90), &[3, 6]),
    ((150, 130), &[4, 5]),
];

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Chase {
    thief: usize,
    guard: usize,
    is_guards_turn: bool,
}

impl Game for Pursuit {
    type Position = Chase;
    type Move = usize;

    fn start(&self) -> Chase {
        Chase { thief: 6, guard: 1, is_guards_turn: false }
    }

    fn moves(&self, chase: &Chase) -> impl Iterator<Item = usize> {
        let is_over = chase.thief == 0 || chase.thief == chase.guard;
        let from = if chase.is_guards_turn { chase.guard } else { chase.thief };
        let may_enter = !chase.is_guards_turn;
        PLACES[from].1.iter().copied().filter(move |&to| !is_over && (to > 0 || may_enter))
    }

    fn play(&self, chase: &Chase, to: usize) -> Chase {
        match chase.is_guards_turn {
            true => Chase { guard: to, is_guards_turn: false, ..*chase },
            false => Chase { thief: to, is_guards_turn: true, ..*chase },
        }
    }

    fn end(&self, chase: &Chase) -> Outcome {
        let has_escaped = chase.thief == 0;
        if has_escaped == chase.is_guards_turn { Outcome::Loss } else { Outcome::Win }
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

impl Notation for Pursuit {
    fn text(&self, chase: &Chase) -> String {
        format!("{} {} {}", chase.thief, chase.guard, if chase.is_guards_turn { "guard" } else { "thief" })
    }

    fn move_text(&self, _: &Chase, to: usize) -> String {
        to.to_string()
    }

    fn picture(&self, chase: &Chase) -> Option<String> {
        let mut svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 230 160\" stroke=\"black\">".to_owned();
        for (n, ((x, y), to)) in PLACES.iter().enumerate() {
            for other in to.iter().filter(|other| **other > n) {
                let (x2, y2) = PLACES[*other].0;
                let _ = write!(svg, "<line x1=\"{x}\" y1=\"{y}\" x2=\"{x2}\" y2=\"{y2}\"/>");
            }
        }
        for (n, ((x, y), _)) in PLACES.iter().enumerate() {
            let (fill, name) = match (n == chase.thief, n == chase.guard, n) {
                (true, ..) => ("orange", "T"),
                (_, true, _) => ("skyblue", "G"),
                (.., 0) => ("white", "exit"),
                _ => ("white", ""),
            };
            let _ = write!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"15\" fill=\"{fill}\"/>");
            let _ = write!(
                svg,
                "<text x=\"{x}\" y=\"{}\" stroke=\"none\" font-size=\"13\" text-anchor=\"middle\">{name}</text>",
                y + 5
            );
        }
        Some(svg + "</svg>")
    }
}

fn main() -> ExitCode {
    Command::new()
        .game("euclid", Euclid)
        .game_on_boards("chocolate", "3x4", |board| Some(Chomp { board }))
        .game("coins", Coins)
        .game("pursuit", Pursuit)
        .run()
}
