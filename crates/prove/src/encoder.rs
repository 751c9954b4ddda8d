//! The range encoder whose output [`Decoder`](balpan_check::untrusted::coder::Decoder) reads.

use balpan_check::CheckError;
use balpan_check::untrusted::coder::{Coder, Model, RATE};

/// A binary range encoder.
#[derive(Default)]
pub(crate) struct Encoder {
    bytes: Vec<u8>,
    low: u64,
    /// One less than the range.
    range: u32,
    /// The last byte that a carry may still change, and the number of pending bytes: that one and
    /// the bytes of 255 after it.
    cache: u8,
    waiting: u64,
}

impl Encoder {
    pub(crate) fn new() -> Self {
        Self { range: u32::MAX, waiting: 1, ..Self::default() }
    }

    fn shift(&mut self) {
        if self.low < 0xff00_0000 || self.low > u64::from(u32::MAX) {
            let carry = (self.low >> 32) as u8;
            let mut byte = self.cache;
            for _ in 0..self.waiting {
                self.bytes.push(byte.wrapping_add(carry));
                byte = 0xff;
            }
            self.waiting = 0;
            self.cache = (self.low >> 24) as u8;
        }
        self.waiting += 1;
        self.low = self.low << 8 & 0xffff_ffff;
    }

    /// Flushes the encoder and returns its output.
    pub(crate) fn bytes(mut self) -> Vec<u8> {
        for _ in 0..5 {
            self.shift();
        }
        self.bytes
    }
}

impl Coder for Encoder {
    fn bit(&mut self, model: &mut Model, bit: bool) -> Result<bool, CheckError> {
        let bound = (self.range >> 12) * u32::from(*model);
        if bit {
            self.low += u64::from(bound);
            self.range -= bound;
            *model -= *model >> RATE;
        } else {
            self.range = bound;
            *model += (4096 - *model) >> RATE;
        }
        while self.range < 1 << 24 {
            self.range <<= 8;
            self.shift();
        }
        Ok(bit)
    }

    fn end(&mut self) -> Result<(), CheckError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use balpan::SplitMix;
    use balpan_check::untrusted::coder::{Decoder, EVEN};

    use super::*;

    #[test]
    fn bits_are_read_as_they_were_written() {
        for likely in [2, 5, 100, 10_000] {
            let mut random = SplitMix(likely as u64);
            let bits: Vec<bool> = (0..200_000).map(|_| random.below(likely) == 0).collect();
            let mut models = [EVEN; 3];
            let mut encoder = Encoder::new();
            for (n, &bit) in bits.iter().enumerate() {
                encoder.bit(&mut models[n % 3], bit).unwrap();
            }
            let bytes = encoder.bytes();
            let mut models = [EVEN; 3];
            let mut decoder = Decoder::new(&bytes).unwrap();
            for (n, &bit) in bits.iter().enumerate() {
                assert_eq!(decoder.bit(&mut models[n % 3], false), Ok(bit));
            }
            assert_eq!(decoder.end(), Ok(()));
            assert!(Decoder::new(&bytes[..4]).is_err());
        }
    }
}
