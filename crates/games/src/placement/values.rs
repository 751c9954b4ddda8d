//! Placement positions as partizan games: what Left and Right can move to, independent parts, and
//! one position for all that are the same but for how they lie.

use balpan::cgt::{Cooled, Form, Forms, Keepable, Partizan, Player, Unfinished};
use balpan::checkpoint::Checkpoint;

use super::{Placed, Placement, Position};
use crate::board::{Board, CellSet, Cells};

/// Why a placement game's positions have no values.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoValue {
    /// Values add up under normal play only.
    #[error("under misère play, positions have no values that add up")]
    Misere,
    /// It takes too long, or too much memory.
    #[error(transparent)]
    Unfinished(#[from] Unfinished),
}

/// What of a position is not played yet, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Left<W> {
    /// The free cells.
    free: W,
    /// How many of each piece with a supply have been placed, four bits a piece.
    used: u64,
}

/// Values of positions of one game, by parts: free cells that no placement
/// joins are a sum. Each part is valued once, wherever it lies and however it is
/// turned. Where a piece has a supply, all parts share it, and are one.
///
/// Cost: a canonical form for each part that play can reach: 15,893 from an empty
/// Domineering board of 5×5, 230,000 from 5×6.
#[derive(Debug)]
pub struct Values<W: CellSet = u64> {
    values: balpan::cgt::Values<Apart<W>>,
}

/// A placement game with what it takes to take its positions apart.
#[derive(Debug)]
struct Apart<W: CellSet> {
    /// On a board as wide as it is high, where the word has room for one: parts may lie either way then.
    game: Placement<W>,
    board: Board,
    /// For each cell, the cells of each placement on it.
    on_cell: Vec<Vec<W>>,
    /// Cells of the smallest piece of Left, and of Right.
    smallest: [i64; 2],
}

impl<W: CellSet> Values<W> {
    /// Of positions of `game`.
    ///
    /// # Errors
    /// If the game is misère.
    pub fn new(game: &Placement<W>) -> Result<Self, NoValue> {
        if game.rules.misere {
            return Err(NoValue::Misere);
        }
        let board = game.board;
        let side = board.rows().max(board.cols());
        let square = Board::new(side, side).ok().filter(|square| square.cells() <= W::CELLS);
        let game = match square {
            Some(square) => Placement::on(game.rules.clone(), square),
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
        Ok(Self { values: balpan::cgt::Values::new(Apart { game, board, on_cell, smallest }) })
    }

    /// The same with values of earlier runs, which `forms` get; and what takes long to value from now on is kept, too.
    ///
    /// # Errors
    /// If the values of earlier runs take too much memory.
    pub fn keeping(self, kept: &Checkpoint, forms: &mut Forms<'_>) -> Result<Self, Unfinished> {
        Ok(Self { values: self.values.keeping(kept, forms)? })
    }

    /// The position's value, whoever is to move, in `forms`, which has to be the same store every time.
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn of(&mut self, position: &Position<W>, forms: &mut Forms<'_>) -> Result<Form, Unfinished> {
        self.on(self.values.game().board, position, forms)
    }

    /// The same of a position on another board of the same rules, which this one [covers](Self::covers).
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn on(&mut self, board: Board, position: &Position<W>, forms: &mut Forms<'_>) -> Result<Form, Unfinished> {
        let left = self.values.game().left(board, position);
        self.values.of(&left, forms)
    }

    /// Whether positions on this board are parts of those that are valued here.
    #[must_use]
    pub fn covers(&self, board: Board) -> bool {
        let own = self.values.game().game.board;
        board.rows() <= own.rows() && board.cols() <= own.cols()
    }

    /// How many different parts were valued.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.values.parts()
    }
}

/// By rows and columns, so that boards of all sizes keep the same.
impl<W: CellSet> Keepable for Apart<W> {
    fn numbers(&self, &Left { free, used }: &Left<W>) -> Vec<u32> {
        let cell = |cell| {
            let (row, col) = self.game.board.row_col(cell);
            (row as u32) << 16 | col as u32
        };
        [used as u32, (used >> 32) as u32].into_iter().chain(Cells(free).map(cell)).collect()
    }

    fn position_of(&self, numbers: &[u32]) -> Option<Left<W>> {
        let (&[low, high], cells) = numbers.split_first_chunk()?;
        let mut free = W::zero();
        for cell in cells {
            let (row, col) = ((cell >> 16) as usize, (cell & 0xffff) as usize);
            if row >= self.game.board.rows() || col >= self.game.board.cols() {
                return None;
            }
            free |= W::bit(self.game.board.cell(row, col));
        }
        Some(Left { free, used: u64::from(low) | u64::from(high) << 32 })
    }
}

/// What is known of positions of one game without their canonical forms, which take more memory.
#[derive(Debug)]
pub struct Heats<W: CellSet = u64> {
    heats: balpan::cgt::Heats<Left<W>>,
    values: Values<W>,
}

impl<W: CellSet> Heats<W> {
    /// Of positions whose small parts have these values, in `most_bytes`.
    #[must_use]
    pub fn new(values: Values<W>, most_bytes: usize) -> Self {
        Self { heats: balpan::cgt::Heats::new(most_bytes), values }
    }

    /// What is known of these positions on boards that the values [cover](Values::covers), and games of the value
    /// `rest`, side by side; of a position's negative, where that is said.
    ///
    /// # Errors
    /// If it takes too long or too much memory.
    pub fn of(
        &mut self,
        positions: &[(Board, Position<W>, bool)],
        rest: Form,
        forms: &mut Forms<'_>,
    ) -> Result<Cooled, Unfinished> {
        let Self { heats, values: Values { values } } = self;
        let left = |(board, position, is_minus): &(Board, Position<W>, bool)| {
            (values.game().left(*board, position), *is_minus)
        };
        let positions: Vec<_> = positions.iter().map(left).collect();
        heats.of(&positions, rest, values, forms)
    }

    /// How many sets of parts are known.
    #[must_use]
    pub fn parts(&self) -> usize {
        self.heats.len() + self.values.parts()
    }
}

impl<W: CellSet> Placement<W> {
    fn of_player(&self, player: Player) -> &[Placed<W>] {
        &self.placements[if self.is_partizan() { player.index() } else { 0 }]
    }
}

impl<W: CellSet> Apart<W> {
    /// What is left of a position of the game on a board of its own.
    fn left(&self, board: Board, position: &Position<W>) -> Left<W> {
        let free = board.full::<W>() & !position.filled;
        let on_square = |cell| {
            let (row, col) = board.row_col(cell);
            W::bit(self.game.board.cell(row, col))
        };
        let free = Cells(free).fold(W::zero(), |free, cell| free | on_square(cell));
        Left { free, used: position.used }
    }

    /// The free cells that placements join to one of them.
    fn part(&self, cell: usize, free: W) -> W {
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

impl<W: CellSet> Partizan for Apart<W> {
    type Position = Left<W>;

    fn options(&self, &Left { free, used }: &Left<W>, player: Player) -> impl Iterator<Item = Left<W>> {
        let placed = self.game.of_player(player).iter();
        let fitting = placed.filter(move |placed| (placed.cells & !free).is_zero() && placed.is_supplied(used));
        fitting.map(move |placed| Left { free: free & !placed.cells, used: used + placed.used })
    }

    fn split(&self, position: &Left<W>, parts: &mut Vec<Left<W>>) {
        if self.game.has_supplies() {
            parts.push(*position);
            return;
        }
        let mut free = position.free;
        while !free.is_zero() {
            let part = self.part(free.trailing_zeros() as usize, free);
            free &= !part;
            // Nobody can place anything on most parts of one cell.
            if self.on_cell[part.trailing_zeros() as usize].iter().any(|cells| (*cells & !part).is_zero()) {
                parts.push(Left { free: part, used: 0 });
            }
        }
    }

    fn canonical(&self, position: &Left<W>) -> (Left<W>, bool) {
        let Left { free, used } = *position;
        let turned = self.game.symmetries.iter().map(|symmetry| (symmetry.cells.set(free), symmetry.exchanges));
        let cornered = turned.map(|(free, exchanged)| (self.cornered(free), exchanged));
        let lowest = cornered.fold((self.cornered(free), false), Ord::min);
        (Left { free: lowest.0, used }, lowest.1)
    }

    fn bounds(&self, &Left { free, .. }: &Left<W>) -> [Option<i64>; 2] {
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
