//! The layers around all routes: limits on sizes, security headers, compression and entity tags, by which clients reuse
//! responses that have not changed.

use std::future::poll_fn;
use std::hash::{DefaultHasher, Hasher};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HOST, HeaderName,
    HeaderValue, IF_NONE_MATCH, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state, map_response};
use axum::response::Response;
use balpan::{EngineError, RulesFailure};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use crate::error::RequestError;
use crate::page::render;
use crate::server::public::{Connection, Gate, PublicLimits, RETRY_SECONDS, gate};

/// Bytes of the longest URL.
const MAX_URI_BYTES: usize = 8 << 10;

/// Bytes of the largest body.
pub(crate) const MAX_BODY_BYTES: usize = 64 << 10;

/// Allows the explorer's own script and style, nothing from elsewhere, and no frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Headers of each response that does not set them itself.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (CACHE_CONTROL, "no-cache"),
];

/// Adds the layers to a router.
pub(crate) fn with_layers(router: Router, public: Option<PublicLimits>) -> Router {
    let router = router.layer(DefaultBodyLimit::max(MAX_BODY_BYTES));
    let router = match public {
        Some(public) => router.layer(from_fn_with_state(Arc::new(Gate::new(public)), gate)),
        None => router.layer(from_fn(require_local_host)),
    };
    router
        .layer(from_fn(refuse_long_urls))
        .layer(from_fn(catch_failure))
        .layer(from_fn(render))
        .layer(from_fn(not_modified))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest))
        .layer(map_response(add_headers))
}

/// Responds with an error where the rules of a game of one's own fail.
async fn catch_failure(request: Request, next: Next) -> Result<Response, RequestError> {
    let mut response = pin!(next.run(request));
    let poll = |context: &mut Context<'_>| match catch_unwind(AssertUnwindSafe(|| response.as_mut().poll(context))) {
        Ok(poll) => poll.map(Ok),
        Err(panic) => Poll::Ready(Err(panic)),
    };
    poll_fn(poll).await.map_err(|panic| match panic.downcast::<RulesFailure>() {
        Ok(failure) => EngineError::from(*failure).into(),
        Err(panic) => resume_unwind(panic),
    })
}

async fn refuse_long_urls(request: Request, next: Next) -> Result<Response, RequestError> {
    let length = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    if length > MAX_URI_BYTES {
        let message = format!("a URL of {length} bytes");
        return Err(RequestError::new(StatusCode::URI_TOO_LONG, message, format!("{MAX_URI_BYTES} at most")));
    }
    Ok(next.run(request).await)
}

async fn add_headers(mut response: Response) -> Response {
    let is_unavailable = response.status() == StatusCode::SERVICE_UNAVAILABLE;
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    if is_unavailable {
        headers.entry(RETRY_AFTER).or_insert(HeaderValue::from(RETRY_SECONDS));
    }
    mark_compressed(headers);
    response
}

/// On a connection to a loopback address, refuses requests for any other host: a page of another site makes these after
/// DNS rebinding.
async fn require_local_host(request: Request, next: Next) -> Result<Response, RequestError> {
    let connection = request.extensions().get::<Connection>();
    let is_reached_from_elsewhere = connection.is_none_or(|connection| !connection.is_to_this_machine);
    if is_reached_from_elsewhere || is_local_host(request.uri().authority(), request.headers()) {
        return Ok(next.run(request).await);
    }
    let help = "use http://localhost or http://127.0.0.1; others reach a server that is bound to their address";
    Err(RequestError::new(StatusCode::MISDIRECTED_REQUEST, "this server is no other host's", help))
}

fn is_local_host(authority: Option<&Authority>, headers: &HeaderMap) -> bool {
    let is_local = |authority: &Authority| {
        let host = authority.host();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        // No DNS name stands for a literal address.
        let is_loopback = match bare {
            Some(v6) => v6.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
            None => host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback()),
        };
        host.eq_ignore_ascii_case("localhost") || is_loopback
    };
    let host = |value: &HeaderValue| value.to_str().ok()?.parse::<Authority>().ok();
    let hosts = headers.get_all(HOST).iter();
    authority.is_none_or(is_local) && hosts.map(host).all(|host| host.as_ref().is_some_and(is_local))
}

/// The suffix of the tags of compressed content.
const COMPRESSED_SUFFIX: &str = "-gzip";

/// Returns the tag of a content.
pub(crate) fn tag(content: &[u8]) -> HeaderValue {
    let mut hasher = DefaultHasher::new();
    hasher.write(content);
    let text = format!("\"{:x}-{:016x}\"", content.len(), hasher.finish());
    // Hexadecimal digits in quotes are a valid header.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Responds with status 304 if the client has the content already.
async fn not_modified(request: Request, next: Next) -> Response {
    let has = request.headers().get_all(IF_NONE_MATCH).iter().cloned().collect::<Vec<_>>();
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = next.run(request).await;
    let is_known = |tag: &HeaderValue| has.iter().any(|has| matches_any(tag, has));
    if is_read && response.status() == StatusCode::OK && response.headers().get(ETAG).is_some_and(is_known) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        for name in [CONTENT_TYPE, CONTENT_LENGTH] {
            response.headers_mut().remove(name);
        }
    }
    response
}

/// Whether a list of tags has this one, compressed or not.
fn matches_any(tag: &HeaderValue, list: &HeaderValue) -> bool {
    let (Ok(tag), Ok(list)) = (tag.to_str(), list.to_str()) else {
        return false;
    };
    let bare = |text: &str| {
        let text = text.trim();
        let text = text.strip_prefix("W/").unwrap_or(text).trim_matches('"');
        text.strip_suffix(COMPRESSED_SUFFIX).unwrap_or(text).to_owned()
    };
    list.split(',').any(|item| item.trim() == "*" || bare(item) == bare(tag))
}

/// Marks the tag of compressed content, whose bytes differ.
fn mark_compressed(headers: &mut HeaderMap) {
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok()?.strip_suffix('"'))
        && let Ok(marked) = HeaderValue::from_str(&format!("{tag}{COMPRESSED_SUFFIX}\""))
    {
        headers.insert(ETAG, marked);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn loopback_hosts_are_local() {
        let is_local = |host: &str| {
            let headers = [(HOST, HeaderValue::from_str(host).unwrap())].into_iter().collect();
            is_local_host(None, &headers)
        };
        for host in ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:1", "127.0.0.2", "[::1]", "[::1]:8000"] {
            assert!(is_local(host), "{host}");
        }
        for host in
            ["example.org", "localhost.example.org:8000", "127.0.0.1.example.org", "192.168.0.1", "", "::1", "é"]
        {
            assert!(!is_local(host), "{host}");
        }
        assert!(is_local_host(None, &HeaderMap::new()));
        assert!(!is_local_host(Some(&Authority::from_static("example.org")), &HeaderMap::new()));
    }

    #[test]
    fn a_tag_matches_a_list() {
        let own = tag(b"this");
        assert_ne!(own, tag(b"that"));
        let text = own.to_str().unwrap_or_default();
        let bare = text.trim_matches('"');
        for list in [text.to_owned(), format!("\"a\", W/{text}"), "*".to_owned(), format!("\"{bare}-gzip\", \"b\"")] {
            assert!(HeaderValue::from_str(&list).is_ok_and(|list| matches_any(&own, &list)), "{list}");
        }
        for list in ["", "\"a\"", "\"*\""] {
            assert!(!matches_any(&own, &HeaderValue::from_static(list)), "{list}");
        }
    }
}
