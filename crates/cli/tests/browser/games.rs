//! A whole game of each family, clicked.

use serde_json::Value;

use crate::browser::{Browser, link};
use crate::position::{Game, after, arrive, cell_by_cell, on_board, text};
use crate::stage::{Setting, Stage};

pub(crate) const TICTACTOE: Game = Game { name: "tictactoe", changes: &[] };
const PLATFORMS: Game = Game { name: "platforms", changes: &["board=3x4"] };
const CRAM: Game = Game { name: "cram", changes: &["board=3x4"] };

pub(crate) fn walkers(stage: &Stage) {
    let plies = PLATFORMS.play_out(&stage.at(&PLATFORMS.path()), on_board);
    assert_eq!(PLATFORMS.solve(None)["remoteness"], plies);
}

pub(crate) fn placement(stage: &Stage) {
    let plies = CRAM.play_out(&stage.at(&CRAM.path()), cell_by_cell);
    assert_eq!(CRAM.solve(None)["remoteness"], plies);
}

/// A domino is part of some trominoes: there, its cells alone do not place it.
pub(crate) fn placement_of_several_pieces(stage: &Stage) {
    let game = Game { name: "blockgame", changes: &["board=3x3"] };
    let plies = game.play_out(&stage.at(&game.path()), cell_by_cell);
    assert_eq!(game.solve(None)["remoteness"], plies);
}

pub(crate) fn lines(stage: &Stage) {
    assert_eq!(TICTACTOE.play_out(&stage.at(&TICTACTOE.path()), on_board), 9);
}

pub(crate) fn gravity(stage: &Stage) {
    let game = Game { name: "connect4", changes: &["board=4x4"] };
    assert_eq!(game.play_out(&stage.at(&game.path()), on_board), 16);
}

pub(crate) fn heaps(stage: &Stage) {
    let game = Game { name: "nim", changes: &[] };
    let plies = game.play_out(&stage.at(&game.path()), on_board);
    assert_eq!(game.solve(None)["remoteness"], plies);
}

/// Where heaps are split, too, every move can be made on the board.
pub(crate) fn split_heaps(stage: &Stage) {
    let game = Game { name: "kayles", changes: &["start=7"] };
    let browser = stage.at(&game.path());
    let is_there = "const moves = [...document.querySelectorAll('#moves a')].map((link) => link.dataset.move);
        return moves.length > 0 && moves.every((move) => document.querySelector(`#board a[data-move=\"${move}\"]`));";
    assert!(browser.shows(is_there));
    let plies = game.play_out(&browser, on_board);
    assert_eq!(game.solve(None)["remoteness"], plies);
}

/// A token to a tile; a piece over its cells.
pub(crate) fn dragging(stage: &Stage) {
    let browser = stage.at(&PLATFORMS.path());
    let answer = PLATFORMS.solve(None);
    browser.drag(&["#board .token.dark circle", "#board a[data-move=\"0,1\"]"]);
    arrive(&browser, &after(&answer, "0,1"));

    browser.goto(&CRAM.path());
    let answer = CRAM.solve(None);
    let cell = |cell: &str| format!("#board a[data-cell=\"{cell}\"]");
    browser.drag(&[&cell("1,1"), &cell("1,2")]);
    arrive(&browser, &after(&answer, "1,1+1,2"));

    let game = Game { name: "blockgame", changes: &["board=3x3"] };
    browser.goto(&game.path());
    let answer = game.solve(None);
    browser.drag(&[&cell("0,1"), &cell("0,0"), &cell("1,0")]);
    arrive(&browser, &after(&answer, "0,0+0,1+1,0"));
    // What is not a piece stays picked.
    browser.back();
    browser.drag(&[&cell("0,0"), &cell("0,1"), &cell("0,2")]);
    browser.wait("picked cells", || browser.path().contains("pick="));
    assert_eq!(browser.run("return document.querySelectorAll('#board a.picked').length"), 3);
    browser.follow("#clear");
    assert!(!browser.has("#board a.picked"));
}

/// The perfect player makes best moves only, on whichever side, and tells nothing.
pub(crate) fn against_the_perfect_player(stage: &Stage) {
    for (game, side) in [(&TICTACTOE, "second"), (&TICTACTOE, "first"), (&PLATFORMS, "second")] {
        let browser = stage.at(&game.path());
        browser.follow(&format!("#as-{side}"));
        let mut plies = usize::from(side == "second");
        loop {
            let moves = moves_of(&browser);
            assert_eq!(moves.len(), plies, "{}", browser.path());
            let position = replayed(game, side, &moves);
            arrive(&browser, &position);
            if browser.attribute("#verdict", "data-over").is_some() {
                break;
            }
            assert_eq!(browser.attribute("#verdict", "data-outcome"), None, "{}", browser.path());
            assert_eq!(browser.run("return document.querySelectorAll('[data-outcome], .badge').length"), 0);
            browser.follow("#moves a[data-move]");
            // A reply, unless the reader's move was the last of the game.
            plies = moves_of(&browser).len();
            assert!(plies > moves.len() && plies <= moves.len() + 2);
        }
        let loser = browser.attribute("#verdict", "data-outcome");
        let reader_is_to_move = (plies % 2 == 0) == (side == "first");
        let reader_wins = if reader_is_to_move { "win" } else { "loss" };
        assert_ne!(loser.as_deref(), Some(reader_wins), "the perfect player has lost {}", browser.path());
    }
    let browser = stage.at("/play/tictactoe?as=second");
    let start = text(&browser);
    browser.follow("#moves a[data-move]");
    assert_eq!(moves_of(&browser).len(), 3);
    browser.follow("#undo");
    assert_eq!(text(&browser), start);
    browser.follow("#marks");
    assert_eq!(browser.attribute("#verdict", "data-outcome").as_deref(), Some("draw"));
}

/// Returns the moves in the URL.
fn moves_of(browser: &Browser) -> Vec<String> {
    let moves = browser.run("return new URLSearchParams(location.search).get('moves') ?? ''");
    moves.as_str().unwrap().split(';').filter(|mv| !mv.is_empty()).map(str::to_owned).collect()
}

/// The position after these moves, of which the perfect player's are best ones.
fn replayed(game: &Game, reader: &str, moves: &[String]) -> String {
    let mut position = game.solve(None)["position"].as_str().unwrap().to_owned();
    for (n, mv) in moves.iter().enumerate() {
        let answer = game.solve(Some(&position));
        let is_reader = (n % 2 == 0) == (reader == "first");
        assert!(
            is_reader || answer["best"].as_array().unwrap().contains(&Value::from(mv.as_str())),
            "{mv} in {position}"
        );
        position = after(&answer, mv);
    }
    position
}

/// Nothing but links and forms is needed.
pub(crate) fn without_javascript(stage: &Stage) {
    let browser = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    browser.goto("/");
    browser.follow(&format!(".card {}", link("/play/tictactoe")));
    assert_eq!(TICTACTOE.play_out(&browser, on_board), 9);
    browser.follow("#undo");
    browser.follow("#lang a[lang=ko]");
    assert_eq!(browser.attribute("html", "lang").as_deref(), Some("ko"));
    browser.goto(&CRAM.path());
    let plies = CRAM.play_out(&browser, cell_by_cell);
    assert_eq!(CRAM.solve(None)["remoteness"], plies);
    assert!(browser.attribute("#copy", "hidden").is_some(), "a button that needs a script is shown without one");
    // Rules are changed by a form.
    browser.goto("/games/tictactoe");
    browser.type_anew("form.rules [name=board]", "3x4");
    browser.follow("form.rules button[type=submit]");
    assert_eq!(text(&browser), "..../..../....");
}
