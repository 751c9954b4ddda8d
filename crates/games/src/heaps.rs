//! Heaps of tokens: players in turn take tokens from one heap, and may split it, as a code
//! or the keys `take` and `split` allow. A player who cannot move loses, or wins (misère).
//!
//! Nim, Kayles and Dawson's games are of this kind. The heaps are independent components,
//! and the nimber of each follows from those of smaller ones.

mod answer;
mod code;
mod family;
mod large;
pub(crate) mod messages;
mod notation;
pub mod period;
mod period_report;
mod ranks;
mod rows;
mod rules_file;
mod take;

use std::sync::Arc;

use balpan::{Bounds, Budget, EngineCore, Game, Goal, MAX_KEY_BITS, Outcome, Tame, Value};

pub use code::Code;
pub use large::MAX_HEAP;
pub use notation::HeapsError;
pub use period_report::{MAX_THREE_WAY_HEAP, PeriodReport, code_digits, game_digits};
use ranks::Ranks;
pub(crate) use rows::row_answer;
pub(crate) use rules_file::FAMILY;
pub(crate) use take::MAX_TAKEN;
pub use take::{Split, Take};

/// The rules of a heap game, apart from the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rules {
    /// The moves on one heap.
    pub code: Code,
    /// Whether the player who cannot move wins.
    pub misere: bool,
}

/// A game of heaps: rules and a start position.
#[derive(Clone, Debug)]
pub struct Heaps {
    rules: Rules,
    start: Position,
    /// The nimbers by size of heap; empty in misère play.
    nimbers: Vec<u32>,
    /// In misère play the genera by size of heap, where they are tame; otherwise empty.
    tame: Vec<Option<Tame>>,
    keys: Keys,
}

/// The sizes of the heaps, in ascending order. No heap is empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position(Vec<u16>);

impl Position {
    /// Creates the position with these heaps; empty ones are dropped.
    #[must_use]
    pub fn new(mut heaps: Vec<u16>) -> Self {
        heaps.retain(|heap| *heap > 0);
        heaps.sort_unstable();
        Self(heaps)
    }

    /// Returns the sizes of the heaps, in ascending order.
    #[must_use]
    pub fn heaps(&self) -> &[u16] {
        &self.0
    }

    fn tokens(&self) -> u32 {
        self.0.iter().map(|heap| u32::from(*heap)).sum()
    }

    fn largest(&self) -> u16 {
        self.0.last().copied().unwrap_or(0)
    }

    /// The distinct sizes, in ascending order.
    fn sizes(&self) -> impl Iterator<Item = u16> {
        self.0.chunk_by(u16::eq).map(|same| same[0])
    }
}

/// A move: replaces one heap by others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Move {
    /// The heap's size.
    pub heap: u16,
    /// The sizes of the heaps left of it, the larger first; 0 stands for none.
    pub left: [u16; 3],
    /// Another heap from which the same number is taken, and its size then; of size 0 in all moves on one heap.
    pub other: [u16; 2],
}

/// The kind of key for positions, chosen by length.
#[derive(Clone, Debug)]
enum Keys {
    /// No key: it would be too long.
    None,
    /// The sizes of the heaps, in `width` bits each.
    Sizes { width: u32, bits: u32 },
    /// The outline of the heaps side by side (a partition's boundary path): a 1 along the top of
    /// each heap, a 0 for each step down.
    Outline { bits: u32 },
    /// The rank of the position among all of no more tokens in heaps no larger: the shortest
    /// key, and the slowest to compute.
    Rank(Ranks),
}

impl Keys {
    /// Chooses the shorter of the first two kinds for positions that follow from `start`, or
    /// ranks where both are too long.
    fn new(code: &Code, start: &Position) -> Self {
        let (heaps, largest) = (start.0.len() as u32, u32::from(start.largest()));
        // Splitting makes more heaps, of fewer tokens.
        let outline = if code.splits() { start.tokens() + 1 } else { heaps + largest };
        let width = (largest + 1).next_power_of_two().trailing_zeros();
        let sizes = if code.splits() { u32::MAX } else { heaps * width };
        match outline.min(sizes) {
            0 => Self::None,
            MAX_KEY_BITS.. => Ranks::new(start.tokens(), start.largest()).map_or(Self::None, Self::Rank),
            bits if bits == sizes => Self::Sizes { width, bits },
            bits => Self::Outline { bits },
        }
    }
}

impl Heaps {
    /// Maximum number of heaps at the start.
    pub const MAX_HEAPS: usize = 256;

    /// Creates the game by `rules` with these heaps; empty ones are dropped.
    ///
    /// Cost: computes the nimbers of all heaps up to the largest, in quadratic time for codes
    /// that leave two heaps: seconds for the largest. In misère play computes which heaps are
    /// tame, as far as that takes less than a second.
    #[must_use]
    pub fn new(rules: Rules, heaps: Vec<u16>) -> Self {
        let start = Position::new(heaps);
        let (code, largest) = (&rules.code, start.largest().into());
        let (nimbers, tame) = if code.is_joint() {
            (Vec::new(), Vec::new())
        } else if rules.misere {
            (Vec::new(), code.tame(largest))
        } else {
            (code.nimbers(largest), Vec::new())
        };
        let keys = Keys::new(code, &start);
        Self { rules, start, nimbers, tame, keys }
    }

    /// Returns the rules.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The nimber of the position in normal play.
    fn nim_sum(&self, position: &Position) -> Option<u32> {
        position.0.iter().try_fold(0, |sum, heap| Some(sum ^ self.nimbers.get(usize::from(*heap))?))
    }

    /// The genus of the position in misère play, if all its heaps are tame.
    fn tame_sum(&self, position: &Position) -> Option<Tame> {
        position.0.iter().map(|heap| *self.tame.get(usize::from(*heap))?).sum()
    }

    /// Whether the player to move loses, if that follows without a search.
    fn is_lost(&self, position: &Position) -> Option<bool> {
        if self.rules.misere {
            self.tame_sum(position).map(Tame::is_lost)
        } else {
            self.nim_sum(position).map(|nimber| nimber == 0)
        }
    }
}

impl Game for Heaps {
    type Position = Position;
    type Move = Move;

    const MAY_REPEAT: bool = false;

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let options = |heap: u16| self.rules.code.options(heap.into()).map(|left| left.map(|left| left as u16));
        let single =
            position.sizes().flat_map(move |heap| options(heap).map(move |left| Move { heap, left, other: [0, 0] }));
        single.chain(self.rules.code.is_joint().then(|| joint_moves(position)).into_iter().flatten())
    }

    fn play(&self, position: &Position, Move { heap, left, other: [other, other_left] }: Move) -> Position {
        let mut heaps = position.0.clone();
        for changed in [heap, other] {
            if let Ok(at) = heaps.binary_search(&changed) {
                heaps.remove(at);
            }
        }
        heaps.extend(left);
        heaps.push(other_left);
        Position::new(heaps)
    }

    fn end(&self, _position: &Position) -> Outcome {
        if self.rules.misere { Outcome::Win } else { Outcome::Loss }
    }

    fn is_legal(&self, position: &Position) -> bool {
        let Position(heaps) = position;
        let start = &self.start;
        heaps.is_sorted()
            && !heaps.contains(&0)
            && (self.rules.code.splits() || heaps.len() <= start.0.len())
            && position.largest() <= start.largest()
            && position.tokens() <= start.tokens()
    }

    fn heap_bytes(&self, position: &Position) -> usize {
        position.0.capacity() * size_of::<u16>()
    }

    fn key_bits(&self) -> u32 {
        match &self.keys {
            Keys::None => 0,
            Keys::Sizes { bits, .. } | Keys::Outline { bits } => *bits,
            Keys::Rank(ranks) => ranks.bits(),
        }
    }

    fn key(&self, position: &Position) -> u128 {
        let heaps = position.0.iter().rev();
        match &self.keys {
            Keys::None => 0,
            Keys::Sizes { width, .. } => heaps.fold(0, |key, heap| key << width | u128::from(*heap)),
            Keys::Outline { .. } => {
                let next = heaps.clone().skip(1).chain([&0]);
                heaps.zip(next).fold(0, |key, (heap, next)| (key << 1 | 1) << (heap - next))
            }
            Keys::Rank(ranks) => ranks.rank(&position.0),
        }
    }

    fn position_from_key(&self, key: u128) -> Option<Position> {
        let mut heaps = Vec::new();
        match &self.keys {
            Keys::None => return None,
            Keys::Sizes { width, .. } => {
                let mut rest = key;
                while rest != 0 {
                    heaps.push((rest & ((1 << width) - 1)) as u16);
                    rest >>= width;
                }
            }
            Keys::Outline { .. } => {
                // From the lowest bit up, a zero raises the outline and a one is the top of a heap.
                let (mut height, mut rest) = (0, key);
                while rest != 0 {
                    match rest & 1 {
                        0 => height += 1,
                        _ => heaps.push(height),
                    }
                    rest >>= 1;
                }
            }
            Keys::Rank(ranks) => heaps = ranks.heaps(key)?,
        }
        let position = Position::new(heaps);
        (self.key(&position) == key && self.is_legal(&position)).then_some(position)
    }

    fn layer(&self, position: &Position) -> Option<u32> {
        Some(self.rules.code.layer(position.tokens(), position.0.len() as u32))
    }

    fn looks_ahead(&self) -> bool {
        true
    }

    /// Nimbers decide the winner, or in misère play tame genera.
    fn bounds(&self, position: &Position, _asked: Value) -> Bounds {
        let plies = self.rules.code.max_plies(position.tokens());
        // The player who moves last wins, or loses in misère play.
        let [soonest_loss, soonest_win] = if self.rules.misere { [1, 0] } else { [2, 1] };
        match self.is_lost(position) {
            None => Bounds::ANY,
            Some(true) => Bounds { lower: Value::loss(soonest_loss), upper: Value::loss(plies) },
            Some(false) => Bounds { lower: Value::win(plies), upper: Value::win(soonest_win) },
        }
    }

    /// Winning moves first, then moves that leave few tokens.
    fn rank(&self, _position: &Position, _mv: Move, after: &Position) -> i32 {
        let wins = self.is_lost(after) == Some(true);
        i32::from(wins) * (1 << 24) - after.tokens() as i32
    }

    fn is_impartial(&self) -> bool {
        !self.rules.misere
    }

    fn is_impartial_misere(&self) -> bool {
        self.rules.misere
    }

    fn split(&self, position: &Position, parts: &mut Vec<Position>) {
        if self.rules.code.is_joint() {
            parts.push(position.clone());
        } else {
            parts.extend(position.0.iter().map(|heap| Position(vec![*heap])));
        }
    }

    fn mobility(&self, position: &Position) -> usize {
        self.moves(position).count()
    }

    fn nimber(&self, part: &Position) -> Option<u32> {
        self.nim_sum(part).filter(|_| !self.rules.misere)
    }

    fn tame(&self, part: &Position) -> Option<Tame> {
        self.tame_sum(part)
    }

    fn core(self: Arc<Self>, budget: Budget) -> EngineCore<Self> {
        EngineCore::new(self, budget)
    }

    /// The nimber decides the winner; the number of plies takes a search.
    fn default_goal(&self, position: &Position) -> Goal {
        if position.tokens() <= MAX_TOKENS_FOR_VALUES { Goal::MoveValues } else { Goal::Winner }
    }
}

/// Lists the moves that take the same number from two heaps.
fn joint_moves(position: &Position) -> impl Iterator<Item = Move> {
    let pairs = position.sizes().flat_map(move |heap| {
        let twice = position.0.iter().filter(|other| **other == heap).count() > 1;
        position.sizes().filter(move |other| *other > heap || *other == heap && twice).map(move |other| [heap, other])
    });
    pairs.flat_map(|[heap, other]| {
        (1..=heap).map(move |taken| Move { heap, left: [heap - taken, 0, 0], other: [other, other - taken] })
    })
}

/// Maximum number of tokens for which the values of all moves take seconds at most.
const MAX_TOKENS_FOR_VALUES: u32 = 40;
