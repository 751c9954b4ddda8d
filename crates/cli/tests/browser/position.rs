//! A position's page, compared with the output of `balpan solve`.

use std::process::Command;

use serde_json::{Value, json};

use crate::browser::Browser;

/// A preset, with some of its rules changed.
pub(crate) struct Game {
    pub(crate) name: &'static str,
    /// Each `key=value`, as a query has it and as `--set` takes it.
    pub(crate) changes: &'static [&'static str],
}

impl Game {
    /// The path of its start.
    pub(crate) fn path(&self) -> String {
        format!("/play/{}?{}", self.name, self.changes.join("&"))
    }

    /// The answer of `solve --json` to a position, or to the start.
    pub(crate) fn solve(&self, position: Option<&str>) -> Value {
        let mut balpan = Command::new(env!("CARGO_BIN_EXE_balpan"));
        balpan.args(["solve", self.name]).args(position).arg("--json");
        for change in self.changes {
            balpan.args(["--set", change]);
        }
        let output = balpan.output().unwrap();
        assert!(output.status.success(), "{}: {}", self.name, String::from_utf8_lossy(&output.stderr));
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Checks that the page shows `answer`, and nothing else, of the position and its moves.
    pub(crate) fn agrees(&self, browser: &Browser, answer: &Value) {
        let shown = shown(browser);
        let moves = answer["moves"].as_array().unwrap();
        for key in ["position", "outcome", "remoteness"] {
            assert_eq!(shown[key], answer[key], "{key} at {}", browser.path());
        }
        assert_eq!(shown["over"], moves.is_empty(), "over at {}", browser.path());
        // Where all moves are equal, none stands out.
        let best = answer["best"].as_array().unwrap();
        let is_best = |mv: &Value| best.len() < moves.len() && best.contains(mv);
        let expected = moves.iter().map(|mv| {
            let (name, outcome, remoteness) = (&mv["move"], &mv["outcome"], &mv["remoteness"]);
            json!([name, outcome, remoteness, is_best(name)])
        });
        assert_eq!(
            sorted(shown["moves"].as_array().unwrap().clone()),
            sorted(expected.collect()),
            "{}",
            browser.path()
        );
    }

    /// Clicks a whole game of best moves, from the page on; at each step the page agrees with
    /// `solve`. Returns the number of moves.
    pub(crate) fn play_out(&self, browser: &Browser, make: impl Fn(&Browser, &str)) -> usize {
        let mut position = text(browser);
        for plies in 0.. {
            let answer = self.solve(Some(&position));
            self.agrees(browser, &answer);
            let Some(mv) = answer["best"].as_array().unwrap().first().and_then(Value::as_str) else {
                assert_eq!(browser.attribute("#verdict", "data-over").as_deref(), Some("true"));
                return plies;
            };
            position = after(&answer, mv);
            make(browser, mv);
            arrive(browser, &position);
        }
        unreachable!("a game ends")
    }
}

fn sorted(mut moves: Vec<Value>) -> Vec<Value> {
    moves.sort_by_key(Value::to_string);
    moves
}

/// The position after a move of an answer.
pub(crate) fn after(answer: &Value, mv: &str) -> String {
    let moves = answer["moves"].as_array().unwrap();
    moves.iter().find(|of| of["move"] == mv).unwrap()["position"].as_str().unwrap().to_owned()
}

/// Position, outcome, remoteness, whether it is over, and of each move what it is worth.
fn shown(browser: &Browser) -> Value {
    browser.run(
        "const number = (text) => text === undefined ? null : Number(text);
        const { position, outcome, remoteness, over } = document.querySelector('#verdict').dataset;
        const moves = [...document.querySelectorAll('#moves a[data-move]')].map((link) =>
            [link.dataset.move, link.dataset.outcome, number(link.dataset.remoteness), link.classList.contains('best')]);
        return { position, outcome, remoteness: number(remoteness), over: over === 'true', moves };",
    )
}

/// The position that the page shows.
pub(crate) fn text(browser: &Browser) -> String {
    browser.attribute("#verdict", "data-position").unwrap()
}

/// Waits for the page of a position.
pub(crate) fn arrive(browser: &Browser, position: &str) {
    let script = format!(
        "return document.readyState === 'complete' && document.querySelector('#verdict')?.dataset.position === {}",
        json!(position)
    );
    browser.wait(&format!("page of {position}"), || browser.shows(&script));
}

/// Clicks on the one place of the board that is this move.
pub(crate) fn on_board(browser: &Browser, mv: &str) {
    browser.click(&format!("#board a[data-move=\"{mv}\"]"));
}

/// Clicks on the cells of a piece one after the other, and on one of them again where that
/// does not place it yet.
pub(crate) fn cell_by_cell(browser: &Browser, mv: &str) {
    let before = text(browser);
    for cell in mv.split('+') {
        browser.follow(&format!("#board a[data-cell=\"{cell}\"]"));
    }
    if text(browser) == before {
        browser.click(&format!("#board a.picked[data-move=\"{mv}\"]"));
    }
}
