//! The explorer: pages that show what every move is worth, a game's tree, and the same
//! as JSON.

mod link;
mod refusal;
mod scene;
mod words;

pub use words::Lang;
