//! What a page or an answer depends on in a request: the parameters, the reader's language and colours, and the site that the
//! request comes from.

use std::convert::Infallible;

use axum::extract::{FromRequestParts, Path, Request};
use axum::http::request::Parts;
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::error::RequestError;
use crate::link::Link;
use crate::words::{Lang, error as say};

/// A request without a body, as far as a page or an answer depends on it.
pub(crate) struct GetRequest {
    pub(crate) reader: Reader,
    /// The site that the request comes from.
    pub(crate) site: Site,
    /// This server's address, as the client knows it.
    pub(crate) origin: Option<String>,
    /// The parameter in the path; `None` if there is none or it is not UTF-8.
    pub(crate) name: Option<String>,
    pub(crate) query: String,
}

impl<S: Send + Sync> FromRequestParts<S> for GetRequest {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let query = parts.uri.query().unwrap_or_default().to_owned();
        let name = Path::from_request_parts(parts, state).await.ok().map(|Path(name)| name);
        let headers = &parts.headers;
        let (reader, site) = (Reader::new(headers, &query), Site::new(&parts.method, headers));
        Ok(Self { reader, site, origin: origin(headers), name, query })
    }
}

impl GetRequest {
    /// Parses the URL of a page about the game in the path. `keys` are the keys of this kind of page.
    pub(crate) fn link(&self, keys: &[&str]) -> Result<Link, RequestError> {
        Link::parse(self.name.as_deref().ok_or_else(|| RequestError::not_found(say::no_page))?, &self.query, keys)
    }
}

/// Returns this server's address as the client knows it: `https://example.org`.
fn origin(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?.parse::<Authority>().ok()?;
    let is_secure = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes() == b"https");
    Some(format!("{}://{host}", if is_secure { "https" } else { "http" }))
}

/// The reader's language and colours.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// The language to write in.
    pub(crate) lang: Lang,
    /// The language in the URL, which links repeat.
    pub(crate) url_lang: Option<Lang>,
    /// The colours of the theme cookie.
    pub(crate) theme: Theme,
}

impl Reader {
    /// Uses the language of the URL, whatever else is in its query, or else the one that the browser prefers.
    pub(crate) fn new(headers: &HeaderMap, query: &str) -> Self {
        let url_lang = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "lang");
        let url_lang = url_lang.and_then(|(_, code)| Lang::from_code(&code));
        let lang = url_lang.unwrap_or_else(|| preferred_lang(headers));
        Self { lang, url_lang, theme: Theme::from_cookies(headers) }
    }

    /// Returns a path of this server with the language of the URL: `/help?lang=ko`.
    pub(crate) fn url(self, path: &str) -> String {
        self.url_lang.map_or_else(|| path.to_owned(), |lang| format!("{path}?lang={}", lang.code()))
    }

    pub(crate) fn link_to(self, game: &str) -> Link {
        Link { game: game.to_owned(), lang: self.url_lang, ..Link::default() }
    }
}

/// Returns the supported language with the highest weight in `Accept-Language`; of equal weights, the first one.
fn preferred_lang(headers: &HeaderMap) -> Lang {
    let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let weighed = accepted.split(',').filter_map(|item| {
        let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        let lang = Lang::from_code(tag.trim().split('-').next().unwrap_or_default())?;
        let weight: f32 = weight.trim().strip_prefix("q=")?.parse().ok()?;
        Some((lang, weight))
    });
    weighed.fold((Lang::default(), 0.0), |best, next| if next.1 > best.1 { next } else { best }).0
}

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
    fn from_cookies(headers: &HeaderMap) -> Self {
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

/// `/theme?to=dark&back=/play/nim`: stores the choice in a cookie for a year, and redirects back.
pub(crate) async fn set_theme(GetRequest { query, .. }: GetRequest) -> Response {
    let (mut theme, mut back) = (Theme::System, "/".to_owned());
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
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

/// Refuses requests that pages of other sites make by themselves: they may not make this machine solve games.
pub(crate) async fn refuse_cross_site(request: Request, next: Next) -> Result<Response, RequestError> {
    match Site::new(request.method(), request.headers()) {
        Site::Other => Err(RequestError::localized(StatusCode::FORBIDDEN, say::other_site)),
        Site::Own | Site::Link => Ok(next.run(request).await),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use axum::http::HeaderName;

    use super::*;

    #[test]
    fn the_language_of_the_highest_weight_is_preferred() {
        let language = |accepted: &'static str| {
            let headers = [(header::ACCEPT_LANGUAGE, HeaderValue::from_static(accepted))];
            preferred_lang(&HeaderMap::from_iter(headers))
        };
        for (accepted, expected) in [
            ("ko", Lang::Ko),
            ("ko-KR,ko;q=0.9,en;q=0.8", Lang::Ko),
            ("en-GB,en;q=0.9,ko;q=0.8", Lang::En),
            ("fr,ko;q=0.3,en;q=0.2", Lang::Ko),
            ("fr", Lang::En),
            ("", Lang::En),
            ("ko;q=x,;;,q", Lang::En),
            ("ko;q=0", Lang::En),
        ] {
            assert_eq!(language(accepted), expected, "{accepted}");
        }
    }

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
