//! A tree for every family of its game: all in it that can be seen.

use balpan::tree::{Step, Trace, Tree, TreeError, deepest, grow, search};
use balpan::{Outcome, Stopped, TooLong, Value, Watch};
use balpan_games::{AnyGame, KnownOf, Notation, Task};

use super::values::values;
use crate::board::{Drawing, drawing};

/// What is asked for, and what may be spent on it.
#[derive(Clone, Debug)]
pub struct TreeOptions {
    /// Plies; `None` for as many as stay readable.
    pub depth: Option<usize>,
    /// Whether alpha-beta is to be followed.
    pub alpha_beta: bool,
    /// Positions of the largest tree.
    pub most: usize,
    /// Bytes for the table of the solver that is asked for values below the tree.
    pub memory: usize,
    /// How many threads it has.
    pub threads: usize,
    /// Who knows values of the game, if anybody does.
    pub known: Option<KnownOf>,
}

impl TreeOptions {
    /// The number of positions that can be read at a glance: where no depth is asked for, the tree
    /// is as deep as it can be with no more.
    pub const READABLE: usize = 40;
}

/// Why there is no tree.
#[derive(Clone, Debug, thiserror::Error)]
pub enum NoTree {
    /// Too large to be drawn.
    #[error("the tree has more than {most} positions at a depth of {depth}")]
    TooMany {
        /// The depth.
        depth: usize,
        /// The most that there may be.
        most: usize,
    },
    /// Play may last too long for a search.
    #[error(transparent)]
    TooLong(#[from] TooLong),
    /// The watch said so.
    #[error(transparent)]
    Stopped(#[from] Stopped),
}

/// Who wins, and in how many plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Worth {
    /// The number of the player who wins: 0 is to move at the root; nobody in a draw.
    pub(crate) winner: Option<usize>,
    /// Plies to the end, where somebody wins.
    pub(crate) plies: u32,
}

impl Worth {
    /// A value of a position `depth` plies below the root.
    pub(crate) fn new(value: Value, depth: usize) -> Self {
        let winner = match value.outcome() {
            Outcome::Win => Some(depth % 2),
            Outcome::Draw => None,
            Outcome::Loss => Some((depth + 1) % 2),
        };
        Self { winner, plies: value.remoteness().unwrap_or(0) }
    }
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub(crate) struct Knot {
    pub(crate) parent: Option<usize>,
    pub(crate) children: Vec<usize>,
    /// Plies below the root.
    pub(crate) depth: usize,
    /// The move that leads here; empty for the root.
    pub(crate) mv: String,
    pub(crate) position: String,
    pub(crate) drawing: Drawing,
    /// For the player to move.
    pub(crate) value: Value,
    /// Whether play has ended.
    pub(crate) over: bool,
    /// Whether the move that leads here is a best one.
    pub(crate) is_best: bool,
    /// Moves that the tree does not follow.
    pub(crate) folded: usize,
    /// The way from the root, each move's place among its neighbours.
    pub(crate) path: Vec<usize>,
}

impl Knot {
    pub(crate) fn worth(&self) -> Worth {
        Worth::new(self.value, self.depth)
    }
}

/// A tree, and what alpha-beta does on it, if that was asked for.
#[derive(Clone, Debug)]
pub struct Sheet {
    pub(crate) game: String,
    pub(crate) size: String,
    /// The player to move at the root, and the other.
    pub(crate) players: [&'static str; 2],
    pub(crate) knots: Vec<Knot>,
    pub(crate) depth: usize,
    asked_depth: usize,
    pub(crate) search: Option<Trace>,
}

impl Sheet {
    /// How many positions it has.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.knots.len()
    }

    /// How many plies deep it is.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// How many steps alpha-beta takes, if it was asked for.
    #[must_use]
    pub fn steps(&self) -> usize {
        self.search.as_ref().map_or(0, |search| search.steps().len())
    }

    /// How many positions alpha-beta visits, if it was asked for.
    #[must_use]
    pub fn visits(&self) -> usize {
        let steps = self.search.as_ref().map_or(&[][..], |search| search.steps());
        steps.iter().filter(|step| matches!(step, Step::Enter { .. })).count()
    }

    /// How deep it was asked to be, though play may end sooner.
    #[must_use]
    pub const fn asked_depth(&self) -> usize {
        self.asked_depth
    }

    /// The greatest depth worth asking for: that of the deepest tree of at most `most` positions.
    #[must_use]
    pub fn deepest_drawn(&self, game: &AnyGame, most: usize) -> usize {
        game.run(Deepest(most)).max(1)
    }

    /// The same where `turn` of two players who are told apart by turns alone is to move.
    #[must_use]
    pub fn turned(mut self, turn: usize) -> Self {
        if turn == 1 && self.players[0].contains(' ') {
            self.players.swap(0, 1);
        }
        self
    }

    /// The moves that lead from the root to a node.
    #[must_use]
    pub fn moves_to(&self, node: usize) -> Vec<&str> {
        let mut moves = Vec::new();
        let mut at = node;
        while let Some(parent) = self.knots[at].parent {
            moves.push(self.knots[at].mv.as_str());
            at = parent;
        }
        moves.reverse();
        moves
    }

    /// The way from the root to a node, each move's place among its neighbours.
    #[must_use]
    pub fn path(&self, node: usize) -> &[usize] {
        &self.knots[node].path
    }

    /// How many moves of a node the tree does not follow.
    #[must_use]
    pub fn folded(&self, node: usize) -> usize {
        self.knots[node].folded
    }

    /// Who is to move at a node.
    pub(crate) fn mover(&self, node: usize) -> &'static str {
        self.players[self.knots[node].depth % 2]
    }

    /// Whether the tree leaves out moves.
    pub(crate) fn is_cut_short(&self) -> bool {
        self.knots.iter().any(|knot| knot.folded > 0)
    }
}

/// The tree of a game from its start; `name` is what the game is called.
///
/// # Errors
/// [`NoTree`] if it is too large, or the watch says to stop.
pub fn sheet(game: &AnyGame, name: &str, asked: TreeOptions, watch: &Watch) -> Result<Sheet, NoTree> {
    game.run(Draw { name, asked, watch })
}

/// As [`sheet`], for any game that has a notation.
///
/// # Errors
/// As [`sheet`].
pub fn sheet_of<G: Notation>(game: &G, name: &str, asked: TreeOptions, watch: &Watch) -> Result<Sheet, NoTree> {
    let mut values = values(game, &asked, watch)?;
    let root = game.start();
    let depth = asked.depth.unwrap_or_else(|| deepest(game, &root, TreeOptions::READABLE).max(1));
    let tree = grow(game, &root, depth, asked.most, &mut values).map_err(|e| match e {
        TreeError::TooMany(most) => NoTree::TooMany { depth, most },
        TreeError::Stopped(stopped) => stopped.into(),
    })?;
    Ok(Sheet {
        game: name.to_owned(),
        size: game.size(),
        players: game.players(&root),
        knots: knots(game, &tree),
        depth: tree.nodes().iter().map(|node| node.depth).max().unwrap_or(0),
        asked_depth: depth,
        search: asked.alpha_beta.then(|| search(&tree)),
    })
}

struct Deepest(usize);

impl Task for Deepest {
    type Output = usize;

    fn run<G: Notation>(self, game: &G) -> usize {
        deepest(game, &game.start(), self.0)
    }
}

struct Draw<'a> {
    name: &'a str,
    asked: TreeOptions,
    watch: &'a Watch,
}

impl Task for Draw<'_> {
    type Output = Result<Sheet, NoTree>;

    fn run<G: Notation>(self, game: &G) -> Self::Output {
        sheet_of(game, self.name, self.asked, self.watch)
    }
}

fn knots<G: Notation>(game: &G, tree: &Tree<G::Position, G::Move>) -> Vec<Knot> {
    let nodes = tree.nodes();
    let knot = |(number, node): (usize, &balpan::tree::Node<G::Position, G::Move>)| {
        let before = node.parent.map(|parent| &nodes[parent].position).zip(node.mv);
        Knot {
            parent: node.parent,
            children: node.children.clone(),
            depth: node.depth,
            mv: before.map(|(before, mv)| game.move_text(before, mv)).unwrap_or_default(),
            position: game.text(&node.position),
            drawing: drawing(game, &node.position, before.map_or(0, |(before, mv)| game.marked(before, mv))),
            value: node.value,
            over: node.children.is_empty() && node.folded == 0,
            is_best: node.is_best,
            folded: node.folded,
            path: tree.path(number),
        }
    };
    let mut knots: Vec<_> = nodes.iter().enumerate().map(knot).collect();
    make_room(&mut knots);
    knots
}

/// Draws all positions of heaps in frames of one size.
fn make_room(knots: &mut [Knot]) {
    let sizes = knots.iter().filter_map(|knot| match &knot.drawing {
        Drawing::Heaps { heaps, .. } => Some((heaps.len(), heaps.iter().copied().max().unwrap_or(0))),
        Drawing::Board(_) => None,
    });
    let most = sizes.fold((0, 0), |(rows, largest), (row, heap)| (rows.max(row), largest.max(heap)));
    for knot in knots {
        if let Drawing::Heaps { rows, largest, .. } = &mut knot.drawing {
            (*rows, *largest) = most;
        }
    }
}
