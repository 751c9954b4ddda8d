//! How many bytes containers take from the system's allocator, and a map that takes no more than it may.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

/// Results about lists of numbers, in at most so many bytes: where these end, what took the least work is forgotten.
#[derive(Debug)]
pub(crate) struct Memo<V> {
    /// Each with the work that it took, as a power of two.
    results: FxHashMap<Box<[u32]>, (V, u8)>,
    /// Bytes of all keys.
    key_bytes: usize,
    max_bytes: usize,
}

impl<V: Copy> Memo<V> {
    pub(crate) fn new(max_bytes: usize) -> Self {
        Self { results: FxHashMap::default(), key_bytes: 0, max_bytes }
    }

    pub(crate) fn get(&self, key: &[u32]) -> Option<V> {
        self.results.get(key).map(|(value, _)| *value)
    }

    /// Remembers a result that took `work` steps.
    pub(crate) fn insert(&mut self, key: &[u32], value: V, work: u64) {
        if self.results.len() == self.results.capacity() && 3 * self.bytes() > self.max_bytes {
            // A larger table would stand beside this one for a moment, and be twice as large.
            self.forget();
        }
        self.key_bytes += block_bytes(size_of_val(key));
        self.results.insert(key.into(), (value, work.max(1).ilog2() as u8));
        if self.bytes() > self.max_bytes {
            self.forget();
        }
    }

    fn bytes(&self) -> usize {
        map_bytes(&self.results) + self.key_bytes
    }

    /// Forgets what took the least work, at least half of all.
    fn forget(&mut self) {
        let mut counts = [0; 64];
        self.results.values().for_each(|(_, work)| counts[usize::from(*work)] += 1);
        let (mut left, mut least) = (self.results.len(), 0);
        while left > self.results.len() / 2 && least < counts.len() {
            left -= counts[least];
            least += 1;
        }
        let key_bytes = &mut self.key_bytes;
        self.results.retain(|key, (_, work)| {
            let is_kept = usize::from(*work) >= least;
            if !is_kept {
                *key_bytes -= block_bytes(size_of_val(&**key));
            }
            is_kept
        });
        // The table itself may be what is too large.
        if map_bytes(&self.results) > self.max_bytes / 2 {
            self.results.shrink_to_fit();
        }
    }
}

/// The bytes of a hash table's slots, of which a `capacity` is usable: a power of two, an eighth of which stays free,
/// each with a control byte.
pub(crate) const fn table_bytes<T>(capacity: usize) -> usize {
    if capacity == 0 {
        return 0;
    }
    (capacity * 8).div_ceil(7).next_power_of_two() * (size_of::<T>() + 1)
}

/// The bytes of a map's slots, without what keys and values point to.
pub(crate) fn map_bytes<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    table_bytes::<(K, V)>(map.capacity())
}

/// The bytes of a vector's slots, without what they point to.
pub(crate) const fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// The bytes of a block of its own on the heap: a header, in steps of 16, at least 32.
pub(crate) const fn block_bytes(bytes: usize) -> usize {
    if bytes == 0 {
        return 0;
    }
    let whole = (bytes + 8).next_multiple_of(16);
    if whole < 32 { 32 } else { whole }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_took_most_work_is_remembered() {
        let mut memo = Memo::new(1 << 20);
        for n in 0..200_000 {
            memo.insert(&[n, n + 1, n + 2], n, if n % 1000 == 7 { 1 << 10 } else { 1 + u64::from(n % 5) });
            assert!(memo.bytes() <= 1 << 20, "{n}: {}", memo.bytes());
        }
        let kept = (0..200_000).filter(|n| memo.get(&[*n, n + 1, n + 2]) == Some(*n)).count();
        assert!(kept > 3_000, "{kept}");
        assert!((0..200).all(|n| memo.get(&[1000 * n + 7, 1000 * n + 8, 1000 * n + 9]) == Some(1000 * n + 7)));
    }

    #[test]
    fn a_table_has_room_for_its_capacity() {
        for entries in [0, 1, 3, 4, 7, 8, 14, 15, 28, 100, 1_000, 100_000] {
            let map: HashMap<u32, u32> = HashMap::with_capacity(entries);
            assert!(map_bytes(&map) >= map.capacity() * 9, "{entries}");
            assert!(map_bytes(&map) <= map.capacity() * 9 * 2 + 72, "{entries}");
        }
    }
}
