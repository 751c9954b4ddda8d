//! Memory taken by containers, and a map of bounded size.

use std::collections::HashMap;

use rustc_hash::FxHashMap;

/// A map from lists of numbers to results, of bounded size, which drops the results that took the least work.
#[derive(Debug)]
pub struct Memo<V> {
    /// Each result with the binary logarithm of its work.
    results: FxHashMap<Box<[u32]>, (V, u8)>,
    /// The bytes of all keys.
    key_bytes: usize,
    max_bytes: usize,
}

impl<V: Copy> Memo<V> {
    /// Creates an empty map that takes at most `max_bytes`.
    #[must_use]
    pub fn new(max_bytes: usize) -> Self {
        Self { results: FxHashMap::default(), key_bytes: 0, max_bytes }
    }

    /// Returns the result of a key, if it is stored.
    #[must_use]
    pub fn get(&self, key: &[u32]) -> Option<V> {
        self.results.get(key).map(|(value, _)| *value)
    }

    /// Inserts a result that took `work` steps.
    pub fn insert(&mut self, key: &[u32], value: V, work: u64) {
        if self.results.len() == self.results.capacity() && 3 * self.bytes() > self.max_bytes {
            // Growing would take three times the memory meanwhile: a table of twice the size beside this one.
            self.shrink();
        }
        self.key_bytes += block_bytes(size_of_val(key));
        self.results.insert(key.into(), (value, work.max(1).ilog2() as u8));
        if self.bytes() > self.max_bytes {
            self.shrink();
        }
    }

    fn bytes(&self) -> usize {
        map_bytes(&self.results) + self.key_bytes
    }

    /// Drops the results that took the least work: at least half of all.
    fn shrink(&mut self) {
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
        // The slots alone may take too much.
        if map_bytes(&self.results) > self.max_bytes / 2 {
            self.results.shrink_to_fit();
        }
    }
}

/// Returns the bytes of the slots of a hash table with this usable capacity: a power of two of slots, an eighth of which
/// stay free, each with a control byte.
pub(crate) const fn table_bytes<T>(capacity: usize) -> usize {
    if capacity == 0 {
        return 0;
    }
    (capacity * 8).div_ceil(7).next_power_of_two() * (size_of::<T>() + 1)
}

/// Returns the bytes of a map's slots, without what its keys and values own.
pub(crate) fn map_bytes<K, V, S>(map: &HashMap<K, V, S>) -> usize {
    table_bytes::<(K, V)>(map.capacity())
}

/// Returns the bytes of a vector's slots, without what its elements own.
pub(crate) const fn vec_bytes<T>(vec: &Vec<T>) -> usize {
    vec.capacity() * size_of::<T>()
}

/// Returns the bytes that the allocator takes for a block of this size: with a header, a multiple of 16, at least 32.
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
    fn results_of_the_most_work_stay() {
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
    fn table_bytes_cover_the_capacity() {
        for entries in [0, 1, 3, 4, 7, 8, 14, 15, 28, 100, 1_000, 100_000] {
            let map: HashMap<u32, u32> = HashMap::with_capacity(entries);
            assert!(map_bytes(&map) >= map.capacity() * 9, "{entries}");
            assert!(map_bytes(&map) <= map.capacity() * 9 * 2 + 72, "{entries}");
        }
    }
}
