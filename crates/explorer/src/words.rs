//! All phrases of the pages: one function for each, with both languages side by side. The words in pictures are in
//! [`balpan_pictures`].

pub(crate) mod certificates;
pub(crate) mod error;
pub(crate) mod frame;
mod pages;
pub(crate) mod position;
mod theory_pages;

pub(crate) use balpan_games::{Lang, phrases};
pub(crate) use balpan_pictures::{grouped, review, words as players};
pub(crate) use pages::{census, editor, help, learn, puzzles, review_page, rules, stress, tree};
pub(crate) use theory_pages::{theories, theory, values};
