//! The help page: what pages show, how to move, and the keys.

use maud::html;

use crate::page::{Page, with_code};
use crate::request::GetRequest;
use crate::words::help as say;

pub(crate) async fn page(GetRequest { reader, .. }: GetRequest) -> Page {
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
    Page::new(say::title(lang), "/help", body)
}

const EMBED: &str =
    "<iframe src=\"http://127.0.0.1:8000/embed/tictactoe?at=X../.O./...\" width=\"320\" height=\"360\"></iframe>";
const PICTURE: &str = "<img src=\"http://127.0.0.1:8000/board/tictactoe.svg?at=X../.O./...\" alt=\"\">";
