//! Game trees as SVG, text, DOT and JSON, with the steps of alpha-beta on them.

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
