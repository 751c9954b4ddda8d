//! Estimates of the cost of a solve.

use rustc_hash::FxHashSet;

use crate::game::Game;
use crate::random::SplitMix;
use crate::search::length::{self, MAX_PLIES, TooDeep};
use crate::search::ranking::sort_by_rank;
use crate::search::watch::{Stopped, Watch};
use crate::value::{Turn, Value};

/// An estimate of the number of positions that a solve will search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The geometric mean of the samples.
    pub positions: f64,
    /// The lower quartile of the samples, with a somewhat lower growth rate.
    pub low: f64,
    /// The upper quartile of the samples, with a somewhat higher growth rate.
    pub high: f64,
    /// Whether the position was solved meanwhile: the three numbers are then equal, and exact.
    pub is_exact: bool,
}

/// Estimates the number of positions that a solve will search.
///
/// `cost` solves a position, with any solver up to any goal, and returns the number of positions searched; `None` if the
/// watch that it gets stops it. The estimate is the same for the same `seed`, unless `watch` stops it: it then uses the
/// samples collected so far. It assumes that the table is large enough.
///
/// Random probes estimate the size of the tree that proves an answer. That size ignores that the first move tried may be
/// wrong, which makes the search larger; that positions recur, which makes it smaller; and that there is more than one
/// test. These effects are learnt from later positions: on some random paths, the positions near the end are solved, as
/// far back as that is quick. There the cost grows as a power of the tree size, and the same power extrapolates from the
/// last solved position to this one.
///
/// Measured by alpha-beta on 24 solves of 200 thousand to 110 million positions, of games of all kinds: half of the
/// estimates were within a factor of 1.8, the worst one was 13 times too high, and the true number was between `low` and
/// `high` two times in three. The worst estimates are those of k-in-a-row games, where few paths are typical, and of the
/// largest solves.
///
/// Cost: a few million positions, mostly within 3 seconds; much longer, until `watch` stops it, where there are many moves
/// or each is slow.
///
/// # Errors
/// [`Stopped`] if `watch` stops it before the first sample, or play repeats or is too long.
///
/// Source: the probes, D. E. Knuth, "Estimating the efficiency of backtrack programs",
/// Mathematics of Computation 29 (1975).
pub fn estimate<G: Game>(
    game: &G,
    position: &G::Position,
    seed: u64,
    watch: &Watch,
    mut cost: impl FnMut(&G::Position, &Watch) -> Option<u64>,
) -> Result<Estimate, Stopped> {
    let mut cost = |position: &G::Position| {
        let limited = watch.child(MAX_COST);
        cost(position, &limited).map(|positions| positions as f64)
    };
    if watch.is_stopping() {
        return Err(Stopped::Interrupted);
    }
    if let Some(cost) = cost(position) {
        return Ok(Estimate { positions: cost, low: cost, high: cost, is_exact: true });
    }
    let too_deep = |TooDeep| length::explain(game, position, game.max_plies(position));
    let mut random = SplitMix(seed);
    // The logarithms of tree size and cost: of all solved positions, and of the last one on each path.
    let (mut solved, mut last) = (Vec::new(), Vec::new());
    let mut tree = Tree::default();
    for number in 0..PATHS {
        tree.probe(game, position, &mut random, watch).map_err(too_deep)?;
        let before = solved.len();
        let path = path_from(game, position, number % 2 == 0, &mut random, watch).map_err(too_deep)?;
        for position in path.iter().rev() {
            let Some(cost) = cost(position) else {
                break;
            };
            if cost >= MIN_COST {
                let mut tree = Tree::default();
                tree.probe(game, position, &mut random, watch).map_err(too_deep)?;
                if tree.probes < MIN_PROBES {
                    break;
                }
                solved.push((tree.size().ln(), cost.ln()));
            }
        }
        last.extend(solved[before..].last());
        if watch.is_stopping() {
            break;
        }
    }
    if watch.is_stopping() && (last.is_empty() || tree.probes < MIN_PROBES) {
        return Err(Stopped::Interrupted);
    }
    let tree = tree.size().ln();
    let power = slope(&solved);
    if last.is_empty() {
        last.push((0.0, 0.0));
    }
    let costs = |power: f64| {
        let mut costs: Vec<f64> = last.iter().map(|(smaller, cost)| cost + power * (tree - smaller)).collect();
        costs.sort_by(f64::total_cmp);
        costs
    };
    let positions = costs(power).iter().sum::<f64>() / last.len() as f64;
    let low = costs(power - POWER_ERROR)[last.len() / 4];
    let high = costs(power + POWER_ERROR)[last.len() * 3 / 4];
    // The cost is at least that at which the direct solve was stopped.
    let from_log = |cost: f64| cost.max((MAX_COST as f64).ln()).exp();
    Ok(Estimate { positions: from_log(positions), low: from_log(low), high: from_log(high), is_exact: false })
}

/// The number of random paths.
const PATHS: u32 = 16;

/// The number of probes that estimate one tree.
const PROBES: u32 = 200;

/// The least number of probes for an estimate.
const MIN_PROBES: u32 = 20;

/// The range of costs, in positions, from which the growth rate is learnt.
const MIN_COST: f64 = 50.0;
const MAX_COST: u64 = 1 << 17;

/// The range of plausible powers, and the error of a power (measured: games of all kinds).
const POWERS: (f64, f64) = (0.3, 1.5);
const POWER_ERROR: f64 = 0.1;

/// Plays a game to its end and returns its positions. The first move is random; then, as in a proof, the players take
/// turns at playing the best ranked move and a random one.
///
/// # Errors
/// [`TooDeep`] if the game does not end.
fn path_from<G: Game>(
    game: &G,
    from: &G::Position,
    mut by_rank: bool,
    random: &mut SplitMix,
    watch: &Watch,
) -> Result<Vec<G::Position>, TooDeep> {
    let mut path = Vec::new();
    let mut next = random_child(game, from, game.moves(from), random).map(|(after, ..)| after);
    while let Some(position) = next {
        if watch.is_stopping() {
            break;
        }
        next = match static_test(game, &position, Value::DRAW) {
            Some(_) => None,
            None if by_rank => children_by_rank(game, &position).next().map(|(_, after)| after),
            None => random_child(game, &position, game.candidates(&position), random).map(|(after, ..)| after),
        };
        by_rank = !by_rank;
        path.push(position);
        if path.len() > MAX_PLIES as usize {
            return Err(TooDeep);
        }
    }
    Ok(path)
}

/// An estimate of the size of the tree that tests, for every move, whether it is better than a draw: for a proof and for a
/// disproof, of which the smaller counts.
#[derive(Default)]
struct Tree {
    /// The sums of the probes' results, for a proof and for a disproof.
    yes: f64,
    no: f64,
    probes: u32,
}

impl Tree {
    /// Adds probes, until `watch` stops them.
    ///
    /// # Errors
    /// [`TooDeep`] if play does not end.
    fn probe<G: Game>(
        &mut self,
        game: &G,
        position: &G::Position,
        random: &mut SplitMix,
        watch: &Watch,
    ) -> Result<(), TooDeep> {
        for _ in 0..PROBES {
            if watch.is_stopping() {
                break;
            }
            self.yes += probe(game, position, true, random)?;
            self.no += probe(game, position, false, random)?;
            self.probes += 1;
        }
        Ok(())
    }

    fn size(&self) -> f64 {
        self.yes.min(self.no) / f64::from(self.probes.max(1))
    }
}

/// Runs one of Knuth's probes of that tree. The players alternate: one needs a single move that succeeds, for which the
/// probe takes the best ranked one that does not fail at once; the other needs all moves to be tested, of which the probe
/// follows one and counts it for all that no symmetry makes equal.
///
/// # Errors
/// [`TooDeep`] if play does not end.
fn probe<G: Game>(game: &G, position: &G::Position, yes: bool, random: &mut SplitMix) -> Result<f64, TooDeep> {
    let mut nodes = 1.0;
    let Some((mut position, turn, moves)) = random_child(game, position, game.moves(position), random) else {
        return Ok(nodes);
    };
    let (mut weight, mut threshold) = (moves as f64, Value::DRAW);
    // A move succeeds if no move of the other player does.
    let mut is_or_node = yes == (turn == Turn::Kept);
    for _ in 0..MAX_PLIES {
        nodes += weight;
        if static_test(game, &position, threshold).is_some() {
            return Ok(nodes);
        }
        let after = if is_or_node {
            children_by_rank(game, &position).find(|(turn, after)| {
                let succeeds = *turn == Turn::Kept;
                let fails = static_test(game, after, turn.child_threshold(threshold)) == Some(!succeeds);
                nodes += if fails { weight } else { 0.0 };
                !fails
            })
        } else {
            random_child(game, &position, game.candidates(&position), random).map(|(after, turn, moves)| {
                weight *= moves as f64;
                (turn, after)
            })
        };
        let Some((turn, after)) = after else { return Ok(nodes) };
        (position, threshold) = (after, turn.child_threshold(threshold));
        is_or_node ^= turn == Turn::Passes;
    }
    Err(TooDeep)
}

/// Tests whether the value of a position is better than `threshold`, if that needs no search.
fn static_test<G: Game>(game: &G, position: &G::Position, threshold: Value) -> Option<bool> {
    let value = match game.moves(position).next() {
        None => Some(game.end_value(position)),
        Some(_) => game.bounds(position, threshold).decide(threshold).or_else(|| game.settle(position, threshold)),
    };
    value.map(|value| value > threshold)
}

/// Returns the positions after the candidates, by descending rank.
fn children_by_rank<G: Game>(game: &G, position: &G::Position) -> impl Iterator<Item = (Turn, G::Position)> {
    let ranked = |mv| {
        let after = game.play(position, mv);
        (game.rank(position, mv, &after), game.turn(position, mv, &after), after)
    };
    let mut moves: Vec<_> = game.candidates(position).map(ranked).collect();
    sort_by_rank(&mut moves, |(rank, ..)| *rank);
    moves.into_iter().map(|(_, turn, after)| (turn, after))
}

/// Returns the position after a random move, and the number of moves that no symmetry makes equal.
fn random_child<G: Game>(
    game: &G,
    position: &G::Position,
    moves: impl Iterator<Item = G::Move>,
    random: &mut SplitMix,
) -> Option<(G::Position, Turn, usize)> {
    let mut seen = FxHashSet::default();
    let after = moves.map(|mv| {
        let after = game.play(position, mv);
        (game.canonical(&after), game.turn(position, mv, &after))
    });
    let mut after: Vec<_> = after.collect();
    after.retain(|(position, _)| seen.insert(position.clone()));
    let moves = after.len();
    (moves > 0).then(|| {
        let (after, turn) = after.swap_remove(random.below(moves));
        (after, turn, moves)
    })
}

/// Returns the slope of the least-squares line through the points, within the plausible range.
fn slope(points: &[(f64, f64)]) -> f64 {
    let mean = |part: fn(&(f64, f64)) -> f64| points.iter().map(part).sum::<f64>() / points.len().max(1) as f64;
    let (x_mean, y_mean) = (mean(|point| point.0), mean(|point| point.1));
    let (mut square, mut product) = (0.0, 0.0);
    for (x, y) in points {
        square += (x - x_mean) * (x - x_mean);
        product += (x - x_mean) * (y - y_mean);
    }
    if square > 0.0 { (product / square).clamp(POWERS.0, POWERS.1) } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{AlphaBeta, Game, Goal, Outcome, Solver, solve_with};

    /// A uniform tree: every position has `moves` moves until play ends after `plies` plies, with each outcome at a
    /// probability of 1/3.
    struct Uniform {
        moves: u64,
        plies: u32,
    }

    impl Game for Uniform {
        /// The number of plies played, and the number of the path.
        type Position = (u32, u64);
        type Move = u64;

        fn start(&self) -> (u32, u64) {
            (0, 0)
        }

        fn moves(&self, &(plies, _): &(u32, u64)) -> impl Iterator<Item = u64> {
            0..if plies < self.plies { self.moves } else { 0 }
        }

        fn play(&self, &(plies, path): &(u32, u64), mv: u64) -> (u32, u64) {
            (plies + 1, path * self.moves + mv)
        }

        fn end(&self, &(_, path): &(u32, u64)) -> Outcome {
            [Outcome::Loss, Outcome::Draw, Outcome::Win][SplitMix(path).below(3)]
        }

        fn looks_ahead(&self) -> bool {
            true
        }
    }

    #[test]
    fn a_probe_is_exact_where_all_moves_are_alike() {
        // No position is decided before the end, and no first move fails before that.
        for (moves, plies) in [(1, 1), (2, 4), (3, 5), (7, 3)] {
            let game = Uniform { moves, plies };
            for seed in 0..20 {
                let nodes = probe(&game, &(0, 0), plies % 2 == 0, &mut SplitMix(seed)).expect("play ends");
                let all_at = |ply: u32| (ply + plies) % 2 == 1;
                let mut width = 1;
                let widths = (0..plies).map(|ply| {
                    width *= if ply == 0 || all_at(ply) { moves } else { 1 };
                    width
                });
                let expected = 1 + widths.sum::<u64>();
                assert!(nodes == expected as f64, "{moves} moves, {plies} plies: {nodes}, not {expected}");
            }
        }
    }

    fn cost(game: &Uniform, position: &(u32, u64), goal: Goal, watch: &Watch) -> Option<u64> {
        let mut solver = AlphaBeta::new(game, 16 << 20, watch);
        let solution = solve_with(game, position, goal, &mut solver, watch);
        solution.is_ok().then(|| solver.positions_searched())
    }

    fn estimate_uniform(game: &Uniform, goal: Goal, seed: u64, watch: &Watch) -> Result<Estimate, Stopped> {
        estimate(game, &game.start(), seed, watch, |position, watch| cost(game, position, goal, watch))
    }

    #[test]
    fn quick_solves_are_exact() {
        let game = Uniform { moves: 3, plies: 7 };
        let watch = Watch::default();
        for goal in [Goal::MoveValues, Goal::MoveOutcomes] {
            let cost = cost(&game, &game.start(), goal, &watch).expect("nothing stops it") as f64;
            let expected = Estimate { positions: cost, low: cost, high: cost, is_exact: true };
            assert_eq!(estimate_uniform(&game, goal, 1, &watch), Ok(expected));
        }
    }

    #[test]
    fn longer_solves_are_estimated_within_a_factor_of_four() {
        let game = Uniform { moves: 4, plies: 16 };
        let watch = Watch::default();
        let cost = cost(&game, &game.start(), Goal::MoveOutcomes, &watch).expect("nothing stops it") as f64;
        for seed in 0..5 {
            let first = estimate_uniform(&game, Goal::MoveOutcomes, seed, &watch);
            assert_eq!(first, estimate_uniform(&game, Goal::MoveOutcomes, seed, &watch));
            let found = first.expect("nothing stops it");
            assert!(!found.is_exact && found.low <= found.high, "{found:?}");
            assert!(found.positions / cost < 4.0 && cost / found.positions < 4.0, "{found:?} for {cost}");
        }
    }

    #[test]
    fn a_stopped_estimate_uses_its_samples() {
        let game = Uniform { moves: 4, plies: 16 };
        let watch = Watch::default();
        let mut solved = 0;
        let found = estimate(&game, &game.start(), 1, &watch, |position, limited| {
            let cost = cost(&game, position, Goal::MoveOutcomes, limited);
            solved += u64::from(cost.is_some_and(|cost| cost as f64 > MIN_COST));
            if solved > 10 {
                watch.stop();
            }
            cost
        });
        assert!(found.as_ref().is_ok_and(|found| !found.is_exact && found.positions > MAX_COST as f64), "{found:?}");
    }

    #[test]
    fn an_estimate_stops_with_its_watch() {
        let watch = Watch::default();
        watch.stop();
        let game = Uniform { moves: 4, plies: 16 };
        assert_eq!(estimate_uniform(&game, Goal::MoveValues, 1, &watch), Err(Stopped::Interrupted));
    }
}
