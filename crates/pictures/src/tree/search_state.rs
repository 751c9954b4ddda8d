//! The state of the search after a number of steps.

use balpan::tree::{Cut, Step, Window};
use balpan::{Bounds, Value};

use super::game_tree::GameTree;

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
        Some((value, relation(value, known, tree.nodes[node].depth)))
    }

    /// Whether the move to a node is the one that gave its parent the value.
    pub(crate) fn is_best(&self, tree: &GameTree, node: usize) -> bool {
        let returned = |node: usize| self.visits[node].and_then(|visit| visit.returned).map(|(value, _)| value);
        let Some(parent) = tree.nodes[node].parent else {
            return false;
        };
        let gives = |child: &&usize| returned(**child).map(Value::to_parent) == returned(parent);
        returned(parent).is_some() && tree.nodes[parent].children.iter().find(gives) == Some(&node)
    }

    /// Returns the index of the cut that removed this node itself.
    pub(crate) fn cut_at(&self, node: usize) -> Option<usize> {
        self.cut_by[node].filter(|cut| self.cuts[*cut].unvisited.contains(&node))
    }
}

/// Returns the relation of a returned value to that of a node `depth` plies below the root.
pub(crate) fn relation(value: Value, known: Bounds, depth: usize) -> Relation {
    match known {
        Bounds { lower, upper } if lower == upper => Relation::Exactly,
        // A lower bound for the other player is an upper bound for the root's player.
        Bounds { lower, .. } if (lower == value) == depth.is_multiple_of(2) => Relation::AtLeast,
        _ => Relation::AtMost,
    }
}
