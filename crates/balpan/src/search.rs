//! Search: the solvers, and what they share.

pub(crate) mod alpha_beta;
pub mod checkpoint;
pub(crate) mod codes;
pub(crate) mod df_pn;
pub(crate) mod keys;
pub(crate) mod length;
pub(crate) mod memory;
pub(crate) mod minimax;
pub(crate) mod misere;
pub(crate) mod nimbers;
pub mod parallel;
pub(crate) mod proof;
pub(crate) mod ranking;
pub(crate) mod retrograde;
pub(crate) mod solver;
pub(crate) mod table;
pub(crate) mod watch;
pub(crate) mod workers;

pub use alpha_beta::AlphaBeta;
pub use checkpoint::{JournalEntry, JournalSink};
pub use df_pn::DfPn;
pub use length::{DepthLimit, MAX_PLIES, TooDeep, TooLong, with_stack_for};
pub use memory::Memo;
pub use minimax::{Minimax, minimax};
pub use misere::Misere;
pub use nimbers::{Nimbers, NotImpartial};
pub use retrograde::Retrograde;
pub use solver::{BoxedSettler, BoxedSolver, Budget, Settler, Solver, TableError};
pub use watch::{BrokenPromise, Stopped, Watch};
