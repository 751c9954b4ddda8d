//! Pages about no single game: the home page with every preset, and the help.

use std::sync::Arc;

use axum::extract::State;
use balpan_games::presets;
use maud::{Markup, html};

use super::position;
use crate::answers::{Answers, Query, Wait};
use crate::board::{self, MoveValues};
use crate::error::RequestError;
use crate::link::{Link, Side};
use crate::page::{Page, lang_field, with_code};
use crate::request::{GetRequest, Reader};
use crate::scene::{Scene, run_blocking};
use crate::words::{Lang, frame as say, help, position as positions};

/// A position of each game for its picture: a line with the game and the moves from its start.
const THUMBNAILS: &str = include_str!("../../thumbnails.txt");

/// The games that come first, the best known ones.
const FAMILIAR: [&str; 9] =
    ["connect4", "tictactoe", "othello", "checkers", "gomoku", "dots", "nim", "hex", "breakthrough"];

/// The home page: a position with the values of its moves, and the games.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Page, RequestError> {
    let (reader, words) = (request.reader, search_words(&request.query));
    if !words.is_empty() {
        return run_blocking(move || list(reader, &words, html! {})).await;
    }
    let hero = run_blocking(move || thumbnail_scene(reader, FAMILIAR[0])).await?;
    let query = Query { may_take_long: false, ..position::query(&hero) };
    let answer = answers.ask(query, Wait::UntilOutcome).await;
    let (lang, values) = (reader.lang, MoveValues::new(answer.answer().map(|answer| &**answer)));
    let hero = html! {
        h1.unseen { (say::games(lang)) }
        section.hero {
            div { (board::picture(lang, &hero, Some(&values))) }
            div {
                p.slogan { (say::tagline(lang)) }
                p.lead { (help::what(lang)) }
                p { b { (say::game(lang, FAMILIAR[0])) ": " (positions::to_move(lang, position::player(lang, &hero, false))) "." } " " (say::hero(lang)) }
                (position::legend(lang, &hero))
                p.actions {
                    a.button href=(reader.link_to(FAMILIAR[0]).with_side(Some(Side::First)).play()) { (positions::opponent(lang)) }
                    a href=(reader.url("/help")) { (help::title(lang)) }
                }
            }
        }
    };
    run_blocking(move || list(reader, "", hero)).await
}

/// Returns the search words of a query.
fn search_words(query: &str) -> String {
    let words = form_urlencoded::parse(query.as_bytes()).find(|(key, _)| key == "q");
    words.map(|(_, words)| words.trim().chars().take(MAX_SEARCH_CHARS).collect()).unwrap_or_default()
}

/// Lists the games whose name or description contains the words, below `hero`.
fn list(reader: Reader, words: &str, hero: Markup) -> Result<Page, RequestError> {
    let lang = reader.lang;
    let all = presets::all();
    let familiar = FAMILIAR.iter().filter_map(|first| all.iter().find(|(name, _)| name == first));
    let others = all.iter().filter(|(name, _)| !FAMILIAR.contains(name));
    let mut sections: Vec<(&str, Vec<Markup>)> = Vec::new();
    for (name, text) in familiar.chain(others).filter(|(name, text)| is_match(name, text, words)) {
        let family = text.lines().find_map(|line| line.strip_prefix("family = ")).unwrap_or_default().trim_matches('"');
        let heading = if FAMILIAR.contains(name) { say::familiar(lang) } else { say::family(lang, family) };
        let card = card(reader, name)?;
        match sections.last_mut() {
            Some((last, cards)) if *last == heading => cards.push(card),
            _ => sections.push((heading, vec![card])),
        }
    }
    let is_empty = sections.is_empty();
    let search = html! {
        form.search method="get" action="/" role="search" {
            (lang_field(reader.url_lang))
            label { span { (say::search(lang)) } input #q type="search" name="q" value=(words) maxlength="40"; }
            button type="submit" { (say::find(lang)) }
        }
    };
    let body = html! {
        @if words.is_empty() { (hero) } @else { h1 { (say::games(lang)) } (search) }
        @if is_empty { p role="status" { (say::no_game_found(lang)) } }
        @for (heading, cards) in sections {
            section {
                h2 { (heading) }
                ul.cards { @for card in cards { li { (card) } } }
            }
        }
        @if words.is_empty() { (search) }
    };
    Ok(Page::new(say::games(lang), "/", body))
}

/// Returns the scene of a game's picture; its start if there is none.
fn thumbnail_scene(reader: Reader, game: &str) -> Result<Scene, RequestError> {
    let moves = THUMBNAILS.lines().filter_map(|line| line.split_once(' ')).find(|(name, _)| *name == game);
    let moves = moves.map(|(_, moves)| moves.split(';').map(str::to_owned).collect()).unwrap_or_default();
    Scene::new(Link { moves, ..reader.link_to(game) })
}

/// Characters of the search words.
const MAX_SEARCH_CHARS: usize = 40;

/// Whether a game matches the search words, in either language.
fn is_match(name: &str, rules: &str, words: &str) -> bool {
    let words = words.to_lowercase();
    // What the game is, in one language or both, stands in the first lines.
    let about: String = rules.lines().take(2).collect();
    let texts = [name.to_lowercase(), about.to_lowercase()];
    let korean = say::about(Lang::Ko, name).unwrap_or_default();
    texts.iter().any(|text| text.contains(&words)) || korean.contains(&words)
}

fn card(reader: Reader, name: &str) -> Result<Markup, RequestError> {
    let (link, scene) = (reader.link_to(name), thumbnail_scene(reader, name)?);
    let about = say::about(reader.lang, name).unwrap_or_else(|| scene.about(reader.lang));
    // The name is in the heading already.
    let about = about.split_once(": ").map_or(about, |(_, rest)| rest);
    Ok(html! {
        article.card {
            a.picture href=(link.play()) tabindex="-1" aria-hidden="true" { (board::thumbnail(&scene)) }
            div {
                h3 { a href=(link.play()) { (say::game(reader.lang, name)) } " " small { (scene.game.size()) } }
                p.about { (about) }
                p { a href=(link.url("games")) { (say::rules(reader.lang)) } }
            }
        }
    })
}

/// The help page: what pages show, how to move, and the keys.
pub(crate) async fn help(GetRequest { reader, origin, .. }: GetRequest) -> Page {
    let lang = reader.lang;
    let own = |snippet: &str| snippet.replace("ORIGIN", origin.as_deref().unwrap_or("http://127.0.0.1:8000"));
    let body = html! {
        h1 { (help::title(lang)) }
        p.lead { (help::what(lang)) }
        @for (heading, lines) in help::sections(lang) {
            section {
                h2 { (heading) }
                ul { @for line in lines.lines() { li { (with_code(line)) } } }
            }
        }
        section {
            h2 { (help::keys(lang)) }
            table.xor { tbody { @for (key, does) in help::keys_and_uses(lang).lines().filter_map(|line| line.split_once(" = ")) { tr { td { kbd { (key) } } td { (does) } } } } }
        }
        section {
            h2 { (help::elsewhere(lang)) }
            p { (help::embed(lang)) }
            pre { code { (own(EMBED)) } }
            p { (help::picture(lang)) }
            pre { code { (own(PICTURE)) } }
        }
    };
    Page::new(help::title(lang), "/help", body)
}

const EMBED: &str = "<iframe src=\"ORIGIN/embed/tictactoe?at=X../.O./...\" width=\"320\" height=\"360\"></iframe>";
const PICTURE: &str = "<img src=\"ORIGIN/board/tictactoe.svg?at=X../.O./...\" alt=\"\">";
