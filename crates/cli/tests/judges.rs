//! `balpan judge`: input bytes, output bytes and the exit code.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The output of a judge, and its exit code.
struct Answer {
    code: Option<i32>,
    out: String,
    err: String,
}

fn start(judge: &str) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    command.args(["judge", judge]).env("NO_COLOR", "1").env("LC_ALL", "C");
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("the command starts")
}

/// Runs a judge. A thread writes `input`, which may be larger than a pipe's buffer.
fn judge(judge: &str, input: impl AsRef<[u8]>) -> Answer {
    let mut child = start(judge);
    let mut stdin = child.stdin.take().expect("a pipe");
    let input = input.as_ref();
    let output = thread::scope(|scope| {
        scope.spawn(move || {
            // A judge stops reading at a mistake.
            let _ = stdin.write_all(input);
        });
        child.wait_with_output().expect("the command ends")
    });
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    Answer { code: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

/// Checks that valid input has exit code 0 and exactly these answers.
#[track_caller]
fn answers(name: &str, input: impl AsRef<[u8]>, expected: &str) {
    let Answer { code, out, err } = judge(name, input);
    assert_eq!((code, out.as_str(), err.as_str()), (Some(0), expected, ""));
}

/// Checks that invalid input has exit code 2, the answers before the mistake, and a message that
/// contains `told`, wherever its lines are wrapped.
#[track_caller]
fn refuses(name: &str, input: impl AsRef<[u8]>, before: &str, told: &[&str]) {
    let Answer { code, out, err } = judge(name, input);
    assert_eq!((code, out.as_str()), (Some(2), before), "{err}");
    let message = err.split_whitespace().filter(|word| *word != "│" && *word != "|").collect::<Vec<_>>().join(" ");
    for told in told {
        assert!(message.contains(told), "`{told}` is not in: {message}");
    }
    assert!(message.len() < 1000, "a message of {} bytes", message.len());
}

const BLOCKGAME: &str = "3
.....
.##..
##..#
#.###
..#..
.....
.....
.....
.....
.....
#..##
##.##
##.##
#...#
##.##
";

/// Cases of tic-tac-toe; the rows of one are `/` apart.
fn tictactoe(cases: &[&str]) -> String {
    let rows: String = cases.iter().map(|case| case.replace('/', "\n") + "\n").collect();
    format!("{}\n{rows}", cases.len())
}

fn platforms(board: &str, aloc: [i32; 2], bloc: [i32; 2]) -> String {
    format!("{{\"board\": {board}, \"aloc\": {aloc:?}, \"bloc\": {bloc:?}}}\n")
}

const FULL: &str = "[[1,1,1],[1,1,1],[1,1,1]]";
const RING: &str = "[[1,1,1],[1,0,1],[1,1,1]]";

/// The four cases of the problem's statement.
fn statement() -> String {
    platforms(FULL, [1, 0], [1, 2])
        + &platforms(RING, [1, 0], [1, 2])
        + &platforms("[[1,1,1,1,1]]", [0, 0], [0, 4])
        + &platforms("[[1]]", [0, 0], [0, 0])
}

#[test]
fn samples_are_answered_byte_for_byte() {
    answers("blockgame", BLOCKGAME, "WINNING\nLOSING\nWINNING\n");
    answers("tictactoe", tictactoe(&[".../.../...", "xx./oo./...", "xox/oxo/..."]), "TIE\nx\nx\n");
    answers("platforms", statement(), "5\n4\n4\n0\n");
}

#[test]
fn a_finished_game_is_answered_by_who_has_won() {
    let cases = ["xxx/oo./...", "xx./ooo/x..", "xox/xoo/oxx", "xxx/xoo/xoo", "x.o/xo./ox."];
    answers("tictactoe", tictactoe(&cases), "x\no\nTIE\nx\no\n");
    answers("blockgame", format!("1\n{}", "#####\n".repeat(5)), "LOSING\n");
    answers("platforms", platforms("[[1,0],[0,1]]", [0, 0], [1, 1]), "0\n");
}

#[test]
fn no_cases_need_a_count_except_where_each_line_is_one() {
    for name in ["blockgame", "tictactoe"] {
        for empty in ["", "\n", " \r\n\n"] {
            refuses(name, empty, "", &["the end of the input", "expected the number of cases"]);
        }
        refuses(name, "", "", &["line 1, column 1"]);
        refuses(name, "\n\n ", "", &["line 3, column 2"]);
        answers(name, "0\n", "");
    }
    for empty in ["", "\n", " \r\n\n"] {
        answers("platforms", empty, "");
    }
}

/// Blanks and line ends between the words of a contest's input.
#[test]
fn line_ends_and_blanks_make_no_difference() {
    let inputs = [
        ("blockgame", BLOCKGAME.to_owned(), "WINNING\nLOSING\nWINNING\n"),
        ("tictactoe", tictactoe(&["xx./oo./...", ".../.../..."]), "x\nTIE\n"),
        ("platforms", statement(), "5\n4\n4\n0\n"),
    ];
    for (name, input, expected) in inputs {
        answers(name, input.replace('\n', "\r\n"), expected);
        answers(name, input.replace('\n', " \t\n"), expected);
        answers(name, input.replace('\n', "\n\n \n"), expected);
        answers(name, format!("\n\r\n{input}\n\n"), expected);
        answers(name, input.trim_end(), expected);
    }
}

#[test]
fn cases_before_a_mistake_are_answered() {
    let two = "2\n.....\n.....\n.....\n.....\n.....\n";
    refuses("blockgame", two, "LOSING\n", &["line 7, column 1: the end of the input", "row 1 of case 2 of 2"]);
    refuses("blockgame", format!("{two}....."), "LOSING\n", &["line 7, column 6", "row 2 of case 2 of 2"]);
    refuses("blockgame", format!("{two}.x...\n"), "LOSING\n", &["line 7, column 1: `.x...`", "5 of `.`, `#`"]);
    refuses("blockgame", format!("{two}......\n"), "LOSING\n", &["line 7, column 1: `......`"]);
    let three = "3\nxx.\noo.\n...\n";
    refuses("tictactoe", three, "x\n", &["line 5, column 1: the end of the input", "row 1 of case 2 of 3"]);
    refuses("tictactoe", format!("{three}...\n..\n"), "x\n", &["line 6, column 1: `..`", "row 2 of case 2 of 3"]);
    refuses("tictactoe", format!("{three}X..\n"), "x\n", &["line 5, column 1: `X..`", "3 of `.`, `x`, `o`"]);
    let cut = statement() + "{\"board\": [[1";
    refuses("platforms", cut, "5\n4\n4\n0\n", &["line 5", "expected {\"board\""]);
}

#[test]
fn more_than_the_count_says_is_a_mistake() {
    let more = format!("{BLOCKGAME}.....\n");
    refuses("blockgame", more, "WINNING\nLOSING\nWINNING\n", &["line 17, column 1", "nothing after the last case"]);
    let more = tictactoe(&["xx./oo./..."]) + "\n ...";
    refuses("tictactoe", more, "x\n", &["line 6, column 2: `...`", "nothing after the last case"]);
    refuses("tictactoe", "0\n...", "", &["line 2, column 1"]);
}

#[test]
fn boards_that_no_play_reaches_are_mistakes() {
    for (case, found) in [
        ("xxx/.../...", "3 X and 0 O in case 1 of 1"),
        ("oo./x../...", "1 X and 2 O in case 1 of 1"),
        ("xxx/ooo/...", "a line of X, who is to move in case 1 of 1"),
        ("xxx/o.o/o..", "a line of X, who is to move in case 1 of 1"),
    ] {
        refuses("tictactoe", tictactoe(&[case]), "", &["line 4, column 1", found]);
    }
}

/// Bytes that are not text, and words and numbers that are too large.
#[test]
fn strange_bytes_and_huge_words_are_shown_in_short() {
    let long = ".".repeat(1 << 20);
    for name in ["blockgame", "tictactoe"] {
        refuses(name, format!("{}1...\n...\n...\n", "0".repeat(100)), "", &["the number of cases"]);
        refuses(name, b"\xff\xfe1\n", "", &[r"line 1, column 1: `\xff\xfe1`", "the number of cases"]);
        refuses(name, b"1\n\0\x1b[31m\n", "", &[r"line 2, column 1: `\x00\x1b[31m`", "row 1 of case 1 of 1"]);
        refuses(name, "1".repeat(1 << 20), "", &["line 1, column 1: `11111111111111111111…`"]);
        refuses(name, format!("1\n{long}\n"), "", &["line 2, column 1: `....................…`"]);
        refuses(name, "18446744073709551616\n", "", &["the number of cases"]);
        refuses(name, "-1\n", "", &["`-1`", "the number of cases"]);
    }
    let huge = "18446744073709551615\n...\n...\n...\n";
    refuses("tictactoe", huge, "TIE\n", &["line 5, column 1", "row 1 of case 2 of 18446744073709551615"]);
    refuses("platforms", b"\xff\xfe\n", "", &["line 1, column 1", "no case"]);
    refuses("platforms", b"{\"board\": \0}", "", &["line 1, column 11", "no case"]);
    refuses("platforms", "1".repeat(1 << 20), "", &["line 1", "a line of more than 65536 bytes"]);
    refuses("platforms", "[".repeat(1 << 15), "", &["line 1", "no case"]);
}

#[test]
fn a_line_that_is_no_case_says_why() {
    let wide = format!("[[{}]]", ["1"; 65].join(","));
    let case = platforms("[[1]]", [0, 0], [0, 0]);
    let field = |name: &str| case.replace('}', &format!(", \"{name}\": 1}}"));
    for (line, told) in [
        (case.replace('}', "]"), "no case: expected `,` or `}`"),
        (case.replace('}', ""), "no case: EOF while parsing an object"),
        (case.replace("\"aloc\": [0, 0], ", ""), "missing field `aloc`"),
        (field("turn"), "unknown field `turn`"),
        (field("aloc"), "duplicate field `aloc`"),
        (format!("{} {{}}", case.trim_end()), "trailing characters"),
        (platforms("[[1,1],[1]]", [0, 0], [0, 0]), "`board[1]` has 1 cell"),
        (platforms("[]", [0, 0], [0, 0]), "a board needs a row and a column"),
        (platforms("[[],[]]", [0, 0], [0, 0]), "a board needs a row and a column"),
        (platforms("[[1,2]]", [0, 0], [0, 0]), "2 at [0,1] of the board"),
        (platforms("[[1,256]]", [0, 0], [0, 0]), "no case: invalid value: integer `256`"),
        (platforms("[[1,true]]", [0, 0], [0, 0]), "no case: invalid type: boolean `true`"),
        (platforms("[[1,1]]", [0, 0], [1, 0]), "bloc is [1, 0], where there is no tile"),
        (platforms("[[1,1]]", [0, 2], [0, 0]), "aloc is [0, 2], where there is no tile"),
        (platforms("[[1,0]]", [0, 0], [0, 1]), "bloc is [0, 1], where there is no tile"),
        (platforms("[[1,1]]", [0, -1], [0, 0]), "no case: invalid value: integer `-1`"),
        (platforms(&wide, [0, 0], [0, 0]), "1x65 is 65 cells; a board has 64 at most"),
    ] {
        refuses("platforms", format!("{}\n{line}", statement()), "5\n4\n4\n0\n", &["input, line 6, column", told]);
    }
}

/// Memory limit of a judge after a million lines.
#[cfg(target_os = "linux")]
const MOST_KIB: u64 = 64 << 10;

/// Returns the peak memory of a running child, in KiB.
#[cfg(target_os = "linux")]
fn peak_kib(child: &Child) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it still runs");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("a peak");
    peak.trim().trim_end_matches(" kB").parse().expect("a number of KiB")
}

/// Answers are written while input arrives, and neither is kept in memory.
#[test]
fn a_million_lines_stream_through_in_little_memory() {
    let blockgame = BLOCKGAME.split_inclusive('\n').skip(1).take(5).collect();
    for (name, counted, case, cases, answer) in [
        ("blockgame", true, blockgame, 200_000, "WINNING"),
        ("tictactoe", true, "xx.\noo.\n...\n".to_owned(), 333_334, "x"),
        ("platforms", false, platforms("[[1,1]]", [0, 0], [0, 1]), 1_000_000, "1"),
    ] {
        let mut child = start(name);
        let stdout = BufReader::new(child.stdout.take().expect("a pipe"));
        let answered = Arc::new(AtomicUsize::new(0));
        let reader = thread::spawn({
            let answered = Arc::clone(&answered);
            move || {
                for line in stdout.lines() {
                    assert_eq!(line.expect("UTF-8"), answer);
                    answered.fetch_add(1, Ordering::SeqCst);
                }
            }
        });
        let mut stdin = child.stdin.take().expect("a pipe");
        if counted {
            writeln!(stdin, "{cases}").expect("it reads");
        }
        // All but the last case, in pieces of a hundred.
        let piece = case.repeat(100);
        for _ in 0..(cases - 1) / 100 {
            stdin.write_all(piece.as_bytes()).expect("it reads");
        }
        stdin.write_all(case.repeat((cases - 1) % 100).as_bytes()).expect("it reads");
        // Pipes and buffers hold less than half of it.
        assert!(answered.load(Ordering::SeqCst) > cases / 2, "{name} answers as it reads");
        #[cfg(target_os = "linux")]
        assert!(peak_kib(&child) < MOST_KIB, "{name} takes {} KiB", peak_kib(&child));
        stdin.write_all(case.as_bytes()).expect("it reads");
        drop(stdin);
        reader.join().expect("nothing but the answer");
        assert!(child.wait().expect("it ends").success());
        assert_eq!(answered.load(Ordering::SeqCst), cases, "{name}");
    }
}

/// A reader that closes the pipe early, as `head` does, causes no error and no message.
#[test]
fn a_closed_pipe_ends_it_quietly() {
    let many = tictactoe(&[".../.../..."; 50_000]);
    for (name, input) in [("blockgame", BLOCKGAME), ("tictactoe", &many), ("platforms", &statement())] {
        let mut child = start(name);
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        // The judge notices the closed pipe before the end of the input.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        let mut message = String::new();
        child.stderr.take().expect("a pipe").read_to_string(&mut message).expect("UTF-8");
        assert_eq!((child.wait().expect("it ends").code(), message.as_str()), (Some(0), ""), "{name}");
    }
}

#[test]
fn problems_prints_what_each_mistake_of_a_file_gets_wrong() {
    let folder = tempfile::tempdir().unwrap();
    let text = r#"
about = "One to three stones are taken in turn; who takes the last one wins"
source = "own"
input = "n"
values.n = { from = 1, to = 1000 }
game = """
family = "heaps"
take = "1-3"
start = "0"
"""
position = "{n}"
output = { win = "A", loss = "B" }
[[mistake]]
name = "three forgotten"
remedy = "three stones may be taken, too"
game = """
family = "heaps"
take = "1-2"
start = "0"
"""
[[mistake]]
name = "the same in octal"
remedy = "none"
game = """
family = "heaps"
code = "0.333"
start = "0"
"""
"#;
    std::fs::write(folder.path().join("own.toml"), text).unwrap();
    let printed = crate::common::printed(folder.path(), &["problems", "own.toml"]);
    for part in ["- three forgotten\n  `B` in place of `A` for\n    3\n", "- the same in octal\n  no wrong answer to "]
    {
        assert!(printed.contains(part), "{printed}");
    }
}
