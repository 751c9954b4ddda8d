//! A program's answers, pasted, against the truth.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::browser::Browser;
use crate::stage::{Setting, Stage};

/// What `balpan judge` answers to the input that the page shows.
fn right_answers(browser: &Browser, problem: &str) -> Vec<String> {
    let input = browser.of("#input", "it.textContent");
    let mut judge = Command::new(env!("CARGO_BIN_EXE_balpan"));
    let mut judge = judge.args(["judge", problem]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    judge.stdin.take().unwrap().write_all(input.as_str().unwrap().as_bytes()).unwrap();
    let output = judge.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

fn paste(browser: &Browser, answers: &str) {
    // As from the clipboard.
    browser.run_with("document.querySelector('#answers').value = arguments[0]", vec![answers.into()]);
    browser.follow("#compare");
}

/// Right ones, a wrong one, too few, and what is not an answer.
pub(crate) fn pasted_answers(stage: &Stage) {
    let browser = stage.at("/");
    browser.follow("#pages a[href^=\"/stress\"]");
    browser.follow("a.button[href^=\"/stress/platforms\"]");
    let first = browser.text("#input");
    browser.follow("#others");
    assert!(browser.path().contains("seed=2") && browser.text("#input") != first);
    browser.goto("/stress/platforms?seed=7&cases=30");
    let right = right_answers(&browser, "platforms");
    assert_eq!(right.len(), 30);
    paste(&browser, &right.join("\n"));
    assert!(browser.text("#compared").contains("All 30 are right."));

    let mut wrong = right.clone();
    wrong[17] = "99".to_owned();
    paste(&browser, &wrong.join("\n"));
    assert_eq!(browser.attribute("#compared", "data-right").as_deref(), Some("29"));
    assert!(browser.text("#first-wrong").contains("case 18"));
    assert_eq!((browser.text("#right"), browser.text("#yours")), (right[17].clone(), "99".to_owned()));
    browser.follow("#look");
    assert_eq!(browser.attribute("#verdict", "data-remoteness"), Some(right[17].clone()));
    browser.back();

    paste(&browser, &right[..20].join(" "));
    assert!(browser.text("#compared").contains("20 answers to 30 cases"));
    browser.goto_refused("/stress/platforms?seed=7&cases=30&answers=1%0Aten");
    assert!(browser.text("#refusal").contains("answer 2") && browser.text("#refusal mark") == "ten");
    assert_eq!(browser.of("#answers", "it.value"), "1\nten");
}

/// The mistake is named, in Korean and without JavaScript, too.
pub(crate) fn a_mistake_is_named(stage: &Stage) {
    let browser = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    browser.goto("/stress/blockgame?seed=7&lang=ko");
    let right = right_answers(&browser, "blockgame");
    // Who places last loses: wherever no piece fits, that is the other way round.
    let swapped: Vec<_> = right.iter().map(|answer| if answer == "WINNING" { "LOSING" } else { "WINNING" }).collect();
    browser.type_anew("#answers", &swapped[..3].join("\n"));
    browser.follow("#compare");
    assert!(browser.text("#compared").contains("3개 가운데 0개가 맞았습니다."));
    assert!(browser.text("#first-wrong").contains("1번째"));
    browser.goto("/stress/tictactoe?seed=7");
    let right = right_answers(&browser, "tictactoe");
    browser.type_anew("#answers", &right[1..].join("\n"));
    browser.follow("#compare");
    assert!(browser.text("#compared").contains("49 answers to 50 cases"));
    assert!(browser.attribute("#copy", "hidden").is_some());
}
