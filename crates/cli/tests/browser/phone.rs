//! A screen of 375 pixels.

use crate::browser::Browser;
use crate::position::{Game, after, arrive, cell_by_cell, on_board};
use crate::stage::{Setting, Stage};

/// A page of each kind.
pub(crate) struct Page {
    pub(crate) path: &'static str,
    /// Whether it answers with an error.
    pub(crate) refused: bool,
}

const fn page(path: &'static str) -> Page {
    Page { path, refused: false }
}

const fn refused(path: &'static str) -> Page {
    Page { path, refused: true }
}

impl Page {
    /// Opens it in a language.
    pub(crate) fn open(&self, browser: &Browser, lang: &str) {
        let between = if self.path.contains('?') { '&' } else { '?' };
        let path = format!("{}{between}lang={lang}", self.path);
        // The static site has no certificates.
        let is_missing = browser.is_framed && path.starts_with("/certificates/");
        if self.refused || is_missing { browser.goto_refused(&path) } else { browser.goto(&path) }
    }
}

/// Pages of every kind and family, in all their states.
pub(crate) const PAGES: [Page; 86] = [
    page("/"),
    page("/?q=nim"),
    page("/help"),
    page("/embed/tictactoe?at=X../.O./..."),
    page("/embed/kayles"),
    page("/games/platforms"),
    page("/games/pentominoes"),
    page("/games/domineering"),
    page("/games/connect4?board=4x4"),
    page("/games/nim"),
    page("/play/platforms"),
    page("/play/platforms?board=3x4&moves=0,1;1,3;0,2"),
    page("/play/blockgame"),
    page("/play/blockgame?moves=0,0%2B0,1;1,0%2B1,1&pick=2,2"),
    page("/play/cram?board=2x2&moves=0,0%2B0,1;1,0%2B1,1"),
    page("/play/domineering"),
    page("/play/blockgame?piece=%23%23/.%23"),
    page("/play/pentominoes?piece=%23%23./.%23./.%23%23"),
    page("/play/tictactoe"),
    page("/play/tictactoe?moves=1,1;0,0&as=first"),
    page("/play/tictactoe?moves=1,1;0,0;0,1;2,1;1,0;1,2;0,2;2,0;2,2"),
    page("/play/connect4?board=4x5&k=3&moves=1;2"),
    page("/play/nim"),
    page("/play/kayles"),
    page("/review/tictactoe"),
    page("/review/tictactoe?moves=1,1;0,1;1,0;0,0;0,2;1,2;2,0"),
    page("/review/platforms?board=3x4&moves=0,1;1,3;0,2&ply=1"),
    page("/learn"),
    page("/learn/tree"),
    page("/learn/end?answer=win"),
    page("/learn/minimax"),
    page("/learn/backtracking"),
    page("/learn/depth?moves=0,1"),
    page("/learn/alpha-beta?answer=1"),
    page("/learn/memory"),
    page("/learn/symmetry"),
    page("/learn/nimbers"),
    page("/learn/large"),
    page("/parts/cram?at=..%23.../..%23.%23./..%23..."),
    page("/parts/nim"),
    page("/parts/domineering?at=..%23.%23/..%23.%23/%23%23%23.."),
    page("/value"),
    page("/value?of=domineering(..../..../....) %2B 3·{1|0} - domineering(.../...) - ^2*"),
    page("/value?of={2|1} > 1/2"),
    page("/period"),
    page("/period?of=8.&to=300"),
    page("/period?of=0.356&to=20000"),
    page("/quotient"),
    page("/quotient?of=notakto"),
    page("/sum"),
    page("/sum?of=domineering ../.. %2B domineering .../... %2B cram ../.."),
    page("/sum?of=nim 3 5 %2B cram ..../.... %2B kayles 7"),
    page("/census/tictactoe"),
    page("/stress"),
    page("/stress/boj16571"),
    page("/stress/leetcode913"),
    page("/puzzles"),
    page("/puzzles/1?hint=3"),
    page("/puzzles/1?moves=0,0"),
    page("/puzzles/2?moves=0,1"),
    page("/puzzles/6"),
    page("/tree/tictactoe?at=XOX/OOX/..."),
    page("/tree/tictactoe?at=XOX/OOX/...&prune=yes&step=3"),
    page("/tree/platforms?board=3x3&moves=0,1"),
    page("/certificates"),
    page("/certificates/tictactoe"),
    page("/certificates/tictactoe?at=2"),
    page("/certificates/platforms-8x8?at=100"),
    page("/certificates/cram-5x7?at=20"),
    page("/play/cram?board=5x7"),
    page("/edit/platforms"),
    page("/edit/tictactoe?draft=XX./.../..."),
    page("/edit/cram?board=4x8"),
    page("/edit/nim?draft=2+x"),
    refused("/nowhere"),
    refused("/play/chess"),
    refused("/learn/nothing"),
    refused("/stress/nothing"),
    refused("/census/connect4"),
    refused("/parts/tictactoe"),
    refused("/parts/domineering?board=8x8"),
    refused("/value?of=1/3"),
    refused("/quotient?of=platforms"),
    refused("/puzzles/0"),
    refused("/review/nim?moves=3%3E0;3%3E0"),
    refused("/play/tictactoe?at=X.X/..?/..."),
];

pub(crate) fn nothing_is_wider_than_the_screen(stage: &Stage) {
    let browser = stage.browser(Setting { phone: true, ..Setting::default() });
    for page in &PAGES {
        for lang in ["en", "ko"] {
            page.open(&browser, lang);
            // Until its style sheets apply, the page is as wide as its widest picture.
            browser.wait("narrow page", || browser.shows("return innerWidth === 375"));
            let wide = browser.run(
                "const wide = document.scrollingElement.scrollWidth;
                if (wide <= innerWidth) return [];
                const over = [...document.querySelectorAll('body *')].filter((it) => it.getBoundingClientRect().right > innerWidth);
                return [wide, ...over.slice(-3).map((it) => it.outerHTML.slice(0, 120))];",
            );
            assert_eq!(wide.as_array().unwrap().len(), 0, "{} {lang}: {wide}", page.path);
            if browser.has("#board") {
                let fits = browser.of("#board", "((b) => b.left >= 0 && b.right <= innerWidth && b.height <= innerHeight)(it.getBoundingClientRect())");
                assert_eq!(fits, true, "the board of {} does not fit", page.path);
            }
        }
    }
}

/// What is touched on a board of heaps has 40 pixels each way.
pub(crate) fn targets(stage: &Stage) {
    let browser = stage.browser(Setting { phone: true, ..Setting::default() });
    for game in ["kayles", "dawson", "nim"] {
        browser.goto(&format!("/play/{game}"));
        let small = browser.run(
            "const targets = [...document.querySelectorAll('#board a :is(.hit, .target):not([pointer-events])')];
            const sizes = targets.map((it) => it.getBoundingClientRect()).map((box) => Math.min(box.width, box.height));
            return sizes.length && Math.min(...sizes);",
        );
        assert!(small.as_f64() >= Some(40.0), "{game}: {small}");
    }
}

/// Touched, not clicked.
pub(crate) fn a_game(stage: &Stage) {
    let browser = stage.browser(Setting { phone: true, ..Setting::default() });
    let game = Game { name: "platforms", changes: &[] };
    browser.goto(&game.path());
    let plies = game.play_out(&browser, on_board);
    assert_eq!(game.solve(None)["remoteness"], plies);
    let game = Game { name: "cram", changes: &["board=3x3"] };
    browser.goto(&game.path());
    assert_eq!(game.play_out(&browser, cell_by_cell), 4);
}

/// A finger that drags a token down the screen, or over the cells of a piece, does not scroll.
pub(crate) fn dragging(stage: &Stage) {
    let browser = stage.browser(Setting { phone: true, ..Setting::default() });
    let game = Game { name: "platforms", changes: &["board=3x4"] };
    browser.goto(&game.path());
    browser.drag_by_touch(&["#board .token.dark circle", "#board a[data-move=\"1,0\"]"]);
    arrive(&browser, &after(&game.solve(None), "1,0"));
    let game = Game { name: "cram", changes: &["board=3x4"] };
    browser.goto(&game.path());
    browser.drag_by_touch(&["#board a[data-cell=\"0,1\"]", "#board a[data-cell=\"1,1\"]"]);
    arrive(&browser, &after(&game.solve(None), "0,1+1,1"));
}
