//! Placement positions as partizan games: what Left and Right can move to, independent parts, and
//! one position for all that are the same but for how they lie.

use balpan::cgt::{CgtError, Form, FormStore, Partizan, Player, PositionCodec, ThermalSummary};
use balpan::checkpoint::Checkpoint;

use super::{Placed, Placement, Position};
use crate::board::{Board, CellSet, Cells};

/// Why a placement game's positions have no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementValueError {
    /// PlacementValues add up under normal play only.
    #[error("under misère play, positions have no values that add up")]
    Misere,
    /// It takes too long, or too much memory.
    #[error(transparent)]
    Cgt(#[from] CgtError),
}

/// What of a position is not played yet, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Remainder<W> {
    /// The free cells.
    free: W,
    /// How many of each piece with a supply have been placed, four bits a piece.
    used: u64,
}

/// PlacementValues of positions of one game, by parts: free cells that no placement
/// joins are a sum. Each part is valued once, wherever it lies and however it is
/// turned. Where a piece has a supply, all parts share it, and are one.
///
/// Cost: a canonical form for each part that play can reach: 15,893 from an empty
/// Domineering board of 5×5, 230,000 from 5×6.
#[derive(Debug)]
pub struct PlacementValues<W: CellSet = u64> {
    values: balpan::cgt::PartizanSolver<PartizanPlacement<W>>,
}

/// A placement game with what it takes to take its positions apart.
#[derive(Debug)]
struct PartizanPlacement<W: CellSet> {
    /// On a board as wide as it is high, where the word has room for one: parts may lie either way then.
    game: Placement<W>,
    board: Board,
    /// For each cell, the cells of each placement on it.
    on_cell: Vec<Vec<W>>,
    /// Cells of the smallest piece of Left, and of Right.
    smallest: [i64; 2],
}

impl<W: CellSet> PlacementValues<W> {
    /// Of positions of `game`.
    ///
    /// # Errors
    /// If the game is misère.
    pub fn new(game: &Placement<W>) -> Result<Self, PlacementValueError> {
        if game.rules.misere {
            return Err(PlacementValueError::Misere);
        }
        let board = game.board;
        let side = board.rows().max(board.cols());
        let square = Board::new(side, side).ok().filter(|square| square.cells() <= W::CELLS);
        let game = match square {
            Some(square) => Placement::new_unchecked(game.rules.clone(), square),
            None => game.clone(),
        };
        let placements = || game.placements.iter().flatten().map(|placed| placed.cells);
        let on_cell = |cell| placements().filter(|cells| !(*cells & W::bit(cell)).is_zero()).collect();
        let on_cell = (0..game.board.cells()).map(on_cell).collect();
        let smallest = |player| {
            let sizes = game.of_player(player).iter().map(|placed| i64::from(placed.cells.count_ones()));
            sizes.min().unwrap_or(i64::MAX).max(1)
        };
        let smallest = Player::BOTH.map(smallest);
        Ok(Self { values: balpan::cgt::PartizanSolver::new(PartizanPlacement { game, board, on_cell, smallest }) })
    }

    /// The same with values of earlier runs, which `forms` get; and what takes long to value from now on is kept, too.
    ///
    /// # Errors
    /// If the values of earlier runs take too much memory.
    pub fn with_checkpoint(self, kept: &Checkpoint, forms: &mut FormStore<'_>) -> Result<Self, CgtError> {
        Ok(Self { values: self.values.with_checkpoint(kept, forms)? })
    }

    /// The position's value, whoever is to move, in `forms`, which has to be the same store every time.
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn value(&mut self, position: &Position<W>, forms: &mut FormStore<'_>) -> Result<Form, CgtError> {
        self.value_on(self.values.game().board, position, forms)
    }

    /// The same of a position on another board of the same rules, which this one [covers](Self::covers).
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn value_on(
        &mut self,
        board: Board,
        position: &Position<W>,
        forms: &mut FormStore<'_>,
    ) -> Result<Form, CgtError> {
        let left = self.values.game().remainder(board, position);
        self.values.value(&left, forms)
    }

    /// Whether positions on this board are parts of those that are valued here.
    #[must_use]
    pub fn covers(&self, board: Board) -> bool {
        let own = self.values.game().game.board;
        board.rows() <= own.rows() && board.cols() <= own.cols()
    }

    /// How many different parts were valued.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.values.part_count()
    }
}

/// By rows and columns, so that boards of all sizes keep the same.
impl<W: CellSet> PositionCodec for PartizanPlacement<W> {
    fn encode(&self, &Remainder { free, used }: &Remainder<W>) -> Vec<u32> {
        let cell = |cell| {
            let (row, col) = self.game.board.row_col(cell);
            (row as u32) << 16 | col as u32
        };
        [used as u32, (used >> 32) as u32].into_iter().chain(Cells(free).map(cell)).collect()
    }

    fn decode(&self, numbers: &[u32]) -> Option<Remainder<W>> {
        let (&[low, high], cells) = numbers.split_first_chunk()?;
        let mut free = W::zero();
        for cell in cells {
            let (row, col) = ((cell >> 16) as usize, (cell & 0xffff) as usize);
            if row >= self.game.board.rows() || col >= self.game.board.cols() {
                return None;
            }
            free |= W::bit(self.game.board.cell(row, col));
        }
        Some(Remainder { free, used: u64::from(low) | u64::from(high) << 32 })
    }
}

/// What is known of positions of one game without their canonical forms, which take more memory.
#[derive(Debug)]
pub struct PlacementThermographs<W: CellSet = u64> {
    solver: balpan::cgt::ThermographSolver<Remainder<W>>,
    values: PlacementValues<W>,
}

impl<W: CellSet> PlacementThermographs<W> {
    /// Of positions whose small parts have these values, in `max_bytes`.
    #[must_use]
    pub fn new(values: PlacementValues<W>, max_bytes: usize) -> Self {
        Self { solver: balpan::cgt::ThermographSolver::new(max_bytes), values }
    }

    /// What is known of these positions on boards that the values [cover](PlacementValues::covers), and games of the value
    /// `rest`, side by side; of a position's negative, where that is said.
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn solve(
        &mut self,
        positions: &[(Board, Position<W>, bool)],
        rest: Form,
        forms: &mut FormStore<'_>,
    ) -> Result<ThermalSummary, CgtError> {
        let Self { solver, values: PlacementValues { values } } = self;
        let left = |(board, position, is_minus): &(Board, Position<W>, bool)| {
            (values.game().remainder(*board, position), *is_minus)
        };
        let positions: Vec<_> = positions.iter().map(left).collect();
        solver.solve(&positions, rest, values, forms)
    }

    /// How many sets of parts are known.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.solver.len() + self.values.part_count()
    }
}

impl<W: CellSet> Placement<W> {
    fn of_player(&self, player: Player) -> &[Placed<W>] {
        &self.placements[if self.is_partizan() { player.index() } else { 0 }]
    }
}

impl<W: CellSet> PartizanPlacement<W> {
    /// What is left of a position of the game on a board of its own.
    fn remainder(&self, board: Board, position: &Position<W>) -> Remainder<W> {
        let free = board.full::<W>() & !position.filled;
        let on_square = |cell| {
            let (row, col) = board.row_col(cell);
            W::bit(self.game.board.cell(row, col))
        };
        let free = Cells(free).fold(W::zero(), |free, cell| free | on_square(cell));
        Remainder { free, used: position.used }
    }

    /// The free cells that placements join to one of them.
    fn component_of(&self, cell: usize, free: W) -> W {
        let (mut part, mut new) = (W::bit(cell), W::bit(cell));
        while !new.is_zero() {
            let on_new = Cells(new).flat_map(|cell| &self.on_cell[cell]);
            let joined = on_new.filter(|cells| (**cells & !free).is_zero()).fold(part, |part, &cells| part | cells);
            new = joined & !part;
            part = joined;
        }
        part
    }

    /// A part moved up and left as far as it goes.
    fn cornered(&self, part: W) -> W {
        let board = self.game.board;
        if part.is_zero() {
            return part;
        }
        let top = part.trailing_zeros() as usize / board.cols();
        let part = part >> board.cell(top, 0);
        let first = Cells(part).map(|cell| board.row_col(cell).1).min();
        part >> first.unwrap_or(0)
    }
}

impl<W: CellSet> Partizan for PartizanPlacement<W> {
    type Position = Remainder<W>;

    fn options(&self, &Remainder { free, used }: &Remainder<W>, player: Player) -> impl Iterator<Item = Remainder<W>> {
        let placed = self.game.of_player(player).iter();
        let fitting = placed.filter(move |placed| (placed.cells & !free).is_zero() && placed.is_supplied(used));
        fitting.map(move |placed| Remainder { free: free & !placed.cells, used: used + placed.used })
    }

    fn split(&self, position: &Remainder<W>, parts: &mut Vec<Remainder<W>>) {
        if self.game.has_supplies() {
            parts.push(*position);
            return;
        }
        let mut free = position.free;
        while !free.is_zero() {
            let part = self.component_of(free.trailing_zeros() as usize, free);
            free &= !part;
            // Nobody can place anything on most parts of one cell.
            if self.on_cell[part.trailing_zeros() as usize].iter().any(|cells| (*cells & !part).is_zero()) {
                parts.push(Remainder { free: part, used: 0 });
            }
        }
    }

    fn canonical(&self, position: &Remainder<W>) -> (Remainder<W>, bool) {
        let Remainder { free, used } = *position;
        let turned = self.game.symmetries.iter().map(|symmetry| (symmetry.cells.set(free), symmetry.exchanges));
        let cornered = turned.map(|(free, exchanged)| (self.cornered(free), exchanged));
        let lowest = cornered.fold((self.cornered(free), false), Ord::min);
        (Remainder { free: lowest.0, used }, lowest.1)
    }

    fn bounds(&self, &Remainder { free, .. }: &Remainder<W>) -> [Option<i64>; 2] {
        let cells = i64::from(free.count_ones());
        let [left, right] = self.smallest.map(|smallest| cells / smallest);
        [Some(-right), Some(left)]
    }
}

impl<W: CellSet> Placement<W> {
    /// Whole numbers that the start's value is no less and no more than: how many pieces there is room for.
    #[must_use]
    pub fn count_bounds(&self) -> [i64; 2] {
        let cells = i64::from(self.free(&self.start).count_ones());
        let most = |player| {
            let sizes = self.of_player(player).iter().map(|placed| i64::from(placed.cells.count_ones()));
            sizes.min().map_or(0, |smallest| cells / smallest)
        };
        [-most(Player::Right), most(Player::Left)]
    }
}
