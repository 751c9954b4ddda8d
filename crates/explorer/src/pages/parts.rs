//! The page of the parts of a position: of an impartial game with their nimbers, of a partizan one with their values.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use balpan::Outcome;
use balpan_cgt::Dyadic;
use balpan_games::PlayerName;
use balpan_pictures::plots::{Style, thermograph};
use maud::{Markup, PreEscaped, html};

use crate::answers::{Answers, Wait};
use crate::board::{self, MoveValues, Tint};
use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::link::Link;
use crate::page::Page;
use crate::pages::position;
use crate::pages::sum::{MAX_MOVES, Row, nimber_table, sum_verdict};
use crate::request::GetRequest;
use crate::scene::{Scene, player_name, run_blocking};
use crate::theory::{
    Convention, NIMBER_LIMITS, Part, Value, Values, convention, has_values, nimbers, no_nimbers, parts, values,
};
use crate::words::{Lang, frame, theory, values as say};

/// Limits on the canonical forms of a partizan position.
static VALUE_LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), 200_000);

/// Characters of the longest value on a cell.
const MAX_LABEL_CHARS: usize = 5;

pub(crate) async fn page(State(answers): State<Arc<Answers>>, request: GetRequest) -> Result<Page, RequestError> {
    let (lang, link) = (request.reader.lang, request.link(&[])?);
    let scene = Arc::new(run_blocking(move || Scene::new(link)).await?);
    let (title, lead, [picture, panel]) = if has_values(&scene.game) {
        (say::title(lang), say::lead(lang), with_values(lang, &scene).await?)
    } else {
        (theory::title(lang), theory::lead(lang), with_nimbers(&answers, lang, &scene).await?)
    };
    let link = &scene.link;
    let body = html! {
        h1 { a href=(link.play()) { (frame::game(lang, &link.game)) } " " small { (title) } }
        p.lead { (lead) }
        div.play {
            div.table { (picture) }
            div.panel { (panel) }
        }
    };
    Ok(Page::new(format!("{title}: {}", frame::game(lang, &link.game)), link.without_lang().url("parts"), body))
}

/// Returns the texts of the parts, and last the text of the whole position.
fn texts(scene: &Scene, parts: &[Part]) -> Vec<String> {
    parts.iter().map(|part| part.text.clone()).chain([scene.position.clone()]).collect()
}

/// The picture and the panel of an impartial position.
async fn with_nimbers(answers: &Answers, lang: Lang, scene: &Arc<Scene>) -> Result<[Markup; 2], RequestError> {
    let convention = convention(&scene.game).ok_or_else(|| no_nimbers(&scene.game))?;
    let shared = Arc::clone(scene);
    let found = NIMBER_LIMITS.run(move |watch| {
        let parts = match convention {
            Convention::Normal => parts(&shared),
            Convention::Misere => Vec::new(),
        };
        let nimbers = nimbers(&shared.game, texts(&shared, &parts), watch)?;
        Ok((parts, nimbers))
    });
    let (parts, mut found) = found.await?;
    let whole = found.pop().unwrap_or_default();
    let zero = match convention {
        Convention::Normal if whole > 0 => winning_moves(answers, scene).await?,
        _ => Vec::new(),
    };
    let link = &scene.link;
    let tint = |(part, nimber): (&Part, &u32)| Tint {
        cells: part.cells,
        label: nimber.to_string(),
        letter: None,
        is_hot: false,
    };
    let tints: Vec<Tint> = parts.iter().zip(&found).map(tint).collect();
    let rows: Vec<Row> = (parts.iter().zip(&found).enumerate())
        .map(|(n, (part, nimber))| Row {
            label: html! { span class={ "swatch tint-" (n % 6) } {} a href=(link.with_position(&part.text).play()) { (part.text) } },
            nimber: *nimber,
        })
        .collect();
    let picture = match &scene.board {
        Some(view) => board::board_with_parts(lang, scene, view, &tints),
        None => board::figure(lang, scene, &MoveValues::new(None)),
    };
    let panel = html! {
        @match convention {
            Convention::Normal => {
                (nimber_table(lang, &rows, whole))
                (sum_verdict(lang, whole))
                @if !zero.is_empty() {
                    p { (theory::to_zero(lang)) }
                    ul #zero.numbers-of { @for mv in zero.iter().take(MAX_MOVES) { li { a href=(link.after(mv).url("parts")) { (mv) } } } }
                }
            },
            Convention::Misere => p #whole data-nimber=(whole) { (theory::misere_value(lang, whole)) },
        }
        p.actions { a href=(link.play()) { (theory::position(lang)) } a href="/sum" { (theory::sums(lang)) } }
    };
    Ok([picture, panel])
}

/// Returns the winning moves, as far as they are soon known.
async fn winning_moves(answers: &Answers, scene: &Scene) -> Result<Vec<String>, RequestError> {
    let known = answers.ask(position::query(scene), Wait::UntilOutcome).await.known()?;
    let moves = known.iter().flat_map(|answer| &answer.moves);
    Ok(moves.filter(|mv| mv.outcome == Some(Outcome::Win)).map(|mv| mv.text.clone()).collect())
}

/// The picture and the panel of a partizan position.
async fn with_values(lang: Lang, scene: &Arc<Scene>) -> Result<[Markup; 2], RequestError> {
    let shared = Arc::clone(scene);
    let found = VALUE_LIMITS.run(move |watch| {
        let parts = parts(&shared);
        let values = values(&shared.game, &texts(&shared, &parts), watch)?;
        Ok((parts, values))
    });
    let (parts, Values { values, wins, players }) = found.await?;
    let link = &scene.link;
    let hot = hottest(&parts, &values);
    let tint = |(n, (part, value)): (usize, (&Part, &Value))| Tint {
        cells: part.cells,
        label: value.name.clone().filter(|name| name.chars().count() <= MAX_LABEL_CHARS).unwrap_or_default(),
        letter: Some(letter(n)),
        is_hot: hot.is_some_and(|(hottest, _)| hottest == n),
    };
    let tints: Vec<Tint> = parts.iter().zip(&values).enumerate().map(tint).collect();
    let names = players.map(|player| player_name(lang, &scene.game, player, 0));
    let picture = html! {
        @if let Some(view) = &scene.board { (board::board_with_parts(lang, scene, view, &tints)) }
        @if let Some(whole) = values.last() { (PreEscaped(thermograph(say::thermograph(lang), &whole.thermograph, Style::OfPage))) }
    };
    let panel = html! {
        @if players[0] != PlayerName::Left { p { (say::who_is_left(lang, names[0].plain, names[1].plain)) } }
        (value_table(lang, link, &parts, &values))
        @if let Some((n, temperature)) = hot {
            p #hottest { (say::play_here(lang, &letter(n), &temperature.to_string())) }
        }
        p #outcome.sentence.unknown { (say::verdict(lang, names, wins[0], wins[1])) }
        p.actions { a href=(link.play()) { (theory::position(lang)) } a href="/value" { (say::values(lang)) } }
    };
    Ok([picture, panel])
}

/// Sorts the parts with their numbers, the hottest first.
fn hottest_first<'p>(parts: &'p [Part], values: &'p [Value]) -> Vec<(usize, (&'p Part, &'p Value))> {
    let mut sorted: Vec<_> = parts.iter().zip(values).enumerate().collect();
    sorted.sort_by_key(|(_, (_, value))| std::cmp::Reverse(value.thermograph.mast.temperature));
    sorted
}

/// Returns the hottest of several parts, if a move in it gains anything.
fn hottest(parts: &[Part], values: &[Value]) -> Option<(usize, Dyadic)> {
    let (n, (_, value)) = hottest_first(parts, values).into_iter().next()?;
    Some((n, value.thermograph.mast.temperature?))
        .filter(|(_, temperature)| parts.len() > 1 && *temperature > Dyadic::ZERO)
}

/// Returns the name of a part on the board and in the table.
fn letter(n: usize) -> String {
    char::from(b'a' + (n % 26) as u8).to_string()
}

fn value_table(lang: Lang, link: &Link, parts: &[Part], values: &[Value]) -> Markup {
    let cells = |value: &Value| {
        html! {
            td.value { code { @match &value.name { Some(name) => (name), None => "…" } } }
            td.number { (value.thermograph.mast.mean) }
            td.number { @match value.thermograph.mast.temperature { Some(temperature) => (temperature), None => (say::number(lang)) } }
        }
    };
    html! {
        table.xor {
            thead { tr { th { (theory::part(lang)) } th { (say::value(lang)) } th { (say::mean(lang)) } th { (say::temperature(lang)) } } }
            tbody {
                @for (n, (part, value)) in hottest_first(parts, values) {
                    tr {
                        td { span class={ "swatch tint-" (n % 6) } {} a href=(link.with_position(&part.text).play()) title=(part.text) { (letter(n)) } }
                        (cells(value))
                    }
                }
            }
            @if let Some(whole) = values.last() {
                tfoot { tr #whole data-value=[whole.name.as_ref()] { th { (say::sum(lang)) } (cells(whole)) } }
            }
        }
    }
}
