//! One question asked of one position, by one thread or several.

use crate::codes::ValueCodec;
use crate::game::Game;
use crate::hints::Hints;
use crate::keyed::Keyed;
use crate::keys::Keys;
use crate::length::DepthLimit;
use crate::oracle::OracleProbe;
use crate::parallel::{Interrupt, Searcher};
use crate::parallel::{Worker, deferred_rank};
use crate::table::{Slot, TranspositionTable};
use crate::value::{Bounds, Value};
use crate::workers::TableSearch;

/// What is searched, and how it is remembered.
pub(super) struct SearchContext<'a, G: Game> {
    pub(super) game: &'a G,
    pub(super) keys: &'a Keys<G::Position>,
    pub(super) codec: ValueCodec,
    pub(super) oracle: Option<&'a OracleProbe>,
}

impl<G: Game> Clone for SearchContext<'_, G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for SearchContext<'_, G> {}

/// One thread's search.
pub(super) struct Search<'a, G: Game> {
    shared: &'a TableSearch<'a>,
    game: &'a G,
    keys: &'a Keys<G::Position>,
    codec: ValueCodec,
    oracle: Option<&'a OracleProbe>,
    table: &'a TranspositionTable,
    /// What is still to be visited after the positions on the current path, end to
    /// end.
    children: Vec<Child<G::Position>>,
    searcher: Searcher<'a>,
    /// The questions that led here, where threads share the work: from the root, as far as they
    /// are remembered.
    path: Vec<PathNode>,
    /// The first of them that another thread has answered_ancestor, by its slot in `path`, and the answer.
    answered_ancestor: (usize, Value),
    /// Of the whole work, how much is done and how much is in hand, for the watch;
    /// `None` for all threads but one.
    progress: Option<(f64, f64)>,
    /// Whether, in the position that is visited next, no candidate is expected to be more than is asked.
    /// Where one is expected to be, it is the first, and none is after that; after any other candidate one is.
    is_all_node: bool,
    limit: DepthLimit,
}

/// Whether a position is worth more than `threshold`, and where its answer is to be found.
#[derive(Clone, Copy)]
struct PathNode {
    slot: Slot,
    threshold: Value,
}

/// A position to be visited.
#[derive(Clone)]
struct Node<Position> {
    /// In canonical form if it has a slot.
    position: Position,
    /// What the game says of it.
    bounds: Bounds,
    /// Where it belongs in the table; `None` if it is not to be remembered.
    slot: Option<Slot>,
    /// The plies to it from the position that was opened, along which there was one candidate.
    plies: u32,
}

/// Where a candidate leads.
#[derive(Clone)]
struct Child<Position> {
    rank: i32,
    /// Its slot in the game's own order.
    number: u8,
    node: Node<Position>,
}

/// The number of no candidate that can be kept.
const NO_MOVE: u8 = u8::MAX;

/// Candidates that another worker was searching have this rank or a lower one: they are tried last.
const DEFERRED: i32 = i32::MIN + u8::MAX as i32;

/// Where no candidate is expected to be more than is asked, and there are at most this many, the first may be deferred as
/// well: workers that all begin with it would have hardly anything left to share. Wider positions have enough to progress, and
/// what is searched beside the first candidate is in vain where the expectation is wrong.
const MAX_DEFERRED_FIRST_CHILDREN: usize = 8;

/// The work is shared out, to report how much is done, up to this many plies from the
/// root.
const PROGRESS_PLIES: u32 = 5;

const MOVE_BITS: u32 = 6;

/// A candidate that is the only one is followed for at most this many plies without a search, which
/// heeds others and the stack: a game that is wrong may go on for ever.
const MAX_FORCED_PLIES: u32 = 16;

/// A search reports its positions each time it has visited this many positions.
const REPORT_INTERVAL: u64 = 1 << 12;

/// It looks whether others have answered_ancestor what led to its question, each time it has visited this many.
const POLL_INTERVAL: u64 = 1 << 8;

impl<'a, G: Keyed + Hints> Search<'a, G> {
    pub(super) fn new(
        context: SearchContext<'a, G>,
        shared: &'a TableSearch<'a>,
        root: &G::Position,
        worker: Worker<'a>,
    ) -> Self {
        let SearchContext { game, keys, codec, oracle } = context;
        Self {
            shared,
            game,
            keys,
            codec,
            oracle,
            table: shared.table,
            children: Vec::new(),
            searcher: Searcher::new(shared, worker, REPORT_INTERVAL),
            path: Vec::new(),
            answered_ancestor: (0, Value::DRAW),
            progress: (worker.number() == 0).then_some((0.0, 1.0)),
            is_all_node: true,
            limit: DepthLimit::new(game.layer(root)),
        }
    }

    pub(super) fn run(mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        let result = self.search(position, threshold);
        self.searcher.report();
        result
    }

    /// Whether the position is worth more than `threshold`: a lower bound that is more,
    /// or an upper bound that is not.
    fn search(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        match self.make_node(position, threshold) {
            Ok(node) => self.search_child(&node, threshold, 0),
            Err(answer) => Ok(answer),
        }
    }

    /// A position that is to be searched; or what can be said of it without. While there is one
    /// candidate, for some plies, it is what that leads to.
    #[inline]
    fn make_node(&self, position: &G::Position, mut threshold: Value) -> Result<Node<G::Position>, Value> {
        let game = self.game;
        let mut followed;
        let mut position = position;
        let mut plies = 0;
        loop {
            if game.is_over(position) {
                return Err(to_ancestor(Value::terminal(game.end(position)), plies));
            }
            let bounds = game.bounds(position, threshold);
            if let Some(answer) = bounds.decide(threshold) {
                return Err(to_ancestor(answer, plies));
            }
            if plies < MAX_FORCED_PLIES
                && let Some(mv) = single(game.candidates(position))
            {
                followed = game.play(position, mv);
                position = &followed;
                threshold = threshold.child_threshold();
                plies += 1;
                continue;
            }
            // Where there is one candidate, what it leads to has a slot.
            if plies == MAX_FORCED_PLIES || !game.is_cacheable(position) {
                return Ok(Node { position: position.clone(), bounds, slot: None, plies });
            }
            let position = game.canonical(position);
            let slot = self.keys.key(game, &position).map(|key| self.table.slot(key));
            if let Some(slot) = slot {
                self.table.prefetch(slot);
            }
            return Ok(Node { position, bounds, slot, plies });
        }
    }

    /// As [`search`](Self::search), of the position that was opened.
    fn search_child(&mut self, node: &Node<G::Position>, mut threshold: Value, ply: u32) -> Result<Value, Interrupt> {
        for _ in 0..node.plies {
            threshold = threshold.child_threshold();
        }
        Ok(to_ancestor(self.search_node(node, threshold, ply + node.plies)?, node.plies))
    }

    /// As [`search`](Self::search), of an open position.
    fn search_node(&mut self, node: &Node<G::Position>, threshold: Value, ply: u32) -> Result<Value, Interrupt> {
        self.limit.check(ply)?;
        self.searcher.count()?;
        let Node { ref position, mut bounds, slot, .. } = *node;
        let known = slot.and_then(|slot| self.table.probe(slot)).map(|kept| Entry::unpack(kept, self.codec));
        if let Some(known) = known {
            bounds.lower = bounds.lower.max(known.bounds.lower);
            bounds.upper = bounds.upper.min(known.bounds.upper);
            if let Some(answer) = bounds.decide(threshold) {
                return Ok(answer);
            }
        }
        if self.searcher.positions().is_multiple_of(POLL_INTERVAL) && self.shared.claims().is_some() {
            self.check_interrupt()?;
        }
        let before = self.searcher.positions();
        let first = self.children.len();
        let path_len = self.path.len();
        let shares = self.shared.claims().is_some();
        self.path.extend(slot.filter(|_| shares).map(|slot| PathNode { slot, threshold }));
        let best_number = known.map_or(NO_MOVE, |known| known.best_move);
        let oracle_value = self.oracle.and_then(|oracle| oracle.value_in_search(self.game, position));
        let best = match oracle_value.or_else(|| self.game.settle(position, threshold)) {
            Some(answer) => Ok((answer, best_number)),
            None => self.search_moves(position, best_number, threshold, ply),
        };
        self.children.truncate(first);
        let is_on_path = self.path.len() > path_len;
        self.path.truncate(path_len);
        let (value, number) = match best {
            Err(Interrupt::Answered) if is_on_path && self.answered_ancestor.0 == path_len => {
                return Ok(self.answered_ancestor.1);
            }
            best => best?,
        };
        let value = value.max(bounds.lower).min(bounds.upper);
        if let Some(slot) = slot {
            if value > threshold {
                bounds.lower = value;
            } else {
                bounds.upper = value;
            }
            let known = Entry { bounds, best_move: number };
            let (packed, work) = (known.pack(self.codec), self.searcher.positions() - before);
            self.searcher.note_filled(self.table.store(slot, packed, work));
            if let Some(journal) = self.shared.journal
                && work >= journal.min_work()
                && let Some(key) = self.keys.key(self.game, position)
            {
                journal.keep(key, packed, work);
            }
        }
        Ok(value)
    }

    /// The best of the position's candidates and its number: the first that is more than
    /// `threshold`, if any is. Leaves in `self.children` what was to be visited.
    #[inline]
    fn search_moves(
        &mut self,
        position: &G::Position,
        best_number: u8,
        threshold: Value,
        ply: u32,
    ) -> Result<(Value, u8), Interrupt> {
        let first = self.children.len();
        let best = self.expand(position, best_number, threshold);
        let best = if best.0 > threshold { best } else { self.probe_children(best, threshold, first) };
        if best.0 > threshold { Ok(best) } else { self.search_children(best, threshold, first, ply) }
    }

    /// Appends to `self.children` the candidates that have to be visited. Of the others,
    /// the best, as far as it is known: the first that is more than `threshold`, if any
    /// is.
    #[inline]
    fn expand(&mut self, position: &G::Position, best_number: u8, threshold: Value) -> (Value, u8) {
        let game = self.game;
        // No move is worth as little as this: it takes a ply at least.
        let mut best = (Value::loss(0), NO_MOVE);
        for (number, mv) in game.candidates(position).enumerate() {
            let number = number.min(NO_MOVE.into()) as u8;
            let after = game.play(position, mv);
            match self.make_node(&after, threshold.child_threshold()) {
                Ok(node) => {
                    let is_best = number == best_number && u64::from(number) < Entry::MAX_MOVES;
                    let rank = if is_best { i32::MAX } else { game.rank(position, mv, &after).max(DEFERRED + 1) };
                    self.children.push(Child { rank, number, node });
                }
                Err(answer) => {
                    let value = answer.to_parent();
                    if value > best.0 {
                        best = (value, number);
                    }
                    if value > threshold {
                        break;
                    }
                }
            }
        }
        best
    }

    /// Removes from `self.children`, from `first` on, what the table answers. The best of
    /// those and `best`: the first that is more than `threshold`, if any is.
    ///
    /// Source: A. Plaat et al., "Nearly optimal minimax tree search?" (1994), where it
    /// is called enhanced transposition cutoffs.
    #[inline]
    fn probe_children(&mut self, mut best: (Value, u8), threshold: Value, first: usize) -> (Value, u8) {
        let mut next = first;
        while let Some(Child { number, node, .. }) = self.children.get(next) {
            let known = node.slot.and_then(|slot| self.table.probe(slot)).map(|kept| Entry::unpack(kept, self.codec));
            let then = (0..=node.plies).fold(threshold, |threshold, _| threshold.child_threshold());
            let Some(answer) = known.and_then(|known| known.bounds.decide(then)) else {
                next += 1;
                continue;
            };
            let value = to_ancestor(answer, node.plies + 1);
            if value > best.0 {
                best = (value, *number);
            }
            if value > threshold {
                break;
            }
            self.children.remove(next);
        }
        best
    }

    /// The best of `best` and the candidates in `self.children` from `first` on, up to one
    /// that is more than `threshold`.
    fn search_children(
        &mut self,
        mut best: (Value, u8),
        threshold: Value,
        first: usize,
        ply: u32,
    ) -> Result<(Value, u8), Interrupt> {
        let end = self.children.len();
        let (progress, is_all_node) = (self.progress, self.is_all_node);
        let shares_first = is_all_node && end - first <= MAX_DEFERRED_FIRST_CHILDREN;
        let mut next = first;
        // The positions that were searched when the first candidate was deferred.
        let mut deferred = None;
        while next < end {
            self.select_best_child(next);
            let Child { rank, number, node } = self.children[next].clone();
            let mut claimed = None;
            // Where one candidate is expected to be enough, it is not left for others.
            if let (Some(claims), Some(slot)) = (self.shared.claims(), node.slot)
                && (next > first || shares_first)
                && rank > DEFERRED
            {
                if claims.claim(slot.hash()) {
                    claimed = Some((claims, slot.hash()));
                } else if self.searcher.may_defer() {
                    self.children[next].rank = i32::MIN + i32::from(deferred_rank(self.searcher.worker(), slot.hash()));
                    deferred = deferred.or(Some(self.searcher.positions()));
                    continue;
                }
            }
            let before = self.searcher.positions();
            self.report_progress(progress, ply, next - first, end - first);
            // With each ply along which there is one candidate it is the other way round.
            self.is_all_node = (next == first && !is_all_node) == node.plies.is_multiple_of(2);
            let value = self.search_child(&node, threshold.child_threshold(), ply + 1);
            if let Some((claims, name)) = claimed {
                claims.release(name);
            }
            let value = value?.to_parent();
            if value > best.0 {
                best = (value, number);
            }
            if value > threshold {
                if let Some(deferred) = deferred.filter(|_| rank <= DEFERRED) {
                    self.searcher.note_waste(before - deferred);
                }
                break;
            }
            next += 1;
        }
        self.progress = progress;
        Ok(best)
    }

    /// Leaves what is searched here if another thread has answered_ancestor a question that led to it: the
    /// first such question has that answer.
    fn check_interrupt(&mut self) -> Result<(), Interrupt> {
        self.shared.check_interrupt()?;
        for (at, question) in self.path.iter().enumerate() {
            let kept = self.table.probe(question.slot);
            if let Some(answer) =
                kept.and_then(|kept| Entry::unpack(kept, self.codec).bounds.decide(question.threshold))
            {
                self.answered_ancestor = (at, answer);
                return Err(Interrupt::Answered);
            }
        }
        Ok(())
    }

    /// Brings the best ranked candidate from `next` on to that slot.
    #[inline]
    fn select_best_child(&mut self, next: usize) {
        let mut best = next;
        for i in next + 1..self.children.len() {
            if self.children[i].rank > self.children[best].rank {
                best = i;
            }
        }
        if best != next {
            self.children.swap(next, best);
        }
    }

    /// Tells the watch, near the root, that the first `done` of `all` candidates are
    /// done, and goes on with the next one's share of the whole work.
    fn report_progress(&mut self, progress: Option<(f64, f64)>, ply: u32, done: usize, all: usize) {
        if ply < PROGRESS_PLIES
            && let Some((before, width)) = progress
        {
            let width = width / all as f64;
            let before = before + width * done as f64;
            self.shared.watch.set_progress(before);
            self.progress = Some((before, width));
        }
    }
}

/// The item, if there is one alone.
#[inline]
fn single<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// What a value is worth to whoever moved `plies` plies before.
#[inline]
fn to_ancestor(value: Value, plies: u32) -> Value {
    (0..plies).fold(value, |value, _| value.to_parent())
}

/// What the table keeps of a position.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) bounds: Bounds,
    /// The number of the candidate that was best, or refuted; [`Entry::MAX_MOVES`] or more if it is
    /// not known, or too large to be kept.
    best_move: u8,
}

impl Entry {
    const MAX_MOVES: u64 = (1 << MOVE_BITS) - 1;

    /// The number of bits of what the table keeps: a lower and an upper bound, and the
    /// best candidate's number.
    pub(super) const fn bits(codec: ValueCodec) -> u32 {
        2 * codec.bits() + MOVE_BITS
    }

    /// Bounds without a best candidate.
    pub(super) const fn from_bounds(bounds: Bounds) -> Self {
        Self { bounds, best_move: NO_MOVE }
    }

    #[inline]
    pub(super) fn pack(self, codec: ValueCodec) -> u64 {
        let best = u64::from(self.best_move).min(Self::MAX_MOVES);
        (codec.encode_lower(self.bounds.lower) << codec.bits() | codec.encode_upper(self.bounds.upper)) << MOVE_BITS
            | best
    }

    #[inline]
    pub(super) fn unpack(payload: u64, codec: ValueCodec) -> Self {
        let code = |shift| codec.decode(payload >> shift & ((1 << codec.bits()) - 1));
        let bounds = Bounds { lower: code(MOVE_BITS + codec.bits()), upper: code(MOVE_BITS) };
        Self { bounds, best_move: (payload & Self::MAX_MOVES) as u8 }
    }
}
