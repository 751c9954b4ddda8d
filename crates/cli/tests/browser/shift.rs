//! The browser's own measurements of a page: layout shifts and requests.

use crate::phone::PAGES;
use crate::stage::{Setting, Stage};

/// Nothing moves, and nothing is asked of anybody else.
pub(crate) fn nothing_moves(stage: &Stage) {
    for phone in [false, true] {
        let browser = stage.browser(Setting { phone, ..Setting::default() });
        for page in &PAGES {
            page.open(&browser, if phone { "ko" } else { "en" });
            let moved = browser.run(
                "return new Promise((done) => {
                    const moved = [];
                    const seen = (list) => list.getEntries().filter((it) => it.value > 0.001)
                        .forEach((it) => moved.push([it.value, ...it.sources.map(({ node }) => node?.outerHTML?.slice(0, 80))]));
                    new PerformanceObserver(seen).observe({ type: 'layout-shift', buffered: true });
                    setTimeout(() => done(moved), 60);
                });",
            );
            assert_eq!(moved.as_array().unwrap().len(), 0, "{} phone {phone}: {moved}", page.path);
            let elsewhere = browser.run(
                "return performance.getEntriesByType('resource').map((it) => it.name)
                    .filter((name) => !name.startsWith(location.origin + '/'));",
            );
            assert_eq!(elsewhere.as_array().unwrap().len(), 0, "{}: {elsewhere}", page.path);
        }
    }
}
