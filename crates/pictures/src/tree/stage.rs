//! How far the search has come: what is known of each node after a number of its steps.

use balpan::tree::{Cut, Step, Window};
use balpan::{Bounds, Value};

use super::sheet::Sheet;

/// How a value that is handed back stands to the node's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Relation {
    Exactly,
    /// The node is worth as much at the least to the player to move at the root.
    AtLeast,
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

/// What the search has found of a node.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Seen {
    /// The node's place in the order of visits, from 1.
    pub(crate) order: usize,
    pub(crate) window: Window,
    /// What it has handed back, if it has.
    pub(crate) found: Option<(Value, Bounds)>,
}

/// All that is known at a step.
#[derive(Clone, Debug)]
pub(crate) struct Stage<'a> {
    pub(crate) seen: Vec<Option<Seen>>,
    pub(crate) cuts: Vec<&'a Cut>,
    /// The cut that a node is beneath, by its number.
    pub(crate) cut_by: Vec<Option<usize>>,
    /// The step that was just taken, unless all have been.
    pub(crate) now: Option<&'a Step>,
}

impl<'a> Stage<'a> {
    /// After the first `steps`; `None` if there was no search. All steps where `steps` says nothing.
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

    /// A node's place in the order of visits; 0 before it was visited.
    pub(crate) fn order(&self, node: usize) -> usize {
        self.seen[node].map_or(0, |seen| seen.order)
    }

    /// What a node has handed back, and what that says.
    pub(crate) fn found(&self, sheet: &Sheet, node: usize) -> Option<(Value, Relation)> {
        let (value, known) = self.seen[node]?.found?;
        Some((value, relation(value, known, sheet.knots[node].depth)))
    }

    /// Whether the move to a node is the one that gave the node before it its value.
    pub(crate) fn is_best(&self, sheet: &Sheet, node: usize) -> bool {
        let of = |node: usize| self.seen[node].and_then(|seen| seen.found).map(|(value, _)| value);
        let Some(parent) = sheet.knots[node].parent else {
            return false;
        };
        let gives = |child: &&usize| of(**child).map(Value::back) == of(parent);
        of(parent).is_some() && sheet.knots[parent].children.iter().find(gives) == Some(&node)
    }

    /// The cut that passed over this very node's move.
    pub(crate) fn cut_at(&self, node: usize) -> Option<usize> {
        self.cut_by[node].filter(|cut| self.cuts[*cut].unvisited.contains(&node))
    }
}

/// How a value handed back stands to that of a node `depth` plies below the root.
pub(crate) fn relation(value: Value, known: Bounds, depth: usize) -> Relation {
    match known {
        Bounds { lower, upper } if lower == upper => Relation::Exactly,
        // What is the least to the other player is the most to the root's.
        Bounds { lower, .. } if (lower == value) == depth.is_multiple_of(2) => Relation::AtLeast,
        _ => Relation::AtMost,
    }
}
