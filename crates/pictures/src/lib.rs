//! Pictures of games: boards, trees and sheets of puzzles, as text, SVG and DOT.
//!
//! | to draw | use |
//! |---|---|
//! | a position for a terminal, with moves marked | [`board`] |
//! | a game tree, and the steps of alpha-beta on it | [`tree`] |
//! | puzzles to print, with their answers | [`puzzle`] |
//! | a position as an SVG file | [`board::alone`] |
//! | the review of a game, move by move | [`graph`] |
//! | numbers of positions by remoteness | [`histogram`] |
//! | thermographs and sequences of nimbers | [`plots`] |
//!
//! Every function returns text: this crate prints, writes and serves nothing. Messages are in English and
//! Korean ([`words`]).
//!
//! ```
//! use balpan::Watch;
//! use balpan_games::presets::preset;
//! use balpan_pictures::tree::{TreeOptions, Look, sheet};
//!
//! let game = preset("tictactoe").expect("a preset")?.game_at("X../XOO/OX.")?;
//! let asked = TreeOptions { depth: None, alpha_beta: false, most: 100, memory: 1 << 20, threads: 1, known: None };
//! let sheet = sheet(&game, "tictactoe", asked, &Watch::default())?;
//! let look = Look::default();
//! assert!(sheet.text(&look).starts_with("Tictactoe 3x3, X to move: a draw\nAll 14 positions"));
//! assert!(sheet.svg(&look).starts_with("<svg "));
//! assert!(sheet.dot(&look).starts_with("digraph tree {"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod board;
mod census;
mod lines;
pub mod plots;
pub mod puzzle;
mod review;
mod svg;
pub mod tree;
pub mod words;

pub use census::histogram;
pub use lines::COLUMNS;
pub use review::graph;
pub use words::{Lang, grouped};
