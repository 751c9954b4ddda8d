//! A page about a game that is none of the families: Chomp, with positions as text, a board, the
//! value of every move and the game tree. Prints HTML.

use balpan::{Budget, Engine, Game, Watch};
use balpan_games::error::CustomError;
use balpan_games::{Board, Notation, PlayerName, Query, TextEngine, TextError};
use balpan_pictures::board::position_svg;
use balpan_pictures::tree::{TreeOptions, ViewOptions, build_tree_for};

/// The squares left in each row, from the top.
type Rows = [u8; 3];

/// Chomp on a 3x4 bar: eat a square, with all squares below it and to its right. The top left one is poisoned.
#[derive(Clone, Copy)]
struct Chomp;

impl Game for Chomp {
    type Position = Rows;
    type Move = (usize, u8);

    fn start(&self) -> Rows {
        [4; 3]
    }

    fn moves(&self, rows: &Rows) -> impl Iterator<Item = (usize, u8)> {
        (0..3).flat_map(|row| (0..rows[row]).map(move |stay| (row, stay))).skip(1)
    }

    fn play(&self, rows: &Rows, (row, stay): (usize, u8)) -> Rows {
        std::array::from_fn(|r| if r < row { rows[r] } else { rows[r].min(stay) })
    }
}

/// Creates the error about a text that is not a position.
fn wrong(text: &str, found: &str) -> TextError {
    let expected = "three rows of up to four `.`, none longer than the one above it: ..../../.";
    let mistake = CustomError { found: found.to_owned(), expected: expected.to_owned() };
    TextError::in_position(text, 0..text.len(), mistake)
}

impl Notation for Chomp {
    fn board(&self) -> Option<Board> {
        Board::new(3, 4).ok()
    }

    /// `..../../.` has four, two and one square left.
    fn parse(&self, text: &str) -> Result<Rows, TextError> {
        let rows: Vec<_> = text.trim().split('/').collect();
        let [first, second, third] = rows[..] else { return Err(wrong(text, "not three rows")) };
        if rows.iter().any(|row| row.contains(|c| c != '.')) {
            return Err(wrong(text, "something that is no square"));
        }
        if first.is_empty() || first.len() > 4 || second.len() > first.len() || third.len() > second.len() {
            return Err(wrong(text, "rows that cannot be left"));
        }
        Ok([first.len() as u8, second.len() as u8, third.len() as u8])
    }

    fn text(&self, rows: &Rows) -> String {
        rows.map(|row| ".".repeat(row.into())).join("/")
    }

    /// The square that is eaten: `1,2` is row 1, column 2, from 0.
    fn move_text(&self, _rows: &Rows, (row, stay): (usize, u8)) -> String {
        format!("{row},{stay}")
    }

    /// Returns the character of each cell. `#` is drawn as a filled cell.
    fn glyph(&self, rows: &Rows, cell: usize) -> char {
        if cell % 4 < usize::from(rows[cell / 4]) { '.' } else { '#' }
    }

    /// The cells that a move changes, one bit each.
    fn move_cells(&self, rows: &Rows, mv: (usize, u8)) -> u128 {
        let after = self.play(rows, mv);
        let eaten = |cell: &usize| self.glyph(rows, *cell) != self.glyph(&after, *cell);
        (0..12).filter(eaten).fold(0, |cells, cell| cells | 1 << cell)
    }

    fn players(&self, _rows: &Rows) -> [PlayerName; 2] {
        PlayerName::BY_TURN
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let watch = Watch::default();
    let position = "..../../.";

    // Text in, text out. As JSON, the answer has the fields of `balpan solve --json`.
    let mut engine = Engine::new(Chomp, Budget::default());
    let answer = TextEngine::ask(&mut engine, "chomp", position, Query::default(), &watch, &mut |_| {})?;
    let length = |plies: Option<u32>| plies.map_or_else(|| "draw".to_owned(), |plies| format!("{plies} plies"));

    println!("<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Chomp</title><h1>Chomp</h1>");
    println!("{}", position_svg(&Chomp, &Chomp.parse(position)?, 0, position));
    println!("<p>The {} wins.</p><ul>", answer.winner.map_or("nobody", PlayerName::as_str));
    for mv in &answer.moves {
        let outcome = mv.outcome.map(|outcome| outcome.to_string()).unwrap_or_default();
        println!("<li><code>{}</code>: {outcome}, {}</li>", mv.text, length(mv.remoteness));
    }
    println!("</ul><h2>The first moves</h2>");
    let options = TreeOptions {
        depth: Some(1),
        alpha_beta: false,
        max_positions: 1_000,
        memory: 1 << 20,
        threads: 1,
        oracle: None,
    };
    println!("{}", build_tree_for(&Chomp, "Chomp", options, &watch)?.svg(&ViewOptions::default()));
    Ok(())
}
