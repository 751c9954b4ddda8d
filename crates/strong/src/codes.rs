//! Values of positions as small numbers.

use balpan::{Outcome, Value};
use serde::{Deserialize, Serialize};

/// What a file stores for each position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tells {
    /// Its outcome and remoteness.
    Value,
    /// The nimber of an independent part of a position of an impartial game.
    Nimber,
}

/// Values as numbers in the order of values: a loss in `n` plies is `n`, a draw one more than
/// the longest loss, a win in `n` as far above the draw as the loss is below it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The most plies of any value.
    most: u16,
}

impl Scale {
    /// The scale of values of at most `most` plies.
    pub const fn new(most: u16) -> Self {
        Self { most }
    }

    const fn draw(self) -> u16 {
        self.most + 1
    }

    /// The highest code.
    pub const fn top(self) -> u16 {
        2 * self.draw()
    }

    /// The number of a value, if it has one.
    pub fn code(self, value: Value) -> Option<u16> {
        let plies = match value.remoteness() {
            None => return Some(self.draw()),
            Some(plies) => u16::try_from(plies).ok().filter(|&plies| plies <= self.most)?,
        };
        Some(if value.outcome() == Outcome::Win { self.top() - plies } else { plies })
    }

    /// The value that has this code, if one has.
    pub fn value(self, code: u16) -> Option<Value> {
        match code {
            _ if code > self.top() => None,
            _ if code < self.draw() => Some(Value::loss(code.into())),
            _ if code == self.draw() => Some(Value::DRAW),
            _ => Some(Value::win((self.top() - code).into())),
        }
    }

    /// What the code is worth to the other player, who moves to where it is.
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
