//! Arguments of `balpan judge`, `stress` and `generate`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use balpan_contest::custom::AnswerKind;
use balpan_contest::package::Format;
use balpan_contest::problem::PROBLEMS;
use balpan_contest::{JUDGES_IN_RUST, find_problem};
use balpan_games::nearest;
use clap::{ArgGroup, Args as ClapArgs};

use super::{Choice, GameArgs, StrongArgs, TimeArgs, one_of};
use crate::numbers::{parse_deadline, parse_memory};

#[derive(ClapArgs, Debug)]
#[command(
    group = ArgGroup::new("yours").required(true).args(["program", "solution"]),
    override_usage = "balpan stress <JUDGE> [OPTIONS] -- <PROGRAM>...\n       balpan stress platforms [OPTIONS] --solution <FILE>"
)]
pub(crate) struct StressArgs {
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// Your program and its arguments, after `--`; it reads standard input to its end. A source
    /// file (.c, .cpp, .java, .js, .kt, .py, .rs) is compiled where that is needed
    #[arg(last = true, value_name = "PROGRAM")]
    pub(crate) program: Vec<OsString>,
    /// Instead of a program: a file with the function `solution(board, aloc, bloc)`, as it is
    /// submitted at programmers.co.kr, in Python, C++, Java or JavaScript
    #[arg(long, value_name = "FILE")]
    pub(crate) solution: Option<PathBuf>,
    /// The time in all, such as 30s or 2m: three fifths for trying cases, the rest for finding the smallest
    /// one on which the program is wrong
    #[arg(long, value_name = "TIME", default_value = "30s", value_parser = parse_deadline)]
    pub(crate) time: Duration,
    /// Write a plot of the time by size of the case to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) plot: Option<PathBuf>,
    /// Show the explorer's page of the case on which the program is wrong, in the browser, until
    /// Ctrl-C
    #[arg(long, conflicts_with = "json")]
    pub(crate) open: bool,
    /// The most cases to try
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) cases: Option<u64>,
    /// The time limit of a case, such as 2s or 500ms; by default 10s for platforms, that of a
    /// problem file, 5s for the others
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) limit: Option<Duration>,
    /// The memory limit of the program and its processes, where the system reports their memory:
    /// 64M, 2G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory_limit: usize,
    /// The seed of the random cases, which follow all small ones
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The most cases in one run; by default, as many as the statement allows
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) batch: Option<u16>,
    /// The number of runs at the same time; by default, the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
#[command(override_usage = "balpan referee <GAME> [POSITION]... [OPTIONS] -- <PROGRAM>... [-- <PROGRAM>...]")]
pub(crate) struct RefereeArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// One program or two, each after `--` and with its arguments; the first moves first. One alone plays the perfect
    /// player. A source file (.c, .cpp, .java, .js, .kt, .py, .rs) is compiled where that is needed
    #[arg(last = true, value_name = "PROGRAM", required = true)]
    pub(crate) program: Vec<OsString>,
    /// Which side the first program plays: `first` (to move in the position), `second`, or the player's name: B
    #[arg(long = "as", value_name = "SIDE", default_value = "first")]
    pub(crate) side: String,
    /// How long a program may take for a move by the clock, its start included: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", default_value = "10s", value_parser = parse_deadline)]
    pub(crate) limit: Duration,
    /// Write the moves to this file, which `balpan review GAME -` reads
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
    /// Leave out the verdicts on the moves
    #[arg(long)]
    pub(crate) no_review: bool,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct GenerateArgs {
    #[command(flatten)]
    pub(crate) judge: JudgeArgs,
    /// The number of cases
    #[arg(long, value_name = "N", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) cases: u32,
    /// The seed: the same seed gives the same cases on every machine
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Choose cases that together cover every ending, every known misunderstanding, the
    /// smallest and the largest case, .., and list on standard error which case covers what
    #[arg(long)]
    pub(crate) cover: bool,
    /// Begin with the cases of this file, in the judge's input format; --cases does not count
    /// them
    #[arg(long, value_name = "FILE")]
    pub(crate) with: Option<PathBuf>,
    /// Append N cases, not counted by --cases, on which plain recursion visits many positions,
    /// and print on standard error how many
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub(crate) hard: u32,
    /// Print the answers instead of the input
    #[arg(long, conflicts_with_all = ["dir", "json"])]
    pub(crate) answers: bool,
    /// Write numbered pairs of files, 01.in with 01.out and so on, to a new folder
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    pub(crate) dir: Option<PathBuf>,
    /// The number of cases in each file; by default 1, and at most 5 in a package
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) per_file: Option<u32>,
    /// Write a problem package for these systems to the folder of --output: statement, tests as
    /// with --cover, input validators, correct and wrong programs
    #[arg(long, value_parser = one_of(FORMATS), value_name = "FORMAT", requires = "output", conflicts_with_all = ["dir", "answers", "json"])]
    pub(crate) package: Option<Format>,
    /// Of a game:, make the package of an interactive problem: a program plays the game against a perfect opponent, from
    /// --cases positions at most
    #[arg(long, requires = "package", conflicts_with_all = ["cover", "with", "hard", "per_file", "answer"])]
    pub(crate) interactive: bool,
    /// The folder of the package, which must not exist yet
    #[arg(long, short, value_name = "DIR", requires = "package")]
    pub(crate) output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

const FORMATS: &[Choice<Format>] = &[
    ("kattis", Format::Kattis, "The Diagnostic Package Format, version `legacy`, of Kattis and the ICPC"),
    ("domjudge", Format::Domjudge, "The same, with what DOMjudge reads besides"),
    ("polygon", Format::Polygon, "The layout of the packages that Codeforces' Polygon builds"),
];

#[derive(ClapArgs, Debug)]
pub(crate) struct JudgeArgs {
    /// The problem: blockgame, tictactoe or platforms, or another of `balpan problems`, by its name or number
    /// such as boj9655; the path of a problem file; or a game by rules of your own, as game:FILE or
    /// game:PRESET
    #[arg(value_parser = JudgeName::parse)]
    pub(crate) judge: JudgeName,
    /// Of a game:, this board and no other, such as 3x4; without it, all boards up to the game's own
    #[arg(long, value_name = "ROWSxCOLS")]
    pub(crate) board: Option<String>,
    /// Of a game:, another rule, such as misere=true or k=5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Of a game:, what is answered; outcome by default
    #[arg(long, value_parser = one_of(ANSWERS), value_name = "WHAT")]
    pub(crate) answer: Option<AnswerKind>,
}

const ANSWERS: &[Choice<AnswerKind>] = &[
    ("outcome", AnswerKind::Outcome, "win, draw or loss, for the player to move"),
    ("value", AnswerKind::Value, "The same with the plies to the end: win 5, draw, loss 4"),
    ("nimber", AnswerKind::Nimber, "The nimber, of an impartial game"),
];

/// A judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JudgeName {
    /// One of [`JUDGES_IN_RUST`].
    Problem(&'static str),
    /// The game of a preset or a rules file: a count, one position per line.
    Game(String),
    /// That of a problem file: the name of one of the library's, or a path.
    File(String),
}

impl JudgeName {
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        if let Some(game) = text.strip_prefix("game:").filter(|game| !game.is_empty()) {
            return Ok(Self::Game(game.to_owned()));
        }
        if let Some(name) = find_problem(text) {
            return Ok(if JUDGES_IN_RUST.contains(&name) { Self::Problem(name) } else { Self::File(name.to_owned()) });
        }
        if Path::new(text).extension().is_some_and(|extension| extension == "toml") {
            return Ok(Self::File(text.to_owned()));
        }
        let meant = nearest(text, PROBLEMS.iter().map(|(name, _)| *name))
            .map_or_else(String::new, |name| format!("did you mean `{name}`? "));
        Err(format!(
            "{meant}`balpan problems` lists the problems; FILE.toml is a problem file, and game:FILE a game by rules of \
             your own"
        ))
    }
}
