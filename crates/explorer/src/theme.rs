//! The reader's choice of colours. It is kept in a cookie for a year; the server stores nothing.

use axum::extract::RawQuery;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};

/// A colour scheme.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// The system's light or dark scheme.
    #[default]
    System,
    Light,
    Dark,
    /// Black on white.
    Contrast,
}

impl Theme {
    pub(crate) const ALL: [Self; 4] = [Self::System, Self::Light, Self::Dark, Self::Contrast];

    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::System => "system",
            Self::Light => "light",
            Self::Dark => "dark",
            Self::Contrast => "contrast",
        }
    }

    fn from_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.code() == code)
    }

    /// Reads the reader's choice.
    pub(crate) fn from_cookies(headers: &HeaderMap) -> Self {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let themes =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().strip_prefix("theme="));
        themes.filter_map(Self::from_code).next().unwrap_or_default()
    }

    /// The value of a page's `data-theme`.
    pub(crate) fn attribute(self) -> Option<&'static str> {
        (self != Self::System).then(|| self.code())
    }
}

/// `/theme?to=dark&back=/play/nim`: stores the choice and redirects back.
pub(crate) async fn set_theme(RawQuery(query): RawQuery) -> Response {
    let (mut theme, mut back) = (Theme::System, "/".to_owned());
    for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*key {
            "to" => theme = Theme::from_code(&value).unwrap_or_default(),
            "back" if is_local_path(&value) => back = value.into_owned(),
            _ => {}
        }
    }
    let age = if theme == Theme::System { 0 } else { 31_536_000 };
    let cookie = format!("theme={}; Path=/; Max-Age={age}; SameSite=Lax; HttpOnly", theme.code());
    let cookie = HeaderValue::from_str(&cookie).unwrap_or_else(|_| HeaderValue::from_static(""));
    ([(header::SET_COOKIE, cookie)], Redirect::to(&back)).into_response()
}

/// Whether a redirect to `back` stays on this server.
fn is_local_path(back: &str) -> bool {
    let is_path = back.starts_with('/') && !back[1..].starts_with(['/', '\\']);
    is_path && back.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_choice_is_read_from_the_cookies() {
        let of = |cookies: &'static str| {
            Theme::from_cookies(&HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(cookies))]))
        };
        assert_eq!((of("theme=dark"), of("a=b; theme=contrast")), (Theme::Dark, Theme::Contrast));
        assert_eq!((of("theme=\"><script>"), of("x=theme=dark")), (Theme::System, Theme::System));
    }

    #[test]
    fn redirects_stay_on_this_server() {
        assert!(is_local_path("/play/nim?at=3%205&lang=ko") && is_local_path("/"));
        for elsewhere in ["//x.example", "/\\x.example", "https://x.example", "", "x", "/a\r\nset-cookie: b", "/é"] {
            assert!(!is_local_path(elsewhere), "{elsewhere}");
        }
    }
}
