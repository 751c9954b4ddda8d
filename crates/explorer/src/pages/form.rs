//! Pages with a form for something written, as an expression or a code, and below it what follows from that.

use axum::http::StatusCode;
use maud::{Markup, html};

use crate::error::RequestError;
use crate::link::percent_encode;
use crate::page::{Page, error_box, lang_field};
use crate::request::{GetRequest, Reader};
use crate::words::Lang;
use crate::words::theories::no_size;

/// A phrase without parameters.
pub(super) type Phrase = fn(Lang) -> &'static str;

/// The texts of such a page, and the limits of its fields.
pub(super) struct FormPage {
    /// The path of the page.
    pub(super) path: &'static str,
    pub(super) title: Phrase,
    pub(super) lead: Phrase,
    /// The label of the text, and the bytes of the longest.
    pub(super) text: (Phrase, usize),
    /// The text at first.
    pub(super) example: &'static str,
    /// The label of the number, its default, and its digits; `None` if only the text is asked for.
    pub(super) number: Option<(Phrase, usize, usize)>,
    pub(super) button: Phrase,
    /// Pages of the same kind.
    pub(super) others: &'static [(&'static str, Phrase)],
}

/// The fields of a form, as a query has them.
pub(super) struct Fields {
    pub(super) reader: Reader,
    /// The text; empty if there is none.
    pub(super) text: String,
    /// The text in the form: an example if there is none in the query.
    pub(super) shown: String,
    number: Option<String>,
}

impl FormPage {
    /// Reads the fields of a query.
    ///
    /// # Errors
    /// If it has other keys.
    pub(super) fn read(&self, GetRequest { reader, query, .. }: GetRequest) -> Result<Fields, RequestError> {
        let (mut text, mut number) = (String::new(), None);
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = value.trim();
            match &*key {
                "of" => text = value.to_owned(),
                "to" if self.number.is_some() => number = Some(value.to_owned()).filter(|to| !to.is_empty()),
                "lang" => {}
                key => return Err(RequestError::unknown_key(key)),
            }
        }
        let shown = if text.is_empty() { self.example.to_owned() } else { text.clone() };
        Ok(Fields { reader, text, shown, number })
    }

    /// Returns the number, or its default.
    ///
    /// # Errors
    /// If it is no size of heaps up to `max`.
    pub(super) fn size(&self, fields: &Fields, max: usize) -> Result<usize, RequestError> {
        let size = match &fields.number {
            Some(number) => number.parse().ok().filter(|size| (1..=max).contains(size)),
            None => self.number.map(|(_, default, _)| default),
        };
        size.ok_or_else(|| RequestError::invalid(|lang| no_size(lang, max)))
    }

    /// Returns the page with what follows from the fields.
    pub(super) fn page(&self, fields: &Fields, result: Result<Markup, RequestError>) -> Page {
        let Fields { reader, text, shown, number } = fields;
        let lang = reader.lang;
        let (status, result) = match result {
            Ok(result) => (StatusCode::OK, result),
            Err(error) => (error.status, error_box(lang, &error)),
        };
        let body = html! {
            h1 { ((self.title)(lang)) }
            p.lead { ((self.lead)(lang)) }
            form.record method="get" action=(self.path) {
                (lang_field(reader.url_lang))
                label { span { ((self.text.0)(lang)) } input #of type="text" name="of" value=(shown) autocomplete="off" spellcheck="false" maxlength=(self.text.1); }
                @if let Some((label, default, digits)) = self.number {
                    label { span { (label(lang)) } input #to type="text" inputmode="numeric" name="to" value=(number.clone().unwrap_or_else(|| default.to_string())) maxlength=(digits); }
                }
                p { button type="submit" { ((self.button)(lang)) } }
            }
            (result)
            p.actions { @for (i, (path, title)) in self.others.iter().enumerate() { @if i > 0 { " " } a href=(path) { (title(lang)) } } }
        };
        let given = [("of", Some(text).filter(|text| !text.is_empty())), ("to", number.as_ref())];
        let given = given.into_iter().filter_map(|(key, value)| Some(format!("{key}={}", percent_encode(value?))));
        let url = given.fold(self.path.to_owned(), |url, pair| {
            format!("{url}{}{pair}", if url.contains('?') { '&' } else { '?' })
        });
        Page { status, ..Page::new((self.title)(lang), url, body) }
    }
}
