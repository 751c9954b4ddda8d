//! Memory-mapped solution files.

use std::fs::File;
use std::io;
use std::path::Path;

use memmap2::Mmap;

use crate::table::TableError;

/// Maps a file into memory and opens it by `open`: [`Table::open`](crate::Table::open) or
/// [`Solution::open`](crate::Solution::open). The inner result is that of `open`.
///
/// # Errors
/// If the file cannot be opened or mapped.
#[expect(unsafe_code, reason = "a file is mapped")]
pub fn map_file<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> io::Result<Result<T, TableError>> {
    let file = File::open(path)?;
    if file.metadata()?.len() == 0 {
        // An empty file cannot be mapped.
        return Ok(Err(TableError::NotASolution));
    }
    // SAFETY: the bytes change only if another process overwrites the file in place, which `balpan
    // build` never does: it writes a temporary file and renames it. All that is read is checked
    // when it is read.
    let map_file = unsafe { Mmap::map(&file) }?;
    Ok(open(map_file))
}
