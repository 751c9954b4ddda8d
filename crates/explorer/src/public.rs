//! A server that anybody reaches: what one address may ask for, and what all may at a time.

use std::net::{IpAddr, Ipv6Addr};
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::{Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use lru::LruCache;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::connections::held;
use crate::page::{Reader, respond};
use crate::refusal::Refusal;
use crate::words::refusal as say;

/// What a server that anybody reaches allows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Public {
    /// Requests of one address a second, in the long run.
    pub rate: u32,
    /// Requests of one address at once, after a while without any.
    pub burst: u32,
    /// Requests of all that are in hand at a time.
    pub in_hand: usize,
    /// Requests of one address in service at the same time: those in hand, and those whose answer is followed as it grows.
    pub in_service: usize,
    /// Whether a proxy in front tells by `X-Forwarded-For` who asks; else that is who has connected.
    pub behind_proxy: bool,
}

impl Default for Public {
    fn default() -> Self {
        Self { rate: 10, burst: 60, in_hand: 256, in_service: 32, behind_proxy: false }
    }
}

/// Who has connected, and whether to an address that only this machine reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Connection {
    pub(crate) peer: IpAddr,
    pub(crate) is_to_this_machine: bool,
}

/// Addresses that are remembered: those that asked last.
const MOST_ADDRESSES: NonZeroUsize = match NonZeroUsize::new(1 << 16) {
    Some(most) => most,
    None => NonZeroUsize::MIN,
};

/// Who is refused for what all ask is to wait so long.
const SECONDS_TO_WAIT: u64 = 5;

/// What is kept of those who ask.
pub(crate) struct Gate {
    public: Public,
    buckets: Mutex<LruCache<IpAddr, Bucket>>,
    in_hand: Semaphore,
}

impl Gate {
    pub(crate) fn new(public: Public) -> Self {
        let buckets = Mutex::new(LruCache::new(MOST_ADDRESSES));
        Self { public, buckets, in_hand: Semaphore::new(public.in_hand.min(Semaphore::MAX_PERMITS)) }
    }

    /// Admits a request, or returns how long to wait before the next one.
    fn admit(&self, who: IpAddr, now: Instant) -> Result<OwnedSemaphorePermit, Duration> {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        let full = || Bucket {
            tokens: self.public.burst.max(1).into(),
            since: now,
            in_service: Arc::new(Semaphore::new(self.public.in_service.clamp(1, Semaphore::MAX_PERMITS))),
        };
        let bucket = buckets.get_or_insert_mut(who, full);
        bucket.take(&self.public, now)?;
        Arc::clone(&bucket.in_service).try_acquire_owned().map_err(|_| Duration::from_secs(SECONDS_TO_WAIT))
    }
}

/// Tokens, one for each request: they run in at a steady rate, up to what the bucket holds.
struct Bucket {
    tokens: f64,
    since: Instant,
    /// Places for the requests in service.
    in_service: Arc<Semaphore>,
}

impl Bucket {
    fn take(&mut self, public: &Public, now: Instant) -> Result<(), Duration> {
        let (rate, most) = (f64::from(public.rate.max(1)), f64::from(public.burst.max(1)));
        let passed = now.saturating_duration_since(self.since).as_secs_f64();
        (self.tokens, self.since) = ((self.tokens + passed * rate).min(most), now);
        if self.tokens < 1.0 {
            return Err(Duration::from_secs_f64((1.0 - self.tokens) / rate));
        }
        self.tokens -= 1.0;
        Ok(())
    }
}

/// Lets a request in, if its address and all others leave room for it.
pub(crate) async fn gate(State(gate): State<Arc<Gate>>, request: Request, next: Next) -> Response {
    // What a page refers to is little, and comes with it.
    if request.uri().path().starts_with("/assets/") {
        return next.run(request).await;
    }
    let who = who_asks(&gate.public, &request);
    let in_service = match who.map(|who| gate.admit(who, Instant::now())).transpose() {
        Ok(in_service) => in_service,
        Err(wait) => return refused(&request, StatusCode::TOO_MANY_REQUESTS, wait.as_secs() + 1),
    };
    let Ok(_place) = gate.in_hand.try_acquire() else {
        return refused(&request, StatusCode::SERVICE_UNAVAILABLE, SECONDS_TO_WAIT);
    };
    // What is sent as it becomes known is in service until its end.
    next.run(request).await.map(|body| held(body, in_service))
}

/// The [network] of the client.
fn who_asks(public: &Public, request: &Request) -> Option<IpAddr> {
    let peer = request.extensions().get::<Connection>().map(|connection| connection.peer);
    let told = if public.behind_proxy { forwarded(request.headers()) } else { None };
    told.or(peer).map(network)
}

/// The address itself, or for IPv6 its network of 64 bits, each machine of which has many addresses.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => Ipv6Addr::from(u128::from(v6) >> 64 << 64).into(),
        v4 => v4,
    }
}

/// Whom the proxy in front has seen: the last of the list, since whoever asks writes what stands before it.
fn forwarded(headers: &HeaderMap) -> Option<IpAddr> {
    let last = headers.get_all("x-forwarded-for").iter().next_back()?;
    last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
}

fn refused(request: &Request, status: StatusCode, seconds: u64) -> Response {
    let refusal = match status {
        StatusCode::TOO_MANY_REQUESTS => Refusal::told(status, |lang| say::too_many_requests(lang, seconds)),
        _ => Refusal::busy(),
    };
    let mut response = if request.uri().path().starts_with("/api/") {
        refusal.into_response()
    } else {
        let reader = Reader::of_query(request.headers(), request.uri().query().unwrap_or_default());
        respond(reader, Err(refusal))
    };
    response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
    response
}

/// Who is told that there is no room is told when to ask again.
pub(crate) fn tell_when(response: &mut Response) {
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().entry(header::RETRY_AFTER).or_insert(HeaderValue::from(SECONDS_TO_WAIT));
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use axum::body::Body;

    use super::*;

    #[test]
    fn tokens_run_in_at_a_steady_rate() {
        let gate = Gate::new(Public { rate: 2, burst: 3, ..Public::default() });
        let (start, who) = (Instant::now(), IpAddr::from([192, 0, 2, 1]));
        let at = |millis| gate.admit(who, start + Duration::from_millis(millis)).map(drop);
        assert!((0..3).all(|_| at(0).is_ok()));
        assert_eq!(at(0), Err(Duration::from_millis(500)));
        assert!(at(600).is_ok() && at(600).is_err());
        // Others have their own, and none holds more than is allowed at once.
        assert!(gate.admit(IpAddr::from([192, 0, 2, 2]), start).is_ok());
        assert_eq!((0..9).filter(|_| at(1_000_000).is_ok()).count(), 3);
    }

    #[test]
    fn one_address_has_a_part_of_what_is_in_service() {
        let gate = Gate::new(Public { in_service: 2, ..Public::default() });
        let (now, who) = (Instant::now(), IpAddr::from([192, 0, 2, 1]));
        let held: Vec<_> = (0..2).map(|_| gate.admit(who, now).unwrap()).collect();
        assert!(gate.admit(who, now).is_err() && gate.admit(IpAddr::from([192, 0, 2, 2]), now).is_ok());
        drop(held);
        assert!(gate.admit(who, now).is_ok());
    }

    #[test]
    fn a_proxy_is_believed_only_where_there_is_one() {
        let asked = |behind_proxy, peer: &str, forwarded: &str| {
            let mut request = Request::new(Body::empty());
            request.extensions_mut().insert(Connection { peer: peer.parse().unwrap(), is_to_this_machine: false });
            if !forwarded.is_empty() {
                request.headers_mut().append("x-forwarded-for", HeaderValue::from_str(forwarded).unwrap());
            }
            who_asks(&Public { behind_proxy, ..Public::default() }, &request).unwrap().to_string()
        };
        assert_eq!(asked(false, "192.0.2.1", "198.51.100.7"), "192.0.2.1");
        assert_eq!(asked(true, "192.0.2.1", "203.0.113.9, 198.51.100.7"), "198.51.100.7");
        assert_eq!(asked(true, "192.0.2.1", "nonsense"), "192.0.2.1");
        assert_eq!(asked(true, "192.0.2.1", ""), "192.0.2.1");
        assert_eq!(asked(false, "2001:db8:1:2:3:4:5:6", ""), "2001:db8:1:2::");
        assert_eq!(asked(false, "::ffff:192.0.2.1", ""), "192.0.2.1");
    }
}
