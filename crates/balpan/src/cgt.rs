//! PartizanSolver of short partizan games under normal play, as combinatorial game theory
//! has them: what a position is worth in any sum with others.
//!
//! Two players, Left and Right; who cannot move loses. A game is what each can move
//! to, `{a, b|c}`: Left to `a` or `b`, Right to `c`. Games that can stand for each
//! other in every sum are equal, and of all that are equal one is the simplest, their
//! *canonical form*: without options that another one dominates, and without those
//! that the other player's answer reverses.
//!
//! ```
//! use balpan::Watch;
//! use balpan::cgt::FormStore;
//!
//! let watch = Watch::default();
//! let mut forms = FormStore::new(1 << 20, &watch);
//! let zero = forms.zero();
//! let star = forms.canonical_form(&[zero], &[zero])?;
//! let up = forms.canonical_form(&[zero], &[star])?;
//! let sum = forms.sum(up, star)?;
//! assert_eq!(forms.text(sum)?, "↑*");
//! assert_eq!(forms.sum(star, star)?, zero);
//! # Ok::<(), balpan::cgt::CgtError>(())
//! ```
//!
//! | to find | use |
//! |---|---|
//! | what a value written by a person is | [`Expression`] |
//! | what a position of a game of one's own is worth | [`Partizan`], [`PartizanSolver`] |
//! | sums, order, options, stops, outcome | [`FormStore`] |
//! | mean, temperature, thermograph | [`FormStore::heat`], [`FormStore::thermograph`] |
//! | the same of positions whose forms take too much memory | [`ThermographSolver`] |
//!
//! Source: J. H. Conway, "On numbers and games" (1976); E. R. Berlekamp, J. H. Conway
//! and R. K. Guy, "Winning ways" (1982); A. N. Siegel, "Combinatorial game theory"
//! (2013), whose names of values are used.

mod dyadic;
mod expression;
mod facts;
mod forms;
mod heats;
mod kept;
mod near;
mod order;
mod parse;
mod partizan;
mod simplest;
mod sums;
mod text;
mod thermograph;

pub use dyadic::Dyadic;
pub use expression::{Component, Expression, Relation, Term};
pub use facts::OutcomeClass;
pub use forms::{CgtError, Form, FormStore};
pub use heats::{ThermalSummary, ThermographSolver};
pub use kept::PositionCodec;
pub use near::NumberUpStar;
pub use parse::{ExpressionError, ExpressionErrorKind};
pub use partizan::{Partizan, PartizanSolver, Player};
pub use text::AbbreviatedText;
pub use thermograph::{Mast, Thermograph, Wall};

const LEFT: usize = 0;
const RIGHT: usize = 1;
