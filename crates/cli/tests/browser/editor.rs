//! A position put together by clicks, and as text.

use crate::browser::Browser;
use crate::position::{Game, text};
use crate::stage::{Setting, Stage};

const PLATFORMS: Game = Game { name: "platforms", changes: &["board=3x3"] };

fn put(browser: &Browser, glyph: &str, cell: &str) {
    let tool = format!("a[data-put=\"{glyph}\"]");
    if browser.attribute(&tool, "aria-current").is_none() {
        browser.follow(&tool);
    }
    browser.follow(&format!("#board a[data-cell=\"{cell}\"]"));
}

pub(crate) fn by_clicks(stage: &Stage) {
    let browser = stage.at(&PLATFORMS.path());
    browser.follow("#edit");
    put(&browser, "#", "1,1");
    put(&browser, "#", "0,1");
    // A token that is put elsewhere is moved; one that is put where it is, is taken away.
    put(&browser, "A", "2,0");
    assert_eq!(browser.of("#draft", "it.value"), ".#./.#./A.B");
    assert!(browser.has("#go"));
    put(&browser, "A", "2,0");
    assert!(browser.has("#refusal") && !browser.has("#go"), "a board without a token is not a position");
    put(&browser, "A", "0,0");
    browser.follow(".tools a[href*=\"side=b\"]");
    browser.follow("#go");
    assert_eq!(text(&browser), "A#./.#./..B b");
    PLATFORMS.agrees(&browser, &PLATFORMS.solve(Some("A#./.#./..B b")));

    // One row more.
    browser.goto("/edit/platforms?board=3x3");
    browser.follow(".table .tools:nth-of-type(2) a");
    assert_eq!(browser.of("#draft", "it.value"), "A../.../..B/...");
    browser.follow("#go");
    assert_eq!(text(&browser), "A../.../..B/...");

    let cram = Game { name: "cram", changes: &["board=2x3"] };
    browser.goto("/edit/cram?board=2x3");
    put(&browser, "#", "0,1");
    put(&browser, "#", "1,2");
    put(&browser, "#", "0,1");
    browser.follow("#go");
    cram.agrees(&browser, &cram.solve(Some(".../..#")));

    let lines = Game { name: "tictactoe", changes: &[] };
    browser.goto("/edit/tictactoe");
    put(&browser, "X", "0,0");
    put(&browser, "X", "0,1");
    assert!(browser.has("#refusal"), "two marks of X and none of O");
    put(&browser, "O", "1,1");
    browser.follow("#go");
    lines.agrees(&browser, &lines.solve(Some("XX./.O./...")));
}

pub(crate) fn as_text(stage: &Stage) {
    as_text_in(&stage.browser(Setting::default()));
}

pub(crate) fn without_javascript(stage: &Stage) {
    let browser = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    as_text_in(&browser);
    browser.goto("/edit/platforms?board=3x3");
    put(&browser, "#", "1,1");
    browser.follow("#lang a[lang=ko]");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    browser.follow("#go");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    PLATFORMS.agrees(&browser, &PLATFORMS.solve(Some("A../.#./..B")));
}

fn as_text_in(browser: &Browser) {
    browser.goto("/edit/platforms?board=3x3");
    write(browser, "A#./.?./..B b");
    let refusal = browser.text("#refusal");
    assert!(refusal.contains('?'), "{refusal}");
    assert_eq!(browser.text("#refusal mark"), "?");
    // What is no board at all stays to be corrected.
    write(browser, "A#./.#/..B");
    assert_eq!(browser.of("#draft", "it.value"), "A#./.#/..B");
    assert!(browser.has("#refusal") && !browser.has("#go"));
    write(browser, "A#./.#./..B b");
    browser.follow("#go");
    PLATFORMS.agrees(browser, &PLATFORMS.solve(Some("A#./.#./..B b")));

    let nim = Game { name: "nim", changes: &[] };
    browser.goto("/edit/nim");
    write(browser, "2 x");
    assert!(browser.has("#refusal") && !browser.has("#go"));
    write(browser, "2 4 4");
    browser.follow("#go");
    nim.agrees(browser, &nim.solve(Some("2 4 4")));
}

fn write(browser: &Browser, text: &str) {
    browser.type_anew("#draft", text);
    browser.follow("form.draft button[type=submit]");
}

/// Where marks fall, they fall while they are put, and columns have the numbers of moves.
pub(crate) fn gravity(stage: &Stage) {
    let browser = stage.at("/edit/connect4?board=4x4");
    assert_eq!(browser.text("#board .numbers text"), "1");
    let click = |cell: &str| browser.follow(&format!("#board a[data-cell=\"{cell}\"]"));
    click("0,1");
    browser.follow("a[data-put=O]");
    click("1,1");
    browser.follow("a[data-put=X]");
    click("2,3");
    let text = || browser.run("return document.querySelector('#draft').value");
    assert_eq!(text(), "..../..../.O../.X.X");
    // What stands on one that is taken away comes down.
    click("3,1");
    assert_eq!(text(), "..../..../..../.O.X");
    assert!(browser.has("#go"));
}
