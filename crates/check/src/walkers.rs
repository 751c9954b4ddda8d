//! Walkers: a token steps to a tile, and the tile that it leaves vanishes. Who cannot step loses,
//! and so does who stands on no tile when it is their turn.
//!
//! A position: the tiles, those under the tokens included; and the cell of the token to move, 8
//! bits, of the other one, 8 bits, and whether B is to move, one bit.

use crate::family::{Board, Family, Move, Outcome, Position, cells_of, each, image, only};

#[derive(Debug)]
pub(crate) struct Walkers {
    board: Board,
    /// For each cell the lines of cells along which a token steps from it: as far as the tiles go,
    /// if it slides, otherwise to the one cell of each.
    ways: Vec<Vec<Vec<u8>>>,
    share: bool,
    symmetries: Vec<Vec<u8>>,
}

impl Walkers {
    pub(crate) fn new(board: Board, steps: &[(i32, i32)], slide: bool, share: bool, torus: bool) -> Self {
        let way = |from: usize, step: (i32, i32)| {
            let mut way = Vec::new();
            let mut at = from;
            while let Some(next) = board.step(at, step, torus).filter(|next| *next != from) {
                way.push(next as u8);
                at = next;
                if !slide {
                    break;
                }
            }
            way
        };
        let ways: Vec<Vec<Vec<u8>>> =
            (0..board.cells()).map(|from| steps.iter().map(|&step| way(from, step)).collect()).collect();
        let kept = |symmetry: &Vec<u8>| {
            let sorted = |mut ways: Vec<Vec<u8>>| {
                ways.sort();
                ways
            };
            (0..board.cells()).all(|from| {
                let seen = ways[from].iter().map(|way| way.iter().map(|cell| symmetry[*cell as usize]).collect());
                sorted(seen.collect()) == sorted(ways[symmetry[from] as usize].clone())
            })
        };
        let symmetries = board.symmetries().into_iter().filter(kept).collect();
        Self { board, ways, share, symmetries }
    }
}

fn tokens(position: &Position) -> (usize, usize, bool) {
    (position.1 as usize & 255, (position.1 >> 8) as usize & 255, position.1 >> 16 & 1 == 1)
}

fn position(tiles: u128, mover: usize, other: usize, b_to_move: bool) -> Position {
    Position(tiles, mover as u128 | (other as u128) << 8 | u128::from(b_to_move) << 16)
}

impl Walkers {
    /// Where the token to move can step to.
    fn steps(&self, at: &Position) -> u128 {
        let (mover, other, _) = tokens(at);
        if at.0 >> mover & 1 == 0 {
            return 0;
        }
        let free = at.0 & !(1 << mover) & if self.share { u128::MAX } else { !(1 << other) };
        let mut found = 0;
        for way in &self.ways[mover] {
            let open = way.iter().take_while(|cell| free >> **cell & 1 == 1);
            found = open.fold(found, |found, cell| found | 1 << cell);
        }
        found
    }
}

impl Family for Walkers {
    fn end(&self, at: &Position) -> Option<Outcome> {
        (self.steps(at) == 0).then_some(-1)
    }

    fn moves(&self, at: &Position, moves: &mut Vec<Move>) {
        let (mover, other, b_to_move) = tokens(at);
        moves.clear();
        for to in each(self.steps(at)) {
            let after = position(at.0 & !(1 << mover), other, to, !b_to_move);
            moves.push(Move { number: to as u32, after, end: self.end(&after) });
        }
    }

    /// The tiles that are left.
    fn layer(&self, at: &Position) -> u32 {
        at.0.count_ones()
    }

    fn image(&self, at: &Position, symmetry: &[u8]) -> Position {
        let (mover, other, b_to_move) = tokens(at);
        position(image(at.0, symmetry), symmetry[mover].into(), symmetry[other].into(), b_to_move)
    }

    fn symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    fn players(&self, at: &Position) -> [&'static str; 2] {
        if tokens(at).2 { ["B", "A"] } else { ["A", "B"] }
    }

    fn read(&self, text: &str) -> Result<Position, String> {
        let (_, glyphs, turn) = Board::read(text)?;
        only(&glyphs, ".#AB*!")?;
        let b_to_move = match turn {
            None | Some("a") => false,
            Some("b") => true,
            Some(other) => return Err(format!("`{other}` after the position: expected `a` or `b`")),
        };
        // The token to move stands on `!` if its tile has just vanished.
        let fallen = if b_to_move { ['A', '!'] } else { ['!', 'B'] };
        let one = |player: usize| {
            let own = ['A', 'B'][player];
            let cells = cells_of(&glyphs, &[own, '*', fallen[player]]);
            match cells.count_ones() {
                1 => Ok(cells.trailing_zeros() as usize),
                found => Err(format!("{found} tokens of {own}: expected one")),
            }
        };
        let (a, b) = (one(0)?, one(1)?);
        if !self.share && (a == b || glyphs.contains(&'!')) {
            return Err("both tokens are, or were, on one tile, which these rules forbid".into());
        }
        let tiles = cells_of(&glyphs, &['.', 'A', 'B', '*']);
        Ok(if b_to_move { position(tiles, b, a, true) } else { position(tiles, a, b, false) })
    }

    fn write(&self, at: &Position) -> String {
        let (mover, other, b_to_move) = tokens(at);
        let (own, others) = if b_to_move { ('B', 'A') } else { ('A', 'B') };
        let glyph = |cell| match (cell == mover, cell == other, at.0 >> cell & 1 == 1) {
            (true, true, _) => '*',
            (true, false, true) => own,
            (true, false, false) => '!',
            (false, true, _) => others,
            (false, false, true) => '.',
            (false, false, false) => '#',
        };
        format!("{} {}", self.board.write(glyph), if b_to_move { "b" } else { "a" })
    }

    fn write_move(&self, to: u32) -> String {
        format!("{},{}", to as usize / self.board.cols, to as usize % self.board.cols)
    }

    fn parts(&self, _: &Position) -> Option<Vec<Position>> {
        None
    }
}
