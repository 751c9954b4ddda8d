//! A position: what it and each of its moves are worth, and the moves to make.

use axum::http::StatusCode;
use balpan::Outcome;
use balpan_games::{Answer, AnyGame};
use maud::{Markup, html};

use crate::answers::{Answers, Asked, Progress, Reply};
use crate::board::{self, Picked, Worth, Worths};
use crate::link::{Link, Side};
use crate::page::{Page, Reader};
use crate::refusal::Refusal;
use crate::scene::{MoveView, Scene, apart};
use crate::words::players::{Name, name};
use crate::words::{Lang, grouped, position as say};

/// The page, or where to go instead.
pub(crate) enum Shown {
    Page(Page),
    Elsewhere(String),
}

/// Moves that are listed at most; all can be made on the board.
const MOST_LISTED: usize = 120;

pub(crate) async fn page(reader: Reader, link: Link, answers: &Answers) -> Result<Shown, Refusal> {
    let made = apart(move || {
        let tidied = super::rules::tidied(link.clone())?;
        if tidied == link { Scene::new(link).map(Ok) } else { Ok(Err(tidied.play())) }
    });
    let scene = match made.await? {
        Ok(scene) => scene,
        Err(url) => return Ok(Shown::Elsewhere(url)),
    };
    let reply = answers.ask(asked(&scene)).await;
    if let (Some(side), Reply::Answered(answer)) = (scene.link.side, &reply)
        && is_perfect_players_turn(&scene, side)
        && let Some(best) = answer.best.first()
    {
        return Ok(Shown::Elsewhere(scene.link.after(best).play()));
    }
    Ok(Shown::Page(shown(reader, &scene, reply)?))
}

/// What is asked of the scene's position.
pub(crate) fn asked(scene: &Scene) -> Asked {
    Asked { name: scene.link.game.clone(), rules: scene.rules.text.clone(), game: scene.game.clone(), ask: None }
}

fn is_perfect_players_turn(scene: &Scene, reader: Side) -> bool {
    !scene.view.over && (scene.turn() == 0) != (reader == Side::First)
}

fn shown(reader: Reader, scene: &Scene, reply: Reply) -> Result<Page, Refusal> {
    let (lang, link) = (reader.lang, &scene.link);
    let (answer, waiting) = match reply {
        Reply::Answered(answer) => (Some(answer), None),
        Reply::NotYet(progress) => (None, Some(Waiting::Going(progress))),
        Reply::GivenUp(spent) => {
            let told = say::progress(lang, &grouped(spent.positions), spent.after.as_secs());
            let why = format!("{} ({told})", say::given_up(lang));
            (None, Some(Waiting::Never(StatusCode::UNPROCESSABLE_ENTITY, why)))
        }
        Reply::Busy => (None, Some(Waiting::Never(StatusCode::SERVICE_UNAVAILABLE, say::busy(lang).to_owned()))),
        Reply::Refused(no_answer) => return Err(no_answer.into()),
    };
    let is_marked = link.marks.unwrap_or(link.side.is_none() || scene.view.over);
    let marked = answer.as_deref().filter(|_| is_marked);
    let body = html! {
        h1 { a href=(link.of_game().url("games")) { (link.game) } " " small { (scene.game.size()) } }
        div.play {
            div.table {
                (picture(lang, scene, marked))
                @if is_marked { (legend(lang)) }
            }
            div.panel {
                @match (&answer, &waiting) {
                    (Some(answer), _) => (verdict(lang, scene, answer, is_marked)),
                    (_, Some(waiting)) => (not_yet(lang, scene, waiting)),
                    _ => {}
                }
                (opponent(lang, scene, is_marked))
                (history(lang, scene))
                @if !scene.view.over { (moves(lang, scene, marked)) }
                @if let Some(answer) = marked { (line(lang, scene, answer)) }
                (ways_on(lang, scene))
            }
        }
    };
    let is_waiting = matches!(waiting, Some(Waiting::Going(_)));
    let url_link = link.clone();
    let page = Page::new(title(lang, scene, marked), move |lang| url_link.with_lang(lang).play(), body);
    let status = match waiting {
        Some(Waiting::Going(_)) => StatusCode::ACCEPTED,
        Some(Waiting::Never(status, _)) => status,
        None => StatusCode::OK,
    };
    Ok(Page { is_waiting, status, ..page })
}

/// Why there is no answer yet.
enum Waiting {
    Going(Progress),
    Never(StatusCode, String),
}

fn title(lang: Lang, scene: &Scene, answer: Option<&Answer>) -> String {
    let game = format!("{} {}", scene.link.game, scene.game.size());
    match answer {
        Some(answer) => format!("{game}: {}", sentence(lang, scene, answer)),
        None => game,
    }
}

/// The name of the player to move, or of the other.
fn player(lang: Lang, scene: &Scene, other: bool) -> Name {
    name(lang, scene.view.players[usize::from(other)], (scene.turn() + usize::from(other)) % 2)
}

fn sentence(lang: Lang, scene: &Scene, answer: &Answer) -> String {
    let winner = match answer.outcome {
        Outcome::Win => Some(player(lang, scene, false)),
        Outcome::Loss => Some(player(lang, scene, true)),
        Outcome::Draw => None,
    };
    say::verdict(lang, winner, answer.remoteness, scene.view.over)
}

fn verdict(lang: Lang, scene: &Scene, answer: &Answer, is_marked: bool) -> Markup {
    let worth = Worth::new(answer.outcome, answer.remoteness, true);
    let is_told = is_marked || scene.view.over;
    html! {
        section #verdict.verdict data-position=(scene.view.position) data-over=[scene.view.over.then_some("true")]
            data-outcome=[is_told.then(|| answer.outcome.to_string())]
            data-remoteness=[answer.remoteness.filter(|_| is_told)] {
            @if !scene.view.over { p.turn { (say::to_move(lang, player(lang, scene, false))) } }
            @if is_told {
                p class={ "sentence " (worth.class()) } role="status" { (sentence(lang, scene, answer)) }
            } @else {
                p.hidden { (say::hidden(lang)) }
            }
        }
    }
}

fn not_yet(lang: Lang, scene: &Scene, waiting: &Waiting) -> Markup {
    html! {
        section #waiting.verdict data-position=(scene.view.position) {
            p.turn { (say::to_move(lang, player(lang, scene, false))) }
            @match waiting {
                Waiting::Going(progress) => {
                    p.sentence role="status" { (say::waiting(lang)) }
                    p { (told(lang, progress)) }
                    progress aria-label=(say::waiting(lang)) value=[done(progress)] max="1" {}
                }
                Waiting::Never(_, why) => p role="status" { (why) },
            }
        }
    }
}

/// How far a search is.
fn told(lang: Lang, progress: &Progress) -> String {
    if progress.ahead > 0 {
        return say::ahead(lang, progress.ahead);
    }
    let told = say::progress(lang, &grouped(progress.positions), progress.elapsed.as_secs());
    match progress.moves {
        (_, 0 | 1) => told,
        (done, all) => format!("{told}, {}", say::moves_done(lang, done, all)),
    }
}

fn done(progress: &Progress) -> Option<f64> {
    let (done, all) = progress.moves;
    let of_this = progress.share.clamp(0.0, 1.0);
    (all > 1).then(|| (done as f64 + of_this) / all as f64)
}

fn picture(lang: Lang, scene: &Scene, marked: Option<&Answer>) -> Markup {
    let worths = Worths::new(marked);
    match &scene.view.board {
        Some(view) => board::board(lang, scene, view, &worths),
        None => board::heaps(lang, scene, &worths),
    }
}

fn legend(lang: Lang) -> Markup {
    html! {
        ul.legend {
            @for outcome in [Outcome::Win, Outcome::Draw, Outcome::Loss] {
                li { span class={ "sample " (outcome.to_string()) } {} (say::legend(lang, outcome)) }
            }
            li { (say::legend_best(lang)) }
        }
    }
}

/// Who plays which side, and whether moves are marked.
fn opponent(lang: Lang, scene: &Scene, is_marked: bool) -> Markup {
    let link = &scene.link;
    let names = [name_of(lang, scene, 0), name_of(lang, scene, 1)];
    html! {
        section.opponent {
            @if let Some(side) = link.side {
                p { (say::you_are(lang, names[usize::from(side == Side::Second)])) }
                p.actions {
                    a href=(link.with_side(None).play()) { (say::both_sides(lang)) }
                    (marks_link(lang, scene, is_marked))
                }
            } @else {
                p { (say::opponent(lang)) }
                p.actions {
                    @for (id, side, name) in [("as-first", Side::First, names[0]), ("as-second", Side::Second, names[1])] {
                        a #(id) href=(link.with_side(Some(side)).play()) { (say::as_player(lang, name)) }
                    }
                    (marks_link(lang, scene, is_marked))
                }
            }
        }
    }
}

/// The way to the same page with moves marked, or without.
fn marks_link(lang: Lang, scene: &Scene, is_marked: bool) -> Markup {
    let words = if is_marked { say::hide_marks(lang) } else { say::show_marks(lang) };
    html! {
        @if !scene.view.over { a #marks href=(scene.link.with_marks(!is_marked).play()) { (words) } }
    }
}

/// The name of who was to move where the history begins (0), or of the other.
fn name_of(lang: Lang, scene: &Scene, side: usize) -> Name {
    player(lang, scene, scene.turn() != side)
}

fn history(lang: Lang, scene: &Scene) -> Markup {
    let link = &scene.link;
    let n = scene.history.len();
    // Against the perfect player, both of the last moves are taken back.
    let left = match link.side {
        Some(side) if n.is_multiple_of(2) == (side == Side::First) => n.saturating_sub(2),
        _ => n.saturating_sub(1),
    };
    html! {
        section.history {
            h2 { (say::history(lang)) }
            ol #history {
                li { a href=(link.after_first(0).play()) { (say::beginning(lang)) } }
                @for (i, played) in scene.history.iter().enumerate() {
                    li { small { (i + 1) ". " } a href=(link.after_first(i + 1).play()) aria-current=[(i + 1 == n).then_some("step")] { (played.text) } }
                }
            }
            // The perfect player's first move is not the reader's to take back.
            @if n > usize::from(link.side == Some(Side::Second)) { p.actions { a #undo href=(link.after_first(left).play()) data-key="u" { (say::undo(lang)) } } }
        }
    }
}

/// The moves, by what they are worth, and what is picked of one.
fn moves(lang: Lang, scene: &Scene, marked: Option<&Answer>) -> Markup {
    let worths = Worths::new(marked);
    let picked = match (&scene.game, &scene.view.board) {
        (AnyGame::Placement(_) | AnyGame::Wide(_), Some(view)) => Some(Picked::new(scene, view.board)),
        _ => None,
    };
    let all: Vec<&MoveView> = match &picked {
        Some(picked) => picked.moves.clone(),
        None => scene.view.moves.iter().collect(),
    };
    let mut sorted: Vec<(Worth, &MoveView)> = all.into_iter().map(|mv| (worths.of(&mv.text), mv)).collect();
    sorted.sort_by_key(|(worth, _)| std::cmp::Reverse(worth.preference()));
    let more = sorted.len().saturating_sub(MOST_LISTED);
    sorted.truncate(MOST_LISTED);
    html! {
        section.moves {
            h2 { (say::moves(lang)) }
            @if let Some(picked) = &picked { (picking(lang, scene, picked)) }
            ul #moves {
                @for group in sorted.chunk_by(|(a, _), (b, _)| a.preference() == b.preference()) {
                    li class=(group[0].0.class()) {
                        @let sign = group[0].0.sign();
                        @if !sign.is_empty() {
                            b.sign title=(group[0].0.words(lang)) { (sign) @if group[0].0.is_best() { " ★" } }
                        }
                        span.group {
                            @for (worth, mv) in group { (move_link(lang, scene, *worth, mv)) " " }
                        }
                    }
                }
            }
            @if more > 0 { p { (say::more_moves(lang, more)) } }
        }
    }
}

fn move_link(lang: Lang, scene: &Scene, worth: Worth, mv: &MoveView) -> Markup {
    let best = if worth.is_best() { "best" } else { "" };
    html! {
        a class=(best) href=(scene.link.after(&mv.text).play()) data-move=(mv.text) data-outcome=[worth.outcome()]
            data-remoteness=[worth.remoteness()] aria-label=(worth.label(lang, &mv.text)) { (mv.text) }
    }
}

fn picking(lang: Lang, scene: &Scene, picked: &Picked) -> Markup {
    html! {
        @if picked.cells == 0 {
            p.hint { (say::pick_help(lang)) }
        } @else {
            p.hint {
                @if picked.moves.is_empty() { (say::picked_none(lang)) " " }
                @if picked.complete().is_some() { (say::place_help(lang)) " " }
                a #clear href=(scene.link.of_position().play()) data-key="Escape" { (say::clear_pick(lang)) }
            }
        }
    }
}

/// Best play to the end, each step a link.
fn line(lang: Lang, scene: &Scene, answer: &Answer) -> Markup {
    let mut link = scene.link.of_position();
    let steps = answer.line.iter().map(|mv| {
        link = link.after(mv);
        (mv, link.play())
    });
    let steps: Vec<_> = steps.collect();
    html! {
        @if !steps.is_empty() {
            section.line {
                h2 { (say::line(lang)) }
                ol #line {
                    @for (n, (mv, url)) in steps.iter().enumerate() {
                        li { small { (scene.history.len() + n + 1) ". " } a href=(url) data-key=[(n == 0).then_some("n")] { (mv) } }
                    }
                }
            }
        }
    }
}

/// The position as text, and the other pages about it.
fn ways_on(lang: Lang, scene: &Scene) -> Markup {
    let link = &scene.link;
    let here = link.at_position(&scene.view.position);
    html! {
        section.ways {
            h2 { (say::copy(lang)) }
            p.copy {
                code #text { (scene.view.position) }
                button #copy type="button" data-copy="#text" data-copied=(say::copied(lang)) hidden { (say::copy_button(lang)) }
            }
            p.actions {
                a #edit href=(here.url("edit")) { (say::edit(lang)) }
                @if scene.view.moves.len() < super::tree::MOST { a #tree href=(link.of_position().url("tree")) { (say::tree(lang)) } }
                a href=(link.of_game().url("games")) { (say::rules(lang)) }
            }
        }
    }
}
