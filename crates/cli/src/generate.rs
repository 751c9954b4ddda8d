//! `balpan generate`: test data for a contest, written to standard output or to a folder.

use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::{fs, io};

use balpan::{Budget, Watch};
use balpan_contest::package::{File, Format, InteractiveError, InteractiveOptions, Layout, interactive, package};
use balpan_contest::{Coverage, DataOptions, GenerateError, Judge, JudgeError, JudgeTask, TestData, data_json};
use balpan_games::{EngineCache, EngineOptions};
use balpan_strong::{follow_links, parent_folder};

use crate::args::{GenerateArgs, JudgeName};
use crate::error::{CliError, harmless, print, print_bytes, print_json};
use crate::files;
use crate::judge::with_judge;
use crate::load::LoadedGame;
use crate::numbers::counted;
use crate::progress::{run_with_progress, thread_count};
use crate::stress::shell_word;
use crate::words::korean;

pub(crate) fn run(args: &GenerateArgs) -> Result<(), CliError> {
    if args.interactive { generate_interactive(args) } else { with_judge(&args.judge, args)? }
}

/// Writes the package of an interactive problem.
fn generate_interactive(args: &GenerateArgs) -> Result<(), CliError> {
    let JudgeName::Game(name) = &args.judge.judge else {
        return Err(CliError::input("--interactive is for games", "name one, as game:FILE or game:PRESET"));
    };
    let Some(package) = package_of(args).filter(|package| package.format != Format::Polygon) else {
        let help = "take --package kattis or --package domjudge: Polygon's interactors are written with testlib";
        return Err(CliError::input("--interactive is not for polygon", help));
    };
    package.check()?;
    let loaded = LoadedGame::load_at(name, args.judge.board.as_deref(), &args.judge.set, &[])?;
    let budget = Budget { memory: 1 << 30, threads: thread_count(None) };
    let mut engines = EngineCache::new(loaded.rules.clone(), EngineOptions::new(budget));
    let options =
        InteractiveOptions { format: package.format, name: &loaded.name, tests: args.cases as usize, seed: args.seed };
    let make = |watch: &Watch| -> Result<usize, CliError> {
        let made = interactive(&loaded.game, &mut engines, options, watch);
        let (tests, files) = made.map_err(|error| match error {
            InteractiveError::Query(error) => CliError::from_query(error, &loaded.name),
            InteractiveError::Stopped(stopped) => stopped.into(),
            error => CliError::input(error.to_string(), "take another game, a smaller board, or fewer --cases"),
        })?;
        write_folder(package.path, &files, PATH_HELP, watch)?;
        Ok(tests)
    };
    let tests = counted(run_with_progress(make).0? as u64, "test", "tests");
    print(&korean::local_report(package.written(&format!("{tests} of a game against a perfect opponent"))))
}

impl JudgeTask for &GenerateArgs {
    type Output = Result<(), CliError>;

    fn run<J: Judge>(self, judge: &J) -> Self::Output {
        generate(judge, self)
    }
}

fn generate<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), CliError> {
    check_options(judge, args)?;
    let package = package_of(args);
    let first = match args.with.as_deref() {
        Some(file) => read_cases(judge, file)?,
        // The sample of a package is the problem's own.
        None if package.is_some() => judge.samples(),
        None => Vec::new(),
    };
    let own = first.len();
    check_file_size(judge, args, (args.cases + args.hard) as usize + own)?;
    args.dir.as_deref().map_or(Ok(()), check_folder)?;
    package.map_or(Ok(()), |package| package.check())?;
    let wanted = DataOptions { cases: args.cases as usize, seed: args.seed, cover: args.cover || package.is_some() };
    let make = |watch: &Watch| -> Result<_, CliError> {
        let generated = balpan_app::generate(judge, first, &wanted, args.hard as usize, watch);
        let (data, hard) = generated.map_err(no_data)?;
        // Written while Ctrl-C is handled, so that an interruption leaves nothing half-written.
        let mut written = 0;
        if let Some(package) = package {
            let (tests, files) = package.files(judge, &data, hard.len());
            write_folder(package.path, &files, PATH_HELP, watch)?;
            written = tests;
        } else if let Some(dir) = &args.dir {
            let (pairs, files) = numbered_files(judge, &data, args.per_file.unwrap_or(1) as usize);
            write_folder(dir, &files, FOLDER, watch)?;
            written = pairs;
        }
        Ok((data, hard, written))
    };
    let (data, hard, written) = run_with_progress(make).0?;
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
            let tests = counted(written as u64, "test", "tests");
            print(&korean::local_report(package.written(&format!("{} in {tests}, with the answers", cases()))))
        }
        (None, Some(dir)) => print(&korean::local_report(format!(
            "{} in {}, with the answers: {}\n",
            cases(),
            counted(written as u64, "file", "files"),
            harmless(&dir.display().to_string())
        ))),
        _ if args.answers => print_bytes(answer_lines(&data.answers).as_bytes()),
        _ => print_bytes(judge.write(&data.cases).as_bytes()),
    }
}

fn package_of(args: &GenerateArgs) -> Option<PackageRequest<'_>> {
    let (format, path) = (args.package?, args.output.as_deref()?);
    Some(PackageRequest { format, path, per_file: args.per_file })
}

/// Refuses options that the judge does not support.
fn check_options<J: Judge>(judge: &J, args: &GenerateArgs) -> Result<(), CliError> {
    let refused =
        |option: &str, help: &str| Err(CliError::input(format!("{option} is not for {}", judge.info().name), help));
    if args.hard > 0 && judge.recursions().is_empty() {
        return refused(
            "--hard",
            "leave it out: platforms, blockgame and tictactoe have the plain solutions that it needs",
        );
    }
    if (args.cover || args.package.is_some()) && judge.package_parts().is_none() {
        let option = if args.cover { "--cover" } else { "--package" };
        let help = "leave it out: it is for contest problems and problem files whose input is words, one case or a counted \
                    number of them, and not for game:";
        return refused(option, help);
    }
    Ok(())
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
        (None, Some(package)) => (package.per_file(judge), fewer),
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

fn no_data(error: GenerateError) -> CliError {
    match error {
        GenerateError::Stopped(stopped) => stopped.into(),
        GenerateError::TooFew { needed, .. } => {
            CliError::input(error.to_string(), format!("ask for --cases {needed} or more"))
        }
        GenerateError::NotFound { .. } => CliError::input(error.to_string(), "take another --seed"),
    }
}

fn answer_lines<A: std::fmt::Display>(answers: &[A]) -> String {
    answers.iter().fold(String::new(), |mut text, answer| {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{answer}");
        text
    })
}

const MAX_CASES_BYTES: u64 = 1 << 26;

/// Reads the cases of a file in the judge's input format.
///
/// # Errors
/// If the file is invalid or has no case, or a case exceeds the limits of the statement.
fn read_cases<J: Judge>(judge: &J, path: &Path) -> Result<Vec<J::Case>, CliError> {
    let name = path.display();
    let no_file = |e: std::io::Error| {
        let help = format!("give --with a file in the input format of {}", judge.info().source);
        CliError::about(format!("{name} cannot be read"), e, help)
    };
    let bytes = files::read(path, MAX_CASES_BYTES).map_err(no_file)?;
    let mut cases = Vec::new();
    for case in judge.read(&bytes[..]) {
        let case = match case {
            Ok(case) => case,
            Err(JudgeError::Input { line, column, found, expected }) => {
                let message = format!("{name}, line {line}, column {column}: {found}");
                return Err(CliError::input(message, format!("expected {expected}")));
            }
            Err(JudgeError::Read(e)) => return Err(no_file(e)),
            Err(other) => return Err(other.into()),
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

fn check_folder(dir: &Path) -> Result<(), CliError> {
    match fs::read_dir(dir).map(|mut entries| entries.next().is_none()) {
        Ok(true) => Ok(()),
        Ok(false) => Err(CliError::input(format!("{} is there already, and not empty", dir.display()), FOLDER)),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(e) => Err(CliError::about(format!("{} cannot be written", dir.display()), e, FOLDER)),
    }
}

/// Returns numbered pairs of files, the number of pairs first.
fn numbered_files<J: Judge>(judge: &J, data: &TestData<J>, per_file: usize) -> (usize, Vec<File>) {
    let number = data.cases.len().div_ceil(per_file);
    let width = number.to_string().len().max(2);
    let mut files = Vec::new();
    for (n, (cases, right)) in (1..).zip(data.cases.chunks(per_file).zip(data.answers.chunks(per_file))) {
        files.push(File { path: format!("{n:0width$}.in"), text: judge.write(cases) });
        files.push(File { path: format!("{n:0width$}.out"), text: answer_lines(right) });
    }
    (number, files)
}

/// Writes files to a folder that is not there yet or empty, all of them or none.
fn write_folder(folder: &Path, files: &[File], help: &str, watch: &Watch) -> Result<(), CliError> {
    let write_error = |e: io::Error| CliError::about(format!("{} cannot be written", folder.display()), e, help);
    // The target of a link is replaced, never the link.
    let target = follow_links(folder).map_err(write_error)?;
    let parent = parent_folder(&target);
    fs::create_dir_all(parent).map_err(write_error)?;
    // Removed unless it is renamed.
    let unfinished = files::temporary_folder_in(parent).map_err(write_error)?;
    for File { path, text } in files {
        watch.count(0)?;
        let path = unfinished.path().join(path);
        fs::create_dir_all(parent_folder(&path)).and_then(|()| fs::write(&path, text)).map_err(write_error)?;
    }
    fs::rename(unfinished.path(), &target).map_err(write_error)
}

const FOLDER: &str = "give --dir a folder that is empty, or not there yet";

const PATH_HELP: &str = "give --output a folder that is not there yet";

/// Default number of cases of a secret test: several, to find programs that keep state from one case to the next, and few
/// enough for slow languages.
const DEFAULT_CASES_PER_FILE: usize = 5;

#[derive(Clone, Copy)]
struct PackageRequest<'a> {
    format: Format,
    path: &'a Path,
    per_file: Option<u32>,
}

impl PackageRequest<'_> {
    /// Returns the most cases of a test.
    fn per_file<J: Judge>(&self, judge: &J) -> usize {
        let default = || judge.info().max_cases.unwrap_or(usize::MAX).min(DEFAULT_CASES_PER_FILE);
        self.per_file.map_or_else(default, |cases| cases as usize)
    }

    /// Refuses a path that exists, and a name that the formats do not allow.
    fn check(&self) -> Result<(), CliError> {
        let path = self.path.display();
        if self.path.symlink_metadata().is_ok() {
            return Err(CliError::input(format!("{path} is there already"), PATH_HELP));
        }
        let name = self.name();
        if let Some(folder) = name.strip_suffix(".zip") {
            let help = format!("give --output {folder}; the command that zips it is then printed");
            return Err(CliError::input(format!("{path}: a package is written to a folder"), help));
        }
        if name.is_empty() || !name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit()) {
            let help =
                "call the folder by lowercase letters a to z and digits alone: a package has its name from there";
            return Err(CliError::input(format!("`{name}` is not a package name"), help));
        }
        Ok(())
    }

    fn name(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the files of the package, the number of tests first. The last `hard` cases are those of `--hard`.
    fn files<J: Judge>(&self, judge: &J, data: &TestData<J>, hard: usize) -> (usize, Vec<File>) {
        let layout = Layout { format: self.format, per_file: self.per_file(judge), hard };
        // A judge without a problem was refused before.
        let files = package(judge, data, &self.name(), layout).unwrap_or_default();
        let is_test =
            |file: &&File| file.path.ends_with(".ans") || file.path.starts_with("tests/") && file.path.ends_with(".a");
        (files.iter().filter(is_test).count(), files)
    }

    /// Says what was written, and how it is zipped.
    fn written(&self, what: &str) -> String {
        let (system, zip) = self.zip_command();
        let path = self.path.display().to_string();
        format!("{what}, as a package for {system}: {}\nTo zip it: {}\n", harmless(&path), harmless(&zip))
    }

    /// Returns the system's name, and the command that zips the package for it.
    fn zip_command(&self) -> (&'static str, String) {
        let (name, quoted) = (self.name(), |path: &Path| shell_word(&path.display().to_string()));
        // Other systems than Kattis expect the files at the top of the archive.
        let zip_inside = || format!("cd {} && zip -r ../{name}.zip .", quoted(self.path));
        match self.format {
            Format::Kattis => {
                let parent = self.path.parent().filter(|parent| !parent.as_os_str().is_empty());
                let cd = parent.map_or(String::new(), |parent| format!("cd {} && ", quoted(parent)));
                ("Kattis", format!("{cd}zip -r {name}.zip {name}"))
            }
            Format::Domjudge => ("DOMjudge", zip_inside()),
            Format::Polygon => ("Polygon", zip_inside()),
        }
    }
}
