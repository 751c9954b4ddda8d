//! The files that pages refer to, all within the program.

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::tags::tag;

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The style of a board that stands alone: colours, and what is on it.
pub(crate) const BOARD: [&str; 2] = [include_str!("../assets/colours.css"), include_str!("../assets/board.css")];

/// The pages' style, and that of the boards and trees on them.
const STYLE: &[&str] = &[
    BOARD[0],
    include_str!("../assets/style.css"),
    BOARD[1],
    balpan_pictures::tree::STYLE,
    include_str!("../assets/tree.css"),
];

/// Name, type and content of each, which may be in parts.
const ASSETS: [(&str, &str, &[&str]); 3] = [
    ("style.css", "text/css; charset=utf-8", STYLE),
    ("explorer.js", SCRIPT, &[include_str!("../assets/explorer.js")]),
    ("icon.svg", "image/svg+xml", &[include_str!("../assets/icon.svg")]),
];

/// One of the files, by its name alone.
pub(crate) async fn asset(name: Result<Path<String>, PathRejection>) -> Response {
    let found = name.ok().and_then(|Path(name)| ASSETS.iter().find(|(of, ..)| *of == name));
    let Some((_, kind, content)) = found else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    let content = content.concat();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag(content.as_bytes())),
    ];
    (headers, content).into_response()
}
