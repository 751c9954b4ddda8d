//! The explorer: pages that show what every move is worth, a game's tree, and the same
//! as JSON.

mod words;

pub use words::Lang;
