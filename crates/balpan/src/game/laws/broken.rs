//! What it is for a law to be broken.

use crate::search::length::MAX_PLIES;
use crate::value::{Bounds, Outcome, Value};

/// A law that a game does not keep, with a position that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BrokenLaw<Position> {
    /// Play came back to a position.
    #[error("play repeats: {position:?} is reached after {before} plies, and again after {plies}")]
    Repeats {
        /// The position that comes again.
        position: Position,
        /// After how many plies it came first.
        before: usize,
        /// After how many plies it comes again.
        plies: usize,
    },
    /// Play went on for longer than solvers search.
    #[error("play has not ended after {plies} plies, at {position:?}: solvers go at most {MAX_PLIES} plies deep")]
    Endless {
        /// Where the check gave up.
        position: Position,
        /// After how many plies.
        plies: usize,
    },
    /// A position was reached which the game itself calls illegal.
    #[error("a move from {from:?} leads to the illegal position {position:?}")]
    Illegal {
        /// The position before the move.
        from: Position,
        /// The position after it.
        position: Position,
    },
    /// `moves` gives the same move twice.
    #[error("a move is returned twice at {position:?}")]
    Twice {
        /// Where.
        position: Position,
    },
    /// `is_over` and `moves` disagree.
    #[error("`is_over` and `moves` disagree at {position:?}")]
    Unending {
        /// Where.
        position: Position,
    },
    /// The canonical form of the canonical form is another one.
    #[error("the canonical form of {position:?}, {canonical:?}, is not its own canonical form")]
    Restless {
        /// Any position.
        position: Position,
        /// Its canonical form.
        canonical: Position,
    },
    /// The canonical form is not worth what the position is.
    #[error("{position:?} is a {value}, its canonical form {canonical:?} a {other}")]
    Unequal {
        /// Any position.
        position: Position,
        /// Its canonical form.
        canonical: Position,
        /// The position's value.
        value: Value,
        /// The canonical form's.
        other: Value,
    },
    /// A key has more bits than `key_bits` says.
    #[error("the key of {position:?}, {key:#x}, has more than {bits} bits")]
    LongKey {
        /// Where.
        position: Position,
        /// Its key.
        key: u128,
        /// How many bits it may have.
        bits: u32,
    },
    /// Two canonical positions have the same key.
    #[error("{position:?} and {other:?} have the same key, {key:#x}")]
    SameKey {
        /// One position.
        position: Position,
        /// Another one.
        other: Position,
        /// The key of both.
        key: u128,
    },
    /// What `successors` finds is not what the moves lead to.
    #[error("from the key of {position:?}, {key:#x}, other successors are found than its moves lead to")]
    OtherSuccessors {
        /// A memorable canonical position.
        position: Position,
        /// Its key.
        key: u128,
    },
    /// What a key is read back as is another position.
    #[error("the key of {position:?}, {key:#x}, is read back as {read:?}")]
    WrongKey {
        /// A memorable canonical position.
        position: Position,
        /// Its key.
        key: u128,
        /// What `position_of` makes of it.
        read: Position,
    },
    /// A move does not lower the layer.
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
    /// The canonical form is of another layer.
    #[error("{position:?} is of layer {layer:?}, its canonical form {canonical:?} of layer {other:?}")]
    OtherLayer {
        /// Any position.
        position: Position,
        /// Its canonical form.
        canonical: Position,
        /// The position's layer, if it has one.
        layer: Option<u32>,
        /// The canonical form's.
        other: Option<u32>,
    },
    /// A candidate is not a move, or is given twice.
    #[error("a candidate at {position:?} is not a move, or is returned twice")]
    NoMove {
        /// Where.
        position: Position,
    },
    /// No candidate is a best move, though bounds leave it open.
    #[error("{position:?} is a {value}, its best candidate a {best}")]
    NoBestCandidate {
        /// Where.
        position: Position,
        /// The position's value.
        value: Value,
        /// What the candidates reach; nothing if there are none.
        best: Value,
    },
    /// The value is not within the bounds.
    #[error("{position:?} is a {value}, which is not between {} and {}", bounds.lower, bounds.upper)]
    OutOfBounds {
        /// Where.
        position: Position,
        /// The position's value.
        value: Value,
        /// What the game says of it.
        bounds: Bounds,
    },
    /// There are not as many moves as `mobility` says.
    #[error("{position:?} has {moves} moves, not {mobility}")]
    WrongMobility {
        /// Where.
        position: Position,
        /// How many moves it has.
        moves: usize,
        /// How many the game says it has.
        mobility: usize,
    },
    /// The moves of a part in the order in which to look at them are not those of the part.
    #[error("the part {part:?} has {moves} moves, and `part_moves` returns others, or not all")]
    OtherMoves {
        /// Which part.
        part: Position,
        /// How many moves it has.
        moves: usize,
    },
    /// A game that says it is impartial, by the normal convention, does not end in a loss.
    #[error("the game says that it is impartial, but ends at {position:?} in a {outcome}")]
    NotNormal {
        /// Where.
        position: Position,
        /// How play ends there for the player to move.
        outcome: Outcome,
    },
    /// A game that says it is impartial, by the misère convention, does not end in a win.
    #[error("the game says that it is impartial and misère, but ends at {position:?} in a {outcome}")]
    NotMisere {
        /// Where.
        position: Position,
        /// How play ends there for the player to move.
        outcome: Outcome,
    },
    /// By the misère convention, the sum of the parts is not what the position is.
    #[error("{position:?} and the sum of its parts {parts:?} do not both win or lose beside a nim heap of {heap}")]
    WrongMisereParts {
        /// Any position.
        position: Position,
        /// Its parts.
        parts: Vec<Position>,
        /// The heap beside both.
        heap: u32,
    },
    /// The nimbers of the parts do not add up to the position's.
    #[error("the nimber of {position:?} is {nimber}, the sum of its parts {parts:?} has {sum}")]
    WrongParts {
        /// Any position.
        position: Position,
        /// Its parts.
        parts: Vec<Position>,
        /// The position's nimber.
        nimber: u32,
        /// What those of its parts add up to.
        sum: u32,
    },
    /// The game is wrong about the nimber of a part.
    #[error("the nimber of the part {part:?} is {nimber}, not {told}")]
    WrongNimber {
        /// The part.
        part: Position,
        /// Its nimber.
        nimber: u32,
        /// What the game says it is.
        told: u32,
    },
    /// A part that the game says is tame is another, or wild.
    #[error("the part {part:?} beside a nim heap of {heap} is not won or lost as what the game says of it")]
    WrongTame {
        /// The part.
        part: Position,
        /// The heap beside it.
        heap: u32,
    },
}

impl<Position> BrokenLaw<Position> {
    /// Returns the position that shows it, or the part.
    pub const fn position(&self) -> &Position {
        use BrokenLaw as B;

        match self {
            B::Repeats { position, .. }
            | B::Endless { position, .. }
            | B::Illegal { position, .. }
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
            B::OtherMoves { part, .. } | B::WrongNimber { part, .. } | B::WrongTame { part, .. } => part,
        }
    }

    /// The same law, with positions in another form, such as text.
    pub fn map<Told>(self, mut tell: impl FnMut(Position) -> Told) -> BrokenLaw<Told> {
        use BrokenLaw as B;

        match self {
            B::Repeats { position, before, plies } => B::Repeats { position: tell(position), before, plies },
            B::Endless { position, plies } => B::Endless { position: tell(position), plies },
            B::Illegal { from, position } => B::Illegal { from: tell(from), position: tell(position) },
            B::Twice { position } => B::Twice { position: tell(position) },
            B::Unending { position } => B::Unending { position: tell(position) },
            B::Restless { position, canonical } => B::Restless { position: tell(position), canonical: tell(canonical) },
            B::Unequal { position, canonical, value, other } => {
                B::Unequal { position: tell(position), canonical: tell(canonical), value, other }
            }
            B::LongKey { position, key, bits } => B::LongKey { position: tell(position), key, bits },
            B::SameKey { position, other, key } => B::SameKey { position: tell(position), other: tell(other), key },
            B::OtherSuccessors { position, key } => B::OtherSuccessors { position: tell(position), key },
            B::WrongKey { position, key, read } => B::WrongKey { position: tell(position), key, read: tell(read) },
            B::NotLowered { from, layer, position, after } => {
                B::NotLowered { from: tell(from), layer, position: tell(position), after }
            }
            B::OtherLayer { position, canonical, layer, other } => {
                B::OtherLayer { position: tell(position), canonical: tell(canonical), layer, other }
            }
            B::NoMove { position } => B::NoMove { position: tell(position) },
            B::NoBestCandidate { position, value, best } => {
                B::NoBestCandidate { position: tell(position), value, best }
            }
            B::OutOfBounds { position, value, bounds } => B::OutOfBounds { position: tell(position), value, bounds },
            B::WrongMobility { position, moves, mobility } => {
                B::WrongMobility { position: tell(position), moves, mobility }
            }
            B::OtherMoves { part, moves } => B::OtherMoves { part: tell(part), moves },
            B::NotNormal { position, outcome } => B::NotNormal { position: tell(position), outcome },
            B::NotMisere { position, outcome } => B::NotMisere { position: tell(position), outcome },
            B::WrongMisereParts { position, parts, heap } => {
                let parts = parts.into_iter().map(&mut tell).collect();
                B::WrongMisereParts { position: tell(position), parts, heap }
            }
            B::WrongParts { position, parts, nimber, sum } => {
                let parts = parts.into_iter().map(&mut tell).collect();
                B::WrongParts { position: tell(position), parts, nimber, sum }
            }
            B::WrongNimber { part, nimber, told } => B::WrongNimber { part: tell(part), nimber, told },
            B::WrongTame { part, heap } => B::WrongTame { part: tell(part), heap },
        }
    }
}
