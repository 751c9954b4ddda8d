//! `balpan strong list`: positions of a file, one per line.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use balpan::Outcome;
use balpan_app::EntryValue;
use balpan_games::{Notation, Task};
use balpan_strong::{Entry, Header, TableError};
use serde::Serialize;

use super::{MappedTable, open};
use crate::args::{OutcomeName, StrongVerb};
use crate::error::CliError;

pub(super) fn run(verb: &StrongVerb) -> Result<(), CliError> {
    let StrongVerb::List { file, outcome, plies, nimber, layer, count, json } = verb else { return Ok(()) };
    let table = open(file)?;
    let query = ListQuery {
        outcome: outcome.map(|outcome| match outcome {
            OutcomeName::Win => Outcome::Win,
            OutcomeName::Draw => Outcome::Draw,
            OutcomeName::Loss => Outcome::Loss,
        }),
        plies: *plies,
        nimber: *nimber,
        layer: *layer,
        count: count.unwrap_or(u64::MAX),
    };
    table.header().subject.load_game()?.run(ListTask { file, table: &table, query, json: *json })
}

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
    /// Decodes an entry.
    ///
    /// # Errors
    /// If the key is not that of a position.
    pub(super) fn new<G: Notation>(game: &G, header: &Header, entry: Entry) -> Result<Self, CliError> {
        let Entry { layer, key, code } = entry;
        let Some(position) = game.position_from_key(key) else {
            return Err(CliError::input(format!("key {key:#x} is that of no position"), BUILD_AGAIN));
        };
        Ok(Self { position: game.text(&position), layer, key, value: EntryValue::new(header, code) })
    }
}

/// The remedy for a damaged file.
pub(super) const BUILD_AGAIN: &str = "build the file again";

/// Describes why a file could not be read to its end.
pub(super) fn read_error(file: &Path, error: &TableError) -> CliError {
    CliError::input(format!("{}: {error}", file.display()), BUILD_AGAIN)
}

/// The positions to list.
struct ListQuery {
    outcome: Option<Outcome>,
    plies: Option<u32>,
    nimber: Option<u16>,
    layer: Option<u32>,
    count: u64,
}

impl ListQuery {
    /// Whether positions of this value are listed.
    fn matches(&self, value: EntryValue) -> bool {
        (self.outcome.is_none() || value.outcome == self.outcome)
            && (self.plies.is_none() || value.remoteness == self.plies)
            && (self.nimber.is_none() || value.nimber == self.nimber)
    }
}

struct ListTask<'a> {
    file: &'a Path,
    table: &'a MappedTable,
    query: ListQuery,
    json: bool,
}

impl Task for ListTask<'_> {
    type Output = Result<(), CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { file, table, query, json } = self;
        let header = table.header();
        let mut out = BufWriter::new(io::stdout().lock());
        let mut left = query.count;
        for entry in table.walk(query.layer).map_err(|e| read_error(file, &e))? {
            let entry = entry.map_err(|e| read_error(file, &e))?;
            if !query.matches(EntryValue::new(header, entry.code)) {
                continue;
            }
            let row = Row::new(game, header, entry)?;
            let line = if json {
                serde_json::to_string(&row).map_err(|e| CliError::Output(e.into()))?
            } else {
                format!("{}  {}", row.position, header.code_name(entry.code))
            };
            writeln!(out, "{line}").map_err(CliError::Output)?;
            left -= 1;
            if left == 0 {
                break;
            }
        }
        out.flush().map_err(CliError::Output)
    }
}
