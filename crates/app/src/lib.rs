//! What every door does: load a game, ask, census, review, tree, sum, value, prove, build, look up. One function and one
//! serialisable report for each.
//!
//! The command, the explorer and the Python package are the doors: each turns its arguments into a call of a function
//! here, and the report into text, HTML, JSON or an object. [`words`] has the sentences that several of them show. Nothing
//! here knows a terminal, HTML, HTTP or Python; nothing prints.
//!
//! | to | use |
//! |---|---|
//! | count the positions that play can reach | [`CensusQuery`] |
//! | review a game that was played | [`review`] |
//! | generate test data | [`generate`] |
//! | report on a program under test | [`StressReport`] |
//! | report on a game between programs | [`RefereeReport`] |
//! | describe a file of a strong solution | [`SolutionReport`] |

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod contest;
mod strong;
mod study;
pub mod words;

pub use contest::{Explanation, FaultReport, RefereeReport, StressReport, generate};
pub use strong::{EntryValue, LayerCounts, SolutionReport, ValueCount};
pub use study::{CensusError, CensusQuery, review};
