//! The list of proved certificates.

use maud::{Markup, html};

use crate::certificates::{Certificate, Certificates, MAX_CLAIMS};
use crate::page::{Page, Reader, with_quoted_code};
use crate::words::{Lang, certificates as say};

pub(crate) fn page(reader: Reader, certificates: &Certificates) -> Page {
    let lang = reader.lang;
    // Counted first: a certificate that is proved meanwhile is counted twice rather than missed.
    let unchecked = certificates.unchecked();
    let proved = certificates.proved();
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        @if unchecked > 0 { p #unchecked role="status" data-again { (say::unchecked(lang, unchecked)) } }
        @if !proved.is_empty() {
            ul.cards #certificates { @for one in &proved { li { (card(reader, one)) } } }
        } @else if unchecked == 0 {
            p { (with_quoted_code(say::none(lang))) }
            pre { code { "balpan prove platforms -o certificates/platforms.cert\nbalpan serve --certificates certificates" } }
        }
    };
    let page = Page::new(say::title(lang), |lang: Lang| format!("/certificates?lang={}", lang.code()), body);
    Page { is_waiting: unchecked > 0, ..page }
}

fn card(reader: Reader, certificate: &Certificate) -> Markup {
    let (lang, link) = (reader.lang, reader.link_to(&certificate.name).url("certificates"));
    let players = certificate.players.map(|player| say::player(lang, player));
    html! {
        article.card {
            div {
                h2 { a href=(link) { (certificate.name) } }
                p { (certificate.proved.game) ": " b { (say::statement(lang, certificate.statement, players)) } }
                p { code { (certificate.proved.position) } }
                p { small { (say::size(lang, certificate.proved.claims, certificate.bytes.len())) } }
                p.actions {
                    @if certificate.proved.claims <= MAX_CLAIMS { a href=(link) { (say::walk(lang)) } }
                    a href={ "/certificates/" (certificate.name) ".cert" } download { (say::download(lang)) }
                }
            }
        }
    }
}
