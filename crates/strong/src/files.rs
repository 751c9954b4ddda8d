//! Reading and writing at a place of a file, and making sure that it is on the disk.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Reads all of `bytes` from a place of the file, which threads may share.
#[cfg(unix)]
pub(crate) fn read_at(file: &File, bytes: &mut [u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, at)
}

/// Reads all of `bytes` from a place of the file, which threads may share.
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

/// Writes all of `bytes` to a place of the file, which threads may share.
#[cfg(unix)]
pub(crate) fn write_at(file: &File, bytes: &[u8], at: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, at)
}

/// Writes all of `bytes` to a place of the file, which threads may share.
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

/// The number that at most sixteen bytes are, the lowest first.
#[inline]
pub(crate) fn number(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |number, &byte| number << 8 | u128::from(byte))
}

/// The path of the file that `path` names, there or not: symbolic links are followed, but for those of `/proc`, which stand
/// for open files.
///
/// # Errors
/// If the folder that a link leads to is not there, or the links lead nowhere.
pub fn follow_links(path: &Path) -> io::Result<PathBuf> {
    /// As many as Linux follows.
    const MAX_LINKS: usize = 40;

    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Some(name) = path.file_name() else { return Ok(path) };
        let Ok(to) = fs::read_link(&path) else { return Ok(path) };
        let folder = folder_of(&path).canonicalize()?;
        if folder.starts_with("/proc") {
            return Ok(folder.join(name));
        }
        path = folder.join(to);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// The folder that a path lies in.
#[must_use]
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Makes sure that a folder's names are on the disk, where the system can be asked to.
///
/// # Errors
/// If the folder cannot be read or flushed.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    if cfg!(unix) { File::open(folder)?.sync_all() } else { Ok(()) }
}

/// Whether the file that is open is the one at this path.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;

    let of = |data: fs::Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::metadata(path)) {
        (Ok(opened), Ok(there)) => of(opened) == of(there),
        _ => false,
    }
}

/// Whether the file that is open is the one at this path: as far as it can be told, by whether
/// there is one.
#[cfg(not(unix))]
pub(crate) fn is_at(_file: &File, path: &Path) -> bool {
    path.exists()
}

/// The bytes that are free where the folder is, if the system reports it.
#[cfg(unix)]
#[must_use]
pub fn free_bytes(folder: &Path) -> Option<u64> {
    let found = rustix::fs::statvfs(folder).ok()?;
    Some(found.f_bavail.saturating_mul(found.f_frsize))
}

/// The bytes that are free where the folder is, if the system reports it.
#[cfg(not(unix))]
#[must_use]
pub fn free_bytes(_folder: &Path) -> Option<u64> {
    None
}
