//! The rules of the four families a second time, as plainly as they can be
//! written down: boards are rows of cells, nothing is clever, and nothing is taken
//! from the crate under test. What both agree on is hardly wrong in both.

#[allow(dead_code, reason = "not every test file compares whole games")]
pub(crate) mod compare;
#[allow(dead_code, reason = "a test file uses one family")]
pub(crate) mod heaps;
#[allow(dead_code, reason = "a test file uses one family")]
pub(crate) mod lines;
#[allow(dead_code, reason = "not every test file plays")]
pub(crate) mod midgame;
#[allow(dead_code, reason = "a test file uses one family")]
pub(crate) mod placement;
#[allow(dead_code, reason = "a test file uses one family")]
pub(crate) mod walkers;
#[allow(dead_code, reason = "not every test file compares whole games")]
pub(crate) mod without;

use std::fmt::Debug;

/// A row and a column, from 0 at the top left.
pub(crate) type Cell = (usize, usize);

/// How play ends for the player to move, 1 won, 0 drawn, -1 lost, and in how many
/// plies; a draw says 0 plies.
pub(crate) type Value = (i32, u32);

/// A game by its plain rules; its positions and moves are the text that people type.
pub(crate) trait NaiveGame {
    type State: Clone + PartialEq + Debug;
    type Move: Clone + PartialEq + Debug;

    /// Reads a position that is known to be well-formed.
    fn parse(&self, text: &str) -> Self::State;
    fn text(&self, state: &Self::State) -> String;
    /// None where play has ended.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;
    fn move_text(&self, mv: &Self::Move) -> String;
    fn play(&self, state: &Self::State, mv: &Self::Move) -> Self::State;
    /// How play has ended for the player to move, if it has.
    fn ended(&self, state: &Self::State) -> Option<i32>;
}

/// The value by visiting every continuation; `None` once that has taken more than
/// `nodes` positions.
pub(crate) fn value_within<N: NaiveGame>(game: &N, state: &N::State, nodes: &mut u32) -> Option<Value> {
    *nodes = nodes.checked_sub(1)?;
    let mut best = None;
    for mv in game.moves(state) {
        let value = one_ply_earlier(value_within(game, &game.play(state, &mv), nodes)?);
        if best.is_none_or(|best| is_better(value, best)) {
            best = Some(value);
        }
    }
    best.or_else(|| Some((game.ended(state).expect("no moves, so play has ended"), 0)))
}

/// The value by visiting every continuation, however many there are.
pub(crate) fn value<N: NaiveGame>(game: &N, state: &N::State) -> Value {
    value_within(game, state, &mut u32::MAX.clone()).expect("a game tree small enough")
}

/// What a move is worth that leads to a position worth `after` to the other player.
pub(crate) fn one_ply_earlier((outcome, plies): Value) -> Value {
    if outcome == 0 { (0, 0) } else { (-outcome, plies + 1) }
}

/// Win sooner > win later > draw > loss later > loss sooner.
fn is_better(this: Value, that: Value) -> bool {
    match (this.0, that.0) {
        (1, 1) => this.1 < that.1,
        (-1, -1) => this.1 > that.1,
        (this, that) => this > that,
    }
}

/// The rows of a position's text and the words after them.
fn rows_and_words(text: &str) -> (Vec<Vec<char>>, Vec<&str>) {
    let mut words = text.split(' ');
    let rows = words.next().expect("a board").split('/').map(|row| row.chars().collect()).collect();
    (rows, words.collect())
}

/// Rows of characters as a position's text has them.
fn board_text(rows: &[Vec<char>]) -> String {
    rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

fn cell_text((row, col): Cell) -> String {
    format!("{row},{col}")
}
