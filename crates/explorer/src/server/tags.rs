//! Entity tags, by which clients reuse responses that have not changed.

use std::hash::{DefaultHasher, Hasher};

use axum::body::Body;
use axum::extract::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, ETAG, HeaderMap, HeaderValue, IF_NONE_MATCH};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::Response;

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
pub(crate) async fn not_modified(request: Request, next: Next) -> Response {
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
pub(crate) fn mark_compressed(headers: &mut HeaderMap) {
    if headers.contains_key(CONTENT_ENCODING)
        && let Some(tag) = headers.get(ETAG).and_then(|tag| tag.to_str().ok()?.strip_suffix('"'))
        && let Ok(marked) = HeaderValue::from_str(&format!("{tag}{COMPRESSED_SUFFIX}\""))
    {
        headers.insert(ETAG, marked);
    }
}

#[cfg(test)]
mod tests {
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
