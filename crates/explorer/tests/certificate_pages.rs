//! Pages of certificates, of sound and of hostile files.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Request, StatusCode};
use balpan_explorer::{Answers, Certificates, Limits, SkippedFile};
use tower::ServiceExt;

fn stored() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates")
}

fn router(certificates: Certificates) -> axum::Router {
    let limits = Limits { certificates: Arc::new(certificates), ..Limits::default() };
    balpan_explorer::router(Arc::new(Answers::new(limits)))
}

/// Checks the certificates of a folder, and returns them with the skipped files.
fn check_folder(folder: &Path) -> (Certificates, Vec<SkippedFile>) {
    let (certificates, too_many) = Certificates::from_folder(folder).unwrap();
    let mut skipped = Vec::new();
    certificates.check(1, |file| skipped.push(file));
    skipped.extend(too_many);
    (certificates, skipped)
}

fn explorer() -> axum::Router {
    let (certificates, skipped) = check_folder(&stored());
    assert_eq!(skipped, []);
    router(certificates)
}

async fn response(router: &axum::Router, url: &str) -> (StatusCode, HeaderMap, Vec<u8>) {
    let response = router.clone().oneshot(Request::get(url).body(Body::empty()).unwrap()).await.unwrap();
    let (status, headers) = (response.status(), response.headers().clone());
    (status, headers, axum::body::to_bytes(response.into_body(), 1 << 24).await.unwrap().to_vec())
}

async fn page(router: &axum::Router, url: &str) -> String {
    let (status, _, body) = response(router, url).await;
    assert_eq!(status, StatusCode::OK, "{url}");
    String::from_utf8(body).unwrap()
}

/// Asserts that a page has all these words.
async fn assert_page_has(router: &axum::Router, url: &str, words: &[&str]) {
    let page = page(router, url).await;
    for word in words {
        assert!(page.contains(word), "no {word} on {url}: {page}");
    }
}

/// Returns the names of the certificates that are listed as proved, with their numbers of claims.
async fn proved(router: &axum::Router) -> Vec<(String, usize)> {
    let page = page(router, "/certificates?lang=en").await;
    let cards = page.split("<article").skip(1).map(|card| {
        let (_, size) = card.split_once("<small>").unwrap();
        let (name, _) = card.split_once(".cert\"").unwrap();
        (name.rsplit('/').next().unwrap().to_owned(), size.split(' ').next().unwrap().parse().unwrap())
    });
    cards.collect()
}

#[tokio::test]
async fn certificates_are_listed() {
    let explorer = explorer();
    let links = ["href=\"/certificates/kayles\"", "href=\"/certificates/platforms.cert\""];
    assert_page_has(&explorer, "/certificates?lang=en", &["A wins.", "The nimber is 4.", "13 claims", links[1]]).await;
    assert_page_has(&explorer, "/certificates", &links).await;
    let links = ["href=\"/certificates/kayles?lang=ko\""];
    assert_page_has(
        &explorer,
        "/certificates?lang=ko",
        &["A가 이깁니다.", "그런디 수는 4입니다.", "주장 13개", links[0]],
    )
    .await;
    let none = router(Certificates::default());
    assert_page_has(&none, "/certificates?lang=en", &["There are none yet.", "balpan serve --certificates"]).await;
    assert_page_has(&none, "/certificates?lang=ko", &["아직 없습니다."]).await;
}

/// Pages are served at once; unchecked files are not shown as proved.
#[tokio::test]
async fn certificates_are_checked_while_pages_are_served() {
    let (certificates, _) = Certificates::from_folder(&stored()).unwrap();
    let limits = Limits { certificates: Arc::new(certificates), ..Limits::default() };
    let certificates = Arc::clone(&limits.certificates);
    let explorer = balpan_explorer::router(Arc::new(Answers::new(limits)));
    let files = fs::read_dir(stored()).unwrap().count();
    let words = [format!("{files} more files are being checked."), "http-equiv=\"refresh\"".to_owned()];
    assert_page_has(&explorer, "/certificates?lang=en", &words.each_ref().map(String::as_str)).await;
    assert_page_has(&explorer, "/certificates?lang=ko", &[&format!("파일 {files}개를 더 검사하고 있습니다.")]).await;
    for url in ["/certificates/kayles", "/certificates/kayles.cert", "/certificates/kayles?lang=ko"] {
        let (status, headers, body) = response(&explorer, url).await;
        assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE, "{url}");
        assert!(headers.contains_key("retry-after"));
        let words = if url.ends_with("ko") {
            "이 증명서를 검사하고 있습니다"
        } else {
            "this certificate is being checked"
        };
        assert!(String::from_utf8(body).unwrap().contains(words), "{url}");
    }
    assert_eq!(response(&explorer, "/certificates/nothing").await.0, StatusCode::NOT_FOUND);
    assert!(!page(&explorer, "/play/tictactoe").await.contains("Proved:"));
    certificates.check(1, |file| panic!("{file}"));
    assert!(!page(&explorer, "/certificates?lang=en").await.contains("checked."));
    assert_page_has(&explorer, "/certificates?lang=en", &["href=\"/certificates/kayles?lang=en\""]).await;
    assert_page_has(&explorer, "/play/tictactoe", &["Proved: It is a draw."]).await;
}

#[tokio::test]
async fn a_file_is_downloaded_as_it_is() {
    let (status, headers, body) = response(&explorer(), "/certificates/kayles.cert").await;
    assert_eq!(
        (status, &headers["content-type"]),
        (StatusCode::OK, &HeaderValue::from_static("application/octet-stream"))
    );
    assert_eq!(body, fs::read(stored().join("kayles.cert")).unwrap());
}

#[tokio::test]
async fn claims_about_play_are_shown() {
    let explorer = explorer();
    let first = [
        "A begins with <code>0,1</code>",
        "?at=0\">claim 0</a>",
        "mirrored, turned or simplified",
        "href=\"/play/platforms?at=",
    ];
    assert_page_has(&explorer, "/certificates/platforms", &first).await;
    let claim = ["A is sure to win.", "B to move", "<code>1,0</code> → <code>3,3</code>", "?at=2\">claim 2</a>"];
    assert_page_has(&explorer, "/certificates/platforms?at=0", &claim).await;
    assert_page_has(
        &explorer,
        "/certificates/platforms?at=12&lang=en",
        &["searches this ending by itself", "id=\"previous\""],
    )
    .await;
    let korean = ["A가 반드시 이길 수 있습니다.", "B 차례", "2번 주장", "?at=2&amp;lang=ko"];
    assert_page_has(&explorer, "/certificates/platforms?at=0&lang=ko", &korean).await;
}

/// A win in an exact number of plies, and a draw, are claims about either player.
#[tokio::test]
async fn claims_about_both_players_are_shown() {
    let explorer = explorer();
    let whole = ["A wins in exactly 5 plies.", "?at=2\">claim 2</a> <small>(mirrored, turned or simplified)"];
    assert_page_has(&explorer, "/certificates/three", &whole).await;
    assert_page_has(&explorer, "/certificates/three?lang=ko", &["A가 정확히 5수 만에 이깁니다."]).await;
    assert_page_has(&explorer, "/certificates/three?at=2", &["B is sure not to lose before 5 plies."]).await;
    assert_page_has(&explorer, "/certificates/three?at=2&lang=ko", &["B가 5수 전에는 지지 않을 수 있습니다."]).await;
    assert_page_has(&explorer, "/certificates/three?at=1", &["ends play: A wins"]).await;
    assert_page_has(&explorer, "/certificates/three?at=1&lang=ko", &["여기서 끝나고 A가 이깁니다"]).await;
    let whole = ["It is a draw.", "X begins with <code>1,1</code>", "O is sure not to lose.", "?at=4\">claim 4</a>"];
    assert_page_has(&explorer, "/certificates/tictactoe", &whole).await;
    assert_page_has(
        &explorer,
        "/certificates/tictactoe?at=0",
        &["<code>0,1+0,2</code>", "Whenever one cell of a pair"],
    )
    .await;
}

#[tokio::test]
async fn claims_about_nimbers_are_shown() {
    let explorer = explorer();
    let first = ["The nimber is 4.", "<code>12</code> has nimber 4", "?at=0\">claim 0</a>"];
    assert_page_has(&explorer, "/certificates/kayles", &first).await;
    let claim =
        ["The nimber of this part is 4.", "is answered by <code>10&gt;9</code>, which has nimber 4", "has nimber 2"];
    assert_page_has(&explorer, "/certificates/kayles?at=0", &claim).await;
    assert_page_has(
        &explorer,
        "/certificates/kayles?at=0&lang=ko",
        &["이 부분의 그런디 수는 4입니다.", "그런디 수가 다시 4입니다"],
    )
    .await;
    assert_page_has(
        &explorer,
        "/certificates/nim",
        &["The player to move wins.", "The player to move begins with <code>7&gt;6</code>"],
    )
    .await;
    assert_page_has(&explorer, "/certificates/nim?lang=ko", &["둘 차례인 쪽이 이깁니다."]).await;
}

/// Every claim has a page, and every claim is linked.
#[tokio::test]
async fn every_claim_has_a_page() {
    let explorer = explorer();
    let certificates = proved(&explorer).await;
    assert_eq!(certificates.len(), fs::read_dir(stored()).unwrap().count());
    for (name, claims) in certificates {
        let mut reached = vec![false; claims];
        let urls = (0..claims).map(|n| format!("/certificates/{name}?at={n}"));
        for url in urls.chain([format!("/certificates/{name}")]) {
            let page = page(&explorer, &url).await;
            let linked =
                page.split("\">claim ").skip(1).filter_map(|rest| rest.split('<').next()?.parse::<usize>().ok());
            linked.for_each(|n| reached[n] = true);
        }
        assert!(reached.iter().all(|reached| *reached), "{name}: {reached:?}");
    }
}

#[tokio::test]
async fn a_position_s_page_links_to_its_certificate() {
    let explorer = explorer();
    assert_page_has(
        &explorer,
        "/play/tictactoe",
        &["Proved: It is a draw. <a href=\"/certificates/tictactoe\">Certificate</a>"],
    )
    .await;
    assert_page_has(&explorer, "/play/kayles?lang=ko", &["증명됨: 그런디 수는 4입니다."]).await;
    let proved = ["Proved: A wins in exactly 5 plies."];
    assert_page_has(&explorer, "/play/platforms?at=.../A.B/...", &proved).await;
    for other in [
        "/play/tictactoe?moves=0,0",
        // The same board by other rules.
        "/play/tictactoe?misere=true",
        "/play/platforms?at=.../A.B/...&torus=true",
        // Its value is hidden.
        "/play/tictactoe?as=first",
        "/play/tictactoe?marks=no",
    ] {
        assert!(!page(&explorer, other).await.contains("Proved:"), "{other}");
    }
}

#[tokio::test]
async fn hostile_names_and_claims_are_refused() {
    let explorer = explorer();
    for name in
        ["nothing", "..%2F..%2FCargo.toml", "%2e%2e", "%ff", "kayles.cert.cert", ".cert", "%00", "%3Cb%3E", "kayles%2F"]
    {
        let (status, _, body) = response(&explorer, &format!("/certificates/{name}")).await;
        assert_eq!(status, StatusCode::NOT_FOUND, "{name}");
        assert!(!String::from_utf8(body).unwrap().contains("<b>\u{0}"), "{name}");
    }
    for at in ["8", "-1", "x", "99999999999999999999999", "0x1", "%3Cscript%3E", "1%0A", "%ff", "../.."] {
        let (status, _, body) = response(&explorer, &format!("/certificates/kayles?at={at}&lang=ko")).await;
        let body = String::from_utf8(body).unwrap();
        let is_fine = status == StatusCode::BAD_REQUEST && body.contains("0부터") && !body.contains("<script>");
        assert!(is_fine || at == "1%0A" && status == StatusCode::OK, "{at}: {status}");
    }
    let (status, ..) = response(&explorer, "/certificates/kayles?what=1").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn unproved_files_are_skipped() {
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read_to_string(stored().join("platforms.cert")).unwrap();
    let file = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    file("right.cert", &text);
    file("wrong.cert", &text.replace("claim: A wins", "claim: B wins"));
    file("cut.cert", &text[..text.len() - 20]);
    file("empty.cert", "");
    file("a name.cert", &text);
    file("a<b>.cert", &text);
    file("other.txt", "");
    fs::create_dir(folder.path().join("folder.cert")).unwrap();
    let large = File::create(folder.path().join("large.cert")).unwrap();
    large.set_len((16 << 20) + 1).unwrap();
    let (certificates, skipped) = check_folder(folder.path());
    let names: Vec<_> = proved(&router(certificates)).await.into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["right"]);
    let why = |name: &str| &*skipped.iter().find(|skipped| skipped.file.ends_with(name)).unwrap().reason;
    assert!(why("wrong.cert").starts_with("not "), "{}", why("wrong.cert"));
    assert!(why("cut.cert").starts_with("not "));
    assert!(why("empty.cert").starts_with("not a certificate: "));
    assert!(why("a name.cert").starts_with("expected a name of letters"));
    assert!(why("a<b>.cert").starts_with("expected a name of letters"));
    assert_eq!(why("folder.cert"), "it is not a file");
    assert!(why("large.cert").starts_with("it is larger than "));
    assert!(skipped.iter().all(|file| !file.reason.contains('\n')));
    assert_eq!(skipped.len(), 7);
}

#[tokio::test]
async fn hostile_folders_are_refused_or_cut() {
    assert!(Certificates::from_folder(&stored().join("nowhere")).is_err());
    assert!(Certificates::from_folder(&stored().join("nim.cert")).is_err());
    let folder = tempfile::tempdir().unwrap();
    let text = fs::read(stored().join("nim.cert")).unwrap();
    for n in 0..64 + 6 {
        fs::write(folder.path().join(format!("{n:03}.cert")), &text).unwrap();
    }
    let (certificates, skipped) = check_folder(folder.path());
    assert_eq!(proved(&router(certificates)).await.len(), 64);
    assert!(skipped.len() == 1 && skipped[0].reason.contains("6, are too many"), "{skipped:?}");
}

/// A pipe would keep the server waiting.
#[cfg(unix)]
#[tokio::test]
async fn only_regular_files_are_opened() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("pipe.cert");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    std::os::unix::fs::symlink(folder.path().join("nowhere"), folder.path().join("dead.cert")).unwrap();
    let (certificates, skipped) = check_folder(folder.path());
    assert_eq!((proved(&router(certificates)).await.len(), skipped.len()), (0, 2));
}

/// Text of a file is never markup.
#[tokio::test]
async fn file_content_is_escaped() {
    let text = fs::read_to_string(stored().join("nim.cert")).unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("n.cert"), text.replace("game: nim", "game: <script>\"&")).unwrap();
    let (certificates, skipped) = check_folder(folder.path());
    assert_eq!(skipped, []);
    let explorer = router(certificates);
    for url in ["/certificates", "/certificates/n"] {
        let page = page(&explorer, url).await;
        assert!(page.contains("&lt;script&gt;") && !page.contains("<script>"), "{url}");
    }
    // The position is still the preset's.
    assert_page_has(&explorer, "/play/nim?at=3 5 7".replace(' ', "%20").as_str(), &["Proved: "]).await;
}
