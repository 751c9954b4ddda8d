//! Sums of impartial games, and all positions of one.

use std::process::Command;

use serde_json::Value;

use crate::position::Game;
use crate::stage::{Setting, Stage};

/// Returns the JSON output of `solve`.
fn solved(words: &[&str]) -> Value {
    let output = Command::new(env!("CARGO_BIN_EXE_balpan")).arg("solve").args(words).arg("--json").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The parts of a position add up to what `solve` says of the whole, and a move makes the sum 0.
pub(crate) fn parts_of_a_position(stage: &Stage) {
    let browser = stage.at("/play/cram?at=..%23.../..%23.%23./..%23...");
    browser.follow("#parts");
    let whole = solved(&["cram", "..#.../..#.#./..#...", "--nimber"])["nimber"].to_string();
    assert_eq!(browser.attribute("#whole", "data-nimber"), Some(whole.clone()));
    assert_ne!(whole, "0");
    assert_eq!(browser.run("return document.querySelectorAll('.xor tbody tr').length"), 2);
    let marks = browser.run(
        "return new Set([...document.querySelectorAll('#board rect[class^=tint]')].map((it) => it.classList[0])).size",
    );
    assert_eq!(marks, 2);
    browser.follow("#zero a");
    assert_eq!(browser.attribute("#whole", "data-nimber").as_deref(), Some("0"));
    assert!(!browser.has("#zero"));
    browser.follow("#lang a[lang=ko]");
    assert!(browser.text(".sentence").contains("차례인 쪽이 집니다"));
    // Heaps are parts, too.
    browser.goto("/parts/nim");
    assert_eq!(browser.attribute("#whole", "data-nimber").as_deref(), Some("1"));
    assert_eq!(browser.text("tr:nth-child(3) .binary"), "111");
}

/// Several games side by side, played to 0 by links alone.
pub(crate) fn a_sum(stage: &Stage) {
    for setting in [Setting::default(), Setting { no_javascript: true, ..Setting::default() }] {
        let browser = stage.browser(setting);
        browser.goto("/sum");
        browser.type_anew("#of", "nim 3 5 + cram ..../.... + kayles 7");
        browser.follow("form.record button");
        let sum = solved(&["nim", "3", "5", "+", "cram", "..../....", "+", "kayles", "7"]);
        assert_eq!(browser.attribute("#whole", "data-nimber"), Some(sum["nimber"].to_string()));
        let moves = browser.run("return document.querySelectorAll('#zero a').length");
        assert_eq!(moves, sum["moves"].as_array().unwrap().len());
        browser.follow("#zero a");
        assert_eq!(browser.attribute("#whole", "data-nimber").as_deref(), Some("0"));
    }
    let browser = stage.browser(Setting::default());
    browser.goto_refused("/sum?of=nim%203%20%2B%20tictactoe");
    assert!(browser.text("#refusal").contains("no nimbers") && browser.of("#of", "it.value") == "nim 3 + tictactoe");
}

/// The values of the parts, as `solve --cgt` has that of the whole.
pub(crate) fn values_of_parts(stage: &Stage) {
    let browser = stage.at("/play/domineering?at=..%23.%23/..%23.%23/%23%23%23..");
    browser.follow("#parts");
    let whole = solved(&["domineering", "..#.#/..#.#/###..", "--cgt"])["cgt"].as_str().unwrap().to_owned();
    assert_eq!(browser.attribute("#whole", "data-value"), Some(whole));
    assert_eq!(browser.text(".xor tbody tr:first-child .value"), "±1");
    assert_eq!(browser.text(".xor tbody tr:first-child td:nth-child(4)"), "1");
    browser.follow("#lang a[lang=ko]");
    assert!(browser.text("h1").contains("부분과 값"));
    // Of a game in the rules language the stones are still seen.
    let browser = stage.at("/play/clobber?at=wb.wb/w..b./.wb.b");
    browser.follow("#parts");
    let whole = solved(&["clobber", "wb.wb/w..b./.wb.b", "--cgt"])["cgt"].as_str().unwrap().to_owned();
    assert_eq!(browser.attribute("#whole", "data-value"), Some(whole));
    assert!(browser.text(".panel").contains("Left is White, Right is Black."));
    assert_eq!(browser.of(".board", "it.querySelectorAll('rect.over').length"), 8);
    browser.goto_refused("/parts/domineering?board=8x8");
    assert!(browser.text("#refusal").contains("too long"));
}

pub(crate) fn a_census(stage: &Stage) {
    let browser = stage.at("/games/tictactoe");
    browser.follow("#census");
    assert_eq!(browser.attribute("#census", "data-positions").as_deref(), Some("5478"));
    assert!(browser.has(".histogram .wins"));
    let game = Game { name: "nim", changes: &[] };
    browser.goto(&format!("/census/{}?lang=ko", game.name));
    // 4 x 6 x 8 heaps in order, and fewer where order does not count.
    assert!(browser.text("#census").contains("국면은 모두"));
    browser.goto_refused("/census/connect4");
    assert!(browser.text("#refusal").contains("more positions than a page counts"));
}
