//! Numbered pairs of files, and folders that are written whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

use balpan::Watch;
use balpan_contest::{Judge, TestData};
use balpan_strong::follow_links;

use super::answers;
use crate::failure::Failure;

/// Refuses a folder in which there is something already.
pub(super) fn check_folder(dir: &Path) -> Result<(), Failure> {
    match fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::input(format!("{} is there already, and not empty", dir.display()), FOLDER)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(not_written(dir, &e)),
    }
}

fn not_written(dir: &Path, e: &io::Error) -> Failure {
    Failure::input(format!("{} cannot be written: {e}", dir.display()), FOLDER)
}

/// Writes the pairs of files, all of them or none; returns how many.
pub(super) fn write_files<J: Judge>(
    judge: &J,
    data: &TestData<J>,
    dir: &Path,
    per_file: usize,
    watch: &Watch,
) -> Result<usize, Failure> {
    let cannot = |e| not_written(dir, &e);
    // An empty folder that a link leads to is filled, and the link stays.
    let dir = &follow_links(dir).map_err(cannot)?;
    let unfinished = Unfinished::beside(dir).map_err(cannot)?;
    let files = data.cases.len().div_ceil(per_file);
    let width = files.to_string().len().max(2);
    for (n, (cases, right)) in data.cases.chunks(per_file).zip(data.answers.chunks(per_file)).enumerate() {
        watch.count(0).map_err(|stopped| Failure::stopped(stopped, watch.positions()))?;
        let path = |ending| unfinished.0.join(format!("{:0width$}.{ending}", n + 1));
        fs::write(path("in"), judge.write(cases)).map_err(cannot)?;
        fs::write(path("out"), answers(right)).map_err(cannot)?;
    }
    // Takes the place of an empty folder, of no other.
    fs::rename(&unfinished.0, dir).map_err(cannot)?;
    Ok(files)
}

const FOLDER: &str = "give --dir a folder that is empty, or not there yet";

/// A folder that goes away again unless it is given its own name.
pub(super) struct Unfinished(pub(super) PathBuf);

impl Unfinished {
    /// A new folder in the same one as `dir`.
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

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It is gone already where all went well.
        let _ = fs::remove_dir_all(&self.0);
    }
}
