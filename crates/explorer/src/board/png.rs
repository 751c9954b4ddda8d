//! A position as PNG, for those who show no SVG. No letters but A and B, which are drawn: fonts differ.

use balpan::Outcome;
use balpan_games::{Board, Cells, FamilyRules};
use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Rect, Stroke, Transform};

use super::pieces::is_dark;
use super::worth::{Worth, Worths};
use super::{CELL, Look};
use crate::scene::{BoardView, Scene};

/// Pixels of a unit of the picture's, and of the room around the board.
const SCALE: f32 = 2.0;
const AROUND: f32 = 16.0;

/// Side of a cell.
const SIDE: f32 = CELL as f32;

/// Heaps that are shown, and tokens of each; a row's height and a token's width.
const MOST_HEAPS: usize = 8;
const MOST_TOKENS: usize = 16;
const ROW: f32 = 48.0;
const TOKEN: f32 = 36.0;

/// Half the circle's handle of a curve.
const ROUND: f32 = 0.552_284_8;

/// The picture, with what `worths` knows of the moves.
pub(crate) fn png(scene: &Scene, worths: &Worths) -> Option<Vec<u8>> {
    let canvas = match &scene.view.board {
        Some(view) => of_board(scene, view, worths)?,
        None => of_heaps(&scene.view.heaps)?,
    };
    canvas.pixels.encode_png().ok()
}

fn of_board(scene: &Scene, view: &BoardView, worths: &Worths) -> Option<Canvas> {
    let (board, look) = (view.board, Look::of(&scene.game, view));
    let mut canvas = Canvas::new(board.cols() as f32 * SIDE, board.rows() as f32 * SIDE)?;
    for (cell, &glyph) in view.glyphs.iter().enumerate() {
        canvas.cell(corner(board, cell), glyph, look);
    }
    let is_placement = matches!(scene.game.rules(), FamilyRules::Placement(_));
    if is_placement {
        for (n, played) in scene.history.iter().enumerate() {
            canvas.piece(board, played.cells, if is_dark(scene, n) { "piece-dark" } else { "piece-light" });
        }
    }
    if let Some(last) = scene.history.last().filter(|_| !is_placement) {
        for (x, y) in Cells(last.cells).map(|cell| corner(board, cell)) {
            canvas.stroke(rounded(x + 3.0, y + 3.0, SIDE - 6.0, SIDE - 6.0, 6.0), "last", 3.5);
        }
    }
    for mv in scene.view.moves.iter().filter(|_| !is_placement) {
        for (x, y) in Cells(mv.cells).map(|cell| corner(board, cell)) {
            canvas.worth(worths.of(&mv.text), x + SIDE / 2.0, y + SIDE / 2.0);
        }
    }
    Some(canvas)
}

fn of_heaps(heaps: &[u16]) -> Option<Canvas> {
    let rows = heaps.len().clamp(1, MOST_HEAPS);
    let widest = heaps.iter().take(MOST_HEAPS).copied().max().unwrap_or(0);
    let widest = usize::from(widest).clamp(4, MOST_TOKENS);
    let mut canvas = Canvas::new(widest as f32 * TOKEN, rows as f32 * ROW)?;
    for (row, &heap) in heaps.iter().take(MOST_HEAPS).enumerate() {
        for token in 0..usize::from(heap).min(MOST_TOKENS) {
            let (x, y) = (token as f32 * TOKEN + TOKEN / 2.0, row as f32 * ROW + ROW / 2.0);
            canvas.disc(x, y, 15.0, "dark", "dark-edge");
        }
    }
    Some(canvas)
}

fn corner(board: Board, cell: usize) -> (f32, f32) {
    let (row, col) = board.row_col(cell);
    (col as f32 * SIDE, row as f32 * SIDE)
}

/// A picture on its way.
struct Canvas {
    pixels: Pixmap,
}

impl Canvas {
    fn new(width: f32, height: f32) -> Option<Self> {
        let side = |units: f32| ((units + 2.0 * AROUND) * SCALE) as u32;
        let mut pixels = Pixmap::new(side(width), side(height))?;
        pixels.fill(colour("ground"));
        Some(Self { pixels })
    }

    fn fill(&mut self, path: Option<Path>, name: &str) {
        if let Some(path) = path {
            self.pixels.fill_path(&path, &paint(name), FillRule::Winding, placed(), None);
        }
    }

    fn stroke(&mut self, path: Option<Path>, name: &str, width: f32) {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(path) = path {
            self.pixels.stroke_path(&path, &paint(name), &stroke, placed(), None);
        }
    }

    fn disc(&mut self, x: f32, y: f32, r: f32, inside: &str, edge: &str) {
        self.fill(PathBuilder::from_circle(x, y, r), inside);
        self.stroke(PathBuilder::from_circle(x, y, r), edge, 2.0);
    }

    /// One cell and what stands on it.
    fn cell(&mut self, (x, y): (f32, f32), glyph: char, look: Look) {
        let (middle_x, middle_y) = (x + SIDE / 2.0, y + SIDE / 2.0);
        if look == Look::Slots {
            self.fill(Rect::from_xywh(x, y, SIDE, SIDE).map(PathBuilder::from_rect), "tile");
            self.disc(middle_x, middle_y, 24.0, "ground", "tile-edge");
        } else {
            let (inside, edge) = match glyph {
                '#' if look == Look::Tiles => ("hole", "rule"),
                '!' => ("hole", "rule"),
                '#' => ("filled", "filled"),
                _ => ("tile", "tile-edge"),
            };
            let tile = rounded(x + 2.0, y + 2.0, SIDE - 4.0, SIDE - 4.0, 7.0);
            self.fill(tile.clone(), inside);
            self.stroke(tile, edge, 1.0);
        }
        match glyph {
            'X' if look == Look::Slots => self.disc(middle_x, middle_y, 22.0, "piece-dark", "dark-edge"),
            'O' if look == Look::Slots => self.disc(middle_x, middle_y, 22.0, "piece-light", "light-edge"),
            'A' | 'B' => self.token(glyph, middle_x, middle_y, 19.0),
            '!' => self.stroke(PathBuilder::from_circle(middle_x, middle_y, 19.0), "ink", 2.0),
            '*' => {
                self.token('A', middle_x - 11.0, middle_y - 9.0, 15.0);
                self.token('B', middle_x + 11.0, middle_y + 9.0, 15.0);
            }
            'X' => {
                let arms = [[(-13.0, -13.0), (13.0, 13.0)], [(-13.0, 13.0), (13.0, -13.0)]];
                self.stroke(lines(middle_x, middle_y, 1.0, &[&arms[0], &arms[1]]), "ink", 6.0);
            }
            'O' => self.stroke(PathBuilder::from_circle(middle_x, middle_y, 15.0), "ink", 6.0),
            _ => {}
        }
    }

    fn token(&mut self, name: char, x: f32, y: f32, r: f32) {
        let (inside, edge, letter) =
            if name == 'A' { ("dark", "dark-edge", "light") } else { ("light", "light-edge", "dark") };
        self.disc(x, y, r, inside, edge);
        let strokes: &[&[(f32, f32)]] = match name {
            'A' => &[&[(-5.0, 6.0), (0.0, -6.0), (5.0, 6.0)], &[(-3.2, 2.0), (3.2, 2.0)]],
            _ => &[
                &[(-4.0, -6.0), (-4.0, 6.0), (2.0, 6.0), (4.5, 4.5), (4.5, 1.5), (2.0, 0.0), (-4.0, 0.0)],
                &[(2.0, 0.0), (3.8, -1.6), (3.8, -4.4), (2.0, -6.0), (-4.0, -6.0)],
            ],
        };
        self.stroke(lines(x, y, r / 19.0, strokes), letter, 2.2 * r / 19.0);
    }

    /// A piece: its cells, and what joins them.
    fn piece(&mut self, board: Board, cells: u128, name: &str) {
        for cell in Cells(cells) {
            let ((row, col), (x, y)) = (board.row_col(cell), corner(board, cell));
            let has = |row: usize, col: usize| {
                row < board.rows() && col < board.cols() && cells & (1 << board.cell(row, col)) != 0
            };
            self.fill(rounded(x + 3.0, y + 3.0, SIDE - 6.0, SIDE - 6.0, 6.0), name);
            let joint = |x, y, width, height| Rect::from_xywh(x, y, width, height).map(PathBuilder::from_rect);
            if has(row, col + 1) {
                self.fill(joint(x + SIDE / 2.0, y + 3.0, SIDE, SIDE - 6.0), name);
            }
            if has(row + 1, col) {
                self.fill(joint(x + 3.0, y + SIDE / 2.0, SIDE - 6.0, SIDE), name);
            }
        }
    }

    /// Who wins by a move, as a sign: whether it is best is told by how it is filled.
    fn worth(&mut self, worth: Worth, x: f32, y: f32) {
        let Some(outcome) = worth.outcome_of() else { return };
        let (name, strokes): (_, &[&[(f32, f32)]]) = match outcome {
            Outcome::Win => ("win", &[&[(-6.0, 0.0), (6.0, 0.0)], &[(0.0, -6.0), (0.0, 6.0)]]),
            Outcome::Draw => ("draw", &[&[(-6.0, -3.0), (6.0, -3.0)], &[(-6.0, 3.0), (6.0, 3.0)]]),
            Outcome::Loss => ("loss", &[&[(-6.0, 0.0), (6.0, 0.0)]]),
        };
        let badge = rounded(x - 17.0, y - 13.0, 34.0, 26.0, 13.0);
        self.fill(badge.clone(), if worth.is_best() { name } else { "sheet" });
        self.stroke(badge, name, 2.5);
        self.stroke(lines(x, y, 1.0, strokes), if worth.is_best() { "on-worth" } else { name }, 3.0);
    }
}

/// From units to pixels.
fn placed() -> Transform {
    Transform::from_scale(SCALE, SCALE).pre_translate(AROUND, AROUND)
}

/// Lines through points around a middle.
fn lines(x: f32, y: f32, scale: f32, strokes: &[&[(f32, f32)]]) -> Option<Path> {
    let mut path = PathBuilder::new();
    for stroke in strokes {
        for (n, (right, down)) in stroke.iter().enumerate() {
            let (x, y) = (x + right * scale, y + down * scale);
            if n == 0 { path.move_to(x, y) } else { path.line_to(x, y) }
        }
    }
    path.finish()
}

/// A rectangle with round corners.
fn rounded(x: f32, y: f32, width: f32, height: f32, r: f32) -> Option<Path> {
    let (right, bottom, out) = (x + width, y + height, r * (1.0 - ROUND));
    let mut path = PathBuilder::new();
    path.move_to(x + r, y);
    path.line_to(right - r, y);
    path.cubic_to(right - out, y, right, y + out, right, y + r);
    path.line_to(right, bottom - r);
    path.cubic_to(right, bottom - out, right - out, bottom, right - r, bottom);
    path.line_to(x + r, bottom);
    path.cubic_to(x + out, bottom, x, bottom - out, x, bottom - r);
    path.line_to(x, y + r);
    path.cubic_to(x, y + out, x + out, y, x + r, y);
    path.close();
    path.finish()
}

fn paint(name: &str) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color(colour(name));
    paint
}

/// A colour of the pages, by its name there.
fn colour(name: &str) -> Color {
    let colours = include_str!("../../assets/colours.css");
    let value = |rest: &str| {
        let hex = rest.strip_prefix(": #")?.get(..6)?;
        u32::from_str_radix(hex, 16).ok()
    };
    let found = colours.split("  --").find_map(|line| value(line.strip_prefix(name)?));
    let [_, red, green, blue] = found.unwrap_or(0).to_be_bytes();
    Color::from_rgba8(red, green, blue, 255)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;
    use crate::link::Link;

    #[test]
    fn every_family_has_a_picture() {
        for (game, at) in [
            ("platforms", Some("A.#/.*./..B")),
            ("platforms", None),
            ("tictactoe", Some("XO./.X./...")),
            ("connect4", Some("445")),
            ("cram", Some("..#/#.#")),
            ("nim", Some("3 5 7")),
            ("nim", Some("0")),
            ("kayles", Some("100 100")),
        ] {
            let at = at.filter(|at| !at.contains('*')).map(str::to_owned);
            let scene = Scene::new(Link { game: game.to_owned(), at, ..Link::default() }).unwrap();
            let bytes = png(&scene, &Worths::new(None)).unwrap();
            assert!(bytes.starts_with(b"\x89PNG\r\n"), "{game}");
        }
    }

    #[test]
    fn colours_are_those_of_the_pages() {
        assert_eq!(colour("win"), Color::from_rgba8(0x00, 0x5a, 0x9c, 255));
        assert_eq!(colour("tile"), Color::from_rgba8(0xe6, 0xdc, 0xc6, 255));
        assert_eq!(colour("tile-edge"), Color::from_rgba8(0xcb, 0xbd, 0x9d, 255));
        for name in [
            "ground",
            "sheet",
            "ink",
            "rule",
            "hole",
            "filled",
            "dark",
            "dark-edge",
            "light",
            "light-edge",
            "draw",
            "loss",
            "on-worth",
            "last",
            "piece-dark",
            "piece-light",
        ] {
            assert!(include_str!("../../assets/colours.css").contains(&format!("  --{name}: #")), "{name}");
        }
    }
}
