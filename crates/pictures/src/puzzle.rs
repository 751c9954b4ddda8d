//! Puzzles to print: A4 sheets of twelve puzzles each, and sheets of their answers.

use balpan::{Outcome, Verdict};
use balpan_games::{AnyGame, ErasedGame, Notation, PlayerName};

use crate::board::{Drawing, MAX_TOKENS, draw_with_cell, drawing, size_with_cell};
use crate::text::{escaped, truncate_lines, width, wrap};
use crate::words::{Lang, name};

/// Puzzles on one sheet.
pub const ON_A_SHEET: usize = COLS * ROWS;

const STYLE: &str = include_str!("puzzle/style.css");

const COLS: usize = 3;
const ROWS: usize = 4;
/// A4 in pixels of 1/96 inch.
const PAGE: (f64, f64) = (794.0, 1123.0);
const MARGIN: f64 = 44.0;
/// Font sizes of the heading and of the explanation below it, smaller ones for longer texts.
const TITLE_FONTS: [f64; 3] = [19.0, 16.0, 13.0];
const ABOUT_FONTS: [f64; 3] = [12.0, 11.0, 10.0];
/// Room above the puzzles for the heading, and below them for the page number.
const HEAD: f64 = 98.0;
const FOOT: f64 = 34.0;
/// The size of a puzzle's place on the sheet, and the width of its text.
const PLACE: (f64, f64) = ((PAGE.0 - 2.0 * MARGIN) / COLS as f64, (PAGE.1 - HEAD - FOOT) / ROWS as f64);
const TEXT_WIDTH: f64 = PLACE.0 - 14.0;

/// The difficulty of a puzzle for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// A few moves to compare, and none goes far.
    Easy,
    /// Harder than easy.
    Medium,
    /// Long, and other moves look as good.
    Hard,
    /// Very long, with moves that fail late.
    VeryHard,
}

impl Level {
    /// Returns the English name, which JSON uses.
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

/// Puzzles of a game, for printing on sheets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzles {
    /// The heading: the game, its size and its rules.
    pub title: String,
    /// The language of all words.
    pub lang: Lang,
    /// The puzzles, in the order in which they are drawn.
    pub puzzles: Vec<Puzzle>,
}

/// A position with exactly one winning move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Puzzle {
    /// The position's text.
    pub position: String,
    /// The player to move, who wins.
    pub to_move: PlayerName,
    /// The task in words.
    pub task: String,
    /// The difficulty in words.
    pub level: String,
    /// The winning move.
    pub winning: String,
    /// Best moves to the end.
    pub line: Vec<String>,
    /// Descriptions of the other moves' failures, each in lines, from the longest description to the shortest.
    /// The first one that fits is printed.
    pub failures: Vec<Vec<String>>,
}

/// A sheet of puzzles and the sheet of their answers, each a self-contained SVG file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sheet {
    /// At most twelve puzzles.
    pub puzzles: String,
    /// The answers to these puzzles.
    pub answers: String,
}

/// Draws the sheets of a game's puzzles.
#[must_use]
pub fn sheets(game: &AnyGame, puzzles: &Puzzles) -> Vec<Sheet> {
    let pages: Vec<_> = puzzles.puzzles.chunks(ON_A_SHEET).collect();
    let page = |(number, of_page): (usize, &&[Puzzle])| {
        let page = Page { puzzles, of_page, first: number * ON_A_SHEET, number, pages: pages.len() };
        Sheet { puzzles: page.draw(game, false), answers: page.draw(game, true) }
    };
    pages.iter().enumerate().map(page).collect()
}

struct Page<'a> {
    puzzles: &'a Puzzles,
    of_page: &'a [Puzzle],
    /// The number of puzzles on earlier sheets.
    first: usize,
    /// The page number, from 0.
    number: usize,
    pages: usize,
}

impl Page<'_> {
    fn draw(&self, game: &AnyGame, answers: bool) -> String {
        let (paper, height) = PAGE;
        let lang = self.puzzles.lang;
        let room = paper - 2.0 * MARGIN;
        let end = if answers { answers_of(lang) } else { "" };
        let font = fitting_font(&(self.puzzles.title.clone() + end), &TITLE_FONTS, room, true);
        let title_room = room - width(end, font, true);
        let title = truncate_lines(wrap(&self.puzzles.title, title_room, font, true), 1, title_room, font, true);
        let heading = escaped(&(title.concat() + end));
        let about = if answers { about_answers(lang, game.board().is_some()) } else { about_puzzles(lang) };
        let small = fitting_font(about, &ABOUT_FONTS, room, false);
        let mut out = String::new();
        put!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="sheet" viewBox="0 0 {paper} {height}" width="210mm" height="297mm" role="img" lang="{}" aria-label="{heading}">"#,
            lang.code()
        );
        put!(out, r#"<style>{STYLE}</style><rect class="paper" width="{paper}" height="{height}"/>"#);
        put!(out, r#"<text class="heading" style="font-size: {font}px" x="{MARGIN}" y="54">{heading}</text>"#);
        put!(out, r#"<text class="muted" style="font-size: {small}px" x="{MARGIN}" y="75">{about}</text>"#);
        for (n, puzzle) in self.of_page.iter().enumerate() {
            let (x, y) = (MARGIN + (n % COLS) as f64 * PLACE.0, HEAD + (n / COLS) as f64 * PLACE.1);
            put!(out, r#"<g transform="translate({x:.1} {y:.1})">"#);
            draw(&mut out, &game.erased(), puzzle, self.first + n + 1, answers);
            out.push_str("</g>");
        }
        if self.pages > 1 {
            let (x, y, words) = (paper - MARGIN, height - 18.0, page(lang, self.number + 1, self.pages));
            put!(out, r#"<text class="foot" x="{x}" y="{y}">{words}</text>"#);
        }
        out + "</svg>\n"
    }
}

/// Returns the largest of these font sizes in which a text fits, or else the smallest.
fn fitting_font(text: &str, fonts: &[f64; 3], room: f64, is_bold: bool) -> f64 {
    fonts.iter().copied().find(|font| width(text, *font, is_bold) <= room).unwrap_or(fonts[2])
}

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

/// Draws one puzzle or answer.
fn draw(out: &mut String, game: &ErasedGame, puzzle: &Puzzle, number: usize, answers: bool) {
    let caption = CAPTION + (write_caption(out, puzzle, number, answers) - 1) as f64 * CAPTION_LINE;
    let Ok(position) = game.parse(&puzzle.position) else {
        return;
    };
    let winning = game.find_move(&position, &puzzle.winning);
    let marked = winning.filter(|_| answers).map_or(0, |mv| game.move_cells(&position, mv));
    let drawing = drawing(game, &position, marked);
    let cell = cell_size(&drawing, answers);
    put!(out, r#"<g transform="translate({NUMBERS} {caption})">"#);
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

/// Writes the number, then the task and its level or the winning move. Returns the number of lines.
fn write_caption(out: &mut String, puzzle: &Puzzle, number: usize, answers: bool) -> usize {
    let number = number.to_string();
    let left = width(&number, 15.0, true) + 8.0;
    let room = TEXT_WIDTH - left;
    let (class, words, font) = if answers { ("answer", &puzzle.winning, 13.0) } else { ("task", &puzzle.task, 12.5) };
    let lines = truncate_lines(wrap(words, room, font, answers), MAX_CAPTION_LINES, room, font, answers);
    put!(out, r#"<text class="number" x="0" y="14">{number}</text>"#);
    let level = (!answers).then_some(("level", puzzle.level.as_str()));
    let all = lines.iter().map(|line| (class, line.as_str())).chain(level);
    let mut count = 0;
    for (class, line) in all {
        let y = 14.0 + CAPTION_LINE * count as f64;
        put!(out, r#"<text class="{class}" x="{left:.1}" y="{y:.1}">{}</text>"#, escaped(line));
        count += 1;
    }
    count.max(1)
}

/// Returns the largest side of a cell with which a drawing fits in its place.
fn cell_size(drawing: &Drawing, answers: bool) -> f64 {
    let (unit_width, unit_height) = match drawing {
        Drawing::Board(board) => (board.cols as f64, board.rows as f64),
        Drawing::Heaps { rows, .. } => (10.0, (*rows).max(1) as f64 + 0.5),
        Drawing::Text(_) => size_with_cell(drawing, 1.0),
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
        put!(out, r#"<text class="at" x="{x:.1}" y="-7">{}</text>"#, col + first_column);
    }
    // Games whose moves number columns alone have no row numbers.
    let rows = every(NUMBER_FONT + MIN_GAP);
    for row in (0..board.rows).filter(|row| first_column == 0 && row.is_multiple_of(rows)) {
        let y = (row as f64 + 0.5) * cell + 3.5;
        put!(out, r#"<text class="at row" x="-7" y="{y:.1}">{row}</text>"#);
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
        put!(out, r#"<text class="words" x="0" y="{y:.1}">{}</text>"#, escaped(&words));
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
    put!(out, r#"<rect class="t-card" x="-3" y="-3" width="{}" height="{:.1}" rx="5"/>"#, width + 6.0, height + 6.0);
    for (n, line) in lines.iter().enumerate() {
        let y = PADDING + (n as f64 + 1.0) * font * HEAP_LINE - font * 0.3;
        put!(out, r#"<text class="heap" style="font-size: {font}px" x="{PADDING}" y="{y:.1}">{line}</text>"#);
    }
    height
}

balpan_messages::messages!("puzzle");

/// The task: `A to move, win in 15`; `win in 15` if players have no names. With a score, `win by 3`.
#[must_use]
pub fn task(lang: Lang, to_move: PlayerName, plies: u32, score: Option<i32>) -> String {
    let win = score.map_or_else(|| win_in(lang, plies), |score| win_by(lang, score));
    if to_move.is_by_turn() { win } else { to_move_and(lang, name(lang, to_move, 0).plain, &win) }
}

/// The value of a wrong move, with the reply that refutes it if only one does: `loses in 4 (only 1,1 refutes
/// it)`.
#[must_use]
pub fn why(lang: Lang, verdict: Verdict, only_reply: Option<&str>) -> String {
    let Verdict { outcome, remoteness, score } = verdict;
    let worth = match (outcome, remoteness, score) {
        (Outcome::Loss, _, Some(score)) => loses_by(lang, score.unsigned_abs()),
        (Outcome::Loss, Some(plies), None) => loses_in(lang, plies),
        (Outcome::Loss, None, None) => loses(lang).to_owned(),
        (Outcome::Draw, ..) => draws(lang).to_owned(),
        (Outcome::Win, ..) => wins(lang).to_owned(),
    };
    let Some(reply) = only_reply else { return worth };
    let phrase = if outcome == Outcome::Loss { only_refutation } else { only_holding };
    format!("{worth} ({})", phrase(lang, reply))
}

/// The number of other moves that draw or lose: `3 more lose`.
#[must_use]
pub fn more(lang: Lang, many: usize, draws: bool) -> String {
    if draws { more_draw(lang, many) } else { more_lose(lang, many) }
}

/// The name of a level.
#[must_use]
pub fn level(lang: Lang, level: Level) -> &'static str {
    level_name(lang, level.name())
}

/// The explanation on a sheet of answers; `framed` if the cells of the winning move are.
fn about_answers(lang: Lang, framed: bool) -> &'static str {
    if framed { about_framed(lang) } else { about_unframed(lang) }
}
