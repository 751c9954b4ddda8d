//! Known misunderstandings of Disappearing platforms, each a plain solver as a learner
//! would write it.
//!
//! Whoever is to move wins a play of an odd number of plies and loses one of an even
//! number, so that a count of plies tells who wins, too, whatever is wrong with it.

mod memo;

use balpan_games::Board;

use super::{Case, Plies};
use crate::judge::Mistake;

/// Cases of more tiles take a plain solver too long.
const MOST_TILES: u32 = 16;

const PLAYERS: &str = "whoever can win takes the fewest plies to it, and whoever must lose holds out for the most";

/// The same in other orders of the directions, and those that show only in a run of several.
pub(super) fn more() -> Vec<Mistake<super::Platforms>> {
    memo::more()
}

pub(super) fn mistakes() -> Vec<Mistake<super::Platforms>> {
    let mut mistakes = memo::mistakes();
    mistakes.extend([
        mistake("the loser hurrying, too", PLAYERS, hurried),
        mistake(
            "forgetting that the shared tile vanishes",
            "a token loses at once when the tile under it vanishes, as it does when the other token leaves it",
            on_without_a_tile,
        ),
        mistake("maximising for both sides, whoever wins", PLAYERS, longest),
        mistake("maximising for both sides, outcomes right", PLAYERS, held_out),
        mistake(
            "greedy nearest win",
            "the other player does not play along: a move is as good as the best reply to it leaves it",
            greedy,
        ),
        mistake("counting rounds in place of plies, rounded up", ROUNDS, |turn| right(turn).div_ceil(2)),
        mistake("counting rounds in place of plies, rounded down", ROUNDS, |turn| right(turn) / 2),
        Mistake::new(
            "rows and columns of the tokens exchanged",
            "`aloc` and `bloc` are a row and a column, in this order, as in `board[row][column]`",
            exchanged,
        ),
    ]);
    mistakes.extend(every_order().into_iter().map(|order| {
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

const ROUNDS: &str = "each step of either player counts as one";

fn mistake(
    name: impl Into<String>,
    remedy: &'static str,
    plies: impl Fn(Turn) -> u32 + Send + Sync + 'static,
) -> Mistake<super::Platforms> {
    Mistake::new(name, remedy, move |case: &Case| {
        (case.tiles.count_ones() <= MOST_TILES).then(|| Plies(plies(Turn::of(case))))
    })
}

/// Whether the player to move has lost a game of this number of plies.
const fn is_lost(plies: u32) -> bool {
    plies.is_multiple_of(2)
}

/// The right answer.
fn right(turn: Turn) -> u32 {
    let after: Vec<_> = turn.next().map(right).collect();
    match after.iter().filter(|plies| is_lost(**plies)).min() {
        Some(win) => 1 + win,
        None => after.iter().max().map_or(0, |loss| 1 + loss),
    }
}

/// The fewest plies for the loser as well.
fn hurried(turn: Turn) -> u32 {
    let after: Vec<_> = turn.next().map(hurried).collect();
    match after.iter().filter(|plies| is_lost(**plies)).min() {
        Some(win) => 1 + win,
        None => after.iter().min().map_or(0, |loss| 1 + loss),
    }
}

/// The most plies for the winner as well.
fn held_out(turn: Turn) -> u32 {
    let after: Vec<_> = turn.next().map(held_out).collect();
    match after.iter().filter(|plies| is_lost(**plies)).max() {
        Some(win) => 1 + win,
        None => after.iter().max().map_or(0, |loss| 1 + loss),
    }
}

/// The most plies of all, without a thought of who wins.
fn longest(turn: Turn) -> u32 {
    turn.next().map(|next| 1 + longest(next)).max().unwrap_or(0)
}

/// The right answer of a game in which a token goes on when its tile has gone.
fn on_without_a_tile(turn: Turn) -> u32 {
    let after: Vec<_> = turn.steps(IN_ORDER).map(on_without_a_tile).collect();
    match after.iter().filter(|plies| is_lost(**plies)).min() {
        Some(win) => 1 + win,
        None => after.iter().max().map_or(0, |loss| 1 + loss),
    }
}

/// The first winning move there is; right where there is none.
fn first_win(turn: Turn, order: [Direction; 4]) -> u32 {
    let mut most = None;
    if turn.has_tile() {
        for next in turn.steps(order) {
            let plies = first_win(next, order);
            if is_lost(plies) {
                return 1 + plies;
            }
            most = most.max(Some(1 + plies));
        }
    }
    most.unwrap_or(0)
}

/// Plies of the play in which each player makes the first step of the shortest way to
/// win, if the other played along; or any step, if there is no way.
fn greedy(turn: Turn) -> u32 {
    let way = |next: &Turn| nearest_win(*next, false).unwrap_or(u32::MAX);
    turn.next().min_by_key(way).map_or(0, |next| 1 + greedy(next))
}

/// The fewest plies to a win of the player to move, or else of the other, if both want it.
fn nearest_win(turn: Turn, of_mover: bool) -> Option<u32> {
    let mut after = turn.next().peekable();
    if after.peek().is_none() {
        return (!of_mover).then_some(0);
    }
    after.filter_map(|next| nearest_win(next, !of_mover)).min().map(|plies| 1 + plies)
}

/// The right answer, the tokens put where they would be if column and row were exchanged; off
/// the board there is no tile.
fn exchanged(case: &Case) -> Option<Plies> {
    let elsewhere = |token: u8| {
        let (row, col) = case.board.row_col(token.into());
        (col < case.board.rows() && row < case.board.cols()).then(|| case.board.cell(col, row))
    };
    let turn = Turn::of(case);
    let plies = match (elsewhere(case.a), elsewhere(case.b)) {
        (Some(mover), Some(other)) => right(Turn { mover, other, ..turn }),
        // A step, if there is one, and B has lost.
        (Some(mover), None) => Turn { mover, ..turn }.next().next().map_or(0, |_| 1),
        (None, _) => 0,
    };
    (case.tiles.count_ones() <= MOST_TILES).then_some(Plies(plies))
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Direction {
    Up,
    Down,
    Left,
    Right,
}

/// As most programs have them.
const IN_ORDER: [Direction; 4] = [Direction::Up, Direction::Down, Direction::Left, Direction::Right];

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

/// The directions in every order.
fn every_order() -> Vec<[Direction; 4]> {
    let mut orders = Vec::new();
    for first in IN_ORDER {
        for second in IN_ORDER {
            for third in IN_ORDER {
                for last in IN_ORDER {
                    let order = [first, second, third, last];
                    if IN_ORDER.iter().all(|direction| order.contains(direction)) {
                        orders.push(order);
                    }
                }
            }
        }
    }
    orders
}

/// Whose turn it is, on which tiles.
#[derive(Clone, Copy)]
struct Turn {
    board: Board,
    tiles: u64,
    mover: usize,
    other: usize,
}

impl Turn {
    fn of(case: &Case) -> Self {
        Self { board: case.board, tiles: case.tiles, mover: case.a.into(), other: case.b.into() }
    }

    /// Whether the player to move still stands on a tile.
    const fn has_tile(&self) -> bool {
        self.tiles >> self.mover & 1 == 1
    }

    /// The other's turns after each move.
    fn next(self) -> impl Iterator<Item = Self> {
        self.has_tile().then(|| self.steps(IN_ORDER)).into_iter().flatten()
    }

    /// The other's turns after each step to a tile, in this order.
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
