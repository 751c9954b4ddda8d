//! Games from rules files in the rules language against the same games written in Rust, through the same engine.
//!
//! ```text
//! cargo run --release -p balpan-bench --example language [ROUNDS [breakthrough|clobber|othello|connect4|hex|dobutsu|files]]
//! ```
//!
//! Prints the positions searched, which are the same both ways, the median times of the start's answer in turn, and their
//! ratio; of dobutsu shogi, where play may repeat, the positions within some plies; then the time that each preset's file takes from
//! text to game.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use balpan::{AlphaBeta, Game, Outcome, Solver, Watch};
use balpan_games::RulesFile;
use balpan_games::language::BoardGame;
use balpan_games::presets::{PRESETS, preset};

#[allow(dead_code, reason = "the example prints what it counts")]
#[path = "../../crates/balpan/examples/dobutsu.rs"]
mod dobutsu;

/// A board of stones of two players, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Stones {
    /// Those of the player who moves first, and of the other.
    of: [u32; 2],
    /// The player to move.
    player: u8,
}

impl Stones {
    const fn new(first: u32, second: u32) -> Self {
        Self { of: [first, second], player: 0 }
    }

    fn own(&self) -> u32 {
        self.of[usize::from(self.player)]
    }

    fn enemy(&self) -> u32 {
        self.of[usize::from(1 - self.player)]
    }

    fn any(&self) -> u32 {
        self.of[0] | self.of[1]
    }

    /// Returns the stones after the own and the enemy's have become these.
    fn next(&self, own: u32, enemy: u32) -> Self {
        let of = if self.player == 0 { [own, enemy] } else { [enemy, own] };
        Self { of, player: 1 - self.player }
    }

    /// Returns the stones with colours exchanged, and each cell's image by `to`.
    fn exchanged(&self, to: impl Fn(u32) -> u32) -> Self {
        Self { of: [to(self.of[1]), to(self.of[0])], player: 1 - self.player }
    }

    fn moved(&self, to: impl Fn(u32) -> u32) -> Self {
        Self { of: self.of.map(to), ..*self }
    }

    fn key(&self) -> u128 {
        u128::from(self.of[0]) << 33 | u128::from(self.of[1]) << 1 | u128::from(self.player)
    }
}

/// Returns the cells of a set in ascending order.
fn cells(mut set: u32) -> impl Iterator<Item = u8> {
    std::iter::from_fn(move || {
        let cell = (set != 0).then(|| set.trailing_zeros() as u8);
        set &= set.wrapping_sub(1);
        cell
    })
}

/// A permutation of at most 26 cells, by tables of the images of their lower and their upper half.
struct Permutation([Box<[u32]>; 2]);

impl Permutation {
    const HALF: u32 = 13;

    /// The rotations and reflections of a rectangle but the identity.
    fn of_rectangle(rows: u32, cols: u32) -> Vec<Self> {
        let turn = |turn: u32, cell: u32| {
            let (row, col) = (cell / cols, cell % cols);
            let row = if turn & 1 > 0 { rows - 1 - row } else { row };
            let col = if turn & 2 > 0 { cols - 1 - col } else { col };
            if turn & 4 > 0 { col * cols + row } else { row * cols + col }
        };
        let half = |number: u32, half: u32| -> Box<[u32]> {
            let cells = (0..Self::HALF).map(|cell| cell + half * Self::HALF).filter(|cell| *cell < rows * cols);
            let image = |set: u32| cells.clone().filter(move |cell| set >> (cell - half * Self::HALF) & 1 == 1);
            (0..1 << cells.clone().count())
                .map(|set| image(set).fold(0, |all, cell| all | 1 << turn(number, cell)))
                .collect()
        };
        (1..if rows == cols { 8 } else { 4 }).map(|number| Self([half(number, 0), half(number, 1)])).collect()
    }

    #[inline]
    fn set(&self, cells: u32) -> u32 {
        self.0[0][(cells & ((1 << Self::HALF) - 1)) as usize] | self.0[1][(cells >> Self::HALF) as usize]
    }
}

/// Returns the least image of a position with the first player to move.
#[inline]
fn least_image(stones: &Stones, symmetries: &[Permutation]) -> Stones {
    let first = if stones.player == 0 { *stones } else { stones.exchanged(|set| set) };
    symmetries.iter().map(|symmetry| first.moved(|set| symmetry.set(set))).fold(first, Stones::min)
}

/// A from and a to cell.
type Step = (u8, u8);

/// Breakthrough on 5 rows of 4 cells: White begins at the bottom and goes up.
struct Breakthrough;

impl Breakthrough {
    const LEFT: u32 = 0x1_1111;
    const TOP: u32 = 0xf;
    const BOTTOM: u32 = 0xf_0000;

    fn is_over(stones: &Stones) -> bool {
        stones.of[0] & Self::TOP != 0 || stones.of[1] & Self::BOTTOM != 0 || stones.own() == 0
    }

    fn mirror(set: u32) -> u32 {
        (set & Self::LEFT) << 3 | (set & Self::LEFT << 1) << 1 | set >> 1 & Self::LEFT << 1 | set >> 3 & Self::LEFT
    }

    fn turn(set: u32) -> u32 {
        set.reverse_bits() >> 12
    }
}

impl Game for Breakthrough {
    type Position = Stones;
    type Move = Step;

    fn start(&self) -> Stones {
        Stones::new(0xf_f000, 0xff)
    }

    fn moves(&self, stones: &Stones) -> impl Iterator<Item = Step> {
        let own = if Self::is_over(stones) { 0 } else { stones.own() };
        let [all, aside] = [stones.any(), stones.own()].map(|set| 0xf_ffff & !set);
        let (left, right) = (own & !Self::LEFT, own & !(Self::LEFT << 3));
        let groups = if stones.player == 0 {
            [(own >> 4 & all, 4), (left >> 5 & aside, 5), (right >> 3 & aside, 3)]
        } else {
            [(own << 4 & all, -4), (left << 3 & aside, -3), (right << 5 & aside, -5)]
        };
        groups.into_iter().flat_map(|(onto, back)| cells(onto).map(move |to| ((to as i8 + back) as u8, to)))
    }

    fn play(&self, stones: &Stones, (from, to): Step) -> Stones {
        stones.next(stones.own() & !(1 << from) | 1 << to, stones.enemy() & !(1 << to))
    }

    fn canonical(&self, stones: &Stones) -> Stones {
        let first = if stones.player == 0 { *stones } else { stones.exchanged(Self::turn) };
        first.min(first.moved(Self::mirror))
    }

    fn key_bits(&self) -> u32 {
        65
    }

    fn key(&self, stones: &Stones) -> u128 {
        stones.key()
    }

    fn layer(&self, stones: &Stones) -> Option<u32> {
        let rows = |set: u32| (1..5).map(|row| (set >> (4 * row)).count_ones()).sum::<u32>();
        Some(rows(stones.of[0]) + rows(Self::turn(stones.of[1])))
    }
}

/// Clobber on 4 rows of 5 cells.
struct Clobber {
    start: Stones,
    symmetries: Vec<Permutation>,
}

impl Clobber {
    const LEFT: u32 = 0x8421;
    const ALL: u32 = (1 << 20) - 1;
}

impl Game for Clobber {
    type Position = Stones;
    type Move = Step;

    fn start(&self) -> Stones {
        self.start
    }

    fn moves(&self, stones: &Stones) -> impl Iterator<Item = Step> {
        let (own, enemy) = (stones.own(), stones.enemy());
        let (left, right) = (own & !Self::LEFT, own & !(Self::LEFT << 4));
        let groups = [(own >> 5, 5), (left >> 1, 1), (right << 1, -1), (own << 5 & Self::ALL, -5)];
        let group = move |(onto, back): (u32, i8)| cells(onto & enemy).map(move |to| ((to as i8 + back) as u8, to));
        groups.into_iter().flat_map(group)
    }

    fn play(&self, stones: &Stones, (from, to): Step) -> Stones {
        stones.next(stones.own() & !(1 << from) | 1 << to, stones.enemy() & !(1 << to))
    }

    fn canonical(&self, stones: &Stones) -> Stones {
        least_image(stones, &self.symmetries)
    }

    fn key_bits(&self) -> u32 {
        65
    }

    fn key(&self, stones: &Stones) -> u128 {
        stones.key()
    }

    fn layer(&self, stones: &Stones) -> Option<u32> {
        Some(stones.any().count_ones())
    }

    /// Both players have the same moves: a stone beside one of the other colour may take it.
    fn rank(&self, _stones: &Stones, _step: Step, after: &Stones) -> i32 {
        -(self.moves(after).count() as i32)
    }
}

/// Othello on 4x4 cells: the first player is Black.
struct Othello(Vec<Permutation>);

impl Othello {
    const PASS: u8 = 16;
    const ALL: u32 = 0xffff;
    const LEFT: u32 = 0x1111;

    /// Returns the cells one step on in each of the eight directions.
    fn steps(set: u32) -> [u32; 8] {
        let (left, right) = (set & !Self::LEFT, set & !(Self::LEFT << 3));
        [set >> 4, right >> 3, right << 1, right << 5, set << 4, left << 3, left >> 1, left >> 5]
            .map(|set| set & Self::ALL)
    }

    fn flipped(own: u32, enemy: u32, cell: u8) -> u32 {
        let mut flipped = 0;
        for direction in 0..8 {
            let mut line = 0;
            let mut at = Self::steps(1 << cell)[direction];
            while at & enemy != 0 {
                line |= at;
                at = Self::steps(at)[direction];
            }
            if at & own != 0 {
                flipped |= line;
            }
        }
        flipped
    }

    /// Returns the empty cells where a stone encloses something.
    fn placeable(own: u32, enemy: u32) -> u32 {
        let mut found = 0;
        for direction in 0..8 {
            let mut line = Self::steps(own)[direction] & enemy;
            line |= Self::steps(line)[direction] & enemy;
            found |= Self::steps(line)[direction];
        }
        found & !own & !enemy
    }
}

impl Game for Othello {
    type Position = Stones;
    type Move = u8;

    fn start(&self) -> Stones {
        Stones::new(1 << 6 | 1 << 9, 1 << 5 | 1 << 10)
    }

    fn moves(&self, stones: &Stones) -> impl Iterator<Item = u8> {
        let (own, enemy) = (stones.own(), stones.enemy());
        let on = Self::placeable(own, enemy);
        let passes = on == 0 && Self::placeable(enemy, own) != 0;
        cells(on | u32::from(passes) << Self::PASS)
    }

    fn play(&self, stones: &Stones, cell: u8) -> Stones {
        let (own, enemy) = (stones.own(), stones.enemy());
        if cell == Self::PASS {
            return stones.next(own, enemy);
        }
        let flipped = Self::flipped(own, enemy, cell);
        stones.next(own | flipped | 1 << cell, enemy & !flipped)
    }

    fn end(&self, _: &Stones) -> Outcome {
        Outcome::Draw
    }

    fn score(&self, stones: &Stones) -> Option<i32> {
        Some(stones.own().count_ones() as i32 - stones.enemy().count_ones() as i32)
    }

    fn max_score(&self) -> u32 {
        16
    }

    fn canonical(&self, stones: &Stones) -> Stones {
        least_image(stones, &self.0)
    }

    fn key_bits(&self) -> u32 {
        65
    }

    fn key(&self, stones: &Stones) -> u128 {
        stones.key()
    }

    fn layer(&self, stones: &Stones) -> Option<u32> {
        let (own, enemy) = (stones.own(), stones.enemy());
        let passes = Self::placeable(own, enemy) == 0 && Self::placeable(enemy, own) != 0;
        Some(2 * (16 - stones.any().count_ones()) + u32::from(passes))
    }
}

/// Connect Four on 5x5 cells, in rows of 6 of which the last is no cell.
struct ConnectFour;

impl ConnectFour {
    const LEFT: u32 = 0x104_1041;
    const ALL: u32 = 0x1f * Self::LEFT;

    fn has_four(set: u32) -> bool {
        [1, 5, 6, 7].into_iter().any(|step| {
            let two = set & set >> step;
            two & two >> (2 * step) != 0
        })
    }

    fn mirror(set: u32) -> u32 {
        (set & Self::LEFT) << 4
            | (set & Self::LEFT << 1) << 2
            | set & Self::LEFT << 2
            | set >> 2 & Self::LEFT << 1
            | set >> 4 & Self::LEFT
    }
}

impl Game for ConnectFour {
    type Position = Stones;
    type Move = u8;

    fn start(&self) -> Stones {
        Stones::new(0, 0)
    }

    fn moves(&self, stones: &Stones) -> impl Iterator<Item = u8> {
        let empty = Self::ALL & !stones.any();
        cells(if Self::has_four(stones.enemy()) { 0 } else { empty & !(empty >> 6) })
    }

    fn play(&self, stones: &Stones, cell: u8) -> Stones {
        stones.next(stones.own() | 1 << cell, stones.enemy())
    }

    fn end(&self, stones: &Stones) -> Outcome {
        if Self::has_four(stones.enemy()) { Outcome::Loss } else { Outcome::Draw }
    }

    fn canonical(&self, stones: &Stones) -> Stones {
        let first = if stones.player == 0 { *stones } else { stones.exchanged(|set| set) };
        first.min(first.moved(Self::mirror))
    }

    fn key_bits(&self) -> u32 {
        65
    }

    fn key(&self, stones: &Stones) -> u128 {
        stones.key()
    }

    fn layer(&self, stones: &Stones) -> Option<u32> {
        Some(25 - stones.any().count_ones())
    }
}

/// Hex on 4x4 cells: the first player connects top and bottom, the other left and right.
struct Hex;

impl Hex {
    const LEFT: u32 = 0x1111;

    fn has_connected(set: u32, player: u8) -> bool {
        let (begin, end) = if player == 0 { (0xf, 0xf000) } else { (Self::LEFT, Self::LEFT << 3) };
        let mut group = set & begin;
        loop {
            let (left, right) = (group & !Self::LEFT, group & !(Self::LEFT << 3));
            let more = group | set & (group << 4 | group >> 4 | right << 1 | left >> 1 | right >> 3 | left << 3);
            if more == group {
                return group & end != 0;
            }
            group = more;
        }
    }

    fn half_turn(set: u32) -> u32 {
        set.reverse_bits() >> 16
    }

    fn transposed(set: u32) -> u32 {
        let swap = |set: u32, mask: u32, by: u32| {
            let moved = (set ^ set >> by) & mask;
            set ^ moved ^ moved << by
        };
        swap(swap(set, 0x0a0a, 3), 0x00cc, 6)
    }
}

impl Game for Hex {
    type Position = Stones;
    type Move = u8;

    fn start(&self) -> Stones {
        Stones::new(0, 0)
    }

    fn moves(&self, stones: &Stones) -> impl Iterator<Item = u8> {
        let is_over = Self::has_connected(stones.enemy(), 1 - stones.player);
        cells(if is_over { 0 } else { 0xffff & !stones.any() })
    }

    fn play(&self, stones: &Stones, cell: u8) -> Stones {
        stones.next(stones.own() | 1 << cell, stones.enemy())
    }

    fn canonical(&self, stones: &Stones) -> Stones {
        let first = if stones.player == 0 { *stones } else { stones.exchanged(Self::transposed) };
        first.min(first.moved(Self::half_turn))
    }

    fn key_bits(&self) -> u32 {
        65
    }

    fn key(&self, stones: &Stones) -> u128 {
        stones.key()
    }

    fn layer(&self, stones: &Stones) -> Option<u32> {
        Some(16 - stones.any().count_ones())
    }
}

const CONNECT_FOUR: &str = r#"
board = "5x5"
stuck = "draws"
[x]
pieces = "X"
moves = ["place X on empty and not n of empty"]
wins = ["4 X in a row"]
[o]
pieces = "O"
moves = ["place O on empty and not n of empty"]
wins = ["4 O in a row"]
"#;

/// The question about the start of a game.
#[derive(Clone, Copy)]
enum Question {
    Winner,
    Score,
}

/// Returns the time that the answer about the start takes by alpha-beta, the answer, and the positions searched.
fn solve<G: Game>(game: &G, question: Question) -> (Duration, String, u64) {
    let begin = Instant::now();
    let mut solver = AlphaBeta::new(game, 6 << 30, &Watch::default());
    let answer = match question {
        Question::Winner => format!("{:?}", solver.outcome(&game.start()).expect("a game that is solved")),
        Question::Score => format!("{:?}", solver.value(&game.start()).expect("a game that is solved")),
    };
    (begin.elapsed(), answer, solver.positions_searched())
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e3
}

fn compare<G: Game>(name: &str, file: &RulesFile, question: Question, rounds: usize, by_hand: impl Fn() -> G) {
    let from_file = || file.game().expect("a game").downcast::<BoardGame>().expect("a game of the language");
    let mut times = [Vec::new(), Vec::new()];
    let mut positions = 0;
    for _ in 0..rounds {
        let (ours, theirs) = (solve(&from_file(), question), solve(&by_hand(), question));
        assert_eq!((&ours.1, ours.2), (&theirs.1, theirs.2), "{name}: answers and positions searched");
        positions = ours.2;
        times[0].push(ours.0);
        times[1].push(theirs.0);
    }
    let [file, hand] = times.each_mut().map(|times| median(times));
    println!("{name:<18} {positions:>9} positions  by hand {hand:8.2} ms  file {file:8.2} ms  {:5.2}", file / hand);
}

fn main() {
    let mut args = std::env::args().skip(1);
    let rounds = args.next().map_or(9, |rounds| rounds.parse().expect("a number of rounds"));
    let only = args.next();
    let is_wanted = |name: &str| only.as_deref().is_none_or(|only| only == name);
    let file = |name: &str, board: &str| {
        let rules = preset(name).expect("a preset").expect("a file that is read");
        rules.with_changes(&[format!("board={board}")]).expect("a board")
    };
    if is_wanted("breakthrough") {
        compare("Breakthrough 5x4", &file("breakthrough", "5x4"), Question::Winner, rounds, || Breakthrough);
    }
    if is_wanted("clobber") {
        let even = (0..20).filter(|cell| (cell / 5 + cell % 5) % 2 == 0).fold(0, |set, cell| set | 1 << cell);
        let start = Stones::new(even, Clobber::ALL & !even);
        let game = || Clobber { start, symmetries: Permutation::of_rectangle(4, 5) };
        compare("Clobber 4x5", &file("clobber", "4x5"), Question::Winner, rounds, game);
    }
    if is_wanted("othello") {
        let rules = preset("othello").expect("a preset").expect("a file that is read");
        compare("Othello 4x4", &rules, Question::Score, rounds, || Othello(Permutation::of_rectangle(4, 4)));
    }
    if is_wanted("connect4") {
        let rules = RulesFile::parse("connect four", CONNECT_FOUR).expect("a file that is read");
        compare("Connect Four 5x5", &rules, Question::Winner, rounds, || ConnectFour);
    }
    if is_wanted("hex") {
        compare("Hex 4x4", &file("hex", "4x4"), Question::Winner, rounds, || Hex);
    }
    if is_wanted("dobutsu") {
        let text = preset("dobutsu").expect("a preset").expect("a file that is read").text;
        // The end of the game in Rust: a lion on the last row that could be captured and was not does not win.
        let text = text.replace("attacked\", \"l on top row, white to move\"", "attacked, black to move\"");
        let game = RulesFile::parse("dobutsu", &text).and_then(|rules| rules.game()).expect("a game");
        compare_counts(&game.downcast().expect("a game of the language"), rounds);
    }
    if is_wanted("files") {
        compile_times(rounds);
    }
}

/// Counts the positions of dobutsu shogi within so many plies, up to symmetry, from the file and in Rust.
fn compare_counts(file: &BoardGame, rounds: usize) {
    const PLIES: usize = 8;
    fn count<G: Game>(game: &G) -> (Duration, Vec<usize>) {
        let begin = Instant::now();
        let (mut seen, mut last) = (HashSet::from([game.key(&game.canonical(&game.start()))]), vec![game.start()]);
        let mut counts = vec![1];
        for _ in 0..PLIES {
            let mut next = Vec::new();
            for position in &last {
                for mv in game.moves(position) {
                    let after = game.canonical(&game.play(position, mv));
                    if seen.insert(game.key(&after)) {
                        next.push(after);
                    }
                }
            }
            counts.push(next.len());
            last = next;
        }
        (begin.elapsed(), counts)
    }
    let (mut times, mut positions) = ([Vec::new(), Vec::new()], 0);
    for _ in 0..rounds {
        let (ours, theirs) = (count(file), count(&dobutsu::Dobutsu));
        assert_eq!(ours.1, theirs.1, "positions after each number of plies");
        positions = ours.1.iter().sum();
        times[0].push(ours.0);
        times[1].push(theirs.0);
    }
    let [file, hand] = times.each_mut().map(|times| median(times));
    println!(
        "{:<18} {positions:>9} positions  by hand {hand:8.2} ms  file {file:8.2} ms  {:5.2}",
        "Dobutsu shogi",
        file / hand
    );
}

/// Prints the slowest files, from text to game.
fn compile_times(rounds: usize) {
    let mut slowest = Vec::new();
    for (name, _) in PRESETS {
        let text = preset(name).expect("a preset").expect("a file that is read").text;
        let time = |_| {
            let begin = Instant::now();
            let game = RulesFile::parse(name, &text).and_then(|rules| rules.game());
            let is_of_language = game.expect("a game").downcast::<BoardGame>().is_some();
            (begin.elapsed(), is_of_language)
        };
        let (mut times, is_of_language): (Vec<_>, Vec<_>) = (0..rounds).map(time).unzip();
        if is_of_language[0] {
            slowest.push((median(&mut times), name));
        }
    }
    slowest.sort_by(|one, other| other.0.total_cmp(&one.0));
    for (time, name) in slowest.iter().take(5) {
        println!("{name}: {time:.2} ms from text to game");
    }
}
