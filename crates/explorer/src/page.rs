//! Pages and their common frame, and the reader for whom a page is written.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::error::RequestError;
use crate::link::Link;
use crate::server::tags::tag;
use crate::theme::Theme;
use crate::words::{Lang, certificates, frame as say, help, learn, puzzles, stress, values};

/// A page without its frame.
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) title: String,
    /// Returns the URL of the page in a language.
    pub(crate) url: Box<dyn Fn(Lang) -> String + Send>,
    /// Whether the page is incomplete, so that the browser reloads it.
    pub(crate) is_waiting: bool,
    /// The absolute URL of a picture of the content, for link previews.
    pub(crate) picture: Option<String>,
    /// The content in a sentence.
    pub(crate) description: Option<String>,
    pub(crate) body: Markup,
}

impl Page {
    pub(crate) fn new(title: impl Into<String>, url: impl Fn(Lang) -> String + Send + 'static, body: Markup) -> Self {
        Self {
            status: StatusCode::OK,
            title: title.into(),
            url: Box::new(url),
            is_waiting: false,
            picture: None,
            description: None,
            body,
        }
    }
}

/// A page, or the URL to show instead.
pub(crate) enum PageOrRedirect {
    Page(Page),
    Redirect(String),
}

/// Returns this server's address as the client knows it: `https://example.org`.
pub(crate) fn origin(headers: &HeaderMap) -> Option<String> {
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
    theme: Theme,
}

impl Reader {
    /// Uses the language of the URL, or else the one that the browser prefers.
    pub(crate) fn new(headers: &HeaderMap, url_lang: Option<Lang>) -> Self {
        let lang = url_lang.unwrap_or_else(|| preferred_lang(headers));
        Self { lang, url_lang, theme: Theme::from_cookies(headers) }
    }

    /// Reads `lang` from a query, whatever else is in it.
    pub(crate) fn from_query(headers: &HeaderMap, query: &str) -> Self {
        let lang = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "lang");
        Self::new(headers, lang.and_then(|(_, code)| Lang::from_code(&code)))
    }

    /// `?lang=ko`, if that is in the URL.
    fn query(self) -> String {
        self.url_lang.map_or_else(String::new, |lang| format!("?lang={}", lang.code()))
    }

    pub(crate) fn home(self) -> String {
        format!("/{}", self.query())
    }

    pub(crate) fn learn(self) -> String {
        format!("/learn{}", self.query())
    }

    pub(crate) fn puzzles(self) -> String {
        format!("/puzzles{}", self.query())
    }

    pub(crate) fn stress(self) -> String {
        format!("/stress{}", self.query())
    }

    pub(crate) fn help(self) -> String {
        format!("/help{}", self.query())
    }

    pub(crate) fn values(self) -> String {
        format!("/value{}", self.query())
    }

    pub(crate) fn certificates(self) -> String {
        format!("/certificates{}", self.query())
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

/// Renders the page in its frame.
pub(crate) fn render(reader: Reader, page: &Page) -> Markup {
    let lang = reader.lang;
    html! {
        (DOCTYPE)
        html lang=(lang.code()) data-theme=[reader.theme.attribute()] {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (page.title) " · balpan" }
                @let description = page.description.as_deref().unwrap_or(help::what(lang));
                meta name="description" content=(description);
                meta property="og:site_name" content="balpan";
                meta property="og:type" content="website";
                meta property="og:title" content=(page.title);
                meta property="og:description" content=(description);
                meta name="twitter:card" content="summary";
                @if let Some(picture) = &page.picture {
                    meta property="og:image" content=(picture);
                    meta property="og:image:type" content="image/svg+xml";
                    meta property="og:image:alt" content=(page.title);
                }
                link rel="icon" href="/assets/icon.svg" type="image/svg+xml";
                link rel="stylesheet" href="/assets/style.css";
                script type="module" src="/assets/explorer.js" {}
                // Nothing is painted before the page is complete: a part that arrives later would move what is there.
                link rel="expect" href="#foot" blocking="render";
                @if page.is_waiting {
                    noscript { (PreEscaped("<meta http-equiv=\"refresh\" content=\"2\">")) }
                }
            }
            body data-waiting[page.is_waiting] {
                a.skip href="#main" { (say::skip(lang)) }
                header.site {
                    a.brand href=(reader.home()) {
                        (logo())
                        span { b { "balpan" } " " small { (say::tagline(lang)) } }
                    }
                    nav #pages aria-label=(say::pages(lang)) {
                        a href=(reader.home()) { (say::games(lang)) }
                        a href=(reader.learn()) { (learn::title(lang)) }
                        a href=(reader.puzzles()) { (puzzles::title(lang)) }
                        a href=(reader.stress()) { (stress::short(lang)) }
                    }
                    nav #lang aria-label=(say::languages(lang)) {
                        @for other in Lang::ALL {
                            a href=((page.url)(other)) lang=(other.code()) hreflang=(other.code())
                                aria-current=[(other == lang).then_some("true")] { (say::native_name(other)) }
                        }
                    }
                }
                main #main { (page.body) }
                footer #foot.site {
                    p.actions {
                        a href=(reader.help()) { (help::title(lang)) }
                        a href=(reader.values()) { (values::values(lang)) }
                        a href=(reader.certificates()) { (certificates::title(lang)) }
                        a href="/api/v1/openapi.json" { (say::api(lang)) }
                    }
                    form.theme method="get" action="/theme" {
                        input type="hidden" name="back" value=((page.url)(lang));
                        label for="theme" { (say::colours(lang)) }
                        select #theme name="to" {
                            @for theme in Theme::ALL { option value=(theme.code()) selected[theme == reader.theme] { (say::theme(lang, theme)) } }
                        }
                        button type="submit" { (say::choose(lang)) }
                    }
                }
            }
        }
    }
}

/// The logo: stepping stones, one of which is gone.
fn logo() -> Markup {
    html! {
        svg.logo viewBox="0 0 32 32" width="32" height="32" aria-hidden="true" {
            rect.stone x="2" y="18" width="12" height="12" rx="3" {}
            rect.gone x="18" y="18" width="12" height="12" rx="3" {}
            rect.stone x="18" y="2" width="12" height="12" rx="3" {}
            circle.foot cx="24" cy="8" r="3.4" {}
        }
    }
}

/// Responds with the page, or with the error as a page.
pub(crate) fn respond(reader: Reader, page: Result<Page, RequestError>) -> Response {
    let page = page.unwrap_or_else(|error| error_page(reader, &error));
    let language = HeaderValue::from_static(reader.lang.code());
    let headers = [
        (header::CONTENT_LANGUAGE, language),
        (header::VARY, HeaderValue::from_static("accept-language, cookie")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    let html = render(reader, &page).into_string();
    // An incomplete page will be a different one when it is reloaded.
    let tag = (page.status == StatusCode::OK && !page.is_waiting).then(|| [(header::ETAG, tag(html.as_bytes()))]);
    (page.status, headers, tag, Html(html)).into_response()
}

/// Responds with the page, the redirect, or the error as a page.
pub(crate) fn respond_or_redirect(reader: Reader, page: Result<PageOrRedirect, RequestError>) -> Response {
    match page {
        Ok(PageOrRedirect::Page(page)) => respond(reader, Ok(page)),
        Ok(PageOrRedirect::Redirect(url)) => Redirect::to(&url).into_response(),
        Err(error) => respond(reader, Err(error)),
    }
}

/// The page that shows an error.
pub(crate) fn error_page(reader: Reader, error: &RequestError) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::error_page(lang)) }
        (error_box(lang, error))
        p { a href=(reader.home()) { (say::back_to_games(lang)) } }
    };
    let url = |lang: Lang| format!("/?lang={}", lang.code());
    Page { status: error.status, ..Page::new(say::error_page(lang), url, body) }
}

/// Sets the parts of a sentence in backticks as code, backticks included.
pub(crate) fn with_quoted_code(sentence: &str) -> Markup {
    html! {
        @for (n, part) in sentence.split('`').enumerate() {
            @if n % 2 == 1 { code { "`" (part) "`" } } @else { (part) }
        }
    }
}

/// Sets the parts of a sentence in backticks as code, without the backticks.
pub(crate) fn with_code(sentence: &str) -> Markup {
    html! { @for (n, part) in sentence.split('`').enumerate() { @if n % 2 == 1 { code { (part) } } @else { (part) } } }
}

/// The message of an error, with the wrong part of the text marked.
pub(crate) fn error_box(lang: Lang, error: &RequestError) -> Markup {
    // The library's own errors are in English only.
    let (message, help, message_lang) = error.message_in(lang);
    let other = (message_lang != lang).then(|| message_lang.code());
    html! {
        div #refusal.refusal role="alert" {
            p lang=[other] { b { (with_quoted_code(message)) } }
            @if let Some((text, span)) = &error.text {
                @let at = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
                @let (start, end) = (at(span.start), at(span.end.max(span.start)));
                pre { code { (text[..start]) mark { (text[start..end]) } (text[end..]) } }
            }
            p { (say::expected(lang)) " " span lang=[other] { (with_quoted_code(help)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

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
}
