//! The visible part of a game tree, and the state of the search after a number of steps.

use balpan::tree::{Cut, Step, Window};
use balpan::{Bounds, Value};

use super::{GameTree, Verdict, words};
use crate::words::Lang;

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
            None => Some((data.verdict, Relation::Exactly)),
            Some(state) => {
                state.returned(self.tree, node).map(|(value, relation)| (self.tree.verdict(value, node), relation))
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
        let labelled =
            |(n, cut): (usize, &&Cut)| (words::letter(n), words::reason(self.options.lang, self.tree, state, cut));
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

/// The relation between a node's value and the value that the search returned, for the player to move at the
/// root.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Exactly,
    /// The node's value is at least the returned one.
    AtLeast,
    /// The node's value is at most the returned one.
    AtMost,
}

impl Relation {
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Exactly => "",
            Self::AtLeast => "≥ ",
            Self::AtMost => "≤ ",
        }
    }
}

/// The visit of a node by the search.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Visit {
    /// The number of the visit, from 1.
    pub(crate) order: usize,
    pub(crate) window: Window,
    /// The value returned and the bounds that it implies; `None` before the search leaves the node.
    pub(crate) returned: Option<(Value, Bounds)>,
}

/// The state of the search after a step.
#[derive(Clone, Debug)]
pub(crate) struct SearchState<'a> {
    pub(crate) visits: Vec<Option<Visit>>,
    pub(crate) cuts: Vec<&'a Cut>,
    /// For each node, the index of the cut that removed it or an ancestor.
    pub(crate) cut_by: Vec<Option<usize>>,
    /// The last step taken; `None` in the state after all steps.
    pub(crate) now: Option<&'a Step>,
}

impl<'a> SearchState<'a> {
    /// Returns the state after the first `steps` steps, or after all of them; `None` if there was no search.
    pub(crate) fn new(tree: &'a GameTree, steps: Option<usize>) -> Option<Self> {
        let all = tree.search.as_ref()?.steps();
        let taken = &all[..steps.unwrap_or(all.len()).min(all.len())];
        let nodes = tree.nodes.len();
        let now = steps.and(taken.last());
        let mut state = Self { visits: vec![None; nodes], cuts: Vec::new(), cut_by: vec![None; nodes], now };
        let mut visited = 0;
        for step in taken {
            match step {
                Step::Enter { node, window } => {
                    visited += 1;
                    state.visits[*node] = Some(Visit { order: visited, window: *window, returned: None });
                }
                Step::Leave { node, value, known } => {
                    if let Some(visit) = &mut state.visits[*node] {
                        visit.returned = Some((*value, *known));
                    }
                }
                Step::Cut(cut) => {
                    for &node in &cut.unvisited {
                        state.cut_by[node] = Some(state.cuts.len());
                    }
                    state.cuts.push(cut);
                }
            }
        }
        for (node, data) in tree.nodes.iter().enumerate() {
            if let Some(parent) = data.parent {
                state.cut_by[node] = state.cut_by[node].or(state.cut_by[parent]);
            }
        }
        Some(state)
    }

    pub(crate) fn visited(&self) -> usize {
        self.visits.iter().flatten().count()
    }

    /// Returns the number of a node's visit, from 1; 0 before the visit.
    pub(crate) fn order(&self, node: usize) -> usize {
        self.visits[node].map_or(0, |visit| visit.order)
    }

    /// Returns the value that the search returned for a node, and its relation to the node's value.
    pub(crate) fn returned(&self, tree: &GameTree, node: usize) -> Option<(Value, Relation)> {
        let (value, known) = self.visits[node]?.returned?;
        Some((value, relation(value, known, tree.nodes[node].mover)))
    }

    /// Whether the move to a node is the one that gave its parent the value.
    pub(crate) fn is_best(&self, tree: &GameTree, node: usize) -> bool {
        let returned = |node: usize| self.visits[node].and_then(|visit| visit.returned).map(|(value, _)| value);
        let Some(parent) = tree.nodes[node].parent else {
            return false;
        };
        let given = |child: usize| returned(child).map(|value| tree.nodes[child].turn.to_parent(value));
        let gives = |child: &&usize| given(**child) == returned(parent);
        returned(parent).is_some() && tree.nodes[parent].children.iter().find(gives) == Some(&node)
    }

    /// Returns the index of the cut that removed this node itself.
    pub(crate) fn cut_at(&self, node: usize) -> Option<usize> {
        self.cut_by[node].filter(|cut| self.cuts[*cut].unvisited.contains(&node))
    }
}

/// Returns the relation of a returned value to that of a node in which the player `mover` is to move: 0 is the root's.
pub(crate) fn relation(value: Value, known: Bounds, mover: usize) -> Relation {
    match known {
        Bounds { lower, upper } if lower == upper => Relation::Exactly,
        // A lower bound for the other player is an upper bound for the root's player.
        Bounds { lower, .. } if (lower == value) == (mover == 0) => Relation::AtLeast,
        _ => Relation::AtMost,
    }
}
