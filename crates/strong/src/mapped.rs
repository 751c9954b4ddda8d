//! Files that are mapped.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use crate::table::TableError;

/// Opens a file that can be read by [`Table::open`](crate::Table::open) or
/// [`Solution::open`](crate::Solution::open): whether it is a strong solution.
///
/// # Errors
/// If the file cannot be read.
#[expect(unsafe_code, reason = "a file is mapped")]
pub fn mapped<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> io::Result<Result<T, TableError>> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        // There is nothing to map.
        return Ok(Err(TableError::NoTable));
    }
    // SAFETY: the bytes change only if somebody writes to the file meanwhile, which `balpan build`
    // never does: it writes under another name. All that is read is checked when it is read.
    let mapped = unsafe { Mmap::map(&file) }?;
    Ok(open(mapped))
}
