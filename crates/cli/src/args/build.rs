//! Arguments of `balpan build` and `balpan cluster`.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args as ClapArgs, Subcommand};

use super::{GameArgs, TimeArgs};
use crate::numbers::parse_seconds;

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
