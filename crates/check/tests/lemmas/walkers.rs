//! Walkers: moves, ends and symmetries.

use std::time::Instant;

use crate::board::Board;
use crate::checker::{Checker, Words};
use crate::game::{Game, check_game, report};

/// A game of walkers on a board.
struct Walkers {
    cells: usize,
    /// For each cell and each kind of step, the cells on the way, in order.
    ways: Vec<Vec<Vec<usize>>>,
    share: bool,
}

fn words(tiles: usize, mover: usize, other: usize, b_to_move: bool) -> Words {
    (tiles as u128, (mover + 256 * other) as u128 | u128::from(b_to_move) << 16)
}

/// Returns the cells of the token to move and of the other one, and whether B is to move.
fn tokens(at: Words) -> (usize, usize, bool) {
    (at.1 as usize % 256, at.1 as usize / 256 % 256, at.1 >> 16 == 1)
}

/// Reads the kind of steps, as in the head of a certificate, and returns them and the most steps of one move.
fn read_steps(steps: &str) -> (Vec<(i32, i32)>, usize) {
    let near = (-2..=2).flat_map(|down: i32| (-2..=2).map(move |right: i32| (down, right)));
    match steps {
        "orthogonal" => (vec![(0, 1), (1, 0), (0, -1), (-1, 0)], 1),
        "king" => (near.filter(|(down, right)| down.abs().max(right.abs()) == 1).collect(), 1),
        "queen" => (read_steps("king").0, usize::MAX),
        "knight" => (near.filter(|(down, right)| down * down + right * right == 5).collect(), 1),
        list => {
            let pair =
                |pair: &str| pair.split_once(',').map(|(down, right)| Some((down.parse().ok()?, right.parse().ok()?)));
            (list.split(' ').map(|step| pair(step).unwrap().unwrap()).collect(), 1)
        }
    }
}

impl Walkers {
    fn new(board: Board, steps: &str, share: bool, torus: bool) -> Self {
        let (steps, max_steps) = read_steps(steps);
        let way = |from: usize, (down, right): (i32, i32)| {
            let (mut way, (mut row, mut col)) = (Vec::new(), board.row_col(from));
            while way.len() < max_steps {
                (row, col) = (row + down, col + right);
                if torus {
                    (row, col) = (row.rem_euclid(board.rows as i32), col.rem_euclid(board.cols as i32));
                }
                match board.cell(row, col) {
                    Some(cell) if cell != from => way.push(cell),
                    _ => break,
                }
            }
            way
        };
        let ways = (0..board.cells()).map(|from| steps.iter().map(|step| way(from, *step)).collect()).collect();
        Self { cells: board.cells(), ways, share }
    }

    /// Returns the set of cells that the token to move can step to.
    fn targets(&self, at: Words) -> usize {
        let (tiles, (mover, other, _)) = (at.0 as usize, tokens(at));
        let mut targets = 0;
        if tiles >> mover & 1 == 1 {
            for way in &self.ways[mover] {
                let is_free = |cell: &&usize| tiles >> **cell & 1 == 1 && (self.share || **cell != other);
                way.iter().take_while(is_free).for_each(|cell| targets |= 1 << cell);
            }
        }
        targets
    }
}

impl Game for Walkers {
    fn for_each_position(&self, visit: &mut dyn FnMut(Words)) {
        for tiles in 0..1 << self.cells {
            for mover in 0..self.cells {
                for other in 0..self.cells {
                    // The rules are the same for both players.
                    visit(words(tiles, mover, other, (tiles ^ mover ^ other) & 1 == 1));
                }
            }
        }
    }

    fn end(&self, at: Words) -> Option<i32> {
        (self.targets(at) == 0).then_some(-1)
    }

    fn for_each_move(&self, at: Words, visit: &mut dyn FnMut(Words)) {
        let (mover, other, b_to_move) = tokens(at);
        let targets = self.targets(at);
        for to in (0..self.cells).filter(|to| targets >> to & 1 == 1) {
            visit(words(at.0 as usize & !(1 << mover), other, to, !b_to_move));
        }
    }

    fn size(&self) -> usize {
        (self.cells * self.cells) << self.cells
    }

    fn index(&self, at: Words) -> Option<usize> {
        let (mover, other, _) = tokens(at);
        Some((at.0 as usize * self.cells + mover) * self.cells + other)
    }
}

const STEPS: [&str; 9] =
    ["orthogonal", "king", "knight", "queen", "1,2 2,1", "0,1 1,0", "1,1 -1,1 2,0", "0,1 0,-1", "1,2 -2,1 -1,-2 2,-1"];

fn check_walkers(test: &str, boards: &[Board], steps: &[&str]) {
    let (start, mut count) = (Instant::now(), 0);
    for steps in steps {
        for (share, torus) in [("yes", "no"), ("no", "no"), ("yes", "yes"), ("no", "yes")] {
            for board in boards {
                let position = match board.write_empty() {
                    empty if board.cells() > 1 && empty.starts_with("..") => empty.replacen("..", "AB", 1),
                    empty if board.cells() > 1 => empty.replacen("./.", "A/B", 1),
                    _ if share == "no" => continue,
                    _ => "*".into(),
                };
                let rules = format!("family: walkers; steps: {steps}; share: {share}; torus: {torus}");
                let game = Walkers::new(*board, steps, share == "yes", torus == "yes");
                count += check_game(&Checker::new(&rules, &position), &game);
            }
        }
    }
    report(test, &format!("{count} positions"), start);
}

#[test]
fn walkers_moves_and_symmetries() {
    check_walkers("moves and symmetries of walkers", &Board::all(1..=9).collect::<Vec<_>>(), &STEPS);
}

#[test]
#[ignore = "long"]
fn walkers_moves_and_symmetries_long() {
    check_walkers("moves and symmetries of walkers", &Board::all(10..=12).collect::<Vec<_>>(), &STEPS);
    check_walkers("moves and symmetries of walkers, 4x4", &[Board { rows: 4, cols: 4 }], &STEPS[..5]);
}
