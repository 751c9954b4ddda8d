//! The laws that a [`Game`] must keep, checked on random play.
//!
//! For the tests of anybody who writes a game:
//!
//! ```
//! # use balpan::Game;
//! # struct Heap;
//! # impl Game for Heap {
//! #     type Position = u32;
//! #     type Move = u32;
//! #     fn start(&self) -> u32 { 12 }
//! #     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
//! #     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
//! # }
//! balpan::laws::check(&Heap, 100, 1)?;
//! # Ok::<(), balpan::laws::Broken<u32>>(())
//! ```

use std::collections::{HashMap, HashSet};

use crate::game::{Game, MOST_KEY_BITS};
use crate::random::SplitMix;
use crate::value::{Bounds, Outcome, Value};

/// A law that a game does not keep, with a position that shows it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Broken<Position> {
    /// Play went on for this many plies; it should end.
    #[error("play has not ended after {plies} plies, at {position:?}")]
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
    #[error("a move is given twice at {position:?}")]
    Twice {
        /// Where.
        position: Position,
    },
    /// `is_over` and `moves` disagree.
    #[error("{position:?} has moves and is over, or has none and is not")]
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
    /// A candidate is no move, or is given twice.
    #[error("a candidate at {position:?} is no move, or is given twice")]
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
    /// A game that says it is impartial, by the normal convention, does not end in a loss.
    #[error("the game is said to be impartial, and ends at {position:?} in a {outcome}")]
    NotNormal {
        /// Where.
        position: Position,
        /// How play ends there for the player to move.
        outcome: Outcome,
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
}

/// Longer games than this count as endless.
const MOST_PLIES: usize = 10_000;

/// Positions with a larger game tree than this have only those laws checked that
/// need no value.
const MOST_NODES: u32 = 20_000;

/// Positions from which more can be reached than this have no nimbers checked.
const MOST_POSITIONS: usize = 2_000;

/// Plays `games` random games from the start, the same ones for the same `seed`,
/// and checks every law at every position of each: moves are distinct and lead to
/// legal positions, play ends, canonical forms are canonical and keep the value,
/// bounds hold, and the nimbers of parts add up. Values come from plain minimax, where it
/// takes no more than 20,000 nodes; nimbers from those of all options, where no more
/// than 2,000 positions can be reached.
///
/// # Errors
/// The first law found broken, with the position that breaks it.
pub fn check<G: Game>(game: &G, games: u32, seed: u64) -> Result<(), Broken<G::Position>> {
    let mut random = SplitMix(seed);
    let mut keys = HashMap::new();
    for _ in 0..games {
        let mut position = game.start();
        if !game.is_legal(&position) {
            let from = position.clone();
            return Err(Broken::Illegal { from, position });
        }
        for plies in 0.. {
            if plies > MOST_PLIES {
                return Err(Broken::Endless { position, plies });
            }
            check_at(game, &position)?;
            check_key(game, game.canonical(&position), &mut keys)?;
            let moves: Vec<_> = game.moves(&position).collect();
            if moves.is_empty() {
                break;
            }
            position = game.play(&position, moves[random.below(moves.len())]);
        }
    }
    Ok(())
}

/// Checks that a memorable canonical position has a key that none of those before has.
fn check_key<G: Game>(
    game: &G,
    position: G::Position,
    keys: &mut HashMap<u128, G::Position>,
) -> Result<(), Broken<G::Position>> {
    let bits = game.key_bits();
    if bits == 0 || !game.is_memorable(&position) {
        return Ok(());
    }
    let key = game.key(&position);
    if bits > MOST_KEY_BITS || key >> bits != 0 {
        return Err(Broken::LongKey { position, key, bits: bits.min(MOST_KEY_BITS) });
    }
    match keys.insert(key, position.clone()) {
        Some(other) if other != position => Err(Broken::SameKey { position, other, key }),
        _ => Ok(()),
    }
}

/// Checks every law at one position, but for those of keys, which compare
/// positions.
///
/// # Errors
/// The first law found broken.
pub fn check_at<G: Game>(game: &G, position: &G::Position) -> Result<(), Broken<G::Position>> {
    let moves: Vec<_> = game.moves(position).collect();
    for (i, &mv) in moves.iter().enumerate() {
        let position = position.clone();
        if moves[..i].contains(&mv) {
            return Err(Broken::Twice { position });
        }
        let after = game.play(&position, mv);
        if !game.is_legal(&after) {
            return Err(Broken::Illegal { from: position, position: after });
        }
    }
    if game.mobility(position) != moves.len() {
        let (position, moves, mobility) = (position.clone(), moves.len(), game.mobility(position));
        return Err(Broken::WrongMobility { position, moves, mobility });
    }
    if game.is_impartial() {
        check_nimbers(game, position)?;
    }
    let canonical = game.canonical(position);
    if game.canonical(&canonical) != canonical {
        let position = position.clone();
        return Err(Broken::Restless { position, canonical });
    }
    if game.is_over(position) != moves.is_empty() {
        return Err(Broken::Unending { position: position.clone() });
    }
    let Some(value) = small_minimax(game, position, &mut MOST_NODES.clone(), 0)? else {
        return Ok(());
    };
    if let Some(other) = small_minimax(game, &canonical, &mut MOST_NODES.clone(), 0)?
        && other != value
    {
        let position = position.clone();
        return Err(Broken::Unequal { position, canonical, value, other });
    }
    if moves.is_empty() {
        return Ok(());
    }
    check_bounds_and_candidates(game, position, &moves, value)
}

/// Checks what a search asks of a position that has moves and is worth `value`.
fn check_bounds_and_candidates<G: Game>(
    game: &G,
    position: &G::Position,
    moves: &[G::Move],
    value: Value,
) -> Result<(), Broken<G::Position>> {
    let candidates: Vec<_> = game.candidates(position).collect();
    let twice = |(i, mv): (usize, &G::Move)| candidates[..i].contains(mv);
    if candidates.iter().any(|mv| !moves.contains(mv)) || candidates.iter().enumerate().any(twice) {
        return Err(Broken::NoMove { position: position.clone() });
    }
    let mut best = Value::loss(0);
    for &mv in &candidates {
        match small_minimax(game, &game.play(position, mv), &mut MOST_NODES.clone(), 0)? {
            None => return Ok(()),
            Some(after) => best = best.max(after.back()),
        }
    }
    // All that a search can ask, if the value is about so much.
    let questions = [value, value.or_better(), Value::DRAW, Value::BELOW_DRAW, Value::win(40), Value::loss(40)];
    for asked in questions {
        let (position, mut bounds) = (position.clone(), game.bounds(position, asked));
        if bounds.contain(value) {
            match game.settle(&position, asked) {
                Some(settled) if settled > asked => bounds.lower = bounds.lower.max(settled),
                Some(settled) => bounds.upper = bounds.upper.min(settled),
                None => {}
            }
        }
        if !bounds.contain(value) {
            return Err(Broken::OutOfBounds { position, value, bounds });
        }
        if game.bounds(&position, asked).answer(asked).is_none() && best != value {
            return Err(Broken::NoBestCandidate { position, value, best });
        }
    }
    Ok(())
}

/// Checks the laws of impartial games.
fn check_nimbers<G: Game>(game: &G, position: &G::Position) -> Result<(), Broken<G::Position>> {
    let outcome = game.end(position);
    if game.moves(position).next().is_none() && outcome != Outcome::Loss {
        let position = position.clone();
        return Err(Broken::NotNormal { position, outcome });
    }
    let mut nimbers = HashMap::new();
    let mut parts = Vec::new();
    game.split(position, &mut parts);
    let mut sum = Some(0);
    for part in &parts {
        let nimber = small_nimber(game, part, &mut nimbers, 0);
        if let (Some(nimber), Some(told)) = (nimber, game.nimber(part))
            && nimber != told
        {
            return Err(Broken::WrongNimber { part: part.clone(), nimber, told });
        }
        sum = sum.zip(nimber).map(|(sum, nimber)| sum ^ nimber);
    }
    match (small_nimber(game, position, &mut nimbers, 0), sum) {
        (Some(nimber), Some(sum)) if nimber != sum => {
            let position = position.clone();
            Err(Broken::WrongParts { position, parts, nimber, sum })
        }
        _ => Ok(()),
    }
}

/// The least nimber that no move leads to, or `None` when that has taken too many positions;
/// `nimbers` are known.
fn small_nimber<G: Game>(
    game: &G,
    position: &G::Position,
    nimbers: &mut HashMap<G::Position, u32>,
    plies: usize,
) -> Option<u32> {
    if let Some(&nimber) = nimbers.get(position) {
        return Some(nimber);
    }
    // On the way here there were as many positions as plies.
    if plies + nimbers.len() >= MOST_POSITIONS {
        return None;
    }
    let nimber_after = |mv| small_nimber(game, &game.play(position, mv), nimbers, plies + 1);
    let met: HashSet<u32> = game.moves(position).map(nimber_after).collect::<Option<_>>()?;
    let nimber = (0..).find(|nimber| !met.contains(nimber))?;
    nimbers.insert(position.clone(), nimber);
    Some(nimber)
}

/// Minimax that gives up, with `None`, when it has used up its `nodes`.
fn small_minimax<G: Game>(
    game: &G,
    position: &G::Position,
    nodes: &mut u32,
    plies: usize,
) -> Result<Option<Value>, Broken<G::Position>> {
    if plies > MOST_PLIES {
        let position = position.clone();
        return Err(Broken::Endless { position, plies });
    }
    let Some(left) = nodes.checked_sub(1) else {
        return Ok(None);
    };
    *nodes = left;
    let mut best = None;
    for mv in game.moves(position) {
        match small_minimax(game, &game.play(position, mv), nodes, plies + 1)? {
            None => return Ok(None),
            Some(value) => best = best.max(Some(value.back())),
        }
    }
    Ok(Some(best.unwrap_or_else(|| Value::ended(game.end(position)))))
}
