//! A position: what it and each of its moves are worth, and the moves to make.

mod moves;
mod told;

use std::sync::Arc;

use balpan::Outcome;
use balpan_games::Answer;
use maud::{Markup, html};

use crate::answers::{Answers, Asked, Reply, Wait};
use crate::board::{self, Worths};
use crate::certificates::Certificates;
use crate::link::{Link, Side};
use crate::page::{Page, Reader};
use crate::refusal::Refusal;
use crate::scene::{Scene, apart, name_in};
use crate::site::Site;
use crate::theory::convention;
use crate::values::has_values;
use crate::words::players::Name;
use crate::words::{Lang, certificates as words, frame, position as say, review_page, theory, values};
pub(crate) use moves::how_to_pick;
pub(crate) use told::{Told, done, progress_told};

/// The page, or where to go instead.
pub(crate) enum Shown {
    Page(Page),
    Elsewhere(String),
}

/// What the page shows; if the reader follows a link from another site, nothing that takes long
/// is begun for it.
pub(crate) async fn page(reader: Reader, link: Link, answers: &Answers, from: Site) -> Result<Shown, Refusal> {
    let scene = match scene(link).await? {
        Ok(scene) => scene,
        Err(url) => return Ok(Shown::Elsewhere(url)),
    };
    // What is hidden need not be waited for.
    let wait = if is_marked(&scene) || is_perfect_players_turn(&scene) { Wait::ForVerdict } else { Wait::Not };
    let asked = Asked { may_take_long: from == Site::Own, ..asked(&scene) };
    let told = Told::of(answers.ask(asked, wait).await)?;
    Ok(match reply(&scene, &told) {
        Some(url) => Shown::Elsewhere(url),
        None => Shown::Page(shown(reader, &scene, &told, answers.certificates())),
    })
}

/// What the link shows, or the tidier URL of the same.
async fn scene(link: Link) -> Result<Result<Scene, String>, Refusal> {
    let made = apart(move || {
        let tidied = super::rules::tidied(link.clone())?;
        if tidied == link { Scene::new(link).map(Ok) } else { Ok(Err(tidied.play())) }
    });
    made.await
}

/// The scene whose page is followed as it fills in.
pub(crate) async fn followed(link: Link) -> Result<Scene, Refusal> {
    apart(move || Scene::new(link)).await
}

/// What is asked of the scene's position.
pub(crate) fn asked(scene: &Scene) -> Asked {
    Asked {
        name: scene.link.game.clone(),
        rules: scene.rules.clone(),
        game: scene.game.clone(),
        position: scene.view.position.clone(),
        ask: None,
        may_take_long: true,
    }
}

/// The answer about a position that is small enough to have it soon, as those of exercises and
/// puzzles are.
pub(crate) async fn answered_soon(answers: &Answers, scene: &Scene) -> Result<Arc<Answer>, Refusal> {
    let asked = Asked { may_take_long: false, ..asked(scene) };
    match answers.ask(asked, Wait::Patiently).await {
        Reply::Answered(answer) => Ok(answer),
        Reply::Refused(no_answer) => Err(no_answer.into()),
        _ => Err(Refusal::busy()),
    }
}

fn is_marked(scene: &Scene) -> bool {
    scene.link.marks.unwrap_or(scene.link.side.is_none() || scene.view.over)
}

fn is_perfect_players_turn(scene: &Scene) -> bool {
    scene.link.side.is_some_and(|reader| !scene.view.over && (scene.turn() == 0) != (reader == Side::First))
}

/// Where the perfect player's move leads, if it is its turn and the move is known.
pub(crate) fn reply(scene: &Scene, told: &Told) -> Option<String> {
    let mv = told.move_to_make().filter(|_| is_perfect_players_turn(scene))?;
    Some(scene.link.after(mv).play())
}

/// Whether the page shows only that the perfect player thinks.
fn is_locked(scene: &Scene, told: &Told) -> bool {
    is_perfect_players_turn(scene) && told.is_going()
}

/// Whether there will be more to see than the page shows.
pub(crate) fn is_waiting(scene: &Scene, told: &Told) -> bool {
    told.is_going() && (is_marked(scene) || is_perfect_players_turn(scene))
}

fn shown(reader: Reader, scene: &Scene, told: &Told, certificates: &Certificates) -> Page {
    let (lang, link) = (reader.lang, &scene.link);
    let is_waiting = is_waiting(scene, told);
    let events = is_waiting.then(|| link.url("events"));
    let body = html! {
        h1 { a href=(link.of_game().url("games")) { (frame::game(lang, &link.game)) } " " small { (scene.game.size()) } }
        @if is_marked(scene) { (proved(reader, scene, certificates)) }
        div.play data-events=[events] { (parts(lang, scene, told)) }
    };
    let url_link = link.clone();
    let page = Page::new(title(lang, scene, told), move |lang| url_link.with_lang(lang).play(), body);
    let description = Some(described(lang, scene));
    Page { is_waiting, status: told.status(is_waiting), description, ..page }
}

/// The page in a sentence, for those who have not opened it.
fn described(lang: Lang, scene: &Scene) -> String {
    let game = frame::game(lang, &scene.link.game);
    let turn = (!scene.view.over).then(|| format!(" {}.", say::to_move(lang, player(lang, scene, false))));
    format!("{game} {}.{} {}", scene.game.size(), turn.unwrap_or_default(), say::described(lang))
}

/// What is proved of the position, with the way to the certificate.
fn proved(reader: Reader, scene: &Scene, certificates: &Certificates) -> Markup {
    let lang = reader.lang;
    let players = [player(lang, scene, false), player(lang, scene, true)];
    html! {
        @for of in certificates.about(scene) {
            p.proved {
                (words::proved(lang, &words::said(lang, of.said, players))) " "
                a href=(reader.link_to(&of.name).url("certificates")) { (words::one(lang)) }
            }
        }
    }
}

/// All that changes when more is known.
pub(crate) fn parts(lang: Lang, scene: &Scene, told: &Told) -> Markup {
    let (is_marked, is_locked) = (is_marked(scene), is_locked(scene, told));
    let marked = told.answer().filter(|_| is_marked);
    let worths = Worths::new(marked);
    html! {
        div.table {
            (picture(lang, scene, (!is_locked).then_some(&worths)))
            @if !is_locked { (board::palette(lang, scene)) }
            @if is_marked { (legend(lang)) }
        }
        div.panel {
            (told::verdict(lang, scene, told, is_marked, is_locked))
            (opponent(lang, scene, is_marked))
            (history(lang, scene))
            @if !scene.view.over && !is_locked { (moves::moves(lang, scene, &worths, told.is_growing() && is_marked)) }
            @if !is_locked { (moves::line(lang, scene, marked, told.is_growing() && is_marked)) }
            (ways_on(lang, scene))
        }
    }
}

pub(crate) fn title(lang: Lang, scene: &Scene, told: &Told) -> String {
    let game = format!("{} {}", scene.link.game, scene.game.size());
    match told.answer().filter(|answer| is_marked(scene) && answer.outcome.is_some()) {
        Some(_) => format!("{game}: {}", told::sentence(lang, scene, told)),
        None => game,
    }
}

/// The name of the player to move, or of the other.
fn player(lang: Lang, scene: &Scene, other: bool) -> Name {
    let player = scene.view.players[usize::from(other)];
    name_in(lang, &scene.game, player, (scene.turn() + usize::from(other)) % 2)
}

fn picture(lang: Lang, scene: &Scene, worths: Option<&Worths>) -> Markup {
    match &scene.view.board {
        Some(view) => board::board(lang, scene, view, worths),
        None => board::heaps(lang, scene, worths),
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
                        a #(id) href=(link.with_side(Some(side)).play()) { (say::as_player(lang, name, side == Side::First)) }
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
            @if !link.then.is_empty() { (later(lang, link)) }
            p.actions {
                // The perfect player's first move is not the reader's to take back.
                @if n > usize::from(link.side == Some(Side::Second)) {
                    a #undo href=(link.after_first(left).play()) data-key="u" { (say::undo(lang)) }
                }
                @if let Some(next) = link.then.first() {
                    a #redo href=(link.after(next).play()) data-key="r" { (say::redo(lang)) }
                }
                @if n > 0 && (link.side.is_none() || scene.view.over) {
                    @let whole = Link { side: None, marks: None, ..link.of_position() };
                    a #review href=(whole.url("review")) { (review_page::of_this(lang)) }
                }
                @if n > 0 && scene.view.over { (again(lang, link)) }
            }
        }
    }
}

/// The moves that were taken back, each a link to the position after it.
fn later(lang: Lang, link: &Link) -> Markup {
    let mut at = link.of_position();
    let steps = link.then.iter().map(|mv| {
        at = at.after(mv);
        (at.moves.len(), mv, at.play())
    });
    html! {
        p.hint { (say::later(lang)) }
        ol #later { @for (n, mv, url) in steps { li { small { (n) ". " } a href=(url) { (mv) } } } }
    }
}

/// The ways to play again, when play is over.
fn again(lang: Lang, link: &Link) -> Markup {
    let begin = Link { then: Vec::new(), ..link.after_first(0) };
    let other = link.side.map(|side| if side == Side::First { Side::Second } else { Side::First });
    html! {
        a #new-game href=(begin.play()) { (review_page::new_game(lang)) }
        @if other.is_some() { a #rematch href=(begin.with_side(other).play()) { (review_page::rematch(lang)) } }
    }
}

/// A frame with this position, for a page of one's own; the script fills in this server's name.
fn snippet(scene: &Scene) -> String {
    let url = scene.link.at_position(&scene.view.position).url("embed");
    let (width, height) = (320, 380);
    format!("<iframe src=\"http://127.0.0.1:8000{url}\" width=\"{width}\" height=\"{height}\"></iframe>")
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
            details.embedding {
                summary { (say::embed(lang)) }
                p.hint { (say::embed_help(lang)) }
                p.copy {
                    code #snippet { (snippet(scene)) }
                    button #copy-snippet type="button" data-copy="#snippet" data-copied=(say::copied(lang)) hidden { (say::copy_button(lang)) }
                }
            }
            p.actions {
                a #edit href=(here.url("edit")) { (say::edit(lang)) }
                @if scene.view.moves.len() < super::tree::MOST { a #tree href=(link.of_position().url("tree")) { (say::tree(lang)) } }
                @if convention(&scene.game).is_some() { a #parts href=(link.of_position().url("parts")) { (theory::title(lang)) } }
                @else if has_values(&scene.game) { a #parts href=(link.of_position().url("parts")) { (values::title(lang)) } }
                a href=(link.of_game().url("games")) { (say::rules(lang)) }
            }
        }
    }
}
