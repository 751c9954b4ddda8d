//! Writing the files of sheets: none is overwritten, and none is written in part.

use std::io;
use std::path::{Path, PathBuf};

use balpan_contest::puzzle::Puzzles;
use balpan_games::{AnyGame, Lang};
use balpan_pictures::puzzle::sheets;
use balpan_strong::parent_folder;

use crate::failure::{CliError, harmless};
use crate::files;

/// The files of the sheets.
pub(super) struct SheetFiles {
    path: PathBuf,
    /// The file's name without `.svg`.
    stem: String,
}

impl SheetFiles {
    /// Checks that the first sheets can be written at `path`.
    ///
    /// # Errors
    /// If a file exists already, or the folder cannot be written to.
    pub(super) fn new(path: &Path) -> Result<Self, CliError> {
        let wrong = |message: String| CliError::input(message, "expected the path of a file to be made: sheet.svg");
        if path.is_dir() {
            return Err(wrong(format!("`{}` is a folder", path.display())));
        }
        let name = path.file_name().and_then(|name| name.to_str());
        let stem = name.map(|name| name.strip_suffix(".svg").unwrap_or(name));
        let Some(stem) = stem.filter(|stem| !stem.is_empty()) else {
            return Err(wrong(format!("`{}` is not a file name", path.display())));
        };
        if let Some(folder) = path.parent().filter(|folder| *folder != Path::new("") && !folder.is_dir()) {
            return Err(wrong(format!("there is no folder `{}`", folder.display())));
        }
        let sheets = Self { path: path.to_owned(), stem: stem.to_owned() };
        // Checked before the work; more sheets may follow than are checked here.
        for (number, pages) in [(0, 1), (0, 2)] {
            sheets.names(number, pages).iter().try_for_each(|path| is_new(path))?;
        }
        files::temporary_in(parent_folder(path)).map_err(|e| unwritable(&sheets.names(0, 1)[0], &e))?;
        Ok(sheets)
    }

    /// Returns the paths of a sheet and of its answers. Numbers count from 0.
    fn names(&self, number: usize, pages: usize) -> [PathBuf; 2] {
        let numbered = if pages > 1 { format!("-{}", number + 1) } else { String::new() };
        ["", "-answers"].map(|part| self.path.with_file_name(format!("{}{part}{numbered}.svg", self.stem)))
    }

    /// Writes the sheets. Returns the files written, and the error that ended the writing early.
    pub(super) fn write(&self, game: &AnyGame, puzzles: &Puzzles, lang: Lang) -> (Vec<String>, Result<(), CliError>) {
        let sheets = sheets(game, &puzzles.to_sheets(game, lang));
        let names: Vec<_> = (0..sheets.len()).map(|number| self.names(number, sheets.len())).collect();
        let mut written = Vec::new();
        if let Err(failure) = names.iter().flatten().try_for_each(|path| is_new(path)) {
            return (written, Err(failure));
        }
        let texts = sheets.iter().map(|sheet| &sheet.puzzles).chain(sheets.iter().map(|sheet| &sheet.answers));
        let [puzzles, answers] = [0, 1].map(|part| names.iter().map(move |names| &names[part]));
        for (text, path) in texts.zip(puzzles.chain(answers)) {
            if let Err(e) = files::write_new(path, text) {
                return (written, Err(unwritable(path, &e)));
            }
            written.push(harmless(&path.display().to_string()));
        }
        (written, Ok(()))
    }
}

fn unwritable(path: &Path, error: &io::Error) -> CliError {
    let help = "expected a folder that can be written to, and a file that is not there";
    CliError::input(format!("`{}` cannot be written: {error}", path.display()), help)
}

fn is_new(path: &Path) -> Result<(), CliError> {
    if path.symlink_metadata().is_ok() {
        let message = format!("`{}` is there already", path.display());
        return Err(CliError::input(message, "files are not overwritten: take it away, or give another name"));
    }
    Ok(())
}
