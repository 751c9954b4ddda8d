//! A game by the keyboard alone.

use fantoccini::key::Key;
use serde_json::Value;

use crate::browser::{Browser, link};
use crate::games::TICTACTOE;
use crate::position::{Game, after, arrive, text};
use crate::stage::Stage;

/// The cell of the board that has the focus.
fn focused(browser: &Browser) -> Option<(i64, i64)> {
    let cell = browser.run(
        "const it = document.activeElement.closest('#board a');
        return it && (it.dataset.cell ?? it.dataset.move).split(',').map(Number);",
    );
    let at = |n: usize| cell.get(n).and_then(Value::as_i64);
    Some((at(0)?, at(1)?))
}

/// Tabs to the board.
fn tab_to_board(browser: &Browser) {
    for _ in 0..30 {
        if focused(browser).is_some() {
            return;
        }
        browser.press(Key::Tab.into());
    }
    panic!("no way to the board by Tab at {}", browser.path());
}

/// Goes to a cell by arrows, and by Tab where they do not lead on.
fn walk_to(browser: &Browser, cell: &str) {
    let (row, col) = cell.split_once(',').unwrap();
    let target: (i64, i64) = (row.parse().unwrap(), col.parse().unwrap());
    tab_to_board(browser);
    for _ in 0..30 {
        let here = focused(browser).unwrap_or_else(|| panic!("the focus has left the board at {}", browser.path()));
        if here == target {
            return;
        }
        let arrows = [
            (target.0 > here.0, Key::Down),
            (target.0 < here.0, Key::Up),
            (target.1 > here.1, Key::Right),
            (target.1 < here.1, Key::Left),
        ];
        let moved = arrows.into_iter().filter(|(is_way, _)| *is_way).any(|(_, arrow)| {
            browser.press(arrow.into());
            focused(browser) != Some(here)
        });
        if !moved {
            browser.press(Key::Tab.into());
        }
    }
    panic!("no way to {cell} by keys at {}", browser.path());
}

pub(crate) fn a_whole_game(stage: &Stage) {
    let browser = stage.at("/");
    // From the games' page on.
    let is_there = format!("return document.activeElement.matches('{}')", link("/play/tictactoe"));
    for _ in 0..200 {
        browser.press(Key::Tab.into());
        if browser.shows(&is_there) {
            break;
        }
    }
    browser.press(Key::Enter.into());
    arrive(&browser, ".../.../...");
    let plies = TICTACTOE.play_out(&browser, |browser, mv| {
        walk_to(browser, mv);
        browser.press(Key::Enter.into());
    });
    assert_eq!(plies, 9);
    let moves = "return document.querySelectorAll('#history li').length";
    browser.press('u');
    browser.wait("undone move", || browser.shows(&format!("{moves} === 9 && document.readyState === 'complete'")));
    // `n` plays the next move of the best line.
    browser.press('n');
    browser.wait("next move", || browser.shows(&format!("{moves} === 10 && document.readyState === 'complete'")));
    // The first stop leads past what stands above the board.
    browser.goto("/play/tictactoe");
    browser.press(Key::Tab.into());
    assert!(browser.shows("return document.activeElement.matches('a.skip')"));
    browser.press(Key::Enter.into());
    browser.press(Key::Tab.into());
    assert!(browser.shows("return !!document.activeElement.closest('main')"));
}

pub(crate) fn a_piece(stage: &Stage) {
    let cram = Game { name: "cram", changes: &["board=3x4"] };
    let browser = stage.at(&cram.path());
    let start = text(&browser);
    for cell in ["1,2", "2,2"] {
        let before = browser.path();
        walk_to(&browser, cell);
        browser.press(Key::Enter.into());
        browser.wait("next page", || {
            browser.path() != before && browser.shows("return document.readyState === 'complete'")
        });
    }
    arrive(&browser, &after(&cram.solve(None), "1,2+2,2"));
    browser.press('u');
    arrive(&browser, &start);
    // Escape drops what is picked.
    walk_to(&browser, "0,0");
    browser.press(Key::Enter.into());
    browser.wait("a picked cell", || browser.shows("return !!document.querySelector('#board a.picked')"));
    browser.press(Key::Escape.into());
    browser.wait("no picked cell", || browser.shows("return !document.querySelector('#board a.picked')"));
}
