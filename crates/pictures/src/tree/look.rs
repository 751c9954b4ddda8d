//! What of a tree is shown, and how.

use super::sheet::{Sheet, Worth};
use super::stage::{Relation, Stage};
use crate::words::Lang;

/// What of a tree is shown, and in which language.
#[derive(Clone, Debug, Default)]
pub struct Look {
    /// The language.
    pub lang: Lang,
    /// How many of the search's steps have been taken; all if left out.
    pub step: Option<usize>,
    /// The ways to nodes beneath which nothing is shown.
    pub folds: Vec<Vec<usize>>,
}

/// A sheet, and what of it is shown.
#[derive(Clone, Debug)]
pub struct Shown<'a> {
    /// The whole tree.
    pub sheet: &'a Sheet,
    /// What is shown of it.
    pub look: &'a Look,
    pub(crate) stage: Option<Stage<'a>>,
    /// Whether each node is shown.
    pub(crate) visible: Vec<bool>,
}

impl<'a> Shown<'a> {
    /// As much of a sheet as a look says.
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

    /// The shown children of a node.
    pub fn children(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        self.sheet.knots[node].children.iter().copied().filter(|child| self.visible[*child])
    }

    /// Whether the reader has folded away what is beneath a node.
    pub(crate) fn is_folded(&self, node: usize) -> bool {
        let knot = &self.sheet.knots[node];
        !knot.children.is_empty() && self.look.folds.contains(&knot.path)
    }

    /// How many moves there are beneath a node that are not shown.
    #[must_use]
    pub fn hidden(&self, node: usize) -> usize {
        let knots = &self.sheet.knots;
        if !self.is_folded(node) {
            return knots[node].folded;
        }
        let beneath = knots[node + 1..].iter().take_while(|knot| knot.depth > knots[node].depth);
        beneath.map(|knot| 1 + knot.folded).sum()
    }

    /// What is known of a node's worth.
    pub(crate) fn found(&self, node: usize) -> Option<(Worth, Relation)> {
        let knot = &self.sheet.knots[node];
        match &self.stage {
            None => Some((knot.worth(), Relation::Exactly)),
            Some(stage) => {
                stage.found(self.sheet, node).map(|(value, relation)| (Worth::new(value, knot.depth), relation))
            }
        }
    }

    /// Whether the move to a node is a best one, as far as is known.
    #[must_use]
    pub fn is_best(&self, node: usize) -> bool {
        match &self.stage {
            Some(stage) => stage.is_best(self.sheet, node),
            None => self.sheet.knots[node].is_best,
        }
    }
}
