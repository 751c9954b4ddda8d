//! A static function to one bit: a bit for each of a set of keys, stored without the keys.
//!
//! The hash of a key selects a band of columns, and some of the columns in the band. The key's bit
//! is the sum, modulo 2, of the solution's bits in those columns. The system is solved
//! incrementally by Gaussian elimination within the bands.
//!
//! Source: P. C. Dillinger, L. Hübschle-Schneider, P. Sanders and S. Walzer, *Fast Succinct
//! Retrieval and Approximate Membership using Ribbon*, SEA 2022. Nothing is bumped: a system
//! without a solution is retried with another seed and more columns. To keep the number of spare
//! columns small, a band has 128 columns, and a system some ten thousand equations at most.

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128_with_seed};

/// The number of columns of a band.
const BAND_COLUMNS: usize = 128;

/// A requirement on the solution: bit `number` of `key` is `bit`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Equation {
    pub(crate) key: u128,
    pub(crate) number: u8,
    pub(crate) bit: bool,
}

/// Returns the first column of an equation, and the set of its columns from there on.
#[inline]
fn row(key: u128, number: u8, seed: u8, columns: usize) -> (usize, u128) {
    let (key, seed) = (key.to_le_bytes(), (u64::from(number) + 1) << 8 | u64::from(seed));
    let band = columns.min(BAND_COLUMNS);
    let starts = (columns - band + 1) as u128;
    let start = (u128::from(xxh3_64_with_seed(&key, seed)) * starts) >> 64;
    // The first column is always in the set.
    let row = (xxh3_128_with_seed(&key, seed) | 1) & (u128::MAX >> (BAND_COLUMNS - band));
    (start as usize, row)
}

/// Returns the number of columns in the n-th attempt at a system.
const fn columns(equations: usize, attempt: u8) -> usize {
    if equations == 0 {
        return 0;
    }
    let step = (equations / 1000).next_multiple_of(8);
    let step = if step < 8 { 8 } else { step };
    (equations + equations / 200).next_multiple_of(8) + step * attempt as usize
}

/// Solves a system: returns the seed, then the solution, eight columns a byte. `None` if there is
/// no solution, which happens only if equations of one key and number contradict each other.
///
/// Cost: some 0.8% more columns than equations, for ten thousand equations, and three attempts; in
/// each, an equation takes at most as many steps as a band has columns. Memory: 17 bytes a column.
pub(crate) fn solve(equations: &[Equation]) -> Option<Vec<u8>> {
    let mut system = System::default();
    (0..=u8::MAX).find_map(|attempt| system.solve(equations, attempt))
}

/// A system of equations in echelon form.
#[derive(Default)]
struct System {
    /// For each column, the row that begins there, as a set of columns from it on; 0 if there is
    /// none.
    rows: Vec<u128>,
    bits: Vec<bool>,
}

impl System {
    fn solve(&mut self, equations: &[Equation], seed: u8) -> Option<Vec<u8>> {
        let columns = columns(equations.len(), seed);
        self.rows.clear();
        self.rows.resize(columns, 0);
        self.bits.clear();
        self.bits.resize(columns, false);
        for &Equation { key, number, bit } in equations {
            let (start, row) = row(key, number, seed, columns);
            self.insert(start, row, bit)?;
        }
        let mut bytes = vec![0; 1 + columns / 8];
        bytes[0] = seed;
        // The solution's bits from the current column on.
        let mut window = 0_u128;
        for column in (0..columns).rev() {
            window <<= 1;
            let bit = self.bits[column] ^ parity(self.rows[column] & window);
            window |= u128::from(bit);
            bytes[1 + column / 8] |= u8::from(bit) << (column % 8);
        }
        Some(bytes)
    }

    /// Adds an equation; `None` if it contradicts those before.
    fn insert(&mut self, mut start: usize, mut row: u128, mut bit: bool) -> Option<()> {
        while self.rows[start] != 0 {
            row ^= self.rows[start];
            bit ^= self.bits[start];
            if row == 0 {
                return (!bit).then_some(());
            }
            let zeros = row.trailing_zeros();
            row >>= zeros;
            start += zeros as usize;
        }
        (self.rows[start], self.bits[start]) = (row, bit);
        Some(())
    }
}

const fn parity(columns: u128) -> bool {
    columns.count_ones() % 2 == 1
}

/// A solution to probe.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ribbon<'b> {
    seed: u8,
    bits: &'b [u8],
}

impl<'b> Ribbon<'b> {
    /// Reads a solution; `None` if there are no bytes.
    pub(crate) fn new(bytes: &'b [u8]) -> Option<Self> {
        bytes.split_first().map(|(&seed, bits)| Self { seed, bits })
    }

    /// Returns bit `number` of a key. It is arbitrary if the system had no such equation.
    #[inline]
    pub(crate) fn bit(self, key: u128, number: u8) -> bool {
        let columns = 8 * self.bits.len();
        if columns == 0 {
            return false;
        }
        let (start, row) = row(key, number, self.seed, columns);
        parity(row & self.window(start))
    }

    /// Returns the bits from a column on.
    #[inline]
    fn window(self, start: usize) -> u128 {
        let (at, shift) = (start / 8, start % 8);
        let bytes = &self.bits[at.min(self.bits.len())..];
        let mut low = [0; 16];
        let count = bytes.len().min(16);
        low[..count].copy_from_slice(&bytes[..count]);
        let high = bytes.get(16).map_or(0, |&byte| u128::from(byte));
        // A shift by 128 bits is done in two steps.
        u128::from_le_bytes(low) >> shift | high << (127 - shift) << 1
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::SplitMix;
    use proptest::prelude::*;

    use super::*;

    fn equations(count: usize, seed: u64) -> Vec<Equation> {
        let mut random = SplitMix(seed);
        let mut equation = |place: usize| {
            let bits = random.next_u64();
            // Keys of a game are close to each other.
            Equation { key: seed as u128 + (place / 3) as u128, number: (place % 3) as u8, bit: bits >> 63 == 1 }
        };
        (0..count).map(&mut equation).collect()
    }

    fn check(equations: &[Equation]) -> usize {
        let bytes = solve(equations).unwrap();
        assert_eq!(solve(equations).unwrap(), bytes);
        let ribbon = Ribbon::new(&bytes).unwrap();
        for &Equation { key, number, bit } in equations {
            assert_eq!(ribbon.bit(key, number), bit, "{key} {number}");
        }
        8 * (bytes.len() - 1)
    }

    #[test]
    fn large_systems_have_few_columns_to_spare() {
        assert_eq!(check(&[]), 0);
        for seed in 0..10 {
            let columns = check(&equations(10_000, seed));
            assert!(columns < 10_200, "{columns}");
        }
        check(&equations(100_000, 1));
    }

    #[test]
    fn a_key_with_two_values_has_no_solution() {
        let one = Equation { key: 7, number: 0, bit: true };
        assert!(solve(&[one, Equation { bit: false, ..one }]).is_none());
        assert!(solve(&[one, one]).is_some());
    }

    proptest! {
        #[test]
        fn all_bits_are_found(count in 0..1200_usize, seed in any::<u64>()) {
            check(&equations(count, seed));
        }

        #[test]
        fn any_bytes_are_asked(bytes in prop::collection::vec(any::<u8>(), 0..60), key in any::<u128>(), number in 0..32_u8) {
            if let Some(ribbon) = Ribbon::new(&bytes) {
                ribbon.bit(key, number);
            }
        }
    }
}
