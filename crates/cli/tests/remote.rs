//! Strong solutions that an explorer on another machine serves.

use std::fs;
use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::common;
use crate::common::{balpan, json, printed, refused};
use crate::server::Server;

const GAME: [&str; 3] = ["connect4", "--board", "4x4"];

/// Starts an explorer with little memory that serves these files.
fn serving(places: &[&str]) -> Server {
    let strong = places.iter().flat_map(|place| ["--strong", place]);
    Server::start(&["--memory", "64M", "--threads", "1"].into_iter().chain(strong).collect::<Vec<_>>())
}

fn at(server: &Server) -> String {
    format!("http://localhost:{}", server.port)
}

/// Solves, and returns the answer without the time.
fn solved(folder: &std::path::Path, more: &[&str]) -> Value {
    let mut answer = json(folder, &[&["solve"], &GAME[..], &["--ask", "moves"], more].concat());
    answer.as_object_mut().unwrap().remove("seconds");
    answer
}

/// Listens, and handles each connection with `answer`.
fn stranger(answer: impl Fn(std::net::TcpStream) + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || listener.incoming().flatten().for_each(answer));
    address
}

/// Two machines with half of the parts each: together they have all positions, one alone has some.
#[test]
#[cfg_attr(not(feature = "cluster"), ignore = "needs the feature `cluster`")]
fn remote_parts_are_looked_up() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    printed(here, &[&["build"], &GAME[..], &["-o", "whole"]].concat());
    let built = balpan(here, &[&["cluster", "local", "2"], &GAME[..], &["-o", "parts", "--partitions", "8"]].concat());
    assert_eq!(built.0, Some(0), "{}", built.2);
    fs::create_dir(here.join("others")).unwrap();
    let mut parts: Vec<_> = fs::read_dir(here.join("parts")).unwrap().map(|entry| entry.unwrap().path()).collect();
    parts.retain(|path| path.extension().is_some_and(|extension| extension == "strong"));
    parts.sort();
    assert_eq!(parts.len(), 8);
    for part in parts.iter().step_by(2) {
        fs::rename(part, here.join("others").join(part.file_name().unwrap())).unwrap();
    }
    let place = |name: &str| here.join(name).display().to_string();
    let whole = solved(here, &["--strong", "whole"]);
    assert_eq!((&whole["positions_searched"], &whole["outcome"]), (&0.into(), &"draw".into()));

    let (one, other) = (serving(&[&place("parts")]), serving(&[&place("others")]));
    let (one_at, other_at) = (at(&one), at(&other));
    assert_eq!(solved(here, &["--strong", &one_at, "--strong", &other_at]), whole);
    assert_eq!(solved(here, &["--strong", "parts", "--strong", &other_at]), whole);
    assert_eq!(solved(here, &["--strong", &place("whole"), "--strong", &one_at]), whole);
    // An explorer answers from them, too, and does not forward the queries that it gets.
    let third = serving(&[&one_at, &other_at]);
    let page = third.get("localhost", "/api/v1/solve/connect4?board=4x4&ask=moves");
    assert!(page.contains("\"positions_searched\":0"), "{page}");
    let list = third.get("localhost", "/api/v1/strong");
    assert!(list.contains("\"size\":\"6x7\"") && !list.contains("\"size\":\"4x4\""), "the book alone: {list}");

    // Positions that one machine lacks are searched.
    let alone = solved(here, &["--strong", &one_at]);
    assert_ne!(alone["positions_searched"], 0);
    for key in ["outcome", "remoteness", "best", "moves"] {
        assert_eq!(alone[key], whole[key], "{key}");
    }
    // An unreachable machine is reported once, and its positions are searched.
    drop(other);
    let words = [&["solve"], &GAME[..], &["--json", "--strong", &one_at, "--strong", &other_at]].concat();
    let error = refused(here, &words);
    assert!(error.contains(&other_at) && error.contains("does not answer"), "{error}");
}

/// A machine that goes away during a search is reported once; the answer is right.
#[test]
fn a_lost_machine_is_reported() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    printed(here, &["build", "tictactoe", "-o", "whole"]);
    let list = serving(&[&here.join("whole").display().to_string()]).get("localhost", "/api/v1/strong");
    // Answers the list of files, and then garbage.
    let lies = [
        "{\"outcome\":\"win\",\"remoteness\":null,\"nimber\":null}".to_owned(),
        "[1, 2".to_owned(),
        "x".repeat(1 << 20),
    ];
    for lie in lies {
        let (list, lie) = (list.split_once("\r\n\r\n").unwrap().1.to_owned(), lie);
        let address = stranger(move |mut stream| {
            let mut request = [0; 1 << 12];
            let length = stream.read(&mut request).unwrap_or(0);
            let is_list = request[..length].starts_with(b"GET /api/v1/strong HTTP");
            let body = if is_list { &list } else { &lie };
            let head = format!("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: {}\r\n\r\n", body.len());
            let _ = stream.write_all((head + body).as_bytes());
        });
        let (code, page, error) = balpan(here, &["solve", "tictactoe", "--json", "--strong", &address]);
        assert_eq!(code, Some(0), "{error}");
        assert!(page.contains("\"outcome\":\"draw\""), "{page}");
        assert_eq!(error.matches("answers are searched for instead").count(), 1, "{error}");
        assert!(error.contains(&address) && error.contains("cannot be understood"), "{error}");
    }
}

#[test]
fn an_address_without_an_explorer_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let refused = |address: &str| refused(here, &["solve", "tictactoe", "--json", "--strong", address]);
    for address in ["http://", "https://localhost:1", "http:// x", "http://a@b", "http://localhost:x", "http://[::1"] {
        assert!(refused(address).contains("is not an address of an explorer"), "{address}");
    }
    let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    assert!(refused(&format!("http://{closed}")).contains("does not answer"));
    let noise = stranger(|mut stream| drop(stream.write_all(b"\x00\xffwhat?\r\n\r\n")));
    assert!(refused(&noise).contains("does not answer"));
    let page = stranger(|mut stream| {
        let _ = stream.read(&mut [0; 1 << 12]);
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi");
    });
    assert!(refused(&page).contains("cannot be understood"));
    let elsewhere = stranger(|mut stream| {
        let _ = stream.read(&mut [0; 1 << 12]);
        let _ = stream.write_all(b"HTTP/1.1 302 Found\r\nLocation: http://localhost:1/\r\nContent-Length: 0\r\n\r\n");
    });
    assert!(refused(&elsewhere).contains("status 302"));
    // A silent machine has a timeout of some seconds.
    let silent = stranger(|stream| {
        thread::sleep(Duration::from_secs(60));
        drop(stream);
    });
    let begin = Instant::now();
    assert!(refused(&silent).contains("does not answer"));
    assert!(begin.elapsed() < Duration::from_secs(30));
    // The books alone are no help with tic-tac-toe, and counts are taken from files alone.
    let server = serving(&[]);
    assert!(refused(&at(&server)).contains("the file is of other rules"));
    let counted = common::refused(here, &["census", "tictactoe", "--strong", &at(&server)]);
    assert!(counted.contains("expected a file"), "{counted}");
}
