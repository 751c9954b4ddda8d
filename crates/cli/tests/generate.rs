//! `balpan generate`: inputs, answers, folders and packages.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use std::io::Write;

fn balpan(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    command
        .args(args)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Returns the output of a successful run.
fn generated(args: &[&str]) -> String {
    let output = balpan(&[&["generate"], args].concat(), Path::new("."));
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// Creates an empty folder of this name.
fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Returns the answers of `balpan judge`.
fn judged(judge: &str, input: &str) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_balpan"));
    let mut child = command.args(["judge", judge]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn inputs_and_answers_belong_together() {
    for judge in ["platforms", "blockgame", "tictactoe"] {
        for options in [&["--cases", "20", "--seed", "7"][..], &["--cover"]] {
            let input = generated(&[&[judge], options].concat());
            let answers = generated(&[&[judge, "--answers"], options].concat());
            assert_eq!(judged(judge, &input), answers);
            assert_eq!(generated(&[&[judge], options].concat()), input, "the same seed");
        }
        assert_ne!(generated(&[judge, "--seed", "1"]), generated(&[judge, "--seed", "2"]));
    }
}

#[test]
fn coverage_is_listed_on_standard_error() {
    let output = balpan(&["generate", "tictactoe", "--cover"], Path::new("."));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().starts_with("30\n"));
    assert!(told.starts_with("x is to move: "), "{told}");
    assert!(told.contains("\nmisunderstanding: the turn mistaken: x always taken to move: "), "{told}");
}

#[test]
fn json_has_all_of_it() {
    let json: serde_json::Value = serde_json::from_str(&generated(&["blockgame", "--cover", "--json"])).unwrap();
    assert_eq!((&json["judge"], &json["seed"]), (&"blockgame".into(), &1.into()));
    let cases = json["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 30);
    for (n, case) in cases.iter().enumerate() {
        let answer = judged("blockgame", case["input"].as_str().unwrap());
        assert_eq!(answer.trim_end(), case["answer"]);
        let covering = json["covered"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|covered| covered["cases"].as_array().unwrap().contains(&(n + 1).into()));
        assert_eq!(
            covering.map(|covered| covered["what"].clone()).collect::<Vec<_>>(),
            *case["covers"].as_array().unwrap()
        );
    }
    // Each case is an input of its own: there is no limit to how many there are.
    assert!(generated(&["tictactoe", "--cases", "60", "--json"]).len() > 60);
}

#[test]
fn numbered_pairs_hold_all_cases() {
    let folder = folder("generate-pairs");
    let args = ["generate", "blockgame", "--cases", "101", "--dir", "new/data", "--per-file", "10"];
    let output = balpan(&args, &folder);
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "101 cases in 11 files, with the answers: new/data\n");
    let names = names(&folder.join("new/data"));
    let pairs = (1..=11).flat_map(|n| [format!("{n:02}.in"), format!("{n:02}.out")]);
    assert_eq!(names, pairs.collect::<Vec<_>>());
    let mut rows = String::new();
    for pair in names.chunks(2) {
        let [input, answers] = [0, 1].map(|n| fs::read_to_string(folder.join("new/data").join(&pair[n])).unwrap());
        assert_eq!(judged("blockgame", &input), answers);
        rows += input.split_once('\n').unwrap().1;
    }
    assert_eq!(rows.lines().count(), 5 * 101);
    // No other files are left.
    assert_eq!(self::names(&folder.join("new")), ["data"]);
    let many = balpan(&["generate", "platforms", "--cases", "100", "--dir", "wide"], &folder);
    assert!(many.status.success());
    assert!(folder.join("wide/001.in").exists() && folder.join("wide/100.out").exists());
}

/// Checks that the command line is refused with this message, and that nothing is written.
#[test]
fn no_data_is_lost() {
    let folder = folder("generate-refused");
    fs::create_dir(folder.join("full")).unwrap();
    fs::write(folder.join("full/mine"), "kept").unwrap();
    fs::write(folder.join("file"), "kept").unwrap();
    let refusals: [(&[&str], &str); 6] = [
        (&["platforms", "--dir", "full"], "full is there already, and not empty"),
        (&["platforms", "--dir", "file"], "file cannot be written"),
        (&["blockgame", "--cases", "51"], "write several files, with --dir DIR --per-file 50"),
        (&["tictactoe", "--cases", "60", "--dir", "new", "--per-file", "51"], "take fewer of them --per-file"),
        (&["blockgame", "--cases", "3", "--cover"], "ask for --cases"),
        (&["blockgame", "--cases", "0"], "0 is not in 1..=1000000"),
    ];
    for (args, expected) in refusals {
        let output = balpan(&[&["generate"], args].concat(), &folder);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty());
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(expected), "{args:?}: {told}");
    }
    assert_eq!(names(&folder), ["file", "full"]);
    assert_eq!(fs::read_to_string(folder.join("full/mine")).unwrap(), "kept");
    // An empty folder is replaced.
    fs::create_dir(folder.join("empty")).unwrap();
    assert!(balpan(&["generate", "tictactoe", "--cases", "2", "--dir", "empty/"], &folder).status.success());
    assert_eq!(names(&folder.join("empty")), ["01.in", "01.out", "02.in", "02.out"]);
}

/// A file in a folder, with the rest of its path.
fn written(folder: &Path, name: &str, text: &str) -> String {
    fs::write(folder.join(name), text).unwrap();
    folder.join(name).to_str().unwrap().to_owned()
}

#[test]
fn the_setters_own_cases_come_first() {
    let folder = folder("generate-own");
    let mine = "2\nxo.\n.x.\n..o\n...\n.x.\n...\n";
    let file = written(&folder, "mine.in", mine);
    for options in [&["--cases", "20"][..], &["--cases", "20", "--cover"], &["--cases", "9", "--seed", "5"]] {
        let input = generated(&[&["tictactoe", "--with", &file], options].concat());
        let cases: usize = options[1].parse::<usize>().unwrap() + 2;
        let rows = mine.split_once('\n').unwrap().1;
        assert!(input.starts_with(&format!("{cases}\n{rows}")), "{input}");
        assert_eq!(input.lines().count(), 1 + 3 * cases);
        let answers = generated(&[&["tictactoe", "--answers", "--with", &file], options].concat());
        assert!(answers.starts_with("x\nTIE\n"));
        assert_eq!(judged("tictactoe", &input), answers);
    }
    let json = generated(&["tictactoe", "--with", &file, "--cover", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let own = json["cases"].as_array().unwrap().iter().map(|case| case["own"].as_bool().unwrap());
    assert_eq!(own.collect::<Vec<_>>(), [vec![true; 2], vec![false; 30]].concat());
    // Their coverage is listed like that of the others.
    assert!(json["cases"][0]["covers"].as_array().unwrap().contains(&"x is to move".into()));
}

#[test]
fn own_cases_that_the_statement_does_not_allow_are_refused() {
    let folder = folder("generate-own-refused");
    let line = r#"{"board":[[1,1],[1,0]],"aloc":[0,0],"bloc":[0,1]}"#;
    let large = r#"{"board":[[1,1,1,1,1,1]],"aloc":[0,0],"bloc":[0,1]}"#;
    let files = [
        ("platforms", format!("{line}\n{line} x\n"), "line 2, column 51: no case"),
        ("platforms", format!("{line}\n{large}\n"), "case 2: a board of 1x6, and at most 5x5 is allowed"),
        ("platforms", String::new(), "has no case"),
        ("tictactoe", "1\nxxx\nooo\n...\n".to_owned(), "line 4, column 1: "),
        ("blockgame", "2\n.....\n.....\n.....\n.....\n.....\n".to_owned(), "line 7, column 1: "),
        ("tictactoe", "0\n".to_owned(), "has no case"),
    ];
    for (n, (judge, text, expected)) in files.iter().enumerate() {
        let name = format!("{n}.in");
        written(&folder, &name, text);
        let output = balpan(&["generate", judge, "--with", &name], &folder);
        let told = String::from_utf8(output.stderr).unwrap().replace("\n  │ ", " ");
        assert_eq!(output.status.code(), Some(2), "{judge}: {told}");
        assert!(told.contains(&name) && told.contains(expected), "{expected}: {told}");
        assert!(output.stdout.is_empty());
    }
    let missing = balpan(&["generate", "platforms", "--with", "nowhere.in"], &folder);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("nowhere.in cannot be read"));
    // They count towards the limit of a file.
    let many = written(&folder, "many.in", &generated(&["tictactoe", "--cases", "30"]));
    let output = balpan(&["generate", "tictactoe", "--with", &many], &folder);
    assert!(String::from_utf8(output.stderr).unwrap().contains("60 cases in a file"));
}

#[test]
fn hard_cases_come_last_with_the_visits_of_recursion() {
    for judge in ["platforms", "blockgame", "tictactoe"] {
        let json = generated(&[judge, "--cases", "3", "--hard", "2", "--json"]);
        let json: serde_json::Value = serde_json::from_str(&json).unwrap();
        let cases = json["cases"].as_array().unwrap();
        assert_eq!(cases.len(), 5);
        let product = |case: &serde_json::Value| {
            let visits = case["visits"].as_array().unwrap();
            visits.iter().map(|visits| u128::from(visits["positions"].as_u64().unwrap())).product::<u128>()
        };
        assert!(cases[..3].iter().all(|case| case["visits"].as_array().unwrap().is_empty()));
        assert!(product(&cases[3]) <= product(&cases[4]), "{judge}: the hardest last");
        assert!(product(&cases[3]) > 1_000_000, "{judge}");
        assert_eq!(judged(judge, cases[4]["input"].as_str().unwrap()).trim_end(), cases[4]["answer"]);
    }
}

#[test]
fn a_package_is_written_whole_and_the_same_each_time() {
    let folder = folder("generate-package");
    let own = written(&folder, "mine.in", "1\nxo.\n.x.\n..o\n");
    let write = |format: &str, name: &str| {
        let args = ["generate", "tictactoe", "--cases", "20", "--hard", "2", "--with", &own];
        balpan(&[&args[..], &["--package", format, "-o", name]].concat(), &folder)
    };
    for (format, key, zip) in [
        ("kattis", "problem.yaml", "To zip it: zip -r kattis.zip kattis\n"),
        ("domjudge", "domjudge-problem.ini", "To zip it: cd domjudge && zip -r ../domjudge.zip .\n"),
        ("polygon", "problem.xml", "To zip it: cd polygon && zip -r ../polygon.zip .\n"),
    ] {
        let output = write(format, format);
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(printed.starts_with("23 cases in 7 tests, with the answers, as a package for "), "{printed}");
        assert!(printed.ends_with(zip), "{printed}");
        assert!(folder.join(format).join(key).is_file());
        let again = format!("{format}2");
        assert!(write(format, &again).status.success());
        let read = |name: &str| fs::read_to_string(folder.join(name).join(key)).unwrap();
        assert_eq!(read(format), read(&again).replace(&again, format));
    }
    let read = |name: &str| fs::read_to_string(folder.join("kattis/data").join(name)).unwrap();
    assert!(read("sample/1.in").starts_with("3\nxo.\n.x.\n..o\n"), "the setter's case is in the sample");
    assert!(read("sample/1.ans").starts_with("x\n"));
    assert!(read("secret/06-hard.desc").starts_with("case 1: "));
    assert_eq!(judged("tictactoe", &read("secret/06-hard.in")), read("secret/06-hard.ans"));
    assert!(!names(&folder).iter().any(|name| name.contains("unfinished")));
}

#[test]
fn no_package_takes_the_place_of_anything() {
    let folder = folder("generate-package-refused");
    fs::create_dir(folder.join("there")).unwrap();
    let refusals: [(&[&str], &str); 7] = [
        (&["--package", "kattis", "-o", "there"], "there is there already"),
        (&["--package", "kattis", "-o", "game.zip"], "give --output game"),
        (&["--package", "polygon", "-o", "My-Game"], "lowercase letters a to z and digits"),
        (&["--package", "kattis"], "--output"),
        (&["-o", "game"], "--package"),
        (&["--package", "domjudge", "-o", "game", "--per-file", "51"], "take fewer of them --per-file"),
        (&["--package", "kattis", "-o", "game", "--cases", "2"], "ask for --cases"),
    ];
    for (args, expected) in refusals {
        let output = balpan(&[&["generate", "blockgame"], args].concat(), &folder);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {told}");
        assert!(told.contains(expected), "{args:?}: {told}");
    }
    assert_eq!(names(&folder), ["there"]);
    assert!(names(&folder.join("there")).is_empty());
    assert_eq!(balpan(&["generate", "platforms", "--per-file", "3"], &folder).status.code(), Some(2));
}
