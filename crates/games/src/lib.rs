//! Four families of games for the [`balpan`] solvers.
//!
//! | family | one of its games |
//! |---|---|
//! | [`walkers`] | Disappearing platforms: the tile that a token leaves vanishes |
//! | [`placement`] | Block game, Cram, Domineering: polyominoes on free cells |
//! | [`lines`] | tic-tac-toe, Connect Four, Notakto: k in a row |
//! | [`heaps`] | Nim, Kayles and other octal games: tokens taken from heaps |
//!
//! A game is made from a [`RulesFile`], one of the [`presets`] or anybody's own;
//! its positions and moves are text ([`Notation`]).
//!
//! ```
//! use balpan::{AlphaBeta, Solver, Value, Watch};
//! use balpan_games::presets::preset;
//! use balpan_games::{AnyGame, Notation};
//!
//! let rules = preset("platforms").expect("a preset")?;
//! let AnyGame::Walkers(game) = rules.game_at(".../A.B/...")? else { panic!("walkers") };
//! let watch = Watch::default();
//! let value = AlphaBeta::new(&game, 1 << 20, &watch).value(&game.parse(".../A.B/...")?);
//! assert_eq!(value, Ok(Value::win(5)));
//! # Ok::<(), balpan_games::TextError>(())
//! ```

mod answer;
mod any;
mod board;
pub mod heaps;
pub mod lines;
mod notation;
pub mod placement;
pub mod presets;
mod rules;
mod solving;
mod symmetry;
mod text;
pub mod walkers;

pub use answer::{Answer, WorthOfMove, line_texts};
pub use any::{AnyGame, Task};
pub use board::{Board, BoardError, CellSet, Cells};
pub use notation::Notation;
pub use rules::{ChangeError, RulesFile};
pub use solving::{Method, NoAnswer, Number, Question, Solvable, Solved, check_length};
pub use text::TextError;
