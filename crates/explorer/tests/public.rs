//! Public servers: a client that asks for too much is refused and told when to retry; all others are answered.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::time::{Duration, Instant};

use balpan_explorer::{Answers, Limits, PublicLimits, serve};
use tokio::net::TcpListener;
use tokio::task::spawn_blocking;

const CLIENTS: u16 = 200;
const REQUESTS: u16 = 5;

/// Starts a server on a free port.
async fn server(limits: Limits) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let answers = Arc::new(Answers::new(Limits { memory: 1 << 28, ..limits }));
    tokio::spawn(serve(listener, answers, std::future::pending()));
    address
}

/// The address of a client behind the proxy.
fn client(n: u16) -> String {
    format!("198.18.{}.{}", n / 256, n % 256)
}

/// Returns the status and the whole response.
fn got(server: SocketAddr, client_address: &str, path: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(server).unwrap();
    let forwarded = format!("x-forwarded-for: {client_address}\r\nconnection: close\r\n\r\n");
    write!(stream, "GET {path} HTTP/1.1\r\nhost: example.org\r\n{forwarded}").unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).unwrap();
    let response = String::from_utf8_lossy(&response).into_owned();
    (response.split(' ').nth(1).unwrap().parse().unwrap(), response)
}

async fn get(server: SocketAddr, client_address: &str, path: &str) -> (u16, String) {
    let (client_address, path) = (client_address.to_owned(), path.to_owned());
    spawn_blocking(move || got(server, &client_address, &path)).await.unwrap()
}

fn public(rate: u32, burst: u32) -> Option<PublicLimits> {
    Some(PublicLimits { rate, burst, behind_proxy: true, ..PublicLimits::default() })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_rate_of_one_address_is_bounded() {
    let server = server(Limits { public: public(1, 3), ..Limits::default() }).await;
    for _ in 0..3 {
        assert_eq!(get(server, "192.0.2.1", "/play/tictactoe").await.0, 200);
    }
    let (status, page) = get(server, "192.0.2.1", "/play/tictactoe?lang=ko").await;
    assert!(status == 429 && page.contains("retry-after: 1\r\n"), "{page}");
    assert!(
        page.contains("같은 주소에서 온 요청이 너무 많습니다") && page.contains("content-security-policy"),
        "{page}"
    );
    let (status, json) = get(server, "192.0.2.1", "/api/v1/games").await;
    assert!(status == 429 && json.contains("retry-after: 1\r\n") && json.contains("\"message\""), "{json}");
    // Assets are not counted, and other addresses have their own rate.
    assert_eq!(get(server, "192.0.2.1", "/assets/style.css").await.0, 200);
    assert_eq!(get(server, "192.0.2.2", "/play/tictactoe").await.0, 200);
    // Only the last address, which the proxy writes, is trusted.
    assert_eq!(get(server, "192.0.2.77, 192.0.2.1", "/").await.0, 429);
}

/// The address of checks is not counted, and the metrics count questions and cached answers.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_and_metrics_are_told() {
    let server = server(Limits { public: public(1, 9), ..Limits::default() }).await;
    for _ in 0..12 {
        assert!(get(server, "192.0.2.1", "/health").await.1.ends_with("\r\n\r\nok\n"));
    }
    for _ in 0..3 {
        assert_eq!(get(server, "192.0.2.1", "/api/v1/solve/tictactoe").await.0, 200);
    }
    let (status, metrics) = get(server, "192.0.2.1", "/metrics").await;
    assert!(status == 200 && metrics.contains("content-type: text/plain; version=0.0.4\r\n"), "{metrics}");
    for line in ["questions_total 3", "cache_hits_total 2", "answers_total 1", "slow_queue_length 0", "running 0"] {
        assert!(metrics.contains(&format!("\nbalpan_{line}\n")), "{line}: {metrics}");
    }
}

/// Hard positions fill their queue, and further ones are refused. Easy positions are always answered.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_clients_are_answered() {
    let limits = Limits { waiting: 4, patience: Duration::ZERO, public: public(1000, 1000), ..Limits::default() };
    let server = server(limits).await;
    let hard_one = |n: u16| format!("/play/connect4?moves={};{}", n % 7 + 1, n / 7 + 1);
    let hard = (0..24).map(|n| spawn_blocking(move || got(server, &client(n), &hard_one(n))));
    let hard: Vec<_> = hard.collect();
    let easy = (0..CLIENTS).map(|n| {
        spawn_blocking(move || {
            let mut taken = Vec::new();
            for m in 0..REQUESTS {
                let begun = Instant::now();
                let cell = (n + m) % 9;
                let path = format!("/play/tictactoe?moves={},{}", cell / 3, cell % 3);
                // With no patience, a page may come before its answer on a busy machine; then it is requested again.
                let answered = (0..100).any(|_| {
                    let (status, page) = got(server, &client(n + 100), &path);
                    assert!(matches!(status, 200 | 202), "{page}");
                    status == 200 && page.contains("data-complete=\"true\"")
                });
                assert!(answered, "{path}");
                taken.push(begun.elapsed());
            }
            taken
        })
    });
    let mut taken = Vec::new();
    for client in easy.collect::<Vec<_>>() {
        taken.extend(client.await.unwrap());
    }
    taken.sort();
    println!(
        "easy answers of {CLIENTS} clients: median {:?}, 99% within {:?}",
        taken[taken.len() / 2],
        taken[taken.len() * 99 / 100]
    );
    for page in hard {
        let (status, page) = page.await.unwrap();
        assert!(matches!(status, 200 | 202 | 503), "{status}");
        assert_eq!(status == 503, page.contains("retry-after: "), "{page}");
    }
}

/// No page names a file of the machine.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_file_is_named() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/certificates");
    let (certificates, _) = balpan_explorer::Certificates::from_folder(&folder).unwrap();
    certificates.check(1, |_| {});
    let limits = Limits { certificates: Arc::new(certificates), public: public(100, 100), ..Limits::default() };
    let server = server(limits).await;
    for path in [
        "/",
        "/certificates",
        "/certificates/nim",
        "/play/nim",
        "/api/v1/solve/nim",
        "/census/nim",
        "/nowhere",
        "/stress",
    ] {
        let (_, page) = get(server, "192.0.2.1", path).await;
        assert!(
            !page.contains("/tests/") && !page.contains(env!("CARGO_MANIFEST_DIR")) && !page.contains(".strong"),
            "{path}: {page}"
        );
    }
}
