//! Alpha-beta as the textbooks have it, over a tree that is there already, with
//! everything that it does written down.

use super::{Node, Tree};
use crate::search::length::with_stack_for;
use crate::value::{Bounds, Value};

/// What each player has elsewhere already, for the player to move: a value here matters
/// only if it is better than `alpha` and worse than `beta`. `None` where there is nothing
/// yet, or nothing that a value here could fail to better.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Window {
    /// What the player to move can have elsewhere.
    pub alpha: Option<Value>,
    /// What the other player can have elsewhere, as the player to move sees it.
    pub beta: Option<Value>,
}

/// What a player can have elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bound {
    /// Its value where it cuts, for the player to move there.
    pub value: Value,
    /// The node further up where that player has the choice.
    pub at: usize,
    /// The node to which it goes from there.
    pub by: usize,
    /// Its value where there is the choice, for the player who has it.
    pub there: Value,
}

/// Why moves need not be looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The player to move wins at once: nothing is better.
    AtOnce,
    /// The player to move has found a move so good that the other player, who can have
    /// as much elsewhere, does not come here.
    Elsewhere(Bound),
    /// One of them wins already elsewhere, no later than anybody could win here.
    NoSooner(Bound),
}

/// Moves that are not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The node whose moves they are.
    pub node: usize,
    /// The nodes that they lead to; nothing beneath them is visited.
    pub unvisited: Vec<usize>,
    /// Why.
    pub reason: Reason,
}

impl Cut {
    /// Whether it was not the move just before that set the bound, but one further up:
    /// a deep cutoff.
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

/// One thing that the search does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// It comes to a node.
    Enter {
        /// The node.
        node: usize,
        /// What matters there.
        window: Window,
    },
    /// It passes over moves.
    Cut(Cut),
    /// It goes back up with a value.
    Leave {
        /// The node.
        node: usize,
        /// What it hands back, for the player to move there.
        value: Value,
        /// What has become known of the node's value: what it hands back is the one end,
        /// and both, if it is the node's value itself.
        known: Bounds,
    },
}

impl Step {
    /// The node that it is about.
    #[must_use]
    pub const fn node(&self) -> usize {
        match self {
            Self::Enter { node, .. } | Self::Leave { node, .. } | Self::Cut(Cut { node, .. }) => *node,
        }
    }
}

/// All that the search did, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    steps: Vec<Step>,
    value: Value,
}

impl Trace {
    /// What it did.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The root's value, which it has found.
    #[must_use]
    pub const fn value(&self) -> Value {
        self.value
    }

    /// The nodes in the order of visits.
    pub fn visits(&self) -> impl Iterator<Item = usize> {
        self.steps.iter().filter_map(|step| match step {
            Step::Enter { node, .. } => Some(*node),
            Step::Cut(_) | Step::Leave { .. } => None,
        })
    }

    /// All that it passed over.
    pub fn cuts(&self) -> impl Iterator<Item = &Cut> {
        self.steps.iter().filter_map(|step| match step {
            Step::Cut(cut) => Some(cut),
            Step::Enter { .. } | Step::Leave { .. } => None,
        })
    }
}

/// Searches the tree depth first by fail-soft alpha-beta with an open window, the moves in
/// their order. Where the tree is cut short, the value there is taken as found.
///
/// Values tell the plies as well, so the search passes over what cannot be soon enough,
/// too.
///
/// Source: D. E. Knuth and R. W. Moore, "An analysis of alpha-beta pruning",
/// Artificial Intelligence 6 (1975), deep cutoffs included; fail-soft: J. P. Fishburn (1983).
#[must_use]
pub fn search<Position: Sync, Move: Sync>(tree: &Tree<Position, Move>) -> Trace {
    let depth = tree.nodes.iter().map(|node| node.depth).max().unwrap_or(0);
    with_stack_for(u32::try_from(depth).ok(), || {
        let mut record = Record { tree, steps: Vec::new() };
        let found = record.visit(0, None, None);
        Trace { steps: record.steps, value: found.value }
    })
}

struct Record<'a, Position, Move> {
    tree: &'a Tree<Position, Move>,
    steps: Vec<Step>,
}

/// What a node hands back.
#[derive(Clone, Copy)]
struct Found {
    value: Value,
    known: Bounds,
}

impl Bound {
    /// The same as the other player sees it after a move.
    const fn after_a_move(self) -> Self {
        Self { value: self.value.to_child(), ..self }
    }
}

impl<Position, Move> Record<'_, Position, Move> {
    fn visit(&mut self, node: usize, alpha: Option<Bound>, beta: Option<Bound>) -> Found {
        let window = Window { alpha: alpha.map(|bound| bound.value), beta: beta.map(|bound| bound.value) };
        self.steps.push(Step::Enter { node, window });
        let tree = self.tree;
        let Node { children, value, .. } = &tree.nodes[node];
        let found = if children.is_empty() {
            Found { value: *value, known: Bounds::exact(*value) }
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
    ) -> Found {
        let Bounds { lower: worst, upper: best_of_all } = Bounds::ANY;
        // A node with moves is never worth more than a win in one, nor less than a loss in one.
        let beyond = |bound: &Bound| bound.value >= best_of_all;
        let below = |bound: &Bound| bound.value <= worst;
        if let Some(bound) = beta.filter(below).or(alpha.filter(beyond)) {
            self.cut(node, children, Reason::NoSooner(bound));
            let value = if bound.value <= worst { worst } else { best_of_all };
            return Found { value, known: Bounds::ANY };
        }
        let beta = beta.filter(|bound| !beyond(bound));
        alpha = alpha.filter(|bound| !below(bound));
        let mut found = Found { value: worst, known: Bounds::exact(worst) };
        for (n, &child) in children.iter().enumerate() {
            let after = self.visit(child, beta.map(Bound::after_a_move), alpha.map(Bound::after_a_move));
            let value = after.value.to_parent();
            found.value = found.value.max(value);
            found.known.lower = found.known.lower.max(after.known.upper.to_parent());
            found.known.upper = found.known.upper.max(after.known.lower.to_parent());
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
