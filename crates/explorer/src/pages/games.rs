//! The games: every preset with its start.

use balpan_games::presets::PRESETS;
use maud::{Markup, html};

use crate::board;
use crate::page::{Page, Reader};
use crate::refusal::Refusal;
use crate::scene::Scene;
use crate::words::{Lang, frame as say, help};

/// The games whose names or descriptions have what the query looks for; all if it looks for nothing.
pub(crate) fn page(reader: Reader, query: &str) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let asked = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "q");
    let asked = asked.map(|(_, words)| words.trim().chars().take(MOST_LETTERS).collect::<String>()).unwrap_or_default();
    let mut families: Vec<(&str, Vec<Markup>)> = Vec::new();
    for (name, text) in PRESETS {
        let family = text.lines().find_map(|line| line.strip_prefix("family = ")).unwrap_or_default().trim_matches('"');
        if !is_meant(name, text, &asked) {
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
        p.lead { (help::what(lang)) " " (say::welcome(lang)) " " a href=(reader.help()) { (help::title(lang)) } }
        form.search method="get" action="/" role="search" {
            @if let Some(lang) = reader.said { input type="hidden" name="lang" value=(lang.code()); }
            label { span { (say::search(lang)) } input #q type="search" name="q" value=(asked) maxlength="40"; }
            button type="submit" { (say::find(lang)) }
        }
        @if families.is_empty() { p role="status" { (say::none_found(lang)) } }
        @for (family, cards) in families {
            section {
                h2 { (say::family(lang, family)) }
                ul.cards { @for card in cards { li { (card) } } }
            }
        }
    };
    Ok(Page::new(say::games(lang), |lang: Lang| format!("/?lang={}", lang.code()), body))
}

/// Letters of what is looked for.
const MOST_LETTERS: usize = 40;

/// Whether a game is looked for by these words, in either language.
fn is_meant(name: &str, rules: &str, asked: &str) -> bool {
    let asked = asked.to_lowercase();
    let told = [name.to_lowercase(), rules.lines().nth(1).unwrap_or_default().to_lowercase()];
    let korean = say::about(Lang::Ko, name).unwrap_or_default();
    told.iter().any(|text| text.contains(&asked)) || korean.contains(&asked)
}

fn card(reader: Reader, name: &str) -> Result<Markup, Refusal> {
    let link = reader.link_to(name);
    let scene = Scene::new(link.clone())?;
    // Its name stands above it already.
    let about = say::about(reader.lang, name).map(|about| about.split_once(": ").map_or(about, |(_, rest)| rest));
    let about = about.unwrap_or(&scene.rules.about);
    Ok(html! {
        article.card {
            a.picture href=(link.play()) tabindex="-1" aria-hidden="true" { (board::still(&scene)) }
            div {
                h3 { a href=(link.play()) { (say::game(reader.lang, name)) } " " small { (scene.game.size()) } }
                p { (about) }
                p { a href=(link.url("games")) { (say::rules(reader.lang)) } }
            }
        }
    })
}
