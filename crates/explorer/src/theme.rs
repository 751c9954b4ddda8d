//! The colours that a reader has chosen: a cookie of a year, and nothing else about anybody.

use axum::extract::RawQuery;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Redirect, Response};

/// Colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Theme {
    /// As the system has them.
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

    fn of_code(code: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|theme| theme.code() == code)
    }

    /// The one that the reader has chosen.
    pub(crate) fn of(headers: &HeaderMap) -> Self {
        let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
        let themes =
            cookies.flat_map(|cookies| cookies.split(';')).filter_map(|cookie| cookie.trim().strip_prefix("theme="));
        themes.filter_map(Self::of_code).next().unwrap_or_default()
    }

    /// What a page's `data-theme` says.
    pub(crate) fn said(self) -> Option<&'static str> {
        (self != Self::System).then(|| self.code())
    }
}

/// `/theme?to=dark&back=/play/nim`: keeps the choice, and goes back.
pub(crate) async fn chosen(RawQuery(query): RawQuery) -> Response {
    let (mut theme, mut back) = (Theme::System, "/".to_owned());
    for (key, value) in form_urlencoded::parse(query.unwrap_or_default().as_bytes()) {
        match &*key {
            "to" => theme = Theme::of_code(&value).unwrap_or_default(),
            "back" if is_of_ours(&value) => back = value.into_owned(),
            _ => {}
        }
    }
    let age = if theme == Theme::System { 0 } else { 31_536_000 };
    let cookie = format!("theme={}; Path=/; Max-Age={age}; SameSite=Lax; HttpOnly", theme.code());
    let cookie = HeaderValue::from_str(&cookie).unwrap_or_else(|_| HeaderValue::from_static(""));
    ([(header::SET_COOKIE, cookie)], Redirect::to(&back)).into_response()
}

/// Whether it is a path of this server: nobody is to be led elsewhere.
fn is_of_ours(back: &str) -> bool {
    let is_path = back.starts_with('/') && !back[1..].starts_with(['/', '\\']);
    is_path && back.bytes().all(|byte| byte.is_ascii_graphic())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_read_from_the_cookies() {
        let of = |cookies: &'static str| {
            Theme::of(&HeaderMap::from_iter([(header::COOKIE, HeaderValue::from_static(cookies))]))
        };
        assert_eq!((of("theme=dark"), of("a=b; theme=contrast")), (Theme::Dark, Theme::Contrast));
        assert_eq!((of("theme=\"><script>"), of("x=theme=dark")), (Theme::System, Theme::System));
    }

    #[test]
    fn nobody_is_led_elsewhere() {
        assert!(is_of_ours("/play/nim?at=3%205&lang=ko") && is_of_ours("/"));
        for elsewhere in ["//x.example", "/\\x.example", "https://x.example", "", "x", "/a\r\nset-cookie: b", "/é"] {
            assert!(!is_of_ours(elsewhere), "{elsewhere}");
        }
    }
}
