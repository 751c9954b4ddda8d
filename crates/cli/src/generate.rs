//! `balpan generate`: test data for a contest, written to standard output or to a folder.

mod files;

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;

use balpan::Watch;
use balpan_contest::{Coverage, DataOptions, GenerateError, Judge, JudgeError, JudgeTask, TestData, data_json};

use crate::args::GenerateArgs;
use crate::error::{CliError, harmless, print, print_bytes, print_json};
use crate::judge::with_judge;
use crate::numbers::counted;
use crate::progress::run_with_progress;
use files::PackageRequest;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), CliError> {
    with_judge(&args.judge, GenerateTask { args })?
}

struct GenerateTask<'a> {
    args: &'a GenerateArgs,
}

impl JudgeTask for GenerateTask<'_> {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        generate(judge, self.args)
    }
}

fn generate<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), CliError> {
    check_options(judge, args)?;
    let first = args.with.as_deref().map_or(Ok(Vec::new()), |file| read_cases(judge, file))?;
    let own = first.len();
    check_file_size(judge, args, (args.cases + args.hard) as usize + own)?;
    args.dir.as_deref().map_or(Ok(()), files::check_folder)?;
    let package = package_of(args);
    package.map_or(Ok(()), |package| package.check())?;
    let wanted = DataOptions { cases: args.cases as usize, seed: args.seed, cover: args.cover || package.is_some() };
    let make = |watch: &Watch| -> Result<_, CliError> {
        let generated = balpan_app::generate(judge, first, &wanted, args.hard as usize, watch);
        let (data, hard) = generated.map_err(|error| no_data(error, watch))?;
        // Written while Ctrl-C is handled, so that an interruption leaves nothing half-written.
        let files = match (package, &args.dir) {
            (Some(package), _) => package.write(judge, &data, hard.len(), watch)?,
            (None, Some(dir)) => files::write_files(judge, &data, dir, args.per_file.unwrap_or(1) as usize, watch)?,
            (None, None) => 0,
        };
        Ok((data, hard, files))
    };
    let (data, hard, files) = run_with_progress(make).0?;
    if args.json {
        return print_json(&data_json(judge, args.seed, &data, own, &hard));
    }
    if args.cover || !hard.is_empty() {
        // The list is no part of the data: an error in writing it is ignored.
        let _ = anstream::stderr().write_all(coverage(&data).as_bytes());
    }
    let cases = || counted(data.cases.len() as u64, "case", "cases");
    match (package, &args.dir) {
        (Some(package), _) => {
            let (system, zip) = package.zip_command();
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
        _ if args.answers => print_bytes(answer_lines(&data.answers).as_bytes()),
        _ => print_bytes(judge.write(&data.cases).as_bytes()),
    }
}

/// Returns the package of `--package`, if there is one.
fn package_of(args: &GenerateArgs) -> Option<PackageRequest<'_>> {
    let (format, path) = (args.package?, args.output.as_deref()?);
    Some(PackageRequest { format, path, per_file: args.per_file })
}

/// Refuses options that only a contest's own problem supports.
fn check_options<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), CliError> {
    if judge.info().problem.is_some() {
        return Ok(());
    }
    let options = [("--cover", args.cover), ("--package", args.package.is_some()), ("--hard", args.hard > 0)];
    let Some((option, _)) = options.into_iter().find(|(_, is_given)| *is_given) else { return Ok(()) };
    let help = "leave it out: it needs a statement, known mistakes and plain solutions, which platforms, blockgame and \
                tictactoe have";
    Err(CliError::input(format!("{option} is not for {}", judge.info().name), help))
}

/// Refuses more cases in a file than the statement allows, and `--per-file` without files.
fn check_file_size<J: Judge>(judge: &J, args: &GenerateArgs, cases: usize) -> Result<(), CliError> {
    if args.per_file.is_some() && args.dir.is_none() && args.package.is_none() {
        return Err(CliError::input("--per-file is for --dir and --package", "give one of them, or leave it out"));
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
    Err(CliError::input(
        format!("{cases} cases in a file: the statement of {} allows {most}", judge.info().source),
        help,
    ))
}

fn no_data(error: GenerateError, watch: &Watch) -> CliError {
    match error {
        GenerateError::Stopped(stopped) => CliError::from_stopped(stopped, watch.positions()),
        GenerateError::TooFew { needed, .. } => {
            CliError::input(error.to_string(), format!("ask for --cases {needed} or more"))
        }
        GenerateError::NotFound { .. } => CliError::input(error.to_string(), "take another --seed"),
    }
}

/// Formats one answer per line.
fn answer_lines<A: std::fmt::Display>(answers: &[A]) -> String {
    answers.iter().fold(String::new(), |mut text, answer| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{answer}");
        text
    })
}

/// Size limit of a file of cases.
const MAX_CASES_BYTES: u64 = 1 << 26;

/// Reads the cases of a file in the judge's input format.
///
/// # Errors
/// If the file is invalid or has no case, or a case exceeds the limits of the statement.
fn read_cases<J: Judge>(judge: &J, path: &Path) -> Result<Vec<J::Case>, CliError> {
    let name = path.display();
    let no_file = |e: std::io::Error| {
        let help = format!("give --with a file in the input format of {}", judge.info().source);
        CliError::input(format!("{name} cannot be read: {e}"), help)
    };
    let bytes = crate::files::read(path, MAX_CASES_BYTES).map_err(no_file)?;
    let mut cases = Vec::new();
    for case in judge.read(&bytes[..]) {
        let case = match case {
            Ok(case) => case,
            Err(JudgeError::Input { line, column, found, expected }) => {
                let message = format!("{name}, line {line}, column {column}: {found}");
                return Err(CliError::input(message, format!("expected {expected}")));
            }
            Err(JudgeError::Read(e)) => return Err(no_file(e)),
            Err(other) => return Err(CliError::from_judge(other, 0)),
        };
        if let Some(excess) = judge.excess(&case) {
            let message = format!("{name}, case {}: {excess}", cases.len() + 1);
            return Err(CliError::input(
                message,
                format!("leave it out: the limits are those of {}", judge.info().source),
            ));
        }
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(CliError::input(format!("{name} has no case"), "leave --with out, or put cases into the file"));
    }
    Ok(cases)
}

/// Lists the covered goals with the numbers of their cases, from 1. Many variants of one goal share a line.
fn coverage<J: Judge>(data: &TestData<J>) -> String {
    /// More variants than this are not listed one by one.
    const MAX_LISTED_VARIANTS: usize = 8;
    let thing = |covered: &Coverage| covered.what.rsplit_once(": ").map(|(thing, _)| thing.to_owned());
    let mut text = String::new();
    for variants in data.coverage.chunk_by(|one, next| thing(one).is_some() && thing(one) == thing(next)) {
        match (variants, thing(&variants[0])) {
            (variants, Some(thing)) if variants.len() > MAX_LISTED_VARIANTS => {
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

/// Lists the numbers of cases: the first few, and how many more there are.
fn numbers(cases: &[usize]) -> String {
    const MAX_LISTED_CASES: usize = 5;
    let listed: Vec<_> = cases.iter().take(MAX_LISTED_CASES).map(|case| (case + 1).to_string()).collect();
    let more = cases.len() - listed.len();
    listed.join(", ") + &if more > 0 { format!(" and {more} more") } else { String::new() }
}
