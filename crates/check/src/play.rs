//! Claims about play: the player who is not to move can force a result.
//!
//! Positions are taken layer by layer, from the highest, so that each has all that is asked of it
//! when its turn comes: whatever leads to it has a higher layer.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};

use crate::answers::{Answers, Failure, Question, Way};
use crate::family::{Family, Move, Position, canonical};
use crate::header::Header;
use crate::sure::Sure;
use crate::take;

/// Checks that a player, with `mover` the one to move, can force a result. The positions searched are
/// subtracted from those `allowed`. Adds to `claims` the number
/// of claims that this took.
///
/// # Errors
/// The first claim that fails, or what is not an answer.
pub fn check(
    header: &Header,
    (mover, sure): (bool, Sure),
    answers: &mut dyn Answers,
    (threads, allowed): (usize, &AtomicU64),
    claims: &mut u64,
) -> Result<(), Failure> {
    let (family, root) = (&*header.family, &header.position);
    if let Some(end) = family.end(root) {
        let own = if mover { end } else { -end };
        return if sure.is_met_by(own) { Ok(()) } else { Err(refuted(family, root, sure, "play has ended")) };
    }
    let mut open = Open { layers: BTreeMap::new(), most: header.claims, count: 0 };
    let (mut moves, mut replies) = (Vec::new(), Vec::new());
    if mover {
        family.moves(root, &mut replies);
        let question = Question { at: root, sure, mv: None, replies: &replies };
        answered(family, &question, answers, &mut open)?;
    } else {
        open.push(family, root, sure)?;
    }
    while let Some(layer) = open.highest() {
        *claims += layer.len() as u64;
        if *claims > header.claims {
            return Err(too_many(header.claims));
        }
        let mut searched = Vec::new();
        for &(at, sure) in &layer {
            match answers.way(&at, sure)? {
                Way::Search => searched.push((at, sure)),
                Way::Pairs(pairs) => check_pairs(family, &at, sure, &pairs)?,
                Way::Moves => {
                    family.moves(&at, &mut moves);
                    take(allowed, moves.len() as u64 * family.work())?;
                    for mv in &moves {
                        let sure = sure.after_a_ply();
                        if let Some(end) = mv.end {
                            if !sure.is_met_by(end) {
                                let how = format!("{} ends play", family.write_move(mv.number));
                                return Err(refuted(family, &at, sure, &how));
                            }
                            continue;
                        }
                        family.moves(&mv.after, &mut replies);
                        take(allowed, replies.len() as u64 * family.work())?;
                        let question = Question { at: &at, sure, mv: Some(mv), replies: &replies };
                        answered(family, &question, answers, &mut open)?;
                    }
                }
            }
        }
        if !answers.has_searched() {
            search_all(header, &searched, threads, allowed)?;
        }
    }
    Ok(())
}

/// Claims that are still to be shown, by layer.
struct Open {
    layers: BTreeMap<u32, Vec<(Position, Sure)>>,
    /// The number of claims that are announced.
    most: u64,
    /// At least the number of claims that wait.
    count: u64,
}

impl Open {
    /// Adds a claim.
    ///
    /// # Errors
    /// If more wait than are announced.
    fn push(&mut self, family: &dyn Family, at: &Position, sure: Sure) -> Result<(), Failure> {
        let at = canonical(family, at, sure);
        self.layers.entry(family.layer(&at)).or_default().push((at, sure));
        self.count += 1;
        // Claims about one position are one: as many may wait again, and some.
        if self.count / 2 > self.most.saturating_add(1 << 10) {
            self.layers.values_mut().for_each(unite);
            self.count = self.layers.values().map(|layer| layer.len() as u64).sum();
            if self.count > self.most {
                return Err(too_many(self.most));
            }
        }
        Ok(())
    }

    fn highest(&mut self) -> Option<Vec<(Position, Sure)>> {
        let (_, mut layer) = self.layers.pop_last()?;
        self.count = self.count.saturating_sub(layer.len() as u64);
        unite(&mut layer);
        Some(layer)
    }
}

fn too_many(announced: u64) -> Failure {
    Failure::NotACertificate(format!("more claims than the {announced} announced"))
}

/// Sorts claims, and leaves of several about one position the strongest.
fn unite(claims: &mut Vec<(Position, Sure)>) {
    claims.sort_unstable_by_key(|&(at, sure)| (at, std::cmp::Reverse(sure)));
    claims.dedup_by_key(|claim| claim.0);
}

/// Has a move answered, and leaves what is to be sure after the reply.
fn answered(
    family: &dyn Family,
    question: &Question<'_>,
    answers: &mut dyn Answers,
    open: &mut Open,
) -> Result<(), Failure> {
    let (sure, then) = (question.sure, question.sure.after_a_ply());
    let is_enough = |reply: &Move| reply.end.map_or(then.is_nothing(), |end| then.is_met_by(-end));
    if sure.is_nothing() || question.replies.iter().any(is_enough) {
        return Ok(());
    }
    let reply = question.replies[answers.reply(question)?];
    if reply.end.is_some() || then.is_too_much() {
        let how = format!("the reply {} is not enough", family.write_move(reply.number));
        return Err(refuted(family, question.at, sure, &how));
    }
    open.push(family, &reply.after, then)
}

fn refuted(family: &dyn Family, at: &Position, sure: Sure, how: &str) -> Failure {
    let [_, claimer] = family.players(at);
    let rows = family.write(at).replace('/', "\n  ");
    Failure::NotProved(format!("{claimer} is not shown to be sure {sure}: {how}, in\n\n  {rows}\n"))
}

/// Checks that each line the player to move could make has both cells of a pair.
fn check_pairs(family: &dyn Family, at: &Position, sure: Sure, pairs: &[(usize, usize)]) -> Result<(), Failure> {
    let sets: Vec<u128> = pairs.iter().map(|&(a, b)| 1 << a | 1 << b).collect();
    let apart =
        sets.iter().enumerate().all(|(n, set)| set.count_ones() == 2 && sets[..n].iter().all(|one| one & set == 0));
    let blocks = |line: &u128| sets.iter().any(|set| set & line == *set);
    match family.lines_left(at) {
        Some(lines) if sure.is_at_most_a_draw() && apart && lines.iter().all(blocks) => Ok(()),
        _ => Err(refuted(family, at, sure, "the pairs do not block all lines")),
    }
}

/// Searches claims on some threads. Of those that fail, the first is told.
fn search_all(
    header: &Header,
    claims: &[(Position, Sure)],
    threads: usize,
    allowed: &AtomicU64,
) -> Result<(), Failure> {
    const CHUNK: usize = 64;
    let next = AtomicUsize::new(0);
    let some = || {
        let mut search = EndgameSearch::new(&*header.family);
        loop {
            let from = next.fetch_add(CHUNK, Relaxed);
            let chunk = claims.get(from..claims.len().min(from + CHUNK)).unwrap_or_default();
            for (n, (at, sure)) in (from..).zip(chunk) {
                let is_sure = search.is_sure(at, *sure, header.settle) == Some(true);
                let taken = header.settle - search.left();
                let is_allowed = take(allowed, taken * header.family.work()).is_ok();
                if !is_sure || !is_allowed {
                    // Whoever comes after need not begin.
                    next.store(claims.len(), Relaxed);
                    return Some(n);
                }
            }
            if chunk.is_empty() {
                return None;
            }
        }
    };
    let failed = if threads <= 1 || claims.len() < 2 * CHUNK {
        some()
    } else {
        std::thread::scope(|scope| {
            let all: Vec<_> = (0..threads).map(|_| scope.spawn(some)).collect();
            all.into_iter().filter_map(|one| one.join().unwrap_or(Some(0))).min()
        })
    };
    let Some(&(at, sure)) = failed.and_then(|n| claims.get(n)) else { return Ok(()) };
    match EndgameSearch::new(&*header.family).refuted(&at, sure, header.settle) {
        Some(failure) => Err(failure),
        // The result can be forced, but not within the positions allowed.
        None => take(allowed, u64::MAX),
    }
}

/// A plain search of all that can follow a position.
#[derive(Debug)]
pub struct EndgameSearch<'f> {
    family: &'f dyn Family,
    /// Positions that may yet be searched.
    left: u64,
    /// Lists of moves to use again.
    spare: Vec<Vec<Move>>,
}

impl<'f> EndgameSearch<'f> {
    /// A search by these rules.
    #[must_use]
    pub fn new(family: &'f dyn Family) -> Self {
        Self { family, left: 0, spare: Vec::new() }
    }

    /// Whether the player who is not to move can force `sure`; `None` if that would take more
    /// than `most` positions.
    pub fn is_sure(&mut self, at: &Position, sure: Sure, most: u64) -> Option<bool> {
        self.left = most;
        self.holds(at, sure)
    }

    /// The positions that the last search left.
    pub fn left(&self) -> u64 {
        self.left
    }

    fn outlasts(&self, at: &Position) -> bool {
        self.family.outlasts_by(at).is_some_and(|moves| moves >= 0)
    }

    fn holds(&mut self, at: &Position, sure: Sure) -> Option<bool> {
        if sure.is_nothing() || sure.is_at_most_a_draw() && self.family.mover_cannot_win(at) {
            return Some(true);
        }
        if sure.is_at_most_a_win() && self.outlasts(at) {
            return Some(true);
        }
        if sure.is_too_much() {
            return Some(false);
        }
        let mut moves = self.spare.pop().unwrap_or_default();
        self.family.moves(at, &mut moves);
        let mut found = Some(true);
        for mv in &moves {
            found = self.has_reply(mv, sure.after_a_ply());
            if found != Some(true) {
                break;
            }
        }
        self.spare.push(moves);
        found
    }

    fn has_reply(&mut self, mv: &Move, sure: Sure) -> Option<bool> {
        if let Some(end) = mv.end {
            return Some(sure.is_met_by(end));
        }
        if sure.is_nothing() {
            return Some(true);
        }
        self.left = self.left.checked_sub(1)?;
        let then = sure.after_a_ply();
        let mut replies = self.spare.pop().unwrap_or_default();
        self.family.moves(&mv.after, &mut replies);
        let is_enough = |reply: &Move| match reply.end {
            Some(end) => then.is_met_by(-end),
            None => then.is_at_most_a_win() && self.outlasts(&reply.after),
        };
        let mut found = Some(replies.iter().any(is_enough));
        for reply in replies.iter().filter(|reply| reply.end.is_none()) {
            if found != Some(false) {
                break;
            }
            found = self.holds(&reply.after, then);
        }
        self.spare.push(replies);
        found
    }

    /// How a claim fails, if it does.
    fn refuted(&mut self, at: &Position, sure: Sure, most: u64) -> Option<Failure> {
        let mut moves = Vec::new();
        self.family.moves(at, &mut moves);
        self.left = most;
        for mv in &moves {
            let how = match self.has_reply(mv, sure.after_a_ply()) {
                Some(true) => continue,
                Some(false) => format!("nothing answers {}", self.family.write_move(mv.number)),
                None => format!("a search of {most} positions is not enough"),
            };
            return Some(refuted(self.family, at, sure, &how));
        }
        None
    }
}
