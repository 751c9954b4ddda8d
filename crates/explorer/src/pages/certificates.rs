//! The certificates that were found proved.

use maud::{Markup, html};

use crate::certificates::{Certificate, Certificates, MOST_CLAIMS};
use crate::page::{Page, Reader, quoted};
use crate::words::{Lang, certificates as say};

pub(crate) fn page(reader: Reader, certificates: &Certificates) -> Page {
    let lang = reader.lang;
    // Counted first: one that is checked meanwhile is counted, not left out.
    let unchecked = certificates.unchecked();
    let proved = certificates.proved();
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        @if unchecked > 0 { p #unchecked role="status" data-again { (say::unchecked(lang, unchecked)) } }
        @if !proved.is_empty() {
            ul.cards #certificates { @for one in &proved { li { (card(reader, one)) } } }
        } @else if unchecked == 0 {
            p { (quoted(say::none(lang))) }
            pre { code { "balpan prove platforms -o certificates/platforms.cert\nbalpan serve --certificates certificates" } }
        }
    };
    let page = Page::new(say::title(lang), |lang: Lang| format!("/certificates?lang={}", lang.code()), body);
    Page { is_waiting: unchecked > 0, ..page }
}

fn card(reader: Reader, of: &Certificate) -> Markup {
    let (lang, link) = (reader.lang, reader.link_to(&of.name).url("certificates"));
    let players = of.players.map(|player| say::player(lang, player));
    html! {
        article.card {
            div {
                h2 { a href=(link) { (of.name) } }
                p { (of.proved.game) ": " b { (say::said(lang, of.said, players)) } }
                p { code { (of.proved.position) } }
                p { small { (say::size(lang, of.proved.claims, of.bytes.len())) } }
                p.actions {
                    @if of.proved.claims <= MOST_CLAIMS { a href=(link) { (say::walk(lang)) } }
                    a href={ "/certificates/" (of.name) ".cert" } download { (say::download(lang)) }
                }
            }
        }
    }
}
