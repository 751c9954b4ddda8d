//! Violations of the laws of games.

use crate::search::length::MAX_PLIES;
use crate::value::{Bounds, Outcome, Value};

/// A law that a game breaks, with a position that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenLaw<Position> {
    /// Play came back to a position.
    #[error("play repeats: {position:?} is reached after {before} plies, and again after {plies}")]
    Repeats {
        /// The repeated position.
        position: Position,
        /// The plies to its first occurrence.
        before: usize,
        /// The plies to its second occurrence.
        plies: usize,
    },
    /// Play went on for longer than solvers search.
    #[error("play has not ended after {plies} plies, at {position:?}: solvers go at most {MAX_PLIES} plies deep")]
    Endless {
        /// The position where the check ended.
        position: Position,
        /// The plies to this position.
        plies: usize,
    },
    /// A move leads to a position that is illegal by the game's own `is_legal`.
    #[error("a move from {from:?} leads to the illegal position {position:?}")]
    Illegal {
        /// The position before the move.
        from: Position,
        /// The position after it.
        position: Position,
    },
    /// Play may repeat by `may_repeat` in a game of whose type it is said that none repeats.
    #[error("`may_repeat` is true, but `MAY_REPEAT` is false, so that nobody asks it")]
    RepeatsUndeclared {
        /// The start.
        position: Position,
    },
    /// A move keeps the turn in a game whose turns are said to alternate, or which is impartial.
    #[error(
        "a move from {from:?} to {position:?} keeps the turn, but `TURNS_ALTERNATE` is true or the game is impartial"
    )]
    TurnKept {
        /// The position before the move.
        from: Position,
        /// The position after it.
        position: Position,
    },
    /// A score is larger than the largest one.
    #[error("{position:?} ends with a score of {score}, but `max_score` is {max_score}")]
    ScoreTooLarge {
        /// The position.
        position: Position,
        /// Its score.
        score: i32,
        /// The largest score by the game's own `max_score`.
        max_score: u32,
    },
    /// `moves` returns the same move twice.
    #[error("a move is returned twice at {position:?}")]
    Twice {
        /// The position.
        position: Position,
    },
    /// `is_over` and `moves` disagree.
    #[error("`is_over` and `moves` disagree at {position:?}")]
    Unending {
        /// The position.
        position: Position,
    },
    /// The canonical form is not its own canonical form.
    #[error("the canonical form of {position:?}, {canonical:?}, is not its own canonical form")]
    Restless {
        /// The position.
        position: Position,
        /// Its canonical form.
        canonical: Position,
    },
    /// The canonical form has another value.
    #[error("{position:?} is a {value}, its canonical form {canonical:?} a {other}")]
    Unequal {
        /// The position.
        position: Position,
        /// Its canonical form.
        canonical: Position,
        /// The position's value.
        value: Value,
        /// The canonical form's value.
        other: Value,
    },
    /// A key has more bits than `key_bits` says.
    #[error("the key of {position:?}, {key:#x}, has more than {bits} bits")]
    LongKey {
        /// The position.
        position: Position,
        /// Its key.
        key: u128,
        /// The number of bits allowed.
        bits: u32,
    },
    /// Two canonical positions have the same key.
    #[error("{position:?} and {other:?} have the same key, {key:#x}")]
    SameKey {
        /// One position.
        position: Position,
        /// The other position.
        other: Position,
        /// The key of both.
        key: u128,
    },
    /// `successors` finds others than the positions after the moves.
    #[error("from the key of {position:?}, {key:#x}, other successors are found than its moves lead to")]
    OtherSuccessors {
        /// A cacheable canonical position.
        position: Position,
        /// Its key.
        key: u128,
    },
    /// A key is read back as another position.
    #[error("the key of {position:?}, {key:#x}, is read back as {read:?}")]
    WrongKey {
        /// A cacheable canonical position.
        position: Position,
        /// Its key.
        key: u128,
        /// The position that `position_from_key` returns.
        read: Position,
    },
    /// A move does not lower the layer; where play may repeat, a move raises it.
    #[error("a move from {from:?}, of layer {layer}, leads to {position:?}, of layer {after:?}")]
    NotLowered {
        /// The position before the move.
        from: Position,
        /// Its layer.
        layer: u32,
        /// The position after it.
        position: Position,
        /// Its layer, if it has one.
        after: Option<u32>,
    },
    /// The canonical form has another layer.
    #[error("{position:?} is of layer {layer:?}, its canonical form {canonical:?} of layer {other:?}")]
    OtherLayer {
        /// The position.
        position: Position,
        /// Its canonical form.
        canonical: Position,
        /// The position's layer, if it has one.
        layer: Option<u32>,
        /// The canonical form's layer.
        other: Option<u32>,
    },
    /// A candidate is not a move, or is returned twice.
    #[error("a candidate at {position:?} is not a move, or is returned twice")]
    NoMove {
        /// The position.
        position: Position,
    },
    /// No candidate is a best move, though the bounds do not decide the test.
    #[error("{position:?} is a {value}, its best candidate a {best}")]
    NoBestCandidate {
        /// The position.
        position: Position,
        /// The position's value.
        value: Value,
        /// The best value of a candidate; a loss in 0 plies if there are none.
        best: Value,
    },
    /// The value is not within the bounds.
    #[error("{position:?} is a {value}, which is not between {} and {}", bounds.lower, bounds.upper)]
    OutOfBounds {
        /// The position.
        position: Position,
        /// The position's value.
        value: Value,
        /// The game's bounds.
        bounds: Bounds,
    },
    /// `mobility` is not the number of moves.
    #[error("{position:?} has {moves} moves, not {mobility}")]
    WrongMobility {
        /// The position.
        position: Position,
        /// The number of moves.
        moves: usize,
        /// The game's `mobility`.
        mobility: usize,
    },
    /// `part_moves` returns others than the moves of the part.
    #[error("the part {part:?} has {moves} moves, and `part_moves` returns others, or not all")]
    OtherMoves {
        /// The part.
        part: Position,
        /// The number of moves.
        moves: usize,
    },
    /// A game that is impartial under normal play does not end in a loss.
    #[error("the game says that it is impartial, but ends at {position:?} in a {outcome}")]
    NotNormal {
        /// The position.
        position: Position,
        /// The outcome there, for the player to move.
        outcome: Outcome,
    },
    /// A game that is impartial under misère play does not end in a win.
    #[error("the game says that it is impartial and misère, but ends at {position:?} in a {outcome}")]
    NotMisere {
        /// The position.
        position: Position,
        /// The outcome there, for the player to move.
        outcome: Outcome,
    },
    /// The sum of the parts is not equal to the position under misère play.
    #[error("{position:?} and the sum of its parts {parts:?} do not both win or lose beside a nim heap of {heap}")]
    WrongMisereParts {
        /// The position.
        position: Position,
        /// Its parts.
        parts: Vec<Position>,
        /// The heap beside both.
        heap: u32,
    },
    /// The nimbers of the parts do not add up to the position's.
    #[error("the nimber of {position:?} is {nimber}, the sum of its parts {parts:?} has {sum}")]
    WrongParts {
        /// The position.
        position: Position,
        /// Its parts.
        parts: Vec<Position>,
        /// The position's nimber.
        nimber: u32,
        /// The XOR of the parts' nimbers.
        sum: u32,
    },
    /// The game returns a wrong nimber for a part.
    #[error("the nimber of the part {part:?} is {nimber}, not {claimed}")]
    WrongNimber {
        /// The part.
        part: Position,
        /// Its nimber.
        nimber: u32,
        /// The nimber that the game returns.
        claimed: u32,
    },
    /// A part's key is too long, or is not read back as the part.
    #[error("the part {part:?} has the key {key:#x}, which is read as {read:?}")]
    WrongPartKey {
        /// The part.
        part: Position,
        /// The key.
        key: u128,
        /// The part that is read from the key.
        read: Option<Position>,
    },
    /// The game returns a wrong tame value for a part, or the part is wild.
    #[error("the part {part:?} beside a nim heap of {heap} is not won or lost as what the game says of it")]
    WrongTame {
        /// The part.
        part: Position,
        /// The heap beside it.
        heap: u32,
    },
}

impl<Position> BrokenLaw<Position> {
    /// Returns the position or the part that shows the violation.
    pub const fn position(&self) -> &Position {
        use BrokenLaw as B;

        match self {
            B::Repeats { position, .. }
            | B::Endless { position, .. }
            | B::Illegal { position, .. }
            | B::RepeatsUndeclared { position }
            | B::ScoreTooLarge { position, .. }
            | B::TurnKept { position, .. }
            | B::Twice { position }
            | B::Unending { position }
            | B::Restless { position, .. }
            | B::Unequal { position, .. }
            | B::LongKey { position, .. }
            | B::SameKey { position, .. }
            | B::OtherSuccessors { position, .. }
            | B::WrongKey { position, .. }
            | B::NotLowered { position, .. }
            | B::OtherLayer { position, .. }
            | B::NoMove { position }
            | B::NoBestCandidate { position, .. }
            | B::OutOfBounds { position, .. }
            | B::WrongMobility { position, .. }
            | B::NotNormal { position, .. }
            | B::NotMisere { position, .. }
            | B::WrongMisereParts { position, .. }
            | B::WrongParts { position, .. } => position,
            B::OtherMoves { part, .. }
            | B::WrongNimber { part, .. }
            | B::WrongPartKey { part, .. }
            | B::WrongTame { part, .. } => part,
        }
    }

    /// Converts the positions, for instance to text.
    pub fn map<P>(self, mut convert: impl FnMut(Position) -> P) -> BrokenLaw<P> {
        use BrokenLaw as B;

        match self {
            B::Repeats { position, before, plies } => B::Repeats { position: convert(position), before, plies },
            B::Endless { position, plies } => B::Endless { position: convert(position), plies },
            B::TurnKept { from, position } => B::TurnKept { from: convert(from), position: convert(position) },
            B::ScoreTooLarge { position, score, max_score } => {
                B::ScoreTooLarge { position: convert(position), score, max_score }
            }
            B::Illegal { from, position } => B::Illegal { from: convert(from), position: convert(position) },
            B::RepeatsUndeclared { position } => B::RepeatsUndeclared { position: convert(position) },
            B::Twice { position } => B::Twice { position: convert(position) },
            B::Unending { position } => B::Unending { position: convert(position) },
            B::Restless { position, canonical } => {
                B::Restless { position: convert(position), canonical: convert(canonical) }
            }
            B::Unequal { position, canonical, value, other } => {
                B::Unequal { position: convert(position), canonical: convert(canonical), value, other }
            }
            B::LongKey { position, key, bits } => B::LongKey { position: convert(position), key, bits },
            B::SameKey { position, other, key } => {
                B::SameKey { position: convert(position), other: convert(other), key }
            }
            B::OtherSuccessors { position, key } => B::OtherSuccessors { position: convert(position), key },
            B::WrongKey { position, key, read } => {
                B::WrongKey { position: convert(position), key, read: convert(read) }
            }
            B::NotLowered { from, layer, position, after } => {
                B::NotLowered { from: convert(from), layer, position: convert(position), after }
            }
            B::OtherLayer { position, canonical, layer, other } => {
                B::OtherLayer { position: convert(position), canonical: convert(canonical), layer, other }
            }
            B::NoMove { position } => B::NoMove { position: convert(position) },
            B::NoBestCandidate { position, value, best } => {
                B::NoBestCandidate { position: convert(position), value, best }
            }
            B::OutOfBounds { position, value, bounds } => B::OutOfBounds { position: convert(position), value, bounds },
            B::WrongMobility { position, moves, mobility } => {
                B::WrongMobility { position: convert(position), moves, mobility }
            }
            B::OtherMoves { part, moves } => B::OtherMoves { part: convert(part), moves },
            B::NotNormal { position, outcome } => B::NotNormal { position: convert(position), outcome },
            B::NotMisere { position, outcome } => B::NotMisere { position: convert(position), outcome },
            B::WrongMisereParts { position, parts, heap } => {
                let parts = parts.into_iter().map(&mut convert).collect();
                B::WrongMisereParts { position: convert(position), parts, heap }
            }
            B::WrongParts { position, parts, nimber, sum } => {
                let parts = parts.into_iter().map(&mut convert).collect();
                B::WrongParts { position: convert(position), parts, nimber, sum }
            }
            B::WrongNimber { part, nimber, claimed } => B::WrongNimber { part: convert(part), nimber, claimed },
            B::WrongPartKey { part, key, read } => {
                B::WrongPartKey { part: convert(part), key, read: read.map(convert) }
            }
            B::WrongTame { part, heap } => B::WrongTame { part: convert(part), heap },
        }
    }
}
