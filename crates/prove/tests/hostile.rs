//! Files that are made to keep the checker busy, to take its memory, or to deceive it.
//!
//! Each is refused soon, or its claim is true. Times are printed with `--nocapture`; a test fails
//! only if a check takes very long.

use crate::common;

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use balpan::SplitMix;
use balpan_check::CheckError;
use balpan_check::untrusted::meter::{Interrupt, Meter};
use balpan_check::{Limits, Proved, check, parse, walk};
use balpan_prove::{ClaimKind, Plan};

use crate::common::liar::Liar;
use crate::common::mutation::{join, split};
use crate::common::prove_small;
use crate::common::referee::is_true;

/// Far more than any of these checks takes on any machine.
const TIMEOUT: Duration = Duration::from_secs(20);

/// Checks a file with little memory, and asserts that the check ends in time.
fn checked(name: &str, bytes: Vec<u8>) -> Result<Proved, CheckError> {
    let (sender, receiver) = channel();
    let begin = Instant::now();
    let checker = thread::spawn(move || {
        let _ = sender.send(check(&bytes, &Limits { memory: 16 << 20, threads: 2, ..Limits::default() }));
    });
    let found = receiver.recv_timeout(TIMEOUT);
    println!("{name}: {:.2} s: {:.120}", begin.elapsed().as_secs_f64(), format!("{found:?}"));
    let found = found.unwrap_or_else(|e| panic!("{name}: {e}"));
    checker.join().unwrap();
    found
}

fn assert_refused(name: &str, bytes: Vec<u8>) {
    let found = checked(name, bytes);
    assert!(found.is_err(), "{name}: {found:?}");
}

#[derive(Clone, Copy)]
struct Head<'h> {
    rules: &'h str,
    position: &'h str,
    claim: &'h str,
    settle: u64,
    claims: u64,
    answers: &'h str,
}

impl Head<'_> {
    fn with(&self, body: impl AsRef<[u8]>) -> Vec<u8> {
        let Self { rules, position, claim, settle, claims, answers } = self;
        let head = format!(
            "balpan certificate 1\ngame: hostile\n{rules}\nposition: {position}\nclaim: {claim}\nsettle: {settle}\n\
             claims: {claims}\nanswers: {answers}"
        );
        join(&head, body.as_ref())
    }
}

const TIC_TAC_TOE: Head<'_> = Head {
    rules: "family: lines\nk: 3\ngravity: no\nmarks: own\noverlines: yes\nmisere: no",
    position: ".../.../... x",
    claim: "it is a draw",
    settle: 0,
    claims: 1,
    answers: "text",
};

fn rows(glyph: &str, rows: usize, cols: usize) -> String {
    vec![glyph.repeat(cols); rows].join("/")
}

#[test]
fn numbers_that_are_too_large_are_refused() {
    for claims in [1_000_000_000_000, u64::MAX] {
        for (answers, body) in [("text", 0), ("packed", 0), ("text", 1 << 20), ("packed", 1 << 20)] {
            assert_refused("claims", Head { claims, answers, ..TIC_TAC_TOE }.with(vec![0; body]));
            assert_refused(
                "claims and settle",
                Head { claims, answers, settle: claims, ..TIC_TAC_TOE }.with(vec![b' '; body]),
            );
        }
    }
    for number in ["-1", "1e3", "18446744073709551616", "", "0x10", "９"] {
        for key in ["settle", "claims", "k"] {
            let file = String::from_utf8(TIC_TAC_TOE.with("")).unwrap();
            let lines = file.lines().map(|line| match line.split_once(": ") {
                Some((found, _)) if found == key => format!("{key}: {number}"),
                _ => line.to_owned(),
            });
            assert_refused(key, (lines.collect::<Vec<_>>().join("\n") + "\n").into_bytes());
        }
    }
}

#[test]
fn claims_of_numbers_that_are_too_large_are_refused() {
    for n in ["65536", "4294967295", "4294967296", "1048576", "99999999999999999999", "-1"] {
        for claim in [
            format!("X wins within {n} plies"),
            format!("X does not lose before {n} plies"),
            format!("X wins in exactly {n} plies"),
        ] {
            for (answers, body) in [("text", "\n".into()), ("packed", "\0".repeat(500))] {
                let head = Head { claim: &claim, settle: u64::MAX, claims: 500, answers, ..TIC_TAC_TOE };
                assert_refused(&claim, head.with(body));
            }
        }
        let nim = "family: heaps\ncode: nim\nmisere: no";
        let claim = format!("the nimber is {n}");
        assert_refused(
            &claim,
            Head { rules: nim, position: "3 5", claim: &claim, settle: 255, ..TIC_TAC_TOE }.with("\n"),
        );
        assert_refused(&claim, Head { rules: nim, position: "3 5", claim: &claim, ..TIC_TAC_TOE }.with("3=1 :\n"));
    }
}

/// One search can settle a small game.
#[test]
fn the_longest_search_settles_a_small_game() {
    let head = Head { settle: 100_000, claims: 2, ..TIC_TAC_TOE };
    // The player to move answers first with a corner; the rest is searched.
    let first = "..X/.../... o : searched\n";
    let found = checked("settle", head.with(format!(".../.../... x : 0,2\n{first}.../.../... x : searched\n")));
    let found = found.or_else(|_| {
        checked("settle", head.with(".../.../... x : 0,2\nX../.../... o : searched\n.../.../... x : searched\n"))
    });
    let found = found.or_else(|_| {
        checked("settle", head.with(".../.../... x : 0,2\n.../.../..X o : searched\n.../.../... x : searched\n"))
    });
    let found = found.or_else(|_| {
        checked("settle", head.with(".../.../... x : 0,2\n.../.../X.. o : searched\n.../.../... x : searched\n"))
    });
    assert_eq!(found.unwrap().claims, 2);
    assert_refused("settle", Head { claim: "X wins", ..head }.with(".../.../... x : 1,1\n.../.X./... o : searched\n"));
}

#[test]
fn many_small_pieces_on_the_largest_board() {
    many_pieces(3, "piece");
}

#[test]
fn many_large_pieces_on_the_largest_board() {
    for (size, key) in [(8, "piece"), (8, "left"), (11, "piece")] {
        many_pieces(size, key);
    }
}

#[test]
fn many_small_pieces_of_one_player_on_the_largest_board() {
    many_pieces(3, "left");
}

/// Sixty-four pieces of this width, on the largest board.
fn many_pieces(size: usize, key: &str) {
    let mut random = SplitMix(1);
    {
        let pieces = (0..64).map(|_| {
            let mut cell = || if random.below(3) > 0 { '#' } else { '.' };
            let mut row = || (0..size).map(|_| cell()).collect::<String>();
            let drawn = (0..size.min(8)).map(|_| row()).collect::<Vec<_>>().join("/");
            if drawn.contains('#') { format!("{key}: {drawn}") } else { format!("{key}: #") }
        });
        let pieces = pieces.collect::<Vec<_>>().join("\n");
        let rules = format!("family: placement\n{pieces}\nrotate: yes\nreflect: yes\nmisere: no");
        let (turn, player) = if key == "left" { (" l", "Left") } else { ("", "the player to move") };
        for (claim, answers) in [("wins", "text"), ("wins", "packed"), ("wins within 9 plies", "packed")] {
            let claim = format!("{player} {claim}");
            let position = rows(".", 8, 16) + turn;
            let head = Head { rules: &rules, position: &position, claim: &claim, settle: 3, claims: 1000, answers };
            assert_refused(&format!("64 pieces of {size} rows"), head.with("\0".repeat(100)));
        }
    }
}

#[test]
fn counts_of_pieces_that_have_no_supply_are_refused_or_nothing() {
    let rules = format!("family: placement\n{}rotate: no\nreflect: no\nmisere: yes", "piece: #\n".repeat(64));
    for counts in [1, 31, 32, 33, 63, 64, 65, 5000] {
        for count in ["0", "1", "15", "16"] {
            let position = format!("#. used{}", format!(" {count}").repeat(counts));
            let head = Head {
                rules: &rules,
                position: &position,
                claim: "the player to move wins",
                settle: 0,
                claims: 0,
                answers: "text",
            };
            assert_refused(&format!("{counts} times {count}"), head.with(""));
        }
    }
}

#[test]
fn long_lines_and_large_boards() {
    for (k, row, cols) in [(128, 1, 128), (128, 128, 1), (127, 1, 127), (5, 8, 16), (11, 11, 11), (1, 8, 16)] {
        for (gravity, marks, turn) in [("no", "own", " x"), ("yes", "own", " x"), ("no", "shared", "")] {
            let rules =
                format!("family: lines\nk: {k}\ngravity: {gravity}\nmarks: {marks}\noverlines: yes\nmisere: no");
            let position = rows(".", row, cols) + turn;
            for (answers, body) in
                [("text", String::new()), ("packed", "\0".repeat(99)), ("packed", format!("\0{}", "\x7f".repeat(99)))]
            {
                for claim in ["X wins within 99 plies", "O draws or wins"] {
                    let claim = if turn.is_empty() {
                        &claim.replace('X', "the player to move").replace('O', "the other player")
                    } else {
                        claim
                    };
                    let head = Head { rules: &rules, position: &position, claim, settle: 100, claims: 100, answers };
                    let name = format!("{k} in a row on {row}x{cols}");
                    // One in a row wins at once.
                    let found = checked(&name, head.with(&body));
                    assert!(found.is_err() || k == 1, "{name}: {found:?}");
                }
            }
        }
    }
}

/// Marks on the last of 128 cells count: O blocks the line of X there, and then one cell is left.
#[test]
fn the_last_cell_can_be_marked() {
    let rules = "family: lines\nk: 4\ngravity: no\nmarks: own\noverlines: yes\nmisere: no";
    let position = "XOXOXOXOXOXOXOXX/XOXOXOXOXOXOXOXO/OXOXOXOX.XOXOXOX/OXOXOXOXOXOXOXOX/\
                    XOXOXOXOXOXOXOXO/XOXOXOXOXOXOXOXO/OXOXOXOXOXOXOXOX/XXOXOXOXOXOOXXX. o";
    let shown = position.replace(". o", "O o");
    for claim in ["X wins", "X wins within 2 plies"] {
        let head = Head { rules, position, claim, settle: 1000, claims: 1, answers: "text" };
        assert_refused(claim, head.with(format!("{position} : searched\n")));
        assert_refused(claim, head.with(format!("{shown} : searched\n")));
        let Ok((header, _)) = parse(&head.with(" ")) else { continue };
        for seed in 0..30 {
            let found = walk(
                &header,
                &mut Liar::new(&*header.game, seed),
                &Meter::new(1_000_000, 1 << 30, Interrupt::default()),
                1,
            );
            assert!(found.is_err(), "{claim}, with the liar {seed}");
        }
    }
}

/// Gravity works on boards of one row, too: a player with moves cannot be claimed to have none.
#[test]
fn marks_fall_on_a_board_of_one_long_row() {
    let rules = "family: lines\nk: 3\ngravity: yes\nmarks: own\noverlines: yes\nmisere: no";
    for cols in [2, 64, 127, 128] {
        let position = ".".repeat(cols) + " x";
        let head = Head { rules, position: &position, claim: "O wins", settle: 10, claims: 1, answers: "text" };
        assert_refused("no moves", head.with(format!("{position} :\n")));
        assert_refused("no moves", head.with(format!("{position} : searched\n")));
    }
}

#[test]
fn lists_of_thousands_of_steps() {
    let mut random = SplitMix(2);
    for (count, torus) in [(1_000, "no"), (4_000, "yes"), (8_000, "yes"), (15_000, "no")] {
        let step = |_| if count > 8_000 { "0,1".into() } else { format!("{},{}", random.below(9), random.below(9)) };
        let steps = (0..count).map(step).collect::<Vec<String>>().join(" ");
        let rules = format!("family: walkers\nsteps: {steps}\nshare: yes\ntorus: {torus}");
        let tiles = rows(".", 8, 16);
        let position = format!("A{}B a", &tiles[1..tiles.len() - 1]);
        for answers in ["text", "packed"] {
            let head = Head { rules: &rules, position: &position, claim: "A wins", settle: 100, claims: 100, answers };
            assert_refused(&format!("{count} steps"), head.with("\0".repeat(99)));
        }
    }
}

/// Small certificates, text and packed, of play and of nimbers.
fn small() -> Vec<Vec<u8>> {
    let of = |rules: &str, position: &str, what, is_text| {
        let game = common::game_at(rules, position).unwrap();
        prove_small(&game, position, Plan { what, settle: Some(0), is_text }).unwrap().bytes
    };
    let lines = "family = \"lines\"\nboard = \"3x3\"\nk = 3\n";
    let cram = "family = \"placement\"\nboard = \"3x3\"\n[pieces]\nI = \"##\"\n";
    let walkers = "family = \"walkers\"\nboard = \"3x3\"\nsteps = \"king\"\nshare = false\n";
    [true, false]
        .into_iter()
        .flat_map(|is_text| {
            [
                of(lines, "XO./.X./..O", ClaimKind::Value, is_text),
                of(lines, "XO./.../...", ClaimKind::Outcome, is_text),
                of(cram, ".../..#/...", ClaimKind::Nimber, is_text),
                of(cram, ".../.../..#", ClaimKind::Value, is_text),
                of(walkers, "A../.../..B", ClaimKind::Value, is_text),
            ]
        })
        .collect()
}

#[test]
fn files_that_are_cut_short_are_refused_or_true() {
    let limits = Limits { memory: 16 << 20, ..Limits::default() };
    let mut accepted = 0;
    for whole in small() {
        assert!(check(&whole, &limits).is_ok());
        for end in 0..whole.len() {
            let cut = &whole[..end];
            if let Ok(prove_small) = check(cut, &limits) {
                assert_eq!(is_true(split(cut).0, &prove_small.claim), Some(true), "{}", String::from_utf8_lossy(cut));
                accepted += 1;
            }
        }
    }
    // The last line may lack its end, or pairs that it does not need.
    assert!(accepted < 40, "{accepted}");
}

#[test]
fn bytes_by_chance_after_a_head_prove_nothing_false() {
    let limits = Limits { memory: 16 << 20, ..Limits::default() };
    let mut random = SplitMix(4);
    let (mut accepted, mut tried) = (0, 0);
    for whole in small() {
        let (head, body) = split(&whole);
        for _ in 0..3_000 {
            let length = random.below(body.len() + 20);
            let mut bytes: Vec<u8> = (0..length).map(|_| random.next_u64() as u8).collect();
            if let Some(first) = bytes.first_mut() {
                *first = 0;
            }
            tried += 1;
            accepted += u32::from(check(&join(head, &bytes), &limits).is_ok());
            // The head's claim is true; with a false one, no answers are accepted.
            let false_head = head.replace("wins in exactly", "wins within").replace(" 1 plies", " 0 plies");
            let (false_head, claim) = match false_head.lines().find(|line| line.starts_with("claim: ")).unwrap() {
                "claim: it is a draw" => (false_head.replace("it is a draw", "X wins"), "X wins".to_owned()),
                line => {
                    let names = [["X", "O"], ["A", "B"], ["the player to move", "the other player"]];
                    let [one, other] = *names
                        .iter()
                        .find(|names| {
                            line.contains(&format!(": {} ", names[0])) || line.contains(&format!(": {} ", names[1]))
                        })
                        .unwrap_or(&["nimber is", "nimber is 1"]);
                    let claim = if line.contains(&format!(": {one} ")) {
                        line.replacen(one, other, 1)
                    } else {
                        line.replacen(other, one, 1)
                    };
                    (false_head.replace(line, &claim), claim["claim: ".len()..].to_owned())
                }
            };
            if let Ok(prove_small) = check(&join(&false_head, &bytes), &limits) {
                assert_eq!(is_true(&false_head, &prove_small.claim), Some(true), "{claim}: {bytes:?}");
            }
        }
    }
    println!("{accepted} of {tried} are accepted");
}

#[test]
fn heads_without_an_end_are_refused() {
    let begin = "balpan certificate 1\ngame: ";
    for filler in ["x", "\n ", "a: b\n", "game: x\n", ":", "\r\n", "한"] {
        let bytes = begin.to_owned() + &filler.repeat((10 << 20) / filler.len());
        assert_refused(&format!("10 MB of {filler:?}"), bytes.into_bytes());
    }
    assert_refused("nothing", Vec::new());
    assert_refused("an empty head", b"\n\n".to_vec());
    assert_refused("a first line", b"balpan certificate 1\n\n".to_vec());
    assert_refused("zeros", vec![0; 10 << 20]);
    assert_refused("empty lines", vec![b'\n'; 10 << 20]);
}

#[test]
fn what_is_no_text_is_refused() {
    for at in [0, 5, 20, 30, 120] {
        let mut bytes = TIC_TAC_TOE.with(".../.../... x : searched\n");
        bytes[at] = 0xff;
        assert_refused("a head that is not text", bytes);
    }
    assert_refused("answers that are not text", TIC_TAC_TOE.with([b"... : ", &[0xff; 9][..]].concat()));
    // Multi-byte characters that are neither digits nor cells.
    for position in ["한../.../... x", ".../..\u{301}/... x", "///", "/", "", "x", ".../.../... x x", "\u{a0}"] {
        assert_refused(position, Head { position, ..TIC_TAC_TOE }.with(""));
    }
}

/// The longest play: each of 8,160 moves takes one token.
#[test]
fn the_longest_play_is_searched() {
    let rules = "family: heaps\ncode: 0.3\nmisere: yes";
    let position = vec!["255"; 32].join(" ");
    for claim in
        ["the player to move wins", "the other player wins", "the other player does not lose before 60000 plies"]
    {
        for (settle, name) in [(20_000, "20,000 positions"), (100_000, "100,000 positions")] {
            let head = Head { rules, position: &position, claim, settle, claims: 2, answers: "text" };
            assert_refused(
                name,
                head.with(format!("{position} : 255>254\n254 {} : searched\n", vec!["255"; 31].join(" "))),
            );
            assert_refused(name, head.with(format!("{position} : searched\n")));
        }
    }
}

/// A few bytes that answer very many questions.
#[test]
fn few_bytes_that_make_many_claims_take_little_memory() {
    let rules = "family: lines\nk: 15\ngravity: no\nmarks: own\noverlines: yes\nmisere: no";
    // One mark off the middle: no two positions are symmetric.
    let position = rows(".", 8, 15).replacen('.', "X", 2).replacen('X', ".", 1) + " x";
    let claim = "O does not lose before 60000 plies";
    for claims in [1_000, 340_000] {
        let head = Head { rules, position: &position, claim, settle: 0, claims, answers: "packed" };
        assert_refused(&format!("{claims} claims"), head.with(vec![0; 1 << 20]));
        println!("{} bytes of memory", peak_memory_bytes());
    }
    // 16 MiB are allowed.
    assert!(peak_memory_bytes() < 200 << 20, "{} bytes", peak_memory_bytes());
}

/// The peak memory of this process in bytes; 0 if the system does not report it.
fn peak_memory_bytes() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok())
        .map_or(0, |kilobytes| kilobytes << 10)
}

/// Each search is short, but there are many: the limit holds for all of them together.
#[test]
fn many_searches_end() {
    let rules = "family: lines\nk: 5\ngravity: no\nmarks: own\noverlines: yes\nmisere: no";
    let position = rows(".", 8, 15).replacen('.', "X", 2).replacen('X', ".", 1) + " x";
    let claim = "O does not lose before 11 plies";
    for settle in [100_000, 1 << 60] {
        let head = Head { rules, position: &position, claim, settle, claims: 1, answers: "text" };
        assert_refused("one search", head.with(format!("{position} : searched\n")));
        // Nearly all bits are 1: every claim that can be is left to a search.
        for byte in [0x40, 0x7f, 0xff] {
            let head = Head { answers: "packed", claims: 200_000, ..head };
            assert_refused("searches", head.with([&[0][..], &vec![byte; 300_000]].concat()));
        }
    }
}

/// The nimbers of small parts, of which a large board has very many.
#[test]
fn nimbers_of_a_large_board_are_not_found_for_ever() {
    let rules = "family: placement\npiece: ##\nrotate: yes\nreflect: yes\nmisere: no";
    let position = rows(".", 8, 16);
    for settle in [128, 100_000, 1 << 60] {
        let head = Head { rules, position: &position, claim: "the nimber is 0", settle, claims: 1, answers: "text" };
        assert_refused("nimbers", head.with(""));
    }
}
