//! Memos whose keys do not distinguish all positions.
//!
//! The answers of such a program depend on which of the positions with one key it reaches first, and
//! so on the order of its directions.

use std::collections::HashMap;

use super::super::{Case, Platforms, Plies};
use super::{DIRECTIONS, Direction, MAX_TILES, Turn, direction_orders, plies_after};
use crate::judge::Mistake;

const REMEDY: &str = "what a turn is worth depends on the tiles that are left, on both tokens and on whose turn it \
                      is: the key of a memo has to distinguish all of them";

const KEPT_REMEDY: &str = "each case is a board of its own: what is kept of one is forgotten before the next, or its key has \
                    to distinguish the board's rows and columns, too";

/// The parts of a position that a memo's key contains.
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
    /// Whether it checks for its own tile before it looks into the memo.
    tile_first: bool,
}

/// Plies by board size, tiles, the tokens of A and B, and whose turn it is; 0 for parts not in the key.
type Memo = HashMap<(usize, u64, usize, usize, usize), u32>;

/// Keys that give wrong answers within one case. Leaving out the turn as well changes nothing: each
/// step changes the color of a token's cell, as on a chessboard, so within one case the two tokens
/// determine whose turn it is.
const INCOMPLETE_KEYS: [(&str, Key); 2] =
    [("a memo without the tiles", NO_TILES), ("a memo without the other token", NO_OTHER)];

/// The mistakes that show in single cases.
pub(super) fn mistakes() -> Vec<Mistake<Platforms>> {
    let program = |key| Program { key, order: DIRECTIONS, tile_first: true };
    INCOMPLETE_KEYS.iter().map(|(name, key)| program(*key).per_case(*name)).collect()
}

/// The same mistakes for every order of directions, and those of memos kept between cases.
pub(in super::super) fn more_mistakes() -> Vec<Mistake<Platforms>> {
    let usual = |key| Program { key, order: DIRECTIONS, tile_first: true };
    let mut more = vec![
        usual(NO_BOARD).across_cases("a memo kept between cases".to_owned(), KEPT_REMEDY),
        usual(NO_TURN).across_cases("a memo kept between cases, without the turn".to_owned(), REMEDY),
        usual(NO_BOARD_NO_TURN)
            .across_cases("a memo kept between cases of other boards, without the turn".to_owned(), KEPT_REMEDY),
    ];
    for (name, key) in INCOMPLETE_KEYS {
        for order in direction_orders() {
            for tile_first in [true, false] {
                let program = Program { key, order, tile_first };
                let [first, second, third, last] = order.map(Direction::name);
                let checked = if tile_first { "" } else { ", asked before the tile is looked for" };
                let variant = format!("{name}{checked}: {first}, {second}, {third}, {last}, in this order");
                let kept =
                    format!("{name}, kept between cases{checked}: {first}, {second}, {third}, {last}, in this order");
                if program != usual(key) {
                    more.push(program.per_case(variant));
                }
                more.push(program.across_cases(kept, REMEDY));
            }
        }
    }
    more
}

impl Program {
    /// The mistake with a memo for each case.
    fn per_case(self, name: impl Into<String>) -> Mistake<Platforms> {
        Mistake::new(name, REMEDY, move |case: &Case| self.answer(case, &mut Memo::new()))
    }

    /// The mistake with a memo that is kept from one case to the next.
    fn across_cases(self, name: String, remedy: &'static str) -> Mistake<Platforms> {
        Mistake::stateful(name, remedy, move |cases: &[Case]| {
            let mut memo = Memo::new();
            cases.iter().map(|case| self.answer(case, &mut memo)).collect()
        })
    }

    fn answer(&self, case: &Case, memo: &mut Memo) -> Option<Plies> {
        (case.tiles.count_ones() <= MAX_TILES).then(|| Plies(self.plies(Turn::new(case), false, memo)))
    }

    fn plies(&self, turn: Turn, b_to_move: bool, memo: &mut Memo) -> u32 {
        if self.tile_first && !turn.has_tile() {
            return 0;
        }
        let key = self.memo_key(turn, b_to_move);
        if let Some(&plies) = memo.get(&key) {
            return plies;
        }
        let mut plies = 0;
        if turn.has_tile() {
            let after = turn.steps(self.order).map(|next| self.plies(next, !b_to_move, memo));
            plies = plies_after(after, u32::min, u32::max);
        }
        memo.insert(key, plies);
        plies
    }

    fn memo_key(&self, turn: Turn, b_to_move: bool) -> (usize, u64, usize, usize, usize) {
        let Key { board, tiles, turn: whose, other } = self.key;
        let [a, b] = if b_to_move { [turn.other, turn.mover] } else { [turn.mover, turn.other] };
        // Without the other token, that of the player to move stands alone.
        let [a, b] = if other { [a, b] } else { [turn.mover, 0] };
        let size = turn.board.rows() * 64 + turn.board.cols();
        (if board { size } else { 0 }, if tiles { turn.tiles } else { 0 }, a, b, usize::from(whose && b_to_move))
    }
}
