//! The files that pages refer to, compiled into the program.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::extract::rejection::PathRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use crate::layers::tag;

const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The colours of the system's or the reader's choice, and the style of boards.
const COLOURS: [&str; 7] = [
    include_str!("../assets/colours.css"),
    "@media (prefers-color-scheme: dark) { :root:not([data-theme]) {\n",
    DARK,
    "} }\n:root[data-theme=dark] {\n",
    DARK,
    "}\n",
    include_str!("../assets/board.css"),
];

const DARK: &str = include_str!("../assets/dark.css");

/// The style of a standalone board.
pub(crate) fn board_style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(|| COLOURS.concat());
    &STYLE
}

/// The style of pages, with the boards and trees on them.
fn page_style() -> &'static str {
    static STYLE: LazyLock<String> = LazyLock::new(|| {
        let trees = balpan_pictures::tree::STYLE;
        // The dark colours of trees follow the reader's choice too, with the least specificity.
        let (light, dark) = trees.split_once("@media (prefers-color-scheme: dark) {").unwrap_or((trees, "}"));
        let dark = dark.trim_end().trim_end_matches('}');
        let parts = [
            board_style(),
            include_str!("../assets/style.css"),
            light,
            "@media (prefers-color-scheme: dark) { :where(:root:not([data-theme])) {",
            dark,
            "} }\n:where(:root[data-theme=dark]) {",
            dark,
            "}\n",
            include_str!("../assets/tree.css"),
        ];
        parts.concat()
    });
    &STYLE
}

/// The name, the type and the content of a file.
type Asset = (&'static str, &'static str, fn() -> &'static str);

const ASSETS: [Asset; 3] = [
    ("style.css", "text/css; charset=utf-8", page_style),
    ("explorer.js", SCRIPT, || include_str!("../assets/explorer.js")),
    ("icon.svg", "image/svg+xml", || include_str!("../assets/icon.svg")),
];

/// Serves a file by its name.
pub(crate) async fn asset(name: Result<Path<String>, PathRejection>) -> Response {
    let found = name.ok().and_then(|Path(name)| ASSETS.iter().find(|(of, ..)| *of == name));
    let Some((_, kind, content)) = found else {
        return (StatusCode::NOT_FOUND, "there is no such file\n").into_response();
    };
    let content = content();
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag(content.as_bytes())),
    ];
    (headers, content).into_response()
}
