//! Every word that a page says, in each language: one function a phrase, so that what
//! has to mean the same stands side by side. The words of pictures are where they are drawn.

pub(crate) mod census;
pub(crate) mod certificates;
pub(crate) mod editor;
pub(crate) mod frame;
pub(crate) mod help;
pub(crate) mod learn;
pub(crate) mod position;
pub(crate) mod puzzles;
pub(crate) mod refusal;
pub(crate) mod review_page;
pub(crate) mod rules;
pub(crate) mod site;
pub(crate) mod stress;
pub(crate) mod theories;
pub(crate) mod theory;
pub(crate) mod tree;
pub(crate) mod values;

pub(crate) use balpan_games::Lang;
pub(crate) use balpan_pictures::words::{grouped, players, review};
