//! The home page: every preset with its start.

use balpan_games::presets::PRESETS;
use maud::{Markup, html};

use crate::board;
use crate::error::RequestError;
use crate::page::Page;
use crate::request::{GetRequest, Reader};
use crate::scene::{Scene, run_blocking};
use crate::words::{Lang, frame as say, help};

pub(crate) async fn page(request: GetRequest) -> Result<Page, RequestError> {
    run_blocking(move || list(request.reader, &request.query)).await
}

/// Lists the games whose name or description contains the search words of the query.
fn list(reader: Reader, query: &str) -> Result<Page, RequestError> {
    let lang = reader.lang;
    let words = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "q");
    let words =
        words.map(|(_, words)| words.trim().chars().take(MAX_SEARCH_CHARS).collect::<String>()).unwrap_or_default();
    let mut families: Vec<(&str, Vec<Markup>)> = Vec::new();
    for (name, text) in PRESETS {
        let family = text.lines().find_map(|line| line.strip_prefix("family = ")).unwrap_or_default().trim_matches('"');
        if !is_match(name, text, &words) {
            continue;
        }
        let card = card(reader, name)?;
        match families.last_mut() {
            Some((last, cards)) if *last == family => cards.push(card),
            _ => families.push((family, vec![card])),
        }
    }
    let body = html! {
        h1 { (say::games(lang)) }
        p.lead { (help::what(lang)) " " (say::welcome(lang)) " " a href=(reader.url("/help")) { (help::title(lang)) } }
        form.search method="get" action="/" role="search" {
            @if let Some(lang) = reader.url_lang { input type="hidden" name="lang" value=(lang.code()); }
            label { span { (say::search(lang)) } input #q type="search" name="q" value=(words) maxlength="40"; }
            button type="submit" { (say::find(lang)) }
        }
        @if families.is_empty() { p role="status" { (say::no_game_found(lang)) } }
        @for (family, cards) in families {
            section {
                h2 { (say::family(lang, family)) }
                ul.cards { @for card in cards { li { (card) } } }
            }
        }
    };
    Ok(Page::new(say::games(lang), "/", body))
}

/// Characters of the search words.
const MAX_SEARCH_CHARS: usize = 40;

/// Whether a game matches the search words, in either language.
fn is_match(name: &str, rules: &str, words: &str) -> bool {
    let words = words.to_lowercase();
    let texts = [name.to_lowercase(), rules.lines().nth(1).unwrap_or_default().to_lowercase()];
    let korean = say::about(Lang::Ko, name).unwrap_or_default();
    texts.iter().any(|text| text.contains(&words)) || korean.contains(&words)
}

fn card(reader: Reader, name: &str) -> Result<Markup, RequestError> {
    let link = reader.link_to(name);
    let scene = Scene::new(link.clone())?;
    // The name is in the heading already.
    let about = say::about(reader.lang, name).map(|about| about.split_once(": ").map_or(about, |(_, rest)| rest));
    let about = about.unwrap_or(&scene.rules.about);
    Ok(html! {
        article.card {
            a.picture href=(link.play()) tabindex="-1" aria-hidden="true" { (board::thumbnail(&scene)) }
            div {
                h3 { a href=(link.play()) { (say::game(reader.lang, name)) } " " small { (scene.game.size()) } }
                p { (about) }
                p { a href=(link.url("games")) { (say::rules(reader.lang)) } }
            }
        }
    })
}
