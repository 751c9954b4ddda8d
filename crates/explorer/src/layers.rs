//! The layers around all routes: limits on sizes, security headers, compression and entity tags, by which clients reuse
//! responses that have not changed.

use std::future::poll_fn;
use std::hash::{DefaultHasher, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::pin;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_SECURITY_POLICY, CONTENT_TYPE, ETAG, HeaderName,
    HeaderValue, IF_NONE_MATCH, REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, Method, StatusCode};
use axum::middleware::{Next, from_fn, map_response};
use axum::response::Response;
use balpan::{EngineError, RulesFailure};
#[cfg(feature = "server")]
use tower_http::{CompressionLevel, compression::CompressionLayer};

use crate::error::RequestError;
use crate::page::render;
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

/// `Retry-After` of a client that is refused because of the load, in seconds.
pub(crate) const RETRY_SECONDS: u64 = 5;

/// Adds the layers to a router.
pub(crate) fn with_layers(router: Router) -> Router {
    let router = router
        .layer(DefaultBodyLimit::max(MAX_BODY_BYTES))
        .layer(from_fn(refuse_long_urls))
        .layer(from_fn(catch_failure))
        .layer(from_fn(render))
        .layer(from_fn(not_modified));
    #[cfg(feature = "server")]
    let router = router.layer(CompressionLayer::new().quality(CompressionLevel::Fastest));
    router.layer(map_response(add_headers))
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
