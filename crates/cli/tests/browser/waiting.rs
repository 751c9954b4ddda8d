//! A position that takes longer than a page waits.

use std::time::{Duration, Instant};

use crate::access::{axe_attends, violations};
use crate::browser::Browser;
use crate::programs::Program;
use crate::stage::{Setting, Stage};

/// It shows how far the search is, and fills in by itself, without JavaScript too; with it,
/// nothing that is there already moves.
pub(crate) fn an_answer_that_takes_its_time(stage: &Stage) {
    let server = Program::server(&["--patience", "1", "--threads", "1"]);
    let url = format!("{}/play/connect4?board=6x6", server.url);
    let plain = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    let browser = stage.browser(Setting::default());
    let is_there = axe_attends(stage, &browser);
    plain.goto(&url);
    browser.goto(&url);
    assert!(browser.attribute("#verdict", "data-complete").is_none_or(|complete| complete == "false"));
    assert!(browser.has("#waiting progress[aria-label]"));
    assert_eq!(browser.role_and_name("#verdict .sentence").0, "status");
    // Moves can be made meanwhile, and the search goes on.
    assert!(browser.has("#board a[data-move]"));
    let told = browser.text("#waiting");
    assert!(told.contains("positions in"), "{told}");
    let first = serde_json::json!(told);
    if is_there {
        assert_eq!(violations(&browser), [serde_json::Value::Null; 0]);
    }
    let has_gone_on = format!(
        "const now = document.querySelector('#waiting');
        return !now || now.innerText.trim() !== {first};"
    );
    browser.wait("progress", || browser.shows(&has_gone_on));
    // Of this page, which is not asked for again, nothing moves, and what has the focus keeps it.
    browser.run(
        "window.places = () => ['#board', '.opponent', '.history', '#moves', '.line', '.ways'].map(
            (part) => Math.round(document.querySelector(part).getBoundingClientRect().top));
        window.before = JSON.stringify(window.places());
        document.querySelector('#board a[data-move=\"3\"]').focus();",
    );
    let is_there = "return !!document.querySelector('#verdict[data-outcome][data-complete=true]')
        && document.readyState === 'complete'";
    browser.wait_for(Duration::from_secs(120), "answer", || browser.shows(is_there));
    assert!(!browser.has("#waiting") && browser.has("#moves a.best") && browser.has("#line a"));
    assert!(browser.shows("return JSON.stringify(window.places()) === window.before"), "{}", places(&browser));
    assert!(browser.shows("return document.activeElement.dataset.move === '3'"));
    plain.wait("answer without JavaScript", || plain.shows(is_there));
    assert!(!plain.has("#waiting") && plain.has("#moves a.best"));
}

fn places(browser: &Browser) -> String {
    browser.run("return `${window.before} ${JSON.stringify(window.places())}`").to_string()
}

/// The reply to a known position does not wait for a hard one of the same game that the reader has left.
pub(crate) fn a_known_reply_comes_first(stage: &Stage) {
    let server = Program::server(&["--threads", "1"]);
    let known = format!("{}/play/connect4?board=6x6&as=second&moves=3;3;3;3;3;3;2;4", server.url);
    let browser = stage.browser(Setting::default());
    let replied = "return document.querySelectorAll('#history a').length === 10 && document.readyState === 'complete'";
    browser.goto(&known);
    browser.wait_for(Duration::from_secs(60), "a reply", || browser.shows(replied));
    browser.goto(&format!("{}/play/connect4?board=6x6", server.url));
    browser.wait("a search", || browser.has("#waiting"));
    let begun = Instant::now();
    browser.goto(&known);
    browser.wait("a reply", || browser.shows(replied));
    println!("a known reply after {:?}", begun.elapsed());
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}

/// While the perfect player thinks, nobody moves for it; then it moves by itself.
pub(crate) fn the_perfect_player_s_turn(stage: &Stage) {
    let server = Program::server(&["--threads", "1"]);
    let url = format!("{}/play/connect4?board=5x6&as=second", server.url);
    let plain = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    let browser = stage.browser(Setting::default());
    for browser in [&plain, &browser] {
        browser.goto(&url);
        if browser.has("#thinking") {
            assert_eq!(browser.role_and_name("#thinking").0, "status");
            assert!(!browser.has("#board a") && !browser.has("#moves"));
        }
    }
    for browser in [&browser, &plain] {
        let has_moved = "return document.querySelectorAll('#history a').length === 2
            && !!document.querySelector('#board a[data-move]') && document.readyState === 'complete'";
        browser.wait_for(Duration::from_secs(60), "its move", || browser.shows(has_moved));
        assert!(!browser.has("#thinking"));
    }
}
