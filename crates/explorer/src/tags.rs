//! Entity tags: who has a page or a value already, is told that it is still the same.

use std::hash::{DefaultHasher, Hasher};

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

/// What a tag has at its end where the content is compressed.
const PACKED: &str = "-gzip";

/// The tag of what is said.
pub(crate) fn tag(said: &[u8]) -> HeaderValue {
    let mut hasher = DefaultHasher::new();
    hasher.write(said);
    let text = format!("\"{:x}-{:016x}\"", said.len(), hasher.finish());
    // It is hexadecimal digits in quotes.
    HeaderValue::from_str(&text).unwrap_or(HeaderValue::from_static("\"\""))
}

/// Leaves out what the client has.
pub(crate) async fn only_news(request: Request, next: Next) -> Response {
    let has = request.headers().get_all(IF_NONE_MATCH).iter().cloned().collect::<Vec<_>>();
    let is_asked = matches!(*request.method(), Method::GET | Method::HEAD);
    let mut response = next.run(request).await;
    let is_known = |tag: &HeaderValue| has.iter().any(|has| is_among(tag, has));
    if is_asked && response.status() == StatusCode::OK && response.headers().get(ETAG).is_some_and(is_known) {
        *response.status_mut() = StatusCode::NOT_MODIFIED;
        *response.body_mut() = Body::empty();
        for name in [CONTENT_TYPE, CONTENT_LENGTH] {
            response.headers_mut().remove(name);
        }
    }
    response
}

/// Whether a list of tags has this one, compressed or not.
fn is_among(tag: &HeaderValue, list: &HeaderValue) -> bool {
    let (Ok(tag), Ok(list)) = (tag.to_str(), list.to_str()) else {
        return false;
    };
    let bare = |text: &str| {
        let text = text.trim();
        let text = text.strip_prefix("W/").unwrap_or(text).trim_matches('"');
        text.strip_suffix(PACKED).unwrap_or(text).to_owned()
    };
    list.split(',').any(|item| item.trim() == "*" || bare(item) == bare(tag))
}

/// What is compressed is other bytes, and has another tag.
pub(crate) fn tell_packed(headers: &mut HeaderMap) {
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok()?.strip_suffix('"'))
        && let Ok(packed) = HeaderValue::from_str(&format!("{tag}{PACKED}\""))
    {
        headers.insert(ETAG, packed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_is_found_among_others() {
        let own = tag(b"this");
        assert_ne!(own, tag(b"that"));
        let text = own.to_str().unwrap_or_default();
        let bare = text.trim_matches('"');
        for list in [text.to_owned(), format!("\"a\", W/{text}"), "*".to_owned(), format!("\"{bare}-gzip\", \"b\"")] {
            assert!(HeaderValue::from_str(&list).is_ok_and(|list| is_among(&own, &list)), "{list}");
        }
        for list in ["", "\"a\"", "\"*\""] {
            assert!(!is_among(&own, &HeaderValue::from_static(list)), "{list}");
        }
    }
}
