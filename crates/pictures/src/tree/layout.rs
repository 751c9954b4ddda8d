//! The layout of a tree: leaves side by side, each parent above the middle of its children. A tree too wide
//! for that grows from left to right.

use super::view::TreeView;
use crate::board::svg as board;
use crate::text::text_width;
use crate::words::tree as words;

/// A tree wider than this grows from left to right.
const MAX_WIDTH: f64 = 1500.0;

/// Heights around a board: the move that leads to it above; its value and the window below.
pub(crate) const MOVE: f64 = 19.0;
pub(crate) const BADGE: f64 = 20.0;
pub(crate) const WINDOW: f64 = 15.0;
/// Room between a board and the value below.
pub(crate) const BELOW: f64 = 8.0;

const BETWEEN_LEAVES: f64 = 18.0;
/// The distance from one level to the next, top down and sideways.
const BETWEEN_LEVELS: [f64; 2] = [46.0, 70.0];

/// Room to the right of the last level for the numbers of folded moves.
const STUB: f64 = 24.0;

/// The positions of all nodes, in pixels.
pub(crate) struct Layout {
    /// The middle of each visible node's block.
    pub(crate) middles: Vec<Option<(f64, f64)>>,
    /// The width and height of a block: board, move, badge and window.
    pub(crate) block: (f64, f64),
    /// The middle of each level, along the axis of levels.
    pub(crate) levels: Vec<f64>,
    /// The extent of all blocks.
    pub(crate) size: (f64, f64),
    /// Whether levels go from left to right.
    pub(crate) sideways: bool,
}

impl Layout {
    pub(crate) fn new(view: &TreeView) -> Self {
        let block = block(view);
        let nodes = view.tree.nodes.len();
        let mut slots = vec![0.0; nodes];
        let mut leaves = 0_u32;
        // Children come after their parents: in reverse order, every child has its slot first. Leaves are
        // counted from the last; `place` reverses them.
        for node in (0..nodes).rev().filter(|node| view.visible[*node]) {
            let mut children = view.children(node);
            let first = children.next();
            let last = children.last().or(first);
            slots[node] = match (first, last) {
                (Some(first), Some(last)) => f64::midpoint(slots[first], slots[last]),
                _ => {
                    leaves += 1;
                    f64::from(leaves - 1)
                }
            };
        }
        let last = f64::from(leaves.max(1) - 1);
        let wide = (last + 1.0) * (block.0 + BETWEEN_LEAVES);
        let sideways = wide > MAX_WIDTH;
        let (leaf, level, [across, along]) = if sideways {
            (block.1 + BETWEEN_LEAVES * 0.6, block.0 + BETWEEN_LEVELS[1], [block.1, block.0])
        } else {
            (block.0 + BETWEEN_LEAVES, block.1 + BETWEEN_LEVELS[0], [block.0, block.1])
        };
        let deepest = view.tree.nodes.iter().zip(&view.visible).filter(|(_, visible)| **visible);
        let deepest = deepest.map(|(data, _)| data.depth).max().unwrap_or(0);
        let levels: Vec<f64> = (0..=deepest).map(|depth| along / 2.0 + depth as f64 * level).collect();
        let place = |node: usize| {
            let (u, v) = (across / 2.0 + (last - slots[node]) * leaf, levels[view.tree.nodes[node].depth]);
            if sideways { (v, u) } else { (u, v) }
        };
        let middles = (0..nodes).map(|node| view.visible[node].then(|| place(node))).collect();
        let (breadth, length) = (across + last * leaf, along + deepest as f64 * level);
        let size = if sideways { (length + STUB, breadth) } else { (breadth, length) };
        Self { middles, block, levels, size, sideways }
    }
}

/// Returns the size of the largest block.
fn block(view: &TreeView) -> (f64, f64) {
    let TreeView { tree, options, state, visible } = view;
    let (mut width, mut height) = (40.0_f64, 0.0_f64);
    for (node, data) in tree.nodes.iter().enumerate().filter(|(node, _)| visible[*node]) {
        let (board_width, board_height) = board::size(&data.drawing);
        let badge = text_width(&words::badge(options.lang, tree, data.verdict()), 12.0) + 30.0;
        let window = state.as_ref().and_then(|state| words::window(options.lang, tree, state, node));
        let window = window.map_or(0.0, |window| text_width(&window, 10.5));
        width = width.max(board_width + 6.0).max(badge).max(window).max(text_width(&data.mv, 11.5));
        height = height.max(board_height);
    }
    let window = if state.is_some() { WINDOW } else { 0.0 };
    (width, MOVE + height + BELOW + BADGE + window)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use balpan::Watch;
    use balpan_games::presets::preset;

    use super::*;
    use crate::tree::{TreeOptions, ViewOptions, build_tree};

    #[test]
    fn nodes_do_not_overlap_and_parents_are_in_the_middle() {
        for (name, position) in [
            ("tictactoe", "X../XOO/OX."),
            ("cram", ".../..."),
            ("nim", "1 2 2"),
            ("platforms", "A../.../..B"),
            ("domineering", "...."),
        ] {
            for alpha_beta in [false, true] {
                let game = preset(name).unwrap().unwrap().game_at(position).unwrap();
                let options = TreeOptions {
                    depth: None,
                    alpha_beta,
                    max_positions: 100,
                    memory: 1 << 20,
                    threads: 1,
                    oracle: None,
                };
                let tree = build_tree(&game, name, options, &Watch::default()).unwrap();
                let options = ViewOptions { folds: vec![vec![1]], ..ViewOptions::default() };
                let view = TreeView::new(&tree, &options);
                let layout = Layout::new(&view);
                let placed: Vec<_> = layout.middles.iter().flatten().collect();
                for (n, a) in placed.iter().enumerate() {
                    let inside = a.0 >= layout.block.0 / 2.0 && a.0 + layout.block.0 / 2.0 <= layout.size.0 + 0.01;
                    assert!(inside && a.1 >= layout.block.1 / 2.0, "{name}");
                    for b in &placed[..n] {
                        let apart = (a.0 - b.0).abs() > layout.block.0 || (a.1 - b.1).abs() > layout.block.1;
                        assert!(apart, "{name}: {a:?} {b:?}");
                    }
                }
                for node in 0..tree.nodes.len() {
                    let across = |(x, y): (f64, f64)| if layout.sideways { y } else { x };
                    let children: Vec<f64> =
                        view.children(node).flat_map(|child| layout.middles[child]).map(across).collect();
                    if let (Some(first), Some(last)) = (children.first(), children.last()) {
                        let middle = layout.middles[node].map(across).unwrap();
                        assert!((middle - f64::midpoint(*first, *last)).abs() < 0.01, "{name}");
                    }
                }
            }
        }
    }
}
