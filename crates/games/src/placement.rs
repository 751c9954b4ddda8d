//! Placement: players in turn put polyominoes on free cells.
//!
//! A player who cannot place loses, or wins (misère). The first game of the family was
//! AlgoSpot's BLOCKGAME, dominoes and L-trominoes on 5×5; Cram, Domineering and Golomb's
//! pentomino game are others.

mod board_numbers;
mod component_table;
mod components;
mod dominoes;
mod endgame;
mod family;
mod integer_bounds;
mod lattice;
mod losing_boards;
pub(crate) mod messages;
mod movegen;
mod notation;
mod pieces;
mod rules_file;
mod runs;
mod solvers;
mod values;
mod words;

use std::any::Any;
use std::sync::Arc;

pub use balpan::TableError;
use balpan::{BoxedSolver, Budget, EngineCore, Game, Goal, MAX_KEY_BITS, Outcome, Stopped, Value, Watch};

pub use board_numbers::BoardNumbers;
pub use dominoes::{DominoPosition, Dominoes, DominoesSolver};
pub use integer_bounds::IntegerBounds;
pub use lattice::TableBudget;
pub use losing_boards::LosingBoards;
pub use notation::PlacementError;
pub use pieces::{Piece, Shape, ShapeError};
pub(crate) use rules_file::FAMILY;
pub use solvers::TableSolver;
pub use values::{PlacementThermographs, PlacementValueError, PlacementValues, PositionValueReport, StarterOutcome};

use crate::board::{Board, CellSet};
use crate::no_game::GameError;
use crate::symmetry::{Permutation, rotations_and_reflections};
use component_table::ComponentTable;
use components::Components;
use movegen::{CentreOrder, PlacementIndex};

/// Maximum number of free cells for which the values of all moves are worth searching: on larger
/// boards they take minutes at least, where they can be found at all.
const MAX_CELLS_FOR_VALUES: u32 = 30;

/// The rules of a placement game, apart from the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The pieces of each player.
    pub pieces: Pieces,
    /// Whether pieces may be rotated by quarter turns.
    pub rotate: bool,
    /// Whether pieces may be reflected.
    pub reflect: bool,
    /// Whether the player who cannot place wins.
    pub misere: bool,
}

/// The pieces of each player. Pieces with a supply need a name of one capital letter each;
/// where any has a supply there are at most 16 pieces in all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pieces {
    /// Impartial: both players place the same pieces.
    Shared(Vec<Piece>),
    /// Partizan: each player has their own pieces.
    Own {
        /// The pieces of Left, who moves first.
        left: Vec<Piece>,
        /// The pieces of Right.
        right: Vec<Piece>,
    },
}

impl Pieces {
    /// Maximum number of pieces in one game: enough for all twelve pentominoes on each side, few
    /// enough for their placements to be numbered in 16 bits.
    pub const MAX_PIECES: usize = 64;

    /// Maximum number of pieces in a game in which any has a supply: a word holds a count of each.
    pub const MAX_PIECES_WITH_SUPPLY: usize = 16;

    /// Maximum supply of a piece.
    pub const MAX_SUPPLY: u8 = 15;

    fn check(&self) -> Result<(), GameError> {
        let supplies: Vec<u8> = self.all().filter_map(|piece| piece.supply).collect();
        let (pieces, most) =
            (self.all().count(), if supplies.is_empty() { Self::MAX_PIECES } else { Self::MAX_PIECES_WITH_SUPPLY });
        if pieces > most {
            return Err(GameError::TooManyPieces { pieces, most });
        }
        match supplies.into_iter().find(|supply| !(1..=Self::MAX_SUPPLY).contains(supply)) {
            Some(supply) => Err(GameError::Supply { supply, most: Self::MAX_SUPPLY }),
            None => Ok(()),
        }
    }

    /// Whether each player has their own pieces.
    #[must_use]
    pub const fn is_partizan(&self) -> bool {
        matches!(self, Self::Own { .. })
    }

    /// Returns all pieces, Left's first.
    pub fn all(&self) -> impl Iterator<Item = &Piece> {
        let (left, right) = self.by_player();
        left.iter().chain(if self.is_partizan() { right } else { &[] })
    }

    /// The pieces of Left and of Right.
    fn by_player(&self) -> (&[Piece], &[Piece]) {
        match self {
            Self::Shared(pieces) => (pieces, pieces),
            Self::Own { left, right } => (left, right),
        }
    }
}

/// A placement game: rules, a board and a start position. A `u64` holds boards of up to
/// 64 cells, a `u128` boards of up to 128.
#[derive(Clone, Debug)]
pub struct Placement<W = u64> {
    rules: Rules,
    board: Board,
    start: Position<W>,
    /// The placements of Left and of Right on the empty board.
    placements: [Vec<PiecePlacement<W>>; 2],
    /// Move generation: the placements that still fit.
    fits: [PlacementIndex<W>; 2],
    symmetries: Vec<Symmetry<W>>,
    /// Decomposition of the free cells into independent components.
    components: Components<W>,
    /// The nimbers of small components, if a table was built.
    component_table: Option<Arc<ComponentTable>>,
    /// Move ordering: placements that are likely to split a component first.
    split_order: CentreOrder,
    /// The number of bits of each digit of [`Position::used`] in a key; empty if no piece has
    /// a supply.
    supply_bits: Vec<u32>,
}

/// A placement: one piece on certain cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct PiecePlacement<W> {
    cells: W,
    /// The unit of this piece's digit of [`Position::used`]; 0 for a piece without a supply.
    used: u64,
    /// The piece's digit of [`Position::used`] when the supply is used up.
    used_up: u64,
}

impl<W> PiecePlacement<W> {
    /// The piece's index, if it has a supply.
    #[inline]
    fn piece(&self) -> Option<usize> {
        (self.used != 0).then(|| (self.used.trailing_zeros() / 4) as usize)
    }

    /// The remaining supply of the piece; 0 if it has no supply.
    fn supply(&self, used: u64) -> u32 {
        self.piece().map_or(0, |piece| (self.used_up >> (4 * piece) & 15) as u32 - (used >> (4 * piece) & 15) as u32)
    }

    /// Whether the piece is available.
    #[inline]
    fn is_supplied(&self, used: u64) -> bool {
        let digit = self.used * 15;
        digit == 0 || used & digit != self.used_up
    }
}

/// A symmetry of the board that maps placements to placements.
#[derive(Clone, Debug)]
struct Symmetry<W> {
    cells: Permutation<W>,
    /// Whether it maps Left's placements to Right's, and so exchanges the players.
    exchanges: bool,
}

/// The filled cells, the used pieces and the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position<W = u64> {
    /// The filled cells.
    pub filled: W,
    /// The number of used pieces of each kind with a supply, four bits a kind.
    pub used: u64,
    /// Whether Right is to move. Always false in impartial games.
    pub right_to_move: bool,
}

impl<W: CellSet> Position<W> {
    /// The same position on a board of at most 64 cells.
    #[inline]
    fn narrow(&self) -> Position {
        let filled: u128 = self.filled.into();
        Position { filled: filled as u64, used: self.used, right_to_move: self.right_to_move }
    }
}

impl<W: CellSet> Placement<W> {
    /// Creates the game by `rules` on `board`, from an empty board.
    ///
    /// # Errors
    /// [`GameError`] if the board's cells do not fit in the word, if there are more pieces than
    /// [`Pieces::MAX_PIECES`], or, where any has a supply, than [`Pieces::MAX_PIECES_WITH_SUPPLY`], or if a
    /// supply is 0 or more than [`Pieces::MAX_SUPPLY`].
    pub fn new(rules: Rules, board: Board) -> Result<Self, GameError> {
        GameError::check_board(board, W::CELLS)?;
        rules.pieces.check()?;
        Ok(Self::new_unchecked(rules, board))
    }

    /// Creates the game as [`new`](Self::new) does, from valid pieces on a board that fits in the word.
    pub(crate) fn new_unchecked(rules: Rules, board: Board) -> Self {
        let turned = |piece: &Piece| piece.shape.orientations(rules.rotate, rules.reflect);
        let placed = |pieces: &[Piece], first_digit: usize| -> Vec<PiecePlacement<W>> {
            let of_piece = |(digit, piece): (usize, &Piece)| -> Vec<PiecePlacement<W>> {
                let unit = if piece.supply.is_some() { 1 << (4 * (first_digit + digit)) } else { 0 };
                let placed =
                    |cells| PiecePlacement { cells, used: unit, used_up: unit * u64::from(piece.supply.unwrap_or(0)) };
                turned(piece).iter().flat_map(|shape| shape.on(board)).map(placed).collect()
            };
            let mut all: Vec<_> = pieces.iter().enumerate().flat_map(of_piece).collect();
            all.sort_unstable_by_key(|placed| (reading_order(placed.cells), placed.used));
            all.dedup_by_key(|placed| (placed.cells, placed.used));
            all
        };
        let (left, right) = rules.pieces.by_player();
        let placements = match rules.pieces {
            Pieces::Shared(_) => [placed(left, 0), Vec::new()],
            Pieces::Own { .. } => [placed(left, 0), placed(right, left.len())],
        };
        let symmetries = rotations_and_reflections(board)
            .into_iter()
            .filter_map(|cells| symmetry(cells, &placements, rules.pieces.is_partizan()))
            .collect();
        let supplies = rules.pieces.all().any(|piece| piece.supply.is_some());
        let bits =
            |piece: &Piece| piece.supply.map_or(0, |supply| u32::from(supply).checked_ilog2().map_or(0, |log| log + 1));
        let supply_bits = if supplies { rules.pieces.all().map(bits).collect() } else { Vec::new() };
        let start = Position { filled: W::zero(), used: 0, right_to_move: false };
        let components = Components::new(board, left, rules.rotate, rules.reflect, !rules.misere);
        let fits = placements.each_ref().map(|placements| PlacementIndex::new(placements));
        let split_order = CentreOrder::new(board);
        Self {
            rules,
            board,
            start,
            placements,
            fits,
            symmetries,
            components,
            component_table: None,
            split_order,
            supply_bits,
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

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the number of cells that are free at the start.
    #[must_use]
    pub fn free_cells(&self) -> usize {
        self.free(&self.start).count_ones() as usize
    }

    /// Returns the cells of every placement of the first player on the empty board.
    pub fn placements(&self) -> impl ExactSizeIterator<Item = W> {
        self.placements[0].iter().map(|placed| placed.cells)
    }

    /// Whether each player has their own pieces.
    #[must_use]
    pub const fn is_partizan(&self) -> bool {
        self.rules.pieces.is_partizan()
    }

    /// The number of bits of all supply counts in a key.
    fn count_bits(&self) -> u32 {
        self.supply_bits.iter().sum()
    }

    /// The number of cells in a key: all, or the first ones of a large board.
    fn key_cells(&self) -> u32 {
        (self.board.cells() as u32).min(MAX_KEY_BITS - 1 - self.count_bits())
    }

    fn is_key_complete(&self) -> bool {
        self.key_cells() as usize == self.board.cells()
    }

    fn movers_placements(&self, position: &Position<W>) -> &[PiecePlacement<W>] {
        &self.placements[usize::from(position.right_to_move)]
    }

    fn movers_index(&self, position: &Position<W>) -> &PlacementIndex<W> {
        &self.fits[usize::from(position.right_to_move)]
    }

    fn free(&self, position: &Position<W>) -> W {
        self.board.full::<W>() & !position.filled
    }

    /// Whether any piece has a supply.
    #[must_use]
    pub fn has_supplies(&self) -> bool {
        !self.supply_bits.is_empty()
    }
}

/// Sort key of sets of cells in reading order: the first cell decides first.
fn reading_order<W: CellSet>(cells: W) -> std::cmp::Reverse<W> {
    std::cmp::Reverse(cells.reverse_bits())
}

/// Returns `cells` as a symmetry of the game, if it maps placements to placements.
fn symmetry<W: CellSet>(
    cells: Permutation<W>,
    placements: &[Vec<PiecePlacement<W>>; 2],
    partizan: bool,
) -> Option<Symmetry<W>> {
    let sorted = |of: &[PiecePlacement<W>], image: &dyn Fn(W) -> W| {
        let mut sorted: Vec<_> =
            of.iter().map(|placed| PiecePlacement { cells: image(placed.cells), ..*placed }).collect();
        sorted.sort_unstable();
        sorted
    };
    let maps_to = |of: &Vec<_>, to: &Vec<_>| sorted(of, &|placed| cells.set(placed)) == sorted(to, &|placed| placed);
    let [left, right] = placements;
    let maps = |to_left, to_right| maps_to(left, to_left) && maps_to(right, to_right);
    let keeps = maps(left, right);
    // Each supply belongs to one player, so only games without supplies can exchange players.
    let exchanges = partizan && !keeps && maps(right, left);
    (keeps || exchanges).then_some(Symmetry { cells, exchanges })
}

impl<W: CellSet> Placement<W> {
    /// The game, if its board fits in 64 bits: larger boards have no table.
    fn narrow(&self) -> Option<&Placement> {
        (self as &dyn Any).downcast_ref()
    }
}

impl<W: CellSet> Game for Placement<W> {
    type Position = Position<W>;
    /// An index into the mover's placements on the empty board.
    type Move = u16;

    const MAY_REPEAT: bool = false;

    fn start(&self) -> Position<W> {
        self.start
    }

    #[inline]
    fn moves(&self, position: &Position<W>) -> impl Iterator<Item = u16> {
        let Position { filled, used, .. } = *position;
        let fits = move |placed: &PiecePlacement<W>| (placed.cells & filled).is_zero() && placed.is_supplied(used);
        (0..).zip(self.movers_placements(position)).filter(move |(_, placed)| fits(placed)).map(|(n, _)| n)
    }

    #[inline]
    fn play(&self, position: &Position<W>, mv: u16) -> Position<W> {
        let placed = self.movers_placements(position)[usize::from(mv)];
        Position {
            filled: position.filled | placed.cells,
            used: position.used + placed.used,
            right_to_move: position.right_to_move != self.rules.pieces.is_partizan(),
        }
    }

    #[inline]
    fn is_over(&self, position: &Position<W>) -> bool {
        !self.movers_index(position).any(self.free(position), position.used)
    }

    fn end(&self, _position: &Position<W>) -> Outcome {
        if self.rules.misere { Outcome::Win } else { Outcome::Loss }
    }

    fn is_legal(&self, position: &Position<W>) -> bool {
        let (left, right) = (&self.placements[0], &self.placements[1]);
        (position.filled & !self.board.full::<W>()).is_zero()
            && (self.rules.pieces.is_partizan() || !position.right_to_move)
            && left.iter().chain(right).all(|placed| position.used & (placed.used * 15) <= placed.used_up)
    }

    fn canonical(&self, position: &Position<W>) -> Position<W> {
        // Keys of large boards have no room for the last cells, which should then be filled.
        let choose = if self.is_key_complete() { Position::min } else { Position::max };
        let seen = |symmetry: &Symmetry<W>| Position {
            filled: symmetry.cells.set(position.filled),
            used: position.used,
            right_to_move: position.right_to_move != symmetry.exchanges,
        };
        self.symmetries.iter().map(seen).fold(*position, choose)
    }

    /// The bits of the filled cells, the side to move and the used pieces. Keys of large boards
    /// hold only the first cells.
    fn key_bits(&self) -> u32 {
        self.key_cells() + 1 + self.count_bits()
    }

    #[inline]
    fn key(&self, position: &Position<W>) -> u128 {
        let cells = position.filled.into() & ((1 << self.key_cells()) - 1);
        let cells = cells << 1 | u128::from(position.right_to_move);
        let digits = self.supply_bits.iter().enumerate();
        digits.fold(cells, |key, (digit, bits)| key << bits | u128::from(position.used >> (4 * digit) & 15))
    }

    /// Whether the key is complete: on large boards, whether all cells beyond it are filled.
    #[inline]
    fn is_cacheable(&self, position: &Position<W>) -> bool {
        let fits = |position: &Position<W>| {
            let free: u128 = (self.board.full::<W>() & !position.filled).into();
            free >> self.key_cells() == 0
        };
        self.is_key_complete() || fits(position) && fits(&self.canonical(position))
    }

    fn position_from_key(&self, key: u128) -> Option<Position<W>> {
        let (mut used, mut rest) = (0, key);
        for (digit, &bits) in self.supply_bits.iter().enumerate().rev() {
            used |= ((rest & ((1 << bits) - 1)) as u64) << (4 * digit);
            rest >>= bits;
        }
        let (right_to_move, cells) = (rest & 1 == 1, rest >> 1);
        // Cells beyond the key are filled.
        let all: u128 = self.board.full::<W>().into();
        let beyond = all >> self.key_cells() << self.key_cells();
        let filled = (0..W::CELLS).filter(|cell| (cells | beyond) >> cell & 1 == 1);
        let filled = filled.fold(W::zero(), |filled, cell| filled | W::bit(cell));
        let position = Position { filled, used, right_to_move };
        (self.key(&position) == key && self.is_legal(&position)).then_some(position)
    }

    /// The number of free cells.
    fn layer(&self, position: &Position<W>) -> Option<u32> {
        Some(self.free(position).count_ones())
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    /// Searches endgames of games with supplies as graphs. Few pieces are left then, which fit
    /// in many ways, and most placements exclude most others.
    fn settle(&self, position: &Position<W>, threshold: Value) -> Option<Value> {
        if self.has_supplies() { self.endgame_bound(position, threshold) } else { None }
    }

    fn candidates(&self, position: &Position<W>) -> impl Iterator<Item = u16> {
        let fitting = || self.movers_index(position).numbers(self.free(position), position.used);
        let (fitting, all) = match self.has_supplies() {
            true => (Some(fitting()), None),
            false => (None, Some(self.moves(position))),
        };
        fitting.into_iter().flatten().chain(all.into_iter().flatten())
    }

    /// In games with supplies, moves that leave the opponent the lowest mobility come first.
    fn rank(&self, _position: &Position<W>, _mv: u16, after: &Position<W>) -> i32 {
        if !self.has_supplies() {
            return 0;
        }
        -(self.movers_index(after).count(self.free(after), after.used) as i32)
    }

    fn is_impartial(&self) -> bool {
        !self.rules.misere && !self.rules.pieces.is_partizan() && self.supply_bits.is_empty()
    }

    fn is_impartial_misere(&self) -> bool {
        self.rules.misere && !self.rules.pieces.is_partizan() && self.supply_bits.is_empty()
    }

    fn split(&self, position: &Position<W>, parts: &mut Vec<Position<W>>) {
        let all = self.board.full::<W>();
        self.components.split(all & !position.filled, |part| parts.push(Position { filled: all & !part, ..*position }));
    }

    #[inline]
    fn mobility(&self, position: &Position<W>) -> usize {
        if self.is_impartial() || self.is_impartial_misere() {
            self.components.mobility(self.board.full::<W>() & !position.filled)
        } else {
            self.moves(position).count()
        }
    }

    #[inline]
    fn part_moves(&self, part: &Position<W>) -> impl Iterator<Item = u16> {
        let (filled, all) = (part.filled, self.movers_placements(part));
        let order = self.split_order.within(self.free(part), all.iter().map(|placed| placed.cells));
        order.iter().copied().filter(move |&n| (all[usize::from(n)].cells & filled).is_zero())
    }

    fn nimber(&self, part: &Position<W>) -> Option<u32> {
        let free = self.board.full::<W>() & !part.filled;
        self.component_table.as_ref()?.nimber(free, self.board.cols())
    }

    fn has_part_keys(&self) -> bool {
        self.is_impartial()
    }

    fn part_key(&self, part: &Position<W>) -> Option<u128> {
        let free = self.free(part);
        self.has_part_keys().then(|| self.board.corner_key(free, &[free]))?
    }

    fn part_from_key(&self, key: u128) -> Option<Position<W>> {
        let transposed = || self.components.is_transposable().then(|| self.board.corner_of_key::<W>(key, 1, true))?;
        let (_, [free, ..]) = self.board.corner_of_key(key, 1, false).or_else(transposed)?;
        let position = Position { filled: self.board.full::<W>() & !free, used: 0, right_to_move: false };
        let mut parts = Vec::new();
        self.split(&position, &mut parts);
        parts.pop().filter(|_| self.has_part_keys() && parts.is_empty())
    }

    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        W::placement_core(self, budget)
    }

    fn has_quick_table(&self, position: &Position<W>, bytes: usize) -> bool {
        self.narrow().is_some_and(|game| TableSolver::is_quick(game, &position.narrow(), bytes as u64))
    }

    fn build_table(
        &self,
        position: &Position<W>,
        budget: Budget,
        watch: &Watch,
    ) -> Result<BoxedSolver<Position<W>>, TableError> {
        let cells = self.free(position).count_ones() as usize;
        let game = self.narrow().ok_or(TableError::NoMemory { cells })?;
        Ok(Box::new(TableSolver::new(game, &position.narrow(), TableBudget::from(budget), watch)?))
    }

    fn outcome_solver(self: &Arc<Self>, budget: Budget, watch: &Watch) -> Option<BoxedSolver<Position<W>>> {
        let dominoes = Dominoes::for_game(self)?;
        Some(Box::new(DominoesSolver::new(Arc::clone(self), dominoes, budget, watch)))
    }

    fn with_part_nimbers(
        &self,
        position: &Position<W>,
        budget: Budget,
        watch: &Watch,
    ) -> Result<Option<Self>, Stopped> {
        let game = self.clone().with_legal_start(*position);
        game.with_component_table(TableBudget::from(budget), watch).map(Some)
    }

    fn suits_proof_numbers(&self) -> bool {
        self.has_supplies()
    }

    /// The winner only, on large boards.
    fn default_goal(&self, position: &Position<W>) -> Goal {
        if self.free(position).count_ones() > MAX_CELLS_FOR_VALUES { Goal::Winner } else { Goal::MoveValues }
    }
}
