//! The list of lessons, and the page of a lesson.

mod exercise;
mod lessons;

use std::sync::Arc;

use axum::extract::State;
use balpan_pictures::tree::{GameTree, LinkTarget, TreeView, ViewOptions};
use maud::{Markup, PreEscaped, html};

use crate::answers::{Answers, Wait};
use crate::board::{self, MoveValues};
use crate::error::RequestError;
use crate::link::{Link, parse_yes_no};
use crate::page::{Page, with_code};
use crate::pages::{position, tree};
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::words::{Lang, error as errors, learn as say};
use lessons::{Block, lessons};

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 1] = ["answer"];

/// The list of lessons.
pub(crate) async fn list(GetRequest { reader, .. }: GetRequest) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        ol.lessons { @for lesson in lessons(lang) { li { a href=(reader.link_to(lesson.name).url("learn")) { (lesson.title) } } } }
    };
    Page::new(say::title(lang), "/learn", body)
}

/// The page of a lesson. The reader's answer is in the link.
pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Page, RequestError> {
    let (reader, link) = (request.reader, request.link(&KEYS)?);
    let lang = reader.lang;
    let all = lessons(lang);
    let n = all
        .iter()
        .position(|lesson| lesson.name == link.game)
        .ok_or_else(|| RequestError::not_found(errors::no_lesson))?;
    let lesson = &all[n];
    let mut blocks = Vec::new();
    for block in &lesson.blocks {
        blocks.push(render_block(&answers, lang, block).await?);
    }
    let exercise = exercise::exercise(&answers, lang, lesson, &link).await?;
    let to = |n: usize| reader.link_to(all[n].name).url("learn");
    let body = html! {
        p.turn { a href=(reader.url("/learn")) { (say::title(lang)) } " " (n + 1) "/" (all.len()) }
        h1 { (lesson.title) }
        article.lesson {
            @for block in &blocks { (block) }
            (exercise)
        }
        nav.tree-choices aria-label=(say::lessons(lang)) {
            @if let Some(before) = n.checked_sub(1) { a.tool #previous href=(to(before)) { "◀ " (all[before].title) } }
            @if n + 1 < all.len() { a.tool #next href=(to(n + 1)) { (all[n + 1].title) " ▶" } }
        }
    };
    Ok(Page::new(&lesson.title, format!("/learn/{}", lesson.name), body))
}

async fn render_block(answers: &Answers, lang: Lang, block: &Block) -> Result<Markup, RequestError> {
    Ok(match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Paragraph(text) => html! { p { (with_code(text)) } },
        Block::List(items) => html! { ul { @for item in items { li { (with_code(item)) } } } },
        Block::Program(text) => html! { pre { code { (text) } } },
        Block::Picture(caption, address) => {
            let (kind, link) = parse_address(address)?;
            let link = Link { lang: Some(lang), ..link };
            let (picture, url) = match kind {
                "tree" => tree_figure(answers, lang, link).await?,
                _ => board_figure(answers, lang, link).await?,
            };
            html! {
                figure {
                    (picture)
                    figcaption { @if !caption.is_empty() { (caption) " " } a href=(url) { (say::open(lang)) } }
                }
            }
        }
    })
}

/// Parses an address in a lesson into the kind of page, `play` or `tree`, and its link.
fn parse_address(address: &str) -> Result<(&str, Link), RequestError> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (kind, game) =
        path.trim_start_matches('/').split_once('/').ok_or_else(|| RequestError::not_found(errors::no_page))?;
    Ok((kind, Link::parse(game, query, &tree::KEYS)?))
}

/// Draws a position, and returns the URL of its page.
async fn board_figure(answers: &Answers, lang: Lang, link: Link) -> Result<(Markup, String), RequestError> {
    let url = Link { marks: None, ..link.clone() }.play();
    let scene = run_blocking(move || Scene::new(link)).await?;
    let known = match scene.link.marks {
        Some(false) => None,
        _ => answers.ask(position::query(&scene), Wait::UntilOutcome).await.known()?,
    };
    Ok((board::figure(lang, &scene, &MoveValues::new(known.as_deref())), url))
}

/// Draws a tree, and returns the URL of its page.
async fn tree_figure(answers: &Answers, lang: Lang, link: Link) -> Result<(Markup, String), RequestError> {
    let url = link.url("tree");
    let tree = load_tree(answers, link.clone()).await?;
    let options = ViewOptions { lang, step: None, folds: Vec::new() };
    let view = TreeView::new(&tree, &options);
    let to = |target: LinkTarget, node: usize| {
        let after = tree.moves_to(node).iter().fold(link.position_only(), |link, mv| link.after(mv));
        if target == LinkTarget::Position { after.play() } else { after.url("tree") }
    };
    let picture = html! { div.tree-picture tabindex="0" role="region" aria-label=(tree.heading(lang)) { (PreEscaped(view.svg(&to))) } };
    Ok((picture, url))
}

/// Computes the tree of an address.
async fn load_tree(answers: &Answers, link: Link) -> Result<GameTree, RequestError> {
    let depth = link.extra("depth").map(tree::parse_depth).transpose()?;
    let prune = link.extra("prune").map_or(Ok(false), |value| parse_yes_no("prune", value))?;
    let scene = run_blocking(move || Scene::new(link)).await?;
    let known = answers.known(&scene.rules, &scene.game);
    let (name, turn) = (scene.link.game.clone(), scene.turn());
    Ok(tree::grow(scene.game, known, name, depth, prune).await?.with_turn(turn))
}
