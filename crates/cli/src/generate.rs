//! `balpan generate`: test data for a contest, to standard output or to a folder.

mod files;
mod own;
mod package;
mod report;

use std::fmt::Write as _;
use std::io::Write as _;

use balpan::Watch;
use balpan_contest::{
    DataOptions, FixedCases, GenerateError, Judge, JudgeTask, data_json, find_hard_cases, generate_with,
};

use crate::args::GenerateArgs;
use crate::contest::with_judge;
use crate::failure::{Failure, harmless, print, print_bytes, print_json};
use crate::numbers::counted;
use crate::progress::watched;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), Failure> {
    with_judge(&args.judge, Generate { args })?
}

struct Generate<'a> {
    args: &'a GenerateArgs,
}

impl JudgeTask for Generate<'_> {
    type Output = Result<(), Failure>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        run_for(judge, self.args)
    }
}

fn run_for<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), Failure> {
    check_parts(judge, args)?;
    let first = args.with.as_deref().map_or(Ok(Vec::new()), |file| own::read(judge, file))?;
    let own = first.len();
    check_one_file(judge, args, (args.cases + args.hard) as usize + own)?;
    args.dir.as_deref().map_or(Ok(()), files::check_folder)?;
    let package = package_of(args);
    package.map_or(Ok(()), |package| package.check())?;
    let wanted = DataOptions { cases: args.cases as usize, seed: args.seed, cover: args.cover || package.is_some() };
    let make = |watch: &Watch| -> Result<_, Failure> {
        let hard = match args.hard as usize {
            0 => Vec::new(),
            many => find_hard_cases(judge, many, args.seed, &first, watch)
                .map_err(|stopped| Failure::stopped(stopped, watch.positions()))?,
        };
        let given = FixedCases { first, last: hard.iter().map(|hard| hard.case.clone()).collect() };
        let mut data = generate_with(judge, &given, &wanted, watch).map_err(|error| no_data(error, watch))?;
        for (case, hard) in (data.cases.len() - hard.len()..).zip(&hard) {
            data.coverage.extend(hard.coverage(case));
        }
        // Written while Ctrl-C can still be heard, so that it leaves nothing half-written.
        let files = match (package, &args.dir) {
            (Some(package), _) => package.write(judge, &data, hard.len(), watch)?,
            (None, Some(dir)) => files::write_files(judge, &data, dir, args.per_file.unwrap_or(1) as usize, watch)?,
            (None, None) => 0,
        };
        Ok((data, hard, files))
    };
    let (data, hard, files) = watched(make).0?;
    if args.json {
        return print_json(&data_json(judge, args.seed, &data, own, &hard));
    }
    if args.cover || !hard.is_empty() {
        // Nothing of the data is lost where nobody reads it.
        let _ = anstream::stderr().write_all(report::told(&data).as_bytes());
    }
    let cases = || counted(data.cases.len() as u64, "case", "cases");
    match (package, &args.dir) {
        (Some(package), _) => {
            let (system, zip) = package.zipping();
            let (tests, path) = (counted(files as u64, "test", "tests"), package.path.display().to_string());
            print(&format!(
                "{} in {tests}, with the answers, as a package for {system}: {}\nTo zip it: {}\n",
                cases(),
                harmless(&path),
                harmless(&zip)
            ))
        }
        (None, Some(dir)) => print(&format!(
            "{} in {}, with the answers: {}\n",
            cases(),
            counted(files as u64, "file", "files"),
            harmless(&dir.display().to_string())
        )),
        _ if args.answers => print_bytes(answers(&data.answers).as_bytes()),
        _ => print_bytes(judge.write(&data.cases).as_bytes()),
    }
}

/// The package that is asked for, if one is.
fn package_of(args: &GenerateArgs) -> Option<package::PackageOrder<'_>> {
    let (format, path) = (args.package?, args.output.as_deref()?);
    Some(package::PackageOrder { format, path, per_file: args.per_file })
}

/// Refuses what only a contest's own problem has.
fn check_parts<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), Failure> {
    if judge.info().problem.is_some() {
        return Ok(());
    }
    let asked = [("--cover", args.cover), ("--package", args.package.is_some()), ("--hard", args.hard > 0)];
    let Some((option, _)) = asked.into_iter().find(|(_, asked)| *asked) else { return Ok(()) };
    let help = "leave it out: it needs a statement, known mistakes and plain solutions, which platforms, blockgame and \
                tictactoe have";
    Err(Failure::input(format!("{option} is not for {}", judge.info().name), help))
}

/// Refuses more cases for a file than the statement allows, and files that nobody asked for.
fn check_one_file<J: Judge>(judge: &J, args: &GenerateArgs, cases: usize) -> Result<(), Failure> {
    if args.per_file.is_some() && args.dir.is_none() && args.package.is_none() {
        return Err(Failure::input("--per-file is for --dir and --package", "give one of them, or leave it out"));
    }
    let Some(most) = judge.info().max_cases else { return Ok(()) };
    let fewer = "take fewer of them --per-file".to_owned();
    let (cases, help) = match (&args.dir, package_of(args)) {
        (Some(_), _) => (args.per_file.unwrap_or(1) as usize, fewer),
        (None, Some(package)) => (package.per_file() as usize, fewer),
        (None, None) if args.json => return Ok(()),
        (None, None) => (cases, format!("write several files, with --dir DIR --per-file {most}")),
    };
    if cases <= most {
        return Ok(());
    }
    Err(Failure::input(
        format!("{cases} cases in a file: the statement of {} allows {most}", judge.info().source),
        help,
    ))
}

fn no_data(error: GenerateError, watch: &Watch) -> Failure {
    match error {
        GenerateError::Stopped(stopped) => Failure::stopped(stopped, watch.positions()),
        GenerateError::TooFew { needed, .. } => {
            Failure::input(error.to_string(), format!("ask for --cases {needed} or more"))
        }
        GenerateError::NotFound { .. } => Failure::input(error.to_string(), "take another --seed"),
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
