//! `balpan generate`: test data for a contest, to standard output or to a folder.

mod files;
mod own;
mod report;

use std::fmt::Write as _;
use std::io::Write as _;

use balpan::Watch;
use balpan_contest::{BlockGame, Given, Judge, NoData, Platforms, TicTacToe, Wanted, generate_with};

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
    let first = args.with.as_deref().map_or(Ok(Vec::new()), |file| own::read(judge, file))?;
    let own = first.len();
    check_one_file::<J>(args, args.cases as usize + own)?;
    args.dir.as_deref().map_or(Ok(()), files::check_folder)?;
    let given = Given { first, last: Vec::new() };
    let wanted = Wanted { cases: args.cases as usize, seed: args.seed, cover: args.cover };
    let make = |watch: &Watch| -> Result<_, Failure> {
        let data = generate_with(judge, &given, &wanted, watch).map_err(|error| no_data(error, watch))?;
        // Written while Ctrl-C can still be heard, so that it leaves nothing half-written.
        let files = args.dir.as_ref().map(|dir| files::write_files(judge, &data, dir, args.per_file as usize, watch));
        Ok((data, files.transpose()?))
    };
    let (data, files) = watched(make).0?;
    if args.json {
        return print_json(&report::json(judge, args.seed, &data, own));
    }
    if args.cover {
        // Nothing of the data is lost where nobody reads it.
        let _ = anstream::stderr().write_all(report::told(&data).as_bytes());
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
fn check_one_file<J: Judge>(args: &GenerateArgs, cases: usize) -> Result<(), Failure> {
    let Some(most) = J::MOST_CASES else { return Ok(()) };
    let (cases, help) = match &args.dir {
        Some(_) => (args.per_file as usize, "take fewer of them --per-file".to_owned()),
        None if args.json => return Ok(()),
        None => (cases, format!("write several files, with --dir DIR --per-file {most}")),
    };
    if cases <= most {
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

