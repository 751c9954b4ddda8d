//! Puzzles to print: sheets of A4 with twelve each, and the answers on sheets of their own.

use std::fmt::Write;

use balpan_games::{AnyGame, Notation, Task};

use crate::board::svg::{draw_of, size_of};
use crate::board::{Drawing, drawing, tint};
use crate::lines::wrapped;
use crate::svg::{escaped, text_width};

/// Puzzles of one sheet.
pub const ON_A_SHEET: usize = COLS * ROWS;

const STYLE: &str = include_str!("puzzle/style.css");

const COLS: usize = 3;
const ROWS: usize = 4;
/// A4 in pixels, 96 to the inch.
const PAGE: (f64, f64) = (794.0, 1123.0);
const MARGIN: f64 = 44.0;
/// The size of the heading, which is bold, and so wider than other words.
const TITLE: f64 = 21.0;
/// Above the puzzles, for the heading, and below them, for the number of the page.
const HEAD: f64 = 98.0;
const FOOT: f64 = 34.0;
/// From the top of a puzzle's place to its board.
const CAPTION: f64 = 38.0;
/// For the numbers beside a board.
const NUMBERS: f64 = 15.0;
/// The largest board, without the numbers: of a puzzle, and of an answer.
const LARGEST: [(f64, f64); 2] = [(188.0, 158.0), (150.0, 104.0)];
const LARGEST_CELL: [f64; 2] = [40.0, 26.0];
/// The words of an answer: their size, and from line to line.
const WORDS: f64 = 10.0;
const LINE: f64 = 12.5;
/// Lines that a line of play may take, and all words.
const MOST_OF_PLAY: usize = 4;
const MOST_LINES: usize = 7;

/// How hard a puzzle is for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A few moves to compare, and none goes far.
    Easy,
    /// Harder than that.
    Medium,
    /// Long, and other moves look as good.
    Hard,
    /// Very long, with moves that fail late.
    VeryHard,
}

impl Level {
    /// In a word of English, as JSON has it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Easy => "easy",
            Self::Medium => "medium",
            Self::Hard => "hard",
            Self::VeryHard => "very hard",
        }
    }
}

/// Puzzles of a game, as sheets have them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzles {
    /// What stands above them: the game, its size and its rules.
    pub title: String,
    /// In the order in which they are drawn.
    pub puzzles: Vec<Puzzle>,
}

/// A position with exactly one winning move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position's text.
    pub position: String,
    /// The player to move, who wins.
    pub to_move: &'static str,
    /// The task in words.
    pub task: String,
    /// The winning move.
    pub winning: String,
    /// Best moves to the end.
    pub line: Vec<String>,
    /// What becomes of the other moves, told at length and then ever more shortly, each in
    /// lines: what is printed is the first for which there is room.
    pub failures: Vec<Vec<String>>,
}

/// A sheet and its answers, each an SVG file that needs nothing else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// Twelve puzzles at most.
    pub puzzles: String,
    /// The answers to them.
    pub answers: String,
}

/// The sheets of these puzzles of a game.
#[must_use]
pub fn sheets(game: &AnyGame, puzzles: &Puzzles) -> Vec<Sheet> {
    let pages: Vec<_> = puzzles.puzzles.chunks(ON_A_SHEET).collect();
    let page = |(number, of_page): (usize, &&[Puzzle])| {
        let page = Page { puzzles, of_page, first: number * ON_A_SHEET, number, pages: pages.len() };
        Sheet { puzzles: page.drawn(game, false), answers: page.drawn(game, true) }
    };
    pages.iter().enumerate().map(page).collect()
}

struct Page<'a> {
    puzzles: &'a Puzzles,
    of_page: &'a [Puzzle],
    /// Puzzles on the sheets before.
    first: usize,
    /// From 0.
    number: usize,
    pages: usize,
}

impl Page<'_> {
    fn drawn(&self, game: &AnyGame, answers: bool) -> String {
        let (width, height) = PAGE;
        let end = if answers { ": answers" } else { "" };
        let heading = escaped(&(shortened(&self.puzzles.title, width - 2.0 * MARGIN - text_width(end, TITLE)) + end));
        let about = if answers {
            // On heaps there is nothing to frame.
            match game {
                AnyGame::Heaps(_) => "The winning move; a best line; and what becomes of moves that tempt.",
                _ => "The winning move, its cells framed; a best line; and what becomes of moves that tempt.",
            }
        } else {
            "One move wins, in so many plies, whatever the other player replies; no other move does. Which one?"
        };
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="sheet" viewBox="0 0 {width} {height}" width="210mm" height="297mm" role="img" aria-label="{heading}">"#
        );
        let _ = write!(out, r#"<style>{STYLE}</style><rect class="paper" width="{width}" height="{height}"/>"#);
        let _ = write!(out, r#"<text class="heading" x="{MARGIN}" y="54">{heading}</text>"#);
        let _ = write!(out, r#"<text class="muted" x="{MARGIN}" y="75">{about}</text>"#);
        let place = ((width - 2.0 * MARGIN) / COLS as f64, (height - HEAD - FOOT) / ROWS as f64);
        for (n, puzzle) in self.of_page.iter().enumerate() {
            let (x, y) = (MARGIN + (n % COLS) as f64 * place.0, HEAD + (n / COLS) as f64 * place.1);
            let _ = write!(out, r#"<g transform="translate({x:.1} {y:.1})">"#);
            let room = place.0 - 14.0;
            game.run(Draw { out: &mut out, puzzle, number: self.first + n + 1, room, answers });
            out.push_str("</g>");
        }
        if self.pages > 1 {
            let (x, y, number) = (width - MARGIN, height - 18.0, self.number + 1);
            let _ = write!(out, r#"<text class="foot" x="{x}" y="{y}">{number} / {}</text>"#, self.pages);
        }
        out + "</svg>\n"
    }
}

/// As much of a heading as there is room for.
fn shortened(heading: &str, room: f64) -> String {
    if text_width(heading, TITLE) <= room {
        return heading.to_owned();
    }
    let mut heading = heading.to_owned();
    while heading.pop().is_some() && text_width(&heading, TITLE) + text_width("…", TITLE) > room {}
    heading + "…"
}

/// One puzzle or answer, in its place.
struct Draw<'a> {
    out: &'a mut String,
    puzzle: &'a Puzzle,
    number: usize,
    /// For lines of words.
    room: f64,
    answers: bool,
}

impl Task for Draw<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let Self { out, puzzle, number, room, answers } = self;
        let number = number.to_string();
        let after = text_width(&number, 15.0) + 8.0;
        let _ = write!(out, r#"<text class="number" x="0" y="14">{number}</text>"#);
        let (class, words) = if answers { ("answer", puzzle.winning.clone()) } else { ("task", puzzle.task.clone()) };
        let _ = write!(out, r#"<text class="{class}" x="{after:.1}" y="14">{}</text>"#, escaped(&words));
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
        let _ = write!(out, r#"<g transform="translate({NUMBERS} {CAPTION})">"#);
        draw_of(out, &drawing, cell, tint(puzzle.to_move));
        write_numbers(out, &drawing, cell, game.first_column());
        out.push_str("</g>");
        if answers {
            let top = CAPTION + size_of(&drawing, cell).1 + 18.0;
            write_words(out, puzzle, room, top);
        }
    }
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

/// The numbers of rows and columns, as moves have them.
fn write_numbers(out: &mut String, drawing: &Drawing, cell: f64, first_column: usize) {
    let Drawing::Board(board) = drawing else {
        return;
    };
    // Two digits need some room, or every fifth is numbered.
    let every = if cell < 14.0 { 5 } else { 1 };
    for col in (0..board.cols).filter(|col| (col + first_column).is_multiple_of(every)) {
        let x = (col as f64 + 0.5) * cell;
        let _ = write!(out, r#"<text class="at" x="{x:.1}" y="-7">{}</text>"#, col + first_column);
    }
    // Where columns alone are numbered, rows have no use for numbers.
    for row in (0..board.rows).filter(|row| first_column == 0 && row.is_multiple_of(every)) {
        let y = (row as f64 + 0.5) * cell + 3.5;
        let _ = write!(out, r#"<text class="at" x="-10" y="{y:.1}">{row}</text>"#);
    }
}

/// A best line, in lines that fit, or as much of it as there is room for.
fn line_of(puzzle: &Puzzle, fits: impl Fn(&str) -> bool) -> Vec<String> {
    let mut lines = wrapped(&puzzle.line.join(" "), fits);
    if lines.len() > MOST_OF_PLAY {
        lines.truncate(MOST_OF_PLAY - 1);
        lines.push("…".to_owned());
    }
    lines
}

/// A best line, and what becomes of as many wrong moves as there is room for.
fn write_words(out: &mut String, puzzle: &Puzzle, room: f64, top: f64) {
    let fits = |line: &str| text_width(line, WORDS) <= room;
    let line = line_of(puzzle, fits);
    let many = line.len();
    let failures = |failures: &Vec<String>| -> Vec<String> {
        failures.iter().flat_map(|failure| wrapped(failure, fits)).collect()
    };
    let failures = puzzle.failures.iter().map(failures).find(|failures| many + failures.len() <= MOST_LINES);
    for (n, words) in line.into_iter().chain(failures.unwrap_or_default()).enumerate() {
        // The line of play stands a bit apart.
        let y = top + n as f64 * LINE + if n < many { 0.0 } else { 4.0 };
        let _ = write!(out, r#"<text class="words" x="0" y="{y:.1}">{}</text>"#, escaped(&words));
    }
}
