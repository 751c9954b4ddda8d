//! Game trees as SVG, text, DOT and JSON, with the steps of alpha-beta on them.

mod dot;
pub(crate) mod game_tree;
mod json;
mod layout;
pub(crate) mod search_state;
mod svg;
mod text;
mod view;

pub use game_tree::{GameTree, GameTreeError, TreeOptions, build_tree, build_tree_for};
pub use json::TreeJson;
pub use svg::{LinkTarget, Links, STYLE};
pub use view::{TreeView, ViewOptions};
