//! Claims about play: the player who is not to move can force a result.
//!
//! Positions are taken layer by layer, from the highest, so that each has all that is asked of it
//! when its turn comes: whatever leads to it has a higher layer.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ops::Range;

use super::claim::{Guarantee, Header};
use super::game::{Game, Move, Position, canonical};
use crate::untrusted::answers::{Answers, Method, Question};
use crate::untrusted::explain;
use crate::untrusted::meter::{Held, Meter};
use crate::{CheckError, Result};

/// Checks that a player, with `is_mover` the one to move, can force a result. Adds to `claims` the number of
/// claims that this took. What is left to a search is searched by so many threads, or not at all.
///
/// # Errors
/// The first claim that fails, or what is not an answer.
pub(crate) fn check(
    header: &Header,
    (is_mover, guarantee): (bool, Guarantee),
    answers: &mut dyn Answers,
    (threads, meter): (Option<usize>, &Meter),
    claims: &mut u64,
) -> Result<()> {
    let (game, root) = (&*header.game, &header.position);
    if let Some(end) = game.end(root, meter)? {
        let is_met = guarantee.is_met_by(if is_mover { end } else { -end });
        return if is_met { Ok(()) } else { Err(explain::has_ended(game, root, is_mover, guarantee)) };
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
        *claims += layer.len() as u64;
        if *claims > header.claims {
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
            search_all(header, &searched, threads, meter)?;
        }
    }
    Ok(())
}

/// Claims that are still to be shown.
struct Open<'h> {
    game: &'h dyn Game,
    meter: &'h Meter,
    /// By layer, with the memory that each list takes.
    layers: BTreeMap<u32, (Vec<(Position, Guarantee)>, Held)>,
}

impl Open<'_> {
    fn push(&mut self, at: &Position, guarantee: Guarantee) -> Result<()> {
        let at = canonical(self.game, at, guarantee, self.meter)?;
        let (layer, held) = self.layers.entry(self.game.layer(&at)).or_insert_with(|| (Vec::new(), self.meter.held()));
        if layer.len() == layer.capacity() {
            // Claims about one position are one.
            keep_strongest(layer);
            layer.reserve(layer.len() + 1);
            held.at_least((2 * layer.capacity() * size_of::<(Position, Guarantee)>()) as u64)?;
        }
        layer.push((at, guarantee));
        Ok(())
    }

    /// Has a move answered, and leaves what is to be guaranteed after the reply.
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

/// Sorts claims, and keeps of several about one position the strongest.
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
    match game.lines_left(at) {
        Some(lines) if guarantee <= Guarantee::DRAW && are_apart && lines.iter().all(is_blocked) => Ok(()),
        _ => Err(explain::bad_pairs(game, at, guarantee)),
    }
}

/// Searches claims, more lists of them at once than there are threads, so that all threads end alike.
fn search_all(header: &Header, claims: &[(Position, Guarantee)], threads: usize, meter: &Meter) -> Result<()> {
    let search_list = |claims: &[(Position, Guarantee)], meter: Meter| {
        let mut search = EndgameSearch::new(&*header.game, meter);
        claims.iter().try_for_each(|(at, guarantee)| match search.is_sure(at, *guarantee, header.settle)? {
            Some(true) => Ok(()),
            _ => Err(explain::not_searched(header, at, *guarantee, search.refuting)),
        })
    };
    if threads <= 1 || claims.len() < 128 {
        return search_list(claims, meter.for_thread());
    }
    std::thread::scope(|scope| {
        let search = |claims| {
            let (meter, search_list) = (meter.for_thread(), &search_list);
            scope.spawn(move || search_list(claims, meter))
        };
        let all: Vec<_> = claims.chunks(claims.len().div_ceil(threads.saturating_mul(4))).map(search).collect();
        let ended = |_| Err(CheckError::TooLarge("a thread has ended".into()));
        // Of those that fail the first is told.
        all.into_iter().try_for_each(|list| list.join().unwrap_or_else(ended))
    })
}

/// A plain search of all that can follow a position.
#[derive(Debug)]
pub struct EndgameSearch<'g> {
    game: &'g dyn Game,
    meter: Meter,
    /// Positions that may yet be searched: after a search, those that it left.
    pub left: u64,
    /// The move that nothing answers, of the last search if that found one.
    pub refuting: Option<u32>,
    /// Whether a lemma can settle positions.
    has_lemma: bool,
    /// The moves of all positions on the way to the one that is searched.
    moves: Vec<Move>,
    /// What was found last, of positions with the same [slot].
    table: Vec<Option<Entry>>,
    /// The memory that these take.
    held: Held,
}

/// Whether a guarantee was found, and by a search of how many positions.
#[derive(Clone, Copy, Debug)]
struct Entry {
    at: Position,
    guarantee: Guarantee,
    found: bool,
    searched: u64,
}

/// Plies of the longest search: each takes room on the stack.
const MAX_SEARCH_PLIES: usize = 1000;

/// Entries of the table of a search. In Connect Four half of the positions are met again soon; a table that is
/// larger than the first cache of a processor finds more, and is slower.
const TABLE_SIZE: usize = 1 << 10;

fn slot(at: &Position) -> usize {
    let mixed = (at.0 ^ at.1.rotate_left(67)).wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835);
    (mixed >> 64) as usize >> 54
}

impl<'g> EndgameSearch<'g> {
    /// A search by these rules.
    #[must_use]
    pub fn new(game: &'g dyn Game, meter: Meter) -> Self {
        let held = meter.held();
        let (moves, table) = (Vec::new(), Vec::new());
        Self { game, meter, left: 0, refuting: None, has_lemma: true, moves, table, held }
    }

    /// Whether the player who is not to move can force a result; `None` if that takes more than `max`
    /// positions, or too many plies.
    ///
    /// # Errors
    /// If that takes more than the meter has left.
    pub fn is_sure(&mut self, at: &Position, guarantee: Guarantee, max: u64) -> Result<Option<bool>> {
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
        self.answers_all(at, guarantee, 0)
    }

    /// Adds the moves of a position to the list, and returns where they are.
    #[inline]
    fn add_moves(&mut self, at: &Position) -> Result<Range<usize>> {
        let begin = self.moves.len();
        self.game.moves(at, &self.meter, &mut self.moves)?;
        let bytes = size_of_val(&self.table[..]) + self.moves.capacity() * size_of::<Move>();
        self.held.at_least(bytes as u64)?;
        Ok(begin..self.moves.len())
    }

    /// Whether a lemma tells that a result is guaranteed.
    fn is_settled(&self, at: &Position, guarantee: Guarantee) -> Result<bool> {
        self.meter.spend(16)?;
        Ok(guarantee.is_nothing()
            || guarantee <= Guarantee::DRAW && self.game.mover_cannot_win(at, &self.meter)?
            || guarantee <= Guarantee::WIN && self.game.outlasts_by(at, &self.meter)?.is_some_and(|moves| moves >= 0))
    }

    /// Whether each move has a reply, so many plies into the search.
    fn answers_all(&mut self, at: &Position, guarantee: Guarantee, ply: usize) -> Result<Option<bool>> {
        if guarantee.is_too_much() {
            return Ok(Some(false));
        }
        let (slot, left) = (slot(at), self.left);
        // What was found is true, however the position was reached. It counts as if it was searched again.
        let is_found = |entry: &Entry| entry.at == *at && entry.guarantee == guarantee && entry.searched <= left;
        if let Some(entry) = self.table[slot].filter(is_found)
            && ply > 0
        {
            self.left -= entry.searched;
            return Ok(Some(entry.found));
        }
        let moves = self.add_moves(at)?;
        let after = guarantee.after_a_ply();
        let mut found = Some(self.moves[moves.clone()].iter().all(|mv| mv.end.is_none_or(|end| after.is_met_by(end))));
        for n in moves.clone() {
            let mv = self.moves[n];
            if mv.end.is_none() && found == Some(true) {
                found = self.has_reply(&mv.after, after, ply)?;
                if ply == 0 && found == Some(false) {
                    self.refuting = Some(mv.number);
                }
            }
        }
        self.moves.truncate(moves.start);
        let searched = left - self.left;
        if let Some(found) = found
            && searched > 1
        {
            self.table[slot] = Some(Entry { at: *at, guarantee, found, searched });
        }
        Ok(found)
    }

    /// Whether the player to move has a move after which that player can force a result.
    fn has_reply(&mut self, at: &Position, guarantee: Guarantee, ply: usize) -> Result<Option<bool>> {
        if guarantee.is_nothing() {
            return Ok(Some(true));
        }
        let Some(left) = self.left.checked_sub(1).filter(|_| ply < MAX_SEARCH_PLIES) else { return Ok(None) };
        self.left = left;
        self.meter.spend(32)?;
        let then = guarantee.after_a_ply();
        let replies = self.add_moves(at)?;
        let mut found = Some(false);
        for n in replies.clone() {
            let is_enough = match self.moves[n].end {
                Some(end) => then.is_met_by(-end),
                None => self.has_lemma && self.is_settled(&self.moves[n].after, then)?,
            };
            if is_enough {
                found = Some(true);
                break;
            }
        }
        for n in replies.clone() {
            if self.moves[n].end.is_none() && found == Some(false) {
                let after = self.moves[n].after;
                found = self.answers_all(&after, then, ply + 2)?;
            }
        }
        self.moves.truncate(replies.start);
        Ok(found)
    }
}
