//! `balpan strong export --values-only`: the same values in a file without keys.

use std::path::Path;

use balpan::Budget;
use balpan_strong::{BuildError, ExportError, export_values};

use super::list::unread;
use super::open;
use crate::failure::{Failure, harmless, print};
use crate::numbers::{counted, grouped, rough_time};
use crate::progress::watched;

pub(super) fn run(file: &Path, output: &Path, budget: Budget) -> Result<(), Failure> {
    if output == Path::new("-") {
        let help = "expected the path of a file: its beginning is written last";
        return Err(Failure::input("-o -: values without keys do not go to standard output", help));
    }
    if let (Ok(one), Ok(other)) = (file.canonicalize(), output.canonicalize())
        && one == other
    {
        let help = "give another -o: nothing else has the keys";
        return Err(Failure::input(format!("-o {}: this is the file with the keys", output.display()), help));
    }
    let table = open(file)?;
    let ((made, done), time) = watched(|watch| (export_values(&table, output, budget, watch), watch.positions()));
    let header = made.map_err(|e| failure(file, e, done))?;
    let bytes = std::fs::metadata(output).map_or(0, |data| data.len());
    let positions = header.positions();
    print(&format!(
        "{} {}: {}, {} bytes, {:.2} bits each; {}\n{}\n",
        harmless(&header.subject.game),
        harmless(&header.subject.size),
        counted(positions, "position", "positions"),
        grouped(bytes),
        bytes as f64 * 8.0 / positions.max(1) as f64,
        rough_time(time.as_secs_f64()),
        output.display(),
    ))
}

/// What stopped it, after this number of positions.
fn failure(file: &Path, error: ExportError, done: u64) -> Failure {
    match error {
        ExportError::Table(error) => unread(file, &error),
        ExportError::Build(BuildError::Stopped(stopped)) => Failure::stopped(stopped, done),
        ExportError::Build(error) => {
            let help = match error {
                BuildError::Full { .. } => "make room, or give an -o on another disk",
                BuildError::OutputInUse { .. } => "wait for that work to end, or give another -o",
                _ => "expected a place where a file can be written",
            };
            Failure::input(error.to_string(), help)
        }
        error => {
            let help = "expected a file of values, without --book: what `balpan build` writes when left to itself";
            Failure::input(format!("{}: {error}", file.display()), help)
        }
    }
}
