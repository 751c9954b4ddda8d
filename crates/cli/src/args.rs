//! Command-line arguments.

mod contest;
mod files;
mod study;

use std::path::PathBuf;
use std::time::Duration;

use balpan_games::Lang;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand};

pub(crate) use self::contest::{GenerateArgs, JudgeArgs, JudgeName, RefereeArgs, StressArgs};
#[cfg(feature = "cluster")]
pub(crate) use self::files::ClusterArgs;
pub(crate) use self::files::{
    BuildArgs, CheckArgs, ClusterVerb, ExportFormat, ProveArgs, ServeArgs, StrongArgs, StrongVerb,
};
pub(crate) use self::study::{
    CensusArgs, Format, PeriodArgs, PlayArgs, PuzzleArgs, QuotientArgs, ReviewArgs, SolveArgs, TreeArgs, ValueArgs,
};
use crate::error::CliError;
use crate::numbers::{parse_deadline, parse_memory};
use crate::words::{korean, lang};

/// Solves two-player board games exactly: who wins, in how many plies, by which
/// moves.
#[derive(Parser, Debug)]
#[command(
    name = "balpan",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 answered, 1 the answer is \"no\", 2 bad input or no memory, 130 \
    interrupted by a signal. At a --deadline what is known is an answer."
)]
pub(crate) struct Args {
    /// The language; by default that of the locale (LC_ALL, LC_MESSAGES, LANG). The output of
    /// --json is the same in all
    #[arg(long, global = true, display_order = 900, value_parser = one_of(LANGUAGES), value_name = "LANG")]
    pub(crate) lang: Option<Lang>,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// List the games, or print one's rules file
    Games {
        /// The game whose rules file to print: a game's name, or the path of a rules file
        name: Option<String>,
        /// Say what the file means in sentences, with what follows from it, and draw how each piece moves
        #[arg(long, requires = "name")]
        explain: bool,
        #[command(flatten)]
        changes: ChangeArgs,
    },
    /// Solve a position: its value, the value of every move, and a best line
    Solve(SolveArgs),
    /// Find the value of a position or an expression in sums: canonical form, who wins, temperature; or compare two
    Value(ValueArgs),
    /// Find the nimbers of heaps by an octal or hexadecimal code, and their proved period
    Period(PeriodArgs),
    /// Find the misère quotient of games: what they are in sums of each other
    Quotient(QuotientArgs),
    /// List the contest problems of the library, or print one's file with its input and output
    Problems {
        /// A problem's name or number, or the path of a problem file, which is checked
        problem: Option<String>,
    },
    /// Answer a contest's input, from standard input to standard output
    Judge(JudgeArgs),
    /// Compare your program with exact answers, and show the smallest input on which it is wrong
    Stress(StressArgs),
    /// Make test data for a contest: inputs with exact answers
    Generate(GenerateArgs),
    /// Play a game against the perfect player, in the terminal
    Play(PlayArgs),
    /// Review a game: the value of each move, and where the game was given away
    Review(ReviewArgs),
    /// Let two programs play each other, or one the perfect player, with a verdict on each move
    Referee(RefereeArgs),
    /// Count the positions that play can reach, by outcome, remoteness and nimber
    Census(CensusArgs),
    /// Serve the explorer: pages that show the value of every move
    Serve(ServeArgs),
    /// Draw the game tree below a position, with every value, and how alpha-beta searches it
    Tree(TreeArgs),
    /// Find puzzles: positions with exactly one winning move, longest win first
    Puzzle(PuzzleArgs),
    /// Write the value of every reachable position to a file: a strong solution
    Build(BuildArgs),
    /// Build a strong solution by many processes
    Cluster {
        #[command(subcommand)]
        verb: ClusterVerb,
    },
    /// Write a certificate of an answer, which anyone can verify with `check`
    Prove(ProveArgs),
    /// Check certificates and print what each of them proves. Exits with 1 if a claim is not proved
    Check(CheckArgs),
    /// Inspect, verify, list, compare and export files that `build` has written
    Strong {
        /// What to do
        #[command(subcommand)]
        verb: StrongVerb,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page, of the command or of one verb
    Man {
        /// The verb
        verb: Option<String>,
    },
}

impl Verb {
    /// Returns the time limit of the verb and its memory limit in bytes. Verbs with a time limit for each position, and those
    /// that share their work with other processes, enforce their limits themselves.
    pub(crate) const fn limits(&self) -> (Option<Duration>, Option<usize>) {
        match self {
            Self::Solve(args) if args.positions.is_some() => (None, Some(args.game.memory)),
            Self::Solve(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Value(args) => (args.time.deadline, Some(args.memory)),
            Self::Period(args) => (args.time.deadline, Some(args.memory)),
            Self::Quotient(args) => (args.time.deadline, Some(args.memory)),
            Self::Judge(args) => (args.time.deadline, None),
            Self::Stress(args) => (args.judge.time.deadline, None),
            Self::Generate(args) => (args.judge.time.deadline, None),
            Self::Play(args) => (None, Some(args.game.memory)),
            Self::Review(args) => (args.time.deadline, Some(args.memory)),
            Self::Referee(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Census(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Tree(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Puzzle(args) => (args.most_time.deadline, Some(args.game.memory)),
            Self::Build(args) if args.cluster.process.is_some() => (args.time.deadline, None),
            Self::Build(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Prove(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Check(args) => (args.time.deadline, Some(args.memory)),
            Self::Strong { verb } => (verb.deadline(), None),
            Self::Games { .. }
            | Self::Problems { .. }
            | Self::Serve(_)
            | Self::Cluster { .. }
            | Self::Completions { .. }
            | Self::Man { .. } => (None, None),
        }
    }
}

/// The game, its board and the position.
#[derive(ClapArgs, Debug)]
pub(crate) struct GameArgs {
    /// A game's name (see `balpan games`) or the path of a rules file
    pub(crate) game: String,
    /// The position, rows from the top with `/` between, or the sizes of heaps; by default,
    /// the game's start
    pub(crate) position: Vec<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    /// The most memory for tables: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
}

/// Changes of the game's rules.
#[derive(ClapArgs, Debug)]
pub(crate) struct ChangeArgs {
    /// Play on another board, rows by columns: 5x9
    #[arg(long, value_name = "ROWSxCOLS")]
    pub(crate) board: Option<String>,
    /// Change a rule, as `key=value` of the rules file: --set misere=true
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
}

/// The results of earlier runs.
#[derive(ClapArgs, Debug)]
pub(crate) struct KeepArgs {
    /// Keep results that took long in this file, and continue from those in it; with / at its end it is a
    /// folder, for those of any games, boards and runs
    #[arg(long, value_name = "PATH")]
    pub(crate) keep: Option<PathBuf>,
    /// The most that a folder of --keep has of one game, but for what the last run added; the results that took least go first
    #[arg(long, value_name = "SIZE", default_value = "256M", value_parser = parse_memory, requires = "keep")]
    pub(crate) keep_size: usize,
}

/// The time limit of a verb.
#[derive(ClapArgs, Clone, Copy, Debug)]
pub(crate) struct TimeArgs {
    /// Stop after this time and print what is known: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
}

const LANGUAGES: &[Choice<Lang>] = &[("en", Lang::En, "English"), ("ko", Lang::Ko, "Korean")];

/// A value of an option: its name, its meaning, and its help.
type Choice<T> = (&'static str, T, &'static str);

/// Parses the name of one of the values.
fn one_of<T: Copy + Send + Sync>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T> {
    let names = choices.iter().map(|(name, _, help)| PossibleValue::new(*name).help(korean::local(help)));
    PossibleValuesParser::new(names)
        .try_map(|text| choices.iter().find(|(name, ..)| *name == text).map(|(_, value, _)| *value).ok_or("no value"))
}

/// Returns the description of the command, in the language that is set.
pub(crate) fn command() -> clap::Command {
    let command = Args::command();
    if lang() == Lang::Ko { korean::command(command) } else { command }
}

/// Returns the description of the command, or of one verb.
pub(crate) fn command_of(verb: Option<&str>) -> Result<clap::Command, CliError> {
    let mut command = command();
    let Some(verb) = verb else {
        return Ok(command);
    };
    command.build();
    match command.find_subcommand(verb) {
        Some(found) => Ok(found.clone().display_name(format!("balpan-{verb}"))),
        None => {
            let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
            Err(CliError::input(format!("`{verb}` is not a verb"), format!("one of {}", names.join(", "))))
        }
    }
}
