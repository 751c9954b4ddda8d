//! Claims about play: the player who is not to move can force a result.
//!
//! Positions are checked layer by layer, from the highest: when a layer's turn comes, all claims about its positions
//! are made, since whatever leads to them has a higher layer.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use super::claim::{Guarantee, Header};
use super::game::{Game, Move, Position, canonical};
use crate::untrusted::answers::{Answers, Method, Question};
use crate::untrusted::explain;
use crate::untrusted::meter::{Held, Meter};
use crate::{CheckError, Result};

/// Checks that a player (`is_mover`: the one to move) can force a result. Returns `claims` plus the number of claims
/// made. `threads` threads run the searches; `None` skips them.
///
/// # Errors
/// The first claim that fails, or an invalid answer.
pub(crate) fn check(
    header: &Header,
    (is_mover, guarantee): (bool, Guarantee),
    answers: &mut dyn Answers,
    (threads, meter): (Option<usize>, &Meter),
    mut claims: u64,
) -> Result<u64> {
    let (game, root) = (&*header.game, &header.position);
    if let Some(end) = game.end(root, meter)? {
        let is_met = guarantee.is_met_by(if is_mover { end } else { -end });
        return if is_met { Ok(claims) } else { Err(explain::has_ended(game, root, is_mover, guarantee)) };
    }
    let mut open = Open { game, meter, layers: BTreeMap::new() };
    let (mut moves, mut replies) = (Vec::new(), Vec::new());
    if is_mover {
        game.moves(root, meter, &mut replies)?;
        open.answer(&Question { at: root, guarantee, mv: None, replies: &replies }, answers)?;
    } else {
        open.push(root, guarantee)?;
    }
    while let Some((_, (mut layer, _held))) = open.layers.pop_last() {
        keep_strongest(&mut layer);
        claims += layer.len() as u64;
        if claims > header.claims {
            return Err(explain::too_many_claims(header.claims));
        }
        let mut searched = Vec::new();
        for &(at, guarantee) in &layer {
            match answers.method(&at, guarantee)? {
                Method::Search => searched.push((at, guarantee)),
                Method::Pairs(pairs) => check_pairs(game, &at, guarantee, &pairs)?,
                Method::Moves => {
                    moves.clear();
                    game.moves(&at, meter, &mut moves)?;
                    let after = guarantee.after_a_ply();
                    for mv in &moves {
                        match mv.end {
                            Some(end) if after.is_met_by(end) => {}
                            Some(_) => return Err(explain::ends_play(game, &at, guarantee, mv)),
                            None => {
                                replies.clear();
                                game.moves(&mv.after, meter, &mut replies)?;
                                let question = Question { at: &at, guarantee: after, mv: Some(mv), replies: &replies };
                                open.answer(&question, answers)?;
                            }
                        }
                    }
                }
            }
        }
        if let Some(threads) = threads {
            let search = |list: &[_], meter| search_claims(header, list, meter);
            search_all(&searched, threads, meter, search)?;
        }
    }
    Ok(claims)
}

/// Claims still to be checked.
struct Open<'h> {
    game: &'h dyn Game,
    meter: &'h Meter,
    /// The claims by layer, with the memory that each list takes.
    layers: BTreeMap<u32, (Vec<(Position, Guarantee)>, Held)>,
}

impl Open<'_> {
    fn push(&mut self, at: &Position, guarantee: Guarantee) -> Result<()> {
        let at = canonical(self.game, at, guarantee, self.meter)?;
        let (layer, held) = self.layers.entry(self.game.layer(&at)).or_insert_with(|| (Vec::new(), self.meter.held()));
        if layer.len() == layer.capacity() {
            // Several claims about one position become one.
            keep_strongest(layer);
            layer.reserve(layer.len() + 1);
            held.at_least((2 * layer.capacity() * size_of::<(Position, Guarantee)>()) as u64)?;
        }
        layer.push((at, guarantee));
        Ok(())
    }

    /// Has a move answered, and adds the claim about the position after the reply.
    fn answer(&mut self, question: &Question<'_>, answers: &mut dyn Answers) -> Result<()> {
        let (guarantee, then) = (question.guarantee, question.guarantee.after_a_ply());
        let is_enough = |reply: &Move| reply.end.map_or(then.is_nothing(), |end| then.is_met_by(-end));
        if guarantee.is_nothing() || question.replies.iter().any(is_enough) {
            return Ok(());
        }
        let index = answers.reply(question)?;
        match question.replies.get(index) {
            Some(reply) if reply.end.is_none() && !then.is_too_much() => self.push(&reply.after, then),
            _ => Err(explain::bad_reply(self.game, question, index)),
        }
    }
}

/// Sorts claims, and keeps the strongest of several about one position.
fn keep_strongest(claims: &mut Vec<(Position, Guarantee)>) {
    claims.sort_unstable_by_key(|&(at, guarantee)| (at, Reverse(guarantee)));
    claims.dedup_by_key(|claim| claim.0);
}

/// Checks that each line the player to move could make has both cells of a pair (lemma of pairings).
fn check_pairs(game: &dyn Game, at: &Position, guarantee: Guarantee, pairs: &[(usize, usize)]) -> Result<()> {
    let cell = |cell: usize| 1_u128.checked_shl(cell as u32).unwrap_or(0);
    let sets: Vec<u128> = pairs.iter().map(|&(a, b)| cell(a) | cell(b)).collect();
    let are_apart =
        sets.iter().enumerate().all(|(n, set)| set.count_ones() == 2 && sets[..n].iter().all(|one| one & set == 0));
    let is_blocked = |line: &u128| sets.iter().any(|set| set & line == *set);
    match game.open_lines(at) {
        Some(lines) if guarantee <= Guarantee::DRAW && are_apart && lines.iter().all(is_blocked) => Ok(()),
        _ => Err(explain::bad_pairs(game, at, guarantee)),
    }
}

/// Searches claims in parallel, in more lists than there are threads, so that all threads end at about the same time.
pub(crate) fn search_all<C: Sync>(
    claims: &[C],
    threads: usize,
    meter: &Meter,
    search: impl Fn(&[C], Meter) -> Result<()> + Sync,
) -> Result<()> {
    if threads <= 1 || claims.len() < 128 {
        return search(claims, meter.for_thread());
    }
    std::thread::scope(|scope| {
        let search = &search;
        let spawn = |list, meter| scope.spawn(move || search(list, meter));
        let lists = claims.chunks(claims.len().div_ceil(threads.saturating_mul(4)));
        let all: Vec<_> = lists.map(|list| spawn(list, meter.for_thread())).collect();
        let ended = |_| Err(CheckError::TooLarge("a thread has ended".into()));
        // The first failure is reported.
        all.into_iter().try_for_each(|list| list.join().unwrap_or_else(ended))
    })
}

fn search_claims(header: &Header, claims: &[(Position, Guarantee)], meter: Meter) -> Result<()> {
    let mut search = EndgameSearch::new(&*header.game, meter);
    claims.iter().try_for_each(|(at, guarantee)| match search.can_force(at, *guarantee, header.settle)? {
        Some(true) => Ok(()),
        _ => Err(explain::not_searched(header, at, *guarantee, search.refuting)),
    })
}

/// An exhaustive search of a position, with a small table and the lemmas.
#[derive(Debug)]
pub struct EndgameSearch<'g> {
    game: &'g dyn Game,
    meter: Meter,
    /// The positions that may still be searched; after a search, those that it left.
    pub left: u64,
    /// The move that nothing answers, if the last search found one.
    pub refuting: Option<u32>,
    /// Whether a lemma can settle positions.
    has_lemma: bool,
    /// The moves of all positions on the path to the current one.
    moves: Vec<Move>,
    /// The last result in each [slot].
    table: Vec<Option<Found>>,
    /// The memory that moves and table take.
    held: Held,
}

/// A position, a guarantee, whether it can be forced, and the positions and steps that finding this took.
type Found = (Position, Guarantee, bool, [u64; 2]);

/// The plies of the longest search: each takes stack.
const MAX_SEARCH_PLIES: usize = 1000;

/// The entries of the table of a search. In Connect Four they halve the positions searched; 64 times as many leave 6%
/// fewer, and the check takes a quarter longer.
const TABLE_SIZE: usize = 1 << 10;

fn slot(at: &Position) -> usize {
    let mixed = (at.0 ^ at.1.rotate_left(67)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    ((mixed >> 64) as u64 >> 54) as usize
}

impl<'g> EndgameSearch<'g> {
    /// Creates a search.
    pub fn new(game: &'g dyn Game, meter: Meter) -> Self {
        let (moves, table, held) = (Vec::new(), Vec::new(), meter.held());
        Self { game, meter, left: 0, refuting: None, has_lemma: true, moves, table, held }
    }

    /// Whether the player who is not to move can force a result; `None` if that takes more than `max`
    /// positions, or too many plies.
    ///
    /// # Errors
    /// If that takes more than the meter has left.
    pub fn can_force(&mut self, at: &Position, guarantee: Guarantee, max: u64) -> Result<Option<bool>> {
        (self.left, self.refuting) = (max, None);
        self.has_lemma = guarantee <= Guarantee::DRAW || self.game.outlasts_by(at, &self.meter)?.is_some();
        if self.is_settled(at, guarantee)? {
            return Ok(Some(true));
        }
        if self.table.is_empty() {
            self.meter.spend(TABLE_SIZE as u64)?;
            self.table = vec![None; TABLE_SIZE];
        }
        self.moves.clear();
        self.search(at, guarantee, 0)
    }

    /// Adds the moves of a position to the list.
    fn add_moves(&mut self, at: &Position) -> Result<()> {
        self.game.moves(at, &self.meter, &mut self.moves)?;
        self.held.at_least((size_of_val(&self.table[..]) + self.moves.capacity() * size_of::<Move>()) as u64)
    }

    /// Whether a lemma shows that the player who is not to move has the guarantee.
    fn is_settled(&self, at: &Position, guarantee: Guarantee) -> Result<bool> {
        self.meter.spend(16)?;
        Ok(guarantee.is_nothing()
            || guarantee <= Guarantee::DRAW && self.game.mover_cannot_win(at, &self.meter)?
            || guarantee <= Guarantee::WIN && self.game.outlasts_by(at, &self.meter)?.is_some_and(|moves| moves >= 0))
    }

    /// Whether the claimer can force a result, `ply` plies into the search: the claimer is to move after an odd
    /// number. One of the claimer's moves has to do, and each of the opponent's.
    fn search(&mut self, at: &Position, guarantee: Guarantee, ply: usize) -> Result<Option<bool>> {
        let (is_claimer, slot) = (!ply.is_multiple_of(2), slot(at));
        let (left, spent) = (self.left, self.meter.spent());
        if guarantee.is_nothing() {
            return Ok(Some(true));
        } else if is_claimer {
            let Some(left) = left.checked_sub(1).filter(|_| ply < MAX_SEARCH_PLIES) else { return Ok(None) };
            self.left = left;
            self.meter.spend(32)?;
        } else if guarantee.is_too_much() {
            return Ok(Some(false));
        } else if let Some((known, sure, found, [searched, steps])) = self.table[slot]
            && (known, sure) == (*at, guarantee)
            && (searched <= left && ply > 0)
        {
            // A hit costs what the search cost, so that a search ends exactly as one without a table.
            self.left -= searched;
            self.meter.spend(steps)?;
            return Ok(Some(found));
        }
        let (begin, then) = (self.moves.len(), guarantee.after_a_ply());
        self.add_moves(at)?;
        let moves = begin..self.moves.len();
        let mut found = Some(!is_claimer);
        for n in moves.clone() {
            let does = match self.moves[n].end {
                Some(end) => then.is_met_by(if is_claimer { -end } else { end }),
                None if is_claimer => self.has_lemma && self.is_settled(&self.moves[n].after, then)?,
                None => true,
            };
            if does == is_claimer {
                found = Some(is_claimer);
                break;
            }
        }
        for n in moves {
            let Move { number, after, end, .. } = self.moves[n];
            if end.is_none() && found == Some(!is_claimer) {
                found = self.search(&after, then, ply + 1)?;
                if ply == 0 && found == Some(false) {
                    self.refuting = Some(number);
                }
            }
        }
        self.moves.truncate(begin);
        if !is_claimer && left - self.left > 1 {
            let cost = [left - self.left, self.meter.spent().wrapping_sub(spent)];
            self.table[slot] = found.map(|found| (*at, guarantee, found, cost));
        }
        Ok(found)
    }
}
