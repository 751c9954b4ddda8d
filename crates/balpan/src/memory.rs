//! How many bytes containers take from the system's allocator.

use std::collections::HashMap;

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
    fn a_table_has_room_for_its_capacity() {
        for entries in [0, 1, 3, 4, 7, 8, 14, 15, 28, 100, 1_000, 100_000] {
            let map: HashMap<u32, u32> = HashMap::with_capacity(entries);
            assert!(map_bytes(&map) >= map.capacity() * 9, "{entries}");
            assert!(map_bytes(&map) <= map.capacity() * 9 * 2 + 72, "{entries}");
        }
    }
}
