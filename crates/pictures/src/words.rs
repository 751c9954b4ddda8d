//! The words of pictures in English and Korean, side by side: one function a phrase.

pub(crate) mod census;
pub mod players;
pub mod puzzle;
pub mod review;
pub(crate) mod tree;

pub use balpan_games::Lang;
pub(crate) use balpan_games::phrases;

/// Writes a number with commas: `1,234,567`.
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
