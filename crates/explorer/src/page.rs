//! Pages and their common frame.

use axum::Extension;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_LENGTH, ETAG, VARY};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::error::RequestError;
use crate::layers::tag;
use crate::request::{Reader, Theme};
use crate::words::{Lang, certificates, frame as say, help, learn, puzzles, stress, tree, values};

/// A page without its frame. As a response, it is put in the frame by [`render`].
#[derive(Clone)]
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) title: String,
    /// The URL of the page, without a language.
    pub(crate) url: String,
    /// Whether the page is incomplete, so that the browser reloads it.
    pub(crate) is_waiting: bool,
    /// The absolute URL of a picture of the content, for link previews.
    pub(crate) picture: Option<String>,
    /// The content in a sentence.
    pub(crate) description: Option<String>,
    pub(crate) body: Markup,
}

impl Page {
    /// Creates a complete page. `url` is its URL without a language.
    pub(crate) fn new(title: impl Into<String>, url: impl Into<String>, body: Markup) -> Self {
        Self {
            status: StatusCode::OK,
            title: title.into(),
            url: url.into(),
            is_waiting: false,
            picture: None,
            description: None,
            body,
        }
    }

    /// Returns the URL of the page in a language.
    fn url_in(&self, lang: Lang) -> String {
        let between = if self.url.contains('?') { '&' } else { '?' };
        format!("{}{between}lang={}", self.url, lang.code())
    }
}

impl IntoResponse for Page {
    fn into_response(self) -> Response {
        Extension(self).into_response()
    }
}

/// Renders pages for the reader, and errors as a page or for programs as JSON.
pub(crate) async fn render(request: Request, next: Next) -> Response {
    let path = request.uri().path();
    let is_for_program = path == "/api" || path.starts_with("/api/") || path.starts_with("/events/");
    let reader = Reader::new(request.headers(), request.uri().query().unwrap_or_default());
    let mut response = next.run(request).await;
    let error = response.extensions_mut().remove::<RequestError>();
    let mut rendered = match (error, response.extensions_mut().remove()) {
        (Some(error), _) if is_for_program => error.json(),
        (Some(error), _) => respond(reader, &error_page(reader, &error)),
        (None, Some(page)) => respond(reader, &page),
        (None, None) => return response,
    };
    // The length is that of the empty body before.
    response.headers_mut().remove(CONTENT_LENGTH);
    rendered.headers_mut().extend(response.headers_mut().drain());
    rendered
}

/// Responds with the page in its frame.
fn respond(reader: Reader, page: &Page) -> Response {
    let headers = [
        (CONTENT_LANGUAGE, HeaderValue::from_static(reader.lang.code())),
        (VARY, HeaderValue::from_static("accept-language, cookie")),
        (CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    let html = framed(reader, page).into_string();
    // An incomplete page will be a different one when it is reloaded.
    let tag = (page.status == StatusCode::OK && !page.is_waiting).then(|| [(ETAG, tag(html.as_bytes()))]);
    (page.status, headers, tag, Html(html)).into_response()
}

/// Puts a page in its frame.
fn framed(reader: Reader, page: &Page) -> Markup {
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
                    a.brand href=(reader.url("/")) {
                        (logo())
                        span { b { "balpan" } " " small { (say::tagline(lang)) } }
                    }
                    nav #pages aria-label=(say::pages(lang)) {
                        a href=(reader.url("/")) { (say::games(lang)) }
                        a href=(reader.url("/learn")) { (learn::title(lang)) }
                        a href=(reader.url("/puzzles")) { (puzzles::title(lang)) }
                        a href=(reader.url("/stress")) { (stress::short(lang)) }
                    }
                    nav #lang aria-label=(say::languages(lang)) {
                        @for other in Lang::ALL {
                            a href=(page.url_in(other)) lang=(other.code()) hreflang=(other.code())
                                aria-current=[(other == lang).then_some("true")] { (say::native_name(other)) }
                        }
                    }
                }
                main #main { (page.body) }
                footer #foot.site {
                    p.actions {
                        a href=(reader.url("/help")) { (help::title(lang)) }
                        a href=(reader.url("/value")) { (values::values(lang)) }
                        a href=(reader.url("/certificates")) { (certificates::title(lang)) }
                        a href="/api/v1/openapi.json" { (say::api(lang)) }
                    }
                    form.theme method="get" action="/theme" {
                        input type="hidden" name="back" value=(page.url_in(lang));
                        label for="theme" { (say::colours(lang)) }
                        select #theme name="to" {
                            @for theme in Theme::ALL { option value=(theme.code()) selected[theme == reader.theme] { (say::theme(lang, theme.code())) } }
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

/// The page that shows an error.
fn error_page(reader: Reader, error: &RequestError) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::error_page(lang)) }
        (error_box(lang, error))
        p { a href=(reader.url("/")) { (say::back_to_games(lang)) } }
    };
    Page { status: error.status, ..Page::new(say::error_page(lang), "/", body) }
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
            @if let (Some(text), Some(span)) = (&error.text, &error.span) {
                @let at = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
                @let (start, end) = (at(span[0]), at(span[1].max(span[0])));
                pre { code { (text[..start]) mark { (text[start..end]) } (text[end..]) } }
            }
            p { (say::expected(lang)) " " span lang=[other] { (with_quoted_code(help)) } }
        }
    }
}

/// The hidden field of a form that repeats the language of the URL.
pub(crate) fn lang_field(url_lang: Option<Lang>) -> Markup {
    html! { @if let Some(lang) = url_lang { input type="hidden" name="lang" value=(lang.code()); } }
}

/// Links to the first, previous, next and last step, as far as there are. `url` is that of a step.
pub(crate) fn step_links(
    lang: Lang,
    [first, previous, next, last]: [Option<usize>; 4],
    url: impl Fn(usize) -> String,
) -> Markup {
    let links = [
        ("first", "Home", first, tree::first(lang)),
        ("previous", "ArrowLeft", previous, tree::previous(lang)),
        ("next", "ArrowRight", next, tree::next(lang)),
        ("last", "End", last, tree::last(lang)),
    ];
    html! {
        @for (id, key, step, words) in links {
            @match step {
                Some(step) => a.tool #(id) data-key=(key) href=(url(step)) { (words) },
                None => span.tool #(id) role="link" aria-disabled="true" { (words) },
            }
        }
    }
}
