//! Lines: players in turn mark cells, and k in a row wins, or loses (misère).
//!
//! Tic-tac-toe, Connect Four, gomoku on a small board; and Notakto, where both
//! players make the same mark.

mod dominated;
mod family;
mod flat;
mod gravity;
mod lacks;
mod maker_breaker;
pub(crate) mod messages;
mod notation;
mod plan;
mod rows;
mod rules_file;

use std::sync::Arc;

use balpan::{Bounds, BoxedSettler, Budget, EngineCore, Game, Outcome, Turn, Value, Watch};

use crate::board::{Board, Cells, bit, first};
use crate::instructions::{Instructions, Work};
use crate::no_game::GameError;
use crate::symmetry::{Permutation, mirror, rotations_and_reflections};
use flat::Flat;
use gravity::{FallingBounds, FallingCandidates, FallingRank, Gravity, MoverView};
use maker_breaker::MakerBreakerSolver;
pub use notation::LinesError;
use rows::Rows;
pub(crate) use rules_file::{FAMILY, MARKS};

/// The marks that make a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Each player's own.
    Own,
    /// Both players': they make the same mark.
    Shared,
}

/// The rules of a lines game, apart from the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Length of a line, at least 1.
    pub k: u8,
    /// Whether marks fall to the lowest free cell of their column.
    pub gravity: bool,
    /// The marks that make a line.
    pub marks: Marks,
    /// Whether longer rows count as well.
    pub overlines: bool,
    /// Whether the player who makes a line loses.
    pub misere: bool,
}

/// A lines game: rules, a board and a start position.
#[derive(Clone, Debug)]
pub struct Lines {
    rules: Rules,
    board: Board,
    /// All cells of the board.
    all: u64,
    start: Position,
    rows: Rows,
    flat: Flat,
    /// The columns where marks fall, otherwise the whole board: the order of move generation.
    lanes: Vec<u64>,
    symmetries: Vec<Permutation>,
    /// Knowledge of games like Connect Four: marks fall, and k or more of one's own in a row win.
    gravity: Option<Gravity>,
    instructions: Instructions,
}

/// The marks and the side to move, with derived data. Created by [`Lines::position`] and by
/// playing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The marks of X and of O; where marks are shared, all are X's.
    marks: [u64; 2],
    /// The cells that would complete a line of X and of O, free or not.
    completing: [u64; 2],
    o_to_move: bool,
    /// Whether there is a line.
    over: bool,
}

impl Position {
    /// Returns the cells marked X; where marks are shared, all marked cells.
    #[inline]
    #[must_use]
    pub const fn x(&self) -> u64 {
        self.marks[0]
    }

    /// Returns the cells marked O.
    #[inline]
    #[must_use]
    pub const fn o(&self) -> u64 {
        self.marks[1]
    }

    /// Whether O is to move. Never true where marks are shared.
    #[inline]
    #[must_use]
    pub const fn o_to_move(&self) -> bool {
        self.o_to_move
    }

    /// Returns all marked cells.
    #[inline]
    #[must_use]
    pub const fn marked(&self) -> u64 {
        self.x() | self.o()
    }

    /// The items of the player to move and of the opponent.
    #[inline]
    const fn by_turn(&self, of: [u64; 2]) -> (u64, u64) {
        if self.o_to_move { (of[1], of[0]) } else { (of[0], of[1]) }
    }
}

/// Minimum number of free cells of a position in the transposition table where marks fall (measured: 6×7).
const MIN_TABLE_CELLS: u32 = 8;

impl Lines {
    /// Creates the game by `rules` on `board`, from an empty board.
    ///
    /// # Errors
    /// [`GameError::TooManyCells`] if the board has more than 64, [`GameError::NoLine`] if `k` is 0.
    pub fn new(rules: Rules, board: Board) -> Result<Self, GameError> {
        GameError::check_board(board, Board::MAX_CELLS)?;
        if rules.k == 0 { Err(GameError::NoLine) } else { Ok(Self::new_unchecked(rules, board)) }
    }

    /// Creates the game as [`new`](Self::new) does, from valid rules and a board of at most 64 cells.
    pub(crate) fn new_unchecked(rules: Rules, board: Board) -> Self {
        let column = |col| (0..board.rows()).fold(0, |cells, row| cells | bit(board.cell(row, col)));
        let (lanes, symmetries) = if rules.gravity {
            ((0..board.cols()).map(column).collect(), vec![mirror(board)])
        } else {
            (vec![board.all()], rotations_and_reflections(board))
        };
        let rows = Rows::new(board, rules.k, rules.overlines);
        let instructions = Instructions::found();
        Self {
            rules,
            board,
            all: board.all(),
            start: Position { marks: [0; 2], completing: [rows.completing(0); 2], o_to_move: false, over: false },
            flat: Flat::new(board, rows.windows(), instructions),
            rows,
            lanes,
            symmetries,
            gravity: Gravity::applies(rules, board).then(|| Gravity::new(board)),
            instructions,
        }
    }

    /// Returns the position with these marks. Where they are shared, all are X's and
    /// `o_to_move` is false.
    #[must_use]
    pub fn position(&self, x: u64, o: u64, o_to_move: bool) -> Position {
        let marks = [x, o];
        let over = marks.iter().any(|&marks| self.rows.has_line(marks));
        Position { marks, completing: marks.map(|marks| self.rows.completing(marks)), o_to_move, over }
    }

    /// Returns the same game from another start.
    ///
    /// # Errors
    /// [`GameError::NoStart`] if it is not [legal](Game::is_legal) on the game's board.
    pub fn with_start(self, start: Position) -> Result<Self, GameError> {
        if self.is_legal(&start) { Ok(self.with_legal_start(start)) } else { Err(GameError::NoStart) }
    }

    /// Returns the same game from a start that is legal.
    pub(crate) fn with_legal_start(self, start: Position) -> Self {
        debug_assert!(self.is_legal(&start));
        Self { start, ..self }
    }

    /// The position from the point of view of the player to move.
    #[inline]
    fn view(&self, position: &Position) -> MoverView {
        let (own, others) = position.by_turn(position.marks);
        let (own_completing, others_completing) = position.by_turn(position.completing);
        MoverView { own, others, own_completing, others_completing, open: self.open_cells(position.marked()) }
    }

    /// Whether the knowledge of [`Flat`] boards holds.
    #[inline]
    const fn is_flat(&self) -> bool {
        let Rules { gravity, overlines, misere, .. } = self.rules;
        matches!(self.rules.marks, Marks::Own) && !gravity && overlines && !misere
    }

    /// Whether keys are bitboards of X's marks and of the cell above the highest mark of each
    /// column, which take one row more than the board.
    #[inline]
    const fn has_stacked_key(&self) -> bool {
        self.rules.gravity && self.board.rows() > 1
    }

    /// The marks of X and O from such a bitboard.
    fn decode_stacked_key(&self, key: u128) -> Option<[u64; 2]> {
        let (cells, cols) = (self.board.cells(), self.board.cols());
        // From the top down, the first bit set in a column marks its height: all cells below it
        // are marked.
        let (mut reached, mut rows) = (key, 1);
        while rows <= self.board.rows() {
            reached |= reached << (rows * cols);
            rows *= 2;
        }
        reached &= (1 << (cells + cols)) - 1;
        let tops = reached & !(reached << cols);
        let x = u64::try_from((key & !tops) >> cols).ok()?;
        let marked = u64::try_from((reached & !tops) >> cols).ok()?;
        (key >> (cells + cols) == 0 && tops.count_ones() as usize == cols).then_some([x, marked & !x])
    }

    /// Decodes a key: the marks, and whether O is to move.
    fn decode_key(&self, key: u128) -> Option<([u64; 2], bool)> {
        if self.rules.marks == Marks::Shared {
            return Some(([u64::try_from(key).ok()?, 0], false));
        }
        let marks = if self.has_stacked_key() { self.decode_stacked_key(key >> 1)? } else { decode_base_3(key >> 1) };
        Some((marks, key & 1 == 1))
    }

    #[inline]
    fn encode_key(&self, [x, o]: [u64; 2], o_to_move: bool) -> u128 {
        let key = match self.rules.marks {
            Marks::Shared => return x.into(),
            Marks::Own if self.has_stacked_key() => {
                // X's marks, and in each column the cell above the highest mark.
                let (cells, cols) = (self.board.cells(), self.board.cols());
                if cells + cols < 64 {
                    // The same in one word.
                    let marked = x | o;
                    let tops = (marked | ((1 << cols) - 1) << cells) & !(marked << cols);
                    return u128::from((x << cols | tops) << 1 | u64::from(o_to_move));
                }
                let marked = u128::from(x | o);
                u128::from(x) << cols | (marked | ((1 << cols) - 1) << cells) & !(marked << cols)
            }
            Marks::Own => encode_base_3(x, o),
        };
        key << 1 | u128::from(o_to_move)
    }

    /// The legal moves as a set.
    #[inline]
    fn legal_cells(&self, position: &Position) -> u64 {
        if position.over { 0 } else { self.open_cells(position.marked()) }
    }

    /// The threats of the player who has just moved: free cells that complete a line.
    #[inline(always)]
    fn threats_after(&self, after: &Position) -> u64 {
        after.by_turn(after.completing).1 & self.all & !after.marked()
    }

    /// The cells that can be marked next, if there is no line.
    #[inline]
    fn open_cells(&self, marked: u64) -> u64 {
        let free = self.all & !marked;
        if self.rules.gravity { free & !self.board.up(free) } else { free }
    }
}

impl Game for Lines {
    type Position = Position;
    /// The marked cell.
    type Move = u8;

    const MAY_REPEAT: bool = false;

    fn start(&self) -> Position {
        self.start
    }

    #[inline]
    fn moves(&self, position: &Position) -> impl Iterator<Item = u8> {
        let cells = self.legal_cells(position);
        self.lanes.iter().flat_map(move |lane| Cells(cells & lane)).map(|cell| cell as u8)
    }

    #[inline]
    fn play(&self, position: &Position, cell: u8) -> Position {
        let (mark, player) = (bit(cell.into()), usize::from(position.o_to_move));
        let mut after = *position;
        after.over = position.completing[player] & mark != 0;
        after.marks[player] |= mark;
        after.completing[player] = self.rows.completing(after.marks[player]);
        after.o_to_move = !position.o_to_move && self.rules.marks == Marks::Own;
        after
    }

    #[inline]
    fn is_over(&self, position: &Position) -> bool {
        position.over || position.marked() == self.all
    }

    /// The player who made a line wins, or loses in misère play; without a line the game is a draw.
    fn end(&self, position: &Position) -> Outcome {
        match (position.over, self.rules.misere) {
            (false, _) => Outcome::Draw,
            (true, false) => Outcome::Loss,
            (true, true) => Outcome::Win,
        }
    }

    fn is_legal(&self, position: &Position) -> bool {
        let marked = position.marked();
        let falls = !self.rules.gravity || floating(self.board, marked) == 0;
        let sides = self.rules.marks == Marks::Own || position.o() == 0 && !position.o_to_move;
        position.x() & position.o() == 0 && marked & !self.all == 0 && falls && sides
    }

    #[inline]
    fn canonical(&self, position: &Position) -> Position {
        let [x, o] = position.marks;
        let mut least = (position.marks, None);
        for symmetry in &self.symmetries {
            // X's marks alone usually decide.
            let seen_x = symmetry.set(x);
            if seen_x > least.0[0] {
                continue;
            }
            let seen = [seen_x, symmetry.set(o)];
            if seen < least.0 {
                least = (seen, Some(symmetry));
            }
        }
        match least {
            (_, None) => *position,
            (marks, Some(symmetry)) => {
                let completing = position.completing.map(|cells| symmetry.set(cells));
                Position { marks, completing, ..*position }
            }
        }
    }

    fn key_bits(&self) -> u32 {
        let cells = self.board.cells() as u32;
        match self.rules.marks {
            Marks::Shared => cells,
            Marks::Own if self.has_stacked_key() => cells + self.board.cols() as u32 + 1,
            // 3^cells < 2^(1.585 cells)
            Marks::Own => (cells * 1585).div_ceil(1000) + 1,
        }
    }

    #[inline]
    fn key(&self, position: &Position) -> u128 {
        self.encode_key(position.marks, position.o_to_move)
    }

    fn position_from_key(&self, key: u128) -> Option<Position> {
        let ([x, o], o_to_move) = self.decode_key(key)?;
        let position = self.position(x, o, o_to_move);
        (self.is_legal(&position) && self.key(&position) == key).then_some(position)
    }

    #[inline]
    fn is_cacheable(&self, position: &Position) -> bool {
        self.gravity.is_none() || (self.all & !position.marked()).count_ones() >= MIN_TABLE_CELLS
    }

    /// The number of free cells.
    fn layer(&self, position: &Position) -> Option<u32> {
        Some((self.all & !position.marked()).count_ones())
    }

    /// Computes successors from the marks alone, without the data that [`play`](Game::play) derives.
    fn successors(&self, key: u128, mut found: impl FnMut(Turn, u32, u128)) -> Option<Result<usize, Value>> {
        let (marks, o_to_move) = self.decode_key(key)?;
        let over = marks.iter().any(|&marks| self.rows.has_line(marks));
        let position = Position { marks, completing: [0; 2], o_to_move, over };
        if !self.is_legal(&position) || self.key(&position) != key {
            return None;
        }
        let cells = if over { 0 } else { self.open_cells(position.marked()) };
        if cells == 0 {
            return Some(Err(self.end_value(&position)));
        }
        let layer = self.layer(&position)? - 1;
        let o_is_next = !o_to_move && self.rules.marks == Marks::Own;
        for cell in Cells(cells) {
            let mut after = marks;
            after[usize::from(o_to_move)] |= bit(cell);
            let seen = self.symmetries.iter().map(|symmetry| after.map(|marks| symmetry.set(marks)));
            found(Turn::Passes, layer, self.encode_key(seen.fold(after, Ord::min), o_is_next));
        }
        Some(Ok(cells.count_ones() as usize))
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    /// A line that can be completed now, two threats of the opponent, and whether either player
    /// can still complete any line; more on boards with more knowledge.
    #[inline]
    fn bounds(&self, position: &Position, threshold: Value) -> Bounds {
        match &self.gravity {
            Some(gravity) => self.instructions.run(FallingBounds(self, gravity, position, threshold)),
            None => self.instructions.run(BoundsOf(self, position, threshold)),
        }
    }

    /// A move that completes a line, or else one that blocks the opponent's; or else, where marks
    /// fall, the safe moves, and on flat boards a set of moves that contains a best one.
    #[inline]
    fn candidates(&self, position: &Position) -> impl Iterator<Item = u8> {
        let cells = match &self.gravity {
            Some(gravity) => self.instructions.run(FallingCandidates(self, gravity, position)),
            None => self.instructions.run(CandidatesOf(self, position)),
        };
        Cells(cells).map(|cell| cell as u8)
    }

    /// Moves that block the opponent's line first, then those that create the most threats, then
    /// those on the most lines; refined on boards with more knowledge.
    #[inline]
    fn rank(&self, position: &Position, cell: u8, after: &Position) -> i32 {
        match &self.gravity {
            Some(gravity) => self.instructions.run(FallingRank(self, gravity, position, cell, after)),
            None => self.instructions.run(RankOf(self, position, cell, after)),
        }
    }

    /// Whether marks are shared, a line wins and a full board has a line, so that play can only
    /// end by a line. Such games are not split: a line anywhere ends play everywhere.
    fn is_impartial(&self) -> bool {
        let Rules { marks, misere, .. } = self.rules;
        marks == Marks::Shared && !misere && self.rows.has_line(self.all)
    }

    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        EngineCore::new(self, budget)
    }

    fn settler(self: &Arc<Self>, budget: Budget, watch: &Watch) -> Option<BoxedSettler<Position>> {
        Some(Box::new(MakerBreakerSolver::new(self, budget, watch)?))
    }
}

/// Computes [`Game::bounds`].
struct BoundsOf<'a>(&'a Lines, &'a Position, Value);

impl Work for BoundsOf<'_> {
    type Output = Bounds;

    #[inline(always)]
    fn run(self) -> Bounds {
        let Self(game, position, threshold) = self;
        if game.rules.misere || game.rules.marks == Marks::Shared {
            return Bounds::ANY;
        }
        let view = game.view(position);
        if view.own_completing & view.open != 0 {
            return Bounds::exact(Value::win(1));
        }
        let threats = view.others_completing & view.open;
        if threats.count_ones() > 1 {
            return Bounds::exact(Value::loss(2));
        }
        if game.is_flat() {
            return game.flat.bounds(view.own, view.others, threats, threshold);
        }
        let free = game.all & !position.marked();
        let plies_left = free.count_ones();
        // Where marks fall, a move may open the cell that the opponent needs, and a player
        // cannot mark whichever cell would block a line.
        let gravity = game.rules.gravity;
        let hopeless = |marks, others, own_turn| match gravity {
            true => !game.rows.has_window(marks | free),
            // Only the bound that the threshold needs is computed.
            false => own_turn == (threshold >= Value::DRAW) && game.flat.can_be_kept_from(marks, others, own_turn),
        };
        let upper = if plies_left < 3 || hopeless(view.own, view.others, true) { Value::DRAW } else { Value::win(3) };
        let soonest_loss = if gravity { 2 } else { 4 };
        let safe = plies_left < soonest_loss || hopeless(view.others, view.own, false);
        let lower = if safe { Value::DRAW } else { Value::loss(soonest_loss) };
        Bounds { lower, upper }
    }
}

/// Computes [`Game::candidates`].
struct CandidatesOf<'a>(&'a Lines, &'a Position);

impl Work for CandidatesOf<'_> {
    type Output = u64;

    #[inline(always)]
    fn run(self) -> u64 {
        let Self(game, position) = self;
        let cells = game.legal_cells(position);
        if !game.is_flat() || cells == 0 {
            return cells;
        }
        let view = game.view(position);
        let urgent =
            [view.own_completing & cells, view.others_completing & cells].into_iter().find(|cells| *cells != 0);
        urgent.map_or_else(|| game.flat.candidates(view.own, view.others), first)
    }
}

/// Computes [`Game::rank`].
struct RankOf<'a>(&'a Lines, &'a Position, u8, &'a Position);

impl Work for RankOf<'_> {
    type Output = i32;

    #[inline(always)]
    fn run(self) -> i32 {
        let Self(game, position, cell, after) = self;
        let view = game.view(position);
        if game.is_flat() {
            return game.flat.rank(view.own, view.others, cell.into());
        }
        let threats = game.threats_after(after);
        let blocks = view.others_completing & bit(cell.into()) != 0;
        i32::from(blocks) * 10_000 + threats.count_ones() as i32 * 100 + game.rows.through(cell.into())
    }
}

/// Encodes the digits in base 3 that are 1 at `ones` and 2 at `twos`.
#[inline]
fn encode_base_3(ones: u64, twos: u64) -> u128 {
    /// Eight digits of 0 and 1.
    const DIGITS: [u16; 256] = {
        let mut digits = [0; 256];
        let mut byte = 1;
        while byte < 256 {
            digits[byte] = digits[byte / 2] * 3 + byte as u16 % 2;
            byte += 1;
        }
        digits
    };
    let bytes = ones.to_be_bytes().into_iter().zip(twos.to_be_bytes());
    bytes.fold(0, |number, (ones, twos)| {
        number * 6561 + u128::from(DIGITS[usize::from(ones)] + 2 * DIGITS[usize::from(twos)])
    })
}

/// Decodes the positions of the digits 1 and 2 in base 3.
fn decode_base_3(mut number: u128) -> [u64; 2] {
    let mut marks = [0; 2];
    for cell in 0..64 {
        match number % 3 {
            0 => {}
            digit => marks[digit as usize - 1] |= bit(cell),
        }
        number /= 3;
    }
    marks
}

/// The marked cells above a free cell.
fn floating(board: Board, marked: u64) -> u64 {
    marked & board.up(board.all() & !marked)
}
