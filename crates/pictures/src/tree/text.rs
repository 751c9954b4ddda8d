//! A game tree as text, for a terminal and for Graphviz: a board and its value for every node, with lines from parent to child.

use balpan_games::PlayerName;

use super::view::{TreeView, ViewOptions};
use super::words::letter;
use super::{GameTree, words};
use crate::COLUMNS;
use crate::board::board_lines;
use crate::text::in_columns;

impl GameTree {
    /// Writes the tree as text for 80 columns. Deep trees may be wider.
    #[must_use]
    pub fn text(&self, options: &ViewOptions) -> String {
        let view = TreeView::new(self, options);
        let lang = options.lang;
        let heading = words::capital(&words::heading(lang, self));
        let extent = words::capital(&words::extent(lang, self, view.state.as_ref()));
        let mut text = format!("{heading}\n{extent}\n\n");
        let mut writer = Writer { view: &view, text: String::new() };
        writer.node(0, "", "", "");
        text += &writer.text;
        text.push('\n');
        for line in words::key(lang, self, view.state.is_some()) {
            for line in in_columns(&line, COLUMNS) {
                text += &line;
                text.push('\n');
            }
        }
        text
    }
}

struct Writer<'a> {
    view: &'a TreeView<'a>,
    text: String,
}

impl Writer<'_> {
    fn line(&mut self, line: &str) {
        self.text += line.trim_end();
        self.text.push('\n');
    }

    /// Writes a node and its descendants. The first line begins with `first`, all others with `rest`. `mv` is
    /// the move to the node, padded to the width of its siblings' moves.
    fn node(&mut self, node: usize, first: &str, rest: &str, mv: &str) {
        let TreeView { tree, .. } = *self.view;
        let board = board_lines(&tree.nodes[node].drawing);
        let width = board.iter().map(String::len).max().unwrap_or(0);
        let beside = self.beside(node);
        let children: Vec<_> = self.view.children(node).collect();
        // Without a search, every node counts as visited.
        let is_visited = |child: &usize| self.view.state.as_ref().is_none_or(|state| state.visits[*child].is_some());
        let (visited, cut): (Vec<_>, Vec<_>) = children.into_iter().partition(is_visited);
        let below = if visited.is_empty() && cut.is_empty() { " " } else { "│" };
        for n in 0..board.len().max(beside.len()) {
            let row = board.get(n).map_or("", String::as_str);
            let words = beside.get(n).map_or("", String::as_str);
            let (lead, blank) =
                if n == 0 { (first.to_owned(), mv.to_owned()) } else { (rest.to_owned(), String::new()) };
            let mv_width = mv.chars().count();
            let blank = if n == 0 || mv_width == 0 { blank } else { format!("{below:mv_width$}") };
            self.line(&format!("{lead}{blank:mv_width$}{row:width$}  {words}"));
        }
        let marked = |child: &usize| {
            format!("{} {}", if self.view.is_best(*child) { '*' } else { ' ' }, tree.nodes[*child].move_text())
        };
        let moves: Vec<_> = visited.iter().map(marked).collect();
        let longest = moves.iter().map(|mv| mv.chars().count()).max().unwrap_or(0);
        for (n, (&child, mv)) in visited.iter().zip(&moves).enumerate() {
            let is_last = n + 1 == visited.len() && cut.is_empty();
            let (branch, on) = if is_last { ("└─", "  ") } else { ("├─", "│ ") };
            self.node(child, &format!("{rest}{branch}"), &format!("{rest}{on}"), &format!("{mv:longest$}  "));
        }
        self.cut(&cut, rest);
    }

    /// Returns the lines beside a board.
    fn beside(&self, node: usize) -> Vec<String> {
        let TreeView { tree, options, state, .. } = self.view;
        let lang = options.lang;
        let data = &tree.nodes[node];
        let verdict = self
            .view
            .verdict(node)
            .map(|(verdict, relation)| relation.sign().to_owned() + &words::badge(lang, verdict));
        let turn = if data.over { words::end(lang).to_owned() } else { words::to_move(lang, data.to_move) };
        let order = state.as_ref().map_or(String::new(), |state| format!("({}) ", state.order(node)));
        let mut lines =
            vec![format!("{order}{turn}{}", verdict.map_or(String::new(), |verdict| format!(": {verdict}")))];
        lines.extend(state.as_ref().and_then(|state| words::window(lang, tree, state, node)));
        if self.view.hidden(node) > 0 {
            lines.push(words::hidden(lang, self.view.hidden(node)));
        }
        lines
    }

    /// Writes the moves that were cut, with the reason.
    fn cut(&mut self, nodes: &[usize], rest: &str) {
        let TreeView { tree, options, state, .. } = self.view;
        let (Some(state), Some(&first)) = (state, nodes.first()) else {
            return;
        };
        let moves = nodes.iter().map(|node| tree.nodes[*node].move_text()).collect::<Vec<_>>().join("  ");
        let reason = state.cut_at(first).map(|cut| words::reason(options.lang, tree, state, state.cuts[cut]));
        let words = match reason {
            Some(reason) => words::passed_over(options.lang, &moves, &reason),
            None => moves,
        };
        let room = COLUMNS.saturating_sub(rest.chars().count() + 5).max(24);
        for (n, line) in in_columns(&words, room).into_iter().enumerate() {
            self.line(&format!("{rest}{}{line}", if n == 0 { "└╳  " } else { "    " }));
        }
    }
}

impl GameTree {
    /// Writes the tree in the DOT language.
    #[must_use]
    pub fn dot(&self, options: &ViewOptions) -> String {
        let view = TreeView::new(self, options);
        let lang = options.lang;
        let heading = words::capital(&words::heading(lang, self));
        let extent = words::capital(&words::extent(lang, self, view.state.as_ref()));
        let mut out = String::from("digraph tree {\n");
        put!(out, "  label={}; labelloc=t; fontname=\"sans-serif\";\n", quoted(&format!("{heading}\n{extent}")));
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
        lines.push(relation.sign().to_owned() + &words::badge(lang, verdict));
    }
    if let Some(state) = state.as_ref().filter(|state| state.visits[node].is_some()) {
        lines[0] = format!("({}) {}", state.order(node), lines[0]);
        lines.extend(words::window(lang, tree, state, node));
    }
    if view.hidden(node) > 0 {
        lines.push(format!("+{}", view.hidden(node)));
    }
    // The palette of M. Okabe and K. Ito, which colour-blind readers can distinguish.
    let colour = match verdict.map(|(verdict, _)| verdict.winner.map(PlayerName::index)) {
        Some(Some(0)) => "#0072B2",
        Some(Some(_)) => "#D55E00",
        Some(None) | None => "#6B7681",
    };
    let style = if verdict.is_some() { "" } else { ", style=\"rounded,dashed\"" };
    let label = words::node(lang, tree, node, verdict);
    let lines = quoted(&lines.join("\n"));
    put!(out, "  n{node} [label={lines}, color=\"{colour}\", tooltip={}{style}];\n", quoted(&label));
}

fn write_edge(out: &mut String, view: &TreeView, node: usize) {
    let TreeView { tree, options, state, .. } = view;
    let Some(parent) = tree.nodes[node].parent else {
        return;
    };
    let mut label = tree.nodes[node].move_text().to_owned();
    let mut more = String::from(if view.is_best(node) { ", penwidth=3" } else { "" });
    if let Some(state) = state {
        if state.visits[node].is_none() {
            more += ", style=dashed";
        }
        if let Some(cut) = state.cut_at(node) {
            label = format!("{label}  ‖ {}", letter(cut));
            put!(more, ", tooltip={}", quoted(&words::reason(options.lang, tree, state, state.cuts[cut])));
        }
    }
    put!(out, "  n{parent} -> n{node} [label={}{more}];\n", quoted(&label));
}

/// Quotes a string for the DOT language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
