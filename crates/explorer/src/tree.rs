//! A game's tree to look at: as a picture, as text, for graphviz, as JSON; and, step by
//! step, what alpha-beta does on it.

pub(crate) mod board;
mod dot;
pub(crate) mod json;
pub(crate) mod layout;
pub(crate) mod look;
pub(crate) mod sheet;
pub(crate) mod stage;
pub(crate) mod svg;
mod text;

pub use json::TreeJson;
pub use look::Look;
pub use sheet::{Asked, NoTree, Sheet, sheet};
