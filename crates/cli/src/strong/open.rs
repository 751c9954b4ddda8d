//! Opening strong solutions in files and on other machines.

use std::collections::HashSet;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use balpan_games::SizedOracle;
use balpan_strong::{Remote, Solution, Subject, Table, TableError, Tablebase, TablebaseError, map_file};
use memmap2::Mmap;

use super::merge::list_parts;
use crate::args::{StrongArgs, StrongPlace};
use crate::error::{CliError, Diagnostic, warn};
use crate::files;
use crate::load::LoadedGame;

/// A memory-mapped strong solution with keys.
pub(crate) type MappedTable = Table<Mmap>;

const EXPECTED: &str = "expected a file that `balpan build` has written";

/// The remedy for a file without keys where keys are needed.
const WITH_KEYS: &str = "take the file that it was made from; `balpan strong look` asks this one, of positions that play \
                         reaches";

/// Opens a strong solution with keys.
pub(crate) fn open(path: &Path) -> Result<MappedTable, CliError> {
    open_with(path, Table::open)
}

/// Opens a strong solution with or without keys.
pub(super) fn open_any(path: &Path) -> Result<Solution<Mmap>, CliError> {
    open_with(path, Solution::open)
}

fn open_with<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> Result<T, CliError> {
    let refused = |e: &dyn std::fmt::Display, help| CliError::input(format!("{}: {e}", path.display()), help);
    if path.is_dir() {
        return Err(refused(
            &"it is a folder",
            "expected a file; `balpan strong merge` makes one of a folder of parts",
        ));
    }
    files::check_plain(path).map_err(|e| refused(&e, EXPECTED))?;
    map_file(path, open).map_err(|e| refused(&e, EXPECTED))?.map_err(|e| match e {
        TableError::NoKeys => refused(&e, WITH_KEYS),
        e => refused(&e, EXPECTED),
    })
}

/// Opens the strong solutions of the command line, and the books that are part of the command.
pub(crate) fn open_tablebase(args: &StrongArgs) -> Result<Tablebase, CliError> {
    open_checked_tablebase(args, |_, _| Ok(()))
}

/// As [`open_tablebase`]; `check` is called with the name and the subjects of each solution of `--strong`.
fn open_checked_tablebase(
    args: &StrongArgs,
    check: impl Fn(&str, &[&Subject]) -> Result<(), CliError>,
) -> Result<Tablebase, CliError> {
    let mut tablebase = Tablebase::with_books();
    if let Some(folder) = &args.strong_dir {
        let unreadable = |e: std::io::Error| {
            CliError::input(
                format!("--strong-dir {}: {e}", folder.display()),
                "expected a folder of files of `balpan build`",
            )
        };
        let mut paths: Vec<_> = std::fs::read_dir(folder)
            .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>())
            .map_err(unreadable)?;
        paths.sort();
        let mut shares = Vec::new();
        for path in paths.iter().filter(|path| path.is_file()) {
            match map_file(path, Table::open) {
                Ok(Ok(table)) if table.header().shard.is_some() => shares.push(table),
                Ok(Ok(table)) => tablebase.add(path.display().to_string(), table)?,
                // Other files in the folder are ignored.
                Ok(Err(TableError::NotASolution | TableError::NoKeys)) | Err(_) => {}
                Ok(Err(error)) => warn_unopened(path, &error),
            }
        }
        add_shards(&mut tablebase, folder, shares)?;
    }
    for place in &args.strong {
        let name = place.to_string();
        let path = match place {
            StrongPlace::Remote(address) => {
                add_remote(&mut tablebase, address, |subjects| check(&name, subjects))?;
                continue;
            }
            StrongPlace::Path(path) => path,
        };
        if path.is_dir() {
            let tables = list_parts(path)?.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
            let Some(first) = tables.first() else {
                let help = "expected a file that `balpan build` has written, or a folder of files of shares";
                return Err(CliError::input(format!("--strong {name}: no file of a share"), help));
            };
            check(&name, &[&first.header().subject])?;
            add_shards(&mut tablebase, path, tables)?;
            continue;
        }
        let table = open(path)?;
        check(&name, &[&table.header().subject])?;
        tablebase.add(name, table)?;
    }
    watch(&tablebase);
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
    let refused = |what: &dyn std::fmt::Display, help| CliError::input(format!("--strong {address}: {what}"), help);
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
///
/// # Errors
/// If a solution of `--strong` has other rules or cannot be opened.
pub(crate) fn find_oracle(args: &StrongArgs, loaded: &LoadedGame) -> Result<Option<SizedOracle>, CliError> {
    let tablebase = open_checked_tablebase(args, |name, subjects| check_rules(name, subjects, loaded))?;
    Ok(tablebase.find(&loaded.rules, &loaded.game))
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
#[derive(Default)]
struct Watched {
    tablebases: Vec<Tablebase>,
    warned: HashSet<String>,
}

static WATCHED: Mutex<Option<Watched>> = Mutex::new(None);

/// Adds a tablebase to those that [`report_damage`] looks through.
fn watch(tablebase: &Tablebase) {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    watched.get_or_insert_default().tablebases.push(tablebase.clone());
}

/// Warns on standard error of files found damaged and machines that did not answer since the last call.
pub(crate) fn report_damage() {
    let mut watched = WATCHED.lock().unwrap_or_else(PoisonError::into_inner);
    let Some(Watched { tablebases, warned }) = watched.as_mut() else { return };
    for (name, trouble) in tablebases.iter().flat_map(Tablebase::errors) {
        if warned.insert(name.to_owned()) {
            warn_unused(name, trouble);
        }
    }
}

/// Warns of a file in a folder that cannot be opened.
fn warn_unopened(path: &Path, error: &TableError) {
    warn_unused(&path.display().to_string(), TablebaseError::File(error));
}

fn warn_unused(name: &str, trouble: TablebaseError<'_>) {
    let help = match trouble {
        TablebaseError::File(_) => "build the file again",
        TablebaseError::Remote(_) => "it is asked again after a while",
    };
    warn(&Diagnostic::new(format!("{name}: {trouble}; answers are searched for instead"), help));
}
