//! A game tree as a DOT file, for Graphviz.

use std::fmt::Write;

use super::look::{Look, Shown};
use super::sheet::Sheet;
use super::svg::letter;
use crate::board::lines::board_lines;
use crate::board::tint;
use crate::words::tree as words;

impl Sheet {
    /// Writes the tree in the DOT language.
    #[must_use]
    pub fn dot(&self, look: &Look) -> String {
        let shown = Shown::new(self, look);
        let lang = look.lang;
        let heading = words::capital(&words::heading(lang, self));
        let extent = words::capital(&words::extent(lang, self, shown.stage.as_ref()));
        let mut out = String::from("digraph tree {\n");
        // Writing to a string cannot fail.
        let _ =
            writeln!(out, "  label={}; labelloc=t; fontname=\"sans-serif\";", quoted(&format!("{heading}\n{extent}")));
        out += "  node [shape=box, style=\"rounded\", fontname=\"monospace\"];\n";
        out += "  edge [arrowhead=none, fontname=\"sans-serif\"];\n";
        for node in (0..self.knots.len()).filter(|node| shown.visible[*node]) {
            write_node(&mut out, &shown, node);
            write_edge(&mut out, &shown, node);
        }
        out + "}\n"
    }
}

fn write_node(out: &mut String, shown: &Shown, node: usize) {
    let Shown { sheet, look, stage, .. } = shown;
    let lang = look.lang;
    let knot = &sheet.knots[node];
    let found = shown.found(node);
    let mut lines = board_lines(&knot.drawing);
    if let Some((worth, relation)) = found {
        lines.push(relation.sign().to_owned() + &words::badge(lang, sheet, worth));
    }
    if let Some(stage) = stage.as_ref().filter(|stage| stage.seen[node].is_some()) {
        lines[0] = format!("({}) {}", stage.order(node), lines[0]);
        lines.extend(words::window(lang, sheet, stage, node));
    }
    if shown.hidden(node) > 0 {
        lines.push(format!("+{}", shown.hidden(node)));
    }
    // The palette of M. Okabe and K. Ito, which colour-blind readers can distinguish.
    let colour = match found.map(|(worth, _)| worth.winner.map(|winner| tint(sheet.players[winner]))) {
        Some(Some(0)) => "#0072B2",
        Some(Some(_)) => "#D55E00",
        Some(None) | None => "#6B7681",
    };
    let style = if found.is_some() { "" } else { ", style=\"rounded,dashed\"" };
    let label = words::node(lang, sheet, node, found);
    let lines = quoted(&lines.join("\n"));
    let _ = writeln!(out, "  n{node} [label={lines}, color=\"{colour}\", tooltip={}{style}];", quoted(&label));
}

fn write_edge(out: &mut String, shown: &Shown, node: usize) {
    let Shown { sheet, look, stage, .. } = shown;
    let Some(parent) = sheet.knots[node].parent else {
        return;
    };
    let mut label = sheet.knots[node].mv.clone();
    let mut more = String::from(if shown.is_best(node) { ", penwidth=3" } else { "" });
    if let Some(stage) = stage {
        if stage.seen[node].is_none() {
            more += ", style=dashed";
        }
        if let Some(cut) = stage.cut_at(node) {
            label = format!("{label}  ‖ {}", letter(cut));
            let _ = write!(more, ", tooltip={}", quoted(&words::reason(look.lang, sheet, stage, stage.cuts[cut])));
        }
    }
    let _ = writeln!(out, "  n{parent} -> n{node} [label={}{more}];", quoted(&label));
}

/// Quotes a string for the DOT language.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n"))
}
