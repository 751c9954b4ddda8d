//! Sums of impartial games: the parts of a position, or several games side by side, with their
//! nimbers in binary and the moves that make the sum 0.

use axum::http::StatusCode;
use balpan::{Outcome, Watch};
use maud::{Markup, html};

use crate::answers::{Answers, Reply, Wait};
use crate::board::{self, Tint, Worths};
use crate::bounded::bounded;
use crate::link::Link;
use crate::page::{Page, Reader, reason};
use crate::pages::{position, value, values};
use crate::refusal::Refusal;
use crate::scene::{Scene, apart};
use crate::theory::{Convention, LONGEST, Part, ROOM, convention, nimbers, parts};
use crate::values::has_values;
use crate::words::{Lang, frame, position as words, theory as say};

/// Games of the largest sum.
const MOST_GAMES: usize = 8;

/// Moves to 0 that are told at most.
const MOST_MOVES: usize = 12;

/// A line of the table: what it is, where it is shown, and its nimber.
struct Row {
    what: Markup,
    nimber: u32,
}

/// The parts of a position.
pub(crate) async fn of_position(answers: &Answers, reader: Reader, link: Link) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let with = link.clone();
    if apart(move || Ok(has_values(&Scene::new(with)?.game))).await? {
        return values::page(reader, link).await;
    }
    let made = bounded(&ROOM, LONGEST, move |watch| {
        let scene = Scene::new(link)?;
        let convention = convention(&scene.game).ok_or_else(Refusal::not_impartial)?;
        let parts = match convention {
            Convention::Normal => parts(&scene.game, &scene.view),
            Convention::Misere => Vec::new(),
        };
        let mut texts: Vec<String> = parts.iter().map(|part| part.text.clone()).collect();
        texts.push(scene.view.position.clone());
        let mut found = nimbers(&scene.game, texts, watch)?;
        let whole = found.pop().unwrap_or_default();
        Ok((scene, convention, parts, found, whole))
    });
    let (scene, convention, parts, found, whole) = made.await?;
    let zero = match convention {
        Convention::Normal if whole > 0 => winning(answers, &scene).await?,
        _ => Vec::new(),
    };
    let link = scene.link.clone();
    let tint = |(part, nimber): (&Part, &u32)| Tint {
        cells: part.cells,
        said: nimber.to_string(),
        letter: None,
        is_hot: false,
    };
    let tints: Vec<Tint> = parts.iter().zip(&found).map(tint).collect();
    let rows: Vec<Row> = (parts.iter().zip(&found).enumerate())
        .map(|(n, (part, nimber))| Row {
            what: html! { span class={ "swatch tint-" (n % 6) } {} a href=(link.at_position(&part.text).play()) { (part.text) } },
            nimber: *nimber,
        })
        .collect();
    let body = html! {
        h1 { a href=(link.play()) { (frame::game(lang, &link.game)) } " " small { (say::title(lang)) } }
        p.lead { (say::lead(lang)) }
        div.play {
            div.table {
                @if let Some(view) = &scene.view.board { (board::tinted(lang, &scene, view, &tints)) }
                @else { (board::figure(lang, &scene, &Worths::new(None))) }
            }
            div.panel {
                @match convention {
                    Convention::Normal => {
                        (table(lang, &rows, whole))
                        (verdict(lang, whole))
                        @if !zero.is_empty() {
                            p { (say::to_zero(lang)) }
                            ul #zero.numbers-of { @for mv in zero.iter().take(MOST_MOVES) { li { a href=(link.after(mv).url("parts")) { (mv) } } } }
                        }
                    },
                    Convention::Misere => p #whole data-nimber=(whole) { (say::misere_value(lang, whole)) },
                }
                p.actions { a href=(link.play()) { (say::position(lang)) } a href="/sum" { (say::sums(lang)) } }
            }
        }
    };
    let title = format!("{}: {}", say::title(lang), link.game);
    Ok(Page::new(title, move |lang| link.with_lang(lang).url("parts"), body))
}

/// The moves that win, as far as they are soon known.
async fn winning(answers: &Answers, scene: &Scene) -> Result<Vec<String>, Refusal> {
    let known = match answers.ask(position::asked(scene), Wait::ForVerdict).await {
        Reply::Answered(answer) => Some(answer),
        Reply::NotYet(_, known) | Reply::GivenUp(_, known) | Reply::Left(known) => known,
        Reply::Busy => None,
        Reply::Refused(no_answer) => return Err(no_answer.into()),
    };
    let moves = known.iter().flat_map(|answer| &answer.moves);
    Ok(moves.filter(|mv| mv.outcome == Some(Outcome::Win)).map(|mv| mv.text.clone()).collect())
}

/// Nimbers one below the other, in binary, with their sum.
fn table(lang: Lang, rows: &[Row], sum: u32) -> Markup {
    let digits = rows.iter().map(|row| 32 - row.nimber.leading_zeros()).max().unwrap_or(0).max(1) as usize;
    html! {
        table.xor {
            thead { tr { th { (say::part(lang)) } th { (say::nimber(lang)) } th { (say::binary(lang)) } } }
            tbody { @for row in rows { tr { td { (row.what) } td.number { (row.nimber) } td.binary { (format!("{:0digits$b}", row.nimber)) } } } }
            tfoot { tr #whole data-nimber=(sum) { th { "XOR" } td.number { (sum) } td.binary { (format!("{sum:0digits$b}")) } } }
        }
    }
}

fn verdict(lang: Lang, sum: u32) -> Markup {
    html! { p class=(if sum == 0 { "sentence loss" } else { "sentence win" }) { (say::verdict(lang, sum == 0)) } }
}

/// Several games side by side, as a query writes them: `cram .../... + nim 3 5`.
pub(crate) async fn of_games(reader: Reader, query: &str) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let mut written = String::new();
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*key {
            "of" => written = value.trim().to_owned(),
            "lang" => {}
            key => return Err(Refusal::key(key)),
        }
    }
    let text = written.clone();
    let made = match apart(move || valued(reader, &text)).await {
        Ok(Some(expression)) => value::worth(lang, expression).await,
        Ok(None) => {
            let text = written.clone();
            bounded(&ROOM, LONGEST, move |watch| sum(reader, &text, watch)).await
        }
        Err(refusal) => Err(refusal),
    };
    let (status, told) = match made {
        Ok(told) => (StatusCode::OK, told),
        Err(refusal) => (refusal.status, reason(lang, &refusal)),
    };
    let shown = if written.is_empty() { say::EXAMPLE } else { &written };
    let body = html! {
        h1 { (say::sums(lang)) }
        p.lead { (say::sum_lead(lang)) }
        form.record method="get" action="/sum" {
            @if let Some(lang) = reader.said { input type="hidden" name="lang" value=(lang.code()); }
            label { span { (say::games(lang)) } input #of type="text" name="of" value=(shown) autocomplete="off" spellcheck="false" maxlength="2000"; }
            p { button type="submit" { (say::add(lang)) } }
        }
        (told)
        p.actions { a href="/value" { (crate::words::values::values(lang)) } }
    };
    let url = move |lang: Lang| {
        let of = if written.is_empty() { String::new() } else { format!("of={}&", crate::link::escaped(&written)) };
        format!("/sum?{of}lang={}", lang.code())
    };
    Ok(Page { status, ..Page::new(say::sums(lang), url, body) })
}

/// The games of a query, each with its position, if there is one.
fn games(written: &str) -> impl Iterator<Item = (&str, Option<String>)> {
    written.split(" + ").map(|game| {
        let (name, at) = game.trim().split_once(' ').unwrap_or((game.trim(), ""));
        (name, Some(at.trim().to_owned()).filter(|at| !at.is_empty()))
    })
}

/// The sum as an expression, if one of the games has other values than nimbers.
fn valued(reader: Reader, written: &str) -> Result<Option<String>, Refusal> {
    let (mut terms, mut is_valued) = (Vec::new(), false);
    for (name, at) in games(written).take(MOST_GAMES + 1).filter(|(name, _)| !name.is_empty()) {
        let scene = Scene::new(Link { at, ..reader.link_to(name) })?;
        is_valued |= has_values(&scene.game);
        // Who is to move does not matter.
        let position = &scene.view.position;
        let position = position.strip_suffix(" l").or_else(|| position.strip_suffix(" r")).unwrap_or(position);
        terms.push(format!("{name}({position})"));
    }
    if is_valued && terms.len() > MOST_GAMES {
        return Err(Refusal::told(StatusCode::BAD_REQUEST, |lang| say::too_many(lang, MOST_GAMES)));
    }
    Ok(is_valued.then(|| terms.join(" + ")))
}

/// What the sum of these games is worth.
fn sum(reader: Reader, written: &str, watch: &Watch) -> Result<Markup, Refusal> {
    let lang = reader.lang;
    if written.is_empty() {
        return Ok(html! {});
    }
    let mut scenes = Vec::new();
    for (name, at) in games(written) {
        if scenes.len() == MOST_GAMES {
            return Err(Refusal::told(StatusCode::BAD_REQUEST, |lang| say::too_many(lang, MOST_GAMES)));
        }
        let scene = Scene::new(Link { at, ..reader.link_to(name) })?;
        if convention(&scene.game) != Some(Convention::Normal) {
            return Err(Refusal::not_impartial());
        }
        let nimber = nimbers(&scene.game, vec![scene.view.position.clone()], watch)?[0];
        scenes.push((scene, nimber));
    }
    let whole = scenes.iter().fold(0, |sum, (_, nimber)| sum ^ nimber);
    let zero = if whole == 0 { Vec::new() } else { to_zero(&scenes, whole, watch)? };
    let rows: Vec<Row> = scenes
        .iter()
        .map(|(scene, nimber)| Row {
            what: html! { a href=(scene.link.play()) { (frame::game(lang, &scene.link.game)) } " " (scene.view.position) },
            nimber: *nimber,
        })
        .collect();
    let to = |at: usize, position: &str| {
        let one = |(n, (scene, _)): (usize, &(Scene, u32))| {
            format!("{} {}", scene.link.game, if n == at { position } else { &scene.view.position })
        };
        let of = scenes.iter().enumerate().map(one).collect::<Vec<_>>().join(" + ");
        let lang = reader.said.map_or_else(String::new, |lang| format!("&lang={}", lang.code()));
        format!("/sum?of={}{lang}", crate::link::escaped(&of))
    };
    Ok(html! {
        div.figures { @for (scene, nimber) in &scenes { figure { (board::figure(lang, scene, &Worths::new(None))) figcaption { (frame::game(lang, &scene.link.game)) ": " (nimber) } } } }
        (table(lang, &rows, whole))
        (verdict(lang, whole))
        @if !zero.is_empty() {
            p { (say::to_zero(lang)) }
            ul #zero { @for (at, mv, position) in zero.iter().take(MOST_MOVES) { li { (frame::game(lang, &scenes[*at].0.link.game)) ": " a href=(to(*at, position)) { (mv) } } } }
            @if zero.len() > MOST_MOVES { p { (words::more_moves_plain(lang, zero.len() - MOST_MOVES)) } }
        }
    })
}

/// The moves to 0: the game of each by its number, its text, and the position that it leaves there.
fn to_zero(scenes: &[(Scene, u32)], whole: u32, watch: &Watch) -> Result<Vec<(usize, String, String)>, Refusal> {
    let mut found = Vec::new();
    for (n, (scene, nimber)) in scenes.iter().enumerate() {
        let after = scene.view.moves.iter().map(|mv| {
            let scene = Scene::new(scene.link.after(&mv.text))?;
            Ok((mv.text.clone(), scene.view.position))
        });
        let after = after.collect::<Result<Vec<_>, Refusal>>()?;
        let positions = after.iter().map(|(_, position)| position.clone()).collect();
        let nimbers = nimbers(&scene.game, positions, watch)?;
        let right = after.into_iter().zip(nimbers).filter(|(_, left)| *left == nimber ^ whole);
        found.extend(right.map(|((mv, position), _)| (n, mv, position)));
    }
    Ok(found)
}
