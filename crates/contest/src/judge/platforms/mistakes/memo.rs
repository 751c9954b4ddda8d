//! What is known of a turn kept under a key that does not tell it from others.
//!
//! What such a program answers depends on which of the turns of one key it meets first, and
//! so on the order of its directions.

use std::collections::HashMap;

use super::super::{Case, Platforms, Plies};
use super::{Direction, IN_ORDER, MOST_TILES, Turn, every_order, is_lost};
use crate::judge::Mistake;

const REMEDY: &str = "what a turn is worth depends on the tiles that are left, on both tokens and on whose turn it \
                      is: the key of a memo has to distinguish all of them";

const KEPT: &str = "each case is a board of its own: what is kept of one is forgotten before the next, or its key has \
                    to distinguish the board's rows and columns, too";

/// What the key of a memo tells.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Key {
    board: bool,
    tiles: bool,
    turn: bool,
    other: bool,
}

const ALL: Key = Key { board: true, tiles: true, turn: true, other: true };
const NO_TILES: Key = Key { tiles: false, ..ALL };
const NO_OTHER: Key = Key { other: false, ..ALL };
const NO_TURN: Key = Key { turn: false, ..ALL };
const NO_BOARD: Key = Key { board: false, ..ALL };
const NO_BOARD_NO_TURN: Key = Key { board: false, turn: false, ..ALL };

/// A program with a memo.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Program {
    key: Key,
    order: [Direction; 4],
    /// Whether it looks for its own tile before it looks into the memo.
    tile_first: bool,
}

/// A memo: by board, tiles, the tokens of A and B, and whose turn it is, as far as told.
type Memo = HashMap<(usize, u64, usize, usize, usize), u32>;

/// Whether the turn is left out as well does not matter to them: each step changes the colour of
/// a token's cell, as on a chessboard, so that in one case both tokens tell whose turn it is.
const WRONG_ALONE: [(&str, Key); 2] =
    [("a memo without the tiles", NO_TILES), ("a memo without the other token", NO_OTHER)];

/// Those that are wrong on a case alone.
pub(super) fn mistakes() -> Vec<Mistake<Platforms>> {
    let program = |key| Program { key, order: IN_ORDER, tile_first: true };
    WRONG_ALONE.iter().map(|(name, key)| program(*key).forgetful(*name)).collect()
}

/// The same in every order of directions, and those that are kept between cases.
pub(super) fn more() -> Vec<Mistake<Platforms>> {
    let right = |key| Program { key, order: IN_ORDER, tile_first: true };
    let mut more = vec![
        right(NO_BOARD).keeping("a memo kept between cases".to_owned(), KEPT),
        right(NO_TURN).keeping("a memo kept between cases, without the turn".to_owned(), REMEDY),
        right(NO_BOARD_NO_TURN).keeping("a memo kept between cases of other boards, without the turn".to_owned(), KEPT),
    ];
    for (name, key) in WRONG_ALONE {
        for order in every_order() {
            for tile_first in [true, false] {
                let program = Program { key, order, tile_first };
                let [first, second, third, last] = order.map(Direction::name);
                let checked = if tile_first { "" } else { ", asked before the tile is looked for" };
                let variant = format!("{name}{checked}: {first}, {second}, {third}, {last}, in this order");
                let kept =
                    format!("{name}, kept between cases{checked}: {first}, {second}, {third}, {last}, in this order");
                if program != right(key) {
                    more.push(program.forgetful(variant));
                }
                more.push(program.keeping(kept, REMEDY));
            }
        }
    }
    more
}

impl Program {
    /// With a memo that is forgotten after each case.
    fn forgetful(self, name: impl Into<String>) -> Mistake<Platforms> {
        Mistake::new(name, REMEDY, move |case: &Case| self.answer(case, &mut Memo::new()))
    }

    /// With a memo that is kept from one case to the next.
    fn keeping(self, name: String, remedy: &'static str) -> Mistake<Platforms> {
        Mistake::in_turn(name, remedy, move |cases: &[Case]| {
            let mut memo = Memo::new();
            cases.iter().map(|case| self.answer(case, &mut memo)).collect()
        })
    }

    fn answer(&self, case: &Case, memo: &mut Memo) -> Option<Plies> {
        (case.tiles.count_ones() <= MOST_TILES).then(|| Plies(self.plies(Turn::of(case), false, memo)))
    }

    fn plies(&self, turn: Turn, b_to_move: bool, memo: &mut Memo) -> u32 {
        if self.tile_first && !turn.has_tile() {
            return 0;
        }
        let key = self.key_of(turn, b_to_move);
        if let Some(&plies) = memo.get(&key) {
            return plies;
        }
        let mut plies = 0;
        if turn.has_tile() {
            let after: Vec<_> = turn.steps(self.order).map(|next| self.plies(next, !b_to_move, memo)).collect();
            plies = match after.iter().filter(|plies| is_lost(**plies)).min() {
                Some(win) => 1 + win,
                None => after.iter().max().map_or(0, |loss| 1 + loss),
            };
        }
        memo.insert(key, plies);
        plies
    }

    fn key_of(&self, turn: Turn, b_to_move: bool) -> (usize, u64, usize, usize, usize) {
        let Key { board, tiles, turn: whose, other } = self.key;
        let [a, b] = if b_to_move { [turn.other, turn.mover] } else { [turn.mover, turn.other] };
        // Without the other token, that of the player to move stands alone.
        let [a, b] = if other { [a, b] } else { [turn.mover, 0] };
        let size = turn.board.rows() * 64 + turn.board.cols();
        (if board { size } else { 0 }, if tiles { turn.tiles } else { 0 }, a, b, usize::from(whose && b_to_move))
    }
}
