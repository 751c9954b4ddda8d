//! The visible part of a game tree.

use balpan::tree::Cut;

use super::game_tree::{GameTree, Verdict};
use super::search_state::{Relation, SearchState};
use super::svg::letter;
use crate::words::{Lang, tree as words};

/// Options for a view of a tree.
#[derive(Clone, Debug, Default)]
pub struct ViewOptions {
    /// The language.
    pub lang: Lang,
    /// The number of search steps taken; `None` for all.
    pub step: Option<usize>,
    /// The paths of nodes whose descendants are hidden.
    pub folds: Vec<Vec<usize>>,
}

/// A view of a game tree: its visible nodes after some steps of the search.
#[derive(Clone, Debug)]
pub struct TreeView<'a> {
    /// The whole tree.
    pub tree: &'a GameTree,
    /// The options of the view.
    pub options: &'a ViewOptions,
    pub(crate) state: Option<SearchState<'a>>,
    /// Whether each node is visible.
    pub(crate) visible: Vec<bool>,
}

impl<'a> TreeView<'a> {
    /// Creates the view of a tree.
    #[must_use]
    pub fn new(tree: &'a GameTree, options: &'a ViewOptions) -> Self {
        let mut visible = vec![true; tree.nodes.len()];
        for (node, data) in tree.nodes.iter().enumerate() {
            if let Some(parent) = data.parent {
                visible[node] = visible[parent] && !options.folds.contains(&tree.nodes[parent].path);
            }
        }
        Self { tree, options, state: SearchState::new(tree, options.step), visible }
    }

    /// Returns the visible children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.tree.nodes[node].children.iter().copied().filter(|child| self.visible[*child])
    }

    /// Whether the reader has hidden the descendants of a node.
    pub(crate) fn is_folded(&self, node: usize) -> bool {
        let data = &self.tree.nodes[node];
        !data.children.is_empty() && self.options.folds.contains(&data.path)
    }

    /// Returns the number of moves below a node that are not visible.
    #[must_use]
    pub fn hidden(&self, node: usize) -> usize {
        let nodes = &self.tree.nodes;
        if !self.is_folded(node) {
            return nodes[node].folded;
        }
        let beneath = nodes[node + 1..].iter().take_while(|data| data.depth > nodes[node].depth);
        beneath.map(|data| 1 + data.folded).sum()
    }

    /// Returns a node's value as the search has found it; the exact value if there is no search.
    pub(crate) fn verdict(&self, node: usize) -> Option<(Verdict, Relation)> {
        let data = &self.tree.nodes[node];
        match &self.state {
            None => Some((data.verdict(), Relation::Exactly)),
            Some(state) => {
                state.returned(self.tree, node).map(|(value, relation)| (Verdict::new(value, data.depth), relation))
            }
        }
    }

    /// Whether the move to a node is a best move, as far as the search has found.
    #[must_use]
    pub fn is_best(&self, node: usize) -> bool {
        match &self.state {
            Some(state) => state.is_best(self.tree, node),
            None => self.tree.nodes[node].is_best,
        }
    }

    /// Returns the size of the tree, and of the part that the search has visited.
    #[must_use]
    pub fn extent(&self) -> String {
        words::capital(&words::extent(self.options.lang, self.tree, self.state.as_ref()))
    }

    /// Returns the explanations of the picture's marks.
    #[must_use]
    pub fn legend(&self) -> Vec<String> {
        words::legend(self.options.lang, self.tree, self.state.is_some())
    }

    /// Returns the label and the reason of each cut.
    #[must_use]
    pub fn cuts(&self) -> Vec<(String, String)> {
        let Some(state) = &self.state else {
            return Vec::new();
        };
        let labelled = |(n, cut): (usize, &&Cut)| (letter(n), words::reason(self.options.lang, self.tree, state, cut));
        state.cuts.iter().enumerate().map(labelled).collect()
    }

    /// Describes the last step of the search, if there is one.
    #[must_use]
    pub fn step(&self) -> Option<String> {
        self.state.as_ref().map(|state| words::step(self.options.lang, self.tree, state))
    }

    /// Describes a node for screen readers: `after 1,2: O to move, draw`.
    #[must_use]
    pub fn label(&self, node: usize) -> String {
        words::node(self.options.lang, self.tree, node, self.verdict(node))
    }

    /// Returns the number of moves below a node that are not visible, in words.
    #[must_use]
    pub fn hidden_text(&self, node: usize) -> String {
        words::hidden(self.options.lang, self.hidden(node))
    }
}
