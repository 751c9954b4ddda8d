//! `balpan serve` as a process: its address, access, and its end.

#[cfg(target_os = "linux")]
use std::io::Write;
use std::io::{BufRead, BufReader};
#[cfg(unix)]
use std::net::TcpStream;
#[cfg(unix)]
use std::process::Command;
use std::time::Duration;

use crate::server::{Server, balpan};

#[test]
fn this_machine_is_answered() {
    let server = Server::start(&["--patience", "2", "--memory", "64M", "--threads", "1"]);
    let host = format!("localhost:{}", server.port);
    assert!(server.get(&host, "/").starts_with("HTTP/1.1 200 "));
    assert!(server.get(&host, "/api/v1/solve/tictactoe").contains("\"outcome\":\"draw\""));
    assert!(server.get("example.org", "/").starts_with("HTTP/1.1 421 "));
}

/// The page is still right, and the damage is reported on standard error.
#[test]
fn a_damaged_file_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.strong");
    let file = path.to_str().unwrap();
    assert!(balpan(&["build", "tictactoe", "-o", file]).status().unwrap().success());
    let mut bytes = std::fs::read(&path).unwrap();
    // The start's block, which begins behind the prologue of 56 bytes.
    bytes[59] ^= 1;
    std::fs::write(&path, bytes).unwrap();
    let mut server = Server::start(&["--patience", "2", "--memory", "64M", "--threads", "1", "--strong", file]);
    let host = format!("localhost:{}", server.port);
    assert!(server.get(&host, "/api/v1/solve/tictactoe").contains("\"outcome\":\"draw\""));
    let mut line = String::new();
    BufReader::new(server.process.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("Warning: ") && line.contains("t.strong: the file is damaged"), "{line}");
}

/// A census that is too large for a page is read from a strong solution.
#[test]
fn a_strong_solution_has_counted() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.strong");
    let file = path.to_str().unwrap();
    assert!(balpan(&["build", "tictactoe", "-o", file]).status().unwrap().success());
    let server = Server::start(&["--threads", "1", "--strong", file, "--public", "--rate", "100"]);
    let page = server.get("example.org", "/census/tictactoe");
    // The number of positions up to symmetry.
    assert!(page.contains("data-positions=\"765\"") && page.contains("Counted in a strong solution"), "{page}");
    assert!(!page.contains(file) && !page.contains("t.strong"));
    // The file does not apply to a later position.
    let page = server.get("example.org", "/census/tictactoe?at=X../.O./...");
    assert!(page.contains("id=\"census\"") && !page.contains("strong solution"), "{page}");
}

/// A certificate that is not proved is reported, and is on no page.
#[test]
fn certificates_are_checked_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("t.cert");
    assert!(balpan(&["prove", "tictactoe", "--text", "-o", path.to_str().unwrap()]).status().unwrap().success());
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(folder.path().join("wrong.cert"), text.replace("it is a draw", "X wins")).unwrap();
    let mut server = Server::start(&["--threads", "1", "--certificates", folder.path().to_str().unwrap()]);
    let host = format!("localhost:{}", server.port);
    // The certificates are checked while pages are served.
    let list = loop {
        let list = server.get(&host, "/certificates");
        if !list.contains("id=\"unchecked\"") {
            break list;
        }
        std::thread::sleep(Duration::from_millis(50));
    };
    assert!(list.contains("/certificates/t.cert") && !list.contains("wrong"), "{list}");
    assert!(server.get(&host, "/certificates/t.cert").ends_with(&text));
    assert!(server.get(&host, "/certificates/wrong").starts_with("HTTP/1.1 404 "));
    assert!(server.get(&host, "/play/tictactoe").contains("Proved: It is a draw."));
    let mut line = String::new();
    BufReader::new(server.process.stderr.take().unwrap()).read_line(&mut line).unwrap();
    assert!(line.starts_with("Warning: ") && line.contains("wrong.cert is left out: not"), "{line}");
}

/// Misère questions that would take a gigabyte, all at the same time.
#[cfg(target_os = "linux")]
#[test]
fn all_questions_share_the_memory() {
    let server = Server::start(&["--memory", "64M", "--threads", "1"]);
    let mut clients = Vec::new();
    for heaps in ["100%2B99", "100%2B98", "99%2B97", "97%2B96", "96%2B95", "94%2B93"] {
        let mut stream = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
        let path = format!("/api/v1/events/dawson?misere=true&at={heaps}");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        clients.push(stream);
    }
    std::thread::sleep(Duration::from_secs(10));
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.process.id())).unwrap();
    let most =
        status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.split_whitespace().next()?.parse::<u64>().ok());
    // The program, 64 MiB of tables, and 16 MiB of answers.
    assert!(most.unwrap() < 160 << 10, "{most:?} KiB");
}

/// A certificate that takes seconds to check.
#[test]
fn it_listens_before_certificates_are_checked() {
    let folder = tempfile::tempdir().unwrap();
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../certificates/connect4-exact.cert");
    std::fs::copy(file, folder.path().join("c.cert")).unwrap();
    let server = Server::start(&["--threads", "1", "--certificates", folder.path().to_str().unwrap()]);
    let host = format!("localhost:{}", server.port);
    assert!(server.get(&host, "/certificates").contains("1 more file is being checked."));
    assert!(server.get(&host, "/certificates/c").starts_with("HTTP/1.1 503 "));
}

/// A rules file is a game with pages like a preset's, and wrong ones are refused before the server listens.
#[test]
fn games_of_rules_files_are_served_beside_the_presets() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let rules = "about = \"Race: the first pawn across\"\nboard = \"3x3\"\nsetup = [\"w on bottom row\", \"b on top row\"]\n\
        draws = [\"no w\"]\n[white]\npieces = \"w\"\nmoves = [\"w step n onto empty\"]\nwins = [\"w on top row\"]\n\
        [black]\npieces = \"b\"\nmirror = \"white\"\n";
    let race = write("race.toml", rules);
    let server = Server::start(&[&race]);
    let host = format!("localhost:{}", server.port);
    for (page, part) in [
        ("/", "the first pawn across"),
        ("/play/race", "bbb/.../www"),
        ("/games/race", "It is a draw: no w."),
        ("/tree/race", "race"),
        ("/play/race?board=4x3", "bbb/.../.../www"),
        ("/api/v1/games", "\"race\""),
    ] {
        let found = server.get(&host, page);
        assert!(found.starts_with("HTTP/1.1 200 ") && found.contains(part), "{page}: {found}");
    }
    for (name, text, part) in [
        ("hex.toml", rules, "there is such a game already"),
        ("my game.toml", rules, "no name for a page"),
        ("bad.toml", "board = 3", "bad.toml"),
    ] {
        let output = balpan(&["serve", &write(name, text)]).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{name}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(part), "{told}");
    }
    for name in ["tictactoe", "/nowhere/game.toml"] {
        assert_eq!(balpan(&["serve", name]).output().unwrap().status.code(), Some(2), "{name}");
    }
}

#[test]
fn a_missing_folder_of_certificates_is_reported() {
    let output = balpan(&["serve", "--certificates", "/nowhere/at/all"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("--certificates /nowhere/at/all"), "{told}");
}

#[test]
fn a_port_in_use_is_reported() {
    let server = Server::start(&[]);
    let output = balpan(&["serve", "--port", &server.port.to_string()]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains(&format!("nothing can listen at 127.0.0.1:{}", server.port)), "{told}");
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_it_in_order() {
    let mut server = Server::start(&[]);
    // An idle connection does not delay the end.
    let _idle = TcpStream::connect(("127.0.0.1", server.port)).unwrap();
    let id = server.process.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(server.process.wait().unwrap().code(), Some(0));
}
