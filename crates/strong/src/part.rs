//! The file while it is being written, under another name and locked by one build.

use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use crate::error::BuildError;
use crate::files;

/// A file that is not whole yet. It is removed, unless it gets its name.
#[derive(Debug)]
pub struct Part {
    path: PathBuf,
    /// The file that it is to be: what the links of the output's path lead to.
    output: PathBuf,
    file: File,
    is_named: bool,
}

impl Part {
    /// Takes the place beside `output` where its file is written, for as long as this build works.
    /// Nothing is written yet: where the file cannot be, that is better known before the work
    /// than after it.
    ///
    /// # Errors
    /// If it cannot be, another build has it, or a folder, a device or a pipe is there.
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
        // The build that had it may have ended since, and what was opened is its whole file.
        if !files::is_at(&file, &path) {
            return Err(BuildError::OutputInUse { path });
        }
        Ok(Self { path, output, file, is_named: false })
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The file, with nothing in it.
    pub(crate) fn emptied(&self) -> Result<File, BuildError> {
        let empty = || -> io::Result<File> {
            self.file.set_len(0)?;
            self.file.try_clone()
        };
        empty().map_err(BuildError::io(&self.path))
    }

    /// Gives it the name it is to have.
    pub(crate) fn name(mut self) -> Result<(), BuildError> {
        let output = &self.output;
        fs::rename(&self.path, output).map_err(BuildError::io(output))?;
        self.is_named = true;
        let folder = files::folder_of(output);
        files::sync_folder(folder).map_err(BuildError::io(folder))
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        if !self.is_named {
            // It can be written again, and would take up room.
            let _ = fs::remove_file(&self.path);
        }
    }
}
