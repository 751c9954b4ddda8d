//! Errors of a build.

use std::io;
use std::path::{Path, PathBuf};

use balpan::Stopped;

/// Why there is no file yet. What was finished is kept, and the same build goes on from it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The watch said stop.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// The game's positions have no keys that can be read back.
    #[error("the game's positions have no keys that can be read back, or longer ones than fit")]
    NoKeys,
    /// The game does not say how far a position is from the end.
    #[error("the game's positions have no layers that every move lowers")]
    NoLayers,
    /// Play may take too long.
    #[error("play may last {0} plies; values of at most {most} plies are stored", most = balpan::MAX_PLIES)]
    TooLong(u32),
    /// Nimbers were asked of a game that has none.
    #[error("there are no nimbers: the game is not impartial, or is played by the misère convention")]
    NotImpartial,
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: io::Error,
    },
    /// There is not enough room on the disk.
    #[error("{path}: the disk is full", path = path.display())]
    Full {
        /// What could not be written.
        path: PathBuf,
    },
    /// A working file is not as it was written.
    #[error("{path} is damaged: its checksum does not match", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The working files are of another build.
    #[error("{path} has the working files of another build: {found}", path = path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// What they are of.
        found: String,
    },
    /// Another process builds there.
    #[error("another build works in {path}", path = path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes the same file.
    #[error("another build writes {path}", path = path.display())]
    OutputInUse {
        /// The file, under the name that it has until it is whole.
        path: PathBuf,
    },
    /// There is a file of another solution where this one is to be written.
    #[error("{path} exists and has another solution", path = path.display())]
    OtherOutput {
        /// The file.
        path: PathBuf,
    },
    /// The memory allowed is too little to do anything in.
    #[error("{} MiB of memory are too few: at least {} are needed", allowed >> 20, needed >> 20)]
    NoMemory {
        /// The bytes allowed.
        allowed: usize,
        /// The fewest bytes that do.
        needed: usize,
    },
    /// The game breaks one of its laws.
    #[error("the game breaks a law: {0}")]
    Law(&'static str),
}

impl BuildError {
    /// What went wrong with this file.
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path: path.into() },
            _ => Self::Io { path: path.into(), source },
        }
    }
}
