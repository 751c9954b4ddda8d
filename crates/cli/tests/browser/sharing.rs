//! A position is its URL: the back button, a URL that is passed on, and the language.

use crate::browser::{Browser, link};
use crate::games::TICTACTOE;
use crate::phone::PAGES;
use crate::position::{after, arrive, on_board, text};
use crate::stage::{Setting, Stage};

/// Words that are the same in both languages: names of games, of their pieces and of formats.
const SAME: [&str; 18] = [
    "balpan",
    "json",
    "api",
    "english",
    "blockgame",
    "domineering",
    "kayles",
    "notakto",
    "cram",
    "tictactoe",
    "nim",
    "platforms",
    "toml",
    "algospot",
    "programmers",
    "upright",
    "flat",
    "xor",
];

pub(crate) fn back_and_undo(stage: &Stage) {
    let browser = stage.at(&TICTACTOE.path());
    let start = text(&browser);
    let mut seen = vec![start.clone()];
    for mv in ["1,1", "0,0", "2,2"] {
        let answer = TICTACTOE.solve(seen.last().map(String::as_str));
        on_board(&browser, mv);
        seen.push(after(&answer, mv));
        arrive(&browser, &seen[seen.len() - 1]);
    }
    browser.back();
    arrive(&browser, &seen[2]);
    TICTACTOE.agrees(&browser, &TICTACTOE.solve(Some(&seen[2])));
    browser.back();
    arrive(&browser, &seen[1]);
    browser.follow("#undo");
    arrive(&browser, &start);
    browser.back();
    arrive(&browser, &seen[1]);
    // The history, and the best line, step by step.
    browser.follow("#history a");
    arrive(&browser, &start);
    assert!(!browser.has("#undo"));
    browser.follow("#line li:nth-child(3) a");
    assert_eq!(browser.run("return document.querySelectorAll('#history li').length"), 4);
}

pub(crate) fn a_shared_url(stage: &Stage) {
    let browser = stage.at("/play/connect4?board=4x4");
    for mv in ["2", "3", "2"] {
        browser.follow(&format!("#board a[data-move=\"{mv}\"]"));
    }
    let (url, here) = (browser.run("return location.href"), seen(&browser));
    let other = stage.browser(Setting::default());
    other.goto(url.as_str().unwrap());
    assert_eq!(seen(&other), here);
    // The position as text, to take along.
    browser.click("#copy");
    browser.wait("copied text", || browser.text("#copy") == "Copied");
    // The form of the rules makes a URL that is as short as can be.
    other.goto("/games/connect4?board=4x4");
    other.type_anew("form.rules [name=k]", "3");
    other.follow("form.rules button[type=submit]");
    assert_eq!(other.path(), "/play/connect4?board=4x4&k=3");
    // A URL that was typed: moves in a row, and a `#` as it is.
    other.goto("/play/connect4?moves=4455");
    assert_eq!(other.path(), "/play/connect4?moves=4;4;5;5");
    other.goto("/play/cram?at=..#./..../....");
    other.wait("the whole position", || other.path() == "/play/cram?at=..%23./..../....");
    other.goto_refused("/play/tictacto");
    assert!(other.text("#refusal").contains("did you mean `tictactoe`?"));
}

/// Positions with their history.
fn seen(browser: &Browser) -> String {
    ["#board-text", "#verdict", "#history", "#moves", "#line", "#text"].map(|part| browser.text(part)).join("\n")
}

pub(crate) fn language(stage: &Stage) {
    let browser = stage.at("/play/platforms?board=3x3&moves=0,1");
    let (position, english) = (text(&browser), browser.text(".sentence"));
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("en"));
    browser.follow("#lang a[lang=ko]");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    assert_eq!(text(&browser), position);
    let (plies, winner) = (browser.attribute("#verdict", "data-remoteness").unwrap(), &english[..1]);
    assert_eq!(browser.text(".sentence"), format!("{winner}가 {plies}수 만에 이깁니다."));
    // It stays through moves, and can be switched back.
    browser.follow("#moves a[data-move]");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    browser.follow("#undo");
    browser.follow("#lang a[lang=en]");
    assert_eq!(browser.text(".sentence"), english);
    assert_eq!(text(&browser), position);
}

pub(crate) fn the_browser_s_language(stage: &Stage) {
    let browser = stage.browser(Setting { languages: "ko-KR,ko,en", ..Setting::default() });
    browser.goto("/");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    browser.follow(&format!(".card {}", link("/play/nim")));
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    assert_eq!(browser.text("#undo, h2"), "지금까지");
    browser.follow("#lang a[lang=en]");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("en"));
}

/// In Korean, no English word is left but names and what is marked as English.
pub(crate) fn all_words_are_translated(stage: &Stage) {
    let browser = stage.browser(Setting::default());
    let mut found = Vec::new();
    for page in &PAGES {
        page.open(&browser, "ko");
        let words = browser.run(
            "const words = new Set();
            const own = 'code, kbd, pre, textarea, input, option, [lang=en], [data-move], #history a, #line, h1, h3';
            const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
            while (walk.nextNode()) {
                if (walk.currentNode.parentElement.closest(own + ', .pieces')) continue;
                for (const word of walk.currentNode.data.match(/[A-Za-z]{3,}/g) ?? []) words.add(word.toLowerCase());
            }
            return [...words];",
        );
        let left = words.as_array().unwrap().iter().filter(|word| !SAME.iter().any(|of| *word == of));
        found.extend(left.map(|word| format!("{word} at {}", page.path)));
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A page that cannot be shown has a message and a link.
pub(crate) fn what_is_no_page(stage: &Stage) {
    let browser = stage.browser(Setting::default());
    for (path, told) in [
        ("/nowhere", "there is no such page"),
        ("/play/chess", "`chess` is not a game"),
        ("/play/tictactoe?at=X.X/.../...", "X"),
        ("/play/tictactoe?moves=1,1;1,1", "1,1"),
        ("/play/tictactoe?board=0x3", "0"),
        ("/play/tictactoe?colour=red", "`colour` means nothing here"),
    ] {
        browser.goto_refused(path);
        let refusal = browser.text("#refusal");
        assert!(refusal.contains(told), "{path}: {refusal}");
        assert_eq!(browser.run("return document.querySelectorAll('h1').length"), 1);
        assert_eq!(browser.role_and_name("#refusal").0, "alert");
    }
    browser.follow("main > p a");
    assert!(browser.has(".card"));
}
