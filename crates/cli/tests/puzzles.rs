//! `balpan puzzle`: what it prints and writes, and what it refuses.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn balpan(words: &[&str]) -> (Option<i32>, String, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_balpan")).args(words).env("NO_COLOR", "1").env("LC_ALL", "C").output();
    let Output { status, stdout, stderr } = output.unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

fn answered(words: &[&str]) -> String {
    let (code, printed, error) = balpan(words);
    assert_eq!((code, error.as_str()), (Some(0), ""), "{words:?}");
    printed
}

/// Creates an empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn puzzles_without_their_answers() {
    let text = answered(&["puzzle", "tictactoe", "--plies", "5", "--all"]);
    assert!(text.starts_with("tictactoe 3x3: 9 puzzles\nAll 765 positions"), "{text}");
    assert!(text.contains("  1  X to move, win in 5 (medium)    2  O to move, win in 5 (medium)\n"), "{text}");
    assert!(text.contains("  0  .  X  .                         0  .  X  O\n"), "{text}");
    assert!(!text.contains("Answers") && !text.contains("draws"), "{text}");
    assert!(text.ends_with("\n--answers prints the answers, too.\n"), "{text}");
}

#[test]
fn answers_stand_below() {
    let text = answered(&["puzzle", "tictactoe", "--plies", "5", "--all", "--answers"]);
    let (tasks, answers) = text.split_once("\nAnswers\n").unwrap();
    assert!(!tasks.contains("draws"));
    assert!(answers.starts_with("\n  1  0,0  0,2  1,1  1,0  2,1\n     1,1 draws (only 2,1 holds);"), "{answers}");
    assert!(answers.contains("\n  9  0,2"), "{answers}");
}

#[test]
fn every_line_fits_the_terminal() {
    let games: [&[&str]; 8] = [
        &["tictactoe"],
        &["platforms"],
        &["cram", "--count", "5"],
        &["domineering", "--count", "5"],
        &["connect4", "--tries", "300"],
        &["pentominoes", "--tries", "300", "--all"],
        &["nim"],
        &["kayles", "7", "5"],
    ];
    for game in games {
        let text = answered(&[&["puzzle"], game, &["--answers"]].concat());
        assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
        assert!(text.lines().all(|line| line.trim_end() == line), "{text}");
    }
}

#[test]
fn json_has_all_puzzles() {
    let text = answered(&["puzzle", "tictactoe", "--all", "--json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(text.lines().count(), 1);
    assert_eq!((&json["game"], &json["board"]), (&"tictactoe".into(), &"3x3".into()));
    assert_eq!((&json["exhaustive"], &json["tried"]), (&true.into(), &765.into()));
    let puzzles = json["puzzles"].as_array().unwrap();
    assert_eq!(puzzles.len(), 51);
    for puzzle in puzzles {
        let moves = puzzle["moves"].as_array().unwrap();
        let winning: Vec<_> = moves.iter().filter(|mv| mv["outcome"] == "win").collect();
        assert!(moves.len() > 1 && winning.len() == 1);
        assert_eq!((&winning[0]["move"], &winning[0]["remoteness"]), (&puzzle["move"], &puzzle["remoteness"]));
        assert_eq!(puzzle["line"][0], puzzle["move"]);
        assert_eq!(puzzle["line"].as_array().unwrap().len() as u64, puzzle["remoteness"].as_u64().unwrap());
        assert!(["X", "O"].contains(&puzzle["to_move"].as_str().unwrap()));
        let level = match puzzle["difficulty"].as_u64().unwrap() {
            0..=3 => "easy",
            4..=7 => "medium",
            _ => "hard",
        };
        assert_eq!(puzzle["level"], level);
        assert_eq!(puzzle.get("label").is_some(), puzzle["alike"] == 0);
        let rank = &puzzle["rank"];
        let sum: u64 = ["late", "natural", "narrow"].map(|sign| rank[sign].as_u64().unwrap()).iter().sum();
        assert_eq!((rank["tempting"].as_u64(), &rank["plies"]), (Some(sum), &puzzle["remoteness"]));
        assert_eq!(rank["wrong"].as_u64().unwrap() as usize, moves.len() - 1);
        // `solve` agrees.
        let solved = answered(&["solve", "tictactoe", puzzle["position"].as_str().unwrap(), "--json"]);
        let solved: Value = serde_json::from_str(&solved).unwrap();
        assert_eq!((&solved["outcome"], &solved["remoteness"]), (&"win".into(), &puzzle["remoteness"]));
        assert_eq!(solved["best"], Value::from(vec![puzzle["move"].clone()]));
    }
    let nim: Value = serde_json::from_str(&answered(&["puzzle", "nim", "--json"])).unwrap();
    assert_eq!(nim.get("board"), None);
}

#[test]
fn easy_puzzles_are_left_out_and_counted() {
    let json = |words: &[&str]| -> Value { serde_json::from_str(&answered(words)).unwrap() };
    let few = json(&["puzzle", "tictactoe", "--json"]);
    assert_eq!((few["puzzles"].as_array().unwrap().len(), &few["left_out"]), (13, &38.into()));
    assert!(few["puzzles"].as_array().unwrap().iter().all(|puzzle| puzzle.get("label").is_none()));
    let all = json(&["puzzle", "tictactoe", "--plies", "1", "--all", "--json"]);
    let labels: Vec<_> =
        all["puzzles"].as_array().unwrap().iter().filter_map(|puzzle| puzzle["label"].as_str()).collect();
    assert!(labels.contains(&"forced") && labels.contains(&"at once"));
    assert!(
        answered(&["puzzle", "tictactoe"])
            .contains("\n--all shows 38 more, which need no thought or are like these.\n")
    );
    let (code, printed, _) = balpan(&["puzzle", "tictactoe", "XX./OO./...", "--plies", "1..1"]);
    assert_eq!(code, Some(1));
    assert!(printed.contains("all of which need no thought"), "{printed}");
}

#[test]
fn an_upper_bound() {
    let text = answered(&["puzzle", "platforms", "--plies", "9..11", "--json"]);
    let json: Value = serde_json::from_str(&text).unwrap();
    let plies: Vec<_> =
        json["puzzles"].as_array().unwrap().iter().map(|puzzle| puzzle["remoteness"].as_u64()).collect();
    assert!(plies.contains(&Some(9)) && plies.contains(&Some(11)));
    assert!(plies.iter().all(|plies| (9..=11).contains(&plies.unwrap())));
    let (code, printed, _) = balpan(&["puzzle", "tictactoe", "--plies", "7..9"]);
    assert_eq!(code, Some(1));
    assert!(printed.contains("7 to 9 plies"), "{printed}");
}

#[test]
fn sheets_in_korean() {
    let folder = folder("korean");
    let path = folder.join("sheet.svg");
    answered(&["puzzle", "tictactoe", "--lang", "ko", "--svg", path.to_str().unwrap(), "--count", "3"]);
    assert!(fs::read_to_string(&path).unwrap().contains("X 차례, 5수 만에 승리"));
    assert!(fs::read_to_string(folder.join("sheet-answers.svg")).unwrap().contains("tictactoe 3x3: 정답"));
    let page = answered(&["puzzle", "tictactoe", "--lang", "ko", "--count", "3"]);
    assert!(page.contains("국면마다 이기는 수가 꼭 하나 있습니다.") && page.contains("--answers로"), "{page}");
}

#[test]
fn the_same_seed_the_same_puzzles() {
    let run =
        |seed: &str| answered(&["puzzle", "platforms", "--by-chance", "--tries", "500", "--seed", seed, "--json"]);
    assert_eq!(run("4"), run("4"));
    assert_ne!(run("4"), run("5"));
    let json: Value = serde_json::from_str(&run("4")).unwrap();
    assert_eq!((&json["exhaustive"], &json["tried"]), (&false.into(), &500.into()));
    assert_eq!(json["puzzles"].as_array().unwrap().len(), 12);
}

#[test]
fn a_search_cut_by_time_can_be_repeated() {
    let text = answered(&["puzzle", "platforms", "--by-chance", "--time", "1", "--count", "2"]);
    let again = text.lines().last().unwrap().rsplit_once("--seed 1 --tries ").unwrap().1;
    let tries = again.split(' ').next().unwrap();
    let same = answered(&["puzzle", "platforms", "--by-chance", "--tries", tries, "--count", "2"]);
    assert_eq!(text.lines().take(9).collect::<Vec<_>>(), same.lines().take(9).collect::<Vec<_>>());
}

#[test]
fn no_puzzle_is_an_answer() {
    let (code, printed, error) = balpan(&["puzzle", "tictactoe", "--plies", "7"]);
    let expected = "tictactoe 3x3: no position that play can reach from the start has exactly one\n\
                    winning move among several, and 7 plies or more to the win.\nAll 765 positions";
    assert_eq!((code, error.as_str()), (Some(1), ""));
    assert!(printed.starts_with(expected), "{printed}");
    let begins = [
        (
            &["tictactoe", "X../.O./...", "--plies", "9"][..],
            "tictactoe 3x3: no position that play can reach from here ",
        ),
        (&["tictactoe", "XXX/OO./..."], "tictactoe 3x3: the game is over, and there is no puzzle.\n"),
        (&["kings", "--plies", "30", "--tries", "10"], "kings 5x5: no puzzle was found among 10 positions.\n"),
    ];
    for (words, expected) in begins {
        let (code, printed, error) = balpan(&[&["puzzle"], words].concat());
        assert_eq!((code, error.as_str()), (Some(1), ""), "{words:?}");
        assert!(printed.starts_with(expected), "{printed}");
    }
    let (code, printed, _) = balpan(&["puzzle", "tictactoe", "--plies", "7", "--json"]);
    assert_eq!(
        (code, &serde_json::from_str::<Value>(&printed).unwrap()["puzzles"]),
        (Some(1), &Vec::<Value>::new().into())
    );
    let folder = folder("no-puzzle");
    let svg = folder.join("sheet.svg");
    assert_eq!(balpan(&["puzzle", "tictactoe", "--plies", "7", "--svg", svg.to_str().unwrap()]).0, Some(1));
    assert!(files(&folder).is_empty());
}

#[test]
fn sheets_are_written_and_never_over_others() {
    let folder = folder("sheets");
    let path = folder.join("sheet.svg");
    let words = ["puzzle", "tictactoe", "--plies", "5", "--svg", path.to_str().unwrap()];
    let text = answered(&words);
    assert!(text.contains("Written: ") && !text.contains("to move"), "{text}");
    assert_eq!(files(&folder), ["sheet-answers.svg", "sheet.svg"]);
    let before = fs::read_to_string(&path).unwrap();
    assert!(before.starts_with("<svg xmlns=") && before.ends_with("</svg>\n"));
    let refused = |words: &[&str]| {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains("is there already"), "{error}");
    };
    refused(&words);
    fs::remove_file(&path).unwrap();
    refused(&words);
    assert_eq!(files(&folder), ["sheet-answers.svg"]);
    fs::remove_file(folder.join("sheet-answers.svg")).unwrap();
    answered(&["puzzle", "tictactoe", "--all", "--count", "13", "--svg", path.to_str().unwrap()]);
    let names = ["sheet-1.svg", "sheet-2.svg", "sheet-answers-1.svg", "sheet-answers-2.svg"];
    assert_eq!(files(&folder), names);
}

#[test]
fn unwritable_sheets_are_printed() {
    let folder = folder("unwritten");
    fs::write(folder.join("sheet-2.svg"), "mine").unwrap();
    let path = folder.join("sheet.svg");
    let (code, printed, error) =
        balpan(&["puzzle", "tictactoe", "--all", "--count", "13", "--svg", path.to_str().unwrap()]);
    assert_eq!(code, Some(2));
    assert!(error.contains("is there already"), "{error}");
    assert!(printed.contains("  1  X to move, win in 5") && printed.contains(" 13  "), "{printed}");
    assert_eq!(files(&folder), ["sheet-2.svg"]);
    assert_eq!(fs::read_to_string(folder.join("sheet-2.svg")).unwrap(), "mine");
}

#[test]
fn changed_rules_are_printed_everywhere() {
    let folder = folder("rules");
    let path = folder.join("sheet.svg");
    let words = ["puzzle", "tictactoe", "--set", "misere=true", "--count", "2"];
    assert!(answered(&words).starts_with("tictactoe 3x3, misere=true: the best 2 puzzles\n"));
    let json = answered(&[&words[..], &["--json", "--svg", path.to_str().unwrap()]].concat());
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["game"], &json["rules"]), (&"tictactoe".into(), &vec!["misere=true"].into()));
    assert_eq!(json["search"], "everywhere");
    let written = ["sheet.svg", "sheet-answers.svg"].map(|name| folder.join(name));
    assert_eq!(json["files"], Value::from(written.each_ref().map(|path| path.to_str().unwrap()).to_vec()));
    for path in written {
        assert!(fs::read_to_string(path).unwrap().contains(">tictactoe 3x3, misere=true"));
    }
    let rules = folder.join("own.toml");
    fs::write(&rules, "family = \"lines\"\nboard = \"3x4\"\nk = 3\nmisere = true\n").unwrap();
    let text = answered(&["puzzle", rules.to_str().unwrap(), "--count", "1"]);
    assert!(
        text.split_whitespace().collect::<Vec<_>>().join(" ").contains(" 3x4, k=3, misere=true: the best"),
        "{text}"
    );
    assert!(
        answered(&["puzzle", "tictactoe", "--board", "3x4", "--count", "1"]).starts_with("tictactoe 3x4: the best")
    );
}

#[test]
fn hints_fit_the_terminal_and_repeat_chance_alone() {
    let words = ["puzzle", "platforms", "--by-chance", "--time", "1", "--count", "1", "--seed", "18446744073709551615"];
    let text = answered(&words);
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    assert!(text.contains("\n--seed 18446744073709551615 --tries "), "{text}");
    let text = answered(&[&words[..], &["--answers"]].concat());
    assert!(text.contains("\n--seed 18446744073709551615 --tries "), "{text}");
    assert!(!answered(&["puzzle", "cram"]).contains("--seed"));
}

#[test]
fn mistakes_are_refused() {
    let a_folder = folder("a-folder");
    let nowhere = folder("nowhere").join("none").join("sheet.svg");
    let refused = [
        (&["puzzle", "chess"][..], "neither a game nor a file"),
        (&["puzzle", "platforms", "--board", "12x12"], "128"),
        (&["puzzle", "tictactoe", "XX/"], "position"),
        (&["puzzle", "tictactoe", "--plies", "0"], "--plies"),
        (&["puzzle", "tictactoe", "--plies", "9..5"], "expected the smaller bound first, 5..9"),
        (&["puzzle", "tictactoe", "--plies", "5-9"], "expected a number of plies, or a range such as 5..9"),
        (&["puzzle", "tictactoe", "--plies", "..2"], "expected 1..2"),
        (&["puzzle", "tictactoe", "--count", "0"], "--count"),
        (&["puzzle", "tictactoe", "--tries", "0"], "--tries"),
        (&["puzzle", "tictactoe", "--time", "0"], "--time"),
        (&["puzzle", "tictactoe", "--svg", ""], "--svg"),
        (&["puzzle", "tictactoe", "--svg", "/"], "file"),
        (&["puzzle", "tictactoe", "--svg", nowhere.to_str().unwrap()], "no folder"),
        (&["puzzle", "tictactoe", "--svg", a_folder.to_str().unwrap()], "is a folder"),
        (&["puzzle", "nim", "3", "+", "nim", "5"], "sum"),
        (&["puzzle", "nim", "20000"], "plies"),
    ];
    for (words, why) in refused {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}");
        assert!(error.contains(why), "{words:?}: {error}");
    }
}
