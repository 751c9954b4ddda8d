//! The visible part of a game tree.

use super::sheet::{Sheet, Worth};
use super::stage::{Relation, Stage};
use crate::words::Lang;

/// Options for a view of a tree.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The language.
    pub lang: Lang,
    /// The number of search steps taken; `None` for all.
    pub step: Option<usize>,
    /// The paths of nodes whose descendants are hidden.
    pub folds: Vec<Vec<usize>>,
}

/// A view of a game tree: its visible nodes after some steps of the search.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The whole tree.
    pub sheet: &'a Sheet,
    /// The options of the view.
    pub look: &'a Look,
    pub(crate) stage: Option<Stage<'a>>,
    /// Whether each node is visible.
    pub(crate) visible: Vec<bool>,
}

impl<'a> Shown<'a> {
    /// Creates the view of a tree.
    #[must_use]
    pub fn new(sheet: &'a Sheet, look: &'a Look) -> Self {
        let mut visible = vec![true; sheet.knots.len()];
        for (node, knot) in sheet.knots.iter().enumerate() {
            if let Some(parent) = knot.parent {
                visible[node] = visible[parent] && !look.folds.contains(&sheet.knots[parent].path);
            }
        }
        Self { sheet, look, stage: Stage::new(sheet, look.step), visible }
    }

    /// Returns the visible children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.sheet.knots[node].children.iter().copied().filter(|child| self.visible[*child])
    }

    /// Whether the reader has hidden the descendants of a node.
    pub(crate) fn is_folded(&self, node: usize) -> bool {
        let knot = &self.sheet.knots[node];
        !knot.children.is_empty() && self.look.folds.contains(&knot.path)
    }

    /// Returns the number of moves below a node that are not visible.
    #[must_use]
    pub fn hidden(&self, node: usize) -> usize {
        let knots = &self.sheet.knots;
        if !self.is_folded(node) {
            return knots[node].folded;
        }
        let beneath = knots[node + 1..].iter().take_while(|knot| knot.depth > knots[node].depth);
        beneath.map(|knot| 1 + knot.folded).sum()
    }

    /// Returns a node's value as the search has found it; the exact value if there is no search.
    pub(crate) fn found(&self, node: usize) -> Option<(Worth, Relation)> {
        let knot = &self.sheet.knots[node];
        match &self.stage {
            None => Some((knot.worth(), Relation::Exactly)),
            Some(stage) => {
                stage.found(self.sheet, node).map(|(value, relation)| (Worth::new(value, knot.depth), relation))
            }
        }
    }

    /// Whether the move to a node is a best move, as far as the search has found.
    #[must_use]
    pub fn is_best(&self, node: usize) -> bool {
        match &self.stage {
            Some(stage) => stage.is_best(self.sheet, node),
            None => self.sheet.knots[node].is_best,
        }
    }
}
