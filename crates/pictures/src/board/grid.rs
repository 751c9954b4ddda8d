//! A position for a terminal: its board with coordinates.

use std::fmt::Write;
use std::ops::Range;

use balpan_games::{Board, Cells, Notation};

use crate::COLUMNS;

/// The owner of a part of a drawn board, which determines its colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// Nobody: free and closed cells, and the numbers of rows and columns.
    Nobody,
    /// Both players, or the player to move.
    Both,
    /// One player: 0 moves first in the game, or in the line.
    Player(usize),
}

/// Colours a part of a board: returns its text with the escape sequences of a terminal.
pub type Paint<'a> = dyn Fn(Owner, &str) -> String + 'a;

/// Leaves a part without colour.
#[must_use]
pub fn without_colour(_: Owner, text: &str) -> String {
    text.to_owned()
}

/// The content of one cell.
struct Label {
    text: String,
    owner: Owner,
    /// Whether the cell is in brackets.
    marked: bool,
}

/// Draws a position: its board, or the drawing that a game without a board has.
///
/// ```
/// use balpan_games::{Notation, lines::Lines, presets::preset};
/// use balpan_pictures::board::{draw_position, without_colour};
///
/// let game: Lines = preset("tictactoe").expect("a preset")?.game()?.downcast().expect("a game of lines");
/// let drawn = draw_position(&game, &game.parse("X../.O./...")?, &without_colour);
/// assert_eq!(drawn, "     0  1  2\n  0  X  .  .\n  1  .  O  .\n  2  .  .  .\n");
/// # Ok::<(), balpan_games::TextError>(())
/// ```
pub fn draw_position<G: Notation>(game: &G, position: &G::Position, paint: &Paint) -> String {
    match game.board() {
        Some(board) => grid(game, board, &labels(game, board, position), paint),
        None => game.draw_lines(position).iter().map(|line| format!("  {line}\n")).collect(),
    }
}

/// Draws a position with these cells in brackets.
pub fn draw_marked<G: Notation>(game: &G, position: &G::Position, cells: u128, paint: &Paint) -> String {
    let Some(board) = game.board() else {
        return draw_position(game, position, paint);
    };
    let mut labels = labels(game, board, position);
    for cell in Cells(cells) {
        labels[cell].marked = true;
    }
    grid(game, board, &labels, paint)
}

/// Draws a position with the moves of a line numbered from 1 on their cells, then an empty line. The text of
/// a game without a board is empty.
pub fn draw_line<G: Notation>(game: &G, start: &G::Position, line: &[G::Move], paint: &Paint) -> String {
    let Some(board) = game.board() else {
        return String::new();
    };
    let mut labels = labels(game, board, start);
    let mut numbered = vec![false; labels.len()];
    let mut position = start.clone();
    for (n, &mv) in line.iter().enumerate() {
        for cell in Cells(game.move_cells(&position, mv)) {
            let earlier = if numbered[cell] { format!("{}+", labels[cell].text) } else { String::new() };
            labels[cell] = Label { text: format!("{earlier}{}", n + 1), owner: Owner::Player(n % 2), marked: false };
            numbered[cell] = true;
        }
        position = game.play(&position, mv);
    }
    grid(game, board, &labels, paint) + "\n"
}

fn labels<G: Notation>(game: &G, board: Board, position: &G::Position) -> Vec<Label> {
    let first = game.players(&game.start())[0];
    let owner = |glyph: char| match glyph {
        '.' | '#' => Owner::Nobody,
        '*' | '!' => Owner::Both,
        // Tokens are the first letters of players' names: `A`, `X` and so on.
        token => Owner::Player(usize::from(!first.as_str().starts_with(token))),
    };
    let label = |cell| {
        let glyph = game.glyph(position, cell);
        Label { text: glyph.into(), owner: owner(glyph), marked: false }
    };
    (0..board.cells()).map(label).collect()
}

/// Draws a board; one too wide for the terminal in parts, one below the other.
fn grid<G: Notation>(game: &G, board: Board, labels: &[Label], paint: &Paint) -> String {
    let widest = |n: usize| n.to_string().len();
    let label_width = labels.iter().map(|label| label.text.len()).max().unwrap_or(1);
    let width = label_width.max(widest(board.cols())) + 2;
    let margin = widest(board.rows()) + 2;
    // The last column's bracket takes one more.
    let most = ((COLUMNS - margin - 1) / width).max(1);
    let starts = (0..board.cols()).step_by(most);
    let columns = |col| columns(game, board, labels, col..board.cols().min(col + most), [margin, width], paint);
    starts.map(columns).collect::<Vec<_>>().join("\n")
}

/// Draws some columns of a board, each `width` wide, after a margin.
fn columns<G: Notation>(
    game: &G,
    board: Board,
    labels: &[Label],
    cols: Range<usize>,
    [margin, width]: [usize; 2],
    paint: &Paint,
) -> String {
    let first_column = game.first_column();
    let mut text = String::new();
    let header: String = cols.clone().map(|col| format!("{:>width$}", col + first_column)).collect();
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", paint(Owner::Nobody, &format!("{:margin$}{header}", "")));
    for row in 0..board.rows() {
        // Games whose moves number columns alone have no row numbers.
        let number = if first_column == 0 { row.to_string() } else { String::new() };
        text += &paint(Owner::Nobody, &format!("{number:>margin$}"));
        // Brackets replace blanks: there are at least two between labels.
        let mut close = "";
        for label in &labels[board.cell(row, 0)..][cols.clone()] {
            let Label { text: label, owner, marked } = label;
            let open = if *marked { "(" } else { "" };
            let blanks = width - label.len() - open.len() - close.len();
            let _ = write!(text, "{close}{:blanks$}{open}{}", "", paint(*owner, label));
            close = if *marked { ")" } else { "" };
        }
        text.push_str(close);
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan_games::presets::preset;
    use balpan_games::{AnyGame, Notation, Task};

    use super::*;

    fn run<T: Task>(name: &str, position: &str, task: T) -> T::Output {
        let game: AnyGame = preset(name).unwrap().unwrap().game_at(position).unwrap();
        game.run(task)
    }

    /// Draws the start with cells marked, and a line of the first moves.
    struct DrawBoth(u128, usize);

    impl Task for DrawBoth {
        type Output = [String; 2];

        fn run<G: Notation>(self, game: &G) -> [String; 2] {
            let moves: Vec<_> = game.moves(&game.start()).take(self.1).collect();
            let paint = |owner, text: &str| match owner {
                Owner::Nobody => text.to_owned(),
                Owner::Both => format!("<{text}>"),
                Owner::Player(player) => format!("{}{text}", ["+", "-"][player]),
            };
            [draw_marked(game, &game.start(), self.0, &paint), draw_line(game, &game.start(), &moves, &paint)]
        }
    }

    #[test]
    fn players_have_their_own_colours() {
        let [marked, line] = run("tictactoe", "X../.O./...", DrawBoth(0b11, 2));
        assert_eq!(marked, "     0  1  2\n  0 (+X)(.) .\n  1  .  -O  .\n  2  .  .  .\n");
        assert_eq!(line, "     0  1  2\n  0  +X  +1  -2\n  1  .  -O  .\n  2  .  .  .\n\n");
        let [marked, _] = run("platforms", "*../...", DrawBoth(0, 0));
        assert_eq!(marked, "     0  1  2\n  0  <*>  .  .\n  1  .  .  .\n");
    }

    #[test]
    fn heaps_have_no_board() {
        assert_eq!(run("nim", "1 2", DrawBoth(0, 2))[1], "");
    }

    #[test]
    fn wide_boards_are_drawn_in_parts() {
        let [wide, _] = run("cram", &".".repeat(60), DrawBoth(0, 0));
        assert!(wide.lines().all(|line| line.len() <= COLUMNS), "{wide}");
        assert_eq!(wide.lines().filter(|line| line.starts_with("  0  ")).count(), 4);
    }
}
