//! The positions of a table, numbered as they are found, by several threads.

use std::hash::{BuildHasher, Hash};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use crate::game::Game;
use crate::search::memory::{block_bytes, table_bytes, vec_bytes};

/// The entry of a canonical position in a table.
pub(super) trait Stored<G: Game>: Clone + Eq + Hash + Send + Sync {
    fn from_position(game: &G, position: G::Position) -> Self;

    fn from_key(key: u128) -> Self;

    /// Returns the key; `None` if the position is stored whole.
    fn key(&self) -> Option<u128>;

    /// Returns the position; `None` if the game cannot read its own key.
    fn position(&self, game: &G) -> Option<G::Position>;

    fn heap_bytes(&self, _game: &G) -> usize {
        0
    }
}

macro_rules! store_keys {
    ($key:ty) => {
        impl<G: Game> Stored<G> for $key {
            fn from_position(game: &G, position: G::Position) -> Self {
                game.key(&position) as $key
            }

            fn from_key(key: u128) -> Self {
                key as $key
            }

            fn key(&self) -> Option<u128> {
                Some(u128::from(*self))
            }

            fn position(&self, game: &G) -> Option<G::Position> {
                game.position_from_key(u128::from(*self))
            }
        }
    };
}

store_keys!(u64);
store_keys!(u128);

/// A position that is stored whole.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Whole<P>(P);

impl<G: Game> Stored<G> for Whole<G::Position> {
    fn from_position(_game: &G, position: G::Position) -> Self {
        Self(position)
    }

    fn from_key(_key: u128) -> Self {
        unreachable!("keys are not stored whole")
    }

    fn key(&self) -> Option<u128> {
        None
    }

    fn position(&self, _game: &G) -> Option<G::Position> {
        Some(self.0.clone())
    }

    fn heap_bytes(&self, game: &G) -> usize {
        block_bytes(game.heap_bytes(&self.0))
    }
}

/// Numbers are below this, so that a number and two flags fit 32 bits.
pub(super) const MAX_POSITIONS: usize = (1 << 30) - 1;

/// The shards of an index. Each thread locks a shard at a time, for many positions. For one thread, too, they save a third of
/// the time, as the processor's cache holds a shard (measured: Connect Four on 5×5).
pub(super) const SHARDS: usize = 64;

/// The numbers of positions, in shards by hash. The number of a position is its place in its shard times the number of
/// shards, plus that of the shard.
pub(super) struct Index<K> {
    shards: Vec<Mutex<Shard<K>>>,
    positions: AtomicUsize,
    bytes: AtomicUsize,
}

pub(super) struct Shard<K> {
    positions: Vec<K>,
    /// The layers that play can still come to.
    layers: Vec<Layer>,
    heap_bytes: usize,
    /// The bytes that are part of the sum over all shards.
    counted_bytes: usize,
}

/// The positions of a layer in a shard.
struct Layer {
    layer: u32,
    /// The places of the positions, by their hash.
    places: HashTable<u32>,
    /// The runs of places whose moves are not listed yet.
    pending: Vec<Run>,
}

/// The positions of a shard from one place on.
#[derive(Clone, Copy, Debug)]
pub(super) struct Run {
    pub(super) shard: u32,
    pub(super) first: u32,
    pub(super) count: u32,
}

impl Run {
    /// Returns the run in pieces of at most `count` positions.
    pub(super) fn split(self, count: u32) -> impl Iterator<Item = Self> {
        let Self { shard, first, count: all } = self;
        (0..all.div_ceil(count)).map(move |n| Self {
            shard,
            first: first + n * count,
            count: count.min(all - n * count),
        })
    }

    /// Returns the numbers of the positions.
    pub(super) fn numbers(self) -> impl Iterator<Item = u32> {
        (self.first..self.first + self.count).map(move |place| place * SHARDS as u32 + self.shard)
    }
}

#[inline]
fn hash_of(position: &impl Hash) -> u64 {
    // The lowest bits of a product depend on few bits of its factors.
    FxBuildHasher.hash_one(position).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
}

impl<K: Clone + Eq + Hash> Index<K> {
    pub(super) fn new() -> Self {
        let shard = || Shard { positions: Vec::new(), layers: Vec::new(), heap_bytes: 0, counted_bytes: 0 };
        Self {
            shards: (0..SHARDS).map(|_| Mutex::new(shard())).collect(),
            positions: AtomicUsize::new(0),
            bytes: AtomicUsize::new(0),
        }
    }

    /// Returns the number of positions.
    pub(super) fn len(&self) -> usize {
        self.positions.load(Relaxed)
    }

    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Relaxed)
    }

    /// Returns the number above those of all positions.
    pub(super) fn end(&self) -> usize {
        (0..SHARDS).map(|shard| self.lock(shard).positions.len()).max().unwrap_or(0) * SHARDS
    }

    fn lock(&self, shard: usize) -> MutexGuard<'_, Shard<K>> {
        self.shards[shard].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Copies the positions of a run.
    pub(super) fn copy(&self, run: Run, positions: &mut Vec<K>) {
        let first = run.first as usize;
        positions.extend_from_slice(&self.lock(run.shard as usize).positions[first..first + run.count as usize]);
    }

    /// Calls `found` with the number of each of these positions, in any order, and numbers those that are new. `batch` is
    /// working memory.
    pub(super) fn number_all(
        &self,
        children: &[(u32, K)],
        batch: &mut Batch,
        heap_bytes: impl Fn(&K) -> usize,
        mut found: impl FnMut(usize, u32),
    ) {
        batch.sort_by_shard(children.iter().map(|(_, position)| hash_of(position)));
        for number in 0..SHARDS {
            let children_of_shard = &batch.order[batch.begins[number] as usize..batch.begins[number + 1] as usize];
            if children_of_shard.is_empty() {
                continue;
            }
            let mut shard = self.lock(number);
            let before = shard.positions.len();
            for &child in children_of_shard {
                let (layer, position) = &children[child as usize];
                let place = shard.place(batch.hashes[child as usize], *layer, position, number as u32, &heap_bytes);
                found(child as usize, place * SHARDS as u32 + number as u32);
            }
            self.positions.fetch_add(shard.positions.len() - before, Relaxed);
            shard.count_bytes(&self.bytes);
        }
    }

    /// Takes the runs of the highest layer whose moves are not listed yet, and that layer. Layers above it are done.
    pub(super) fn take_pending(&self) -> Option<(u32, Vec<Run>)> {
        let mut shards: Vec<_> = (0..SHARDS).map(|shard| self.lock(shard)).collect();
        let layers = shards.iter().flat_map(|shard| &shard.layers);
        let highest = layers.filter(|layer| !layer.pending.is_empty()).map(|layer| layer.layer).max()?;
        let mut runs = Vec::new();
        for shard in &mut shards {
            shard.layers.retain(|layer| layer.layer <= highest);
            if let Some(layer) = shard.layers.iter_mut().find(|layer| layer.layer == highest) {
                runs.append(&mut layer.pending);
            }
            shard.count_bytes(&self.bytes);
        }
        Some((highest, runs))
    }

    /// Drops the hash tables, as all moves are listed. Returns the positions by shard, and the bytes that they own.
    pub(super) fn into_positions(self) -> (Vec<Vec<K>>, usize) {
        let shards = self.shards.into_iter().map(|shard| shard.into_inner().unwrap_or_else(PoisonError::into_inner));
        let (positions, heap_bytes): (_, Vec<_>) = shards.map(|shard| (shard.positions, shard.heap_bytes)).unzip();
        (positions, heap_bytes.into_iter().sum())
    }
}

impl<K: Clone + Eq + Hash> Shard<K> {
    /// Returns the place of a position, which is new if the position is.
    #[inline]
    fn place(&mut self, hash: u64, layer: u32, position: &K, shard: u32, heap_bytes: impl Fn(&K) -> usize) -> u32 {
        let Self { positions, layers, .. } = self;
        let known = layers.iter().rposition(|known| known.layer == layer).unwrap_or_else(|| {
            layers.push(Layer { layer, places: HashTable::new(), pending: Vec::new() });
            layers.len() - 1
        });
        let Layer { places, pending, .. } = &mut layers[known];
        if let Some(place) = places.find(hash, |place| positions[*place as usize] == *position) {
            return *place;
        }
        let place = positions.len() as u32;
        extend(positions, std::slice::from_ref(position));
        places.insert_unique(hash, place, |place| hash_of(&positions[*place as usize]));
        match pending.last_mut() {
            Some(run) if run.first + run.count == place => run.count += 1,
            _ => pending.push(Run { shard, first: place, count: 1 }),
        }
        self.heap_bytes += heap_bytes(position);
        place
    }

    fn count_bytes(&mut self, total: &AtomicUsize) {
        let of_layer = |layer: &Layer| table_bytes::<u32>(layer.places.capacity()) + vec_bytes(&layer.pending);
        let bytes = vec_bytes(&self.positions) + self.heap_bytes + self.layers.iter().map(of_layer).sum::<usize>();
        let before = mem::replace(&mut self.counted_bytes, bytes);
        total.fetch_add(bytes.wrapping_sub(before), Relaxed);
    }
}

/// Appends to a vector that grows by a quarter, so that little of it is free.
pub(super) fn extend<T: Clone>(vec: &mut Vec<T>, values: &[T]) {
    if vec.len() + values.len() > vec.capacity() {
        vec.reserve_exact((vec.len() / 4).max(values.len()).max(16));
    }
    vec.extend_from_slice(values);
}

/// The order of positions by shard.
#[derive(Default)]
pub(super) struct Batch {
    hashes: Vec<u64>,
    order: Vec<u32>,
    /// Where the positions of each shard begin in `order`.
    begins: Vec<u32>,
}

/// Returns the shard by bits of a hash that are neither the lowest nor the highest ones, which a hash table uses.
#[inline]
const fn shard_of(hash: u64) -> usize {
    (hash >> 32) as usize % SHARDS
}

impl Batch {
    fn sort_by_shard(&mut self, hashes: impl Iterator<Item = u64>) {
        self.hashes.clear();
        self.hashes.extend(hashes);
        self.begins.clear();
        self.begins.resize(SHARDS + 2, 0);
        self.hashes.iter().for_each(|hash| self.begins[shard_of(*hash) + 2] += 1);
        (2..SHARDS + 2).for_each(|n| self.begins[n] += self.begins[n - 1]);
        self.order.resize(self.hashes.len(), 0);
        for (n, hash) in self.hashes.iter().enumerate() {
            let begin = &mut self.begins[shard_of(*hash) + 1];
            self.order[*begin as usize] = n as u32;
            *begin += 1;
        }
    }
}

/// All positions of a table, to be looked up.
pub(super) struct Numbers<K> {
    positions: Vec<Vec<K>>,
    places: Vec<Places>,
    /// The bytes that the positions own.
    heap_bytes: usize,
}

/// The places of a shard's positions by hash: a table with linear probing, full to four fifths.
pub(super) struct Places(Vec<u32>);

const FREE: u32 = u32::MAX;

impl Places {
    pub(super) fn new<K: Hash>(positions: &[K]) -> Self {
        let mut places = Self(vec![FREE; positions.len() + positions.len() / 4 + 1]);
        for (place, position) in positions.iter().enumerate() {
            let slot = places.find_slot(hash_of(position), |_| false);
            places.0[slot] = place as u32;
        }
        places
    }

    /// Returns the slot of the place for which `is_it` holds, or the free slot where it would be.
    fn find_slot(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> usize {
        let mut slot = ((u128::from(hash.rotate_left(32)) * self.0.len() as u128) >> 64) as usize;
        while self.0[slot] != FREE && !is_it(self.0[slot] as usize) {
            slot = if slot + 1 == self.0.len() { 0 } else { slot + 1 };
        }
        slot
    }
}

impl<K: Clone + Eq + Hash> Numbers<K> {
    pub(super) fn new(positions: Vec<Vec<K>>, places: Vec<Places>, heap_bytes: usize) -> Self {
        Self { positions, places, heap_bytes }
    }

    pub(super) fn find(&self, position: &K) -> Option<u32> {
        let hash = hash_of(position);
        let shard = shard_of(hash);
        let (positions, places) = (&self.positions[shard], &self.places[shard]);
        let place = places.0[places.find_slot(hash, |place| positions[place] == *position)];
        (place != FREE).then(|| place * SHARDS as u32 + shard as u32)
    }

    /// Returns the position of a number, if there is one.
    pub(super) fn get(&self, number: u32) -> Option<&K> {
        let number = number as usize;
        self.positions[number % SHARDS].get(number / SHARDS)
    }

    /// Returns the positions by shard.
    pub(super) fn positions(&self) -> impl Iterator<Item = &[K]> {
        self.positions.iter().map(Vec::as_slice)
    }

    pub(super) fn bytes(&self) -> usize {
        let places = self.places.iter().map(|places| vec_bytes(&places.0));
        self.positions.iter().map(vec_bytes).chain(places).sum::<usize>() + self.heap_bytes
    }
}
