//! Reading the files of the command line, and writing files as a whole or not at all.
//!
//! Folders and devices are not read; a file that is read as a whole has a size limit.
//!
//! A regular file is written under a temporary name in the same folder, flushed to the disk, and renamed in one step; until then
//! an older file of that name stays as it is. The target of a symbolic link is replaced, never the link. Devices, pipes and the names
//! of open descriptors (`/dev/stdout`) are written in place.

use std::fs::{self, File, FileType};
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};

use balpan_strong::{follow_links, parent_folder, sync_folder};
use tempfile::{NamedTempFile, TempDir, TempPath};

use crate::error::CliError;

/// A file that is being written. It is removed unless [`finish`](Self::finish) is called.
pub(crate) struct OutputFile {
    file: File,
    /// Unless it is written in place: its temporary name, and the path that it is renamed to.
    rename: Option<(TempPath, PathBuf)>,
}

impl OutputFile {
    /// Begins a file that replaces the one at `path`, if there is one.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let path = follow_links(path)?;
        let is_descriptor = path.starts_with("/proc") || path.starts_with("/dev/fd");
        match fs::metadata(&path) {
            Ok(there) if there.is_dir() => return Err(io::ErrorKind::IsADirectory.into()),
            Ok(there) if !there.is_file() || is_descriptor => {
                let file = File::options().write(true).truncate(there.is_file()).open(&path)?;
                return Ok(Self { file, rename: None });
            }
            // A write-protected file is not replaced either.
            Ok(_) => drop(File::options().write(true).open(&path)?),
            Err(e) if e.kind() == io::ErrorKind::NotFound => {}
            Err(e) => return Err(e),
        }
        let (file, temporary) = temporary_in(parent_folder(&path))?.into_parts();
        Ok(Self { file, rename: Some((temporary, path)) })
    }

    /// Flushes the file to the disk and renames it.
    pub(crate) fn finish(self) -> io::Result<()> {
        let Some((temporary, path)) = self.rename else { return Ok(()) };
        if let Ok(older) = fs::metadata(&path) {
            copy_owner_and_mode(&self.file, &older)?;
        }
        self.file.sync_all()?;
        temporary.persist(&path).map_err(|e| e.error)?;
        sync_folder(parent_folder(&path))
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

/// Writes a file, replacing the one at `path` if there is one.
pub(crate) fn write(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut file = OutputFile::create(path)?;
    file.write_all(bytes.as_ref())?;
    file.finish()
}

/// Writes the SVG picture that the option `option` names a path for.
pub(crate) fn write_svg(option: &str, path: &Path, svg: &str) -> Result<(), CliError> {
    write(path, svg).map_err(|e| {
        let help = "expected the path of a file that can be written";
        CliError::input(format!("{option} {}: {e}", path.display()), help)
    })
}

pub(crate) fn write_new(path: &Path, bytes: impl AsRef<[u8]>) -> io::Result<()> {
    let mut temporary = temporary_in(parent_folder(path))?;
    temporary.as_file_mut().write_all(bytes.as_ref())?;
    temporary.as_file().sync_all()?;
    temporary.persist_noclobber(path).map_err(|e| e.error)?;
    sync_folder(parent_folder(path))
}

/// Creates a temporary file, which is removed unless it is renamed.
pub(crate) fn temporary_in(folder: &Path) -> io::Result<NamedTempFile> {
    temporary(0o666, |builder| builder.tempfile_in(folder))
}

/// Creates a temporary folder, which is removed unless it is renamed.
pub(crate) fn temporary_folder_in(folder: &Path) -> io::Result<TempDir> {
    temporary(0o777, |builder| builder.tempdir_in(folder))
}

fn temporary<T>(mode: u32, create: impl FnOnce(&tempfile::Builder) -> io::Result<T>) -> io::Result<T> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(".balpan-").suffix(".part");
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(mode));
    create(&builder).map_err(|e| match e.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code),
        // Drops the temporary name from the message.
        None => e.kind().into(),
    })
}

/// Gives a file the owner and the permissions of an older one.
fn copy_owner_and_mode(file: &File, older: &fs::Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};

        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (older.uid(), older.gid()) {
            // Without the right to do this, the file is still written.
            let _ = fchown(file, Some(older.uid()), Some(older.gid()));
        }
    }
    file.set_permissions(older.permissions())
}

/// Opens a file or a pipe, which may have no end.
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

pub(crate) fn read(path: &Path, max_bytes: u64) -> io::Result<Vec<u8>> {
    read_from(open(path)?, max_bytes)
}

pub(crate) fn read_from(from: impl Read, max_bytes: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    from.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > max_bytes {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, format!("it is larger than {max_bytes} bytes")));
    }
    Ok(bytes)
}

/// Reads a line of at most `max_bytes`, with its end; `None` at the end of the input. Of a longer line, the rest is skipped;
/// the result says whether it was.
pub(crate) fn read_line(input: &mut (impl BufRead + ?Sized), max_bytes: u64) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut line = Vec::new();
    if input.take(max_bytes).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let is_cut = line.len() as u64 == max_bytes && !line.ends_with(b"\n");
    if is_cut {
        input.skip_until(b'\n')?;
    }
    Ok(Some((line, is_cut)))
}

pub(crate) fn read_text(path: &Path, max_bytes: u64) -> io::Result<String> {
    text(read(path, max_bytes)?)
}

pub(crate) fn text(bytes: Vec<u8>) -> io::Result<String> {
    String::from_utf8(bytes).map_err(|e| {
        let message = format!("it is not UTF-8: byte {} is wrong", e.utf8_error().valid_up_to());
        io::Error::new(io::ErrorKind::InvalidData, message)
    })
}

/// Checks that a path, if it exists, is a plain file, which can be mapped or both read and written.
pub(crate) fn check_plain(path: &Path) -> io::Result<()> {
    match fs::metadata(path) {
        Ok(of) if of.is_dir() => Err(io::Error::new(io::ErrorKind::IsADirectory, "it is a folder")),
        Ok(of) if !of.is_file() => Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a plain file")),
        _ => Ok(()),
    }
}
