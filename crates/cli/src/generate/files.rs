//! Writing numbered pairs of files, and folders that are written as a whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

use balpan::Watch;
use balpan_contest::{Judge, TestData};
use balpan_strong::follow_links;

use super::answer_lines;
use crate::failure::CliError;

/// Refuses a folder that is not empty.
pub(super) fn check_folder(dir: &Path) -> Result<(), CliError> {
    match fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::input(format!("{} is there already, and not empty", dir.display()), FOLDER)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(write_error(dir, &e)),
    }
}

fn write_error(dir: &Path, e: &io::Error) -> CliError {
    CliError::input(format!("{} cannot be written: {e}", dir.display()), FOLDER)
}

/// Writes the pairs of files, all of them or none. Returns the number of pairs.
pub(super) fn write_files<J: Judge>(
    judge: &J,
    data: &TestData<J>,
    dir: &Path,
    per_file: usize,
    watch: &Watch,
) -> Result<usize, CliError> {
    let write_error = |e| write_error(dir, &e);
    // The target of a link is replaced, never the link.
    let dir = &follow_links(dir).map_err(write_error)?;
    let unfinished = UnfinishedFolder::beside(dir).map_err(write_error)?;
    let files = data.cases.len().div_ceil(per_file);
    let width = files.to_string().len().max(2);
    for (n, (cases, right)) in data.cases.chunks(per_file).zip(data.answers.chunks(per_file)).enumerate() {
        watch.count(0).map_err(|stopped| CliError::from_stopped(stopped, watch.positions()))?;
        let path = |ending| unfinished.0.join(format!("{:0width$}.{ending}", n + 1));
        fs::write(path("in"), judge.write(cases)).map_err(write_error)?;
        fs::write(path("out"), answer_lines(right)).map_err(write_error)?;
    }
    // Renaming replaces an empty folder only.
    fs::rename(&unfinished.0, dir).map_err(write_error)?;
    Ok(files)
}

const FOLDER: &str = "give --dir a folder that is empty, or not there yet";

/// A temporary folder, which is removed unless it is renamed.
pub(super) struct UnfinishedFolder(pub(super) PathBuf);

impl UnfinishedFolder {
    /// Creates a hidden folder beside `dir`.
    pub(super) fn beside(dir: &Path) -> io::Result<Self> {
        let name = dir.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.unfinished", std::process::id()));
        let path = dir.with_file_name(hidden);
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?;
        }
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for UnfinishedFolder {
    fn drop(&mut self) {
        // Fails after the folder was renamed.
        let _ = fs::remove_dir_all(&self.0);
    }
}
