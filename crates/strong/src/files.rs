//! Files: positioned reads and writes, links, syncing and free space.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Fills `bytes` from an offset of the file, which threads may share.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Fills `bytes` from an offset of the file, which threads may share.
#[cfg(windows)]
pub(crate) fn read_at(file: &File, mut bytes: &mut [u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_read(file, bytes, at)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            count => (bytes, at) = (&mut bytes[count..], at + count as u64),
        }
    }
    Ok(())
}

/// Fails: files are read on other systems only.
#[cfg(not(any(unix, windows)))]
pub(crate) fn read_at(_file: &File, _bytes: &mut [u8], _at: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Writes all of `bytes` at an offset of the file, which threads may share.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Writes all of `bytes` at an offset of the file, which threads may share.
#[cfg(windows)]
pub(crate) fn write_at(file: &File, mut bytes: &[u8], mut at: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        match std::os::windows::fs::FileExt::seek_write(file, bytes, at)? {
            0 => return Err(io::ErrorKind::WriteZero.into()),
            count => (bytes, at) = (&bytes[count..], at + count as u64),
        }
    }
    Ok(())
}

/// Fails: files are written on other systems only.
#[cfg(not(any(unix, windows)))]
pub(crate) fn write_at(_file: &File, _bytes: &[u8], _at: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Decodes a little-endian number of at most sixteen bytes.
#[inline]
pub(crate) fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// Resolves the symbolic links of a path, which need not exist. Links in `/proc`, which stand for
/// open files, are not followed.
///
/// # Errors
/// If a link leads to a folder that does not exist, or the links form a circle.
pub fn follow_links(path: &Path) -> io::Result<PathBuf> {
    /// The limit of Linux.
    const MAX_LINKS: usize = 40;

    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Some(name) = path.file_name() else { return Ok(path) };
        let Ok(to) = fs::read_link(&path) else { return Ok(path) };
        let folder = parent_folder(&path).canonicalize()?;
        if folder.starts_with("/proc") {
            return Ok(folder.join(name));
        }
        path = folder.join(to);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// Returns the folder that a path lies in.
#[must_use]
pub fn parent_folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Flushes the entries of a folder to the disk, on systems that support it.
///
/// # Errors
/// If the folder cannot be read or flushed.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether an open file is the one at this path.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let of = |data: fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(opened), Ok(there)) => of(opened) == of(there),
        _ => false,
    }
}

/// Whether a file exists at this path: the best approximation here.
#[cfg(not(unix))]
pub(crate) fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// Returns the free bytes of the file system of a folder, if the system reports them.
#[cfg(unix)]
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// Returns the free bytes of the file system of a folder, if the system reports them.
#[cfg(not(unix))]
#[must_use]
pub fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}
