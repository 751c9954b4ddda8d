//! The page of misère quotients of heap games and of impartial games.

use std::time::Duration;

use balpan_cgt::quotient::QuotientError;
use balpan_games::heaps::Code;
use balpan_games::misere::MisereError;
use balpan_games::presets::preset;
use balpan_games::quotients::{QuotientInput, QuotientPart, QuotientReport};
use maud::{Markup, html};

use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::page::Page;
use crate::pages::form::FormPage;
use crate::request::GetRequest;
use crate::words::values::values;
use crate::words::{Lang, theories as say};

/// Limits on the sums whose outcomes are found, and on their bytes.
static LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), 2_000_000);
const MEMORY: usize = 128 << 20;

/// The largest heap, by default and at most; elements of the largest quotient.
const DEFAULT_HEAP: u16 = 12;
const MAX_HEAP: u16 = 60;
const MAX_ELEMENTS: usize = 100;

/// Parts in the table at most.
const MAX_SHOWN: usize = 60;

static FORM: FormPage = FormPage {
    path: "/quotient",
    title: say::quotient,
    lead: say::quotient_lead,
    text: (say::code_or_game, 300),
    number: Some((say::largest_heap, DEFAULT_HEAP as usize, 3)),
    button: say::find,
    others: &[("/period", say::period), ("/value", values)],
};

pub(crate) async fn page(GetRequest { reader, query, .. }: GetRequest) -> Result<Page, RequestError> {
    let fields = FORM.read(&query)?;
    let shown = if fields.text.is_empty() { "kayles".to_owned() } else { fields.text.clone() };
    let answer = answer(&shown, fields.number.as_deref()).await;
    Ok(FORM.page(reader, fields, &shown, answer.map(|answer| result_section(reader.lang, &answer))))
}

async fn answer(of: &str, to: Option<&str>) -> Result<QuotientReport, RequestError> {
    let (name, of) = parse(of, to)?;
    LIMITS
        .run(move |watch| {
            let found = QuotientReport::find(&name, &of, MAX_ELEMENTS, MEMORY, watch, |_| {});
            found.map_err(|none| match none {
                MisereError::NotMisere(_) => RequestError::invalid(say::not_misere),
                MisereError::Quotient(QuotientError::TooLarge(_)) => {
                    RequestError::too_hard(|lang| say::too_many_elements(lang, MAX_ELEMENTS))
                }
                MisereError::TooMany(_)
                | MisereError::TooManyMoves(_)
                | MisereError::TooLong(_)
                | MisereError::Stopped(_)
                | MisereError::Quotient(QuotientError::Stopped(_)) => RequestError::too_hard(say::too_long),
            })
        })
        .await
}

/// Parses the request: a code or a heap game with its largest heap, or a misère game from its start.
fn parse(of: &str, to: Option<&str>) -> Result<(String, QuotientInput), RequestError> {
    let largest = match to {
        Some(to) => to.parse().ok().filter(|to| (1..=MAX_HEAP).contains(to)),
        None => Some(DEFAULT_HEAP),
    };
    let size = || RequestError::invalid(|lang| say::no_size(lang, MAX_HEAP.into()));
    if let Some(code) = Code::parse(of) {
        let largest = largest.ok_or_else(size)?;
        return Ok((format!("{of} {largest}"), QuotientInput::Heaps(code, largest)));
    }
    let none = || RequestError::invalid(say::no_code);
    let game = preset(of).transpose()?.ok_or_else(none)?.game()?;
    if let Some(code) = game.heap_code() {
        let largest = largest.ok_or_else(size)?;
        return Ok((format!("{of} {largest}"), QuotientInput::Heaps(code.clone(), largest)));
    }
    if !game.is_misere_sum() {
        return Err(RequestError::invalid(say::not_misere));
    }
    Ok((of.to_owned(), QuotientInput::Game(Box::new(game))))
}

fn result_section(lang: Lang, found: &QuotientReport) -> Markup {
    let lost: Vec<_> = found.lost.iter().map(|element| &*found.elements[*element]).collect();
    let letters: Vec<_> = found.letters.iter().map(|(letter, part)| format!("{letter} = {part}")).collect();
    let orders: Vec<_> = found.orders.iter().map(usize::to_string).collect();
    html! {
        p #order.sentence data-order=(found.order) { (say::elements(lang, &found.game, found.order, found.lost.len())) }
        @if found.tame { p { (say::tame(lang)) } }
        p { (say::lost(lang)) ": " code { (lost.join(", ")) } }
        p { (say::letters(lang)) ": " code { (letters.join(", ")) } }
        @if orders.len() <= MAX_SHOWN { p { (say::orders(lang)) ": " code { (orders.join(" ")) } } }
        table.xor {
            thead { tr { th { (say::part(lang)) } th { (say::element(lang)) } th { (say::genus(lang)) } } }
            tbody { @for QuotientPart { part, element, genus } in found.parts.iter().take(MAX_SHOWN) { tr {
                td { code { (part) } }
                td { code { (found.elements[*element]) } }
                td { @if let Some(genus) = genus { code { (genus) } } }
            } } }
        }
        @if found.parts.len() > MAX_SHOWN { p { (say::more_parts(lang, found.parts.len() - MAX_SHOWN)) } }
        p { (say::pretending(lang)) }
    }
}
