//! `balpan generate`: test data for a contest, to standard output or to a folder.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{fs, io};

use balpan::Watch;
use balpan_contest::{BlockGame, Covered, Judge, NoData, Platforms, TestData, TicTacToe, Wanted, generate};
use serde::Serialize;

use crate::args::{self, GenerateArgs};
use crate::failure::{Failure, harmless, print, print_bytes, print_json};
use crate::numbers::counted;
use crate::progress::watched;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    match args.judge {
        args::Judge::Blockgame => run_for(&BlockGame, args),
        args::Judge::Tictactoe => run_for(&TicTacToe, args),
        args::Judge::Platforms => run_for(&Platforms, args),
    }
}

fn run_for<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), Failure> {
    check_one_file::<J>(args)?;
    args.dir.as_deref().map_or(Ok(()), check_folder)?;
    let wanted = Wanted { cases: args.cases as usize, seed: args.seed, cover: args.cover };
    let make = |watch: &Watch| -> Result<_, Failure> {
        let data = generate(judge, &wanted, watch).map_err(|error| no_data(error, watch))?;
        // Written while Ctrl-C can still be heard, so that it leaves nothing half-written.
        let files = args.dir.as_ref().map(|dir| write_files(judge, &data, dir, args.per_file as usize, watch));
        Ok((data, files.transpose()?))
    };
    let (data, files) = watched(make).0?;
    if args.json {
        return print_json(&json(judge, args.seed, &data));
    }
    if args.cover {
        // Nothing of the data is lost where nobody reads it.
        let _ = anstream::stderr().write_all(told(&data).as_bytes());
    }
    match (files, &args.dir) {
        (Some(files), Some(dir)) => print(&format!(
            "{} in {}, with the answers: {}\n",
            counted(data.cases.len() as u64, "case", "cases"),
            counted(files as u64, "file", "files"),
            harmless(&dir.display().to_string())
        )),
        _ if args.answers => print_bytes(answers(&data.answers).as_bytes()),
        _ => print_bytes(judge.write(&data.cases).as_bytes()),
    }
}

/// Refuses more cases for a file than the statement allows.
fn check_one_file<J: Judge>(args: &GenerateArgs) -> Result<(), Failure> {
    let Some(most) = J::MOST_CASES else { return Ok(()) };
    let (cases, help) = match &args.dir {
        Some(_) => (args.per_file, "take fewer of them --per-file".to_owned()),
        None if args.json => return Ok(()),
        None => (args.cases, format!("write several files, with --dir DIR --per-file {most}")),
    };
    if cases as usize <= most {
        return Ok(());
    }
    Err(Failure::input(format!("{cases} cases in a file: the statement of {} allows {most}", J::SOURCE), help))
}

fn no_data(error: NoData, watch: &Watch) -> Failure {
    match error {
        NoData::Stopped(stopped) => Failure::stopped(stopped, watch.positions()),
        NoData::TooFew { needed, .. } => Failure::input(error.to_string(), format!("ask for --cases {needed} or more")),
        NoData::NotFound { .. } => Failure::input(error.to_string(), "take another --seed"),
    }
}

/// An answer a line.
fn answers<A: std::fmt::Display>(answers: &[A]) -> String {
    answers.iter().fold(String::new(), |mut text, answer| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{answer}");
        text
    })
}

/// Refuses a folder in which there is something already.
fn check_folder(dir: &Path) -> Result<(), Failure> {
    match fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(Failure::input(format!("{} is there already, and not empty", dir.display()), FOLDER)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(not_written(dir, &e)),
    }
}

fn not_written(dir: &Path, e: &io::Error) -> Failure {
    Failure::input(format!("{} cannot be written: {e}", dir.display()), FOLDER)
}

/// Writes the pairs of files, all of them or none; returns how many.
fn write_files<J: Judge>(
    judge: &J,
    data: &TestData<J>,
    dir: &Path,
    per_file: usize,
    watch: &Watch,
) -> Result<usize, Failure> {
    let cannot = |e| not_written(dir, &e);
    let unfinished = Unfinished::beside(dir).map_err(cannot)?;
    let files = data.cases.len().div_ceil(per_file);
    let width = files.to_string().len().max(2);
    for (n, (cases, right)) in data.cases.chunks(per_file).zip(data.answers.chunks(per_file)).enumerate() {
        watch.count(0).map_err(|stopped| Failure::stopped(stopped, watch.positions()))?;
        let path = |ending| unfinished.0.join(format!("{:0width$}.{ending}", n + 1));
        fs::write(path("in"), judge.write(cases)).map_err(cannot)?;
        fs::write(path("out"), answers(right)).map_err(cannot)?;
    }
    // Takes the place of an empty folder, of no other.
    fs::rename(&unfinished.0, dir).map_err(cannot)?;
    Ok(files)
}

const FOLDER: &str = "give --dir a folder that is empty, or not there yet";

/// A folder that goes away again unless it is given its own name.
struct Unfinished(PathBuf);

impl Unfinished {
    /// A new folder in the same one as `dir`.
    fn beside(dir: &Path) -> io::Result<Self> {
        let name = dir.file_name().ok_or(io::ErrorKind::InvalidInput)?;
        let mut hidden = std::ffi::OsString::from(".");
        hidden.push(name);
        hidden.push(format!(".{}.unfinished", std::process::id()));
        let path = dir.with_file_name(hidden);
        if let Some(parent) = path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent)?;
        }
        fs::create_dir(&path)?;
        Ok(Self(path))
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // It is gone already where all went well.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// What is covered, by which cases, from 1; many variants of one thing on a line.
fn told<J: Judge>(data: &TestData<J>) -> String {
    /// So many variants are not told one by one.
    const MANY: usize = 8;
    let thing = |covered: &Covered| covered.what.rsplit_once(": ").map(|(thing, _)| thing.to_owned());
    let mut text = String::new();
    for variants in data.covered.chunk_by(|one, next| thing(one).is_some() && thing(one) == thing(next)) {
        match (variants, thing(&variants[0])) {
            (variants, Some(thing)) if variants.len() > MANY => {
                let mut cases: Vec<_> = variants.iter().flat_map(|covered| covered.cases.iter().copied()).collect();
                cases.sort_unstable();
                cases.dedup();
                let _ = writeln!(text, "{thing}, {} variants: {}", variants.len(), numbers(&cases));
            }
            (variants, _) => {
                for covered in variants {
                    let _ = writeln!(text, "{}: {}", covered.what, numbers(&covered.cases));
                }
            }
        }
    }
    text
}

/// The numbers of cases, the first of them where they are many.
fn numbers(cases: &[usize]) -> String {
    const NAMED: usize = 5;
    let named: Vec<_> = cases.iter().take(NAMED).map(|case| (case + 1).to_string()).collect();
    let more = cases.len() - named.len();
    named.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}

#[derive(Serialize)]
struct Json<'a> {
    judge: &'static str,
    seed: u64,
    cases: Vec<JsonCase<'a>>,
    covered: Vec<JsonCovered<'a>>,
}

#[derive(Serialize)]
struct JsonCase<'a> {
    /// An input with this case alone.
    input: String,
    answer: String,
    covers: Vec<&'a str>,
}

#[derive(Serialize)]
struct JsonCovered<'a> {
    what: &'a str,
    /// Numbers of cases, from 1.
    cases: Vec<usize>,
}

fn json<'a, J: Judge>(judge: &J, seed: u64, data: &'a TestData<J>) -> Json<'a> {
    let mut covers = vec![Vec::new(); data.cases.len()];
    for covered in &data.covered {
        covered.cases.iter().for_each(|&case| covers[case].push(&*covered.what));
    }
    let cases = data.cases.iter().zip(&data.answers).zip(covers);
    let covered = data
        .covered
        .iter()
        .map(|covered| JsonCovered { what: &covered.what, cases: covered.cases.iter().map(|case| case + 1).collect() });
    Json {
        judge: J::NAME,
        seed,
        cases: cases
            .map(|((case, answer), covers)| JsonCase {
                input: judge.write(std::slice::from_ref(case)),
                answer: answer.to_string(),
                covers,
            })
            .collect(),
        covered: covered.collect(),
    }
}
