//! A game tree as JSON.

use balpan::tree::{Bound, Reason, Step};
use balpan::{Bounds, Value};
use balpan_games::PlayerName;
use serde::Serialize;

use super::game_tree::{GameTree, Verdict};
use super::search_state::{Relation, SearchState, relation};
use super::view::{TreeView, ViewOptions};
use crate::words::tree as words;

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
    nodes: Vec<NodeJson<'a>>,
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

/// A position of the tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub(crate) struct NodeJson<'a> {
    /// The node's index.
    id: usize,
    /// The parent's index; null for the root.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    parent: Option<usize>,
    /// The move that leads here; null for the root.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    mv: Option<&'a str>,
    position: &'a str,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    to_move: PlayerName,
    #[serde(flatten)]
    value: ValueJson,
    /// Whether play has ended.
    over: bool,
    /// Whether the move that leads here is a best move.
    best: bool,
    /// The indices of the children.
    children: Vec<usize>,
    /// The number of moves without a child node.
    folded: usize,
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
        let node = |(id, data): (usize, _)| {
            let data: &super::game_tree::Node = data;
            NodeJson {
                id,
                parent: data.parent,
                mv: data.parent.map(|_| data.mv.as_str()),
                position: &data.position,
                to_move: self.mover(id),
                value: self.value_json(data.value, data.depth),
                over: data.over,
                best: data.is_best,
                children: data.children.clone(),
                folded: data.folded,
            }
        };
        let view = TreeView::new(self, options);
        TreeJson {
            game: &self.game,
            position: &self.nodes[0].position,
            to_move: self.players[0],
            depth: self.depth,
            positions: self.positions(),
            nodes: self.nodes.iter().enumerate().map(node).collect(),
            alpha_beta: view.state.map(|state| self.search_json(options, &state)),
        }
    }

    fn value_json(&self, value: Value, depth: usize) -> ValueJson {
        let outcome = match value.outcome() {
            balpan::Outcome::Win => "win",
            balpan::Outcome::Draw => "draw",
            balpan::Outcome::Loss => "loss",
        };
        let winner = Verdict::new(value, depth).winner.map(|winner| self.players[winner]);
        ValueJson { outcome, remoteness: value.remoteness(), winner }
    }

    fn search_json(&self, options: &ViewOptions, state: &SearchState) -> SearchJson {
        let steps = self.search.iter().flat_map(|search| search.steps());
        let step = |step: &Step| match step {
            Step::Enter { node, window } => {
                let side = |bound: Option<Value>| bound.map(|value| self.value_json(value, self.nodes[*node].depth));
                let (alpha, beta) = (side(window.alpha), side(window.beta));
                StepJson::Enter { node: *node, order: state.order(*node), alpha, beta }
            }
            Step::Leave { node, value, known } => StepJson::Leave {
                node: *node,
                value: self.value_json(*value, self.nodes[*node].depth),
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
        SearchJson { visited: state.visited(), steps: steps.map(step).collect() }
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
