//! `balpan strong export`: all positions as a table for other programs, or their values in a file without keys.

#[cfg(feature = "parquet")]
mod parquet;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use balpan::Budget;
use balpan_app::EntryValue;
use balpan_games::{Notation, Task};
use balpan_strong::{BuildError, ExportError, Metric, export_values};

#[cfg(feature = "parquet")]
use self::parquet::ParquetWriter;
use super::list::{Row, read_error};
use super::{MappedTable, open};
use crate::args::ExportFormat;
use crate::error::{CliError, harmless, print};
use crate::files::OutputFile;
use crate::numbers::{counted, grouped, rough_time};
use crate::progress::run_with_progress;

pub(super) fn run(file: &Path, format: ExportFormat, output: &Path) -> Result<(), CliError> {
    let table = open(file)?;
    let game = table.header().subject.load_game()?;
    if output == Path::new("-") {
        let out = BufWriter::new(io::stdout());
        return game.run(ExportTask { file, table: &table, format, out });
    }
    let write_error = |e: io::Error| {
        CliError::input(format!("-o {}: {e}", output.display()), "expected the path of a file that can be written")
    };
    let mut out = BufWriter::new(OutputFile::create(output).map_err(write_error)?);
    game.run(ExportTask { file, table: &table, format, out: &mut out }).map_err(|error| match error {
        CliError::Output(e) => write_error(e),
        other => other,
    })?;
    let out = out.into_inner().map_err(|e| write_error(e.into_error()))?;
    out.finish().map_err(write_error)
}

struct ExportTask<'a, W> {
    file: &'a Path,
    table: &'a MappedTable,
    format: ExportFormat,
    out: W,
}

impl<W: Write + Send> Task for ExportTask<'_, W> {
    type Output = Result<(), CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { file, table, format, out } = self;
        let header = table.header();
        let mut rows: Box<dyn RowWriter> = match format {
            ExportFormat::Csv => Box::new(CsvWriter::new(out, header.subject.metric).map_err(CliError::Output)?),
            #[cfg(feature = "parquet")]
            ExportFormat::Parquet => {
                Box::new(ParquetWriter::new(out, header.subject.metric).map_err(CliError::Output)?)
            }
            #[cfg(not(feature = "parquet"))]
            ExportFormat::Parquet => {
                let part = "balpan strong export --format parquet";
                return Err(CliError::from_missing_feature(part, "parquet"));
            }
        };
        for entry in table.walk(None).map_err(|e| read_error(file, &e))? {
            let row = Row::new(game, header, entry.map_err(|e| read_error(file, &e))?)?;
            rows.write_row(row).map_err(CliError::Output)?;
        }
        rows.finish().map_err(CliError::Output)
    }
}

/// Writes the rows of a table in some format.
trait RowWriter {
    fn write_row(&mut self, row: Row) -> io::Result<()>;

    fn finish(self: Box<Self>) -> io::Result<()>;
}

struct CsvWriter<W>(W);

impl<W: Write> CsvWriter<W> {
    fn new(mut out: W, tells: Metric) -> io::Result<Self> {
        let columns = if tells == Metric::Nimber { "nimber" } else { "outcome,remoteness" };
        writeln!(out, "layer,key,position,{columns}")?;
        Ok(Self(out))
    }
}

impl<W: Write> RowWriter for CsvWriter<W> {
    fn write_row(&mut self, row: Row) -> io::Result<()> {
        let Row { position, layer, key, value: EntryValue { outcome, remoteness, nimber } } = row;
        // Texts of positions have neither commas nor quotes.
        write!(self.0, "{layer},{key:#x},{position},")?;
        match (outcome, remoteness, nimber) {
            (Some(outcome), Some(plies), _) => writeln!(self.0, "{outcome},{plies}"),
            (Some(outcome), None, _) => writeln!(self.0, "{outcome},"),
            (None, _, nimber) => writeln!(self.0, "{}", nimber.unwrap_or(0)),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// Writes the values to a file without keys.
pub(super) fn run_values(file: &Path, output: &Path, budget: Budget) -> Result<(), CliError> {
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
