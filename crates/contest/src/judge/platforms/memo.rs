//! Solvers with memos whose keys do not distinguish all positions.
//!
//! The answers of such a program depend on which of the positions with one key it reaches first, and
//! so on the order of its directions.

use balpan_games::Board;
use rustc_hash::FxHashMap;

use super::plain::{ORDER, Turn, answer, order_name, orders, plies_after};
use super::{Case, Platforms, Plies};
use crate::judge::Mistake;
use crate::judge::mistake::evaluate;

const REMEDY: &str = "what a turn is worth depends on the tiles that are left, on both tokens and on whose turn it \
                      is: the key of a memo has to distinguish all of them";

const KEPT_REMEDY: &str = "each case is a board of its own: what is kept of one is forgotten before the next, or its key has \
                    to distinguish the board's rows and columns, too";

/// The key of a memo. Parts that a program leaves out are the same in all its keys.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    board: Option<Board>,
    tiles: u64,
    /// The tokens of A and B.
    tokens: [usize; 2],
    b_to_move: bool,
}

impl Key {
    /// The key that distinguishes all positions.
    const fn new(turn: Turn<'_>, board: Board) -> Self {
        let tokens = if turn.b_to_move { [turn.other, turn.mover] } else { [turn.mover, turn.other] };
        Self { board: Some(board), tiles: turn.tiles, tokens, b_to_move: turn.b_to_move }
    }
}

type Memo = FxHashMap<Key, u32>;

/// A program with a memo.
#[derive(Clone, Copy)]
struct Program {
    key: fn(Turn<'_>, Board) -> Key,
    order: [usize; 4],
    /// Whether it checks for its own tile before it looks into the memo.
    tile_first: bool,
}

/// Programs that give wrong answers within one case. Leaving out the turn as well changes nothing: each
/// step changes the color of a token's cell, as on a chessboard, so within one case the two tokens
/// determine whose turn it is.
const INCOMPLETE: [(&str, Program); 4] = [
    ("a memo without the tiles", Program::usual(|turn, board| Key { tiles: 0, ..Key::new(turn, board) })),
    // Without the other token, that of the player to move stands alone.
    (
        "a memo without the other token",
        Program::usual(|turn, board| Key { tokens: [turn.mover, 0], ..Key::new(turn, board) }),
    ),
    (
        "a memo that does not tell the tokens apart",
        Program::usual(|turn, board| {
            let tokens = [turn.mover.min(turn.other), turn.mover.max(turn.other)];
            Key { tokens, b_to_move: false, ..Key::new(turn, board) }
        }),
    ),
    (
        "a memo by the number of tiles",
        Program::usual(|turn, board| Key {
            tiles: turn.tiles.count_ones().into(),
            tokens: [0, 0],
            ..Key::new(turn, board)
        }),
    ),
];

/// The first of these, which test data of a seed catches. The data of a seed never changes, so no more are added.
const COVERED: usize = 2;

/// The mistakes that show in single cases.
pub(super) fn mistakes() -> Vec<Mistake<Platforms>> {
    INCOMPLETE[..COVERED].iter().map(|(name, program)| program.per_case((*name).to_owned())).collect()
}

/// The same mistakes for every order of directions, and those of memos kept between cases.
pub(super) fn more_mistakes() -> Vec<Mistake<Platforms>> {
    let kept =
        |name: &str, remedy, key| Program::usual(key).across_cases(format!("a memo kept between cases{name}"), remedy);
    let mut more = vec![
        kept("", KEPT_REMEDY, |turn, board| Key { board: None, ..Key::new(turn, board) }),
        kept(", without the turn", REMEDY, |turn, board| Key { b_to_move: false, ..Key::new(turn, board) }),
        kept(" of other boards, without the turn", KEPT_REMEDY, |turn, board| Key {
            board: None,
            b_to_move: false,
            ..Key::new(turn, board)
        }),
    ];
    for (n, (name, program)) in INCOMPLETE.into_iter().enumerate() {
        for order in orders() {
            for tile_first in [true, false] {
                let program = Program { order, tile_first, ..program };
                let checked = if tile_first { "" } else { ", asked before the tile is looked for" };
                let variant = format!("{checked}: {}", order_name(order));
                if n >= COVERED || order != ORDER || !tile_first {
                    more.push(program.per_case(format!("{name}{variant}")));
                }
                more.push(program.across_cases(format!("{name}, kept between cases{variant}"), REMEDY));
            }
        }
    }
    more
}

impl Program {
    const fn usual(key: fn(Turn<'_>, Board) -> Key) -> Self {
        Self { key, order: ORDER, tile_first: true }
    }

    /// The mistake with a memo for each case.
    fn per_case(self, name: String) -> Mistake<Platforms> {
        Mistake::new(name, REMEDY, move |case: &Case| self.answer(case, &mut Memo::default()))
    }

    /// The mistake with a memo that is kept from one case to the next.
    fn across_cases(self, name: String, remedy: &'static str) -> Mistake<Platforms> {
        Mistake::stateful(name, remedy, move |cases: &[Case]| {
            let mut memo = Memo::default();
            cases.iter().map(|case| self.answer(case, &mut memo)).collect()
        })
    }

    fn answer(&self, case: &Case, memo: &mut Memo) -> Option<Plies> {
        answer(case, |turn| {
            let key = |turn| (self.key)(turn, case.board);
            evaluate(turn, memo, &|turn| (turn.has_tile() || !self.tile_first).then(|| key(turn)), &|turn, after| {
                plies_after(turn.next(self.order).map(after), u32::min, u32::max)
            })
        })
    }
}
