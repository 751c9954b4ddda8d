//! Game trees as SVG, text, DOT and JSON, with the steps of alpha-beta on them.

mod svg;
mod text;
mod view;
mod words;

use balpan::tree::{Bound, Reason, Step, Trace, Tree, TreeError, deepest, grow, search};
use balpan::{Budget, Engine, Game, Outcome, Retrograde, Solver, Stopped, TableError, TooLong, Turn, Value, Watch};
use balpan_games::{AnyGame, Notation, PlayerName, SizedOracle};
use serde::Serialize;

use crate::Lang;
use crate::board::{Drawing, drawing};

pub use svg::{LinkTarget, Links, STYLE};
use view::{Relation, SearchState, relation};
pub use view::{TreeView, ViewOptions};

/// Options for building a tree, and limits on its cost.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// The depth in plies; `None` for the deepest tree that stays [readable](Self::READABLE).
    pub depth: Option<usize>,
    /// Whether to run alpha-beta on the tree.
    pub alpha_beta: bool,
    /// The maximum number of positions.
    pub max_positions: usize,
    /// Bytes for the table of the solver that finds the values of the tree's leaves.
    pub memory: usize,
    /// Threads of that solver.
    pub threads: usize,
    /// A source of exact values.
    pub oracle: Option<SizedOracle>,
}

impl TreeOptions {
    const fn budget(&self) -> Budget {
        Budget { memory: self.memory, threads: self.threads }
    }

    /// Positions of a tree that can be read at a glance: the limit of the default depth.
    pub const READABLE: usize = 40;
}

/// The reason why a tree cannot be built.
#[derive(Clone, Debug, thiserror::Error)]
pub enum GameTreeError {
    /// The tree is too large.
    #[error("the tree has more than {max_positions} positions at a depth of {depth}")]
    TooMany {
        /// The depth.
        depth: usize,
        /// The maximum number of positions.
        max_positions: usize,
    },
    /// Play may last too long for a search.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// Play may repeat, and the positions that it can reach do not fit in the memory.
    #[error(transparent)]
    Table(TableError),
    /// The watch stopped the work.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl From<TableError> for GameTreeError {
    fn from(error: TableError) -> Self {
        match error {
            TableError::Stopped(stopped) => stopped.into(),
            error => Self::Table(error),
        }
    }
}

/// A position of the tree.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = NodeJson))]
pub struct Node {
    /// The node's index.
    pub id: usize,
    /// The parent's index; null for the root.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub parent: Option<usize>,
    /// The move that leads here; null for the root.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "openapi", schema(required = true))]
    pub mv: Option<String>,
    position: String,
    #[cfg_attr(feature = "openapi", schema(value_type = String))]
    to_move: PlayerName,
    #[serde(flatten)]
    pub(crate) verdict: Verdict,
    /// Whether play has ended.
    pub(crate) over: bool,
    /// Whether the move that leads here is a best move.
    #[serde(rename = "best")]
    pub(crate) is_best: bool,
    /// The indices of the children.
    pub(crate) children: Vec<usize>,
    /// The number of moves without a child node.
    pub folded: usize,
    /// Plies below the root.
    #[serde(skip)]
    pub(crate) depth: usize,
    #[serde(skip)]
    pub(crate) drawing: Drawing,
    /// The value for the player to move.
    #[serde(skip)]
    pub(crate) value: Value,
    /// Whose turn it is after the move that leads here, and the index in the tree's players of the player to move.
    #[serde(skip)]
    pub(crate) turn: Turn,
    #[serde(skip)]
    pub(crate) mover: usize,
    /// The path from the root: the index of each move among its siblings.
    #[serde(skip)]
    pub path: Vec<usize>,
}

impl Node {
    /// Returns the move that leads here; empty for the root.
    #[must_use]
    pub fn move_text(&self) -> &str {
        self.mv.as_deref().unwrap_or_default()
    }
}

/// A game tree, with the trace of alpha-beta on it if requested.
#[derive(Clone, Debug)]
pub struct GameTree {
    pub(crate) game: String,
    pub(crate) size: String,
    /// The player to move at the root, and the other.
    pub(crate) players: [PlayerName; 2],
    /// The nodes; each one comes after its parent.
    pub nodes: Vec<Node>,
    pub(crate) depth: usize,
    /// Whether some move keeps the turn, so that the players to move at a depth may differ.
    pub(crate) keeps_turns: bool,
    /// Whether the game has scores.
    pub(crate) has_scores: bool,
    /// The requested depth, which is more than the tree's if play ends sooner.
    pub requested_depth: usize,
    pub(crate) search: Option<Trace>,
}

impl GameTree {
    /// Returns the steps of alpha-beta; none if it did not run.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        self.search.as_ref().map_or(&[], Trace::steps)
    }

    /// Returns the depth of the deepest tree of at most `max_positions` positions, at least 1.
    #[must_use]
    pub fn max_useful_depth(&self, game: &AnyGame, max_positions: usize) -> usize {
        let game = game.erased();
        deepest(&game, &game.start(), max_positions).max(1)
    }

    /// Returns the tree with `turn` (0 or 1) to move at the root, if players are distinguished by turn alone.
    #[must_use]
    pub fn with_turn(mut self, turn: usize) -> Self {
        if turn == 1 && self.players[0].is_by_turn() {
            self.players.swap(0, 1);
            for node in &mut self.nodes {
                node.to_move = self.players[node.mover];
                node.verdict = Verdict::new(node.value, node.mover, self.players, self.has_scores);
            }
        }
        self
    }

    /// Returns the moves from the root to a node.
    #[must_use]
    pub fn moves_to(&self, node: usize) -> Vec<&str> {
        let mut moves: Vec<_> = std::iter::successors(Some(node), |node| self.nodes[*node].parent)
            .filter_map(|node| self.nodes[node].mv.as_deref())
            .collect();
        moves.reverse();
        moves
    }

    /// Returns the heading: the game, its size, and the winner.
    #[must_use]
    pub fn heading(&self, lang: Lang) -> String {
        words::capital(&words::heading(lang, self))
    }

    /// Whether some node has moves without a child node.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.nodes.iter().any(|data| data.folded > 0)
    }
}

/// Builds the tree of the game called `name` from its start.
///
/// # Errors
/// [`GameTreeError`] if the tree is too large, play may last too long, or `watch` stops the work.
pub fn build_tree(game: &AnyGame, name: &str, options: TreeOptions, watch: &Watch) -> Result<GameTree, GameTreeError> {
    let erased = game.erased();
    TooLong::check(&erased, &erased.start())?;
    let mut solver = game.solver(options.budget(), options.oracle.as_ref(), watch)?;
    tree_with(&erased, name, options, &mut *solver)
}

/// Builds the tree of any game that has a notation, as [`build_tree`] does.
///
/// # Errors
/// The errors of [`build_tree`].
pub fn build_tree_for<G: Notation>(
    game: &G,
    name: &str,
    options: TreeOptions,
    watch: &Watch,
) -> Result<GameTree, GameTreeError> {
    let root = game.start();
    TooLong::check(game, &root)?;
    if G::MAY_REPEAT && game.may_repeat() {
        let mut table = Retrograde::new(game, &root, options.budget(), watch)?;
        return tree_with(game, name, options, &mut table);
    }
    let engine = Engine::new(game.clone(), options.budget());
    let mut engine = SizedOracle::attach(options.oracle.as_ref(), engine);
    engine.set_watch(watch);
    tree_with(game, name, options, &mut engine)
}

/// Builds the tree, with values of positions whose moves are not in it by `solver`.
fn tree_with<G: Notation>(
    game: &G,
    name: &str,
    options: TreeOptions,
    solver: &mut dyn Solver<G::Position>,
) -> Result<GameTree, GameTreeError> {
    let root = game.start();
    let depth = options.depth.unwrap_or_else(|| deepest(game, &root, TreeOptions::READABLE).max(1));
    let tree = grow(game, &root, depth, options.max_positions, solver);
    let tree = tree.map_err(|e| match e {
        TreeError::TooMany(max_positions) => GameTreeError::TooMany { depth, max_positions },
        TreeError::Stopped(stopped) => stopped.into(),
    })?;
    Ok(GameTree {
        game: name.to_owned(),
        size: game.size(),
        players: game.players(&root),
        nodes: nodes(game, &tree),
        depth: tree.nodes().iter().map(|node| node.depth).max().unwrap_or(0),
        keeps_turns: tree.nodes().iter().any(|node| node.turn == Turn::Kept),
        has_scores: game.max_score() > 0,
        requested_depth: depth,
        search: options.alpha_beta.then(|| search(&tree)),
    })
}

fn nodes<G: Notation>(game: &G, tree: &Tree<G::Position, G::Move>) -> Vec<Node> {
    let (nodes, players) = (tree.nodes(), game.players(&game.start()));
    let mut movers: Vec<usize> = Vec::with_capacity(nodes.len());
    for node in nodes {
        movers.push(node.parent.map_or(0, |parent| node.turn.next_player(movers[parent])));
    }
    let data = |(id, node): (usize, &balpan::tree::Node<G::Position, G::Move>)| {
        let before = node.parent.map(|parent| &nodes[parent].position).zip(node.mv);
        Node {
            id,
            parent: node.parent,
            mv: before.map(|(before, mv)| game.move_text(before, mv)),
            position: game.text(&node.position),
            to_move: players[movers[id]],
            verdict: Verdict::new(node.value, movers[id], players, game.max_score() > 0),
            over: node.children.is_empty() && node.folded == 0,
            is_best: node.is_best,
            children: node.children.clone(),
            folded: node.folded,
            depth: node.depth,
            drawing: drawing(game, &node.position, before.map_or(0, |(before, mv)| game.move_cells(before, mv))),
            value: node.value,
            turn: node.turn,
            mover: movers[id],
            path: tree.path(id),
        }
    };
    let mut nodes: Vec<_> = nodes.iter().enumerate().map(data).collect();
    equalize_frames(&mut nodes);
    nodes
}

/// Gives all drawings of heaps frames of one size.
fn equalize_frames(nodes: &mut [Node]) {
    let sizes = nodes.iter().filter_map(|data| match data.drawing {
        Drawing::Heaps { rows, largest, .. } => Some((rows, largest)),
        Drawing::Board(_) | Drawing::Text(_) => None,
    });
    let most = sizes.fold((0, 0), |(rows, largest), (row, heap)| (rows.max(row), largest.max(heap)));
    for data in nodes {
        if let Drawing::Heaps { rows, largest, .. } = &mut data.drawing {
            (*rows, *largest) = most;
        }
    }
}

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
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema), schema(as = ValueJson))]
pub(crate) struct Verdict {
    /// `win`, `draw` or `loss`.
    outcome: &'static str,
    /// Plies to the end; null for a draw or a score.
    #[cfg_attr(feature = "openapi", schema(required = true))]
    remoteness: Option<u32>,
    /// The score, 0 for a draw; left out in a game without scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(nullable = false))]
    pub(crate) score: Option<i32>,
    /// The winner; null for a draw.
    #[cfg_attr(feature = "openapi", schema(required = true, value_type = Option<String>))]
    pub(crate) winner: Option<PlayerName>,
}

impl Verdict {
    /// Converts the value of a position in which the player `mover` is to move.
    fn new(value: Value, mover: usize, players: [PlayerName; 2], has_scores: bool) -> Self {
        let (outcome, winner) = match value.outcome() {
            Outcome::Win => ("win", Some(players[mover])),
            Outcome::Draw => ("draw", None),
            Outcome::Loss => ("loss", Some(players[1 - mover])),
        };
        Self { outcome, remoteness: value.remoteness(), score: value.score().filter(|_| has_scores), winner }
    }

    /// Returns the points of the winner; 0 without a score.
    pub(crate) fn points(self) -> u32 {
        self.score.map_or(0, i32::unsigned_abs)
    }

    /// Returns the plies to the end; 0 for a draw.
    pub(crate) fn plies(self) -> u32 {
        self.remoteness.unwrap_or(0)
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
        alpha: Option<Verdict>,
        beta: Option<Verdict>,
    },
    Leave {
        node: usize,
        #[serde(flatten)]
        value: Verdict,
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

    /// Returns the verdict of a value at a node.
    pub(crate) fn verdict(&self, value: Value, node: usize) -> Verdict {
        Verdict::new(value, self.nodes[node].mover, self.players, self.has_scores)
    }

    fn search_json(&self, options: &ViewOptions, state: &SearchState) -> SearchJson {
        let step = |step: &Step| match step {
            Step::Enter { node, window } => {
                let side = |bound: Option<Value>| bound.map(|value| self.verdict(value, *node));
                let (alpha, beta) = (side(window.alpha), side(window.beta));
                StepJson::Enter { node: *node, order: state.order(*node), alpha, beta }
            }
            Step::Leave { node, value, known } => StepJson::Leave {
                node: *node,
                value: self.verdict(*value, *node),
                // For the player to move.
                bound: match relation(*value, *known, 0) {
                    Relation::Exactly => "exact",
                    Relation::AtLeast => "at_least",
                    Relation::AtMost => "at_most",
                },
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
