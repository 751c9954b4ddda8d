//! The words around the picture of a tree on a page.

use balpan::tree::Cut;

use super::look::Shown;
use super::sheet::Sheet;
use super::svg::letter;
use crate::Lang;
use crate::words::tree as words;

impl Sheet {
    /// Returns the heading: the game, its size, and the winner.
    #[must_use]
    pub fn heading(&self, lang: Lang) -> String {
        words::capital(&words::heading(lang, self))
    }
}

impl Shown<'_> {
    /// Returns the size of the tree, and of the part that the search has visited.
    #[must_use]
    pub fn extent(&self) -> String {
        words::capital(&words::extent(self.look.lang, self.sheet, self.stage.as_ref()))
    }

    /// Returns the explanations of the picture's marks.
    #[must_use]
    pub fn legend(&self) -> Vec<String> {
        words::legend(self.look.lang, self.sheet, self.stage.is_some())
    }

    /// Returns the label and the reason of each cut.
    #[must_use]
    pub fn cuts(&self) -> Vec<(String, String)> {
        let Some(stage) = &self.stage else {
            return Vec::new();
        };
        let labelled = |(n, cut): (usize, &&Cut)| (letter(n), words::reason(self.look.lang, self.sheet, stage, cut));
        stage.cuts.iter().enumerate().map(labelled).collect()
    }

    /// Describes the last step of the search, if there is one.
    #[must_use]
    pub fn step(&self) -> Option<String> {
        self.stage.as_ref().map(|stage| words::step(self.look.lang, self.sheet, stage))
    }

    /// Describes a node for screen readers: `after 1,2: O to move, draw`.
    #[must_use]
    pub fn label(&self, node: usize) -> String {
        words::node(self.look.lang, self.sheet, node, self.found(node))
    }

    /// Returns the number of moves below a node that are not visible, in words.
    #[must_use]
    pub fn hidden_words(&self, node: usize) -> String {
        words::hidden(self.look.lang, self.hidden(node))
    }
}
