//! `balpan tree`: the tree of play below a position.

use balpan_pictures::tree::{Look, NoTree, Sheet, TreeOptions, sheet};

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
    let asked = TreeOptions {
        depth: args.depth.map(usize::from),
        alpha_beta: args.alpha_beta,
        most: MOST,
        memory: args.game.memory,
        threads: all_cores(),
        known: strong::known(&args.strong, &args.game, &game)?,
    };
    let (sheet, _) = watched(|watch| {
        sheet(&game, &name, asked, watch).map_err(|e| match e {
            NoTree::Stopped(stopped) => Failure::stopped(stopped, watch.positions()),
            NoTree::TooMany { depth, most } => Failure::input(
                format!(
                    "more than {} positions within {}: too many to draw",
                    grouped(most as u64),
                    counted(depth as u64, "ply", "plies")
                ),
                "ask for a smaller --depth, or give a position further on",
            ),
            NoTree::TooLong(_) => Failure::input(e.to_string(), "take smaller heaps"),
        })
    });
    let (sheet, look): (Sheet, _) = (sheet?, Look { lang: lang(), ..Look::default() });
    if args.json {
        return print_json(&sheet.json(&look));
    }
    let drawn = match args.format {
        Format::Text => sheet.text(&look),
        Format::Dot => sheet.dot(&look),
        Format::Svg => sheet.svg(&look),
    };
    print_bytes(drawn.as_bytes())
}
