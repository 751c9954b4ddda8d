//! Families of games, and any game stated in the rules language, for the [`balpan`] solvers.
//!
//! | family | one of its games |
//! |---|---|
//! | [`walkers`] | Disappearing platforms: the tile that a token leaves vanishes |
//! | [`placement`] | Block game, Cram, Domineering: polyominoes on free cells |
//! | [`lines`] | tic-tac-toe, Connect Four, Notakto: k in a row |
//! | [`language`] | games that a file states in sentences: Breakthrough, Clobber, Othello |
//! | [`heaps`] | Nim, Kayles and other octal games: tokens taken from heaps |
//! | [`row`] | LeetCode's Stone Games: numbers taken from the ends of a row |
//! | [`pile`] | Fibonacci Nim: one heap, and a limit that the move before sets |
//!
//! Everything particular to a family is here, in its folder, and nothing is drawn, stored or served here.
//!
//! A [`RulesFile`] describes a game: one of the [`presets`] or a user's own file. Positions and moves are
//! text ([`Notation`]). A [`InputError`] says what is wrong with a text, in English and Korean.
//!
//! ```
//! use balpan::{Budget, Watch};
//! use balpan_games::presets::preset;
//! use balpan_games::{EngineCache, EngineOptions, PlayerName, Query};
//!
//! let rules = preset("platforms").expect("a preset")?;
//! let mut engines = EngineCache::new(rules, EngineOptions::new(Budget::default()));
//! let answer = engines.ask(".../A.B/...", Query::default(), &Watch::default(), &mut |_| {})?;
//! assert_eq!((answer.winner, answer.remoteness), (Some(PlayerName::A), Some(5)));
//! # Ok::<(), balpan_games::QueryError>(())
//! ```

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod answer;
mod any;
mod board;
pub mod calculator;
pub mod census;
mod engines;
mod erased;
pub mod error;
mod family;
pub mod heaps;
mod instructions;
pub mod language;
pub mod lines;
mod memory;
pub mod misere;
mod nearest;
mod no_game;
mod notation;
mod own;
pub mod pile;
pub mod placement;
pub mod presets;
pub mod quotients;
mod record;
mod registry;
mod review;
pub mod row;
mod rules;
mod settings;
pub mod sum;
mod symmetry;
mod text;
pub mod walkers;
mod words;

pub use answer::{Answer, MoveAnswer, NimValue, ReportedBounds, ReportedValue, format_line, is_alternating};
pub use any::{AnyGame, DynGame, Task};
pub use board::{Board, BoardError, CellSet, Cells};
pub use engines::{
    AnswerSink, EngineCache, EngineOptions, NimberResult, Query, QueryError, SizedCheckpoint, SizedOracle, TextEngine,
    nim_value,
};
pub use erased::{CostFn, DynPosition, ErasedGame};
pub use error::InputError;
pub use family::{CellStyle, Checked, FamilyGame, PositionValues};
pub use nearest::nearest;
pub use no_game::GameError;
pub use notation::{Notation, PlayerName};
pub use own::{find_position, register_game, register_game_on_boards};
pub use record::Record;
pub use registry::{Family, FamilyRules, families, register};
pub use review::{Annotation, MoveReview, Review};
pub use rules::{ChangeError, RulesFile, RulesSource, is_rules_key};
pub use settings::{Kind, Setting, settings};
pub use text::{TextError, TextKind};
pub use words::{Explanation, Lang, describe_rules};
