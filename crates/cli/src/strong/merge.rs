//! `balpan strong merge`: merging the files of all shares into one.

use std::path::{Path, PathBuf};

use balpan_strong::{MergeError, Plan, merge};

use super::open::open;
use crate::build::{build_error, print_report, report_existing, with_suffix};
use crate::error::CliError;
use crate::progress::run_with_status;

pub(super) fn run(files: &[PathBuf], output: &Path, threads: usize, json: bool) -> Result<(), CliError> {
    let mut paths = Vec::new();
    for path in files {
        if path.is_dir() { paths.extend(list_parts(path)?) } else { paths.push(path.clone()) }
    }
    let tables = paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
    let Some(first) = tables.first() else {
        return Err(CliError::input(
            "no file of a share",
            "expected the folder that `balpan build --process` wrote to",
        ));
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
        Ok(header) => print_report(&header, output, Some(time), json),
        Err(MergeError::Build(error)) => Err(build_error(&error, &plan.scratch)),
        Err(error) => {
            let names: Vec<String> = match &error {
                MergeError::Table(at, _) | MergeError::Whole(at) | MergeError::Other(at) => vec![name(&paths, *at)],
                MergeError::Twice(one, other) => vec![name(&paths, *one), name(&paths, *other)],
                _ => Vec::new(),
            };
            let help = "expected the files of all shares of one solution: name all folders that processes wrote to";
            Err(CliError::input(format!("{error}\n{}", names.join("\n")).trim_end(), help))
        }
    }
}

fn name(paths: &[PathBuf], at: usize) -> String {
    paths.get(at).map_or_else(String::new, |path| format!("file {at} is {}", path.display()))
}

/// Lists the files of shares in a folder.
pub(super) fn list_parts(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let unreadable = |e: std::io::Error| {
        CliError::input(
            format!("{}: {e}", folder.display()),
            "expected a folder that `balpan build --process` wrote to",
        )
    };
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(unreadable)?;
    paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_part));
    paths.sort();
    Ok(paths)
}

/// Whether a file name is that of a share: `part-N.strong`.
fn is_part(name: &str) -> bool {
    let digits = name.strip_prefix("part-").and_then(|name| name.strip_suffix(".strong"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
