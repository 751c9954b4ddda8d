//! The host that a request is for.

use std::net::{Ipv4Addr, Ipv6Addr};

use axum::extract::Request;
use axum::http::header::HOST;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

use super::public::Connection;
use crate::error::RequestError;

/// On a connection to a loopback address, refuses requests for any other host: a page of another site makes these after
/// DNS rebinding.
pub(super) async fn require_local_host(request: Request, next: Next) -> Result<Response, RequestError> {
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
