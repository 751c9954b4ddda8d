//! What stands around every page, and how a page answers a request.

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Response};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use crate::link::Link;
use crate::refusal::Refusal;
use crate::tags::tag;
use crate::theme::Theme;
use crate::words::{Lang, certificates, frame as say, help, learn, puzzles, stress, values};

/// A page before it is framed.
pub(crate) struct Page {
    pub(crate) status: StatusCode,
    pub(crate) title: String,
    /// The same page in another language.
    pub(crate) url: Box<dyn Fn(Lang) -> String + Send>,
    /// Whether the page is to be asked for again in a moment.
    pub(crate) is_waiting: bool,
    /// The address of a picture of what it shows, whole, for those who tell others of the page.
    pub(crate) picture: Option<String>,
    /// What it shows, in a sentence.
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

/// This server's own address, as who asks has it: `https://example.org`.
pub(crate) fn origin(headers: &HeaderMap) -> Option<String> {
    let host = headers.get(header::HOST)?.to_str().ok()?.parse::<Authority>().ok()?;
    let is_secure = headers.get("x-forwarded-proto").is_some_and(|scheme| scheme.as_bytes() == b"https");
    Some(format!("{}://{host}", if is_secure { "https" } else { "http" }))
}

/// Who asks, as far as a page depends on it.
#[derive(Clone, Copy)]
pub(crate) struct Reader {
    /// The language to write in.
    pub(crate) lang: Lang,
    /// The language that the URL says, which links carry on.
    pub(crate) said: Option<Lang>,
    /// The colours that were chosen.
    theme: Theme,
}

impl Reader {
    /// The language of the URL, or else the one that the browser prefers.
    pub(crate) fn new(headers: &HeaderMap, said: Option<Lang>) -> Self {
        Self { lang: said.unwrap_or_else(|| preferred(headers)), said, theme: Theme::of(headers) }
    }

    /// The language that a query asks for, whatever else it says.
    pub(crate) fn of_query(headers: &HeaderMap, query: &str) -> Self {
        let said = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "lang");
        Self::new(headers, said.and_then(|(_, code)| Lang::of_code(&code)))
    }

    /// `?lang=ko`, if the URL says so.
    fn query(self) -> String {
        self.said.map_or_else(String::new, |lang| format!("?lang={}", lang.code()))
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
        Link { game: game.to_owned(), lang: self.said, ..Link::default() }
    }
}

/// The one of our languages that the browser asks for with the highest weight.
fn preferred(headers: &HeaderMap) -> Lang {
    let asked = headers.get(header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let weighed = asked.split(',').filter_map(|item| {
        let (tag, weight) = item.split_once(';').unwrap_or((item, "q=1"));
        let lang = Lang::of_code(tag.trim().split('-').next().unwrap_or_default())?;
        let weight: f32 = weight.trim().strip_prefix("q=")?.parse().ok()?;
        Some((lang, weight))
    });
    // Of equal weights the first counts.
    weighed.fold((Lang::default(), 0.0), |best, next| if next.1 > best.1 { next } else { best }).0
}

/// The page in its frame.
pub(crate) fn framed(reader: Reader, page: &Page) -> Markup {
    let lang = reader.lang;
    html! {
        (DOCTYPE)
        html lang=(lang.code()) data-theme=[reader.theme.said()] {
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
                                aria-current=[(other == lang).then_some("true")] { (say::own_name(other)) }
                        }
                    }
                }
                main #main { (page.body) }
                footer.site {
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

/// Stepping stones, two on and one gone.
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

pub(crate) fn respond(reader: Reader, page: Result<Page, Refusal>) -> Response {
    let page = page.unwrap_or_else(|refusal| refused(reader, &refusal));
    let language = HeaderValue::from_static(reader.lang.code());
    let headers = [
        (header::CONTENT_LANGUAGE, language),
        (header::VARY, HeaderValue::from_static("accept-language, cookie")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
    ];
    let html = framed(reader, &page).into_string();
    // A page that waits is another one the next time.
    let tag = (page.status == StatusCode::OK && !page.is_waiting).then(|| [(header::ETAG, tag(html.as_bytes()))]);
    (page.status, headers, tag, Html(html)).into_response()
}

/// Why there is no such page: what was found, where, and what was expected.
pub(crate) fn refused(reader: Reader, refusal: &Refusal) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::refused(lang)) }
        (reason(lang, refusal))
        p { a href=(reader.home()) { (say::back_to_games(lang)) } }
    };
    let url = |lang: Lang| format!("/?lang={}", lang.code());
    Page { status: refusal.status, ..Page::new(say::refused(lang), url, body) }
}

/// A sentence in which what is quoted by backticks is set as code.
pub(crate) fn quoted(sentence: &str) -> Markup {
    html! {
        @for (n, part) in sentence.split('`').enumerate() {
            @if n % 2 == 1 { code { "`" (part) "`" } } @else { (part) }
        }
    }
}

/// The same without the backticks themselves.
pub(crate) fn with_code(sentence: &str) -> Markup {
    html! { @for (n, part) in sentence.split('`').enumerate() { @if n % 2 == 1 { code { (part) } } @else { (part) } } }
}

/// What is wrong, with its place marked.
pub(crate) fn reason(lang: Lang, refusal: &Refusal) -> Markup {
    // Why there is no answer is told in the words of the library, which are English.
    let (message, help, told_in) = refusal.words(lang);
    let other = (told_in != lang).then(|| told_in.code());
    html! {
        div #refusal.refusal role="alert" {
            p lang=[other] { b { (quoted(message)) } }
            @if let Some((text, span)) = &refusal.text {
                @let at = |at: usize| (at..=text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len());
                @let (start, end) = (at(span.start), at(span.end.max(span.start)));
                pre { code { (text[..start]) mark { (text[start..end]) } (text[end..]) } }
            }
            p { (say::expected(lang)) " " span lang=[other] { (quoted(help)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

    use super::*;

    #[test]
    fn the_browser_s_language_is_the_one_of_most_weight() {
        let language = |asked: &'static str| {
            let headers = [(header::ACCEPT_LANGUAGE, HeaderValue::from_static(asked))];
            preferred(&HeaderMap::from_iter(headers))
        };
        for (asked, expected) in [
            ("ko", Lang::Ko),
            ("ko-KR,ko;q=0.9,en;q=0.8", Lang::Ko),
            ("en-GB,en;q=0.9,ko;q=0.8", Lang::En),
            ("fr,ko;q=0.3,en;q=0.2", Lang::Ko),
            ("fr", Lang::En),
            ("", Lang::En),
            ("ko;q=x,;;,q", Lang::En),
            ("ko;q=0", Lang::En),
        ] {
            assert_eq!(language(asked), expected, "{asked}");
        }
    }
}
