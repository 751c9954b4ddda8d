//! Pseudo-random numbers that are the same for the same seed, on every machine.

/// Sebastiano Vigna's SplitMix64 generator; the field is its state. It is random enough for playing games and
/// choosing test data, not for cryptography.
///
/// ```
/// use balpan::SplitMix;
///
/// let [mut one, mut other] = [SplitMix(7), SplitMix(7)];
/// assert_eq!(one.below(100), other.below(100));
/// ```
#[derive(Clone, Debug)]
pub struct SplitMix(pub u64);

impl SplitMix {
    /// Returns the next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number in `0..n`. The probabilities differ by a relative error of at most `n` / 2^64.
    ///
    /// # Panics
    /// If `n` is 0.
    pub const fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }
}
