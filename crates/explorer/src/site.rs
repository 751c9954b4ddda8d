//! Which site a request comes from, as far as the browser tells: a page of another site is not
//! to have this machine solve games.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::page::{Reader, refused, respond};
use crate::refusal::Refusal;
use crate::words::site as say;

/// Where a request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// From a page of ours, from what a reader has typed, or from no browser.
    Own,
    /// A link on another site, which the reader has followed to ours.
    Link,
    /// Something on a page of another site.
    Other,
}

impl Site {
    /// By the [headers](https://www.w3.org/TR/fetch-metadata/) that browsers send.
    pub(crate) fn of(method: &Method, headers: &HeaderMap) -> Self {
        let says = |name: &str| headers.get(name).map(|value| value.as_bytes());
        let is_link = || {
            matches!(*method, Method::GET | Method::HEAD)
                && says("sec-fetch-mode") == Some(b"navigate")
                && says("sec-fetch-dest").is_none_or(|dest| dest == b"document")
        };
        match says("sec-fetch-site") {
            None | Some(b"none" | b"same-origin") => Self::Own,
            Some(_) if is_link() => Self::Link,
            Some(_) => Self::Other,
        }
    }
}

/// Refuses what pages of other sites ask for by themselves.
pub(crate) async fn not_of_others(request: Request, next: Next) -> Response {
    if Site::of(request.method(), request.headers()) != Site::Other {
        return next.run(request).await;
    }
    let reader = Reader::of_query(request.headers(), request.uri().query().unwrap_or_default());
    respond(reader, Ok(refused(reader, &refusal())))
}

/// As [`not_of_others`], in JSON.
pub(crate) async fn api_not_of_others(request: Request, next: Next) -> Response {
    if Site::of(request.method(), request.headers()) != Site::Other {
        return next.run(request).await;
    }
    refusal().into_response()
}

fn refusal() -> Refusal {
    Refusal::told(StatusCode::FORBIDDEN, say::other_site)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn links_are_told_from_what_pages_of_others_ask() {
        let site = |method: Method, said: &[(&'static str, &'static str)]| {
            let header = |(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
            Site::of(&method, &said.iter().copied().map(header).collect())
        };
        let [site_is, mode, dest] = ["sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest"];
        assert_eq!(site(Method::GET, &[]), Site::Own);
        assert_eq!(site(Method::POST, &[(site_is, "same-origin"), (mode, "cors")]), Site::Own);
        assert_eq!(site(Method::GET, &[(site_is, "none"), (mode, "navigate")]), Site::Own);
        for other in ["cross-site", "same-site", "who-knows"] {
            assert_eq!(site(Method::GET, &[(site_is, other), (mode, "navigate"), (dest, "document")]), Site::Link);
            assert_eq!(site(Method::GET, &[(site_is, other), (mode, "navigate"), (dest, "iframe")]), Site::Other);
            assert_eq!(site(Method::GET, &[(site_is, other), (mode, "no-cors"), (dest, "image")]), Site::Other);
            assert_eq!(site(Method::POST, &[(site_is, other), (mode, "navigate"), (dest, "document")]), Site::Other);
            assert_eq!(site(Method::GET, &[(site_is, other)]), Site::Other);
        }
    }
}
