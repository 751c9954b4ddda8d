//! Strong solutions in files.

use std::fs::File;
use std::path::Path;

use balpan_strong::Table;
use memmap2::Mmap;

use crate::failure::Failure;

/// A file that is mapped.
pub(crate) type Mapped = Table<Mmap>;

/// Opens a strong solution.
#[expect(unsafe_code, reason = "a file is mapped")]
pub(crate) fn open(path: &Path) -> Result<Mapped, Failure> {
    let unreadable = |e: std::io::Error| {
        Failure::input(format!("{}: {e}", path.display()), "expected a file that `balpan build` has written")
    };
    let file = File::open(path).map_err(unreadable)?;
    if file.metadata().map_err(unreadable)?.len() == 0 {
        return Err(Failure::input(format!("{} is empty", path.display()), "expected a file that `balpan build` has written"));
    }
    // SAFETY: whoever changes a mapped file changes what is read, which is checked wherever it
    // is read; files are written under another name and never changed afterwards.
    let mapped = unsafe { Mmap::map(&file) }.map_err(unreadable)?;
    Table::open(mapped).map_err(|e| Failure::input(format!("{}: {e}", path.display()), "expected a file that `balpan build` has written"))
}
