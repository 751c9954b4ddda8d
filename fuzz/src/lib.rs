//! What must hold of whatever is read, for the fuzz targets.

mod judged;
mod position;

pub use judged::{Judged, in_small_reads};
pub use position::{CheckedStart, Variants, check_span};
