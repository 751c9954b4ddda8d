//! `balpan stress`, `generate` and `judge` for a game by the user's own rules.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;

const BALPAN: &str = env!("CARGO_BIN_EXE_balpan");

/// Writes a rules file: three in a row, with marks that fall.
fn rules(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, "family = \"lines\"\nboard = \"3x4\"\nk = 3\ngravity = true\n").unwrap();
    path
}

fn balpan(words: &[&str]) -> (Option<i32>, String, String) {
    let mut command = Command::new(BALPAN);
    command.args(words).env("NO_COLOR", "1").env("LC_ALL", "C").stdin(Stdio::null());
    let Output { status, stdout, stderr } = command.output().unwrap();
    (status.code(), String::from_utf8(stdout).unwrap(), String::from_utf8(stderr).unwrap())
}

/// Tests `sh -c PROGRAM`, in which `$judge` answers correctly.
fn stress(game: &str, rules: &[&str], options: &[&str], program: &str) -> (Option<i32>, String) {
    let mut command = Command::new(BALPAN);
    let judge = [&[BALPAN, "judge", game], rules].concat().join(" ");
    command.args(["stress", game]).args(rules).args(options).args(["--", "sh", "-c", program]);
    command.env("judge", judge).env("NO_COLOR", "1").env("LC_ALL", "C").stdin(Stdio::null());
    let output = command.output().unwrap();
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.code() < Some(2), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), printed)
}

fn report(game: &str, rules: &[&str], program: &str) -> Value {
    let (_, printed) = stress(game, rules, &["--json", "--cases", "3000", "--time", "10m"], program);
    serde_json::from_str(&printed).unwrap()
}

#[test]
fn a_right_program_passes() {
    let file = rules("passes.toml");
    let file = format!("game:{}", file.display());
    for (game, rules) in [
        (file.as_str(), &[][..]),
        (&file, &["--answer", "value"]),
        ("game:cram", &["--board", "2x3", "--answer", "nimber"]),
        ("game:platforms", &["--board", "3x3", "--answer", "value"]),
        ("game:nim", &["--answer", "nimber"]),
        ("game:connect4", &[]),
    ] {
        let report = report(game, rules, "$judge");
        assert_eq!((&report["verdict"], &report["difference"]), (&"right".into(), &Value::Null), "{report}");
        assert_eq!(report["judge"], game);
    }
}

#[test]
fn a_wrong_one_is_shown_with_its_smallest_position() {
    let file = rules("wrong game.toml");
    let game = format!("game:{}", file.display());
    let (code, printed) = stress(&game, &[], &["--json"], "cd /; sed 1d | sed 's/.*/draw/'");
    let report: Value = serde_json::from_str(&printed).unwrap();
    let difference = &report["difference"];
    assert_eq!((code, &difference["fault"]), (Some(1), &"wrong".into()), "{report}");
    // A line of three in the fewest cells, with as many marks of the opponent.
    assert_eq!((&difference["cells"], &difference["smallest"]), (&0.into(), &true.into()), "{report}");
    assert_eq!((&difference["right"], &difference["answer"]), (&"loss".into(), &"draw".into()), "{report}");
    assert_eq!(difference["page"], Value::Null);
    let command = difference["commands"][0].as_str().unwrap();
    assert!(command.starts_with(&format!("balpan solve '{}' '", file.display())), "{command}");
    // The printed command works.
    let words = command.strip_prefix("balpan ").unwrap();
    let shell = Command::new("sh").args(["-c", &format!("{BALPAN} {words}")]).env("LC_ALL", "C").output().unwrap();
    assert!(String::from_utf8(shell.stdout).unwrap().contains("wins"), "{command}");
}

#[test]
fn rules_that_are_changed_are_in_the_commands() {
    let program = "$judge | sed 's/win/loss/'";
    let (code, printed) = stress("game:tictactoe", &["--set", "k=2"], &[], program);
    assert_eq!(code, Some(1), "{printed}");
    assert!(printed.contains("Best play there:"), "{printed}");
    assert!(printed.contains("  balpan solve tictactoe '") && printed.contains(" --set 'k=2'\n"), "{printed}");
    assert!(printed.contains("/play/tictactoe?at=") && printed.contains("&k=2\n"), "{printed}");
}

#[test]
fn data_is_made_and_answered() {
    let options = ["--cases", "12", "--seed", "3", "--answer", "value"];
    let words = [&["generate", "game:joust", "--board", "3x4"], &options[..]].concat();
    let (code, input, error) = balpan(&words);
    assert_eq!(code, Some(0), "{error}");
    assert!(input.starts_with("12\n") && input.lines().count() == 13, "{input}");
    assert!(input.lines().skip(1).all(|line| line.split(['/', ' ']).next().unwrap().len() == 4), "{input}");
    let (_, answers, _) = balpan(&[&words[..], &["--answers"]].concat());
    assert_eq!(answers.lines().count(), 12, "{answers}");
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("joust.in");
    fs::write(&path, &input).unwrap();
    let mut judge = Command::new(BALPAN);
    judge.args(["judge", "game:joust", "--board", "3x4", "--answer", "value"]).stdin(fs::File::open(&path).unwrap());
    assert_eq!(String::from_utf8(judge.output().unwrap().stdout).unwrap(), answers);
    // The same, as the setter's own cases.
    let (code, own, error) = balpan(&[&words[..], &["--with", path.to_str().unwrap()]].concat());
    assert_eq!(code, Some(0), "{error}");
    assert!(own.starts_with("24\n"), "{own}");
}

#[test]
fn unsupported_options_are_refused() {
    let file = rules("refused.toml");
    let file = format!("game:{}", file.display());
    for (words, told) in [
        (&["generate", &file, "--cover"][..], "--cover is not for game:"),
        (&["generate", &file, "--hard", "2"], "--hard is not for game:"),
        (&["generate", "blockgame", "--board", "4x4"], "--board 4x4: the rules"),
        (&["generate", "platforms", "--set", "torus=true"], "--set torus=true: the rules"),
        (&["stress", "tictactoe", "--answer", "value", "--", "true"], "--answer: the rules"),
        (&["stress", "game:connect4", "--answer", "nimber", "--", "true"], "has no nimber"),
        (&["stress", &file, "--open", "--", "true"], "there is no page of"),
        (&["stress", "game:nothing", "--", "true"], "neither a game nor a file"),
        (&["stress", "game:", "--", "true"], "lists the problems"),
        (&["stress", "tictacto", "--", "true"], "did you mean `tictactoe`?"),
        (&["stress", &file, "--solution", "x.py"], "asks for a program"),
    ] {
        let (code, printed, error) = balpan(words);
        assert_eq!((code, printed.as_str()), (Some(2), ""), "{words:?}: {error}");
        let error = error.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(error.contains(told), "{words:?}: {error}");
    }
}

/// One nested call for each token, more than Python allows.
#[test]
fn a_recursion_that_is_too_deep_is_named() {
    let known = Command::new("python3").arg("--version").output();
    if !known.is_ok_and(|output| output.status.success()) {
        println!("left out, as there is no python3");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("deep.py");
    let text = "import sys\ndef wins(n):\n    return n > 0 and (not wins(n - 1) or True)\n\
                for line in sys.stdin.read().splitlines()[1:]:\n    print('win' if wins(int(line)) else 'loss')\n";
    fs::write(&program, text).unwrap();
    let (code, printed, _) =
        balpan(&["stress", "game:nim", "--set", "start=1100", "--", "python3", program.to_str().unwrap()]);
    let printed = printed.split_whitespace().collect::<Vec<_>>().join(" ");
    assert_eq!(code, Some(1), "{printed}");
    assert!(
        printed.starts_with("Crashed. The smallest case") && printed.contains("deeper than Python allows"),
        "{printed}"
    );
}

#[test]
fn the_time_is_a_picture_too() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("time.svg");
    let plot = ["--plot", path.to_str().unwrap(), "--cases", "300", "--time", "10m"];
    let (code, printed) = stress("tictactoe", &[], &plot, "$judge");
    assert_eq!(code, Some(0), "{printed}");
    let picture = fs::read_to_string(&path).unwrap();
    assert!(picture.starts_with("<svg ") && picture.contains("free cells"), "{picture}");
}

/// The browser is a script that records the page it is asked to show.
#[test]
fn the_page_of_a_difference_is_opened() {
    use std::os::unix::fs::PermissionsExt;
    use std::time::{Duration, Instant};

    let folder = tempfile::tempdir().unwrap();
    let (browser, shown) = (folder.path().join("browser"), folder.path().join("shown"));
    fs::write(&browser, format!("#!/bin/sh\necho \"$1\" > '{0}.part'; mv '{0}.part' '{0}'\n", shown.display()))
        .unwrap();
    fs::set_permissions(&browser, fs::Permissions::from_mode(0o755)).unwrap();
    let mut command = Command::new(BALPAN);
    command.args(["stress", "game:tictactoe", "--open", "--lang", "ko", "--", "sh", "-c", "sed 1d | sed 's/.*/win/'"]);
    command.env("BROWSER", &browser).env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let begin = Instant::now();
    while !shown.exists() && begin.elapsed() < Duration::from_secs(100) && child.try_wait().unwrap().is_none() {
        std::thread::sleep(Duration::from_millis(50));
    }
    let url = fs::read_to_string(&shown);
    let _ = child.kill();
    let _ = child.wait();
    let url = url.unwrap();
    assert!(url.starts_with("http://127.0.0.1:") && url.contains("/play/tictactoe?at="), "{url}");
    assert!(url.trim_end().ends_with("&lang=ko"), "{url}");
}
