//! The solvers against plain minimax on random games, with draws, wins and losses at ends, transpositions, and optional
//! methods that are as informative as chance and their laws allow.

use balpan::reach::{Count, values};
use balpan::{
    AlphaBeta, Answer, Bounds, Budget, DfPn, Engine, Game, Goal, Minimax, Outcome, Solution, Solver, UNRANKED, Value,
    Verdict, Watch, laws, minimax, solve_with,
};
use proptest::prelude::*;

/// A random layered graph: a position is a layer and a place in it; moves lead to places of the next layer.
#[derive(Clone, Debug)]
struct Made {
    seed: u64,
    layers: u32,
    width: u32,
    most_moves: u64,
    /// The number of 16 positions that end before the last layer.
    ends: u64,
    /// Whether the places `2 n` and `2 n + 1` of a layer are equal by symmetry.
    twins: bool,
    bounded: bool,
    choosy: bool,
    ranked: bool,
    looks_ahead: bool,
    /// The bits of keys: at least 10, 3 for the layer and 7 for the place; 0 for none.
    key_bits: u32,
    /// The number of 16 positions that are cacheable.
    memorable: u64,
    /// The largest score; 0 for ends without scores.
    max_score: u32,
    /// The number of 16 moves that keep the turn.
    kept: u64,
}

impl Made {
    /// Returns a random number, the same for the same position and purpose.
    fn random(&self, (layer, place): (u32, u32), purpose: u64) -> u64 {
        let place = if self.twins { place / 2 } else { place };
        let mut z = self.seed ^ (u64::from(layer) << 40) ^ (u64::from(place) << 20) ^ purpose;
        for _ in 0..2 {
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (z >> 31);
        }
        z
    }
}

impl Made {
    /// The value of a move, by plain minimax.
    fn move_value(&self, position: &(u32, u32), mv: u64) -> Value {
        let after = self.play(position, mv);
        self.turn(position, mv, &after).to_parent(minimax(self, &after).expect("play is short"))
    }

    /// How play ends for one of two players, who is to move or not: the definition, without signs that change.
    fn textbook(&self, position: (u32, u32), to_move: bool) -> Ending {
        let endings = self.moves(&position).map(|mv| {
            let moves_next = to_move == self.keeps_turn(&position, mv, &(0, 0));
            match self.textbook(self.play(&position, mv), moves_next) {
                Ending::Win(plies) => Ending::Win(plies + 1),
                Ending::Loss(plies) => Ending::Loss(plies + 1),
                score => score,
            }
        });
        let chosen =
            if to_move { endings.max_by_key(Ending::preference) } else { endings.min_by_key(Ending::preference) };
        chosen.unwrap_or_else(|| match (self.score(&position), self.end(&position)) {
            (Some(score), _) => Ending::Score(if to_move { score } else { -score }),
            (None, Outcome::Draw) => Ending::Score(0),
            (None, end) if (end == Outcome::Win) == to_move => Ending::Win(0),
            (None, _) => Ending::Loss(0),
        })
    }
}

/// How play ends for one of the players.
#[derive(Clone, Copy, Debug)]
enum Ending {
    Win(u32),
    Score(i32),
    Loss(u32),
}

impl Ending {
    /// Higher for endings that the player prefers.
    fn preference(&self) -> (i32, i64) {
        match *self {
            Self::Win(plies) => (1, -i64::from(plies)),
            Self::Score(score) => (0, score.into()),
            Self::Loss(plies) => (-1, plies.into()),
        }
    }

    fn verdict(self) -> Verdict {
        match self {
            Self::Win(plies) => Verdict { outcome: Outcome::Win, remoteness: Some(plies), score: None },
            Self::Loss(plies) => Verdict { outcome: Outcome::Loss, remoteness: Some(plies), score: None },
            Self::Score(0) => Verdict::from(Outcome::Draw),
            Self::Score(score) => {
                let outcome = if score > 0 { Outcome::Win } else { Outcome::Loss };
                Verdict { outcome, remoteness: None, score: Some(score) }
            }
        }
    }
}

impl Game for Made {
    type Position = (u32, u32);
    type Move = u64;

    fn start(&self) -> (u32, u32) {
        (0, 0)
    }

    fn moves(&self, &position: &(u32, u32)) -> impl Iterator<Item = u64> {
        let over = position.0 == self.layers || position.0 > 0 && self.random(position, 1) % 16 < self.ends;
        0..if over { 0 } else { 1 + (self.random(position, 2) % (2 * self.most_moves)).min(self.most_moves - 1) }
    }

    fn play(&self, &position: &(u32, u32), mv: u64) -> (u32, u32) {
        (position.0 + 1, (self.random(position, 100 + mv) % u64::from(self.width)) as u32)
    }

    fn end(&self, &position: &(u32, u32)) -> Outcome {
        [Outcome::Loss, Outcome::Draw, Outcome::Win][(self.random(position, 3) % 3) as usize]
    }

    /// Some ends have no score where others do.
    fn score(&self, &position: &(u32, u32)) -> Option<i32> {
        let scores = 2 * u64::from(self.max_score) + 1;
        let score = (self.random(position, 7) % scores) as i32 - self.max_score as i32;
        (self.max_score > 0 && !self.random(position, 8).is_multiple_of(8)).then_some(score)
    }

    fn max_score(&self) -> u32 {
        self.max_score
    }

    const TURNS_ALTERNATE: bool = false;

    fn keeps_turn(&self, &position: &(u32, u32), mv: u64, _after: &(u32, u32)) -> bool {
        self.random(position, 400 + mv) % 16 < self.kept
    }

    fn canonical(&self, &(layer, place): &(u32, u32)) -> (u32, u32) {
        (layer, if self.twins { place / 2 * 2 } else { place })
    }

    fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Returns a key of exactly `key_bits` bits, as tables have one layout for short keys and others for long ones.
    fn key(&self, &(layer, place): &(u32, u32)) -> u128 {
        u128::from(layer) << (self.key_bits - 3) | u128::from(place)
    }

    fn is_cacheable(&self, &position: &(u32, u32)) -> bool {
        self.random(position, 4) % 16 < self.memorable
    }

    fn looks_ahead(&self) -> bool {
        self.looks_ahead
    }

    /// Returns sound bounds of random tightness.
    fn bounds(&self, position: &(u32, u32), threshold: Value) -> Bounds {
        if !self.bounded || self.random(*position, 6) % 4 == threshold.remoteness().unwrap_or(0).into() {
            return Bounds::ANY;
        }
        let value = minimax(&Self { bounded: false, ..self.clone() }, position).expect("play is short");
        let slack = self.random(*position, 5);
        let lower = if slack & 3 == 0 { value } else { Bounds::ANY.lower };
        let upper = if slack & 12 == 0 { value } else { Bounds::ANY.upper };
        let draw_or_better = slack & 48 == 0 && value >= Value::DRAW;
        Bounds { lower: if draw_or_better { lower.max(Value::DRAW) } else { lower }, upper }
    }

    /// Returns a best move and random others.
    fn candidates(&self, position: &(u32, u32)) -> impl Iterator<Item = u64> {
        let plain = Self { bounded: false, choosy: false, ..self.clone() };
        let value = self.choosy.then(|| minimax(&plain, position).expect("play is short"));
        let best = move |mv: &u64| value.is_none_or(|value| plain.move_value(position, *mv) == value);
        let first_best = self.moves(position).find(best);
        let by_chance = move |mv: &u64| !self.choosy || self.random(*position, 300 + mv).is_multiple_of(2);
        self.moves(position).filter(move |mv| by_chance(mv) || first_best == Some(*mv))
    }

    fn rank(&self, &position: &(u32, u32), mv: u64, _after: &(u32, u32)) -> i32 {
        if self.ranked { (self.random(position, 200 + mv) % 7) as i32 } else { UNRANKED }
    }
}

fn made() -> impl Strategy<Value = Made> {
    let shape = (any::<u64>(), 1..=7_u32, 2..=16_u32, 2..=4_u64, 0..=3_u64);
    let key_bits = prop_oneof![Just(0), Just(10), Just(49), Just(64), Just(65), Just(103)];
    let hooks = (any::<[bool; 5]>(), prop_oneof![Just(16), 0..=16_u64], key_bits);
    let rules = (prop_oneof![Just(0), Just(3), Just(1000)], prop_oneof![Just(0), Just(5), Just(16)]);
    (shape, hooks, rules).prop_map(
        |(
            (seed, layers, width, most_moves, ends),
            ([twins, bounded, choosy, ranked, looks_ahead], memorable, key_bits),
            (max_score, kept),
        )| Made {
            seed,
            layers,
            width,
            most_moves,
            ends,
            twins,
            bounded,
            choosy,
            ranked,
            looks_ahead,
            key_bits,
            memorable,
            max_score,
            kept,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn solvers_agree(game in made()) {
        let start = game.start();
        let watch = Watch::default();
        let expected = solve_with(&game, &start, Goal::MoveValues, &mut Minimax::new(&game, &watch), &watch).unwrap();
        prop_assert_eq!(expected.verdict, minimax(&game, &start).unwrap().into());
        prop_assert_eq!(expected.verdict, game.textbook(start, true).verdict());
        for (table, threads) in [(0, 1), (1 << 10, 1), (1 << 20, 1), (1 << 12, 2)] {
            let mut solver = AlphaBeta::new(&game, table, &watch).with_threads(threads);
            let outcomes = solve_with(&game, &start, Goal::MoveOutcomes, &mut solver, &watch).unwrap();
            prop_assert_eq!(outcomes.verdict.outcome, expected.verdict.outcome);
            let found = solve_with(&game, &start, Goal::MoveValues, &mut solver, &watch).unwrap();
            prop_assert_eq!(&found, &expected);
            // Each outcome is found with a fresh table.
            let mut solver = AlphaBeta::new(&game, table, &watch);
            prop_assert_eq!(solver.value(&start), minimax(&game, &start));
        }
        for (table, threads) in [(0, 1), (1 << 10, 1), (1 << 20, 1), (1 << 12, 2)] {
            let proofs = || DfPn::new(&game, table, &watch).with_threads(threads).with_parallel_threshold(0);
            let mut solver = proofs();
            let outcomes = solve_with(&game, &start, Goal::MoveOutcomes, &mut solver, &watch).unwrap();
            prop_assert_eq!(outcomes.verdict.outcome, expected.verdict.outcome);
            let found = solve_with(&game, &start, Goal::MoveValues, &mut solver, &watch).unwrap();
            prop_assert_eq!(&found, &expected);
            prop_assert_eq!(proofs().value(&start), minimax(&game, &start));
            let is_confirmed = |winner: Solution<_>| {
                let known = winner.moves.iter().all(|mv| outcomes.moves.contains(mv));
                known && winner.verdict == outcomes.verdict && (winner.best_moves().next().is_some() || outcomes.moves.is_empty())
            };
            let mut solver = proofs();
            prop_assert!(is_confirmed(solve_with(&game, &start, Goal::Winner, &mut solver, &watch).unwrap()));
            let mut solver = AlphaBeta::new(&game, table, &watch);
            prop_assert!(is_confirmed(solve_with(&game, &start, Goal::Winner, &mut solver, &watch).unwrap()));
        }
        let all = values(&game, &start, Count::Positions, usize::MAX, &watch).unwrap();
        for (position, value) in all {
            prop_assert_eq!(Ok(value), minimax(&game, &position));
        }
        prop_assert_eq!(laws::check(&game, 3, game.seed), Ok(()));
    }

    #[test]
    fn an_engine_is_right_at_every_step_after_any_earlier_calls(
        game in made(), threads in 1..=2_usize, questions in prop::collection::vec(question(), 1..8)
    ) {
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 16, threads });
        for Question { plies, choice, goal, stopped } in questions {
            let mut position = game.start();
            for ply in 0..plies {
                let moves: Vec<_> = game.moves(&position).collect();
                if let Some(mv) = moves.get((choice >> (2 * ply)) as usize % moves.len().max(1)) {
                    position = game.play(&position, *mv);
                }
            }
            if let Some(positions) = stopped {
                let watch = Watch::with_limit(positions);
                let mut right = true;
                let answer = engine.solve(&position, goal, &watch, |step| right &= is_true(&game, &position, step)).unwrap();
                prop_assert!(right && is_true(&game, &position, &answer));
            }
            let mut right = true;
            let answer = engine.solve(&position, goal, &Watch::default(), |step| right &= is_true(&game, &position, step));
            let answer = answer.unwrap();
            prop_assert!(right && answer.complete);
            let watch = Watch::default();
            let expected = solve_with(&game, &position, goal, &mut Minimax::new(&game, &watch), &watch).unwrap();
            let found = Solution::from_answer(&answer).unwrap();
            if goal == Goal::Winner {
                // Other moves may win as well.
                prop_assert_eq!(found.verdict, expected.verdict);
                prop_assert_eq!(found.best_moves().next().is_some(), expected.best_moves().next().is_some());
            } else {
                prop_assert_eq!(found, expected);
            }
        }
    }
}

/// A call of [`Engine::solve`].
#[derive(Clone, Copy, Debug)]
struct Question {
    plies: u32,
    choice: u64,
    goal: Goal,
    /// The number of positions after which a first call is stopped.
    stopped: Option<u64>,
}

fn question() -> impl Strategy<Value = Question> {
    let goal = prop_oneof![Just(Goal::Winner), Just(Goal::MoveOutcomes), Just(Goal::Value), Just(Goal::MoveValues)];
    let stopped = prop::option::of(1..5000_u64);
    (0..4_u32, any::<u64>(), goal, stopped).prop_map(|(plies, choice, goal, stopped)| Question {
        plies,
        choice,
        goal,
        stopped,
    })
}

/// Returns whether plain minimax confirms everything in an answer.
fn is_true(game: &Made, position: &(u32, u32), answer: &Answer<u64>) -> bool {
    let plain = Made { bounded: false, choosy: false, ..game.clone() };
    let own = minimax(&plain, position).unwrap();
    let moves: Vec<_> = game.moves(position).collect();
    let of_moves = answer.moves.iter().all(|(mv, bounds)| bounds.contains(plain.move_value(position, *mv)));
    answer.bounds.contains(own)
        && answer.moves.iter().map(|(mv, _)| *mv).eq(moves)
        && of_moves
        && answer.best_moves().all(|mv| {
            let value = plain.move_value(position, mv);
            value == own || !answer.complete && value.outcome() == own.outcome() || !answer.goal.includes_remoteness()
        })
}
