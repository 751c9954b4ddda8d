//! Arguments of `balpan play`, `review`, `tree`, `census` and `puzzle`.

use std::path::PathBuf;
use std::time::Duration;

use balpan_contest::puzzle::PlyRange;
use clap::{Args as ClapArgs, ValueEnum};

use super::{GameArgs, LangName, StrongArgs, TimeArgs};
use crate::numbers::{parse_deadline, parse_memory};

#[derive(ClapArgs, Debug)]
pub(crate) struct PlayArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Which side you play: `first` (to move in the position), `second`, or the player's name: B
    #[arg(long = "as", value_name = "SIDE", default_value = "first")]
    pub(crate) side: String,
    /// How long each move of the perfect player, each hint and the review may take: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
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
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// The language
    #[arg(long, value_enum, value_name = "LANG", default_value_t = LangName::En)]
    pub(crate) lang: LangName,
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
    #[command(flatten)]
    pub(crate) time: TimeArgs,
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
    #[arg(long, value_name = "PLIES", default_value_t = PlyRange::default())]
    pub(crate) plies: PlyRange,
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
    #[command(flatten)]
    pub(crate) most_time: TimeArgs,
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

#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    /// Text for 80 columns
    Text,
    /// DOT, for Graphviz
    Dot,
    /// A picture that browsers show
    Svg,
}

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
