//! Checks the laws of [`Game`] on random play.
//!
//! Solvers rely on these laws. They check only what costs nothing, and end on every game, whatever law it breaks:
//!
//! | law | if it is broken |
//! |---|---|
//! | play ends, within [`MAX_PLIES`] plies, unless the game says that it [may repeat](Game::may_repeat), and its type does not [deny it](Game::MAY_REPEAT) | every search refuses it, as [`Stopped::TooLong`](crate::Stopped), with the moves |
//! | an end of an [impartial](Game::is_impartial) game is a loss, by the misère convention a win | every search by nimbers or misère values refuses it, as [`Stopped::Broken`](crate::Stopped) |
//! | a move that [keeps the turn](Game::keeps_turn) is [declared](Game::TURNS_ALTERNATE), and there is none in an impartial game | **answers are wrong** |
//! | a [score](Game::score) is at most the [largest](Game::max_score) | a search takes longer |
//! | a move lowers the [layer](Game::layer), or does not raise it where play may repeat | a search refuses play of more plies than the layer; **strong solutions may be wrong** |
//! | tests of a position agree | a search for a value refuses two answers that contradict each other |
//! | no nimber is larger than the [number of moves](Game::mobility) | a search for a nimber refuses a larger one |
//! | all others: moves, [canonical forms](Game::canonical), [keys](Game::key), [bounds](Game::bounds), [settled tests](Game::settle), [candidates](Game::candidates), [parts](Game::split) and their nimbers | **answers may be wrong** |
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
//! balpan::laws::check(&Heap, 100, 1)?;
//! # Ok::<(), balpan::laws::BrokenLaw<u32>>(())
//! ```

mod broken;

use std::collections::{HashMap, HashSet};

pub use broken::BrokenLaw;

use crate::game::tame::Tame;
use crate::game::{Game, MAX_KEY_BITS, MAX_PART_KEY_BITS, successors_by_moves};
use crate::random::SplitMix;
use crate::search::length::{MAX_PLIES, with_stack_for};
use crate::value::{Outcome, Turn, Value};

/// The size of a game tree in nodes above which only the laws that need no value are checked.
const MAX_NODES: u64 = 20_000;

/// The number of reachable positions above which nimbers are not checked.
const MAX_NIMBER_POSITIONS: usize = 2_000;

/// The number of nodes that all game trees of one [`check`] visit together.
const MAX_NODES_IN_ALL: u64 = 4_000_000;

/// The number of positions after which no further game begins.
const MAX_POSITIONS: usize = 100_000;

/// The number of plies after which a random game ends where play may repeat.
const MAX_PLIES_OF_LOOPS: usize = 1000;

/// The number of consecutive positions with too large a game tree after which all earlier positions of the game are
/// assumed to have one, too.
const MAX_LARGE_TREES: u32 = 4;

/// Plays `games` random games from the start, the same ones for the same `seed`, and checks every law at every position of
/// each: moves are distinct and lead to legal positions, play ends, layers fall, canonical forms are canonical and keep
/// value and layer, keys differ and are read back, bounds hold, the nimbers of parts add up, and so do parts under misère
/// play.
///
/// Values come from plain minimax, if it takes at most 20,000 nodes; nimbers from those of all options, if at most 2,000
/// positions can be reached. They are checked from the end of each game backwards.
///
/// Cost: a few seconds at most, if the game's own methods are fast. No game begins after 100,000 positions, and values are
/// checked until 4 million nodes are visited.
///
/// # Errors
/// The first law found broken, with the position that breaks it.
pub fn check<G: Game>(game: &G, games: u32, seed: u64) -> Result<(), BrokenLaw<G::Position>> {
    with_stack_for(None, || check_games(game, games, seed))
}

fn check_games<G: Game>(game: &G, games: u32, seed: u64) -> Result<(), BrokenLaw<G::Position>> {
    let mut random = SplitMix(seed);
    let mut keys = HashMap::new();
    let mut positions = 0;
    let start = game.start();
    if !game.is_legal(&start) {
        return Err(BrokenLaw::Illegal { from: start.clone(), position: start });
    }
    if !G::MAY_REPEAT && game.may_repeat() {
        return Err(BrokenLaw::RepeatsUndeclared { position: start });
    }
    for _ in 0..games {
        if positions >= MAX_POSITIONS {
            break;
        }
        let (mut path, mut plies_to) = (vec![start.clone()], HashMap::from([(start.clone(), 0)]));
        loop {
            let plies = path.len();
            let position = &path[plies - 1];
            let moves = check_moves(game, position)?;
            check_key(game, game.canonical(position), &mut keys)?;
            if moves.is_empty() {
                break;
            }
            let position = game.play(position, moves[random.below(moves.len())]);
            if game.may_repeat() {
                if plies >= MAX_PLIES_OF_LOOPS {
                    break;
                }
                path.push(position);
                continue;
            }
            if let Some(before) = plies_to.insert(position.clone(), plies) {
                return Err(BrokenLaw::Repeats { position, before, plies });
            }
            if plies > MAX_PLIES as usize {
                return Err(BrokenLaw::Endless { position, plies });
            }
            path.push(position);
        }
        positions += path.len();
        // Play from a position has no end by which its value could be found.
        if game.may_repeat() {
            continue;
        }
        let mut trees = TreeChecker { nodes: MAX_NODES_IN_ALL / u64::from(games) };
        let mut large = 0;
        for position in path.iter().rev() {
            large = if trees.check(game, position)? { 0 } else { large + 1 };
            if large > MAX_LARGE_TREES || trees.nodes == 0 {
                break;
            }
        }
    }
    Ok(())
}

/// Checks that a cacheable canonical position has a key that no earlier position has.
fn check_key<G: Game>(
    game: &G,
    position: G::Position,
    keys: &mut HashMap<u128, G::Position>,
) -> Result<(), BrokenLaw<G::Position>> {
    let bits = game.key_bits();
    if bits == 0 || !game.is_cacheable(&position) {
        return Ok(());
    }
    let key = game.key(&position);
    if bits > MAX_KEY_BITS || key >> bits != 0 {
        return Err(BrokenLaw::LongKey { position, key, bits: bits.min(MAX_KEY_BITS) });
    }
    if let Some(read) = game.position_from_key(key)
        && read != position
    {
        return Err(BrokenLaw::WrongKey { position, key, read });
    }
    check_successors(game, &position, key)?;
    match keys.insert(key, position.clone()) {
        Some(other) if other != position => Err(BrokenLaw::SameKey { position, other, key }),
        _ => Ok(()),
    }
}

/// Checks that the successors of a key are those of its position.
fn check_successors<G: Game>(game: &G, position: &G::Position, key: u128) -> Result<(), BrokenLaw<G::Position>> {
    let [mut by_key, mut by_moves] = [Vec::new(), Vec::new()];
    let key_result = game.successors(key, |turn, layer, key| by_key.push((layer, key, turn == Turn::Kept)));
    let move_result =
        successors_by_moves(game, key, |turn, layer, key| by_moves.push((layer, key, turn == Turn::Kept)));
    by_key.sort_unstable();
    by_moves.sort_unstable();
    if (key_result, by_key) == (move_result, by_moves) {
        Ok(())
    } else {
        Err(BrokenLaw::OtherSuccessors { position: position.clone(), key })
    }
}

/// Checks every law at one position, except those of keys, which compare positions.
///
/// # Errors
/// The first law found broken.
pub fn check_at<G: Game>(game: &G, position: &G::Position) -> Result<(), BrokenLaw<G::Position>> {
    check_moves(game, position)?;
    with_stack_for(None, || TreeChecker { nodes: MAX_NODES_IN_ALL }.check(game, position).map(|_| ()))
}

/// Checks the laws that need no values. Returns the moves.
fn check_moves<G: Game>(game: &G, position: &G::Position) -> Result<Vec<G::Move>, BrokenLaw<G::Position>> {
    let moves: Vec<_> = game.moves(position).collect();
    for (i, &mv) in moves.iter().enumerate() {
        let position = position.clone();
        if moves[..i].contains(&mv) {
            return Err(BrokenLaw::Twice { position });
        }
        let after = game.play(&position, mv);
        if !game.is_legal(&after) {
            return Err(BrokenLaw::Illegal { from: position, position: after });
        }
        let keeps_turn = game.keeps_turn(&position, mv, &after);
        if keeps_turn && (G::TURNS_ALTERNATE || game.is_impartial() || game.is_impartial_misere()) {
            return Err(BrokenLaw::TurnKept { from: position, position: after });
        }
        check_layer(game, position, after)?;
    }
    if let Some(score) = game.score(position).filter(|_| moves.is_empty())
        && score.unsigned_abs() > game.max_score()
    {
        return Err(BrokenLaw::ScoreTooLarge { position: position.clone(), score, max_score: game.max_score() });
    }
    if game.mobility(position) != moves.len() {
        let (position, moves, mobility) = (position.clone(), moves.len(), game.mobility(position));
        return Err(BrokenLaw::WrongMobility { position, moves, mobility });
    }
    let canonical = game.canonical(position);
    if game.canonical(&canonical) != canonical {
        let position = position.clone();
        return Err(BrokenLaw::Restless { position, canonical });
    }
    let (layer, other) = (game.layer(position), game.layer(&canonical));
    if layer != other {
        return Err(BrokenLaw::OtherLayer { position: position.clone(), canonical, layer, other });
    }
    if game.is_over(position) != moves.is_empty() {
        return Err(BrokenLaw::Unending { position: position.clone() });
    }
    Ok(moves)
}

/// Checks that a move lowers the layer, if there are layers; where play may repeat, that it does not raise it.
fn check_layer<G: Game>(game: &G, from: G::Position, position: G::Position) -> Result<(), BrokenLaw<G::Position>> {
    match (game.layer(&from), game.layer(&position)) {
        (None, _) => Ok(()),
        (Some(layer), Some(after)) if after < layer.saturating_add(game.may_repeat().into()) => Ok(()),
        (Some(layer), after) => Err(BrokenLaw::NotLowered { from, layer, position, after }),
    }
}

/// A checker of laws by game trees, with a budget of nodes.
struct TreeChecker {
    /// The number of nodes that may still be visited.
    nodes: u64,
}

impl TreeChecker {
    /// Checks the laws that need values at a position. Returns whether its game tree is small enough.
    fn check<G: Game>(&mut self, game: &G, position: &G::Position) -> Result<bool, BrokenLaw<G::Position>> {
        if game.is_impartial() {
            self.check_nimbers(game, position)?;
        }
        if game.is_impartial_misere() {
            self.check_misere(game, position)?;
        }
        let Some(value) = self.minimax(game, position)? else {
            return Ok(false);
        };
        let canonical = game.canonical(position);
        if let Some(other) = self.minimax(game, &canonical)?
            && other != value
        {
            let position = position.clone();
            return Err(BrokenLaw::Unequal { position, canonical, value, other });
        }
        let moves: Vec<_> = game.moves(position).collect();
        if !moves.is_empty() {
            self.check_bounds_and_candidates(game, position, &moves, value)?;
        }
        Ok(true)
    }

    /// Runs `visit` with the budget of one game tree.
    fn within<T>(&mut self, visit: impl FnOnce(&mut u64) -> T) -> T {
        let nodes = self.nodes.min(MAX_NODES);
        let mut left = nodes;
        let result = visit(&mut left);
        self.nodes -= nodes - left;
        result
    }

    fn minimax<G: Game>(&mut self, game: &G, position: &G::Position) -> Result<Option<Value>, BrokenLaw<G::Position>> {
        self.within(|nodes| small_minimax(game, position, nodes, 0))
    }

    /// Checks the hints at a position that has moves and the value `value`.
    fn check_bounds_and_candidates<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        value: Value,
    ) -> Result<(), BrokenLaw<G::Position>> {
        let candidates: Vec<_> = game.candidates(position).collect();
        let is_repeated = |(i, mv): (usize, &G::Move)| candidates[..i].contains(mv);
        if candidates.iter().any(|mv| !moves.contains(mv)) || candidates.iter().enumerate().any(is_repeated) {
            return Err(BrokenLaw::NoMove { position: position.clone() });
        }
        let mut best = Value::loss(0);
        for &mv in &candidates {
            let after = game.play(position, mv);
            match self.minimax(game, &after)? {
                None => return Ok(()),
                Some(value) => best = best.max(game.turn(position, mv, &after).to_parent(value)),
            }
        }
        // Thresholds that a search can test for a value near this one.
        let thresholds = [value, value.just_below(), Value::DRAW, Value::BELOW_DRAW, Value::win(40), Value::loss(40)];
        for threshold in thresholds {
            let (position, mut bounds) = (position.clone(), game.bounds(position, threshold));
            if bounds.contains(value) {
                match game.settle(&position, threshold) {
                    Some(settled) if settled > threshold => bounds.lower = bounds.lower.max(settled),
                    Some(settled) => bounds.upper = bounds.upper.min(settled),
                    None => {}
                }
            }
            if !bounds.contains(value) {
                return Err(BrokenLaw::OutOfBounds { position, value, bounds });
            }
            if game.bounds(&position, threshold).decide(threshold).is_none() && best != value {
                return Err(BrokenLaw::NoBestCandidate { position, value, best });
            }
        }
        Ok(())
    }

    /// Checks the laws of impartial games.
    fn check_nimbers<G: Game>(&mut self, game: &G, position: &G::Position) -> Result<(), BrokenLaw<G::Position>> {
        if game.moves(position).next().is_none() {
            let outcome = game.end_value(position).outcome();
            if outcome != Outcome::Loss {
                return Err(BrokenLaw::NotNormal { position: position.clone(), outcome });
            }
        }
        let mut nimbers = HashMap::new();
        let mut parts = Vec::new();
        game.split(position, &mut parts);
        let mut sum = Some(0);
        for part in &parts {
            let moves: Vec<_> = game.moves(part).collect();
            let in_order: Vec<_> = game.part_moves(part).collect();
            if moves.len() != in_order.len() || moves.iter().any(|mv| !in_order.contains(mv)) {
                return Err(BrokenLaw::OtherMoves { part: part.clone(), moves: moves.len() });
            }
            if let Some(key) = game.part_key(part) {
                let read = game.part_from_key(key);
                if key >> MAX_PART_KEY_BITS != 0 || read.as_ref() != Some(part) {
                    return Err(BrokenLaw::WrongPartKey { part: part.clone(), key, read });
                }
            }
            let nimber = self.nimber(game, part, &mut nimbers);
            if let (Some(nimber), Some(claimed)) = (nimber, game.nimber(part))
                && nimber != claimed
            {
                return Err(BrokenLaw::WrongNimber { part: part.clone(), nimber, claimed });
            }
            sum = sum.zip(nimber).map(|(sum, nimber)| sum ^ nimber);
        }
        match (self.nimber(game, position, &mut nimbers), sum) {
            (Some(nimber), Some(sum)) if nimber != sum => {
                let position = position.clone();
                Err(BrokenLaw::WrongParts { position, parts, nimber, sum })
            }
            _ => Ok(()),
        }
    }

    fn nimber<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        nimbers: &mut HashMap<G::Position, u32>,
    ) -> Option<u32> {
        self.within(|nodes| {
            let known = nimbers.len();
            let nimber = small_nimber(game, position, nimbers, 0);
            *nodes = nodes.saturating_sub((nimbers.len() - known) as u64 + 1);
            nimber
        })
    }

    /// Checks the laws of impartial games under misère play.
    fn check_misere<G: Game>(&mut self, game: &G, position: &G::Position) -> Result<(), BrokenLaw<G::Position>> {
        if game.is_over(position) {
            let outcome = game.end_value(position).outcome();
            if outcome != Outcome::Win {
                return Err(BrokenLaw::NotMisere { position: position.clone(), outcome });
            }
        }
        let mut parts = Vec::new();
        game.split(position, &mut parts);
        let mut is_lost = |sum: &[G::Position], heap| self.within(|nodes| is_lost_misere(game, sum, heap, nodes));
        for heap in 0..=MAX_HEAP {
            let (whole, split) = (is_lost(std::slice::from_ref(position), heap), is_lost(&parts, heap));
            match (whole, split) {
                (Some(whole), Some(split)) if whole != split => {
                    return Err(BrokenLaw::WrongMisereParts { position: position.clone(), parts, heap });
                }
                _ => {}
            }
        }
        for part in parts {
            let Some(tame) = game.tame(&part) else { continue };
            for heap in 0..=MAX_HEAP {
                let is_lost = is_lost(std::slice::from_ref(&part), heap);
                if is_lost.is_some_and(|is_lost| is_lost != (tame + Tame::heap(heap)).is_lost()) {
                    return Err(BrokenLaw::WrongTame { part, heap });
                }
            }
        }
        Ok(())
    }
}

/// The largest heap beside which a position is compared with its parts.
const MAX_HEAP: u32 = 3;

/// Returns whether the player to move loses the sum of these positions and a nim heap under misère play; `None` if that
/// takes more than `nodes`.
fn is_lost_misere<G: Game>(game: &G, sum: &[G::Position], heap: u32, nodes: &mut u64) -> Option<bool> {
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

/// Returns the nimber of a position; `None` if that takes too many positions. `nimbers` are those found so far.
fn small_nimber<G: Game>(
    game: &G,
    position: &G::Position,
    nimbers: &mut HashMap<G::Position, u32>,
    plies: usize,
) -> Option<u32> {
    if let Some(&nimber) = nimbers.get(position) {
        return Some(nimber);
    }
    // The path to this position has as many positions as plies.
    if plies + nimbers.len() >= MAX_NIMBER_POSITIONS {
        return None;
    }
    let nimber_after = |mv| small_nimber(game, &game.play(position, mv), nimbers, plies + 1);
    let met: HashSet<u32> = game.moves(position).map(nimber_after).collect::<Option<_>>()?;
    let nimber = (0..).find(|nimber| !met.contains(nimber))?;
    nimbers.insert(position.clone(), nimber);
    Some(nimber)
}

/// Returns the value of a position by minimax; `None` if that takes more than `nodes`.
fn small_minimax<G: Game>(
    game: &G,
    position: &G::Position,
    nodes: &mut u64,
    plies: usize,
) -> Result<Option<Value>, BrokenLaw<G::Position>> {
    if plies > MAX_PLIES as usize {
        let position = position.clone();
        return Err(BrokenLaw::Endless { position, plies });
    }
    let Some(left) = nodes.checked_sub(1) else {
        return Ok(None);
    };
    *nodes = left;
    let mut best = None;
    for mv in game.moves(position) {
        let after = game.play(position, mv);
        match small_minimax(game, &after, nodes, plies + 1)? {
            None => return Ok(None),
            Some(value) => best = best.max(Some(game.turn(position, mv, &after).to_parent(value))),
        }
    }
    Ok(Some(best.unwrap_or_else(|| game.end_value(position))))
}
