//! Placement games as partizan games, and the values of their positions.

use std::time::Duration;

use balpan::checkpoint::Checkpoint;
use balpan::{Outcome, Watch};
use balpan_cgt::{CgtError, Form, FormStore, Partizan, Player, PositionCodec, ThermalSummary};
use serde::Serialize;

use super::{PiecePlacement, Placement, Position};
use crate::board::{Board, CellSet, Cells};
use crate::notation::{Notation, PlayerName};

/// An error in the evaluation of a placement position.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlacementValueError {
    /// The game is misère: values add up under normal play only.
    #[error("under misère play, positions have no values that add up")]
    Misere,
    /// The computation was stopped, or ran out of memory.
    #[error(transparent)]
    Cgt(#[from] CgtError),
}

/// The free region of a position, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct FreeRegion<W> {
    /// The free cells.
    free: W,
    /// How many of each piece with a supply have been placed, four bits a piece.
    used: u64,
}

/// Finds the values of positions of one game, by parts: sets of free cells that no placement joins. Each part is
/// evaluated once, up to translation and symmetry. If a piece has a supply, the parts share it, and the whole
/// position is one part.
///
/// Cost: a canonical form for each part that play can reach: 15,893 from an empty Domineering board of 5×5, 230,000
/// from 5×6.
#[derive(Debug)]
pub struct PlacementValues<W: CellSet = u64> {
    values: balpan_cgt::PartizanSolver<PartizanPlacement<W>>,
}

/// A placement game with tables to split its positions.
#[derive(Debug)]
struct PartizanPlacement<W: CellSet> {
    /// On a square board, if the word has room for one, so that parts fit in both orientations.
    game: Placement<W>,
    board: Board,
    /// By cell, the cells of each placement that covers it.
    on_cell: Vec<Vec<W>>,
    /// Cells of the smallest piece of Left, and of Right.
    smallest: [i64; 2],
}

impl<W: CellSet> PlacementValues<W> {
    /// Creates a solver for positions of `game`.
    ///
    /// # Errors
    /// [`PlacementValueError::Misere`] if the game is misère.
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
            let sizes = game.player_placements(player).iter().map(|placed| i64::from(placed.cells.count_ones()));
            sizes.min().unwrap_or(i64::MAX).max(1)
        };
        let smallest = Player::BOTH.map(smallest);
        Ok(Self { values: balpan_cgt::PartizanSolver::new(PartizanPlacement { game, board, on_cell, smallest }) })
    }

    /// Loads the values of a checkpoint into this solver and `forms`. From now on, values that take long to find are
    /// logged to it.
    ///
    /// # Errors
    /// [`CgtError`] if the loaded values take too much memory.
    pub fn with_checkpoint(self, checkpoint: &Checkpoint, forms: &mut FormStore) -> Result<Self, CgtError> {
        Ok(Self { values: self.values.with_checkpoint(checkpoint, forms)? })
    }

    /// Returns the position's value, whoever is to move, in `forms`, which has to be the same store in every call.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn value(&mut self, position: &Position<W>, forms: &mut FormStore) -> Result<Form, CgtError> {
        self.value_on(self.values.game().board, position, forms)
    }

    /// As [`value`](Self::value), of a position on another board of the same rules, which this one
    /// [covers](Self::covers).
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn value_on(&mut self, board: Board, position: &Position<W>, forms: &mut FormStore) -> Result<Form, CgtError> {
        let region = self.values.game().free_region(board, position);
        self.values.value(&region, forms)
    }

    /// Returns whether positions on this board are parts of positions on the solver's board.
    #[must_use]
    pub fn covers(&self, board: Board) -> bool {
        let own = self.values.game().game.board;
        board.rows() <= own.rows() && board.cols() <= own.cols()
    }

    /// Returns the number of different parts evaluated.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.values.part_count()
    }
}

/// Encodes cells by row and column, so that boards of all sizes share a checkpoint.
impl<W: CellSet> PositionCodec for PartizanPlacement<W> {
    fn encode(&self, &FreeRegion { free, used }: &FreeRegion<W>) -> Vec<u32> {
        let cell = |cell| {
            let (row, col) = self.game.board.row_col(cell);
            (row as u32) << 16 | col as u32
        };
        [used as u32, (used >> 32) as u32].into_iter().chain(Cells(free).map(cell)).collect()
    }

    fn decode(&self, numbers: &[u32]) -> Option<FreeRegion<W>> {
        let (&[low, high], cells) = numbers.split_first_chunk()?;
        let mut free = W::zero();
        for cell in cells {
            let (row, col) = ((cell >> 16) as usize, (cell & 0xffff) as usize);
            if row >= self.game.board.rows() || col >= self.game.board.cols() {
                return None;
            }
            free |= W::bit(self.game.board.cell(row, col));
        }
        Some(FreeRegion { free, used: u64::from(low) | u64::from(high) << 32 })
    }
}

/// Finds thermographs of positions without canonical forms, in less memory.
#[derive(Debug)]
pub struct PlacementThermographs<W: CellSet = u64> {
    solver: balpan_cgt::ThermographSolver<FreeRegion<W>>,
    values: PlacementValues<W>,
}

impl<W: CellSet> PlacementThermographs<W> {
    /// Creates a solver that takes small parts from `values`, and at most `max_bytes`.
    #[must_use]
    pub fn new(values: PlacementValues<W>, max_bytes: usize) -> Self {
        Self { solver: balpan_cgt::ThermographSolver::new(max_bytes), values }
    }

    /// Returns the outcome class, stops and thermograph of the sum of `rest` and these positions, on boards that the
    /// values [cover](PlacementValues::covers). A position is negated if its flag is set.
    ///
    /// # Errors
    /// [`CgtError`] if the watch stops it or the memory is used up.
    pub fn solve(
        &mut self,
        positions: &[(Board, Position<W>, bool)],
        rest: Form,
        forms: &mut FormStore,
    ) -> Result<ThermalSummary, CgtError> {
        let Self { solver, values: PlacementValues { values } } = self;
        let region = |(board, position, is_minus): &(Board, Position<W>, bool)| {
            (values.game().free_region(*board, position), *is_minus)
        };
        let positions: Vec<_> = positions.iter().map(region).collect();
        solver.solve(&positions, rest, values, forms)
    }

    /// Returns the number of sums and parts evaluated.
    #[must_use]
    pub fn part_count(&self) -> usize {
        self.solver.sum_count() + self.values.part_count()
    }
}

impl<W: CellSet> Placement<W> {
    fn player_placements(&self, player: Player) -> &[PiecePlacement<W>] {
        &self.placements[if self.is_partizan() { player.index() } else { 0 }]
    }
}

impl<W: CellSet> PartizanPlacement<W> {
    /// Returns the free region of a position on `board`, as cells of the solver's board.
    fn free_region(&self, board: Board, position: &Position<W>) -> FreeRegion<W> {
        let free = board.full::<W>() & !position.filled;
        let on_own_board = |cell| {
            let (row, col) = board.row_col(cell);
            W::bit(self.game.board.cell(row, col))
        };
        let free = Cells(free).fold(W::zero(), |free, cell| free | on_own_board(cell));
        FreeRegion { free, used: position.used }
    }

    /// Returns the free cells that placements join to `cell`, directly or in steps.
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

    /// Moves a part up and to the left as far as it goes.
    fn moved_to_corner(&self, part: W) -> W {
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
    type Position = FreeRegion<W>;

    fn options(
        &self,
        &FreeRegion { free, used }: &FreeRegion<W>,
        player: Player,
    ) -> impl Iterator<Item = FreeRegion<W>> {
        let placed = self.game.player_placements(player).iter();
        let fitting = placed.filter(move |placed| (placed.cells & !free).is_zero() && placed.is_supplied(used));
        fitting.map(move |placed| FreeRegion { free: free & !placed.cells, used: used + placed.used })
    }

    fn split(&self, position: &FreeRegion<W>, parts: &mut Vec<FreeRegion<W>>) {
        if self.game.has_supplies() {
            parts.push(*position);
            return;
        }
        let mut free = position.free;
        while !free.is_zero() {
            let part = self.component_of(free.trailing_zeros() as usize, free);
            free &= !part;
            // Most parts of one cell have no placement.
            if self.on_cell[part.trailing_zeros() as usize].iter().any(|cells| (*cells & !part).is_zero()) {
                parts.push(FreeRegion { free: part, used: 0 });
            }
        }
    }

    fn canonical(&self, position: &FreeRegion<W>) -> (FreeRegion<W>, bool) {
        let FreeRegion { free, used } = *position;
        let turned = self.game.symmetries.iter().map(|symmetry| (symmetry.cells.set(free), symmetry.exchanges));
        let moved_to_corner = turned.map(|(free, exchanged)| (self.moved_to_corner(free), exchanged));
        let lowest = moved_to_corner.fold((self.moved_to_corner(free), false), Ord::min);
        (FreeRegion { free: lowest.0, used }, lowest.1)
    }

    fn bounds(&self, &FreeRegion { free, .. }: &FreeRegion<W>) -> [Option<i64>; 2] {
        let cells = i64::from(free.count_ones());
        let [left, right] = self.smallest.map(|smallest| cells / smallest);
        [Some(-right), Some(left)]
    }
}

impl<W: CellSet> Placement<W> {
    /// Returns integers between which the start's value lies: the numbers of pieces that there is room for.
    #[must_use]
    pub fn count_bounds(&self) -> [i64; 2] {
        let cells = i64::from(self.free(&self.start).count_ones());
        let max = |player| {
            let sizes = self.player_placements(player).iter().map(|placed| i64::from(placed.cells.count_ones()));
            sizes.min().map_or(0, |smallest| cells / smallest)
        };
        [-max(Player::Right), max(Player::Left)]
    }
}

/// A position's value in sums. The JSON field names are part of the command's contract.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PositionValueReport {
    /// The name of the game.
    pub game: String,
    /// The position's text.
    pub position: String,
    /// The value's text.
    pub cgt: String,
    /// The outcome for each player moving first; one entry for impartial games.
    pub outcomes: Vec<StarterOutcome>,
    /// The number of parts evaluated.
    pub parts: usize,
    /// The elapsed time in seconds.
    pub seconds: f64,
}

/// The outcome for the player who moves first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StarterOutcome {
    /// The name of that player.
    pub begins: PlayerName,
    /// `win` or `loss`, for that player.
    pub outcome: String,
}

impl PositionValueReport {
    /// Evaluates a position of the named game, in about `memory` bytes.
    ///
    /// # Errors
    /// [`PlacementValueError`] if the game is misère, the watch stops it or the memory is used up.
    pub fn find<W: CellSet>(
        name: &str,
        game: &Placement<W>,
        position: &Position<W>,
        memory: usize,
        watch: &Watch,
    ) -> Result<Self, PlacementValueError> {
        let mut forms = FormStore::new(memory, watch);
        let mut values = PlacementValues::new(game)?;
        let value = values.value(position, &mut forms)?;
        let parts = values.part_count();
        let players = game.players(position);
        let sides = if !game.is_partizan() { None } else { Some(position.right_to_move) };
        Ok(Self::new(name, game.text(position), players, sides, value, &mut forms, parts)?)
    }

    /// Reports a value. `right_to_move` says which of the players, the one to move first, is Right; `None` if both have the same moves.
    pub(crate) fn new(
        name: &str,
        position: String,
        [mover, other]: [PlayerName; 2],
        right_to_move: Option<bool>,
        value: Form,
        forms: &mut FormStore,
        parts: usize,
    ) -> Result<Self, CgtError> {
        let outcomes = forms.outcomes(value)?;
        let players = if right_to_move == Some(true) { [other, mover] } else { [mover, other] };
        let sides = if right_to_move.is_some() { 2 } else { 1 };
        let starter_outcome =
            |(begins, outcome): (PlayerName, Outcome)| StarterOutcome { begins, outcome: outcome.to_string() };
        Ok(Self {
            game: name.to_owned(),
            position,
            cgt: forms.text(value)?,
            outcomes: players.into_iter().zip(outcomes).take(sides).map(starter_outcome).collect(),
            parts,
            seconds: 0.0,
        })
    }

    /// Sets the elapsed time.
    #[must_use]
    pub fn with_elapsed(self, time: Duration) -> Self {
        Self { seconds: time.as_secs_f64(), ..self }
    }
}
