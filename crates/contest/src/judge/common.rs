//! Mistakes that programs make in any game: misread ends and aims, memos whose keys confuse positions, and alpha-beta
//! windows. Each is a plain recursion with one slip.

use std::cell::RefCell;

use balpan::Outcome;
use balpan_games::{AnyGame, DynPosition, FamilyGame, PlayerName, Task};
use rustc_hash::FxHashMap;

use super::{Judge, Mistake};

/// The value of a case as a plain program finds it.
#[derive(Clone, Copy, Debug)]
pub struct PlainValue {
    /// The outcome for the player to move.
    pub outcome: Outcome,
    /// Plies to the end, if the program counts them.
    pub plies: Option<u32>,
    /// The score for the player to move, in a game of scores.
    pub score: Option<i32>,
    /// The winner.
    pub winner: Option<PlayerName>,
}

/// The most positions that a plain program visits for one case.
const MAX_VISITS: u32 = 20_000;

/// The most moves that it generates.
const MAX_MOVES: usize = 5_000_000;

/// The most plies of a recursion, which its stack has to hold.
const MAX_DEPTH: u32 = 1_000;

/// A mistake in a plain recursion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slip {
    /// A player who cannot move wins instead of losing, and vice versa.
    OtherEnding,
    /// The value at the end is the first player's, whoever is to move there.
    EndOfFirst,
    /// Only the first move is played.
    FirstMove,
    /// The value after a move is taken for the player who moved: the sign is not changed.
    SignKept,
    /// The loser, too, goes for the shortest game.
    LoserHurries,
    /// The winner, too, goes for the longest game.
    WinnerWaits,
    /// The first winning move is taken in place of the fastest.
    FirstWin,
    /// The end counts as a ply.
    PlyTooMany,
    /// The memo takes positions of one key for the same.
    Key(Key, Variant),
    /// Alpha-beta search negates the bounds of its window and does not exchange them, of outcomes or of plies.
    WindowCrossed { plies: bool },
    /// Alpha-beta search stores bounds as values, of outcomes or of plies.
    BoundsStored { plies: bool },
}

/// A key of a memo that does not distinguish all positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Key {
    /// The board without the player to move.
    Board,
    /// The board without the owners of the pieces, and without the player to move.
    Filled,
    /// The number of free cells, tiles or tokens.
    Count,
    /// The board without the pieces of the player who is not to move.
    Own,
}

/// Details of a program with a memo, on which its answers depend where keys confuse positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Variant {
    /// Whether moves are tried from the last.
    reversed: bool,
    /// Whether moves are tried up to the first that wins.
    stops: bool,
    /// Whether the memo is kept between cases.
    kept: bool,
}

pub(super) const AIMS_REMEDY: &str =
    "whoever can win takes the fewest plies to it, and whoever must lose holds out for the most";

pub(super) const FASTEST_REMEDY: &str =
    "of several winning moves, the winner makes the one that wins in the fewest plies";

pub(super) const ALL_MOVES_REMEDY: &str =
    "try all moves: a position is won if one of them leaves the other player a lost one";

const SIGN_REMEDY: &str =
    "what is good for one player is bad for the other: change the sign, or exchange win and loss, at every move";

const SLIPS: [(Slip, &str, &str); 12] = [
    (
        Slip::OtherEnding,
        "winning and losing exchanged where play ends",
        "look up who wins at the end of play: the player who made the last move, or the one who cannot move",
    ),
    (Slip::FirstMove, "the first move taken in place of the best", ALL_MOVES_REMEDY),
    (Slip::SignKept, "the value after a move taken for the player who moved", SIGN_REMEDY),
    (
        Slip::EndOfFirst,
        "the value at the end always that of the first player",
        "where each value is that of the player to move, so is the value at the end: change its sign if the other player is to move there",
    ),
    (Slip::LoserHurries, "the loser hurrying, too", AIMS_REMEDY),
    (Slip::WinnerWaits, "the winner holding out, too", AIMS_REMEDY),
    (Slip::FirstWin, "taking the first winning move in place of the fastest", FASTEST_REMEDY),
    (Slip::PlyTooMany, "counting the end as a ply", "a position without moves takes 0 plies"),
    (Slip::WindowCrossed { plies: false }, WINDOW, WINDOW_REMEDY),
    (Slip::WindowCrossed { plies: true }, WINDOW, WINDOW_REMEDY),
    (Slip::BoundsStored { plies: false }, BOUNDS, BOUNDS_REMEDY),
    (Slip::BoundsStored { plies: true }, BOUNDS, BOUNDS_REMEDY),
];

const WINDOW: &str = "alpha and beta not exchanged for the other player";
const WINDOW_REMEDY: &str = "the other player's window is from -beta to -alpha, in this order";
const BOUNDS: &str = "bounds of alpha-beta stored as values";
const BOUNDS_REMEDY: &str =
    "after a cutoff a value is only a bound: store with it which bound it is, or store exact values alone";

const KEYS: [(Key, &str, &str); 4] = [
    (
        Key::Board,
        "a memo without the turn",
        "the same board is worth something else to the other player: the key of a memo has to contain who is to move",
    ),
    (
        Key::Filled,
        "a memo that does not tell the players apart",
        "what a board is worth depends on whose pieces stand where: the key of a memo has to tell them apart",
    ),
    (
        Key::Own,
        "a memo without the other player's pieces",
        "what a board is worth depends on the pieces of both players: the key of a memo has to contain all of them",
    ),
    (
        Key::Count,
        "a memo by a number alone",
        "positions with as many free cells or tokens are not worth the same: the key of a memo has to contain which they are",
    ),
];

/// Returns all of them.
pub(crate) fn all<J: Judge>() -> impl Iterator<Item = Mistake<J>> {
    mistakes().into_iter().chain(memos())
}

/// Returns the mistakes other than those of memos.
pub(crate) fn mistakes<J: Judge>() -> Vec<Mistake<J>> {
    let slips = SLIPS.iter();
    slips
        .map(|&(slip, name, remedy)| {
            Mistake::by_judge(name, remedy, false, move |judge: &J, cases| answers(judge, cases, slip))
        })
        .collect()
}

/// Returns the mistakes of memos, made for each case or kept between cases.
pub(crate) fn memos<J: Judge>() -> impl Iterator<Item = Mistake<J>> {
    [false, true].into_iter().flat_map(memos_of)
}

fn memos_of<J: Judge>(kept: bool) -> impl Iterator<Item = Mistake<J>> {
    KEYS.iter().flat_map(move |&(key, name, remedy)| {
        [(false, false), (false, true), (true, false), (true, true)].map(|(reversed, stops)| {
            let slip = Slip::Key(key, Variant { reversed, stops, kept });
            let name = [
                name,
                if kept { ", kept between cases" } else { "" },
                if stops { ", moves tried up to a win" } else { "" },
                if reversed { ", the last moves first" } else { "" },
            ];
            Mistake::by_judge(name.concat(), remedy, kept, move |judge: &J, cases| answers(judge, cases, slip))
        })
    })
}

/// Answers the cases of a run as a program with a slip would.
fn answers<J: Judge>(judge: &J, cases: &[J::Case], slip: Slip) -> Vec<Option<J::Answer>> {
    let keys = RefCell::default();
    let answer = |case: &J::Case| {
        if !matches!(slip, Slip::Key(_, Variant { kept: true, .. })) {
            keys.take();
        }
        judge.answer_of(case, &judge.game(case)?.run(Solve { slip, keys: &keys })?)
    };
    cases.iter().map(answer).collect()
}

/// Values by the keys that a slip confuses: cells of a board as characters, and the player to move.
type KeyMemo = FxHashMap<(String, Option<PlayerName>), Plain>;

struct Solve<'m> {
    slip: Slip,
    keys: &'m RefCell<KeyMemo>,
}

impl Task for Solve<'_> {
    type Output = Option<PlainValue>;

    fn run<G: FamilyGame>(self, game: &G) -> Self::Output {
        if game.may_repeat() || !game.turns_alternate() {
            return None;
        }
        let start = game.start();
        let counts_plies =
            !matches!(self.slip, Slip::WindowCrossed { plies: false } | Slip::BoundsStored { plies: false });
        let mut search = Search {
            game,
            slip: self.slip,
            memo: FxHashMap::default(),
            keys: &mut self.keys.borrow_mut(),
            visits: 0,
            moves_left: MAX_MOVES,
        };
        let found = match self.slip {
            Slip::WindowCrossed { plies } | Slip::BoundsStored { plies } => {
                let value = search.alpha_beta(&start, [-MAX_VALUE, MAX_VALUE], 0, plies)?;
                Plain::from_number(value, game.max_score() > 0, plies)
            }
            _ => search.value(&start, 0)?,
        };
        let [mover, other] = game.players(&start);
        let winner = match found.outcome {
            Outcome::Win => Some(mover),
            Outcome::Loss => Some(other),
            Outcome::Draw => None,
        };
        let score = (game.max_score() > 0).then_some(found.score);
        Some(PlainValue { outcome: found.outcome, plies: counts_plies.then_some(found.plies), score, winner })
    }
}

#[derive(Clone, Copy)]
struct Plain {
    outcome: Outcome,
    plies: u32,
    score: i32,
}

/// A bound above the values of alpha-beta search.
const MAX_VALUE: i32 = 1 << 24;

impl Plain {
    const fn of_mover(self) -> Self {
        Self { outcome: self.outcome.reversed(), plies: self.plies + 1, score: -self.score }
    }

    /// The value that alpha-beta search gives to the end of play.
    fn number(self, has_scores: bool, ply: u32, by_plies: bool) -> i32 {
        let win = if by_plies { MAX_VALUE / 2 - ply as i32 } else { 1 };
        match self.outcome {
            _ if has_scores => self.score,
            Outcome::Win => win,
            Outcome::Draw => 0,
            Outcome::Loss => -win,
        }
    }

    /// The reverse of [`number`](Self::number) at the root.
    fn from_number(value: i32, has_scores: bool, by_plies: bool) -> Self {
        let outcome = match value {
            0 => Outcome::Draw,
            1.. => Outcome::Win,
            _ => Outcome::Loss,
        };
        let plies = if by_plies && value != 0 { MAX_VALUE / 2 - value.abs() } else { 0 };
        Self { outcome, plies: plies.max(0) as u32, score: if has_scores { value } else { 0 } }
    }
}

/// The work of a plain recursion over all moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainWork {
    /// The calls; saturates at `u64::MAX`.
    pub calls: u64,
    /// The positions that differ.
    pub positions: u64,
}

/// The most positions that are counted.
const MAX_COUNTED: usize = 100_000;

/// Counts the work of a plain recursion on a case; `None` if too many positions differ, or play may repeat.
pub fn plain_work<J: Judge>(judge: &J, case: &J::Case) -> Option<PlainWork> {
    count_calls(&judge.game(case)?)
}

fn count_calls(game: &AnyGame) -> Option<PlainWork> {
    fn calls(game: &AnyGame, position: DynPosition, depth: u32, memo: &mut FxHashMap<DynPosition, u64>) -> Option<u64> {
        if let Some(known) = memo.get(&position) {
            return Some(*known);
        }
        let mut total = 1_u64;
        for after in game.rules().play_all(&position) {
            total = total.saturating_add(calls(game, after, depth.checked_sub(1)?, memo)?);
        }
        memo.insert(position, total);
        (memo.len() <= MAX_COUNTED).then_some(total)
    }

    if game.may_repeat() {
        return None;
    }
    let mut memo = FxHashMap::default();
    let calls = calls(game, game.rules().start(), MAX_DEPTH, &mut memo)?;
    Some(PlainWork { calls, positions: memo.len() as u64 })
}

struct Search<'m, G: FamilyGame> {
    game: &'m G,
    slip: Slip,
    memo: FxHashMap<G::Position, Plain>,
    keys: &'m mut KeyMemo,
    visits: u32,
    moves_left: usize,
}

impl<G: FamilyGame> Search<'_, G> {
    /// Counts a visit `ply` plies after the case; `None` if there are too many, or the recursion is too deep.
    fn visit(&mut self, ply: u32) -> Option<()> {
        self.visits += 1;
        (self.visits <= MAX_VISITS && ply <= MAX_DEPTH).then_some(())
    }

    /// Generates the moves; `None` if there are too many.
    fn moves(&mut self, position: &G::Position) -> Option<Vec<G::Move>> {
        let mut moves: Vec<_> = self.game.moves(position).take(self.moves_left + 1).collect();
        self.moves_left = self.moves_left.checked_sub(moves.len())?;
        if matches!(self.slip, Slip::Key(_, Variant { reversed: true, .. })) {
            moves.reverse();
        }
        Some(moves)
    }

    /// Returns the value at the end of play, `ply` plies after the case.
    fn end(&self, position: &G::Position, ply: u32) -> Plain {
        let score = self.game.score(position).unwrap_or(0);
        let end = Plain { outcome: self.game.end_value(position).outcome(), plies: 0, score };
        match self.slip {
            Slip::OtherEnding => Plain { plies: 0, ..end.of_mover() },
            Slip::EndOfFirst if self.is_second(position, ply) => Plain { plies: 0, ..end.of_mover() },
            Slip::PlyTooMany => Plain { plies: 1, ..end },
            _ => end,
        }
    }

    /// Whether the second player is to move.
    fn is_second(&self, position: &G::Position, ply: u32) -> bool {
        let player = self.game.players(position)[0];
        if player.is_by_turn() { ply % 2 == 1 } else { player.index() == 1 }
    }

    /// Returns the value for the player to move, by plain recursion; `None` if there are too many positions.
    fn value(&mut self, position: &G::Position, ply: u32) -> Option<Plain> {
        let moves = self.moves(position)?;
        if moves.is_empty() {
            return Some(self.end(position, ply));
        }
        let key = match self.slip {
            Slip::Key(key, _) => Some(key.of(self.game, position)?),
            _ => None,
        };
        let known = match &key {
            Some(key) => self.keys.get(key),
            // With this slip the value depends on the plies before, too.
            None if self.slip == Slip::EndOfFirst => None,
            None => self.memo.get(position),
        };
        if let Some(known) = known {
            return Some(*known);
        }
        self.visit(ply)?;
        let mut best: Option<Plain> = None;
        for mv in moves {
            let after = self.value(&self.game.play(position, mv), ply + 1)?;
            let next = match self.slip {
                Slip::SignKept => Plain { plies: after.plies + 1, ..after },
                _ => after.of_mover(),
            };
            if best.is_none_or(|best| self.rank(next) > self.rank(best)) {
                best = Some(next);
            }
            let stops = matches!(self.slip, Slip::FirstWin | Slip::Key(_, Variant { stops: true, .. }));
            if (stops && next.outcome == Outcome::Win) || self.slip == Slip::FirstMove {
                best = Some(next);
                break;
            }
        }
        let best = best?;
        match key {
            Some(key) => self.keys.insert(key, best),
            None => self.memo.insert(position.clone(), best),
        };
        Some(best)
    }

    /// Orders values by the aims of the player to move: the largest is the best.
    fn rank(&self, value: Plain) -> impl Ord + use<G> {
        let plies = match value.outcome {
            Outcome::Win if self.slip == Slip::WinnerWaits => i64::from(value.plies),
            Outcome::Win => -i64::from(value.plies),
            _ if self.slip == Slip::LoserHurries => -i64::from(value.plies),
            _ => i64::from(value.plies),
        };
        (value.score, value.outcome, plies)
    }

    /// Searches within the window from `alpha` to `beta`.
    fn alpha_beta(&mut self, position: &G::Position, window: [i32; 2], ply: u32, by_plies: bool) -> Option<i32> {
        let moves = self.moves(position)?;
        if moves.is_empty() {
            return Some(self.end(position, ply).number(self.game.max_score() > 0, ply, by_plies));
        }
        let stores = matches!(self.slip, Slip::BoundsStored { .. });
        if let Some(known) = self.memo.get(position).filter(|_| stores) {
            return Some(known.score);
        }
        self.visit(ply)?;
        let [mut alpha, beta] = window;
        let mut best = -MAX_VALUE;
        for mv in moves {
            let passed = if stores { [-beta, -alpha] } else { [-alpha, -beta] };
            best = best.max(-self.alpha_beta(&self.game.play(position, mv), passed, ply + 1, by_plies)?);
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        if stores {
            self.memo.insert(position.clone(), Plain { outcome: Outcome::Draw, plies: 0, score: best });
        }
        Some(best)
    }
}

impl Key {
    /// Returns the key of a position; `None` if it has no such parts.
    fn of<G: FamilyGame>(self, game: &G, position: &G::Position) -> Option<(String, Option<PlayerName>)> {
        let turn = game.players(position)[0];
        if self == Self::Count {
            return Some((game.layer(position)?.to_string(), None));
        }
        let board = game.board()?;
        let glyphs = (0..board.cells()).map(|cell| game.glyph(position, cell));
        let key = match self {
            Self::Board | Self::Count => (glyphs.collect(), None),
            Self::Filled => (glyphs.map(|glyph| game.owner(glyph).map_or(glyph, |_| '#')).collect(), None),
            Self::Own => {
                let is_seen = |glyph: &char| game.owner(*glyph).is_none_or(|owner| owner == turn.index());
                (glyphs.map(|glyph| if is_seen(&glyph) { glyph } else { '.' }).collect(), Some(turn))
            }
        };
        Some(key)
    }
}
