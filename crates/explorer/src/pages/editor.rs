//! The editor of positions, cell by cell or as text. The draft is in the URL.

use balpan_games::{AnyGame, Board, CellStyle, RulesFile};
use maud::{Markup, html};

use crate::board;
use crate::error::RequestError;
use crate::link::Link;
use crate::page::{Page, error_box, lang_field};
use crate::request::GetRequest;
use crate::scene::{self, BoardView, Scene, load_game, run_blocking};
use crate::words::{Lang, editor as say, frame, position};

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 3] = ["draft", "put", "side"];

/// Cells of the largest board.
const MAX_CELLS: usize = 128;

/// A draft, which need not be a position of the game yet.
#[derive(Clone)]
struct Draft {
    /// The rows of the board.
    rows: Vec<Vec<char>>,
    /// The word after the board that names the player to move; may be empty.
    side: String,
    /// The glyph that a click puts on a cell.
    put: char,
    /// The text, if it is no board at all.
    unparsed: Option<String>,
}

pub(crate) async fn page(request: GetRequest) -> Result<Page, RequestError> {
    run_blocking(move || editor(request.reader.lang, request.link(&KEYS)?)).await
}

/// The editor of a position, with the draft of the link.
pub(crate) fn editor(lang: Lang, link: Link) -> Result<Page, RequestError> {
    let rules = scene::load_rules(&link)?;
    let game = rules.game()?;
    let body = if game.cell_glyphs().is_empty() {
        let text = match link.extra("draft").or(link.at.as_deref()) {
            Some(text) => text.to_owned(),
            None => game.size(),
        };
        html! {
            h1 { (say::title(lang)) " " small { (frame::game(lang, &link.game)) } }
            (text_form(lang, &link, &text))
            (result(lang, &link, &text))
        }
    } else {
        cells(lang, &link, &rules, &game)?
    };
    Ok(Page::new(say::title(lang), link.without_lang().url("edit"), body))
}

/// The editor of a board.
fn cells(lang: Lang, link: &Link, rules: &RulesFile, game: &AnyGame) -> Result<Markup, RequestError> {
    let glyphs: Vec<char> = game.cell_glyphs().chars().collect();
    let start = load_game(rules, link.at.as_deref())?;
    // Games whose marks fall number columns from 1.
    let first_column = start.first_column();
    // A position in another notation, such as a list of moves, is drawn too.
    let normalize = |text: &str| Some(load_game(rules, Some(text)).ok()?.start_text());
    let draft = Draft::new(link, &glyphs, &start.start_text(), normalize);
    let text = draft.text();
    let style = game.cell_style();
    let here = |draft: &Draft| {
        let link = link.game_only().with("draft", draft.rows_text()).with("side", draft.side.clone());
        link.with("put", draft.put.to_string())
    };
    Ok(html! {
        h1 { (say::title(lang)) " " small { (frame::game(lang, &link.game)) } }
        p.lead { (say::help(lang)) }
        div.play {
            div.table {
                p.tools role="group" aria-label=(say::tool(lang)) {
                    (say::tool(lang)) ":"
                    @for &glyph in &glyphs {
                        @let with = Draft { put: glyph, ..draft.clone() };
                        a.tool href=(here(&with).url("edit")) aria-current=[(glyph == draft.put).then_some("true")]
                            data-put=(glyph) { (say::glyph(lang, glyph, style == CellStyle::Tiles)) }
                    }
                }
                p.tools role="group" aria-label=(say::size(lang)) {
                    (say::size(lang)) ":"
                    @for (rows, more) in [(true, true), (true, false), (false, true), (false, false)] {
                        a.tool href=(here(&draft.resize(rows, more)).url("edit")) { (say::resize(lang, rows, more)) }
                    }
                }
                (board_links(lang, &draft, game, first_column, |draft| here(draft).url("edit")))
            }
            div.panel {
                (sides(lang, game, &draft, |draft| here(draft).url("edit")))
                (text_form(lang, link, &text))
                (result(lang, link, &text))
            }
        }
    })
}

impl Draft {
    /// Reads the draft of the URL, or else the position `start`. If a glyph is unknown, `normalize` may give another text of
    /// the same position.
    fn new(link: &Link, glyphs: &[char], start: &str, normalize: impl Fn(&str) -> Option<String>) -> Self {
        let text = link.extra("draft").unwrap_or(start);
        let draft = Self::parse(text, link, glyphs, start);
        let is_known = |glyph: &char| *glyph == '!' || glyphs.contains(glyph);
        if draft.unparsed.is_none() && draft.rows.iter().flatten().all(is_known) {
            return draft;
        }
        normalize(text).map_or(draft, |text| Self::parse(&text, link, glyphs, start))
    }

    fn parse(text: &str, link: &Link, glyphs: &[char], start: &str) -> Self {
        // Line breaks separate rows as well.
        let lines: Vec<_> =
            text.lines().map(|line| line.trim().trim_matches('/')).filter(|line| !line.is_empty()).collect();
        let joined = lines.join("/");
        let (board, after) = joined.split_once(' ').map_or((&*joined, ""), |(board, after)| (board, after.trim()));
        let rows_of = |board: &str| -> Vec<Vec<char>> { board.split('/').map(|row| row.chars().collect()).collect() };
        let rows = rows_of(board);
        let width = rows.first().map_or(0, Vec::len);
        let is_board = width > 0 && rows.iter().all(|row| row.len() == width) && rows.len() * width <= MAX_CELLS;
        let unparsed = (!is_board).then(|| text.to_owned());
        let rows = if is_board { rows } else { rows_of(start.split(' ').next().unwrap_or_default()) };
        let side = link.extra("side").unwrap_or(after).to_owned();
        let put = link.extra("put").and_then(|put| put.chars().next());
        let put = put.filter(|put| glyphs.contains(put)).or(glyphs.get(1).copied()).unwrap_or('.');
        Self { rows, side, put, unparsed }
    }

    fn rows_text(&self) -> String {
        let rows: Vec<String> = self.rows.iter().map(|row| row.iter().collect()).collect();
        rows.join("/")
    }

    fn text(&self) -> String {
        if let Some(text) = &self.unparsed {
            return text.clone();
        }
        format!("{} {}", self.rows_text(), self.side).trim_end().to_owned()
    }

    /// Adds or removes the last row or column; returns the draft unchanged if that would be no board.
    fn resize(&self, rows: bool, more: bool) -> Self {
        let mut draft = Self { unparsed: None, ..self.clone() };
        let width = self.rows.first().map_or(0, Vec::len);
        match (rows, more) {
            (true, true) => draft.rows.push(vec!['.'; width]),
            (true, false) => draft.rows.truncate(self.rows.len().saturating_sub(1)),
            (false, true) => draft.rows.iter_mut().for_each(|row| row.push('.')),
            (false, false) => draft.rows.iter_mut().for_each(|row| row.truncate(width.saturating_sub(1))),
        }
        let cells = draft.rows.iter().map(Vec::len).sum();
        if (1..=MAX_CELLS).contains(&cells) { draft } else { self.clone() }
    }

    /// Applies a click on a cell. A token is on one cell only, and a second click removes what the first one put.
    fn click(&self, row: usize, col: usize) -> Self {
        let mut draft = Self { unparsed: None, ..self.clone() };
        let put = if self.rows[row][col] == self.put { '.' } else { self.put };
        if matches!(put, 'A' | 'B' | '*') {
            for cell in draft.rows.iter_mut().flatten() {
                *cell = without(*cell, put);
            }
        }
        draft.rows[row][col] = put;
        draft
    }

    /// Applies a click where marks fall: a mark goes to the lowest free cell, and marks above a removed one fall.
    fn drop_mark(&self, row: usize, col: usize) -> Self {
        let free = |row: &usize| self.rows[*row][col] == '.';
        let lowest = (0..self.rows.len()).rev().find(free);
        let row = if self.rows[row][col] == '.' { lowest.unwrap_or(row) } else { row };
        let mut draft = self.click(row, col);
        let marks: Vec<char> = draft.rows.iter().map(|cells| cells[col]).filter(|mark| *mark != '.').collect();
        let above = draft.rows.len() - marks.len();
        for (cells, mark) in draft.rows.iter_mut().zip(std::iter::repeat_n('.', above).chain(marks)) {
            cells[col] = mark;
        }
        draft
    }
}

/// Returns a cell without the token that is put on another cell.
fn without(cell: char, put: char) -> char {
    match (cell, put) {
        ('A' | 'B' | '*', '*') => '.',
        ('*', 'A') => 'B',
        ('*', 'B') => 'A',
        (cell, put) if cell == put => '.',
        (cell, _) => cell,
    }
}

fn board_links(
    lang: Lang,
    draft: &Draft,
    game: &AnyGame,
    first_column: usize,
    url: impl Fn(&Draft) -> String,
) -> Markup {
    let (rows, cols) = (draft.rows.len(), draft.rows.first().map_or(0, Vec::len));
    let style = game.cell_style();
    let is_walkers = style == CellStyle::Tiles;
    let Ok(board) = Board::with_max_cells(MAX_CELLS, rows, cols) else {
        return html! {};
    };
    let view = BoardView { board, glyphs: draft.rows.iter().flatten().copied().collect(), first_column };
    board::frame(
        lang,
        &view,
        html! {
            @for (cell, &glyph) in view.glyphs.iter().enumerate() {
                @let (row, col) = board.row_col(cell);
                @let at = board::corner(board, cell);
                @let text = board.cell_text(cell);
                @let place = if first_column > 0 { say::column(lang, col + first_column) } else { text.clone() };
                @let clicked = if first_column > 0 { draft.drop_mark(row, col) } else { draft.click(row, col) };
                @let label = say::put_at(lang, &place, &say::glyph(lang, draft.put, is_walkers), &say::glyph(lang, glyph, is_walkers));
                g aria-hidden="true" { (board::cell_picture(at, glyph, board::shade(game, glyph), style)) }
                a.move href=(url(&clicked)) data-cell=(text) aria-label=(label) {
                    rect.hit x=(at.0 + 2) y=(at.1 + 2) width=(board::CELL - 4) height=(board::CELL - 4) rx="7" {}
                }
            }
        },
    )
}

/// Links that choose the player to move, in games whose board does not tell.
fn sides(lang: Lang, game: &AnyGame, draft: &Draft, url: impl Fn(&Draft) -> String) -> Markup {
    let choices = game.sides();
    let Some((default, _)) = choices.first() else { return html! {} };
    html! {
        p.tools role="group" aria-label=(say::side(lang)) {
            (say::side(lang)) ":"
            @for (word, player) in choices {
                @let is_now = draft.side == *word || draft.side.is_empty() && word == default;
                @let with = Draft { side: (*word).to_owned(), ..draft.clone() };
                a.tool href=(url(&with)) aria-current=[is_now.then_some("true")] {
                    @match player { None => (say::by_count(lang)), Some(player) => (crate::words::players::name(lang, *player, 0).plain) }
                }
            }
        }
    }
}

fn text_form(lang: Lang, link: &Link, text: &str) -> Markup {
    html! {
        form.draft method="get" action={ "/edit/" (link.game) } {
            @for (key, value) in &link.changes { input type="hidden" name=(key) value=(value); }
            (lang_field(link.lang))
            label {
                span { (say::text(lang)) }
                textarea #draft name="draft" rows="4" spellcheck="false" autocomplete="off" { (text) }
            }
            p { button type="submit" { (say::update(lang)) } }
        }
    }
}

/// A link to the position's page, or what is wrong with the draft.
fn result(lang: Lang, link: &Link, text: &str) -> Markup {
    let at = link.with_position(text);
    // The rows imply the board, which may differ from the one in the rules.
    let without_board = |_| {
        let mut free = at.clone();
        free.changes.retain(|(key, _)| key != "board");
        Scene::new(free)
    };
    match Scene::new(at.clone()).or_else(without_board) {
        Ok(scene) => html! {
            p { a.button #go href=(scene.link.play()) { (say::go(lang)) } }
            p { a href=(scene.link.url("games")) { (position::rules(lang)) } }
        },
        Err(error) => html! { p { (say::wrong(lang)) } (error_box(lang, &error)) },
    }
}
