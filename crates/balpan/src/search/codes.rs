//! Packing of values into the few bits of a table entry.

use crate::game::Game;
use crate::search::length::MAX_PLIES;
use crate::value::Value;

/// A packing of values into as many bits as distinguish all remotenesses of a game. A value whose remoteness does not fit
/// becomes a weaker bound, never another outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueCodec {
    bits: u32,
    /// The code of a draw; wins have higher codes, losses lower ones.
    draw: i32,
}

impl ValueCodec {
    /// Returns the codec with the fewest bits that distinguishes all remotenesses up to `plies`.
    pub(crate) const fn for_plies(plies: u32) -> Self {
        let mut bits = 9;
        while Self::with_bits(bits).max_plies() < plies {
            bits += 1;
        }
        Self::with_bits(bits)
    }

    /// Returns the codec for all positions that can follow from this one.
    pub(crate) fn for_position<G: Game>(game: &G, position: &G::Position) -> Self {
        Self::for_plies(game.layer(position).unwrap_or(MAX_PLIES).min(MAX_PLIES))
    }

    const fn with_bits(bits: u32) -> Self {
        Self { bits, draw: (1 << (bits - 1)) - 1 }
    }

    /// Returns the number of bits of a code.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.bits
    }

    /// Returns the longest remoteness that has its own code.
    pub(crate) const fn max_plies(self) -> u32 {
        self.draw as u32 - 2
    }

    /// Encodes a lower bound: the code of the value, or of a lower value if its remoteness has no code.
    #[inline]
    pub(crate) const fn encode_lower(self, value: Value) -> u64 {
        let max = self.max_plies() as i32;
        let code = match value.remoteness() {
            None => self.draw,
            Some(plies) if value.0 < 0 => {
                if (plies as i32) < max {
                    plies as i32
                } else {
                    max
                }
            }
            Some(plies) if plies as i32 > max => self.draw + 1,
            Some(plies) => 2 * self.draw - plies as i32,
        };
        code as u64
    }

    /// Encodes an upper bound: the code of the value, or of a higher value if its remoteness has no code.
    #[inline]
    pub(crate) const fn encode_upper(self, value: Value) -> u64 {
        2 * self.draw as u64 - self.encode_lower(Value(-value.0))
    }

    /// Returns the value of a code.
    #[inline]
    pub(crate) const fn decode(self, code: u64) -> Value {
        let from_draw = code as i32 - self.draw;
        let loss = -from_draw.abs();
        let value = match loss {
            0 => return Value::DRAW,
            -1 => Value::loss((1 << 29) - 1),
            _ => Value::loss((self.draw + loss) as u32),
        };
        if from_draw > 0 { Value(-value.0) } else { value }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_preserve_values_or_weaken_bounds() {
        for (plies, bits) in [(0, 9), (253, 9), (254, 10), (10_000, 15)] {
            let codec = ValueCodec::for_plies(plies);
            assert_eq!(codec.bits(), bits, "{plies}");
            let mut values: Vec<_> = (0..20_000).flat_map(|plies| [Value::win(plies), Value::loss(plies)]).collect();
            values.push(Value::DRAW);
            for value in values {
                let (lower, upper) = (codec.decode(codec.encode_lower(value)), codec.decode(codec.encode_upper(value)));
                assert!(lower <= value && value <= upper, "{lower} {value} {upper}");
                assert_eq!((lower.outcome(), upper.outcome()), (value.outcome(), value.outcome()));
                let is_long = value.remoteness().is_some_and(|plies| plies > codec.max_plies());
                assert_eq!(is_long, lower != upper, "{value} in {bits} bits");
                assert!(codec.encode_lower(value) >> bits == 0 && codec.encode_upper(value) >> bits == 0);
            }
        }
    }
}
