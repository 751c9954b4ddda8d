//! Who wins Amazons on a small board, without any code of balpan: plain recursion that remembers who wins each position, in which
//! the mover wins by a move after which the other player loses. All replies to a winning move are tried.
//!
//! `cargo run --release -p balpan-bench --example amazons -- .bb./b..b/..../w..w/.ww.` prints who wins from these rows, where `w`
//! moves first, and the number of positions. This start takes 1 GB.

use std::collections::HashMap;

/// The cells of the amazons of the player to move, those of the other, and the burnt ones, as bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Position {
    own: u32,
    other: u32,
    burnt: u32,
}

struct Solver {
    /// The cells in each of eight directions from each cell, the nearest first.
    rays: Vec<Vec<Vec<u32>>>,
    /// Whether the player to move wins.
    wins: HashMap<Position, bool>,
}

impl Solver {
    fn new(rows: i32, cols: i32) -> Self {
        let on_board = |(row, col): &(i32, i32)| (0..rows).contains(row) && (0..cols).contains(col);
        let ray = |cell: i32, (down, right): (i32, i32)| -> Vec<u32> {
            let places = (1..).map(|n| (cell / cols + n * down, cell % cols + n * right));
            places.take_while(on_board).map(|(row, col)| (row * cols + col) as u32).collect()
        };
        let ways = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)];
        let rays = (0..rows * cols).map(|cell| ways.map(|way| ray(cell, way)).into()).collect();
        Self { rays, wins: HashMap::new() }
    }

    /// Returns the cells that an amazon or an arrow on `cell` reaches.
    fn reach(&self, cell: u32, blocked: u32) -> Vec<u32> {
        let open =
            |ray: &'_ Vec<u32>| ray.iter().take_while(|cell| blocked >> **cell & 1 == 0).copied().collect::<Vec<_>>();
        self.rays[cell as usize].iter().flat_map(open).collect()
    }

    /// Returns the positions after each move: an amazon goes to a cell that it reaches, and burns one that it reaches from there.
    fn moves(&self, Position { own, other, burnt }: Position) -> Vec<Position> {
        let mut after = Vec::new();
        for from in (0..32).filter(|cell| own >> cell & 1 == 1) {
            for to in self.reach(from, own | other | burnt) {
                let moved = own & !(1 << from) | 1 << to;
                let arrows = self.reach(to, moved | other | burnt);
                after.extend(arrows.iter().map(|arrow| Position {
                    own: other,
                    other: moved,
                    burnt: burnt | 1 << arrow,
                }));
            }
        }
        after
    }

    fn wins(&mut self, position: Position) -> bool {
        if let Some(wins) = self.wins.get(&position) {
            return *wins;
        }
        let mut after = self.moves(position);
        let is_known_loss = |after: &Position| self.wins.get(after) == Some(&false);
        // The order changes how long it takes: the fewest cells to go to for the other player first.
        let wins = after.iter().any(is_known_loss) || {
            after.sort_by_cached_key(|Position { own, other, burnt }| {
                let amazons = (0..32).filter(|cell| own >> cell & 1 == 1);
                amazons.map(|cell| self.reach(cell, own | other | burnt).len()).sum::<usize>()
            });
            after.into_iter().any(|after| !self.wins(after))
        };
        self.wins.insert(position, wins);
        wins
    }
}

fn main() {
    let text = std::env::args().nth(1).expect("rows such as .bb./b..b/..../w..w/.ww.");
    let rows: Vec<&str> = text.split('/').collect();
    let cells = rows.concat();
    assert!(
        rows.iter().all(|row| row.len() == rows[0].len()) && cells.len() <= 32,
        "rows of one length, of at most 32 cells"
    );
    let all =
        |glyph| (0..cells.len()).filter(|cell| cells.as_bytes()[*cell] == glyph).fold(0, |set, cell| set | 1 << cell);
    let start = Position { own: all(b'w'), other: all(b'b'), burnt: all(b'#') };
    let mut solver = Solver::new(rows.len() as i32, rows[0].len() as i32);
    let winner = if solver.wins(start) { "first" } else { "second" };
    println!("the {winner} player wins; {} positions", solver.wins.len());
}
