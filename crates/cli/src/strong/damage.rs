//! Files that are asked, and turn out to be damaged: told once each.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use balpan_strong::{Shelf, TableError};

use crate::failure::{Problem, warn};

/// What is asked in this run, and what has been told of it.
#[derive(Default)]
struct Watched {
    shelves: Vec<Shelf>,
    told: HashSet<String>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

fn watched() -> MutexGuard<'static, Option<Watched>> {
    WATCHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has [`tell_damage`] look at the files of a shelf from now on.
pub(super) fn watch(shelf: &Shelf) {
    watched().get_or_insert_default().shelves.push(shelf.clone());
}

/// Tells of each file that has turned out to be damaged, on standard error, once.
pub(crate) fn tell_damage() {
    let mut watched = watched();
    let Some(Watched { shelves, told }) = watched.as_mut() else { return };
    for (name, error) in shelves.iter().flat_map(Shelf::damaged) {
        if told.insert(name.to_owned()) {
            tell(name, error);
        }
    }
}

/// Tells of a file that cannot be opened, where nobody has named it.
pub(super) fn tell_unopened(path: &Path, error: &TableError) {
    tell(&path.display().to_string(), error);
}

fn tell(name: &str, error: &TableError) {
    warn(&Problem::new(format!("{name}: {error}; answers are searched for instead"), "build the file again"));
}
