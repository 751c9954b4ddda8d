//! What a tree looks like as JSON: describes `balpan_pictures::tree::TreeJson`.

use serde::Serialize;
use utoipa::ToSchema;

/// A tree; the field names are part of the command's contract.
#[derive(Serialize, ToSchema)]
#[schema(as = Tree)]
pub(crate) struct TreeJson {
    /// What the game is called.
    game: String,
    /// The root's text.
    position: String,
    /// The player to move at the root.
    to_move: String,
    /// Plies from the root to the lowest node.
    depth: usize,
    /// How many nodes there are.
    positions: usize,
    /// Each after its parent.
    nodes: Vec<NodeJson>,
    /// What alpha-beta does, if that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    alpha_beta: Option<SearchJson>,
}

/// A value: of a position, for the player to move there.
#[derive(Serialize, ToSchema)]
pub(crate) struct ValueJson {
    /// `win`, `draw` or `loss`.
    outcome: String,
    /// Plies to the end; null for a draw.
    #[schema(required = true)]
    remoteness: Option<u32>,
    /// Who wins, if anybody.
    #[schema(required = true)]
    winner: Option<String>,
}

/// A position of the tree.
#[derive(Serialize, ToSchema)]
pub(crate) struct NodeJson {
    /// The node's number: its place among all.
    id: usize,
    /// The node before; null for the root.
    #[schema(required = true)]
    parent: Option<usize>,
    /// The move that leads here; null for the root.
    #[schema(required = true)]
    #[serde(rename = "move")]
    mv: Option<String>,
    position: String,
    to_move: String,
    #[serde(flatten)]
    value: ValueJson,
    /// Whether play has ended.
    over: bool,
    /// Whether the move that leads here is a best one.
    best: bool,
    /// The nodes after each move.
    children: Vec<usize>,
    /// How many moves the tree does not follow.
    folded: usize,
}

/// What alpha-beta does.
#[derive(Serialize, ToSchema)]
pub(crate) struct SearchJson {
    /// How many nodes it visits.
    visited: usize,
    /// What it does, in order.
    steps: Vec<StepJson>,
}

/// One thing that alpha-beta does. Values are for the player to move at the node.
#[derive(Serialize, ToSchema)]
#[serde(tag = "step", rename_all = "snake_case")]
#[expect(dead_code, reason = "describes what `balpan_pictures` writes")]
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
        bound: String,
    },
    Cut {
        node: usize,
        unvisited: Vec<usize>,
        kind: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        set_at: Option<usize>,
        #[serde(skip_serializing_if = "Option::is_none")]
        set_by: Option<usize>,
        reason: String,
    },
}
