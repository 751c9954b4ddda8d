//! Values of positions as small integers.

use balpan::{Outcome, Turn, Value};
use serde::{Deserialize, Serialize};

/// The quantity that a file stores for each position, as endgame tablebases use the word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub enum Metric {
    /// The outcome and the remoteness.
    Value,
    /// The nimber of an independent part of a position of an impartial game.
    Nimber,
}

/// A mapping of values to integers that keeps their order: a loss in `n` plies is `n`; scores follow the longest loss, the
/// draw in their middle; a win in `n` is as far above the draw as the loss in `n` is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The plies of the longest value.
    pub(crate) max_plies: u16,
    /// The largest score.
    pub(crate) max_score: u16,
}

impl Scale {
    /// Creates the scale of values of at most `max_plies` plies, and of scores of at most `max_score`. Both together are at
    /// most 32,765.
    pub const fn new(max_plies: u16, max_score: u16) -> Self {
        Self { max_plies, max_score }
    }

    /// Whether codes of two bytes hold such values; the highest ones mean nothing.
    pub(crate) const fn fits(max_plies: u32, max_score: u32) -> bool {
        max_plies.saturating_add(max_score) <= u16::MAX as u32 / 2 - 2
    }

    const fn draw(self) -> u16 {
        self.max_plies + 1 + self.max_score
    }

    /// The highest code: a win in 0.
    pub const fn top(self) -> u16 {
        2 * self.draw()
    }

    /// Encodes a value; `None` if it is longer than the scale, or a larger score.
    pub fn code(self, value: Value) -> Option<u16> {
        if let Some(score) = value.score() {
            let is_known = score.unsigned_abs() <= self.max_score.into();
            return is_known.then(|| (i32::from(self.draw()) + score) as u16);
        }
        let plies = u16::try_from(value.remoteness()?).ok().filter(|&plies| plies <= self.max_plies)?;
        Some(if value.outcome() == Outcome::Win { self.top() - plies } else { plies })
    }

    /// Decodes a code; `None` if it is above [`top`](Self::top).
    pub fn value(self, code: u16) -> Option<Value> {
        match code {
            _ if code > self.top() => None,
            _ if code <= self.max_plies => Some(Value::loss(code.into())),
            _ if code < self.top() - self.max_plies => {
                Some(Value::from_score(i32::from(code) - i32::from(self.draw())))
            }
            _ => Some(Value::win((self.top() - code).into())),
        }
    }

    /// Converts the code of a successor to that of the move to it: one ply longer, and seen by the other player if the turn
    /// passes. The longest values have no code of a move.
    #[inline]
    pub const fn back(self, turn: Turn, code: u16) -> u16 {
        let seen = match turn {
            Turn::Passes => self.top() - code,
            Turn::Kept => code,
        };
        if seen <= self.max_plies {
            seen + 1
        } else if seen >= self.top() - self.max_plies {
            seen - 1
        } else {
            seen
        }
    }

    /// Converts a code of this scale to `other`; `None` if that has no code for the value.
    pub(crate) fn convert(self, code: u16, other: Self) -> Option<u16> {
        other.code(self.value(code)?)
    }
}

/// Appends codes to bytes: the low bytes of all codes, then, if they have two bytes, the high ones.
pub(crate) fn pack_codes(codes: &[u16], width: usize, bytes: &mut Vec<u8>) {
    for shift in (0..width).map(|byte| 8 * byte) {
        bytes.extend(codes.iter().map(|code| (code >> shift) as u8));
    }
}

/// Appends the codes that [`pack_codes`] encoded.
pub(crate) fn unpack_codes(bytes: &[u8], width: usize, codes: &mut Vec<u16>) {
    let (low, high) = bytes.split_at(bytes.len() / width);
    match width {
        1 => codes.extend(low.iter().map(|&byte| u16::from(byte))),
        _ => codes.extend(low.iter().zip(high).map(|(&low, &high)| u16::from_le_bytes([low, high]))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_values_in_order() {
        for scale in [Scale::new(7, 0), Scale::new(7, 3), Scale::new(0, 20)] {
            let values: Vec<Value> = (0..=scale.top()).map(|code| scale.value(code).expect("a value")).collect();
            assert!(values.is_sorted());
            assert_eq!(scale.value(scale.top() + 1), None);
            assert_eq!((scale.code(Value::win(8)), scale.code(Value::loss(8))), (None, None));
            assert_eq!((scale.code(Value::from_score(21)), scale.code(Value::from_score(-21))), (None, None));
            for (code, &value) in (0..).zip(&values) {
                assert_eq!(scale.code(value), Some(code));
                if value.remoteness().is_none_or(|plies| plies < scale.max_plies.into()) {
                    for turn in [Turn::Passes, Turn::Kept] {
                        assert_eq!(scale.value(scale.back(turn, code)), Some(turn.to_parent(value)));
                    }
                }
            }
        }
    }
}
