//! Arguments of `balpan strong`, and those that name strong solutions.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser};
use clap::{Args as ClapArgs, Subcommand, ValueEnum};

use super::TimeArgs;
use crate::numbers::parse_memory;

/// Strong solutions to look positions up in.
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

/// The place of a strong solution.
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
