//! Arguments of `balpan prove` and `balpan check`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::{GameArgs, StrongArgs, TimeArgs};
use crate::numbers::{parse_memory, parse_seconds};

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
    pub(crate) minimize: Option<Duration>,
    /// Keep results that took long in this file, and continue from those in it, also from those that
    /// `solve --keep` has left
    #[arg(long, value_name = "FILE")]
    pub(crate) keep: Option<PathBuf>,
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
