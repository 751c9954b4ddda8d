//! The folder of working files, and the manifest of those that are finished.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use xxhash_rust::xxh3::xxh3_64;

use crate::build::keyfile::KeyFileSummary;
use crate::error::BuildError;
use crate::files;
use crate::format::header::Subject;

/// The version of the manifest and of the working files.
const VERSION: u32 = 2;

const MANIFEST_NAME: &str = "state.json";
const LOCK_NAME: &str = "lock";

/// The shortest time between two [`commit_if_due`](Scratch::commit_if_due) that write.
const COMMIT_INTERVAL: Duration = Duration::from_millis(500);

/// A manifest: what a build has finished, and in which working files.
pub trait Manifest: Default + Serialize + DeserializeOwned {
    /// The names of the working files that are still needed.
    fn names(&self) -> impl Iterator<Item = &str>;
}

/// The manifest on the disk, replaced by an atomic rename. Working files that it does not name are
/// removed when the build resumes.
#[derive(Serialize, Deserialize)]
struct ManifestFile<S> {
    version: u32,
    /// The subject: see [`Scratch::open`].
    of: String,
    /// The number of the next working file.
    next: u64,
    state: S,
}

/// The manifest of a build by one process.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct BuildManifest {
    /// Layers whose positions are all listed, the highest first.
    pub(crate) layers: Vec<LayerFiles>,
    /// Runs of positions of lower layers.
    pub(crate) runs: Vec<Run>,
    /// The layer that is worked on, if play may repeat.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) open: Option<OpenLayer>,
    /// The plies of the longest value found so far, if play may repeat.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) longest: Option<u16>,
}

/// The unfinished work on a layer whose moves may lead to positions of the same layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum OpenLayer {
    /// The positions are being listed.
    Listing {
        layer: u32,
        /// The positions whose moves were made: files of ascending keys, in groups that have no key in common.
        expanded: Vec<Vec<KeyFileSummary>>,
        /// The positions found last.
        frontier: Vec<KeyFileSummary>,
    },
    /// The values are being found.
    Solving(LayerGraph),
}

/// The moves of a layer: see [`fixpoint`](crate::build::fixpoint).
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct LayerGraph {
    /// The blocks of positions whose moves are listed.
    pub(crate) blocks: usize,
    /// The moves within the layer, and what the moves out of it lead to.
    pub(crate) edges: Vec<KeyFileSummary>,
    pub(crate) exits: Vec<KeyFileSummary>,
    /// Whether these files are merged.
    pub(crate) is_merged: bool,
    /// The file of the states of all positions, and the plies up to which values are found.
    pub(crate) states: Option<(String, u16)>,
}

impl OpenLayer {
    fn files(&self) -> impl Iterator<Item = &str> {
        let (groups, rest, states) = match self {
            Self::Listing { expanded, frontier, .. } => (&expanded[..], [&frontier[..], &[]], None),
            Self::Solving(LayerGraph { edges, exits, states, .. }) => (&[][..], [&edges[..], exits], states.as_ref()),
        };
        let files = groups.iter().flatten().chain(rest.into_iter().flatten());
        files.map(|file| file.name.as_str()).chain(states.map(|(name, _)| name.as_str()))
    }
}

impl Manifest for BuildManifest {
    fn names(&self) -> impl Iterator<Item = &str> {
        let runs = self.runs.iter().map(|run| run.keys.name.as_str());
        let open = self.open.iter().flat_map(OpenLayer::files);
        self.layers.iter().flat_map(LayerFiles::names).chain(runs).chain(open)
    }
}

/// The working files of a layer whose positions are all listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LayerFiles {
    /// The layer.
    pub layer: u32,
    /// The files of its keys, in ascending order.
    pub keys: Vec<KeyFileSummary>,
    /// The file of its codes, once it is solved.
    pub codes: Option<String>,
}

impl LayerFiles {
    /// The number of its positions.
    pub fn positions(&self) -> u64 {
        self.keys.iter().map(|file| file.keys).sum()
    }

    /// The names of its files.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.keys.iter().map(|file| file.name.as_str()).chain(self.codes.as_deref())
    }
}

/// Returns the text of a manifest if its checksum matches: the XXH3 on the line after it.
fn checked(bytes: &[u8]) -> Option<&[u8]> {
    let (text, checksum) = bytes.split_at_checked(bytes.len().checked_sub(17)?)?;
    (checksum == format!("\n{:016x}", xxh3_64(text)).as_bytes()).then_some(text)
}

/// A sorted run: some keys of a layer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// The layer.
    pub layer: u32,
    /// The keys.
    pub keys: KeyFileSummary,
}

/// The folder of working files, locked by one build.
#[derive(Debug)]
pub struct Scratch<S> {
    /// Its path.
    pub folder: PathBuf,
    /// The manifest.
    pub manifest: S,
    subject: String,
    next: AtomicU64,
    /// Files that were synced to the disk.
    synced: HashSet<String>,
    committed: Instant,
    _lock: File,
}

impl<S: Manifest> Scratch<S> {
    /// Locks the folder for the build of `subject`, and reads its manifest, or begins an empty one.
    pub fn open(folder: &Path, subject: &str) -> Result<Self, BuildError> {
        fs::create_dir_all(folder).map_err(BuildError::io(folder))?;
        let lock_path = folder.join(LOCK_NAME);
        let lock = OpenOptions::new().create(true).truncate(false).write(true).open(&lock_path);
        let lock = lock.map_err(BuildError::io(&lock_path))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(BuildError::InUse { path: folder.into() }),
            Err(fs::TryLockError::Error(e)) => return Err(BuildError::io(&lock_path)(e)),
        }
        let path = folder.join(MANIFEST_NAME);
        let written = match fs::read(&path) {
            Ok(bytes) => checked(&bytes)
                .and_then(|text| serde_json::from_slice::<ManifestFile<S>>(text).ok())
                .filter(|written| written.version == VERSION)
                .ok_or_else(|| BuildError::Damaged { path: path.clone() })?,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                ManifestFile { version: VERSION, of: subject.to_owned(), next: 0, state: S::default() }
            }
            Err(e) => return Err(BuildError::io(&path)(e)),
        };
        if written.of != subject {
            return Err(BuildError::Other { path: folder.into(), found: describe(&written.of) });
        }
        let ManifestFile { of: subject, next, state: manifest, .. } = written;
        let (next, synced) = (AtomicU64::new(next), manifest.names().map(str::to_owned).collect());
        let scratch =
            Self { folder: folder.into(), manifest, subject, next, synced, committed: Instant::now(), _lock: lock };
        scratch.sweep()?;
        Ok(scratch)
    }

    /// Returns a name for a new working file, which begins with `what`.
    pub fn name(&self, what: &str, layer: u32) -> String {
        format!("{what}-{layer}-{}", self.next.fetch_add(1, Relaxed))
    }

    /// [Commits](Self::commit) unless that was done a moment ago: many small layers are finished in
    /// a second.
    pub fn commit_if_due(&mut self) -> Result<(), BuildError> {
        if self.is_due() { self.commit() } else { Ok(()) }
    }

    /// Whether half a second has passed since the last commit.
    pub fn is_due(&self) -> bool {
        self.committed.elapsed() >= COMMIT_INTERVAL
    }

    /// Syncs the files that the manifest names, writes it, and removes the working files that it does not name.
    pub fn commit(&mut self) -> Result<(), BuildError> {
        let names: HashSet<String> = self.manifest.names().map(str::to_owned).collect();
        for name in names.difference(&self.synced) {
            let path = self.folder.join(name);
            File::open(&path).and_then(|file| file.sync_all()).map_err(BuildError::io(&path))?;
        }
        (self.synced, self.committed) = (names, Instant::now());
        let path = self.folder.join(MANIFEST_NAME);
        let new = self.folder.join("state.new");
        let written = ManifestFile {
            version: VERSION,
            of: self.subject.clone(),
            next: self.next.load(Relaxed),
            state: &self.manifest,
        };
        let mut text = serde_json::to_vec(&written).map_err(|e| BuildError::io(&new)(e.into()))?;
        text.extend(format!("\n{:016x}", xxh3_64(&text)).bytes());
        let write = || {
            let mut file = File::create(&new)?;
            file.write_all(&text)?;
            file.sync_all()?;
            // The files that it names must be in the folder before it is.
            files::sync_folder(&self.folder)?;
            fs::rename(&new, &path)?;
            files::sync_folder(&self.folder)
        };
        write().map_err(BuildError::io(&path))?;
        self.sweep()
    }

    /// Removes working files that the manifest does not name. Foreign files in the folder stay.
    pub fn sweep(&self) -> Result<(), BuildError> {
        let named: HashSet<&str> = self.manifest.names().collect();
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

    /// Removes the lock and the folder, if nothing was ever committed there.
    pub fn abandon(self) {
        if !self.folder.join(MANIFEST_NAME).exists() {
            let _ = fs::remove_file(self.folder.join(LOCK_NAME));
            let _ = fs::remove_dir(&self.folder);
        }
    }

    /// Removes all working files, and the folder if it is empty then.
    pub fn remove(mut self) -> Result<(), BuildError> {
        self.manifest = S::default();
        // The manifest goes first: a folder without one is that of a new build.
        let state = self.folder.join(MANIFEST_NAME);
        fs::remove_file(&state).map_err(BuildError::io(&state))?;
        self.sweep()?;
        let lock = self.folder.join(LOCK_NAME);
        fs::remove_file(&lock).map_err(BuildError::io(&lock))?;
        // The folder may hold foreign files.
        let _ = fs::remove_dir(&self.folder);
        Ok(())
    }
}

/// The subject in a few words, for messages.
fn describe(of: &str) -> String {
    serde_json::from_str::<Subject>(of).map_or_else(|_| of.to_owned(), |of| format!("{} {}", of.game, of.size))
}
