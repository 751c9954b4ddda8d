//! The layers around all routes: limits on sizes, security headers, compression and entity tags.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;

use crate::error::RequestError;
use crate::server::public::{Connection, Gate, PublicLimits, add_retry_after, gate};
use crate::server::tags::{mark_compressed, not_modified};

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
    let router = router
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn(not_modified))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest));
    let router = match public {
        Some(public) => router.layer(from_fn_with_state(Arc::new(Gate::new(public)), gate)),
        None => router.layer(from_fn(require_local_host)),
    };
    router.layer(from_fn(guard))
}

async fn guard(request: Request, next: Next) -> Response {
    let length = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let mut response = if length > MAX_URI_BYTES {
        let message = format!("a URL of {length} bytes");
        let error = RequestError::new(StatusCode::URI_TOO_LONG, message, format!("{MAX_URI_BYTES} at most"));
        error_response(request.uri().path(), error)
    } else {
        next.run(request).await
    };
    add_retry_after(&mut response);
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    mark_compressed(headers);
    response
}

/// On a connection to a loopback address, refuses requests for any other host: a page of another site makes these after
/// DNS rebinding.
async fn require_local_host(request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Connection>();
    let is_reached_from_elsewhere = connection.is_none_or(|connection| !connection.is_to_this_machine);
    if is_reached_from_elsewhere || is_local_host(request.uri().authority(), request.headers()) {
        return next.run(request).await;
    }
    let help = "use http://localhost or http://127.0.0.1; others reach a server that is bound to their address";
    let error = RequestError::new(StatusCode::MISDIRECTED_REQUEST, "this server is no other host's", help);
    error_response(request.uri().path(), error)
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

/// The error of a request that reaches no page: plain text, or under `/api` JSON.
fn error_response(path: &str, error: RequestError) -> Response {
    if path.starts_with("/api/") {
        return error.into_response();
    }
    (error.status, format!("{}: {}\n", error.message, error.help)).into_response()
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
}
