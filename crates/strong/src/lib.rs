//! Strong solutions on disk: the value of every position that play can reach.

mod backwards;
mod blocks;
mod book;
mod build;
mod codes;
mod error;
mod estimate;
mod files;
mod format;
mod forwards;
mod keyfile;
mod layer;
mod room;
mod scratch;
mod sort;
mod squeeze;
mod successors;
mod table;
mod varint;
mod word;
mod write;

pub use book::book;
pub use build::{Phase, Plan, Progress, build};
pub use codes::Tells;
pub use error::BuildError;
pub use estimate::{BuildEstimate, estimate};
pub use files::free_bytes;
pub use format::{Header, LayerHeader, Subject};
pub use table::{Lookup, Table, TableError};
