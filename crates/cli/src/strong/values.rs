//! `balpan strong export --values-only`: the values in a file without keys.

use std::path::Path;

use balpan::Budget;
use balpan_strong::{BuildError, ExportError, export_values};

use super::list::read_error;
use super::open;
use crate::failure::{CliError, harmless, print};
use crate::numbers::{counted, grouped, rough_time};
use crate::progress::run_with_progress;

pub(super) fn run(file: &Path, output: &Path, budget: Budget) -> Result<(), CliError> {
    if output == Path::new("-") {
        let help = "expected the path of a file: its beginning is written last";
        return Err(CliError::input("-o -: values without keys do not go to standard output", help));
    }
    if let (Ok(one), Ok(other)) = (file.canonicalize(), output.canonicalize())
        && one == other
    {
        let help = "give another -o: nothing else has the keys";
        return Err(CliError::input(format!("-o {}: this is the file with the keys", output.display()), help));
    }
    let table = open(file)?;
    let ((exported, positions), time) =
        run_with_progress(|watch| (export_values(&table, output, budget, watch), watch.positions()));
    let header = exported.map_err(|e| export_error(file, e, positions))?;
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

fn export_error(file: &Path, error: ExportError, positions: u64) -> CliError {
    match error {
        ExportError::Table(error) => read_error(file, &error),
        ExportError::Build(BuildError::Stopped(stopped)) => CliError::from_stopped(stopped, positions),
        ExportError::Build(error) => {
            let help = match error {
                BuildError::Full { .. } => "make room, or give an -o on another disk",
                BuildError::OutputInUse { .. } => "wait for that work to end, or give another -o",
                _ => "expected a place where a file can be written",
            };
            CliError::input(error.to_string(), help)
        }
        error => {
            let help = "expected a file of values, without --book: what `balpan build` writes when left to itself";
            CliError::input(format!("{}: {error}", file.display()), help)
        }
    }
}
