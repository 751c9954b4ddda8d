//! Checks the laws of [`Game`] and the optional traits on random play.
//!
//! Call [`check`] from the tests of your game:
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
//! balpan::laws::check(&balpan::Plain(Heap), 100, 1)?;
//! # Ok::<(), balpan::laws::Broken<u32>>(())
//! ```

mod broken;

use std::collections::{HashMap, HashSet};

pub use broken::Broken;

use crate::game::Game;
use crate::hints::Hints;
use crate::impartial::Impartial;
use crate::keyed::{Keyed, MOST_KEY_BITS, successors_by_moves};
use crate::random::SplitMix;
use crate::tame::Tame;
use crate::value::{Outcome, Value};

/// Games longer than this count as endless.
const MOST_PLIES: usize = 10_000;

/// For positions with a larger game tree than this, only those laws are checked that need no value.
const MOST_NODES: u32 = 20_000;

/// For positions from which more than this can be reached, nimbers are not checked.
const MOST_POSITIONS: usize = 2_000;

/// Plays `games` random games from the start, the same ones for the same `seed`,
/// and checks every law at every position of each: moves are distinct and lead to
/// legal positions, play ends, layers fall, canonical forms are canonical and keep value and
/// layer, keys differ and are read back, bounds hold, the nimbers of parts add up, and so do
/// parts by the misère convention. Values come from plain minimax, where it
/// takes no more than 20,000 nodes; nimbers from those of all options, where no more
/// than 2,000 positions can be reached.
///
/// # Errors
/// The first law found broken, with the position that breaks it.
pub fn check<G: Hints + Impartial>(game: &G, games: u32, seed: u64) -> Result<(), Broken<G::Position>> {
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
fn check_key<G: Hints + Impartial>(
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
    if let Some(read) = game.position_of(key)
        && read != position
    {
        return Err(Broken::WrongKey { position, key, read });
    }
    check_successors(game, &position, key)?;
    match keys.insert(key, position.clone()) {
        Some(other) if other != position => Err(Broken::SameKey { position, other, key }),
        _ => Ok(()),
    }
}

/// Checks that what follows from a key is what follows from its position.
fn check_successors<G: Keyed>(game: &G, position: &G::Position, key: u128) -> Result<(), Broken<G::Position>> {
    let [mut told, mut played] = [Vec::new(), Vec::new()];
    let by_key = game.successors(key, |layer, key| told.push((layer, key)));
    let by_moves = successors_by_moves(game, key, |layer, key| played.push((layer, key)));
    told.sort_unstable();
    played.sort_unstable();
    if (by_key, told) == (by_moves, played) {
        Ok(())
    } else {
        Err(Broken::OtherSuccessors { position: position.clone(), key })
    }
}

/// Checks every law at one position, but for those of keys, which compare
/// positions.
///
/// # Errors
/// The first law found broken.
pub fn check_at<G: Hints + Impartial>(game: &G, position: &G::Position) -> Result<(), Broken<G::Position>> {
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
        check_layer(game, position, after)?;
    }
    if game.mobility(position) != moves.len() {
        let (position, moves, mobility) = (position.clone(), moves.len(), game.mobility(position));
        return Err(Broken::WrongMobility { position, moves, mobility });
    }
    if game.is_impartial() {
        check_nimbers(game, position)?;
    }
    if game.is_impartial_misere() {
        check_misere(game, position)?;
    }
    let canonical = game.canonical(position);
    if game.canonical(&canonical) != canonical {
        let position = position.clone();
        return Err(Broken::Restless { position, canonical });
    }
    let (layer, other) = (game.layer(position), game.layer(&canonical));
    if layer != other {
        return Err(Broken::OtherLayer { position: position.clone(), canonical, layer, other });
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

/// Checks that a move lowers the layer, if there are layers.
fn check_layer<G: Keyed>(game: &G, from: G::Position, position: G::Position) -> Result<(), Broken<G::Position>> {
    match (game.layer(&from), game.layer(&position)) {
        (None, _) => Ok(()),
        (Some(layer), Some(after)) if after < layer => Ok(()),
        (Some(layer), after) => Err(Broken::NotLowered { from, layer, position, after }),
    }
}

/// Checks what a search asks of a position that has moves and is worth `value`.
fn check_bounds_and_candidates<G: Hints + Impartial>(
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
    // The questions that a search can ask about a value near this one.
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
fn check_nimbers<G: Hints + Impartial>(game: &G, position: &G::Position) -> Result<(), Broken<G::Position>> {
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
        let moves: Vec<_> = game.moves(part).collect();
        let in_order: Vec<_> = game.part_moves(part).collect();
        if moves.len() != in_order.len() || moves.iter().any(|mv| !in_order.contains(mv)) {
            return Err(Broken::OtherMoves { part: part.clone(), moves: moves.len() });
        }
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

/// The largest heap beside which a position is compared with its parts.
const MOST_HEAP: u32 = 3;

/// Checks the laws of impartial games by the misère convention.
fn check_misere<G: Impartial>(game: &G, position: &G::Position) -> Result<(), Broken<G::Position>> {
    let outcome = game.end(position);
    if game.is_over(position) && outcome != Outcome::Win {
        return Err(Broken::NotMisere { position: position.clone(), outcome });
    }
    let mut parts = Vec::new();
    game.split(position, &mut parts);
    for heap in 0..=MOST_HEAP {
        let whole = is_lost_misere(game, std::slice::from_ref(position), heap, &mut MOST_NODES.clone());
        let split = is_lost_misere(game, &parts, heap, &mut MOST_NODES.clone());
        match (whole, split) {
            (Some(whole), Some(split)) if whole != split => {
                return Err(Broken::WrongMisereParts { position: position.clone(), parts, heap });
            }
            _ => {}
        }
    }
    for part in parts {
        let Some(told) = game.tame(&part) else { continue };
        for heap in 0..=MOST_HEAP {
            let is_lost = is_lost_misere(game, std::slice::from_ref(&part), heap, &mut MOST_NODES.clone());
            if is_lost.is_some_and(|is_lost| is_lost != (told + Tame::heap(heap)).is_lost()) {
                return Err(Broken::WrongTame { part, heap });
            }
        }
    }
    Ok(())
}

/// Whether the player to move loses the sum of these positions and a nim heap by the misère
/// convention; `None` when that has used up the `nodes`.
fn is_lost_misere<G: Game>(game: &G, sum: &[G::Position], heap: u32, nodes: &mut u32) -> Option<bool> {
    *nodes = nodes.checked_sub(1)?;
    let mut has_move = false;
    for left in 0..heap {
        has_move = true;
        if is_lost_misere(game, sum, left, nodes)? {
            return Some(false);
        }
    }
    for (n, part) in sum.iter().enumerate() {
        for mv in game.moves(part) {
            has_move = true;
            let mut after = sum.to_vec();
            after[n] = game.play(part, mv);
            if is_lost_misere(game, &after, heap, nodes)? {
                return Some(false);
            }
        }
    }
    Some(has_move)
}

/// The least nimber that no move leads to, or `None` when that has taken too many positions;
/// `nimbers` are known.
fn small_nimber<G: Hints + Impartial>(
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
fn small_minimax<G: Hints + Impartial>(
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
