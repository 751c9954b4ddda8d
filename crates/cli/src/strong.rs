//! `balpan strong`: inspecting files of strong solutions.

mod diff;
mod export;
mod info;
mod list;
mod look;
mod merge;
mod open;

use std::path::Path;

use balpan::Budget;
use balpan_games::{Notation, Task};
use balpan_strong::{BuildError, Metric, MismatchKind, VerifyError, verify, verify_sample};
use serde::Serialize;

use crate::args::StrongVerb;
use crate::error::{CliError, Diagnostic, print, print_json, report};
use crate::numbers::{counted, rough_time};
use crate::progress::{StopCause, available_threads, deadline, run_with_progress, stop_cause};
use crate::words::count;
use crate::words::lang;

use open::open_any;
pub(crate) use open::{MappedTable, find_oracle, open, open_for_game, open_tablebase, report_damage};

/// Default of `--memory`.
const DEFAULT_MEMORY_BYTES: usize = 1 << 30;

pub(crate) fn run(verb: &StrongVerb) -> Result<(), CliError> {
    match verb {
        StrongVerb::Info { file, json, svg } => info::run(file, *json, svg.as_deref()),
        StrongVerb::Verify { file, sample, seed, memory, threads, json, .. } => {
            let budget = Budget { memory: *memory, threads: threads.map_or_else(available_threads, usize::from) };
            let table = open(file)?;
            if table.header().shard.is_some() {
                let help = "merge all parts first, by `balpan strong merge`: what its positions lead to is in others";
                return Err(CliError::input(format!("{} is a part of a solution", file.display()), help));
            }
            let sample = sample.map(|count| (count, *seed));
            table.header().subject.load_game()?.run(VerifyTask { table: &table, file, sample, budget, json: *json })
        }
        StrongVerb::List { .. } => list::run(verb),
        StrongVerb::Export { file, format, output, values_only, memory, threads, .. } => {
            if !values_only {
                return export::run(file, *format, output);
            }
            let threads = threads.map_or_else(available_threads, usize::from);
            export::run_values(file, output, Budget { memory: memory.unwrap_or(DEFAULT_MEMORY_BYTES), threads })
        }
        StrongVerb::Merge { files, output, threads, json, .. } => {
            merge::run(files, output, threads.map_or_else(available_threads, usize::from), *json)
        }
        StrongVerb::Look { file, positions, json } => look::run(file, positions, *json),
        StrongVerb::Diff { one, other, json } => diff::run(one, other, *json),
    }
}

/// Returns the noun for a file's entries, singular and plural.
pub(crate) const fn entry_nouns(tells: Metric) -> (&'static str, &'static str) {
    match tells {
        Metric::Value => ("position", "positions"),
        Metric::Nimber => ("part", "parts"),
    }
}

struct VerifyTask<'a> {
    table: &'a MappedTable,
    file: &'a Path,
    /// The number of random positions, and the seed.
    sample: Option<(u64, u64)>,
    budget: Budget,
    json: bool,
}

/// The result of a verification as JSON.
#[derive(Serialize)]
struct VerifyReport<'a> {
    right: bool,
    positions: u64,
    checked: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<String>,
}

impl Task for VerifyTask<'_> {
    type Output = Result<(), CliError>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { table, file, sample, budget, json } = self;
        let header = table.header();
        let starts = header.subject.starts.iter().map(|start| game.parse(start)).collect::<Result<Vec<_>, _>>()?;
        let (verified, time) = run_with_progress(|watch| match (sample, header.subject.plies) {
            (None, None) => verify(game, &starts, table, budget, watch),
            _ => verify_sample(game, &starts, table, sample, watch),
        });
        let positions = header.positions();
        match verified {
            Ok(checked) => {
                if json {
                    return print_json(&VerifyReport {
                        right: true,
                        positions,
                        checked,
                        position: None,
                        found: None,
                        follows: None,
                    });
                }
                let what = match (sample, header.subject.plies) {
                    (Some(_), _) => "taken by chance, all right",
                    (None, None) => "all right",
                    (None, Some(_)) => "right; those at the end of the book were taken as they are",
                };
                let (one, many) = entry_nouns(header.subject.metric);
                let checked = counted(checked, one, many);
                print(&format!("{}: {checked} {what}; {}\n", file.display(), rough_time(time.as_secs_f64())))
            }
            Err(VerifyError::Mismatch(wrong)) => {
                let text = game.position_from_key(wrong.key).map(|position| game.text(&position));
                let name = |code| Some(header.code_name(code));
                let (found, follows) = match wrong.what {
                    MismatchKind::Code { found, follows } => (name(found), name(follows)),
                    _ => (None, None),
                };
                if json {
                    let position = text.as_deref();
                    print_json(&VerifyReport { right: false, positions, checked: 0, position, found, follows })?;
                } else {
                    let place = text.unwrap_or_else(|| format!("key {:#x}", wrong.key));
                    let what = match (found, follows) {
                        (Some(found), Some(follows)) => {
                            format!("the file says {found}, {follows} follows from its moves")
                        }
                        _ => wrong.to_string(),
                    };
                    print(&format!("{}: wrong at {place}: {what}\n", file.display()))?;
                }
                Err(CliError::Reported(1))
            }
            Err(VerifyError::Build(BuildError::Stopped(stopped))) => {
                if stop_cause() != Some(StopCause::Deadline) {
                    return Err(CliError::from_stopped(stopped, 0));
                }
                // Not known to be right counts as "no".
                let time = count::time(lang(), deadline().unwrap_or(time));
                let message = lang().pick(
                    format!("After {time}, not all positions of {} are verified.", file.display()),
                    format!("{time} 안에 {}의 국면을 다 확인하지 못했습니다.", file.display()),
                );
                report(&Diagnostic::new(message, ""), 1);
                Err(CliError::Reported(1))
            }
            Err(e) => {
                let help = "the file is left as it is; build it again";
                Err(CliError::input(format!("{}: {e}", file.display()), help))
            }
        }
    }
}
