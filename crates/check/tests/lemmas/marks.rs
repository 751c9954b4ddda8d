//! Parts of games of marks: their nimbers add up to the position's.

use std::collections::HashMap;
use std::time::Instant;

use crate::board::Board;
use crate::checker::{Checker, Words};
use crate::game::report;

/// What is on the cell so many rows down and columns to the right.
type Around<'a> = dyn Fn(i32, i32) -> char + 'a;

/// Rules, stated as sentences and once more as what may be placed where.
struct Rules {
    shape: &'static str,
    pieces: &'static str,
    moves: &'static [&'static str],
    /// Whether a piece may be placed, by the piece, the column, and what is on the cells so many rows and columns away.
    may: fn(piece: char, col: i32, at: &Around<'_>) -> bool,
}

const SIDES: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];
const AROUND: [(i32, i32); 8] = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];

fn none_beside(at: &Around<'_>, ways: &[(i32, i32)], pieces: &str) -> bool {
    !ways.iter().any(|&(down, right)| pieces.contains(at(down, right)))
}

const GAMES: [Rules; 7] = [
    Rules {
        shape: "grid",
        pieces: "x",
        moves: &["place x on empty and not next to x"],
        may: |_, _, at| none_beside(at, &SIDES, "x"),
    },
    Rules {
        shape: "torus",
        pieces: "x",
        moves: &["place x on empty and not next to x"],
        may: |_, _, at| none_beside(at, &SIDES, "x"),
    },
    Rules {
        shape: "grid",
        pieces: "x",
        moves: &["place x on empty and not queen of x"],
        may: |_, _, at| none_beside(at, &AROUND, "x"),
    },
    Rules {
        shape: "grid",
        pieces: "x",
        moves: &["place x on not n of x and empty"],
        // The cell north of an x has it in the south.
        may: |_, _, at| at(1, 0) != 'x',
    },
    Rules {
        shape: "grid",
        pieces: "x o",
        moves: &["place x on empty and not next to x", "place o on empty and not next to o"],
        may: |piece, _, at| none_beside(at, &SIDES, &piece.to_string()),
    },
    Rules {
        shape: "grid",
        pieces: "x o",
        moves: &["place x on empty and not next to own", "place o on empty and (not left column and not ne of x)"],
        may: |piece, col, at| match piece {
            'x' => none_beside(at, &SIDES, "xo"),
            _ => col > 0 && at(1, -1) != 'x',
        },
    },
    Rules { shape: "grid", pieces: "x", moves: &["place x on empty"], may: |_, _, _| true },
];

impl Rules {
    fn text(&self) -> String {
        let moves: String = self.moves.iter().map(|text| format!("; moves: {text}")).collect();
        format!("family: language; shape: {}; player: both; pieces: {}{moves}", self.shape, self.pieces)
    }

    /// The kinds of what can be on a cell, in the order of the checker's numbers.
    fn glyphs(&self) -> Vec<char> {
        let mut glyphs: Vec<char> = self.pieces.chars().filter(|glyph| *glyph != ' ').collect();
        glyphs.sort_unstable();
        [vec!['.', '#'], glyphs].concat()
    }

    fn options(&self, board: Board, cells: &[char]) -> Vec<Vec<char>> {
        let (rows, cols) = (board.rows as i32, board.cols as i32);
        let mut options = Vec::new();
        for (n, _) in cells.iter().enumerate().filter(|(_, glyph)| **glyph == '.') {
            let (row, col) = (n as i32 / cols, n as i32 % cols);
            let at = |down: i32, right: i32| {
                let (mut row, mut col) = (row + down, col + right);
                if self.shape == "torus" {
                    (row, col) = (row.rem_euclid(rows), col.rem_euclid(cols));
                }
                let is_on = (0..rows).contains(&row) && (0..cols).contains(&col);
                let other = row * cols + col;
                // A cell is not beside itself, even on a torus of one row.
                if is_on && other != n as i32 { cells[other as usize] } else { '_' }
            };
            for piece in self.glyphs().into_iter().skip(2).filter(|piece| (self.may)(*piece, col, &at)) {
                let mut option = cells.to_vec();
                option[n] = piece;
                options.push(option);
            }
        }
        options
    }

    fn nimber(&self, board: Board, cells: &[char], known: &mut HashMap<Vec<char>, u32>) -> u32 {
        if let Some(&nimber) = known.get(cells) {
            return nimber;
        }
        let options = self.options(board, cells);
        let seen = options.iter().fold(0_u64, |seen, option| seen | 1 << self.nimber(board, option, known));
        known.insert(cells.to_vec(), seen.trailing_ones());
        seen.trailing_ones()
    }

    fn words(&self, cells: &[char]) -> Words {
        let kind = |glyph: &char| self.glyphs().iter().position(|other| other == glyph).unwrap() as u128;
        (cells.iter().rev().fold(0, |word, glyph| word << 4 | kind(glyph)), 0)
    }

    fn cells(&self, board: Board, at: Words) -> Vec<char> {
        let glyphs = self.glyphs();
        (0..board.cells()).map(|cell| glyphs[(at.0 >> (4 * cell)) as usize & 15]).collect()
    }
}

/// Every position with any pieces and blocked cells, whether or not play reaches it.
fn check_marks(rules: &Rules, board: Board) {
    let (start, mut sums) = (Instant::now(), 0_u64);
    let empty = (0..board.rows).map(|_| ".".repeat(board.cols)).collect::<Vec<_>>().join("/");
    let checker = Checker::new(&rules.text(), &empty);
    let (glyphs, mut known) = (rules.glyphs(), HashMap::new());
    let count = glyphs.len().pow(board.cells() as u32);
    for number in 0..count {
        let digit = |cell: u32| glyphs[number / glyphs.len().pow(cell) % glyphs.len()];
        let cells: Vec<char> = (0..board.cells() as u32).map(digit).collect();
        let at = rules.words(&cells);
        let nimber = rules.nimber(board, &cells, &mut known);
        let parts = checker.parts(at).expect("it is a game of marks");
        sums += u64::from(parts.len() > 1);
        let mut sum = 0;
        for part in parts {
            let of_part = rules.nimber(board, &rules.cells(board, part), &mut known);
            sum ^= of_part;
            let image = checker.canonical_part(part);
            let of_image = rules.nimber(board, &rules.cells(board, image), &mut known);
            assert_eq!(of_image, of_part, "{} {}", rules.text(), checker.write(part));
            assert!(checker.layer(image) == checker.layer(part) && checker.layer(part) <= checker.layer(at));
        }
        assert_eq!(sum, nimber, "{} {}", rules.text(), checker.write(at));
        checker.for_each_move(at, |after, _| assert!(checker.layer(after) < checker.layer(at)));
    }
    report("marks", &format!("{count} positions, {sums} with several parts, {}", rules.text()), start);
    assert!(sums > 0);
}

#[test]
fn parts_of_marks() {
    for rules in &GAMES {
        check_marks(rules, Board { rows: 2, cols: 3 });
        check_marks(rules, Board { rows: 1, cols: 7 });
    }
    check_marks(&GAMES[0], Board { rows: 3, cols: 3 });
    check_marks(&GAMES[5], Board { rows: 4, cols: 2 });
}

#[test]
#[ignore = "long"]
fn parts_of_marks_long() {
    for rules in &GAMES {
        check_marks(rules, Board { rows: 3, cols: 3 });
    }
    check_marks(&GAMES[0], Board { rows: 3, cols: 4 });
    check_marks(&GAMES[2], Board { rows: 4, cols: 3 });
}

/// What is not a game of marks does not fall into parts: pieces that come back or move, that depend on more than the cells beside them,
/// or that open cells. If it is impartial, a position with a move is one part.
#[test]
fn no_parts_of_other_games() {
    for (more, moves) in [
        ("", "place x on empty and next to x"),
        ("", "place x on empty or x"),
        ("", "place x on not x"),
        ("", "x step n onto empty"),
        ("", "place x on empty and not n of n of x"),
        ("", "place x on empty and not next to empty"),
        ("", "place x on empty and not s from x"),
        ("", "place x on empty, if at most 3 x"),
        ("", "place x on empty, unless 3 x in a row"),
        ("", "place x on empty, then next to here becomes x"),
        ("", "place x on empty and not next to #"),
        ("stuck: wins; ", "place x on empty and not next to x"),
        ("draws: 3 x in a row; ", "place x on empty and not next to x"),
    ] {
        let rules = format!("family: language; {more}player: both; pieces: x; moves: {moves}");
        let checker = Checker::new(&rules, "x../...");
        assert_eq!(checker.header.game.is_one_part(), more.is_empty(), "{rules}");
        let whole = |parts: Vec<_>| parts.iter().all(|part| *part == (0, 0)) && parts.len() <= 1;
        assert_eq!(checker.parts((0, 0)).map(whole), more.is_empty().then_some(true), "{rules}");
    }
    let rules = "family: language; player: both; pieces: x; moves: place x on empty; wins: 3 x in a row";
    assert!(Checker::new(rules, ".../...").parts((0, 0)).is_none());
    let rules = "family: language; player: x; pieces: x; moves: place x on empty; player: o; pieces: o; mirror: x";
    assert!(Checker::new(rules, ".../...").parts((0, 0)).is_none());
}
