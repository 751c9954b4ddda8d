//! A problem package, written whole or not at all.

use std::fs;
use std::io;
use std::path::Path;

use balpan::Watch;
use balpan_contest::package::{File, Format, Layout, package};
use balpan_contest::{Judge, TestData};

use super::files::Unfinished;
use crate::args::PackageFormat;
use crate::failure::Failure;

const PATH: &str = "give --output a folder that is not there yet";

/// Cases of a secret test, if nobody says otherwise: several, so that what a program keeps of
/// one case shows in the next, and so few that a slow language has time for them.
const PER_FILE: u32 = 5;

/// What is asked for.
#[derive(Clone, Copy)]
pub(super) struct PackageOrder<'a> {
    pub(super) format: PackageFormat,
    pub(super) path: &'a Path,
    pub(super) per_file: Option<u32>,
}

impl PackageOrder<'_> {
    pub(super) fn per_file(&self) -> u32 {
        self.per_file.unwrap_or(PER_FILE)
    }

    /// Refuses a folder that is there, and a name that the formats do not take.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let shown = self.path.display();
        if self.path.symlink_metadata().is_ok() {
            return Err(Failure::input(format!("{shown} is there already"), PATH));
        }
        let name = self.name();
        if let Some(folder) = name.strip_suffix(".zip") {
            let help = format!("give --output {folder}; the command that zips it is then printed");
            return Err(Failure::input(format!("{shown}: a package is written to a folder"), help));
        }
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            let help =
                "call the folder by lowercase letters a to z and digits alone: a package has its name from there";
            return Err(Failure::input(format!("`{name}` is not a package name"), help));
        }
        Ok(())
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Writes the package; returns how many tests are in it. The last `hard` cases are hard ones.
    pub(super) fn write<J: Judge>(
        &self,
        judge: &J,
        data: &TestData<J>,
        hard: usize,
        watch: &Watch,
    ) -> Result<usize, Failure> {
        let format = match self.format {
            PackageFormat::Kattis => Format::Kattis,
            PackageFormat::Domjudge => Format::Domjudge,
            PackageFormat::Polygon => Format::Polygon,
        };
        let layout = Layout { format, per_file: self.per_file() as usize, hard };
        // Without a problem to set, it was refused before.
        let files = package(judge, data, &self.name(), layout).unwrap_or_default();
        let cannot = |e: io::Error| Failure::input(format!("{} cannot be written: {e}", self.path.display()), PATH);
        let unfinished = Unfinished::beside(self.path).map_err(cannot)?;
        for File { path, text } in &files {
            watch.count(0).map_err(|stopped| Failure::stopped(stopped, watch.positions()))?;
            let path = unfinished.0.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&path, text)).map_err(cannot)?;
        }
        // Somebody may have made it meanwhile.
        self.check()?;
        fs::rename(&unfinished.0, self.path).map_err(cannot)?;
        let is_test =
            |file: &&File| file.path.ends_with(".ans") || file.path.starts_with("tests/") && file.path.ends_with(".a");
        Ok(files.iter().filter(is_test).count())
    }

    /// The command that zips it, and for whom it is.
    pub(super) fn zipping(&self) -> (&'static str, String) {
        let name = self.name();
        match self.format {
            PackageFormat::Kattis => {
                let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let cd = parent.map_or(String::new(), |parent| format!("cd {} && ", quoted(parent)));
                ("Kattis", format!("{cd}zip -r {name}.zip {name}"))
            }
            // What these read lies at the top of the archive.
            PackageFormat::Domjudge => ("DOMjudge", format!("cd {} && zip -r ../{name}.zip .", quoted(self.path))),
            PackageFormat::Polygon => ("Polygon", format!("cd {} && zip -r ../{name}.zip .", quoted(self.path))),
        }
    }
}

/// As a word of a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte));
    if is_plain && !text.starts_with('-') { text } else { format!("'{}'", text.replace('\'', r"'\''")) }
}
