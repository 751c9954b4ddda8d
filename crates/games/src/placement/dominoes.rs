//! Domineering and its kin: bounds on the winner from moves that a player is guaranteed.

mod claim;
mod orientation;
mod solver;
mod strips;

use balpan::{Bounds, Game, MAX_KEY_BITS, Value};

use super::{Placement, Position};
use crate::board::{Board, CellSet, Cells};
use crate::instructions::{Instructions, Work};
use crate::symmetry::Permutation;
use claim::Claim;
use orientation::Orientation;
pub use solver::DominoesSolver;
use strips::{MAX_STRIP_LINES, Strips};

/// A game equivalent to a [`Placement`] in normal play where each player has one piece, of
/// two cells, in one orientation: Domineering and its kin.
///
/// Its positions have the *outcomes* of the original ones, but not their remotenesses:
/// placements that only one player can ever make are reduced to a number, Left's lead in them.
/// No player has to use one of them while the opponent can move elsewhere: in a sum of games
/// integers are played last, and one move of Left's cancels one of Right's.
///
/// Source of the bounds: N. Bullock, "Domineering: solving large combinatorial search
/// spaces", ICGA Journal 25 (2002).
#[derive(Clone, Debug)]
pub struct Dominoes<W = u64> {
    /// The orientations of Left's and of Right's piece.
    orientations: [Orientation<W>; 2],
    /// The symmetries of the board that map each player's placements to themselves.
    symmetries: Vec<Permutation<W>>,
    /// For each player, the rank of a placement among those of equal advantage, by its first
    /// cell: one number for each [`Location`].
    preference: [Vec<i32>; 2],
    /// A symmetry that exchanges the players, if there is one.
    exchange: Option<Permutation<W>>,
    /// Each player's strip bounds, if pieces lie along rows and columns.
    strips: [Option<Strips<W>>; 2],
    board: Board,
    cells: u32,
    start: DominoPosition<W>,
    instructions: Instructions,
}

/// The contested part of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DominoPosition<W = u64> {
    /// The contested free cells: each run of placements has a cell that both players can use.
    free: W,
    /// Left's lead in placements that only one player can make.
    lead: i8,
    right_to_move: bool,
    /// The maximum number of moves of Left, and of Right, if the other never moved.
    max_moves: [i8; 2],
    /// How many of these moves the opponent cannot prevent.
    safe_moves: [i8; 2],
}

impl<W> DominoPosition<W> {
    /// The player's advantage: twice the lead, and the differences of maximum moves and of safe
    /// moves.
    #[inline]
    fn advantage(&self, player: usize) -> i32 {
        let [left, right] = [0, 1].map(|player: usize| i32::from(self.max_moves[player] + self.safe_moves[player]));
        let ahead = left - right + 2 * i32::from(self.lead);
        if player == 0 { ahead } else { -ahead }
    }
}

/// Maximum size of each player's table for strips of two lines: lines of ten cells.
const LOW_STRIPS_BYTES: usize = 1 << 23;

/// Bits of a key without the cells: eight of the lead, one of the side.
const LEAD_AND_SIDE_BITS: u32 = 9;

/// The move that uses up a placement that only the mover can make.
const SPARE: u8 = u8::MAX;

impl<W: CellSet> Dominoes<W> {
    /// Creates the game equivalent to `game`; `None` if that is of another kind.
    #[must_use]
    pub fn for_game(game: &Placement<W>) -> Option<Self> {
        let [left, right] = &game.placements;
        let no_supply = left.iter().chain(right).all(|placed| placed.used == 0);
        if game.rules.misere || !no_supply {
            return None;
        }
        let way = |placements: &[super::PiecePlacement<W>]| {
            Orientation::from_placements(placements.iter().map(|placed| placed.cells))
        };
        let ways = [way(left)?, way(right)?];
        if ways[0].is_parallel_to(&ways[1]) {
            return None;
        }
        let of_kind = |exchanges| game.symmetries.iter().filter(move |symmetry| symmetry.exchanges == exchanges);
        let symmetries = of_kind(false).map(|symmetry| symmetry.cells.clone()).collect();
        let exchange = of_kind(true).map(|symmetry| symmetry.cells.clone()).next();
        let board = game.board;
        let cells = board.cells() as u32;
        let strips = strips(board, &ways, 2, LOW_STRIPS_BYTES);
        let start =
            DominoPosition { free: W::zero(), lead: 0, right_to_move: false, max_moves: [0; 2], safe_moves: [0; 2] };
        let preference = [0, 1].map(|player: usize| preference(&ways[player], &ways[1 - player], cells as usize));
        let instructions = Instructions::found();
        let found =
            Self { orientations: ways, preference, symmetries, exchange, strips, board, cells, start, instructions };
        Some(Self { start: found.reduce(game, &game.start), ..found })
    }

    /// Returns the same game with tighter bounds, from tables of at most `bytes` bytes for strips of
    /// [`MAX_STRIP_LINES`] lines instead of two; `None` if no such table fits. They pay off where a search takes
    /// longer than to [fill](Strips::fill) the tables, which large ones need before use.
    #[must_use]
    pub(crate) fn with_high_strips(&self, bytes: usize) -> Option<Self> {
        let tables = if self.exchange.is_some() { 1 } else { 2 };
        let high =
            Self { strips: strips(self.board, &self.orientations, MAX_STRIP_LINES, bytes / tables), ..self.clone() };
        (high.strips_bytes() > self.strips_bytes()).then_some(high)
    }

    /// The strips whose large tables are not filled, those of the player to move first.
    fn unfilled_strips(&self, position: &DominoPosition<W>) -> impl Iterator<Item = &Strips<W>> {
        let mover = usize::from(position.right_to_move);
        [mover, 1 - mover]
            .into_iter()
            .filter_map(|player| self.strips[player].as_ref())
            .filter(|strips| !strips.is_ready())
    }

    /// The size of the tables in bytes.
    fn strips_bytes(&self) -> usize {
        let [left, right] = self.strips.each_ref().map(|strips| strips.as_ref().map_or(0, Strips::bytes));
        if self.exchange.is_some() { left } else { left + right }
    }

    /// Returns the position with the outcome of a position of `game`, the game that this one was
    /// created from.
    #[must_use]
    pub fn reduce(&self, game: &Placement<W>, position: &Position<W>) -> DominoPosition<W> {
        self.position(game.board.full::<W>() & !position.filled, 0, position.right_to_move)
    }

    /// Returns the position with these cells free, and with `lead` more moves elsewhere for Left than for
    /// Right, from -60 to 60. Runs of placements that only one player can ever make become part of the lead.
    #[inline]
    #[must_use]
    pub fn position(&self, free: W, lead: i8, right_to_move: bool) -> DominoPosition<W> {
        self.instructions.run(Reduction { dominoes: self, free, lead, right_to_move })
    }

    /// The number of cells in a key: all, or the first ones of a large board.
    const fn key_cells(&self) -> u32 {
        let room = MAX_KEY_BITS - LEAD_AND_SIDE_BITS;
        if self.cells < room { self.cells } else { room }
    }

    /// Whether strip bounds prove that the player moves last. They are tried from an advantage
    /// found by trial: below it they hold in at most one of a hundred positions, too few to pay
    /// off.
    #[inline]
    fn proves_by_strips(&self, position: &DominoPosition<W>, player: usize, begins: bool) -> bool {
        if position.advantage(player) < if begins { -2 } else { 0 } {
            return false;
        }
        let lead = i32::from(if player == 0 { position.lead } else { -position.lead });
        self.strips[player]
            .as_ref()
            .is_some_and(|strips| strips.proves_last_move(position.free, lead, begins, self.instructions))
    }

    #[inline]
    fn claim(&self, position: &DominoPosition<W>, player: usize) -> Claim<'_, W> {
        let other = 1 - player;
        let lead = i32::from(position.lead);
        Claim {
            own: &self.orientations[player],
            other: &self.orientations[other],
            free: position.free,
            lead: if player == 0 { lead } else { -lead },
            max_moves: position.max_moves[player].into(),
            safe_moves: position.safe_moves[player].into(),
            opponent_max_moves: position.max_moves[other].into(),
            instructions: self.instructions,
        }
    }
}

/// Creates the strip bounds of both players, if one's pieces are vertical and the other's horizontal.
fn strips<W: CellSet>(
    board: Board,
    ways: &[Orientation<W>; 2],
    max_lines: usize,
    bytes: usize,
) -> [Option<Strips<W>>; 2] {
    let firsts = |rows: usize, cols: usize| {
        let cells = (0..rows).flat_map(|row| (0..cols).map(move |col| board.cell(row, col)));
        cells.fold(W::zero(), |firsts, cell| firsts | W::bit(cell))
    };
    let upright = ways.each_ref().map(|way| way.has_layout(board.cols(), firsts(board.rows() - 1, board.cols())));
    let flat = ways.each_ref().map(|way| way.has_layout(1, firsts(board.rows(), board.cols() - 1)));
    let [left, right] = [0, 1].map(|player: usize| {
        let other = 1 - player;
        let lie = upright[player] && flat[other] || flat[player] && upright[other];
        lie.then(|| Strips::new(board, upright[player], max_lines, bytes)).flatten()
    });
    let right = match (&left, right) {
        (Some(left), Some(right)) => Some(right.share_table(left)),
        (_, right) => right,
    };
    [left, right]
}

/// Computes [`Dominoes::position`].
struct Reduction<'a, W> {
    dominoes: &'a Dominoes<W>,
    free: W,
    lead: i8,
    right_to_move: bool,
}

impl<W: CellSet> Work for Reduction<'_, W> {
    type Output = DominoPosition<W>;

    #[inline(always)]
    fn run(self) -> DominoPosition<W> {
        let Self { dominoes, free, mut lead, right_to_move } = self;
        let places = [0, 1].map(|player: usize| dominoes.orientations[player].fits(free));
        let useful = [0, 1].map(|player: usize| dominoes.orientations[player].cells(places[player]));
        let both = useful[0] & useful[1];
        let (mut most, mut safe, mut fought) = ([0; 2], [0; 2], both);
        for player in [0, 1] {
            let (way, places) = (&dominoes.orientations[player], places[player]);
            let runs = way.runs_through(places, places & (both | way.predecessors(both)));
            let packed = way.pack(places);
            let spare = (packed & !runs).count_ones() as i8;
            lead += if player == 0 { spare } else { -spare };
            fought |= way.cells(runs);
            most[player] = (packed & runs).count_ones() as i8;
            safe[player] = way.max_disjoint(runs & way.fits(free & !useful[1 - player])) as i8;
        }
        DominoPosition { free: fought, lead, right_to_move, max_moves: most, safe_moves: safe }
    }
}

/// The preference of a placement by its location, best first.
///
/// The second line from an edge comes first, as it may reserve a pair in the first line, then
/// the fourth, and so on; within a line, placements that leave an even number of cells up to
/// the edge. Only symmetric placements are equal, so boards fill in one order and
/// transpositions are frequent.
///
/// Source of the order: N. Bullock, as for the bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Location {
    class: u8,
    /// The distances from the edge: the line, and the place within the line.
    line: usize,
    along: usize,
}

impl Location {
    fn new<W: CellSet>(cell: usize, own: &Orientation<W>, other: &Orientation<W>) -> Self {
        let (along, length) = own.chain_place(cell);
        let (line, lines) = other.chain_place(cell);
        let along = along.min(length.saturating_sub(2).saturating_sub(along));
        let line = line.min(lines.saturating_sub(1).saturating_sub(line));
        let class = match (line % 2, along % 2) {
            (1, 0) => 0,
            (1, _) => 1,
            _ if line == 0 => 4,
            (_, 0) => 2,
            _ => 3,
        };
        Self { class, line, along }
    }
}

/// The preferences of the player whose orientation is `own`, for every cell of the board.
fn preference<W: CellSet>(own: &Orientation<W>, other: &Orientation<W>, cells: usize) -> Vec<i32> {
    let lies: Vec<_> = (0..cells).map(|cell| Location::new(cell, own, other)).collect();
    let mut order = lies.clone();
    order.sort_unstable_by(|lie, next| next.cmp(lie));
    order.dedup();
    lies.iter().map(|lie| order.partition_point(|other| other > lie) as i32).collect()
}

impl<W: CellSet> Game for Dominoes<W> {
    type Position = DominoPosition<W>;
    /// The first cell of a placement, or `SPARE`.
    type Move = u8;

    const MAY_REPEAT: bool = false;

    fn start(&self) -> DominoPosition<W> {
        self.start
    }

    #[inline]
    fn moves(&self, position: &DominoPosition<W>) -> impl Iterator<Item = u8> {
        let way = &self.orientations[usize::from(position.right_to_move)];
        let spare = if position.right_to_move { position.lead < 0 } else { position.lead > 0 };
        Cells(way.fits(position.free)).map(|cell| cell as u8).chain(spare.then_some(SPARE))
    }

    #[inline]
    fn play(&self, position: &DominoPosition<W>, mv: u8) -> DominoPosition<W> {
        let right_to_move = !position.right_to_move;
        if mv == SPARE {
            let lead = position.lead - position.lead.signum();
            return DominoPosition { lead, right_to_move, ..*position };
        }
        let way = &self.orientations[usize::from(position.right_to_move)];
        let free = position.free & !way.cells(W::bit(mv.into()));
        self.position(free, position.lead, right_to_move)
    }

    fn canonical(&self, position: &DominoPosition<W>) -> DominoPosition<W> {
        let mut canonical = *position;
        if let (Some(exchange), true) = (&self.exchange, position.right_to_move) {
            let [left, right] = position.max_moves;
            let [left_safe, right_safe] = position.safe_moves;
            canonical = DominoPosition {
                free: exchange.set(position.free),
                lead: -position.lead,
                right_to_move: false,
                max_moves: [right, left],
                safe_moves: [right_safe, left_safe],
            };
        }
        let free = canonical.free;
        canonical.free = self.symmetries.iter().map(|symmetry| symmetry.set(free)).fold(free, W::min);
        canonical
    }

    /// The bits of the free cells, the lead and the side to move. Keys of large boards hold only
    /// the first cells.
    fn key_bits(&self) -> u32 {
        self.key_cells() + LEAD_AND_SIDE_BITS
    }

    #[inline]
    fn key(&self, position: &DominoPosition<W>) -> u128 {
        let DominoPosition { free, lead, right_to_move, .. } = *position;
        let cells: u128 = free.into();
        let cells = cells & ((1 << self.key_cells()) - 1);
        cells << LEAD_AND_SIDE_BITS | u128::from(lead as u8) << 1 | u128::from(right_to_move)
    }

    /// Whether the key is complete: on large boards, whether no cell beyond it is free.
    #[inline]
    fn is_cacheable(&self, position: &DominoPosition<W>) -> bool {
        self.key_cells() == self.cells || {
            let free: u128 = self.canonical(position).free.into();
            free >> self.key_cells() == 0
        }
    }

    /// The number of free cells and of spare placements.
    fn layer(&self, position: &DominoPosition<W>) -> Option<u32> {
        Some(position.free.count_ones() + u32::from(position.lead.unsigned_abs()))
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    #[inline]
    fn bounds(&self, position: &DominoPosition<W>, _asked: Value) -> Bounds {
        let mover = usize::from(position.right_to_move);
        // Every move covers two cells or uses up a spare placement.
        let longest = position.free.count_ones() / 2 + u32::from(position.lead.unsigned_abs());
        if self.claim(position, mover).holds_first() {
            return Bounds { lower: Value::win(longest), ..Bounds::ANY };
        }
        if self.claim(position, 1 - mover).holds() {
            return Bounds { upper: Value::loss(longest), ..Bounds::ANY };
        }
        if self.proves_by_strips(position, mover, true) {
            return Bounds { lower: Value::win(longest), ..Bounds::ANY };
        }
        if self.proves_by_strips(position, 1 - mover, false) {
            return Bounds { upper: Value::loss(longest), ..Bounds::ANY };
        }
        Bounds::ANY
    }

    /// Ranks by advantage, then by location.
    ///
    /// Adding the strip bounds' gains to the rank saves a third of the positions searched from
    /// random positions of 9x9, but costs a quarter more from the empty 9x9 and 17 times as many
    /// from the empty 10x8: it upsets the order, and transpositions become rare.
    #[inline]
    fn rank(&self, _contest: &DominoPosition<W>, mv: u8, after: &DominoPosition<W>) -> i32 {
        if mv == SPARE {
            return i32::MIN / 2;
        }
        let mover = usize::from(!after.right_to_move);
        256 * after.advantage(mover) + self.preference[mover][usize::from(mv)]
    }
}

#[cfg(test)]
mod tests {
    use balpan::{AlphaBeta, Outcome, Solver, Watch, minimax};
    use proptest::prelude::*;

    use super::*;

    fn domineering(board: &str) -> Placement {
        let rules = crate::presets::preset("domineering").unwrap().unwrap();
        let game: Placement = rules.game_at(board).unwrap().downcast().unwrap();
        game
    }

    fn searched(game: &Placement, lines: usize) -> (Outcome, u64) {
        let dominoes = Dominoes::for_game(game).unwrap();
        let dominoes = if lines == 3 { dominoes.with_high_strips(1 << 30).unwrap() } else { dominoes };
        assert!(dominoes.strips.iter().flatten().all(|strips| strips.has_max_height() == (lines == 3)));
        dominoes.strips.iter().flatten().for_each(|strips| strips.fill(&Watch::default()).unwrap());
        let mut search = AlphaBeta::new(&dominoes, 1 << 24, &Watch::default());
        (search.outcome(&dominoes.start()).unwrap(), search.positions_searched())
    }

    proptest! {
        #[test]
        fn high_strips_change_no_outcome(filled: u32, more: u32, right_begins: bool) {
            let cell = |n: usize| if (filled & more) >> n & 1 == 1 { '#' } else { '.' };
            let rows: Vec<String> = (0..4).map(|row| (0..5).map(|col| cell(5 * row + col)).collect()).collect();
            let game = domineering(&format!("{} {}", rows.join("/"), if right_begins { 'r' } else { 'l' }));
            if Dominoes::for_game(&game).is_some() {
                prop_assert_eq!(searched(&game, 3).0, minimax(&game, &game.start()).unwrap().outcome());
            }
        }
    }

    /// Positions searched with strips of two lines and of three. A change of these figures is a
    /// change of speed, to be measured and intended.
    #[test]
    fn positions_searched_by_strips_are_as_they_were() {
        let board = [".......", ".......", "..##...", ".......", "...#...", ".......", "......."].join("/");
        let found = [2, 3].map(|lines| searched(&domineering(&board), lines));
        assert_eq!(found, [(Outcome::Win, 11_945), (Outcome::Win, 3_912)]);
    }

    /// The second line from each edge comes first; within a line, whole placements from its ends do.
    #[test]
    fn placements_lie_in_one_order() {
        let dominoes = Dominoes::for_game(&domineering(&[".........."; 5].join("/"))).unwrap();
        let flat = |row: usize| &dominoes.preference[1][10 * row..10 * row + 9];
        assert_eq!(flat(1), flat(3));
        assert_eq!(flat(1), [14, 11, 13, 10, 12, 10, 13, 11, 14].as_slice());
        assert_eq!(flat(2), [9, 6, 8, 5, 7, 5, 8, 6, 9].as_slice());
        assert_eq!(flat(0), [4, 3, 2, 1, 0, 1, 2, 3, 4].as_slice());
    }
}
