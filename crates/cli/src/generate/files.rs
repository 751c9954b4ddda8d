//! Writing numbered pairs of files, and problem packages, as a whole or not at all.

use std::path::{Path, PathBuf};
use std::{fs, io};

use balpan::Watch;
use balpan_contest::package::{File, Format, Layout, package};
use balpan_contest::{Judge, TestData};
use balpan_strong::follow_links;

use super::answer_lines;
use crate::args::PackageFormat;
use crate::error::CliError;

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

const PATH_HELP: &str = "give --output a folder that is not there yet";

/// Default number of cases of a secret test: several, to find programs that keep state from one case to the next, and few
/// enough for slow languages.
const DEFAULT_CASES_PER_FILE: u32 = 5;

/// The package to write.
#[derive(Clone, Copy)]
pub(super) struct PackageRequest<'a> {
    pub(super) format: PackageFormat,
    pub(super) path: &'a Path,
    pub(super) per_file: Option<u32>,
}

impl PackageRequest<'_> {
    pub(super) fn per_file(&self) -> u32 {
        self.per_file.unwrap_or(DEFAULT_CASES_PER_FILE)
    }

    /// Refuses a path that exists, and a name that the formats do not allow.
    pub(super) fn check(&self) -> Result<(), CliError> {
        let path = self.path.display();
        if self.path.symlink_metadata().is_ok() {
            return Err(CliError::input(format!("{path} is there already"), PATH_HELP));
        }
        let name = self.name();
        if let Some(folder) = name.strip_suffix(".zip") {
            let help = format!("give --output {folder}; the command that zips it is then printed");
            return Err(CliError::input(format!("{path}: a package is written to a folder"), help));
        }
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            let help =
                "call the folder by lowercase letters a to z and digits alone: a package has its name from there";
            return Err(CliError::input(format!("`{name}` is not a package name"), help));
        }
        Ok(())
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Writes the package. Returns the number of tests in it. The last `hard` cases are those of `--hard`.
    pub(super) fn write<J: Judge>(
        &self,
        judge: &J,
        data: &TestData<J>,
        hard: usize,
        watch: &Watch,
    ) -> Result<usize, CliError> {
        let format = match self.format {
            PackageFormat::Kattis => Format::Kattis,
            PackageFormat::Domjudge => Format::Domjudge,
            PackageFormat::Polygon => Format::Polygon,
        };
        let layout = Layout { format, per_file: self.per_file() as usize, hard };
        // A judge without a problem was refused before.
        let files = package(judge, data, &self.name(), layout).unwrap_or_default();
        let write_error =
            |e: io::Error| CliError::input(format!("{} cannot be written: {e}", self.path.display()), PATH_HELP);
        let unfinished = UnfinishedFolder::beside(self.path).map_err(write_error)?;
        for File { path, text } in &files {
            watch.count(0).map_err(|stopped| CliError::from_stopped(stopped, watch.positions()))?;
            let path = unfinished.0.join(path);
            path.parent()
                .map_or(Ok(()), fs::create_dir_all)
                .and_then(|()| fs::write(&path, text))
                .map_err(write_error)?;
        }
        // Another process may have created the folder meanwhile.
        self.check()?;
        fs::rename(&unfinished.0, self.path).map_err(write_error)?;
        let is_test =
            |file: &&File| file.path.ends_with(".ans") || file.path.starts_with("tests/") && file.path.ends_with(".a");
        Ok(files.iter().filter(is_test).count())
    }

    /// Returns the system's name, and the command that zips the package for it.
    pub(super) fn zip_command(&self) -> (&'static str, String) {
        let name = self.name();
        match self.format {
            PackageFormat::Kattis => {
                let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let cd = parent.map_or(String::new(), |parent| format!("cd {} && ", quoted(parent)));
                ("Kattis", format!("{cd}zip -r {name}.zip {name}"))
            }
            // These systems expect the files at the top of the archive.
            PackageFormat::Domjudge => ("DOMjudge", format!("cd {} && zip -r ../{name}.zip .", quoted(self.path))),
            PackageFormat::Polygon => ("Polygon", format!("cd {} && zip -r ../{name}.zip .", quoted(self.path))),
        }
    }
}

/// Quotes a path for a POSIX shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    if is_plain && !text.starts_with('-') { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
