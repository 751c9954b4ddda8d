//! Walkers: each player has one token, and the tile that a token leaves vanishes.
//!
//! Who cannot move loses; who stands on a tile that vanishes because the other
//! left it loses at once. It began with Programmers problem 92345, "Disappearing
//! platforms"; with king's or knight's steps and tiles that cannot be shared it is
//! the game of Isolation or Joust.

mod apart;
mod blocks;
mod hold;
mod longest;
mod notation;
mod question;
mod rays;
mod territory;
mod view;
mod ways;

use std::sync::Arc;

use balpan::{Bounds, Budget, EngineCore, Expert, Game, Hints, Impartial, Keyed, MAX_KEY_BITS, Value};

use crate::board::{Board, CellSet, Cells};
use crate::no_game::GameError;
use crate::symmetry::{Permutation, brought_home, preserves, turns_and_reflections};
use territory::Weights;
use ways::Ways;

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
    /// To the tile this many rows below and columns to the right, whatever lies
    /// between.
    Offsets(Vec<(i8, i8)>),
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

/// A walkers game: rules, on a board, from a start. A `u64` holds boards of up to
/// 64 cells, a `u128` those of up to 128.
#[derive(Clone, Debug)]
pub struct Walkers<W = u64> {
    rules: Rules,
    board: Board,
    start: Position<W>,
    ways: Ways<W>,
    /// How far from each cell each other one is, squared, as the crow flies.
    distances: Vec<[i16; u128::CELLS]>,
    weights: Weights,
    symmetries: Vec<Permutation<W>>,
    tuning: Tuning,
}

/// Where knowledge that costs time is used. Values are the same with any figures.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// From this many tiles on, it is asked whether the tokens can meet at all.
    pub apart_tiles: u32,
    /// From this many tiles on, steps are ordered by territory.
    pub territory_tiles: u32,
    /// From this many tiles on, positions are remembered.
    pub memorable_tiles: u32,
    /// It is asked whether a token that is no queen holds out for up to this many steps.
    pub hold_steps: u32,
}

impl Tuning {
    /// As measured on the presets' boards, on the next larger ones and on queens of up
    /// to 5×5. It hardly matters: 10 to 18 tiles for the first two and 18 to 26 for the
    /// third are all within a third of the best, and more steps find little more. But
    /// queens have many moves, so that little of their games is as quick to search.
    #[must_use]
    pub const fn measured(steps: &Steps) -> Self {
        match steps {
            Steps::Queen => Self { apart_tiles: 10, territory_tiles: 10, memorable_tiles: 16, hold_steps: 0 },
            _ => Self { apart_tiles: 14, territory_tiles: 14, memorable_tiles: 22, hold_steps: 4 },
        }
    }
}

/// Which tiles are left, and where the tokens stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position<W = u64> {
    /// The tiles, those under the tokens included.
    pub tiles: W,
    /// The cell of the token to move. If its tile is missing, it has just vanished.
    pub mover: u8,
    /// The cell of the other token.
    pub other: u8,
    /// Whether the token to move is B.
    pub b_to_move: bool,
}

impl<W: CellSet> Position<W> {
    /// A full board with A in the top left corner, B in the bottom right one, and
    /// A to move.
    #[must_use]
    pub fn opposite_corners(board: Board) -> Self {
        Self { tiles: board.full(), mover: 0, other: board.cells() as u8 - 1, b_to_move: false }
    }

    /// The cells of A and of B.
    #[must_use]
    pub const fn tokens(&self) -> [u8; 2] {
        if self.b_to_move { [self.other, self.mover] } else { [self.mover, self.other] }
    }
}

impl<W: CellSet> Walkers<W> {
    /// The bits that name a cell in a key.
    const TOKEN_BITS: u32 = W::CELLS.ilog2();

    /// The game by `rules` on `board`, from a full board with the tokens in
    /// opposite corners.
    ///
    /// # Errors
    /// [`GameError::TooManyCells`] if the board's cells do not fit in the word.
    pub fn new(rules: Rules, board: Board) -> Result<Self, GameError> {
        GameError::check_board(board, W::CELLS)?;
        Ok(Self::on(rules, board))
    }

    /// As [`new`](Self::new), on a board that is known to be small enough.
    pub(crate) fn on(rules: Rules, board: Board) -> Self {
        let ways = Ways::new(&rules.steps, board, rules.torus);
        let distances = |from| {
            let to = |to| if to < board.cells() { distance(board, from, to, rules.torus) } else { 0 };
            std::array::from_fn(to)
        };
        let is_symmetry = |symmetry: &Permutation<W>| preserves(symmetry, ways.leaps(board));
        Self {
            distances: (0..board.cells()).map(distances).collect(),
            weights: Weights::of(&rules.steps),
            symmetries: turns_and_reflections(board).into_iter().filter(is_symmetry).collect(),
            start: Position::opposite_corners(board),
            tuning: Tuning::measured(&rules.steps),
            rules,
            board,
            ways,
        }
    }

    /// The same game from another start.
    ///
    /// # Errors
    /// [`GameError::NoStart`] if it is not [legal](Game::is_legal) on the game's board.
    pub fn starting_at(self, start: Position<W>) -> Result<Self, GameError> {
        if self.is_legal(&start) { Ok(self.begun_at(start)) } else { Err(GameError::NoStart) }
    }

    /// As [`starting_at`](Self::starting_at), for a start that is known to be legal.
    pub(crate) fn begun_at(self, start: Position<W>) -> Self {
        debug_assert!(self.is_legal(&start));
        Self { start, ..self }
    }

    /// The same game with knowledge used elsewhere, for tests and measurements.
    #[doc(hidden)]
    #[must_use]
    pub fn tuned(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// Where the player to move can step to.
    #[inline]
    fn destinations(&self, position: &Position<W>) -> W {
        let mover = W::bit(position.mover.into());
        if (position.tiles & mover).is_zero() {
            return W::zero();
        }
        let taken = if self.rules.share { W::zero() } else { W::bit(position.other.into()) };
        self.ways.from(position.mover.into(), position.tiles & !mover & !taken)
    }

    /// The position as `symmetry` shows it.
    #[inline]
    fn seen(position: &Position<W>, symmetry: &Permutation<W>) -> Position<W> {
        Position {
            tiles: symmetry.set(position.tiles),
            mover: symmetry.cell(position.mover.into()) as u8,
            other: symmetry.cell(position.other.into()) as u8,
            ..*position
        }
    }

    /// On a torus, the position moved so that the token to move is on cell 0.
    #[inline]
    fn at_home(&self, position: Position<W>) -> Position<W> {
        if self.rules.torus { self.moved_home(position) } else { position }
    }

    fn moved_home(&self, position: Position<W>) -> Position<W> {
        let moved = |cells| brought_home(self.board, cells, position.mover.into());
        Position {
            tiles: moved(position.tiles),
            mover: 0,
            other: moved(W::bit(position.other.into())).trailing_zeros() as u8,
            ..position
        }
    }
}

/// The square of the distance between two cells.
fn distance(board: Board, from: usize, to: usize, torus: bool) -> i16 {
    let (from, to) = (board.row_col(from), board.row_col(to));
    let along = |a: usize, b: usize, size: usize| {
        let straight = a.abs_diff(b);
        let shortest = if torus { straight.min(size - straight) } else { straight };
        (shortest * shortest) as i16
    };
    along(from.0, to.0, board.rows()) + along(from.1, to.1, board.cols())
}

impl<W: CellSet> Game for Walkers<W> {
    type Position = Position<W>;
    /// The cell that the token goes to.
    type Move = u8;

    fn start(&self) -> Position<W> {
        self.start
    }

    #[inline]
    fn moves(&self, position: &Position<W>) -> impl Iterator<Item = u8> {
        Cells(self.destinations(position)).map(|cell| cell as u8)
    }

    #[inline]
    fn play(&self, position: &Position<W>, to: u8) -> Position<W> {
        Position {
            tiles: position.tiles & !W::bit(position.mover.into()),
            mover: position.other,
            other: to,
            b_to_move: !position.b_to_move,
        }
    }

    fn is_legal(&self, position: &Position<W>) -> bool {
        let Position { tiles, mover, other, .. } = *position;
        let is_on_board = |cell: u8| usize::from(cell) < self.board.cells();
        let has = |cell: u8| is_on_board(cell) && !(tiles & W::bit(cell.into())).is_zero();
        (tiles & !self.board.full::<W>()).is_zero()
            && is_on_board(mover)
            && has(other)
            && (self.rules.share || (mover != other && has(mover)))
    }
}

impl<W: CellSet> Keyed for Walkers<W> {
    /// Symmetries of the board that the steps share, and the tokens' names.
    fn canonical(&self, position: &Position<W>) -> Position<W> {
        let unnamed = Position { b_to_move: false, ..*position };
        let others = self.symmetries.iter().map(|symmetry| self.at_home(Self::seen(&unnamed, symmetry)));
        others.fold(self.at_home(unnamed), Position::min)
    }

    /// The tiles and the two tokens. Boards of more than 89 cells have no keys.
    fn key_bits(&self) -> u32 {
        let bits = self.board.cells() as u32 + 2 * Self::TOKEN_BITS;
        if bits <= MAX_KEY_BITS { bits } else { 0 }
    }

    #[inline]
    fn key(&self, position: &Position<W>) -> u128 {
        if self.key_bits() == 0 {
            return 0;
        }
        let tokens = u128::from(position.mover) << Self::TOKEN_BITS | u128::from(position.other);
        position.tiles.into() << (2 * Self::TOKEN_BITS) | tokens
    }

    /// With few tiles left a search is quicker than a look-up.
    #[inline]
    fn is_memorable(&self, position: &Position<W>) -> bool {
        position.tiles.count_ones() >= self.tuning.memorable_tiles
    }

    fn position_of(&self, key: u128) -> Option<Position<W>> {
        if self.key_bits() == 0 || key >> self.key_bits() != 0 {
            return None;
        }
        let [mover, other] = [key >> Self::TOKEN_BITS, key].map(|cell| cell as u8 & (W::CELLS - 1) as u8);
        let tiles = W::low_bits(key >> (2 * Self::TOKEN_BITS));
        let position = Position { tiles, mover, other, b_to_move: false };
        self.is_legal(&position).then_some(position)
    }

    /// Tiles.
    fn layer(&self, position: &Position<W>) -> Option<u32> {
        Some(position.tiles.count_ones())
    }
}

impl<W: CellSet> Hints for Walkers<W> {
    #[inline]
    fn bounds(&self, position: &Position<W>, asked: Value) -> Bounds {
        let view = self.view(position);
        if let Some(value) = self.at_a_glance(position, &view) {
            return Bounds::exact(value);
        }
        let bounds = self.not_at_a_glance();
        if bounds.decide(asked).is_some() {
            return bounds;
        }
        let more = if self.ways.slide() { None } else { self.held(&view, asked) };
        let is_worth_it = || position.tiles.count_ones() >= self.tuning.apart_tiles;
        match more.or_else(|| is_worth_it().then(|| self.apart(position, &view, asked)).flatten()) {
            Some(more) => Bounds { lower: bounds.lower.max(more.lower), upper: bounds.upper.min(more.upper) },
            None => bounds,
        }
    }

    /// The safe steps. Bounds are exact where none is.
    #[inline]
    fn candidates(&self, position: &Position<W>) -> impl Iterator<Item = u8> {
        Cells(self.safe(&self.view(position))).map(|cell| cell as u8)
    }

    #[inline]
    fn rank(&self, position: &Position<W>, to: u8, _after: &Position<W>) -> i32 {
        self.promise(position, to.into())
    }
}

impl<W: CellSet> Impartial for Walkers<W> {}

impl<W: CellSet> Expert for Walkers<W> {
    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        W::walkers_core(self, budget)
    }
}
