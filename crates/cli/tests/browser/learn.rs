//! The lessons: each one's exercise, failed and passed.

use serde_json::Value;

use crate::browser::Browser;
use crate::stage::{Setting, Stage};

/// A lesson, a wrong answer and a right one.
const EXERCISES: [(&str, &str, &str); 10] = [
    ("tree", "5", "4"),
    ("end", "loss", "win"),
    ("minimax", "win", "draw"),
    ("backtracking", "4", "2"),
    ("depth", "move", "move"),
    ("alpha-beta", "14", "12"),
    ("memory", "16", "65,536"),
    ("symmetry", "9", "3"),
    ("nimbers", "2", "3"),
    ("large", "33.5", "33"),
];

pub(crate) fn every_exercise(stage: &Stage) {
    for lang in ["en", "ko"] {
        let browser = stage.at(&format!("/learn?lang={lang}"));
        let lessons = browser.run("return document.querySelectorAll('.lessons a').length");
        assert_eq!(lessons, EXERCISES.len());
        browser.follow(".lessons a");
        for (n, (name, wrong, right)) in EXERCISES.into_iter().enumerate() {
            assert!(browser.path().starts_with(&format!("/learn/{name}?lang={lang}")), "{}", browser.path());
            answer(&browser, wrong, false);
            answer(&browser, right, true);
            if n + 1 < EXERCISES.len() {
                browser.follow("#next");
            }
        }
        assert!(!browser.has("#next"));
    }
}

/// Forms and links are enough.
pub(crate) fn without_javascript(stage: &Stage) {
    let browser = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    for (name, wrong, right) in [EXERCISES[1], EXERCISES[4], EXERCISES[6]] {
        browser.goto(&format!("/learn/{name}"));
        answer(&browser, wrong, false);
        answer(&browser, right, true);
    }
}

fn answer(browser: &Browser, given: &str, is_right: bool) {
    if browser.has("#again") {
        browser.follow("#again");
    }
    if browser.has("#answer") {
        browser.type_anew("#answer", given);
        browser.follow("#check");
    } else if browser.has("fieldset") {
        browser.click(&format!("input[value={given}]"));
        browser.follow("#check");
    } else {
        // The fastest win on the board, or another move.
        let moves = browser.run("return [...document.querySelectorAll('#board a.move')].map((a) => a.dataset.move)");
        let moves = moves.as_array().unwrap();
        let mv = moves.iter().find(|mv| (*mv == &Value::from("1,0")) == is_right).unwrap();
        browser.follow(&format!("#board a[data-move={mv}]"));
    }
    let [seen, other] = if is_right { [".right", ".wrong"] } else { [".wrong", ".right"] };
    assert!(
        browser.has(&format!("#exercise{seen}")) && !browser.has(&format!("#exercise{other}")),
        "{given} at {}",
        browser.path()
    );
}
