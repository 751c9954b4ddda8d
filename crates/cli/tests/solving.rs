//! `solve` with deadlines, files of positions, scores and checkpoints.

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    command.args(words).env("NO_COLOR", "1").env("LC_ALL", "C").stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn told(output: Output) -> (Option<i32>, String, String) {
    let Output { status, stdout, stderr } = output;
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

fn balpan(words: &[&str]) -> (Option<i32>, String, String) {
    told(command(words).output().unwrap())
}

/// Returns the JSON lines that the command prints for these lines on its standard input.
fn answers(words: &[&str], lines: &str) -> (Option<i32>, Vec<Value>) {
    let mut child = command(words).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let lines = lines.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(lines.as_bytes()));
    let (code, printed, error) = told(child.wait_with_output().unwrap());
    writer.join().unwrap().unwrap();
    assert_eq!(error, "");
    (code, printed.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[test]
fn a_deadline_prints_the_partial_answer() {
    // The winner is known at once; the plies of every move take hours.
    let words = ["solve", "cram", "--board", "6x6", "--ask", "moves", "--deadline", "1s"];
    let begin = Instant::now();
    let (code, page, error) = balpan(&words);
    assert!(begin.elapsed() < Duration::from_secs(5));
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(page.contains("The second player wins.\n") && page.contains("loss in ?"), "{page}");
    assert!(page.contains("After 1 s, not known yet: in how many plies; a best line;"), "{page}");
    let (code, json, _) = balpan(&[&words[..], &["--json"]].concat());
    assert_eq!(code, Some(0));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["complete"], &json["outcome"]), (&Value::Bool(false), &Value::from("loss")), "{json}");
    assert_eq!((&json["remoteness"], &json["rules"]), (&Value::Null, &Value::Array(Vec::new())), "{json}");
    let (code, json, _) = balpan(&["solve", "tictactoe", "--json", "--deadline", "1m", "--set", "misere=true"]);
    assert_eq!(code, Some(0));
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["complete"], &json["rules"][0]), (&Value::Bool(true), &Value::from("misere=true")), "{json}");
}

#[test]
fn skipped_goals_are_listed() {
    for (words, flags) in [
        (&["solve", "kayles", "500"][..], &["--ask outcome", "--ask value", "--ask moves"][..]),
        (&["solve", "cram", "--board", "6x6"], &["--ask value", "--ask moves"]),
    ] {
        let (code, page, error) = balpan(words);
        assert_eq!(code, Some(0), "{error}");
        let page = page.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(page.contains("Not asked, as it may take long:"), "{page}");
        assert!(flags.iter().all(|flag| page.contains(flag)), "{page}");
    }
}

#[test]
fn goals_have_two_spellings() {
    for (short, long) in [("--winner", "winner"), ("--outcome", "outcome"), ("--remoteness", "moves")] {
        let (code, page, error) = balpan(&["solve", "platforms", "--board", "3x4", short]);
        assert_eq!(code, Some(0), "{error}");
        assert_eq!(balpan(&["solve", "platforms", "--board", "3x4", "--ask", long]).1, page);
    }
    let (code, page, error) = balpan(&["solve", "tictactoe", "XX./OO./...", "--ask", "value"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(
        page.contains("X wins in 1 ply.") && page.contains("* win in 1  0,2\n") && !page.contains("loss"),
        "{page}"
    );
}

#[test]
fn many_positions_are_answered_line_by_line() {
    let lines = "# the start\n\n.../.../...\r\n.../.y./...\n  X.X/OO./...  \n.z.\n\u{feff}XX./OO./...\n";
    let (code, answers) = answers(&["solve", "tictactoe", "--positions", "-", "--winner"], lines);
    assert_eq!((code, answers.len()), (Some(1), 5));
    let outcomes: Vec<_> = answers.iter().map(|answer| answer["outcome"].as_str()).collect();
    assert_eq!(outcomes, [Some("draw"), None, Some("win"), None, Some("win")]);
    assert_eq!((&answers[1]["line"], &answers[3]["line"]), (&Value::from(4), &Value::from(6)));
    let error = &answers[1]["error"];
    assert_eq!((&error["text"], &error["span"]), (&Value::from(".../.y./..."), &serde_json::json!([5, 6])), "{error}");
    assert!(error["message"].is_string() && error["help"].is_string(), "{error}");
    let (code, answers) = self::answers(&["solve", "cram", "--positions", "-"], "##/##\n# no board\n.#/..\n");
    assert_eq!((code, answers.len()), (Some(0), 2));
}

#[test]
fn a_deadline_is_for_each_position() {
    let hard = "...../....\n";
    let words = ["solve", "cram", "--board", "6x6", "--ask", "moves", "--deadline", "300ms", "--positions", "-"];
    let free = "....../....../....../....../....../......\n";
    let small = "##..##/######/######/######/######/######\n";
    let (code, answers) = answers(&words, &[free, small, hard].concat());
    assert_eq!((code, answers.len()), (Some(1), 3));
    assert_eq!((&answers[0]["complete"], &answers[1]["complete"]), (&Value::Bool(false), &Value::Bool(true)));
}

#[test]
fn a_closed_pipe_ends_a_file_of_positions_quietly() {
    let mut child = command(&["solve", "tictactoe", "--positions", "-"]).stdin(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    drop(child.stdout.take());
    let writer = std::thread::spawn(move || {
        for _ in 0..10_000 {
            if stdin.write_all(b".../.../...\n").is_err() {
                break;
            }
        }
    });
    let (code, _, error) = told(child.wait_with_output().unwrap());
    writer.join().unwrap();
    assert_eq!((code, error.as_str()), (Some(0), ""));
}

#[test]
fn scores_are_the_published_ones() {
    const PER_SET: usize = 12;
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../games/tests/data/connect4/Test_L3_R1");
    let set = std::fs::read_to_string(path).unwrap();
    let (mut moves, mut scores) = (String::new(), Vec::new());
    for line in set.lines().take(PER_SET) {
        let (position, score) = line.split_once(' ').unwrap();
        moves += position;
        moves.push('\n');
        scores.push(score.trim().parse::<i64>().unwrap());
    }
    let (code, answers) = answers(&["solve", "connect4", "--score", "--ask", "value", "--positions", "-"], &moves);
    assert_eq!(code, Some(0));
    assert_eq!(answers.iter().map(|answer| answer["score"].as_i64().unwrap()).collect::<Vec<_>>(), scores);
    let (position, _) = set.lines().next().unwrap().split_once(' ').unwrap();
    let (code, page, error) = balpan(&["solve", "connect4", position, "--score"]);
    assert_eq!(code, Some(0), "{error}");
    assert!(page.contains(&format!("Its score is {}.\n", scores[0])), "{page}");
    // The fourth stone of three in a row on 3x3 is the last but one: as by the same formula.
    let words = ["solve", "tictactoe", "--set", "gravity=true", "--score", "--json"];
    let (code, json, error) = balpan(&words);
    assert_eq!(code, Some(0), "{error}");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["score"].as_i64().map(i64::signum), Some(i64::from(json["outcome"] == "win")));
    for (words, why) in [
        (&["solve", "tictactoe", "--score"][..], "no score in this game"),
        (&["solve", "connect4", "--set", "misere=true", "--score"], "no score in this game"),
        (&["solve", "cram", "--score"], "no score in this game"),
        (&["solve", "connect4", "--winner", "--score"], "needs the plies"),
        (&["solve", "connect4", "--winner", "--score", "--positions", "-"], "needs the plies"),
    ] {
        let (code, page, error) = balpan(words);
        assert_eq!((code, page.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(why), "{error}");
    }
}

#[test]
fn errors_are_json_with_json() {
    let error = |words: &[&str]| {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        let error: Value = serde_json::from_str(&error).unwrap_or_else(|_| panic!("{error}"));
        error["error"].clone()
    };
    let text = error(&["solve", "platforms", "--json", "A../A.B/..."]);
    assert_eq!((&text["text"], &text["span"]), (&Value::from("A../A.B/..."), &serde_json::json!([4, 5])), "{text}");
    for words in [
        &["solve", "nothing", "--json"][..],
        &["solve", "domineering", "--nimber", "--json"],
        &["solve", "--json", "tictactoe", "--ask", "everything"],
        &["census", "cram", "--json", "--board", "0x1"],
    ] {
        let error = error(words);
        assert!(error["message"].as_str().is_some_and(|message| !message.is_empty()), "{error}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_prints_the_partial_answer() {
    for (signal, flags) in [("-INT", &[][..]), ("-TERM", &["--json"]), ("-HUP", &[])] {
        let words = [&["solve", "cram", "--board", "6x6", "--ask", "moves"][..], flags].concat();
        let child = command(&words).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1_500));
        let begin = Instant::now();
        assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
        let (code, printed, error) = told(child.wait_with_output().unwrap());
        assert!(begin.elapsed() < Duration::from_secs(2), "{signal}");
        assert_eq!(code, Some(130), "{printed}{error}");
        assert!(error.contains("Interrupted after "), "{error}");
        if flags.is_empty() {
            assert!(printed.contains("The second player wins.\n") && printed.contains("not known yet: "), "{printed}");
        } else {
            let json: Value = serde_json::from_str(&printed).unwrap();
            assert_eq!(json["complete"], Value::Bool(false));
        }
    }
}

/// A symmetry gives the winner after one position; the nimber needs a search.
#[test]
fn positions_of_a_nimber_are_counted() {
    let (code, json, error) = balpan(&["solve", "cram", "--board", "3x12", "--nimber", "--threads", "1", "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["nimber"], 1);
    assert!(json["positions_searched"].as_u64() > Some(100), "{json}");
}

#[test]
fn results_are_kept_between_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("kept");
    let file = file.to_str().unwrap();
    let words = ["solve", "connect4", "--board", "5x5", "--threads", "1", "--json", "--keep", file];
    let solve = || {
        let (code, json, error) = balpan(&words);
        assert_eq!(code, Some(0), "{error}");
        let json: Value = serde_json::from_str(&json).unwrap();
        (json["positions_searched"].as_u64().unwrap(), json["moves"].clone())
    };
    let (first, moves) = solve();
    let (second, again) = solve();
    assert_eq!(moves, again);
    assert!(second < first / 2, "{first}, then {second}");
    let other = ["solve", "connect4", "--board", "5x6", "--keep", file];
    let (code, printed, error) = balpan(&other);
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(error.contains("other rules"), "{error}");
    let (code, answers) = answers(&["solve", "connect4", "--board", "5x5", "--keep", file, "--positions", "-"], "12\n");
    assert_eq!((code, answers.len()), (Some(0), 1));
}

#[test]
fn a_folder_keeps_results_of_many_boards() {
    let folder = tempfile::tempdir().unwrap();
    let path = format!("{}/kept/", folder.path().display());
    let nimber = |board: &str, more: &[&str]| {
        let words = ["solve", "nodekayles", "--board", board, "--nimber", "--threads", "1", "--json"];
        let (code, json, error) = balpan(&[&words[..], more].concat());
        assert_eq!(code, Some(0), "{error}");
        let json: Value = serde_json::from_str(&json).unwrap();
        (json["nimber"].clone(), json["positions_searched"].as_u64().unwrap())
    };
    let keep = ["--keep", &path];
    // Boards of more than 64 cells, too.
    let (mut all_alone, mut all_kept) = (0, 0);
    for board in ["3x17", "3x18", "3x19", "3x22", "3x23", "3x24"] {
        let (alone, kept) = (nimber(board, &[]), nimber(board, &keep));
        assert_eq!(kept.0, alone.0, "{board}");
        (all_alone, all_kept) = (all_alone + alone.1, all_kept + kept.1);
    }
    assert!(all_kept * 4 < all_alone * 3, "{all_kept} positions, {all_alone} alone");
    // Other games share the folder.
    let (code, _, error) = balpan(&["solve", "connect4", "--board", "4x4", "--keep", &path, "--keep-size", "1M"]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert_eq!(balpan(&["solve", "tictactoe", "--keep-size", "1M"]).0, Some(2));
    let file =
        std::fs::read_dir(&path).unwrap().map(|file| file.unwrap().path()).find(|path| path.extension().is_some());
    std::fs::write(file.unwrap(), "damaged").unwrap();
    let (code, _, error) = balpan(&["solve", "nodekayles", "--board", "3x9", "--nimber", "--keep", &path]);
    let (other, _, connect4) = balpan(&["solve", "connect4", "--board", "4x4", "--keep", &path]);
    assert!([code, other].contains(&Some(2)), "{error} {connect4}");
    assert!(format!("{error}{connect4}").contains("the file keeps no results"), "{error} {connect4}");
}
