//! Rate limits of a public server: per client address, and for all clients together.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::header::RETRY_AFTER;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use lru::LruCache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::error::RequestError;
use crate::layers::RETRY_SECONDS;
use crate::server::connections::held;
use crate::words::error as say;

/// Limits on the requests of a public server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicLimits {
    /// Requests per second of one address, in the long run.
    pub rate: u32,
    /// Requests that one address may make at once after a pause.
    pub burst: u32,
    /// Requests of all addresses that are handled at the same time.
    pub in_hand: usize,
    /// Requests of one address in service at the same time: handled, or followed as their answer grows.
    pub in_service: usize,
    /// Whether a proxy in front names the client in `X-Forwarded-For`; else the peer of the connection is the client.
    pub behind_proxy: bool,
}

impl Default for PublicLimits {
    fn default() -> Self {
        Self { rate: 10, burst: 60, in_hand: 256, in_service: 32, behind_proxy: false }
    }
}

/// The peer of a connection, and whether the local address is a loopback address.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    pub(crate) peer: IpAddr,
    pub(crate) is_to_this_machine: bool,
}

/// Addresses whose requests are counted; the least recent ones are forgotten.
const MAX_ADDRESSES: NonZeroUsize = NonZeroUsize::MIN.saturating_add(u16::MAX as usize);

/// The state of the limits.
pub(crate) struct Gate {
    public: PublicLimits,
    buckets: Mutex<LruCache<IpAddr, Bucket>>,
    in_hand: Semaphore,
}

impl Gate {
    pub(crate) fn new(public: PublicLimits) -> Self {
        let buckets = Mutex::new(LruCache::new(MAX_ADDRESSES));
        Self { public, buckets, in_hand: Semaphore::new(public.in_hand.min(Semaphore::MAX_PERMITS)) }
    }

    /// Admits a request, or returns how long to wait before the next one.
    fn admit(&self, client: IpAddr, now: Instant) -> Result<OwnedSemaphorePermit, Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full = || Bucket {
            tokens: self.public.burst.max(1).into(),
            since: now,
            in_service: Arc::new(Semaphore::new(self.public.in_service.clamp(1, Semaphore::MAX_PERMITS))),
        };
        let bucket = buckets.get_or_insert_mut(client, full);
        bucket.take(&self.public, now)?;
        Arc::clone(&bucket.in_service).try_acquire_owned().map_err(|_| Duration::from_secs(RETRY_SECONDS))
    }
}

/// A token bucket: each request takes a token, and tokens return at a steady rate.
struct Bucket {
    tokens: f64,
    since: Instant,
    /// A permit for each request in service.
    in_service: Arc<Semaphore>,
}

impl Bucket {
    fn take(&mut self, public: &PublicLimits, now: Instant) -> Result<(), Duration> {
        let (rate, burst) = (f64::from(public.rate.max(1)), f64::from(public.burst.max(1)));
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        (self.tokens, self.since) = ((self.tokens + passed * rate).min(burst), now);
        if self.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.tokens) / rate));
        }
        self.tokens -= 1.0;
        Ok(())
    }
}

/// Admits a request if the limits of its address and of all addresses allow it.
pub(crate) async fn gate(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    // The few assets of a page, and a check of the host, are not counted.
    let path = request.uri().path();
    if path.starts_with("/assets/") || path == "/health" {
        return next.run(request).await;
    }
    let client = client_network(&gate.public, &request);
    let in_service = match client.map(|client| gate.admit(client, Instant::now())).transpose() {
        Ok(in_service) => in_service,
        Err(wait) => return too_many(StatusCode::TOO_MANY_REQUESTS, wait.as_secs() + 1),
    };
    let Ok(_permit) = gate.in_hand.try_acquire() else {
        return too_many(StatusCode::SERVICE_UNAVAILABLE, RETRY_SECONDS);
    };
    // An event stream is in service until its end.
    next.run(request).await.map(|body| held(body, in_service))
}

/// Returns the [network] of the client.
fn client_network(public: &PublicLimits, request: &Request) -> Option<IpAddr> {
    let peer = request.extensions().get::<Connection>().map(|connection| connection.peer);
    let named = if public.behind_proxy { forwarded_client(request.headers()) } else { None };
    named.or(peer).map(network)
}

/// Returns an IPv4 address itself, and of an IPv6 address the network of 64 bits, since one client has many addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6) >> 64 << 64).into(),
        v4 => v4,
    }
}

/// Returns the last address in `X-Forwarded-For`, which the proxy wrote; a client can forge those before it.
fn forwarded_client(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

/// Refuses a request until `seconds` have passed.
fn too_many(status: StatusCode, seconds: u64) -> Response {
    let error = match status {
        StatusCode::TOO_MANY_REQUESTS => RequestError::localized(status, |lang| say::too_many_requests(lang, seconds)),
        _ => RequestError::busy(),
    };
    ([(RETRY_AFTER, HeaderValue::from(seconds))], error).into_response()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use axum::body::Body;

    use super::*;

    #[test]
    fn tokens_return_at_a_steady_rate() {
        let gate = Gate::new(PublicLimits { rate: 2, burst: 3, ..PublicLimits::default() });
        let (start, client) = (Instant::now(), IpAddr::from([192, 0, 2, 1]));
        let at = |millis| gate.admit(client, start + Duration::from_millis(millis)).map(drop);
        assert!((0..3).all(|_| at(0).is_ok()));
        assert_eq!(at(0), Err(Duration::from_millis(500)));
        assert!(at(600).is_ok() && at(600).is_err());
        // Other addresses have their own tokens, and no bucket holds more than the burst.
        assert!(gate.admit(IpAddr::from([192, 0, 2, 2]), start).is_ok());
        assert_eq!((0..9).filter(|_| at(1_000_000).is_ok()).count(), 3);
    }

    #[test]
    fn the_requests_in_service_of_one_address_are_bounded() {
        let gate = Gate::new(PublicLimits { in_service: 2, ..PublicLimits::default() });
        let (now, client) = (Instant::now(), IpAddr::from([192, 0, 2, 1]));
        let held: Vec<_> = (0..2).map(|_| gate.admit(client, now).unwrap()).collect();
        assert!(gate.admit(client, now).is_err() && gate.admit(IpAddr::from([192, 0, 2, 2]), now).is_ok());
        drop(held);
        assert!(gate.admit(client, now).is_ok());
    }

    #[test]
    fn a_proxy_is_trusted_only_if_there_is_one() {
        let client = |behind_proxy, peer: &str, forwarded_client: &str| {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(Connection { peer: peer.parse().unwrap(), is_to_this_machine: false });
            if !forwarded_client.is_empty() {
                request.headers_mut().append("x-forwarded-for", HeaderValue::from_str(forwarded_client).unwrap());
            }
            client_network(&PublicLimits { behind_proxy, ..PublicLimits::default() }, &request).unwrap().to_string()
        };
        assert_eq!(client(false, "192.0.2.1", "198.51.100.7"), "192.0.2.1");
        assert_eq!(client(true, "192.0.2.1", "203.0.113.9, 198.51.100.7"), "198.51.100.7");
        assert_eq!(client(true, "192.0.2.1", "nonsense"), "192.0.2.1");
        assert_eq!(client(true, "192.0.2.1", ""), "192.0.2.1");
        assert_eq!(client(false, "2001:db8:1:2:3:4:5:6", ""), "2001:db8:1:2::");
        assert_eq!(client(false, "::ffff:192.0.2.1", ""), "192.0.2.1");
    }
}
