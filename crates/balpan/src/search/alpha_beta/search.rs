//! One null-window search, by one thread or several.

use crate::game::{Game, OracleProbe};
use crate::search::codes::ValueCodec;
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::parallel::{Interrupt, Path, Searcher, Worker, deferred_rank, is_path_check_due};
use crate::search::table::{Slot, TranspositionTable};
use crate::search::workers::TableSearch;
use crate::value::{Bounds, Turn, Value};

/// The game and the tables that one search uses.
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

/// The search of one worker.
pub(super) struct Search<'a, G: Game> {
    shared: &'a TableSearch<'a>,
    game: &'a G,
    keys: &'a Keys<G::Position>,
    codec: ValueCodec,
    oracle: Option<&'a OracleProbe>,
    table: &'a TranspositionTable,
    /// The unsearched children of all nodes on the current path, end to end.
    children: Vec<Child<G::Position>>,
    searcher: Searcher<'a>,
    /// The nodes on the path, if several workers share the search.
    path: Path<PathNode, Value>,
    /// The share of the whole search that is done, and that of the current node, for the watch. `None` for all
    /// workers but the first.
    progress: Option<(f64, f64)>,
    /// Whether the next node is expected to be an ALL-node, in which no child fails high. The first child of
    /// an expected CUT-node is one; all other children of either are expected CUT-nodes.
    is_all_node: bool,
    limit: DepthLimit,
}

/// A node on the current path: its slot in the table, and the threshold that it is tested against.
#[derive(Clone, Copy)]
struct PathNode {
    slot: Slot,
    threshold: Value,
}

/// A position to be searched.
#[derive(Clone)]
struct Node<Position> {
    /// The position, in canonical form if it has a slot.
    position: Position,
    /// The game's own bounds.
    bounds: Bounds,
    /// The slot in the table; `None` if the position is not stored.
    slot: Option<Slot>,
    /// The forced moves that led here from the position given to [`make_node`](Search::make_node).
    forced: Forced,
}

/// A number of forced moves, and which of them keep the turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Forced {
    plies: u16,
    /// Bit `n` is set if move `n` keeps the turn.
    kept: u16,
}

impl Forced {
    #[inline]
    fn push(&mut self, turn: Turn) {
        self.kept |= u16::from(turn == Turn::Kept) << self.plies;
        self.plies += 1;
    }

    #[inline]
    const fn turn<G: Game>(self, ply: u16) -> Turn {
        if G::TURNS_ALTERNATE || self.kept >> ply & 1 == 0 { Turn::Passes } else { Turn::Kept }
    }

    /// Returns the value of the position before the moves, given that of the position after them.
    #[inline]
    fn to_ancestor<G: Game>(self, value: Value) -> Value {
        (0..self.plies).rev().fold(value, |value, ply| self.turn::<G>(ply).to_parent(value))
    }

    /// Returns the threshold for the position after the moves, given that for the position before them.
    #[inline]
    fn threshold<G: Game>(self, threshold: Value) -> Value {
        (0..self.plies).fold(threshold, |threshold, ply| self.turn::<G>(ply).child_threshold(threshold))
    }

    /// Returns whether the player to move is the other one than before the moves.
    #[inline]
    const fn changes_player<G: Game>(self) -> bool {
        let kept = if G::TURNS_ALTERNATE { 0 } else { self.kept.count_ones() };
        (self.plies as u32 - kept) % 2 == 1
    }
}

/// The node that a candidate move leads to.
#[derive(Clone)]
struct Child<Position> {
    rank: i32,
    /// The index of the move among the candidates, in the game's order.
    number: u8,
    turn: Turn,
    node: Node<Position>,
}

/// The number that stands for no move.
const NO_MOVE: u8 = u8::MAX;

/// The highest rank of a child that another worker is searching (ABDADA): it is searched last.
const DEFERRED: i32 = i32::MIN + u8::MAX as i32;

/// In an expected ALL-node of at most this many children, the first child may be deferred as well: workers that all begin
/// with it would have hardly anything left to share. Wider nodes have enough to share, and searching beside the first
/// child is wasted where the expectation is wrong.
const MAX_DEFERRED_FIRST_CHILDREN: usize = 8;

/// The number of plies from the root to which the reported progress is divided.
const PROGRESS_PLIES: u32 = 5;

const MOVE_BITS: u32 = 6;

/// The number of forced moves that are followed without a node of their own. Only nodes check the stack and poll for
/// an interrupt, and a game that breaks its promises may go on for ever.
const MAX_FORCED_PLIES: u16 = 16;

/// The number of positions after which a worker reports its count.
const REPORT_INTERVAL: u64 = 1 << 12;

impl<'a, G: Game> Search<'a, G> {
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
            path: Path::default(),
            progress: (worker.number() == 0).then_some((0.0, 1.0)),
            is_all_node: true,
            limit: DepthLimit::new(game.max_plies(root)),
        }
    }

    pub(super) fn run(mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        let result = self.search(position, threshold);
        self.searcher.report();
        result
    }

    /// Tests whether the value of the position is better than `threshold`. Returns a lower bound that is better, or an
    /// upper bound that is not.
    fn search(&mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        match self.make_node(position, threshold) {
            Ok(node) => self.search_child(&node, threshold, 0),
            Err(answer) => Ok(answer),
        }
    }

    /// Makes the node of a position, after the forced moves from there; or returns the answer to the test if the rules or
    /// the game's bounds decide it.
    #[inline]
    fn make_node(&self, position: &G::Position, mut threshold: Value) -> Result<Node<G::Position>, Value> {
        let game = self.game;
        let mut followed;
        let mut position = position;
        let mut forced = Forced::default();
        loop {
            if game.is_over(position) {
                return Err(forced.to_ancestor::<G>(game.end_value(position)));
            }
            let bounds = game.bounds(position, threshold);
            if let Some(answer) = bounds.decide(threshold) {
                return Err(forced.to_ancestor::<G>(answer));
            }
            if forced.plies < MAX_FORCED_PLIES
                && let Some(mv) = single(game.candidates(position))
            {
                let after = game.play(position, mv);
                let turn = game.turn(position, mv, &after);
                followed = after;
                position = &followed;
                threshold = turn.child_threshold(threshold);
                forced.push(turn);
                continue;
            }
            // A position with a forced move is not stored: the one after it is.
            if forced.plies == MAX_FORCED_PLIES || !game.is_cacheable(position) {
                return Ok(Node { position: position.clone(), bounds, slot: None, forced });
            }
            let position = game.canonical(position);
            let slot = self.keys.key(game, &position).map(|key| self.table.slot(key));
            if let Some(slot) = slot {
                self.table.prefetch(slot);
            }
            return Ok(Node { position, bounds, slot, forced });
        }
    }

    /// As [`search`](Self::search), for the position that the node was made from, before its forced moves.
    fn search_child(&mut self, node: &Node<G::Position>, threshold: Value, ply: u32) -> Result<Value, Interrupt> {
        let value =
            self.search_node(node, node.forced.threshold::<G>(threshold), ply + u32::from(node.forced.plies))?;
        Ok(node.forced.to_ancestor::<G>(value))
    }

    /// As [`search`](Self::search), for a node.
    fn search_node(&mut self, node: &Node<G::Position>, threshold: Value, ply: u32) -> Result<Value, Interrupt> {
        self.limit.check(ply)?;
        self.searcher.count()?;
        let Node { ref position, mut bounds, slot, .. } = *node;
        let entry = self.probe(slot);
        if let Some(entry) = entry {
            bounds.lower = bounds.lower.max(entry.bounds.lower);
            bounds.upper = bounds.upper.min(entry.bounds.upper);
            if let Some(answer) = bounds.decide(threshold) {
                return Ok(answer);
            }
        }
        let shares = self.shared.claims().is_some();
        if shares && is_path_check_due(self.searcher.positions()) {
            self.check_path()?;
        }
        let before = self.searcher.positions();
        let first = self.children.len();
        let index = self.path.enter(slot.filter(|_| shares).map(|slot| PathNode { slot, threshold }));
        let best_number = entry.map_or(NO_MOVE, |entry| entry.best_move);
        let oracle_value = self.oracle.and_then(|oracle| oracle.value_in_search(self.game, position));
        let best = match oracle_value.or_else(|| self.game.settle(position, threshold)) {
            Some(answer) => Ok((answer, best_number)),
            None => self.search_moves(position, best_number, threshold, ply),
        };
        self.children.truncate(first);
        if let Some(answer) = self.path.leave(index, &best) {
            return Ok(answer);
        }
        let (value, number) = best?;
        let value = value.max(bounds.lower).min(bounds.upper);
        if let Some(slot) = slot {
            if value > threshold {
                bounds.lower = value;
            } else {
                bounds.upper = value;
            }
            let entry = Entry { bounds, best_move: number };
            let (packed, work) = (entry.pack(self.codec), self.searcher.positions() - before);
            self.searcher.note_filled(self.table.store(slot, packed, work));
            if let Some(journal) = self.shared.journal
                && work >= journal.min_work()
                && let Some(key) = self.keys.key(self.game, position)
            {
                journal.append(key, packed, work);
            }
        }
        Ok(value)
    }

    /// Returns the entry of a slot.
    #[inline]
    fn probe(&self, slot: Option<Slot>) -> Option<Entry> {
        self.table.probe(slot?).map(|payload| Entry::unpack(payload, self.codec))
    }

    /// Returns the value of the best candidate and its number: the first that fails high, if one does. Leaves the
    /// node's children in `self.children`.
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

    /// Appends to `self.children` the candidates that have to be searched. Returns the best of the others and its
    /// number: the first that fails high, if one does.
    #[inline]
    fn expand(&mut self, position: &G::Position, best_number: u8, threshold: Value) -> (Value, u8) {
        let game = self.game;
        // Lower than the value of every move, which takes a ply at least.
        let mut best = (Value::loss(0), NO_MOVE);
        for (number, mv) in game.candidates(position).enumerate() {
            let number = number.min(NO_MOVE.into()) as u8;
            let after = game.play(position, mv);
            let turn = game.turn(position, mv, &after);
            match self.make_node(&after, turn.child_threshold(threshold)) {
                Ok(node) => {
                    let is_best = number == best_number && u64::from(number) < Entry::MAX_MOVES;
                    let rank = if is_best { i32::MAX } else { game.rank(position, mv, &after).max(DEFERRED + 1) };
                    self.children.push(Child { rank, number, turn, node });
                }
                Err(answer) => {
                    let value = turn.to_parent(answer);
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

    /// Removes from `self.children`, from `first` on, those that the table answers (enhanced transposition cutoffs).
    /// Returns the best of these and `best`: the first that fails high, if one does.
    ///
    /// Source: A. Plaat et al., "Nearly optimal minimax tree search?" (1994).
    #[inline]
    fn probe_children(&mut self, mut best: (Value, u8), threshold: Value, first: usize) -> (Value, u8) {
        let mut next = first;
        while let Some(Child { number, turn, node, .. }) = self.children.get(next) {
            let turn = turn.as_declared::<G>();
            let entry = self.probe(node.slot);
            let then = node.forced.threshold::<G>(turn.child_threshold(threshold));
            let Some(answer) = entry.and_then(|entry| entry.bounds.decide(then)) else {
                next += 1;
                continue;
            };
            let value = turn.to_parent(node.forced.to_ancestor::<G>(answer));
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

    /// Searches the children from `first` on, up to one that fails high. Returns the best of them and `best`.
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
        // The number of positions searched when a child was first deferred.
        let mut deferred = None;
        while next < end {
            self.select_best_child(next);
            let Child { rank, number, turn, node } = self.children[next].clone();
            let turn = turn.as_declared::<G>();
            let mut claimed = None;
            // The first child of an expected CUT-node is never deferred: it is expected to be enough.
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
            self.is_all_node = match turn {
                Turn::Passes => next == first && !is_all_node,
                Turn::Kept => next > first || is_all_node,
            };
            // Each change of the player turns the expectation round.
            self.is_all_node ^= node.forced.changes_player::<G>();
            let value = self.search_child(&node, turn.child_threshold(threshold), ply + 1);
            if let Some((claims, name)) = claimed {
                claims.release(name);
            }
            let value = turn.to_parent(value?);
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

    /// Interrupts the search if another worker has answered a node on the path.
    fn check_path(&mut self) -> Result<(), Interrupt> {
        self.shared.check_interrupt()?;
        let (table, codec) = (self.table, self.codec);
        self.path.check(|node| Entry::unpack(table.probe(node.slot)?, codec).bounds.decide(node.threshold))
    }

    /// Swaps the child of the highest rank from `next` on to the index `next`.
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

    /// Reports to the watch, near the root, that the first `done` of `all` children are done, and sets the progress of
    /// the next one.
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

/// Returns the only item; `None` if there are several or none.
#[inline]
fn single<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}

/// The entry of a position in the table.
#[derive(Clone, Copy)]
pub(super) struct Entry {
    pub(super) bounds: Bounds,
    /// The number of the candidate that was best, or failed high; [`Entry::MAX_MOVES`] or more if there is none, or its
    /// number is too large.
    best_move: u8,
}

impl Entry {
    const MAX_MOVES: u64 = (1 << MOVE_BITS) - 1;

    /// Returns the number of bits of an entry: a lower and an upper bound, and the number of the best move.
    pub(super) const fn bits(codec: ValueCodec) -> u32 {
        2 * codec.bits() + MOVE_BITS
    }

    /// Creates an entry without a best move.
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
