//! One puzzle or answer, in its place on a sheet.

use std::fmt::Write;

use balpan_games::{Notation, Task};

use super::heaps;
use super::widths::{at_most, lines, width};
use super::{PLACE, Puzzle, ROOM};
use crate::board::svg::{draw_of, size_of};
use crate::board::{Drawing, drawing, tint};
use crate::svg::escaped;

/// From the top of a place to its board, where the caption is one line; and for each more.
const CAPTION: f64 = 38.0;
const CAPTION_LINE: f64 = 16.0;
/// Lines of the task or of the winning move.
const MOST_OF_CAPTION: usize = 2;
/// For the numbers beside a board.
const NUMBERS: f64 = 20.0;
/// The size of the numbers, and the least from one to the next.
const NUMBER: f64 = 9.5;
const APART: f64 = 3.0;
/// The largest board, without the numbers: of a puzzle, and of an answer.
const LARGEST: [(f64, f64); 2] = [(188.0, 158.0), (150.0, 104.0)];
const LARGEST_CELL: [f64; 2] = [40.0, 26.0];
/// The words of an answer: their size, and from line to line.
const WORDS: f64 = 10.0;
const LINE: f64 = 12.5;
/// From a board to the first line below it, and from the line of play to the others.
const BELOW: f64 = 18.0;
const STEP: f64 = 4.0;
/// Lines that a line of play may take.
const MOST_OF_PLAY: usize = 4;

/// One puzzle or answer.
pub(super) struct Draw<'a> {
    pub(super) out: &'a mut String,
    pub(super) puzzle: &'a Puzzle,
    pub(super) number: usize,
    pub(super) answers: bool,
}

impl Task for Draw<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let Self { out, puzzle, number, answers } = self;
        let caption = CAPTION + (write_caption(out, puzzle, number, answers) - 1) as f64 * CAPTION_LINE;
        let Ok(position) = game.parse(&puzzle.position) else {
            return;
        };
        let winning = game.moves(&position).find(|mv| game.move_text(&position, *mv) == puzzle.winning);
        let marked = winning.filter(|_| answers).map_or(0, |mv| game.marked(&position, mv));
        let mut drawing = drawing(game, &position, marked);
        if let Drawing::Heaps { heaps, rows, largest } = &mut drawing {
            (*rows, *largest) = (heaps.len(), heaps.iter().copied().max().unwrap_or(0));
        }
        let cell = cell_of(&drawing, answers);
        // Writing to a string cannot fail.
        let _ = write!(out, r#"<g transform="translate({NUMBERS} {caption})">"#);
        let height = match &drawing {
            Drawing::Heaps { heaps, largest, .. } if heaps::are_listed(*largest, cell) => {
                heaps::draw(out, heaps, LARGEST[usize::from(answers)])
            }
            _ => {
                draw_of(out, &drawing, cell, tint(puzzle.to_move));
                write_numbers(out, &drawing, cell, game.first_column());
                size_of(&drawing, cell).1
            }
        };
        out.push_str("</g>");
        if answers {
            write_words(out, puzzle, caption + height + BELOW);
        }
    }
}

/// The number, and the task with how hard it is, or the winning move. How many lines.
fn write_caption(out: &mut String, puzzle: &Puzzle, number: usize, answers: bool) -> usize {
    let number = number.to_string();
    let left = width(&number, 15.0, true) + 8.0;
    let room = ROOM - left;
    let (class, words, font) = if answers { ("answer", &puzzle.winning, 13.0) } else { ("task", &puzzle.task, 12.5) };
    let told = at_most(lines(words, room, font, answers), MOST_OF_CAPTION, room, font, answers);
    let _ = write!(out, r#"<text class="number" x="0" y="14">{number}</text>"#);
    let level = (!answers).then_some(("level", puzzle.level.as_str()));
    let all = told.iter().map(|line| (class, line.as_str())).chain(level);
    let mut y = 14.0;
    let mut many = 0;
    for (class, line) in all {
        let _ = write!(out, r#"<text class="{class}" x="{left:.1}" y="{y:.1}">{}</text>"#, escaped(line));
        (y, many) = (y + CAPTION_LINE, many + 1);
    }
    many.max(1)
}

/// The side of a cell with which a drawing fits in its place.
fn cell_of(drawing: &Drawing, answers: bool) -> f64 {
    let (unit_width, unit_height) = match drawing {
        Drawing::Board(board) => (board.cols as f64, board.rows as f64),
        Drawing::Heaps { rows, .. } => (10.0, (*rows).max(1) as f64 + 0.5),
    };
    let (width, height) = LARGEST[usize::from(answers)];
    (width / unit_width).min(height / unit_height).min(LARGEST_CELL[usize::from(answers)])
}

/// The numbers of rows and columns, as moves have them: each, or every second, fifth and so
/// on, as there is room.
fn write_numbers(out: &mut String, drawing: &Drawing, cell: f64, first_column: usize) {
    let Drawing::Board(board) = drawing else {
        return;
    };
    let every = |room: f64| [1, 2, 5, 10, 20, 50].into_iter().find(|n| *n as f64 * cell >= room).unwrap_or(100);
    let widest = width(&(board.cols + first_column - 1).to_string(), NUMBER, false);
    let cols = every(widest + APART);
    for col in (0..board.cols).filter(|col| (col + first_column).is_multiple_of(cols)) {
        let x = (col as f64 + 0.5) * cell;
        let _ = write!(out, r#"<text class="at" x="{x:.1}" y="-7">{}</text>"#, col + first_column);
    }
    // Where columns alone are numbered, rows have no use for numbers.
    let rows = every(NUMBER + APART);
    for row in (0..board.rows).filter(|row| first_column == 0 && row.is_multiple_of(rows)) {
        let y = (row as f64 + 0.5) * cell + 3.5;
        let _ = write!(out, r#"<text class="at row" x="-7" y="{y:.1}">{row}</text>"#);
    }
}

/// A best line, and what becomes of as many wrong moves as there is room for.
fn write_words(out: &mut String, puzzle: &Puzzle, top: f64) {
    let line = at_most(lines(&puzzle.line.join(" "), ROOM, WORDS, false), MOST_OF_PLAY, ROOM, WORDS, false);
    let many = line.len();
    let most = ((PLACE.1 - APART - STEP - top) / LINE).max(0.0) as usize + 1;
    let failures =
        |failures: &Vec<String>| failures.iter().flat_map(|words| lines(words, ROOM, WORDS, false)).collect();
    let fitting = puzzle.failures.iter().map(failures).find(|failures: &Vec<String>| many + failures.len() <= most);
    for (n, words) in line.into_iter().chain(fitting.unwrap_or_default()).enumerate() {
        // The line of play stands a bit apart.
        let y = top + n as f64 * LINE + if n < many { 0.0 } else { STEP };
        let _ = write!(out, r#"<text class="words" x="0" y="{y:.1}">{}</text>"#, escaped(&words));
    }
}
