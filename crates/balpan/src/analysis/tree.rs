//! Game trees with the exact value of every node, and a trace of the textbook alpha-beta [`search`] of a tree, for study.
//!
//! Trees are no way to solve a game: a tree has a node for every path to a position, and is stored whole.

mod search;

use crate::game::Game;
use crate::search::length::{self, MAX_PLIES};
use crate::search::solver::Solver;
use crate::search::watch::Stopped;
use crate::value::{Turn, Value};

pub use search::{Bound, Cut, Reason, Step, Trace, Window, search};

/// A node of a game tree: one path to a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<Position, Move> {
    /// The parent node; `None` for the root.
    pub parent: Option<usize>,
    /// The move that leads to this node; `None` for the root.
    pub mv: Option<Move>,
    /// The player to move after that move.
    pub turn: Turn,
    /// The position.
    pub position: Position,
    /// The number of plies below the root.
    pub depth: usize,
    /// The nodes after each move, in the game's order; empty at an end of play, and at the depth limit.
    pub children: Vec<usize>,
    /// The value of the position, for the player to move.
    pub value: Value,
    /// Whether the move that leads to this node is a best one.
    pub is_best: bool,
    /// The number of moves that the tree does not follow: all of them at the depth limit, otherwise 0.
    pub folded: usize,
}

impl<Position, Move> Node<Position, Move> {
    /// Returns the value of the move that leads to this node, for the player who makes it.
    #[must_use]
    pub const fn move_value(&self) -> Value {
        self.turn.to_parent(self.value)
    }
}

/// A game tree. Its nodes are in pre-order: each follows its parent, and the nodes below a node follow it without a gap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tree<Position, Move> {
    nodes: Vec<Node<Position, Move>>,
}

/// Why a tree was not built.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The tree would have more nodes than this.
    #[error("the tree has more than {0} nodes")]
    TooMany(usize),
    /// The solver was stopped, or the tree is deeper than solvers search.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

impl<Position, Move> Tree<Position, Move> {
    /// Returns all nodes; the first is the root.
    #[must_use]
    pub fn nodes(&self) -> &[Node<Position, Move>] {
        &self.nodes
    }

    /// Returns the path from the root to a node, as indices into the children.
    #[must_use]
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut below = node;
        while let Some(parent) = self.nodes[below].parent {
            path.extend(self.nodes[parent].children.iter().position(|child| *child == below));
            below = parent;
        }
        path.reverse();
        path
    }
}

/// Builds the tree of all play from `root`, `depth` plies deep. Values are backed up from the ends of play by plain
/// minimax; `solver` finds only those of the positions at the depth limit.
///
/// # Errors
/// [`TreeError`] if there are more than `max_nodes` nodes, or more than [`MAX_PLIES`] plies, which is checked before the
/// solver runs; or if the solver was stopped.
///
/// ```
/// # use balpan::{Game, Minimax, Value, Watch, tree};
/// # struct Heap;
/// # impl Game for Heap {
/// #     type Position = u32;
/// #     type Move = u32;
/// #     fn start(&self) -> u32 { 4 }
/// #     fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> { 1..=heap.min(2) }
/// #     fn play(&self, heap: &u32, taken: u32) -> u32 { heap - taken }
/// # }
/// // `Heap`: one or two are taken from four; whoever takes the last wins.
/// let watch = Watch::default();
/// let tree = tree::grow(&Heap, &4, 4, 100, &mut Minimax::new(&Heap, &watch))?;
/// assert_eq!((tree.nodes().len(), tree.nodes()[0].value), (12, Value::win(3)));
/// assert_eq!(tree::search(&tree).value(), Value::win(3));
/// # Ok::<(), tree::TreeError>(())
/// ```
pub fn grow<G: Game>(
    game: &G,
    root: &G::Position,
    depth: usize,
    max_nodes: usize,
    solver: &mut (impl Solver<G::Position> + ?Sized),
) -> Result<Tree<G::Position, G::Move>, TreeError> {
    let Tree { mut nodes } = shape(game, root, depth, max_nodes)?;
    for number in (0..nodes.len()).rev() {
        let node = &nodes[number];
        let value = match node.children.iter().map(|child| nodes[*child].move_value()).max() {
            Some(best) => best,
            None if node.folded > 0 => solver.value(&node.position)?,
            None => node.value,
        };
        nodes[number].value = value;
        for child in nodes[number].children.clone() {
            nodes[child].is_best = nodes[child].move_value() == value;
        }
    }
    Ok(Tree { nodes })
}

/// Builds the tree, in which only the nodes at ends of play have their value yet.
fn shape<G: Game>(
    game: &G,
    root: &G::Position,
    depth: usize,
    max_nodes: usize,
) -> Result<Tree<G::Position, G::Move>, TreeError> {
    let mut nodes: Vec<Node<_, _>> = Vec::new();
    let mut waiting = vec![(None, None, Turn::Passes, root.clone(), 0)];
    while let Some((parent, mv, turn, position, plies)) = waiting.pop() {
        if plies > MAX_PLIES as usize {
            return Err(TreeError::Stopped(length::explain(game, root, None)));
        }
        let number = nodes.len();
        let moves: Vec<_> = game.moves(&position).collect();
        let folded = if plies < depth { 0 } else { moves.len() };
        if folded == 0 {
            let after = |&mv: &G::Move| {
                let after = game.play(&position, mv);
                (Some(number), Some(mv), game.turn(&position, mv, &after), after, plies + 1)
            };
            waiting.extend(moves.iter().rev().map(after));
        }
        if number + 1 + waiting.len() > max_nodes {
            return Err(TreeError::TooMany(max_nodes));
        }
        if let Some(parent) = parent {
            nodes[parent].children.push(number);
        }
        let value = if moves.is_empty() { game.end_value(&position) } else { Value::DRAW };
        let children = Vec::new();
        nodes.push(Node { parent, mv, turn, position, depth: plies, children, value, is_best: false, folded });
    }
    Ok(Tree { nodes })
}

/// Returns the greatest depth at which the tree below `root` has at most `max_nodes` nodes, or the least depth at which it
/// contains all play, if that is less.
pub fn deepest<G: Game>(game: &G, root: &G::Position, max_nodes: usize) -> usize {
    let (mut level, mut nodes) = (vec![root.clone()], 1);
    for depth in 0.. {
        let mut next = Vec::new();
        for position in &level {
            for mv in game.moves(position) {
                next.push(game.play(position, mv));
                if nodes + next.len() > max_nodes {
                    return depth;
                }
            }
        }
        if next.is_empty() {
            return depth;
        }
        nodes += next.len();
        level = next;
    }
    0
}
