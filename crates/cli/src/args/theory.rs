//! Arguments of `balpan value`, `period` and `quotient`.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;

use super::{LangName, TimeArgs};
use crate::numbers::{parse_deadline, parse_memory};

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
    /// Stop after this time and print what is known: 10s, 500ms, 2m
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
    /// Stop without a quotient if it has more elements than this
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) most: u16,
    /// The most memory: 512M, 4G
    #[arg(long, value_name = "SIZE", default_value = "1G", value_parser = parse_memory)]
    pub(crate) memory: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Stop after this time and print what is known: 10s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = parse_deadline)]
    pub(crate) deadline: Option<Duration>,
    /// The language; the locale's if left out (LC_ALL, LC_MESSAGES, LANG). What --json prints is
    /// the same in all
    #[arg(long, value_enum, value_name = "LANG")]
    pub(crate) lang: Option<LangName>,
}
