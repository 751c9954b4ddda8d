//! Strong solutions in files.

use std::fs::File;
use std::path::Path;

use balpan_games::{AnyGame, KnownOf, RulesFile};
use balpan_strong::{Shelf, Solution, Table, TableError};
use memmap2::Mmap;

use super::damage::{self, tell_unopened};
use super::merge::parts_of;
use crate::args::{GameArgs, StrongArgs};
use crate::failure::Failure;
use crate::source;

/// A file that is mapped.
pub(crate) type Mapped = Table<Mmap>;

const EXPECTED: &str = "expected a file that `balpan build` has written";

/// What is to be done about a file without keys, where keys are needed.
const WITH_KEYS: &str = "take the file that it was made from; `balpan strong look` asks this one, of positions that play \
                         reaches";

/// Opens a strong solution.
pub(crate) fn open(path: &Path) -> Result<Mapped, Failure> {
    opened(path, Table::open)
}

/// Opens a strong solution with keys or without.
pub(super) fn open_any(path: &Path) -> Result<Solution<Mmap>, Failure> {
    opened(path, Solution::open)
}

fn opened<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> Result<T, Failure> {
    let refused = |e: &dyn std::fmt::Display, help| Failure::input(format!("{}: {e}", path.display()), help);
    mapped(path, open).map_err(|e| refused(&e, EXPECTED))?.map_err(|e| match e {
        TableError::NoKeys => refused(&e, WITH_KEYS),
        e => refused(&e, EXPECTED),
    })
}

/// A file that can be read, and whether it is a strong solution.
#[expect(unsafe_code, reason = "a file is mapped")]
fn mapped<T>(path: &Path, open: impl FnOnce(Mmap) -> Result<T, TableError>) -> Result<Result<T, TableError>, String> {
    let told = |e: std::io::Error| e.to_string();
    let file = File::open(path).map_err(told)?;
    if file.metadata().map_err(told)?.len() == 0 {
        // There is nothing to map.
        return Ok(Err(TableError::NoTable));
    }
    // SAFETY: the bytes change only if somebody writes to the file meanwhile, which `balpan build`
    // never does: it writes under another name. All that is read is checked when it is read.
    let mapped = unsafe { Mmap::map(&file) }.map_err(told)?;
    Ok(open(mapped))
}

/// All files at hand: those that are asked for, and the books that are part of the command.
pub(crate) fn shelf(args: &StrongArgs) -> Result<Shelf, Failure> {
    checked_shelf(args, |_, _| Ok(()))
}

/// The same, where files that are named have to pass a check.
fn checked_shelf(args: &StrongArgs, check: impl Fn(&Path, &Mapped) -> Result<(), Failure>) -> Result<Shelf, Failure> {
    let mut shelf = Shelf::with_books();
    if let Some(folder) = &args.strong_dir {
        let unreadable = |e: std::io::Error| {
            Failure::input(
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
            match mapped(path, Table::open) {
                Ok(Ok(table)) if table.header().share.is_some() => shares.push(table),
                Ok(Ok(table)) => shelf.add(path.display().to_string(), table)?,
                // What else is in the folder is let alone.
                Ok(Err(TableError::NoTable | TableError::NoKeys)) | Err(_) => {}
                Ok(Err(error)) => tell_unopened(path, &error),
            }
        }
        add_shares(&mut shelf, folder, shares)?;
    }
    for path in &args.strong {
        if path.is_dir() {
            let tables = parts_of(path)?.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
            let Some(first) = tables.first() else {
                let help = "expected a file that `balpan build` has written, or a folder of files of shares";
                return Err(Failure::input(format!("--strong {}: no file of a share", path.display()), help));
            };
            check(path, first)?;
            add_shares(&mut shelf, path, tables)?;
            continue;
        }
        let table = open(path)?;
        check(path, &table)?;
        shelf.add(path.display().to_string(), table)?;
    }
    damage::watch(&shelf);
    Ok(shelf)
}

/// Adds files of shares, of whatever solutions, those of each as one.
fn add_shares(shelf: &mut Shelf, folder: &Path, mut tables: Vec<Mapped>) -> Result<(), Failure> {
    while let Some(first) = tables.first().map(|table| table.header().of.clone()) {
        let (same, others) = tables.into_iter().partition(|table| table.header().of == first);
        shelf.add_shares(folder.display().to_string(), same)?;
        tables = others;
    }
    Ok(())
}

/// Who knows values of the game: a file that was asked for has to be of it.
pub(crate) fn known(args: &StrongArgs, of: &GameArgs, game: &AnyGame) -> Result<Option<KnownOf>, Failure> {
    let rules = source::changed_rules(of)?;
    let shelf = checked_shelf(args, |path, table| check_rules(path, table, &rules, game))?;
    Ok(shelf.find(&rules, game))
}

/// The last file that is asked for, which has to be of the game.
pub(crate) fn solution(args: &StrongArgs, of: &GameArgs, game: &AnyGame) -> Result<Option<Mapped>, Failure> {
    let Some(path) = args.strong.last() else { return Ok(None) };
    let table = open(path)?;
    check_rules(path, &table, &source::changed_rules(of)?, game)?;
    Ok(Some(table))
}

/// Refuses a file of other rules.
fn check_rules(path: &Path, table: &Mapped, rules: &RulesFile, game: &AnyGame) -> Result<(), Failure> {
    let of = &table.header().of;
    let told = RulesFile::parse(&of.game, &of.rules)?.told(&of.size)?;
    let asked = rules.told(&game.size())?;
    if told == asked {
        return Ok(());
    }
    let lines = |text: &str| text.lines().collect::<Vec<_>>().join(", ");
    let message = format!("--strong {}: the file is of other rules: {}", path.display(), lines(&told));
    Err(Failure::input(message, format!("expected a file of {}", lines(&asked))))
}
