//! A file of expensive results, from which a run that was stopped continues.
//!
//! ```text
//! bytes  what
//! 8      "balpan\0k"
//! 4      version of this format, 1
//! 4      length of the rules' text, n
//! n      the rules' text, UTF-8
//! 4      checksum of all that stands above
//! 16     how far the file is written: a length of 8 bytes, its checksum of 4, and 4 of zeros
//! ...    records: a count of 4 bytes, entries of 27 bytes each, a checksum of 4
//! ```
//!
//! Numbers are little-endian, checksums CRC-32. A batch of records is written first and then
//! the length that takes it in: whatever a run was doing when it ended, what is behind the
//! length is ignored and written over, and what is before it is whole. So a file that is
//! shorter than it says was cut, and is refused.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use crate::journal::{JournalEntry, JournalSink};

const MAGIC: &[u8; 8] = b"balpan\0k";
const VERSION: u32 = 1;

/// Bytes of the place that says how far the file is written.
const WRITTEN_BYTES: u64 = 16;
const ENTRY_BYTES: usize = 27;

/// The most entries of one record.
const MAX_BATCH_ENTRIES: usize = 64;

/// Entries that took at least 2^20 positions are written at once.
const FLUSH_WORK_LOG2: u8 = 20;

/// The longest text of rules.
const MAX_RULES_BYTES: u32 = 1 << 20;

/// Why a file of results cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("the file cannot be used: {0}")]
    Io(#[from] io::Error),
    /// It is not such a file.
    #[error("the file keeps no results: its first bytes are not those of such a file")]
    NotACheckpoint,
    /// Its format has another version.
    #[error("the file is of version {0} of its format; this is version {VERSION}")]
    OtherVersion(u32),
    /// It keeps results of other rules.
    #[error("the file keeps results of other rules:\n{0}")]
    OtherRules(String),
    /// It ends too early.
    #[error("the file was cut: it has {found} bytes, and should have {expected} at least")]
    Cut {
        /// The bytes that there should be.
        expected: u64,
        /// The bytes that there are.
        found: u64,
    },
    /// A checksum does not match.
    #[error("the file is damaged: byte {0} begins a part whose checksum does not match")]
    Damaged(u64),
    /// Another run writes to it.
    #[error("another run keeps its results in the file")]
    InUse,
}

/// Results of earlier runs, and the sink for those of this run.
#[derive(Clone, Debug)]
pub struct Checkpoint {
    /// The sink of expensive results.
    pub sink: Arc<dyn JournalSink>,
    /// Results of earlier runs.
    pub entries: Arc<[JournalEntry]>,
}

/// Opens or creates the file of results for a game with these rules. Returns its results and a sink
/// that adds to it, for any engine of the game. The text of the rules has to contain everything that
/// the [keys](crate::Keyed::key) of positions depend on.
///
/// # Errors
/// If the file cannot be used, is of other rules, or was cut or damaged; it is left as it is.
pub fn open(path: &Path, rules: &str) -> Result<Checkpoint, CheckpointError> {
    let was_there = path.symlink_metadata().is_ok();
    let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
    file.try_lock().map_err(|error| match error {
        TryLockError::WouldBlock => CheckpointError::InUse,
        TryLockError::Error(error) => error.into(),
    })?;
    if file.metadata()?.len() == 0 {
        begin(&mut file, rules).inspect_err(|_| {
            // A beginning of the header would be taken for a file that is cut.
            let _ = if was_there { file.set_len(0) } else { std::fs::remove_file(path) };
        })?;
    }
    let (end, entries) = read(&mut file, rules)?;
    let first = header(rules).len() as u64;
    let state = Mutex::new(State { file, first, end, batch: Vec::new(), failed: None });
    Ok(Checkpoint { sink: Arc::new(CheckpointFile { state }), entries: entries.into() })
}

/// A sink that writes to a file in small batches, the last one when it is dropped.
#[derive(Debug)]
struct CheckpointFile {
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    file: File,
    /// Where it stands how far the file is written.
    first: u64,
    end: u64,
    batch: Vec<JournalEntry>,
    /// Why nothing more is written: results are found all the same.
    failed: Option<io::Error>,
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
        state.failed.take().map_or(Ok(()), Err)?;
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
        if self.batch.is_empty() || self.failed.is_some() {
            return;
        }
        let record = record(&self.batch);
        self.batch.clear();
        if let Err(e) = self.append(&record) {
            self.failed = Some(e);
        }
    }

    fn append(&mut self, record: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(self.end))?;
        self.file.write_all(record)?;
        // Before it is said to be there: a system that fails would leave a file that looks damaged.
        self.file.sync_data()?;
        let end = self.end + record.len() as u64;
        self.file.seek(SeekFrom::Start(self.first))?;
        self.file.write_all(&written(end))?;
        self.end = end;
        Ok(())
    }
}

/// All that stands before the place that says how far the file is written.
fn header(rules: &str) -> Vec<u8> {
    let mut header = MAGIC.to_vec();
    header.extend(VERSION.to_le_bytes());
    header.extend((rules.len() as u32).to_le_bytes());
    header.extend(rules.as_bytes());
    header.extend(crc32fast::hash(&header).to_le_bytes());
    header
}

/// What says how far the file is written.
fn written(end: u64) -> [u8; WRITTEN_BYTES as usize] {
    let mut bytes = [0; WRITTEN_BYTES as usize];
    bytes[..8].copy_from_slice(&end.to_le_bytes());
    let checksum = crc32fast::hash(&bytes[..8]);
    bytes[8..12].copy_from_slice(&checksum.to_le_bytes());
    bytes
}

fn begin(file: &mut File, rules: &str) -> Result<(), CheckpointError> {
    let mut bytes = header(rules);
    let end = bytes.len() as u64 + WRITTEN_BYTES;
    bytes.extend(written(end));
    file.write_all(&bytes)?;
    file.sync_all()?;
    Ok(())
}

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

/// Bytes of a file, read from the front.
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

    /// Compares the checksum of all since `from` with the one that follows.
    fn check(&mut self, from: usize) -> Result<(), CheckpointError> {
        let expected = crc32fast::hash(&self.bytes[from..self.at]);
        if self.number()? == expected { Ok(()) } else { Err(CheckpointError::Damaged(from as u64)) }
    }
}

/// How far the file is written, and its entries.
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
    let kept = String::from_utf8_lossy(bytes.take(length as usize)?).into_owned();
    bytes.check(0)?;
    if kept != rules {
        return Err(CheckpointError::OtherRules(kept));
    }
    let place = bytes.at;
    let written: [u8; WRITTEN_BYTES as usize] = bytes.array()?;
    let mut length = [0; 8];
    length.copy_from_slice(&written[..8]);
    let end = u64::from_le_bytes(length);
    if written != self::written(end) || end < bytes.at as u64 {
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
    fn what_is_kept_is_read_again_and_what_is_wrong_refused() {
        let folder = std::env::temp_dir().join(format!("balpan-keep-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("kept");
        let _ = std::fs::remove_file(&path);
        for run in 0..3 {
            let Checkpoint { sink, entries } = open(&path, "rules").unwrap();
            let expected: Vec<_> = (0..run * 500).map(entry).collect();
            assert_eq!(*entries, *expected, "run {run}");
            assert!(matches!(open(&path, "rules"), Err(CheckpointError::InUse)));
            (run * 500..(run + 1) * 500).for_each(|n| sink.append(entry(n)));
        }
        assert!(matches!(open(&path, "others"), Err(CheckpointError::OtherRules(_))));
        let whole = std::fs::read(&path).unwrap();
        // What a run that was killed has left behind the end is nothing.
        std::fs::write(&path, [&whole[..], b"torn"].concat()).unwrap();
        assert_eq!(open(&path, "rules").unwrap().entries.len(), 1500);
        // From the longest on: a file of no bytes is a new one.
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
}
