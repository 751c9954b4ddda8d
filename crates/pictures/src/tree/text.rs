//! A game tree as text: a board and its value for every node, with lines from parent to child.

use super::look::{Look, Shown};
use super::sheet::Sheet;
use crate::COLUMNS;
use crate::board::lines::board_lines;
use crate::lines::in_columns;
use crate::words::tree as words;

impl Sheet {
    /// Writes the tree as text for 80 columns. Deep trees may be wider.
    #[must_use]
    pub fn text(&self, look: &Look) -> String {
        let shown = Shown::new(self, look);
        let lang = look.lang;
        let heading = words::capital(&words::heading(lang, self));
        let extent = words::capital(&words::extent(lang, self, shown.stage.as_ref()));
        let mut text = format!("{heading}\n{extent}\n\n");
        let mut writer = Writer { shown: &shown, text: String::new() };
        writer.node(0, "", "", "");
        text += &writer.text;
        text.push('\n');
        for line in words::key(lang, self, shown.stage.is_some()) {
            for line in in_columns(&line, COLUMNS) {
                text += &line;
                text.push('\n');
            }
        }
        text
    }
}

struct Writer<'a> {
    shown: &'a Shown<'a>,
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
        let Shown { sheet, .. } = *self.shown;
        let board = board_lines(&sheet.knots[node].drawing);
        let width = board.iter().map(String::len).max().unwrap_or(0);
        let beside = self.beside(node);
        let children: Vec<_> = self.shown.children(node).collect();
        let (visited, cut): (Vec<_>, Vec<_>) = children.into_iter().partition(|child| self.is_visited(*child));
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
        let moves: Vec<_> = visited.iter().map(|child| self.move_words(*child)).collect();
        let longest = moves.iter().map(|mv| mv.chars().count()).max().unwrap_or(0);
        for (n, (&child, mv)) in visited.iter().zip(&moves).enumerate() {
            let is_last = n + 1 == visited.len() && cut.is_empty();
            let (branch, on) = if is_last { ("└─", "  ") } else { ("├─", "│ ") };
            self.node(child, &format!("{rest}{branch}"), &format!("{rest}{on}"), &format!("{mv:longest$}  "));
        }
        self.cut(&cut, rest);
    }

    /// Whether the search has visited a node; always true without a search.
    fn is_visited(&self, node: usize) -> bool {
        self.shown.stage.as_ref().is_none_or(|stage| stage.seen[node].is_some())
    }

    fn move_words(&self, node: usize) -> String {
        let mark = if self.shown.is_best(node) { '*' } else { ' ' };
        format!("{mark} {}", self.shown.sheet.knots[node].mv)
    }

    /// Returns the lines beside a board.
    fn beside(&self, node: usize) -> Vec<String> {
        let Shown { sheet, look, stage, .. } = self.shown;
        let lang = look.lang;
        let knot = &sheet.knots[node];
        let worth = self
            .shown
            .found(node)
            .map(|(worth, relation)| relation.sign().to_owned() + &words::badge(lang, sheet, worth));
        let turn = if knot.over { words::end(lang).to_owned() } else { words::to_move(lang, sheet.mover(node)) };
        let order = stage.as_ref().map_or(String::new(), |stage| format!("({}) ", stage.order(node)));
        let mut lines = vec![format!("{order}{turn}{}", worth.map_or(String::new(), |worth| format!(": {worth}")))];
        lines.extend(stage.as_ref().and_then(|stage| words::window(lang, sheet, stage, node)));
        if self.shown.hidden(node) > 0 {
            lines.push(words::hidden(lang, self.shown.hidden(node)));
        }
        lines
    }

    /// Writes the moves that were cut, with the reason.
    fn cut(&mut self, nodes: &[usize], rest: &str) {
        let Shown { sheet, look, stage, .. } = self.shown;
        let (Some(stage), Some(&first)) = (stage, nodes.first()) else {
            return;
        };
        let moves = nodes.iter().map(|node| sheet.knots[*node].mv.as_str()).collect::<Vec<_>>().join("  ");
        let reason = stage.cut_at(first).map(|cut| words::reason(look.lang, sheet, stage, stage.cuts[cut]));
        let words = match reason {
            Some(reason) => words::passed_over(look.lang, &moves, &reason),
            None => moves,
        };
        let room = COLUMNS.saturating_sub(rest.chars().count() + 5).max(24);
        for (n, line) in in_columns(&words, room).into_iter().enumerate() {
            self.line(&format!("{rest}{}{line}", if n == 0 { "└╳  " } else { "    " }));
        }
    }
}
