//! The pages of nimber sequences of heaps with their proved periods, and of misère quotients of heaps and other games.

use std::fmt::Write;
use std::time::Duration;

use balpan_cgt::quotient::QuotientError;
use balpan_games::heaps::period::ArithmeticGrowth;
use balpan_games::heaps::{Code, MAX_THREE_WAY_HEAP, PeriodReport, code_digits};
use balpan_games::misere::MisereError;
use balpan_games::presets::preset;
use balpan_games::quotients::{QuotientInput, QuotientPart, QuotientReport};
use balpan_pictures::plots::{Style, nimbers};
use maud::{Markup, PreEscaped, html};

use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::page::Page;
use crate::pages::form::{Fields, FormPage};
use crate::request::GetRequest;
use crate::words::values::values;
use crate::words::{Lang, grouped, theories as say};

static PERIOD_LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), u64::MAX);

/// The largest heap: by default, and at most.
const PERIOD_DEFAULT_HEAP: usize = 10_000;
const PERIOD_MAX_HEAP: usize = 100_000;

/// Limits of the page: heaps in the plot, nimbers as text, and listed exceptions.
const MAX_PLOTTED: usize = 300;
const MAX_PRINTED: usize = 160;
const MAX_EXCEPTIONS: usize = 40;

static PERIOD_FORM: FormPage = FormPage {
    path: "/period",
    title: say::period,
    lead: say::period_lead,
    text: (say::code, 300),
    example: "0.77",
    number: Some((say::largest_heap, PERIOD_DEFAULT_HEAP, 6)),
    button: say::find,
    others: &[("/quotient", say::quotient), ("/value", values)],
};

pub(crate) async fn period(request: GetRequest) -> Result<Page, RequestError> {
    let fields = PERIOD_FORM.read(request)?;
    let answer = period_answer(&fields).await;
    Ok(PERIOD_FORM.page(&fields, answer.map(|answer| period_section(fields.reader.lang, &answer))))
}

async fn period_answer(fields: &Fields) -> Result<PeriodReport, RequestError> {
    let (code, digits) = code_digits(&fields.shown).ok_or_else(|| RequestError::invalid(say::no_code))?;
    let max = if digits.max_heaps_left() > 2 { MAX_THREE_WAY_HEAP } else { PERIOD_MAX_HEAP };
    let to = PERIOD_FORM.size(fields, max)?;
    PERIOD_LIMITS
        .run(move |watch| {
            let found = PeriodReport::find(&code, &digits, to, watch);
            found.map_err(|_| RequestError::too_hard(say::too_long))
        })
        .await
}

fn period_section(lang: Lang, answer: &PeriodReport) -> Markup {
    let number = |n: usize| grouped(n as u64);
    let plotted = &answer.nimbers[..answer.nimbers.len().min(MAX_PLOTTED + 1)];
    let title = say::first_heaps(lang, &answer.code, &number(plotted.len().saturating_sub(1)));
    html! {
        p #period.sentence data-period=[answer.period] {
            @match (answer.period, answer.preperiod, &answer.growth) {
                (Some(length), Some(from), _) => (say::proved(lang, &number(length), &number(from))),
                (_, _, Some(ArithmeticGrowth { length, from, by })) => (say::grows(lang, &number(*length), &number(*from), *by)),
                _ => (say::open(lang)),
            }
        }
        @if let Some(heaps) = answer.exceptions.as_ref().filter(|heaps| !heaps.is_empty()) {
            p { (say::exceptions(lang, &list(heaps))) }
        }
        @if let Some((nimber, heap)) = answer.largest() { p { (say::largest(lang, nimber, &number(heap))) } }
        div.tree-picture { (PreEscaped(nimbers(&title, plotted, |heap| answer.is_exception(heap), Style::OfPage))) }
        pre.sequence tabindex="0" { code { (rows(answer)) } }
        p { (say::csv(lang)) " " code { "balpan period " (answer.code.rsplit(' ').next().unwrap_or_default()) " --csv" } }
    }
}

fn list(heaps: &[usize]) -> String {
    let listed: Vec<_> = heaps.iter().take(MAX_EXCEPTIONS).map(ToString::to_string).collect();
    let more = if heaps.len() > MAX_EXCEPTIONS { ", …" } else { "" };
    listed.join(", ") + more
}

/// Formats the first nimbers, one period a line if that fits.
fn rows(answer: &PeriodReport) -> String {
    let nimbers = &answer.nimbers[..answer.nimbers.len().min(MAX_PRINTED)];
    let widest = nimbers.iter().max().map_or(1, |max| max.to_string().len());
    let length = answer.period.filter(|length| *length <= 17).unwrap_or(10);
    let mut rows = String::new();
    for (n, row) in nimbers.chunks(length).enumerate() {
        let row: Vec<_> = row.iter().map(|nimber| format!("{nimber:>widest$}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(rows, "{:>4}  {}", n * length, row.join(" "));
    }
    rows
}

/// Limits on the sums whose outcomes are found, and on their bytes.
static QUOTIENT_LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), 2_000_000);
const MEMORY: usize = 128 << 20;

/// The largest heap, by default and at most; elements of the largest quotient.
const QUOTIENT_DEFAULT_HEAP: usize = 12;
const QUOTIENT_MAX_HEAP: usize = 60;
const MAX_ELEMENTS: usize = 100;

/// Parts in the table at most.
const MAX_SHOWN: usize = 60;

static QUOTIENT_FORM: FormPage = FormPage {
    path: "/quotient",
    title: say::quotient,
    lead: say::quotient_lead,
    text: (say::code_or_game, 300),
    example: "kayles",
    number: Some((say::largest_heap, QUOTIENT_DEFAULT_HEAP, 3)),
    button: say::find,
    others: &[("/period", say::period), ("/value", values)],
};

pub(crate) async fn quotient(request: GetRequest) -> Result<Page, RequestError> {
    let fields = QUOTIENT_FORM.read(request)?;
    let answer = quotient_answer(&fields).await;
    Ok(QUOTIENT_FORM.page(&fields, answer.map(|answer| quotient_section(fields.reader.lang, &answer))))
}

async fn quotient_answer(fields: &Fields) -> Result<QuotientReport, RequestError> {
    let (name, of) = input(fields)?;
    QUOTIENT_LIMITS
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
fn input(fields: &Fields) -> Result<(String, QuotientInput), RequestError> {
    let of = &fields.shown;
    let heaps = |code: &Code| {
        let largest = QUOTIENT_FORM.size(fields, QUOTIENT_MAX_HEAP)?;
        Ok((format!("{of} {largest}"), QuotientInput::Heaps(code.clone(), largest as u16)))
    };
    if let Some(code) = Code::parse(of) {
        return heaps(&code);
    }
    let game = preset(of).transpose()?.ok_or_else(|| RequestError::invalid(say::no_code))?.game()?;
    if let Some(code) = game.heap_code() {
        return heaps(code);
    }
    if !game.is_misere_sum() {
        return Err(RequestError::invalid(say::not_misere));
    }
    Ok((of.clone(), QuotientInput::Game(Box::new(game))))
}

fn quotient_section(lang: Lang, found: &QuotientReport) -> Markup {
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
