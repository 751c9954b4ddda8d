//! Writing a problem package, as a whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use balpan::Watch;
use balpan_contest::package::{File, Format, Layout, package};
use balpan_contest::{Judge, TestData};

use super::files::UnfinishedFolder;
use crate::args::PackageFormat;
use crate::failure::CliError;

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
