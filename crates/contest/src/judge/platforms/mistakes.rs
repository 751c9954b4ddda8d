//! Known misunderstandings of Disappearing platforms, each as the plain solver that a learner would
//! write.
//!
//! The player to move wins a game of an odd number of plies and loses one of an even number. So the
//! answer of a wrong solver, too, says who wins by its parity.

mod memo;

pub(super) use memo::more_mistakes;

use balpan_games::Board;

use super::{Case, Plies};
use crate::judge::Mistake;

/// Cases with more tiles would take a plain solver too long.
const MAX_TILES: u32 = 16;

const PLAYERS_REMEDY: &str =
    "whoever can win takes the fewest plies to it, and whoever must lose holds out for the most";

pub(super) fn mistakes() -> Vec<Mistake<super::Platforms>> {
    let mut mistakes = memo::mistakes();
    mistakes.extend([
        mistake("the loser hurrying, too", PLAYERS_REMEDY, |turn| solve(turn, u32::min, u32::min)),
        mistake(
            "forgetting that the shared tile vanishes",
            "a token loses at once when the tile under it vanishes, as it does when the other token leaves it",
            moving_without_tile,
        ),
        mistake("maximising for both sides, whoever wins", PLAYERS_REMEDY, longest_play),
        mistake("maximising for both sides, outcomes right", PLAYERS_REMEDY, |turn| solve(turn, u32::max, u32::max)),
        mistake(
            "greedy nearest win",
            "the other player does not play along: a move is as good as the best reply to it leaves it",
            greedy,
        ),
        mistake("counting rounds in place of plies, rounded up", ROUNDS_REMEDY, |turn| {
            solve_correctly(turn).div_ceil(2)
        }),
        mistake("counting rounds in place of plies, rounded down", ROUNDS_REMEDY, |turn| solve_correctly(turn) / 2),
        Mistake::new(
            "rows and columns of the tokens exchanged",
            "`aloc` and `bloc` are a row and a column, in this order, as in `board[row][column]`",
            exchanged_coordinates,
        ),
    ]);
    mistakes.extend(direction_orders().into_iter().map(|order| {
        let [first, second, third, last] = order.map(|direction| direction.name());
        let name = format!(
            "taking the first winning move in place of the fastest: {first}, {second}, {third}, {last}, in this order"
        );
        mistake(name, "of several winning moves, the winner makes the one that wins in the fewest plies", move |turn| {
            first_win(turn, order)
        })
    }));
    mistakes
}

const ROUNDS_REMEDY: &str = "each step of either player counts as one";

fn mistake(
    name: impl Into<String>,
    remedy: &'static str,
    plies: impl Fn(Turn) -> u32 + Send + Sync + 'static,
) -> Mistake<super::Platforms> {
    Mistake::new(name, remedy, move |case: &Case| {
        (case.tiles.count_ones() <= MAX_TILES).then(|| Plies(plies(Turn::new(case))))
    })
}

/// Whether the player to move has lost a game of this number of plies.
const fn is_lost(plies: u32) -> bool {
    plies.is_multiple_of(2)
}

/// The plies that a player prefers: `u32::min` or `u32::max`.
type Preference = fn(u32, u32) -> u32;

/// A solver whose players prefer these numbers of plies when they win and when they lose. Winning in the
/// fewest and losing in the most plies is correct.
fn solve(turn: Turn, win: Preference, loss: Preference) -> u32 {
    plies_after(turn.next().map(|next| solve(next, win, loss)), win, loss)
}

/// Returns the plies of a position whose moves lead to positions of these plies.
fn plies_after(after: impl Iterator<Item = u32>, win: Preference, loss: Preference) -> u32 {
    let (mut best_win, mut best_loss) = (None, None);
    for plies in after {
        let (best, prefer) = if is_lost(plies) { (&mut best_win, win) } else { (&mut best_loss, loss) };
        *best = Some(best.map_or(plies, |best| prefer(best, plies)));
    }
    best_win.or(best_loss).map_or(0, |plies| 1 + plies)
}

fn solve_correctly(turn: Turn) -> u32 {
    solve(turn, u32::min, u32::max)
}

/// The longest play, whoever wins.
fn longest_play(turn: Turn) -> u32 {
    turn.next().map(|next| 1 + longest_play(next)).max().unwrap_or(0)
}

/// A correct solver of the game in which a token may move when its tile has vanished.
fn moving_without_tile(turn: Turn) -> u32 {
    plies_after(turn.steps(DIRECTIONS).map(moving_without_tile), u32::min, u32::max)
}

/// A solver that takes the first winning move; correct for positions without one.
fn first_win(turn: Turn, order: [Direction; 4]) -> u32 {
    let mut max = None;
    if turn.has_tile() {
        for next in turn.steps(order) {
            let plies = first_win(next, order);
            if is_lost(plies) {
                return 1 + plies;
            }
            max = max.max(Some(1 + plies));
        }
    }
    max.unwrap_or(0)
}

/// The plies of a play in which each player makes the first step of the shortest way to win with the
/// other's help; or any step, if there is no way.
fn greedy(turn: Turn) -> u32 {
    let way = |next: &Turn| nearest_win(*next, false).unwrap_or(u32::MAX);
    turn.next().min_by_key(way).map_or(0, |next| 1 + greedy(next))
}

/// The fewest plies to a win of the player to move, or of the other, if both cooperate.
fn nearest_win(turn: Turn, of_mover: bool) -> Option<u32> {
    let mut after = turn.next().peekable();
    if after.peek().is_none() {
        return (!of_mover).then_some(0);
    }
    after.filter_map(|next| nearest_win(next, !of_mover)).min().map(|plies| 1 + plies)
}

/// A solver that exchanges the rows and columns of the tokens. There is no tile off the board.
fn exchanged_coordinates(case: &Case) -> Option<Plies> {
    let exchange = |token: u8| {
        let (row, col) = case.board.row_col(token.into());
        (col < case.board.rows() && row < case.board.cols()).then(|| case.board.cell(col, row))
    };
    let turn = Turn::new(case);
    let plies = match (exchange(case.a), exchange(case.b)) {
        (Some(mover), Some(other)) => solve_correctly(Turn { mover, other, ..turn }),
        // A makes a step, if there is one, and B has lost.
        (Some(mover), None) => Turn { mover, ..turn }.next().next().map_or(0, |_| 1),
        (None, _) => 0,
    };
    (case.tiles.count_ones() <= MAX_TILES).then_some(Plies(plies))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// The directions in the order of most programs.
const DIRECTIONS: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

impl Direction {
    const fn name(self) -> &'static str {
        match self {
            Self::Up => "up",
            Self::Down => "down",
            Self::Left => "left",
            Self::Right => "right",
        }
    }

    const fn step(self) -> (i8, i8) {
        match self {
            Self::Up => (-1, 0),
            Self::Down => (1, 0),
            Self::Left => (0, -1),
            Self::Right => (0, 1),
        }
    }
}

/// Returns all permutations of the directions.
fn direction_orders() -> Vec<[Direction; 4]> {
    let mut orders = Vec::new();
    for first in DIRECTIONS {
        for second in DIRECTIONS {
            for third in DIRECTIONS {
                for last in DIRECTIONS {
                    let order = [first, second, third, last];
                    if DIRECTIONS.iter().all(|direction| order.contains(direction)) {
                        orders.push(order);
                    }
                }
            }
        }
    }
    orders
}

/// A position: the tiles, the token to move and the other.
#[derive(Clone, Copy)]
struct Turn {
    board: Board,
    tiles: u64,
    mover: usize,
    other: usize,
}

impl Turn {
    fn new(case: &Case) -> Self {
        Self { board: case.board, tiles: case.tiles, mover: case.a.into(), other: case.b.into() }
    }

    /// Whether the player to move still stands on a tile.
    const fn has_tile(&self) -> bool {
        self.tiles >> self.mover & 1 == 1
    }

    /// Returns the positions after each move.
    fn next(self) -> impl Iterator<Item = Self> {
        self.has_tile().then(|| self.steps(DIRECTIONS)).into_iter().flatten()
    }

    /// Returns the positions after each step to a tile, whether or not the token still has one.
    fn steps(self, order: [Direction; 4]) -> impl Iterator<Item = Self> {
        let left = self.tiles & !(1 << self.mover);
        let cells = order.into_iter().filter_map(move |way| self.board.offset(self.mover, way.step(), false));
        cells.filter(move |cell| left >> cell & 1 == 1).map(move |cell| Self {
            tiles: left,
            mover: self.other,
            other: cell,
            ..self
        })
    }
}
