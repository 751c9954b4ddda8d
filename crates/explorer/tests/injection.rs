//! Text from a URL comes back as text, never as a part of the page's markup.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use balpan_explorer::{Answers, Limits, router};
use http_body_util::BodyExt;
use tower::ServiceExt;

/// Attempts to run a script, or to end the element around the text.
const ATTEMPTS: [&str; 24] = [
    "<script>alert(1)</script>",
    "<ScRiPt src=//x.example></ScRiPt>",
    "\"><script>alert(1)</script>",
    "'><script>alert(1)</script>",
    "</textarea><script>alert(1)</script>",
    "</code></pre><script>alert(1)</script>",
    "</title><script>alert(1)</script>",
    "</svg><script>alert(1)</script>",
    "--><script>alert(1)</script>",
    "]]><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg onload=alert(1)>",
    "<svg><a xlink:href=\"javascript:alert(1)\">",
    "<a href=\"javascript:alert(1)\">x</a>",
    "<iframe srcdoc=\"<script>alert(1)</script>\">",
    "<form action=//x.example>",
    "<meta http-equiv=refresh content=0;url=//x.example>",
    "<base href=//x.example>",
    "<style>*{display:none}</style>",
    "\" autofocus onfocus=alert(1) x=\"",
    "' onmouseover='alert(1)",
    "`<script>alert(1)</script>`",
    "%3Cscript%3Ealert(1)%3C/script%3E",
    "&lt;script&gt;<script>alert(1)</script>",
];

/// URLs, up to the value to inject.
const PLACES: [&str; 26] = [
    "/review/tictactoe?moves=",
    "/review/tictactoe?moves=1,1&at=",
    "/review/tictactoe?moves=1,1&ply=",
    "/review/tictactoe?moves=1,1&board=",
    "/review/",
    "/play/tictactoe?then=",
    "/play/tictactoe?moves=1,1&then=0,0;",
    "/learn/tree?answer=",
    "/learn/depth?moves=",
    "/learn/",
    "/?q=",
    "/nowhere?lang=",
    "/embed/",
    "/embed/tictactoe?at=",
    "/board/tictactoe.svg?at=",
    "/sum?of=",
    "/sum?of=nim%203%20+%20cram%20",
    "/parts/cram?at=",
    "/census/",
    "/puzzles/1?hint=",
    "/puzzles/1?moves=",
    "/puzzles/sheet?of=",
    "/edit/connect4?draft=",
    "/play/blockgame?piece=",
    "/parts/domineering?at=",
    "/api/v1/review/tictactoe?moves=",
];

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn injected_markup_comes_back_as_text() {
    let limits = Limits { patience: Duration::from_millis(50), time: Duration::from_secs(1), ..Limits::default() };
    let explorer = router(Arc::new(Answers::new(limits)));
    for place in PLACES {
        for attempt in ATTEMPTS {
            let encoded: String = attempt.bytes().map(|byte| format!("%{byte:02X}")).collect();
            let url = format!("{place}{encoded}");
            let response = explorer.clone().oneshot(Request::get(&url).body(Body::empty()).unwrap()).await.unwrap();
            assert!(!response.status().is_server_error(), "{}: {place}{attempt}", response.status());
            let policy = response.headers()["content-security-policy"].to_str().unwrap();
            assert!(policy.contains("script-src 'self'") || !policy.contains("script-src"), "{policy}");
            assert!(policy.starts_with("default-src 'none'"), "{policy}");
            let kind = response.headers().get("content-type").map(|kind| kind.to_str().unwrap().to_owned());
            let body = response.into_body().collect().await.unwrap().to_bytes();
            let body = String::from_utf8(body.to_vec()).unwrap();
            if kind.is_some_and(|kind| kind.starts_with("application/json")) {
                continue;
            }
            for never in [
                "alert(1)>",
                "<script>",
                "<img",
                "<iframe",
                "<base",
                "<style",
                "<svg o",
                "\" autofocus onfocus",
                "x.example>",
            ] {
                assert!(!body.contains(never), "{never} at {place}{attempt}: {body}");
            }
        }
    }
}
