//! Puzzles to print: A4 sheets of twelve puzzles each, and sheets of their answers.

mod heaps;
mod place;
mod widths;

use std::fmt::Write;

use balpan_games::{AnyGame, PlayerName};

use crate::text::escaped;
use crate::words::{Lang, puzzle as words};
use place::Draw;
use widths::{truncate_lines, width, wrap};

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
        let end = if answers { words::answers(lang) } else { "" };
        let font = fitting_font(&(self.puzzles.title.clone() + end), &TITLE_FONTS, room, true);
        let title_room = room - width(end, font, true);
        let title = truncate_lines(wrap(&self.puzzles.title, title_room, font, true), 1, title_room, font, true);
        let heading = escaped(&(title.concat() + end));
        let about =
            if answers { words::about_answers(lang, game.board().is_some()) } else { words::about_puzzles(lang) };
        let small = fitting_font(about, &ABOUT_FONTS, room, false);
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = write!(
            out,
            r#"<svg xmlns="http://www.w3.org/2000/svg" class="sheet" viewBox="0 0 {paper} {height}" width="210mm" height="297mm" role="img" lang="{}" aria-label="{heading}">"#,
            lang.code()
        );
        let _ = write!(out, r#"<style>{STYLE}</style><rect class="paper" width="{paper}" height="{height}"/>"#);
        let _ =
            write!(out, r#"<text class="heading" style="font-size: {font}px" x="{MARGIN}" y="54">{heading}</text>"#);
        let _ = write!(out, r#"<text class="muted" style="font-size: {small}px" x="{MARGIN}" y="75">{about}</text>"#);
        for (n, puzzle) in self.of_page.iter().enumerate() {
            let (x, y) = (MARGIN + (n % COLS) as f64 * PLACE.0, HEAD + (n / COLS) as f64 * PLACE.1);
            let _ = write!(out, r#"<g transform="translate({x:.1} {y:.1})">"#);
            game.run(Draw { out: &mut out, puzzle, number: self.first + n + 1, answers });
            out.push_str("</g>");
        }
        if self.pages > 1 {
            let (x, y, words) = (paper - MARGIN, height - 18.0, words::page(lang, self.number + 1, self.pages));
            let _ = write!(out, r#"<text class="foot" x="{x}" y="{y}">{words}</text>"#);
        }
        out + "</svg>\n"
    }
}

/// Returns the largest of these font sizes in which a text fits, or else the smallest.
fn fitting_font(text: &str, fonts: &[f64; 3], room: f64, is_bold: bool) -> f64 {
    fonts.iter().copied().find(|font| width(text, *font, is_bold) <= room).unwrap_or(fonts[2])
}
