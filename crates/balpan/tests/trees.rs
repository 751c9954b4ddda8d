//! Trees, and alpha-beta on them, of random games: the values are plain minimax's, and nothing that was cut off could
//! have changed them.

use balpan::tree::{Node, Reason, Step, Tree, TreeError, deepest, grow, search};
use balpan::{Bounds, Game, Minimax, Outcome, Value, Watch, minimax};
use proptest::prelude::*;

/// A random tree, determined by the path to a position.
#[derive(Clone, Debug)]
struct Made {
    seed: u64,
    depth: u32,
    most_moves: u64,
    /// The number of 16 positions that end before the last ply.
    ends: u64,
    /// Whether every game is a draw.
    drawn: bool,
}

fn mixed(mut z: u64) -> u64 {
    for _ in 0..2 {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (z >> 31);
    }
    z
}

impl Game for Made {
    /// The number of plies, and a random number.
    type Position = (u32, u64);
    type Move = u64;

    fn start(&self) -> (u32, u64) {
        (0, self.seed)
    }

    fn moves(&self, &(plies, number): &(u32, u64)) -> impl Iterator<Item = u64> {
        let over = plies == self.depth || plies > 0 && mixed(number) % 16 < self.ends;
        0..if over { 0 } else { 1 + mixed(number ^ 1) % self.most_moves }
    }

    fn play(&self, &(plies, number): &(u32, u64), mv: u64) -> (u32, u64) {
        (plies + 1, mixed(number ^ (mv + 2)))
    }

    fn end(&self, &(_, number): &(u32, u64)) -> Outcome {
        let outcomes = [Outcome::Loss, Outcome::Draw, Outcome::Win];
        if self.drawn { Outcome::Draw } else { outcomes[(mixed(number ^ 99) % 3) as usize] }
    }
}

fn made() -> impl Strategy<Value = Made> {
    (any::<u64>(), 0..=6_u32, 1..=4_u64, 0..=4_u64, prop::bool::weighted(0.1))
        .prop_map(|(seed, depth, most_moves, ends, drawn)| Made { seed, depth, most_moves, ends, drawn })
}

fn grown(game: &Made, depth: usize) -> Tree<(u32, u64), u64> {
    grow(game, &game.start(), depth, usize::MAX, &mut Minimax::new(game, &Watch::default())).unwrap()
}

/// Returns the minimax value of the tree, with the values of `other` at some nodes.
fn value_with(nodes: &[Node<(u32, u64), u64>], node: usize, other: &impl Fn(usize) -> Option<Value>) -> Value {
    let of_children = || nodes[node].children.iter().map(|child| value_with(nodes, *child, other).to_parent()).max();
    other(node).or_else(of_children).unwrap_or(nodes[node].value)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn trees_contain_all_play_to_their_depth(game in made(), depth in 0..8_usize) {
        let tree = grown(&game, depth);
        let nodes = tree.nodes();
        for (number, node) in nodes.iter().enumerate() {
            prop_assert_eq!(node.value, minimax(&game, &node.position).unwrap());
            let moves: Vec<_> = game.moves(&node.position).collect();
            prop_assert_eq!(node.folded, if node.depth == depth { moves.len() } else { 0 });
            let followed: Vec<_> = node.children.iter().map(|child| nodes[*child].mv.unwrap()).collect();
            prop_assert_eq!(followed, if node.folded == 0 { moves } else { Vec::new() });
            for &child in &node.children {
                prop_assert!(child > number && nodes[child].parent == Some(number));
                prop_assert_eq!(&nodes[child].position, &game.play(&node.position, nodes[child].mv.unwrap()));
                prop_assert_eq!(nodes[child].is_best, nodes[child].value.to_parent() == node.value);
            }
            let there = tree.path(number).iter().fold(0, |at, place| nodes[at].children[*place]);
            prop_assert_eq!(there, number);
        }
        let watch = Watch::default();
        let bounded = |most| grow(&game, &game.start(), depth, most, &mut Minimax::new(&game, &watch));
        prop_assert_eq!(bounded(nodes.len()).unwrap(), tree.clone());
        prop_assert_eq!(bounded(nodes.len() - 1), Err(TreeError::TooMany(nodes.len() - 1)));
        prop_assert!(grown(&game, deepest(&game, &game.start(), nodes.len())).nodes().len() <= nodes.len());
        let deeper = deepest(&game, &game.start(), nodes.len()) + 1;
        prop_assert!(grown(&game, deeper).nodes().len() > nodes.len() || deeper > game.depth as usize || depth + 1 >= deeper);
    }

    #[test]
    fn alpha_beta_finds_the_value_and_cuts_off_only_irrelevant_nodes(game in made(), depth in 0..8_usize, salt in any::<u64>()) {
        let tree = grown(&game, depth);
        let nodes = tree.nodes();
        let record = search(&tree);
        prop_assert_eq!(record.value(), nodes[0].value);
        let visits: Vec<_> = record.visits().collect();
        prop_assert!(visits.is_sorted_by(|a, b| a < b) && visits.len() <= nodes.len());
        // The value of the root is the same with any values at the nodes that were cut off.
        let cut: Vec<usize> = record.cuts().flat_map(|cut| cut.unvisited.iter().copied()).collect();
        let anything = |node: usize| {
            let worth = mixed(salt ^ node as u64);
            let plies = (worth >> 8) as u32 % 9;
            cut.contains(&node).then(|| [Value::win(plies), Value::DRAW, Value::loss(plies)][(worth % 3) as usize])
        };
        prop_assert_eq!(value_with(nodes, 0, &anything), nodes[0].value);
        let beneath_cuts = |mut node: usize| loop {
            if cut.contains(&node) {
                return true;
            }
            match nodes[node].parent {
                Some(parent) => node = parent,
                None => return false,
            }
        };
        for node in 0..nodes.len() {
            prop_assert_eq!(visits.contains(&node), !beneath_cuts(node));
        }
        for step in record.steps() {
            if let Step::Leave { node, value, known } = *step {
                prop_assert!(known.contains(nodes[node].value), "{:?} {:?}", step, nodes[node].value);
                prop_assert!(value == known.lower || value == known.upper);
                prop_assert!(nodes[node].children.is_empty() || Bounds::ANY.contains(value));
            }
        }
        for cut in record.cuts() {
            if let Reason::Elsewhere(bound) | Reason::NoSooner(bound) = cut.reason {
                // The bound is the value that the player at `at` got from the child `by`.
                prop_assert_eq!(nodes[bound.by].parent, Some(bound.at));
                let (mut value, mut at) = (bound.value, cut.node);
                while at != bound.at {
                    (value, at) = (value.to_parent(), nodes[at].parent.unwrap());
                }
                prop_assert_eq!(value, bound.there);
                let handed_back = record.steps().iter().any(
                    |step| matches!(step, Step::Leave { node, value, .. } if *node == bound.by && value.to_parent() == bound.there),
                );
                prop_assert!(handed_back);
                prop_assert_eq!(cut.is_deep(&tree), nodes[cut.node].depth > nodes[bound.at].depth + 2);
            }
        }
    }
}

/// A game in which every position has this number of moves, to a depth at which play is a draw.
struct Uniform {
    depth: u32,
    moves: u32,
}

impl Game for Uniform {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn moves(&self, &plies: &u32) -> impl Iterator<Item = u32> {
        0..if plies < self.depth { self.moves } else { 0 }
    }

    fn play(&self, plies: &u32, _: u32) -> u32 {
        plies + 1
    }

    fn end(&self, _: &u32) -> Outcome {
        Outcome::Draw
    }
}

/// If the first move is always a best one, alpha-beta visits the minimal number of leaves: Knuth and Moore's
/// b^⌈d/2⌉ + b^⌊d/2⌋ - 1.
#[test]
fn perfect_order_visits_the_minimal_tree() {
    for (moves, depth) in [(2, 1), (2, 5), (3, 3), (3, 4), (4, 6), (7, 2)] {
        let game = Uniform { depth, moves };
        let tree = grow(&game, &0, 99, usize::MAX, &mut Minimax::new(&game, &Watch::default())).unwrap();
        let leaves = search(&tree).visits().filter(|node| tree.nodes()[*node].children.is_empty()).count();
        let power = |exponent| (moves as usize).pow(exponent);
        assert_eq!(leaves, power(depth.div_ceil(2)) + power(depth / 2) - 1, "{moves} moves, {depth} plies");
    }
}

/// Knuth and Moore's deep cutoff: the root's first move causes a cutoff three plies below the root.
#[test]
fn deep_cutoffs_are_marked() {
    let games = (0..200).map(|seed| Made { seed, depth: 5, most_moves: 3, ends: 0, drawn: false });
    let deep = |game: &Made| {
        let tree = grown(game, 9);
        search(&tree).cuts().filter(|cut| cut.is_deep(&tree)).count()
    };
    assert!(games.map(|game| deep(&game)).sum::<usize>() > 0);
}
