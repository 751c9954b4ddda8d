//! Reading the files of the command line. Folders and devices are refused; a file that is read as a whole has a size limit.

use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// Opens a file or a pipe, which may have no end.
///
/// # Errors
/// If it is a folder or a device, or cannot be opened.
pub(crate) fn open(path: &Path) -> io::Result<File> {
    // Checked first: opening a device can have an effect.
    let kind = fs::metadata(path)?.file_type();
    if kind.is_dir() {
        return Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder"));
    }
    if is_device(kind) {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is a device"));
    }
    File::open(path)
}

#[cfg(unix)]
fn is_device(kind: FileType) -> bool {
    use std::os::unix::fs::FileTypeExt;
    kind.is_char_device() || kind.is_block_device()
}

#[cfg(not(unix))]
fn is_device(_: FileType) -> bool {
    false
}

/// Reads a file or a pipe of at most `max_bytes`.
///
/// # Errors
/// As [`open`], and if there is more.
pub(crate) fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    read_from(open(path)?, max_bytes)
}

/// Reads a stream of at most `max_bytes` to its end.
///
/// # Errors
/// If there is more, or it cannot be read.
pub(crate) fn read_from(from: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// Reads a text file or a pipe of at most `max_bytes`.
///
/// # Errors
/// As [`read`], and if it is not UTF-8.
pub(crate) fn read_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    text(read(path, max_bytes)?)
}

/// Converts bytes to text.
///
/// # Errors
/// If they are not UTF-8.
pub(crate) fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|e| {
        let message = format!("it is not UTF-8: byte {} is wrong", e.utf8_error().valid_up_to());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

/// Checks that a path, if it exists, is a plain file, which can be mapped or both read and written.
///
/// # Errors
/// If it is something else.
pub(crate) fn check_plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(of) if of.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(of) if !of.is_file() => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file")),
        _ => Ok(()),
    }
}
