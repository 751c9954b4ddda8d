//! Arguments of the verbs about files and servers: `balpan build`, `cluster`, `strong`, `prove`, `check` and `serve`.

use std::ffi::OsString;
use std::net::IpAddr;
use std::path::PathBuf;
use std::time::Duration;

use balpan::Outcome;
use clap::{Args as ClapArgs, Subcommand};

use super::{Choice, GameArgs, KeepArgs, TimeArgs, one_of};
use crate::numbers::{parse_deadline, parse_memory};

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
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) cluster: ClusterArgs,
}

/// The processes that build together with this one.
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
    /// How long to wait for the other processes
    #[arg(long, value_name = "TIME", requires = "process", default_value = "10m", value_parser = parse_deadline)]
    pub(crate) wait: Duration,
    /// How long a process may be silent before it counts as lost
    #[arg(long, value_name = "TIME", requires = "process", default_value = "10s", value_parser = parse_deadline)]
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

/// Strong solutions to look positions up in.
#[derive(ClapArgs, Debug)]
pub(crate) struct StrongArgs {
    /// Look up positions in this file of `balpan build` before searching; or in a folder of parts,
    /// or at `http://HOST:PORT`, an explorer that serves some
    #[arg(long, value_name = "FILE")]
    pub(crate) strong: Vec<PathBuf>,
    /// Look up positions in those files of a folder that are of the game
    #[arg(long, value_name = "DIR")]
    pub(crate) strong_dir: Option<PathBuf>,
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
        #[command(flatten)]
        time: TimeArgs,
        /// Print one JSON object
        #[arg(long)]
        json: bool,
    },
    /// List positions, one per line: the position, then its value
    List {
        /// The file
        file: PathBuf,
        /// Only those that are a win, a draw or a loss for the player to move
        #[arg(long, value_parser = one_of(OUTCOMES), value_name = "OUTCOME")]
        outcome: Option<Outcome>,
        /// Only positions of this remoteness, in plies
        #[arg(long, value_name = "N")]
        plies: Option<u32>,
        /// Only positions of this score, for the player to move
        #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with = "plies")]
        score: Option<i32>,
        /// Only those of this nimber
        #[arg(long, value_name = "N", conflicts_with_all = ["outcome", "plies", "score"])]
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
        #[arg(long, value_parser = one_of(EXPORT_FORMATS), default_value = "csv")]
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
        #[command(flatten)]
        time: TimeArgs,
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
        #[command(flatten)]
        time: TimeArgs,
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

impl StrongVerb {
    /// Returns the time limit of the verb.
    pub(crate) const fn deadline(&self) -> Option<Duration> {
        match self {
            Self::Verify { time, .. } | Self::Export { time, .. } | Self::Merge { time, .. } => time.deadline,
            Self::Info { .. } | Self::List { .. } | Self::Diff { .. } | Self::Look { .. } => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ExportFormat {
    Csv,
    Parquet,
}

const EXPORT_FORMATS: &[Choice<ExportFormat>] = &[
    ("csv", ExportFormat::Csv, "Comma-separated values, with a line of names first"),
    ("parquet", ExportFormat::Parquet, "Apache Parquet, compressed by Zstandard"),
];

const OUTCOMES: &[Choice<Outcome>] = &[
    ("win", Outcome::Win, "The player to move wins"),
    ("draw", Outcome::Draw, "Nobody wins"),
    ("loss", Outcome::Loss, "The player to move loses"),
];

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
    /// Write more certificates for this time, such as 30s, and keep the smallest
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) minimize: Option<Duration>,
    #[command(flatten)]
    pub(crate) kept: KeepArgs,
    /// The number of threads that search; all cores by default
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
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
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Print a JSON object for each
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ServeArgs {
    /// Rules files of games to serve beside the presets, each under the name of its file
    #[arg(value_name = "RULES")]
    pub(crate) games: Vec<PathBuf>,
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
    /// Answer "not yet" after this time
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_deadline)]
    pub(crate) patience: Duration,
    /// Give a position up after this time
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = parse_deadline)]
    pub(crate) time: Duration,
    /// The most memory for the tables of all positions solved at the same time: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// The number of hard positions solved at a time, each by one thread; by default, one less
    /// than the number of cores
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
}
