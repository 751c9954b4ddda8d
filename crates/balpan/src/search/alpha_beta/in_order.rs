//! One null-window search of a game that does not look ahead, by one thread.

use std::fmt::{self, Debug};
use std::hash::{BuildHasher, Hash};
use std::iter;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::search::{Entry, SearchContext};
use crate::game::{Game, UNRANKED};
use crate::search::keys::Keys;
use crate::search::length::DepthLimit;
use crate::search::memory::{block_bytes, table_bytes};
use crate::search::parallel::{Interrupt, Searcher, Worker};
use crate::search::ranking::sort_by_rank;
use crate::search::table::Slot;
use crate::search::workers::TableSearch;
use crate::value::{Bounds, Value};

/// The bounds of positions, none of which is replaced, within a number of bytes: by the position as a whole, or by its key, if
/// the game has keys and they are smaller. Once the bytes are used up, further positions are stored in the transposition table, if the
/// game has keys.
pub(super) struct PositionTable<P> {
    entries: HashTable<(P, Bounds)>,
    by_key: Option<HashTable<(Key, Bounds)>>,
    /// The heap bytes of the positions.
    heap_bytes: usize,
    max_bytes: usize,
}

/// A key in words, which takes no more room than its bits.
type Key = (u64, u64);

/// A search by one thread that generates each move once the ones before it are searched, as plain recursion does.
/// Each position that is searched generates its moves once, and each child is played, canonicalised and looked up once.
///
/// Positions keep the orientation in which they are met, and only their keys are canonical: otherwise the order of moves
/// would jump between mirror images, and related positions share fewer successors.
pub(super) struct InOrderSearch<'a, G: Game> {
    context: SearchContext<'a, G>,
    shared: &'a TableSearch<'a>,
    positions: MutexGuard<'a, PositionTable<G::Position>>,
    /// Whether positions are also stored in the transposition table: from the time when there is no room in the other.
    uses_keys: bool,
    searcher: Searcher<'a>,
    limit: DepthLimit,
    /// The share of the whole search that is done, and that of the current position.
    progress: (f64, f64),
}

/// Where a canonical position is stored.
#[derive(Clone, Copy)]
struct Place {
    hash: u64,
    /// The key, if positions are stored by it.
    key: Option<Key>,
    /// The slot in the transposition table, if that is used.
    slot: Option<Slot>,
}

/// The number of plies from the root to which the reported progress is divided.
const PROGRESS_PLIES: u32 = 3;

/// The number of positions after which the search reports its count.
const REPORT_INTERVAL: u64 = 1 << 12;

impl<'a, G: Game> InOrderSearch<'a, G> {
    pub(super) fn new(
        context: SearchContext<'a, G>,
        shared: &'a TableSearch<'a>,
        positions: &'a Mutex<PositionTable<G::Position>>,
        worker: Worker<'a>,
    ) -> Self {
        let positions = PositionTable::lock(positions);
        let uses_keys = context.keys.are_from_game() && (positions.is_full() || shared.journal.is_some());
        Self {
            context,
            shared,
            positions,
            uses_keys,
            searcher: Searcher::new(shared, worker, REPORT_INTERVAL),
            limit: DepthLimit::new(None),
            progress: (0.0, 1.0),
        }
    }

    /// Tests whether the value of the position is better than `threshold`. Returns a lower bound that is better, or an
    /// upper bound that is not.
    pub(super) fn run(mut self, position: &G::Position, threshold: Value) -> Result<Value, Interrupt> {
        self.limit = DepthLimit::new(self.context.game.max_plies(position));
        let result = self.search(position, threshold, 0);
        self.searcher.report();
        result
    }

    /// As [`run`](Self::run), for a position that is `ply` plies from the root.
    fn search(&mut self, position: &G::Position, threshold: Value, ply: u32) -> Result<Value, Interrupt> {
        let game = self.context.game;
        let canonical = game.canonical(position);
        let place = game.is_cacheable(position).then(|| self.place(&canonical));
        let stored = place.and_then(|place| self.probe(place, &canonical));
        if let Some(answer) = stored.and_then(|bounds| bounds.decide(threshold)) {
            return Ok(answer);
        }
        let mut bounds = stored.unwrap_or(Bounds::ANY);
        self.limit.check(ply)?;
        self.searcher.count()?;
        let before = self.searcher.positions();
        let mut moves = game.candidates(position);
        let first = moves.next();
        // Only a position without candidates is asked whether play has ended there.
        let value = if first.is_some() || !game.is_over(position) {
            bounds = bounds.intersect(game.bounds(position, threshold));
            let known = bounds.decide(threshold);
            let known = known.or_else(|| self.context.oracle?.value_in_search(game, position));
            let value = match (known.or_else(|| game.settle(position, threshold)), first) {
                (Some(value), _) => value,
                (None, Some(mv)) => self.search_moves(position, mv, moves, threshold, ply)?,
                // Not in a game that keeps the law of candidates: its bounds decide a position without any.
                (None, None) => Value::loss(0),
            };
            let value = value.max(bounds.lower).min(bounds.upper);
            if value > threshold {
                bounds.lower = value;
            } else {
                bounds.upper = value;
            }
            value
        } else {
            bounds = Bounds::exact(game.end_value(position));
            bounds.lower
        };
        if let Some(place) = place {
            self.store(place, canonical, stored.is_none(), bounds, self.searcher.positions() - before);
        }
        Ok(value)
    }

    /// Returns the value of the best move, of which `mv` is the first: the first that fails high, if one does.
    #[inline]
    fn search_moves(
        &mut self,
        position: &G::Position,
        mut mv: G::Move,
        mut moves: impl Iterator<Item = G::Move>,
        threshold: Value,
        ply: u32,
    ) -> Result<Value, Interrupt> {
        let game = self.context.game;
        let mut progress = Progress::new(self, position, ply);
        // Lower than the value of every move, which takes a ply at least.
        let mut best = Value::loss(0);
        loop {
            let after = game.play(position, mv);
            if progress.done == 0 && game.rank(position, mv, &after) != UNRANKED {
                return self.search_ranked_moves(position, iter::once(mv).chain(moves), threshold, ply);
            }
            progress.begin_move(self);
            let turn = game.turn(position, mv, &after);
            let value = turn.to_parent(self.search(&after, turn.child_threshold(threshold), ply + 1)?);
            best = best.max(value);
            if value > threshold {
                break;
            }
            let Some(next) = moves.next() else { break };
            mv = next;
        }
        progress.end(self);
        Ok(best)
    }

    /// As [`search_moves`](Self::search_moves), by rank.
    fn search_ranked_moves(
        &mut self,
        position: &G::Position,
        moves: impl Iterator<Item = G::Move>,
        threshold: Value,
        ply: u32,
    ) -> Result<Value, Interrupt> {
        let game = self.context.game;
        let ranked = moves.map(|mv| (mv, game.play(position, mv)));
        let ranked =
            ranked.map(|(mv, after)| (game.rank(position, mv, &after), game.turn(position, mv, &after), after));
        let mut ranked: Vec<_> = ranked.collect();
        // The sort is stable, and the first of equal moves is searched first.
        sort_by_rank(&mut ranked, |(rank, ..)| *rank);
        let mut progress = Progress::new(self, position, ply);
        let mut best = Value::loss(0);
        for (_, turn, after) in ranked {
            progress.begin_move(self);
            let value = turn.to_parent(self.search(&after, turn.child_threshold(threshold), ply + 1)?);
            best = best.max(value);
            if value > threshold {
                break;
            }
        }
        progress.end(self);
        Ok(best)
    }

    #[inline]
    fn place(&self, canonical: &G::Position) -> Place {
        let SearchContext { game, keys, .. } = self.context;
        let by_key = self.positions.by_key.is_some();
        let key = if self.uses_keys || by_key { keys.key(game, canonical) } else { None };
        let slot = key.filter(|_| self.uses_keys).map(|key| self.shared.table.slot(key));
        let key = key.filter(|_| by_key).map(words);
        let hash = key.map_or_else(|| FxBuildHasher.hash_one(canonical), |key| FxBuildHasher.hash_one(key));
        Place { hash, key, slot }
    }

    /// Returns the stored bounds of a canonical position.
    #[inline]
    fn probe(&self, place: Place, canonical: &G::Position) -> Option<Bounds> {
        let exact = self.positions.probe(place, canonical);
        exact.or_else(|| {
            let payload = self.shared.table.probe(place.slot?)?;
            Some(Entry::unpack(payload, self.context.codec).bounds)
        })
    }

    /// Stores bounds that took `work` positions to find; `is_new` says that none were stored.
    #[inline]
    fn store(&mut self, place: Place, canonical: G::Position, is_new: bool, bounds: Bounds, work: u64) {
        let SearchContext { game, keys, codec, .. } = self.context;
        if let Some(slot) = place.slot {
            let packed = Entry::from_bounds(bounds).pack(codec);
            self.searcher.note_filled(self.shared.table.store(slot, packed, work));
            if let Some(journal) = self.shared.journal
                && work >= journal.min_work()
                && let Some(key) = keys.key(game, &canonical)
            {
                journal.append(key, packed, work);
            }
        }
        if !is_new && self.positions.replace(place, &canonical, bounds) {
            return;
        }
        if self.positions.is_full() {
            self.uses_keys = keys.are_from_game();
        } else {
            self.positions.insert(game.heap_bytes(&canonical), place, canonical, bounds);
        }
    }
}

/// The progress of the moves of a position near the root, for the watch.
struct Progress {
    /// The share of the whole search that is done before the position, and that of the position.
    before: (f64, f64),
    /// The number of moves; 0 far from the root.
    count: usize,
    /// The number of moves begun.
    done: usize,
}

impl Progress {
    #[inline]
    fn new<G: Game>(search: &InOrderSearch<'_, G>, position: &G::Position, ply: u32) -> Self {
        let count = if ply < PROGRESS_PLIES { search.context.game.candidates(position).count() } else { 0 };
        Self { before: search.progress, count, done: 0 }
    }

    #[inline]
    fn begin_move<G: Game>(&mut self, search: &mut InOrderSearch<'_, G>) {
        if self.count > 0 {
            let (before, width) = (self.before.0, self.before.1 / self.count as f64);
            search.progress = (before + width * self.done as f64, width);
            search.shared.watch.set_progress(search.progress.0);
        }
        self.done += 1;
    }

    #[inline]
    fn end<G: Game>(self, search: &mut InOrderSearch<'_, G>) {
        search.progress = self.before;
    }
}

impl<P> Debug for PositionTable<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PositionTable").field("len", &self.entries.len()).finish_non_exhaustive()
    }
}

const fn words(key: u128) -> Key {
    (key as u64, (key >> u64::BITS) as u64)
}

impl<P: Clone + Eq + Hash> PositionTable<P> {
    pub(super) fn new(max_bytes: usize, keys: &Keys<P>) -> Self {
        let by_key = keys.are_from_game() && size_of::<Key>() < size_of::<P>();
        Self { entries: HashTable::new(), by_key: by_key.then(HashTable::new), heap_bytes: 0, max_bytes }
    }

    /// Locks a table. A search that panicked has left whole entries only.
    pub(super) fn lock(table: &Mutex<Self>) -> MutexGuard<'_, Self> {
        table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the stored bounds of a canonical position, whose key is `key` if the game has keys.
    pub(super) fn find(&self, position: &P, key: Option<u128>) -> Option<Bounds> {
        let key = key.filter(|_| self.by_key.is_some()).map(words);
        let hash = key.map_or_else(|| FxBuildHasher.hash_one(position), |key| FxBuildHasher.hash_one(key));
        self.probe(Place { hash, key, slot: None }, position)
    }

    #[inline]
    fn probe(&self, Place { hash, key, .. }: Place, position: &P) -> Option<Bounds> {
        match (&self.by_key, key) {
            (Some(entries), Some(key)) => entries.find(hash, |(known, _)| *known == key).map(|(_, bounds)| *bounds),
            _ => self.entries.find(hash, |(known, _)| known == position).map(|(_, bounds)| *bounds),
        }
    }

    /// Replaces the bounds of a position, if it is stored.
    fn replace(&mut self, Place { hash, key, .. }: Place, position: &P, bounds: Bounds) -> bool {
        let stored = match (&mut self.by_key, key) {
            (Some(entries), Some(key)) => {
                entries.find_mut(hash, |(stored, _)| *stored == key).map(|(_, stored)| stored)
            }
            _ => self.entries.find_mut(hash, |(stored, _)| stored == position).map(|(_, stored)| stored),
        };
        stored.map(|stored| *stored = bounds).is_some()
    }

    /// Inserts a position that owns this many bytes on the heap.
    #[inline]
    fn insert(&mut self, heap_bytes: usize, Place { hash, key, .. }: Place, position: P, bounds: Bounds) {
        if let (Some(entries), Some(key)) = (&mut self.by_key, key) {
            entries.insert_unique(hash, (key, bounds), |(stored, _)| FxBuildHasher.hash_one(stored));
        } else {
            self.heap_bytes += block_bytes(heap_bytes);
            self.entries.insert_unique(hash, (position, bounds), |(stored, _)| FxBuildHasher.hash_one(stored));
        }
    }

    /// Returns whether there is no room for another position.
    fn is_full(&self) -> bool {
        let (len, capacity) = match &self.by_key {
            Some(entries) => (entries.len(), entries.capacity()),
            None => (self.entries.len(), self.entries.capacity()),
        };
        // A full table moves to one of twice the size, and both take memory meanwhile.
        let tables = if len == capacity { 3 } else { 1 };
        tables * self.table_bytes() + self.heap_bytes >= self.max_bytes
    }

    fn table_bytes(&self) -> usize {
        match &self.by_key {
            Some(entries) => table_bytes::<(Key, Bounds)>(entries.capacity()),
            None => table_bytes::<(P, Bounds)>(self.entries.capacity()),
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.table_bytes() + self.heap_bytes
    }
}
