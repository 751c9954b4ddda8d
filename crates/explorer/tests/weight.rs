//! The compressed bytes of a first visit: the page, its style, its script and its icon.

use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use balpan_explorer::{Answers, Limits, router};
use http_body_util::BodyExt;
use tower::ServiceExt;

const MAX_BYTES: usize = 60_000;

async fn bytes(explorer: &Router, path: &str) -> usize {
    let request = Request::get(path).header("accept-encoding", "gzip").body(Body::empty()).unwrap();
    let response = explorer.clone().oneshot(request).await.unwrap();
    assert!(response.status().is_success(), "{path}: {}", response.status());
    response.into_body().collect().await.unwrap().to_bytes().len()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_first_visit_is_small() {
    let explorer = router(Arc::new(Answers::new(Limits { memory: 1 << 28, ..Limits::default() })));
    let mut assets = 0;
    for asset in ["/assets/style.css", "/assets/explorer.js", "/assets/icon.svg"] {
        assets += bytes(&explorer, asset).await;
    }
    for path in [
        "/",
        "/help",
        "/learn/alpha-beta",
        "/puzzles",
        "/stress",
        "/stress/leetcode1728",
        "/games/pentominoes",
        "/play/platforms",
        "/play/blockgame?board=8x8",
        "/play/pentominoes",
        "/play/pentominoes?piece=%23%23./.%23./.%23%23",
        "/play/cram?board=5x7",
        "/play/connect4",
        "/edit/cram?board=8x8",
        "/tree/tictactoe?at=XOX/OOX/...",
        "/census/tictactoe",
        "/parts/domineering?at=..%23.%23/..%23.%23/%23%23%23..",
    ] {
        let all = assets + bytes(&explorer, path).await;
        println!("{path}: {all} bytes");
        assert!(all < MAX_BYTES, "{path}: {all} bytes");
    }
}
