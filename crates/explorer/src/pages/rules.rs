//! The page of a game's rules, in words and as a form to change them.

use balpan_games::placement::{Piece, Pieces};
use balpan_games::{AnyGame, Kind, Setting, describe_rules, settings};
use maud::{Markup, html};

use crate::board;
use crate::error::RequestError;
use crate::link::Link;
use crate::page::{Page, lang_field};
use crate::request::GetRequest;
use crate::scene::{Scene, run_blocking};
use crate::words::{Lang, census, frame, position, review_page, rules as say};

pub(crate) async fn page(request: GetRequest) -> Result<Page, RequestError> {
    let lang = request.reader.lang;
    let scene = run_blocking(move || Scene::new(Link { moves: Vec::new(), ..request.link(&[])? })).await?;
    let link = &scene.link;
    let about = frame::about(lang, &link.game).unwrap_or_else(|| scene.about(lang));
    let body = html! {
        h1 { (frame::game(lang, &link.game)) " " small { (scene.game.size()) } }
        p.lead { (about) }
        div.two {
            section {
                a.picture href=(link.play()) tabindex="-1" aria-hidden="true" { (board::thumbnail(&scene)) }
                p { a.button href=(link.play()) { (frame::play(lang)) } " " a href=(link.url("edit")) { (position::edit(lang)) } " " a #review href=(link.url("review")) { (review_page::title(lang)) } " " a #census href=(link.url("census")) { (census::title(lang)) } }
            }
            section {
                @let sentences = describe_rules(lang, &scene.game);
                @if !sentences.is_empty() { h2 { (say::title(lang)) } }
                ul #rules { @for sentence in sentences { li { (sentence) } } }
                (pieces(lang, &scene.game))
                (form(lang, &scene))
                details {
                    summary { (say::file(lang)) }
                    pre { code { (scene.rules.text) } }
                }
            }
        }
    };
    Ok(Page::new(frame::game(lang, &link.game), link.without_lang().url("games"), body))
}

/// The pieces of a placement game, drawn.
fn pieces(lang: Lang, game: &AnyGame) -> Markup {
    let Some(pieces) = game.pieces() else {
        return html! {};
    };
    let row = |class: &str, pieces: &[Piece]| {
        html! {
            ul.pieces {
                @for piece in pieces {
                    li { (board::drawing(class, &piece.shape.to_string())) " " (piece.name) }
                }
            }
        }
    };
    html! {
        h3 { (say::pieces(lang)) }
        @match pieces {
            Pieces::Shared(pieces) => (row("dark", pieces)),
            Pieces::Own { left, right } => { (row("dark", left)) (row("light", right)) }
        }
    }
}

fn form(lang: Lang, scene: &Scene) -> Markup {
    let link = &scene.link;
    let start = match (&scene.board, scene.game.heaps()) {
        (Some(_), _) => "at",
        (None, Some(_)) => "start",
        (None, None) => "position",
    };
    html! {
        h2 { (say::change(lang)) }
        form.rules method="get" action={ "/play/" (link.game) } {
            @for setting in settings(&scene.game) { (field(lang, &setting)) }
            label {
                span { (say::key(lang, start)) }
                input type="text" name="at" value=[link.at.as_deref()] autocomplete="off" spellcheck="false";
            }
            (lang_field(link.lang))
            p { button type="submit" { (say::begin(lang)) } " " small { (say::change_help(lang)) } }
        }
    }
}

fn field(lang: Lang, setting: &Setting) -> Markup {
    let Setting { key, kind, value } = setting;
    let option = |word: &str, label: &str| {
        html! { option value=(word) selected[word == value] { (label) } }
    };
    html! {
        label {
            span { (say::key(lang, key)) }
            @match kind {
                Kind::Text => input type="text" name=(key) value=(value) autocomplete="off" spellcheck="false";,
                Kind::Pieces => textarea name=(key) rows="3" spellcheck="false" { (value) },
                Kind::Number => input type="number" name=(key) value=(value) min="1";,
                Kind::YesNo => select name=(key) {
                    @for yes in ["true", "false"] { (option(yes, say::yes_no(lang, yes))) }
                },
                Kind::Choice(words) => select name=(key) {
                    @for word in *words { (option(word, say::value(lang, word))) }
                    @if !words.contains(&value.as_str()) { (option(value, value)) }
                },
            }
        }
    }
}

/// Removes the changes that change nothing from a link, since forms send all their fields.
pub(crate) fn tidy(mut link: Link) -> Result<Link, RequestError> {
    let plain = Scene::new(Link { game: link.game.clone(), ..Link::default() })?;
    let defaults = settings(&plain.game);
    // Of changes of the same key, the last one counts.
    let last = link.changes.clone();
    link.changes.retain({
        let mut n = 0;
        move |(key, _)| {
            n += 1;
            !last[n..].iter().any(|(later, _)| later == key)
        }
    });
    link.changes
        .retain(|(key, value)| !defaults.iter().any(|default| default.key == key && is_same(&default.value, value)));
    Ok(link)
}

/// Compares values without their blanks.
fn is_same(a: &str, b: &str) -> bool {
    let letters = |text: &str| text.chars().filter(|c| !c.is_whitespace()).collect::<String>();
    letters(a) == letters(b)
}
