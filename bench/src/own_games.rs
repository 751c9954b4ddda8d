//! Six small games as their authors would write them, with their optional methods, and memoised minimax beside them.

use std::collections::HashMap;
use std::fmt::Debug;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use balpan::{Answer, Budget, Engine, Game, Goal, Outcome, Symmetries, Value, Verdict, Watch};

/// A game with the optional methods that it could have.
pub trait OwnGame: Game<Position: Debug> + Send + 'static {
    /// Returns the number of bits of a key.
    fn own_key_bits(&self) -> u32;

    /// Returns the position as a number.
    fn own_key(&self, position: &Self::Position) -> u128;

    /// Returns a number that every move lowers.
    fn own_layer(&self, position: &Self::Position) -> u32;

    /// Returns the representative of the position and its images.
    fn own_canonical(&self, position: &Self::Position) -> Self::Position;
}

/// The optional methods that a [`Variant`] has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Methods {
    /// Whether it has keys.
    pub keys: bool,
    /// Whether it has layers.
    pub layer: bool,
    /// Whether it has canonical forms.
    pub canonical: bool,
}

/// Numbers of calls of the methods of a game.
#[derive(Debug, Default)]
pub struct Calls {
    moves: AtomicU64,
    play: AtomicU64,
    is_over: AtomicU64,
    canonical: AtomicU64,
}

/// The numbers of calls of `moves`, `play`, `is_over` and `canonical`.
pub type CallCounts = [u64; 4];

/// A game with some of its optional methods, which counts the calls if it is asked to.
#[derive(Debug)]
pub struct Variant<G> {
    game: Arc<G>,
    methods: Methods,
    calls: Option<Arc<Calls>>,
}

impl<G: OwnGame> Variant<G> {
    /// Creates the game with these methods.
    #[must_use]
    pub fn new(game: &Arc<G>, methods: Methods, calls: Option<Arc<Calls>>) -> Self {
        Self { game: Arc::clone(game), methods, calls }
    }

    fn count(&self, method: impl Fn(&Calls) -> &AtomicU64) {
        if let Some(calls) = &self.calls {
            method(calls).fetch_add(1, Relaxed);
        }
    }
}

impl<G: OwnGame> Game for Variant<G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> G::Position {
        self.game.start()
    }

    fn moves(&self, position: &G::Position) -> impl Iterator<Item = G::Move> {
        self.count(|calls| &calls.moves);
        self.game.moves(position)
    }

    fn play(&self, position: &G::Position, mv: G::Move) -> G::Position {
        self.count(|calls| &calls.play);
        self.game.play(position, mv)
    }

    fn is_over(&self, position: &G::Position) -> bool {
        self.count(|calls| &calls.is_over);
        self.game.is_over(position)
    }

    fn end(&self, position: &G::Position) -> Outcome {
        self.game.end(position)
    }

    fn canonical(&self, position: &G::Position) -> G::Position {
        self.count(|calls| &calls.canonical);
        if self.methods.canonical { self.game.own_canonical(position) } else { position.clone() }
    }

    fn key_bits(&self) -> u32 {
        if self.methods.keys { self.game.own_key_bits() } else { 0 }
    }

    fn key(&self, position: &G::Position) -> u128 {
        self.game.own_key(position)
    }

    fn layer(&self, position: &G::Position) -> Option<u32> {
        self.methods.layer.then(|| self.game.own_layer(position))
    }
}

/// The answer about the start of a game, with what it took.
#[derive(Clone, Debug)]
pub struct Solved {
    /// The verdict.
    pub verdict: Option<Verdict>,
    /// The number of positions searched, or visited by minimax.
    pub positions: u64,
    /// The calls.
    pub calls: CallCounts,
}

impl Calls {
    fn counts(&self) -> CallCounts {
        [&self.moves, &self.play, &self.is_over, &self.canonical].map(|calls| calls.load(Relaxed))
    }
}

/// Solves the start of a game with an engine.
///
/// # Panics
/// If the engine refuses the game.
pub fn solve<G: OwnGame>(game: &Arc<G>, methods: Methods, goal: Goal) -> Answer<G::Move> {
    let mut engine = Engine::new(Variant::new(game, methods, None), Budget::default());
    engine.solve(&game.start(), goal, &Watch::default(), |_| {}).expect("a game that an engine solves")
}

/// As [`solve`], with the numbers of calls.
///
/// # Panics
/// If the engine refuses the game.
pub fn solve_and_count<G: OwnGame>(game: &Arc<G>, methods: Methods, goal: Goal) -> Solved {
    let calls = Arc::new(Calls::default());
    let mut engine = Engine::new(Variant::new(game, methods, Some(Arc::clone(&calls))), Budget::default());
    let answer = engine.solve(&game.start(), goal, &Watch::default(), |_| {}).expect("a game that an engine solves");
    Solved { verdict: answer.verdict(), positions: answer.positions, calls: calls.counts() }
}

/// Solves the start of a game by memoised minimax, and counts the calls if `counts` says so.
pub fn minimax<G: OwnGame>(game: &Arc<G>, goal: Goal, counts: bool) -> Solved {
    let calls = Arc::new(Calls::default());
    let variant = Variant::new(game, Methods::default(), counts.then(|| Arc::clone(&calls)));
    let start = game.start();
    let (verdict, positions) = if goal == Goal::Winner {
        let mut known = HashMap::new();
        let is_won = wins(&variant, &start, &mut known);
        (if is_won { Outcome::Win } else { Outcome::Loss }.into(), known.len())
    } else {
        let mut known = HashMap::new();
        let value = value(&variant, &start, &mut known);
        (value.into(), known.len())
    };
    Solved { verdict: Some(verdict), positions: positions as u64, calls: calls.counts() }
}

/// Returns whether the player to move wins, in a game without draws that whoever cannot move loses.
fn wins<G: Game>(game: &G, position: &G::Position, known: &mut HashMap<G::Position, bool>) -> bool {
    if let Some(wins) = known.get(position) {
        return *wins;
    }
    let is_won = game.moves(position).any(|mv| !wins(game, &game.play(position, mv), known));
    known.insert(position.clone(), is_won);
    is_won
}

fn value<G: Game>(game: &G, position: &G::Position, known: &mut HashMap<G::Position, Value>) -> Value {
    if let Some(value) = known.get(position) {
        return *value;
    }
    let values = game.moves(position).map(|mv| value(game, &game.play(position, mv), known).to_parent());
    let value = values.max().unwrap_or_else(|| Value::terminal(game.end(position)));
    known.insert(position.clone(), value);
    value
}

/// A board of cells, each empty or with a stone of player 1 or 2, and the player to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Cells<const N: usize> {
    cells: [u8; N],
    player: u8,
}

impl<const N: usize> Cells<N> {
    fn key(&self) -> u128 {
        self.cells.iter().fold(u128::from(self.player), |key, cell| key << 2 | u128::from(*cell))
    }

    fn count(&self, player: u8) -> u32 {
        self.cells.iter().filter(|cell| **cell == player).count() as u32
    }

    fn canonical(&self, symmetries: &Symmetries) -> Self {
        Self { cells: symmetries.canonical(&self.cells), ..*self }
    }
}

/// Returns the cells beside `cell`.
fn beside(rows: usize, cols: usize, cell: usize) -> impl Iterator<Item = usize> {
    let (row, col) = (cell / cols, cell % cols);
    let steps = [
        (row > 0, cell.wrapping_sub(cols)),
        (col > 0, cell.wrapping_sub(1)),
        (col + 1 < cols, cell + 1),
        (row + 1 < rows, cell + cols),
    ];
    steps.into_iter().filter(|(fits, _)| *fits).map(|(_, cell)| cell)
}

/// Hex on 4x4 cells: player 1 connects top and bottom, player 2 left and right.
#[derive(Debug)]
pub struct Hex(Symmetries);

impl Default for Hex {
    fn default() -> Self {
        Self(Symmetries::new([(0..16).rev()]))
    }
}

impl Hex {
    const SIZE: usize = 4;

    fn has_connected(board: &Cells<16>, player: u8) -> bool {
        let edge = |cell: usize| if player == 1 { cell / Self::SIZE } else { cell % Self::SIZE };
        let mut seen = [false; 16];
        let mut stack: Vec<usize> = (0..16).filter(|&cell| edge(cell) == 0 && board.cells[cell] == player).collect();
        while let Some(cell) = stack.pop() {
            if edge(cell) == Self::SIZE - 1 {
                return true;
            }
            if !std::mem::replace(&mut seen[cell], true) {
                let (row, col) = ((cell / Self::SIZE) as i8, (cell % Self::SIZE) as i8);
                for (r, c) in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)] {
                    let (row, col) = (row + r, col + c);
                    if (0..4).contains(&row) && (0..4).contains(&col) {
                        let next = (row * 4 + col) as usize;
                        if board.cells[next] == player && !seen[next] {
                            stack.push(next);
                        }
                    }
                }
            }
        }
        false
    }
}

impl Game for Hex {
    type Position = Cells<16>;
    type Move = u8;

    fn start(&self) -> Cells<16> {
        Cells { cells: [0; 16], player: 1 }
    }

    fn moves(&self, board: &Cells<16>) -> impl Iterator<Item = u8> {
        let is_over = Self::has_connected(board, 3 - board.player);
        let cells = board.cells;
        (0..16).filter(move |&cell| !is_over && cells[usize::from(cell)] == 0)
    }

    fn play(&self, board: &Cells<16>, cell: u8) -> Cells<16> {
        let mut after = Cells { player: 3 - board.player, ..*board };
        after.cells[usize::from(cell)] = board.player;
        after
    }
}

impl OwnGame for Hex {
    fn own_key_bits(&self) -> u32 {
        34
    }

    fn own_key(&self, board: &Cells<16>) -> u128 {
        board.key()
    }

    fn own_layer(&self, board: &Cells<16>) -> u32 {
        board.count(0)
    }

    fn own_canonical(&self, board: &Cells<16>) -> Cells<16> {
        board.canonical(&self.0)
    }
}

/// Clobber on 4x4 cells: a stone moves onto an enemy stone beside it; whoever cannot move loses.
#[derive(Debug)]
pub struct Clobber(Symmetries);

impl Default for Clobber {
    fn default() -> Self {
        Self(Symmetries::for_rectangle(4, 4))
    }
}

impl Game for Clobber {
    type Position = Cells<16>;
    type Move = (u8, u8);

    fn start(&self) -> Cells<16> {
        Cells { cells: std::array::from_fn(|cell| 1 + ((cell / 4 + cell % 4) % 2) as u8), player: 1 }
    }

    fn moves(&self, board: &Cells<16>) -> impl Iterator<Item = (u8, u8)> {
        let board = *board;
        let own = (0..16).filter(move |&cell| board.cells[cell] == board.player);
        own.flat_map(move |from| {
            let onto = beside(4, 4, from).filter(move |&to| board.cells[to] == 3 - board.player);
            onto.map(move |to| (from as u8, to as u8))
        })
    }

    fn play(&self, board: &Cells<16>, (from, to): (u8, u8)) -> Cells<16> {
        let mut after = Cells { player: 3 - board.player, ..*board };
        after.cells[usize::from(from)] = 0;
        after.cells[usize::from(to)] = board.player;
        after
    }
}

impl OwnGame for Clobber {
    fn own_key_bits(&self) -> u32 {
        34
    }

    fn own_key(&self, board: &Cells<16>) -> u128 {
        board.key()
    }

    fn own_layer(&self, board: &Cells<16>) -> u32 {
        16 - board.count(0)
    }

    fn own_canonical(&self, board: &Cells<16>) -> Cells<16> {
        board.canonical(&self.0)
    }
}

/// NoGo on 3x4 cells: no move may leave a group of stones without a free cell beside it.
#[derive(Debug)]
pub struct NoGo(Symmetries);

impl Default for NoGo {
    fn default() -> Self {
        Self(Symmetries::for_rectangle(3, 4))
    }
}

impl NoGo {
    fn has_liberty(board: &Cells<12>, cell: usize) -> bool {
        let mut seen = [false; 12];
        let mut stack = vec![cell];
        while let Some(at) = stack.pop() {
            if std::mem::replace(&mut seen[at], true) {
                continue;
            }
            for next in beside(3, 4, at) {
                if board.cells[next] == 0 {
                    return true;
                }
                if board.cells[next] == board.cells[cell] && !seen[next] {
                    stack.push(next);
                }
            }
        }
        false
    }

    fn is_allowed(board: &Cells<12>, cell: usize) -> bool {
        let mut after = *board;
        after.cells[cell] = board.player;
        Self::has_liberty(&after, cell)
            && beside(3, 4, cell).all(|next| after.cells[next] == 0 || Self::has_liberty(&after, next))
    }
}

impl Game for NoGo {
    type Position = Cells<12>;
    type Move = u8;

    fn start(&self) -> Cells<12> {
        Cells { cells: [0; 12], player: 1 }
    }

    fn moves(&self, board: &Cells<12>) -> impl Iterator<Item = u8> {
        let board = *board;
        let is_legal = move |cell: &usize| board.cells[*cell] == 0 && Self::is_allowed(&board, *cell);
        (0..12).filter(is_legal).map(|cell| cell as u8)
    }

    fn play(&self, board: &Cells<12>, cell: u8) -> Cells<12> {
        let mut after = Cells { player: 3 - board.player, ..*board };
        after.cells[usize::from(cell)] = board.player;
        after
    }
}

impl OwnGame for NoGo {
    fn own_key_bits(&self) -> u32 {
        26
    }

    fn own_key(&self, board: &Cells<12>) -> u128 {
        board.key()
    }

    fn own_layer(&self, board: &Cells<12>) -> u32 {
        board.count(0)
    }

    fn own_canonical(&self, board: &Cells<12>) -> Cells<12> {
        board.canonical(&self.0)
    }
}

/// Konane on 4x4 cells, two stones removed: a stone jumps over enemy stones; whoever cannot move loses.
#[derive(Debug)]
pub struct Konane(Symmetries);

impl Default for Konane {
    fn default() -> Self {
        Self(Symmetries::for_rectangle(4, 4))
    }
}

impl Game for Konane {
    type Position = Cells<16>;
    /// The cells from and to which a stone jumps.
    type Move = (u8, u8);

    fn start(&self) -> Cells<16> {
        let mut cells = std::array::from_fn(|cell| 1 + ((cell / 4 + cell % 4) % 2) as u8);
        (cells[5], cells[6]) = (0, 0);
        Cells { cells, player: 1 }
    }

    fn moves(&self, board: &Cells<16>) -> impl Iterator<Item = (u8, u8)> {
        let mut moves = Vec::new();
        for from in (0..16_i8).filter(|&cell| board.cells[cell as usize] == board.player) {
            for (row, col) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
                let at = |steps: i8| {
                    let (row, col) = (from / 4 + steps * row, from % 4 + steps * col);
                    let fits = (0..4).contains(&row) && (0..4).contains(&col);
                    fits.then_some((row * 4 + col) as usize)
                };
                let mut steps = 2;
                while let (Some(over), Some(to)) = (at(steps - 1), at(steps))
                    && board.cells[over] == 3 - board.player
                    && board.cells[to] == 0
                {
                    moves.push((from as u8, to as u8));
                    steps += 2;
                }
            }
        }
        moves.into_iter()
    }

    fn play(&self, board: &Cells<16>, (from, to): (u8, u8)) -> Cells<16> {
        let mut after = Cells { player: 3 - board.player, ..*board };
        let (from, to) = (usize::from(from), usize::from(to));
        let step = if from / 4 == to / 4 { 1 } else { 4 };
        (from.min(to)..=from.max(to)).step_by(step).for_each(|cell| after.cells[cell] = 0);
        after.cells[to] = board.player;
        after
    }
}

impl OwnGame for Konane {
    fn own_key_bits(&self) -> u32 {
        34
    }

    fn own_key(&self, board: &Cells<16>) -> u128 {
        board.key()
    }

    fn own_layer(&self, board: &Cells<16>) -> u32 {
        16 - board.count(0)
    }

    fn own_canonical(&self, board: &Cells<16>) -> Cells<16> {
        board.canonical(&self.0)
    }
}

/// The pawns of both players as bits, seen by the player to move, who goes towards the higher bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pawns {
    own: u32,
    other: u32,
}

/// Breakthrough and Hexapawn: pawns go one row ahead; whoever reaches the last row, or leaves the other no move, wins.
#[derive(Debug)]
pub struct PawnGame {
    rows: u32,
    cols: u32,
    /// Rows of pawns.
    deep: u32,
    /// Whether pawns also go diagonally where nothing is captured.
    diagonal: bool,
}

impl PawnGame {
    /// Breakthrough on 5 rows of 4 cells.
    pub const BREAKTHROUGH: Self = Self { rows: 5, cols: 4, deep: 2, diagonal: true };
    /// Hexapawn on 5 rows of 5 cells.
    pub const HEXAPAWN: Self = Self { rows: 5, cols: 5, deep: 1, diagonal: false };

    fn reverse(&self, pawns: u32) -> u32 {
        pawns.reverse_bits() >> (32 - self.rows * self.cols)
    }
}

impl Game for PawnGame {
    type Position = Pawns;
    type Move = (u8, u8);

    fn start(&self) -> Pawns {
        let own = (1 << (self.deep * self.cols)) - 1;
        Pawns { own, other: self.reverse(own) }
    }

    fn moves(&self, &Pawns { own, other }: &Pawns) -> impl Iterator<Item = (u8, u8)> {
        let is_over = other & ((1 << self.cols) - 1) > 0;
        let cells = (0..self.rows * self.cols).filter(move |&from| !is_over && own >> from & 1 > 0);
        cells.flat_map(move |from| {
            let ahead = from + self.cols;
            let col = from % self.cols;
            let straight = Some(ahead).filter(|&to| (own | other) >> to & 1 == 0);
            let aside = [(col > 0, ahead.wrapping_sub(1)), (col + 1 < self.cols, ahead + 1)];
            let aside = aside.into_iter().filter(move |&(fits, to)| {
                fits && if self.diagonal { own >> to & 1 == 0 } else { other >> to & 1 > 0 }
            });
            straight.into_iter().chain(aside.map(|(_, to)| to)).map(move |to| (from as u8, to as u8))
        })
    }

    fn play(&self, &Pawns { own, other }: &Pawns, (from, to): (u8, u8)) -> Pawns {
        Pawns { own: self.reverse(other & !(1 << to)), other: self.reverse(own & !(1 << from) | 1 << to) }
    }
}

impl OwnGame for PawnGame {
    fn own_key_bits(&self) -> u32 {
        50
    }

    fn own_key(&self, pawns: &Pawns) -> u128 {
        u128::from(pawns.own) << 25 | u128::from(pawns.other)
    }

    fn own_layer(&self, pawns: &Pawns) -> u32 {
        let left = |pawns: u32| {
            (0..self.rows)
                .map(|row| (self.rows - row) * (pawns >> (row * self.cols) & ((1 << self.cols) - 1)).count_ones())
                .sum::<u32>()
        };
        left(pawns.own) + left(self.reverse(pawns.other))
    }

    fn own_canonical(&self, pawns: &Pawns) -> Pawns {
        let mirror = |pawns: u32| {
            (0..self.rows).fold(0, |mirrored, row| {
                let cells = pawns >> (row * self.cols) & ((1 << self.cols) - 1);
                mirrored | (cells.reverse_bits() >> (32 - self.cols)) << (row * self.cols)
            })
        };
        Pawns { own: mirror(pawns.own), other: mirror(pawns.other) }.min(*pawns)
    }
}
