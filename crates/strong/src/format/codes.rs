//! Values of positions as small integers.

use balpan::{Outcome, Value};
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

/// A mapping of values to integers that keeps their order: a loss in `n` plies is `n`, a draw is
/// one more than the longest loss, a win in `n` is as far above the draw as the loss in `n` is
/// below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The plies of the longest value.
    max_plies: u16,
}

impl Scale {
    /// Creates the scale of values of at most `max_plies` plies.
    pub const fn new(max_plies: u16) -> Self {
        Self { max_plies }
    }

    const fn draw(self) -> u16 {
        self.max_plies + 1
    }

    /// The highest code: a win in 0.
    pub const fn top(self) -> u16 {
        2 * self.draw()
    }

    /// Encodes a value; `None` if it is longer than the scale.
    pub fn code(self, value: Value) -> Option<u16> {
        let plies = match value.remoteness() {
            None => return Some(self.draw()),
            Some(plies) => u16::try_from(plies).ok().filter(|&plies| plies <= self.max_plies)?,
        };
        Some(if value.outcome() == Outcome::Win { self.top() - plies } else { plies })
    }

    /// Decodes a code; `None` if it is above [`top`](Self::top).
    pub fn value(self, code: u16) -> Option<Value> {
        match code {
            _ if code > self.top() => None,
            _ if code < self.draw() => Some(Value::loss(code.into())),
            _ if code == self.draw() => Some(Value::DRAW),
            _ => Some(Value::win((self.top() - code).into())),
        }
    }

    /// Converts the code of a successor to that of the move to it: seen by the other player, one
    /// ply longer.
    #[inline]
    pub const fn back(self, code: u16) -> u16 {
        let seen = self.top() - code;
        match self.draw() {
            draw if seen > draw => seen - 1,
            draw if seen < draw => seen + 1,
            draw => draw,
        }
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
        let scale = Scale::new(7);
        let values: Vec<Value> = (0..=scale.top()).map(|code| scale.value(code).expect("a value")).collect();
        assert!(values.is_sorted());
        assert_eq!(scale.value(scale.top() + 1), None);
        assert_eq!((scale.code(Value::win(8)), scale.code(Value::loss(8))), (None, None));
        for (code, &value) in (0..).zip(&values) {
            assert_eq!(scale.code(value), Some(code));
            if value.remoteness().is_none_or(|plies| plies < 7) {
                assert_eq!(scale.value(scale.back(code)), Some(value.to_parent()));
            }
        }
    }
}
