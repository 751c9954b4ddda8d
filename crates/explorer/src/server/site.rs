//! The site that a request comes from, by the browser's fetch metadata. Pages of other sites may not make this machine
//! solve games.

use axum::extract::Request;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::error::RequestError;
use crate::page::{Reader, error_page, respond};
use crate::words::error as say;

/// The origin of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Site {
    /// A page of this server, a typed URL, or no browser.
    Own,
    /// A link on another site that the reader has followed.
    Link,
    /// A page of another site, by itself.
    Other,
}

impl Site {
    /// Reads the [headers](https://www.w3.org/TR/fetch-metadata/) that browsers send.
    pub(crate) fn new(method: &Method, headers: &HeaderMap) -> Self {
        let header = |name: &str| headers.get(name).map(|value| value.as_bytes());
        let is_link = || {
            matches!(*method, Method::GET | Method::HEAD)
                && header("sec-fetch-mode") == Some(b"navigate")
                && header("sec-fetch-dest").is_none_or(|dest| dest == b"document")
        };
        match header("sec-fetch-site") {
            None | Some(b"none" | b"same-origin") => Self::Own,
            Some(_) if is_link() => Self::Link,
            Some(_) => Self::Other,
        }
    }
}

/// Refuses requests that pages of other sites make by themselves.
pub(crate) async fn refuse_cross_site(request: Request, next: Next) -> Response {
    if Site::new(request.method(), request.headers()) != Site::Other {
        return next.run(request).await;
    }
    let reader = Reader::from_query(request.headers(), request.uri().query().unwrap_or_default());
    respond(reader, Ok(error_page(reader, &cross_site_error())))
}

/// [`refuse_cross_site`] with the error as JSON.
pub(crate) async fn refuse_cross_site_api(request: Request, next: Next) -> Response {
    if Site::new(request.method(), request.headers()) != Site::Other {
        return next.run(request).await;
    }
    cross_site_error().into_response()
}

fn cross_site_error() -> RequestError {
    RequestError::localized(StatusCode::FORBIDDEN, say::other_site)
}

#[cfg(test)]
mod tests {
    use axum::http::{HeaderName, HeaderValue};

    use super::*;

    #[test]
    fn links_differ_from_requests_of_other_sites() {
        let site = |method: Method, headers: &[(&'static str, &'static str)]| {
            let header = |(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value));
            Site::new(&method, &headers.iter().copied().map(header).collect())
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
