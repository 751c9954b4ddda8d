//! Walkers: each player has one token, and the tile that a token leaves vanishes.
//!
//! A player who cannot move loses. A token whose tile vanishes because the other token
//! left it loses at once. The first game of the family was Programmers problem 92345,
//! "Disappearing platforms"; with king's or knight's steps and tiles that cannot be
//! shared it is the game of Isolation or Joust.

mod bounds;
mod family;
mod longest_walk;
pub(crate) mod messages;
mod movegen;
mod notation;
mod rules_file;

use std::sync::Arc;

use balpan::{Bounds, Budget, EngineCore, Game, MAX_KEY_BITS, Value};

use crate::board::{Board, CellSet, Cells};
use crate::no_game::GameError;
use crate::symmetry::{Permutation, is_automorphism, rotations_and_reflections, translate_to_origin};
use movegen::MoveGenerator;
pub use notation::WalkersError;
pub(crate) use rules_file::{FAMILY, STEPS};

/// How tokens move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Steps {
    /// One tile up, down, left or right.
    Orthogonal,
    /// One tile in any of eight directions.
    King,
    /// A chess knight's leap.
    Knight,
    /// A chess queen's move: any distance in one of eight directions, over tiles only.
    Queen,
    /// A leap to the tile this many rows below and columns to the right, whatever lies
    /// between.
    Offsets(Vec<(i8, i8)>),
}

/// The rules of a walkers game, apart from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// How tokens move.
    pub steps: Steps,
    /// Whether both tokens may stand on one tile.
    pub share: bool,
    /// Whether the board's edges are joined, left to right and top to bottom.
    pub torus: bool,
}

/// A walkers game: rules, a board and a start position. A `u64` holds boards of up to
/// 64 cells, a `u128` boards of up to 128.
#[derive(Clone, Debug)]
pub struct Walkers<W = u64> {
    rules: Rules,
    board: Board,
    start: Position<W>,
    movegen: MoveGenerator<W>,
    /// The squared Euclidean distance between every two cells.
    distances: Vec<[i16; u128::CELLS]>,
    weights: Weights,
    symmetries: Vec<Permutation<W>>,
    tuning: Tuning,
}

/// Thresholds from which the expensive heuristics run. They affect speed only.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tuning {
    /// Minimum number of tiles for testing whether the tokens are separated.
    pub min_separation_tiles: u32,
    /// Minimum number of tiles for ordering moves by territory.
    pub min_territory_tiles: u32,
    /// Minimum number of tiles of a position that is stored in the transposition table.
    pub min_table_tiles: u32,
    /// Maximum number of steps for which the hold-out bounds are tried.
    pub max_holdout_steps: u32,
}

impl Tuning {
    /// Returns the thresholds measured on the presets' boards, on the next larger ones and
    /// on queens' boards of up to 5×5.
    ///
    /// They matter little: 10 to 18 tiles for the first two and 18 to 26 for the third are
    /// all within a third of the best, and more hold-out steps prune little more. Queens
    /// have many moves, so positions of fewer tiles are already expensive to search.
    #[must_use]
    pub const fn for_steps(steps: &Steps) -> Self {
        match steps {
            Steps::Queen => {
                Self { min_separation_tiles: 10, min_territory_tiles: 10, min_table_tiles: 16, max_holdout_steps: 0 }
            }
            _ => Self { min_separation_tiles: 14, min_territory_tiles: 14, min_table_tiles: 22, max_holdout_steps: 4 },
        }
    }
}

/// The remaining tiles, the two tokens and the side to move.
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
    /// Returns the full board with A in the top left corner, B in the bottom right one, and
    /// A to move.
    #[must_use]
    pub fn opposite_corners(board: Board) -> Self {
        Self { tiles: board.full(), mover: 0, other: board.cells() as u8 - 1, b_to_move: false }
    }

    /// Returns the cells of A and of B.
    #[must_use]
    pub const fn tokens(&self) -> [u8; 2] {
        if self.b_to_move { [self.other, self.mover] } else { [self.mover, self.other] }
    }
}

impl<W: CellSet> Walkers<W> {
    /// Bits of a token's cell in a key.
    const TOKEN_BITS: u32 = W::CELLS.ilog2();

    /// Creates the game by `rules` on `board`, from a full board with the tokens in
    /// opposite corners.
    ///
    /// # Errors
    /// [`GameError::TooManyCells`] if the board's cells do not fit in the word.
    pub fn new(rules: Rules, board: Board) -> Result<Self, GameError> {
        GameError::check_board(board, W::CELLS)?;
        Ok(Self::new_unchecked(rules, board))
    }

    /// Creates the game as [`new`](Self::new) does, on a board that fits in the word.
    pub(crate) fn new_unchecked(rules: Rules, board: Board) -> Self {
        let movegen = MoveGenerator::new(&rules.steps, board, rules.torus);
        let distances = |from| {
            let to = |to| if to < board.cells() { distance(board, from, to, rules.torus) } else { 0 };
            std::array::from_fn(to)
        };
        let is_symmetry = |symmetry: &Permutation<W>| is_automorphism(symmetry, movegen.leaps(board));
        Self {
            distances: (0..board.cells()).map(distances).collect(),
            weights: Weights::for_steps(&rules.steps),
            symmetries: rotations_and_reflections(board).into_iter().filter(is_symmetry).collect(),
            start: Position::opposite_corners(board),
            tuning: Tuning::for_steps(&rules.steps),
            rules,
            board,
            movegen,
        }
    }

    /// Returns the same game from another start.
    ///
    /// # Errors
    /// [`GameError::NoStart`] if it is not [legal](Game::is_legal) on the game's board.
    pub fn with_start(self, start: Position<W>) -> Result<Self, GameError> {
        if self.is_legal(&start) { Ok(self.with_legal_start(start)) } else { Err(GameError::NoStart) }
    }

    /// Returns the same game from a start that is legal.
    pub(crate) fn with_legal_start(self, start: Position<W>) -> Self {
        debug_assert!(self.is_legal(&start));
        Self { start, ..self }
    }

    /// Returns the same game with other thresholds, for tests and measurements.
    #[doc(hidden)]
    #[must_use]
    pub fn with_tuning(self, tuning: Tuning) -> Self {
        Self { tuning, ..self }
    }

    /// The cells that the token to move can step to.
    #[inline]
    fn destinations(&self, position: &Position<W>) -> W {
        let mover = W::bit(position.mover.into());
        if (position.tiles & mover).is_zero() {
            return W::zero();
        }
        let taken = if self.rules.share { W::zero() } else { W::bit(position.other.into()) };
        self.movegen.destinations(position.mover.into(), position.tiles & !mover & !taken)
    }

    /// The image of the position under `symmetry`.
    #[inline]
    fn image(position: &Position<W>, symmetry: &Permutation<W>) -> Position<W> {
        Position {
            tiles: symmetry.set(position.tiles),
            mover: symmetry.cell(position.mover.into()) as u8,
            other: symmetry.cell(position.other.into()) as u8,
            ..*position
        }
    }

    /// On a torus, the translation of the position that brings the token to move to cell 0.
    #[inline]
    fn normalize(&self, position: Position<W>) -> Position<W> {
        if self.rules.torus { self.translate_home(position) } else { position }
    }

    fn translate_home(&self, position: Position<W>) -> Position<W> {
        let moved = |cells| translate_to_origin(self.board, cells, position.mover.into());
        Position {
            tiles: moved(position.tiles),
            mover: 0,
            other: moved(W::bit(position.other.into())).trailing_zeros() as u8,
            ..position
        }
    }
}

/// The squared Euclidean distance between two cells.
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

    const MAY_REPEAT: bool = false;

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

    /// The canonical form under the symmetries of the board that the steps share, under
    /// translations of a torus, and under exchanging the tokens' names.
    fn canonical(&self, position: &Position<W>) -> Position<W> {
        let unnamed = Position { b_to_move: false, ..*position };
        let others = self.symmetries.iter().map(|symmetry| self.normalize(Self::image(&unnamed, symmetry)));
        others.fold(self.normalize(unnamed), Position::min)
    }

    /// The bits of the tiles and of both tokens' cells. Boards of more than 89 cells have no keys.
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

    /// Positions with few tiles are quicker to search than to look up.
    #[inline]
    fn is_cacheable(&self, position: &Position<W>) -> bool {
        position.tiles.count_ones() >= self.tuning.min_table_tiles
    }

    fn position_from_key(&self, key: u128) -> Option<Position<W>> {
        if self.key_bits() == 0 || key >> self.key_bits() != 0 {
            return None;
        }
        let [mover, other] = [key >> Self::TOKEN_BITS, key].map(|cell| cell as u8 & (W::CELLS - 1) as u8);
        let tiles = W::from_low_bits(key >> (2 * Self::TOKEN_BITS));
        let position = Position { tiles, mover, other, b_to_move: false };
        self.is_legal(&position).then_some(position)
    }

    /// The number of tiles.
    fn layer(&self, position: &Position<W>) -> Option<u32> {
        Some(position.tiles.count_ones())
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    #[inline]
    fn bounds(&self, position: &Position<W>, threshold: Value) -> Bounds {
        let view = self.view(position);
        if let Some(value) = self.static_value(position, &view) {
            return Bounds::exact(value);
        }
        let bounds = self.quiet_bounds();
        if bounds.decide(threshold).is_some() {
            return bounds;
        }
        let more = if self.movegen.is_sliding() { None } else { self.holdout_bounds(&view, threshold) };
        let is_worth_it = || position.tiles.count_ones() >= self.tuning.min_separation_tiles;
        match more.or_else(|| is_worth_it().then(|| self.separation_bounds(position, &view, threshold)).flatten()) {
            Some(more) => Bounds { lower: bounds.lower.max(more.lower), upper: bounds.upper.min(more.upper) },
            None => bounds,
        }
    }

    /// The safe steps. Where there is none, the bounds are exact.
    #[inline]
    fn candidates(&self, position: &Position<W>) -> impl Iterator<Item = u8> {
        Cells(self.safe_steps(&self.view(position))).map(|cell| cell as u8)
    }

    #[inline]
    fn rank(&self, position: &Position<W>, to: u8, _after: &Position<W>) -> i32 {
        self.step_rank(position, to.into())
    }

    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        W::walkers_core(self, budget)
    }
}

/// The weights of a step's rank, in units of one exit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Weights {
    /// Weight of a tile that the token reaches first.
    territory: i32,
    /// Weight of the squared distance between the tokens.
    distance: i32,
}

impl Weights {
    /// Returns the weights measured on the boards of the presets and one size larger. Tokens
    /// that leap over tiles cut nothing off by coming near.
    pub(super) const fn for_steps(steps: &Steps) -> Self {
        match steps {
            Steps::Orthogonal | Steps::King | Steps::Queen => Self { territory: 4, distance: 1 },
            Steps::Knight | Steps::Offsets(_) => Self { territory: 2, distance: 0 },
        }
    }
}

impl<W: CellSet> Walkers<W> {
    /// Ranks a step. With few tiles left, steps towards the other token come first: they cut
    /// off its exits and end the game. With more tiles, steps that win the most territory
    /// do. Ties are broken by Warnsdorff's rule: fewest exits first.
    #[inline]
    pub(super) fn step_rank(&self, position: &Position<W>, to: usize) -> i32 {
        let (mover, other) = (usize::from(position.mover), usize::from(position.other));
        let distance = i32::from(self.distances[other][to]);
        let left = position.tiles & !W::bit(mover) & !W::bit(to);
        if position.tiles.count_ones() < self.tuning.min_territory_tiles {
            return -distance - self.movegen.destinations(to, left).count_ones() as i32;
        }
        let left = left & !W::bit(other);
        let Weights { territory, distance: nearness } = self.weights;
        let ways_on = self.movegen.neighbours(to) & left;
        territory * self.first_to_reach(to, other, left) - nearness * distance - ways_on.count_ones() as i32
    }

    /// The territory of a token on `to`: the tiles of `free` that it can step on before a
    /// token on `other`, which moves first, can. Queens are counted as kings.
    #[inline]
    fn first_to_reach(&self, to: usize, other: usize, free: W) -> i32 {
        let mut their_front = self.movegen.neighbours(other) & free;
        let mut theirs = their_front;
        let mut front = self.movegen.neighbours(to) & free & !theirs;
        let mut own = front;
        while !front.is_zero() {
            their_front = self.movegen.neighbours_of(their_front) & free & !theirs;
            theirs |= their_front;
            front = self.movegen.neighbours_of(front) & free & !own & !theirs;
            own |= front;
        }
        own.count_ones() as i32
    }
}
