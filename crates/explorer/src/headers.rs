//! What every request and every response has to keep: sizes, and the headers by which a
//! browser keeps a page to itself; and what spares time on the way, compression and tags.

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

use crate::public::{Connection, Gate, Public, gate, tell_when};
use crate::refusal::Refusal;
use crate::tags::{only_news, tell_packed};

/// Bytes of the longest path with its query.
const LONGEST_URI: usize = 8 << 10;

/// Bytes of the largest body.
pub(crate) const LARGEST_BODY: usize = 64 << 10;

/// No script but the explorer's own, nothing from elsewhere, in nobody's frame.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// What each response says, unless it says otherwise itself.
const HEADERS: [(HeaderName, &str); 7] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (REFERRER_POLICY, "no-referrer"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    (HeaderName::from_static("permissions-policy"), "camera=(), geolocation=(), microphone=()"),
    (CACHE_CONTROL, "no-cache"),
];

/// The router, within limits and with these headers.
pub(crate) fn around(router: Router, public: Option<Public>) -> Router {
    let router = router
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn(only_news))
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest));
    let router = match public {
        Some(public) => router.layer(from_fn_with_state(Arc::new(Gate::new(public)), gate)),
        None => router.layer(from_fn(only_this_machine)),
    };
    router.layer(from_fn(guard))
}

async fn guard(request: Request, next: Next) -> Response {
    let length = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let mut response = if length > LONGEST_URI {
        let message = format!("a URL of {length} bytes");
        let refusal = Refusal::new(StatusCode::URI_TOO_LONG, message, format!("{LONGEST_URI} at most"));
        refused(request.uri().path(), refusal)
    } else {
        next.run(request).await
    };
    tell_when(&mut response);
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.entry(name).or_insert(HeaderValue::from_static(value));
    }
    tell_packed(headers);
    response
}

/// Where only this machine reaches the server: refuses requests for any other host, as a
/// page from elsewhere would make whose name has been turned to this machine.
async fn only_this_machine(request: Request, next: Next) -> Response {
    let connection = request.extensions().get::<Connection>();
    let is_reached_from_elsewhere = connection.is_none_or(|connection| !connection.is_to_this_machine);
    if is_reached_from_elsewhere || is_of_this_machine(request.uri().authority(), request.headers()) {
        return next.run(request).await;
    }
    let help = "use http://localhost or http://127.0.0.1; others reach a server that is bound to their address";
    let refusal = Refusal::new(StatusCode::MISDIRECTED_REQUEST, "this server is no other host's", help);
    refused(request.uri().path(), refusal)
}

fn is_of_this_machine(authority: Option<&Authority>, headers: &HeaderMap) -> bool {
    let is_ours = |authority: &Authority| {
        let host = authority.host();
        let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        // The address itself is nobody's to turn elsewhere.
        let is_loopback = match bare {
            Some(v6) => v6.parse().is_ok_and(|address: Ipv6Addr| address.is_loopback()),
            None => host.parse().is_ok_and(|address: Ipv4Addr| address.is_loopback()),
        };
        host.eq_ignore_ascii_case("localhost") || is_loopback
    };
    let host = |value: &HeaderValue| value.to_str().ok()?.parse::<Authority>().ok();
    let hosts = headers.get_all(HOST).iter();
    authority.is_none_or(is_ours) && hosts.map(host).all(|host| host.as_ref().is_some_and(is_ours))
}

/// A refusal of what reaches no page: plain text, or under `/api` JSON.
fn refused(path: &str, refusal: Refusal) -> Response {
    if path.starts_with("/api/") {
        return refusal.into_response();
    }
    (refusal.status, format!("{}: {}\n", refusal.message, refusal.help)).into_response()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn this_machine_has_names_of_its_own() {
        let is_ours = |host: &str| {
            let headers = [(HOST, HeaderValue::from_str(host).unwrap())].into_iter().collect();
            is_of_this_machine(None, &headers)
        };
        for host in ["localhost", "localhost:8000", "LOCALHOST", "127.0.0.1:1", "127.0.0.2", "[::1]", "[::1]:8000"] {
            assert!(is_ours(host), "{host}");
        }
        for host in
            ["example.org", "localhost.example.org:8000", "127.0.0.1.example.org", "192.168.0.1", "", "::1", "é"]
        {
            assert!(!is_ours(host), "{host}");
        }
        assert!(is_of_this_machine(None, &HeaderMap::new()));
        assert!(!is_of_this_machine(Some(&Authority::from_static("example.org")), &HeaderMap::new()));
    }
}
