//! Tables as Apache Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use balpan_strong::{Header, Metric};
use parquet::basic::{Compression, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::parser::parse_message_type;

use super::table::{Row, RowWriter};

const GROUP_ROWS: usize = 1 << 16;

/// Columns of a table of values, of one of values with scores, and of one of nimbers.
const VALUES: &str = "message positions { required int32 layer; required binary key (string); \
                      required binary position (string); required binary outcome (string); optional int32 remoteness; }";
const SCORES: &str = "message positions { required int32 layer; required binary key (string); \
                      required binary position (string); required binary outcome (string); optional int32 remoteness; \
                      optional int32 score; }";
const NIMBERS: &str = "message positions { required int32 layer; required binary key (string); \
                       required binary position (string); required int32 nimber; }";

pub(super) struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    tells: Metric,
    has_scores: bool,
    /// Rows of the next row group.
    rows: Vec<Row>,
}

impl<W: Write + Send> ParquetWriter<W> {
    pub(super) fn new(out: W, header: &Header) -> io::Result<Self> {
        let (tells, has_scores) = (header.subject.metric, header.max_score > 0);
        let columns = match tells {
            Metric::Nimber => NIMBERS,
            Metric::Value if has_scores => SCORES,
            Metric::Value => VALUES,
        };
        let schema = parse_message_type(columns).map_err(io_error)?;
        let properties = WriterProperties::builder().set_compression(Compression::ZSTD(ZstdLevel::default())).build();
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(io_error)?;
        Ok(Self { writer, tells, has_scores, rows: Vec::new() })
    }

    fn flush(&mut self) -> io::Result<()> {
        let Self { writer, tells, has_scores, rows } = self;
        if rows.is_empty() {
            return Ok(());
        }
        let mut group = writer.next_row_group().map_err(io_error)?;
        let layers: Vec<i32> = rows.iter().map(|row| row.layer as i32).collect();
        write_numbers(&mut group, &layers, None)?;
        write_texts(&mut group, rows.iter().map(|row| format!("{:#x}", row.key)))?;
        write_texts(&mut group, rows.iter().map(|row| row.position.clone()))?;
        match tells {
            Metric::Value => {
                let outcomes =
                    rows.iter().map(|row| row.value.outcome.map_or_else(String::new, |outcome| outcome.to_string()));
                write_texts(&mut group, outcomes)?;
                let is_there: Vec<i16> = rows.iter().map(|row| row.value.remoteness.is_some().into()).collect();
                let plies: Vec<i32> =
                    rows.iter().filter_map(|row| row.value.remoteness).map(|plies| plies as i32).collect();
                write_numbers(&mut group, &plies, Some(&is_there))?;
                if *has_scores {
                    let is_there: Vec<i16> = rows.iter().map(|row| row.value.score.is_some().into()).collect();
                    let scores: Vec<i32> = rows.iter().filter_map(|row| row.value.score).collect();
                    write_numbers(&mut group, &scores, Some(&is_there))?;
                }
            }
            Metric::Nimber => {
                let nimbers: Vec<i32> = rows.iter().map(|row| row.value.nimber.unwrap_or(0).into()).collect();
                write_numbers(&mut group, &nimbers, None)?;
            }
        }
        group.close().map_err(io_error)?;
        rows.clear();
        Ok(())
    }
}

impl<W: Write + Send> RowWriter for ParquetWriter<W> {
    fn write_row(&mut self, row: Row) -> io::Result<()> {
        self.rows.push(row);
        if self.rows.len() == GROUP_ROWS { self.flush() } else { Ok(()) }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.flush()?;
        self.writer.close().map(|_| ()).map_err(io_error)
    }
}

fn io_error(error: ParquetError) -> io::Error {
    match error {
        // The error of the underlying writer.
        ParquetError::External(inner) => inner.downcast::<io::Error>().map_or_else(io::Error::other, |inner| *inner),
        other => io::Error::other(other),
    }
}

/// Writes the next column, of numbers; `is_there` has 1 for each row with a number, if some rows have none.
fn write_numbers<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    numbers: &[i32],
    is_there: Option<&[i16]>,
) -> io::Result<()> {
    let Some(mut column) = group.next_column().map_err(io_error)? else { return Ok(()) };
    column.typed::<Int32Type>().write_batch(numbers, is_there, None).map_err(io_error)?;
    column.close().map_err(io_error)
}

/// Writes the next column, of texts.
fn write_texts<W: Write + Send>(
    group: &mut SerializedRowGroupWriter<'_, W>,
    texts: impl Iterator<Item = String>,
) -> io::Result<()> {
    let Some(mut column) = group.next_column().map_err(io_error)? else { return Ok(()) };
    let texts: Vec<ByteArray> = texts.map(|text| ByteArray::from(text.into_bytes())).collect();
    column.typed::<ByteArrayType>().write_batch(&texts, None, None).map_err(io_error)?;
    column.close().map_err(io_error)
}
