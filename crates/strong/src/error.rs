//! Errors of a build.

use std::io;
use std::path::{Path, PathBuf};

use balpan::Stopped;

/// Why a build ended without its file. The working files stay, and the same build resumes from
/// them.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The watch stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
    /// Keys do not identify positions, or are longer than [`MAX_KEY_BITS`](balpan::MAX_KEY_BITS).
    #[error("the game's positions have no keys that can be read back, or longer ones than fit")]
    NoKeys,
    /// The game has no [layers](balpan::Game::layer).
    #[error("the game's positions have no layers that every move lowers")]
    NoLayers,
    /// The [scores](balpan::Game::score) of the game are too large for codes of two bytes, beside the plies of play.
    #[error("scores of up to {0} are too large to be stored")]
    LargeScores(u32),
    /// Play may repeat, and the game has [scores](balpan::Game::score).
    #[error(
        "play may repeat, and its ends have scores; a strong solution of such a game could not be verified, since scores \
         count no plies by which one would follow from another"
    )]
    LoopsWithScores,
    /// Play may repeat, and the build does not allow that: it is one of a book, or by many processes.
    #[error("play may repeat; such a game is solved by one process, and as a whole")]
    Loops,
    /// Play may last more plies than a value can hold.
    #[error("play may last {0} plies; values of at most {most} plies are stored", most = balpan::MAX_PLIES)]
    TooLong(u32),
    /// The subject asks for nimbers, and the game has none.
    #[error("there are no nimbers: the game is not impartial, or is played by the misère convention")]
    NotImpartial,
    /// A file cannot be read or written.
    #[error("{path}: {source}", path = path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The cause.
        source: io::Error,
    },
    /// The disk or the quota is full.
    #[error("{path}: the disk is full", path = path.display())]
    Full {
        /// The file that could not be written.
        path: PathBuf,
    },
    /// A working file does not match its checksum.
    #[error("{path} is damaged: its checksum does not match", path = path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// The folder has the working files of another build.
    #[error("{path} has the working files of another build: {found}", path = path.display())]
    Other {
        /// The folder.
        path: PathBuf,
        /// The subject of that build, in words.
        found: String,
    },
    /// Another process builds in this folder.
    #[error("another build works in {path}", path = path.display())]
    InUse {
        /// The folder.
        path: PathBuf,
    },
    /// Another process writes the same output.
    #[error("another build writes {path}", path = path.display())]
    OutputInUse {
        /// The temporary file of the output.
        path: PathBuf,
    },
    /// The output path holds another solution.
    #[error("{path} exists and has another solution", path = path.display())]
    OtherOutput {
        /// The file.
        path: PathBuf,
    },
    /// The memory limit is below the minimum.
    #[error("{} MiB of memory are too few: at least {} are needed", allowed >> 20, needed >> 20)]
    NoMemory {
        /// The bytes allowed.
        allowed: usize,
        /// The minimum, in bytes.
        needed: usize,
    },
    /// The game breaks one of its laws.
    #[error("the game breaks a law: {0}")]
    Law(&'static str),
}

impl BuildError {
    /// Returns a conversion of I/O errors at `path`. A full disk or quota becomes
    /// [`Full`](Self::Full).
    pub fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::Full { path: path.into() },
            _ => Self::Io { path: path.into(), source },
        }
    }
}
