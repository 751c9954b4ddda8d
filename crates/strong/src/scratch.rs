//! The folder of working files, and what in it is finished.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::error::BuildError;
use crate::files;
use crate::format::Subject;
use crate::keyfile::Summary;

/// The version of what is written.
const VERSION: u32 = 2;

const STATE: &str = "state.json";
const LOCK: &str = "lock";

/// What is finished is written this often, at the most.
const OFTEN: Duration = Duration::from_millis(500);

/// What is finished of some work.
pub trait Finishes: Default + Serialize + DeserializeOwned {
    /// The working files that are of use.
    fn names(&self) -> impl Iterator<Item = &str>;
}

/// What is finished, as it is written: by an atomic rename. A file that it does not name is of no
/// use, and is removed by who goes on.
#[derive(Serialize, Deserialize)]
struct Written<S> {
    version: u32,
    /// What is built, in words: see [`Scratch::open`].
    of: String,
    /// The number of the next file.
    next: u64,
    state: S,
}

/// What is finished of a build.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct State {
    /// Layers whose positions are all known, the highest first.
    pub(crate) layers: Vec<Finished>,
    /// Positions of lower layers that were found on the way.
    pub(crate) runs: Vec<Run>,
}

impl Finishes for State {
    fn names(&self) -> impl Iterator<Item = &str> {
        self.layers.iter().flat_map(Finished::names).chain(self.runs.iter().map(|run| run.keys.name.as_str()))
    }
}

/// A layer whose positions are all known.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// The layer.
    pub layer: u32,
    /// Its keys, in ascending order from file to file.
    pub keys: Vec<Summary>,
    /// The file of their codes, once they are known.
    pub codes: Option<String>,
}

impl Finished {
    /// The number of its positions.
    pub fn positions(&self) -> u64 {
        self.keys.iter().map(|file| file.keys).sum()
    }

    /// The files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|file| file.name.as_str()).chain(self.codes.as_deref())
    }
}

/// The text of a state, if the XXH3 in the line after it fits.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (text, checksum) = bytes.split_at_checked(bytes.len().checked_sub(17)?)?;
    (checksum == format!("\n{:016x}", xxh3_64(text)).as_bytes()).then_some(text)
}

/// Some keys of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The layer.
    pub layer: u32,
    /// The keys.
    pub keys: Summary,
}

/// The folder, for as long as this build works in it.
#[derive(Debug)]
pub struct Scratch<S> {
    /// Where it is.
    pub folder: PathBuf,
    /// What is finished.
    pub state: S,
    of: String,
    next: AtomicU64,
    /// Files that are known to be on the disk.
    synced: HashSet<String>,
    committed: Instant,
    _lock: File,
}

impl<S: Finishes> Scratch<S> {
    /// Takes the folder for the build of what `of` describes, which goes on from what is
    /// finished there, if anything is.
    ///
    /// # Errors
    /// If another build is at work there or has left its files, or if they are damaged.
    pub fn open(folder: &Path, of: &str) -> Result<Self, BuildError> {
        fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
        let lock_path = folder.join(LOCK);
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(BuildError::io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(BuildError::InUse { path: folder.into() }),
            Err(fs::TryLockError::Error(e)) => return Err(BuildError::io(&lock_path)(e)),
        }
        let path = folder.join(STATE);
        let written = match fs::read(&path) {
            Ok(bytes) => checked(&bytes)
                .and_then(|text| serde_json::from_slice::<Written<S>>(text).ok())
                .filter(|written| written.version == VERSION)
                .ok_or_else(|| BuildError::Damaged { path: path.clone() })?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                Written { version: VERSION, of: of.to_owned(), next: 0, state: S::default() }
            }
            Err(e) => return Err(BuildError::io(&path)(e)),
        };
        if written.of != of {
            return Err(BuildError::Other { path: folder.into(), found: in_short(&written.of) });
        }
        let Written { of, next, state, .. } = written;
        let (next, synced) = (AtomicU64::new(next), state.names().map(str::to_owned).collect());
        let scratch = Self { folder: folder.into(), state, of, next, synced, committed: Instant::now(), _lock: lock };
        scratch.sweep()?;
        Ok(scratch)
    }

    /// A name that no file has.
    pub fn name(&self, what: &str, layer: u32) -> String {
        format!("{what}-{layer}-{}", self.next.fetch_add(1, Relaxed))
    }

    /// As [`commit`](Self::commit), if that was not done a moment ago: of small layers, many are
    /// finished in a second.
    ///
    /// # Errors
    /// Those of `commit`.
    pub fn commit_in_time(&mut self) -> Result<(), BuildError> {
        if self.is_due() { self.commit() } else { Ok(()) }
    }

    /// Whether the last commit was not a moment ago.
    pub fn is_due(&self) -> bool {
        self.committed.elapsed() >= OFTEN
    }

    /// Writes what is finished now, and removes what has served its purpose.
    ///
    /// # Errors
    /// If it cannot be written, or removed.
    pub fn commit(&mut self) -> Result<(), BuildError> {
        self.write()?;
        self.sweep()
    }

    /// Writes what is finished now. Files that have served their purpose stay until
    /// [`sweep`](Self::sweep).
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self) -> Result<(), BuildError> {
        let names: HashSet<String> = self.state.names().map(str::to_owned).collect();
        for name in names.difference(&self.synced) {
            let path = self.folder.join(name);
            File::open(&path).and_then(|file| file.sync_all()).map_err(BuildError::io(&path))?;
        }
        (self.synced, self.committed) = (names, Instant::now());
        let path = self.folder.join(STATE);
        let new = self.folder.join("state.new");
        let (of, next, state) = (&self.of, self.next.load(Relaxed), &self.state);
        let written = Written { version: VERSION, of: of.clone(), next, state };
        let mut text = serde_json::to_vec(&written).map_err(|e| BuildError::io(&new)(e.into()))?;
        text.extend(format!("\n{:016x}", xxh3_64(&text)).bytes());
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&text)?;
            file.sync_all()?;
            // The files that it names have to be there, too.
            files::sync_folder(&self.folder)?;
            fs::rename(&new, &path)?;
            files::sync_folder(&self.folder)
        };
        write().map_err(BuildError::io(&path))
    }

    /// Removes working files that the state does not name. Files that others may have put into
    /// the folder are let alone.
    ///
    /// # Errors
    /// If the folder cannot be read, or a file cannot be removed.
    pub fn sweep(&self) -> Result<(), BuildError> {
        let named: HashSet<&str> = self.state.names().collect();
        for entry in fs::read_dir(&self.folder).map_err(BuildError::io(&self.folder))? {
            let entry = entry.map_err(BuildError::io(&self.folder))?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            let is_ours = ["run-", "keys-", "codes-", "wants-"].iter().any(|prefix| name.starts_with(prefix));
            if is_ours && !named.contains(name) {
                fs::remove_file(entry.path()).map_err(BuildError::io(&entry.path()))?;
            }
        }
        Ok(())
    }

    /// Leaves the folder as it was found, if nothing in it is finished.
    pub fn abandon(self) {
        if !self.folder.join(STATE).exists() {
            let _ = fs::remove_file(self.folder.join(LOCK));
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// Removes the working files, and the folder if nothing else is in it.
    ///
    /// # Errors
    /// If one cannot be removed.
    pub fn remove(mut self) -> Result<(), BuildError> {
        self.state = S::default();
        // The state goes first: a folder with files and no state is that of a new build.
        let state = self.folder.join(STATE);
        fs::remove_file(&state).map_err(BuildError::io(&state))?;
        self.sweep()?;
        let lock = self.folder.join(LOCK);
        fs::remove_file(&lock).map_err(BuildError::io(&lock))?;
        // It may have been there before, with other files in it.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }
}

/// What is built, as people are told.
fn in_short(of: &str) -> String {
    serde_json::from_str::<Subject>(of).map_or_else(|_| of.to_owned(), |of| format!("{} {}", of.game, of.size))
}
