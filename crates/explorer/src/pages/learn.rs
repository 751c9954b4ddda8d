//! The lessons, each with pictures of live positions and an exercise that is checked.

mod exercise;

use balpan_pictures::tree::{LinkTarget, TreeView, ViewOptions};
use maud::{Markup, PreEscaped, html};

use crate::answers::{Answers, Reply, Wait};
use crate::board::{self, Worths};
use crate::lessons::{Block, lessons};
use crate::link::{Link, yes_or_no};
use crate::page::{Page, Reader, with_code};
use crate::pages::{position, tree};
use crate::refusal::Refusal;
use crate::scene::{Scene, apart};
use crate::words::{Lang, learn as say};

/// What only this kind of page knows.
pub(crate) const KEYS: [&str; 1] = ["answer"];

/// All lessons.
pub(crate) fn list(reader: Reader) -> Page {
    let lang = reader.lang;
    let body = html! {
        h1 { (say::title(lang)) }
        p.lead { (say::lead(lang)) }
        ol.lessons { @for lesson in lessons(lang) { li { a href=(reader.link_to(lesson.name).url("learn")) { (lesson.title) } } } }
    };
    Page::new(say::title(lang), |lang: Lang| format!("/learn?lang={}", lang.code()), body)
}

/// A lesson; what the reader has answered is in the link.
pub(crate) async fn page(answers: &Answers, reader: Reader, link: &Link) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let all = lessons(lang);
    let n = all.iter().position(|lesson| lesson.name == link.game).ok_or_else(Refusal::no_lesson)?;
    let lesson = &all[n];
    let mut blocks = Vec::new();
    for block in &lesson.blocks {
        blocks.push(shown(answers, lang, block).await?);
    }
    let exercise = exercise::exercise(answers, lang, lesson, link).await?;
    let to = |n: usize| reader.link_to(all[n].name).url("learn");
    let body = html! {
        p.turn { a href=(reader.learn()) { (say::title(lang)) } " " (n + 1) "/" (all.len()) }
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
    let name = lesson.name.to_owned();
    let url = move |lang: Lang| Link { game: name.clone(), lang: Some(lang), ..Link::default() }.url("learn");
    Ok(Page::new(lesson.title.clone(), url, body))
}

async fn shown(answers: &Answers, lang: Lang, block: &Block) -> Result<Markup, Refusal> {
    Ok(match block {
        Block::Heading(text) => html! { h2 { (text) } },
        Block::Paragraph(text) => html! { p { (with_code(text)) } },
        Block::List(items) => html! { ul { @for item in items { li { (with_code(item)) } } } },
        Block::Program(text) => html! { pre { code { (text) } } },
        Block::Picture(caption, address) => {
            let (kind, link) = read(address)?;
            let link = Link { lang: Some(lang), ..link };
            let (picture, url) = match kind {
                "tree" => drawn_tree(answers, lang, link).await?,
                _ => drawn_board(answers, lang, link).await?,
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

/// The page that an address in a lesson names, `play` or `tree`, and what it shows.
fn read(address: &str) -> Result<(&str, Link), Refusal> {
    let (path, query) = address.split_once('?').unwrap_or((address, ""));
    let (kind, game) = path.trim_start_matches('/').split_once('/').ok_or_else(Refusal::no_page)?;
    Ok((kind, Link::read(game, query, &tree::KEYS)?))
}

/// A position, and the address of its page.
async fn drawn_board(answers: &Answers, lang: Lang, link: Link) -> Result<(Markup, String), Refusal> {
    let url = Link { marks: None, ..link.clone() }.play();
    let scene = apart(move || Scene::new(link)).await?;
    let answer = match scene.link.marks {
        Some(false) => None,
        _ => match answers.ask(position::asked(&scene), Wait::ForVerdict).await {
            Reply::Answered(answer) => Some(answer),
            Reply::NotYet(_, known) | Reply::GivenUp(_, known) | Reply::Left(known) => known,
            Reply::Busy => None,
            Reply::Refused(no_answer) => return Err(no_answer.into()),
        },
    };
    Ok((board::figure(lang, &scene, &Worths::new(answer.as_deref())), url))
}

/// A tree, and the address of its page.
async fn drawn_tree(answers: &Answers, lang: Lang, link: Link) -> Result<(Markup, String), Refusal> {
    let url = link.url("tree");
    let game_tree = tree_of(answers, link.clone()).await?;
    let options = ViewOptions { lang, step: None, folds: Vec::new() };
    let view = TreeView::new(&game_tree, &options);
    let to = |target: LinkTarget, node: usize| {
        let after = game_tree.moves_to(node).iter().fold(link.of_position(), |link, mv| link.after(mv));
        if target == LinkTarget::Position { after.play() } else { after.url("tree") }
    };
    let picture = html! { div.tree-picture tabindex="0" role="region" aria-label=(game_tree.heading(lang)) { (PreEscaped(view.svg(&to))) } };
    Ok((picture, url))
}

/// The tree that an address names.
async fn tree_of(answers: &Answers, link: Link) -> Result<balpan_pictures::tree::GameTree, Refusal> {
    let depth = link.other("depth").map(tree::depth).transpose()?;
    let prune = link.other("prune").map_or(Ok(false), |value| yes_or_no("prune", value))?;
    let scene = apart(move || Scene::new(link)).await?;
    let known = answers.known(&scene.rules, &scene.game);
    let (name, turn) = (scene.link.game.clone(), scene.turn());
    Ok(tree::grown(scene.game, known, name, depth, prune).await?.with_turn(turn))
}
