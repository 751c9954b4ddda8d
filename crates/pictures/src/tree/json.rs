//! A game tree as JSON.

use balpan::tree::{Bound, Reason, Step};
use balpan::{Bounds, Outcome, Value};
use balpan_games::PlayerName;
use serde::Serialize;

use super::view::{Relation, SearchState, TreeView, ViewOptions, relation};
use super::{GameTree, Node, Verdict, words};

/// A game tree. The field names are part of the command's contract.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = Tree))]
pub struct TreeJson<'a> {
    /// The game's name.
    game: &'a str,
    /// The root position.
    position: &'a str,
    /// The player to move at the root.
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    to_move: PlayerName,
    /// Plies from the root to the lowest node.
    depth: usize,
    /// The number of nodes.
    positions: usize,
    /// The nodes; each one comes after its parent.
    nodes: &'a [Node],
    /// The alpha-beta search, if requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_beta: Option<SearchJson>,
}

/// The value of a position for the player to move.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct ValueJson {
    /// `win`, `draw` or `loss`.
    outcome: &'static str,
    /// Plies to the end; null for a draw.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    remoteness: Option<u32>,
    /// The winner; null for a draw.
    #[cfg_attr(feature = "openapi", schema(required = true, value_type = Option<String>))]
    winner: Option<PlayerName>,
}

impl ValueJson {
    /// Converts the value of a position `depth` plies below the root.
    pub(crate) fn new(value: Value, depth: usize, players: [PlayerName; 2]) -> Self {
        let outcome = match value.outcome() {
            Outcome::Win => "win",
            Outcome::Draw => "draw",
            Outcome::Loss => "loss",
        };
        let winner = Verdict::new(value, depth).winner.map(|winner| players[winner]);
        Self { outcome, remoteness: value.remoteness(), winner }
    }
}

/// An alpha-beta search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct SearchJson {
    /// The number of nodes visited.
    visited: usize,
    /// The steps in order.
    steps: Vec<StepJson>,
}

/// One step of alpha-beta. Values are for the player to move at the node.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(tag = "step", rename_all = "snake_case")]
pub(crate) enum StepJson {
    Enter {
        node: usize,
        order: usize,
        alpha: Option<ValueJson>,
        beta: Option<ValueJson>,
    },
    Leave {
        node: usize,
        #[serde(flatten)]
        value: ValueJson,
        bound: &'static str,
    },
    Cut {
        node: usize,
        unvisited: Vec<usize>,
        kind: &'static str,
        #[serde(skip_serializing_if = "Option::is_none")]
        set_at: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        set_by: Option<usize>,
        reason: String,
    },
}

impl GameTree {
    /// Returns the tree for serialization. The reasons of cuts are in the view's language.
    #[must_use]
    pub fn json(&self, options: &ViewOptions) -> TreeJson<'_> {
        let view = TreeView::new(self, options);
        TreeJson {
            game: &self.game,
            position: &self.nodes[0].position,
            to_move: self.players[0],
            depth: self.depth,
            positions: self.nodes.len(),
            nodes: &self.nodes,
            alpha_beta: view.state.map(|state| self.search_json(options, &state)),
        }
    }

    fn value_json(&self, value: Value, node: usize) -> ValueJson {
        ValueJson::new(value, self.nodes[node].depth, self.players)
    }

    fn search_json(&self, options: &ViewOptions, state: &SearchState) -> SearchJson {
        let step = |step: &Step| match step {
            Step::Enter { node, window } => {
                let side = |bound: Option<Value>| bound.map(|value| self.value_json(value, *node));
                let (alpha, beta) = (side(window.alpha), side(window.beta));
                StepJson::Enter { node: *node, order: state.order(*node), alpha, beta }
            }
            Step::Leave { node, value, known } => StepJson::Leave {
                node: *node,
                value: self.value_json(*value, *node),
                bound: bound_word(*value, *known),
            },
            Step::Cut(cut) => {
                let (kind, bound) = match cut.reason {
                    Reason::AtOnce => ("at_once", None),
                    Reason::Elsewhere(bound) => ("elsewhere", Some(bound)),
                    Reason::NoSooner(bound) => ("no_sooner", Some(bound)),
                };
                StepJson::Cut {
                    node: cut.node,
                    unvisited: cut.unvisited.clone(),
                    kind,
                    set_at: bound.map(|Bound { at, .. }| at),
                    set_by: bound.map(|Bound { by, .. }| by),
                    reason: words::reason(options.lang, self, state, cut),
                }
            }
        };
        SearchJson { visited: state.visited(), steps: self.steps().iter().map(step).collect() }
    }
}

/// Names the bound that a returned value is, for the player to move.
fn bound_word(value: Value, known: Bounds) -> &'static str {
    match relation(value, known, 0) {
        Relation::Exactly => "exact",
        Relation::AtLeast => "at_least",
        Relation::AtMost => "at_most",
    }
}
