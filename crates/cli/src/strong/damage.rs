//! Warnings about damaged strong-solution files and unreachable machines, each printed once.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use balpan_strong::{TableError, Tablebase, TablebaseError};

use crate::failure::{Diagnostic, warn};

/// The tablebases that this run uses, and the names that it has warned about.
#[derive(Default)]
struct Watched {
    tablebases: Vec<Tablebase>,
    warned: HashSet<String>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

/// Adds a tablebase to those that [`report_damage`] looks through.
pub(super) fn watch(tablebase: &Tablebase) {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.get_or_insert_default().tablebases.push(tablebase.clone());
}

/// Warns on standard error of files found damaged and machines that did not answer since the last call.
pub(crate) fn report_damage() {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Watched { tablebases, warned }) = watched.as_mut() else { return };
    for (name, trouble) in tablebases.iter().flat_map(Tablebase::errors) {
        if warned.insert(name.to_owned()) {
            warn_unused(name, trouble);
        }
    }
}

/// Warns of a file in a folder that cannot be opened.
pub(super) fn warn_unopened(path: &Path, error: &TableError) {
    warn_unused(&path.display().to_string(), TablebaseError::File(error));
}

fn warn_unused(name: &str, trouble: TablebaseError<'_>) {
    let help = match trouble {
        TablebaseError::File(_) => "build the file again",
        TablebaseError::Remote(_) => "it is asked again after a while",
    };
    warn(&Diagnostic::new(format!("{name}: {trouble}; answers are searched for instead"), help));
}
