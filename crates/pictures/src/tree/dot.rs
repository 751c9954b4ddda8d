//! A game tree as a DOT file, for Graphviz.

use std::fmt::Write;

use super::game_tree::GameTree;
use super::svg::letter;
use super::view::{TreeView, ViewOptions};
use crate::board::board_lines;
use crate::words::tree as words;

impl GameTree {
    /// Writes the tree in the DOT language.
    #[must_use]
    pub fn dot(&self, options: &ViewOptions) -> String {
        let view = TreeView::new(self, options);
        let lang = options.lang;
        let heading = words::capital(&words::heading(lang, self));
        let extent = words::capital(&words::extent(lang, self, view.state.as_ref()));
        let mut out = String::from("digraph tree {\n");
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "  label={}; labelloc=t; fontname=\"sans-serif\";", quoted(&format!("{heading}\n{extent}")));
        out += "  node [shape=box, style=\"rounded\", fontname=\"monospace\"];\n";
        out += "  edge [arrowhead=none, fontname=\"sans-serif\"];\n";
        for node in (0..self.nodes.len()).filter(|node| view.visible[*node]) {
            write_node(&mut out, &view, node);
            write_edge(&mut out, &view, node);
        }
        out + "}\n"
    }
}

fn write_node(out: &mut String, view: &TreeView, node: usize) {
    let TreeView { tree, options, state, .. } = view;
    let lang = options.lang;
    let data = &tree.nodes[node];
    let verdict = view.verdict(node);
    let mut lines = board_lines(&data.drawing);
    if let Some((verdict, relation)) = verdict {
        lines.push(relation.sign().to_owned() + &words::badge(lang, tree, verdict));
    }
    if let Some(state) = state.as_ref().filter(|state| state.visits[node].is_some()) {
        lines[0] = format!("({}) {}", state.order(node), lines[0]);
        lines.extend(words::window(lang, tree, state, node));
    }
    if view.hidden(node) > 0 {
        lines.push(format!("+{}", view.hidden(node)));
    }
    // The palette of M. Okabe and K. Ito, which colour-blind readers can distinguish.
    let colour = match verdict.map(|(verdict, _)| verdict.winner.map(|winner| tree.players[winner].index())) {
        Some(Some(0)) => "#0072B2",
        Some(Some(_)) => "#D55E00",
        Some(None) | None => "#6B7681",
    };
    let style = if verdict.is_some() { "" } else { ", style=\"rounded,dashed\"" };
    let label = words::node(lang, tree, node, verdict);
    let lines = quoted(&lines.join("\n"));
    let _ = writeln!(out, "  n{node} [label={lines}, color=\"{colour}\", tooltip={}{style}];", quoted(&label));
}

fn write_edge(out: &mut String, view: &TreeView, node: usize) {
    let TreeView { tree, options, state, .. } = view;
    let Some(parent) = tree.nodes[node].parent else {
        return;
    };
    let mut label = tree.nodes[node].mv.clone();
    let mut more = String::from(if view.is_best(node) { ", penwidth=3" } else { "" });
    if let Some(state) = state {
        if state.visits[node].is_none() {
            more += ", style=dashed";
        }
        if let Some(cut) = state.cut_at(node) {
            label = format!("{label}  ‖ {}", letter(cut));
            let _ = write!(more, ", tooltip={}", quoted(&words::reason(options.lang, tree, state, state.cuts[cut])));
        }
    }
    let _ = writeln!(out, "  n{parent} -> n{node} [label={}{more}];", quoted(&label));
}

/// Quotes a string for the DOT language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
