//! Strong solutions on disk: the value of every position that play can reach.
//!
//! [`build()`] lists the positions layer by layer from the highest, in an external sort, and solves them from the
//! lowest by retrograde analysis. [`Table`] and [`Values`] probe the file, [`Tablebase`] all files at hand. Nothing here
//! knows the rules of a game: positions are keys.

#![warn(clippy::print_stdout, clippy::print_stderr, clippy::exit)]

mod any;
mod build;
mod error;
mod export;
mod files;
mod format;
mod probe;
mod shards;
mod tablebase;
mod verify;

pub use any::AnyKeyGame;
pub use build::book::book;
pub use build::estimate::{BuildEstimate, estimate};
pub use build::{Phase, Plan, Progress, build, remove_working_files};
pub use error::BuildError;
pub use export::{ExportError, export_values};
pub use files::{follow_links, free_bytes, parent_folder, sync_folder};
pub use format::codes::Metric;
pub use format::header::{Header, LayerHeader, Subject};
pub use probe::oracle::FileOracle;
pub use probe::solution::{Solution, map_file};
pub use probe::table::{Prober, Table, TableError, read_header};
pub use probe::values::Values;
pub use probe::walk::{Difference, Entry, Walk, differences, value_differences};
pub use shards::{MAX_SHARDS, MergeError, Shard, Sharding, merge};
pub use tablebase::remote::{Remote, RemoteError, ServedList, ServedOutcome, ServedPosition, ServedSolution};
pub use tablebase::{Tablebase, TablebaseError};
pub use verify::{Mismatch, MismatchKind, VerifyError, verify, verify_sample};

/// The parts of a build, for a build that many processes share. They fail if a file cannot be read or written or is damaged,
/// the watch stops the work, or the game breaks a law.
pub mod parts {
    pub use crate::build::backward::{BatchCodes, SolveBatch, join};
    pub use crate::build::forward::{Resources, merge, spill};
    pub use crate::build::keyfile::{KeyFileSummary, KeyWriter, MAX_BLOCK_KEYS};
    pub use crate::build::layer::{LayerCodes, LayerKeys, LayerReader, ReadBuffers, SolvedLayer};
    pub use crate::build::output::{LayerSource, PendingFile, SolutionWriter};
    pub use crate::build::scratch::{LayerFiles, Manifest, Run, Scratch};
    pub use crate::build::sort::{SpillBuffer, Word, sort};
    pub use crate::build::start_keys;
    pub use crate::build::successors::{Features, FoundFn, KeyGame, Scheme, scale_for};
    pub use crate::format::blocks::{read_varint, write_varint};
    pub use crate::format::codes::Scale;
    pub use crate::format::header::{Form, width};
}
