//! The parts of a partizan position with their values, means and temperatures.

use balpan_games::PlayerName;
use std::time::Duration;

use balpan_cgt::Dyadic;
use balpan_pictures::plots;
use maud::{Markup, PreEscaped, html};
use tokio::sync::Semaphore;

use crate::board::{self, Tint};
use crate::bounded::run_limited;
use crate::error::RequestError;
use crate::link::Link;
use crate::page::Page;
use crate::scene::{Scene, player_name};
use crate::theory::{Part, partizan_parts};
use crate::values::{PositionValues, Value, values};
use crate::words::{Lang, frame, theory, values as say};

/// Positions at the same time; canonical forms and time of one.
static PERMITS: Semaphore = Semaphore::const_new(1);
const MAX_GAMES: u64 = 200_000;
const TIME_LIMIT: Duration = Duration::from_secs(2);

/// Characters of the longest value on a cell.
const MAX_LABEL_CHARS: usize = 5;

pub(crate) async fn page(lang: Lang, link: Link) -> Result<Page, RequestError> {
    let made = run_limited(&PERMITS, TIME_LIMIT, MAX_GAMES, |watch| {
        let scene = Scene::new(link)?;
        let parts = partizan_parts(&scene)?;
        let mut texts: Vec<String> = parts.iter().map(|part| part.text.clone()).collect();
        texts.push(scene.view.position.clone());
        let found = values(&scene.game, &texts, watch)?;
        Ok((scene, parts, found))
    });
    let (scene, parts, PositionValues { values, wins }) = made.await?;
    let link = scene.link.clone();
    let hot = hottest(&parts, &values);
    let tint = |(n, (part, value)): (usize, (&Part, &Value))| Tint {
        cells: part.cells,
        label: value.name.clone().filter(|name| name.chars().count() <= MAX_LABEL_CHARS).unwrap_or_default(),
        letter: Some(letter(n)),
        is_hot: hot.is_some_and(|(hottest, _)| hottest == n),
    };
    let tints: Vec<Tint> = parts.iter().zip(&values).enumerate().map(tint).collect();
    let names = [PlayerName::Left, PlayerName::Right].map(|player| player_name(lang, &scene.game, player, 0));
    let body = html! {
        h1 { a href=(link.play()) { (frame::game(lang, &link.game)) } " " small { (say::title(lang)) } }
        p.lead { (say::lead(lang)) }
        div.play {
            div.table {
                @if let Some(view) = &scene.view.board { (board::board_with_parts(lang, &scene, view, &tints)) }
                @if let Some(whole) = values.last() { (PreEscaped(plots::thermograph_in_page(say::thermograph(lang), &whole.thermograph))) }
            }
            div.panel {
                (table(lang, &link, &parts, &values))
                @if let Some((n, temperature)) = hot {
                    p #hottest { (say::play_here(lang, &letter(n), &temperature.to_string())) }
                }
                p #outcome.sentence.unknown { (say::verdict(lang, names, wins[0], wins[1])) }
                p.actions { a href=(link.play()) { (theory::position(lang)) } a href="/value" { (say::values(lang)) } }
            }
        }
    };
    let title = format!("{}: {}", say::title(lang), link.game);
    Ok(Page::new(title, link.without_lang().url("parts"), body))
}

/// Sorts the parts with their numbers, the hottest first.
fn hottest_first<'p>(parts: &'p [Part], values: &'p [Value]) -> Vec<(usize, (&'p Part, &'p Value))> {
    let mut sorted: Vec<_> = parts.iter().zip(values).enumerate().collect();
    sorted.sort_by_key(|(_, (_, value))| std::cmp::Reverse(value.mast.temperature));
    sorted
}

/// Returns the hottest of several parts, if a move in it gains anything.
fn hottest(parts: &[Part], values: &[Value]) -> Option<(usize, Dyadic)> {
    let (n, (_, value)) = hottest_first(parts, values).into_iter().next()?;
    Some((n, value.mast.temperature?)).filter(|(_, temperature)| parts.len() > 1 && *temperature > Dyadic::ZERO)
}

/// Returns the name of a part on the board and in the table.
fn letter(n: usize) -> String {
    char::from(b'a' + (n % 26) as u8).to_string()
}

fn table(lang: Lang, link: &Link, parts: &[Part], values: &[Value]) -> Markup {
    let cells = |value: &Value| {
        html! {
            td.value { code { @match &value.name { Some(name) => (name), None => "…" } } }
            td.number { (value.mast.mean) }
            td.number { @match value.mast.temperature { Some(temperature) => (temperature), None => (say::number(lang)) } }
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
