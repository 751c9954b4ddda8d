//! `balpan strong list`: positions of a file, one per line.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use balpan::{Outcome, Value};
use balpan_games::{Notation, Task};
use balpan_strong::{Entry, Header, Metric, TableError};
use serde::Serialize;

use super::{MappedTable, load_game, open};
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
    load_game(table.header())?.run(ListTask { file, table: &table, query, json: *json })
}

/// A position of a file with its value.
pub(super) struct Row {
    pub(super) layer: u32,
    pub(super) key: u128,
    pub(super) position: String,
    pub(super) outcome: Option<Outcome>,
    pub(super) remoteness: Option<u32>,
    pub(super) nimber: Option<u16>,
}

impl Row {
    /// Decodes an entry.
    ///
    /// # Errors
    /// If the key is not that of a position.
    pub(super) fn new<G: Notation>(game: &G, header: &Header, entry: Entry) -> Result<Self, CliError> {
        let Some(position) = game.position_from_key(entry.key) else {
            return Err(CliError::input(format!("key {:#x} is that of no position", entry.key), BUILD_AGAIN));
        };
        let value = header.value(entry.code);
        Ok(Self {
            layer: entry.layer,
            key: entry.key,
            position: game.text(&position),
            outcome: value.map(Value::outcome),
            remoteness: value.and_then(Value::remoteness),
            nimber: value.is_none().then_some(entry.code),
        })
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
    /// Whether positions with this value code are listed.
    fn matches(&self, header: &Header, code: u16) -> bool {
        let value = header.value(code);
        (self.outcome.is_none() || value.map(Value::outcome) == self.outcome)
            && (self.plies.is_none() || value.and_then(Value::remoteness) == self.plies)
            && (self.nimber.is_none() || header.subject.metric == Metric::Nimber && Some(code) == self.nimber)
    }
}

/// A position as JSON.
#[derive(Serialize)]
struct RowObject<'a> {
    position: &'a str,
    layer: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u16>,
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
            if !query.matches(header, entry.code) {
                continue;
            }
            let Row { layer, position, outcome, remoteness, nimber, .. } = Row::new(game, header, entry)?;
            let line = if json {
                let outcome = outcome.map(|outcome| outcome.to_string());
                let row = RowObject { position: &position, layer, outcome, remoteness, nimber };
                serde_json::to_string(&row).map_err(|e| CliError::Output(e.into()))?
            } else {
                format!("{position}  {}", header.code_name(entry.code))
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
