//! Arguments of the verbs about positions and values: `balpan solve`, `play`, `review`, `tree`, `census`, `puzzle`, `value`, `period` and
//! `quotient`.

use std::path::PathBuf;
use std::time::Duration;

use balpan::{Goal, Method};
use balpan_contest::puzzle::PlyRange;
use clap::Args as ClapArgs;

use super::{ChangeArgs, Choice, GameArgs, KeepArgs, StrongArgs, TimeArgs, one_of};
use crate::numbers::{parse_deadline, parse_memory};

#[derive(ClapArgs, Debug)]
#[command(after_help = "A sum is solved where more games follow, each after a `+`: balpan solve nim 3 5 + kayles 7")]
pub(crate) struct SolveArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) strong: StrongArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// What to find; by default, as much as takes reasonable time
    #[arg(long, value_parser = one_of(GOALS), value_name = "HOW_FAR", conflicts_with_all = ["winner", "outcome", "remoteness"])]
    pub(crate) ask: Option<Goal>,
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
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Solve every line of a file, or of standard input (-): one JSON object per line
    #[arg(long, value_name = "FILE", conflicts_with_all = ["estimate", "cgt", "position"])]
    pub(crate) positions: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) kept: KeepArgs,
    /// The number of threads; all cores by default. The answers do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// The solver; all give the same answers
    #[arg(long, value_parser = one_of(METHODS), default_value = "auto")]
    pub(crate) solver: Method,
    /// Print the value of the position in combinatorial game theory, whoever is to
    /// move: a number, a nimber, a switch, .. (placement games under normal play)
    #[arg(long, conflicts_with_all = ["ask", "outcome", "winner", "remoteness", "nimber", "solver", "threads", "estimate", "keep"])]
    pub(crate) cgt: bool,
    /// Do not solve, but estimate within seconds what it would cost
    #[arg(long, conflicts_with = "keep")]
    pub(crate) estimate: bool,
}

impl SolveArgs {
    /// Returns the goal, if an option sets one.
    pub(crate) fn goal(&self) -> Option<Goal> {
        let flags =
            [(self.winner, Goal::Winner), (self.outcome, Goal::MoveOutcomes), (self.remoteness, Goal::MoveValues)];
        self.ask.or_else(|| flags.into_iter().find(|(is_given, _)| *is_given).map(|(_, goal)| goal))
    }
}

const GOALS: &[Choice<Goal>] = &[
    ("winner", Goal::Winner, "Who wins, and a winning move"),
    ("outcome", Goal::MoveOutcomes, "Who wins, here and after every move"),
    ("value", Goal::Value, "Also the plies, all best moves, and a line"),
    ("moves", Goal::MoveValues, "Also the plies after every other move"),
];

const METHODS: &[Choice<Method>] = &[
    ("auto", Method::Auto, "The fastest one"),
    ("minimax", Method::Minimax, "Plain exhaustive minimax, for small positions"),
    ("alpha-beta", Method::AlphaBeta, "Alpha-beta with a transposition table"),
    ("df-pn", Method::DfPn, "Depth-first proof-number search, for outcomes of placement games"),
    ("table", Method::Table, "A table of all positions, for impartial placement games"),
    ("nimber", Method::Nimber, "Nimbers of independent parts, for who wins an impartial game"),
];

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
}

#[derive(ClapArgs, Debug)]
pub(crate) struct ReviewArgs {
    /// A game's name (see `balpan games`) or the path of a rules file
    pub(crate) game: String,
    /// The moves, with blanks or `;` between, and columns of one digit in a row: 4455. `-` reads
    /// standard input
    #[arg(required = true, allow_negative_numbers = true)]
    pub(crate) moves: Vec<String>,
    /// The position that they begin in; by default, the game's start
    #[arg(long, value_name = "POSITION")]
    pub(crate) at: Option<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
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
    #[arg(long, value_parser = one_of(FORMATS), default_value = "text", conflicts_with = "json")]
    pub(crate) format: Format,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
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
    /// The time for examining or sampling positions; 20s if neither this nor --tries is given
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) time: Option<Duration>,
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
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Text,
    Dot,
    Svg,
}

const FORMATS: &[Choice<Format>] = &[
    ("text", Format::Text, "Text for 80 columns"),
    ("dot", Format::Dot, "DOT, for Graphviz"),
    ("svg", Format::Svg, "A picture that browsers show"),
];

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

#[derive(ClapArgs, Debug)]
#[command(after_help = "Values are numbers (3/4), nimbers (*2), arrows (^ or ↑, v or ↓, ^3*), tinies (+_2), switches \
    (+-1, ±1), what Left and Right can move to ({1|0}, {2||1|0}), and positions (domineering(../..), cram(4x4)), with \
    +, -, whole multiples (3·{1|0}), parentheses, and one comparison (<, <=, =, >=, >, ||, <|, |>, !=) between.")]
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
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// The most memory for canonical forms: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "4G", value_parser = parse_memory)]
    pub(crate) memory: usize,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct PeriodArgs {
    /// An octal or hexadecimal code, 0.77 or 0.3F, or a game of heaps
    pub(crate) code: String,
    /// The largest heap
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub(crate) to: u64,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
    /// The most memory: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// Print one JSON object
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Print a line `heap,nimber` for each heap
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write a picture of the sequence to this file, as SVG
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

#[derive(ClapArgs, Debug)]
pub(crate) struct QuotientArgs {
    /// An octal code such as 0.77, a game of heaps, or a misère game that both players have the same moves in
    pub(crate) game: String,
    /// Of heaps: the largest; of other games: the position, left out for the start
    pub(crate) position: Vec<String>,
    #[command(flatten)]
    pub(crate) changes: ChangeArgs,
    /// Stop without a quotient if it has more elements than this
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) most: u16,
    /// The most memory: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) time: TimeArgs,
}
