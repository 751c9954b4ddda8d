//! Files agree with plain minimax and plain nimbers on random games of all families.

use crate::common;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use balpan::reach::{Count, ReachError, values};
use balpan::{Budget, Engine, Game, MAX_KEY_BITS, Oracle, Solver, Value, Watch, minimax};
use balpan_games::{Notation, RulesFile, Task};
use balpan_strong::{BuildError, FileOracle, Metric, Prober, Subject, Table, verify, verify_sample};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::common::{MIN_MEMORY, after, build_file, cases, codes, games, plan, subject};

type Checked = Result<(), TestCaseError>;

/// Values by layer and key.
type ByKey = BTreeMap<(u32, u128), Value>;

/// The memory for the positions that may follow from a start: a few thousand.
const SMALL: usize = 1 << 19;

/// Positions after the given plies, and more plies until few enough positions follow; and the
/// values of all positions that follow, by layer and key.
fn small_starts<G: Notation>(
    game: &G,
    plies: &[Vec<u16>],
    count: Count,
) -> Result<(Vec<G::Position>, ByKey), TestCaseError> {
    let (mut starts, mut all) = (Vec::new(), BTreeMap::new());
    for choices in plies {
        let mut choices = choices.clone();
        let (start, found) = loop {
            let start = after(game, &choices);
            match values(game, &start, count, SMALL, &Watch::default()) {
                Ok(found) => break (start, found),
                Err(ReachError::TooMany(_)) => choices.push(choices.len() as u16 * 7 + 3),
                Err(e) => return Err(TestCaseError::fail(e.to_string())),
            }
        };
        for (position, value) in found {
            let at = (game.layer(&position).unwrap(), game.key(&position));
            // Keys of walkers leave out the players' names: several positions may share a key.
            if let Some(other) = all.insert(at, value) {
                prop_assert_eq!(value, other);
            }
        }
        starts.push(start);
    }
    Ok((starts, all))
}

/// Whether the game has keys that a file can store; otherwise a build must refuse.
fn has_keys<G: Notation>(game: &G, starts: &[G::Position]) -> bool {
    let reads_back = |start: &G::Position| {
        let canonical = game.canonical(start);
        game.position_from_key(game.key(&canonical)).is_some_and(|read| game.canonical(&read) == canonical)
    };
    (1..=MAX_KEY_BITS).contains(&game.key_bits()) && starts.iter().all(reads_back)
}

/// Builds a file; `None` if the game has no keys.
fn file<G: Notation>(
    game: &G,
    starts: &[G::Position],
    subject: Subject,
    threads: usize,
) -> Result<Option<Table<Vec<u8>>>, TestCaseError> {
    let folder = common::folder();
    let mut plan = plan(folder.path(), subject);
    (plan.threads, plan.memory) = (threads, threads * MIN_MEMORY);
    match build_file(game, starts, &plan) {
        Err(BuildError::NoKeys) if !has_keys(game, starts) => Ok(None),
        Err(e) => Err(TestCaseError::fail(e.to_string())),
        Ok(bytes) => Table::open(bytes).map(Some).map_err(|e| TestCaseError::fail(e.to_string())),
    }
}

/// Checks that the header counts the positions, that the file passes verification, and that every
/// key is found.
fn check_file<G: Notation>(game: &G, starts: &[G::Position], table: &Table<Vec<u8>>) -> Checked {
    let found = codes(table).unwrap();
    let header = table.header();
    prop_assert_eq!(header.positions(), found.len() as u64);
    for layer in &header.layers {
        let mut counts = BTreeMap::new();
        for (_, &code) in found.range((layer.layer, 0)..=(layer.layer, u128::MAX)) {
            *counts.entry(code).or_insert(0) += 1;
        }
        prop_assert_eq!(&layer.counts, &counts.into_iter().collect::<Vec<_>>());
        prop_assert_eq!(layer.positions, layer.counts.iter().map(|(_, count)| count).sum::<u64>());
    }
    let mut prober = Prober::new().unwrap();
    for (&(layer, key), &code) in &found {
        prop_assert_eq!(prober.probe(table, layer, key), Ok(Some(code)));
        for other in [key.wrapping_sub(1), key + 1, key ^ 1 << 100] {
            prop_assert_eq!(prober.probe(table, layer, other), Ok(found.get(&(layer, other)).copied()));
        }
        prop_assert_eq!(prober.probe(table, layer + 1, key), Ok(found.get(&(layer + 1, key)).copied()));
    }
    let (watch, budget) = (Watch::default(), Budget { memory: MIN_MEMORY, threads: 2 });
    prop_assert_eq!(verify(game, starts, table, budget, &watch).unwrap(), found.len() as u64);
    prop_assert_eq!(verify_sample(game, starts, table, None, &watch).unwrap(), found.len() as u64);
    let some = if found.is_empty() { 0 } else { 5 };
    prop_assert_eq!(verify_sample(game, starts, table, Some((5, 1)), &watch).unwrap(), some);
    Ok(())
}

struct Values<'a> {
    rules: &'a RulesFile,
    plies: &'a [Vec<u16>],
    folded: bool,
    threads: usize,
}

impl Task for Values<'_> {
    type Output = Checked;

    fn run<G: Notation>(self, game: &G) -> Checked {
        let count = if self.folded { Count::Classes } else { Count::Positions };
        let (starts, expected) = small_starts(game, self.plies, count)?;
        let subject = Subject { folded: self.folded, ..subject(self.rules, game, &starts) };
        let Some(table) = file(game, &starts, subject, self.threads)? else { return Ok(()) };
        let value = |code| table.header().value(code).expect("a value");
        let found: BTreeMap<_, _> = codes(&table).unwrap().into_iter().map(|(at, code)| (at, value(code))).collect();
        prop_assert_eq!(&found, &expected);
        check_file(game, &starts, &table)?;
        let oracle = FileOracle::new(table);
        for start in &starts {
            let stored = if self.folded { game.canonical(start) } else { start.clone() };
            let found = Oracle::value(&oracle, game.layer(start).unwrap(), game.key(&stored));
            prop_assert_eq!(found, expected.get(&(game.layer(start).unwrap(), game.key(&stored))).copied());
            prop_assert!(found.is_some());
            prop_assert_eq!(Oracle::nimber(&oracle, game.layer(start).unwrap(), game.key(&stored)), None);
        }
        Ok(())
    }
}

/// The nimber by its definition: the least that no move leads to.
fn plain_nimber<G: Notation>(game: &G, position: &G::Position, oracle: &mut HashMap<G::Position, u32>) -> u32 {
    if let Some(&nimber) = oracle.get(position) {
        return nimber;
    }
    let moves: Vec<_> = game.moves(position).collect();
    let reached: BTreeSet<u32> =
        moves.into_iter().map(|mv| plain_nimber(game, &game.play(position, mv), oracle)).collect();
    let nimber = (0..).find(|nimber| !reached.contains(nimber)).unwrap();
    oracle.insert(position.clone(), nimber);
    nimber
}

/// The parts of a position.
fn parts<G: Game>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut parts = Vec::new();
    game.split(position, &mut parts);
    parts
}

struct Nimbers<'a> {
    rules: &'a RulesFile,
    plies: &'a [Vec<u16>],
    threads: usize,
}

impl Task for Nimbers<'_> {
    type Output = Checked;

    fn run<G: Notation>(self, game: &G) -> Checked {
        let (starts, _) = small_starts(game, self.plies, Count::Positions)?;
        let subject = Subject { metric: Metric::Nimber, ..subject(self.rules, game, &starts) };
        if !game.is_impartial() {
            let folder = common::folder();
            let made = build_file(game, &starts, &plan(folder.path(), subject));
            let is_refused = matches!(made, Err(BuildError::NotImpartial | BuildError::NoKeys));
            prop_assert!(is_refused, "{made:?}");
            return Ok(());
        }
        let Some(table) = file(game, &starts, subject, self.threads)? else { return Ok(()) };
        // All parts that follow from those of the starts.
        let (mut expected, mut oracle) = (BTreeMap::new(), HashMap::new());
        let mut left: Vec<_> = starts.iter().flat_map(|start| parts(game, start)).collect();
        while let Some(part) = left.pop() {
            let nimber = plain_nimber(game, &part, &mut oracle);
            let at = (game.layer(&part).unwrap(), game.key(&part));
            match expected.insert(at, nimber as u16) {
                Some(other) => prop_assert_eq!(other, nimber as u16),
                None => left.extend(game.moves(&part).flat_map(|mv| parts(game, &game.play(&part, mv)))),
            }
        }
        prop_assert_eq!(&codes(&table).unwrap(), &expected);
        check_file(game, &starts, &table)?;
        let known_parts = FileOracle::new(table);
        for start in &starts {
            let of = |part: &G::Position| Oracle::nimber(&known_parts, game.layer(part).unwrap(), game.key(part));
            let sum = parts(game, start).iter().map(|part| of(part).unwrap()).fold(0, |sum, nimber| sum ^ nimber);
            prop_assert_eq!(sum, plain_nimber(game, start, &mut oracle));
            let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 });
            prop_assert_eq!(sum, engine.nimber(start, &Watch::default()).unwrap());
        }
        Ok(())
    }
}

/// The value of the start by an engine with the file as its oracle, which searches nothing.
struct EngineWithFile<'a>(&'a RulesFile, bool);

impl Task for EngineWithFile<'_> {
    type Output = ();

    fn run<G: Notation>(self, game: &G) {
        let starts = [game.start()];
        let subject = Subject { folded: self.1, ..subject(self.0, game, &starts) };
        let oracle = std::sync::Arc::new(FileOracle::new(file(game, &starts, subject, 1).unwrap().unwrap()));
        assert!(oracle.damage().is_none());
        let mut engine = Engine::new(game.clone(), Budget { memory: 1 << 20, threads: 1 }).with_oracle(oracle);
        assert_eq!(engine.value(&game.start()), minimax(game, &game.start()));
        assert_eq!(engine.positions_searched(), 0);
    }
}

fn starts() -> impl Strategy<Value = Vec<Vec<u16>>> {
    vec(vec(any::<u16>(), 0..6), 1..4)
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn values_are_those_of_minimax(
        rules in games(), plies in starts(), folded: bool, threads in 1..=3_usize,
    ) {
        rules.game().unwrap().run(Values { rules: &rules, plies: &plies, folded, threads })?;
    }

    #[test]
    fn nimbers_are_those_of_plain_play(rules in games(), plies in starts(), threads in 1..=3_usize) {
        rules.game().unwrap().run(Nimbers { rules: &rules, plies: &plies, threads })?;
    }
}

#[test]
fn an_engine_with_a_file_searches_nothing() {
    for folded in [true, false] {
        for (name, board) in [("platforms", "3x3"), ("cram", "3x3"), ("domineering", "3x3")] {
            let rules = common::rules(name, board, &[]);
            rules.game().unwrap().run(EngineWithFile(&rules, folded));
        }
    }
}

/// No start, and a start without a part: files without positions.
#[test]
fn files_may_be_empty() {
    struct Empty<'a>(&'a RulesFile, Metric);

    impl Task for Empty<'_> {
        type Output = ();

        fn run<G: Notation>(self, game: &G) {
            let starts = if self.1 == Metric::Value { vec![] } else { vec![game.start()] };
            let subject = Subject { metric: self.1, ..subject(self.0, game, &starts) };
            let table = file(game, &starts, subject, 1).unwrap().unwrap();
            assert_eq!((table.header().positions(), codes(&table).unwrap().len()), (0, 0));
            assert_eq!(Prober::new().unwrap().probe(&table, 0, 0), Ok(None));
            check_file(game, &starts, &table).unwrap();
        }
    }

    let rules = common::rules("cram", "3x3", &[]);
    rules.game().unwrap().run(Empty(&rules, Metric::Value));
    // No domino has room.
    rules.game_at("#.#/.#./#.#").unwrap().run(Empty(&rules, Metric::Nimber));
}
