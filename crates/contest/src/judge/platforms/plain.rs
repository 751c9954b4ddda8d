//! Plain solvers of Disappearing platforms, as a learner would write them: those with a known misunderstanding, and the
//! right ones whose visits are counted.
//!
//! The player to move wins a game of an odd number of plies and loses one of an even number. So the
//! answer of a wrong solver, too, says who wins by its parity.

use balpan_games::Board;

use super::{Case, Platforms, Plies, memo};
use crate::judge::common::{AIMS_REMEDY, ALL_MOVES_REMEDY, FASTEST_REMEDY};
use crate::judge::{Mistake, Recursion};

/// Cases with more tiles would take a plain solver too long.
const MAX_TILES: u32 = 16;

const ROUNDS_REMEDY: &str = "each step of either player counts as one";

pub(super) fn mistakes() -> Vec<Mistake<Platforms>> {
    let mut mistakes = memo::mistakes();
    mistakes.extend([
        mistake("the loser hurrying, too", AIMS_REMEDY, |turn| solve(turn, u32::min, u32::min)),
        mistake(
            "forgetting that the shared tile vanishes",
            "a token loses at once when the tile under it vanishes, as it does when the other token leaves it",
            // A token may move when its tile has vanished.
            |turn| solve_by(turn, &|turn| turn.steps(ORDER).collect()),
        ),
        mistake("maximising for both sides, whoever wins", AIMS_REMEDY, longest_play),
        mistake("maximising for both sides, outcomes right", AIMS_REMEDY, |turn| solve(turn, u32::max, u32::max)),
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
            |case| answer(case, |turn| exchanged_coordinates(turn, case.board)),
        ),
    ]);
    mistakes.extend(orders().into_iter().map(|order| {
        let name = format!("taking the first winning move in place of the fastest: {}", order_name(order));
        mistake(name, FASTEST_REMEDY, move |turn| first_win(turn, order))
    }));
    mistakes
}

fn mistake(
    name: impl Into<String>,
    remedy: &'static str,
    plies: impl Fn(Turn<'_>) -> u32 + Send + Sync + 'static,
) -> Mistake<Platforms> {
    Mistake::new(name, remedy, move |case: &Case| answer(case, &plies))
}

/// Further mistakes: those that depend on the order of directions in every order.
pub(super) fn more_mistakes() -> impl Iterator<Item = Mistake<Platforms>> {
    let shared =
        mistake("a tile with the other token on it taken for occupied", "both tokens may stand on one tile", |turn| {
            solve_by(turn, &|turn| turn.next(ORDER).filter(|next| next.mover != next.other).collect())
        });
    let by_order = orders().into_iter().flat_map(|order| {
        let undo = "put the tile back after the recursion: the next direction is tried on the same board";
        let name = |mistake| format!("{mistake}: {}", order_name(order));
        [
            mistake(name("the tile not put back"), undo, move |turn| without_undo(turn, &mut { turn.tiles }, order)),
            mistake(name("the first move taken in place of the best"), ALL_MOVES_REMEDY, move |turn| {
                first_move(turn, order)
            }),
        ]
    });
    by_order.chain([shared])
}

/// The plies of the play in which each player steps in the first direction that has a tile.
fn first_move(turn: Turn<'_>, order: [usize; 4]) -> u32 {
    turn.next(order).next().map_or(0, |next| 1 + first_move(next, order))
}

/// A correct solver but for the tiles of the board, which vanish for good.
fn without_undo(turn: Turn<'_>, tiles: &mut u64, order: [usize; 4]) -> u32 {
    if *tiles >> turn.mover & 1 == 0 {
        return 0;
    }
    let mut after = Vec::new();
    for cell in order.into_iter().filter_map(|direction| turn.neighbors[turn.mover][direction]) {
        if *tiles >> cell & 1 == 1 {
            *tiles &= !(1 << turn.mover);
            let next = Turn { mover: turn.other, other: cell, b_to_move: !turn.b_to_move, ..turn };
            after.push(without_undo(next, tiles, order));
        }
    }
    plies_after(after.into_iter(), u32::min, u32::max)
}

/// Answers a case by a plain solver, unless that would take too long.
pub(super) fn answer(case: &Case, plies: impl FnOnce(Turn<'_>) -> u32) -> Option<Plies> {
    (case.tiles.count_ones() <= MAX_TILES).then(|| Plies(from_start(case, plies)))
}

fn from_start<T>(case: &Case, run: impl FnOnce(Turn<'_>) -> T) -> T {
    let beside = |cell, (_, step): (_, (i8, i8))| case.board.offset(cell, step, false);
    let neighbors: Vec<_> = (0..case.board.cells()).map(|cell| DIRECTIONS.map(|way| beside(cell, way))).collect();
    let [mover, other] = [case.a, case.b].map(usize::from);
    run(Turn { neighbors: &neighbors, tiles: case.tiles, mover, other, b_to_move: false })
}

/// Whether the player to move has lost a game of this number of plies.
const fn is_lost(plies: u32) -> bool {
    plies.is_multiple_of(2)
}

/// The plies that a player prefers: `u32::min` or `u32::max`.
type Preference = fn(u32, u32) -> u32;

/// A solver whose players prefer these numbers of plies when they win and when they lose. Winning in the
/// fewest and losing in the most plies is correct.
fn solve(turn: Turn<'_>, win: Preference, loss: Preference) -> u32 {
    plies_after(turn.next(ORDER).map(|next| solve(next, win, loss)), win, loss)
}

/// Returns the plies of a position whose moves lead to positions of these plies.
pub(super) fn plies_after(after: impl Iterator<Item = u32>, win: Preference, loss: Preference) -> u32 {
    let (mut best_win, mut best_loss) = (None, None);
    for plies in after {
        let (best, prefer) = if is_lost(plies) { (&mut best_win, win) } else { (&mut best_loss, loss) };
        *best = Some(best.map_or(plies, |best| prefer(best, plies)));
    }
    best_win.or(best_loss).map_or(0, |plies| 1 + plies)
}

fn solve_correctly(turn: Turn<'_>) -> u32 {
    solve(turn, u32::min, u32::max)
}

/// A correct solver of the game with other moves.
fn solve_by<'b>(turn: Turn<'b>, moves: &impl Fn(Turn<'b>) -> Vec<Turn<'b>>) -> u32 {
    plies_after(moves(turn).into_iter().map(|next| solve_by(next, moves)), u32::min, u32::max)
}

/// The longest play, whoever wins.
fn longest_play(turn: Turn<'_>) -> u32 {
    turn.next(ORDER).map(|next| 1 + longest_play(next)).max().unwrap_or(0)
}

/// A solver that takes the first winning move; correct for positions without one.
fn first_win(turn: Turn<'_>, order: [usize; 4]) -> u32 {
    let mut max = 0;
    for next in turn.next(order) {
        let plies = first_win(next, order);
        if is_lost(plies) {
            return 1 + plies;
        }
        max = max.max(1 + plies);
    }
    max
}

/// The plies of a play in which each player makes the first step of the shortest way to win with the
/// other's help; or any step, if there is no way.
fn greedy(turn: Turn<'_>) -> u32 {
    let way = |next: &Turn<'_>| nearest_win(*next, false).unwrap_or(u32::MAX);
    turn.next(ORDER).min_by_key(way).map_or(0, |next| 1 + greedy(next))
}

/// The fewest plies to a win of the player to move, or of the other, if both cooperate.
fn nearest_win(turn: Turn<'_>, of_mover: bool) -> Option<u32> {
    let mut after = turn.next(ORDER).peekable();
    if after.peek().is_none() {
        return (!of_mover).then_some(0);
    }
    after.filter_map(|next| nearest_win(next, !of_mover)).min().map(|plies| 1 + plies)
}

/// A solver that exchanges the rows and columns of the tokens. There is no tile off the board.
fn exchanged_coordinates(turn: Turn<'_>, board: Board) -> u32 {
    let exchange = |token| {
        let (row, col) = board.row_col(token);
        (col < board.rows() && row < board.cols()).then(|| board.cell(col, row))
    };
    match (exchange(turn.mover), exchange(turn.other)) {
        (Some(mover), Some(other)) => solve_correctly(Turn { mover, other, ..turn }),
        // A makes a step, if there is one, and B has lost.
        (Some(mover), None) => Turn { mover, ..turn }.next(ORDER).next().map_or(0, |_| 1),
        (None, _) => 0,
    }
}

const DIRECTIONS: [(&str, (i8, i8)); 4] = [("up", (-1, 0)), ("down", (1, 0)), ("left", (0, -1)), ("right", (0, 1))];

/// The order of directions in most programs.
pub(super) const ORDER: [usize; 4] = [0, 1, 2, 3];

/// Returns all permutations of the directions.
pub(super) fn orders() -> Vec<[usize; 4]> {
    let all = (0..256).map(|n| [n >> 6, n >> 4 & 3, n >> 2 & 3, n & 3]);
    all.filter(|order| ORDER.iter().all(|direction| order.contains(direction))).collect()
}

pub(super) fn order_name(order: [usize; 4]) -> String {
    order.map(|direction| DIRECTIONS[direction].0).join(", ") + ", in this order"
}

/// A position: the tiles, the token to move and the other.
#[derive(Clone, Copy)]
pub(super) struct Turn<'b> {
    /// The cells beside each cell, by direction.
    neighbors: &'b [[Option<usize>; 4]],
    pub(super) tiles: u64,
    pub(super) mover: usize,
    pub(super) other: usize,
    pub(super) b_to_move: bool,
}

impl Turn<'_> {
    /// Whether the player to move still stands on a tile.
    pub(super) const fn has_tile(&self) -> bool {
        self.tiles >> self.mover & 1 == 1
    }

    /// Returns the positions after each move.
    pub(super) fn next(self, order: [usize; 4]) -> impl Iterator<Item = Self> {
        self.has_tile().then(|| self.steps(order)).into_iter().flatten()
    }

    /// Returns the positions after each step to a tile, whether or not the token still has one.
    fn steps(self, order: [usize; 4]) -> impl Iterator<Item = Self> {
        let tiles = self.tiles & !(1 << self.mover);
        let cells = order.into_iter().filter_map(move |direction| self.neighbors[self.mover][direction]);
        cells.filter(move |cell| tiles >> cell & 1 == 1).map(move |cell| Self {
            tiles,
            mover: self.other,
            other: cell,
            b_to_move: !self.b_to_move,
            ..self
        })
    }
}

/// The recursions whose visits are counted.
pub(super) fn recursions() -> Vec<Recursion<Platforms>> {
    vec![
        Recursion::new("every move", |case: &Case| from_start(case, every_move)),
        Recursion::new("alpha-beta", |case: &Case| {
            let mut visited = 0;
            from_start(case, |turn| alpha_beta(turn, 0, [-MAX_PLIES, MAX_PLIES], &mut visited));
            visited
        }),
    ]
}

fn every_move(turn: Turn<'_>) -> u64 {
    turn.next(ORDER).fold(1, |visited, next| visited + every_move(next))
}

/// A bound above the plies of every game.
const MAX_PLIES: i32 = 100;

/// Alpha-beta search that prefers faster wins.
fn alpha_beta(turn: Turn<'_>, ply: i32, [mut alpha, beta]: [i32; 2], visited: &mut u64) -> i32 {
    *visited += 1;
    let mut best = ply - MAX_PLIES;
    for next in turn.next(ORDER) {
        best = best.max(-alpha_beta(next, ply + 1, [-beta, -alpha], visited));
        alpha = alpha.max(best);
        if alpha >= beta {
            break;
        }
    }
    best
}
