//! `balpan strong`: looking into files of strong solutions.

mod damage;
mod export;
mod info;
mod list;
mod open;
mod plot;

use std::path::Path;

use balpan_games::{AnyGame, Notation, RulesFile, Task};
use balpan_strong::{
    BuildError, Difference, Entry, Header, Spend, Tells, VerifyError, WrongWhat, differences, verify, verify_some,
};
use serde::Serialize;

use crate::args::StrongVerb;
use crate::failure::{Failure, print, print_json};
use crate::numbers::{counted, rough_time};
use crate::progress::{all_cores, watched};

pub(crate) use damage::tell_damage;
pub(crate) use open::{Mapped, known, open, shelf, solution};

pub(crate) fn run(verb: &StrongVerb) -> Result<(), Failure> {
    match verb {
        StrongVerb::Info { file, json, svg } => info::run(file, *json, svg.as_deref()),
        StrongVerb::Verify { file, sample, seed, memory, threads, json } => {
            let spend = Spend { memory: *memory, threads: threads.map_or_else(all_cores, usize::from) };
            let table = open(file)?;
            let checking =
                Checking { table: &table, file, sample: sample.map(|count| (count, *seed)), spend, json: *json };
            game_of(&table)?.run(checking)
        }
        StrongVerb::List { .. } => list::run(verb),
        StrongVerb::Export { file, format, output } => export::run(file, *format, output),
        StrongVerb::Diff { one, other, json } => diff(one, other, *json),
    }
}

/// What a file has, one and many.
pub(crate) const fn names(tells: Tells) -> (&'static str, &'static str) {
    match tells {
        Tells::Value => ("position", "positions"),
        Tells::Nimber => ("part", "parts"),
    }
}

/// The game that a file is of, from its first start.
fn game_of(table: &Mapped) -> Result<AnyGame, Failure> {
    let of = &table.header().of;
    let rules = RulesFile::parse(&of.game, &of.rules)?;
    Ok(match of.starts.first() {
        Some(start) => rules.game_at(start)?,
        None => rules.game()?,
    })
}

struct Checking<'a> {
    table: &'a Mapped,
    file: &'a Path,
    /// So many by chance, and what that begins with.
    sample: Option<(u64, u64)>,
    spend: Spend,
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
        let Self { table, file, sample, spend, json } = self;
        let header = table.header();
        let starts = header.of.starts.iter().map(|start| game.parse(start)).collect::<Result<Vec<_>, _>>()?;
        let (done, time) = watched(|watch| match (sample, header.of.plies) {
            (None, None) => verify(game, &starts, table, spend, watch),
            _ => verify_some(game, &starts, table, sample, watch),
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
                let what = match (sample, header.of.plies) {
                    (Some(_), _) => "taken by chance, all right",
                    (None, None) => "all right",
                    (None, Some(_)) => "right; those at the end of the book were taken as they are",
                };
                let (one, many) = names(header.of.tells);
                let checked = counted(checked, one, many);
                print(&format!("{}: {checked} {what}; {}\n", file.display(), rough_time(time.as_secs_f64())))
            }
            Err(VerifyError::Wrong(wrong)) => {
                let text = game.position_of(wrong.key).map(|position| game.text(&position));
                let of = |code| Some(header.code_name(code));
                let (found, follows) = match wrong.what {
                    WrongWhat::Code { found, follows } => (of(found), of(follows)),
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
            Err(VerifyError::Build(BuildError::Stopped(stopped))) => Err(Failure::stopped(stopped, 0)),
            Err(e) => {
                let help = "the file is left as it is; build it again";
                Err(Failure::input(format!("{}: {e}", file.display()), help))
            }
        }
    }
}

/// Where two files differ, as programs read it.
#[derive(Default, Serialize)]
struct Differences {
    only_first: u64,
    only_second: u64,
    other_values: u64,
    /// Some of them, in words.
    examples: Vec<String>,
}

/// Differences that are told one by one.
const EXAMPLES: usize = 10;

fn diff(one: &Path, other: &Path, json: bool) -> Result<(), Failure> {
    let [first, second] = [open(one)?, open(other)?];
    let game = game_of(&first)?;
    let told = |table: &Mapped| -> Result<_, Failure> {
        let of = &table.header().of;
        Ok((RulesFile::parse(&of.game, &of.rules)?.told(&of.size)?, of.tells))
    };
    if told(&first)? != told(&second)? {
        let help = "expected two files of the same rules and board, that tell the same of each position";
        return Err(Failure::input(
            "the files cannot be compared: they are of other games, or tell other things",
            help,
        ));
    }
    let mut found = Differences::default();
    differences(&first, &second, |difference| {
        let (count, entry, worth) = match difference {
            Difference::First(entry) => (&mut found.only_first, entry, [Some(entry.code), None]),
            Difference::Second(entry) => (&mut found.only_second, entry, [None, Some(entry.code)]),
            Difference::Code(entry, code) => (&mut found.other_values, entry, [Some(entry.code), Some(code)]),
        };
        *count += 1;
        if found.examples.len() < EXAMPLES {
            let told = |(header, code): (&Header, Option<u16>)| {
                code.map_or_else(|| "not there".to_owned(), |code| header.code_name(code))
            };
            let [one, other] = [(first.header(), worth[0]), (second.header(), worth[1])].map(told);
            found.examples.push(format!("{}: {one}, {other}", game.run(TextOf(entry))));
        }
        true
    })
    .map_err(|e| Failure::input(format!("{} or {}: {e}", one.display(), other.display()), "build the file again"))?;
    let all = found.only_first + found.only_second + found.other_values;
    if json {
        print_json(&found)?;
    } else if all == 0 {
        print("the same positions, and the same values\n")?;
    } else {
        let Differences { only_first, only_second, other_values, examples } = &found;
        let [in_first, in_second, others] =
            [only_first, only_second, other_values].map(|n| counted(*n, "position", "positions"));
        let mut page = format!(
            "only in {}: {in_first}\nonly in {}: {in_second}\nother values: {others}\n",
            one.display(),
            other.display()
        );
        examples.iter().for_each(|example| page.push_str(&format!("  {example}\n")));
        print(&page)?;
    }
    if all == 0 { Ok(()) } else { Err(Failure::Told(1)) }
}

/// The text of a position.
struct TextOf(Entry);

impl Task for TextOf {
    type Output = String;

    fn run<G: Notation>(self, game: &G) -> String {
        let key = self.0.key;
        game.position_of(key).map_or_else(|| format!("key {key:#x}"), |position| game.text(&position))
    }
}
