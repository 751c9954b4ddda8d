//! A game's tree, and the search through it, step by step.

use std::time::Duration;

use axum::http::StatusCode;
use balpan_games::{AnyGame, KnownOf};
use balpan_pictures::tree::{
    GameTree, GameTreeError, LinkTarget, Links, TreeOptions, TreeView, ViewOptions, build_tree,
};
use maud::{Markup, PreEscaped, html};
use tokio::sync::Semaphore;

use crate::answers::Answers;
use crate::bounded::within;
use crate::link::{Link, yes_or_no};
use crate::page::{Page, Reader};
use crate::refusal::Refusal;
use crate::scene::{Scene, apart};
use crate::words::{Lang, frame, position as say};
use crate::words::{refusal, tree as words};

/// What only this kind of page knows.
pub(crate) const KEYS: [&str; 4] = ["depth", "prune", "step", "fold"];

/// Positions of the largest tree on a page.
pub(crate) const MOST: usize = 400;

/// Positions that may be searched for the values below a tree, and bytes of the table: what
/// takes about a second.
const MOST_SEARCHED: u64 = 1 << 20;
const MEMORY: usize = 32 << 20;

/// Trees that are made at a time.
const AT_A_TIME: usize = 2;

/// How long the values of one tree may take.
const LONGEST: Duration = Duration::from_secs(5);

static ROOM: Semaphore = Semaphore::const_new(AT_A_TIME);

/// What the URL says of the tree.
struct Wanted {
    depth: Option<usize>,
    prune: bool,
    options: ViewOptions,
}

impl Wanted {
    fn read(link: &Link, lang: Lang) -> Result<Self, Refusal> {
        let step =
            |text: &str| text.parse().map_err(|_| Refusal::value("step", text, |lang| lang.pick("a number", "숫자")));
        let folds = link.other("fold").unwrap_or_default();
        let path = |path: &str| {
            let places = path.split('.').map(str::parse).collect::<Result<Vec<usize>, _>>();
            places.map_err(|_| {
                Refusal::value("fold", folds, |lang| {
                    lang.pick("ways to nodes, such as `0.2,1`", "`0.2,1`처럼 적은 마디의 경로")
                })
            })
        };
        let folds = folds.split(',').filter(|fold| !fold.is_empty()).map(path).collect::<Result<Vec<_>, _>>()?;
        Ok(Self {
            depth: link.other("depth").map(depth).transpose()?,
            prune: link.other("prune").map_or(Ok(false), |value| yes_or_no("prune", value))?,
            options: ViewOptions { lang, step: link.other("step").map(step).transpose()?, folds },
        })
    }
}

/// Reads how deep a tree is asked to be.
pub(crate) fn depth(text: &str) -> Result<usize, Refusal> {
    let depth = text.parse().ok().filter(|depth| (1..=500).contains(depth));
    depth.ok_or_else(|| Refusal::value("depth", text, |lang| lang.pick("a number from 1 to 500", "1부터 500까지의 수")))
}

pub(crate) async fn page(answers: &Answers, reader: Reader, link: Link) -> Result<Page, Refusal> {
    let wanted = Wanted::read(&link, reader.lang)?;
    let scene = apart(move || Scene::new(link)).await?;
    let known = answers.known(&scene.rules, &scene.game);
    let tree = grown(scene.game.clone(), known, scene.link.game.clone(), wanted.depth, wanted.prune).await?;
    let tree = tree.with_turn(scene.turn());
    let title = tree.heading(reader.lang);
    let url = scene.link.clone();
    let body = body(&scene, &tree, &wanted);
    Ok(Page::new(title, move |lang| url.with_lang(lang).url("tree"), body))
}

/// The tree, made apart from what answers requests, within bounds.
pub(crate) async fn grown(
    game: AnyGame,
    known: Option<KnownOf>,
    name: String,
    depth: Option<usize>,
    alpha_beta: bool,
) -> Result<GameTree, Refusal> {
    let options = TreeOptions { depth, alpha_beta, max_positions: MOST, memory: MEMORY, threads: 1, oracle: known };
    let tree = within(&ROOM, LONGEST, MOST_SEARCHED, move |watch| {
        build_tree(&game, &name, options, watch).map_err(|e| match e {
            GameTreeError::TooMany { depth, max_positions } => {
                Refusal::told(StatusCode::BAD_REQUEST, |lang| refusal::large_tree(lang, depth, max_positions))
            }
            GameTreeError::TooLong(_) => Refusal::bad(e.to_string(), "take smaller heaps"),
            GameTreeError::Stopped(_) => Refusal::told(StatusCode::UNPROCESSABLE_ENTITY, refusal::hard_tree),
        })
    });
    tree.await
}

fn body(scene: &Scene, tree: &GameTree, wanted: &Wanted) -> Markup {
    let (options, link) = (&wanted.options, &scene.link);
    let lang = options.lang;
    let view = TreeView::new(tree, options);
    let links = |target: LinkTarget, node: usize| address(link, &view, target, node);
    let cuts = view.cuts();
    html! {
        h1 { a href=(link.of_game().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) " · " (say::tree(lang)) } }
        p.sentence { (tree.heading(lang)) }
        p { (view.extent()) }
        (choices(scene, tree, wanted))
        @if wanted.prune { (steps(link, &view)) }
        div.tree-picture tabindex="0" role="region" aria-label=(say::tree(lang)) { (PreEscaped(view.svg(&links))) }
        @if !cuts.is_empty() {
            h2 { (words::cuts(lang)) }
            ul #cuts { @for (letter, reason) in cuts { li { b { i { (letter) } } " " (reason) } } }
        }
        ul.legend { @for line in view.legend() { li { (line) } } }
        details {
            summary { (words::as_list(lang)) }
            ul #nodes { (list(&links, &view, 0)) }
        }
    }
}

/// Where a click leads.
fn address(link: &Link, view: &TreeView, target: LinkTarget, node: usize) -> String {
    let TreeView { tree, options, .. } = view;
    let after = |node: usize| tree.moves_to(node).iter().fold(link.of_position(), |link, mv| link.after(mv));
    let folds = |folds: &mut dyn Iterator<Item = &[usize]>| {
        let path = |path: &[usize]| path.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
        link.with("fold", folds.map(path).collect::<Vec<_>>().join(",")).url("tree")
    };
    let path = tree.path(node);
    let folded = options.folds.iter().map(Vec::as_slice);
    match target {
        // Against the perfect player, some positions are only passed through.
        LinkTarget::Position => after(node).with_side(None).play(),
        LinkTarget::Subtree => {
            let prune = link.other("prune").unwrap_or_default();
            after(node).with("prune", prune).url("tree")
        }
        LinkTarget::Fold => folds(&mut folded.chain([path])),
        LinkTarget::Unfold => folds(&mut folded.filter(|fold| *fold != path)),
    }
}

/// How deep, and whether alpha-beta is followed.
fn choices(scene: &Scene, tree: &GameTree, wanted: &Wanted) -> Markup {
    let (lang, link) = (wanted.options.lang, scene.link.with("step", ""));
    let deepest = tree.max_useful_depth(&scene.game, MOST);
    let here = |is: bool| is.then_some("true");
    html! {
        nav.tree-choices aria-label=(words::choices(lang)) {
            span { (words::depth(lang)) }
            @for depth in 1..=deepest {
                a.tool data-depth=(depth) href=(link.with("depth", depth.to_string()).with("fold", "").url("tree"))
                    aria-current=[here(depth == tree.requested_depth())] { (depth) }
            }
            span { (words::alpha_beta(lang)) }
            a.tool #prune-no href=(link.with("prune", "").url("tree")) aria-current=[here(!wanted.prune)] { (words::no(lang)) }
            a.tool #prune-yes href=(link.with("prune", "yes").url("tree")) aria-current=[here(wanted.prune)] { (words::yes(lang)) }
            a #position href=(scene.link.of_position().play()) { (words::position(lang)) }
        }
    }
}

/// The way through the search.
fn steps(link: &Link, view: &TreeView) -> Markup {
    let TreeView { tree, options, .. } = view;
    let (lang, last) = (options.lang, tree.steps());
    let now = options.step.unwrap_or(last).min(last);
    let ways = [
        ("first", "Home", Some(0), words::first(lang)),
        ("previous", "ArrowLeft", now.checked_sub(1), words::previous(lang)),
        ("next", "ArrowRight", (now < last).then_some(now + 1), words::next(lang)),
        ("last", "End", Some(last), words::last(lang)),
    ];
    html! {
        nav.tree-choices #steps aria-label=(words::steps(lang)) {
            @for (id, key, step, words) in ways {
                @match step.filter(|step| *step != now || options.step.is_none()) {
                    Some(step) => a.tool #(id) data-key=(key) href=(link.with("step", step.to_string()).url("tree")) { (words) },
                    None => span.tool #(id) role="link" aria-disabled="true" { (words) },
                }
            }
            span { (words::step_of(lang, now, last)) }
        }
        p #step role="status" data-step=(now) {
            @if let Some(step) = view.step().filter(|_| options.step.is_some()) { (step) }
            @else { (words::all_steps(lang)) }
        }
    }
}

/// The tree for those who do not see it.
fn list(links: &Links, view: &TreeView, node: usize) -> Markup {
    let mark = if view.is_best(node) { " ★" } else { "" };
    let children: Vec<_> = view.children(node).collect();
    html! {
        li {
            a href=(links(LinkTarget::Position, node)) { (view.label(node)) } (mark)
            @if view.hidden(node) > 0 {
                @let target = if view.tree.folded(node) > 0 { LinkTarget::Subtree } else { LinkTarget::Unfold };
                " · " a href=(links(target, node)) { (view.hidden_text(node)) }
            }
            @if !children.is_empty() { ul { @for child in children { (list(links, view, child)) } } }
        }
    }
}

#[cfg(test)]
mod tests;
