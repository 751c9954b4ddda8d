//! What a page says around a tree's picture.

use balpan::tree::Cut;

use super::look::Shown;
use super::sheet::Sheet;
use super::svg::letter;
use crate::Lang;
use crate::words::tree as words;

impl Sheet {
    /// The game, its size, and who wins.
    #[must_use]
    pub fn heading(&self, lang: Lang) -> String {
        words::capital(&words::heading(lang, self))
    }
}

impl Shown<'_> {
    /// How large the tree is, and how much of it the search has seen.
    #[must_use]
    pub fn extent(&self) -> String {
        words::capital(&words::extent(self.look.lang, self.sheet, self.stage.as_ref()))
    }

    /// What the picture's marks mean, each with its explanation.
    #[must_use]
    pub fn legend(&self) -> Vec<String> {
        words::legend(self.look.lang, self.sheet, self.stage.is_some())
    }

    /// The letter of each cut that has been made, and why it was.
    #[must_use]
    pub fn cuts(&self) -> Vec<(String, String)> {
        let Some(stage) = &self.stage else {
            return Vec::new();
        };
        let told = |(n, cut): (usize, &&Cut)| (letter(n), words::reason(self.look.lang, self.sheet, stage, cut));
        stage.cuts.iter().enumerate().map(told).collect()
    }

    /// What happens at the step that was just taken, if there is a search.
    #[must_use]
    pub fn step(&self) -> Option<String> {
        self.stage.as_ref().map(|stage| words::step(self.look.lang, self.sheet, stage))
    }

    /// A node for those who do not see it: `after 1,2: O to move, draw`.
    #[must_use]
    pub fn label(&self, node: usize) -> String {
        words::node(self.look.lang, self.sheet, node, self.found(node))
    }

    /// How many moves beneath a node are not shown, in words.
    #[must_use]
    pub fn hidden_words(&self, node: usize) -> String {
        words::hidden(self.look.lang, self.hidden(node))
    }
}
