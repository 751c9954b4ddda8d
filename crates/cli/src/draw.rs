//! Positions for people: boards with coordinates around, colours on top of signs.

use std::fmt::Write;

use anstyle::{AnsiColor, Style};
use balpan_games::{Board, Cells, Notation};

/// The player to move where a line begins, and the other.
pub(crate) const PLAYERS: [Style; 2] = [AnsiColor::Cyan.on_default().bold(), AnsiColor::Magenta.on_default().bold()];
pub(crate) const DIM: Style = Style::new().dimmed();

/// What stands on one cell.
struct Label {
    text: String,
    style: Style,
}

/// The position's board, or what it is drawn as without one.
pub(crate) fn position<G: Notation>(game: &G, position: &G::Position) -> String {
    match game.board() {
        Some(board) => grid(game, board, &labels(game, board, position)),
        None => game.drawn(position).iter().map(|line| format!("  {line}\n")).collect(),
    }
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
            labels[cell] = Label { text: format!("{earlier}{}", n + 1), style: PLAYERS[n % 2] };
            numbered[cell] = true;
        }
        position = game.play(&position, mv);
    }
    grid(game, board, &labels) + "\n"
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
        Label { text: glyph.into(), style: style(glyph) }
    };
    (0..board.cells()).map(label).collect()
}

fn grid<G: Notation>(game: &G, board: Board, labels: &[Label]) -> String {
    let widest = |n: usize| n.to_string().len();
    let label_width = labels.iter().map(|label| label.text.len()).max().unwrap_or(1);
    let width = label_width.max(widest(board.cols())) + 2;
    let margin = widest(board.rows()) + 2;
    let first_column = game.first_column();
    let mut text = String::new();
    let header: String = (0..board.cols()).map(|col| format!("{:>width$}", col + first_column)).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{DIM}{:margin$}{header}{DIM:#}", "");
    for row in 0..board.rows() {
        // Where columns alone are numbered, rows have no use for numbers.
        let number = if first_column == 0 { row.to_string() } else { String::new() };
        let _ = write!(text, "{DIM}{number:>margin$}{DIM:#}");
        for label in &labels[board.cell(row, 0)..][..board.cols()] {
            let Label { text: label, style } = label;
            let _ = write!(text, "{:1$}{style}{label}{style:#}", "", width - label.len());
        }
        text.push('\n');
    }
    text
}
