//! `balpan tree`: the game tree below a position.

use balpan_pictures::tree::{GameTreeError, TreeOptions, ViewOptions, build_tree};

use crate::args::{Format, TreeArgs};
use crate::error::{CliError, print_bytes, print_json};
use crate::load::LoadedGame;
use crate::numbers::{counted, grouped};
use crate::progress::{run_with_progress, thread_count};
use crate::strong;
use crate::words::lang;

/// Largest tree that is drawn: browsers display no larger ones.
const MAX_POSITIONS: usize = 10_000;

pub(crate) fn run(args: &TreeArgs) -> Result<(), CliError> {
    let loaded = LoadedGame::load(&args.game)?;
    let options = TreeOptions {
        depth: args.depth.map(usize::from),
        alpha_beta: args.alpha_beta,
        max_positions: MAX_POSITIONS,
        memory: args.game.memory,
        threads: thread_count(None),
        oracle: strong::find_oracle(&args.strong, &loaded)?,
    };
    let (tree, _) = run_with_progress(|watch| build_tree(&loaded.game, &loaded.name, options, watch));
    let tree = tree.map_err(|e| match e {
        GameTreeError::Stopped(stopped) => stopped.into(),
        GameTreeError::TooMany { depth, max_positions } => {
            let (positions, plies) = (grouped(max_positions as u64), counted(depth as u64, "ply", "plies"));
            let help = "ask for a smaller --depth, or give a position further on";
            CliError::input(format!("more than {positions} positions within {plies}: too many to draw"), help)
        }
        GameTreeError::Table(error) => error.into(),
        GameTreeError::TooLong(_) => CliError::input(e.to_string(), "take smaller heaps"),
    })?;
    let options = ViewOptions { lang: lang(), ..ViewOptions::default() };
    if args.json {
        return print_json(&tree.json(&options));
    }
    let drawn = match args.format {
        Format::Text => tree.text(&options),
        Format::Dot => tree.dot(&options),
        Format::Svg => tree.svg(&options),
    };
    print_bytes(drawn.as_bytes())
}
