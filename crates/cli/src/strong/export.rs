//! `balpan strong export`: all positions as a table that other programs read.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::Arc;

use balpan_games::{Notation, Task};
use balpan_strong::Metric;
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::list::{Told, unread};
use super::{Mapped, game_of, open};
use crate::args::ExportFormat;
use crate::failure::Failure;
use crate::files::OutputFile;

/// Rows that are written together.
const ROWS: usize = 1 << 16;

pub(super) fn run(file: &Path, format: ExportFormat, output: &Path) -> Result<(), Failure> {
    let table = open(file)?;
    let game = game_of(table.header())?;
    if output == Path::new("-") {
        let out = BufWriter::new(io::stdout());
        return game.run(Exporting { file, table: &table, format, out });
    }
    let cannot = |e: io::Error| {
        Failure::input(format!("-o {}: {e}", output.display()), "expected the path of a file that can be written")
    };
    let mut out = BufWriter::new(OutputFile::create(output).map_err(cannot)?);
    game.run(Exporting { file, table: &table, format, out: &mut out }).map_err(|failure| match failure {
        Failure::Output(e) => cannot(e),
        other => other,
    })?;
    let out = out.into_inner().map_err(|e| cannot(e.into_error()))?;
    out.finish().map_err(cannot)
}

struct Exporting<'a, W> {
    file: &'a Path,
    table: &'a Mapped,
    format: ExportFormat,
    out: W,
}

impl<W: Write + Send> Task for Exporting<'_, W> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { file, table, format, out } = self;
        let header = table.header();
        let mut rows: Box<dyn Rows> = match format {
            ExportFormat::Csv => Box::new(Csv::new(out, header.subject.metric).map_err(Failure::Output)?),
            ExportFormat::Parquet => Box::new(Parquet::new(out, header.subject.metric).map_err(Failure::Output)?),
        };
        for entry in table.walk(None).map_err(|e| unread(file, &e))? {
            let told = Told::new(game, header, entry.map_err(|e| unread(file, &e))?)?;
            rows.add(told).map_err(Failure::Output)?;
        }
        rows.close().map_err(Failure::Output)
    }
}

/// Who writes rows.
trait Rows {
    fn add(&mut self, row: Told) -> io::Result<()>;

    fn close(self: Box<Self>) -> io::Result<()>;
}

struct Csv<W>(W);

impl<W: Write> Csv<W> {
    fn new(mut out: W, tells: Metric) -> io::Result<Self> {
        let worth = if tells == Metric::Nimber { "nimber" } else { "outcome,remoteness" };
        writeln!(out, "layer,key,position,{worth}")?;
        Ok(Self(out))
    }
}

impl<W: Write> Rows for Csv<W> {
    fn add(&mut self, row: Told) -> io::Result<()> {
        let Told { layer, key, position, outcome, remoteness, nimber } = row;
        // Texts of positions have neither commas nor quotes.
        write!(self.0, "{layer},{key:#x},{position},")?;
        match (outcome, remoteness, nimber) {
            (Some(outcome), Some(plies), _) => writeln!(self.0, "{outcome},{plies}"),
            (Some(outcome), None, _) => writeln!(self.0, "{outcome},"),
            (None, _, nimber) => writeln!(self.0, "{}", nimber.unwrap_or(0)),
        }
    }

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

/// The columns of a table of values, and of one of nimbers.
const VALUES: &str = "message positions { required int32 layer; required binary key (string); \
                      required binary position (string); required binary outcome (string); optional int32 remoteness; }";
const NIMBERS: &str = "message positions { required int32 layer; required binary key (string); \
                       required binary position (string); required int32 nimber; }";

struct Parquet<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    tells: Metric,
    rows: Vec<Told>,
}

impl<W: Write + Send> Parquet<W> {
    fn new(out: W, tells: Metric) -> io::Result<Self> {
        let schema = parse_message_type(if tells == Metric::Nimber { NIMBERS } else { VALUES }).map_err(failed)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        Ok(Self { writer, tells, rows: Vec::new() })
    }

    /// Writes the rows that have been added.
    fn flush(&mut self) -> io::Result<()> {
        let Self { writer, tells, rows } = self;
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group().map_err(failed)?;
        let layers: Vec<i32> = rows.iter().map(|row| row.layer as i32).collect();
        numbers(&mut group, &layers, None)?;
        texts(&mut group, rows.iter().map(|row| format!("{:#x}", row.key)))?;
        texts(&mut group, rows.iter().map(|row| row.position.clone()))?;
        match tells {
            Metric::Value => {
                let outcomes =
                    rows.iter().map(|row| row.outcome.map_or_else(String::new, |outcome| outcome.to_string()));
                texts(&mut group, outcomes)?;
                let is_there: Vec<i16> = rows.iter().map(|row| row.remoteness.is_some().into()).collect();
                let plies: Vec<i32> = rows.iter().filter_map(|row| row.remoteness).map(|plies| plies as i32).collect();
                numbers(&mut group, &plies, Some(&is_there))?;
            }
            Metric::Nimber => {
                let nimbers: Vec<i32> = rows.iter().map(|row| row.nimber.unwrap_or(0).into()).collect();
                numbers(&mut group, &nimbers, None)?;
            }
        }
        group.close().map_err(failed)?;
        rows.clear();
        Ok(())
    }
}

impl<W: Write + Send> Rows for Parquet<W> {
    fn add(&mut self, row: Told) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() == ROWS { self.flush() } else { Ok(()) }
    }

    fn close(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.writer.close().map(|_| ()).map_err(failed)
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        // What the writer below has said.
        ParquetError::External(inner) => inner.downcast::<io::Error>().map_or_else(io::Error::other, |inner| *inner),
        other => io::Error::other(other),
    }
}

/// Writes the next column, of numbers: `is_there` says in which rows one is, if not in all.
fn numbers<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    numbers: &[i32],
    is_there: Option<&[i16]>,
) -> io::Result<()> {
    let Some(mut column) = group.next_column().map_err(failed)? else { return Ok(()) };
    column.typed::<Int32Type>().write_batch(numbers, is_there, None).map_err(failed)?;
    column.close().map_err(failed)
}

/// Writes the next column, of texts.
fn texts<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    texts: impl Iterator<Item = String>,
) -> io::Result<()> {
    let Some(mut column) = group.next_column().map_err(failed)? else { return Ok(()) };
    let texts: Vec<ByteArray> = texts.map(|text| ByteArray::from(text.into_bytes())).collect();
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).map_err(failed)?;
    column.close().map_err(failed)
}
