//! The state of the search after a number of steps.

use balpan::tree::{Cut, Step, Window};
use balpan::{Bounds, Value};

use super::sheet::Sheet;

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
pub(crate) struct Seen {
    /// The number of the visit, from 1.
    pub(crate) order: usize,
    pub(crate) window: Window,
    /// The value returned and the bounds that it implies; `None` before the search leaves the node.
    pub(crate) found: Option<(Value, Bounds)>,
}

/// The state of the search after a step.
#[derive(Clone, Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) seen: Vec<Option<Seen>>,
    pub(crate) cuts: Vec<&'a Cut>,
    /// For each node, the index of the cut that removed it or an ancestor.
    pub(crate) cut_by: Vec<Option<usize>>,
    /// The last step taken; `None` in the state after all steps.
    pub(crate) now: Option<&'a Step>,
}

impl<'a> Stage<'a> {
    /// Returns the state after the first `steps` steps, or after all of them; `None` if there was no search.
    pub(crate) fn new(sheet: &'a Sheet, steps: Option<usize>) -> Option<Self> {
        let all = sheet.search.as_ref()?.steps();
        let taken = &all[..steps.unwrap_or(all.len()).min(all.len())];
        let nodes = sheet.knots.len();
        let now = steps.and(taken.last());
        let mut stage = Self { seen: vec![None; nodes], cuts: Vec::new(), cut_by: vec![None; nodes], now };
        let mut visited = 0;
        for step in taken {
            match step {
                Step::Enter { node, window } => {
                    visited += 1;
                    stage.seen[*node] = Some(Seen { order: visited, window: *window, found: None });
                }
                Step::Leave { node, value, known } => {
                    if let Some(seen) = &mut stage.seen[*node] {
                        seen.found = Some((*value, *known));
                    }
                }
                Step::Cut(cut) => {
                    for &node in &cut.unvisited {
                        stage.cut_by[node] = Some(stage.cuts.len());
                    }
                    stage.cuts.push(cut);
                }
            }
        }
        for (node, knot) in sheet.knots.iter().enumerate() {
            if let Some(parent) = knot.parent {
                stage.cut_by[node] = stage.cut_by[node].or(stage.cut_by[parent]);
            }
        }
        Some(stage)
    }

    pub(crate) fn visited(&self) -> usize {
        self.seen.iter().flatten().count()
    }

    /// Returns the number of a node's visit, from 1; 0 before the visit.
    pub(crate) fn order(&self, node: usize) -> usize {
        self.seen[node].map_or(0, |seen| seen.order)
    }

    /// Returns the value that the search returned for a node, and its relation to the node's value.
    pub(crate) fn found(&self, sheet: &Sheet, node: usize) -> Option<(Value, Relation)> {
        let (value, known) = self.seen[node]?.found?;
        Some((value, relation(value, known, sheet.knots[node].depth)))
    }

    /// Whether the move to a node is the one that gave its parent the value.
    pub(crate) fn is_best(&self, sheet: &Sheet, node: usize) -> bool {
        let returned = |node: usize| self.seen[node].and_then(|seen| seen.found).map(|(value, _)| value);
        let Some(parent) = sheet.knots[node].parent else {
            return false;
        };
        let gives = |child: &&usize| returned(**child).map(Value::back) == returned(parent);
        returned(parent).is_some() && sheet.knots[parent].children.iter().find(gives) == Some(&node)
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
