//! Reproducible random inputs of the judges.

use std::fmt::Write;

/// Sebastiano Vigna's SplitMix64.
#[derive(Debug)]
pub struct Random(u64);

impl Random {
    /// Creates the generator of a seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns the next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Returns a number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }
}

/// Returns the judge's input: `cases` boards, each of the 2^25 equally likely.
#[must_use]
pub fn blockgame(cases: usize) -> String {
    let mut random = Random::new(1);
    let mut text = format!("{cases}\n");
    for _ in 0..cases {
        let board = random.bits();
        for cell in 0..25 {
            text.push(if board >> cell & 1 == 0 { '.' } else { '#' });
            if cell % 5 == 4 {
                text.push('\n');
            }
        }
    }
    text
}

/// Returns the judge's input: `cases` full 5×5 boards, each with random starts.
#[must_use]
pub fn platforms(cases: usize) -> String {
    let mut random = Random::new(1);
    let row = "[1,1,1,1,1]";
    let board = [row; 5].join(",");
    let mut text = String::new();
    for _ in 0..cases {
        let [a, b] = [random.below(25), random.below(25)].map(|cell| format!("[{},{}]", cell / 5, cell % 5));
        // Writing to a string cannot fail.
        let _ = writeln!(text, r#"{{"board":[{board}],"aloc":{a},"bloc":{b}}}"#);
    }
    text
}
