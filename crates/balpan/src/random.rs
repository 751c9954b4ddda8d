//! Random numbers that are the same for the same seed, on every machine.

/// Sebastiano Vigna's SplitMix64, from its state: random enough to play games with and to
/// choose test data by. Not for secrets.
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
    /// The next 64 bits.
    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// One of `0..n`, each as likely as the others but for `n` in 2^64.
    ///
    /// # Panics
    /// If `n` is 0.
    pub const fn below(&mut self, n: usize) -> usize {
        (self.next_u64() % n as u64) as usize
    }
}
