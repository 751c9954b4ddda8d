//! One puzzle or answer in its place on a sheet.

use std::fmt::Write;

use balpan_games::{Notation, Task};

use super::{PLACE, Puzzle, TEXT_WIDTH};
use crate::board::{Drawing, MAX_TOKENS, draw_with_cell, drawing, size_with_cell};
use crate::text::{escaped, truncate_lines, width, wrap};

/// The distance from the top of a place to its board with a caption of one line, and for each further line.
const CAPTION: f64 = 38.0;
const CAPTION_LINE: f64 = 16.0;
/// Text lines of the task or of the winning move.
const MAX_CAPTION_LINES: usize = 2;
/// Room for the numbers beside a board.
const NUMBERS: f64 = 20.0;
/// The font size of the numbers, and the minimum distance between two.
const NUMBER_FONT: f64 = 9.5;
const MIN_GAP: f64 = 3.0;
/// The size of the largest board, without the numbers: of a puzzle, and of an answer.
const MAX_BOARD: [(f64, f64); 2] = [(188.0, 158.0), (150.0, 104.0)];
const MAX_CELL: [f64; 2] = [40.0, 26.0];
/// The font size and the line height of the words of an answer.
const WORDS_FONT: f64 = 10.0;
const LINE: f64 = 12.5;
/// The distance from a board to the first line below it, and the extra distance after the line of play.
const BELOW: f64 = 18.0;
const GAP_AFTER_PLAY: f64 = 4.0;
/// Text lines that a line of play may take.
const MAX_PLAY_LINES: usize = 4;

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
        let marked = winning.filter(|_| answers).map_or(0, |mv| game.move_cells(&position, mv));
        let drawing = drawing(game, &position, marked);
        let cell = cell_size(&drawing, answers);
        // Writing to a string cannot fail.
        let _ = write!(out, r#"<g transform="translate({NUMBERS} {caption})">"#);
        let height = match &drawing {
            Drawing::Heaps { heaps, largest, .. } if are_listed(*largest, cell) => {
                list_heaps(out, heaps, MAX_BOARD[usize::from(answers)])
            }
            _ => {
                draw_with_cell(out, &drawing, cell, puzzle.to_move.index());
                write_numbers(out, &drawing, cell, game.first_column());
                size_with_cell(&drawing, cell).1
            }
        };
        out.push_str("</g>");
        if answers {
            write_words(out, puzzle, caption + height + BELOW);
        }
    }
}

/// Writes the number, then the task and its level or the winning move. Returns the number of lines.
fn write_caption(out: &mut String, puzzle: &Puzzle, number: usize, answers: bool) -> usize {
    let number = number.to_string();
    let left = width(&number, 15.0, true) + 8.0;
    let room = TEXT_WIDTH - left;
    let (class, words, font) = if answers { ("answer", &puzzle.winning, 13.0) } else { ("task", &puzzle.task, 12.5) };
    let lines = truncate_lines(wrap(words, room, font, answers), MAX_CAPTION_LINES, room, font, answers);
    let _ = write!(out, r#"<text class="number" x="0" y="14">{number}</text>"#);
    let level = (!answers).then_some(("level", puzzle.level.as_str()));
    let all = lines.iter().map(|line| (class, line.as_str())).chain(level);
    let mut count = 0;
    for (class, line) in all {
        let y = 14.0 + CAPTION_LINE * count as f64;
        let _ = write!(out, r#"<text class="{class}" x="{left:.1}" y="{y:.1}">{}</text>"#, escaped(line));
        count += 1;
    }
    count.max(1)
}

/// Returns the largest side of a cell with which a drawing fits in its place.
fn cell_size(drawing: &Drawing, answers: bool) -> f64 {
    let (unit_width, unit_height) = match drawing {
        Drawing::Board(board) => (board.cols as f64, board.rows as f64),
        Drawing::Heaps { rows, .. } => (10.0, (*rows).max(1) as f64 + 0.5),
    };
    let (width, height) = MAX_BOARD[usize::from(answers)];
    (width / unit_width).min(height / unit_height).min(MAX_CELL[usize::from(answers)])
}

/// Writes the numbers of rows and columns, as moves have them: every one, or every second, fifth and so on,
/// as room permits.
fn write_numbers(out: &mut String, drawing: &Drawing, cell: f64, first_column: usize) {
    let Drawing::Board(board) = drawing else {
        return;
    };
    let every = |room: f64| [1, 2, 5, 10, 20, 50].into_iter().find(|n| *n as f64 * cell >= room).unwrap_or(100);
    let widest = width(&(board.cols + first_column - 1).to_string(), NUMBER_FONT, false);
    let cols = every(widest + MIN_GAP);
    for col in (0..board.cols).filter(|col| (col + first_column).is_multiple_of(cols)) {
        let x = (col as f64 + 0.5) * cell;
        let _ = write!(out, r#"<text class="at" x="{x:.1}" y="-7">{}</text>"#, col + first_column);
    }
    // Games whose moves number columns alone have no row numbers.
    let rows = every(NUMBER_FONT + MIN_GAP);
    for row in (0..board.rows).filter(|row| first_column == 0 && row.is_multiple_of(rows)) {
        let y = (row as f64 + 0.5) * cell + 3.5;
        let _ = write!(out, r#"<text class="at row" x="-7" y="{y:.1}">{row}</text>"#);
    }
}

/// Writes a best line, and the longest description of wrong moves that fits.
fn write_words(out: &mut String, puzzle: &Puzzle, top: f64) {
    let wrap = |words: &str| wrap(words, TEXT_WIDTH, WORDS_FONT, false);
    let play = truncate_lines(wrap(&puzzle.line.join(" ")), MAX_PLAY_LINES, TEXT_WIDTH, WORDS_FONT, false);
    let play_lines = play.len();
    let most = ((PLACE.1 - MIN_GAP - GAP_AFTER_PLAY - top) / LINE).max(0.0) as usize + 1;
    let failures = |failures: &Vec<String>| failures.iter().flat_map(|words| wrap(words)).collect();
    let mut failures = puzzle.failures.iter().map(failures);
    let fitting = failures.find(|failures: &Vec<String>| play_lines + failures.len() <= most);
    for (n, words) in play.into_iter().chain(fitting.unwrap_or_default()).enumerate() {
        let y = top + n as f64 * LINE + if n < play_lines { 0.0 } else { GAP_AFTER_PLAY };
        let _ = write!(out, r#"<text class="words" x="0" y="{y:.1}">{}</text>"#, escaped(&words));
    }
}

/// Font sizes to try, and the height of a line in font sizes.
const HEAP_FONTS: [f64; 5] = [12.0, 10.0, 8.5, 7.0, 6.0];
const HEAP_LINE: f64 = 1.3;
/// Room between the frame and the words.
const PADDING: f64 = 4.0;

/// Whether there are too many or too large heaps to draw as tokens: whether rows of this height are too low to draw heaps, so that their sizes are listed instead.
fn are_listed(largest: u16, row: f64) -> bool {
    // Numbers need higher rows than tokens do.
    row < if largest <= MAX_TOKENS { 5.0 } else { 15.0 }
}

/// Draws the sizes within this width and height. Returns the height used.
fn list_heaps(out: &mut String, heaps: &[u16], (width, height): (f64, f64)) -> f64 {
    let text = heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ");
    let room = width - 2.0 * PADDING;
    let max_lines = |font: f64| ((height - 2.0 * PADDING) / (font * HEAP_LINE)) as usize;
    let lines = |font: f64| wrap(&text, room, font, false);
    let smallest = HEAP_FONTS[HEAP_FONTS.len() - 1];
    let font = HEAP_FONTS.into_iter().find(|font| lines(*font).len() <= max_lines(*font)).unwrap_or(smallest);
    let lines = truncate_lines(lines(font), max_lines(font), room, font, false);
    let height = 2.0 * PADDING + lines.len() as f64 * font * HEAP_LINE;
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        r#"<rect class="t-card" x="-3" y="-3" width="{}" height="{:.1}" rx="5"/>"#,
        width + 6.0,
        height + 6.0
    );
    for (n, line) in lines.iter().enumerate() {
        let y = PADDING + (n as f64 + 1.0) * font * HEAP_LINE - font * 0.3;
        let _ = write!(out, r#"<text class="heap" style="font-size: {font}px" x="{PADDING}" y="{y:.1}">{line}</text>"#);
    }
    height
}
