//! Strong solutions on disk: the value of every position that play can reach.

mod backwards;
mod blocks;
mod book;
mod build;
mod codes;
mod error;
mod estimate;
mod export;
mod files;
mod format;
mod forwards;
mod keyfile;
mod known;
mod layer;
mod merge;
mod part;
mod prefix;
mod ribbon;
mod room;
mod scratch;
mod shares;
mod shelf;
mod solution;
mod sort;
mod split;
mod squeeze;
mod successors;
mod table;
mod values;
mod varint;
mod verify;
mod walk;
mod wanted;
mod word;
mod write;

pub use book::book;
pub use build::{Phase, Plan, Progress, build, remove_working_files};
pub use codes::Tells;
pub use error::BuildError;
pub use estimate::{BuildEstimate, estimate};
pub use export::{ExportError, export_values};
pub use files::free_bytes;
pub use format::{Header, LayerHeader, Subject};
pub use known::Known;
pub use merge::{MergeError, merge};
pub use shelf::Shelf;
pub use solution::Solution;
pub use split::{MOST_SHARES, Share, Split};
pub use table::{Lookup, Table, TableError, read_header};
pub use values::Values;
pub use verify::{Spend, VerifyError, Wrong, WrongWhat, verify, verify_some};
pub use walk::{Difference, Entry, Walk, differences, other_values};

/// The pieces that a build is made of, for those who share one out among many processes.
pub mod working {
    pub use crate::backwards::join;
    pub use crate::build::check_starts;
    pub use crate::codes::Scale;
    pub use crate::format::{Form, width};
    pub use crate::forwards::{Means, merge};
    pub use crate::keyfile::{BLOCK, KeyWriter, Summary};
    pub use crate::layer::{Blocks, Codes, Layer, ReadRoom, Worked};
    pub use crate::part::Part;
    pub use crate::room::Room;
    pub use crate::scratch::{Finished, Finishes, Run, Scratch};
    pub use crate::sort::sort;
    pub use crate::successors::{Successors, Ways};
    pub use crate::varint::{read as read_varint, write as write_varint};
    pub use crate::wanted::{Found, Wanted};
    pub use crate::word::Word;
    pub use crate::write::{Source, Writer};
}
