//! The help page: what pages show, how to move, and the keys.

use maud::html;

use crate::page::{Page, Reader, with_code};
use crate::words::{Lang, help as say};

pub(crate) fn page(reader: Reader) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::what(lang)) }
        @for (heading, lines) in say::sections(lang) {
            section {
                h2 { (heading) }
                ul { @for line in lines { li { (with_code(line)) } } }
            }
        }
        section {
            h2 { (say::keys(lang)) }
            table.xor { tbody { @for (key, does) in say::all_keys(lang) { tr { td { kbd { (key) } } td { (does) } } } } }
        }
        section {
            h2 { (say::elsewhere(lang)) }
            p { (say::embed(lang)) }
            pre { code { (EMBED) } }
            p { (say::picture(lang)) }
            pre { code { (PICTURE) } }
        }
    };
    Page::new(say::title(lang), |lang: Lang| format!("/help?lang={}", lang.code()), body)
}

const EMBED: &str =
    "<iframe src=\"http://127.0.0.1:8000/embed/tictactoe?at=X../.O./...\" width=\"320\" height=\"360\"></iframe>";
const PICTURE: &str = "<img src=\"http://127.0.0.1:8000/board/tictactoe.svg?at=X../.O./...\" alt=\"\">";
