//! Arguments of `balpan census`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

use super::{GameArgs, TimeArgs};

#[derive(ClapArgs, Debug)]
pub(crate) struct CensusArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// Take the counts from this file of `balpan build`, if it has exactly the positions counted
    #[arg(long, value_name = "FILE")]
    pub(crate) strong: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
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
