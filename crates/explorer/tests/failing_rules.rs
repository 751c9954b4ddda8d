//! A game whose rules fail at a position: pages say which, and the server goes on.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::panic::panic_any;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use balpan::{Game, RulesFailure};
use balpan_explorer::{Answers, Limits, router};
use balpan_games::error::CustomError;
use balpan_games::{Notation, TextError, register_game};
use http_body_util::BodyExt;
use tower::ServiceExt;

/// A heap of seven, of which one to three are taken. The rules fail at the heap of four.
#[derive(Clone)]
struct Faulty;

impl Game for Faulty {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        7
    }

    fn moves(&self, &heap: &u32) -> impl Iterator<Item = u32> {
        if heap == 4 {
            panic_any(RulesFailure("no moves <b>at the heap</b> 4".to_owned()));
        }
        1..=heap.min(3)
    }

    fn play(&self, heap: &u32, taken: u32) -> u32 {
        heap - taken
    }
}

impl Notation for Faulty {
    fn text(&self, heap: &u32) -> String {
        heap.to_string()
    }

    /// The default would look for the text among the positions, and fail on the way.
    fn parse(&self, text: &str) -> Result<u32, TextError> {
        let error = CustomError { found: "no heap".to_owned(), expected: "a number".to_owned() };
        text.trim().parse().map_err(|_| TextError::in_position(text, 0..text.len(), error))
    }

    fn move_text(&self, _: &u32, taken: u32) -> String {
        taken.to_string()
    }
}

#[tokio::test]
async fn a_failure_becomes_a_page() {
    register_game("faulty", Faulty).unwrap();
    let explorer = router(Arc::new(Answers::new(Limits { patience: Duration::from_secs(5), ..Limits::default() })));
    let get = |path: &str| explorer.clone().oneshot(Request::get(path).body(Body::empty()).unwrap());
    // The other positions have their pages, before and after a failure.
    for (path, expected, has) in [
        ("/games/faulty", StatusCode::OK, "faulty"),
        ("/play/faulty?moves=1;1;2", StatusCode::OK, "data-move"),
        ("/play/faulty?moves=3", StatusCode::INTERNAL_SERVER_ERROR, "no moves &lt;b&gt;at the heap&lt;/b&gt; 4"),
        ("/play/faulty?moves=3&lang=ko", StatusCode::INTERNAL_SERVER_ERROR, "규칙에서 오류"),
        ("/play/faulty", StatusCode::INTERNAL_SERVER_ERROR, "at the heap"),
        ("/tree/faulty", StatusCode::INTERNAL_SERVER_ERROR, "at the heap"),
        ("/census/faulty", StatusCode::INTERNAL_SERVER_ERROR, "at the heap"),
        ("/review/faulty?moves=1", StatusCode::INTERNAL_SERVER_ERROR, "at the heap"),
        ("/api/v1/solve/faulty", StatusCode::INTERNAL_SERVER_ERROR, "\"error\""),
        ("/play/faulty?moves=2;2", StatusCode::OK, "data-move"),
        ("/play/nim", StatusCode::OK, "data-move"),
    ] {
        let response = get(path).await.unwrap();
        let status = response.status();
        let body = response.into_body().collect().await.unwrap().to_bytes();
        let page = String::from_utf8_lossy(&body);
        assert_eq!(status, expected, "{path}: {page}");
        // JSON is no page.
        let is_escaped = path.starts_with("/api") || !page.contains("<b>at");
        assert!(page.contains(has) && is_escaped, "{path}: {page}");
    }
}
