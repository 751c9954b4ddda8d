//! Values of short partizan games under normal play, as combinatorial game theory
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
//! use balpan::cgt::Forms;
//!
//! let watch = Watch::default();
//! let mut forms = Forms::new(1 << 20, &watch);
//! let zero = forms.zero();
//! let star = forms.game(&[zero], &[zero])?;
//! let up = forms.game(&[zero], &[star])?;
//! let sum = forms.sum(up, star)?;
//! assert_eq!(forms.text(sum)?, "↑*");
//! assert_eq!(forms.sum(star, star)?, zero);
//! # Ok::<(), balpan::cgt::Unfinished>(())
//! ```
//!
//! | to find | use |
//! |---|---|
//! | what a value written by a person is | [`Expression`] |
//! | what a position of a game of one's own is worth | [`Partizan`], [`Values`] |
//! | sums, order, options, stops, outcome | [`Forms`] |
//! | mean, temperature, thermograph | [`Forms::heat`], [`Forms::thermograph`] |
//! | the same of positions whose forms take too much memory | [`Heats`] |
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
pub use facts::Class;
pub use forms::{Form, Forms, Unfinished};
pub use heats::{Cooled, Heats};
pub use kept::Keepable;
pub use near::NearNumber;
pub use parse::{ExpressionError, ExpressionMistake};
pub use partizan::{Partizan, Player, Values};
pub use text::Told;
pub use thermograph::{Heat, Thermograph, Wall};

const LEFT: usize = 0;
const RIGHT: usize = 1;
