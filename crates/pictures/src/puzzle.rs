//! Puzzles to print: sheets of A4 with twelve each, and the answers on sheets of their own.

mod heaps;
mod place;
mod widths;

use std::fmt::Write;

use balpan_games::AnyGame;

use crate::svg::escaped;
use crate::words::{Lang, puzzle as words};
use place::Draw;
use widths::{at_most, width};

/// Puzzles of one sheet.
pub const ON_A_SHEET: usize = COLS * ROWS;

const STYLE: &str = include_str!("puzzle/style.css");

const COLS: usize = 3;
const ROWS: usize = 4;
/// A4 in pixels, 96 to the inch.
const PAGE: (f64, f64) = (794.0, 1123.0);
const MARGIN: f64 = 44.0;
/// The sizes of the heading, and of what stands below it: smaller ones where it is long.
const TITLE: [f64; 3] = [19.0, 16.0, 13.0];
const ABOUT: [f64; 3] = [12.0, 11.0, 10.0];
/// Above the puzzles, for the heading, and below them, for the number of the page.
const HEAD: f64 = 98.0;
const FOOT: f64 = 34.0;
/// A puzzle's place, and the width of lines of words in it.
const PLACE: (f64, f64) = ((PAGE.0 - 2.0 * MARGIN) / COLS as f64, (PAGE.1 - HEAD - FOOT) / ROWS as f64);
const ROOM: f64 = PLACE.0 - 14.0;

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
    /// The language of all words.
    pub lang: Lang,
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
    /// How hard it is, in words.
    pub level: String,
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
        let (paper, height) = PAGE;
        let lang = self.puzzles.lang;
        let room = paper - 2.0 * MARGIN;
        let end = if answers { words::answers(lang) } else { "" };
        let font = fitting(&(self.puzzles.title.clone() + end), &TITLE, room, true);
        let title = at_most(
            widths::lines(&self.puzzles.title, room - width(end, font, true), font, true),
            1,
            room - width(end, font, true),
            font,
            true,
        );
        let heading = escaped(&(title.concat() + end));
        let about = match (answers, game) {
            (false, _) => words::about_puzzles(lang),
            (true, AnyGame::Heaps(_)) => words::about_answers(lang, false),
            (true, _) => words::about_answers(lang, true),
        };
        let small = fitting(about, &ABOUT, room, false);
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

/// The largest of these sizes in which a text fits, or the smallest.
fn fitting(text: &str, fonts: &[f64; 3], room: f64, is_bold: bool) -> f64 {
    fonts.iter().copied().find(|font| width(text, *font, is_bold) <= room).unwrap_or(fonts[2])
}
