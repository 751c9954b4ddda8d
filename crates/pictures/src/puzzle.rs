//! Puzzles to print: A4 sheets of twelve puzzles each, and sheets of their answers.

mod place;

use std::fmt::Write;

use balpan::Outcome;
use balpan_games::{AnyGame, PlayerName, phrases};

use crate::text::{escaped, truncate_lines, width, wrap};
use crate::words::{Lang, name};
use place::Draw;

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
            let (x, y, words) = (paper - MARGIN, height - 18.0, page(lang, self.number + 1, self.pages));
            let _ = write!(out, r#"<text class="foot" x="{x}" y="{y}">{words}</text>"#);
        }
        out + "</svg>\n"
    }
}

/// Returns the largest of these font sizes in which a text fits, or else the smallest.
fn fitting_font(text: &str, fonts: &[f64; 3], room: f64, is_bold: bool) -> f64 {
    fonts.iter().copied().find(|font| width(text, *font, is_bold) <= room).unwrap_or(fonts[2])
}

phrases! {
    /// The end of the title of a sheet of answers.
    answers_of: ": answers", ": 정답";
    /// The explanation on a sheet of puzzles.
    about_puzzles:
        "One move wins, in as many plies as it says, whatever the other player replies; no other move does. Which one?",
        "상대가 어떻게 두어도 이기는 수가 하나뿐입니다. 어느 수일까요? 수는 두 사람의 것을 모두 셉니다.";
    /// A page number, from 1, with the number of pages.
    page(number: usize, pages: usize): "{number} / {pages}", "{pages}쪽 중 {number}쪽";
}

/// The task: `A to move, win in 15`; `win in 15` if players have no names.
#[must_use]
pub fn task(lang: Lang, to_move: PlayerName, plies: u32) -> String {
    let win = lang.pick(format!("win in {plies}"), format!("{plies}수 만에 승리"));
    if to_move.is_by_turn() {
        return win;
    }
    let name = name(lang, to_move, 0).plain;
    lang.pick(format!("{name} to move, {win}"), format!("{name} 차례, {win}"))
}

/// The pieces placed so far, which the board does not show.
#[must_use]
pub fn placed(lang: Lang, pieces: &str) -> String {
    lang.pick(format!("{pieces} placed"), format!("{pieces} 놓음"))
}

/// The value of a wrong move, with the reply that refutes it if only one does: `loses in 4 (only 1,1 refutes
/// it)`.
#[must_use]
pub fn why(lang: Lang, outcome: Outcome, plies: Option<u32>, only_reply: Option<&str>) -> String {
    let worth = match (outcome, plies) {
        (Outcome::Loss, Some(plies)) => lang.pick(format!("loses in {plies}"), format!("{plies}수 만에 패배")),
        (Outcome::Loss, None) => lang.pick("loses", "패배").to_owned(),
        (Outcome::Draw, _) => lang.pick("draws", "무승부").to_owned(),
        (Outcome::Win, _) => lang.pick("wins", "승리").to_owned(),
    };
    let Some(reply) = only_reply else {
        return worth;
    };
    let reply = match outcome {
        Outcome::Loss => lang.pick(format!("only {reply} refutes it"), format!("응수는 {reply}뿐")),
        _ => lang.pick(format!("only {reply} holds"), format!("{reply}만 버팀")),
    };
    format!("{worth} ({reply})")
}

/// The number of other moves that draw or lose: `3 more lose`.
#[must_use]
pub fn more(lang: Lang, many: usize, draws: bool) -> String {
    let en = match (many, draws) {
        (1, true) => "draws",
        (1, false) => "loses",
        (_, true) => "draw",
        (_, false) => "lose",
    };
    let ko = if draws { "무승부" } else { "패배" };
    lang.pick(format!("{many} more {en}"), format!("나머지 {many}개는 {ko}"))
}

/// The name of a level.
#[must_use]
pub const fn level(lang: Lang, level: Level) -> &'static str {
    match (lang, level) {
        (Lang::En, level) => level.name(),
        (Lang::Ko, Level::Easy) => "쉬움",
        (Lang::Ko, Level::Medium) => "보통",
        (Lang::Ko, Level::Hard) => "어려움",
        (Lang::Ko, Level::VeryHard) => "매우 어려움",
    }
}

/// The label of a winning move whose alternatives all lose within two plies.
#[must_use]
pub fn forced(lang: Lang) -> &'static str {
    lang.pick("forced", "외길 수")
}

/// The label of a winning move that ends play.
#[must_use]
pub fn at_once(lang: Lang) -> &'static str {
    lang.pick("at once", "한 수에 끝")
}

/// The explanation on a sheet of answers; `framed` if the cells of the winning move are.
fn about_answers(lang: Lang, framed: bool) -> &'static str {
    if framed {
        lang.pick(
            "The winning move, its cells framed; a best line; and what becomes of moves that tempt.",
            "이기는 수(테두리를 두른 칸), 최선의 수순, 그리고 그럴듯한 다른 수의 결과입니다.",
        )
    } else {
        lang.pick(
            "The winning move; a best line; and what becomes of moves that tempt.",
            "이기는 수, 최선의 수순, 그리고 그럴듯한 다른 수의 결과입니다.",
        )
    }
}
