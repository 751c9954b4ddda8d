//! A crawl: every link leads to a page in either language, without inline scripts, inline styles or duplicate ids.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, StatusCode};
use balpan_explorer::{Answers, Limits, router};
use http_body_util::BodyExt;
use tower::ServiceExt;

fn explorer() -> Router {
    // With little patience, hard positions are shown as pending, and with little time they are soon given up.
    let limits = Limits { patience: Duration::from_millis(50), time: Duration::from_millis(250), ..Limits::default() };
    router(Arc::new(Answers::new(limits)))
}

async fn get(explorer: &Router, url: &str) -> (StatusCode, Option<String>, String) {
    let request = Request::get(url).body(Body::empty()).unwrap();
    let response = explorer.clone().oneshot(request).await.unwrap();
    let status = response.status();
    let location = response.headers().get("location").map(|url| url.to_str().unwrap().to_owned());
    let body = response.into_body().collect().await.unwrap().to_bytes();
    (status, location, String::from_utf8(body.to_vec()).unwrap())
}

/// Returns the values of an attribute.
fn values<'p>(page: &'p str, attribute: &str) -> impl Iterator<Item = &'p str> {
    page.split(attribute).skip(1).filter_map(|rest| rest.strip_prefix("=\"")?.split('"').next())
}

/// Returns the kind of a page: `play` for `/play/tictactoe?..`.
fn kind(url: &str) -> String {
    url.split(['/', '?']).nth(1).unwrap_or_default().to_owned()
}

fn check(url: &str, page: &str) {
    let ids: Vec<_> = values(page, " id").collect();
    let once: HashSet<_> = ids.iter().collect();
    assert_eq!(once.len(), ids.len(), "an id twice: {url}");
    for never in [" style=\"", " onclick", "<style", "javascript:"] {
        assert!(!page.contains(never), "{never} on {url}");
    }
    assert_eq!(page.matches("<h1").count(), 1, "{url}");
    assert_eq!(page.matches("<main").count(), 1, "{url}");
}

/// Follows links breadth first, a few of each kind from each page, so that all kinds and games are reached.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_link_leads_to_a_page() {
    const PAGES: usize = 1_500;
    const LINKS_PER_KIND: usize = 4;
    /// Some pages wait for an answer.
    const AT_ONCE: usize = 3;
    let explorer = explorer();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let mut queue: VecDeque<String> = ["/".to_owned(), "/?lang=ko".to_owned()].into();
    let mut kinds: BTreeSet<String> = BTreeSet::new();
    while !queue.is_empty() {
        let mut requests = Vec::new();
        while requests.len() < AT_ONCE
            && let Some(url) = queue.pop_front()
        {
            if seen.len() < PAGES && seen.insert(url.clone()) {
                let explorer = explorer.clone();
                requests.push(tokio::spawn(async move { (get(&explorer, &url).await, url) }));
            }
        }
        for request in requests {
            let ((status, location, page), url) = request.await.unwrap();
            let is_too_hard = status == StatusCode::SERVICE_UNAVAILABLE || status == StatusCode::UNPROCESSABLE_ENTITY;
            // A tree may be too large.
            let is_too_large =
                status == StatusCode::BAD_REQUEST && kind(&url) == "tree" && page.contains("id=\"refusal\"");
            let is_page = status.is_success() || status.is_redirection() || is_too_hard || is_too_large;
            assert!(is_page, "{status} for {url}: {page}");
            kinds.insert(kind(&url));
            queue.extend(location);
            if !page.starts_with("<!DOCTYPE html>") {
                continue;
            }
            check(&url, &page);
            let mut of_kind = BTreeMap::new();
            for link in values(&page, " href") {
                let link = link.replace("&amp;", "&");
                let n = of_kind.entry(kind(&link)).or_insert(0);
                *n += 1;
                let is_home = kind(&url).is_empty();
                if link.starts_with('/') && (is_home || *n <= LINKS_PER_KIND) && !seen.contains(&link) {
                    queue.push_back(link);
                }
            }
        }
    }
    for kind in [
        "", "play", "games", "edit", "tree", "review", "learn", "puzzles", "help", "parts", "sum", "value", "period",
        "quotient", "census", "stress", "assets", "api",
    ] {
        assert!(kinds.contains(kind), "no page of kind {kind:?} among {kinds:?}");
    }
}

#[tokio::test]
async fn unchanged_fields_of_a_form_are_left_out_of_the_url() {
    let explorer = explorer();
    let query = "board=3x4&k=3&gravity=false&marks=own&overlines=true&misere=true&at=";
    let (status, location, _) = get(&explorer, &format!("/play/tictactoe?{query}")).await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    assert_eq!(location.unwrap(), "/play/tictactoe?board=3x4&misere=true");
}

#[tokio::test]
async fn the_perfect_player_answers() {
    let explorer = explorer();
    let (status, location, _) = get(&explorer, "/play/tictactoe?as=second").await;
    assert_eq!(status, StatusCode::SEE_OTHER);
    let (status, _, page) = get(&explorer, &location.unwrap()).await;
    assert_eq!(status, StatusCode::OK);
    // Values are hidden during the game.
    assert!(!page.contains("data-outcome"));
    let (_, _, page) = get(&explorer, "/play/tictactoe?as=first&at=XX./OO./...&moves=0,2").await;
    assert!(page.contains("data-over=\"true\"") && page.contains("data-outcome=\"loss\""));
}

#[tokio::test]
async fn a_position_is_edited_as_lines_too() {
    let explorer = explorer();
    let (status, _, page) = get(&explorer, "/edit/tictactoe?draft=X..%0D%0A...%0D%0A..O").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("href=\"/play/tictactoe?at=X../.../..O\""), "{page}");
    for (url, link) in [
        ("/edit/tictactoe?draft=x..%20...%20..o", "/play/tictactoe?at=X../.../..O"),
        (
            "/edit/platforms?draft=%7B%22board%22:%5B%5B1,1%5D%5D,%22aloc%22:%5B0,0%5D,%22bloc%22:%5B0,1%5D%7D",
            "/play/platforms?at=AB",
        ),
    ] {
        let (status, _, page) = get(&explorer, url).await;
        assert_eq!(status, StatusCode::OK);
        assert!(page.contains(&format!("href=\"{link}\"")), "{page}");
    }
}

#[tokio::test]
async fn the_tree_and_the_history_agree_on_who_is_first() {
    let explorer = explorer();
    let (_, _, page) = get(&explorer, "/play/nim?at=1%202&moves=1%3E0").await;
    let link = values(&page, " href").find(|link| link.starts_with("/tree/")).unwrap().replace("&amp;", "&");
    let (status, _, page) = get(&explorer, &link).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("second player to move"), "{page}");
}

#[tokio::test]
async fn errors_are_shown_in_their_place() {
    let explorer = explorer();
    for (url, status, told) in [
        ("/play/chess", StatusCode::NOT_FOUND, "<code>`chess`</code> is not a game"),
        ("/nowhere", StatusCode::NOT_FOUND, "there is no such page"),
        ("/play/platforms?at=A../A.B/...", StatusCode::BAD_REQUEST, "A../<mark>A</mark>.B/..."),
        (
            "/play/platforms?moves=9,9",
            StatusCode::BAD_REQUEST,
            "<code>`9,9`</code>, move 1 of the history, cannot be made",
        ),
        ("/play/tictactoe?k=7", StatusCode::BAD_REQUEST, "k = 7 on a board of 3x3"),
        ("/play/tictactoe?colour=red", StatusCode::BAD_REQUEST, "<code>`colour`</code> means nothing here"),
        ("/play/nim?at=100000", StatusCode::BAD_REQUEST, "heaps of more than 200 tokens"),
        ("/play/%FF", StatusCode::NOT_FOUND, "there is no such page"),
    ] {
        let (found, _, page) = get(&explorer, url).await;
        assert_eq!(found, status, "{url}");
        assert!(page.contains(told), "{url}: {page}");
        check(url, &page);
    }
    for (url, told) in [
        ("/play/chess?lang=ko", "<p><b><code>`chess`</code>: 그런 게임이 없습니다</b></p>"),
        ("/tree/tictactoe?lang=ko&depth=x", "1부터 500까지의 수"),
        ("/play/tictactoe?lang=ko&at=xx", "<p><b>국면: <code>`x`</code>: 칸에 쓸 수 없는 문자입니다</b></p>"),
        ("/play/tictactoe?lang=ko&k=7", "<p><b>tictactoe: 3x3 판에서 k = 7입니다</b></p>"),
        ("/play/joust?lang=ko&steps=knigt", "혹시 <code>`knight`</code>인가요?"),
        ("/play/cram?lang=ko&pieces.domino.x=1", "항목은 표가 아닙니다</b></p>"),
        ("/edit/platforms?lang=ko&draft=A.%0D%0A.A", "두 번째 <code>`A`</code>입니다"),
    ] {
        let (_, _, page) = get(&explorer, url).await;
        assert!(page.contains(told), "{url}: {page}");
        check(url, &page);
    }
}

/// Only embedded pages may be framed.
#[tokio::test]
async fn only_embedded_pages_may_be_framed() {
    let explorer = explorer();
    for (url, is_framed) in
        [("/embed/tictactoe", true), ("/play/tictactoe", false), ("/", false), ("/board/nim.svg", false)]
    {
        let request = Request::get(url).header("sec-fetch-site", "cross-site").header("sec-fetch-dest", "iframe");
        let response = explorer.clone().oneshot(request.body(Body::empty()).unwrap()).await.unwrap();
        let policy = response.headers()["content-security-policy"].to_str().unwrap();
        assert_eq!(policy.contains("frame-ancestors *"), is_framed, "{url}: {policy}");
        assert_eq!(policy.contains("frame-ancestors 'none'"), !is_framed, "{url}: {policy}");
    }
    let (status, _, svg) = get(&explorer, "/board/tictactoe.svg?at=X../.O./...").await;
    assert!(status == StatusCode::OK && svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{svg}");
}
