//! Pieces that are taken up, turned and placed.

use fantoccini::key::Key;

use crate::position::{Game, after, arrive, text};
use crate::stage::{Setting, Stage};

const BLOCKGAME: Game = Game { name: "blockgame", changes: &["board=3x3"] };

/// By the mouse: the ghost is there where the pointer is, and the piece stays in the hand.
pub(crate) fn by_mouse(stage: &Stage) {
    let browser = stage.at(&BLOCKGAME.path());
    let answer = BLOCKGAME.solve(None);
    assert_eq!(browser.run("return document.querySelectorAll('#palette [data-piece]').length"), 2);
    browser.follow("#palette [data-piece=\"##/#.\"]");
    browser.follow("#turn");
    assert!(browser.has("#palette [data-piece=\"##/.#\"][aria-current]"));
    let ghost = "#board a[data-move=\"0,0+0,1+1,1\"] .ghost";
    assert_eq!(browser.of(ghost, "getComputedStyle(it).opacity"), "0");
    // By the cell on which it is held.
    browser.hover("#board a[data-move=\"0,0+0,1+1,1\"] .hit");
    browser.wait("the ghost", || browser.of(ghost, "Number(getComputedStyle(it).opacity) > 0.5") == true);
    browser.drag(&["#board a[data-move=\"0,0+0,1+1,1\"] .hit"]);
    let next = after(&answer, "0,0+0,1+1,1");
    arrive(&browser, &next);
    assert!(browser.path().contains("piece="));
    browser.follow("#put-back");
    assert!(browser.has("#board a[data-cell]") && !browser.has("#turn"));
    // Best moves come first, with pictures; the others are folded.
    browser.goto(&BLOCKGAME.path());
    assert!(browser.has("#moves a.best svg.mini"));
    assert!(browser.has("#moves details:not([open]) svg.mini"));
}

/// By keys alone: a number takes a piece up, `t` turns it, Escape puts it back.
pub(crate) fn by_keys(stage: &Stage) {
    let browser = stage.at(&BLOCKGAME.path());
    let answer = BLOCKGAME.solve(None);
    let press = |key: char, expected: &str| {
        browser.press(key);
        browser.wait(expected, || {
            browser
                .shows(&format!("return document.readyState === 'complete' && !!document.querySelector('{expected}')"))
        });
    };
    press('1', "#palette [data-piece=\"##\"][aria-current]");
    press('t', "#palette [data-piece=\"#/#\"][aria-current]");
    browser.run("document.querySelector('#board a[data-move=\"0,1+1,1\"]').focus()");
    assert_eq!(browser.of("#board a[data-move=\"0,1+1,1\"] .ghost", "getComputedStyle(it).opacity !== '0'"), true);
    browser.press(Key::Enter.into());
    arrive(&browser, &after(&answer, "0,1+1,1"));
    press(Key::Escape.into(), "#board a[data-cell]");
}

/// Each player has pieces of its own, without JavaScript, too.
pub(crate) fn of_each_player(stage: &Stage) {
    let game = Game { name: "domineering", changes: &["board=3x3"] };
    let browser = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    browser.goto(&game.path());
    let start = text(&browser);
    browser.follow("#palette [data-piece=\"#/#\"]");
    assert!(!browser.has("#turn"), "who places upright does not turn");
    browser.drag(&["#board a[data-move=\"0,1+1,1\"] .hit"]);
    arrive(&browser, &after(&game.solve(None), "0,1+1,1"));
    assert!(browser.has("#palette [data-piece=\"##\"]"));
    browser.follow("#undo");
    arrive(&browser, &start);
}
