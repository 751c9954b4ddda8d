//! The tree of a position, and the way through the search.

use fantoccini::key::Key;

use crate::position::{Game, arrive, text};
use crate::stage::{Setting, Stage};

const ENDING: &str = "XOX/OOX/...";

/// From a position to its tree, through alpha-beta step by step, and back to the position.
pub(crate) fn step_by_step(stage: &Stage) {
    let game = Game { name: "tictactoe", changes: &[] };
    let browser = stage.at(&format!("/play/tictactoe?at={ENDING}"));
    browser.follow("#tree");
    assert!(browser.has(".tree-picture svg"));
    browser.follow("#prune-yes");
    browser.follow("#first");
    let step = || browser.attribute("#step", "data-step").unwrap();
    assert_eq!(step(), "0");
    browser.follow("#next");
    assert_eq!(step(), "1");
    browser.press(Key::Right.into());
    browser.wait("second step", || browser.shows("return document.querySelector('#step').dataset.step === '2'"));
    browser.back();
    browser.wait("first step", || browser.shows("return document.querySelector('#step').dataset.step === '1'"));
    browser.follow("#last");
    assert!(!browser.has("a#next"));
    browser.follow("#position");
    game.agrees(&browser, &game.solve(Some(ENDING)));
}

/// On a phone, a tree that is wider than the screen is scrolled to its root, and then to the node that the search is at.
pub(crate) fn centred_on_a_phone(stage: &Stage) {
    let browser = stage.browser(Setting { phone: true, ..Setting::default() });
    let is_centred = |node: &str| {
        browser.shows(&format!(
            "const [box, node] = ['.tree-picture', '.tree-picture {node}'].map((it) => document.querySelector(it).getBoundingClientRect());
            const middle = node.x + node.width / 2;
            return middle > box.x + 20 && middle < box.right - 20 && node.bottom > 0 && node.top < innerHeight;"
        ))
    };
    browser.goto(&format!("/tree/tictactoe?at={ENDING}&prune=yes"));
    browser.wait("the root", || is_centred(".t-root"));
    browser.follow("#first");
    for _ in 0..8 {
        browser.follow("#next");
        browser.wait("the current node", || is_centred(".t-current"));
    }
}

/// Each node leads to its position.
pub(crate) fn without_javascript(stage: &Stage) {
    let browser = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    browser.goto(&format!("/tree/tictactoe?at={ENDING}&prune=yes&step=0"));
    browser.follow("#next");
    assert_eq!(browser.attribute("#step", "data-step").as_deref(), Some("1"));
    browser.follow("#lang a[lang=ko]");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    browser.click("details summary");
    browser.follow("details summary + ul ul li a[href^=\"/play/\"]");
    assert_ne!(text(&browser), ENDING);
    browser.follow("#undo");
    arrive(&browser, ENDING);
}
