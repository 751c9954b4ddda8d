//! Files that are asked and turn out to be damaged, and machines that do not answer: told once each.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use balpan_strong::{TableError, Tablebase, TablebaseError};

use crate::failure::{Problem, warn};

/// What is asked in this run, and what has been told of it.
#[derive(Default)]
struct Watched {
    tablebases: Vec<Tablebase>,
    told: HashSet<String>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

fn watched() -> MutexGuard<'static, Option<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has [`tell_damage`] look at a shelf from now on.
pub(super) fn watch(tablebase: &Tablebase) {
    watched().get_or_insert_default().tablebases.push(tablebase.clone());
}

/// Tells of each file that has turned out to be damaged, and of each machine that did not answer,
/// on standard error, once.
pub(crate) fn tell_damage() {
    let mut watched = watched();
    let Some(Watched { tablebases, told }) = watched.as_mut() else { return };
    for (name, trouble) in tablebases.iter().flat_map(Tablebase::errors) {
        if told.insert(name.to_owned()) {
            tell(name, trouble);
        }
    }
}

/// Tells of a file that cannot be opened, where nobody has named it.
pub(super) fn tell_unopened(path: &Path, error: &TableError) {
    tell(&path.display().to_string(), TablebaseError::File(error));
}

fn tell(name: &str, trouble: TablebaseError<'_>) {
    let help = match trouble {
        TablebaseError::File(_) => "build the file again",
        TablebaseError::Remote(_) => "it is asked again after a while",
    };
    warn(&Problem::new(format!("{name}: {trouble}; answers are searched for instead"), help));
}
