//! `balpan strong list`: positions of a file, one per line.

use std::io::{self, BufWriter, Write};
use std::path::Path;

use balpan::{Outcome, Value};
use balpan_games::{Notation, Task};
use balpan_strong::{Entry, Header, Metric, TableError};
use serde::Serialize;

use super::{Mapped, game_of, open};
use crate::args::{OutcomeName, StrongVerb};
use crate::failure::Failure;

pub(super) fn run(verb: &StrongVerb) -> Result<(), Failure> {
    let StrongVerb::List { file, outcome, plies, nimber, layer, count, json } = verb else { return Ok(()) };
    let table = open(file)?;
    let asked = ListQuery {
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
    game_of(table.header())?.run(Listing { file, table: &table, asked, json: *json })
}

/// A position of a file, and what it is worth.
pub(super) struct Told {
    pub(super) layer: u32,
    pub(super) key: u128,
    pub(super) position: String,
    pub(super) outcome: Option<Outcome>,
    pub(super) remoteness: Option<u32>,
    pub(super) nimber: Option<u16>,
}

impl Told {
    /// What the file tells of the position.
    pub(super) fn new<G: Notation>(game: &G, header: &Header, entry: Entry) -> Result<Self, Failure> {
        let Some(position) = game.position_from_key(entry.key) else {
            return Err(Failure::input(format!("key {:#x} is that of no position", entry.key), AGAIN));
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

const AGAIN: &str = "build the file again";

/// Why a file could not be read to its end.
pub(super) fn unread(file: &Path, error: &TableError) -> Failure {
    Failure::input(format!("{}: {error}", file.display()), AGAIN)
}

/// Which positions are listed.
struct ListQuery {
    outcome: Option<Outcome>,
    plies: Option<u32>,
    nimber: Option<u16>,
    layer: Option<u32>,
    count: u64,
}

impl ListQuery {
    /// Whether positions of this code are.
    fn takes(&self, header: &Header, code: u16) -> bool {
        let value = header.value(code);
        let fits = |asked: bool, is: bool| !asked || is;
        fits(self.outcome.is_some(), value.map(Value::outcome) == self.outcome)
            && fits(self.plies.is_some(), value.and_then(Value::remoteness) == self.plies)
            && fits(self.nimber.is_some(), header.subject.metric == Metric::Nimber && Some(code) == self.nimber)
    }
}

/// A position as programs read it.
#[derive(Serialize)]
struct Line<'a> {
    position: &'a str,
    layer: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    outcome: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteness: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    nimber: Option<u16>,
}

struct Listing<'a> {
    file: &'a Path,
    table: &'a Mapped,
    asked: ListQuery,
    json: bool,
}

impl Task for Listing<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { file, table, asked, json } = self;
        let header = table.header();
        let mut out = BufWriter::new(io::stdout().lock());
        let mut left = asked.count;
        for entry in table.walk(asked.layer).map_err(|e| unread(file, &e))? {
            let entry = entry.map_err(|e| unread(file, &e))?;
            if !asked.takes(header, entry.code) {
                continue;
            }
            let Told { layer, position, outcome, remoteness, nimber, .. } = Told::new(game, header, entry)?;
            let line = if json {
                let outcome = outcome.map(|outcome| outcome.to_string());
                let line = Line { position: &position, layer, outcome, remoteness, nimber };
                serde_json::to_string(&line).map_err(|e| Failure::Output(e.into()))?
            } else {
                format!("{position}  {}", header.code_name(entry.code))
            };
            writeln!(out, "{line}").map_err(Failure::Output)?;
            left -= 1;
            if left == 0 {
                break;
            }
        }
        out.flush().map_err(Failure::Output)
    }
}
