//! Command-line arguments.

mod build;
mod certificates;
mod contest;
mod serve;
mod solve;
mod strong;
mod study;
mod theory;

use std::time::Duration;

use balpan_games::Lang;
use clap::{Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};

#[cfg(feature = "cluster")]
pub(crate) use self::build::ClusterArgs;
pub(crate) use self::build::{BuildArgs, ClusterVerb};
pub(crate) use self::certificates::{CheckArgs, ProveArgs};
pub(crate) use self::contest::{Answers, GenerateArgs, JudgeArgs, JudgeName, PackageFormat, StressArgs};
pub(crate) use self::serve::ServeArgs;
pub(crate) use self::solve::{SolveArgs, SolverName};
pub(crate) use self::strong::{ExportFormat, OutcomeName, StrongArgs, StrongPlace, StrongVerb};
pub(crate) use self::study::{CensusArgs, Format, PlayArgs, PuzzleArgs, ReviewArgs, TreeArgs};
pub(crate) use self::theory::{PeriodArgs, QuotientArgs, ValueArgs};
use crate::error::CliError;
use crate::numbers::{parse_deadline, parse_memory};

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
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

#[derive(Subcommand, Debug)]
pub(crate) enum Verb {
    /// List the games, or print one's rules file
    Games {
        /// The game whose rules file to print
        name: Option<String>,
    },
    /// Solve a position: its value, the value of every move, and a best line
    Solve(SolveArgs),
    /// Find the value of a position or an expression in sums: canonical form, who wins, temperature; or compare two
    Value(ValueArgs),
    /// Find the nimbers of heaps by an octal or hexadecimal code, and their proved period
    Period(PeriodArgs),
    /// Find the misère quotient of games: what they are in sums of each other
    Quotient(QuotientArgs),
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
            Self::Solve(args) => (args.deadline, Some(args.game.memory)),
            Self::Value(args) => (args.deadline, Some(args.memory)),
            Self::Period(args) => (args.time.deadline, Some(args.memory)),
            Self::Quotient(args) => (args.deadline, Some(args.memory)),
            Self::Judge(args) => (args.time.deadline, None),
            Self::Stress(args) => (args.judge.time.deadline, None),
            Self::Generate(args) => (args.judge.time.deadline, None),
            Self::Play(args) => (None, Some(args.game.memory)),
            Self::Review(args) => (args.time.deadline, Some(args.memory)),
            Self::Census(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Tree(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Puzzle(args) => (args.most_time.deadline, Some(args.game.memory)),
            Self::Build(args) if args.cluster.process.is_some() => (args.time.deadline, None),
            Self::Build(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Prove(args) => (args.time.deadline, Some(args.game.memory)),
            Self::Check(args) => (args.time.deadline, Some(args.memory)),
            Self::Strong { verb } => (verb.deadline(), None),
            Self::Games { .. }
            | Self::Serve(_)
            | Self::Cluster { .. }
            | Self::Completions { .. }
            | Self::Man { .. } => (None, None),
        }
    }

    /// Returns the value of `--lang` for a verb that prints in several languages; `None` for other verbs.
    pub(crate) const fn lang(&self) -> Option<Option<LangName>> {
        match self {
            Self::Solve(args) => Some(args.lang),
            Self::Value(args) => Some(args.lang),
            Self::Period(args) => Some(args.lang),
            Self::Quotient(args) => Some(args.lang),
            Self::Stress(args) => Some(args.lang),
            Self::Play(args) => Some(args.lang),
            Self::Tree(args) => Some(args.lang),
            _ => None,
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
    /// Play on another board, rows by columns: 5x9
    #[arg(long, value_name = "ROWSxCOLS")]
    pub(crate) board: Option<String>,
    /// Change a rule, as `key=value` of the rules file: --set misere=true
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// The most memory for tables: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
}

/// The time limit of a verb.
#[derive(ClapArgs, Clone, Copy, Debug)]
pub(crate) struct TimeArgs {
    /// Stop after this time and print what is known: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LangName {
    /// English
    En,
    /// Korean
    Ko,
}

impl From<LangName> for Lang {
    fn from(name: LangName) -> Self {
        match name {
            LangName::En => Self::En,
            LangName::Ko => Self::Ko,
        }
    }
}

/// Returns the description of the command, or of one verb.
pub(crate) fn command_of(verb: Option<&str>) -> Result<clap::Command, CliError> {
    let mut command = Args::command();
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
