//! The pages of trees.

use std::collections::HashSet;
use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::http::Request;
use balpan_explorer::{Answers, Limits, router};
use tower::ServiceExt;

const ENDING: &str = "/tree/tictactoe?at=X../XOO/OX.";

async fn get(answers: &Arc<Answers>, url: &str) -> (u16, String) {
    let request = Request::get(url).body(Body::empty()).unwrap();
    let response = router(Arc::clone(answers)).oneshot(request).await.unwrap();
    let status = response.status().as_u16();
    let body = to_bytes(response.into_body(), 1 << 24).await.unwrap();
    (status, String::from_utf8(body.to_vec()).unwrap())
}

fn answers() -> Arc<Answers> {
    Arc::new(Answers::new(Limits::default()))
}

/// Returns the links of a page to trees and positions.
fn links(page: &str) -> HashSet<String> {
    let urls = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    let urls = urls.filter(|url| url.starts_with("/tree/") || url.starts_with("/play/"));
    urls.map(|url| url.replace("&amp;", "&")).collect()
}

#[tokio::test]
async fn every_link_leads_somewhere() {
    let answers = answers();
    for url in [
        ENDING.to_owned(),
        format!("{ENDING}&prune=yes&step=9"),
        format!("{ENDING}&fold=0,1.0&lang=ko"),
        "/tree/nim?at=1%202&depth=1&prune=yes".to_owned(),
        "/tree/platforms?board=3x3&depth=2&moves=0,1".to_owned(),
    ] {
        let (status, page) = get(&answers, &url).await;
        assert_eq!(status, 200, "{url}: {page}");
        let links = links(&page);
        assert!(links.len() > 5, "{links:?}");
        for link in links {
            let (status, page) = get(&answers, &link).await;
            assert_eq!(status, 200, "{url}: {link}: {page}");
        }
    }
}

#[tokio::test]
async fn every_step_is_described_in_both_languages() {
    let answers = answers();
    let mut told = HashSet::new();
    for lang in ["en", "ko"] {
        for step in 0..=24 {
            let (status, page) = get(&answers, &format!("{ENDING}&prune=yes&step={step}&lang={lang}")).await;
            assert_eq!(status, 200);
            let sentence = page.split(&format!("data-step=\"{step}\">")).nth(1).unwrap();
            assert!(told.insert(sentence.split("</p>").next().unwrap().to_owned()), "{sentence}");
            assert_eq!(page.matches("t-current").count(), usize::from(step > 0), "{step}");
        }
    }
    assert!(told.iter().any(|sentence| sentence.contains("X already has a draw elsewhere (4)")), "{told:?}");
    assert!(
        told.iter().any(|sentence| sentence.contains("X는 이미 다른 곳에서 무승부를 확보했습니다 (4)")),
        "{told:?}"
    );
    // The last step is 24.
    let (_, page) = get(&answers, &format!("{ENDING}&prune=yes&step=999")).await;
    assert!(page.contains("step 24 of 24"));
}

#[tokio::test]
async fn folded_moves_are_counted() {
    let answers = answers();
    let (_, whole) = get(&answers, ENDING).await;
    let (_, folded) = get(&answers, &format!("{ENDING}&fold=0")).await;
    let nodes = |page: &str| page.matches("class=\"node").count();
    assert_eq!((nodes(&whole), nodes(&folded)), (14, 11));
    assert!(folded.contains("3 moves folded away"));
    let list = whole.split("id=\"nodes\"").nth(1).unwrap();
    assert_eq!(list.matches("<li><a").count(), 14);
}

#[tokio::test]
async fn invalid_trees_are_refused() {
    let answers = answers();
    for (url, expected) in [
        ("/tree/chess", 404),
        ("/tree/tictactoe?depth=0", 400),
        ("/tree/tictactoe?depth=x", 400),
        ("/tree/tictactoe?depth=6", 400),
        ("/tree/tictactoe?step=-1", 400),
        ("/tree/tictactoe?prune=1", 400),
        ("/tree/tictactoe?fold=a", 400),
        ("/tree/tictactoe?fold=99999999999999999999999", 400),
        ("/tree/tictactoe?at=XX/&lang=ko", 400),
        ("/tree/connect4?depth=1&board=8x8", 422),
    ] {
        let (status, page) = get(&answers, url).await;
        assert_eq!(status, expected, "{url}");
        assert!(page.contains("id=\"refusal\""), "{url}");
    }
}

#[tokio::test]
async fn the_api_has_the_tree_as_json() {
    let answers = answers();
    let tree = |query: &'static str| {
        let answers = Arc::clone(&answers);
        async move {
            let (status, body) = get(&answers, &format!("/api/v1/tree/{query}")).await;
            (status, serde_json::from_str::<serde_json::Value>(&body).unwrap())
        }
    };
    let (status, ending) = tree("tictactoe?at=X../XOO/OX.&prune=yes").await;
    assert_eq!((status, &ending["positions"], &ending["alpha_beta"]["visited"]), (200, &14.into(), &11.into()));
    assert_eq!(ending["alpha_beta"]["steps"].as_array().unwrap().len(), 24);
    let (status, heaps) = tree("nim?at=1%202&depth=2").await;
    assert_eq!((status, &heaps["depth"], heaps.get("alpha_beta")), (200, &2.into(), None));
    for (query, expected) in [
        ("tictactoe?depth=0", 400),
        ("tictactoe?depth=9", 400),
        ("tictactoe?prune=perhaps", 400),
        ("tictactoe?step=3", 400),
        ("chess", 404),
        ("connect4?depth=1&board=8x8", 422),
    ] {
        let (status, error) = tree(query).await;
        assert_eq!(status, expected, "{query}: {error}");
        assert!(error["error"]["message"].is_string(), "{query}: {error}");
    }
}
