//! Files of games with scores, moves that keep the turn, and play that may repeat, against retrograde analysis in memory
//! and against values computed by the definition.

use crate::common;

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::Path;
use std::time::Duration;

use balpan::{Budget, Engine, Game, Oracle, Retrograde, Solver, Stopped, Turn, Value, Watch, laws};
use balpan_strong::{
    BuildError, FileOracle, Metric, MismatchKind, Plan, Progress, Subject, Table, Values, VerifyError, book, build,
    estimate, export_values, verify, verify_sample,
};
use proptest::prelude::*;

use crate::common::made::{MADE, Made};
use crate::common::{MIN_MEMORY, cases, codes, forge, plan};
use crate::table::{blocks, check_block};

/// Made games of all kinds that files hold.
fn made<const KEEPS: bool>() -> impl Strategy<Value = Made<KEEPS>> {
    let shape = (any::<u64>(), 0..=6_u32, 1..=60_u32, 1..=4_usize, 0..=4_usize);
    let key_bits = prop_oneof![Just(12), Just(40), Just(41), Just(64), Just(103)];
    let rules = (prop_oneof![Just(0), Just(3), Just(1000)], any::<[bool; 3]>(), key_bits);
    (shape, rules).prop_map(
        |((seed, layers, width, max_moves, ends), (max_score, [may_repeat, is_flat, twins], key_bits))| Made {
            seed,
            layers,
            width,
            max_moves,
            max_score: if may_repeat { 0 } else { max_score },
            may_repeat,
            is_flat: is_flat && may_repeat,
            twins,
            ends,
            key_bits,
        },
    )
}

/// Returns the values of all positions that play from the starts reaches, canonical ones if folded, by layer and key: each is
/// that of the best move, computed again until none changes, and a draw at first. After `n` rounds all wins and losses in
/// up to `n` plies are right.
fn textbook<G: Game>(game: &G, starts: &[G::Position], folded: bool) -> BTreeMap<(u32, u128), Value> {
    let stored = |position: &G::Position| if folded { game.canonical(position) } else { position.clone() };
    let mut positions: Vec<G::Position> = Vec::new();
    let mut numbers = HashMap::new();
    let mut moves = Vec::new();
    let mut number = |position: G::Position, positions: &mut Vec<G::Position>| {
        *numbers.entry(position.clone()).or_insert_with(|| {
            positions.push(position);
            positions.len() - 1
        })
    };
    for start in starts {
        number(stored(start), &mut positions);
    }
    while moves.len() < positions.len() {
        let position = positions[moves.len()].clone();
        let of_position: Vec<(Turn, usize)> = game
            .moves(&position)
            .map(|mv| {
                let after = game.play(&position, mv);
                (game.turn(&position, mv, &after), number(stored(&after), &mut positions))
            })
            .collect();
        moves.push(of_position);
    }
    let mut values = vec![Value::DRAW; positions.len()];
    loop {
        let best = |at: usize| moves[at].iter().map(|&(turn, after)| turn.to_parent(values[after])).max();
        let next: Vec<_> =
            (0..values.len()).map(|at| best(at).unwrap_or_else(|| game.end_value(&positions[at]))).collect();
        if next == values {
            break;
        }
        values = next;
    }
    let at = |position: &G::Position| (game.layer(position).unwrap_or(0), game.key(position));
    positions.iter().map(at).zip(values).collect()
}

fn subject(folded: bool) -> Subject {
    Subject {
        game: "made".to_owned(),
        rules: String::new(),
        size: String::new(),
        starts: Vec::new(),
        metric: Metric::Value,
        folded,
        plies: None,
    }
}

/// Builds a file and returns its bytes.
fn build_file<G: Game>(game: &G, starts: &[G::Position], plan: &Plan, watch: &Watch) -> Result<Vec<u8>, BuildError> {
    build(game, starts, plan, watch, &Progress::default())?;
    assert!(!plan.scratch.exists(), "working files are left");
    let bytes = fs::read(&plan.output).unwrap();
    fs::remove_file(&plan.output).unwrap();
    Ok(bytes)
}

fn values<B: AsRef<[u8]>>(table: &Table<B>) -> BTreeMap<(u32, u128), Value> {
    let value = |code| table.header().value(code).expect("a value");
    codes(table).unwrap().into_iter().map(|(at, code)| (at, value(code))).collect()
}

fn verify_both<G: Game>(game: &G, starts: &[G::Position], bytes: &[u8]) -> [Result<u64, VerifyError>; 2] {
    let (table, watch) = (Table::open(bytes).unwrap(), Watch::default());
    let budget = Budget { memory: MIN_MEMORY, threads: 2 };
    [verify(game, starts, &table, budget, &watch), verify_sample(game, starts, &table, None, &watch)]
}

/// Builds the file of a game, checks all of it, and returns it.
fn check<G: Game<Position: std::fmt::Debug> + Clone>(
    game: &G,
    folded: bool,
    threads: usize,
) -> Result<Vec<u8>, TestCaseError> {
    let folder = common::folder();
    let starts = [game.start()];
    let least = plan(folder.path(), subject(folded));
    let bytes = build_file(game, &starts, &least, &Watch::default()).map_err(|e| TestCaseError::fail(e.to_string()))?;
    let expected = textbook(game, &starts, folded);
    let table = Table::open(&bytes[..]).unwrap();
    prop_assert_eq!(&values(&table), &expected);
    let retrograde =
        Retrograde::new(game, &game.start(), Budget { memory: usize::MAX, threads: 1 }, &Watch::default()).unwrap();
    for (&(_, key), &value) in &expected {
        prop_assert_eq!(retrograde.get(&game.position_from_key(key).unwrap()), Some(value));
    }
    // The bytes are the same with other threads and more memory.
    let other = Plan { threads, memory: threads * 3 * MIN_MEMORY, ..least.clone() };
    prop_assert!(build_file(game, &starts, &other, &Watch::default()).unwrap() == bytes);
    let count = expected.len() as u64;
    for found in verify_both(game, &starts, &bytes) {
        prop_assert_eq!(found.unwrap(), count);
    }
    prop_assert_eq!(laws::check(game, 3, 1), Ok(()));
    // Without keys.
    let output = folder.path().join("made.values");
    let budget = Budget { memory: MIN_MEMORY, threads: 2 };
    export_values(&table, &output, budget, &Watch::default()).unwrap();
    let without_keys = Values::open(fs::read(&output).unwrap()).unwrap();
    for (&(layer, key), &value) in &expected {
        let code = without_keys.code(layer, key).unwrap().unwrap();
        prop_assert_eq!(without_keys.header().value(code), Some(value));
    }
    // An engine searches nothing.
    let oracle = FileOracle::new(Table::open(bytes.clone()).unwrap());
    let start = game.start();
    let stored = if folded { game.canonical(&start) } else { start.clone() };
    let at = (game.layer(&start).unwrap_or(0), game.key(&stored));
    prop_assert_eq!(oracle.value(at.0, at.1), Some(expected[&at]));
    let mut engine = Engine::new(game.clone(), budget).with_oracle(std::sync::Arc::new(oracle));
    let answer = engine.solve(&start, balpan::Goal::MoveValues, &Watch::default(), |_| ()).unwrap();
    prop_assert_eq!(answer.bounds.value(), Some(expected[&at]));
    prop_assert_eq!(engine.positions_searched(), 0);
    Ok(bytes)
}

/// Changes single codes of a file, and checks that each change is found.
fn check_lies<G: Game>(game: &G, whole: &[u8]) -> usize {
    let right = codes(&Table::open(whole).unwrap()).unwrap();
    let (mut tried, mut block) = (0, 0);
    loop {
        let mut has_block = false;
        for (back, flip) in [(1, 1), (1, 2), (2, 1), (3, 4), (9, 1)] {
            // Uncompressed codes are at the end of a block.
            let mut changed = false;
            let bytes = forge(whole, |header, body| {
                let all = blocks(body, header);
                has_block = block < all.len();
                let Some(&(_, begin, end)) = all.get(block) else { return };
                if body[begin] & 2 == 0 && end - begin > 3 + back {
                    body[end - back] ^= flip;
                    check_block(body, header, block);
                    changed = true;
                }
            });
            let Ok(table) = Table::open(&bytes[..]) else { continue };
            let Ok(wrong) = codes(&table) else { continue };
            let differ = || right.iter().filter(|(at, code)| wrong.get(at) != Some(code));
            if !changed || !wrong.keys().eq(right.keys()) || differ().count() != 1 {
                continue;
            }
            tried += 1;
            for found in verify_both(game, &[game.start()], &bytes) {
                assert!(matches!(found, Err(VerifyError::Mismatch(_))), "{found:?}");
            }
        }
        if !has_block {
            return tried;
        }
        block += 1;
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn files_of_made_games_are_right(game in made::<true>(), folded: bool, threads in 1..=3_usize) {
        check_lies(&game, &check(&game, folded, threads)?);
    }

    #[test]
    fn files_of_made_games_in_which_turns_alternate_are_right(
        game in made::<false>(), folded: bool, threads in 1..=3_usize,
    ) {
        check_lies(&game, &check(&game, folded, threads)?);
    }
}

/// A larger game of several layers, in which play may repeat: with little memory there are many batches and runs.
#[test]
fn little_memory_makes_the_same_file() {
    let game = Made::<true> { width: 60_000, max_moves: 6, ..MADE };
    let bytes = check(&game, true, 3).unwrap();
    assert!(Table::open(&bytes[..]).unwrap().header().positions() > 100_000);
}

/// Pong Hau K'i: two stones each on five points, of which one is free; who cannot move loses.
#[derive(Clone)]
struct PongHauKi;

/// The neighbours of each point: the top corners 0 and 1, the middle 2, the bottom corners 3 and 4, which have no edge.
const NEIGHBOURS: [&[usize]; 5] = [&[2, 3, 1], &[2, 4, 0], &[0, 1, 3, 4], &[0, 2], &[1, 2]];

impl Game for PongHauKi {
    /// The stones of the player to move, and those of the other.
    type Position = [u8; 2];
    type Move = usize;

    fn start(&self) -> [u8; 2] {
        [0b00011, 0b11000]
    }

    fn moves(&self, &[own, other]: &[u8; 2]) -> impl Iterator<Item = usize> {
        let free = (!(own | other)).trailing_zeros() as usize;
        NEIGHBOURS[free].iter().copied().filter(move |point| own >> point & 1 == 1)
    }

    fn play(&self, &[own, other]: &[u8; 2], point: usize) -> [u8; 2] {
        [other, own ^ 1 << point | 0b11111 & !(own | other)]
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn key_bits(&self) -> u32 {
        10
    }

    fn key(&self, &[own, other]: &[u8; 2]) -> u128 {
        (u128::from(own) << 5) | u128::from(other)
    }

    fn position_from_key(&self, key: u128) -> Option<[u8; 2]> {
        let [own, other] = [(key >> 5) as u8, key as u8 & 0b11111];
        let is_there = key < 1 << 10 && own & other == 0 && own.count_ones() == 2 && other.count_ones() == 2;
        is_there.then_some([own, other])
    }
}

#[test]
fn pong_hau_ki_is_a_draw() {
    let bytes = check(&PongHauKi, false, 2).unwrap();
    let table = Table::open(&bytes[..]).unwrap();
    let header = table.header();
    assert!(header.may_repeat);
    let found = values(&table);
    assert_eq!(found[&(0, PongHauKi.key(&PongHauKi.start()))], Value::DRAW);
    assert_eq!(found.values().filter_map(|value| value.remoteness()).max(), Some(header.max_plies.into()));
    assert!(found.values().any(|&value| value == Value::loss(0)));
    let time = Duration::from_secs(10);
    let guess = estimate(&PongHauKi, &[PongHauKi.start()], &subject(false), time, &Watch::default()).unwrap();
    assert_eq!((guess.positions, guess.is_exact), (found.len() as f64, true));
}

/// A corridor of forced moves to an end, and a maze without one. The start leads to both.
#[derive(Clone)]
struct Corridor {
    length: u32,
    maze: u32,
    /// Whether a move leads from the beginning of the corridor into the maze.
    has_escape: bool,
    /// How long the moves of the 1000th and of the 10000th place of the maze take.
    delay: Duration,
}

impl Game for Corridor {
    /// The plies to the end; above `length`, a place of the maze, and at last the start.
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        self.length + self.maze + 1
    }

    /// Moves are the positions that they lead to.
    fn moves(&self, &position: &u32) -> impl Iterator<Item = u32> {
        let maze = self.length + 1;
        let moves = match position {
            0 => [None, None],
            _ if position == self.start() => [Some(self.length), Some(maze)],
            _ if position < self.length => [Some(position - 1), None],
            _ if position == self.length => [Some(position - 1), self.has_escape.then_some(maze)],
            _ => {
                let place = position - maze;
                if [1000, 10_000].contains(&place) {
                    std::thread::sleep(self.delay);
                }
                [1, 2].map(|step| Some(maze + (2 * place + step) % self.maze))
            }
        };
        let [first, second] = moves;
        first.into_iter().chain(second.filter(move |_| first != second))
    }

    fn play(&self, _: &u32, to: u32) -> u32 {
        to
    }

    fn may_repeat(&self) -> bool {
        true
    }

    fn key_bits(&self) -> u32 {
        32
    }

    fn key(&self, &position: &u32) -> u128 {
        position.into()
    }

    fn position_from_key(&self, key: u128) -> Option<u32> {
        u32::try_from(key).ok().filter(|&position| position <= self.start())
    }
}

const NO_DELAY: Duration = Duration::ZERO;

/// A value of one ply more than any in the file does not pass for a draw.
#[test]
fn a_value_longer_than_the_file_allows_is_missed() {
    let game = Corridor { length: 8, maze: 10, has_escape: true, delay: NO_DELAY };
    let folder = common::folder();
    let bytes = build_file(&game, &[game.start()], &plan(folder.path(), subject(true)), &Watch::default()).unwrap();
    let without = Corridor { has_escape: false, ..game };
    for found in verify_both(&without, &[without.start()], &bytes) {
        let Err(VerifyError::Mismatch(wrong)) = found else { panic!("{found:?}") };
        assert_eq!((wrong.key, &wrong.what), (8, &MismatchKind::TooLong { found: 8, max_plies: 7 }), "{wrong}");
    }
}

#[test]
fn values_of_too_many_plies_are_refused() {
    let folder = common::folder();
    let build = |length| {
        let game = Corridor { length, maze: 3, has_escape: false, delay: NO_DELAY };
        build_file(&game, &[game.start()], &plan(folder.path(), subject(true)), &Watch::default())
    };
    let table = Table::open(build(9999).unwrap()).unwrap();
    assert_eq!(table.header().max_plies, 9999);
    // The start is won in one ply more.
    let refused = build(10_000);
    assert!(matches!(refused, Err(BuildError::TooLong(10_001))), "{refused:?}");
}

/// The files of a folder with their contents.
fn files(folder: &Path) -> Vec<(std::path::PathBuf, Vec<u8>)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    paths.map(|path| (path.clone(), fs::read(path).unwrap())).collect()
}

#[test]
fn a_build_resumes_within_a_layer() {
    let game = Corridor { length: 9000, maze: 300_000, has_escape: false, delay: NO_DELAY };
    let starts = [game.start()];
    let folder = common::folder();
    let plan = plan(folder.path(), subject(true));
    let whole = Watch::default();
    let expected = build_file(&game, &starts, &plan, &whole).unwrap();
    let positions = u64::from(game.length + game.maze + 2);
    assert_eq!(whole.positions(), 3 * positions + u64::from(game.length) + 2);
    let slow = Corridor { delay: Duration::from_millis(600), ..game.clone() };
    // Stopped while positions are listed, while their moves are, and while values are passed back.
    for stopped_after in [positions * 9 / 10, positions * 19 / 10, 2 * positions + 8900] {
        let watch = Watch::with_limit(stopped_after);
        let stopped = build_file(&slow, &starts, &plan, &watch);
        assert!(matches!(stopped, Err(BuildError::Stopped(Stopped::Interrupted))), "{stopped:?}");
        let left = files(&plan.scratch);
        let watch = Watch::default();
        assert!(build_file(&game, &starts, &plan, &watch).unwrap() == expected);
        // Something was left out that was done before.
        let again = watch.positions();
        assert!(again + stopped_after > whole.positions() && again < whole.positions() - positions / 100, "{again}");
        if stopped_after > 2 * positions {
            assert!(again <= positions + u64::from(game.length), "{again}");
        }
        // Damage is noticed, or makes no difference.
        let is_named = |path: &Path| {
            let state = left.iter().find(|(path, _)| path.ends_with("state.json")).unwrap();
            let name = path.file_name().unwrap().to_str().unwrap();
            name == "state.json" || String::from_utf8_lossy(&state.1).contains(&format!("\"{name}\""))
        };
        for (path, bytes) in left.iter().filter(|(path, _)| is_named(path)) {
            fs::create_dir(&plan.scratch).unwrap();
            left.iter().for_each(|(path, bytes)| fs::write(path, bytes).unwrap());
            let mut bytes = bytes.clone();
            let place = bytes.len() / 3;
            bytes[place] ^= 4;
            fs::write(path, bytes).unwrap();
            if let Ok(bytes) = build_file(&game, &starts, &plan, &Watch::default()) {
                assert!(bytes == expected, "{}", path.display());
            }
            let _ = fs::remove_dir_all(&plan.scratch);
        }
    }
}

#[test]
fn single_wrong_values_are_found() {
    let tried = (0..20).map(|seed| {
        let game = Made::<true> { seed, width: 8, may_repeat: seed % 2 == 0, ..MADE };
        check_lies(&game, &check(&game, false, 1).unwrap())
    });
    let tried = tried.sum::<usize>();
    assert!(tried > 40, "{tried}");
}

#[test]
fn what_files_do_not_hold_is_refused() {
    let game = Made::<true> { max_score: 5, ..MADE };
    let folder = common::folder();
    let starts = [game.start()];
    let plan = plan(folder.path(), subject(true));
    let refused = |game: &Made<true>| build_file(game, &starts, &plan, &Watch::default()).unwrap_err();
    assert!(matches!(refused(&game), BuildError::LoopsWithScores));
    let large = Made { may_repeat: false, max_score: 32_764, ..game.clone() };
    assert!(matches!(refused(&large), BuildError::LargeScores(32_764)));
    build_file(&Made { max_score: 32_763, ..large }, &starts, &plan, &Watch::default()).unwrap();
    let loops = Made { max_score: 0, ..game };
    let of_book = Plan { subject: Subject { plies: Some(1), ..subject(true) }, ..plan.clone() };
    let never = |_: &(u32, u32)| Err(Stopped::Interrupted);
    let refused = book(&loops, &starts, &of_book, &Watch::default(), &Progress::default(), never);
    assert!(matches!(refused, Err(BuildError::Loops)), "{refused:?}");
}
