//! `balpan prove` and `balpan check`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn balpan(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_balpan"))
        .args(words)
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn proofs_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["tictactoe"], "it is a draw"),
        (&["platforms", "--exact"], "A wins in exactly 21 plies"),
        (&["platforms", "--within", "23"], "A wins within 23 plies"),
        (&["kayles", "--nimber"], "the nimber is 4"),
        (&["blockgame"], "the other player wins"),
        (&["blockgame", "--board", "4x4", "--set", "misere=true"], "wins"),
        (&["domineering", "--board", "4x4"], "Left wins"),
    ];
    for (words, claim) in cases {
        for is_text in [false, true] {
            let mut all = [&["prove"], words, &["-o", "a.cert"]].concat();
            all.extend(is_text.then_some("--text"));
            let made = balpan(folder.path(), &all);
            assert!(made.status.success(), "{all:?}: {}", text(&made.stderr));
            let checked = balpan(folder.path(), &["check", "a.cert", "--json"]);
            assert_eq!(checked.status.code(), Some(0), "{all:?}: {}", text(&checked.stdout));
            let told = text(&checked.stdout);
            assert!(told.contains("\"proved\":true") && told.contains(claim), "{all:?}: {told}");
        }
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no working file is left");
}

#[test]
fn proofs_continue_from_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let on = |words: &[&str]| balpan(folder.path(), words);
    let bytes = || fs::metadata(folder.path().join("found.kept")).map_or(0, |file| file.len());
    let prove =
        ["prove", "cram", "--board", "5x7", "--nimber", "--threads", "1", "--keep", "found.kept", "-o", "a.cert"];
    let solve = ["solve", "cram", "--board", "5x7", "--nimber", "--threads", "1", "--keep", "found.kept"];
    assert!(on(&solve).status.success());
    let found = bytes();
    assert!(on(&prove).status.success());
    let proved = bytes();
    assert!(found > 1000 && proved >= found, "{found} {proved}");
    assert!(text(&on(&["check", "a.cert"]).stdout).contains("proved, cram: the nimber is 1"));
    // Without a file of `solve`, `prove` keeps its own results.
    fs::remove_file(folder.path().join("found.kept")).unwrap();
    assert!(on(&prove).status.success());
    let own = bytes();
    assert!(own > 1000, "{own}");
    let other = on(&["prove", "cram", "--board", "5x6", "--keep", "found.kept", "-o", "b.cert"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("results of other rules"), "{}", text(&other.stderr));
    assert!(!folder.path().join("b.cert").exists() && bytes() == own);
}

#[test]
fn changed_certificates_are_not_proved() {
    let folder = tempfile::tempdir().unwrap();
    let made = balpan(folder.path(), &["prove", "platforms", "--exact", "--text", "--settle", "0", "-o", "a.cert"]);
    assert!(made.status.success());
    let certificate = fs::read_to_string(folder.path().join("a.cert")).unwrap();
    let check = |changed: &str| {
        fs::write(folder.path().join("b.cert"), changed).unwrap();
        let checked = balpan(folder.path(), &["check", "a.cert", "b.cert"]);
        (checked.status.code(), text(&checked.stdout) + &text(&checked.stderr))
    };
    assert_eq!(check(&certificate).0, Some(0));
    let (code, told) = check(&certificate.replace("exactly 21", "exactly 19"));
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("b.cert: not proved: it is not shown that A wins within"), "{told}");
    let (code, told) = check(&certificate.replace("A wins in", "A draws in"));
    assert_eq!(code, Some(2), "{told}");
    assert!(told.contains("not a certificate"), "{told}");
    let (code, told) = check(&certificate.replace("balpan certificate 1", "balpan certificate 2"));
    assert_eq!(code, Some(2), "{told}");
}

#[test]
fn unprovable_claims_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&[&str], &str); 5] = [
        (&["platforms"], "--output"),
        (&["domineering", "--nimber", "--text"], "impartial"),
        (&["platforms", "--within", "3", "--text"], "not within 3"),
        (&["platforms", "A..", "--text"], "B"),
        (&["platforms", "-o", "no/such/folder"], "no/such/folder"),
    ];
    for (words, told) in cases {
        let made = balpan(folder.path(), &[&["prove"], words].concat());
        assert_eq!(made.status.code(), Some(2), "{words:?}");
        assert!(text(&made.stderr).contains(told), "{words:?}: {}", text(&made.stderr));
    }
    let checked = balpan(folder.path(), &["check", "nothing.cert"]);
    assert_eq!(checked.status.code(), Some(2));
    assert!(text(&checked.stderr).contains("nothing.cert"), "{}", text(&checked.stderr));
}

fn certificate(name: &str) -> String {
    format!("{}/../../certificates/{name}.cert", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn a_verdict_lists_the_changed_rules() {
    let folder = tempfile::tempdir().unwrap();
    let prove = ["prove", "connect4", "--board", "4x4", "--set", "k=3", "-o", "a.cert"];
    assert!(balpan(folder.path(), &prove).status.success());
    let told = text(&balpan(folder.path(), &["check", "a.cert"]).stdout);
    assert!(told.contains("by other rules than the preset's: k: 3\n"), "{told}");
    let told = text(&balpan(folder.path(), &["check", "a.cert", "--json"]).stdout);
    assert!(told.contains("\"changed_rules\":[\"k: 3\"]") && told.contains("\"gravity: yes\""), "{told}");
    // Without a preset, all rules are printed, and a name cannot overwrite the verdict.
    let file = folder.path().join("a.cert");
    let bytes = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
    assert!(bytes.contains("game: connect4"));
    let renamed = fs::read(&file).unwrap();
    let at = renamed.windows(14).position(|part| part == b"game: connect4").unwrap();
    let renamed = [&renamed[..at], b"game: \x1b[2K\rnim", &renamed[at + 14..]].concat();
    fs::write(&file, renamed).unwrap();
    let told = text(&balpan(folder.path(), &["check", "a.cert"]).stdout);
    assert!(told.contains("proved, \\u{1b}[2K\\rnim: ") && !told.contains('\x1b'), "{told}");
    assert!(told.contains("by the rules k: 3, marks: own, gravity: yes, overlines: yes, misere: no\n"), "{told}");
}

#[test]
fn the_other_files_are_checked_after_one_that_is_no_certificate() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("junk"), [0xff; 100]).unwrap();
    let checked = balpan(folder.path(), &["check", "junk", "missing", "/dev/zero", &certificate("tictactoe")]);
    assert_eq!(checked.status.code(), Some(2));
    assert!(text(&checked.stdout).contains("proved, tictactoe: it is a draw"), "{checked:?}");
    assert_eq!(text(&checked.stderr).matches("the first line is not").count(), 2, "{checked:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_the_check_of_all_files() {
    let file = certificate("connect4-exact");
    let child = Command::new(env!("CARGO_BIN_EXE_balpan"))
        .args(["check", "--threads", "1", &file, &file])
        .env("LC_ALL", "C")
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    std::thread::sleep(std::time::Duration::from_millis(1500));
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130), "{ended:?}");
    assert_eq!(
        (text(&ended.stdout), text(&ended.stderr).matches("Interrupted").count()),
        (String::new(), 1),
        "{ended:?}"
    );
}
