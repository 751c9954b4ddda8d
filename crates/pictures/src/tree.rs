//! A game's tree to look at: as a picture, as text, for graphviz, as JSON; and, step by
//! step, what alpha-beta does on it.

mod dot;
mod json;
mod layout;
mod look;
pub(crate) mod sheet;
pub(crate) mod stage;
mod svg;
mod text;
mod told;
mod values;

pub use json::TreeJson;
pub use look::{Look, Shown};
pub use sheet::{NoTree, Sheet, TreeOptions, sheet, sheet_of};
pub use svg::{Go, Links, STYLE};
