//! Packing of values into the few bits of a table entry.

use crate::game::Game;
use crate::search::length::MAX_PLIES;
use crate::value::Value;

/// A packing of values into as many bits as distinguish all remotenesses and scores of a game. A value that has no code
/// becomes a weaker bound.
///
/// The codes in order: losses, a loss however late, scores with the draw in the middle, a win however late, and wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ValueCodec {
    bits: u32,
    /// The code of a draw; wins and positive scores have higher codes, the others lower ones.
    draw: i32,
    /// The largest score that has its own code.
    max_score: i32,
}

impl ValueCodec {
    /// Returns the codec with the fewest bits that distinguishes all remotenesses up to `plies`, and all scores up to
    /// `max_score`.
    pub(crate) const fn new(plies: u32, max_score: u32) -> Self {
        let max_score = if max_score > Value::MAX_SCORE as u32 { Value::MAX_SCORE } else { max_score as i32 };
        let mut bits = 9;
        while (1 << (bits - 1)) - 3 - max_score < plies as i32 {
            bits += 1;
        }
        Self { bits, draw: (1 << (bits - 1)) - 1, max_score }
    }

    /// Returns the codec for all positions that can follow from this one.
    pub(crate) fn for_position<G: Game>(game: &G, position: &G::Position) -> Self {
        Self::new(game.max_plies(position).unwrap_or(MAX_PLIES).min(MAX_PLIES), game.max_score())
    }

    /// Returns the number of bits of a code.
    #[inline]
    pub(crate) const fn bits(self) -> u32 {
        self.bits
    }

    /// Returns the longest remoteness that has its own code.
    pub(crate) const fn max_plies(self) -> u32 {
        (self.draw - 2 - self.max_score) as u32
    }

    /// Encodes a lower bound: the code of the value, or of a lower value if it has no code.
    #[inline]
    pub(crate) const fn encode_lower(self, value: Value) -> u64 {
        let max = self.max_plies() as i32;
        let code = match value.remoteness() {
            None if value.0 > self.max_score => self.draw + self.max_score,
            None if value.0 < -self.max_score => max + 1,
            None => self.draw + value.0,
            Some(plies) if value.0 < 0 => {
                if (plies as i32) < max {
                    plies as i32
                } else {
                    max
                }
            }
            Some(plies) if plies as i32 > max => self.draw + self.max_score + 1,
            Some(plies) => 2 * self.draw - plies as i32,
        };
        code as u64
    }

    /// Encodes an upper bound: the code of the value, or of a higher value if it has no code.
    #[inline]
    pub(crate) const fn encode_upper(self, value: Value) -> u64 {
        2 * self.draw as u64 - self.encode_lower(Value(-value.0))
    }

    /// Returns the value of a code.
    #[inline]
    pub(crate) const fn decode(self, code: u64) -> Value {
        let from_draw = code as i32 - self.draw;
        let distance = from_draw.abs();
        if distance <= self.max_score {
            return Value(from_draw);
        }
        let late = distance == self.max_score + 1;
        let win = if late { Value::win((1 << 29) - 1) } else { Value::win((self.draw - distance) as u32) };
        if from_draw > 0 { win } else { Value(-win.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_preserve_values_or_weaken_bounds() {
        for (plies, max_score, bits) in
            [(0, 0, 9), (253, 0, 9), (254, 0, 10), (10_000, 0, 15), (10, 243, 9), (10, 244, 10), (60, 1 << 20, 22)]
        {
            let codec = ValueCodec::new(plies, max_score);
            assert_eq!(codec.bits(), bits, "{plies}");
            let mut values: Vec<_> = (0..20_000).flat_map(|plies| [Value::win(plies), Value::loss(plies)]).collect();
            values.extend((-300..=300).chain([1 << 19, 1 << 20, -1 << 20, 1 << 21]).map(Value::from_score));
            for value in values {
                let (lower, upper) = (codec.decode(codec.encode_lower(value)), codec.decode(codec.encode_upper(value)));
                assert!(lower <= value && value <= upper, "{lower} {value} {upper}");
                let is_long = value.remoteness().is_some_and(|plies| plies > codec.max_plies());
                let is_large = value.score().is_some_and(|score| score.unsigned_abs() > max_score);
                assert_eq!(is_long || is_large, lower != upper, "{value} in {bits} bits");
                if !is_large {
                    assert_eq!((lower.outcome(), upper.outcome()), (value.outcome(), value.outcome()));
                }
                assert!(codec.encode_lower(value) >> bits == 0 && codec.encode_upper(value) >> bits == 0);
            }
        }
    }
}
