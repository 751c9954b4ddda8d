//! Strong solutions in files, and on other machines.

use std::path::Path;

use balpan_games::{AnyGame, KnownOf, RulesFile};
use balpan_strong::{Remote, Solution, Subject, Table, TableError, Tablebase, map_file};
use memmap2::Mmap;

use super::damage::{self, tell_unopened};
use super::merge::parts_of;
use crate::args::{GameArgs, StrongArgs, StrongPlace};
use crate::failure::Failure;
use crate::input;
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
    if path.is_dir() {
        return Err(refused(
            &"it is a folder",
            "expected a file; `balpan strong merge` makes one of a folder of parts",
        ));
    }
    input::check_plain(path).map_err(|e| refused(&e, EXPECTED))?;
    map_file(path, open).map_err(|e| refused(&e, EXPECTED))?.map_err(|e| match e {
        TableError::NoKeys => refused(&e, WITH_KEYS),
        e => refused(&e, EXPECTED),
    })
}

/// All that is at hand: what is asked for, and the books that are part of the command.
pub(crate) fn tablebase(args: &StrongArgs) -> Result<Tablebase, Failure> {
    checked_tablebase(args, |_, _| Ok(()))
}

/// The same, where what is named has to pass a check: by its name, and what it has.
fn checked_tablebase(
    args: &StrongArgs,
    check: impl Fn(&str, &[&Subject]) -> Result<(), Failure>,
) -> Result<Tablebase, Failure> {
    let mut tablebase = Tablebase::with_books();
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
            match map_file(path, Table::open) {
                Ok(Ok(table)) if table.header().shard.is_some() => shares.push(table),
                Ok(Ok(table)) => tablebase.add(path.display().to_string(), table)?,
                // What else is in the folder is let alone.
                Ok(Err(TableError::NotASolution | TableError::NoKeys)) | Err(_) => {}
                Ok(Err(error)) => tell_unopened(path, &error),
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
            let tables = parts_of(path)?.iter().map(|path| open(path)).collect::<Result<Vec<_>, _>>()?;
            let Some(first) = tables.first() else {
                let help = "expected a file that `balpan build` has written, or a folder of files of shares";
                return Err(Failure::input(format!("--strong {name}: no file of a share"), help));
            };
            check(&name, &[&first.header().subject])?;
            add_shards(&mut tablebase, path, tables)?;
            continue;
        }
        let table = open(path)?;
        check(&name, &[&table.header().subject])?;
        tablebase.add(name, table)?;
    }
    damage::watch(&tablebase);
    Ok(tablebase)
}

/// Adds files of shares, of whatever solutions, those of each as one.
fn add_shards(tablebase: &mut Tablebase, folder: &Path, mut tables: Vec<Mapped>) -> Result<(), Failure> {
    while let Some(first) = tables.first().map(|table| table.header().subject.clone()) {
        let (same, others) = tables.into_iter().partition(|table| table.header().subject == first);
        tablebase.add_shards(folder.display().to_string(), same)?;
        tables = others;
    }
    Ok(())
}

/// Adds all that an explorer on another machine serves.
fn add_remote(
    tablebase: &mut Tablebase,
    address: &str,
    check: impl Fn(&[&Subject]) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let refused = |what: &dyn std::fmt::Display, help| Failure::input(format!("--strong {address}: {what}"), help);
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

/// Who knows values of the game: what was asked for has to have some of it.
pub(crate) fn known(args: &StrongArgs, of: &GameArgs, game: &AnyGame) -> Result<Option<KnownOf>, Failure> {
    let rules = source::changed_rules(of)?;
    let tablebase = checked_tablebase(args, |name, subjects| check_rules(name, subjects, &rules, game))?;
    Ok(tablebase.find(&rules, game))
}

/// The file that is asked for, which has to be of the game.
pub(crate) fn solution(path: Option<&Path>, of: &GameArgs, game: &AnyGame) -> Result<Option<Mapped>, Failure> {
    let Some(path) = path else { return Ok(None) };
    let table = open(path)?;
    check_rules(&path.display().to_string(), &[&table.header().subject], &source::changed_rules(of)?, game)?;
    Ok(Some(table))
}

/// Refuses what has none of the game's rules.
fn check_rules(name: &str, subjects: &[&Subject], rules: &RulesFile, game: &AnyGame) -> Result<(), Failure> {
    let asked = rules.told(&game.size())?;
    let lines = |text: &str| text.lines().collect::<Vec<_>>().join(", ");
    let mut found = Vec::new();
    for of in subjects {
        let told = RulesFile::parse(&of.game, &of.rules)?.told(&of.size)?;
        if told == asked {
            return Ok(());
        }
        found.push(lines(&told));
    }
    let expected = lines(&asked);
    Err(match &found[..] {
        [found] => {
            let message = format!("--strong {name}: the file is of other rules: {found}");
            Failure::input(message, format!("expected a file of {expected}"))
        }
        _ => {
            let message = format!("--strong {name}: none is of these rules, but of: {}", found.join("; of: "));
            Failure::input(message, format!("expected one of {expected}"))
        }
    })
}
