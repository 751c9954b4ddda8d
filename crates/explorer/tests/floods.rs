//! Clients that hold connections and workers. All other clients are answered meanwhile.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use balpan_explorer::{Answers, Limits, PublicLimits, serve};
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Instant, sleep, timeout};

use crate::hostile::uri;

/// More connections than the server allows.
const FLOOD: usize = 515;

/// Far longer than any response takes on a busy machine, so that only a hang takes as long.
const HANG_TIMEOUT: Duration = Duration::from_secs(60);

/// An easy question.
const EASY: &str = "/api/v1/solve/tictactoe?at=X../.O./...";

/// Starts a server on a free port.
async fn server(limits: Limits) -> SocketAddr {
    // This process holds both ends of the connections.
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let files = getrlimit(Resource::Nofile);
        setrlimit(Resource::Nofile, Rlimit { current: files.maximum, ..files }).unwrap();
    }
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let answers = Answers::new(Limits { memory: 1 << 27, ..limits });
    tokio::spawn(serve(listener, Arc::new(answers), std::future::pending()));
    address
}

fn public() -> Limits {
    let public = PublicLimits { rate: 10_000, burst: 10_000, ..PublicLimits::default() };
    Limits { public: Some(public), ..Limits::default() }
}

fn head(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nhost: localhost\r\n\r\n")
}

/// Returns the status and the text of a response.
async fn get(server: SocketAddr, path: &str) -> (u16, String) {
    let response = async {
        let mut stream = TcpStream::connect(server).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = Vec::new();
        stream.read_to_end(&mut response).await.unwrap();
        String::from_utf8_lossy(&response).into_owned()
    };
    let response = timeout(HANG_TIMEOUT, response).await.unwrap_or_else(|_| panic!("{path}: no response"));
    let status = response.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or_else(|| panic!("{path}: {response}")), response)
}

async fn easy_questions_are_answered(server: SocketAddr, questions: usize) {
    for _ in 0..questions {
        let (status, response) = get(server, EASY).await;
        assert!(status == 200 && response.contains("\"outcome\":\"draw\""), "{response}");
    }
}

/// Opens a connection that requests much and reads nothing.
async fn open_without_reading(server: SocketAddr) -> TcpStream {
    let mut stream = TcpStream::connect(server).await.unwrap();
    let all = head("/assets/explorer.js").repeat(600);
    // Writes as much as the server accepts.
    let _ = timeout(Duration::from_millis(100), stream.write_all(all.as_bytes())).await;
    stream
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_never_read_leave_others_answered() {
    let server = server(public()).await;
    let mut held = Vec::new();
    for _ in 0..FLOOD {
        held.push(open_without_reading(server).await);
    }
    easy_questions_are_answered(server, 24).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn silent_connections_leave_others_answered() {
    for limits in [Limits::default(), public()] {
        let server = server(limits).await;
        let mut held = Vec::new();
        for n in 0..FLOOD {
            held.push(TcpStream::connect(server).await.unwrap());
            // Half of them send a part of a request.
            if n % 2 == 0 {
                held[n].write_all(b"GET / HTTP/1.1\r\nhost:").await.unwrap();
            }
        }
        easy_questions_are_answered(server, 24).await;
    }
}

/// Behind a proxy, one address may have all connections.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_proxy_has_all_connections() {
    let limits = public();
    let limits = Limits { public: limits.public.map(|public| PublicLimits { behind_proxy: true, ..public }), ..limits };
    let server = server(limits).await;
    let mut held = Vec::new();
    for _ in 0..400 {
        let mut stream = TcpStream::connect(server).await.unwrap();
        stream.write_all(head("/assets/style.css").as_bytes()).await.unwrap();
        held.push(stream);
    }
    // No connection is closed for another one.
    for stream in &mut held {
        let mut first = [0; 12];
        timeout(HANG_TIMEOUT, stream.read_exact(&mut first)).await.unwrap().unwrap();
        assert_eq!(&first, b"HTTP/1.1 200");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn long_values_end_in_time_and_leave_short_ones_answered() {
    let server = server(Limits::default()).await;
    let long = ["*20000", "*50000", "*99999", "{*99999|*99998}%2B*77777"].map(|value| {
        let path = format!("/value?of={value}");
        tokio::spawn(async move { get(server, &path).await.0 })
    });
    sleep(Duration::from_millis(300)).await;
    for _ in 0..8 {
        assert_eq!(get(server, "/value?of=*2%2B1/2").await.0, 200);
    }
    for status in long {
        let status = status.await.unwrap();
        assert!(matches!(status, 200 | 422 | 503), "{status}");
    }
}

/// Abandoned questions make room for others.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn questions_without_clients_make_room() {
    let abandoned_after = Duration::from_millis(200);
    let server = server(Limits { abandoned_after, running: 1, waiting: 2, ..Limits::default() }).await;
    let hard = |n: usize| {
        let first = format!("{}%23{}", ".".repeat(n), ".".repeat(7 - n));
        format!("/api/v1/solve/domineering?ask=moves&at={first}{}", "/........".repeat(7))
    };
    let fill = async || {
        let mut held = Vec::new();
        for n in 0..3 {
            let mut stream = TcpStream::connect(server).await.unwrap();
            stream.write_all(head(&hard(n)).as_bytes()).await.unwrap();
            held.push(stream);
        }
        held
    };
    drop(fill().await);
    let begun = Instant::now();
    loop {
        let (status, response) = get(server, &hard(7)).await;
        if status == 202 && response.contains("\"ahead\":0") {
            break;
        }
        assert!(matches!(status, 202 | 503) && begun.elapsed() < HANG_TIMEOUT, "{response}");
    }
}

/// All of these attacks and random requests at the same time, for `BALPAN_SECONDS`, by default 60.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "takes a minute"]
async fn hostile_clients_leave_others_answered() {
    let seconds = std::env::var("BALPAN_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(60);
    let server = server(public()).await;
    let end = Instant::now() + Duration::from_secs(seconds);
    // A silent connection and one that never reads, 26 times a second.
    let held = tokio::spawn(async move {
        let mut held = std::collections::VecDeque::new();
        while Instant::now() < end {
            held.push_back(TcpStream::connect(server).await.unwrap());
            held.push_back(open_without_reading(server).await);
            if held.len() > 4 * FLOOD {
                held.pop_front();
            }
            sleep(Duration::from_millis(38)).await;
        }
    });
    // Clients that read a byte at a time.
    let slow = (0..64).map(|_| {
        tokio::spawn(async move {
            while Instant::now() < end {
                let mut stream = open_without_reading(server).await;
                while Instant::now() < end && matches!(stream.read(&mut [0]).await, Ok(1)) {
                    sleep(Duration::from_millis(200)).await;
                }
            }
        })
    });
    // Abandoned hard questions.
    let left = tokio::spawn(async move {
        for n in 0_usize.. {
            if Instant::now() > end {
                break;
            }
            let mut stream = TcpStream::connect(server).await.unwrap();
            let path = format!(
                "/play/domineering?at={}%23{}{}",
                ".".repeat(n % 8),
                ".".repeat(7 - n % 8),
                "/........".repeat(7)
            );
            let _ = stream.write_all(head(&path).as_bytes()).await;
            sleep(Duration::from_millis(100)).await;
        }
    });
    let long = tokio::spawn(async move {
        for n in 20_000.. {
            if Instant::now() > end {
                break;
            }
            let status = get(server, &format!("/value?of=*{n}")).await.0;
            assert!(matches!(status, 200 | 422 | 503), "{status}");
        }
    });
    let slow: Vec<_> = slow.collect();
    let requests = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&requests);
    let random = tokio::spawn(async move {
        let mut runner = TestRunner::default();
        while Instant::now() < end {
            let uri = uri().new_tree(&mut runner).unwrap().current();
            // Hyper refuses what is no request line.
            let (status, response) = get(server, &uri.replace(' ', "+")).await;
            assert!(
                matches!(status, 200 | 202 | 303 | 307 | 308 | 503) || (400..500).contains(&status),
                "{uri}: {response}"
            );
            counted.fetch_add(1, Relaxed);
        }
    });
    let (mut easy, mut longest) = (0, Duration::ZERO);
    while Instant::now() < end {
        let begun = Instant::now();
        easy_questions_are_answered(server, 1).await;
        (easy, longest) = (easy + 1, longest.max(begun.elapsed()));
        sleep(Duration::from_millis(500)).await;
    }
    for task in [held, left, long, random].into_iter().chain(slow) {
        timeout(2 * HANG_TIMEOUT, task).await.unwrap().unwrap();
    }
    println!("{easy} easy questions, the slowest in {longest:?}; {} random requests", requests.load(Relaxed));
}
