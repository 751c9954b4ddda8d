//! Misère quotients of heaps, and of games that both players have the same moves in.

use std::time::Duration;

use axum::http::StatusCode;
use balpan::quotient::QuotientError;
use balpan_games::AnyGame;
use balpan_games::heaps::Code;
use balpan_games::misere::{MisereError, is_misere};
use balpan_games::presets::preset;
use balpan_games::quotients::{QuotientInput, QuotientPart, QuotientReport};
use maud::{Markup, html};
use tokio::sync::Semaphore;

use crate::bounded::within;
use crate::page::{Page, Reader, reason};
use crate::refusal::Refusal;
use crate::words::{Lang, theories as say};

/// Quotients that are found at a time, and how long one may take.
static ROOM: Semaphore = Semaphore::const_new(1);
const LONGEST: Duration = Duration::from_secs(2);

/// Sums of which it is found out at most who wins, and the bytes that they may take.
const MOST_SUMS: u64 = 2_000_000;
const MEMORY: usize = 128 << 20;

/// The largest heap, if nothing is said, and at most; elements of the largest quotient.
const USUAL: u16 = 12;
const MOST: u16 = 60;
const MOST_ELEMENTS: usize = 100;

/// Parts that are shown.
const SHOWN: usize = 60;

pub(crate) async fn page(reader: Reader, query: &str) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let (mut of, mut to) = (String::new(), None);
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*key {
            "of" => of = value.trim().to_owned(),
            "to" => to = Some(value.trim().to_owned()).filter(|to| !to.is_empty()),
            "lang" => {}
            key => return Err(Refusal::key(key)),
        }
    }
    let shown = if of.is_empty() { "kayles".to_owned() } else { of.clone() };
    let (status, told) = match answer(&shown, to.as_deref()).await {
        Ok(answer) => (StatusCode::OK, told(lang, &answer)),
        Err(refusal) => (refusal.status, reason(lang, &refusal)),
    };
    let usual = USUAL.to_string();
    let body = html! {
        h1 { (say::quotient(lang)) }
        p.lead { (say::quotient_lead(lang)) }
        form.record method="get" action="/quotient" {
            @if let Some(lang) = reader.said { input type="hidden" name="lang" value=(lang.code()); }
            label { span { (say::code_or_game(lang)) } input #of type="text" name="of" value=(shown) autocomplete="off" spellcheck="false" maxlength="300"; }
            label { span { (say::largest_heap(lang)) } input #to type="text" inputmode="numeric" name="to" value=(to.as_deref().unwrap_or(&usual)) maxlength="3"; }
            p { button type="submit" { (say::find(lang)) } }
        }
        (told)
        p.actions { a href="/period" { (say::period(lang)) } a href="/value" { (crate::words::values::values(lang)) } }
    };
    let url = move |lang: Lang| {
        let given = [("of", Some(of.clone()).filter(|of| !of.is_empty())), ("to", to.clone())];
        let given =
            given.into_iter().filter_map(|(key, value)| Some(format!("{key}={}&", crate::link::escaped(&value?))));
        format!("/quotient?{}lang={}", given.collect::<String>(), lang.code())
    };
    Ok(Page { status, ..Page::new(say::quotient(lang), url, body) })
}

async fn answer(of: &str, to: Option<&str>) -> Result<QuotientReport, Refusal> {
    let (name, asked) = asked(of, to)?;
    within(&ROOM, LONGEST, MOST_SUMS, move |watch| {
        let found = QuotientReport::find(&name, &asked, MOST_ELEMENTS, MEMORY, watch, |_| {});
        found.map_err(|none| match none {
            MisereError::NotMisere(_) => Refusal::told(StatusCode::BAD_REQUEST, say::not_misere),
            MisereError::Quotient(QuotientError::TooLarge(_)) => {
                Refusal::told(StatusCode::UNPROCESSABLE_ENTITY, |lang| say::too_many_elements(lang, MOST_ELEMENTS))
            }
            MisereError::TooMany(_)
            | MisereError::TooManyMoves(_)
            | MisereError::TooLong(_)
            | MisereError::Stopped(_)
            | MisereError::Quotient(QuotientError::Stopped(_)) => {
                Refusal::told(StatusCode::UNPROCESSABLE_ENTITY, say::too_long)
            }
        })
    })
    .await
}

/// What the words ask for: a code or a game of heaps with the largest heap, or a misère game from its start.
fn asked(of: &str, to: Option<&str>) -> Result<(String, QuotientInput), Refusal> {
    let largest = match to {
        Some(to) => to.parse().ok().filter(|to| (1..=MOST).contains(to)),
        None => Some(USUAL),
    };
    let size = || Refusal::told(StatusCode::BAD_REQUEST, |lang| say::no_size(lang, MOST.into()));
    if let Some(code) = Code::parse(of) {
        let largest = largest.ok_or_else(size)?;
        return Ok((format!("{of} {largest}"), QuotientInput::Heaps(code, largest)));
    }
    let none = || Refusal::told(StatusCode::BAD_REQUEST, say::no_code);
    match preset(of).transpose()?.ok_or_else(none)?.game()? {
        AnyGame::Heaps(game) => {
            let largest = largest.ok_or_else(size)?;
            Ok((format!("{of} {largest}"), QuotientInput::Heaps(game.rules().code.clone(), largest)))
        }
        game if is_misere(&game) => Ok((of.to_owned(), QuotientInput::Game(Box::new(game)))),
        _ => Err(Refusal::told(StatusCode::BAD_REQUEST, say::not_misere)),
    }
}

fn told(lang: Lang, found: &QuotientReport) -> Markup {
    let lost: Vec<_> = found.lost.iter().map(|element| &*found.elements[*element]).collect();
    let letters: Vec<_> = found.letters.iter().map(|(letter, part)| format!("{letter} = {part}")).collect();
    let orders: Vec<_> = found.orders.iter().map(usize::to_string).collect();
    html! {
        p #order.sentence data-order=(found.order) { (say::elements(lang, &found.game, found.order, found.lost.len())) }
        @if found.tame { p { (say::tame(lang)) } }
        p { (say::lost(lang)) ": " code { (lost.join(", ")) } }
        p { (say::letters(lang)) ": " code { (letters.join(", ")) } }
        @if orders.len() <= SHOWN { p { (say::orders(lang)) ": " code { (orders.join(" ")) } } }
        table.xor {
            thead { tr { th { (say::part(lang)) } th { (say::element(lang)) } th { (say::genus(lang)) } } }
            tbody { @for QuotientPart { part, element, genus } in found.parts.iter().take(SHOWN) { tr {
                td { code { (part) } }
                td { code { (found.elements[*element]) } }
                td { @if let Some(genus) = genus { code { (genus) } } }
            } } }
        }
        @if found.parts.len() > SHOWN { p { (say::more_parts(lang, found.parts.len() - SHOWN)) } }
        p { (say::pretending(lang)) }
    }
}
