//! Puzzles: solved by keyboard alone, failed, and printed.

use serde_json::Value;

use crate::browser::Browser;
use crate::position::{Game, after};
use crate::stage::{Setting, Stage};

const TAB: char = '\u{e004}';
const ENTER: char = '\u{e007}';

pub(crate) fn of_the_day_by_keyboard(stage: &Stage) {
    let browser = stage.at("/puzzles?lang=en");
    press_on(&browser, "document.activeElement.id === 'today'");
    browser.wait("the puzzle", || browser.has("#puzzle"));
    // Hints come one after the other.
    for n in 1..=3 {
        browser.press('h');
        browser.wait("hint", || browser.has(&format!("#hint-{n}")));
    }
    assert!(!browser.has("#hint"));
    while browser.attribute("#puzzle", "data-solved").is_none() {
        let answer = solve(&browser);
        let mv = answer["best"][0].as_str().unwrap().to_owned();
        make(&browser, &mv);
    }
    assert!(browser.text("#puzzle").starts_with("Solved, in") && !browser.text("#puzzle").contains("enough"));
    assert!(browser.has("#explanation li"));
    // The browser keeps that it is solved, once the script has run.
    browser.wait("it is kept", || browser.run("return localStorage.getItem('solved') !== null") == Value::Bool(true));
    // Chromium may give the next page a process of its own, which what is kept reaches later.
    let ticked = "return [...document.querySelectorAll('.tick')].filter((tick) => tick.offsetParent).length";
    browser.wait("two ticks", || {
        browser.goto("/puzzles?lang=en");
        browser.run(ticked) == 2
    });
    assert_eq!(browser.text(".today .tick"), "✓ solved");
    assert_eq!(browser.run("return document.querySelectorAll('.boards li .still').length"), 70);
}

/// A wrong move is answered, and can be taken back.
pub(crate) fn a_wrong_move(stage: &Stage) {
    let no_javascript = Setting { no_javascript: true, ..Setting::default() };
    for (lang, setting) in [("en", Setting::default()), ("ko", no_javascript)] {
        let browser = stage.browser(setting);
        browser.goto(&format!("/puzzles/1?lang={lang}"));
        let answer = solve(&browser);
        let wrong = answer["moves"].as_array().unwrap().iter().find(|mv| mv["outcome"] == "loss").unwrap();
        let (wrong, right) = (wrong["move"].as_str().unwrap(), answer["best"][0].as_str().unwrap());
        browser.follow(&format!("#board a[data-move=\"{wrong}\"]"));
        assert!(browser.attribute("#puzzle", "data-lost").is_some() && browser.has("#refutation"));
        assert!(!browser.has("#board a"), "play goes on after a wrong move");
        let line = browser.run("return [...document.querySelectorAll('#refutation code')].map((it) => it.innerText)");
        let game = Game { name: "tictactoe", changes: &[] };
        if !setting.no_javascript {
            assert_eq!(line, game.solve(Some(&after(&answer, wrong)))["line"]);
        }
        browser.follow("#back");
        browser.follow(&format!("#board a[data-move=\"{right}\"]"));
        // The defender has answered by itself.
        assert_eq!(browser.run("return document.querySelectorAll('#history li').length"), 2);
        browser.follow("#again");
        browser.follow("#next");
        assert!(browser.path().starts_with("/puzzles/2"));
    }
}

/// Returns the answer of `solve` for the position on the page.
fn solve(browser: &Browser) -> Value {
    let name = browser.attribute("#puzzle", "data-game").unwrap();
    let names =
        ["tictactoe", "platforms", "connect4", "cram", "blockgame", "domineering", "gomoku", "joust", "notakto"];
    let name = names.into_iter().find(|of| *of == name).unwrap();
    Game { name, changes: &[] }.solve(browser.attribute("#puzzle", "data-position").as_deref())
}

/// Makes a move by keys: at once, or cell by cell.
fn make(browser: &Browser, mv: &str) {
    if browser.has(&format!("#board a[data-move=\"{mv}\"]:not([data-cell])")) {
        return press_on(browser, &format!("document.activeElement.dataset.move === '{mv}'"));
    }
    let made = browser.run("return document.querySelectorAll('#history li').length");
    for cell in mv.split('+') {
        press_on(browser, &format!("document.activeElement.dataset.cell === '{cell}'"));
    }
    if browser.run("return document.querySelectorAll('#history li').length") == made {
        press_on(browser, &format!("document.activeElement.dataset.move === '{mv}'"));
    }
}

/// Goes on by Tab until this has the focus, and presses Enter; another page is there then.
fn press_on(browser: &Browser, is_there: &str) {
    let script = format!("return {is_there}");
    for _ in 0..200 {
        if browser.shows(&script) {
            let before = browser.path();
            browser.press(ENTER);
            browser.wait("another page", || {
                browser.path() != before && browser.shows("return document.readyState === 'complete'")
            });
            return;
        }
        browser.press(TAB);
    }
    panic!("nothing to press where {is_there} at {}", browser.path());
}
