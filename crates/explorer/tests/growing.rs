//! Growing answers as events and on pages; entity tags, compression and fetch metadata.

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, Request, StatusCode};
use balpan_explorer::{Answers, Limits, router};
use http_body_util::BodyExt;
use serde_json::Value;
use tower::ServiceExt;

fn explorer(limits: Limits) -> Router {
    router(Arc::new(Answers::new(Limits { memory: 1 << 28, ..limits })))
}

async fn got(explorer: &Router, url: &str, headers: &[(&str, &str)]) -> (StatusCode, HeaderMap, Bytes) {
    let mut request = Request::get(url);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let response = explorer.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, response.into_body().collect().await.unwrap().to_bytes())
}

async fn page(explorer: &Router, url: &str) -> (StatusCode, String) {
    let (status, _, body) = got(explorer, url, &[]).await;
    (status, String::from_utf8(body.to_vec()).unwrap())
}

/// Returns the names and the data of all events of a stream.
async fn stream_events(explorer: &Router, url: &str) -> Vec<(String, Value)> {
    let (status, headers, body) = got(explorer, url, &[("accept-encoding", "gzip")]).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(headers["content-type"], "text/event-stream");
    assert!(!headers.contains_key("content-encoding"));
    let text = String::from_utf8(body.to_vec()).unwrap();
    let event = |block: &str| {
        let field = |key: &str| block.lines().find_map(|line| line.strip_prefix(key)).unwrap().trim().to_owned();
        (field("event:"), serde_json::from_str(&field("data:")).unwrap())
    };
    text.split("\n\n").filter(|block| !block.trim().is_empty()).map(event).collect()
}

/// A position that takes longer than the fast queue allows, but not long.
const MEDIUM: &str = "connect4?board=5x6";

#[tokio::test(flavor = "multi_thread")]
async fn the_api_streams_each_step_and_the_answer() {
    let explorer = explorer(Limits::default());
    let events = stream_events(&explorer, &format!("/api/v1/events/{MEDIUM}")).await;
    let (name, answer) = events.last().unwrap();
    assert_eq!((name.as_str(), &answer["complete"]), ("answer", &Value::Bool(true)));
    // No update takes back what an earlier one has.
    let known: Vec<_> = events.iter().filter(|(name, _)| name == "more").map(|(_, more)| &more["known"]).collect();
    let mut moves = 0;
    for known in known {
        let now = known["moves"].as_array().into_iter().flatten().filter(|mv| !mv["outcome"].is_null()).count();
        assert!(now >= moves, "{known}");
        moves = now;
        for key in ["outcome", "remoteness"] {
            assert!(known[key].is_null() || known[key] == answer[key], "{known}");
        }
    }
    // A cached answer is one event.
    let again = stream_events(&explorer, &format!("/api/v1/events/{MEDIUM}")).await;
    assert_eq!(again.len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_page_event_matches_the_page() {
    let explorer = explorer(Limits { patience: Duration::ZERO, ..Limits::default() });
    let (status, before) = page(&explorer, &format!("/play/{MEDIUM}")).await;
    assert_eq!(status, StatusCode::ACCEPTED);
    let at = before.split("data-events=\"").nth(1).unwrap().split('"').next().unwrap().replace("&amp;", "&");
    let events = stream_events(&explorer, &at).await;
    let (name, change) = events.last().unwrap();
    assert_eq!((name.as_str(), &change["end"]), ("more", &Value::Bool(true)));
    let html = change["html"].as_str().unwrap();
    let (status, after) = page(&explorer, &format!("/play/{MEDIUM}")).await;
    assert_eq!(status, StatusCode::OK);
    assert!(!after.contains("data-events") && !after.contains("http-equiv"));
    let attribute = |html: &str, key: &str| {
        html.split(&format!("{key}=\"")).nth(1).map(|rest| rest.split('"').next().unwrap().to_owned())
    };
    assert!(attribute(html, "data-outcome").is_some());
    assert_eq!(attribute(html, "data-complete").as_deref(), Some("true"));
    for key in ["data-outcome", "data-remoteness", "data-complete"] {
        assert_eq!(attribute(html, key), attribute(&after, key), "{key}");
    }
    assert_eq!(html.matches("data-move=").count(), after.matches("data-move=").count());
}

#[tokio::test]
async fn the_number_of_followers_is_bounded() {
    let explorer = explorer(Limits { followers: 1, ..Limits::default() });
    let request = || Request::get("/api/v1/events/domineering?board=10x10").body(Body::empty()).unwrap();
    let first = explorer.clone().oneshot(request()).await.unwrap();
    assert_eq!(first.status(), StatusCode::OK);
    let second = explorer.clone().oneshot(request()).await.unwrap();
    assert_eq!(second.status(), StatusCode::SERVICE_UNAVAILABLE);
    drop(first);
    assert_eq!(explorer.clone().oneshot(request()).await.unwrap().status(), StatusCode::OK);
}

#[tokio::test]
async fn the_board_is_locked_while_the_perfect_player_thinks() {
    let explorer = explorer(Limits { patience: Duration::ZERO, ..Limits::default() });
    let (status, thinking) = page(&explorer, "/play/gomoku?board=8x8&as=second").await;
    assert_eq!(status, StatusCode::ACCEPTED);
    assert!(thinking.contains("id=\"thinking\"") && thinking.contains("http-equiv=\"refresh\""));
    assert!(!thinking.contains("data-move") && !thinking.contains("data-outcome"));
    let (_, own) = page(&explorer, "/play/gomoku?board=8x8&as=first").await;
    assert!(!own.contains("id=\"thinking\"") && own.contains("data-move"));
}

#[tokio::test]
async fn unchanged_content_is_not_sent_again() {
    let explorer = explorer(Limits::default());
    for url in ["/play/tictactoe", "/api/v1/solve/tictactoe?at=X../.O./...", "/assets/style.css"] {
        let (status, headers, plain) = got(&explorer, url, &[]).await;
        assert_eq!(status, StatusCode::OK);
        let (_, packed_headers, packed) = got(&explorer, url, &[("accept-encoding", "gzip")]).await;
        assert_eq!(packed_headers["content-encoding"], "gzip");
        assert!(packed.len() < plain.len());
        let mut unpacked = Vec::new();
        flate2::read::GzDecoder::new(&*packed).read_to_end(&mut unpacked).unwrap();
        assert_eq!(unpacked, plain, "{url}");
        assert_ne!(headers["etag"], packed_headers["etag"]);
        for tag in [&headers["etag"], &packed_headers["etag"]] {
            let (status, again, body) = got(&explorer, url, &[("if-none-match", tag.to_str().unwrap())]).await;
            assert_eq!((status, body.len()), (StatusCode::NOT_MODIFIED, 0), "{url}");
            assert_eq!(again["etag"], headers["etag"]);
        }
        let (status, ..) = got(&explorer, url, &[("if-none-match", "\"another\"")]).await;
        assert_eq!(status, StatusCode::OK);
    }
    let (_, headers, _) = got(&explorer, "/api/v1/solve/tictactoe?at=X../..O/...", &[]).await;
    let (_, others, _) = got(&explorer, "/api/v1/solve/tictactoe?at=X../.O./...", &[]).await;
    assert_ne!(headers["etag"], others["etag"]);
}

#[tokio::test]
async fn partial_answers_have_no_tag() {
    let explorer = explorer(Limits { patience: Duration::ZERO, ..Limits::default() });
    for url in ["/play/domineering?board=10x10", "/api/v1/solve/domineering?board=10x10"] {
        let (status, headers, _) = got(&explorer, url, &[]).await;
        assert_eq!(status, StatusCode::ACCEPTED);
        assert!(!headers.contains_key("etag"), "{url}");
    }
}

#[tokio::test]
async fn other_sites_start_no_search() {
    let explorer = explorer(Limits::default());
    let image = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")];
    let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    for url in ["/play/tictactoe", "/tree/tictactoe", "/events/tictactoe"] {
        let (status, _, body) = got(&explorer, url, &image).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{url}");
        assert!(String::from_utf8_lossy(&body).contains("a page of another site"), "{url}");
    }
    for url in ["/api/v1/solve/tictactoe", "/api/v1/tree/tictactoe", "/api/v1/events/tictactoe"] {
        let (status, _, body) = got(&explorer, url, &image).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{url}");
        let error: Value = serde_json::from_slice(&body).unwrap();
        assert!(error["error"]["message"].as_str().unwrap().contains("another site"), "{url}");
    }
    assert_eq!(got(&explorer, "/assets/style.css", &image).await.0, StatusCode::OK);
    // A link shows easy positions and starts no long search.
    assert_eq!(got(&explorer, "/play/tictactoe", &link).await.0, StatusCode::OK);
    let url = "/play/domineering?board=10x10";
    let (status, _, body) = got(&explorer, url, &link).await;
    let shown = String::from_utf8_lossy(&body);
    assert_eq!(status, StatusCode::OK);
    assert!(shown.contains("id=\"solve\"") && !shown.contains("data-events") && !shown.contains("http-equiv"));
    let (status, _, body) = got(&explorer, "/api/v1/solve/domineering?board=10x10", &link).await;
    let not_yet: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!((status, not_yet.get("progress")), (StatusCode::ACCEPTED, None));
    assert_eq!(page(&explorer, url).await.0, StatusCode::ACCEPTED);
}

#[tokio::test]
async fn a_time_limit_leaves_a_partial_answer() {
    let explorer = explorer(Limits { time: Duration::from_millis(1_500), ..Limits::default() });
    // The winner is found soon, the plies take long.
    let url = "cram?board=4x7&ask=moves";
    let (_, _, body) = got(&explorer, &format!("/api/v1/solve/{url}"), &[]).await;
    let answer: Value = serde_json::from_slice(&body).unwrap();
    assert!(!answer["outcome"].is_null(), "{answer}");
    assert_eq!(answer["rules"], serde_json::json!([]));
}

#[tokio::test]
async fn answers_name_the_changed_rules() {
    let explorer = explorer(Limits::default());
    let (_, _, body) = got(&explorer, "/api/v1/solve/tictactoe?misere=true&at=X../.O./...", &[]).await;
    let answer: Value = serde_json::from_slice(&body).unwrap();
    assert_eq!(answer["rules"], serde_json::json!(["misere=true"]));
}
