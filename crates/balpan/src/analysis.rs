//! Analysis of games by other means than the value of one position.

pub(crate) mod estimate;
mod loopy;
pub mod reach;
pub mod tree;

pub use estimate::{Estimate, estimate};
pub use loopy::{LoopyNimber, loopy_nimbers};
