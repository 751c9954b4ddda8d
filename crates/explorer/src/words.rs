//! All phrases of the pages: one function for each, with both languages side by side. The words in pictures are in
//! [`balpan_pictures`].

/// Defines functions that return a phrase without parameters: `name: "English", "Korean";`.
macro_rules! phrases {
    ($($(#[$attribute:meta])* $name:ident: $english:expr, $korean:expr;)*) => {$(
        $(#[$attribute])*
        pub(crate) fn $name(lang: Lang) -> &'static str {
            lang.pick($english, $korean)
        }
    )*};
}

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

pub(crate) use balpan_games::Lang;
pub(crate) use balpan_pictures::words::{grouped, players, review};
