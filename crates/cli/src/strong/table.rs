//! Positions of files of strong solutions, with their values: listed, looked up, and exported.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use balpan::Budget;
use balpan_app::EntryValue;
use balpan_games::{AnyGame, ErasedGame, Notation};
use balpan_strong::{BuildError, Entry, ExportError, Header, Metric, Solution, VerifyError, export_values};
use memmap2::Mmap;
use serde::Serialize;

#[cfg(feature = "parquet")]
use super::parquet::ParquetWriter;
use super::{BUILD_AGAIN, MappedTable, open, open_any, position_text, read_error};
use crate::args::{ExportFormat, StrongVerb};
use crate::build::print_built;
use crate::error::{CliError, json_line, print, print_report};
use crate::files::OutputFile;
use crate::load::{PositionLines, is_blank};
use crate::progress::run_with_progress;

/// A position of a file with its value. The JSON field names are part of the command's contract.
#[derive(Serialize)]
pub(super) struct Row {
    pub(super) position: String,
    pub(super) layer: u32,
    #[serde(skip)]
    pub(super) key: u128,
    #[serde(flatten)]
    pub(super) value: EntryValue,
}

impl Row {
    /// Decodes an entry, whose key has to be that of a position.
    fn new(game: &AnyGame, header: &Header, entry: Entry) -> Result<Self, CliError> {
        let Entry { layer, key, code } = entry;
        let none = || CliError::input(format!("key {key:#x} is that of no position"), BUILD_AGAIN);
        let position = position_text(game, key).ok_or_else(none)?;
        Ok(Self { position, layer, key, value: EntryValue::new(header, code) })
    }
}

pub(super) fn list(verb: &StrongVerb) -> Result<(), CliError> {
    let StrongVerb::List { file, outcome, plies, score, nimber, layer, count, json } = verb else { return Ok(()) };
    let is_listed = |value: EntryValue| {
        (outcome.is_none() || value.outcome == *outcome)
            && (plies.is_none() || value.remoteness == *plies)
            && (score.is_none() || value.score == *score)
            && (nimber.is_none() || value.nimber == *nimber)
    };
    let table = open(file)?;
    let header = table.header();
    let game = header.subject.load_game()?;
    let mut out = BufWriter::new(io::stdout().lock());
    let mut left = count.unwrap_or(u64::MAX);
    for entry in table.walk(*layer).map_err(|e| read_error(file, &e))? {
        let entry = entry.map_err(|e| read_error(file, &e))?;
        if !is_listed(EntryValue::new(header, entry.code)) {
            continue;
        }
        let row = Row::new(&game, header, entry)?;
        let line =
            if *json { json_line(&row)? } else { format!("{}  {}\n", row.position, header.code_name(entry.code)) };
        out.write_all(line.as_bytes()).map_err(CliError::Output)?;
        left -= 1;
        if left == 0 {
            break;
        }
    }
    out.flush().map_err(CliError::Output)
}

pub(super) fn look(file: &Path, positions: &[String], json: bool) -> Result<(), CliError> {
    let solution = open_any(file)?;
    let look_up = LookUp { game: solution.header().subject.load_game()?.erased(), file, solution: &solution, json };
    let mut missing = false;
    for text in positions {
        if text != "-" {
            missing |= !look_up.print(text)?;
            continue;
        }
        for line in PositionLines::open(Path::new("-"))? {
            let line = line.map_err(CliError::Output)?.map_err(|error| CliError::Input(Box::new(error)))?;
            if !is_blank(&line) {
                missing |= !look_up.print(line.trim())?;
            }
        }
    }
    if let (Solution::Values(_), false) = (&solution, json) {
        print("If play from the start reaches them: the file has no keys, so this is not checked.\n")?;
    }
    if missing { Err(CliError::Reported(1)) } else { Ok(()) }
}

/// The result of a look-up as JSON. The field names are part of the command's contract.
#[derive(Serialize)]
struct LookReport<'a> {
    position: &'a str,
    /// Whether the position is in the file; `None` if that is unknown, as the file has no keys.
    in_file: Option<bool>,
    #[serde(flatten)]
    value: EntryValue,
}

struct LookUp<'a> {
    game: ErasedGame,
    file: &'a Path,
    solution: &'a Solution<Mmap>,
    json: bool,
}

impl LookUp<'_> {
    /// Prints the value of a position. Returns whether the file has one.
    fn print(&self, text: &str) -> Result<bool, CliError> {
        let Self { game, file, solution, json } = self;
        let header = solution.header();
        let position = game.parse(text)?;
        let code = solution.code_of(game, &position).map_err(|error| match error {
            VerifyError::Table(error) => read_error(file, &error),
            error => CliError::about(file.display(), error, BUILD_AGAIN),
        })?;
        let report = LookReport {
            position: &game.text(&position),
            in_file: match solution {
                Solution::Table(_) => Some(code.is_some()),
                // A position of a layer that the file lacks has no code.
                Solution::Values(_) => code.is_none().then_some(false),
            },
            value: code.map_or_else(EntryValue::default, |code| EntryValue::new(header, code)),
        };
        let name = || code.map_or_else(|| "not there".to_owned(), |code| header.code_name(code));
        print_report(*json, &report, |report| format!("{}  {}\n", report.position, name()))?;
        Ok(code.is_some())
    }
}

/// Writes all positions as a table for other programs.
pub(super) fn export(file: &Path, format: ExportFormat, output: &Path) -> Result<(), CliError> {
    let table = open(file)?;
    if output == Path::new("-") {
        return write_rows(file, &table, format, BufWriter::new(io::stdout()));
    }
    let help = "expected the path of a file that can be written";
    let write_error = |e: io::Error| CliError::about(format!("-o {}", output.display()), e, help);
    let mut out = BufWriter::new(OutputFile::create(output).map_err(write_error)?);
    write_rows(file, &table, format, &mut out).map_err(|error| match error {
        CliError::Output(e) => write_error(e),
        other => other,
    })?;
    let out = out.into_inner().map_err(|e| write_error(e.into_error()))?;
    out.finish().map_err(write_error)
}

fn write_rows(file: &Path, table: &MappedTable, format: ExportFormat, out: impl Write + Send) -> Result<(), CliError> {
    let header = table.header();
    let game = header.subject.load_game()?;
    let mut rows: Box<dyn RowWriter> = match format {
        ExportFormat::Csv => Box::new(CsvWriter::new(out, header).map_err(CliError::Output)?),
        #[cfg(feature = "parquet")]
        ExportFormat::Parquet => Box::new(ParquetWriter::new(out, header).map_err(CliError::Output)?),
        #[cfg(not(feature = "parquet"))]
        ExportFormat::Parquet => {
            return Err(CliError::from_missing_feature("balpan strong export --format parquet", "parquet"));
        }
    };
    for entry in table.walk(None).map_err(|e| read_error(file, &e))? {
        let row = Row::new(&game, header, entry.map_err(|e| read_error(file, &e))?)?;
        rows.write_row(row).map_err(CliError::Output)?;
    }
    rows.finish().map_err(CliError::Output)
}

/// Writes the rows of a table in some format.
pub(super) trait RowWriter {
    fn write_row(&mut self, row: Row) -> io::Result<()>;

    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// Writes CSV, with a column of scores or without.
struct CsvWriter<W>(W, bool);

impl<W: Write> CsvWriter<W> {
    fn new(mut out: W, header: &Header) -> io::Result<Self> {
        let columns = if header.subject.metric == Metric::Nimber { "nimber" } else { "outcome,remoteness" };
        let score = if header.max_score > 0 { ",score" } else { "" };
        writeln!(out, "layer,key,position,{columns}{score}")?;
        Ok(Self(out, header.max_score > 0))
    }
}

impl<W: Write> RowWriter for CsvWriter<W> {
    fn write_row(&mut self, row: Row) -> io::Result<()> {
        let Row { position, layer, key, value: EntryValue { outcome, remoteness, score, nimber } } = row;
        // Texts of positions have neither commas nor quotes.
        write!(self.0, "{layer},{key:#x},{position},")?;
        let Some(outcome) = outcome else { return writeln!(self.0, "{}", nimber.unwrap_or(0)) };
        let plies = remoteness.map_or_else(String::new, |plies| plies.to_string());
        match score {
            Some(score) => writeln!(self.0, "{outcome},{plies},{score}"),
            None if self.1 => writeln!(self.0, "{outcome},{plies},"),
            None => writeln!(self.0, "{outcome},{plies}"),
        }
    }

    fn finish(mut self: Box<Self>) -> io::Result<()> {
        self.0.flush()
    }
}

pub(super) fn export_without_keys(file: &Path, output: &Path, budget: Budget) -> Result<(), CliError> {
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
    let (exported, time) = run_with_progress(|watch| export_values(&table, output, budget, watch));
    let header = exported.map_err(|e| export_error(file, e))?;
    print_built(&header, output, Some(time), false)
}

fn export_error(file: &Path, error: ExportError) -> CliError {
    match error {
        ExportError::Table(error) => read_error(file, &error),
        ExportError::Build(BuildError::Stopped(stopped)) => stopped.into(),
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
            CliError::about(file.display(), error, help)
        }
    }
}
