//! `balpan tree`: the tree of play below a position.

use balpan_pictures::tree::{GameTree, GameTreeError, TreeOptions, ViewOptions, build_tree};

use crate::args::{Format, TreeArgs};
use crate::failure::{Failure, print_bytes, print_json};
use crate::lang::lang;
use crate::numbers::{counted, grouped};
use crate::progress::{all_cores, watched};
use crate::source;
use crate::strong;

/// Positions of the largest tree that is drawn: what a browser still shows.
const MOST: usize = 10_000;

pub(crate) fn run(args: &TreeArgs) -> Result<(), Failure> {
    let (name, game) = source::game(&args.game)?;
    let options = TreeOptions {
        depth: args.depth.map(usize::from),
        alpha_beta: args.alpha_beta,
        max_positions: MOST,
        memory: args.game.memory,
        threads: all_cores(),
        oracle: strong::known(&args.strong, &args.game, &game)?,
    };
    let (tree, _) = watched(|watch| {
        build_tree(&game, &name, options, watch).map_err(|e| match e {
            GameTreeError::Stopped(stopped) => Failure::stopped(stopped, watch.positions()),
            GameTreeError::TooMany { depth, max_positions } => Failure::input(
                format!(
                    "more than {} positions within {}: too many to draw",
                    grouped(max_positions as u64),
                    counted(depth as u64, "ply", "plies")
                ),
                "ask for a smaller --depth, or give a position further on",
            ),
            GameTreeError::TooLong(_) => Failure::input(e.to_string(), "take smaller heaps"),
        })
    });
    let (tree, options): (GameTree, _) = (tree?, ViewOptions { lang: lang(), ..ViewOptions::default() });
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
