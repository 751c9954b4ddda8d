//! Pages around the games: the search, help, and embedded positions.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::thread;

use crate::browser::link;
use crate::stage::{Setting, Stage};

/// A game is found by its name, in either language.
pub(crate) fn search(stage: &Stage) {
    for (lang, words, game) in
        [("en", "connect four", "connect4"), ("ko", "커넥트", "connect4"), ("en", "노택토", "notakto")]
    {
        let browser = stage.browser(Setting { no_javascript: lang == "ko", ..Setting::default() });
        browser.goto(&format!("/?lang={lang}"));
        browser.wait("the home page", || browser.has("#q"));
        browser.type_anew("#q", words);
        browser.follow(".search button");
        assert_eq!(browser.run("return document.querySelectorAll('.card').length"), 1, "{words}");
        assert!(browser.has(&format!(".card {}", link(&format!("/play/{game}")))), "{words}");
        browser.type_anew("#q", "xyzzy");
        browser.follow(".search button");
        assert!(!browser.has(".card") && browser.has("main p[role=status]"));
        browser.follow(&format!("footer {}", link("/help")));
        assert!(browser.has("kbd"));
    }
}

/// A page of another site shows a position in a frame.
pub(crate) fn embedded(stage: &Stage) {
    let browser = stage.at("/embed/tictactoe?at=X../.O./...&lang=ko");
    let here = browser.run("return location.href");
    assert!(browser.has("svg.figure .badge"));
    let frame = format!("<!DOCTYPE html><title>other</title><iframe src=\"{}\"></iframe>", here.as_str().unwrap());
    browser.goto(&other_site(frame.replace("&lang", "&amp;lang")));
    browser.enter_frame();
    browser.wait("the board", || browser.has("svg.figure .badge"));
    assert!(browser.text("main a").contains("틱택토"));
    // As a picture alone, it is drawn from its address.
    browser.goto("/board/tictactoe.svg?at=X../.O./...");
    assert!(browser.has("svg .badge") && browser.has("style"));
}

/// Whoever is told of a page sees what it shows, and can put it on a page of their own.
pub(crate) fn told_of(stage: &Stage) {
    let browser = stage.at("/play/tictactoe?at=X../.O./...&lang=ko");
    let origin = browser.run("return location.origin");
    let origin = origin.as_str().unwrap();
    let picture = browser.attribute("meta[property='og:image']", "content").unwrap();
    assert_eq!(picture, format!("{origin}/board/tictactoe.svg?at=X../.O./...&lang=ko"));
    assert!(browser.attribute("meta[name=description]", "content").unwrap().contains("틱택토"));
    assert_eq!(browser.attribute("meta[name='twitter:card']", "content").as_deref(), Some("summary"));
    browser.click(".embedding summary");
    let snippet = browser.text("#snippet");
    assert!(snippet.starts_with(&format!("<iframe src=\"{origin}/embed/tictactoe?at=X../.O./...")), "{snippet}");
    let sides = browser.run_with(
        "const image = new Image();
        image.src = arguments[0];
        return image.decode().then(() => [image.naturalWidth, image.naturalHeight]);",
        vec![picture.into()],
    );
    assert!(sides[0].as_u64() > Some(200) && sides[0] == sides[1], "{sides}");
}

/// The address of a server of this one page, as long as the tests run.
fn other_site(page: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for stream in listener.incoming() {
            let Ok(mut stream) = stream else { continue };
            let _ = stream.read(&mut [0; 4096]);
            let length = page.len();
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{page}"
            );
        }
    });
    format!("http://{address}/")
}
