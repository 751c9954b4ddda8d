//! Certificates of games in the rules language: kept turns, scores, and play that comes back to positions.
//!
//! The family here plays by the checker's own interpreter; what is true is found by fixpoints.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

use balpan::{Budget, Game, Outcome, SplitMix, Watch};
use balpan_check::language::{End, Play, Rules};
use balpan_check::trusted::claim::{Claim, Header};
use balpan_check::untrusted::FIRST_LINE;
use balpan_check::untrusted::meter::{Interrupt, Meter, Unmetered};
use balpan_check::{CheckError, Limits, Proved, check, parse};
use balpan_games::error::CustomError;
use balpan_games::presets::preset;
use balpan_games::{Checked, EngineOptions, FamilyGame, Notation, PlayerName, RulesFile, TextError};
use balpan_prove::{Certificate, ClaimKind, Improve, Plan, ProveError, prove, prove_game};

use common::chance;
use common::mutation::mutate;
use graph::{Graph, is_true};
use random::{Random, random_rules};

#[allow(unused_imports, reason = "the tests of the other families use the rest")]
mod common;
#[path = "../../check/tests/strategies/graph.rs"]
#[allow(dead_code, reason = "the tests of the checker use the rest")]
mod graph;
#[path = "../../check/tests/strategies/random.rs"]
mod random;

/// A game in the language, played by the checker's interpreter.
#[derive(Clone)]
struct Interpreted {
    rules: Arc<Rules>,
    lines: String,
    start: String,
    names: [PlayerName; 2],
    letter: &'static str,
    may_repeat: bool,
    max_score: u32,
    known: Arc<Mutex<HashMap<String, Arc<Vec<Play>>>>>,
}

/// A position's text, and how play has ended there, if a move has ended it.
type At = (String, Option<i32>);

const WON: i32 = 1_000;

fn number(end: End) -> i32 {
    match end {
        End::Win => WON,
        End::Loss => -WON,
        End::Score(score) => score,
    }
}

impl Interpreted {
    fn plays(&self, at: &At) -> Arc<Vec<Play>> {
        if at.1.is_some() {
            return Arc::default();
        }
        let mut known = self.known.lock().unwrap();
        let found = known.entry(at.0.clone()).or_insert_with(|| self.rules.moves(&at.0).unwrap().into());
        Arc::clone(found)
    }

    fn at(&self, text: &str) -> Result<At, String> {
        Ok((self.rules.normalize(text)?, self.rules.end(text)?.map(number)))
    }
}

impl Game for Interpreted {
    type Position = At;
    type Move = usize;

    const TURNS_ALTERNATE: bool = false;

    fn start(&self) -> At {
        self.at(&self.start).unwrap()
    }

    fn moves(&self, at: &At) -> impl Iterator<Item = usize> {
        0..self.plays(at).len()
    }

    fn play(&self, at: &At, mv: usize) -> At {
        let play = &self.plays(at)[mv];
        (play.after.clone(), play.end.map(number))
    }

    fn keeps_turn(&self, at: &At, mv: usize, _: &At) -> bool {
        self.plays(at)[mv].keeps_turn
    }

    fn end(&self, at: &At) -> Outcome {
        match at.1.unwrap_or(0) {
            1.. => Outcome::Win,
            0 => Outcome::Draw,
            _ => Outcome::Loss,
        }
    }

    fn score(&self, at: &At) -> Option<i32> {
        at.1.filter(|end| self.max_score > 0 && end.abs() < WON)
    }

    fn max_score(&self) -> u32 {
        self.max_score
    }

    fn may_repeat(&self) -> bool {
        self.may_repeat
    }
}

impl Notation for Interpreted {
    fn parse(&self, text: &str) -> Result<At, TextError> {
        let wrong = |found| TextError::in_position(text, 0..text.len(), CustomError { found, expected: String::new() });
        self.at(text).map_err(wrong)
    }

    fn text(&self, at: &At) -> String {
        at.0.clone()
    }

    fn move_text(&self, at: &At, mv: usize) -> String {
        self.plays(at)[mv].text.clone()
    }

    fn players(&self, at: &At) -> [PlayerName; 2] {
        let [first, second] = self.names;
        let is_second = at.0.split(' ').nth(1) == Some(self.letter);
        if is_second { [second, first] } else { [first, second] }
    }
}

impl FamilyGame for Interpreted {
    fn family(&self) -> &'static str {
        "language"
    }

    fn checked(&self) -> Option<&dyn Checked<Position = At>> {
        Some(self)
    }
}

impl Checked for Interpreted {
    type Position = At;

    fn checker_rules(&self) -> String {
        format!("family: language\n{}\n", self.lines)
    }

    fn checker_text(&self, at: &At) -> String {
        at.0.clone()
    }
}

/// A game of at most `max` positions, with the checker's head of it; `None` if there are more.
fn game(lines: &str, start: &str, max: usize) -> Option<(Interpreted, Header)> {
    let head = format!(
        "{FIRST_LINE}\ngame: test\nfamily: language\n{lines}\nposition: {start}\nclaim: it is a draw\nsettle: 0\nclaims: 0\nanswers: text"
    );
    let header = Header::parse(&head).unwrap_or_else(|e| panic!("{e}\n{lines}"));
    let is_over = Unmetered::new(&*header.game).end(&header.position).is_some();
    let may_repeat = !is_over && Graph::new(&*header.game, &header.position, max)?.repeats();
    let max_score = if header.game.has_scores() { 64 } else { 0 };
    let (names, letter) = match () {
        () if lines.contains("player: both") => (PlayerName::BY_TURN, "-"),
        () if lines.contains("player: x") => ([PlayerName::X, PlayerName::O], "o"),
        () => ([PlayerName::A, PlayerName::B], "b"),
    };
    let rules = Arc::new(Rules::new(lines, start).unwrap());
    let (lines, start) = (lines.to_owned(), start.to_owned());
    let game = Interpreted { rules, lines, start, names, letter, may_repeat, max_score, known: Arc::default() };
    Some((game, header))
}

/// Proves by an engine with little memory.
fn prove_small(game: &Interpreted, plan: Plan) -> Result<Certificate, ProveError> {
    let make = EngineOptions::new(Budget { memory: 1 << 26, threads: 1 });
    prove_game(game, "test", None, plan, make, &Watch::default(), &mut |_| Improve::No)
}

fn checked(bytes: &[u8]) -> Result<Proved, CheckError> {
    check(bytes, &Limits { memory: 16 << 20, positions: 5_000, threads: 2, ..Limits::default() })
}

#[test]
fn known_games_are_proved() {
    let pong_hau_ki = "shape: graph\nedges: 0,0 1,1 2,2\nedges: 0,2 1,1 2,0\nedges: 0,0 2,0\nedges: 0,2 2,2\nedges: 2,0 2,2\n\
        player: a\npieces: a\nmoves: a step adjacent onto empty\nplayer: b\npieces: b\nmirror: a";
    let rook = "stuck: draws\nplayer: a\npieces: k r\nmoves: k step queen onto empty or enemy, if no k on attacked\n\
        moves: r slide adjacent over empty onto empty or enemy\nwins: no K\n\
        player: b\npieces: K\nmoves: K step queen onto empty or enemy";
    let boxes = "score: a - b\nplayer: a\npieces: a\nmoves: place a on empty, then next to here and enemy becomes a\n\
        player: b\npieces: b\nmoves: place b on empty, then again if no empty on left column";
    let tictactoe = "draws: no empty\nplayer: x\npieces: x\nmoves: place x on empty\nwins: 3 x in a row\n\
        player: o\npieces: o\nmirror: x";
    let hexapawn = "player: a\npieces: a\nmoves: a step n onto empty\nmoves: a step ne nw onto enemy\nwins: a on top row\n\
        player: b\npieces: b\nmirror: a";
    let strings = "player: both\npieces: x\nmoves: place x on empty, then again if 2 x in a row";
    for (lines, start, what, claim) in [
        (tictactoe, ".../.../...", ClaimKind::Outcome, "it is a draw"),
        (hexapawn, "bbb/.../aaa", ClaimKind::Outcome, "B wins"),
        (hexapawn, "bbb/.../aaa", ClaimKind::Value, "B wins in exactly 6 plies"),
        (hexapawn, "bbb/.../aaa", ClaimKind::Within(7), "B wins within 7 plies"),
        (pong_hau_ki, "b_b/_._/a_a", ClaimKind::Outcome, "it is a draw"),
        (rook, "k../r../..K/... b", ClaimKind::Outcome, "A wins"),
        (boxes, ".../.../...", ClaimKind::Value, "A gets exactly 1"),
        (strings, "..../.#..", ClaimKind::Outcome, "the other player wins"),
    ] {
        let (game, _) = game(lines, start, 100_000).unwrap();
        for (settle, is_text) in [(Some(0), true), (None, false), (None, true), (Some(300), false)] {
            let written = prove_small(&game, Plan { what, settle, is_text });
            let written = written.unwrap_or_else(|e| panic!("{claim} in {start}: {e}"));
            assert_eq!(written.claim, claim);
            let proved = checked(&written.bytes).unwrap_or_else(|e| panic!("{claim} in {start}: {e:?}"));
            assert_eq!((proved.claim.as_str(), proved.claims), (claim, written.claims));
        }
    }
}

/// The number of certificates: the default, or that of the variable.
fn certificates() -> u64 {
    std::env::var("BALPAN_CERTIFICATES").map_or(600, |n| n.parse().unwrap())
}

/// Certificates of random games are accepted and true; changed ones fail, or are true as well.
#[test]
fn certificates_of_random_games_are_true_and_changed_ones_too() {
    let (mut random, mut rules) = (SplitMix(21), Random(21));
    let [mut written, mut repeat, mut accepted, mut too_large] = [0_u64; 4];
    while written < certificates() {
        let (lines, start) = random_rules(&mut rules);
        let Some((game, _)) = game(&lines, &start, 400) else { continue };
        let what =
            [ClaimKind::Outcome, ClaimKind::Value, ClaimKind::Within(1 + random.below(6) as u32)][random.below(3)];
        let settle = [Some(0), Some(5), None][random.below(3)];
        let about = format!("{lines}\n{start} {what:?} {settle:?}");
        let certificate = match prove_small(&game, Plan { what, settle, is_text: chance(&mut random, 30) }) {
            Ok(certificate) => certificate,
            Err(ProveError::NotTrue(_)) if matches!(what, ClaimKind::Within(_)) => continue,
            Err(ProveError::Checker(_)) if matches!(what, ClaimKind::Within(_)) && lines.contains("score:") => continue,
            Err(error) => panic!("{about}: {error}"),
        };
        written += 1;
        let proved = checked(&certificate.bytes).unwrap_or_else(|e| panic!("{about} {}: {e:?}", certificate.claim));
        assert_eq!((&proved.claim, proved.claims), (&certificate.claim, certificate.claims), "{about}");
        let (header, _) = parse(&certificate.bytes).unwrap();
        assert_eq!(is_true(&header, 1_000), Some(true), "{about}: {}", certificate.claim);
        let is_over = Unmetered::new(&*header.game).end(&header.position).is_some();
        repeat += u64::from(!is_over && Graph::new(&*header.game, &header.position, 400).unwrap().repeats());
        for _ in 0..16 {
            let bytes = mutate(&certificate.bytes, &mut random);
            let found = catch_unwind(AssertUnwindSafe(|| checked(&bytes)));
            let Ok(found) = found else { panic!("{about}: a panic\n{}", String::from_utf8_lossy(&bytes)) };
            let Ok(Proved { claim, .. }) = found else { continue };
            accepted += 1;
            match is_true(&parse(&bytes).unwrap().0, 3_000) {
                Some(is_true) => assert!(is_true, "{about}: {claim}\n{}", String::from_utf8_lossy(&bytes)),
                None => too_large += 1,
            }
        }
    }
    println!(
        "{written} written, {repeat} of games that repeat; {accepted} of {} changed are accepted, {too_large} too large",
        16 * written
    );
    assert!(
        repeat > written / 10 && accepted > written / 4 && too_large < accepted / 10,
        "{repeat} {accepted} {too_large}"
    );
}

/// Small games of the presets, and of files: the board or the position, what is claimed, and the claim.
const SMALL: [(&str, &str, ClaimKind, &str); 34] = [
    ("hexapawn", "3x3", ClaimKind::Value, "Black wins in exactly 6 plies"),
    ("hexapawn", "3x3", ClaimKind::Within(8), "Black wins within 8 plies"),
    ("breakthrough", "4x2", ClaimKind::Outcome, ""),
    ("clobber", "2x4", ClaimKind::Outcome, "White wins"),
    ("clobber", "3x3", ClaimKind::Value, ""),
    ("cannibal", "2x3", ClaimKind::Value, ""),
    ("konane", "bwb/w.w/bwb b", ClaimKind::Outcome, ""),
    ("nogo", "1x7", ClaimKind::Value, ""),
    ("amazons", "b../.#./..w", ClaimKind::Value, ""),
    ("col", "2x3", ClaimKind::Outcome, ""),
    ("snort", "2x3", ClaimKind::Value, ""),
    ("toads", "ttt..ff", ClaimKind::Value, ""),
    ("hex", "3x3", ClaimKind::Outcome, "White wins"),
    ("nodekayles", "2x4", ClaimKind::Outcome, ""),
    ("nodekayles", "3x4", ClaimKind::Nimber, "the nimber is 0"),
    ("nodekayles", "5x3", ClaimKind::Nimber, "the nimber is 3"),
    ("nodekayles", "x.../..../...#", ClaimKind::Nimber, ""),
    (IMPARTIAL_COL, "2x4", ClaimKind::Nimber, ""),
    (IMPARTIAL_NOGO, "1x5", ClaimKind::Nimber, "the nimber is 2"),
    (IMPARTIAL_CLOBBER, "1x8", ClaimKind::Nimber, ""),
    ("chomp", "2x4", ClaimKind::Nimber, ""),
    ("chomp", "3x4", ClaimKind::Outcome, "the player to move wins"),
    ("treblecross", "1x7", ClaimKind::Value, "the player to move wins in exactly 5 plies"),
    ("othello", "wbbw/wbw./bbw./ww..", ClaimKind::Value, ""),
    ("dots", "3x5", ClaimKind::Value, ""),
    ("ponghauki", "", ClaimKind::Outcome, "it is a draw"),
    ("wild", "x.o/.../.x.", ClaimKind::Value, ""),
    (MISERE_CLOBBER, "2x4", ClaimKind::Value, ""),
    (MISERE_KAYLES, "1x8", ClaimKind::Outcome, ""),
    // Boards of more than 64 cells.
    (
        "nodekayles",
        concat!("......../", "########/########/########/########/########/########/########/########"),
        ClaimKind::Nimber,
        "",
    ),
    (
        "clobber",
        concat!("wbwb/bw.b/", "####/####/####/####/####/####/####/####/####/####/####/####/####/####/####/####"),
        ClaimKind::Outcome,
        "",
    ),
    (
        "toads",
        concat!("tt..ff", "################################################################"),
        ClaimKind::Value,
        "",
    ),
    (WEIGHTED, "", ClaimKind::Value, "White gets exactly 83"),
    (WEIGHTED_SUM, "", ClaimKind::Value, "the player to move wins in exactly 3 plies"),
];

const WEIGHTED: &str = "board = \"1x4\"\nscore = \"value on w - value on b\"\n[weights]\nvalue = \"100 20 -3 40\"\n\
    [white]\npieces = \"w\"\nmoves = [\"place w on empty\"]\n[black]\npieces = \"b\"\nmoves = [\"place b on empty\"]";
const WEIGHTED_SUM: &str = "board = \"1x5\"\n[weights]\nnumber = \"1 2 ..\"\n[both]\npieces = \"x\"\nmoves = [\"place x on empty\"]\n\
    wins = [\"at least 7 number on x\"]";

const MISERE_CLOBBER: &str = "board = \"2x4\"\nsetup = [\"w on even cells\", \"b on odd cells\"]\nstuck = \"wins\"\n[white]\npieces = \"w\"\n\
    moves = [\"w step adjacent onto enemy\"]\n[black]\npieces = \"b\"\nmirror = \"white\"";
const IMPARTIAL_COL: &str = "board = \"2x4\"\n[both]\npieces = \"x o\"\n\
    moves = [\"place x on empty and not next to x\", \"place o on empty and not next to o\"]";
const IMPARTIAL_NOGO: &str = "board = \"2x4\"\n[both]\npieces = \"bw\"\n\
    moves = [\"place b/w on empty, if every group of b touches empty, every group of w touches empty\"]";
const IMPARTIAL_CLOBBER: &str = "board = \"1x8\"\nsetup = [\"w on even cells\", \"b on odd cells\"]\n[both]\npieces = \"wb\"\n\
    moves = [\"w step adjacent onto b\", \"b step adjacent onto w\"]";
const MISERE_KAYLES: &str =
    "board = \"1x8\"\nstuck = \"wins\"\n[both]\npieces = \"x\"\nmoves = [\"place x on empty and not next to x\"]";

/// A small game in which both players have the same moves, and most moves take away an empty cell or a piece.
fn random_impartial(random: &mut Random) -> String {
    let sentences = [
        "place x/y on empty, if every group of x touches empty, every group of y touches empty",
        "place y on empty and not next to x",
        "place x on empty, then next to here and y becomes x",
        "x step adjacent onto y",
        "x/y step adjacent onto empty, then leave #",
        "y hop e w n s over x onto empty, capturing",
        "y step e s onto x, then one of x becomes #",
        "x slide e w onto y, unless 3 x in a row",
    ];
    let (rows, cols) = [(1, 6), (1, 7), (2, 3), (4, 2), (3, 3)][random.below(5)];
    let glyphs = random.one_of(&["xy..", "xyy.", "...x"]);
    let glyphs: Vec<&str> = glyphs.split("").filter(|glyph| !glyph.is_empty()).collect();
    let row = |random: &mut Random| (0..cols).map(|_| random.one_of(&glyphs)).collect::<String>();
    let start = (0..rows).map(|_| row(random)).collect::<Vec<_>>().join("/");
    let shape = random.one_of(&["", "", "shape = \"torus\"\n", "shape = \"hex\"\n"]);
    let moves = (0..1 + random.below(2)).map(|_| format!("{:?}", random.one_of(&sentences)));
    let moves = moves.collect::<Vec<_>>().join(", ");
    format!("start = \"{start}\"\n{shape}[both]\npieces = \"xy\"\nmoves = [{moves}]")
}

/// Nimbers of whole positions are those of the options, all others are refused, and changed certificates are true.
#[test]
fn nimbers_of_random_impartial_games_are_proved_and_no_others() {
    let (mut random, mut rules) = (SplitMix(51), Random(51));
    let [mut written, mut unproved, mut whole, mut above_1, mut accepted] = [0; 5];
    while written < 400 {
        let text = random_impartial(&mut rules);
        let Ok(game) = RulesFile::parse("test", &text).and_then(|file| file.game()) else { continue };
        let settle = [Some(0), Some(3), None][random.below(3)];
        let plan = Plan { what: ClaimKind::Nimber, settle, is_text: chance(&mut random, 50) };
        let make = EngineOptions::new(Budget { memory: 1 << 26, threads: 1 });
        let certificate = match prove(&game, "test", None, plan, make, &Watch::default(), &mut |_| Improve::No) {
            Ok(certificate) => certificate,
            Err(ProveError::Engine(_)) => continue,
            Err(ProveError::Checker(why)) => {
                assert!(why.contains("nothing shows that play ends"), "{text}: {why}");
                unproved += 1;
                continue;
            }
            Err(error) => panic!("{text}: {error}"),
        };
        written += 1;
        let proved = checked(&certificate.bytes).unwrap_or_else(|e| panic!("{text}: {e:?}"));
        let (mut header, _) = parse(&certificate.bytes).unwrap();
        let nimber = graph::nimber_within(&*header.game, &header.position, 1 << 16).unwrap();
        assert_eq!(proved.claim, format!("the nimber is {nimber}"), "{text}");
        whole += u32::from(header.game.is_one_part());
        above_1 += u32::from(nimber > 1);
        for other in (0..nimber + 3).filter(|other| *other != nimber) {
            header.claim = Claim::Nimber(other);
            header.claims = 1 << 20;
            let mut liar = common::liar::Liar::new(&*header.game, random.next_u64());
            let meter = Meter::new(1 << 20, 1 << 30, Interrupt::default());
            assert!(balpan_check::walk(&header, &mut liar, &meter, 1).is_err(), "{text}: not {other}");
        }
        for _ in 0..8 {
            let bytes = mutate(&certificate.bytes, &mut random);
            let Ok(Proved { claim, .. }) = checked(&bytes) else { continue };
            accepted += 1;
            let truth = is_true(&parse(&bytes).unwrap().0, 1 << 16);
            assert_ne!(truth, Some(false), "{text}: {claim}\n{}", String::from_utf8_lossy(&bytes));
        }
    }
    println!(
        "{written} written, {whole} of whole positions, {above_1} above 1, {unproved} not; {accepted} changed are accepted"
    );
    assert!(whole > 200 && above_1 > 15 && unproved < 40, "{whole} {above_1} {unproved}");
}

/// Certificates of compiled games are accepted by the checker's own interpreter and true; those of changed certificates that are
/// accepted are true as well.
#[test]
fn presets_are_proved_and_their_changed_certificates_are_true() {
    // `.ci/long` sets the number.
    let mutations: usize = std::env::var("BALPAN_MUTATIONS").map_or(1_100, |n| n.parse().unwrap());
    let mut random = SplitMix(31);
    let [mut tried, mut accepted, mut too_large] = [0; 3];
    for (name, board, what, claim) in SMALL {
        let rules = preset(name).unwrap_or_else(|| RulesFile::parse("test", name)).unwrap();
        let game = match board {
            "" => rules.game(),
            size if size.starts_with(|digit: char| digit.is_ascii_digit()) => rules.with_board(size).unwrap().game(),
            position => rules.game_at(position),
        };
        let game = game.unwrap();
        let make = || EngineOptions::new(Budget { memory: 1 << 26, threads: 1 });
        let mut known = HashMap::new();
        for (settle, is_text) in [(None, false), (Some(0), true)] {
            let plan = Plan { what, settle, is_text };
            let written = prove(&game, "test", None, plan, make(), &Watch::default(), &mut |_| Improve::No);
            let written = written.unwrap_or_else(|e| panic!("{name} {board}: {e}"));
            assert!(claim.is_empty() || written.claim == claim, "{name} {board}: {}", written.claim);
            let proved = checked(&written.bytes).unwrap_or_else(|e| panic!("{name} {board} {}: {e:?}", written.claim));
            assert_eq!((&proved.claim, proved.claims), (&written.claim, written.claims));
            // The truth of a claim, by fixpoints, once for each.
            let mut truth = |bytes: &[u8]| {
                let (head, _) = common::mutation::split(bytes);
                let of_answers =
                    |line: &&str| !["settle:", "claims:", "answers:"].iter().any(|key| line.starts_with(key));
                let key: Vec<_> = head.lines().filter(of_answers).map(str::to_owned).collect();
                *known.entry(key).or_insert_with(|| is_true(&parse(bytes).unwrap().0, 6_000))
            };
            assert_eq!(truth(&written.bytes), Some(true), "{name} {board}: {}", written.claim);
            for _ in 0..mutations / (2 * SMALL.len()) {
                tried += 1;
                let bytes = mutate(&written.bytes, &mut random);
                let shown = || String::from_utf8_lossy(&bytes);
                let found = catch_unwind(AssertUnwindSafe(|| checked(&bytes)));
                let Ok(found) = found else { panic!("{name} {board}: a panic\n{}", shown()) };
                let Ok(Proved { claim, .. }) = found else { continue };
                accepted += 1;
                match truth(&bytes) {
                    Some(is_true) => assert!(is_true, "{name} {board}: {claim}\n{}", shown()),
                    None => too_large += 1,
                }
            }
        }
    }
    println!("{accepted} of {tried} changed are accepted, {too_large} too large");
    assert!(accepted > tried / 50 && too_large <= accepted / 5, "{accepted} {too_large} of {tried}");
}
