//! The page of a game tree, and of alpha-beta on it step by step.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use balpan_games::{AnyGame, RulesFile};
use balpan_pictures::tree::{
    GameTree, GameTreeError, LinkTarget, Links, TreeOptions, TreeView, ViewOptions, build_tree,
};
use maud::{Markup, PreEscaped, html};

use crate::answers::Answers;
use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::link::{Link, parse_yes_no};
use crate::page::{Page, step_links};
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::words::{Lang, expected, frame, position as say};
use crate::words::{error as errors, tree as words};

/// The keys of this kind of page.
pub(crate) const KEYS: [&str; 4] = ["depth", "prune", "step", "fold"];

/// Nodes of the largest tree on a page.
pub(crate) const MAX_NODES: usize = 400;

/// Limits of the search for the values below a tree, which take about a second: positions, and bytes of the table.
const MAX_SEARCHED: u64 = 1 << 20;
const MEMORY: usize = 32 << 20;

static LIMITS: WorkLimits = WorkLimits::new(2, Duration::from_secs(5), MAX_SEARCHED);

/// Parses the view of a tree that a URL asks for.
fn view_options(link: &Link, lang: Lang) -> Result<ViewOptions, RequestError> {
    let step = |text: &str| text.parse().map_err(|_| RequestError::invalid_value("step", text, expected::number));
    let folds = link.extra("fold").unwrap_or_default();
    let path = |path: &str| {
        let places = path.split('.').map(str::parse).collect::<Result<Vec<usize>, _>>();
        places.map_err(|_| RequestError::invalid_value("fold", folds, expected::ways_to_nodes))
    };
    let folds = folds.split(',').filter(|fold| !fold.is_empty()).map(path).collect::<Result<_, _>>()?;
    Ok(ViewOptions { lang, step: link.extra("step").map(step).transpose()?, folds })
}

/// Parses the depth of a tree.
pub(crate) fn parse_depth(text: &str) -> Result<usize, RequestError> {
    let depth = text.parse().ok().filter(|depth| (1..=500).contains(depth));
    depth.ok_or_else(|| RequestError::invalid_value("depth", text, expected::tree_depth))
}

pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Page, RequestError> {
    let (lang, link) = (request.reader.lang, request.link(&KEYS)?);
    let options = view_options(&link, lang)?;
    let (scene, tree) = load_tree(&answers, link).await?;
    Ok(Page::new(
        heading(lang, &scene.link, &tree),
        scene.link.without_lang().url("tree"),
        body(&scene, &tree, &options),
    ))
}

/// Loads the position of a link, and computes its tree.
pub(crate) async fn load_tree(answers: &Answers, link: Link) -> Result<(Scene, GameTree), RequestError> {
    let depth = link.extra("depth").map(parse_depth).transpose()?;
    let prune = link.extra("prune").map_or(Ok(false), |value| parse_yes_no("prune", value))?;
    let scene = run_blocking(move || Scene::new(link)).await?;
    let tree = grow(answers, &scene.rules, scene.game.clone(), depth, prune).await?.with_turn(scene.turn());
    Ok((scene, tree))
}

/// Computes the tree of a game on a blocking thread, within the limits.
pub(crate) async fn grow(
    answers: &Answers,
    rules: &RulesFile,
    game: AnyGame,
    depth: Option<usize>,
    alpha_beta: bool,
) -> Result<GameTree, RequestError> {
    let (name, oracle) = (rules.name.clone(), answers.limits().tablebase.find(rules, &game));
    let tree_options = TreeOptions { depth, alpha_beta, max_positions: MAX_NODES, memory: MEMORY, threads: 1, oracle };
    let tree = LIMITS.run(move |watch| {
        build_tree(&game, &name, tree_options, watch).map_err(|e| match e {
            GameTreeError::TooMany { depth, max_positions } => {
                RequestError::invalid(|lang| errors::large_tree(lang, depth, max_positions))
            }
            GameTreeError::TooLong(_) => RequestError::bad_request(e.to_string(), "take smaller heaps"),
            GameTreeError::Table(_) | GameTreeError::Stopped(_) => RequestError::too_hard(errors::hard_tree),
        })
    });
    tree.await
}

/// Returns the heading of a tree, with the game's name in words.
fn heading(lang: Lang, link: &Link, tree: &GameTree) -> String {
    let (heading, id) = (tree.heading(lang), link.game.len());
    let rest = heading.split_at_checked(id).filter(|(name, _)| name.eq_ignore_ascii_case(&link.game));
    rest.map_or_else(|| heading.clone(), |(_, rest)| format!("{}{rest}", frame::game(lang, &link.game)))
}

fn body(scene: &Scene, tree: &GameTree, options: &ViewOptions) -> Markup {
    let (lang, link) = (options.lang, &scene.link);
    let view = TreeView::new(tree, options);
    let links = |target: LinkTarget, node: usize| click_url(link, &view, target, node);
    let cuts = view.cuts();
    html! {
        h1 { a href=(link.game_only().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) " · " (say::tree(lang)) } }
        p.sentence { (heading(lang, link, tree)) }
        p { (view.extent()) }
        (choices(lang, scene, tree))
        @if !tree.steps().is_empty() { (steps(link, &view)) }
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

/// Returns the URL of a click.
fn click_url(link: &Link, view: &TreeView, target: LinkTarget, node: usize) -> String {
    let TreeView { tree, options, .. } = view;
    let after = |node: usize| tree.moves_to(node).iter().fold(link.position_only(), |link, mv| link.after(mv));
    let folds = |folds: &mut dyn Iterator<Item = &[usize]>| {
        let path = |path: &[usize]| path.iter().map(usize::to_string).collect::<Vec<_>>().join(".");
        link.with("fold", folds.map(path).collect::<Vec<_>>().join(",")).url("tree")
    };
    let path = tree.nodes[node].path.as_slice();
    let folded = options.folds.iter().map(Vec::as_slice);
    match target {
        // Without a side, since against the perfect player some positions are only passed through.
        LinkTarget::Position => after(node).with_side(None).play(),
        LinkTarget::Subtree => {
            let prune = link.extra("prune").unwrap_or_default();
            after(node).with("prune", prune).url("tree")
        }
        LinkTarget::Fold => folds(&mut folded.chain([path])),
        LinkTarget::Unfold => folds(&mut folded.filter(|fold| *fold != path)),
    }
}

/// Links that choose the depth, and whether alpha-beta is shown.
fn choices(lang: Lang, scene: &Scene, tree: &GameTree) -> Markup {
    let (is_pruned, link) = (!tree.steps().is_empty(), scene.link.with("step", ""));
    let deepest = tree.max_useful_depth(&scene.game, MAX_NODES);
    let here = |is: bool| is.then_some("true");
    html! {
        nav.tree-choices aria-label=(words::choices(lang)) {
            span { (words::depth(lang)) }
            @for depth in 1..=deepest {
                a.tool data-depth=(depth) href=(link.with("depth", depth.to_string()).with("fold", "").url("tree"))
                    aria-current=[here(depth == tree.requested_depth)] { (depth) }
            }
            span { (words::alpha_beta(lang)) }
            a.tool #prune-no href=(link.with("prune", "").url("tree")) aria-current=[here(!is_pruned)] { (words::no(lang)) }
            a.tool #prune-yes href=(link.with("prune", "yes").url("tree")) aria-current=[here(is_pruned)] { (words::yes(lang)) }
            a #position href=(scene.link.position_only().play()) { (words::position(lang)) }
        }
    }
}

/// Links to the first, previous, next and last step of the search.
fn steps(link: &Link, view: &TreeView) -> Markup {
    let TreeView { tree, options, .. } = view;
    let (lang, last) = (options.lang, tree.steps().len());
    let now = options.step.unwrap_or(last).min(last);
    let steps = [Some(0), now.checked_sub(1), (now < last).then_some(now + 1), Some(last)];
    let steps = steps.map(|step| step.filter(|step| *step != now || options.step.is_none()));
    html! {
        nav.tree-choices #steps aria-label=(words::steps(lang)) {
            (step_links(lang, steps, |step| link.with("step", step.to_string()).url("tree")))
            span { (words::step_of(lang, now, last)) }
        }
        p #step role="status" data-step=(now) {
            @if let Some(step) = view.step().filter(|_| options.step.is_some()) { (step) }
            @else { (words::all_steps(lang)) }
        }
    }
}

/// The tree as nested lists, for screen readers.
fn list(links: &Links, view: &TreeView, node: usize) -> Markup {
    let mark = if view.is_best(node) { " ★" } else { "" };
    let children: Vec<_> = view.children(node).collect();
    html! {
        li {
            a href=(links(LinkTarget::Position, node)) { (view.label(node)) } (mark)
            @if view.hidden(node) > 0 {
                @let target = if view.tree.nodes[node].folded > 0 { LinkTarget::Subtree } else { LinkTarget::Unfold };
                " · " a href=(links(target, node)) { (view.hidden_text(node)) }
            }
            @if !children.is_empty() { ul { @for child in children { (list(links, view, child)) } } }
        }
    }
}
