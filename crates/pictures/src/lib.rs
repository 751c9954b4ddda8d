//! Pictures of games: boards, trees and sheets of puzzles, as text, SVG and DOT.
//!
//! | to draw | use |
//! |---|---|
//! | a position for a terminal, with moves marked | [`board`] |
//! | a game tree, and the steps of alpha-beta on it | [`tree`] |
//! | puzzles to print, with their answers | [`puzzle`] |
//! | a position as an SVG file | [`board::position_svg`] |
//! | the review of a game, move by move | [`review_graph`] |
//! | numbers of positions by remoteness | [`census_histogram`] |
//! | thermographs and sequences of nimbers | [`plots`] |
//!
//! Every function returns text: this crate prints, writes and serves nothing. Messages are in English and
//! Korean ([`words`]).
//!
//! ```
//! use balpan::Watch;
//! use balpan_games::presets::preset;
//! use balpan_pictures::tree::{TreeOptions, ViewOptions, build_tree};
//!
//! let game = preset("tictactoe").expect("a preset")?.game_at("X../XOO/OX.")?;
//! let options = TreeOptions { depth: None, alpha_beta: false, max_positions: 100, memory: 1 << 20, threads: 1, oracle: None };
//! let tree = build_tree(&game, "tictactoe", options, &Watch::default())?;
//! let options = ViewOptions::default();
//! assert!(tree.text(&options).starts_with("Tictactoe 3x3, X to move: a draw\nAll 14 positions"));
//! assert!(tree.svg(&options).starts_with("<svg "));
//! assert!(tree.dot(&options).starts_with("digraph tree {"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

/// Appends formatted text to a string.
macro_rules! put {
    ($out:expr, $($text:tt)*) => {{
        use std::fmt::Write;
        // Writing to a string cannot fail.
        let _ = write!($out, $($text)*);
    }};
}

pub mod board;
pub mod plots;
pub mod puzzle;
pub mod review;
mod text;
pub mod tree;
pub mod words;

pub use plots::census_histogram;
pub use review::review_graph;
pub use text::COLUMNS;
pub use words::{Lang, grouped};
