//! Textbook alpha-beta over a finished tree, with a trace of every step.

use super::{Node, Tree};
use crate::search::length::with_stack_for;
use crate::value::{Bounds, Turn, Value};

/// The alpha-beta window of a node, for the player to move: a value matters only if it is better than `alpha` and worse
/// than `beta`. A bound is `None` if there is none yet, or if every value at this node would be better than it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// The value that the player to move can reach elsewhere.
    pub alpha: Option<Value>,
    /// The value that the other player can reach elsewhere, for the player to move.
    pub beta: Option<Value>,
}

/// A value that a player can reach elsewhere in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The value at the node of the cutoff, for the player to move there.
    pub value: Value,
    /// The node further up where the player has the choice.
    pub at: usize,
    /// The child of `at` that the player can choose instead.
    pub by: usize,
    /// The value at `at`, for the player who has the choice.
    pub there: Value,
}

/// The reason of a cutoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The player to move wins in one ply: nothing is better.
    AtOnce,
    /// A beta cutoff: the player to move has found a move so good that the other player, who can reach as much
    /// elsewhere, avoids this node.
    Elsewhere(Bound),
    /// One of the players already wins elsewhere, no later than anybody could win here.
    NoSooner(Bound),
}

/// A cutoff: moves that are not searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node whose moves are cut off.
    pub node: usize,
    /// The children that are not visited.
    pub unvisited: Vec<usize>,
    /// The reason.
    pub reason: Reason,
}

impl Cut {
    /// Returns whether this is a deep cutoff: its bound was set further up than by the parent's moves.
    #[must_use]
    pub fn is_deep<Position, Move>(&self, tree: &Tree<Position, Move>) -> bool {
        match self.reason {
            Reason::AtOnce => false,
            Reason::Elsewhere(bound) | Reason::NoSooner(bound) => {
                tree.nodes[bound.at].depth + 2 < tree.nodes[self.node].depth
            }
        }
    }
}

/// A step of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// The search enters a node.
    Enter {
        /// The node.
        node: usize,
        /// The window at the node.
        window: Window,
    },
    /// The search cuts off moves.
    Cut(Cut),
    /// The search returns from a node with a value.
    Leave {
        /// The node.
        node: usize,
        /// The returned value, for the player to move at the node.
        value: Value,
        /// The bounds found for the node's value. The returned value is one of them, and both if it is exact.
        known: Bounds,
    },
}

impl Step {
    /// Returns the node of the step.
    #[must_use]
    pub const fn node(&self) -> usize {
        match self {
            Self::Enter { node, .. } | Self::Leave { node, .. } | Self::Cut(Cut { node, .. }) => *node,
        }
    }
}

/// All steps of a search, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    steps: Vec<Step>,
    value: Value,
}

impl Trace {
    /// Returns the steps.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Returns the value of the root.
    #[must_use]
    pub const fn value(&self) -> Value {
        self.value
    }

    /// Returns the visited nodes in order.
    pub fn visits(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|step| match step {
            Step::Enter { node, .. } => Some(*node),
            Step::Cut(_) | Step::Leave { .. } => None,
        })
    }

    /// Returns all cutoffs.
    pub fn cuts(&self) -> impl Iterator<Item = &Cut> {
        self.steps.iter().filter_map(|step| match step {
            Step::Cut(cut) => Some(cut),
            Step::Enter { .. } | Step::Leave { .. } => None,
        })
    }
}

/// Searches the tree depth first by fail-soft alpha-beta with an open window, with the moves in their order. At the depth
/// limit of the tree it takes the value of the node.
///
/// Values include the remoteness, so the search also cuts off nodes where no win can be soon enough.
///
/// Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
/// Artificial Intelligence 6 (1975), deep cutoffs included; fail-soft: J. P. Fishburn (1983).
#[must_use]
pub fn search<Position: Sync, Move: Sync>(tree: &Tree<Position, Move>) -> Trace {
    let depth = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    with_stack_for(u32::try_from(depth).ok(), || {
        let mut tracer = Tracer { tree, steps: Vec::new() };
        let found = tracer.visit(0, None, None);
        Trace { steps: tracer.steps, value: found.value }
    })
}

struct Tracer<'a, Position, Move> {
    tree: &'a Tree<Position, Move>,
    steps: Vec<Step>,
}

/// The result of a node.
#[derive(Clone, Copy)]
struct NodeResult {
    value: Value,
    known: Bounds,
}

impl Bound {
    /// Returns the bound for the child node, as its player to move sees it.
    const fn to_child(self, turn: Turn) -> Self {
        Self { value: turn.to_child(self.value), ..self }
    }
}

impl<Position, Move> Tracer<'_, Position, Move> {
    fn visit(&mut self, node: usize, alpha: Option<Bound>, beta: Option<Bound>) -> NodeResult {
        let window = Window { alpha: alpha.map(|bound| bound.value), beta: beta.map(|bound| bound.value) };
        self.steps.push(Step::Enter { node, window });
        let tree = self.tree;
        let Node { children, value, .. } = &tree.nodes[node];
        let found = if children.is_empty() {
            NodeResult { value: *value, known: Bounds::exact(*value) }
        } else {
            self.visit_children(node, children, alpha, beta)
        };
        self.steps.push(Step::Leave { node, value: found.value, known: found.known });
        found
    }

    fn visit_children(
        &mut self,
        node: usize,
        children: &[usize],
        mut alpha: Option<Bound>,
        beta: Option<Bound>,
    ) -> NodeResult {
        let Bounds { lower: worst, upper: best_of_all } = Bounds::ANY;
        // The value of a node with moves is between a loss in one and a win in one.
        let beyond = |bound: &Bound| bound.value >= best_of_all;
        let below = |bound: &Bound| bound.value <= worst;
        if let Some(bound) = beta.filter(below).or(alpha.filter(beyond)) {
            self.cut(node, children, Reason::NoSooner(bound));
            let value = if bound.value <= worst { worst } else { best_of_all };
            return NodeResult { value, known: Bounds::ANY };
        }
        let beta = beta.filter(|bound| !beyond(bound));
        alpha = alpha.filter(|bound| !below(bound));
        let mut found = NodeResult { value: worst, known: Bounds::exact(worst) };
        for (n, &child) in children.iter().enumerate() {
            let turn = self.tree.nodes[child].turn;
            let [lower, upper] = [alpha, beta].map(|bound| bound.map(|bound| bound.to_child(turn)));
            let after = match turn {
                Turn::Passes => self.visit(child, upper, lower),
                Turn::Kept => self.visit(child, lower, upper),
            };
            let (value, known) = (turn.to_parent(after.value), turn.bounds_to_parent(after.known));
            found.value = found.value.max(value);
            found.known.lower = found.known.lower.max(known.lower);
            found.known.upper = found.known.upper.max(known.upper);
            let reason = match beta {
                _ if found.value >= best_of_all => Some(Reason::AtOnce),
                Some(bound) if found.value >= bound.value => Some(Reason::Elsewhere(bound)),
                _ => None,
            };
            let others = &children[n + 1..];
            if let Some(reason) = reason {
                if !others.is_empty() {
                    self.cut(node, others, reason);
                    found.known.upper = best_of_all;
                }
                return found;
            }
            if value > alpha.map_or(worst, |bound| bound.value) {
                alpha = Some(Bound { value, at: node, by: child, there: value });
            }
        }
        found
    }

    fn cut(&mut self, node: usize, unvisited: &[usize], reason: Reason) {
        self.steps.push(Step::Cut(Cut { node, unvisited: unvisited.to_vec(), reason }));
    }
}
