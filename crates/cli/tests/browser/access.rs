//! Accessibility: roles, names, contrast.

use std::path::Path;

use serde_json::Value;

use crate::browser::Browser;
use crate::phone::PAGES;
use crate::stage::{Setting, Stage};

pub(crate) fn roles_and_names(stage: &Stage) {
    let browser = stage.at("/play/tictactoe?moves=1,1;0,0");
    let board = browser.role_and_name("#board");
    assert_eq!(board, ("group".to_owned(), "Board, 3 rows by 3 columns".to_owned()));
    assert_eq!(
        browser.of("#board", "document.getElementById(it.getAttribute('aria-describedby')).textContent"),
        "row 0: O, free, free. row 1: free, X, free. row 2: free, free, free"
    );
    names_say_worths(&browser);
    assert_eq!(browser.role_and_name("#board a[data-move=\"0,1\"]").1, "0,1: draw");
    assert_eq!(browser.role_and_name("#verdict .sentence").0, "status");

    browser.goto("/play/tictactoe?moves=1,1;0,0&lang=ko");
    assert_eq!(browser.role_and_name("#board").1, "판, 3행 3열");
    assert_eq!(browser.role_and_name("#board a[data-move=\"0,1\"]").1, "0,1: 무");

    browser.goto("/play/tictactoe?moves=1,1;0,1&lang=ko");
    assert_eq!(browser.role_and_name("#board a[data-move=\"0,0\"]").1, "0,0: 5 수 만에 승, 최선");

    browser.goto("/play/platforms?board=3x3");
    names_say_worths(&browser);
    let told = browser.text("#board-text");
    assert!(told.starts_with("row 0: A, free, free.") && told.ends_with("row 2: free, free, B"), "{told}");
    browser.goto("/play/nim");
    names_say_worths(&browser);
    assert_eq!(browser.role_and_name("#board"), ("group".to_owned(), "Heaps of tokens".to_owned()));
    assert_eq!(browser.text("#board-text"), "3, 5, 7");
    browser.goto("/play/cram?board=2x3");
    let (role, name) = browser.role_and_name("#board a[data-cell=\"0,0\"]");
    assert!(role == "link" && name.starts_with("pick 0,0: ") && name.contains(" in "), "{name}");
    browser.follow("#board a[data-cell=\"0,0\"]");
    assert_eq!(browser.role_and_name("#board a.picked").1, "0,0, picked; take it back");
    assert!(browser.role_and_name("#board a[data-cell=\"0,1\"]").1.starts_with("place 0,0+0,1: "));
}

/// Each link of the board is called as the same move of the list, which tells its worth.
fn names_say_worths(browser: &Browser) {
    let links = browser.run(
        "const worth = { win: 'win', draw: 'draw', loss: 'loss' };
        return [...document.querySelectorAll('#moves a[data-move]')].map((link) => [link.dataset.move,
            link.dataset.move + ': ' + link.dataset.outcome
            + (link.dataset.remoteness ? ' in ' + link.dataset.remoteness : '')
            + (link.classList.contains('best') ? ', best' : '')]);",
    );
    let links = links.as_array().unwrap();
    assert!(!links.is_empty());
    for link in links {
        let (mv, name) = (link[0].as_str().unwrap(), link[1].as_str().unwrap());
        for part in ["#board", "#moves"] {
            let told = browser.role_and_name(&format!("{part} a[data-move=\"{mv}\"]"));
            assert_eq!(told, ("link".to_owned(), name.to_owned()), "{}", browser.path());
        }
    }
}

/// Whether each page is looked at in several ways, as `.ci/long` does with `BALPAN_CASES=100`. Otherwise it is in one.
fn looks_at_all() -> bool {
    std::env::var("BALPAN_CASES").is_ok_and(|cases| cases == "100")
}

/// axe-core on pages of every kind, in both languages and colour schemes and on both sizes of screen.
pub(crate) fn axe_finds_nothing(stage: &Stage) {
    let mut found = Vec::new();
    // Every second page in the first two ways, and the others in the last two.
    let ways = [(0, false, false, "en"), (2, true, true, "ko"), (1, false, true, "ko"), (3, true, false, "en")];
    for (first, phone, dark, lang) in ways {
        let browser = stage.browser(Setting { phone, dark, ..Setting::default() });
        if !axe_attends(stage, &browser) {
            return;
        }
        let (first, step) = if looks_at_all() { (first % 2, 2) } else { (first, 4) };
        for page in PAGES.iter().skip(first).step_by(step) {
            page.open(&browser, lang);
            assert_eq!(browser.run("return matchMedia('(prefers-color-scheme: dark)').matches"), dark);
            let violations = violations(&browser);
            found.extend(violations.iter().map(|of| format!("{} phone {phone} dark {dark} {lang}: {of}", page.path)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// Has axe-core, as npm has brought it, on every page that is opened from now on: the page's own policy does not
/// bind it. Returns whether it is there, and tells if it is not.
pub(crate) fn axe_attends(stage: &Stage, browser: &Browser) -> bool {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/node_modules/axe-core/axe.min.js");
    let axe = std::fs::read_to_string(file).ok();
    if let Some(axe) = &axe {
        browser.run_on_every_page(axe);
    } else {
        assert!(!stage.is_required, "no axe-core: `npm ci` in crates/cli/tests/browser");
        println!("axe-core left out: `npm ci` in crates/cli/tests/browser brings it");
    }
    axe.is_some()
}

/// Returns the violations that axe-core, which [attends](axe_attends), finds on the page.
pub(crate) fn violations(browser: &Browser) -> Vec<Value> {
    let found = browser.run(
        "return axe.run(document, { resultTypes: ['violations'] }).then((found) =>
            found.violations.map((of) => [of.id, of.help, of.nodes.slice(0, 3).map((node) =>
                [node.target.join(' '), node.html.slice(0, 160), node.failureSummary?.slice(0, 240)])]));",
    );
    found.as_array().unwrap().clone()
}

/// The same of what a reader chooses: kept from page to page, whatever the system's colours are.
pub(crate) fn in_chosen_colours(stage: &Stage) {
    let mut found = Vec::new();
    for (first, theme, dark, ground) in [
        (0, "light", true, "rgb(246, 243, 236)"),
        (3, "dark", false, "rgb(22, 25, 29)"),
        (6, "contrast", true, "rgb(255, 255, 255)"),
    ] {
        let browser = stage.browser(Setting { dark, ..Setting::default() });
        let is_there = axe_attends(stage, &browser);
        browser.goto("/help?lang=ko");
        browser.run(&format!("document.querySelector('#theme').value = '{theme}'"));
        browser.click("form.theme button");
        browser.wait("chosen colours", || browser.has(&format!("html[data-theme={theme}]")));
        assert_eq!(browser.path(), "/help?lang=ko");
        let (first, step) = if looks_at_all() { (0, 3) } else { (first, 9) };
        for page in PAGES.iter().skip(first).step_by(step) {
            page.open(&browser, "en");
            // A page in a frame is the system's.
            if page.path.starts_with("/embed") {
                continue;
            }
            assert_eq!(
                browser.run("return getComputedStyle(document.documentElement).backgroundColor"),
                ground,
                "{}",
                page.path
            );
            let violations = if is_there { violations(&browser) } else { Vec::new() };
            found.extend(violations.iter().map(|of| format!("{} {theme}: {of}", page.path)));
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}
