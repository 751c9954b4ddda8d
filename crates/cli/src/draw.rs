//! Boards in colour, and text in lines of the terminal's width.

use std::io::{IsTerminal, stderr};

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use balpan::Game;
use balpan_games::{AnyGame, DynPosition, ErasedGame, Notation};
use balpan_pictures::board::{self, Owner};
use unicode_width::UnicodeWidthStr;

/// Colours of the player who moves first in a line, and of the opponent.
pub(crate) const PLAYERS: [Style; 2] = [AnsiColor::Cyan.on_default().bold(), AnsiColor::Magenta.on_default().bold()];
pub(crate) const DIM: Style = Style::new().dimmed();

pub(crate) use balpan_pictures::COLUMNS as WIDTH;

/// Returns the columns that a text takes on a terminal: Korean letters are two wide.
pub(crate) fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

/// Wraps a paragraph into lines no wider than the terminal. The result is empty if there is no word.
pub(crate) fn filled(text: &str) -> String {
    if text.trim().is_empty() { String::new() } else { wrap(text.split_whitespace(), 1, 0) }
}

/// Puts blanks before a text, so that it takes `wide` columns.
pub(crate) fn right(text: &str, wide: usize) -> String {
    " ".repeat(wide.saturating_sub(width(text))) + text
}

/// Wraps words into lines of the terminal's width, indented by `indent`, with two blanks before each word.
pub(crate) fn wrapped(words: &[String], indent: usize) -> String {
    wrap(words.iter().map(String::as_str), 2, indent + 2)
}

/// Wraps words into lines of the terminal's width, with `gap` blanks between words and `indent` before a line.
fn wrap<'a>(words: impl Iterator<Item = &'a str>, gap: usize, indent: usize) -> String {
    let mut text = " ".repeat(indent);
    let mut column = indent;
    for word in words {
        let width = width(&strip_str(word).to_string());
        if column > indent && column + gap + width > WIDTH {
            text = text + "\n" + &" ".repeat(indent);
            column = indent;
        } else if column > indent {
            text += &" ".repeat(gap);
            column += gap;
        }
        text += word;
        column += width;
    }
    text + "\n"
}

fn painted(owner: Owner, text: &str) -> String {
    let style = match owner {
        Owner::Nobody => DIM,
        Owner::Both => Style::new().bold(),
        Owner::Player(player) => PLAYERS[player],
    };
    format!("{style}{text}{style:#}")
}

pub(crate) fn start(game: &AnyGame) -> String {
    let game = game.erased();
    board::draw_position(&game, &game.start(), &painted)
}

/// Draws a position of a game, given as text that the game has written.
pub(crate) fn position_text(game: &AnyGame, text: &str) -> String {
    let game = game.erased();
    board::draw_position(&game, &game.parse(text).unwrap_or_else(|_| game.start()), &painted)
}

/// Draws a game's start with the moves of a line numbered, and an empty line below.
pub(crate) fn line(game: &AnyGame, line: &[String]) -> String {
    let game = game.erased();
    let (mut moves, mut at) = (Vec::new(), game.start());
    for text in line {
        let Some(mv) = game.find_move(&at, text) else { break };
        at = game.play(&at, mv);
        moves.push(mv);
    }
    board::draw_line(&game, &game.start(), &moves, &painted)
}

/// Draws a position with these cells in brackets.
pub(crate) fn marked(game: &ErasedGame, position: &DynPosition, cells: u128) -> String {
    board::draw_marked(game, position, cells, &painted)
}

/// Prints a dimmed note on standard error, if that is a terminal.
pub(crate) fn print_note(text: &str) {
    if stderr().is_terminal() {
        anstream::eprintln!("\n{DIM}{text}{DIM:#}");
    }
}

pub(crate) fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// Places blocks of text side by side, as many as fit the terminal's width, with an empty line between rows.
pub(crate) fn side_by_side(blocks: &[String]) -> String {
    const BETWEEN: usize = 2;
    let seen = |line: &str| width(&strip_str(line).to_string());
    let width = blocks.iter().flat_map(|block| block.lines()).map(seen).max().unwrap_or(0);
    let across = ((WIDTH + BETWEEN) / (width + BETWEEN)).max(1);
    let row = |blocks: &[String]| {
        let height = blocks.iter().map(|block| block.lines().count()).max().unwrap_or(0);
        let line = |n: usize| {
            let mut text = String::new();
            let mut column = 0;
            for (place, block) in blocks.iter().enumerate() {
                let part = block.lines().nth(n).unwrap_or("");
                if !part.is_empty() {
                    text += &" ".repeat(place * (width + BETWEEN) - column);
                    text += part;
                    column = place * (width + BETWEEN) + seen(part);
                }
            }
            text + "\n"
        };
        (0..height).map(line).collect::<String>()
    };
    blocks.chunks(across).map(row).collect::<Vec<_>>().join("\n")
}
