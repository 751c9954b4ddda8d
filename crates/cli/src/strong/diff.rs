//! `balpan strong diff`: where two files differ.

use std::path::Path;

use balpan_games::{AnyGame, Notation, Task};
use balpan_strong::{Difference, Entry, Header, Solution, TableError, Values, differences, value_differences};
use memmap2::Mmap;
use serde::Serialize;

use super::{MappedTable, open_any};
use crate::error::{CliError, print, print_json};
use crate::numbers::counted;

/// The differences between two files as JSON.
#[derive(Default, Serialize)]
struct DiffReport {
    /// `None` if one of the files has no keys.
    only_first: Option<u64>,
    only_second: Option<u64>,
    other_values: u64,
    /// Some of the differences, in words.
    examples: Vec<String>,
}

/// Differences listed as examples.
const MAX_EXAMPLES: usize = 10;

/// Two files to compare.
struct FilePair<'a> {
    paths: [&'a Path; 2],
    headers: [&'a Header; 2],
    game: &'a AnyGame,
}

pub(super) fn run(one: &Path, other: &Path, json: bool) -> Result<(), CliError> {
    let [first, second] = [open_any(one)?, open_any(other)?];
    let headers = [first.header(), second.header()];
    let game = headers[0].subject.load_game()?;
    let identity = |header: &Header| Ok::<_, CliError>((header.subject.identity()?, header.subject.metric));
    if identity(headers[0])? != identity(headers[1])? {
        let help = "expected two files of the same rules and board that store the same kind of value";
        return Err(CliError::input(
            "the files cannot be compared: they are of different games, or store different kinds of values",
            help,
        ));
    }
    let pair = FilePair { paths: [one, other], headers, game: &game };
    let report = match (&first, &second) {
        (Solution::Table(first), Solution::Table(second)) => pair.diff_tables(first, second)?,
        (Solution::Table(table), Solution::Values(values)) => pair.diff_values(table, values, false)?,
        (Solution::Values(values), Solution::Table(table)) => pair.diff_values(table, values, true)?,
        (Solution::Values(_), Solution::Values(_)) => {
            let help = "compare each of them with a file that has keys";
            return Err(CliError::input("the files cannot be compared: neither has keys", help));
        }
    };
    let all = report.only_first.unwrap_or(0) + report.only_second.unwrap_or(0) + report.other_values;
    if json {
        print_json(&report)?;
    } else {
        print(&pair.page(&report, all))?;
    }
    if all == 0 { Ok(()) } else { Err(CliError::Reported(1)) }
}

impl FilePair<'_> {
    fn diff_tables(&self, first: &MappedTable, second: &MappedTable) -> Result<DiffReport, CliError> {
        let (mut only_first, mut only_second) = (0, 0);
        let mut report = DiffReport::default();
        let compared = differences(first, second, |difference| {
            let (count, entry, codes) = match difference {
                Difference::First(entry) => (&mut only_first, entry, [Some(entry.code), None]),
                Difference::Second(entry) => (&mut only_second, entry, [None, Some(entry.code)]),
                Difference::Code(entry, code) => (&mut report.other_values, entry, [Some(entry.code), Some(code)]),
            };
            *count += 1;
            self.add_example(&mut report.examples, entry, codes);
            true
        });
        compared.map_err(|e| self.read_error(&e))?;
        (report.only_first, report.only_second) = (Some(only_first), Some(only_second));
        Ok(report)
    }

    /// Looks up every position of the file with keys in the one without; `swapped` says that the latter is the first.
    fn diff_values(&self, table: &MappedTable, values: &Values<Mmap>, swapped: bool) -> Result<DiffReport, CliError> {
        if table.header().subject != values.header().subject {
            let help = "expected the same starts, and symmetric positions once in both or in neither";
            return Err(CliError::input("the files cannot be compared: one has no keys, and may lack positions", help));
        }
        let mut report = DiffReport::default();
        let compared = value_differences(table, values, |entry, code| {
            report.other_values += 1;
            let mut codes = [Some(entry.code), code];
            if swapped {
                codes.reverse();
            }
            self.add_example(&mut report.examples, entry, codes);
            true
        });
        compared.map_err(|e| self.read_error(&e))?;
        Ok(report)
    }

    /// Describes a difference, unless there are [`MAX_EXAMPLES`] already; `codes` are those of the two files.
    fn add_example(&self, examples: &mut Vec<String>, entry: Entry, codes: [Option<u16>; 2]) {
        if examples.len() == MAX_EXAMPLES {
            return;
        }
        let name =
            |file: usize| codes[file].map_or_else(|| "not there".to_owned(), |code| self.headers[file].code_name(code));
        examples.push(format!("{}: {}, {}", self.game.run(EntryText(entry)), name(0), name(1)));
    }

    fn read_error(&self, error: &TableError) -> CliError {
        let [one, other] = self.paths.map(Path::display);
        CliError::input(format!("{one} or {other}: {error}"), "build the file again")
    }

    fn page(&self, report: &DiffReport, all: u64) -> String {
        let DiffReport { only_first, only_second, other_values, examples } = report;
        if all == 0 {
            return if only_first.is_some() {
                "the same positions, and the same values\n".to_owned()
            } else {
                let positions = counted(self.headers[0].positions(), "position", "positions");
                format!("the same values: {positions}\n")
            };
        }
        let mut page = String::new();
        for (path, only) in self.paths.iter().zip([only_first, only_second]) {
            if let Some(only) = only {
                page.push_str(&format!("only in {}: {}\n", path.display(), counted(*only, "position", "positions")));
            }
        }
        page.push_str(&format!("other values: {}\n", counted(*other_values, "position", "positions")));
        examples.iter().for_each(|example| page.push_str(&format!("  {example}\n")));
        page
    }
}

/// Formats the position of an entry.
struct EntryText(Entry);

impl Task for EntryText {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        let key = self.0.key;
        game.position_from_key(key).map_or_else(|| format!("key {key:#x}"), |position| game.text(&position))
    }
}
