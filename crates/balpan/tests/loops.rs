//! Games in which play may repeat, against fixpoints computed by the definition, and against rules stated a second time.

use std::collections::HashMap;
use std::fmt::Debug;

use balpan::reach::{Count, values};
use balpan::{
    Answer, Bounds, Budget, Engine, EngineError, Game, Goal, LoopyNimber, Method, Outcome, Retrograde, Solver,
    SplitMix, TableError, Turn, Value, Watch, laws, loopy_nimbers,
};

/// A random graph: from each node lead moves to any nodes.
#[derive(Clone, Debug)]
struct Graph {
    seed: u64,
    nodes: u32,
    max_moves: usize,
    max_score: u32,
    /// Whether some moves keep the turn.
    keeps: bool,
    /// Whether the nodes `2 n` and `2 n + 1` are equal by symmetry.
    twins: bool,
    /// The nodes of a layer, an even number; 0 if there are no layers.
    width: u32,
    key_bits: u32,
}

impl Graph {
    fn random(&self, node: u32, purpose: u64) -> SplitMix {
        let node = if self.twins { node / 2 } else { node };
        let mut random = SplitMix(self.seed ^ u64::from(node) << 32 ^ purpose << 8);
        random.below(9);
        random
    }

    /// Returns the first node of the layer: no move leads to nodes before it.
    fn highest_layer_of(&self, node: u32) -> u32 {
        node.checked_div(self.width).map_or(0, |layers| layers * self.width)
    }
}

impl Game for Graph {
    type Position = u32;
    type Move = usize;

    fn start(&self) -> u32 {
        0
    }

    fn moves(&self, &node: &u32) -> impl Iterator<Item = usize> {
        let mut random = self.random(node, 1);
        let is_end = random.below(5) == 0;
        0..if is_end { 0 } else { 1 + random.below(self.max_moves) }
    }

    fn play(&self, &node: &u32, mv: usize) -> u32 {
        let lowest = self.highest_layer_of(node);
        lowest + self.random(node, 2 + mv as u64).below((self.nodes - lowest) as usize) as u32
    }

    fn end(&self, &node: &u32) -> Outcome {
        [Outcome::Loss, Outcome::Loss, Outcome::Draw, Outcome::Win][self.random(node, 100).below(4)]
    }

    fn score(&self, &node: &u32) -> Option<i32> {
        let mut random = self.random(node, 101);
        let has_score = self.max_score > 0 && random.below(4) > 0;
        has_score.then(|| random.below(2 * self.max_score as usize + 1) as i32 - self.max_score as i32)
    }

    fn max_score(&self) -> u32 {
        self.max_score
    }

    const TURNS_ALTERNATE: bool = false;

    fn keeps_turn(&self, &node: &u32, mv: usize, _after: &u32) -> bool {
        self.keeps && self.random(node, 200 + mv as u64).below(3) == 0
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn canonical(&self, &node: &u32) -> u32 {
        if self.twins { node / 2 * 2 } else { node }
    }

    fn layer(&self, &node: &u32) -> Option<u32> {
        (self.width > 0).then(|| (self.nodes - 1) / self.width - node / self.width)
    }

    fn key_bits(&self) -> u32 {
        self.key_bits
    }

    fn key(&self, &node: &u32) -> u128 {
        u128::from(node) << (self.key_bits - 32)
    }

    fn position_from_key(&self, key: u128) -> Option<u32> {
        Some((key >> (self.key_bits - 32)) as u32)
    }
}

/// Returns the values of all positions by the definition: for one player, who is to move or not, whether play can be forced
/// to an end that is better than a threshold, and for wins and losses within how many plies.
fn textbook<G: Game>(game: &G) -> HashMap<G::Position, Value> {
    let mut numbers = HashMap::from([(game.start(), 0)]);
    let mut positions = vec![game.start()];
    let mut moves: Vec<Vec<(usize, bool)>> = Vec::new();
    while moves.len() < positions.len() {
        let position = positions[moves.len()].clone();
        let of_position = game.moves(&position).map(|mv| {
            let after = game.play(&position, mv);
            let keeps = game.turn(&position, mv, &after) == Turn::Kept;
            let number = *numbers.entry(after.clone()).or_insert(positions.len());
            if number == positions.len() {
                positions.push(after);
            }
            (number, keeps)
        });
        let of_position = of_position.collect();
        moves.push(of_position);
    }
    let count = positions.len();
    // The result of an end for the player, who is to move or not; a loss of the one is a win of the other in as many plies.
    let result = |n: usize, to_move: bool| {
        let value = game.end_value(&positions[n]);
        match (to_move, value.score(), value.outcome()) {
            (true, ..) => value,
            (false, Some(score), _) => Value::from_score(-score),
            (false, None, outcome) => Value::terminal(outcome.reversed()),
        }
    };
    let step = |set: &Vec<[bool; 2]>, n: usize, to_move: bool| {
        let mut after = moves[n].iter().map(|&(next, keeps)| set[next][usize::from(to_move == keeps)]);
        if to_move { after.any(|is_in| is_in) } else { after.all(|is_in| is_in) }
    };
    let indices = || (0..count).flat_map(|n| [(n, false), (n, true)]);
    // Whether the player gets more than `threshold`: for ever is enough if a draw is.
    let forces = |is_good: &dyn Fn(Value) -> bool, for_ever: bool| {
        let mut set = vec![[for_ever; 2]; count];
        loop {
            let mut next = set.clone();
            for (n, to_move) in indices() {
                next[n][usize::from(to_move)] =
                    if moves[n].is_empty() { is_good(result(n, to_move)) } else { step(&set, n, to_move) };
            }
            if next == set {
                return set;
            }
            set = next;
        }
    };
    let mut scores: Vec<i32> =
        (0..count).filter(|&n| moves[n].is_empty()).filter_map(|n| result(n, true).score()).collect();
    scores.extend(scores.clone().iter().map(|score| -score));
    scores.push(0);
    scores.sort_unstable();
    scores.dedup();
    let mut found: Vec<Option<Value>> = vec![None; count];
    // Wins within ever more plies, and losses that can be put off for ever fewer.
    for is_win in [true, false] {
        let mut set = vec![[false; 2]; count];
        for plies in 0..=2 * count as u32 + 1 {
            let mut next = set.clone();
            for (n, to_move) in indices() {
                let has_ended = |value: Value| value == if is_win { Value::win(0) } else { Value::loss(0) };
                let moved = if is_win { step(&set, n, to_move) } else { !step(&negated(&set), n, to_move) };
                next[n][usize::from(to_move)] = set[n][usize::from(to_move)]
                    || if moves[n].is_empty() { has_ended(result(n, to_move)) } else { moved };
            }
            for n in 0..count {
                if next[n][1] && found[n].is_none() {
                    found[n] = Some(if is_win { Value::win(plies) } else { Value::loss(plies) });
                }
            }
            set = next;
        }
    }
    for &score in scores.iter().rev() {
        let at_least = forces(&|value| value >= Value::from_score(score), score <= 0);
        for n in 0..count {
            if at_least[n][1] && found[n].is_none() {
                found[n] = Some(Value::from_score(score));
            }
        }
    }
    positions.into_iter().zip(found).map(|(position, value)| (position, value.expect("a draw at least"))).collect()
}

fn negated(set: &[[bool; 2]]) -> Vec<[bool; 2]> {
    set.iter().map(|[a, b]| [!a, !b]).collect()
}

/// Checks the answer about a position against the values of all.
fn check_answer<G: Game<Position: Debug>>(
    game: &G,
    position: &G::Position,
    expected: &HashMap<G::Position, Value>,
    answer: &Answer<G::Move>,
) {
    assert!(answer.complete);
    assert_eq!(answer.bounds, Bounds::exact(expected[position]), "{position:?}");
    for &(mv, bounds) in &answer.moves {
        let after = game.play(position, mv);
        let value = game.turn(position, mv, &after).to_parent(expected[&after]);
        assert_eq!(bounds, Bounds::exact(value), "{position:?}");
    }
    // Each move of the line keeps the value, to the end or until a position comes again.
    let (mut at, mut plies) = (position.clone(), 0);
    for &mv in &answer.line {
        let after = game.play(&at, mv);
        assert_eq!(game.turn(&at, mv, &after).to_parent(expected[&after]), expected[&at]);
        (at, plies) = (after, plies + 1);
    }
    match expected[position].remoteness() {
        Some(remoteness) => assert!(game.is_over(&at) && plies == remoteness),
        None => assert!(answer.is_over || !answer.line.is_empty()),
    }
}

#[test]
fn random_graphs_have_the_values_of_the_definition() {
    let mut random = SplitMix(52);
    let mut outcomes = [0; 3];
    for seed in 0..600 {
        let game = Graph {
            seed,
            nodes: 1 + random.below(40) as u32,
            max_moves: 1 + random.below(4),
            max_score: [0, 0, 2, 100][random.below(4)],
            keeps: random.below(2) == 0,
            twins: random.below(3) == 0,
            width: [0, 2, 4, 10][random.below(4)],
            key_bits: [0, 32, 64, 65, 100][random.below(5)],
        };
        let threads = 1 + random.below(3);
        let expected = textbook(&game);
        let watch = Watch::default();
        let all = values(&game, &0, Count::Positions, usize::MAX, &watch).unwrap();
        assert_eq!(all.into_iter().collect::<HashMap<_, _>>(), expected, "{game:?}");
        let classes = values(&game, &0, Count::Classes, usize::MAX, &watch).unwrap();
        assert!(
            classes.into_iter().all(|(position, value)| expected.get(&position).is_none_or(|other| *other == value))
        );
        let mut engine = Engine::new(game.clone(), Budget { threads, ..Budget::default() });
        let mut positions: Vec<_> = expected.keys().copied().collect();
        positions.sort_unstable();
        for position in positions {
            outcomes[expected[&position].outcome() as usize] += 1;
            let answer = engine.solve(&position, Goal::MoveValues, &watch, |_| {}).unwrap();
            check_answer(&game, &position, &expected, &answer);
            let winner = engine.solve(&position, Goal::Winner, &watch, |_| {}).unwrap();
            assert_eq!(winner.outcome(), Some(expected[&position].outcome()));
        }
        assert_eq!(laws::check(&game, 3, seed), Ok(()));
    }
    assert!(outcomes.into_iter().all(|count| count > 200), "{outcomes:?}");
}

#[test]
fn values_do_not_depend_on_the_threads() {
    let mut large = 0;
    for seed in 0..24 {
        let (width, max_score) = [(0, 0), (2000, 0), (0, 50), (500, 50)][seed as usize % 4];
        let game =
            Graph { seed, nodes: 60_000, max_moves: 3, max_score, keeps: true, twins: false, width, key_bits: 40 };
        let values = |threads, game: &Graph| {
            let budget = Budget { threads, ..Budget::default() };
            let table = Retrograde::new(game, &0, budget, &Watch::default()).unwrap();
            table.into_values().collect::<HashMap<_, _>>()
        };
        let expected = values(1, &game);
        if expected.len() < 5_000 {
            continue;
        }
        large += 1;
        for threads in [2, 5] {
            assert_eq!(values(threads, &game), expected);
        }
        assert_eq!(values(4, &Graph { key_bits: 0, ..game }), expected);
    }
    assert!(large > 5, "{large}");
}

#[test]
fn what_does_not_fit_or_is_stopped_is_refused() {
    let game = Graph {
        seed: 7,
        nodes: 100_000,
        max_moves: 6,
        max_score: 0,
        keeps: false,
        twins: false,
        width: 0,
        key_bits: 32,
    };
    let watch = Watch::default();
    assert!(matches!(
        Retrograde::new(&game, &0, Budget { memory: 1 << 16, threads: 1 }, &watch),
        Err(TableError::TooManyPositions(_))
    ));
    let engine = Engine::new(game.clone(), Budget { memory: 1 << 16, threads: 1 });
    let mut engine = engine.with_method(Method::Table);
    let refused = engine.solve(&0, Goal::Winner, &watch, |_| {});
    assert!(matches!(refused, Err(EngineError::Table(TableError::TooManyPositions(_)))), "{refused:?}");
    let mut engine = Engine::new(game.clone(), Budget::default());
    let stopped = engine.solve(&0, Goal::MoveValues, &Watch::with_limit(5000), |_| {}).unwrap();
    let mut table = Retrograde::new(&game, &0, Budget::default(), &watch).unwrap();
    assert!(!stopped.complete && stopped.bounds.contains(table.get(&0).unwrap()), "{stopped:?}");
    assert_eq!(table.covers(&0), table.value(&0).is_ok());
    assert!(table.bytes() > 0 && table.positions_searched() > 50_000);
}

/// A search of a loopy game that does not fit in memory finds every win, and says how long there is none.
#[test]
fn wins_are_found_without_a_table() {
    let (mut decided, mut open) = (0, 0);
    for seed in 0..60 {
        let keeps = seed % 3 == 0;
        let (max_moves, threads) = (2 + seed as usize % 5, 1 + seed as usize % 2);
        let game = Graph { seed, nodes: 3000, max_moves, max_score: 0, keeps, twins: false, width: 0, key_bits: 32 };
        let whole = Budget { memory: 1 << 30, threads: 1 };
        let all = values(&game, &0, Count::Positions, usize::MAX, &Watch::default()).unwrap();
        let tables = [Method::AlphaBeta, Method::Auto].map(|method| (method, Budget { memory: 1 << 14, threads }));
        for (method, budget) in tables.into_iter().chain([(Method::Auto, whole)]) {
            for (&position, &value) in all.iter().take(12) {
                let mut engine = Engine::new(game.clone(), budget).with_method(method);
                for goal in [Goal::Winner, Goal::Value] {
                    let answer = engine.solve(&position, goal, &Watch::with_limit(30_000), |_| {}).unwrap();
                    assert!(answer.bounds.contains(value), "{position}: {value} {answer:?}");
                    for &(mv, bounds) in &answer.moves {
                        let after = game.play(&position, mv);
                        let of_move = game.turn(&position, mv, &after).to_parent(all[&after]);
                        assert!(bounds.contains(of_move), "{position}: {of_move} {answer:?}");
                    }
                    if answer.complete {
                        assert_eq!(answer.outcome(), Some(value.outcome()));
                        decided += u32::from(value != Value::DRAW && budget != whole);
                    } else {
                        // Only a draw is never found.
                        assert!(value == Value::DRAW && budget != whole, "{position}: {value} {answer:?}");
                        assert!(
                            answer.bounds.upper < Value::win(3) && answer.bounds.lower > Value::loss(3),
                            "{answer:?}"
                        );
                        open += 1;
                    }
                }
            }
        }
    }
    assert!(decided > 500 && open > 100, "{decided} {open}");
}

/// Cat and Mouse (LeetCode 913): the mouse moves first, from 1, and wants the hole, 0; the cat is at 2 and may not enter it.
#[derive(Clone)]
struct CatAndMouse(Vec<Vec<usize>>);

/// The place of the mouse and of the cat, and whether the mouse is to move.
type Chase = (usize, usize, bool);

impl Game for CatAndMouse {
    type Position = Chase;
    type Move = usize;

    fn start(&self) -> Chase {
        (1, 2, true)
    }

    fn moves(&self, &(mouse, cat, mouse_moves): &Chase) -> impl Iterator<Item = usize> {
        let is_over = mouse == 0 || mouse == cat;
        let places = if mouse_moves { &self.0[mouse] } else { &self.0[cat] };
        places.iter().copied().filter(move |&place| !is_over && (mouse_moves || place != 0))
    }

    fn play(&self, &(mouse, cat, mouse_moves): &Chase, place: usize) -> Chase {
        if mouse_moves { (place, cat, false) } else { (mouse, place, true) }
    }

    fn end(&self, &(mouse, _, mouse_moves): &Chase) -> Outcome {
        if (mouse == 0) == mouse_moves { Outcome::Win } else { Outcome::Loss }
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

/// Who wins within ever more turns: 1 the mouse, 2 the cat, 0 nobody.
fn cat_and_mouse(graph: &[Vec<usize>]) -> i32 {
    let n = graph.len();
    let mut result = vec![vec![[0; 2]; n]; n];
    for (place, cats) in result.iter_mut().enumerate() {
        cats[place] = [2; 2];
    }
    result[0] = vec![[1; 2]; n];
    for _ in 0..2 * n * n {
        for mouse in 1..n {
            for cat in (1..n).filter(|cat| *cat != mouse) {
                let by_mouse: Vec<_> = graph[mouse].iter().map(|place| result[*place][cat][1]).collect();
                let by_cat: Vec<_> =
                    graph[cat].iter().filter(|place| **place > 0).map(|place| result[mouse][*place][0]).collect();
                for (turn, after) in [(0, by_mouse), (1, by_cat)] {
                    let (own, other) = if turn == 0 { (1, 2) } else { (2, 1) };
                    if after.contains(&own) {
                        result[mouse][cat][turn] = own;
                    } else if after.iter().all(|winner| *winner == other) {
                        result[mouse][cat][turn] = other;
                    }
                }
            }
        }
    }
    result[1][2][0]
}

#[test]
fn cat_and_mouse_on_graphs() {
    let winner = |graph: &[Vec<usize>]| {
        let answer = balpan::solve(CatAndMouse(graph.to_vec())).unwrap();
        match answer.outcome().unwrap() {
            Outcome::Win => 1,
            Outcome::Draw => 0,
            Outcome::Loss => 2,
        }
    };
    // The examples of the problem.
    let nobody = vec![vec![2, 5], vec![3], vec![0, 4, 5], vec![1, 4, 5], vec![2, 3], vec![0, 2, 3]];
    assert_eq!(winner(&nobody), 0);
    assert_eq!(winner(&[vec![1, 3], vec![0], vec![3], vec![0, 2]]), 1);
    let mut random = SplitMix(913);
    let mut winners = [0; 3];
    for _ in 0..500 {
        let n = 3 + random.below(9);
        let mut graph = vec![Vec::new(); n];
        // A path, so that each place has a neighbour other than the hole, and some more edges.
        let path = (1..n - 1).map(|place| (place, place + 1));
        let others: Vec<_> = (0..1 + random.below(n)).map(|_| (random.below(n), random.below(n))).collect();
        for (a, b) in path.chain(others) {
            if a != b && !graph[a].contains(&b) {
                graph[a].push(b);
                graph[b].push(a);
            }
        }
        let expected = cat_and_mouse(&graph);
        assert_eq!(winner(&graph), expected, "{graph:?}");
        winners[expected as usize] += 1;
    }
    assert!(winners.into_iter().all(|count| count > 20), "{winners:?}");
}

/// Pong Hau K'i: two stones each on five points, of which one is free; who cannot move loses.
#[derive(Clone)]
struct PongHauKi;

/// The neighbours of each point: the top corners 0 and 1, the middle 2, the bottom corners 3 and 4, which have no edge.
const NEIGHBOURS: [&[usize]; 5] = [&[2, 3, 1], &[2, 4, 0], &[0, 1, 3, 4], &[0, 2], &[1, 2]];

impl Game for PongHauKi {
    /// The stones of the player to move, those of the other, and the free point.
    type Position = ([bool; 5], [bool; 5], usize);
    type Move = usize;

    fn start(&self) -> Self::Position {
        ([true, true, false, false, false], [false, false, false, true, true], 2)
    }

    fn moves(&self, &(own, _, free): &Self::Position) -> impl Iterator<Item = usize> {
        NEIGHBOURS[free].iter().copied().filter(move |point| own[*point])
    }

    fn play(&self, &(mut own, other, free): &Self::Position, point: usize) -> Self::Position {
        (own[point], own[free]) = (false, true);
        (other, own, point)
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

#[test]
fn pong_hau_ki_is_a_draw() {
    let answer = balpan::solve(PongHauKi).unwrap();
    assert_eq!(answer.outcome(), Some(Outcome::Draw));
    assert!(!answer.line.is_empty());
    let expected = textbook(&PongHauKi);
    let all = values(&PongHauKi, &PongHauKi.start(), Count::Positions, usize::MAX, &Watch::default()).unwrap();
    assert_eq!(all.into_iter().collect::<HashMap<_, _>>(), expected);
    // Some positions are lost: blocked stones.
    assert!(expected.values().any(|value| *value == Value::loss(0)));
}

/// Two tokens on a random graph, of which a player moves one along an edge; a token that cannot move stays.
#[derive(Clone, Debug)]
struct Tokens {
    seed: u64,
    nodes: u32,
    /// Whether edges lead to smaller nodes only, so that play ends.
    ends: bool,
}

impl Tokens {
    fn edges(&self, node: u32) -> impl Iterator<Item = u32> {
        let mut random = SplitMix(self.seed ^ u64::from(node) << 32);
        random.below(9);
        let to = if self.ends { node } else { self.nodes };
        let edges = if to == 0 { 0 } else { random.below(4) };
        (0..edges).map(move |_| random.below(to as usize) as u32)
    }
}

impl Game for Tokens {
    type Position = [u32; 2];
    type Move = (usize, u32);

    fn start(&self) -> [u32; 2] {
        [self.nodes - 1; 2]
    }

    fn moves(&self, &nodes: &[u32; 2]) -> impl Iterator<Item = (usize, u32)> {
        (0..2).flat_map(move |token| self.edges(nodes[token]).map(move |to| (token, to)))
    }

    fn play(&self, &nodes: &[u32; 2], (token, to): (usize, u32)) -> [u32; 2] {
        let mut after = nodes;
        after[token] = to;
        after
    }

    fn end(&self, _position: &[u32; 2]) -> Outcome {
        Outcome::Loss
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

/// One token on the same graph.
#[derive(Clone, Debug)]
struct Token(Tokens);

impl Game for Token {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.0.nodes - 1
    }

    fn moves(&self, &node: &u32) -> impl Iterator<Item = u32> {
        self.0.edges(node)
    }

    fn play(&self, _node: &u32, to: u32) -> u32 {
        to
    }

    fn end(&self, _node: &u32) -> Outcome {
        Outcome::Loss
    }
}

/// The outcomes and the values of all sums of two positions follow from the values of the parts.
#[test]
fn loopy_nimbers_add_up() {
    let mut infinite = 0;
    for seed in 0..300 {
        let tokens = Tokens { seed, nodes: 2 + seed as u32 % 12, ends: seed % 3 == 0 };
        let watch = Watch::default();
        let start = tokens.nodes - 1;
        let values: HashMap<u32, LoopyNimber> =
            loopy_nimbers(&Token(tokens.clone()), &start, 1 << 20, &watch).unwrap().into_iter().collect();
        infinite += values.values().filter(|value| matches!(value, LoopyNimber::Infinite(_))).count();
        let outcomes = Retrograde::new(&tokens, &tokens.start(), Budget::default(), &watch).unwrap();
        let sums: HashMap<[u32; 2], LoopyNimber> =
            loopy_nimbers(&tokens, &tokens.start(), 1 << 20, &watch).unwrap().into_iter().collect();
        for (&one, value) in &values {
            for (&other, beside) in &values {
                let sum = value.clone() + beside.clone();
                let position = [one, other];
                assert_eq!(sum.outcome(), outcomes.get(&position).unwrap().outcome(), "{tokens:?} {position:?}");
                assert_eq!(sums[&position], sum, "{tokens:?} {position:?}");
            }
        }
        if tokens.ends {
            let nimbers =
                balpan::reach::nimbers(&Token(tokens.clone()), &start, Count::Positions, 1 << 20, &watch).unwrap();
            assert!(nimbers.iter().all(|(node, &nimber)| values[node] == LoopyNimber::Finite(nimber)), "{tokens:?}");
        }
    }
    assert!(infinite > 100);
}

#[test]
fn loopy_nimbers_refuse_what_they_cannot_do() {
    let too_many = |seed| {
        let tokens = Tokens { seed, nodes: 200, ends: false };
        matches!(
            loopy_nimbers(&tokens, &tokens.start(), 1 << 10, &Watch::default()),
            Err(balpan::reach::ReachError::TooMany(_))
        )
    };
    assert!((0..20).any(too_many));
    // An end of this game may be a win or a draw.
    let graph =
        Graph { seed: 1, nodes: 50, max_moves: 3, max_score: 0, keeps: false, twins: false, width: 0, key_bits: 0 };
    let error = loopy_nimbers(&graph, &0, 1 << 20, &Watch::default()).unwrap_err();
    assert!(error.to_string().contains("no loss for the player to move"), "{error}");
}

/// A token that is moved to and fro, in a type that denies that play repeats.
#[derive(Clone, Debug)]
struct Denied;

impl Game for Denied {
    type Position = bool;
    type Move = ();

    const MAY_REPEAT: bool = false;

    fn start(&self) -> bool {
        false
    }

    fn moves(&self, _position: &bool) -> impl Iterator<Item = ()> {
        std::iter::once(())
    }

    fn play(&self, position: &bool, (): ()) -> bool {
        !position
    }

    fn may_repeat(&self) -> bool {
        true
    }
}

#[test]
fn play_that_repeats_although_its_type_denies_it_is_refused() {
    assert!(matches!(laws::check(&Denied, 1, 1), Err(laws::BrokenLaw::RepeatsUndeclared { position: false })));
    assert!(matches!(balpan::solve(Denied), Err(EngineError::TooLong(_))), "{:?}", balpan::solve(Denied));
    assert!(values(&Denied, &false, Count::Positions, 1 << 20, &Watch::default()).is_err());
}
