//! Walkers: each player has one token, and the tile that a token leaves vanishes.
//!
//! Who cannot move loses; who stands on a tile that vanishes because the other
//! left it loses at once. It began with Programmers problem 92345, "Disappearing
//! platforms"; with king's or knight's steps and tiles that cannot be shared it is
//! the game of Isolation or Joust.

mod notation;

use balpan::{Bounds, Game, Value};

use crate::board::{Board, Cells, bit};
use crate::symmetry::{Permutation, brought_home, preserves, turns_and_reflections};

/// How tokens move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// One tile up, down, left or right.
    Orthogonal,
    /// One tile in any of eight directions.
    King,
    /// A chess knight's leap.
    Knight,
    /// Any way in one of eight directions, over tiles only.
    Queen,
    /// To the tile so many rows below and columns to the right, whatever lies
    /// between.
    Offsets(Vec<(i8, i8)>),
}

/// The eight directions, the orthogonal ones first.
const DIRECTIONS: [(i8, i8); 8] = [(-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1)];

const KNIGHT: [(i8, i8); 8] = [(-2, -1), (-2, 1), (-1, -2), (-1, 2), (1, -2), (1, 2), (2, -1), (2, 1)];

/// From this many tiles on, a table of positions saves more time than it costs
/// (measured: 6×6 to 8×8, orthogonal steps).
const MEMORABLE_TILES: u32 = 32;

impl Steps {
    /// The leaps in one step; `None` for a queen, which slides.
    fn offsets(&self) -> Option<&[(i8, i8)]> {
        match self {
            Self::Orthogonal => Some(&DIRECTIONS[..4]),
            Self::King => Some(&DIRECTIONS),
            Self::Knight => Some(&KNIGHT),
            Self::Queen => None,
            Self::Offsets(offsets) => Some(offsets),
        }
    }
}

/// The rules of a walkers game, whatever the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How tokens move.
    pub steps: Steps,
    /// Whether both tokens may stand on one tile.
    pub share: bool,
    /// Whether the board's edges are joined, left to right and top to bottom.
    pub torus: bool,
}

/// A walkers game: rules, on a board, from a start.
#[derive(Clone, Debug)]
pub struct Walkers {
    rules: Rules,
    board: Board,
    start: Position,
    /// Where a token could leap from each cell, were all of them free tiles.
    leaps: Vec<u64>,
    /// For sliding tokens: the cells from each cell on in each direction.
    rays: Vec<Vec<Vec<u8>>>,
    /// How far from each cell each other one is, squared, as the crow flies.
    distances: Vec<Vec<i32>>,
    symmetries: Vec<Permutation>,
}

/// Which tiles are left, and where the tokens stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The tiles, those under the tokens included.
    pub tiles: u64,
    /// The cell of the token to move. If its tile is missing, it has just vanished.
    pub mover: u8,
    /// The cell of the other token.
    pub other: u8,
    /// Whether the token to move is B.
    pub b_to_move: bool,
}

impl Position {
    /// A full board with A in the top left corner, B in the bottom right one, and
    /// A to move.
    #[must_use]
    pub const fn opposite_corners(board: Board) -> Self {
        Self { tiles: board.all(), mover: 0, other: board.cells() as u8 - 1, b_to_move: false }
    }

    /// The cells of A and of B.
    #[must_use]
    pub const fn tokens(&self) -> [u8; 2] {
        if self.b_to_move { [self.other, self.mover] } else { [self.mover, self.other] }
    }
}

impl Walkers {
    /// The game by `rules` on `board`, from a full board with the tokens in
    /// opposite corners.
    #[must_use]
    pub fn new(rules: Rules, board: Board) -> Self {
        let leaps = leaps(board, rules.steps.offsets().unwrap_or_default(), rules.torus);
        let rays = match rules.steps {
            Steps::Queen => (0..board.cells()).map(|from| rays(board, from, rules.torus)).collect(),
            _ => Vec::new(),
        };
        let distances = (0..board.cells())
            .map(|from| (0..board.cells()).map(|to| distance(board, from, to, rules.torus)).collect())
            .collect();
        let symmetries =
            turns_and_reflections(board).into_iter().filter(|symmetry| preserves(symmetry, &leaps)).collect();
        Self { rules, board, start: Position::opposite_corners(board), leaps, rays, distances, symmetries }
    }

    /// The same game from another start, which must be legal on its board.
    #[must_use]
    pub fn starting_at(self, start: Position) -> Self {
        debug_assert!(self.is_legal(&start));
        Self { start, ..self }
    }

    /// Where the token on `from` could step to, if `free` are the tiles that it
    /// may stand on.
    #[inline]
    fn steps(&self, from: usize, free: u64) -> u64 {
        if self.rays.is_empty() {
            return self.leaps[from] & free;
        }
        let mut to = 0;
        for ray in &self.rays[from] {
            for &cell in ray {
                if free & bit(cell.into()) == 0 {
                    break;
                }
                to |= bit(cell.into());
            }
        }
        to
    }

    /// Where the player to move can step to.
    #[inline]
    fn destinations(&self, position: &Position) -> u64 {
        let mover = bit(position.mover.into());
        if position.tiles & mover == 0 {
            return 0;
        }
        let taken = if self.rules.share { 0 } else { bit(position.other.into()) };
        self.steps(position.mover.into(), position.tiles & !mover & !taken)
    }

    /// The position as `symmetry` shows it.
    fn seen(position: &Position, symmetry: &Permutation) -> Position {
        Position {
            tiles: symmetry.set(position.tiles),
            mover: symmetry.cell(position.mover.into()) as u8,
            other: symmetry.cell(position.other.into()) as u8,
            ..*position
        }
    }

    /// On a torus, the position moved so that the token to move is on cell 0.
    fn at_home(&self, position: Position) -> Position {
        if !self.rules.torus {
            return position;
        }
        let moved = |cells| brought_home(self.board, cells, position.mover.into());
        Position {
            tiles: moved(position.tiles),
            mover: 0,
            other: moved(bit(position.other.into())).trailing_zeros() as u8,
            ..position
        }
    }
}

/// The square of the distance between two cells.
fn distance(board: Board, from: usize, to: usize, torus: bool) -> i32 {
    let (from, to) = (board.row_col(from), board.row_col(to));
    let along = |a: usize, b: usize, size: usize| {
        let straight = a.abs_diff(b);
        let shortest = if torus { straight.min(size - straight) } else { straight };
        (shortest * shortest) as i32
    };
    along(from.0, to.0, board.rows()) + along(from.1, to.1, board.cols())
}

/// The cells that `offsets` lead to from each cell.
fn leaps(board: Board, offsets: &[(i8, i8)], torus: bool) -> Vec<u64> {
    let from_each = |from| {
        let to = offsets.iter().filter_map(|&by| board.offset(from, by, torus));
        to.fold(0, |set, to| set | bit(to)) & !bit(from)
    };
    (0..board.cells()).map(from_each).collect()
}

/// The cells from `from` on in each direction, up to the edge or, on a torus,
/// back to `from`.
fn rays(board: Board, from: usize, torus: bool) -> Vec<Vec<u8>> {
    let ray = |direction| {
        let next = |&cell: &usize| board.offset(cell, direction, torus).filter(|&cell| cell != from);
        std::iter::successors(next(&from), next).map(|cell| cell as u8).collect()
    };
    DIRECTIONS.into_iter().map(ray).collect()
}

impl Game for Walkers {
    type Position = Position;
    /// The cell that the token goes to.
    type Move = u8;

    fn start(&self) -> Position {
        self.start
    }

    #[inline]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        Cells(self.destinations(position)).map(|cell| cell as u8)
    }

    #[inline]
    fn play(&self, position: &Position, to: u8) -> Position {
        Position {
            tiles: position.tiles & !bit(position.mover.into()),
            mover: position.other,
            other: to,
            b_to_move: !position.b_to_move,
        }
    }

    /// Symmetries of the board that the steps share, and the tokens' names.
    fn canonical(&self, position: &Position) -> Position {
        let unnamed = Position { b_to_move: false, ..*position };
        let others = self.symmetries.iter().map(|symmetry| self.at_home(Self::seen(&unnamed, symmetry)));
        others.fold(self.at_home(unnamed), Position::min)
    }

    /// The tiles and the two tokens.
    fn key_bits(&self) -> u32 {
        self.board.cells() as u32 + 12
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        u128::from(position.tiles) << 12 | u128::from(position.mover) << 6 | u128::from(position.other)
    }

    /// With few tiles left a search is quicker than a look-up.
    #[inline]
    fn is_memorable(&self, position: &Position) -> bool {
        position.tiles.count_ones() >= MEMORABLE_TILES
    }

    /// Leaving a shared tile wins at once, and so does any step if it leaves the
    /// other token no way on. No step loses by itself, so nobody loses in one ply.
    #[inline]
    fn bounds(&self, position: &Position, _asked: Value) -> Bounds {
        let ways_on = self.steps(position.other.into(), position.tiles & !bit(position.mover.into()));
        if ways_on == 0 || position.mover == position.other {
            return Bounds::exactly(Value::win(1));
        }
        if !self.rules.share && ways_on & (ways_on - 1) == 0 && ways_on & self.destinations(position) != 0 {
            return Bounds::exactly(Value::win(1));
        }
        // Sliding tokens can also be blocked at a distance.
        let soonest = if self.rays.is_empty() { 3 } else { 1 };
        Bounds { lower: Value::loss(2), upper: Value::win(soonest) }
    }

    /// First towards the other token, whose ways it cuts off: that ends games, and
    /// much sooner than Warnsdorff's rule (to where there are the fewest ways on),
    /// which decides between equals.
    #[inline]
    fn rank(&self, position: &Position, to: u8, _after: &Position) -> i32 {
        let left = position.tiles & !bit(position.mover.into()) & !bit(to.into());
        let ways_on = self.steps(to.into(), left).count_ones();
        -self.distances[usize::from(position.other)][usize::from(to)] - ways_on as i32
    }

    fn is_legal(&self, position: &Position) -> bool {
        let Position { tiles, mover, other, .. } = *position;
        let on_board = tiles & !self.board.all() == 0 && usize::from(mover) < self.board.cells();
        on_board
            && tiles & bit(other.into()) != 0
            && (self.rules.share || (mover != other && tiles & bit(mover.into()) != 0))
    }
}
