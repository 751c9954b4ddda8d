//! `balpan strong`: looking into files of strong solutions.

mod damage;
mod diff;
mod export;
mod info;
mod list;
mod look;
mod merge;
mod open;
mod plot;
mod values;

use std::path::Path;

use balpan::Budget;
use balpan_games::{AnyGame, Notation, RulesFile, Task};
use balpan_strong::{BuildError, Header, Metric, MismatchKind, VerifyError, verify, verify_sample};
use serde::Serialize;

use crate::args::StrongVerb;
use crate::failure::{Failure, Problem, print, print_json, tell};
use crate::lang::lang;
use crate::numbers::{counted, rough_time};
use crate::progress::{StopCause, all_cores, deadline, stop_cause, watched};
use crate::words::count;

pub(crate) use damage::tell_damage;
use open::open_any;
pub(crate) use open::{Mapped, known, open, solution, tablebase};

/// The most memory, where nothing is said of it.
const MEMORY: usize = 1 << 30;

pub(crate) fn run(verb: &StrongVerb) -> Result<(), Failure> {
    match verb {
        StrongVerb::Info { file, json, svg } => info::run(file, *json, svg.as_deref()),
        StrongVerb::Verify { file, sample, seed, memory, threads, json, .. } => {
            let budget = Budget { memory: *memory, threads: threads.map_or_else(all_cores, usize::from) };
            let table = open(file)?;
            if table.header().shard.is_some() {
                let help = "merge all parts first, by `balpan strong merge`: what its positions lead to is in others";
                return Err(Failure::input(format!("{} is a part of a solution", file.display()), help));
            }
            let checking =
                Checking { table: &table, file, sample: sample.map(|count| (count, *seed)), budget, json: *json };
            game_of(table.header())?.run(checking)
        }
        StrongVerb::List { .. } => list::run(verb),
        StrongVerb::Export { file, format, output, values_only, memory, threads, .. } => {
            if !values_only {
                return export::run(file, *format, output);
            }
            let threads = threads.map_or_else(all_cores, usize::from);
            values::run(file, output, Budget { memory: memory.unwrap_or(MEMORY), threads })
        }
        StrongVerb::Merge { files, output, threads, json, .. } => {
            merge::run(files, output, threads.map_or_else(all_cores, usize::from), *json)
        }
        StrongVerb::Look { file, positions, json } => look::run(file, positions, *json),
        StrongVerb::Diff { one, other, json } => diff::run(one, other, *json),
    }
}

/// What a file has, one and many.
pub(crate) const fn names(tells: Metric) -> (&'static str, &'static str) {
    match tells {
        Metric::Value => ("position", "positions"),
        Metric::Nimber => ("part", "parts"),
    }
}

/// The game that a file is of, from its first start.
fn game_of(header: &Header) -> Result<AnyGame, Failure> {
    let of = &header.subject;
    let rules = RulesFile::parse(&of.game, &of.rules)?;
    Ok(match of.starts.first() {
        Some(start) => rules.game_at(start)?,
        None => rules.game()?,
    })
}

struct Checking<'a> {
    table: &'a Mapped,
    file: &'a Path,
    /// The number of random positions, and the seed.
    sample: Option<(u64, u64)>,
    budget: Budget,
    json: bool,
}

/// What a check comes to, as programs read it.
#[derive(Serialize)]
struct Checked<'a> {
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

impl Task for Checking<'_> {
    type Output = Result<(), Failure>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        let Self { table, file, sample, budget, json } = self;
        let header = table.header();
        let starts = header.subject.starts.iter().map(|start| game.parse(start)).collect::<Result<Vec<_>, _>>()?;
        let (done, time) = watched(|watch| match (sample, header.subject.plies) {
            (None, None) => verify(game, &starts, table, budget, watch),
            _ => verify_sample(game, &starts, table, sample, watch),
        });
        let positions = header.positions();
        match done {
            Ok(checked) => {
                if json {
                    return print_json(&Checked {
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
                let (one, many) = names(header.subject.metric);
                let checked = counted(checked, one, many);
                print(&format!("{}: {checked} {what}; {}\n", file.display(), rough_time(time.as_secs_f64())))
            }
            Err(VerifyError::Mismatch(wrong)) => {
                let text = game.position_from_key(wrong.key).map(|position| game.text(&position));
                let of = |code| Some(header.code_name(code));
                let (found, follows) = match wrong.what {
                    MismatchKind::Code { found, follows } => (of(found), of(follows)),
                    _ => (None, None),
                };
                if json {
                    let position = text.as_deref();
                    print_json(&Checked { right: false, positions, checked: 0, position, found, follows })?;
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
                Err(Failure::Told(1))
            }
            Err(VerifyError::Build(BuildError::Stopped(stopped))) => {
                if stop_cause() != Some(StopCause::Deadline) {
                    return Err(Failure::stopped(stopped, 0));
                }
                // Whether all are right is not known, which is no.
                let time = count::time(lang(), deadline().unwrap_or(time));
                let message = lang().pick(
                    format!("After {time}, not all positions of {} are verified.", file.display()),
                    format!("{time} 안에 {}의 국면을 다 확인하지 못했습니다.", file.display()),
                );
                tell(&Problem::new(message, ""), 1);
                Err(Failure::Told(1))
            }
            Err(e) => {
                let help = "the file is left as it is; build it again";
                Err(Failure::input(format!("{}: {e}", file.display()), help))
            }
        }
    }
}
