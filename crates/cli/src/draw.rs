//! Positions for people: boards with coordinates around, colours on top of signs.

use std::fmt::Write;
use std::ops::Range;

use anstream::adapter::strip_str;
use anstyle::{AnsiColor, Style};
use balpan_games::{Board, Cells, Notation};

/// The player to move where a line begins, and the other.
pub(crate) const PLAYERS: [Style; 2] = [AnsiColor::Cyan.on_default().bold(), AnsiColor::Magenta.on_default().bold()];
pub(crate) const DIM: Style = Style::new().dimmed();

/// What stands on one cell.
struct Label {
    text: String,
    style: Style,
    /// In brackets.
    marked: bool,
}

/// Columns of a terminal.
pub(crate) const WIDTH: usize = 80;

/// A paragraph in lines no wider than the terminal; nothing if it has no word.
pub(crate) fn filled(text: &str) -> String {
    let mut filled = String::new();
    let mut column = 0;
    for word in text.split_whitespace() {
        let width = word.chars().count();
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

/// The position's board, or what it is drawn as without one.
pub(crate) fn position<G: Notation>(game: &G, position: &G::Position) -> String {
    match game.board() {
        Some(board) => grid(game, board, &labels(game, board, position)),
        None => game.drawn(position).iter().map(|line| format!("  {line}\n")).collect(),
    }
}

/// The same with these cells in brackets.
pub(crate) fn marked<G: Notation>(game: &G, position: &G::Position, cells: u128) -> String {
    let Some(board) = game.board() else {
        return self::position(game, position);
    };
    let mut labels = labels(game, board, position);
    for cell in Cells(cells) {
        labels[cell].marked = true;
    }
    grid(game, board, &labels)
}

/// The board of a position with the moves of a line numbered from 1 where they go, and
/// an empty line; nothing if there is no board.
pub(crate) fn line<G: Notation>(game: &G, start: &G::Position, line: &[G::Move]) -> String {
    let Some(board) = game.board() else {
        return String::new();
    };
    let mut labels = labels(game, board, start);
    let mut numbered = vec![false; labels.len()];
    let mut position = start.clone();
    for (n, &mv) in line.iter().enumerate() {
        for cell in Cells(game.marked(&position, mv)) {
            let earlier = if numbered[cell] { format!("{}+", labels[cell].text) } else { String::new() };
            labels[cell] = Label { text: format!("{earlier}{}", n + 1), style: PLAYERS[n % 2], marked: false };
            numbered[cell] = true;
        }
        position = game.play(&position, mv);
    }
    grid(game, board, &labels) + "\n"
}

/// Blocks of lines side by side, as many as the terminal is wide, blocks below each other
/// apart by an empty line.
pub(crate) fn side_by_side(blocks: &[String]) -> String {
    const BETWEEN: usize = 2;
    let seen = |line: &str| strip_str(line).to_string().chars().count();
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

fn labels<G: Notation>(game: &G, board: Board, position: &G::Position) -> Vec<Label> {
    let first = game.players(&game.start())[0];
    let style = |glyph: char| match glyph {
        '.' | '#' => DIM,
        '*' | '!' => Style::new().bold(),
        // `A`, `X` and so on: a player's name is what stands on the board.
        token => PLAYERS[usize::from(!first.starts_with(token))],
    };
    let label = |cell| {
        let glyph = game.glyph(position, cell);
        Label { text: glyph.into(), style: style(glyph), marked: false }
    };
    (0..board.cells()).map(label).collect()
}

/// A board too wide for the terminal is drawn in parts, one below the other.
fn grid<G: Notation>(game: &G, board: Board, labels: &[Label]) -> String {
    let widest = |n: usize| n.to_string().len();
    let label_width = labels.iter().map(|label| label.text.len()).max().unwrap_or(1);
    let width = label_width.max(widest(board.cols())) + 2;
    let margin = widest(board.rows()) + 2;
    // The last column's bracket takes one more.
    let most = ((WIDTH - margin - 1) / width).max(1);
    let starts = (0..board.cols()).step_by(most);
    let parts = starts.map(|col| part(game, board, labels, col..board.cols().min(col + most), margin, width));
    parts.collect::<Vec<_>>().join("\n")
}

fn part<G: Notation>(
    game: &G,
    board: Board,
    labels: &[Label],
    cols: Range<usize>,
    margin: usize,
    width: usize,
) -> String {
    let first_column = game.first_column();
    let mut text = String::new();
    let header: String = cols.clone().map(|col| format!("{:>width$}", col + first_column)).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{DIM}{:margin$}{header}{DIM:#}", "");
    for row in 0..board.rows() {
        // Where columns alone are numbered, rows have no use for numbers.
        let number = if first_column == 0 { row.to_string() } else { String::new() };
        let _ = write!(text, "{DIM}{number:>margin$}{DIM:#}");
        // Brackets take the place of blanks: there are two at least between labels.
        let mut close = "";
        for label in &labels[board.cell(row, 0)..][cols.clone()] {
            let Label { text: label, style, marked } = label;
            let open = if *marked { "(" } else { "" };
            let blanks = width - label.len() - open.len() - close.len();
            let _ = write!(text, "{close}{:blanks$}{open}{style}{label}{style:#}", "");
            close = if *marked { ")" } else { "" };
        }
        text.push_str(close);
        text.push('\n');
    }
    text
}
