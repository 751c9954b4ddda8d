//! Checkpoints: files of expensive results, from which an interrupted run resumes, and folders of them, which many runs share.
//!
//! ```text
//! bytes  what
//! 8      "balpan\0k"
//! 4      version of this format, 1
//! 4      length of the rules' text, n
//! n      the rules' text, UTF-8
//! 4      checksum of everything above
//! 16     the valid length of the file: 8 bytes, their checksum of 4, and 4 of zeros
//! ...    records: a count of 4 bytes, entries of 27 bytes each, a checksum of 4
//! ```
//!
//! Numbers are little-endian, checksums CRC-32. A run writes a batch of records first, and then the length that includes
//! it. So everything before the length is whole, whenever a run ends, and bytes after it are ignored and overwritten. A file
//! that is shorter than its length was truncated, and is refused.
//!
//! A folder has files of any number of games. Their names begin with a checksum of the rules. A run reads all files of its rules,
//! those that other runs still write to as well, and writes a file of its own. It first merges the files that nobody writes to.

use std::fmt::Debug;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rustc_hash::FxHashMap;

const MAGIC: &[u8; 8] = b"balpan\0k";
const VERSION: u32 = 1;

/// The bytes of the length field.
const LENGTH_FIELD_BYTES: u64 = 16;
/// The bytes of an entry in the file.
const ENTRY_BYTES: usize = 27;

/// The most entries of one record.
const MAX_BATCH_ENTRIES: usize = 64;

/// The binary logarithm of the work from which an entry is written at once.
const FLUSH_WORK_LOG2: u8 = 20;

/// The longest text of the rules.
const MAX_RULES_BYTES: u32 = 1 << 20;

/// Why a checkpoint file cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("the file cannot be used: {0}")]
    Io(#[from] io::Error),
    /// The file is not a checkpoint.
    #[error("the file keeps no results: its first bytes are not those of such a file")]
    NotACheckpoint,
    /// The format has another version.
    #[error("the file is of version {0} of its format; this is version {VERSION}")]
    OtherVersion(u32),
    /// The results are of other rules.
    #[error("the file keeps results of other rules:\n{0}")]
    OtherRules(String),
    /// The file was truncated.
    #[error("the file was cut: it has {found} bytes, and should have {expected} at least")]
    Cut {
        /// The least size that the file should have, in bytes.
        expected: u64,
        /// The size of the file in bytes.
        found: u64,
    },
    /// A checksum does not match.
    #[error("the file is damaged: byte {0} begins a part whose checksum does not match")]
    Damaged(u64),
    /// Another run writes to it.
    #[error("another run keeps its results in the file")]
    InUse,
}

/// Why a folder of checkpoint files cannot be used: the file or folder, and what is wrong with it.
#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct FolderError {
    /// The path of the file or the folder.
    pub path: PathBuf,
    /// The error.
    pub source: CheckpointError,
}

/// The results of earlier runs, and a sink for those of this run.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The sink for expensive results.
    pub sink: Arc<dyn JournalSink>,
    /// The results of earlier runs.
    pub entries: Arc<[JournalEntry]>,
    /// Whether keys are [those of parts](crate::Game::part_key), the same on every board, so that only the solver of nimbers has
    /// results.
    pub is_of_parts: bool,
}

/// A result of a search, in the form of a solver's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JournalEntry {
    /// The number of the solver that found the result.
    pub solver: u8,
    /// The layout of the payload.
    pub layout: u8,
    /// The key in the solver's table.
    pub key: u128,
    /// The payload in the table.
    pub payload: u64,
    /// The binary logarithm of the number of positions searched for the result.
    pub work: u8,
}

/// A destination of expensive results.
pub trait JournalSink: Debug + Send + Sync {
    /// Appends an entry. Several threads call it during a search.
    fn append(&self, entry: JournalEntry);

    /// Makes the entries appended so far durable.
    ///
    /// # Errors
    /// If an entry could not be written since the last call.
    fn flush(&self) -> io::Result<()> {
        Ok(())
    }
}

/// The journal of one solver, which passes expensive results on to a sink.
#[derive(Clone, Debug)]
pub(crate) struct Journal {
    sink: Arc<dyn JournalSink>,
    min_work: u64,
    solver: u8,
    layout: u8,
    is_of_parts: bool,
}

impl Journal {
    /// Returns the journal of one solver, with its layout of payloads.
    pub(crate) fn for_solver(self, solver: u8, layout: u32) -> Self {
        Self { solver, layout: layout as u8, ..self }
    }

    /// Sets the least number of positions of a result that is appended.
    pub(crate) fn with_min_work(self, min_work: u64) -> Self {
        Self { min_work, ..self }
    }

    /// Returns whether keys are those of parts, the same on every board.
    pub(crate) const fn is_of_parts(&self) -> bool {
        self.is_of_parts
    }

    /// Returns whether an entry is of this solver and layout.
    pub(crate) const fn is_own(&self, entry: &JournalEntry) -> bool {
        entry.solver == self.solver && entry.layout == self.layout
    }

    /// Returns the least number of positions of a result that is appended.
    #[inline]
    pub(crate) const fn min_work(&self) -> u64 {
        self.min_work
    }

    /// Appends a result that took `work` positions.
    pub(crate) fn append(&self, key: u128, payload: u64, work: u64) {
        let work = work.max(1).ilog2() as u8;
        self.sink.append(JournalEntry { solver: self.solver, layout: self.layout, key, payload, work });
    }
}

/// The least number of positions of a result in a journal. A cheaper one is found again in about the time that it takes to
/// read it.
const MIN_JOURNAL_WORK: u64 = 1 << 11;

impl Checkpoint {
    /// Returns a journal that appends to the checkpoint.
    pub(crate) fn journal(&self) -> Journal {
        let Self { sink, is_of_parts, .. } = self;
        Journal { sink: Arc::clone(sink), min_work: MIN_JOURNAL_WORK, solver: 0, layout: 0, is_of_parts: *is_of_parts }
    }
}

/// Opens or creates the checkpoint file of a game with these rules. Returns its results and a sink that appends to it, for
/// any engine of the game. The text of the rules has to contain everything that the [keys](crate::Game::key) of
/// positions depend on.
///
/// # Errors
/// If the file cannot be used, is of other rules, or is truncated or damaged. The file is then left as it is.
pub fn open(path: &Path, rules: &str) -> Result<Checkpoint, CheckpointError> {
    let (file, entries) = open_file(path, rules)?;
    Ok(Checkpoint { sink: Arc::new(file), entries: entries.into(), is_of_parts: false })
}

/// Opens or creates a folder of checkpoint files that any number of runs share, of any games. Returns the results of a game with
/// these rules, and a sink that appends to a file of this run. Files of the rules that no run writes to are merged: of entries with
/// the same key the one that took the most work stays, and once they would take more than `max_bytes`, those of the least work go.
/// So the rules' files take at most `max_bytes`, and what the runs since then have added.
///
/// # Errors
/// If the folder or a file cannot be used, or a file is truncated or damaged. All files are then left as they are.
pub fn open_folder(folder: &Path, rules: &str, max_bytes: u64) -> Result<Checkpoint, FolderError> {
    let at = |path: &Path| {
        let path = path.to_owned();
        move |source: CheckpointError| FolderError { path, source }
    };
    let lock = lock_folder(folder).map_err(|e| at(folder)(e.into()))?;
    let prefix = format!("{:08x}-", crc32fast::hash(rules.as_bytes()));
    let (mut found, mut merged, mut last) = (FxHashMap::default(), Vec::new(), 0);
    for path in files_of(folder, &prefix).map_err(|e| at(folder)(e.into()))? {
        let number = path.file_stem().and_then(|name| name.to_str()?.strip_prefix(&prefix)?.parse::<u64>().ok());
        last = last.max(number.unwrap_or_default());
        let mut file = File::open(&path).map_err(|e| at(&path)(e.into()))?;
        let is_in_use = file.try_lock_shared().is_err();
        match read(&mut file, rules) {
            Ok((_, entries)) => add_most_work(&mut found, entries),
            // Other rules may have the same checksum, and a run may be writing the length.
            Err(CheckpointError::OtherRules(_)) => continue,
            Err(_) if is_in_use => continue,
            Err(e) => return Err(at(&path)(e)),
        }
        if !is_in_use {
            merged.push(path);
        }
    }
    let mut entries: Vec<_> = found.into_values().collect();
    entries.sort_unstable_by_key(|entry| (u8::MAX - entry.work, entry.solver, entry.layout, entry.key));
    // A record has eight bytes besides its entries.
    let around = header(rules).len() as u64 + LENGTH_FIELD_BYTES + 8;
    let max_entries = max_bytes.saturating_sub(around) / (ENTRY_BYTES as u64 + 1);
    let is_too_large = entries.len() as u64 > max_entries;
    entries.truncate(max_entries as usize);
    let path = |number: u64| folder.join(format!("{prefix}{number}.{FOLDER_EXTENSION}"));
    if merged.len() > 1 || is_too_large && !merged.is_empty() {
        last += 1;
        replace(&merged, &entries, rules, &path(last)).map_err(|e| at(folder)(e.into()))?;
    }
    let path = path(last + 1);
    let (file, _) = open_file(&path, rules).map_err(at(&path))?;
    drop(lock);
    Ok(Checkpoint { sink: Arc::new(file), entries: entries.into(), is_of_parts: false })
}

/// Creates a folder if there is none, and waits until no other run opens it. Returns the file whose lock says so.
fn lock_folder(folder: &Path) -> io::Result<File> {
    fs::create_dir_all(folder)?;
    let lock = OpenOptions::new().write(true).create(true).truncate(false).open(folder.join("lock"))?;
    lock.lock()?;
    Ok(lock)
}

/// Writes a file of entries, and then removes those that it takes the place of.
fn replace(files: &[PathBuf], entries: &[JournalEntry], rules: &str, path: &Path) -> io::Result<()> {
    let header = header(rules);
    let records = entries.chunks(MAX_BATCH_ENTRIES).flat_map(record).collect::<Vec<_>>();
    let end = header.len() as u64 + LENGTH_FIELD_BYTES + records.len() as u64;
    let temporary = path.with_extension("new");
    let mut file = File::create(&temporary)?;
    file.write_all(&[header, length_field(end).to_vec(), records].concat())?;
    file.sync_all()?;
    fs::rename(&temporary, path)?;
    files.iter().try_for_each(fs::remove_file)
}

/// The extension of files in a folder.
const FOLDER_EXTENSION: &str = "kept";

/// Returns the files of a folder whose names begin with `prefix`, in the order of their names.
fn files_of(folder: &Path, prefix: &str) -> io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_named = path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.starts_with(prefix));
        if is_named && path.extension().is_some_and(|extension| extension == FOLDER_EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// A solver, the layout of its payloads, and a key in its table.
type EntryName = (u8, u8, u128);

/// Adds the entries of a file, of which the last about a key counts, to those of others, where the one of the most work does.
fn add_most_work(found: &mut FxHashMap<EntryName, JournalEntry>, entries: Vec<JournalEntry>) {
    let named = entries.into_iter().map(|entry| ((entry.solver, entry.layout, entry.key), entry));
    for (name, entry) in named.collect::<FxHashMap<_, _>>() {
        let known = found.entry(name).or_insert(entry);
        if entry.work > known.work {
            *known = entry;
        }
    }
}

/// Opens or creates a file, for this run alone, and reads its results.
fn open_file(path: &Path, rules: &str) -> Result<(CheckpointFile, Vec<JournalEntry>), CheckpointError> {
    let was_there = path.symlink_metadata().is_ok();
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => CheckpointError::InUse,
        TryLockError::Error(error) => error.into(),
    })?;
    if file.metadata()?.len() == 0 {
        begin(&mut file, rules).inspect_err(|_| {
            // A partial header would be mistaken for a truncated file.
            let _ = if was_there { file.set_len(0) } else { fs::remove_file(path) };
        })?;
    }
    let (end, entries) = read(&mut file, rules)?;
    let first = header(rules).len() as u64;
    let state = Mutex::new(State { file, first, end, batch: Vec::new(), error: None });
    Ok((CheckpointFile { state }, entries))
}

/// A sink that writes to a file in small batches, and the last batch when it is dropped.
#[derive(Debug)]
struct CheckpointFile {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// The offset of the length field.
    first: u64,
    end: u64,
    batch: Vec<JournalEntry>,
    /// The error after which nothing more is written. The search goes on.
    error: Option<io::Error>,
}

impl JournalSink for CheckpointFile {
    fn append(&self, entry: JournalEntry) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.batch.push(entry);
        if state.batch.len() >= MAX_BATCH_ENTRIES || entry.work >= FLUSH_WORK_LOG2 {
            state.flush();
        }
    }

    fn flush(&self) -> io::Result<()> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.flush();
        state.error.take().map_or(Ok(()), Err)?;
        state.file.sync_data()
    }
}

impl Drop for CheckpointFile {
    fn drop(&mut self) {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner).flush();
    }
}

impl State {
    fn flush(&mut self) {
        if self.batch.is_empty() || self.error.is_some() {
            return;
        }
        let record = record(&self.batch);
        self.batch.clear();
        if let Err(e) = self.append(&record) {
            self.error = Some(e);
        }
    }

    fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(record)?;
        // Sync before the length includes the record: otherwise a system crash could leave a damaged file.
        self.file.sync_data()?;
        let end = self.end + record.len() as u64;
        self.file.seek(SeekFrom::Start(self.first))?;
        self.file.write_all(&length_field(end))?;
        self.end = end;
        Ok(())
    }
}

/// Returns everything before the length field.
fn header(rules: &str) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((rules.len() as u32).to_le_bytes());
    header.extend(rules.as_bytes());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    header
}

/// Returns the length field.
fn length_field(end: u64) -> [u8; LENGTH_FIELD_BYTES as usize] {
    let mut bytes = [0; LENGTH_FIELD_BYTES as usize];
    bytes[..8].copy_from_slice(&end.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..8]);
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

/// Writes the header of a new file.
fn begin(file: &mut File, rules: &str) -> Result<(), CheckpointError> {
    let mut bytes = header(rules);
    let end = bytes.len() as u64 + LENGTH_FIELD_BYTES;
    bytes.extend(length_field(end));
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(())
}

/// Returns the record of a batch.
fn record(entries: &[JournalEntry]) -> Vec<u8> {
    let mut record = Vec::with_capacity(8 + ENTRY_BYTES * entries.len());
    record.extend((entries.len() as u32).to_le_bytes());
    for entry in entries {
        record.extend([entry.solver, entry.layout, entry.work]);
        record.extend(entry.payload.to_le_bytes());
        record.extend(entry.key.to_le_bytes());
    }
    let checksum = crc32fast::hash(&record);
    record.extend(checksum.to_le_bytes());
    record
}

/// A reader of a file's bytes.
struct Bytes<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl<'b> Bytes<'b> {
    fn take(&mut self, count: usize) -> Result<&'b [u8], CheckpointError> {
        let cut = || CheckpointError::Cut { expected: (self.at + count) as u64, found: self.bytes.len() as u64 };
        let taken = self.bytes.get(self.at..self.at + count).ok_or_else(cut)?;
        self.at += count;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], CheckpointError> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn number(&mut self) -> Result<u32, CheckpointError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// Compares the checksum of the bytes since `from` with the one that follows.
    fn check(&mut self, from: usize) -> Result<(), CheckpointError> {
        let expected = crc32fast::hash(&self.bytes[from..self.at]);
        if self.number()? == expected { Ok(()) } else { Err(CheckpointError::Damaged(from as u64)) }
    }
}

/// Reads the valid length of the file, and its entries.
fn read(file: &mut File, rules: &str) -> Result<(u64, Vec<JournalEntry>), CheckpointError> {
    let mut bytes = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    file.read_to_end(&mut bytes)?;
    let mut bytes = Bytes { bytes: &bytes, at: 0 };
    if !bytes.bytes.starts_with(MAGIC) {
        return Err(CheckpointError::NotACheckpoint);
    }
    bytes.at = MAGIC.len();
    let version = bytes.number()?;
    if version != VERSION {
        return Err(CheckpointError::OtherVersion(version));
    }
    let length = bytes.number()?;
    if length > MAX_RULES_BYTES {
        return Err(CheckpointError::Damaged(bytes.at as u64 - 4));
    }
    let found = String::from_utf8_lossy(bytes.take(length as usize)?).into_owned();
    bytes.check(0)?;
    if found != rules {
        return Err(CheckpointError::OtherRules(found));
    }
    let place = bytes.at;
    let written: [u8; LENGTH_FIELD_BYTES as usize] = bytes.array()?;
    let mut length = [0; 8];
    length.copy_from_slice(&written[..8]);
    let end = u64::from_le_bytes(length);
    if written != length_field(end) || end < bytes.at as u64 {
        return Err(CheckpointError::Damaged(place as u64));
    }
    let found = bytes.bytes.len() as u64;
    if end > found {
        return Err(CheckpointError::Cut { expected: end, found });
    }
    bytes.bytes = &bytes.bytes[..end as usize];
    let mut entries = Vec::new();
    while bytes.at < bytes.bytes.len() {
        let from = bytes.at;
        let count = bytes.number()? as usize;
        if count > MAX_BATCH_ENTRIES {
            return Err(CheckpointError::Damaged(from as u64));
        }
        for _ in 0..count {
            let [solver, layout, work] = bytes.array()?;
            let payload = u64::from_le_bytes(bytes.array()?);
            let key = u128::from_le_bytes(bytes.array()?);
            entries.push(JournalEntry { solver, layout, key, payload, work });
        }
        bytes.check(from)?;
    }
    Ok((end, entries))
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
mod tests {
    use super::*;

    fn entry(n: u64) -> JournalEntry {
        JournalEntry { solver: 1, layout: 9, key: u128::from(n) << 70 | 5, payload: n, work: (n % 25) as u8 }
    }

    #[test]
    fn entries_are_read_back_and_wrong_files_refused() {
        let folder = std::env::temp_dir().join(format!("balpan-keep-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("kept");
        let _ = std::fs::remove_file(&path);
        for run in 0..3 {
            let Checkpoint { sink, entries, .. } = open(&path, "rules").unwrap();
            let expected: Vec<_> = (0..run * 500).map(entry).collect();
            assert_eq!(*entries, *expected, "run {run}");
            assert!(matches!(open(&path, "rules"), Err(CheckpointError::InUse)));
            (run * 500..(run + 1) * 500).for_each(|n| sink.append(entry(n)));
        }
        assert!(matches!(open(&path, "others"), Err(CheckpointError::OtherRules(_))));
        let whole = std::fs::read(&path).unwrap();
        // Bytes that a killed run left behind the end are ignored.
        std::fs::write(&path, [&whole[..], b"torn"].concat()).unwrap();
        assert_eq!(open(&path, "rules").unwrap().entries.len(), 1500);
        // From the longest prefix on: an empty file is a new one.
        for cut in (1..whole.len()).rev().step_by(97) {
            std::fs::write(&path, &whole[..cut]).unwrap();
            assert!(open(&path, "rules").is_err(), "cut to {cut}");
        }
        for flipped in (0..whole.len()).step_by(61) {
            let mut bytes = whole.clone();
            bytes[flipped] ^= 1 << (flipped % 8);
            std::fs::write(&path, bytes).unwrap();
            assert!(open(&path, "rules").is_err(), "flipped at {flipped}");
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn runs_share_a_folder() {
        let folder = std::env::temp_dir().join(format!("balpan-folder-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let open = |rules, max_bytes| open_folder(&folder, rules, max_bytes).unwrap();
        let keys = |checkpoint: &Checkpoint| {
            let mut keys: Vec<_> = checkpoint.entries.iter().map(|entry| entry.payload).collect();
            keys.sort_unstable();
            keys
        };
        let files = || fs::read_dir(&folder).unwrap().count() - 1;
        // Two runs at the same time, and one of other rules.
        let (first, second, other) = (open("rules", 1 << 20), open("rules", 1 << 20), open("others", 1 << 20));
        (0..200).for_each(|n| first.sink.append(entry(n)));
        (100..300).for_each(|n| second.sink.append(entry(n)));
        other.sink.append(entry(1000));
        first.sink.flush().unwrap();
        second.sink.flush().unwrap();
        let third = open("rules", 1 << 20);
        assert_eq!(keys(&third), (0..300).collect::<Vec<_>>(), "while the others write");
        assert_eq!(files(), 4);
        drop((first, second, third, other));
        assert_eq!(keys(&open("rules", 1 << 20)), (0..300).collect::<Vec<_>>());
        assert_eq!(keys(&open("others", 1 << 20)), [1000]);
        assert_eq!(files(), 4, "a merged one of the rules, that of the others, and two empty ones of the last runs");
        // The last entry about a key counts in a file, and that of the most work among files.
        let run = |payload, works: &[u8]| {
            let checkpoint = open("works", 1 << 20);
            works.iter().zip(payload..).for_each(|(work, payload)| {
                checkpoint.sink.append(JournalEntry { payload, work: *work, ..entry(0) });
            });
        };
        run(10, &[9, 5]);
        assert_eq!(keys(&open("works", 1 << 20)), [11]);
        run(20, &[4]);
        assert_eq!(keys(&open("works", 1 << 20)), [11]);
        run(30, &[6]);
        assert_eq!(keys(&open("works", 1 << 20)), [30]);
        // Entries of the most work stay.
        let small = open("rules", 2000);
        assert!((50..72).contains(&small.entries.len()), "{}", small.entries.len());
        let works: Vec<_> = small.entries.iter().map(|entry| entry.work).collect();
        assert!(works.iter().all(|work| *work >= 18), "{works:?}");
        drop(small);
        assert!(files_of(&folder, "").unwrap().iter().all(|path| path.metadata().unwrap().len() <= 2000 || {
            !fs::read(path).unwrap().windows(5).any(|word| word == b"rules")
        }));
        assert!(open("rules", 1 << 20).entries.len() < 72);
        // A file that is cut is refused, and all are left as they are.
        let largest =
            || files_of(&folder, "").unwrap().into_iter().max_by_key(|path| path.metadata().unwrap().len()).unwrap();
        let path = largest();
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
        let before = files();
        assert!(matches!(
            open_folder(&folder, "rules", 1 << 20),
            Err(FolderError { source: CheckpointError::Cut { .. }, .. })
        ));
        assert_eq!(files(), before);
        fs::remove_dir_all(&folder).unwrap();
    }
}
