//! A game tree as an SVG picture: leaves side by side, each parent above the middle of its children. A tree too wide for
//! that grows from left to right.

use super::view::{Relation, TreeView, ViewOptions, Visit};
use super::{GameTree, Verdict, words};
use crate::board;
use crate::text::{escaped, text_width, wrapped};

/// The style tree of pictures: part of self-contained SVG files, and served with pages.
pub const STYLE: &str = include_str!("style.css");

const MARGIN: f64 = 20.0;
/// Room above the tree for the heading.
const HEAD: f64 = 64.0;
/// Room for the players to move: beside a tree that grows down, above one that grows to the right.
const SIDE: [f64; 2] = [128.0, 44.0];
/// The line height of the words below.
const LINE: f64 = 19.0;
const MIN_WIDTH: f64 = 640.0;

/// The target of a link on a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkTarget {
    /// The node's position.
    Position,
    /// The tree from the node's position.
    Subtree,
    /// The same tree with the node's descendants hidden.
    Fold,
    /// The same tree with the node's descendants visible.
    Unfold,
}

/// Returns the URL of a link on a node.
pub type Links<'a> = dyn Fn(LinkTarget, usize) -> String + 'a;

impl GameTree {
    /// Draws the tree as a self-contained SVG file. Its colours follow the reader's light or dark scheme.
    #[must_use]
    pub fn svg(&self, options: &ViewOptions) -> String {
        draw(&TreeView::new(self, options), None) + "\n"
    }
}

impl TreeView<'_> {
    /// Draws the view as part of a page that has [`STYLE`]: every node is a link.
    #[must_use]
    pub fn svg(&self, links: &Links) -> String {
        draw(self, Some(links))
    }
}

/// Draws a view: part of a page with `links`, a self-contained file without.
fn draw(view: &TreeView, links: Option<&Links>) -> String {
    let TreeView { tree, options, state, .. } = view;
    let layout = Layout::new(view);
    let side = if layout.sideways { (0.0, SIDE[1]) } else { (SIDE[0], 0.0) };
    let head = if links.is_some() { MARGIN } else { HEAD };
    let origin = (MARGIN + side.0, head + side.1);
    let width = (origin.0 + layout.size.0 + MARGIN).max(if links.is_some() { 0.0 } else { MIN_WIDTH });
    let below = if links.is_some() { Vec::new() } else { words_below(view, width - 2.0 * MARGIN) };
    // Below the last level are the numbers of folded moves.
    let has_stubs = (0..view.visible.len()).any(|node| view.visible[node] && view.hidden(node) > 0);
    let tree_height = origin.1 + layout.size.1 + if has_stubs { 24.0 } else { 0.0 };
    let height = tree_height + MARGIN + below.len() as f64 * LINE + if below.is_empty() { 0.0 } else { 8.0 };
    let mut out = String::new();
    let picture = Picture { view, layout: &layout, links };
    let (heading, extent) = (words::heading(options.lang, tree), words::extent(options.lang, tree, state.as_ref()));
    let role = if links.is_some() { "group" } else { "img" };
    let label = escaped(&format!("{heading}. {extent}"));
    put!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="{role}" aria-label="{label}">"#
    );
    if links.is_none() {
        put!(out, "<style>{STYLE}</style>");
        put!(out, r#"<rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/>"#);
        put!(out, r#"<text class="heading" x="{MARGIN}" y="30">{}</text>"#, escaped(&words::capital(&heading)));
        put!(out, r#"<text class="muted" x="{MARGIN}" y="50">{}</text>"#, escaped(&words::capital(&extent)));
    }
    picture.levels(&mut out, origin, width);
    put!(out, r#"<g transform="translate({:.1} {:.1})">"#, origin.0, origin.1);
    for node in (0..tree.nodes.len()).filter(|node| view.visible[*node]) {
        picture.edge(&mut out, node);
    }
    for node in (0..tree.nodes.len()).filter(|node| view.visible[*node]) {
        picture.node(&mut out, node);
    }
    out.push_str("</g>");
    for (n, line) in below.iter().enumerate() {
        let y = tree_height + 24.0 + n as f64 * LINE;
        put!(out, r#"<text class="muted" x="{MARGIN}" y="{y:.1}">{line}</text>"#);
    }
    out.push_str("</svg>");
    out
}

/// Returns the reasons of the visible cuts and the legend, wrapped to a width, as SVG.
fn words_below(view: &TreeView, width: f64) -> Vec<String> {
    let TreeView { tree, options, state, .. } = view;
    let mut lines = Vec::new();
    if let Some(state) = state {
        for (n, cut) in state.cuts.iter().enumerate().filter(|(_, cut)| view.visible[cut.unvisited[0]]) {
            let reason = words::reason(options.lang, tree, state, cut);
            for (i, line) in wrapped(&reason, |line| text_width(line, 12.0) <= width - 24.0).into_iter().enumerate() {
                let letter = if i == 0 { words::letter(n) } else { String::new() };
                let line = escaped(&line);
                let class = r#"class="note" text-anchor="start""#;
                lines.push(format!(r#"<tspan {class}>{letter}</tspan><tspan x="{}">{line}</tspan>"#, MARGIN + 24.0));
            }
        }
    }
    for line in words::legend(options.lang, tree, state.is_some()) {
        lines.extend(wrapped(&line, |line| text_width(line, 11.5) <= width).iter().map(|line| escaped(line)));
    }
    lines
}

struct Picture<'a> {
    view: &'a TreeView<'a>,
    layout: &'a Layout,
    links: Option<&'a Links<'a>>,
}

impl Picture<'_> {
    /// Writes the player to move at each level, on bands.
    fn levels(&self, out: &mut String, origin: (f64, f64), width: f64) {
        let Self { view: TreeView { tree, options, visible, .. }, layout, .. } = self;
        let (block_width, block_height) = layout.block;
        for (depth, middle) in layout.levels.iter().enumerate() {
            let at_level = || tree.nodes.iter().zip(visible).filter(|(data, visible)| **visible && data.depth == depth);
            let over = at_level().all(|(data, _)| data.over);
            let movers = || at_level().filter(|(data, _)| !data.over).map(|(data, _)| data.to_move);
            let name = movers().next().unwrap_or(tree.players[0]);
            let is_mixed = movers().any(|other| other != name);
            let (who, picks) = if over {
                (words::end(options.lang).to_owned(), String::new())
            } else if is_mixed {
                (words::both_to_move(options.lang, tree), String::new())
            } else {
                (words::to_move(options.lang, name), words::takes_best(options.lang, &words::short(options.lang, name)))
            };
            let class = if over || is_mixed { "who".to_owned() } else { format!("who p{}", name.index()) };
            let (x, y) = if layout.sideways {
                (origin.0 + middle - block_width / 2.0, origin.1 - SIDE[1] + 14.0)
            } else {
                let top = origin.1 + middle - block_height / 2.0 - 8.0;
                if depth % 2 == 0 {
                    put!(
                        out,
                        r#"<rect class="band" x="0" y="{top:.1}" width="{width:.0}" height="{:.1}"/>"#,
                        block_height + 14.0
                    );
                }
                (MARGIN, origin.1 + middle)
            };
            put!(out, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escaped(&who));
            put!(out, r#"<text class="muted" x="{x:.1}" y="{:.1}">{}</text>"#, y + 16.0, escaped(&picks));
        }
    }

    /// Whether the search has not visited a node.
    fn is_unvisited(&self, node: usize) -> bool {
        self.view.state.as_ref().is_some_and(|state| state.visits[node].is_none())
    }

    /// Draws the edge from the parent, and the bars of a cut.
    fn edge(&self, out: &mut String, node: usize) {
        let Self { view, layout, .. } = self;
        let Some((from, to)) =
            view.tree.nodes[node].parent.and_then(|parent| layout.middles[parent]).zip(layout.middles[node])
        else {
            return;
        };
        let height = layout.block.1;
        let (board, board_height) = board::size(&view.tree.nodes[node].drawing);
        let [(x0, y0), (x1, y1), (x2, y2), (x3, y3)] = if layout.sideways {
            // From the middle of one board to that of the other.
            let down = MOVE + (board_height - height) / 2.0;
            let (from, to) = ((from.0 + board / 2.0 + 4.0, from.1 + down), (to.0 - board / 2.0 - 4.0, to.1 + down));
            let bend = (to.0 - from.0) * 0.5;
            [from, (from.0 + bend, from.1), (to.0 - bend, to.1), to]
        } else {
            let (from, to) = ((from.0, from.1 + height / 2.0 + 2.0), (to.0, to.1 - height / 2.0));
            let bend = (to.1 - from.1) * 0.55;
            [from, (from.0, from.1 + bend), (to.0, to.1 - bend), to]
        };
        let class = match (view.is_best(node), self.is_unvisited(node)) {
            (true, _) => "edge t-best",
            (false, true) => "edge t-unseen",
            (false, false) => "edge",
        };
        put!(out, r#"<path class="{class}" d="M{x0:.1} {y0:.1}C{x1:.1} {y1:.1} {x2:.1} {y2:.1} {x3:.1} {y3:.1}"/>"#);
        let Some((state, cut)) = view.state.as_ref().and_then(|state| Some((state, state.cut_at(node)?))) else {
            return;
        };
        // The point and the direction of the Bézier curve a bit past its middle.
        let t = 0.6_f64;
        let s = 1.0 - t;
        let at = |a, b, c, d| s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d;
        let towards = |a: f64, b: f64, c: f64, d: f64| s * s * (b - a) + 2.0 * s * t * (c - b) + t * t * (d - c);
        let (x, y) = (at(x0, x1, x2, x3), at(y0, y1, y2, y3));
        let turn = towards(y0, y1, y2, y3).atan2(towards(x0, x1, x2, x3)).to_degrees();
        let reason = words::reason(view.options.lang, view.tree, state, state.cuts[cut]);
        let beside = if layout.sideways {
            (0.0, -11.0)
        } else if x3 < x0 {
            (-17.0, 0.0)
        } else {
            (17.0, 4.0)
        };
        put!(
            out,
            r#"<g class="cut"><title>{}</title><path class="bar" transform="translate({x:.1} {y:.1}) rotate({turn:.1})" d="M-2.5 -8v16M3.5 -8v16"/><text class="note" x="{:.1}" y="{:.1}">{}</text></g>"#,
            escaped(&reason),
            x + beside.0,
            y + beside.1,
            words::letter(cut),
        );
    }

    fn node(&self, out: &mut String, node: usize) {
        let Self { view, layout, links } = self;
        let TreeView { tree, options, state, .. } = view;
        let Some((x, y)) = layout.middles[node] else {
            return;
        };
        let data = &tree.nodes[node];
        let (board_width, board_height) = board::size(&data.drawing);
        let block_height = layout.block.1;
        let mut class = String::from("node");
        for (is, name) in [
            (data.parent.is_none(), " t-root"),
            (view.is_best(node), " t-best"),
            (self.is_unvisited(node), " t-unseen"),
            (state.as_ref().and_then(|state| state.now).is_some_and(|now| now.node() == node), " t-current"),
        ] {
            class += if is { name } else { "" };
        }
        let verdict = view.verdict(node);
        let label = words::node(options.lang, tree, node, verdict);
        let top = y - block_height / 2.0;
        let (left, board_top) = (x - board_width / 2.0, top + MOVE);
        let title = escaped(&label);
        // Unlike an aria-label, a title need not contain the text in the picture.
        let title = format!("<title>{title}</title>");
        let (of_link, of_group) = if links.is_some() { (title.as_str(), "") } else { ("", title.as_str()) };
        if let Some(links) = links {
            put!(out, r#"<a href="{}">{of_link}"#, escaped(&links(LinkTarget::Position, node)));
        }
        put!(out, r#"<g class="{class}" transform="translate({left:.1} {board_top:.1})">{of_group}"#);
        board::draw(out, &data.drawing, data.to_move.index());
        let middle = board_width / 2.0;
        if data.mv.is_some() {
            let label = words::move_label(options.lang, tree, node);
            put!(out, r#"<text class="t-move" x="{middle:.1}" y="-8">{}</text>"#, escaped(&label));
        }
        if let Some((verdict, relation)) = verdict {
            badge(out, middle, board_height + BELOW, verdict, &words::badge(options.lang, verdict), relation);
        }
        if let Some((state, Visit { order, .. })) = state.as_ref().and_then(|state| Some((state, state.visits[node]?)))
        {
            if let Some(window) = words::window(options.lang, tree, state, node) {
                let below = board_height + BELOW + BADGE + WINDOW - 3.0;
                let window = escaped(&window).replace("  ", "\u{2003}");
                put!(out, r#"<text class="t-window" x="{middle:.1}" y="{below:.1}">{window}</text>"#);
            }
            put!(out, r#"<g class="order"><circle cx="-4" cy="-4" r="9"/><text x="-4" y="-0.2">{order}</text></g>"#);
        }
        out.push_str("</g>");
        if links.is_some() {
            out.push_str("</a>");
        }
        self.stub(out, node, x, top + block_height);
    }

    /// Draws the number of hidden moves below a node, or the button that folds them.
    fn stub(&self, out: &mut String, node: usize, x: f64, y: f64) {
        let Self { view, links, layout } = self;
        let hidden = view.hidden(node);
        let data = &view.tree.nodes[node];
        let go = match (hidden > 0, data.folded > 0) {
            (true, true) => LinkTarget::Subtree,
            (true, false) => LinkTarget::Unfold,
            (false, _) if !data.children.is_empty() && data.parent.is_some() => LinkTarget::Fold,
            (false, _) => return,
        };
        let (x, y) = if layout.sideways {
            let (board_width, board_height) = board::size(&data.drawing);
            (x + board_width / 2.0 + 20.0, y - layout.block.1 + MOVE + board_height / 2.0)
        } else {
            (x, y + 10.0)
        };
        if hidden > 0 {
            let words = words::hidden(view.options.lang, hidden);
            if let Some(links) = links {
                put!(out, r#"<a href="{}"><title>{words}</title>"#, escaped(&links(go, node)));
            }
            let text = format!("+{hidden}");
            let width = text_width(&text, 11.0) + 12.0;
            put!(
                out,
                r#"<g class="stub"><title>{words}</title><rect x="{:.1}" y="{:.1}" width="{width:.1}" height="16" rx="8"/><text x="{x:.1}" y="{:.1}">{text}</text></g>"#,
                x - width / 2.0,
                y - 8.0,
                y + 4.0,
            );
            out.push_str(if links.is_some() { "</a>" } else { "" });
        } else if let Some(links) = links {
            let words = words::fold(view.options.lang);
            put!(
                out,
                r#"<a href="{}" aria-label="{words}: {}"><g class="t-fold"><title>{words}</title><circle cx="{x:.1}" cy="{y:.1}" r="8"/><text x="{x:.1}" y="{:.1}">−</text></g></a>"#,
                escaped(&links(LinkTarget::Fold, node)),
                escaped(data.move_text()),
                y + 4.0,
            );
        }
    }
}

/// Draws a verdict in the winner's colour.
fn badge(out: &mut String, middle: f64, top: f64, verdict: Verdict, text: &str, relation: Relation) {
    let text = format!("{}{text}", relation.sign());
    let width = text_width(&text, 12.0) + 16.0;
    let class = verdict.winner.map_or(String::new(), |winner| format!(" p{}", winner.index()));
    put!(
        out,
        r#"<g class="t-badge{class}"><rect x="{:.1}" y="{top:.1}" width="{width:.1}" height="{BADGE}" rx="10"/><text x="{middle:.1}" y="{:.1}">{}</text></g>"#,
        middle - width / 2.0,
        top + 14.0,
        escaped(&text),
    );
}

/// A tree wider than this grows from left to right.
const MAX_WIDTH: f64 = 1500.0;

/// Heights around a board: the move that leads to it above; its value and the window below.
const MOVE: f64 = 19.0;
const BADGE: f64 = 20.0;
const WINDOW: f64 = 15.0;
/// Room between a board and the value below.
const BELOW: f64 = 8.0;

const BETWEEN_LEAVES: f64 = 18.0;
/// The distance from one level to the next, top down and sideways.
const BETWEEN_LEVELS: [f64; 2] = [46.0, 70.0];

/// Room to the right of the last level for the numbers of folded moves.
const STUB: f64 = 24.0;

/// The positions of all nodes, in pixels.
struct Layout {
    /// The middle of each visible node's block.
    middles: Vec<Option<(f64, f64)>>,
    /// The width and height of a block: board, move, badge and window.
    block: (f64, f64),
    /// The middle of each level, along the axis of levels.
    levels: Vec<f64>,
    /// The extent of all blocks.
    size: (f64, f64),
    /// Whether levels go from left to right.
    sideways: bool,
}

impl Layout {
    fn new(view: &TreeView) -> Self {
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
        let badge = text_width(&words::badge(options.lang, data.verdict), 12.0) + 30.0;
        let window = state.as_ref().and_then(|state| words::window(options.lang, tree, state, node));
        let window = window.map_or(0.0, |window| text_width(&window, 10.5));
        width = width
            .max(board_width + 6.0)
            .max(badge)
            .max(window)
            .max(text_width(&words::move_label(options.lang, tree, node), 11.5));
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
