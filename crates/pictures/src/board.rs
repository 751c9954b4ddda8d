//! Drawings of positions: as text for a terminal, as an SVG file, and as small boards in trees and sheets of puzzles.

use balpan::Value;
use balpan_games::{Board, Cells as CellSet, Notation};

use crate::text::{COLUMNS, escaped, text_width, width};
use crate::tree::STYLE;

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
    draw_marked(game, position, 0, paint)
}

/// Draws a position with these cells in brackets.
pub fn draw_marked<G: Notation>(game: &G, position: &G::Position, cells: u128, paint: &Paint) -> String {
    let Some(board) = game.board() else {
        return game.draw_lines(position).iter().map(|line| format!("  {line}\n")).collect();
    };
    let mut labels = labels(game, board, position);
    for cell in CellSet(cells) {
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
    let (mut position, mut turn) = (start.clone(), 0);
    for (n, &mv) in line.iter().enumerate() {
        let after = game.play(&position, mv);
        // A piece that moves has its number where it goes to.
        let goes_to = |cell: &usize| game.glyph(&after, *cell) != '.';
        for cell in CellSet(game.move_cells(&position, mv)).filter(goes_to) {
            let earlier = if numbered[cell] { format!("{}+", labels[cell].text) } else { String::new() };
            labels[cell] = Label { text: format!("{earlier}{}", n + 1), owner: Owner::Player(turn), marked: false };
            numbered[cell] = true;
        }
        turn = game.turn(&position, mv, &after).next_player(turn);
        position = after;
    }
    grid(game, board, &labels, paint) + "\n"
}

fn labels<G: Notation>(game: &G, board: Board, position: &G::Position) -> Vec<Label> {
    let first = game.players(&game.start())[0].index();
    let owner = |glyph: char| match (glyph, game.owner(glyph)) {
        ('.' | '#' | '_', _) => Owner::Nobody,
        (_, None) => Owner::Both,
        (_, Some(player)) => Owner::Player(player ^ first),
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
    let first_column = game.first_column();
    let mut parts = Vec::new();
    for start in (0..board.cols()).step_by(most) {
        let cols = start..board.cols().min(start + most);
        let header: String = cols.clone().map(|col| format!("{:>width$}", col + first_column)).collect();
        let mut text = paint(Owner::Nobody, &format!("{:margin$}{header}", "")) + "\n";
        for row in 0..board.rows() {
            // Games whose moves number columns alone have no row numbers.
            let number = if first_column == 0 { row.to_string() } else { String::new() };
            text += &paint(Owner::Nobody, &format!("{number:>margin$}"));
            // Brackets replace blanks: there are at least two between labels.
            let mut close = "";
            for Label { text: label, owner, marked } in &labels[board.cell(row, 0)..][cols.clone()] {
                let open = if *marked { "(" } else { "" };
                let blanks = width - label.len() - open.len() - close.len();
                put!(text, "{close}{:blanks$}{open}{}", "", paint(*owner, label));
                close = if *marked { ")" } else { "" };
            }
            text += close;
            text.push('\n');
        }
        parts.push(text);
    }
    parts.join("\n")
}

/// The drawing of a position.
#[derive(Clone, Debug)]
pub(crate) enum Drawing {
    /// A board.
    Board(Cells),
    /// The sizes of heaps. The frame has room for `rows` heaps of at most `largest` tokens.
    Heaps { heaps: Vec<u16>, rows: usize, largest: u16 },
    /// Lines of text.
    Text(Vec<String>),
}

/// The cells of a board, row by row.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) glyphs: Vec<char>,
    /// The player of the piece on each cell, as a colour.
    pub(crate) owners: Vec<Option<usize>>,
    /// The cells that the last move marked, one bit each.
    pub(crate) marked: u128,
    /// The two end cells of the line that ended the game.
    pub(crate) line: Option<[usize; 2]>,
    /// The lines that join neighbours, as the cells along each; none where neighbours share a side.
    pub(crate) edges: Vec<Vec<usize>>,
}

impl Cells {
    /// Returns the end cells of the longest row of equal marks through the marked cell.
    fn longest_line(&self) -> Option<[usize; 2]> {
        let last = self.marked.trailing_zeros() as usize;
        let glyph = *self.glyphs.get(last).filter(|glyph| matches!(glyph, 'X' | 'O'))?;
        let end = |down: isize, right: isize| {
            let (mut row, mut col, mut length) = ((last / self.cols) as isize, (last % self.cols) as isize, 0_usize);
            loop {
                let next = (row + down, col + right);
                let inside = (0..self.rows as isize).contains(&next.0) && (0..self.cols as isize).contains(&next.1);
                if !inside || self.glyphs[next.0 as usize * self.cols + next.1 as usize] != glyph {
                    return (row as usize * self.cols + col as usize, length);
                }
                (row, col, length) = (next.0, next.1, length + 1);
            }
        };
        let lines = [(0, 1), (1, 0), (1, 1), (1, -1)].map(|(down, right)| (end(down, right), end(-down, -right)));
        let longest = lines.into_iter().max_by_key(|((_, one), (_, other))| one + other)?;
        Some([longest.0.0, longest.1.0])
    }
}

/// Returns the drawing of a position, with these cells marked.
pub(crate) fn drawing<G: Notation>(game: &G, position: &G::Position, marked: u128) -> Drawing {
    match game.board() {
        Some(board) => {
            let glyphs: Vec<_> = (0..board.cells()).map(|cell| game.glyph(position, cell)).collect();
            let owners = glyphs.iter().map(|glyph| game.owner(*glyph)).collect();
            let (rows, cols, edges) = (board.rows(), board.cols(), game.edges());
            let mut cells = Cells { rows, cols, glyphs, owners, marked, line: None, edges };
            if game.is_over(position) && game.end_value(position) != Value::DRAW {
                cells.line = cells.longest_line();
            }
            Drawing::Board(cells)
        }
        None => match game.heaps(position) {
            Some(heaps) => {
                Drawing::Heaps { rows: heaps.len(), largest: heaps.iter().copied().max().unwrap_or(0), heaps }
            }
            None => Drawing::Text(game.draw_lines(position)),
        },
    }
}

/// Writes a drawing as lines of text.
pub(crate) fn board_lines(drawing: &Drawing) -> Vec<String> {
    match drawing {
        Drawing::Board(Cells { cols, glyphs, .. }) => {
            let spaced = |row: &[char]| row.iter().map(char::to_string).collect::<Vec<_>>().join(" ");
            glyphs.chunks(*cols).map(spaced).collect()
        }
        Drawing::Heaps { heaps, .. } if heaps.is_empty() => vec!["0".to_owned()],
        Drawing::Heaps { heaps, .. } => vec![heaps.iter().map(u16::to_string).collect::<Vec<_>>().join(" ")],
        Drawing::Text(lines) => lines.clone(),
    }
}

/// The margin of a file, the room below the board for the caption, and its font size.
const MARGIN: f64 = 14.0;
const CAPTION: f64 = 24.0;
const FONT: f64 = 13.0;

/// Draws a position as a self-contained SVG file, with these cells marked and a caption below. Its colours
/// follow the reader's light or dark scheme.
///
/// ```
/// use balpan_games::{Notation, lines::Lines, presets::preset};
/// use balpan_pictures::board::position_svg;
///
/// let game: Lines = preset("tictactoe").expect("a preset")?.game()?.downcast().expect("a game of lines");
/// let svg = position_svg(&game, &game.parse("X../.O./...")?, 0, "X to move");
/// assert!(svg.starts_with("<svg ") && svg.contains(">X to move</text>"));
/// # Ok::<(), balpan_games::TextError>(())
/// ```
pub fn position_svg<G: Notation>(game: &G, position: &G::Position, marked: u128, words: &str) -> String {
    let drawing = drawing(game, position, marked);
    let cell = match &drawing {
        Drawing::Board(cells) if cells.rows.max(cells.cols) <= 8 => 34.0,
        Drawing::Board(_) => 22.0,
        Drawing::Heaps { .. } | Drawing::Text(_) => 20.0,
    };
    let (width, height) = size_with_cell(&drawing, cell);
    let below = if words.is_empty() { 0.0 } else { CAPTION };
    let wide = width.max(text_width(words, FONT)) + 2.0 * MARGIN;
    let high = height + 2.0 * MARGIN + below;
    let label = if words.is_empty() { game.text(position) } else { format!("{}: {words}", game.text(position)) };
    let mut out = String::new();
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {wide:.0} {high:.0}" width="{wide:.0}" height="{high:.0}" role="img" aria-label="{}"><style>{STYLE}</style><rect class="paper" width="{wide:.0}" height="{high:.0}" rx="8"/><g transform="translate({MARGIN} {MARGIN})">"#,
        escaped(&label)
    );
    draw_with_cell(&mut out, &drawing, cell, game.players(position)[0].index());
    out.push_str("</g>");
    if below > 0.0 {
        let y = height + 2.0 * MARGIN + 10.0;
        put!(out, r#"<text x="{MARGIN}" y="{y:.1}">{}</text>"#, escaped(words));
    }
    out.push_str("</svg>\n");
    out
}

/// Tokens up to which a heap is drawn as tokens; a larger heap is a number.
pub(crate) const MAX_TOKENS: u16 = 8;

/// The font size of lines of text, in heights of a line.
const TEXT_FONT: f64 = 0.8;

/// The side of a cell in pixels.
fn cell_size(drawing: &Drawing) -> f64 {
    match drawing {
        Drawing::Board(Cells { rows, cols, .. }) => match (*rows).max(*cols) {
            0..=3 => 20.0,
            4 => 16.0,
            5 => 13.0,
            6..=8 => 10.0,
            _ => 7.0,
        },
        Drawing::Heaps { largest: 0..=MAX_TOKENS, .. } => 11.0,
        Drawing::Heaps { .. } | Drawing::Text(_) => 14.0,
    }
}

/// Returns the width and height of a drawing in pixels.
pub(crate) fn size(drawing: &Drawing) -> (f64, f64) {
    size_with_cell(drawing, cell_size(drawing))
}

/// Returns the width and height of a drawing with cells of this size.
pub(crate) fn size_with_cell(drawing: &Drawing, cell: f64) -> (f64, f64) {
    match drawing {
        Drawing::Board(Cells { rows, cols, .. }) => (*cols as f64 * cell, *rows as f64 * cell),
        Drawing::Heaps { rows, largest, .. } => {
            (f64::from((*largest).clamp(3, MAX_TOKENS)) * cell + 8.0, (*rows).max(1) as f64 * cell + 8.0)
        }
        Drawing::Text(lines) => {
            let widest = lines.iter().map(|line| width(line, cell * TEXT_FONT, false)).fold(cell, f64::max);
            (widest + 8.0, lines.len().max(1) as f64 * cell + 4.0)
        }
    }
}

/// Draws a position with its top left corner at (0, 0). `mover` is the colour of the player to move.
pub(crate) fn draw(out: &mut String, drawing: &Drawing, mover: usize) {
    draw_with_cell(out, drawing, cell_size(drawing), mover);
}

/// Draws a position with cells of this size.
pub(crate) fn draw_with_cell(out: &mut String, drawing: &Drawing, cell: f64, mover: usize) {
    let (width, height) = size_with_cell(drawing, cell);
    put!(out, r#"<rect class="t-card" x="-3" y="-3" width="{}" height="{}" rx="5"/>"#, width + 6.0, height + 6.0);
    match drawing {
        Drawing::Board(board) => cells(out, board, cell, mover),
        Drawing::Heaps { heaps: sizes, largest, .. } => heaps(out, sizes, *largest <= MAX_TOKENS, cell),
        Drawing::Text(lines) => {
            for (line, n) in lines.iter().zip(1..) {
                let (y, font) = (f64::from(n) * cell - cell * 0.2, cell * TEXT_FONT);
                put!(
                    out,
                    r#"<g font-size="{font:.1}"><text class="line" x="4" y="{y:.1}">{}</text></g>"#,
                    escaped(line)
                );
            }
        }
    }
}

fn cells(out: &mut String, board: &Cells, size: f64, mover: usize) {
    let Cells { rows, cols, ref glyphs, ref owners, marked, line, ref edges } = *board;
    let place = |cell: usize| ((cell % cols) as f64 * size, (cell / cols) as f64 * size);
    for (cell, glyph) in glyphs.iter().enumerate() {
        let (x, y) = place(cell);
        let is_marked = cell < 128 && marked >> cell & 1 == 1;
        let class = match (glyph, is_marked) {
            ('#' | '!', true) => "t-filled t-last",
            ('#' | '!', false) => "t-filled",
            ('_', _) if edges.is_empty() => "t-absent",
            ('_', _) => continue,
            (_, true) => "t-last",
            (_, false) => continue,
        };
        put!(out, r#"<rect class="{class}" x="{x}" y="{y}" width="{size}" height="{size}"/>"#);
    }
    if edges.is_empty() {
        let mut lines = String::new();
        for row in 1..rows {
            put!(lines, "M0 {}h{}", row as f64 * size, cols as f64 * size);
        }
        for col in 1..cols {
            put!(lines, "M{} 0v{}", col as f64 * size, rows as f64 * size);
        }
        put!(out, r#"<path class="grid" d="{lines}"/>"#);
    } else {
        let lines = edges_path(cols, edges, |cell| glyphs[cell] != '_', size, (0.0, 0.0));
        put!(out, r#"<path class="edges" d="{lines}"/>"#);
    }
    for (cell, glyph) in glyphs.iter().enumerate() {
        let (x, y) = place(cell);
        let (x, y) = (x + size / 2.0, y + size / 2.0);
        if !edges.is_empty() && *glyph == '.' {
            put!(out, r#"<circle class="point" cx="{x}" cy="{y}" r="{:.1}"/>"#, size * 0.12);
        }
        token(out, *glyph, owners[cell], x, y, size / 2.0, mover);
    }
    if let Some([from, to]) = line {
        let half = size / 2.0;
        let ((x, y), (to_x, to_y)) = (place(from), place(to));
        let strike = format!("M{:.1} {:.1}L{:.1} {:.1}", x + half, y + half, to_x + half, to_y + half);
        put!(out, r#"<path class="strike" d="{strike}"/>"#);
    }
}

/// Returns lines that join cells as the `d` of an SVG path. `size` is the side of a cell and `corner` the top left corner of
/// the first one. A line through the middle of another cell is bent to one side, by less than half a cell.
#[must_use]
pub fn edges_path(
    cols: usize,
    edges: &[Vec<usize>],
    exists: impl Fn(usize) -> bool,
    size: f64,
    (left, top): (f64, f64),
) -> String {
    let (mut path, mut side) = (String::new(), -1.0);
    for pair in edges.iter().flat_map(|edge| edge.windows(2)) {
        let [(row, col), (to_row, to_col)] =
            [pair[0], pair[1]].map(|cell| ((cell / cols) as isize, (cell % cols) as isize));
        let (down, right) = (to_row - row, to_col - col);
        let steps = (1..=down.abs().max(right.abs())).rev().find(|n| down % n == 0 && right % n == 0).unwrap_or(1);
        let is_between = |n| exists(((row + down / steps * n) * cols as isize + col + right / steps * n) as usize);
        let place = |row: isize, col: isize| (left + (col as f64 + 0.5) * size, top + (row as f64 + 0.5) * size);
        let ((x, y), (to_x, to_y)) = (place(row, col), place(to_row, to_col));
        if !(1..steps).any(is_between) {
            put!(path, "M{x:.1} {y:.1}L{to_x:.1} {to_y:.1}");
            continue;
        }
        // A quadratic curve goes half as far aside as its control point. Bent lines lie on both sides in turn.
        side = -side;
        let aside = side * size * (0.6 + 0.1 * steps as f64).min(0.96);
        let length = ((down * down + right * right) as f64).sqrt();
        let (middle_x, middle_y) = ((x + to_x) / 2.0, (y + to_y) / 2.0);
        let (over_x, over_y) = (middle_x - aside * down as f64 / length, middle_y + aside * right as f64 / length);
        put!(path, "M{x:.1} {y:.1}Q{over_x:.1} {over_y:.1} {to_x:.1} {to_y:.1}");
    }
    path
}

/// Draws the content of a cell around its middle.
fn token(out: &mut String, glyph: char, owner: Option<usize>, x: f64, y: f64, half: f64, mover: usize) {
    let disc = |out: &mut String, x: f64, y: f64, radius: f64, player: usize, name: char| {
        put!(out, r#"<circle class="disc p{player}" cx="{x:.1}" cy="{y:.1}" r="{radius:.1}"/>"#);
        if radius > 4.5 {
            let (font, below) = (radius * 1.35, radius * 0.48);
            let y = y + below;
            put!(out, r#"<g font-size="{font:.1}"><text class="on" x="{x:.1}" y="{y:.1}">{name}</text></g>"#);
        }
    };
    match glyph {
        'X' => {
            let arm = half * 0.56;
            let (left, top, both) = (x - arm, y - arm, 2.0 * arm);
            let strokes = format!("M{left:.1} {top:.1}l{both:.1} {both:.1}m0 -{both:.1}l-{both:.1} {both:.1}");
            put!(out, r#"<path class="mark p0" d="{strokes}"/>"#);
        }
        'O' => {
            put!(out, r#"<circle class="mark p1" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#, half * 0.6);
        }
        'A' => disc(out, x, y, half * 0.72, 0, 'A'),
        'B' => disc(out, x, y, half * 0.72, 1, 'B'),
        '*' => {
            disc(out, x - half * 0.36, y - half * 0.3, half * 0.5, 0, 'A');
            disc(out, x + half * 0.36, y + half * 0.3, half * 0.5, 1, 'B');
        }
        '!' => disc(out, x, y, half * 0.72, mover, if mover == 0 { 'A' } else { 'B' }),
        '.' | '#' | '_' => {}
        // A piece of nobody has the third colour.
        _ => disc(out, x, y, half * 0.72, owner.unwrap_or(2), glyph),
    }
}

/// Draws each heap: as a row of tokens, or as a number.
fn heaps(out: &mut String, heaps: &[u16], as_tokens: bool, size: f64) {
    for (row, &heap) in heaps.iter().enumerate() {
        let y = 4.0 + (row as f64 + 0.5) * size;
        if as_tokens {
            for token in 0..heap {
                let x = 4.0 + (f64::from(token) + 0.5) * size;
                put!(out, r#"<circle class="t-token" cx="{x:.1}" cy="{y:.1}" r="{:.1}"/>"#, size * 0.36);
            }
        } else {
            put!(out, r#"<text class="heap" x="5" y="{:.1}">{heap}</text>"#, y + 4.0);
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::Game;
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
    fn lines_between_points_leave_out_other_points() {
        let path = |edges: &[Vec<usize>], absent: usize| edges_path(3, edges, |cell| cell != absent, 10.0, (0.0, 0.0));
        assert_eq!(path(&[vec![0, 4], vec![4, 8, 5]], 9), "M5.0 5.0L15.0 15.0M15.0 15.0L25.0 25.0M25.0 25.0L25.0 15.0");
        // Past the cell between, unless there is none; always at right angles to the straight line.
        assert_eq!(path(&[vec![0, 2]], 9), "M5.0 5.0Q15.0 13.0 25.0 5.0");
        assert_eq!(path(&[vec![0, 2]], 1), "M5.0 5.0L25.0 5.0");
        assert_eq!(path(&[vec![2, 8]], 9), "M25.0 5.0Q17.0 15.0 25.0 25.0");
        assert_eq!(path(&[vec![0, 8]], 9), "M5.0 5.0Q9.3 20.7 25.0 25.0");
        assert_eq!(path(&[vec![0, 2], vec![0, 2]], 9), "M5.0 5.0Q15.0 13.0 25.0 5.0M5.0 5.0Q15.0 -3.0 25.0 5.0");
        assert_eq!(path(&[vec![1, 7]], 9), "M15.0 5.0Q7.0 15.0 15.0 25.0");
    }

    #[test]
    fn boards_have_a_grid_or_lines_between_points() {
        for (name, grid, edges) in [("tictactoe", 1, 0), ("ponghauki", 0, 1), ("hex", 0, 1)] {
            let game = preset(name).unwrap().unwrap().game().unwrap().erased();
            let svg = position_svg(&game, &game.start(), 0, "");
            let count = |class: &str| svg.matches(&format!(r#"<path class="{class}""#)).count();
            assert_eq!([count("grid"), count("edges")], [grid, edges], "{name}");
        }
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
