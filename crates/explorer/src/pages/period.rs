//! The page of nimber sequences of heaps, and of their proved periods.

use std::fmt::Write;
use std::time::Duration;

use balpan_games::heaps::period::ArithmeticGrowth;
use balpan_games::heaps::{MAX_THREE_WAY_HEAP, PeriodReport, code_digits};
use balpan_pictures::plots;
use maud::{Markup, PreEscaped, html};

use crate::bounded::WorkLimits;
use crate::error::RequestError;
use crate::page::Page;
use crate::pages::form::FormPage;
use crate::request::GetRequest;
use crate::words::values::values;
use crate::words::{Lang, grouped, theories as say};

static LIMITS: WorkLimits = WorkLimits::new(1, Duration::from_secs(2), u64::MAX);

/// The largest heap: by default, and at most.
const DEFAULT_HEAP: usize = 10_000;
const MAX_HEAP: usize = 100_000;

/// Limits of the page: heaps in the plot, nimbers as text, and listed exceptions.
const MAX_PLOTTED: usize = 300;
const MAX_PRINTED: usize = 160;
const MAX_EXCEPTIONS: usize = 40;

static FORM: FormPage = FormPage {
    path: "/period",
    title: say::period,
    lead: say::period_lead,
    text: (say::code, 300),
    number: Some((say::largest_heap, DEFAULT_HEAP, 6)),
    button: say::find,
    others: &[("/quotient", say::quotient), ("/value", values)],
};

pub(crate) async fn page(GetRequest { reader, query, .. }: GetRequest) -> Result<Page, RequestError> {
    let fields = FORM.read(&query)?;
    let shown = if fields.text.is_empty() { "0.77".to_owned() } else { fields.text.clone() };
    let answer = answer(&shown, fields.number.as_deref()).await;
    Ok(FORM.page(reader, fields, &shown, answer.map(|answer| result_section(reader.lang, &answer))))
}

async fn answer(code: &str, to: Option<&str>) -> Result<PeriodReport, RequestError> {
    let (code, digits) = code_digits(code).ok_or_else(|| RequestError::invalid(say::no_code))?;
    let max = if digits.max_heaps_left() > 2 { MAX_THREE_WAY_HEAP } else { MAX_HEAP };
    let to = match to {
        Some(to) => to.parse().ok().filter(|to| (1..=max).contains(to)),
        None => Some(DEFAULT_HEAP),
    };
    let to = to.ok_or_else(|| RequestError::invalid(move |lang| say::no_size(lang, max)))?;
    LIMITS
        .run(move |watch| {
            let found = PeriodReport::find(&code, &digits, to, watch);
            found.map_err(|_| RequestError::too_hard(say::too_long))
        })
        .await
}

fn result_section(lang: Lang, answer: &PeriodReport) -> Markup {
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
        div.tree-picture { (PreEscaped(plots::nimbers_in_page(&title, plotted, |heap| answer.is_exception(heap)))) }
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
