//! The nimbers of heaps by a code, and the period that they are proved to have.

use std::fmt::Write;
use std::time::Duration;

use axum::http::StatusCode;
use balpan_games::heaps::period::ArithmeticGrowth;
use balpan_games::heaps::{MAX_THREE_WAY_HEAP, PeriodReport, code_digits};
use balpan_pictures::plots;
use maud::{Markup, PreEscaped, html};
use tokio::sync::Semaphore;

use crate::bounded::bounded;
use crate::page::{Page, Reader, reason};
use crate::refusal::Refusal;
use crate::words::{Lang, grouped, theories as say};

/// Sequences that are found at a time, and how long one may take.
static ROOM: Semaphore = Semaphore::const_new(1);
const LONGEST: Duration = Duration::from_secs(2);

/// The largest heap, if nothing is said, and at most.
const USUAL: usize = 10_000;
const MOST: usize = 100_000;

/// Heaps of which points are drawn, nimbers are shown, and exceptions are told.
const DRAWN: usize = 300;
const SHOWN: usize = 160;
const MOST_EXCEPTIONS: usize = 40;

pub(crate) async fn page(reader: Reader, query: &str) -> Result<Page, Refusal> {
    let lang = reader.lang;
    let (mut code, mut to) = (String::new(), None);
    for (key, value) in form_urlencoded::parse(query.as_bytes()) {
        match &*key {
            "of" => code = value.trim().to_owned(),
            "to" => to = Some(value.trim().to_owned()).filter(|to| !to.is_empty()),
            "lang" => {}
            key => return Err(Refusal::key(key)),
        }
    }
    let shown = if code.is_empty() { "0.77".to_owned() } else { code.clone() };
    let (status, told) = match answer(&shown, to.as_deref()).await {
        Ok(answer) => (StatusCode::OK, told(lang, &answer)),
        Err(refusal) => (refusal.status, reason(lang, &refusal)),
    };
    let usual = USUAL.to_string();
    let body = html! {
        h1 { (say::period(lang)) }
        p.lead { (say::period_lead(lang)) }
        form.record method="get" action="/period" {
            @if let Some(lang) = reader.said { input type="hidden" name="lang" value=(lang.code()); }
            label { span { (say::code(lang)) } input #of type="text" name="of" value=(shown) autocomplete="off" spellcheck="false" maxlength="300"; }
            label { span { (say::largest_heap(lang)) } input #to type="text" inputmode="numeric" name="to" value=(to.as_deref().unwrap_or(&usual)) maxlength="6"; }
            p { button type="submit" { (say::find(lang)) } }
        }
        (told)
        p.actions { a href="/quotient" { (say::quotient(lang)) } a href="/value" { (crate::words::values::values(lang)) } }
    };
    let url = move |lang: Lang| {
        let mut url = "/period?".to_owned();
        for (key, value) in [("of", Some(&code).filter(|code| !code.is_empty())), ("to", to.as_ref())] {
            if let Some(value) = value {
                // Writing to a string cannot fail.
                let _ = write!(url, "{key}={}&", crate::link::escaped(value));
            }
        }
        url + "lang=" + lang.code()
    };
    Ok(Page { status, ..Page::new(say::period(lang), url, body) })
}

async fn answer(code: &str, to: Option<&str>) -> Result<PeriodReport, Refusal> {
    let (code, digits) = code_digits(code).ok_or_else(|| Refusal::told(StatusCode::BAD_REQUEST, say::no_code))?;
    let most = if digits.most_left() > 2 { MAX_THREE_WAY_HEAP } else { MOST };
    let to = match to {
        Some(to) => to.parse().ok().filter(|to| (1..=most).contains(to)),
        None => Some(USUAL),
    };
    let to = to.ok_or_else(|| Refusal::told(StatusCode::BAD_REQUEST, move |lang| say::no_size(lang, most)))?;
    bounded(&ROOM, LONGEST, move |watch| {
        let found = PeriodReport::find(&code, &digits, to, watch);
        found.map_err(|_| Refusal::told(StatusCode::UNPROCESSABLE_ENTITY, say::too_long))
    })
    .await
}

fn told(lang: Lang, answer: &PeriodReport) -> Markup {
    let number = |n: usize| grouped(n as u64);
    let drawn = &answer.nimbers[..answer.nimbers.len().min(DRAWN + 1)];
    let title = say::first_heaps(lang, &answer.code, &number(drawn.len().saturating_sub(1)));
    html! {
        p #period.sentence data-period=[answer.period] {
            @match (answer.period, answer.preperiod, &answer.growth) {
                (Some(length), Some(from), _) => (say::proved(lang, &number(length), &number(from))),
                (_, _, Some(ArithmeticGrowth { length, from, by })) => (say::grows(lang, &number(*length), &number(*from), *by)),
                _ => (say::open(lang)),
            }
        }
        @if let Some(heaps) = answer.exceptions.as_ref().filter(|heaps| !heaps.is_empty()) {
            p { (say::exceptions(lang, &listed(heaps))) }
        }
        @if let Some((nimber, heap)) = answer.largest() { p { (say::largest(lang, nimber, &number(heap))) } }
        div.tree-picture { (PreEscaped(plots::nimbers_in_page(&title, drawn, |heap| answer.is_exception(heap)))) }
        pre.sequence tabindex="0" { code { (rows(answer)) } }
        p { (say::csv(lang)) " " code { "balpan period " (answer.code.rsplit(' ').next().unwrap_or_default()) " --csv" } }
    }
}

fn listed(heaps: &[usize]) -> String {
    let told: Vec<_> = heaps.iter().take(MOST_EXCEPTIONS).map(ToString::to_string).collect();
    let more = if heaps.len() > MOST_EXCEPTIONS { ", …" } else { "" };
    told.join(", ") + more
}

/// The first nimbers, as many in a line as come again if that many fit.
fn rows(answer: &PeriodReport) -> String {
    let nimbers = &answer.nimbers[..answer.nimbers.len().min(SHOWN)];
    let widest = nimbers.iter().max().map_or(1, |most| most.to_string().len());
    let length = answer.period.filter(|length| *length <= 17).unwrap_or(10);
    let mut rows = String::new();
    for (n, row) in nimbers.chunks(length).enumerate() {
        let row: Vec<_> = row.iter().map(|nimber| format!("{nimber:>widest$}")).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(rows, "{:>4}  {}", n * length, row.join(" "));
    }
    rows
}
