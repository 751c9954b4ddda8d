//! A game tree as an SVG picture.

use std::fmt::Write;

use super::game_tree::{GameTree, Verdict};
use super::layout::{BADGE, BELOW, Layout, MOVE, WINDOW};
use super::search_state::{Relation, Visit};
use super::view::{TreeView, ViewOptions};
use crate::board::svg as board;
use crate::text::{escaped, text_width, wrapped};
use crate::words::tree as words;

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
    let tree_height = origin.1 + layout.size.1 + stub_room(view);
    let height = tree_height + MARGIN + below.len() as f64 * LINE + if below.is_empty() { 0.0 } else { 8.0 };
    let mut out = String::new();
    let picture = Picture { view, layout: &layout, links };
    let (heading, extent) = (words::heading(options.lang, tree), words::extent(options.lang, tree, state.as_ref()));
    let role = if links.is_some() { "group" } else { "img" };
    let label = escaped(&format!("{heading}. {extent}"));
    // Writing to a string cannot fail.
    let _ = write!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" class="tree" viewBox="0 0 {width:.0} {height:.0}" width="{width:.0}" height="{height:.0}" role="{role}" aria-label="{label}">"#
    );
    if links.is_none() {
        let _ = write!(out, "<style>{STYLE}</style>");
        let _ = write!(out, r#"<rect class="paper" width="{width:.0}" height="{height:.0}" rx="8"/>"#);
        let _ =
            write!(out, r#"<text class="heading" x="{MARGIN}" y="30">{}</text>"#, escaped(&words::capital(&heading)));
        let _ = write!(out, r#"<text class="muted" x="{MARGIN}" y="50">{}</text>"#, escaped(&words::capital(&extent)));
    }
    picture.levels(&mut out, origin, width);
    let _ = write!(out, r#"<g transform="translate({:.1} {:.1})">"#, origin.0, origin.1);
    for node in (0..tree.nodes.len()).filter(|node| view.visible[*node]) {
        picture.edge(&mut out, node);
    }
    for node in (0..tree.nodes.len()).filter(|node| view.visible[*node]) {
        picture.node(&mut out, node);
    }
    out.push_str("</g>");
    for (n, line) in below.iter().enumerate() {
        let y = tree_height + 24.0 + n as f64 * LINE;
        let _ = write!(out, r#"<text class="muted" x="{MARGIN}" y="{y:.1}">{line}</text>"#);
    }
    out.push_str("</svg>");
    out
}

/// Returns the room below the last level for the numbers of folded moves.
fn stub_room(view: &TreeView) -> f64 {
    let any = (0..view.visible.len()).any(|node| view.visible[node] && view.hidden(node) > 0);
    if any { 24.0 } else { 0.0 }
}

/// Returns the reasons of the visible cuts and the legend, wrapped to a width, as SVG.
fn words_below(view: &TreeView, width: f64) -> Vec<String> {
    let TreeView { tree, options, state, .. } = view;
    let mut lines = Vec::new();
    if let Some(state) = state {
        for (n, cut) in state.cuts.iter().enumerate().filter(|(_, cut)| view.visible[cut.unvisited[0]]) {
            let reason = words::reason(options.lang, tree, state, cut);
            for (i, line) in wrapped(&reason, |line| text_width(line, 12.0) <= width - 24.0).into_iter().enumerate() {
                let letter = if i == 0 { letter(n) } else { String::new() };
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

/// Returns the label of a cut: a, b, .., z, a1, ..
pub(crate) fn letter(n: usize) -> String {
    let letter = char::from(b'a' + (n % 26) as u8);
    if n < 26 { letter.to_string() } else { format!("{letter}{}", n / 26) }
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
            let name = tree.players[depth % 2];
            let (who, picks) = if over {
                (words::end(options.lang).to_owned(), String::new())
            } else {
                (words::to_move(options.lang, name), words::picks(options.lang, name))
            };
            let class = if over { "who".to_owned() } else { format!("who p{}", name.index()) };
            let (x, y) = if layout.sideways {
                (origin.0 + middle - block_width / 2.0, origin.1 - SIDE[1] + 14.0)
            } else {
                let top = origin.1 + middle - block_height / 2.0 - 8.0;
                if depth % 2 == 0 {
                    let _ = write!(
                        out,
                        r#"<rect class="band" x="0" y="{top:.1}" width="{width:.0}" height="{:.1}"/>"#,
                        block_height + 14.0
                    );
                }
                (MARGIN, origin.1 + middle)
            };
            let _ = write!(out, r#"<text class="{class}" x="{x:.1}" y="{y:.1}">{}</text>"#, escaped(&who));
            let _ = write!(out, r#"<text class="muted" x="{x:.1}" y="{:.1}">{}</text>"#, y + 16.0, escaped(&picks));
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
        let _ = write!(
            out,
            r#"<path class="{class}" d="M{x0:.1} {y0:.1}C{x1:.1} {y1:.1} {x2:.1} {y2:.1} {x3:.1} {y3:.1}"/>"#
        );
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
        let _ = write!(
            out,
            r#"<g class="cut"><title>{}</title><path class="bar" transform="translate({x:.1} {y:.1}) rotate({turn:.1})" d="M-2.5 -8v16M3.5 -8v16"/><text class="note" x="{:.1}" y="{:.1}">{}</text></g>"#,
            escaped(&reason),
            x + beside.0,
            y + beside.1,
            letter(cut),
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
        let mover = tree.mover(node);
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
            let _ = write!(out, r#"<a href="{}">{of_link}"#, escaped(&links(LinkTarget::Position, node)));
        }
        let _ = write!(out, r#"<g class="{class}" transform="translate({left:.1} {board_top:.1})">{of_group}"#);
        board::draw(out, &data.drawing, mover.index());
        let middle = board_width / 2.0;
        if !data.mv.is_empty() {
            let _ = write!(out, r#"<text class="t-move" x="{middle:.1}" y="-8">{}</text>"#, escaped(&data.mv));
        }
        if let Some((verdict, relation)) = verdict {
            badge(
                out,
                middle,
                board_height + BELOW,
                verdict,
                &words::badge(options.lang, tree, verdict),
                relation,
                tree,
            );
        }
        if let Some((state, Visit { order, .. })) = state.as_ref().and_then(|state| Some((state, state.visits[node]?)))
        {
            if let Some(window) = words::window(options.lang, tree, state, node) {
                let below = board_height + BELOW + BADGE + WINDOW - 3.0;
                let window = escaped(&window).replace("  ", "\u{2003}");
                let _ = write!(out, r#"<text class="t-window" x="{middle:.1}" y="{below:.1}">{window}</text>"#);
            }
            let _ = write!(
                out,
                r#"<g class="order"><circle cx="-4" cy="-4" r="9"/><text x="-4" y="-0.2">{order}</text></g>"#
            );
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
                let _ = write!(out, r#"<a href="{}"><title>{words}</title>"#, escaped(&links(go, node)));
            }
            let text = format!("+{hidden}");
            let width = text_width(&text, 11.0) + 12.0;
            let _ = write!(
                out,
                r#"<g class="stub"><title>{words}</title><rect x="{:.1}" y="{:.1}" width="{width:.1}" height="16" rx="8"/><text x="{x:.1}" y="{:.1}">{text}</text></g>"#,
                x - width / 2.0,
                y - 8.0,
                y + 4.0,
            );
            out.push_str(if links.is_some() { "</a>" } else { "" });
        } else if let Some(links) = links {
            let words = words::fold(view.options.lang);
            let _ = write!(
                out,
                r#"<a href="{}" aria-label="{words}: {}"><g class="t-fold"><title>{words}</title><circle cx="{x:.1}" cy="{y:.1}" r="8"/><text x="{x:.1}" y="{:.1}">−</text></g></a>"#,
                escaped(&links(LinkTarget::Fold, node)),
                escaped(&data.mv),
                y + 4.0,
            );
        }
    }
}

/// Draws a verdict in the winner's colour.
fn badge(out: &mut String, middle: f64, top: f64, verdict: Verdict, text: &str, relation: Relation, tree: &GameTree) {
    let text = format!("{}{text}", relation.sign());
    let width = text_width(&text, 12.0) + 16.0;
    let class = verdict.winner.map_or(String::new(), |winner| format!(" p{}", tree.players[winner].index()));
    let _ = write!(
        out,
        r#"<g class="t-badge{class}"><rect x="{:.1}" y="{top:.1}" width="{width:.1}" height="{BADGE}" rx="10"/><text x="{middle:.1}" y="{:.1}">{}</text></g>"#,
        middle - width / 2.0,
        top + 14.0,
        escaped(&text),
    );
}
