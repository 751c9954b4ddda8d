//! A game looked back at, after it was played or pasted.

use serde_json::Value;

use crate::browser::Browser;
use crate::games::TICTACTOE;
use crate::position::{arrive, on_board, text};
use crate::stage::{Setting, Stage};

/// Loses to the perfect player on purpose, and looks back: in both languages, without JavaScript
/// too.
pub(crate) fn a_lost_game(stage: &Stage) {
    let no_javascript = Setting { no_javascript: true, ..Setting::default() };
    for (lang, setting) in [("en", Setting::default()), ("ko", Setting::default()), ("en", no_javascript)] {
        let browser = stage.browser(setting);
        browser.goto(&format!("/play/tictactoe?as=first&lang={lang}"));
        while browser.attribute("#verdict", "data-over").is_none() {
            assert!(!browser.has("#review"), "a review tells what moves are worth");
            let answer = TICTACTOE.solve(Some(&text(&browser)));
            let moves = answer["moves"].as_array().unwrap();
            let worst = moves.iter().min_by_key(|mv| (mv["outcome"] != "loss", mv["remoteness"].as_u64())).unwrap();
            browser.follow(&format!("#moves a[data-move=\"{}\"]", worst["move"].as_str().unwrap()));
        }
        assert_eq!(browser.attribute("#verdict", "data-outcome").as_deref(), Some("loss"));
        assert!(browser.has("#rematch[href*='as=second']") && browser.has("#new-game[href*='as=first']"));
        let plies = count(&browser, "#history li") - 1;
        // The end says which move gave the game away, shows a better one, and leads back to it.
        let expected = if lang == "en" {
            "X had a draw until move"
        } else {
            "X가 비길 수 있었지만 이 수로 지게 되었습니다"
        };
        browser.wait("the coach", || browser.has("#coach #try-again") && browser.text("#coach").contains(expected));
        assert!(browser.has("#coach .better") && browser.has("#coach .instead path"));
        browser.follow("#coach #try-again");
        assert!(browser.has("#board a[data-move]") && browser.path().contains("as=first"), "{}", browser.path());
        browser.back();
        browser.follow("#review");
        browser.wait("review", || browser.has("#review[data-complete=true]"));
        assert_eq!(browser.attribute("#review", "data-ply"), Some(plies.to_string()));
        let told = browser.text("#turns li");
        assert!(told.contains(expected), "{told}");
        assert_eq!(count(&browser, ".graph a.point"), plies + 1);
        assert!(browser.has("#history b.given"));
        // Forwards as well as back.
        browser.follow("#first");
        assert!(!browser.has("#better") && browser.attribute("#review", "data-ply").as_deref() == Some("0"));
        browser.follow("#turns a");
        assert!(browser.has("#better a") && browser.has(".graph a.point[aria-current=step]"));
        assert!(browser.has("#board .better") && browser.has("#try-again[href*='as=first']"));
        let turn: u64 = browser.attribute("#review", "data-ply").unwrap().parse().unwrap();
        if setting.no_javascript {
            browser.follow("#next");
        } else {
            browser.press('\u{e014}');
        }
        browser.wait("next move", || browser.attribute("#review", "data-ply") == Some((turn + 1).to_string()));
        browser.follow("#play-on");
        assert_eq!(count(&browser, "#history li") - 1, turn + 1);
    }
}

/// A game is pasted; what is wrong with it is marked where it stands.
pub(crate) fn a_pasted_game(stage: &Stage) {
    let browser = stage.at("/games/connect4");
    browser.follow("#review");
    browser.type_anew("#record", "1. 4 4\n2. 4 3\n3. 5 5 6");
    browser.follow("form.record button");
    assert!(browser.path().starts_with("/review/connect4?moves=4;4;4;3;5;5;6"), "{}", browser.path());
    assert_eq!(count(&browser, "#history li"), 7);
    let turns = || browser.text("#turns").contains("X had a win until move 5 (5), which lost the game; 3 or 4 kept it");
    browser.wait("what was given away", turns);
    browser.goto_refused("/review/tictactoe?moves=1,1;0,0;1,1");
    assert_eq!(browser.text("#refusal mark"), "1,1");
    assert!(browser.text("#refusal").contains("move 3, cannot be made"));
    assert_eq!(browser.of("#record", "it.value"), "1,1; 0,0; 1,1");
    browser.type_anew("#record", "1,1 0,0 0,1");
    browser.follow("form.record button");
    assert_eq!(count(&browser, ".graph a.point"), 4);
}

/// Moves that are taken back are not lost.
pub(crate) fn taken_back(stage: &Stage) {
    let browser = stage.at("/play/tictactoe");
    let mut seen = vec![text(&browser)];
    for mv in ["1,1", "0,0", "2,2"] {
        on_board(&browser, mv);
        browser.wait(mv, || {
            browser.shows(&format!("return document.querySelectorAll('#history a').length === {}", seen.len() + 1))
        });
        seen.push(text(&browser));
    }
    browser.follow("#undo");
    browser.press('u');
    arrive(&browser, &seen[1]);
    assert_eq!(
        browser.run("return [...document.querySelectorAll('#later a')].map((a) => a.innerText)"),
        Value::from(vec!["0,0", "2,2"])
    );
    browser.press('r');
    arrive(&browser, &seen[2]);
    // The same move as before keeps what comes later; another one does not.
    browser.follow("#undo");
    on_board(&browser, "0,0");
    arrive(&browser, &seen[2]);
    browser.follow("#redo");
    arrive(&browser, &seen[3]);
    browser.follow("#history li:nth-child(2) a");
    browser.follow("#board a[data-move=\"0,1\"]");
    assert!(!browser.has("#later"));
}

fn count(browser: &Browser, selector: &str) -> u64 {
    browser.run(&format!("return document.querySelectorAll({}).length", Value::from(selector))).as_u64().unwrap()
}
