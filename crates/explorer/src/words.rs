//! All phrases of the pages: one function for each, with both languages side by side. The words in pictures are in
//! [`balpan_pictures`].

pub(crate) mod census;
pub(crate) mod certificates;
pub(crate) mod editor;
pub(crate) mod error;
pub(crate) mod frame;
pub(crate) mod help;
pub(crate) mod learn;
pub(crate) mod position;
pub(crate) mod puzzles;
pub(crate) mod review_page;
pub(crate) mod rules;
pub(crate) mod stress;
pub(crate) mod theories;
pub(crate) mod theory;
pub(crate) mod tree;
pub(crate) mod values;

pub(crate) use balpan_games::{Lang, phrases};
pub(crate) use balpan_pictures::words::{grouped, players, review};
