//! A position that takes longer than a page waits.

use std::time::Duration;

use crate::access::Axe;
use crate::programs::Program;
use crate::stage::{Setting, Stage};

/// It shows how far the search is, and the answer by itself when it is there, without
/// JavaScript too.
pub(crate) fn an_answer_that_takes_its_time(stage: &Stage) {
    let server = Program::server(&["--patience", "1", "--threads", "1"]);
    let url = format!("{}/play/connect4?board=6x6", server.url);
    let plain = stage.browser(Setting { no_javascript: true, ..Setting::default() });
    let browser = stage.browser(Setting::default());
    plain.goto(&url);
    browser.goto(&url);
    assert!(!browser.has("#verdict"));
    assert!(browser.has("#waiting progress[aria-label]"));
    assert_eq!(browser.role_and_name("#waiting .sentence").0, "status");
    // Moves can be made meanwhile, and the search goes on.
    assert!(browser.has("#board a[data-move]"));
    let told = browser.text("#waiting");
    assert!(told.contains("positions in"), "{told}");
    let first = serde_json::json!(told);
    if let Some(axe) = Axe::found(stage) {
        assert_eq!(axe.violations(&browser), [serde_json::Value::Null; 0]);
    }
    let has_gone_on = format!(
        "const now = document.querySelector('#waiting');
        return !now || now.innerText.trim() !== {first};"
    );
    browser.wait("progress", || browser.shows(&has_gone_on));
    let is_there = "return !!document.querySelector('#verdict[data-outcome]') && document.readyState === 'complete'";
    browser.wait_for(Duration::from_secs(120), "answer", || browser.shows(is_there));
    assert!(!browser.has("#waiting") && browser.has("#moves a.best"));
    plain.wait("answer without JavaScript", || plain.shows(is_there));
}
