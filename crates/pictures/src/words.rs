//! Every word in a picture, in each language: one function a phrase, so that what has to
//! mean the same stands side by side.

pub(crate) mod census;
pub mod players;
pub mod puzzle;
pub mod review;
pub(crate) mod tree;

pub use balpan_games::Lang;

/// `1,234,567`, in any language.
pub fn grouped(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
