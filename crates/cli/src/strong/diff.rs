//! `balpan strong diff`: where two files differ.

use std::path::Path;

use balpan_games::{AnyGame, Notation, RulesFile, Task};
use balpan_strong::{Difference, Entry, Header, Solution, TableError, Values, differences, value_differences};
use memmap2::Mmap;
use serde::Serialize;

use super::{Mapped, game_of, open_any};
use crate::failure::{Failure, print, print_json};
use crate::numbers::counted;

/// Where two files differ, as programs read it.
#[derive(Default, Serialize)]
struct Differences {
    /// Of a file without keys, nobody can tell.
    only_first: Option<u64>,
    only_second: Option<u64>,
    other_values: u64,
    /// Some of them, in words.
    examples: Vec<String>,
}

/// Differences that are told one by one.
const EXAMPLES: usize = 10;

/// Two files that are compared.
struct Pair<'a> {
    paths: [&'a Path; 2],
    headers: [&'a Header; 2],
    game: &'a AnyGame,
}

pub(super) fn run(one: &Path, other: &Path, json: bool) -> Result<(), Failure> {
    let [first, second] = [open_any(one)?, open_any(other)?];
    let headers = [first.header(), second.header()];
    let game = game_of(headers[0])?;
    let told = |header: &Header| -> Result<_, Failure> {
        let of = &header.subject;
        Ok((RulesFile::parse(&of.game, &of.rules)?.told(&of.size)?, of.metric))
    };
    if told(headers[0])? != told(headers[1])? {
        let help = "expected two files of the same rules and board that store the same kind of value";
        return Err(Failure::input(
            "the files cannot be compared: they are of different games, or store different kinds of values",
            help,
        ));
    }
    let pair = Pair { paths: [one, other], headers, game: &game };
    let found = match (&first, &second) {
        (Solution::Table(first), Solution::Table(second)) => pair.tables(first, second)?,
        (Solution::Table(table), Solution::Values(values)) => pair.values(table, values, false)?,
        (Solution::Values(values), Solution::Table(table)) => pair.values(table, values, true)?,
        (Solution::Values(_), Solution::Values(_)) => {
            let help = "compare each of them with a file that has keys";
            return Err(Failure::input("the files cannot be compared: neither has keys", help));
        }
    };
    let all = found.only_first.unwrap_or(0) + found.only_second.unwrap_or(0) + found.other_values;
    if json {
        print_json(&found)?;
    } else {
        print(&pair.page(&found, all))?;
    }
    if all == 0 { Ok(()) } else { Err(Failure::Told(1)) }
}

impl Pair<'_> {
    fn tables(&self, first: &Mapped, second: &Mapped) -> Result<Differences, Failure> {
        let (mut only_first, mut only_second) = (0, 0);
        let mut found = Differences::default();
        let done = differences(first, second, |difference| {
            let (count, entry, worth) = match difference {
                Difference::First(entry) => (&mut only_first, entry, [Some(entry.code), None]),
                Difference::Second(entry) => (&mut only_second, entry, [None, Some(entry.code)]),
                Difference::Code(entry, code) => (&mut found.other_values, entry, [Some(entry.code), Some(code)]),
            };
            *count += 1;
            self.example(&mut found.examples, entry, worth);
            true
        });
        done.map_err(|e| self.unread(&e))?;
        (found.only_first, found.only_second) = (Some(only_first), Some(only_second));
        Ok(found)
    }

    /// Of every position of the file with keys, whether the other one has the same value.
    fn values(&self, table: &Mapped, values: &Values<Mmap>, swapped: bool) -> Result<Differences, Failure> {
        if table.header().subject != values.header().subject {
            let help = "expected the same starts, and symmetric positions once in both or in neither";
            return Err(Failure::input("the files cannot be compared: one has no keys, and may lack positions", help));
        }
        let mut found = Differences::default();
        let done = value_differences(table, values, |entry, code| {
            found.other_values += 1;
            let mut worth = [Some(entry.code), code];
            if swapped {
                worth.reverse();
            }
            self.example(&mut found.examples, entry, worth);
            true
        });
        done.map_err(|e| self.unread(&e))?;
        Ok(found)
    }

    /// Tells a difference in words, if not enough are told.
    fn example(&self, examples: &mut Vec<String>, entry: Entry, worth: [Option<u16>; 2]) {
        if examples.len() == EXAMPLES {
            return;
        }
        let told = |place: usize| {
            worth[place].map_or_else(|| "not there".to_owned(), |code| self.headers[place].code_name(code))
        };
        examples.push(format!("{}: {}, {}", self.game.run(TextOf(entry)), told(0), told(1)));
    }

    fn unread(&self, error: &TableError) -> Failure {
        let [one, other] = self.paths.map(Path::display);
        Failure::input(format!("{one} or {other}: {error}"), "build the file again")
    }

    fn page(&self, found: &Differences, all: u64) -> String {
        let Differences { only_first, only_second, other_values, examples } = found;
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

/// The text of a position.
struct TextOf(Entry);

impl Task for TextOf {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        let key = self.0.key;
        game.position_from_key(key).map_or_else(|| format!("key {key:#x}"), |position| game.text(&position))
    }
}
