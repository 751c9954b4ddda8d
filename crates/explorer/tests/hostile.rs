//! Hostile requests: each is refused in plain words, none causes a panic or a server error, and the server keeps serving.

use std::fmt::Write;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, Uri};
use balpan_explorer::{Answers, Limits, router};
use http_body_util::BodyExt;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use tokio::runtime::Runtime;
use tower::ServiceExt;

/// The explorer with a short time limit for hard positions.
struct Explorer {
    runtime: Runtime,
    router: Router,
}

/// Panics of the explorer's threads, which have no names.
static PANICS: AtomicUsize = AtomicUsize::new(0);

static EXPLORER: LazyLock<Explorer> = LazyLock::new(|| {
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if std::thread::current().name().is_none() {
            PANICS.fetch_add(1, Relaxed);
        }
        before(panic);
    }));
    let limits = Limits { time: Duration::from_millis(20), waiting: 1 << 20, memory: 1 << 28, ..Limits::default() };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_time().build().unwrap();
    Explorer { runtime, router: router(Arc::new(Answers::new(limits))) }
});

fn response(request: Request<Body>) -> (StatusCode, String) {
    let Explorer { runtime, router } = &*EXPLORER;
    runtime.block_on(async {
        let response = router.clone().oneshot(request).await.unwrap();
        let status = response.status();
        assert!(response.headers().contains_key("content-security-policy"));
        let bytes = response.into_body().collect().await.unwrap().to_bytes();
        (status, String::from_utf8_lossy(&bytes).into_owned())
    })
}

/// Sends a request and checks the response.
fn check(request: Request<Body>) -> Result<(), TestCaseError> {
    let (method, uri) = (request.method().clone(), request.uri().clone());
    let (status, body) = response(request);
    prop_assert_eq!(PANICS.load(Relaxed), 0);
    prop_assert!(!status.is_server_error(), "{method} {uri}: {status}");
    if !status.is_client_error() || method == Method::HEAD {
        return Ok(());
    }
    if uri.path().starts_with("/api/") {
        let error: serde_json::Value = serde_json::from_str(&body).unwrap();
        let has_text = |key: &str| error["error"][key].as_str().is_some_and(|text| !text.is_empty());
        prop_assert!(has_text("message") && has_text("help"), "{uri}: {body}");
    } else {
        prop_assert!(!body.is_empty(), "{uri}: {status}");
    }
    Ok(())
}

fn assert_still_serving() {
    for path in ["/", "/api/v1/games", "/api/v1/solve/tictactoe?at=X../.O./...", "/play/nim?at=1%202"] {
        let request = Request::get(path).body(Body::empty()).unwrap();
        assert_eq!(response(request).0, StatusCode::OK, "{path}");
    }
}

/// Names of games and of other pages.
const NAMES: [&str; 17] = [
    "tree",
    "7",
    "sheet",
    "platforms",
    "kings",
    "joust",
    "blockgame",
    "cram",
    "domineering",
    "pentominoes",
    "tictactoe",
    "connect4",
    "gomoku",
    "notakto",
    "nim",
    "kayles",
    "dawson",
];

const PATHS: [&str; 30] = [
    "/play/",
    "/games/",
    "/edit/",
    "/review/",
    "/learn/",
    "/stress/",
    "/board/",
    "/embed/",
    "/?q=",
    "/theme?to=dark&back=",
    "/parts/",
    "/census/",
    "/sum?of=",
    "/puzzles/",
    "/tree/",
    "/assets/",
    "/api/v1/solve/",
    "/api/v1/games/",
    "/api/v1/tree/",
    "/api/v1/review/",
    "/api/v1/events/",
    "/api/v1/strong/",
    "/events/",
    "/value?of=",
    "/period?of=",
    "/quotient?of=",
    "/certificates/",
    "/puzzles/sheet?of=",
    "/api/",
    "/",
];

/// Keys of pages and rules files, and some others.
const KEYS: &str = "at moves then ply answer hint of answers as marks pick piece lang draft depth prune step fold ask board start pieces left right supply \
                    rotate reflect misere steps share torus k gravity overlines code family about supply.F \
                    pieces.domino a.b.c";

/// Values that are almost valid.
const VALUES: &str = "0 -1 1 999999999999999999999999 1e400 nan true no ko first second 0x0 1x1 8x8 16x8 1x64 \
                      99999x99999 18446744073709551616x1 orthogonal queen [[1,2],[2,1]] [[0,0]] \
                      [[9223372036854775807,1]] {F=1} {domino=\"##\"} {a=\"#\",b=\"#/#\"} \"\\u0036\\u0030000\" 0.77 \
                      0.777777777777777777777777777777 4.7 65535 ../../etc/passwd $(id) <script> 0,0+0,1 value winner";

fn one_of(words: &'static str) -> impl Strategy<Value = &'static str> {
    select(words.split(' ').collect::<Vec<_>>())
}

/// Encodes any bytes for a URL.
fn percent_encode(bytes: &[u8]) -> String {
    let mut text = String::new();
    for byte in bytes {
        if byte.is_ascii_alphanumeric() {
            text.push(char::from(*byte));
        } else {
            write!(text, "%{byte:02X}").unwrap();
        }
    }
    text
}

fn value() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        vec(any::<u8>(), 0..40),
        one_of(VALUES).prop_map(|value| value.as_bytes().to_vec()),
        // Almost positions and moves.
        "[.#ABXO*/ ]{0,70}( [ablrxo])?".prop_map(String::into_bytes),
        "[0-9]{1,6}([ +][0-9]{1,6}){0,4}".prop_map(String::into_bytes),
        "[0-7],[0-7]([+;>][0-7],[0-7]){0,3}".prop_map(String::into_bytes),
        (1_usize..12, 1_usize..12).prop_map(|(rows, cols)| vec![".".repeat(cols); rows].join("/").into_bytes()),
        "\\PC{0,20}".prop_map(String::into_bytes),
        (select(b".[{9/".to_vec()), 0_usize..4_000).prop_map(|(byte, times)| vec![byte; times]),
    ]
}

fn query() -> impl Strategy<Value = String> {
    let key = prop_oneof![9 => one_of(KEYS).prop_map(str::to_owned), 1 => "\\PC{0,8}"];
    let pair = (key, value())
        .prop_map(|(key, value)| format!("{}={}", percent_encode(key.as_bytes()), percent_encode(&value)));
    prop_oneof![9 => vec(pair, 0..5).prop_map(|pairs| pairs.join("&")), 1 => "[!$-;=?-_a-z]{0,60}"]
}

pub(crate) fn uri() -> impl Strategy<Value = String> {
    let name = prop_oneof![
        8 => select(&NAMES[..]).prop_map(str::to_owned),
        1 => vec(any::<u8>(), 0..20).prop_map(|bytes| percent_encode(&bytes)),
        1 => "[!$-;=@-_a-z]{0,30}",
    ];
    (select(&PATHS[..]), name, query()).prop_map(|(path, name, query)| format!("{path}{name}?{query}"))
}

fn method() -> impl Strategy<Value = Method> {
    let others = [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::HEAD, Method::PATCH];
    prop_oneof![12 => Just(Method::GET), 1 => select(others.to_vec())]
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json() -> impl Strategy<Value = serde_json::Value> {
    let leaf = prop_oneof![
        Just(serde_json::Value::Null),
        any::<bool>().prop_map(Into::into),
        any::<f64>().prop_map(Into::into),
        any::<i64>().prop_map(Into::into),
        value().prop_map(|bytes| text(&bytes).into()),
        select(&NAMES[..]).prop_map(Into::into),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| vec(inner, 0..4).prop_map(Into::into))
}

/// Rules files that are almost valid.
fn rules() -> impl Strategy<Value = String> {
    let pair = (one_of(KEYS), value(), any::<bool>()).prop_map(|(key, value, quoted)| {
        let value = text(&value);
        if quoted { format!("{key} = {value:?}\n") } else { format!("{key} = {value}\n") }
    });
    let families = [
        "family = \"walkers\"\nsteps = \"king\"\n",
        "family = \"placement\"\npieces = { A = \"##\" }\n",
        "family = \"lines\"\nk = 3\n",
        "family = \"heaps\"\ncode = 0.77\n",
        "family = \"chess\"\n",
    ];
    (select(families.to_vec()), vec(pair, 0..5)).prop_map(|(family, pairs)| format!("{family}{}", pairs.concat()))
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    let bytes = |value: serde_json::Value| value.to_string().into_bytes();
    let object = vec((one_of("game rules position set ask other"), json()), 0..5).prop_map(move |pairs| {
        bytes(pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect::<serde_json::Map<_, _>>().into())
    });
    let almost_valid = (rules(), value())
        .prop_map(move |(rules, position)| bytes(serde_json::json!({ "rules": rules, "position": text(&position) })));
    let cut = (rules(), 0_usize..200).prop_map(move |(rules, at)| {
        let body = bytes(serde_json::json!({ "rules": rules }));
        body[..at.min(body.len())].to_vec()
    });
    let deep = (1_usize..9_000, one_of("[ {\"set\":")).prop_map(|(depth, open)| open.repeat(depth).into_bytes());
    let deep_rules = (1_usize..9_000, one_of("[ {a= a. [[a]]")).prop_map(move |(depth, open)| {
        bytes(serde_json::json!({ "rules": format!("family = \"lines\"\nk = {}", open.repeat(depth)) }))
    });
    prop_oneof![vec(any::<u8>(), 0..200), object, almost_valid, cut, deep, deep_rules]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1_000) })]

    #[test]
    fn urls(method in method(), uri in uri()) {
        // Only valid URLs reach a router.
        if let Ok(uri) = uri.parse::<Uri>() {
            check(Request::builder().method(method).uri(uri).body(Body::empty()).unwrap())?;
        }
        assert_still_serving();
    }

    #[test]
    fn bodies(body in body(), is_json_type in prop::bool::weighted(0.9)) {
        let kind = if is_json_type { "application/json" } else { "text/plain" };
        check(Request::post("/api/v1/solve").header("content-type", kind).body(Body::from(body)).unwrap())?;
        assert_still_serving();
    }
}

#[test]
fn long_urls_and_bodies_are_refused() {
    let get = |uri: String| response(Request::get(uri).body(Body::empty()).unwrap()).0;
    assert_eq!(get(format!("/play/tictactoe?at={}", ".".repeat(2_000))), StatusCode::BAD_REQUEST);
    assert_eq!(get(format!("/play/tictactoe?at={}", ".".repeat(10_000))), StatusCode::URI_TOO_LONG);
    assert_eq!(get(format!("/api/v1/solve/{}", "x".repeat(10_000))), StatusCode::URI_TOO_LONG);
    let post = |length: usize| {
        let request = Request::post("/api/v1/solve").header("content-type", "application/json");
        response(request.body(Body::from(vec![b' '; length])).unwrap()).0
    };
    assert_eq!(post(60_000), StatusCode::BAD_REQUEST);
    assert_eq!(post(1 << 20), StatusCode::PAYLOAD_TOO_LARGE);
}
