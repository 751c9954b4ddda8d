//! The games: every preset with its start.

use balpan_games::presets::PRESETS;
use maud::{Markup, html};

use crate::board;
use crate::page::{Page, Reader};
use crate::refusal::Refusal;
use crate::scene::Scene;
use crate::words::{Lang, frame as say};

pub(crate) fn page(reader: Reader) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let mut families: Vec<(&str, Vec<Markup>)> = Vec::new();
    for (name, text) in PRESETS {
        let family = text.lines().find_map(|line| line.strip_prefix("family = ")).unwrap_or_default().trim_matches('"');
        let card = card(reader, name)?;
        match families.last_mut() {
            Some((last, cards)) if *last == family => cards.push(card),
            _ => families.push((family, vec![card])),
        }
    }
    let body = html! {
        h1 { (say::games(lang)) }
        p.lead { (say::welcome(lang)) }
        @for (family, cards) in families {
            section {
                h2 { (say::family(lang, family)) }
                ul.cards { @for card in cards { li { (card) } } }
            }
        }
    };
    Ok(Page::new(say::games(lang), |lang: Lang| format!("/?lang={}", lang.code()), body))
}

fn card(reader: Reader, name: &str) -> Result<Markup, Refusal> {
    let link = reader.link_to(name);
    let scene = Scene::new(link.clone())?;
    let about = say::about(reader.lang, name).unwrap_or(&scene.rules.about);
    Ok(html! {
        article.card {
            a.picture href=(link.play()) tabindex="-1" aria-hidden="true" { (board::still(&scene)) }
            div {
                h3 { a href=(link.play()) { (name) } " " small { (scene.game.size()) } }
                p { (about) }
                p { a href=(link.url("games")) { (say::rules(reader.lang)) } }
            }
        }
    })
}
