//! `balpan strong list` and `export`: positions of a file, one a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use balpan::{Outcome, Value};
use balpan_games::{Notation, Task};
use balpan_strong::{Header, Tells};
use serde::Serialize;

use super::{Mapped, game_of, open};
use crate::args::{OutcomeName, StrongVerb};
use crate::failure::Failure;

pub(super) fn run(verb: &StrongVerb) -> Result<(), Failure> {
    match verb {
        StrongVerb::List { file, outcome, plies, nimber, layer, count, json } => {
            let table = open(file)?;
            let asked = Asked {
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
            let form = if *json { Form::Json } else { Form::Text };
            let out = BufWriter::new(io::stdout().lock());
            game_of(&table)?.run(Listing { table: &table, asked, form, out })
        }
        StrongVerb::Export { file, output } => {
            let table = open(file)?;
            let asked = Asked { outcome: None, plies: None, nimber: None, layer: None, count: u64::MAX };
            let game = game_of(&table)?;
            if output == Path::new("-") {
                let out = BufWriter::new(io::stdout().lock());
                return game.run(Listing { table: &table, asked, form: Form::Csv, out });
            }
            let cannot = |e: io::Error| {
                Failure::input(
                    format!("-o {}: {e}", output.display()),
                    "expected the path of a file that can be written",
                )
            };
            // It gets its name when it is whole.
            let part = output.with_extension("part");
            let out = BufWriter::new(File::create(&part).map_err(cannot)?);
            let done = game.run(Listing { table: &table, asked, form: Form::Csv, out });
            match done {
                Ok(()) => std::fs::rename(&part, output).map_err(cannot),
                Err(failure) => {
                    let _ = std::fs::remove_file(&part);
                    Err(match failure {
                        Failure::Output(e) => cannot(e),
                        other => other,
                    })
                }
            }
        }
        _ => Ok(()),
    }
}

/// Which positions are listed.
struct Asked {
    outcome: Option<Outcome>,
    plies: Option<u32>,
    nimber: Option<u16>,
    layer: Option<u32>,
    count: u64,
}

impl Asked {
    /// Whether positions of this code are.
    fn takes(&self, header: &Header, code: u16) -> bool {
        let value: Option<Value> = header.value(code);
        let has = |asked: bool, is: bool| !asked || is;
        has(self.outcome.is_some(), value.map(Value::outcome) == self.outcome)
            && has(self.plies.is_some(), value.and_then(Value::remoteness) == self.plies)
            && has(self.nimber.is_some(), header.of.tells == Tells::Nimber && Some(code) == self.nimber)
    }
}

/// How a line is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Text,
    Json,
    Csv,
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

struct Listing<'a, W> {
    table: &'a Mapped,
    asked: Asked,
    form: Form,
    out: W,
}

impl<W: Write> Task for Listing<'_, W> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { table, asked, form, mut out } = self;
        let header = table.header();
        let wrong = |e: balpan_strong::TableError| Failure::input(e.to_string(), "build the file again");
        if form == Form::Csv {
            let worth = if header.of.tells == Tells::Nimber { "nimber" } else { "outcome,remoteness" };
            writeln!(out, "layer,key,position,{worth}").map_err(Failure::Output)?;
        }
        let mut left = asked.count;
        for entry in table.walk(asked.layer).map_err(wrong)? {
            let entry = entry.map_err(wrong)?;
            if !asked.takes(header, entry.code) {
                continue;
            }
            let Some(position) = game.position_of(entry.key) else {
                return Err(Failure::input(
                    format!("key {:#x} is that of no position", entry.key),
                    "build the file again",
                ));
            };
            let text = game.text(&position);
            let value = header.value(entry.code);
            let outcome = value.map(|value| value.outcome().to_string());
            let remoteness = value.and_then(Value::remoteness);
            let nimber = value.is_none().then_some(entry.code);
            match form {
                Form::Text => writeln!(out, "{text}  {}", header.code_name(entry.code)),
                Form::Json => {
                    let line = Line { position: &text, layer: entry.layer, outcome, remoteness, nimber };
                    writeln!(out, "{}", serde_json::to_string(&line).map_err(|e| Failure::Output(e.into()))?)
                }
                Form::Csv => {
                    let remoteness = remoteness.map_or_else(String::new, |plies| plies.to_string());
                    let worth = match (outcome, nimber) {
                        (Some(outcome), _) => format!("{outcome},{remoteness}"),
                        (None, nimber) => nimber.unwrap_or(0).to_string(),
                    };
                    // Texts of positions have neither commas nor quotes.
                    writeln!(out, "{},{:#x},{text},{worth}", entry.layer, entry.key)
                }
            }
            .map_err(Failure::Output)?;
            left -= 1;
            if left == 0 {
                break;
            }
        }
        out.flush().map_err(Failure::Output)
    }
}
