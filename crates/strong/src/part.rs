//! An output file under a temporary name, locked until it is complete.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::files;

/// An output file under a temporary name. It is removed on drop, unless it was persisted.
#[derive(Debug)]
pub struct PendingFile {
    path: PathBuf,
    /// The final path, with symbolic links resolved.
    output: PathBuf,
    file: File,
    is_named: bool,
}

impl PendingFile {
    /// Creates and locks `output` with `.part` appended. Nothing is written yet: a path that cannot
    /// be written is reported before the work and not after it.
    ///
    /// # Errors
    /// If the file cannot be created, another process has locked it, or a folder, a device or a
    /// pipe is at `output`.
    pub fn open(output: &Path) -> Result<Self, BuildError> {
        let output = files::follow_links(output).map_err(BuildError::io(output))?;
        if fs::metadata(&output).is_ok_and(|there| !there.is_file()) {
            return Err(BuildError::io(&output)(io::Error::other("a folder, a device or a pipe, not a file")));
        }
        let mut name = output.file_name().unwrap_or_default().to_owned();
        name.push(".part");
        let path = output.with_file_name(name);
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = file.map_err(BuildError::io(&path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(fs::TryLockError::WouldBlock) => return Err(BuildError::OutputInUse { path }),
            Err(fs::TryLockError::Error(e)) => return Err(BuildError::io(&path)(e)),
        }
        // The build that held the lock may have ended meanwhile: then the opened file is its
        // output, renamed.
        if !files::is_at(&file, &path) {
            return Err(BuildError::OutputInUse { path });
        }
        Ok(Self { path, output, file, is_named: false })
    }

    /// The temporary path.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Truncates the file and returns a handle to it.
    pub(crate) fn truncate(&self) -> Result<File, BuildError> {
        let empty = || -> io::Result<File> {
            self.file.set_len(0)?;
            self.file.try_clone()
        };
        empty().map_err(BuildError::io(&self.path))
    }

    /// Renames the file to its final path and syncs the folder.
    pub(crate) fn persist(mut self) -> Result<(), BuildError> {
        let output = &self.output;
        fs::rename(&self.path, output).map_err(BuildError::io(output))?;
        self.is_named = true;
        let folder = files::parent_folder(output);
        files::sync_folder(folder).map_err(BuildError::io(folder))
    }
}

impl Drop for PendingFile {
    fn drop(&mut self) {
        if !self.is_named {
            // An incomplete file is of no use and takes up disk space.
            let _ = fs::remove_file(&self.path);
        }
    }
}
