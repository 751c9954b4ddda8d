//! Values of short partizan games under normal play: canonical forms, their order and sums, and thermographs.
//!
//! The players are Left and Right; a player who cannot move loses. A game is written by its options, `{a, b|c}`: Left
//! can move to `a` or `b`, Right to `c`. Two games are equal if each can replace the other in every sum. Each class
//! of equal games has one simplest member, the *canonical form*, which has no dominated and no reversible options.
//!
//! Nothing here knows a family of games: a game is what implements [`Partizan`].
//!
//! ```
//! use balpan::Watch;
//! use balpan_cgt::FormStore;
//!
//! let watch = Watch::default();
//! let mut forms = FormStore::new(1 << 20, &watch);
//! let zero = forms.zero();
//! let star = forms.canonical_form(&[zero], &[zero])?;
//! let up = forms.canonical_form(&[zero], &[star])?;
//! let sum = forms.sum(up, star)?;
//! assert_eq!(forms.text(sum)?, "↑*");
//! assert_eq!(forms.sum(star, star)?, zero);
//! # Ok::<(), balpan_cgt::CgtError>(())
//! ```
//!
//! | to find | use |
//! |---|---|
//! | the value of an expression such as `{1\|*} + 2·↑` | [`Expression`] |
//! | the value of a position of your own game | [`Partizan`], [`PartizanSolver`] |
//! | sums, order, options, stops, outcome class | [`FormStore`] |
//! | who wins a position that falls apart, without its value | [`SumGame`] |
//! | mean, temperature, thermograph | [`FormStore::mast`], [`FormStore::thermograph`] |
//! | a thermograph where canonical forms take too much memory | [`ThermographSolver`] |
//!
//! Source: J. H. Conway, "On numbers and games" (1976); E. R. Berlekamp, J. H. Conway
//! and R. K. Guy, "Winning ways" (1982); A. N. Siegel, "Combinatorial game theory"
//! (2013), whose notation is used.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod checkpoint;
mod dyadic;
mod expression;
mod forms;
mod group;
mod number_up_star;
mod parse;
mod partizan;
mod properties;
pub mod quotient;
mod reduction;
mod sums;
mod text;
mod thermograph;
mod thermograph_solver;

pub use checkpoint::PositionCodec;
pub use dyadic::Dyadic;
pub use expression::{Component, Expression, Relation, Term};
pub use forms::{CgtError, Form, FormStore};
pub use number_up_star::NumberUpStar;
pub use parse::{ExpressionError, ExpressionErrorKind};
pub use partizan::{Partizan, PartizanSolver, Player};
pub use properties::OutcomeClass;
pub use sums::{MAX_VALUED_PLIES, Sum, SumGame, SumMove};
pub use text::AbbreviatedText;
pub use thermograph::{Mast, Thermograph, Wall};
pub use thermograph_solver::{ThermalSummary, ThermographSolver};

const LEFT: usize = 0;
const RIGHT: usize = 1;
