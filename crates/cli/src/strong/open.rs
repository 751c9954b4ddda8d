//! Opening strong solutions in files and on other machines.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use balpan_games::SizedOracle;
use balpan_strong::{Remote, Solution, Subject, Table, TableError, Tablebase, TablebaseError, map_file};
use memmap2::Mmap;

use super::BUILD_AGAIN;
use crate::args::StrongArgs;
use crate::error::{CliError, Diagnostic, warn};
use crate::files;
use crate::load::LoadedGame;
use crate::progress::lock;

/// A memory-mapped strong solution with keys.
pub(crate) type MappedTable = Table<Mmap>;

const EXPECTED: &str = "expected a file that `balpan build` has written";

/// The remedy for a file without keys where keys are needed.
const WITH_KEYS: &str = "take the file that it was made from; `balpan strong look` asks this one, of positions that play \
                         reaches";

pub(crate) fn open(path: &Path) -> Result<MappedTable, CliError> {
    open_with(path, Table::open)
}

pub(super) fn open_any(path: &Path) -> Result<Solution<Mmap>, CliError> {
    open_with(path, Solution::open)
}

fn open_with<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> Result<T, CliError> {
    let refused = |e: &dyn Display, help| CliError::about(path.display(), e, help);
    if path.is_dir() {
        let help = "expected a file; `balpan strong merge` makes one of a folder of parts";
        return Err(refused(&"it is a folder", help));
    }
    files::check_plain(path).map_err(|e| refused(&e, EXPECTED))?;
    map_file(path, open).map_err(|e| refused(&e, EXPECTED))?.map_err(|e| match e {
        TableError::NoKeys => refused(&e, WITH_KEYS),
        e => refused(&e, EXPECTED),
    })
}

/// Opens the strong solutions of the command line, of which those of `--strong` must be of the game if there is one, and
/// the books that are part of the command.
pub(crate) fn open_tablebase(args: &StrongArgs, loaded: Option<&LoadedGame>) -> Result<Tablebase, CliError> {
    let mut tablebase = Tablebase::with_books();
    if let Some(folder) = &args.strong_dir {
        let help = "expected a folder of files of `balpan build`";
        let unreadable = |e| CliError::about(format!("--strong-dir {}", folder.display()), e, help);
        let paths = list_files(folder).map_err(unreadable)?;
        let mut shares = Vec::new();
        for path in paths.iter().filter(|path| path.is_file()) {
            match map_file(path, Table::open) {
                Ok(Ok(table)) if table.header().shard.is_some() => shares.push(table),
                Ok(Ok(table)) => tablebase.add(path.display().to_string(), table)?,
                // Other files in the folder are ignored.
                Ok(Err(TableError::NotASolution | TableError::NoKeys)) | Err(_) => {}
                Ok(Err(error)) => warn_unused(&path.display().to_string(), TablebaseError::File(&error)),
            }
        }
        add_shards(&mut tablebase, folder, shares)?;
    }
    for path in &args.strong {
        let name = path.display().to_string();
        let check = |subjects: &[&Subject]| loaded.map_or(Ok(()), |loaded| check_rules(&name, subjects, loaded));
        if name.starts_with("http://") || name.starts_with("https://") {
            add_remote(&mut tablebase, &name, check)?;
        } else if path.is_dir() {
            let tables = list_parts(path)?.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
            let Some(first) = tables.first() else {
                let help = "expected a file that `balpan build` has written, or a folder of files of shares";
                return Err(CliError::about(format!("--strong {name}"), "no file of a share", help));
            };
            check(&[&first.header().subject])?;
            add_shards(&mut tablebase, path, tables)?;
        } else {
            let table = open(path)?;
            check(&[&table.header().subject])?;
            tablebase.add(name, table)?;
        }
    }
    lock(&WATCHED).0.push(tablebase.clone());
    Ok(tablebase)
}

/// Adds files of shares, those of each solution as one.
fn add_shards(tablebase: &mut Tablebase, folder: &Path, mut tables: Vec<MappedTable>) -> Result<(), CliError> {
    while let Some(first) = tables.first().map(|table| table.header().subject.clone()) {
        let (same, others) = tables.into_iter().partition(|table| table.header().subject == first);
        tablebase.add_shards(folder.display().to_string(), same)?;
        tables = others;
    }
    Ok(())
}

/// Adds the solutions that an explorer on another machine serves.
fn add_remote(
    tablebase: &mut Tablebase,
    address: &str,
    check: impl Fn(&[&Subject]) -> Result<(), CliError>,
) -> Result<(), CliError> {
    let refused = |what: &dyn Display, help| CliError::about(format!("--strong {address}"), what, help);
    let help = "expected the address of a `balpan serve --strong FILE`, as `http://192.0.2.1:8080`: not `https`";
    let (remote, list) = Remote::open(address).map_err(|e| refused(&e, help))?;
    if list.solutions.is_empty() {
        return Err(refused(&"no strong solution is served there", "start it with `balpan serve --strong FILE`"));
    }
    check(&list.solutions.iter().map(|served| &served.subject).collect::<Vec<_>>())?;
    for served in list.solutions {
        tablebase.add_remote(address, &remote, served)?;
    }
    Ok(())
}

/// Finds the source of exact values for a game among the strong solutions.
pub(crate) fn find_oracle(args: &StrongArgs, loaded: &LoadedGame) -> Result<Option<SizedOracle>, CliError> {
    Ok(open_tablebase(args, Some(loaded))?.find(&loaded.rules, &loaded.game))
}

/// Opens a strong solution, which must be of this game.
pub(crate) fn open_for_game(path: &Path, loaded: &LoadedGame) -> Result<MappedTable, CliError> {
    let table = open(path)?;
    check_rules(&path.display().to_string(), &[&table.header().subject], loaded)?;
    Ok(table)
}

/// Checks that one of the subjects has the game's rules and board.
fn check_rules(name: &str, subjects: &[&Subject], loaded: &LoadedGame) -> Result<(), CliError> {
    let identity = loaded.rules.identity(&loaded.game.size())?;
    let lines = |text: &str| text.lines().collect::<Vec<_>>().join(", ");
    let mut found = Vec::new();
    for of in subjects {
        let other = of.identity()?;
        if other == identity {
            return Ok(());
        }
        found.push(lines(&other));
    }
    let expected = lines(&identity);
    Err(match &found[..] {
        [found] => {
            let message = format!("--strong {name}: the file is of other rules: {found}");
            CliError::input(message, format!("expected a file of {expected}"))
        }
        _ => {
            let message = format!("--strong {name}: none is of these rules, but of: {}", found.join("; of: "));
            CliError::input(message, format!("expected one of {expected}"))
        }
    })
}

/// The tablebases that this run uses, and the names that it has warned about.
static WATCHED: Mutex<(Vec<Tablebase>, BTreeSet<String>)> = Mutex::new((Vec::new(), BTreeSet::new()));

/// Warns on standard error of files found damaged and machines that did not answer since the last call.
pub(crate) fn report_damage() {
    let (tablebases, warned) = &mut *lock(&WATCHED);
    for (name, trouble) in tablebases.iter().flat_map(Tablebase::errors) {
        if warned.insert(name.to_owned()) {
            warn_unused(name, trouble);
        }
    }
}

fn warn_unused(name: &str, trouble: TablebaseError<'_>) {
    let help = match trouble {
        TablebaseError::File(_) => BUILD_AGAIN,
        TablebaseError::Remote(_) => "it is asked again after a while",
    };
    warn(&Diagnostic::new(format!("{name}: {trouble}; answers are searched for instead"), help));
}

/// Lists the files of shares in a folder.
pub(super) fn list_parts(folder: &Path) -> Result<Vec<PathBuf>, CliError> {
    let help = "expected a folder that `balpan build --process` wrote to";
    let mut paths = list_files(folder).map_err(|e| CliError::about(folder.display(), e, help))?;
    paths.retain(|path| path.file_name().and_then(|name| name.to_str()).is_some_and(is_part));
    Ok(paths)
}

fn list_files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<_>>()?;
    paths.sort();
    Ok(paths)
}

/// Whether a file name is that of a share: `part-N.strong`.
fn is_part(name: &str) -> bool {
    let digits = name.strip_prefix("part-").and_then(|name| name.strip_suffix(".strong"));
    digits.is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()))
}
