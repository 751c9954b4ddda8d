//! `balpan strong`: inspecting, verifying, comparing, merging and exporting files of strong solutions.

mod info;
mod open;
#[cfg(feature = "parquet")]
mod parquet;
mod table;

use std::path::{Path, PathBuf};

use balpan::Budget;
use balpan_games::{AnyGame, Notation};
use balpan_strong::{
    AnyKeyGame, BuildError, Difference, Entry, Header, MergeError, Metric, Mismatch, MismatchKind, Plan, Solution,
    TableError, VerifyError, differences, merge, value_differences,
};
use serde::Serialize;

use crate::args::StrongVerb;
use crate::build::{build_error, print_built, report_existing, with_suffix};
use crate::error::{CliError, Diagnostic, print_report, report};
use crate::numbers::{counted, rough_time};
use crate::progress::{StopCause, run_with_progress, run_with_status, stop_cause, thread_count, time_limit_or};
use crate::words::{common as words, lang};

pub(crate) use open::{MappedTable, find_oracle, open, open_for_game, open_tablebase, report_damage};
use open::{list_parts, open_any};

const DEFAULT_MEMORY_BYTES: usize = 1 << 30;

/// The remedy for a damaged file.
const BUILD_AGAIN: &str = "build the file again";

pub(crate) fn run(verb: &StrongVerb) -> Result<(), CliError> {
    match verb {
        StrongVerb::Info { file, json, svg } => info::run(file, *json, svg.as_deref()),
        StrongVerb::Verify { file, sample, seed, memory, threads, json, .. } => {
            let table = open(file)?;
            if table.header().shard.is_some() {
                let help = "merge all parts first, by `balpan strong merge`: what its positions lead to is in others";
                return Err(CliError::input(format!("{} is a part of a solution", file.display()), help));
            }
            let budget = Budget { memory: *memory, threads: thread_count(*threads) };
            let sample = sample.map(|count| (count, *seed));
            verify_file(&table, file, sample, budget, *json)
        }
        StrongVerb::List { .. } => table::list(verb),
        StrongVerb::Export { file, format, output, values_only, memory, threads, .. } => {
            if !values_only {
                return table::export(file, *format, output);
            }
            let budget = Budget { memory: memory.unwrap_or(DEFAULT_MEMORY_BYTES), threads: thread_count(*threads) };
            table::export_without_keys(file, output, budget)
        }
        StrongVerb::Merge { files, output, threads, json, .. } => {
            merge_files(files, output, thread_count(*threads), *json)
        }
        StrongVerb::Look { file, positions, json } => table::look(file, positions, *json),
        StrongVerb::Diff { one, other, json } => diff(one, other, *json),
    }
}

/// Formats a number of a file's entries.
pub(crate) fn entries(metric: Metric, count: u64) -> String {
    match metric {
        Metric::Value => counted(count, "position", "positions"),
        Metric::Nimber => counted(count, "part", "parts"),
    }
}

/// Describes why a file could not be read to its end.
fn read_error(file: &Path, error: &TableError) -> CliError {
    CliError::about(file.display(), error, BUILD_AGAIN)
}

/// Returns the position of a key as text.
fn position_text(game: &AnyGame, key: u128) -> Option<String> {
    let rules = game.rules();
    Some(rules.text(&rules.position_from_key(key)?))
}

#[derive(Default, Serialize)]
struct VerifyReport {
    right: bool,
    positions: u64,
    checked: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    found: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    follows: Option<String>,
}

/// Verifies a file: all of it, or a `sample` of random positions, given as their number and the seed.
fn verify_file(
    table: &MappedTable,
    file: &Path,
    sample: Option<(u64, u64)>,
    budget: Budget,
    json: bool,
) -> Result<(), CliError> {
    let header = table.header();
    let game = header.subject.load_game()?;
    let erased = game.erased();
    let starts = header.subject.starts.iter().map(|start| erased.parse(start)).collect::<Result<Vec<_>, _>>()?;
    let key_game = AnyKeyGame::new(&game);
    let (verified, time) = run_with_progress(|watch| match (sample, header.subject.plies) {
        (None, None) => key_game.verify(&starts, table, budget, watch),
        _ => key_game.verify_sample(&starts, table, sample, watch),
    });
    let positions = header.positions();
    match verified {
        Ok(checked) => {
            let report = VerifyReport { right: true, positions, checked, ..VerifyReport::default() };
            print_report(json, &report, |_| {
                let what = match (sample, header.subject.plies) {
                    (Some(_), _) => "taken by chance, all right",
                    (None, None) => "all right",
                    (None, Some(_)) => "right; those at the end of the book were taken as they are",
                };
                let (checked, time) = (entries(header.subject.metric, checked), rough_time(time.as_secs_f64()));
                format!("{}: {checked} {what}; {time}\n", file.display())
            })
        }
        Err(VerifyError::Mismatch(wrong)) => {
            let mut report =
                VerifyReport { positions, position: position_text(&game, wrong.key), ..VerifyReport::default() };
            if let MismatchKind::Code { found, follows } = wrong.what {
                report.found = Some(header.code_name(found));
                report.follows = Some(header.code_name(follows));
            }
            print_report(json, &report, |report| report.mismatch(file, &wrong))?;
            Err(CliError::Reported(1))
        }
        Err(VerifyError::Build(BuildError::Stopped(stopped))) => {
            if stop_cause() != Some(StopCause::Deadline) {
                return Err(stopped.into());
            }
            // Not known to be right counts as "no".
            let message = words::unverified_in_time(lang(), &time_limit_or(time), &file.display().to_string());
            report(&Diagnostic::new(message, ""), 1);
            Err(CliError::Reported(1))
        }
        Err(e) => Err(CliError::about(file.display(), e, "the file is left as it is; build it again")),
    }
}

impl VerifyReport {
    /// Describes the entry that is wrong.
    fn mismatch(&self, file: &Path, wrong: &Mismatch) -> String {
        let place = self.position.clone().unwrap_or_else(|| format!("key {:#x}", wrong.key));
        let what = match (&self.found, &self.follows) {
            (Some(found), Some(follows)) => format!("the file says {found}, {follows} follows from its moves"),
            _ => wrong.to_string(),
        };
        format!("{}: wrong at {place}: {what}\n", file.display())
    }
}

fn merge_files(files: &[PathBuf], output: &Path, threads: usize, json: bool) -> Result<(), CliError> {
    let mut paths = Vec::new();
    for path in files {
        if path.is_dir() { paths.extend(list_parts(path)?) } else { paths.push(path.clone()) }
    }
    let tables = paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = tables.first() else {
        let help = "expected the folder that `balpan build --process` wrote to";
        return Err(CliError::input("no file of a share", help));
    };
    let of = first.header().subject.clone();
    let scratch = with_suffix(output, ".scratch");
    if output.exists() {
        return report_existing(output, &scratch, &of, json);
    }
    let plan = Plan { subject: of, output: output.to_owned(), scratch, memory: 0, threads };
    let (merged, time) = run_with_status(
        |watch, time| format!("{} s, {} positions", time.as_secs(), watch.positions()),
        |watch| merge(&tables, &plan, watch),
    );
    match merged {
        Ok(header) => print_built(&header, output, Some(time), json),
        Err(MergeError::Build(error)) => Err(build_error(&error, &plan.scratch)),
        Err(error) => {
            let files = match &error {
                MergeError::Table(at, _) | MergeError::Whole(at) | MergeError::Other(at) => vec![*at],
                MergeError::Twice(one, other) => vec![*one, *other],
                _ => Vec::new(),
            };
            let name = |at: &usize| Some(format!("file {at} is {}", paths.get(*at)?.display()));
            let names: Vec<String> = files.iter().filter_map(name).collect();
            let help = "expected the files of all shares of one solution: name all folders that processes wrote to";
            Err(CliError::input(format!("{error}\n{}", names.join("\n")).trim_end(), help))
        }
    }
}

#[derive(Default, Serialize)]
struct DiffReport {
    /// `None` if one of the files has no keys.
    only_first: Option<u64>,
    only_second: Option<u64>,
    other_values: u64,
    /// Some of the differences, in words.
    examples: Vec<String>,
}

const MAX_EXAMPLES: usize = 10;

/// Prints where two files differ.
fn diff(one: &Path, other: &Path, json: bool) -> Result<(), CliError> {
    let refused = |why: &str, help| Err(CliError::about("the files cannot be compared", why, help));
    let [first, second] = [open_any(one)?, open_any(other)?];
    let headers = [first.header(), second.header()];
    let subjects = headers.map(|header| &header.subject);
    let game = subjects[0].load_game()?;
    if subjects[0].identity()? != subjects[1].identity()? || subjects[0].metric != subjects[1].metric {
        let help = "expected two files of the same rules and board that store the same kind of value";
        return refused("they are of different games, or store different kinds of values", help);
    }
    let mut report = DiffReport::default();
    let mut add_example = |entry: Entry, codes: [Option<u16>; 2]| {
        if report.examples.len() < MAX_EXAMPLES {
            report.examples.push(describe_difference(&game, headers, entry, codes));
        }
        true
    };
    let (mut only_first, mut only_second, mut other_values) = (0, 0, 0);
    let compared = match (&first, &second) {
        (Solution::Table(first), Solution::Table(second)) => differences(first, second, |difference| {
            let (count, entry, codes) = match difference {
                Difference::First(entry) => (&mut only_first, entry, [Some(entry.code), None]),
                Difference::Second(entry) => (&mut only_second, entry, [None, Some(entry.code)]),
                Difference::Code(entry, code) => (&mut other_values, entry, [Some(entry.code), Some(code)]),
            };
            *count += 1;
            add_example(entry, codes)
        }),
        (Solution::Values(_), Solution::Values(_)) => {
            return refused("neither has keys", "compare each of them with a file that has keys");
        }
        _ if subjects[0] != subjects[1] => {
            let help = "expected the same starts, and symmetric positions once in both or in neither";
            return refused("one has no keys, and may lack positions", help);
        }
        // Every position of the file with keys is looked up in the one without.
        (Solution::Table(table), Solution::Values(values)) => value_differences(table, values, |entry, code| {
            other_values += 1;
            add_example(entry, [Some(entry.code), code])
        }),
        (Solution::Values(values), Solution::Table(table)) => value_differences(table, values, |entry, code| {
            other_values += 1;
            add_example(entry, [code, Some(entry.code)])
        }),
    };
    compared.map_err(|e| CliError::about(format!("{} or {}", one.display(), other.display()), e, BUILD_AGAIN))?;
    report.other_values = other_values;
    if let (Solution::Table(_), Solution::Table(_)) = (&first, &second) {
        (report.only_first, report.only_second) = (Some(only_first), Some(only_second));
    }
    let is_same = only_first + only_second + other_values == 0;
    print_report(json, &report, |report| match (is_same, report.only_first) {
        (true, Some(_)) => "the same positions, and the same values\n".to_owned(),
        (true, None) => format!("the same values: {}\n", counted(headers[0].positions(), "position", "positions")),
        (false, _) => report.page([one, other]),
    })?;
    if is_same { Ok(()) } else { Err(CliError::Reported(1)) }
}

/// Describes a difference; `codes` are those of the two files.
fn describe_difference(game: &AnyGame, headers: [&Header; 2], entry: Entry, codes: [Option<u16>; 2]) -> String {
    let text = position_text(game, entry.key).unwrap_or_else(|| format!("key {:#x}", entry.key));
    let name = |file: usize| codes[file].map_or_else(|| "not there".to_owned(), |code| headers[file].code_name(code));
    format!("{text}: {}, {}", name(0), name(1))
}

impl DiffReport {
    fn page(&self, paths: [&Path; 2]) -> String {
        let positions = |count| counted(count, "position", "positions");
        let mut page = String::new();
        for (path, only) in paths.into_iter().zip([self.only_first, self.only_second]) {
            if let Some(only) = only {
                page += &format!("only in {}: {}\n", path.display(), positions(only));
            }
        }
        page += &format!("other values: {}\n", positions(self.other_values));
        page.extend(self.examples.iter().map(|example| format!("  {example}\n")));
        page
    }
}
