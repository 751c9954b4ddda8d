//! Boards in colour, and text in lines of the terminal's width.

use std::io::{IsTerminal, stderr};

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use balpan_games::{AnyGame, Notation, Task};
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
    let mut filled = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = width(&strip_str(word).to_string());
        if column > 0 && column + 1 + width > WIDTH {
            filled.push('\n');
            column = 0;
        } else if column > 0 {
            filled.push(' ');
            column += 1;
        }
        filled.push_str(word);
        column += width;
    }
    if column > 0 {
        filled.push('\n');
    }
    filled
}

/// Colours a part of a board.
fn painted(owner: Owner, text: &str) -> String {
    let style = match owner {
        Owner::Nobody => DIM,
        Owner::Both => Style::new().bold(),
        Owner::Player(player) => PLAYERS[player],
    };
    format!("{style}{text}{style:#}")
}

/// Draws a position.
pub(crate) fn position<G: Notation>(game: &G, position: &G::Position) -> String {
    board::draw_position(game, position, &painted)
}

/// Draws a game's start.
pub(crate) fn start(game: &AnyGame) -> String {
    struct DrawStart;

    impl Task for DrawStart {
        type Output = String;

        fn run<G: Notation>(self, game: &G) -> String {
            position(game, &game.start())
        }
    }

    game.run(DrawStart)
}

/// Draws a position with these cells in brackets.
pub(crate) fn marked<G: Notation>(game: &G, position: &G::Position, cells: u128) -> String {
    board::draw_marked(game, position, cells, &painted)
}

/// Draws the board of a position with the moves of a line numbered, and an empty line below.
pub(crate) fn line<G: Notation>(game: &G, start: &G::Position, line: &[G::Move]) -> String {
    board::draw_line(game, start, line, &painted)
}

/// Prints a dimmed note on standard error, if that is a terminal.
pub(crate) fn print_note(text: &str) {
    if stderr().is_terminal() {
        anstream::eprintln!("\n{DIM}{text}{DIM:#}");
    }
}

/// Escapes text for XML.
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
