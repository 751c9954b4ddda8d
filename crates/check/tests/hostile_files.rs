//! Files written to keep the checker busy or to take its memory: what it takes stays near what is allowed.
//!
//! Time is measured, so the test is run on request: `cargo test --release -p balpan-check --test hostile_files --
//! --ignored --nocapture`. `.ci/long` does.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use balpan_check::untrusted::MIN_BYTES;
use balpan_check::{CheckError, Limits, check};

/// A linear congruential generator with the high bits of each state.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    fn one_of<'t>(&mut self, texts: &[&'t str]) -> &'t str {
        texts[self.below(texts.len())]
    }

    fn yes(&mut self) -> &'static str {
        self.one_of(&["yes", "no"])
    }
}

const BOARDS: [(usize, usize); 7] = [(8, 16), (16, 8), (11, 11), (1, 128), (2, 64), (4, 32), (6, 6)];

fn rows(random: &mut Random, (rows, cols): (usize, usize), filled: usize) -> String {
    let row = |random: &mut Random| (0..cols).map(|_| if random.below(100) < filled { '#' } else { '.' }).collect();
    (0..rows).map(|_| row(random)).collect::<Vec<String>>().join("/")
}

/// Rules, a position and a claim.
fn question(random: &mut Random) -> (String, String, String) {
    let board = BOARDS[random.below(BOARDS.len())];
    let plies = ["", " within 9 plies", " within 60 plies"][random.below(3)];
    match random.below(8) {
        6.. => language(random),
        0..3 => {
            let is_partizan = random.below(2) == 0;
            let mut rules = String::from("family: placement\n");
            let (count, size) = ([1, 7, 64][random.below(3)], 1 + random.below(8));
            for n in 0..count {
                let key = if is_partizan { ["left", "right"][n % 2] } else { "piece" };
                let (height, width) = (1 + random.below(size), 1 + random.below(size));
                let shape = match random.below(3) {
                    0 => vec!["#".repeat(width); height].join("/"),
                    1 => format!("#{}#", ".".repeat(width)),
                    _ => rows(random, (height, width), 60).replace('/', "#/") + "#",
                };
                rules += &format!("{key}: {shape}\n");
            }
            let (rotate, reflect, misere) = (random.yes(), random.yes(), random.yes());
            rules += &format!("rotate: {rotate}\nreflect: {reflect}\nmisere: {misere}");
            // Mostly the player who is not to move: nothing has to be answered before the search.
            let turn = if is_partizan { " l" } else { "" };
            let players: &[&str] = match (is_partizan, random.below(4)) {
                (true, 0) => &["Left"],
                (true, _) => &["Right"],
                (false, 0) => &["the player to move"],
                (false, _) => &["the other player"],
            };
            let player = random.one_of(players);
            let filled = [0, 0, 0, 10, 40][random.below(5)];
            (rules, rows(random, board, filled) + turn, format!("{player} wins{plies}"))
        }
        3 => {
            let k = [2, 3, 4, 7, 30, 128][random.below(6)];
            let (gravity, overlines, misere) = (random.yes(), random.yes(), random.yes());
            let rules = format!(
                "family: lines\nk: {k}\ngravity: {gravity}\nmarks: own\noverlines: {overlines}\nmisere: {misere}"
            );
            let board = if board.0 * board.1 > 127 { (9, 14) } else { board };
            let claim = random.one_of(&[
                "X wins",
                "O wins",
                "X draws or wins",
                "it is a draw",
                "O does not lose before 80 plies",
            ]);
            (rules, rows(random, board, 0) + " x", claim.to_owned())
        }
        4 => {
            let steps = match random.below(3) {
                0 => "queen".to_owned(),
                1 => "king".to_owned(),
                _ => (0..3000).map(|n| format!("{},{}", n % 19 - 9, n % 23 - 11)).collect::<Vec<_>>().join(" "),
            };
            let rules = format!("family: walkers\nsteps: {steps}\nshare: {}\ntorus: {}", random.yes(), random.yes());
            let mut text = rows(random, board, 0).into_bytes();
            let last = text.len() - 1;
            (text[0], text[last]) = (b'A', b'B');
            (
                rules,
                String::from_utf8(text).unwrap() + " a",
                format!("{} wins{plies}", random.one_of(&["A", "B", "B", "B"])),
            )
        }
        _ => {
            let code = random.one_of(&["nim", "0.777777777777", "4.7777", "0.07", "0.3333333333333333"]);
            let misere = random.yes();
            let heaps: Vec<String> = (0..1 + random.below(32)).map(|n| (255 - n).to_string()).collect();
            let claim = if misere == "no" { "the nimber is 3" } else { "the other player wins" };
            (format!("family: heaps\ncode: {code}\nmisere: {misere}"), heaps.join(" "), claim.to_owned())
        }
    }
}

/// Sentences that take long on a full board of 64 cells or as many as there may be, with a claim that has to be searched.
fn language(random: &mut Random) -> (String, String, String) {
    const SENTENCES: [&str; 10] = [
        "p/q slide queen over empty",
        "p/q slide queen over all, then shoot queen over all leaving q",
        "p step queen onto all, unless own on attacked",
        "q leap 1,2 0,3 2,2 onto not attacked and (own or enemy or empty)",
        "p hop queen over all onto all, repeatedly, capturing",
        "place p/q on empty, then flip queen",
        "place q on all, if own connects top row to bottom row to left column",
        "place q on all, if own encloses all",
        "p step queen onto all, when every group of own touches n e s w from enemy",
        "q slide queen over all, if 5 own in a row, unless 4 enemy in a square, then next to here becomes q",
    ];
    let mut rules = String::from("family: language\n");
    rules += random.one_of(&["", "shape: torus\n", "shape: hex\n", "score: a - b\n", "stuck: passes\n"]);
    if random.below(4) == 0 {
        let line: Vec<String> = (0..64).map(|n| format!("{},{}", n / 8, n * 27 % 8)).collect();
        rules = format!("family: language\nshape: graph\n{}", format!("edges: {}\n", line.join(" ")).repeat(100));
    }
    rules += "player: a\npieces: p q\n";
    for _ in 0..1 + random.below(6) {
        rules += &format!("moves: {}\n", random.one_of(&SENTENCES).replace(" a - b", " p - q"));
    }
    rules += random.one_of(&[
        "",
        "wins: no enemy\n",
        "wins: own connects top row to bottom row\nloses: at least 60 attacked\n",
        "wins: own connects 0,0 to 1,0 to 0,1 to 3,3\n",
    ]);
    rules += "player: b\npieces: r s\nmirror: a";
    let full = random.below(2) == 0;
    let is_graph = rules.contains("edges");
    let (rows, cols) = if is_graph { (8, 8) } else { [(8, 8), (14, 6), (8, 16), (16, 8)][random.below(4)] };
    // The largest boards have room for one kind of each player's pieces.
    let is_plain = rows * cols == 128;
    if is_plain {
        let one = |word: &str| match word {
            "q" | "p/q" => "p".to_owned(),
            word => word.to_owned(),
        };
        let lines = rules.lines().map(|line| line.split(' ').map(one).collect::<Vec<_>>().join(" "));
        rules = lines.collect::<Vec<_>>().join("\n").replace("pieces: p p", "pieces: p").replace("r s", "r");
    }
    let row = |random: &mut Random| {
        let kinds: &[&str] = match (full, is_plain) {
            (true, false) => &["p", "q", "r", "s"],
            (true, true) => &["p", "r"],
            (false, _) => &[".", ".", "p", "r"],
        };
        (0..cols).map(|_| random.one_of(kinds)).collect::<String>()
    };
    let rows: Vec<String> = (0..rows).map(|_| row(random)).collect();
    if random.below(4) == 0 {
        // Nimbers of positions that are one part.
        let is_move = |line: &&str| line.starts_with("moves:") && !line.contains("own") && !line.contains("enemy");
        let moves = rules.lines().filter(is_move).collect::<Vec<_>>().join("\n");
        let rules = format!(
            "family: language\nplayer: both\npieces: p q\n{moves}\nmoves: place p/q on empty, if every group of p touches empty"
        );
        return (rules, rows.join("/").replace(['r', 's'], "."), "the nimber is 3".to_owned());
    }
    (rules, rows.join("/"), format!("{} wins", random.one_of(&["A", "B"])))
}

fn file(random: &mut Random) -> Vec<u8> {
    let (rules, position, claim) = question(random);
    let settle = [100_000, 100_000, 1_000, 128][random.below(4)];
    let (answers, body) = match random.below(5) {
        0..3 if rules.contains("language") => ("text", format!("{position} within 9 : searched\n").into_bytes()),
        0..3 => ("text", format!("{position} : searched\n").into_bytes()),
        3 => ("text", b"\n".to_vec()),
        _ => ("packed", std::iter::once(0).chain((0..500).map(|_| random.below(256) as u8)).collect()),
    };
    let head = format!(
        "balpan certificate 1\ngame: hostile\n{rules}\nposition: {position}\nclaim: {claim}\nsettle: {settle}\n\
         claims: 1000\nanswers: {answers}\n\n"
    );
    [head.into_bytes(), body].concat()
}

/// Seconds that this thread has run, as Linux tells: other work on the machine does not count.
fn cpu_seconds() -> f64 {
    let status = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let nanoseconds = status.split_whitespace().next().and_then(|ns| ns.parse::<f64>().ok());
    nanoseconds.unwrap_or(0.0) / 1e9
}

/// Bytes of memory that the process has taken at the most, as Linux tells.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|kib| kib.parse::<u64>().ok()).unwrap_or(0) << 10
}

#[test]
#[ignore = "measures time"]
fn hostile_files_take_about_what_is_allowed() {
    let limits = Limits { memory: 64 << 20, ..Limits::default() };
    let mut random = Random(5);
    let (mut worst, mut spent) = (0.0_f64, 0);
    for n in 0..200 {
        let bytes = file(&mut random);
        let begin = cpu_seconds();
        let found = check(&bytes, &limits);
        let seconds = cpu_seconds() - begin;
        // About a millisecond a byte, of short files two seconds.
        let ratio = seconds / (bytes.len().max(MIN_BYTES as usize) as f64 / 1000.0);
        if ratio > worst || ratio > 1.0 {
            let head = String::from_utf8_lossy(&bytes[..bytes.len().min(120)]).replace('\n', " ");
            println!("file {n}: {} bytes, {seconds:.2} s, {ratio:.2} ms a byte: {head}: {found:.60?}", bytes.len());
        }
        worst = worst.max(ratio);
        spent += u32::from(matches!(found, Err(CheckError::TooLarge(_))));
    }
    println!("{spent} of 200 take too much; the worst {worst:.2} ms a byte; {} MiB at the most", peak_memory() >> 20);
    assert!(worst < 2.0 && peak_memory() < 160 << 20, "{worst} {}", peak_memory());
}
