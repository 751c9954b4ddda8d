//! The words that the command understands.

use std::ffi::OsString;
use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use balpan::{Ask, Method};
use balpan_contest::puzzle::Plies;
use balpan_games::{Lang, nearest};
use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{ArgGroup, Args as ClapArgs, CommandFactory, Parser, Subcommand, ValueEnum};

use crate::failure::Failure;
use crate::numbers::{parse_deadline, parse_memory, parse_seconds};

/// Solves two-player board games exactly: who wins, in how many plies, by which
/// moves.
#[derive(Parser, Debug)]
#[command(
    name = "balpan",
    version,
    max_term_width = 100,
    after_help = "Exit codes: 0 answered, 1 the answer is \"no\", 2 bad input, 130 interrupted."
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
    /// Tell what a value or a position is worth in sums: canonical form, who wins, temperature; and compare two
    Value(ValueArgs),
    /// Tell the nimbers of heaps by an octal or hexadecimal code, and the period that they are proved to have
    Period(PeriodArgs),
    /// Tell what misère games amount to in sums of each other: their misère quotient
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
    /// The language that is asked for, if any is, of a verb that speaks several.
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

/// Strong solutions at hand.
#[derive(ClapArgs, Debug)]
pub(crate) struct StrongArgs {
    /// Look up positions in this file of `balpan build` before searching; or in a folder of parts,
    /// or at `http://HOST:PORT`, an explorer that serves some
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(StrongPlace::from))]
    pub(crate) strong: Vec<StrongPlace>,
    /// Look up positions in those files of a folder that are of the game
    #[arg(long, value_name = "DIR")]
    pub(crate) strong_dir: Option<PathBuf>,
}

/// Where a strong solution is.
#[derive(Clone, Debug)]
pub(crate) enum StrongPlace {
    /// A file, or a folder of parts.
    Path(PathBuf),
    /// The address of an explorer.
    Remote(String),
}

impl From<PathBuf> for StrongPlace {
    fn from(path: PathBuf) -> Self {
        match path.to_str() {
            Some(address) if address.starts_with("http://") || address.starts_with("https://") => {
                Self::Remote(address.to_owned())
            }
            _ => Self::Path(path),
        }
    }
}

impl fmt::Display for StrongPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Path(path) => path.display().fmt(f),
            Self::Remote(address) => f.write_str(address),
        }
    }
}

/// Which game, and on which board.
#[derive(ClapArgs, Debug)]
pub(crate) struct GameArgs {
    /// A game's name (see `balpan games`) or the path of a rules file
    pub(crate) game: String,
    /// The position, rows from the top with `/` between, or the sizes of heaps; by default,
    /// the game's start. `solve` takes sums: `+`, another game, its position, and so on
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

#[derive(ClapArgs, Debug)]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// What to find; by default, as much as takes reasonable time
    #[arg(long, value_enum, value_name = "HOW_FAR", conflicts_with_all = ["winner", "outcome", "remoteness"])]
    pub(crate) ask: Option<AskName>,
    /// Find only who wins, and a winning move: --ask winner
    #[arg(long, conflicts_with_all = ["outcome", "remoteness"])]
    pub(crate) winner: bool,
    /// Find only who wins, here and after every move: --ask outcome
    #[arg(long, conflicts_with = "remoteness")]
    pub(crate) outcome: bool,
    /// Find the outcome and plies of every move, however large the board: --ask moves
    #[arg(long)]
    pub(crate) remoteness: bool,
    /// Find the nimber of an impartial game, too; of a misère game the misère value
    #[arg(long)]
    pub(crate) nimber: bool,
    /// Print the score, too, in a game of lines with gravity: 22 less the number of stones that the
    /// winner will have placed on 6x7; negative if that is not the player to move
    #[arg(long, conflicts_with_all = ["estimate", "cgt"])]
    pub(crate) score: bool,
    /// Stop after this time and print what is known: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline, conflicts_with_all = ["estimate", "cgt"])]
    pub(crate) deadline: Option<Duration>,
    /// Solve every line of a file, or of standard input (-): one JSON object per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["estimate", "cgt", "position"])]
    pub(crate) positions: Option<PathBuf>,
    /// Keep results that took long in this file, and continue from those in it
    #[arg(long, value_name = "FILE", conflicts_with_all = ["estimate", "cgt"])]
    pub(crate) keep: Option<PathBuf>,
    /// The number of threads; all cores by default. The answers do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The solver; all give the same answers
    #[arg(long, value_enum, default_value_t = SolverName::Auto)]
    pub(crate) solver: SolverName,
    /// Print the value of the position in combinatorial game theory, whoever is to
    /// move: a number, a nimber, a switch, .. (placement games under normal play)
    #[arg(long, conflicts_with_all = ["ask", "outcome", "winner", "remoteness", "nimber", "solver", "threads", "estimate"])]
    pub(crate) cgt: bool,
    /// Do not solve, but estimate within seconds what it would cost
    #[arg(long)]
    pub(crate) estimate: bool,
    /// The language; by default that of the locale (LC_ALL, LC_MESSAGES, LANG). The output of
    /// --json is the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

impl SolveArgs {
    /// How far to go, where that is said.
    pub(crate) fn ask(&self) -> Option<Ask> {
        match self.ask {
            Some(name) => Some(name.into()),
            None if self.winner => Some(Ask::Winner),
            None if self.outcome => Some(Ask::Outcome),
            None if self.remoteness => Some(Ask::Moves),
            None => None,
        }
    }
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "Values are numbers (3/4), nimbers (*2), arrows (^ or ↑, v or ↓, ^3*), tinies (+_2), switches \
    (+-1, ±1), what Left and Right can move to ({1|0}, {2||1|0}), and positions (domineering(../..), cram(4x4)), with \
    +, -, whole multiples (3·{1|0}), parentheses, and one comparison (<, <=, =, >=, >, ||, <|, |>, !=) between. Begin \
    with `--` where an expression begins with a minus.")]
pub(crate) struct ValueArgs {
    /// The value, or the comparison; several words are one
    #[arg(required = true, value_name = "EXPR")]
    pub(crate) expression: Vec<String>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write the thermograph to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Keep values of positions that took long in this file, and take over those of earlier runs
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    /// Tell what is known by then: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
    /// The most memory for canonical forms: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// The language; the locale's if left out (LC_ALL, LC_MESSAGES, LANG). What --json prints is
    /// the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PeriodArgs {
    /// An octal or hexadecimal code, 0.77 or 0.3F, or a game of heaps
    pub(crate) code: String,
    /// The largest heap
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) to: u64,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print a line `heap,nimber` for each heap
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write a picture of the sequence to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The language; the locale's if left out (LC_ALL, LC_MESSAGES, LANG). What --json prints is
    /// the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct QuotientArgs {
    /// An octal code such as 0.77, a game of heaps, or a misère game that both players have the same moves in
    pub(crate) game: String,
    /// Of heaps: the largest; of other games: the position, left out for the start
    pub(crate) position: Vec<String>,
    /// Play on another board, rows by columns: 3x4
    #[arg(long, value_name = "ROWSxCOLS")]
    pub(crate) board: Option<String>,
    /// Change a rule, as it would stand in the rules file: --set misere=true
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Give up where there are more elements
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) most: u16,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Tell what is known by then: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
    /// The language; the locale's if left out (LC_ALL, LC_MESSAGES, LANG). What --json prints is
    /// the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AskName {
    /// Who wins, and a winning move
    Winner,
    /// Who wins, here and after every move
    Outcome,
    /// Also the plies, all best moves, and a line
    Value,
    /// Also the plies after every other move
    Moves,
}

impl From<AskName> for Ask {
    fn from(name: AskName) -> Self {
        match name {
            AskName::Winner => Self::Winner,
            AskName::Outcome => Self::Outcome,
            AskName::Value => Self::Value,
            AskName::Moves => Self::Moves,
        }
    }
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SolverName {
    /// The fastest one
    Auto,
    /// Plain exhaustive minimax, for small positions
    Minimax,
    /// Alpha-beta with a transposition table
    AlphaBeta,
    /// Depth-first proof-number search, for outcomes of placement games
    DfPn,
    /// A table of all positions, for impartial placement games
    Table,
    /// Nimbers of independent parts, for who wins an impartial game
    Nimber,
}

impl From<SolverName> for Method {
    fn from(name: SolverName) -> Self {
        match name {
            SolverName::Auto => Self::Auto,
            SolverName::Minimax => Self::Minimax,
            SolverName::AlphaBeta => Self::AlphaBeta,
            SolverName::DfPn => Self::DfPn,
            SolverName::Table => Self::Table,
            SolverName::Nimber => Self::Nimber,
        }
    }
}

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
    /// The seconds in all: three fifths for trying cases, the rest for finding the smallest
    /// one on which the program is wrong
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = parse_seconds)]
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
    /// The time limit of a case, in seconds; by default 10 for platforms, 5 for the others
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
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
    /// The language; by default that of the locale (LC_ALL, LC_MESSAGES, LANG). The output of
    /// --json is the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
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
    #[arg(long, value_name = "FORMAT", requires = "output", conflicts_with_all = ["dir", "answers", "json"])]
    pub(crate) package: Option<PackageFormat>,
    /// The folder of the package, which must not exist yet
    #[arg(long, short, value_name = "DIR", requires = "package")]
    pub(crate) output: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Which side you play: `first` (to move in the position), `second`, or the player's name: B
    #[arg(long = "as", value_name = "SIDE", default_value = "first")]
    pub(crate) side: String,
    /// Show the best moves whenever it is your turn
    #[arg(long)]
    pub(crate) hints: bool,
    /// The language; by default that of the locale (LC_ALL, LC_MESSAGES, LANG). The output of
    /// --json is the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ReviewArgs {
    /// A game's name (see `balpan games`) or the path of a rules file
    pub(crate) game: String,
    /// The moves, with blanks or `;` between, and columns of one digit in a row: 4455. `-` reads
    /// standard input
    #[arg(required = true)]
    pub(crate) moves: Vec<String>,
    /// The position that they begin in; by default, the game's start
    #[arg(long, value_name = "POSITION")]
    pub(crate) at: Option<String>,
    /// Play on another board, rows by columns: 5x9
    #[arg(long, value_name = "ROWSxCOLS")]
    pub(crate) board: Option<String>,
    /// Change a rule, as `key=value` of the rules file: --set misere=true
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// The most memory for tables: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The language
    #[arg(long, value_enum, value_name = "LANG", default_value_t = LangName::En)]
    pub(crate) lang: LangName,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct CensusArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Take the counts from this file of `balpan build`, if it has exactly the positions counted
    #[arg(long, value_name = "FILE")]
    pub(crate) strong: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Count positions that a symmetry turns into each other once
    #[arg(long)]
    pub(crate) symmetry: bool,
    /// Count the different games as well, by who wins
    #[arg(long)]
    pub(crate) games: bool,
    /// Count every board of an impartial placement game, reachable or not, by who wins
    #[arg(long, conflicts_with_all = ["position", "symmetry", "games"])]
    pub(crate) all_boards: bool,
    /// The number of threads; all cores by default. The counts do not depend on it
    #[arg(long, value_name = "N", requires = "all_boards", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Count by nimber, too, in an impartial game; in a misère game by misère value
    #[arg(long)]
    pub(crate) nimber: bool,
    /// Count all boards by remoteness, too
    #[arg(long, requires = "all_boards")]
    pub(crate) remoteness: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ServeArgs {
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Check the certificates of a folder, files `.cert` of `prove`, and show those that are proved
    #[arg(long, value_name = "DIR")]
    pub(crate) certificates: Option<PathBuf>,
    /// Listen at this port; 0 takes any that is free
    #[arg(long, default_value_t = 8000)]
    pub(crate) port: u16,
    /// Show it in a browser
    #[arg(long)]
    pub(crate) open: bool,
    /// Listen at this address; by default, only this machine reaches it
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub(crate) address: IpAddr,
    /// Serve the public: the requests of each address and the queue are limited
    #[arg(long)]
    pub(crate) public: bool,
    /// With --public: the requests of one address a second; six times as many in a burst
    #[arg(long, value_name = "N", default_value_t = 10, requires = "public", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) rate: u32,
    /// With --public: trust X-Forwarded-For, which a proxy in front has to set
    #[arg(long, requires = "public")]
    pub(crate) behind_proxy: bool,
    /// Answer "not yet" after this number of seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=600))]
    pub(crate) patience: u32,
    /// Give a position up after this number of seconds
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) time: u32,
    /// The most memory for the tables of all positions solved at the same time: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// The number of hard positions solved at a time, each by one thread; by default, one less
    /// than the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct TreeArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// The depth in plies; by default, as deep as at most 40 positions allow. Values are
    /// exact at any depth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=500))]
    pub(crate) depth: Option<u16>,
    /// Show how alpha-beta searches the tree: the order of visits, the windows, what is cut and why
    #[arg(long)]
    pub(crate) alpha_beta: bool,
    /// How to draw it
    #[arg(long, value_enum, default_value_t = Format::Text, conflicts_with = "json")]
    pub(crate) format: Format,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The language; by default that of the locale (LC_ALL, LC_MESSAGES, LANG). The output of
    /// --json is the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PuzzleArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// The plies to the win: at least 5 (5 or 5..), from 5 to 9 (5..9), from 3 to 9 (..9)
    #[arg(long, value_name = "PLIES", default_value_t = Plies::default())]
    pub(crate) plies: Plies,
    /// The number of puzzles, best first. By default 12 where positions are sampled or there are
    /// more than 100 puzzles, otherwise all. With --json also all, where all positions are
    /// examined
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) count: Option<u16>,
    /// Keep puzzles whose move is forced or ends play at once, and those that are one move or one
    /// cell away from a better one, or have its line of play
    #[arg(long)]
    pub(crate) all: bool,
    /// Sample positions, even where the reachable ones are few enough to examine all
    #[arg(long)]
    pub(crate) by_chance: bool,
    /// The seed of the sample; without effect where all positions are examined
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The number of positions to sample: for the same --seed and --memory, the puzzles are then
    /// the same on every machine. Without effect where all positions are examined
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) tries: Option<u64>,
    /// The time for examining or sampling positions; 20 seconds if neither this nor --tries is
    /// given
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) time: Option<u32>,
    /// Print the answers, too, below the puzzles
    #[arg(long)]
    pub(crate) answers: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Write A4 sheets to print: FILE.svg, and the answers in FILE-answers.svg
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// The language of the sheets
    #[arg(long, value_enum, value_name = "LANG", default_value_t = LangName::En, requires = "svg")]
    pub(crate) lang: LangName,
}

/// A language.
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

#[derive(ClapArgs, Debug)]
#[command(after_help = "The same command goes on from what is finished, however it was ended.")]
pub(crate) struct BuildArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// The file to write
    #[arg(short, long, value_name = "FILE", required_unless_present = "estimate")]
    pub(crate) output: Option<PathBuf>,
    /// Begin in all positions of a file, one per line, instead of the start
    #[arg(long, value_name = "FILE", conflicts_with = "position")]
    pub(crate) starts: Option<PathBuf>,
    /// Store the nimbers of the parts of an impartial game, instead of outcomes and plies
    #[arg(long)]
    pub(crate) nimber: bool,
    /// Store positions that a symmetry turns into each other separately
    #[arg(long, conflicts_with = "nimber")]
    pub(crate) unfolded: bool,
    /// Only the positions within --plies of the start, solved one by one
    #[arg(long, requires = "plies", conflicts_with = "nimber")]
    pub(crate) book: bool,
    /// The plies of a --book
    #[arg(long, value_name = "N", requires = "book", value_parser = clap::value_parser!(u32).range(..=1_000))]
    pub(crate) plies: Option<u32>,
    /// The folder of working files; by default FILE.scratch
    #[arg(long, value_name = "DIR")]
    pub(crate) scratch: Option<PathBuf>,
    /// The number of threads; all cores by default. The file does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Do not build, but estimate the positions, the time and the disk space
    #[arg(long, conflicts_with = "book")]
    pub(crate) estimate: bool,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

/// Who builds together with this process.
#[derive(ClapArgs, Debug)]
#[command(next_help_heading = "Many processes")]
pub(crate) struct ClusterArgs {
    /// Which process this is, from 0: --output is a folder then, for the files of its shares
    #[arg(long, value_name = "I", conflicts_with_all = ["book", "estimate", "scratch", "threads"])]
    pub(crate) process: Option<usize>,
    /// The number of processes, all on this machine
    #[arg(long, value_name = "N", requires = "process", conflicts_with = "hosts")]
    pub(crate) processes: Option<usize>,
    /// Where the processes listen: a file of addresses with ports, one per line
    #[arg(long, value_name = "FILE", requires = "process")]
    pub(crate) hosts: Option<PathBuf>,
    /// The workers of each process
    #[arg(long, value_name = "N", requires = "process", default_value_t = 1)]
    pub(crate) workers: usize,
    /// The number of files that the positions are split into
    #[arg(long, value_name = "N", requires = "process", default_value_t = 256)]
    pub(crate) partitions: u32,
    /// A file with the secret of the processes
    #[arg(long, value_name = "FILE", requires = "process")]
    pub(crate) secret_file: Option<PathBuf>,
    /// The seconds to wait for the other processes
    #[arg(long, value_name = "SECONDS", requires = "process", default_value = "600", value_parser = parse_seconds)]
    pub(crate) wait: Duration,
    /// The seconds of silence after which a process counts as lost
    #[arg(long, value_name = "SECONDS", requires = "process", default_value = "10", value_parser = parse_seconds)]
    pub(crate) patience: Duration,
    /// Print progress, one JSON object per line
    #[arg(long, hide = true, requires = "process")]
    pub(crate) follow: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum ClusterVerb {
    /// Build by processes on this machine, and follow them: `cluster local 2 connect4 -o DIR`
    Local {
        /// The number of processes
        #[arg(value_parser = clap::value_parser!(u16).range(1..=64))]
        processes: u16,
        /// What to build, as for `build`, with --workers, --partitions and --patience; the --memory
        /// is for each process
        #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "GAME -o DIR")]
        build: Vec<OsString>,
    },
}

#[derive(ClapArgs, Debug)]
#[command(after_help = "By default, it proves who wins, or that it is a draw.")]
pub(crate) struct ProveArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// The file to write
    #[arg(short, long, value_name = "FILE", required_unless_present = "text")]
    pub(crate) output: Option<PathBuf>,
    /// Prove in exactly how many plies the winner wins
    #[arg(long, conflicts_with_all = ["within", "nimber"])]
    pub(crate) exact: bool,
    /// Prove that the winner wins within this number of plies
    #[arg(long, value_name = "PLIES", conflicts_with = "nimber", value_parser = clap::value_parser!(u32).range(1..=1_000))]
    pub(crate) within: Option<u32>,
    /// Prove the nimber, of an impartial game
    #[arg(long)]
    pub(crate) nimber: bool,
    /// Write text that people can read, to standard output if there is no --output
    #[arg(long)]
    pub(crate) text: bool,
    /// What to leave to the checker: searches of at most this number of positions, or for nimbers
    /// parts of at most this number of cells or tokens
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(..=100_000))]
    pub(crate) settle: Option<u64>,
    /// Write more certificates for this number of seconds, and keep the smallest
    #[arg(long, value_name = "SECONDS", value_parser = parse_seconds)]
    pub(crate) minimize: Option<std::time::Duration>,
    /// Keep results that took long in this file, and continue from those in it, also from those that
    /// `solve --keep` has left
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
    /// The number of threads that search; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print one JSON object about the certificate
    #[arg(long, requires = "output")]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct CheckArgs {
    /// The certificates
    #[arg(required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// The most positions to look at for each byte of a certificate
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) positions: u64,
    /// The most memory
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// The number of threads; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Print a JSON object for each
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Subcommand, Debug)]
pub(crate) enum StrongVerb {
    /// Print what is in a file: positions by layer, outcome and remoteness, and its size
    Info {
        /// The file
        file: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
        /// Draw the positions by layer and remoteness to this file
        #[arg(long, value_name = "FILE")]
        svg: Option<PathBuf>,
    },
    /// Verify every value from the rules and the values of the successors
    Verify {
        /// The file
        file: PathBuf,
        /// The number of positions to verify, chosen at random
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        sample: Option<u64>,
        /// The seed of the sample
        #[arg(long, value_name = "N", default_value_t = 1)]
        seed: u64,
        /// The most memory
        #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
        memory: usize,
        /// The number of threads; all cores by default
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List positions, one per line: the position, then its value
    List {
        /// The file
        file: PathBuf,
        /// Only those that are a win, a draw or a loss for the player to move
        #[arg(long, value_enum, value_name = "OUTCOME")]
        outcome: Option<OutcomeName>,
        /// Only positions of this remoteness, in plies
        #[arg(long, value_name = "N")]
        plies: Option<u32>,
        /// Only those of this nimber
        #[arg(long, value_name = "N", conflicts_with_all = ["outcome", "plies"])]
        nimber: Option<u16>,
        /// Only those of this layer
        #[arg(long, value_name = "N")]
        layer: Option<u32>,
        /// The most positions to list
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
        count: Option<u64>,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
    /// Print where two files differ; exit code 1 if they do
    Diff {
        /// One file
        one: PathBuf,
        /// The other
        other: PathBuf,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Write layer, key, position, outcome and remoteness (or nimber) of every position as a
    /// table that other programs read
    Export {
        /// The file
        file: PathBuf,
        /// CSV, or Apache Parquet
        #[arg(long, value_enum, default_value_t = ExportFormat::Csv)]
        format: ExportFormat,
        /// The file to write; `-` for standard output
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// Write a file without keys instead, which is smaller: `look` asks it, of positions that
        /// play reaches
        #[arg(long, conflicts_with = "format")]
        values_only: bool,
        /// With --values-only, the most memory; 1G by default
        #[arg(long, value_name = "SIZE", requires = "values_only", value_parser = parse_memory)]
        memory: Option<usize>,
        /// With --values-only, the number of threads; all cores by default
        #[arg(long, value_name = "N", requires = "values_only", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
    },
    /// Merge the files of all shares of a build by many processes into one file
    Merge {
        /// The files, or folders of them
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write
        #[arg(short, long, value_name = "FILE")]
        output: PathBuf,
        /// The number of threads; all cores by default. The file does not depend on it
        #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
        threads: Option<u16>,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// Print the values of positions in a file, one per line; exit code 1 if one is not in it
    Look {
        /// The file, with keys or without
        file: PathBuf,
        /// Positions; `-` for those of standard input, one per line
        #[arg(required = true)]
        positions: Vec<String>,
        /// Print one JSON object per line
        #[arg(long)]
        json: bool,
    },
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportFormat {
    /// Comma-separated values, with a line of names first
    Csv,
    /// Apache Parquet, compressed by Zstandard
    Parquet,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OutcomeName {
    /// The player to move wins
    Win,
    /// Nobody wins
    Draw,
    /// The player to move loses
    Loss,
}

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Text for 80 columns
    Text,
    /// DOT, for Graphviz
    Dot,
    /// A picture that browsers show
    Svg,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum PackageFormat {
    /// The Problem Package Format, version `legacy`, of Kattis and the ICPC
    Kattis,
    /// The same, with what DOMjudge reads besides
    Domjudge,
    /// The layout of the packages that Codeforces' Polygon builds
    Polygon,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct JudgeArgs {
    /// The problem: blockgame or tictactoe (AlgoSpot), platforms (Programmers 92345), or a game by
    /// rules of your own, as game:FILE or game:PRESET
    #[arg(value_parser = JudgeName::parse)]
    pub(crate) judge: JudgeName,
    /// Of a game:, this board and no other, such as 3x4; without it, all boards up to the game's own
    #[arg(long, value_name = "ROWSxCOLS")]
    pub(crate) board: Option<String>,
    /// Of a game:, another rule, such as misere=true or k=5; may be repeated
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<String>,
    /// Of a game:, what is answered; outcome by default
    #[arg(long, value_enum, value_name = "WHAT")]
    pub(crate) answer: Option<Answers>,
}

/// A judge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum JudgeName {
    /// AlgoSpot BLOCKGAME: a count, five lines a case; WINNING or LOSING
    Blockgame,
    /// AlgoSpot TICTACTOE: a count, three lines a case; x, o or TIE
    Tictactoe,
    /// Programmers 92345 as JSON Lines, one call of its `solution` a line; the plies
    Platforms,
    /// The game of a preset or a rules file: a count, one position per line.
    Game(String),
}

impl JudgeName {
    const NAMED: [(&str, Self); 3] =
        [("blockgame", Self::Blockgame), ("tictactoe", Self::Tictactoe), ("platforms", Self::Platforms)];

    fn parse(text: &str) -> Result<Self, String> {
        if let Some(game) = text.strip_prefix("game:").filter(|game| !game.is_empty()) {
            return Ok(Self::Game(game.to_owned()));
        }
        let named = Self::NAMED.into_iter().find(|(name, _)| *name == text);
        named.map(|(_, judge)| judge).ok_or_else(|| {
            let names = Self::NAMED.map(|(name, _)| name);
            let meant = nearest(text, names).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
            format!("{meant}the judges are {}, and game:FILE for rules of your own", names.join(", "))
        })
    }

    /// As it was given.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Game(name) => format!("game:{name}"),
            named => Self::NAMED.iter().find(|(_, judge)| judge == named).map_or("", |(name, _)| name).to_owned(),
        }
    }
}

/// What a program answers to a position of a game.
#[derive(ValueEnum, Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Answers {
    /// win, draw or loss, for the player to move
    #[default]
    Outcome,
    /// The same with the plies to the end: win 5, draw, loss 4
    Value,
    /// The nimber, of an impartial game
    Nimber,
}

/// The command's own description, or that of one verb.
pub(crate) fn command_of(verb: Option<&str>) -> Result<clap::Command, Failure> {
    let mut command = Args::command();
    let Some(verb) = verb else {
        return Ok(command);
    };
    command.build();
    match command.find_subcommand(verb) {
        Some(found) => Ok(found.clone().display_name(format!("balpan-{verb}"))),
        None => {
            let names: Vec<_> = command.get_subcommands().map(clap::Command::get_name).collect();
            Err(Failure::input(format!("`{verb}` is not a verb"), format!("one of {}", names.join(", "))))
        }
    }
}
