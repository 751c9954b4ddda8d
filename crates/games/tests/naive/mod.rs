//! Naive implementations of the four families, as plain as can be: boards are rows of cells,
//! nothing is clever, and nothing is taken from the crate under test. An error in both is
//! unlikely.

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

/// The value for the player to move: 1 won, 0 drawn, -1 lost; and the plies to the end, 0 for
/// a draw.
pub(crate) type Value = (i32, u32);

/// A game by its plain rules; positions and moves are the text that people type.
pub(crate) trait NaiveGame {
    type State: Clone + PartialEq + Debug;
    type Move: Clone + PartialEq + Debug;

    /// Parses a well-formed position.
    fn parse(&self, text: &str) -> Self::State;
    fn text(&self, state: &Self::State) -> String;
    /// The moves; none where play has ended.
    fn moves(&self, state: &Self::State) -> Vec<Self::Move>;
    fn move_text(&self, mv: &Self::Move) -> String;
    fn play(&self, state: &Self::State, mv: &Self::Move) -> Self::State;
    /// The result for the player to move if play has ended.
    fn ended(&self, state: &Self::State) -> Option<i32>;
}

/// The value by searching the whole tree; `None` if it has more than `nodes` nodes.
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

/// The value by searching the whole tree.
pub(crate) fn value<N: NaiveGame>(game: &N, state: &N::State) -> Value {
    value_within(game, state, &mut u32::MAX.clone()).expect("a game tree small enough")
}

/// The value of a move that leads to a position of value `after` for the opponent.
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

/// The rows of a position's text, and the words after them.
fn rows_and_words(text: &str) -> (Vec<Vec<char>>, Vec<&str>) {
    let mut words = text.split(' ');
    let rows = words.next().expect("a board").split('/').map(|row| row.chars().collect()).collect();
    (rows, words.collect())
}

/// The rows of a board as a position's text.
fn board_text(rows: &[Vec<char>]) -> String {
    rows.iter().map(|row| row.iter().collect::<String>()).collect::<Vec<_>>().join("/")
}

fn cell_text((row, col): Cell) -> String {
    format!("{row},{col}")
}
